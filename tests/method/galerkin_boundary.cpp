// Boundary value problems with galerkin: the same motion as the initial value run from p_0; the action, differentiated
// by the two ends, on a second route; what is refused and how it fails.
// Source: Wenger, Ober-Bloebaum, Leyendecker (2017), remark after (22); the action as generating function: Marsden,
// West (2001).
#include "livens/method/galerkin_boundary.hpp"

#include <doctest/doctest.h>

#include "verify/nodes.hpp"

using namespace livens;
using namespace livens::test;

namespace {

using Rule = Galerkin::Rule;

// Two coupled nonlinear oscillators in a magnetic field, no constraint.
struct FreeParticle {
  static constexpr int coordinates = 2, constraints = 0;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + (2 + q[0] * q[0]) * v[1] * v[1]) / 2 + q[0] * v[1] - q[0] * q[0] * q[0] * q[0] -
           q[0] * q[1] * q[1];
  }
  Vec<double, 2> q0() const { return {0.3, -0.4}; }
  Vec<double, 2> v0() const { return {0.9, 0.5}; }
};

// Solved from one end of an initial value run to the other, without a guess of the velocity.
template <class T, class Problem>
struct Solved {
  using System = Lagrangian<Problem, T>;
  using Coordinates = typename System::Coordinates;

  Solved(const Problem& problem, const Galerkin& method, const T& h, int steps, const Coordinates& q_first,
         const Coordinates& q_last)
      : system(problem), boundary(system, method, T(0), h, steps), start(system) {
    REQUIRE(!boundary.guess(q_first, q_last));
    report = boundary.solve();
    INFO(name(report.outcome));
    REQUIRE(succeeded(report.outcome));
    start.q = q_first;
    start.p = momentum(T(0), 0);
    REQUIRE(!start.make_consistent(true, {}));
  }
  // P pi
  Coordinates momentum(const T& t, int node) {
    Kinetics<System> kinetics(system);
    Coordinates p = boundary.momentum(node), v(p);
    REQUIRE(kinetics.start(t, boundary.position(node), v));
    REQUIRE(succeeded(kinetics.project(t, boundary.position(node), p, v)));
    return p;
  }

  System system;
  GalerkinBoundary<System> boundary;
  StartValues<System> start;
  StepReport report;
};

// Largest differences of q, projected p and nodal p from the initial value run that begins with p_0.
template <class T = double, class Problem>
double distance_to_run(const Problem& problem, const Galerkin& method, const T& h, int steps) {
  const auto given = nodes_of<T>(problem, method, h, steps);
  Solved<T, Problem> solved(problem, method, h, steps, given.front().q, given.back().q);
  const auto run = run_nodes(solved.system, method, solved.start, {.step = h, .steps = steps});
  REQUIRE(!run.failure);
  double largest = 0;
  for (int k = 0; k <= steps; ++k) {
    const auto& node = run.nodes[static_cast<std::size_t>(k)];
    largest = std::max(largest, distance(solved.boundary.position(k), node.q));
    largest = std::max(largest, distance(solved.momentum(static_cast<T>(k) * h, k), node.p));
    if (k > 0 && k < steps) largest = std::max(largest, distance(solved.boundary.nodal_momentum(k), node.raw_p));
  }
  return largest;
}

template <class Problem>
double distance_for_all_degrees(const Problem& problem) {
  double largest = 0;
  for (const Galerkin& method :
       {Galerkin{.s = 1}, Galerkin{.s = 2}, Galerkin{.s = 3}, Galerkin{.s = 2, .w = 1}, Galerkin{.s = 3, .w = 2}})
    largest = std::max(largest, distance_to_run(problem, method, 0.05, 10));
  return largest;
}

