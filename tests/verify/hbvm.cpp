// The claims about HBVM(k,s) on constrained systems: orders, what is conserved and from which k on, and what is not.
// Sources: Brugnano, Gurioli, Iavernaro, Weinmueller (2018), theorems 7 and 8, which are too optimistic in two points:
// the order of a constant multiplier, and symplecticity of HBVM(s,s).
#include "livens/method/hbvm.hpp"

#include <doctest/doctest.h>

#include <array>

#include "livens/audit/audit.hpp"
#include "livens/run/march.hpp"
#include "livens/study/reversibility.hpp"
#include "livens/study/symplecticity.hpp"
#include "reproduce/hbvm_trajectory.hpp"
#include "study/spherical_pendulum.hpp"
#include "verify/hbvm_problems.hpp"
#include "verify/networks.hpp"
#include "verify/reference.hpp"

namespace {

using namespace livens;
using namespace livens::test;
using namespace livens::hbvm_problems;

constexpr auto newton_iteration = Hbvm::Iteration::newton;

template <class System, class Problem>
StartValues<System> consistent(const System& system, const Problem& problem) {
  StartValues<System> start(system);
  start.q = problem.q0(), start.v = problem.v0();
  REQUIRE(!start.make_consistent(false, {.project = true}));
  return start;
}

// Largest over all nodes, in the maximum norm.
struct Errors {
  double q = 0, p = 0, projected_p = 0;           // p as carried, and projected
  double lambda = 0, state_lambda = 0;            // of the step at its start, and of (q, projected p)
  double hidden = 0, energy = 0, constraint = 0;  // of the carried state
};

template <class Problem>
Errors errors(const Problem& problem, const Hbvm& method, double h, double end) {
  using System = Lagrangian<Problem>;
  const System system(problem);
  const StartValues<System> start = consistent(system, problem);
  const int steps = static_cast<int>(std::lround(end / h));
  const auto exact =
      Reference<Problem>(problem, start.q, start.v).nodes(h, steps, static_cast<int>(std::lround(h / 0.0005)));

  State<System> x(system);
  x.q = start.q, x.p = start.p;
  typename Hbvm::Step<System> step(system, method, {});
  step.start(0, x, start.v);
  Kinetics<System> kinetics(system);
  kinetics.start(0, x.q, start.v);
  LagrangianAudit<System> audit(system);
  audit.start(0, h, x.q, x.p, start.v, kinetics);

  Errors e;
  const auto grow = [](double& largest, const auto& a, const auto& b) {
    for (int i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  };
  for (int n = 1; n <= steps; ++n) {
    const auto &before = exact[static_cast<std::size_t>(n - 1)], &now = exact[static_cast<std::size_t>(n)];
    StepReport report;
    step.advance(0, 0, h, x, report);
    REQUIRE(succeeded(report.outcome));
    grow(e.q, x.q, now.q), grow(e.p, x.p, now.p);
    step.raw_values(x, [&](const RawValue& what, const auto& values) {
      if (what.per != RawValue::Per::multiplier) return;
      Vec<double, Problem::constraints> lambda{};  // sum_i P_i(0) l_i
      for (int i = 0; i < method.r; ++i)
        for (int a = 0; a < lambda.size(); ++a)
          lambda[a] += (i % 2 == 0 ? 1 : -1) * std::sqrt(2.0 * i + 1) * values[i * lambda.size() + a];
      grow(e.lambda, lambda, before.lambda);
    });
    auto p = x.p, v = x.p;
    kinetics.velocity(0, x.q, x.p, v);
    audit.observe(n * h, x.q, x.p, v, kinetics);
    Vec<double, Problem::constraints> lambda;
    kinetics.project(0, x.q, p, v);
    kinetics.multiplier(0, x.q, v, lambda);
    grow(e.projected_p, p, now.p), grow(e.state_lambda, lambda, now.lambda);
  }
  e.hidden = audit.figures().hidden_constraint;
  e.energy = audit.figures().energy.max_error;
  e.constraint = audit.figures().constraint;
  return e;
}

struct Orders {
  double q, p, projected_p, lambda, state_lambda, hidden;
};

// Slopes between step sizes, and energy and constraint at round-off.
template <class Problem>
void check_orders(const Problem& problem, const Hbvm& method, const std::vector<double>& step_sizes, double end,
                  const Orders& expected) {
  CAPTURE(method.s);
  CAPTURE(method.r);
  Errors coarse = errors(problem, method, step_sizes[0], end);
  for (std::size_t k = 1; k < step_sizes.size(); ++k) {
    CAPTURE(step_sizes[k]);
    const Errors fine = errors(problem, method, step_sizes[k], end);
    const auto off = [&](double Errors::*error, double order) {
      const double slope = std::log(coarse.*error / (fine.*error)) / std::log(step_sizes[k - 1] / step_sizes[k]);
      return std::abs(slope - order);
    };
    // The widest are those of order 8: between h = 0.4, where it only begins, and the round-off of the reference.
    CHECK(off(&Errors::q, expected.q) < 0.6);
    CHECK(off(&Errors::p, expected.p) < 0.4);
    CHECK(off(&Errors::projected_p, expected.projected_p) < 0.6);
    CHECK(off(&Errors::lambda, expected.lambda) < 0.4);
    CHECK(off(&Errors::state_lambda, expected.state_lambda) < 0.6);
    CHECK(off(&Errors::hidden, expected.hidden) < 0.55);
    CHECK(fine.energy < 4 * 8.9e-16);
    CHECK(fine.constraint < 4 * 4.4e-16);
    coarse = fine;
  }
}

double slope(double coarse, double fine) {
  return std::log2(coarse / fine);
}

}  // namespace

TEST_CASE("one multiplier a step: q and projected p of order 4 for s >= 2, carried p of order 2, lambda of order 1") {
  const Orders second{2, 2, 2, 1, 2, 2}, fourth{4, 2, 4, 1, 4, 2};
  const std::vector steps = {0.1, 0.05, 0.025};
  check_orders(GeneralPendulum{}, {.k = 1, .s = 1}, steps, 4, second);
  check_orders(GeneralPendulum{}, {.k = 2, .s = 2}, steps, 4, fourth);
  check_orders(GeneralPendulum{}, {.k = 3, .s = 3}, steps, 4, fourth);
  check_orders(GeneralModifiedPendulum{}, {.k = 6, .s = 2}, steps, 2, fourth);
  check_orders(PlanarDoublePendulum{}, {.k = 2, .s = 2}, steps, 2, fourth);
}

TEST_CASE("three multipliers a step: order 6 for s = 3 and order 8 for s = 4, energy and constraints still exact") {
  const Orders sixth{6, 4, 6, 3, 6, 4}, eighth{8, 4, 8, 3, 8, 4};
  const std::vector steps = {0.2, 0.1, 0.05};
  check_orders(GeneralPendulum{}, {.k = 3, .s = 3, .r = 3}, steps, 4, sixth);
  check_orders(GeneralModifiedPendulum{}, {.k = 9, .s = 3, .r = 3}, steps, 2, sixth);
  check_orders(PlanarDoublePendulum{}, {.k = 3, .s = 3, .r = 3}, {0.1, 0.05, 0.025}, 2, sixth);
  check_orders(GeneralPendulum{}, {.k = 4, .s = 4, .r = 3}, {0.4, 0.2, 0.1}, 4, eighth);
  check_orders(GeneralModifiedPendulum{}, {.k = 12, .s = 4, .r = 3}, {0.2, 0.1, 0.0625}, 2, eighth);
  check_orders(PlanarDoublePendulum{}, {.k = 4, .s = 4, .r = 3}, {0.2, 0.1}, 2, eighth);  // round-off below
}

TEST_CASE("a constant multiplier raises the order to 2s, but that of lambda to 2s - 1 only") {
  // q, p and w on the Kepler ellipse; lambda from two starts, one of them symmetric. max |lambda_n - 1/2|, h = 0.1:
  const double measured[] = {1.434e-2, 4.831e-6, 7.467e-9};
  for (const int s : {1, 2, 3}) {
    CAPTURE(s);
    const Hbvm method{.k = 10, .s = s};
    const Errors coarse = errors(KeplerEllipse{}, method, 0.1, 4), fine = errors(KeplerEllipse{}, method, 0.05, 4);
    CHECK(coarse.lambda == doctest::Approx(measured[s - 1]).epsilon(1e-3).scale(0));
    CHECK(std::abs(slope(coarse.lambda, fine.lambda) - (2 * s - 1)) < 0.3);
    CHECK(std::abs(slope(coarse.q, fine.q) - 2 * s) < 0.3);
    CHECK(std::abs(slope(coarse.p, fine.p) - 2 * s) < 0.3);
    CHECK(std::abs(slope(coarse.hidden, fine.hidden) - 2 * s) < 0.3);

    const KeplerEllipse symmetric{.E = 0};
    const double order = slope(errors(symmetric, method, 0.1, 4).lambda, errors(symmetric, method, 0.05, 4).lambda);
    CHECK(std::abs(order - 2 * s) < 0.1);
  }
}

TEST_CASE("g and H are kept where 2k/s reaches their degree, else to O(h^2k)") {
  // deg g = 6, deg V = 4; what is left at h = 0.1 and 0.05
  const auto pair = [](int k) {
    const GeneralModifiedPendulum problem;
    return std::array{errors(problem, {.k = k, .s = 2}, 0.1, 2), errors(problem, {.k = k, .s = 2}, 0.05, 2)};
  };
  const auto two = pair(2), three = pair(3), four = pair(4), six = pair(6);
  CHECK(std::abs(slope(two[0].constraint, two[1].constraint) - 4) < 0.2);
  CHECK(std::abs(slope(two[0].energy, two[1].energy) - 4) < 0.2);
  CHECK(std::abs(slope(three[0].constraint, three[1].constraint) - 6) < 0.2);
  CHECK(std::abs(slope(three[0].energy, three[1].energy) - 6) < 0.2);
  CHECK(four[0].constraint == doctest::Approx(3.2e-14).epsilon(0.1).scale(0));  // 2k/s = 4 < 6
  CHECK(four[0].energy < 4 * 1.1e-16);                                          // 2k/s = 4, whatever g does
  CHECK(six[0].constraint < 4 * 2.2e-16);
  CHECK(six[0].energy < 4 * 1.7e-16);
}

TEST_CASE("a potential that is no polynomial: enough points bring the energy to round-off") {
  const double measured[] = {8.5e-11, 8.7e-15, 5.6e-17};
  for (const int k : {2, 3, 4}) {
    CAPTURE(k);
    const double energy = follow_hbvm(Satellites{}, {.k = k, .s = 2}, 0.4, 10, [](const auto&) {}).energy;
    CHECK(energy < 4 * measured[k - 2]);
    if (k == 2) CHECK(energy > measured[0] / 2);
  }
}

TEST_CASE("hbvm is symmetric for every k") {
  for (const int k : {2, 3, 6}) {
    CAPTURE(k);
    const Lagrangian<GeneralModifiedPendulum> system(GeneralModifiedPendulum{});
    const auto back = reversibility(system, Hbvm{.k = k, .s = 2}, consistent(system, GeneralModifiedPendulum{}),
                                    MarchSettings<double>{.step = 0.05, .steps = 100});
    REQUIRE(!back.failure);
    CHECK(back.q < 8 * 1.5e-15);
    CHECK(back.p < 8 * 3.0e-15);
  }
}

TEST_CASE("HBVM(s,s) is not symplectic: the defect is O(h^4), O(h^3) for s = 1") {
  const auto defect = [](const Hbvm& method, double h) {
    const Lagrangian<SphericalPendulum> system(SphericalPendulum{});
    const Lagrangian<SphericalPendulum, Jet<double, 1>> jets(SphericalPendulum{});
    const Symplecticity result = symplecticity(jets, method, phase_point(consistent(system, SphericalPendulum{})), h);
    REQUIRE(!result.failure);
    return result.defect;
  };
  CHECK(defect({.k = 2, .s = 2}, 0.2) == doctest::Approx(8.897e-5).epsilon(1e-3).scale(0));
  CHECK(std::abs(slope(defect({.k = 2, .s = 2}, 0.2), defect({.k = 2, .s = 2}, 0.1)) - 4) < 0.1);
  CHECK(std::abs(slope(defect({.k = 2, .s = 2}, 0.1), defect({.k = 2, .s = 2}, 0.05)) - 4) < 0.1);
  CHECK(std::abs(slope(defect({.k = 1, .s = 1}, 0.1), defect({.k = 1, .s = 1}, 0.05)) - 3) < 0.1);
  // the derivative of the step through the fixed point is that through Newton's method
  const Hbvm newton_method{.k = 2, .s = 2, .iteration = newton_iteration};
  CHECK(defect(newton_method, 0.2) == doctest::Approx(defect({.k = 2, .s = 2}, 0.2)).epsilon(1e-9).scale(0));
}

TEST_CASE("the hidden constraint alternates: w_{n+1} = -w_n + (h^2/6) S lambda' + O(h^4)") {
  // Pendulum: S = |G|^2 = 4, lambda = (|v|^2 - y)/2, lambda' = -3/2 y'; lambda' in the middle of the step.
  const auto largest_difference = [](double h) {
    const GeneralPendulum problem;
    using System = Lagrangian<GeneralPendulum>;
    const System system(problem);
    State<System> x(system);
    x.q = problem.q0(), x.p = problem.v0();
    Hbvm::Step<System> step(system, {.k = 2, .s = 2}, {});
    step.start(0, x, x.p);
    double largest = 0, w = 0, rate = -1.5 * x.p[1];
    for (int n = 0; n < 40; ++n) {
      StepReport report;
      step.advance(0, 0, h, x, report);
      const double next_w = 2 * dot(x.q, x.p), next_rate = -1.5 * x.p[1];
      largest = std::max(largest, std::abs(next_w + w - h * h / 6 * 4 * (rate + next_rate) / 2));
      w = next_w, rate = next_rate;
    }
    return largest;
  };
  const double coarse = largest_difference(0.1), fine = largest_difference(0.05);
  CHECK(coarse == doctest::Approx(1.56e-5).epsilon(0.01).scale(0));  // of h^2/6 S lambda' = 7e-3
  CHECK(std::abs(slope(coarse, fine) - 4) < 0.1);
}

TEST_CASE("the fixed point is the solution of Newton's method") {
  const auto end = [](const auto& problem, Hbvm method, Hbvm::Iteration iteration, double h) {
    method.iteration = iteration;
    std::vector<double> y;
    follow_hbvm(problem, method, h, 50, [&](const auto& x) {
      if (x.n < 50) return;
      y.assign(x.q.begin(), x.q.end());
      y.insert(y.end(), x.p.begin(), x.p.end());
    });
    return y;
  };
  const auto distance = [&](const auto& problem, const Hbvm& method, double h) {
    const auto a = end(problem, method, Hbvm::Iteration::fixed_point, h), b = end(problem, method, newton_iteration, h);
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
  };
  CHECK(distance(PlanarPendulum{}, {.k = 2, .s = 2}, 0.1) < 4 * 2.3e-15);
  CHECK(distance(ModifiedPendulum{}, {.k = 6, .s = 2}, 0.1) < 4 * 2.5e-15);
  CHECK(distance(ModifiedPendulum{}, {.k = 9, .s = 3, .r = 3}, 0.1) < 4 * 2.5e-15);
  CHECK(distance(Satellites{}, {.k = 6, .s = 2}, 0.1) < 4 * 3.6e-15);
}

namespace {

// The largest of the step sizes up to which every run to t = 10, at least 10 steps, can be solved.
template <class Problem>
double largest_step(const Problem& problem, const Hbvm& method) {
  double largest = 0;
  for (const double h : {0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0}) {
    try {
      follow_hbvm(problem, method, h, std::max(10LL, std::llround(10 / h)), [](const auto&) {});
    } catch (const std::runtime_error&) {
      break;
    }
    largest = h;
  }
  return largest;
}

template <class Problem>
void check_largest_steps(const Problem& problem, int k_per_s, int k, Hbvm::Iteration iteration,
                         const std::array<double, 3>& measured) {
  for (const int s : {1, 2, 3}) {
    CAPTURE(s);
    CHECK(largest_step(problem, {.k = k + k_per_s * s, .s = s, .iteration = iteration}) ==
          measured[static_cast<std::size_t>(s - 1)]);
  }
}

}  // namespace

TEST_CASE("steps of the size of the period can be solved") {
  // An independent implementation with a new matrix in every Newton iteration came to 2 and 1.25 for the two marked
  // figures: so far from the solution, which is not unique there, the way decides.
  SUBCASE("fixed point") {
    const auto sweeps = Hbvm::Iteration::fixed_point;
    check_largest_steps(PlanarPendulum{}, 1, 0, sweeps, {1.25, 2, 3});
    check_largest_steps(ConicalPendulum{}, 1, 0, sweeps, {1.5, 2.5, 3});
    check_largest_steps(ModifiedPendulum{}, 3, 0, sweeps, {0.6, 1.5, 1.5});
    check_largest_steps(Satellites{}, 0, 6, sweeps, {3, 3, 3});
  }
  SUBCASE("Newton") {
    check_largest_steps(PlanarPendulum{}, 1, 0, newton_iteration, {3, 3, 3});
    check_largest_steps(ConicalPendulum{}, 1, 0, newton_iteration, {3, 3, 3});
    check_largest_steps(ModifiedPendulum{}, 3, 0, newton_iteration, {1 /* ! */, 2 /* ! */, 1.5});
    check_largest_steps(Satellites{}, 0, 6, newton_iteration, {3, 3, 3});
  }
}

namespace {

// Start values that differ in the last digits.
struct Shifted : PlanarPendulum {
  double factor = 1;
  template <class T>
  Vec<T, 2> q0() const {
    return {std::sin(T(0.9)), -std::cos(T(0.9))};
  }
  template <class T>
  Vec<T, 2> p0() const {
    return {factor * T(0.7) * std::cos(T(0.9)), factor * T(0.7) * std::sin(T(0.9))};
  }
};

}  // namespace

TEST_CASE("round-off of the energy walks at random: 16 starts, 10^5 steps, exponent of the rms error below 0.7" *
          doctest::test_suite("long")) {
  const std::array<long long, 4> nodes = {1600, 6400, 25600, 102400};
  std::array<double, 4> squares{};
  for (int start = 0; start < 16; ++start) {
    Shifted problem;
    problem.factor = 1 + 3 * (start - 8) * epsilon<double>();
    follow_hbvm(problem, {.k = 2, .s = 2}, 0.1, nodes.back(), [&](const auto& x) {
      for (std::size_t k = 0; k < nodes.size(); ++k)
        if (x.n == nodes[k]) squares[k] += x.energy_error * x.energy_error / 16;
    });
  }
  CHECK(std::sqrt(squares.back()) < 4 * 2.1e-15);                              // 7.3e-17 with last sweeps in 80 bits
  CHECK(std::log(squares.back() / squares.front()) / 2 / std::log(64) < 0.7);  // measured 0.5, and 0.1 in 80 bits
}

TEST_CASE("a chain of 1000 masses keeps its energy and all rods to round-off") {
  const Network network = chain(1000);
  const auto system = network.system({LinearTarget::schur, make_sparse_lu<double>});
  using System = ElementSystem<double>;
  State<System> x(system);
  x.q = network.positions();
  Vec<double> v(system.coordinates());
  Hbvm::Step<System> step(system, {.k = 2, .s = 2}, {});
  step.start(0, x, v);
  Kinetics<System> kinetics(system);
  kinetics.start(0, x.q, v);
  const auto energy = [&] {
    kinetics.velocity(0, x.q, x.p, v);
    return dot(x.p, v) - system.lagrangian(0, x.q, v);
  };
  const double first = energy();
  for (int n = 0; n < 20; ++n) {
    StepReport report;
    step.advance(0, 0, 1e-3, x, report);
    REQUIRE(succeeded(report.outcome));
  }
  Vec<double> g(system.constraints());
  system.constraint(0, x.q, g);
  const double last = energy();
  CHECK(dot(x.p, v) / 2 > 20);                  // it moves
  CHECK(std::abs(last - first) < 4 * 9.1e-12);  // 8 eps of the 4922 that it is the sum of
  CHECK(max_norm(g) < 4 * 5.5e-20);             // eps/3 |q| of rods of 1e-3
}

namespace {

// A pendulum that carries a mass on a stiff spring: sweeps contract slowly, and not from one to the next.
struct SpringOnPendulum {
  static constexpr int coordinates = 4, constraints = 1;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 4>& q, const Vec<T, 4>& v) const {
    const T x = q[0] - q[2], y = q[1] - q[3];
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / 2 - 9.81 * (q[1] + q[3]) - 50.0 * (x * x + y * y);
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 4>& q) const {
    return {q[0] * q[0] + q[1] * q[1] - 1.0};
  }
};

}  // namespace

