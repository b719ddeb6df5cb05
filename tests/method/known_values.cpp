// End values from an independent high-precision implementation, and closed forms.
#include <doctest/doctest.h>

#include <numbers>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "livens/run/march.hpp"
#include "verify/models.hpp"
#include "verify/problems.hpp"

using namespace livens;
using namespace livens::test;

namespace {

struct PlanarPendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  double m = 1, g = 9.81;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1]) - m * g * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};

// The same without the declaration: the general path must give the same numbers.
struct UndeclaredPendulum : PlanarPendulum {
  static constexpr bool constant_mass = false;
};

struct FreeParticleOnCircle {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  double m = 0.7, R = 1.5;
  template <class T>
  T lagrangian(const Vec<T, 2>&, const Vec<T, 2>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1]);
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - R * R) / 2};
  }
};

// One mass, one spring, no constraint at all.
struct Oscillator {
  static constexpr int coordinates = 1, constraints = 0;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 1>& q, const Vec<T, 1>& v) const {
    return (v[0] * v[0] - q[0] * q[0]) / 2;
  }
};

const double s1 = std::sin(1.0), c1 = std::cos(1.0);

}  // namespace

TEST_CASE_TEMPLATE("shake and rattle give the known end values of the planar pendulum", Problem, PlanarPendulum,
                   UndeclaredPendulum) {
  const MarchOptions<2> options{.q = {s1, -c1}, .v = {0.5 * c1, 0.5 * s1}, .step = 0.05, .end = 1.0};
  const auto check = [](const auto& run) {
    REQUIRE(run.report.outcome == RunOutcome::finished);
    const auto& end = run.rows.back();
    CHECK(end.t == 1.0);
    CHECK(std::abs(end.q[0] + 0.8108743825636378) < 1e-13);  // measured 1e-15
    CHECK(std::abs(end.q[1] + 0.5852202454649355) < 1e-13);
    CHECK(std::abs(end.p[0] + 0.6215164737460317) < 1e-13);
    CHECK(std::abs(end.p[1] - 0.8611660153717959) < 1e-13);
    CHECK(std::abs(end.lambda[0] - 6.868900241180055) < 1e-12);
  };
  check(march(Problem{}, Rattle{}, options));
  check(march(Problem{}, Shake{}, options));
}

TEST_CASE("shake's nodal momentum and multiplier are those of the Galerkin integrator with s = w = 1") {
  using System = Lagrangian<PlanarPendulum>;
  const System system(PlanarPendulum{});
  StartValues<System> start(system);
  start.q = {s1, -c1}, start.v = {0.5 * c1, 0.5 * s1};
  REQUIRE(!start.make_consistent(false, {}));
  March<System> run(system, Shake{}, {.t0 = 0, .step = 0.05, .steps = 20});
  run.run(start, nullptr, nullptr);
  const auto& f = run.final_state();
  REQUIRE(f.raw.size() == 2);
  CHECK(std::abs(f.raw[0].values[0] + 0.630091870758492) < 1e-12);
  CHECK(std::abs(f.raw[0].values[1] - 0.8549770222891375) < 1e-12);
  CHECK(std::abs(f.raw[1].values[0] - 6.9094133711340895) < 1e-11);
}

TEST_CASE("constrained Euler turns a free particle on a circle by asin(h omega) a step, both forms") {
  const double h = 0.24, omega = 2;
  for (const bool conjugate : {false, true}) {
    const auto run = march(FreeParticleOnCircle{}, ConstrainedEuler{.conjugate = conjugate},
                           {.q = {1.5, 0}, .v = {0, 1.5 * omega}, .step = h, .steps = 7});
    REQUIRE(run.report.outcome == RunOutcome::finished);
    const double angle = 7 * std::asin(h * omega);
    CHECK(std::abs(run.rows.back().q[0] - 1.5 * std::cos(angle)) < 1e-14);  // measured 1e-15
    CHECK(std::abs(run.rows.back().q[1] - 1.5 * std::sin(angle)) < 1e-14);
    CHECK(run.audit.energy.max_error < (conjugate ? 1e-13 : 1.0));
  }
}

TEST_CASE("constrained Euler has no solution for h omega > 1 and says so") {
  const auto run =
      march(FreeParticleOnCircle{}, ConstrainedEuler{}, {.q = {1.5, 0}, .v = {0, 3}, .step = 0.51, .steps = 7});
  CHECK(run.report.outcome == RunOutcome::failed);
  CHECK(run.report.steps == 0);
  REQUIRE(run.report.failure);
  CHECK(!succeeded(run.report.failure->outcome));
  CHECK(run.rows.size() == 1);
}