// The discrete action of these points, from the values of L alone.
template <class T, class Problem>
T action_of(const Problem& problem, const Galerkin& method, const T& h, const std::vector<Vec<T, 2>>& points) {
  const Lagrangian<Problem, T> system(problem);
  const LagrangeBasis<T> basis(lobatto<T>(method.s + 1).nodes);
  const Quadrature<T> rule = gauss<T>(method.quadrature_nodes());
  T sum(0);
  for (std::size_t first = 0; first + 1 < points.size(); first += static_cast<std::size_t>(method.s))
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      Vec<T, 2> q, v;
      for (int nu = 0; nu <= method.s; ++nu)
        for (int j = 0; j < 2; ++j) {
          const T& Q = points[first + static_cast<std::size_t>(nu)][j];
          q[j] += basis.value(nu, rule.nodes[i]) * Q;
          v[j] += basis.derivative(nu, rule.nodes[i]) / h * Q;
        }
      sum += h * rule.weights[i] * system.lagrangian(T(0), q, v);
    }
  return sum;
}

template <class T>
Vec<T, 2> turned(const Vec<T, 2>& q, const T& angle) {
  using std::cos, std::sin;
  return {cos(angle) * q[0] - sin(angle) * q[1], sin(angle) * q[0] + cos(angle) * q[1]};
}

}  // namespace

TEST_CASE("boundary value solution is the initial value run from its momentum") {
  // measured, of q, p and nodal p: 8.4e-15, 1.2e-14, 7.0e-15, 9.4e-15, 7.4e-15, 8.9e-15
  CHECK(distance_for_all_degrees(NonlinearPendulum{}) < 1e-12);
  CHECK(distance_for_all_degrees(DoublePendulum{}) < 1e-12);
  CHECK(distance_for_all_degrees(DrivenPendulum{}) < 1e-12);
  CHECK(distance_for_all_degrees(DampedCurvedMass{}) < 1e-12);
  CHECK(distance_for_all_degrees(ChangingTimes{}) < 1e-12);
  CHECK(distance_for_all_degrees(FreeParticle{}) < 1e-12);
}

TEST_CASE(
    "boundary value solution is the initial value run with other options and scalars, back in time, in one step") {
  const Galerkin lobatto_rule{.s = 2, .quadrature = Rule::lobatto, .order = 4};
  const Galerkin equidistant{.s = 3, .points = Galerkin::Points::equidistant};
  CHECK(distance_to_run(NonlinearPendulum{}, lobatto_rule, 0.05, 10) < 1e-12);
  CHECK(distance_to_run(NonlinearPendulum{}, equidistant, 0.05, 10) < 1e-12);
  CHECK(distance_to_run(NonlinearPendulum{}, {.s = 2}, -0.05, 10) < 1e-12);
  CHECK(distance_to_run(NonlinearPendulum{}, {.s = 1}, 0.05, 1) < 1e-12);
  CHECK(distance_to_run(NonlinearPendulum{}, {.s = 3}, 0.05, 1) < 1e-12);
  CHECK(distance_to_run(NonlinearPendulum{}, {.s = 2}, 0.0005, 2000) < 1e-10);  // measured 1.1e-12
  CHECK(distance_to_run<long double>(NonlinearPendulum{}, {.s = 2}, 0.05L, 10) < 1e-15);
  CHECK(distance_to_run<Widest>(DampedCurvedMass{}, {.s = 2}, Widest(0.05), 10) < (LIVENS_QUAD ? 1e-29 : 1e-15));
}

TEST_CASE("action of a boundary value problem is the sum of the discrete Lagrangians and stationary") {
  using T = long double;
  const NonlinearPendulum pendulum;
  const T h = 0.05L;
  const int steps = 10;
  for (const Galerkin& method : {Galerkin{.s = 1}, Galerkin{.s = 2}, Galerkin{.s = 3}}) {
    const auto given = nodes_of<T>(pendulum, method, h, steps);
    Solved<T, NonlinearPendulum> solved(pendulum, method, h, steps, given.front().q, given.back().q);
    std::vector<Vec<T, 2>> points;
    for (int P = 0; P <= steps * method.s; ++P) points.push_back(solved.boundary.point(P));
    const T action = action_of(pendulum, method, h, points);
    CHECK(std::abs(to_double(solved.boundary.action() - action)) < 1e-16);
    for (std::size_t P = 1; P + 1 < points.size(); ++P) {
      const T angle = 1e-5L;  // along the circle: with s = w the constraint holds at the points themselves
      auto there = points, back = points;
      there[P] = turned(points[P], angle), back[P] = turned(points[P], -angle);
      const T first = (action_of(pendulum, method, h, there) - action_of(pendulum, method, h, back)) / (2 * angle);
      const T second = action_of(pendulum, method, h, there) - action;
      CHECK(std::abs(to_double(first)) < 1e-8);  // measured at most 2e-9: the third derivative, times 1e-10
      CHECK(std::abs(to_double(second)) > 1e-10);
    }
  }
}

