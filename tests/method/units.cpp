// Motion does not know units: masses of 1e-26 kg on rods of 1e-10 m move like those of 1 kg on rods of 1 m. Impulses
// are corrected in units of their own (method/stages.hpp); without them the matrices of these systems count as
// singular.
#include <doctest/doctest.h>

#include <cmath>

#include "livens/method/galerkin.hpp"
#include "livens/method/hbvm.hpp"
#include "livens/method/spark.hpp"
#include "livens/sparse/sparse_lu.hpp"
#include "livens/system/elements.hpp"

namespace {

using namespace livens;

struct Units {
  double mass, length;
};

struct Pendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 1, constraint_degree = 2;
  Units unit;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return unit.mass / 2 * (v[0] * v[0] + v[1] * v[1]) - unit.mass * unit.length * 9.81 * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - unit.length * unit.length) / 2};
  }
  Vec<double, 2> q0() const { return {0.8 * unit.length, 0.6 * unit.length}; }
  Vec<double, 2> v0() const { return {0.3 * unit.length, -0.4 * unit.length}; }
};

// Two different atoms on a rod, held near the origin by a spring that hardens.
struct BoundAtoms {
  static constexpr int coordinates = 6, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 4, constraint_degree = 2;
  Units unit;
  template <class T>
  T lagrangian(const Vec<T, 6>& q, const Vec<T, 6>& v) const {
    T L(0);
    for (int i = 0; i < 6; ++i) {
      const double m = unit.mass * (i < 3 ? 1 : 16);
      const T x = q[i] / unit.length;
      L += m / 2 * v[i] * v[i] - unit.mass * unit.length * unit.length * (x * x / 2 + x * x * x * x / 4);
    }
    return L;
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 6>& q) const {
    const T x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    return {(x * x + y * y + z * z - unit.length * unit.length) / 2};
  }
  Vec<double, 6> q0() const { return scaled({0.1, 0.0, 0.2, 0.7, 0.8, 0.2}); }
  Vec<double, 6> v0() const { return scaled({0.8, -0.6, 1.0, 0.0, 0.0, 0.0}); }

 private:
  Vec<double, 6> scaled(Vec<double, 6> x) const {
    for (double& xi : x) xi *= unit.length;
    return x;
  }
};

template <class Problem>
ElementSystem<double> sparse(const Problem& problem, bool schur) {
  ElementSystem<double> system(Problem::coordinates,
                               {schur ? LinearTarget::schur : LinearTarget::lu, make_sparse_lu<double>});
  std::vector<int> all;
  for (int i = 0; i < Problem::coordinates; ++i) all.push_back(i);
  system.add(problem, all);
  system.finish();
  return system;
}

// q and p after 100 steps, in units of the problem.
template <class Problem, class System, class Method>
Vec<double> end_of(const Problem& problem, const System& system, const Method& method) {
  const auto [mass, length] = problem.unit;
  constexpr int n = Problem::coordinates;
  State<System> x(system);
  typename System::Coordinates v(n), Lq(n);
  for (int i = 0; i < n; ++i) x.q[i] = problem.q0()[i], v[i] = problem.v0()[i];
  system.gradient(0, x.q, v, Lq, x.p);
  typename Method::template Step<System> step(system, method, {});
  REQUIRE(step.start(0, x, v));
  StepReport report;
  for (int k = 0; k < 100; ++k) {
    step.advance(0.02 * k, 0.02 * (k + 1), 0.02, x, report);
    REQUIRE(succeeded(report.outcome));
  }
  Vec<double> end(2 * n);
  for (int i = 0; i < n; ++i) end[i] = x.q[i] / length, end[n + i] = x.p[i] / (mass * length);
  return end;
}

template <class Problem, class Method>
void moves_alike_in_all_units(const Method& method) {
  const Problem plain{{1, 1}};
  const Vec<double> expected = end_of(plain, Lagrangian<Problem>(plain), method);
  for (const Units unit : {Units{1, 1}, Units{1e-26, 1e-10}, Units{1e20, 1}, Units{1e20, 1e8}, Units{1e-26, 1}}) {
    CAPTURE(unit.mass);
    CAPTURE(unit.length);
    const Problem problem{unit};
    const auto near = [&](const Vec<double>& end) {
      for (int i = 0; i < end.size(); ++i) CHECK(std::abs(end[i] - expected[i]) < 1e-12);
    };
    near(end_of(problem, Lagrangian<Problem>(problem), method));
    near(end_of(problem, sparse(problem, false), method));
    near(end_of(problem, sparse(problem, true), method));
  }
}

template <class Problem>
void all_methods_move_alike() {
  moves_alike_in_all_units<Problem>(Galerkin{.s = 1});
  moves_alike_in_all_units<Problem>(Galerkin{.s = 3});
  moves_alike_in_all_units<Problem>(Spark{.s = 2});
  moves_alike_in_all_units<Problem>(Hbvm{.k = 4});
  moves_alike_in_all_units<Problem>(Hbvm{.k = 4, .iteration = Hbvm::Iteration::newton});
  moves_alike_in_all_units<Problem>(Hbvm{.k = 6, .s = 3, .r = 3, .iteration = Hbvm::Iteration::newton});
}

}  // namespace

TEST_CASE("a pendulum moves alike in all units") {
  all_methods_move_alike<Pendulum>();
}

TEST_CASE("a molecule of two atoms moves alike in all units") {
  all_methods_move_alike<BoundAtoms>();
}
