// Symplectic Euler methods for overdetermined systems, their adjoints and compositions, and SPARK: "Consistent
// extensions of the symplectic Euler method for a class of overdetermined DAEs". Digits are those of an independent
// implementation.
#include "livens/method/euler.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "livens/method/composition.hpp"
#include "livens/method/spark.hpp"
#include "livens/run/march.hpp"
#include "livens/run/walk.hpp"
#include "livens/study/order.hpp"
#include "livens/study/symplecticity.hpp"
#include "system/problems.hpp"

using namespace livens;

namespace {

using Variant = Euler::Variant;
using Scheme = Composition::Scheme;
using ExponentialOptions = OverdeterminedMarchOptions<ExponentialOdae>;
using CubicOptions = OverdeterminedMarchOptions<CubicWithFriction>;

const ExponentialOptions exponential{.y = {1, 1}, .z = {1, 1}};
const CubicOptions cubic{.y = {10, 10}, .z = {-3.6, -10.8}};

struct KnownEnd {
  Euler method;
  double y[2], z[2], psi0, psi1;
};

// One run of a problem, and what the scheme itself produced in its last step.
template <class Problem, class Options, class Method>
struct Trial {
  Vec<double, 2> y, z;
  std::vector<double> psi0, psi1;

  Trial(const Problem& problem, const Options& options, const Method& method, double h, int steps) {
    const Odae<Problem> system(problem);
    Walk<Odae<Problem>> walk(system, method, {});
    REQUIRE(succeeded(walk.start(start_values(system, options, "test"))));
    StepReport report;
    for (int n = 0; n < steps; ++n) {
      walk.advance(n * h, (n + 1) * h, h, report);
      REQUIRE(succeeded(report.outcome));
    }
    y = walk.q(), z = walk.state().p;
    walk.raw_values([&](const RawValue& what, std::span<const double> x) {
      (what.name == "psi0" ? psi0 : psi1).assign(x.begin(), x.end());
    });
  }
};
template <class Problem, class Options, class Method>
Trial(const Problem&, const Options&, const Method&, double, int) -> Trial<Problem, Options, Method>;

double distance(const Vec<double, 2>& a, const Vec<double, 2>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

// To three digits of the number itself: doctest's own scale adds 1.
doctest::Approx about(double x) {
  return doctest::Approx(x).epsilon(1e-3).scale(0);
}

Vec<double, 2> exact_y(double t) {
  return {std::exp(2 * t), std::exp(-t)};
}

// A mass on a sphere under gravity, as an overdetermined system: its reaction is linear.
struct SphericalOdae {
  static constexpr int positions = 3, velocities = 3, multipliers = 1;
  static constexpr bool linear_reaction = true;
  template <class T>
  Vec<T, 3> velocity(const Vec<T, 3>&, const Vec<T, 3>& z) const {
    return z;
  }
  template <class T>
  Vec<T, 3> force(const Vec<T, 3>&, const Vec<T, 3>&) const {
    return {T(0), T(0), T(-1)};
  }
  template <class T>
  Vec<T, 3> reaction(const Vec<T, 3>& y, const Vec<T, 3>&, const Vec<T, 1>& psi) const {
    return {-y[0] * psi[0], -y[1] * psi[0], -y[2] * psi[0]};
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& y) const {
    return {(dot(y, y) - 1) / 2};
  }
};
struct SphericalPendulum {
  static constexpr int coordinates = 3, constraints = 1;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return dot(v, v) / 2 - q[2];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {(dot(q, q) - 1) / 2};
  }
};
const OverdeterminedMarchOptions<SphericalOdae> on_sphere{.y = {.6, 0, -.8}, .z = {0, .9, 0}};

// Mass that depends on q, a term linear in v and constraints with t.
struct Driven {
  static constexpr int coordinates = 2, constraints = 1;
  template <class T>
  T lagrangian(const T& t, const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    using std::sin;
    return (1 + q[0] * q[0] / 4) * dot(v, v) / 2 + T(0.3) * q[1] * v[0] - T(9.81) * q[1] * (1 + sin(t) / 4);
  }
  template <class T>
  Vec<T, 1> constraint(const T& t, const Vec<T, 2>& q) const {
    using std::sin;
    const T x = q[0] - sin(2 * t) / 5;
    return {(x * x + q[1] * q[1] - 1) / 2};
  }
  template <class T>
  Vec<T, 2> force(const Vec<T, 2>&, const Vec<T, 2>& v) const {
    return {-v[0] / 5, -v[1] / 5};
  }
};

// Mass that depends on q, nothing else.
struct Bent {
  static constexpr int coordinates = 3, constraints = 1;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return (1 + q[0] * q[0] / 4) * dot(v, v) / 2 + T(0.3) * q[1] * v[0] * v[2] - q[2];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {(dot(q, q) - 1) / 2};
  }
};

