// Start values of Lagrangian systems: projection, and what is refused.
#include "livens/system/start.hpp"

#include <doctest/doctest.h>

#include "livens/system/lagrangian.hpp"
#include "verify/problems.hpp"

using namespace livens;
using namespace livens::test;

namespace {

struct FreeOnEllipse {  // M = diag(4, 1)
  static constexpr int coordinates = 2, constraints = 1;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return (4 * v[0] * v[0] + v[1] * v[1]) / 2 - q[0];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};

struct Parallelogram {
  static constexpr int coordinates = 4, constraints = 3;
  template <class T>
  T lagrangian(const Vec<T, 4>&, const Vec<T, 4>& v) const {
    return dot(v, v) / 2;
  }
  template <class T>
  Vec<T, 3> constraint(const Vec<T, 4>& q) const {
    const T dx = q[2] - q[0], dy = q[3] - q[1], x = q[2] - 2;
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2, (x * x + q[3] * q[3] - 1) / 2, (dx * dx + dy * dy - 4) / 2};
  }
};

struct Twice : FreeOnEllipse {
  static constexpr int constraints = 2;
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2, 3 * (q[0] * q[0] + q[1] * q[1] - 1)};
  }
};

struct Squared : FreeOnEllipse {
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    const T g = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
    return {g * g};
  }
};

struct Line : FreeOnEllipse {
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {1e-9 * q[1]};
  }
};

struct FarQuartic : FreeOnEllipse {
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    const T x = (q[0] - 1e5) * (q[0] - 1e5), y = q[1] * q[1];
    return {x * x + y * y - 1};
  }
};

struct Undefined : FreeOnEllipse {
  static constexpr int invariants = 1;
  template <class T>
  Vec<T, 1> invariant_values(const Vec<T, 2>& q, const Vec<T, 2>&) const {
    using std::log;
    return {log(q[1])};
  }
};

// A bar u carried by three parallel cranks; the third says nothing new, but only where the others hold.
struct ThreeCranks {
  static constexpr int coordinates = 4, constraints = 4;
  template <class T>
  T lagrangian(const Vec<T, 4>& q, const Vec<T, 4>& v) const {
    return dot(v, v) / 2 - q[1];
  }
  template <class T>
  Vec<T, 4> constraint(const Vec<T, 4>& q) const {
    const auto crank = [&](double at) {
      const T x = q[0] + at * q[2] - at, y = q[1] + at * q[3];
      return T((x * x + y * y - 1) / 2);
    };
    return {crank(0), (q[2] * q[2] + q[3] * q[3] - 1) / 2, crank(2), crank(4)};
  }
};

struct TwoCircles : FreeOnEllipse {  // that do not meet
  static constexpr int constraints = 2;
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 2>& q) const {
    const T x = q[0] - 3;
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2, (x * x + q[1] * q[1] - 1) / 2};
  }
};

struct Nowhere : FreeOnEllipse {
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] + 1) / 2};
  }
};

template <class Problem>
struct Start {
  Lagrangian<Problem> system{Problem{}};
  StartValues<Lagrangian<Problem>> values{system};
};

}  // namespace

TEST_CASE("projection finds the nearest point in the mass norm, and a tangential velocity") {
  Start<FreeOnEllipse> s;
  s.values.q = {0.9, 0.9}, s.values.v = {1, 0.5};
  REQUIRE(!s.values.make_consistent(false, {.project = true}));
  const auto& q = s.values.q;
  CHECK(std::abs(q[0] * q[0] + q[1] * q[1] - 1) < 4e-16);
  // M (q - q_given) is along G = q
  CHECK(std::abs(4 * (q[0] - 0.9) * q[1] - (q[1] - 0.9) * q[0]) < 1e-15);
  const auto& v = s.values.v;
  CHECK(std::abs(q[0] * v[0] + q[1] * v[1]) < 4e-16);
  CHECK(std::abs(4 * (v[0] - 1) * q[1] - (v[1] - 0.5) * q[0]) < 1e-15);
  CHECK(s.values.p[0] == doctest::Approx(4 * v[0]));
  CHECK(s.values.move.q > 0.1);
}

TEST_CASE("a momentum of zero is projected onto a moving constraint, whatever the mass depends on") {
  Start<ChangingTimes> s;
  s.values.q = ChangingTimes{}.q0();
  for (const double x : {0.0, 1e-300, 1e-12}) {
    s.values.p = {x, 0};
    CHECK(!s.values.make_consistent(true, {.project = true}));
    CHECK(std::abs(s.values.q[0] * s.values.v[0] + 2 * s.values.q[1] * s.values.v[1] - 0.4 * s.values.q[0]) < 4e-16);
  }
}