TEST_CASE("derivative of the action by the ends is minus the first and plus the last momentum") {
  using T = long double;
  const T h = 0.05L, turn = 1e-5L;
  const int steps = 10;
  const NonlinearPendulum pendulum;
  for (const Galerkin& method : {Galerkin{.s = 1}, Galerkin{.s = 2}, Galerkin{.s = 3, .w = 2}}) {
    const auto given = nodes_of<T>(pendulum, method, h, steps);
    const auto first = given.front().q, last = given.back().q;
    const auto action = [&](const T& at_first, const T& at_last) {
      Solved<T, NonlinearPendulum> solved(pendulum, method, h, steps, turned(first, at_first), turned(last, at_last));
      return solved.boundary.action();
    };
    Solved<T, NonlinearPendulum> solved(pendulum, method, h, steps, first, last);
    const auto p0 = solved.momentum(T(0), 0), pN = solved.momentum(static_cast<T>(steps) * h, steps);
    const T by_first = (action(turn, 0) - action(-turn, 0)) / (2 * turn);
    const T by_last = (action(0, turn) - action(0, -turn)) / (2 * turn);
    const T along_first = -p0[0] * first[1] + p0[1] * first[0], along_last = -pN[0] * last[1] + pN[1] * last[0];
    CHECK(std::abs(to_double(by_first + along_first)) < 1e-8);  // measured 5e-10
    CHECK(std::abs(to_double(by_last - along_last)) < 1e-8);
    CHECK(std::abs(to_double(along_first)) > 0.1);
    CHECK(std::abs(to_double(along_last)) > 0.1);
  }
}

TEST_CASE("derivative of the action by the last position is the momentum for a mass that depends on position") {
  using T = long double;
  const T h = 0.05L, way = 1e-5L;
  const int steps = 8;
  const CurvedMass bead;
  const Galerkin method{.s = 2};
  const auto given = nodes_of<T>(bead, method, h, steps);
  Solved<T, CurvedMass> solved(bead, method, h, steps, given.front().q, given.back().q);
  const auto p = solved.momentum(static_cast<T>(steps) * h, steps);
  const auto q = given.back().q;
  for (const Vec<T, 3> tangent : {Vec<T, 3>{-q[1], q[0], 0}, Vec<T, 3>{std::exp(q[2]), 0, -2 * q[0]}}) {
    const auto action = [&](const T& sign) {
      StartValues<Lagrangian<CurvedMass, T>> end(solved.system);
      for (int i = 0; i < 3; ++i) end.q[i] = q[i] + sign * way * tangent[i];
      REQUIRE(!end.make_consistent(false, {.project = true}));
      return Solved<T, CurvedMass>(bead, method, h, steps, given.front().q, end.q).boundary.action();
    };
    CHECK(std::abs(to_double((action(1) - action(-1)) / (2 * way) - dot(p, tangent))) < 1e-8);
    CHECK(std::abs(to_double(dot(p, tangent))) > 0.1);
  }
}

// The same pendulum with other units of mass and length.
struct PendulumInUnits {
  static constexpr int coordinates = 2, constraints = 1;
  double mass, length;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return mass * ((v[0] * v[0] + v[1] * v[1]) / 2 - 9.81 * length * q[1]);
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1]) / (length * length) - 1};
  }
};