// Everything depends on everything: v on y, z and t, two multipliers that act nonlinearly.
struct Entangled {
  static constexpr int positions = 4, velocities = 4, multipliers = 2;
  template <class T>
  Vec<T, 4> velocity(const T& t, const Vec<T, 4>& y, const Vec<T, 4>& z) const {
    using std::sin;
    const T scale = 1 + y[1] * y[1] / 8, turn = sin(t) / 5;
    return {scale * z[0] + turn * y[1], z[1] - turn * y[3], z[2] + z[0] * y[2] / 6, scale * z[3] + y[0] * y[2] / 7};
  }
  template <class T>
  Vec<T, 4> force(const T& t, const Vec<T, 4>& y, const Vec<T, 4>& z) const {
    using std::cos;
    return {-y[0] * y[0] * y[0], -1 + z[0] * z[2] / 10, cos(t) * y[1] / 3, -y[3] / 2 - z[3] / 4};
  }
  template <class T>
  Vec<T, 4> reaction(const T& t, const Vec<T, 4>& y, const Vec<T, 4>& z, const Vec<T, 2>& psi) const {
    using std::cos;
    const T first = psi[0] + psi[0] * psi[0] * psi[0] / 10, drag = psi[0] * psi[1] / 10 + cos(t) * psi[1] * psi[1] / 20;
    return {-y[0] * first - drag * z[0], -y[1] * first - drag * z[1], -y[2] * first - psi[1],
            -y[3] * first - psi[1] * (1 + y[3] / 5)};
  }
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 4>& y) const {
    return {(dot(y, y) - 1) / 2, y[2] + y[3] + y[3] * y[3] / 4};
  }
};

template <class Problem, class Method>
double defect(const Problem& problem, const Method& method) {
  const Lagrangian<Problem> system(problem);
  StartValues<Lagrangian<Problem>> start(system);
  start.q = on_sphere.y, start.v = on_sphere.z;
  REQUIRE(!start.make_consistent(false, {.project = true}));
  const Lagrangian<Problem, Jet<double, 1>> jets(problem);
  const Symplecticity result = symplecticity(jets, method, phase_point(start), 0.1);
  REQUIRE(!result.failure);
  return result.defect / result.scale;
}

// (3.5) of the artificial problem with r0 and r1 at any of z0, z1, Z1, written out; the matrix comes from jets.
class Placed {
 public:
  Placed(int first, int last) : first_(first), last_(last) {}