TEST_CASE("without constraints shake and rattle are Stoermer-Verlet") {
  const double h = 0.1;
  double q = 1, v = 0;
  for (int k = 0; k < 10; ++k) {
    const double half = v - h / 2 * q;
    q += h * half;
    v = half - h / 2 * q;
  }
  const MarchOptions<1> options{.q = {1.0}, .v = {0.0}, .step = h, .steps = 10};
  CHECK(std::abs(march(Oscillator{}, Rattle{}, options).rows.back().q[0] - q) < 1e-15);
  CHECK(std::abs(march(Oscillator{}, Rattle{}, options).rows.back().p[0] - v) < 1e-15);
  CHECK(std::abs(march(Oscillator{}, Shake{}, options).rows.back().q[0] - q) < 1e-15);
}

TEST_CASE_TEMPLATE("shake and rattle have the same positions", Problem, DoublePendulum, CurvedMass, DrivenPendulum) {
  const Problem problem;
  MarchOptions<Problem::coordinates> options;
  options.q = problem.q0(), options.v = problem.v0();
  options.start.project = true;
  options.step = 0.02;
  options.steps = 50;
  const auto shake = march(problem, Shake{}, options), rattle = march(problem, Rattle{}, options);
  double difference = 0;
  for (std::size_t k = 0; k < shake.rows.size(); ++k)
    for (int i = 0; i < Problem::coordinates; ++i)
      difference = std::max(difference, std::abs(shake.rows[k].q[i] - rattle.rows[k].q[i]));
  // Forces that depend on v make no difference to this; measured 2e-14.
  CHECK(difference < 1e-13);
}

TEST_CASE("a step back undoes a step") {
  for (const StatedSystem& system :
       {nonlinear_pendulum_text, double_pendulum_text, bead_text, curved_mass_text, driven_pendulum_text}) {
    const Reversibility home = study_reversibility(stated_model(system, R"(name = "rattle")"));
    CAPTURE(system.name);
    REQUIRE(!home.failure);
    CHECK(home.q < 1e-12);
    CHECK(home.p < 1e-11);
  }
}

TEST_CASE("rattle keeps the angular momentum and both constraint levels of the double pendulum") {
  const DoublePendulum problem;
  const auto run = march(
      problem, Rattle{},
      {.q = problem.q0(), .v = problem.v0(), .step = 0.01, .steps = 10000, .every = 10000, .start = {.project = true}});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CHECK(run.audit.invariants[0].max_error < 4 * 8e-15);
  CHECK(run.audit.constraint < 1e-14);
  CHECK(run.audit.hidden_constraint < 1e-13);
  CHECK(run.audit.energy.max_error < 0.5);
}

namespace {

// Rows t, q, v, p, lambda, raw_p, raw_lambda of a run, every step.
template <class Problem, class Method>
std::vector<std::vector<double>> all_rows(const Problem& problem, const Method& method, double h, long long steps) {
  struct Rows : RowSink {
    std::vector<std::vector<double>> rows;
    void write(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
  } sink;
  using System = Lagrangian<Problem>;
  const System system(problem);
  StartValues<System> start(system);
  start.q = problem.q0(), start.v = problem.v0();
  REQUIRE(!start.make_consistent(false, {.project = true}));
  March<System> run(system, method, {.t0 = 0, .step = h, .steps = steps});
  REQUIRE(run.run(start, &sink, nullptr).outcome == RunOutcome::finished);
  return sink.rows;
}

struct Aside {
  static constexpr int coordinates = 3, constraints = 1;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - 9.81 * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};

struct Molecule {  // SI units: 2e-26 kg on a bond of 1e-10 m, with drag
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  double m = 2e-26, l = 1e-10;
  template <class T>
  T lagrangian(const Vec<T, 2>&, const Vec<T, 2>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1]);
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - l * l) / 2};
  }
  template <class T>
  Vec<T, 2> force(const Vec<T, 2>&, const Vec<T, 2>& v) const {
    return {-1e-15 * v[0], -1e-15 * v[1]};
  }
};

constexpr std::size_t Q = 1, P = 5, RawP = 8, RawLambda = 10;  // of two coordinates and one constraint

}  // namespace