TEST_CASE("boundary value problems of molecules and of planets are the same as in units of one") {
  const auto momentum = [](double mass, double length) {
    const Vec<double, 2> first{0.8 * length, -0.6 * length}, last{-0.28 * length, -0.96 * length};
    Solved<double, PendulumInUnits> solved({mass, length}, {.s = 2}, 0.05, 10, first, last);
    return solved.start.p[0] / (mass * length);
  };
  const double expected = momentum(1, 1);
  CHECK(std::abs(expected) > 0.1);
  CHECK(agree(momentum(1e-26, 1e-10), expected, 1e-12));
  CHECK(agree(momentum(1e20, 1e9), expected, 1e-12));
}

TEST_CASE("a given velocity chooses between the two ways around the pivot") {
  const Lagrangian<PlanarPendulum> system(PlanarPendulum{});
  const Vec<double, 2> first{1, 0}, last{-1, 0};
  GalerkinBoundary<Lagrangian<PlanarPendulum>> boundary(system, {.s = 2}, 0, 0.05, 10);
  for (const double v : {3.0, -3.0}) {
    const Vec<double, 2> velocity{0, v};
    REQUIRE(!boundary.guess(first, last, &velocity));
    REQUIRE(succeeded(boundary.solve().outcome));
    CHECK(boundary.position(5)[1] * v > 0.5);
    CHECK(boundary.momentum(0)[1] * v > 0);
  }
}

TEST_CASE("boundary value problems that cannot be solved say so") {
  using System = Lagrangian<PlanarPendulum>;
  const System system(PlanarPendulum{});
  const Vec<double, 2> right{1, 0}, left{-1, 0}, below{0, -1};
  CHECK_THROWS_AS(GalerkinBoundary<System>(system, {.s = 2}, 0, 0.1, 0), std::invalid_argument);
  for (const Rule rule : {Rule::gauss, Rule::radau})
    CHECK_THROWS_AS(GalerkinBoundary<System>(system, {.s = 2, .constraint_quadrature = rule}, 0, 0.1, 10),
                    std::invalid_argument);

  GalerkinBoundary<System> through_pivot(system, {.s = 2}, 0, 0.05, 10);
  CHECK(through_pivot.guess(right, left) == 10);  // the middle of 20 points

  GalerkinBoundary<System> impatient(system, {.s = 2}, 0, 0.05, 10, {.iterations = 2});
  REQUIRE(!impatient.guess(right, below));
  CHECK(impatient.solve().outcome == Outcome::stalled);

  const std::atomic<bool> stop = true;
  GalerkinBoundary<System> stopped(system, {.s = 2}, 0, 0.05, 10, {}, &stop);
  REQUIRE(!stopped.guess(right, below));
  CHECK(stopped.solve().iterations == 0);
  CHECK(stopped.stopped());
}

// q'' = -q has no motion from 0 to 1 in the time pi, and infinitely many from 0 to 0.
struct Oscillator {
  static constexpr int coordinates = 1, constraints = 0;
  template <class T>
  T lagrangian(const Vec<T, 1>& q, const Vec<T, 1>& v) const {
    return (v[0] * v[0] - q[0] * q[0]) / 2;
  }
};

TEST_CASE("between conjugate points of an oscillator no motion is found") {
  const Lagrangian<Oscillator> system(Oscillator{});
  // The step for which 8 steps of the discrete motion, cos(a) = (1 - h^2/4) / (1 + h^2/4), turn by pi.
  const double h = 2 * std::tan(std::acos(-1.0) / 16);
  GalerkinBoundary<Lagrangian<Oscillator>> boundary(system, {.s = 1}, 0, h, 8);
  REQUIRE(!boundary.guess({0.0}, {1.0}));
  CHECK(!succeeded(boundary.solve().outcome));
  GalerkinBoundary<Lagrangian<Oscillator>> shorter(system, {.s = 1}, 0, 0.9 * h, 8);
  REQUIRE(!shorter.guess({0.0}, {1.0}));
  CHECK(succeeded(shorter.solve().outcome));
}