  double error(int steps) {
    Vec<double, 2> y{1, 1}, z{1, 1};
    Vec<double, 8> x{1, 1, 1, 1, (std::sqrt(5.0) - 1) / 2, 1, 1, 1};  // Z1, y1, Psi0, z1, Psi1
    const double h = 1.0 / steps;
    for (int n = 0; n < steps; ++n) {
      for (int i = 0; i < 2; ++i)
        x[i] = z[i] + h * z[i], x[5 + i] = x[i], x[2 + i] = y[i] + h * (i == 0 ? 2 : -1) * x[i];
      for (int k = 0; k < 30; ++k) {
        using J = Jet<double, 8>;
        Vec<J, 8> unknowns;
        for (int i = 0; i < 8; ++i) unknowns[i] = J::variable(x[i], i);
        const Vec<J, 8> r = rows(y, z, unknowns, h);
        Lu<double, 8> lu(8);
        Vec<double, 8> right, change;
        for (int i = 0; i < 8; ++i) {
          right[i] = r[i].value;
          for (int j = 0; j < 8; ++j) lu.matrix()(i, j) = r[i].gradient[j];
        }
        REQUIRE(lu.factorise());
        lu.solve(right, change);
        for (int i = 0; i < 8; ++i) x[i] -= change[i];
      }
      y = {x[2], x[3]}, z = {x[5], x[6]};
    }
    return distance(y, exact_y(1));
  }

 private:
  template <class S>
  Vec<S, 8> rows(const Vec<double, 2>& y, const Vec<double, 2>& z, const Vec<S, 8>& x, double h) const {
    const ExponentialOdae p;
    const Vec<S, 2> y0{S(y[0]), S(y[1])}, z0{S(z[0]), S(z[1])}, Z1{x[0], x[1]}, y1{x[2], x[3]}, z1{x[5], x[6]};
    const Vec<S, 1> P0{x[4]}, P1{x[7]};
    const Vec<S, 2>& at0 = first_ == 0 ? z0 : first_ == 1 ? z1 : Z1;
    const Vec<S, 2>& at1 = last_ == 0 ? z0 : last_ == 1 ? z1 : Z1;
    const Vec<S, 2> f = p.force(y0, Z1), v = p.velocity(y0, Z1), r0 = p.reaction(y0, at0, P0),
                    back = p.reaction(y1, at1, P0), r1 = p.reaction(y1, at1, P1), u = p.velocity(y1, z1);
    Vec<S, 8> r;
    for (int i = 0; i < 2; ++i) {
      r[i] = Z1[i] - z0[i] - h * (f[i] + 0.5 * r0[i]);
      r[2 + i] = y1[i] - y0[i] - h * v[i];
      r[5 + i] = z1[i] - Z1[i] + h * (0.5 * back[i] - r1[i]);
    }
    r[4] = p.constraint(y1)[0] / (h * h);
    r[7] = (y1[1] * y1[1] * u[0] + 2 * y1[0] * y1[1] * u[1]) / h;
    return r;
  }
  int first_, last_;
};

template <class Rows>
void check_order(const Rows& rows, double order, double tolerance = 0.04) {
  const auto& last = rows.back();
  REQUIRE((last.order.q && last.order.p));
  CHECK(*last.order.q == doctest::Approx(order).epsilon(tolerance).scale(0));
  CHECK(*last.order.p == doctest::Approx(order).epsilon(tolerance).scale(0));
}

}  // namespace

TEST_CASE("all_variants_have_the_known_digits_on_the_artificial_problem") {
  const KnownEnd known[] = {
      {{}, {8.52899650431, 0.342413620592}, {8.68867978486, 0.348824425217}, 5.52885614526, 3.18773026977},
      {{.variant = Variant::natural},
       {8.80340058401, 0.337034817339},
       {9.97494380911, 0.381886900703},
       4.58224043191,
       0.328435468245},
      {{.variant = Variant::natural, .conjugate = true},
       {7.12068205237, 0.374747895652},
       {7.63801563873, 0.401974174176},
       0.394973360391,
       3.76236134898},
      {{.conjugate = true},
       {6.84511715336, 0.382216610885},
       {6.75202097325, 0.377018320534},
       0.439972274538,
       2.47210650166}};
  for (const KnownEnd& k : known) {
    const Trial run(ExponentialOdae{}, exponential, k.method, 1. / 20, 20);
    for (int i = 0; i < 2; ++i) {
      CHECK(std::abs(run.y[i] - k.y[i]) < 1e-11 * 8);
      CHECK(std::abs(run.z[i] - k.z[i]) < 1e-11 * 8);
    }
    CHECK(std::abs(run.psi0[0] - k.psi0) < 1e-10);
    CHECK(std::abs(run.psi1[0] - k.psi1) < 1e-10);
  }
}