TEST_CASE("slow_sweeps_are_not_taken_for_round_off") {
  const auto run = march(SpringOnPendulum{}, Hbvm{.k = 2},
                         {.q = {1.0, 0.0, 1.1, -0.3}, .v = {}, .step = 0.15, .steps = 10000, .every = 10000});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CHECK(run.audit.energy.max_error < 4 * 4.3e-12);  // one sweep too few: 4e-9, growing
  CHECK(run.audit.constraint < 4 * 6e-14);
}

namespace {

// Stiff springs: sweeps contract by 0.9 and less, and their changes go up and down.
struct StiffSprings {
  static constexpr int coordinates = 2, constraints = 0;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 4, constraint_degree = 0;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return dot(v, v) / 2 - 5000 * (q[0] * q[0] + 2 * q[1] * q[1]) - q[0] * q[0] * q[0] * q[0] / 4;
  }
};

// A parallelogram of four bars. Where it is flat the constraints lose rank, and another motion branches off.
struct FourBars {
  static constexpr int coordinates = 4, constraints = 3;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 1, constraint_degree = 2;
  template <class T>
  T lagrangian(const Vec<T, 4>& q, const Vec<T, 4>& v) const {
    return dot(v, v) / 2 - 9.81 * (q[1] + q[3]);
  }
  template <class T>
  Vec<T, 3> constraint(const Vec<T, 4>& q) const {
    const T x = q[2] - q[0], y = q[3] - q[1], w = q[2] - 2.0;
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2, (x * x + y * y - 4) / 2, (w * w + q[3] * q[3] - 1) / 2};
  }
};