TEST_CASE("the equations of the schemes hold for the raw values they report, forces and times in their places") {
  const PushedPendulum problem;
  const double h = 0.03;
  // -V_q at the ends of a step, forces at the velocity u
  const auto force = [&](double t, const double* q, const double* u) {
    const Vec<double, 2> F = problem.force(t, Vec<double, 2>{q[0], q[1]}, Vec<double, 2>{u[0], u[1]});
    return std::array{-1.6 * std::cos(3.0 * t) * q[0] + F[0], -9.81 + F[1]};
  };
  const auto gradient = [&](double t, const double* q) {
    return std::array{q[0] - problem.a * std::sin(problem.w * t), q[1]};
  };
  const auto check = [&](const auto& method, const auto& residual) {
    const auto rows = all_rows(problem, method, h, 20);
    for (std::size_t n = 0; n + 1 < rows.size(); ++n) {
      const double* a = rows[n].data();
      const double* b = rows[n + 1].data();
      const double u[] = {(b[Q] - a[Q]) / h, (b[Q + 1] - a[Q + 1]) / h};
      for (std::size_t i = 0; i < 2; ++i) CHECK(std::abs(residual(n, a, b, u, i)) < 2e-13);
    }
  };
  SUBCASE("rattle: p0 + h/2 f0 - (h/2) G0^T lambda = M u") {
    check(Rattle{}, [&](std::size_t, const double* a, const double* b, const double* u, std::size_t i) {
      return a[P + i] + h / 2 * force(a[0], a + Q, u)[i] - h / 2 * gradient(a[0], a + Q)[i] * b[RawLambda] - u[i];
    });
  }
  SUBCASE("shake: p0 + h/2 f0 - (h/2) G0^T lambda0 = M u with the nodal values of the start") {
    check(Shake{}, [&](std::size_t, const double* a, const double*, const double* u, std::size_t i) {
      // The nodal momentum holds half of the nodal multiplier, the step the other half; at the first node all is p0.
      return a[RawP + i] + h / 2 * force(a[0], a + Q, u)[i] - h / 2 * gradient(a[0], a + Q)[i] * a[RawLambda] - u[i];
    });
  }
  SUBCASE("constrained Euler: p1 = p0 + h f0 - h G0^T lambda = M u") {
    check(ConstrainedEuler{}, [&](std::size_t n, const double* a, const double* b, const double* u, std::size_t i) {
      const double p0 = n == 0 ? a[P + i] : a[RawP + i];
      return std::abs(p0 + h * force(a[0], a + Q, u)[i] - h * gradient(a[0], a + Q)[i] * b[RawLambda] - u[i]) +
             std::abs(b[RawP + i] - u[i]);
    });
  }
  SUBCASE("conjugate: M u = p0 - h G0^T lambda, then the force at the end and a projection along G1") {
    check(ConstrainedEuler{.conjugate = true}, [&](std::size_t, const double* a, const double* b, const double* u,
                                                   std::size_t i) {
      const auto G1 = gradient(b[0], b + Q);
      const double d0 = b[P] - u[0] - h * force(b[0], b + Q, u)[0], d1 = b[P + 1] - u[1] - h * force(b[0], b + Q, u)[1];
      return std::abs(a[P + i] - h * gradient(a[0], a + Q)[i] * b[RawLambda] - u[i]) +
             std::abs(d0 * G1[1] - d1 * G1[0]);
    });
  }
}

TEST_CASE("one large coordinate does not loosen the others") {
  const auto run =
      march(Aside{}, Rattle{}, {.q = {s1, -c1, 1e12}, .v = {0.5 * c1, 0.5 * s1, 0}, .step = 0.02, .steps = 1000});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CHECK(run.audit.constraint < 4 * 2.3e-16);
}

TEST_CASE("units do not make a matrix singular") {
  const MarchOptions<2> options{.q = {1e-10, 0}, .v = {0, 500}, .step = 1e-15, .steps = 100};
  for (const auto& run : {march(Molecule{}, Rattle{}, options), march(Molecule{}, ConstrainedEuler{}, options)}) {
    REQUIRE(run.report.outcome == RunOutcome::finished);
    CHECK(std::abs(std::hypot(run.rows.back().q[0], run.rows.back().q[1]) / 1e-10 - 1) < 1e-14);
  }
}

namespace {

// The second rod in units of 1e18: only its multiplier may notice.
struct OddUnits : DoublePendulum {
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 6>& q) const {
    const Vec<T, 2> rods = DoublePendulum::constraint(q);
    return {rods[0], 1e-18 * rods[1]};
  }
};

}  // namespace

TEST_CASE("a constraint in other units leaves the motion as it is") {
  const DoublePendulum plain;
  const MarchOptions<6> options{
      .q = plain.q0(), .v = plain.v0(), .step = 0.01, .steps = 50, .start = {.project = true}};
  const auto a = march(plain, Rattle{}, options);
  const auto b = march(OddUnits{}, Rattle{}, options);
  REQUIRE(b.report.outcome == RunOutcome::finished);
  for (int i = 0; i < 6; ++i) CHECK(std::abs(a.rows.back().q[i] - b.rows.back().q[i]) < 1e-12);
  CHECK(1e-18 * b.rows.back().lambda[1] == doctest::Approx(a.rows.back().lambda[1]));
}