TEST_CASE("true_methods_have_the_known_digits_with_friction") {
  const Trial plain(CubicWithFriction{}, cubic, Euler{}, 1. / 20, 20);
  CHECK(std::abs(plain.y[0] - 0.268994416987) < 1e-11);
  CHECK(std::abs(plain.z[0] + 16.7686884345) < 1e-9);
  CHECK(std::abs(plain.psi0[0] - 33.5822806438) < 1e-9);
  CHECK(std::abs(plain.psi1[0] - 21.4300456857) < 1e-9);
  const Trial conjugate(CubicWithFriction{}, cubic, Euler{.conjugate = true}, 1. / 20, 20);
  CHECK(std::abs(conjugate.y[0] - 0.659140379634) < 1e-11);
  CHECK(std::abs(conjugate.z[0] + 16.4911149167) < 1e-9);
  CHECK(std::abs(conjugate.psi0[0] - 19.7570888257) < 1e-9);
  CHECK(std::abs(conjugate.psi1[0] - 27.348528205) < 1e-9);
}

TEST_CASE("true_methods_have_order_1_with_reactions_nonlinear_in_psi_and_natural_ones_do_not_converge") {
  for (const bool conjugate : {false, true})
    for (const double alpha : {0.5, 1.0, 2.0}) {
      CAPTURE(alpha);
      const Euler method{.conjugate = conjugate, .alpha = alpha};
      ExponentialOptions to_one = exponential;
      to_one.end = 1.0;
      check_order(study_order(ExponentialOdae{}, method, to_one, {1. / 400, 1. / 800}), 1);
      CubicOptions slide = cubic;
      slide.end = 1.0;
      check_order(study_order(CubicWithFriction{}, method, slide, {1. / 400, 1. / 800}), 1);
    }
  const Trial coarse(ExponentialOdae{}, exponential, Euler{.variant = Variant::natural}, 1. / 1000, 1000),
      fine(ExponentialOdae{}, exponential, Euler{.variant = Variant::natural}, 1. / 2000, 2000);
  CHECK(distance(coarse.y, exact_y(1)) == doctest::Approx(0.4419131).epsilon(1e-6).scale(0));
  CHECK(distance(fine.y, exact_y(1)) == doctest::Approx(0.4337270).epsilon(1e-6).scale(0));
  // y' = v, z' = f + alpha r(Psi0) + (1 - alpha) r(Psi1): its solution, first order
  const Vec<double, 2> limit_y{7.814504573, 0.3577249859}, limit_z{8.591007984, 0.3932710233};
  CHECK(distance(coarse.y, limit_y) / distance(fine.y, limit_y) == doctest::Approx(2).epsilon(0.02).scale(0));
  CHECK(distance(coarse.z, limit_z) / distance(fine.z, limit_z) == doctest::Approx(2).epsilon(0.02).scale(0));
}

TEST_CASE("multipliers_of_a_small_step_are_at_their_limits") {
  const Trial truly(ExponentialOdae{}, exponential, Euler{}, 1e-5, 1),
      natural(ExponentialOdae{}, exponential, Euler{.variant = Variant::natural}, 1e-5, 1);
  CHECK(std::abs(truly.psi0[0] - (std::sqrt(5.0) - 1) / 2) < 1e-4);
  CHECK(std::abs(truly.psi1[0] - 1) < 1e-4);
  CHECK(std::abs(natural.psi0[0] - (std::sqrt(5.0) - 1) / 2) < 1e-4);
  CHECK(std::abs(natural.psi1[0] - (std::sqrt(13.0) - 1) / 2) < 1e-4);
  const Trial friction(CubicWithFriction{}, cubic, Euler{.variant = Variant::natural}, 1e-5, 1);
  CHECK(std::abs(friction.psi0[0] - 2.7396) < 1e-3);
  CHECK(std::abs(friction.psi1[0] - 0.7776) < 1e-3);
}