// A bead on a torus, tied by a spring to one on a curve of degree 4.
struct BeadOnTorus {
  static constexpr int coordinates = 5, constraints = 2;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 5>& q, const Vec<T, 5>& v) const {
    using std::sqrt;
    const T x = q[0] - q[3], y = q[1] - q[4], stretched = sqrt(x * x + y * y + q[2] * q[2]) - 0.7;
    return 0.4 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 0.85 * (v[3] * v[3] + v[4] * v[4]) - 7.848 * q[2] -
           60 * stretched * stretched;
  }
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 5>& q) const {
    using std::sqrt;
    const T ring = sqrt(q[0] * q[0] + q[1] * q[1]) - 2.0, u = q[3] * q[3], v = q[4] * q[4];
    return {ring * ring + q[2] * q[2] - 0.25, u * u + v * v - q[3] * q[4] - 3.0};
  }
};

}  // namespace

TEST_CASE("sweeps whose changes go up and down end at round-off") {
  const auto energy_error = [](double h, Hbvm::Iteration iteration) {
    const auto run = march(StiffSprings{}, Hbvm{.k = 8, .s = 4, .r = 3, .iteration = iteration},
                           {.q = {0.5, 0.3}, .v = {1.0, 0.0}, .step = h, .steps = 300, .every = 300});
    REQUIRE(run.report.outcome == RunOutcome::finished);
    return run.audit.energy.max_error;  // of 2150
  };
  CHECK(energy_error(0.03, Hbvm::Iteration::fixed_point) < 4 * 7.4e-11);  // stopped where changes go up first: 1e-7
  CHECK(energy_error(0.03, newton_iteration) < 4 * 1.5e-11);
}