TEST_CASE("start values off the constraints, dependent constraints and undefined invariants are refused") {
  using Kind = StartFault::Kind;
  Start<FreeOnEllipse> off;
  off.values.q = {1, 1e-4}, off.values.v = {0, 1};
  CHECK(off.values.make_consistent(false, {})->kind == Kind::position);
  off.values.q = {1, 0}, off.values.v = {1e-6, 1};
  CHECK(off.values.make_consistent(false, {})->kind == Kind::velocity);
  off.values.v = {0, 1};
  CHECK(!off.values.make_consistent(false, {}));

  Start<Twice> twice;
  twice.values.q = {0.6, 0.8}, twice.values.v = {0.8, -0.6};
  const auto fault = twice.values.make_consistent(false, {});
  REQUIRE(fault);
  CHECK(fault->kind == Kind::dependent_constraints);
  CHECK(fault->rows == std::vector<int>{1});

  Start<Undefined> undefined;
  undefined.values.q = {0.6, -0.8}, undefined.values.v = {0.8, 0.6};
  CHECK(undefined.values.make_consistent(false, {})->kind == Kind::invariant_not_finite);
}

TEST_CASE("a constraint without a gradient is not called dependent on others") {
  Start<Squared> squared;
  for (const double angle : {0.0, 0.3, 1.1, 2.5})  // where g is 0 up to round-off
    for (const bool project : {false, true}) {
      squared.values.q = {std::cos(angle), std::sin(angle)}, squared.values.v = {0, 0};
      const auto fault = squared.values.make_consistent(false, {.project = project});
      REQUIRE(fault);
      CHECK(fault->kind == StartFault::Kind::zero_gradient);
    }
  Start<FarQuartic> far;  // terms as large as 1e20 in powers of x, but not in x - X
  far.values.q = {1e5 + 1, 0}, far.values.v = {0, 1};
  CHECK(!far.values.make_consistent(false, {}));
  far.values.q = {1e5 + 1.3, 0};
  CHECK(far.values.make_consistent(false, {})->kind == StartFault::Kind::position);
  Start<Line> line;  // its terms vanish at the origin, its gradient does not
  line.values.q = {0, 0}, line.values.v = {1, 0};
  CHECK(!line.values.make_consistent(false, {}));
  line.values.q = {1000, 0};
  CHECK(!line.values.make_consistent(false, {}));
}

TEST_CASE("dependent constraints are named by projection, too, where they are dependent at the projected point only") {
  using Kind = StartFault::Kind;
  for (const double off : {1e-3, 0.05, 0.2}) {
    CAPTURE(off);
    Start<ThreeCranks> s;
    s.values.q = {std::cos(0.5) + off, std::sin(0.5), 1 - off, off}, s.values.v = {0, 0, 0, 0};
    const auto given = s.values.q;
    const auto fault = s.values.make_consistent(false, {.project = true});
    REQUIRE(fault);
    CHECK(fault->kind == Kind::dependent_constraints);
    CHECK(fault->rows == std::vector<int>{3});

    s.values.q = given;
    CHECK(s.values.dependent_constraints(false).empty());
    CHECK(s.values.dependent_constraints(true) == std::vector<int>{3});
    CHECK(std::abs(s.values.q[3]) < 4 * 1e-15);  // the bar is where the cranks are parallel
  }
}

TEST_CASE("constraints that contradict each other are dependent where they come closest") {
  Start<TwoCircles> s;
  s.values.q = {1.2, 0.7}, s.values.v = {0, 0};
  CHECK(s.values.dependent_constraints(true) == std::vector<int>{1});
  CHECK(std::abs(s.values.q[1]) < 1e-4);  // between the two circles
}

TEST_CASE("a consistent start beside a singular configuration need not be moved") {
  const double angle = 1e-6, c = std::cos(angle), w = std::sin(angle);  // of a parallelogram that is nearly flat
  Start<Parallelogram> s;
  s.values.q = {c, w, 2 + c, w}, s.values.v = {-w, c, -w, c};
  CHECK(!s.values.make_consistent(false, {.project = true}));
  CHECK(s.values.v[3] == c);

  s.values.v = {-w, c, -w, -c};  // each crank for itself
  const auto fault = s.values.make_consistent(false, {.project = true});
  REQUIRE(fault);
  CHECK(fault->kind == StartFault::Kind::dependent_constraints);
  CHECK(fault->rows == std::vector<int>{2});
}

TEST_CASE("a constraint that nothing satisfies is not blamed on the rank") {
  Start<Nowhere> s;
  s.values.q = {0.3, 0.4}, s.values.v = {0, 0};
  const auto fault = s.values.make_consistent(false, {.project = true});
  REQUIRE(fault);
  CHECK(fault->kind == StartFault::Kind::no_projection);
}