TEST_CASE("where_the_reaction_is_affine_all_variants_are_one_method") {
  const auto end = [](const Euler& method) {
    return march(SphericalOdae{}, method, {.y = on_sphere.y, .z = on_sphere.z, .step = 1. / 20, .end = 1.0})
        .rows.back();
  };
  for (const bool conjugate : {false, true}) {
    const auto reference = end({.variant = Variant::hamiltonian, .conjugate = conjugate});
    for (const Euler& method : {Euler{.variant = Variant::natural, .conjugate = conjugate},
                                Euler{.variant = Variant::natural, .conjugate = conjugate, .alpha = 0.3},
                                Euler{.conjugate = conjugate}, Euler{.conjugate = conjugate, .alpha = 2}}) {
      const auto row = end(method);
      for (int i = 0; i < 3; ++i) {
        CHECK(std::abs(row.y[i] - reference.y[i]) < 2e-15);
        CHECK(std::abs(row.z[i] - reference.z[i]) < 2e-15);
      }
    }
    // The Lagrangian system in its Hamiltonian form
    const auto lagrangian = march(SphericalPendulum{}, Euler{.variant = Variant::hamiltonian, .conjugate = conjugate},
                                  {.q = on_sphere.y, .v = on_sphere.z, .step = 1. / 20, .end = 1.0})
                                .rows.back();
    for (int i = 0; i < 3; ++i) CHECK(std::abs(lagrangian.q[i] - reference.y[i]) < 2e-15);
    const double known[] = {conjugate ? 0.201742668414 : 0.18003981067, conjugate ? 0.692969509096 : 0.690300690586};
    CHECK(std::abs(reference.y[0] - known[0]) < 1e-11);
    CHECK(std::abs(reference.y[1] - known[1]) < 1e-11);
  }
}

TEST_CASE("wherever_z_stands_in_the_reaction_the_true_method_has_order_1") {
  for (int first = 0; first < 3; ++first)
    for (int last = 0; last < 3; ++last) {
      CAPTURE(3 * first + last);
      Placed placed(first, last);
      CHECK(std::log2(placed.error(400) / placed.error(800)) == doctest::Approx(1).epsilon(0.03).scale(0));
    }
  CHECK(Placed(0, 1).error(100) == doctest::Approx(1.818747e-1).epsilon(1e-6).scale(0));  // that of euler_map.hpp
}

TEST_CASE("hamiltonian_systems_keep_the_two_form") {
  for (const bool conjugate : {false, true})
    for (const Variant variant : {Variant::hamiltonian, Variant::true_}) {
      const Euler method{.variant = variant, .conjugate = conjugate};
      CHECK(defect(SphericalPendulum{}, method) < 4e-15);
      CHECK(defect(Bent{}, method) < 4e-15);
      CHECK(defect(Bent{}, Composition{.scheme = Scheme::yoshida4, .euler = method}) < 2e-14);
    }
}

TEST_CASE("the_adjoint_undoes_a_step_back") {
  // Phi*(h) after Phi(-h) is the identity; with the conjugate in place of the adjoint it is not
  const auto there_and_back = [](const EulerScheme& forward, const EulerScheme& back) {
    const Odae<ExponentialOdae> system(ExponentialOdae{});
    State<Odae<ExponentialOdae>> x(system);
    x.q = {1, 1}, x.p = {1, 1};
    EulerMap<Odae<ExponentialOdae>> first(system, forward, {}), second(system, back, {});
    StepReport report;
    REQUIRE(first.start(0, x, {1.0}));
    first.advance(0, -0.02, -0.02, x, report);
    REQUIRE(succeeded(report.outcome));
    REQUIRE(second.start(-0.02, x, {1.0}));
    second.advance(-0.02, 0, 0.02, x, report);
    REQUIRE(succeeded(report.outcome));
    return distance(x.q, {1, 1}) + distance(x.p, {1, 1});
  };
  for (const bool late : {false, true}) {
    const EulerScheme map{.late = late};
    CHECK(there_and_back(map, map.adjoint_of()) < 1e-14);
    EulerScheme conjugate = map;
    conjugate.late = !late;
    CHECK(there_and_back(map, conjugate) > 1e-6);
  }
}