TEST_CASE("sweeps that are driven away where constraints lose rank stop the run, Newton's method passes") {
  const auto run = [](Hbvm::Iteration iteration) {
    return march(FourBars{}, Hbvm{.k = 2, .iteration = iteration},
                 {.q = {0, -1, 2, -1}, .v = {8, 0, 8, 0}, .step = 0.01, .steps = 400, .every = 1});
  };
  const auto sweeps = run(Hbvm::Iteration::fixed_point);
  CHECK(sweeps.report.outcome == RunOutcome::failed);
  CHECK(sweeps.report.failure->outcome == Outcome::stalled);
  CHECK(sweeps.audit.hidden_constraint < 1e-2);  // O(h^2); 19 where they were driven to the other motion
  const auto newton = run(newton_iteration);
  CHECK(newton.report.outcome == RunOutcome::finished);
  CHECK(newton.audit.hidden_constraint < 1e-2);
}

TEST_CASE("of several roots of a large step Newton's method takes the one that sweeps find, continued from h = 0") {
  using System = Lagrangian<BeadOnTorus>;
  const System system{BeadOnTorus{}};
  const Vec<double, 5> q{2.18924053923951557, 0.246211549012207433, 0.456917855549485137, 1.33594272265777155,
                         0.138988446675093807},
      p{-2.69766183989812158, -0.0740551808483752589, 1.19493643587674204, -0.151706799740886313, -1.07589659608937690};
  const Vec<double, 5> v{p[0] / 0.8, p[1] / 0.8, p[2] / 0.8, p[3] / 1.7, p[4] / 1.7};
  const auto one_step = [&](Hbvm::Iteration iteration) {
    Hbvm::Step<System> step(system, {.k = 6, .iteration = iteration}, {});
    State<System> x(system);
    x.q = q, x.p = p;
    step.start(0, x, v);
    StepReport report;
    step.advance(0, 0.2656361812670359, 0.2656361812670359, x, report);
    REQUIRE(succeeded(report.outcome));
    CHECK(report.continued);
    return x.q;
  };
  const auto sweeps = one_step(Hbvm::Iteration::fixed_point), newton = one_step(newton_iteration);
  CHECK(sweeps[0] == doctest::Approx(1.4464).epsilon(1e-4).scale(0));  // the other root: 1.6788
  for (int i = 0; i < 5; ++i) CHECK(std::abs(sweeps[i] - newton[i]) < 1e-13);
}