TEST_CASE("compositions_have_order_2_and_4_and_the_known_errors") {
  struct Errors {
    Scheme scheme;
    double order, exponential_y, exponential_z, cubic_y, cubic_z;
  };
  const Errors known[] = {{Scheme::strang, 2, 5.133e-4, 1.700e-4, 4.391e-4, 1.470e-3},
                          {Scheme::yoshida4, 4, 5.132e-6, 9.454e-6, 6.587e-6, 1.609e-5},
                          {Scheme::suzuki4, 4, 4.882e-7, 2.962e-7, 4.801e-7, 1.149e-6},
                          {Scheme::blanes_moan4, 4, 5.457e-7, 9.012e-7, 4.693e-9, 2.407e-8}};
  const Odae<CubicWithFriction, long double> system(CubicWithFriction{});
  const StartState<Odae<CubicWithFriction, long double>> start = start_values(system, cubic, "test");
  HiddenReference<Odae<CubicWithFriction, long double>> solution(system, start);
  const SolutionNode slid = *solution.at(Widest(1) / 2);
  for (const Errors& k : known) {
    const Composition method{.scheme = k.scheme};
    const Trial first(ExponentialOdae{}, exponential, method, 0.05, 10);
    const Trial second(CubicWithFriction{}, cubic, method, 0.05, 10);
    CHECK(distance(first.y, exact_y(0.5)) == about(k.exponential_y));
    CHECK(distance(first.z, exact_y(0.5)) == about(k.exponential_z));
    CHECK(distance(second.y, {to_double(slid.q[0]), to_double(slid.q[1])}) == about(k.cubic_y));
    CHECK(distance(second.z, {to_double(slid.p[0]), to_double(slid.p[1])}) == about(k.cubic_z));
    ExponentialOptions half = exponential;
    half.end = 0.5;
    check_order(study_order(ExponentialOdae{}, method, half, {1. / 80, 1. / 160}), k.order);
    Composition conjugate = method;
    conjugate.euler.conjugate = true;
    check_order(study_order(ExponentialOdae{}, conjugate, half, {1. / 80, 1. / 160}), k.order);
    CubicOptions slide = cubic;
    slide.end = 0.5;
    check_order(study_order(CubicWithFriction{}, method, slide, {1. / 20, 1. / 40}), k.order, 0.06);
    OverdeterminedMarchOptions<SphericalOdae> turn = on_sphere;
    turn.end = 1.0;
    check_order(study_order(SphericalOdae{}, method, turn, {1. / 16, 1. / 32}), k.order);
  }
}

TEST_CASE("compositions_with_the_conjugate_in_place_of_the_adjoint_have_order_1") {
  const auto end = []<class Problem>(const Problem& problem, const OverdeterminedMarchOptions<Problem>& options,
                                     int steps) {
    using System = Odae<Problem>;
    const System system(problem);
    const StartState<System> start = start_values(system, options, "test");
    State<System> x(system);
    x.q = start.q, x.p = start.p;
    EulerMap<System> first(system, {.late = false}, {}), second(system, {.late = true}, {});
    REQUIRE(first.start(0, x, start.hint));
    REQUIRE(second.start(0, x, start.hint));
    StepReport report;
    const double h = 0.5 / steps;
    for (int n = 0; n < steps; ++n) first.advance(0, 0, h / 2, x, report), second.advance(0, 0, h / 2, x, report);
    return x.q;
  };
  const auto order = [&](const auto& problem, const auto& options) {
    const Vec<double, 2> coarse = end(problem, options, 1000), middle = end(problem, options, 2000),
                         fine = end(problem, options, 4000);
    return std::log2(distance(coarse, middle) / distance(middle, fine));
  };
  CHECK(order(ExponentialOdae{}, exponential) == doctest::Approx(1).epsilon(0.05).scale(0));
  CHECK(order(CubicWithFriction{}, cubic) == doctest::Approx(1).epsilon(0.1).scale(0));
}

TEST_CASE("spark_has_order_2s_with_reactions_nonlinear_in_psi") {
  for (const int s : {1, 2, 3}) {
    CAPTURE(s);
    ExponentialOptions half = exponential;
    half.end = 0.5;
    const std::vector<double> steps =
        s == 3 ? std::vector<double>{1. / 8, 1. / 16} : std::vector<double>{1. / 20, 1. / 40};
    check_order(study_order(ExponentialOdae{}, Spark{.s = s}, half, steps), 2 * s, 0.06);
    CubicOptions slide = cubic;
    slide.end = 0.5;
    check_order(study_order(CubicWithFriction{}, Spark{.s = s}, slide, {1. / 20, 1. / 40}), 2 * s, 0.06);
  }
  const Trial one(ExponentialOdae{}, exponential, Spark{.s = 1}, 0.05, 10);
  CHECK(std::abs(one.y[0] - 2.720544868120816) < 1e-12);
  CHECK(std::abs(one.psi1[0] - 1.6356282229239625) < 1e-11);
  CHECK(std::abs(one.psi1[1] - 1.583483326778665) < 1e-11);
}

TEST_CASE("lagrangian_systems_run_with_mass_that_changes_with_forces_and_time") {
  const MarchOptions<2> options{.q = {0.6, -0.8}, .v = {0.8, 0.6}, .end = 1.0, .start = {.project = true}};
  for (const bool conjugate : {false, true})
    check_order(study_order(Driven{}, Euler{.conjugate = conjugate}, options, {1. / 400, 1. / 800}), 1);
  check_order(study_order(Driven{}, Composition{}, options, {1. / 80, 1. / 160}), 2);
  check_order(study_order(Driven{}, Composition{.scheme = Scheme::suzuki4}, options, {1. / 40, 1. / 80}), 4);
}

TEST_CASE("orders_hold_where_velocity_force_and_reaction_depend_on_everything") {
  const OverdeterminedMarchOptions<Entangled> options{
      .y = {0.6, 0.8, 0, 0}, .z = {-0.5, 0.6, 0.1, 0.1}, .end = 0.5, .start = {.project = true}};
  for (const bool conjugate : {false, true}) {
    check_order(study_order(Entangled{}, Euler{.conjugate = conjugate}, options, {1. / 200, 1. / 400}), 1);
    const Composition strang{.euler = {.conjugate = conjugate}};
    check_order(study_order(Entangled{}, strang, options, {1. / 80, 1. / 160}), 2);
  }
  check_order(study_order(Entangled{}, Composition{.scheme = Scheme::suzuki4}, options, {1. / 20, 1. / 40}), 4);
  for (const int s : {1, 2, 3}) {
    const double h = s == 3 ? 1.0 / 6 : 0.1;
    check_order(study_order(Entangled{}, Spark{.s = s}, options, {h, h / 2}), 2 * s, 0.07);
  }
}

TEST_CASE("of_several_roots_the_hidden_equation_has_the_one_on_the_side_of_the_guess") {
  // psi^2 + psi = 2: roots 1 and -2, with the fold between them at -1/2
  const Odae<ExponentialOdae> system(ExponentialOdae{});
  for (const auto& [guess, root] : {std::pair{0.0, 1.0}, {-0.1, 1.0}, {-0.4, 1.0}, {40.0, 1.0}, {-0.6, -2.0}}) {
    const double from_here = guess;
    CAPTURE(from_here);
    ExponentialOptions from = exponential;
    from.psi = Vec<double, 1>{guess};
    CHECK(std::abs(start_values(system, from, "test").hint[0] - root) < 1e-12);
  }
}

TEST_CASE("a_step_to_another_root_of_a_multiplier_is_refused") {
  // Psi0 of a small alpha is large, and its other root near: every step that is taken stays on its side of -1/2
  for (const double alpha : {0.01, 0.05, 0.1, 0.5})
    for (const bool conjugate : {false, true})
      for (const double h : {0.05, 0.2, 0.4, 0.8, 1.6}) {
        CAPTURE(alpha);
        CAPTURE(conjugate);
        CAPTURE(h);
        const Odae<ExponentialOdae> system(ExponentialOdae{});
        Walk<Odae<ExponentialOdae>> walk(system, Euler{.conjugate = conjugate, .alpha = alpha}, {});
        REQUIRE(succeeded(walk.start(start_values(system, exponential, "test"))));
        StepReport report;
        for (int n = 0; n < 16 && succeeded(report.outcome); ++n) {
          walk.advance(n * h, (n + 1) * h, h, report);
          if (!succeeded(report.outcome)) break;
          walk.raw_values([](const RawValue&, std::span<const double> psi) { CHECK(psi[0] > -0.5); });
        }
        if (h > 1) CHECK(report.outcome == Outcome::other_root);
      }
}

TEST_CASE("without_a_limit_of_its_multipliers_a_method_does_not_start") {
  const Odae<ExponentialOdae> system(ExponentialOdae{});
  Walk<Odae<ExponentialOdae>> walk(system, Euler{.alpha = -1}, {});
  CHECK(walk.start(start_values(system, exponential, "test")) == Outcome::no_multiplier);
}

// The unit circle about (X, 0), with a reaction that is not linear.
struct FarCircle {
  static constexpr int positions = 2, velocities = 2, multipliers = 1;
  double X = 0;
  template <class T>
  Vec<T, 2> velocity(const Vec<T, 2>&, const Vec<T, 2>& z) const {
    return z;
  }
  template <class T>
  Vec<T, 2> force(const Vec<T, 2>&, const Vec<T, 2>&) const {
    return {T(0), T(-9.81)};
  }
  template <class T>
  Vec<T, 2> reaction(const Vec<T, 2>& y, const Vec<T, 2>&, const Vec<T, 1>& psi) const {
    const T s = psi[0] + psi[0] * psi[0] / 50;
    return {-(y[0] - X) * s, -y[1] * s};
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& y) const {
    const T x = y[0] - X;
    return {(x * x + y[1] * y[1] - 1) / 2};
  }
};

TEST_CASE("far_from_the_origin_steps_are_solved_to_the_round_off_there") {
  for (const double X : {10.0, 1000.0, 1e5})
    for (const double h : {1e-2, 1e-3}) {
      CAPTURE(X);
      CAPTURE(h);
      const OverdeterminedMarchOptions<FarCircle> options{
          .y = {X + 0.6, -0.8}, .z = {0.8, 0.6}, .step = h, .steps = 100, .start = {.tolerance = 1e-6}};
      const auto end = [&](const auto& method) {
        const auto run = march(FarCircle{X}, method, options);
        REQUIRE(run.report.outcome == RunOutcome::finished);
        return run.rows.back();
      };
      const auto fine = march(FarCircle{}, Spark{.s = 3}, {.y = {0.6, -0.8}, .z = {0.8, 0.6}, .step = h, .steps = 100});
      for (const int s : {1, 2, 3}) CHECK(std::abs(end(Spark{.s = s}).y[0] - X - fine.rows.back().y[0]) < 1e-3);
      CHECK(std::abs(end(Composition{}).y[0] - X - fine.rows.back().y[0]) < 1e-2);
    }
}
