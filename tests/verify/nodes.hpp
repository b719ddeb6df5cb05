// Runs of a problem in any scalar, node by node, and the distances between them; examples of the Galerkin tests.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "livens/study/nodes.hpp"
#include "livens/study/reference.hpp"
#include "livens/system/lagrangian.hpp"
#include "verify/problems.hpp"

namespace livens::test {

// Example A: planar pendulum, 1 rad from the downward vertical.
struct PlanarPendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2, potential_degree = 1;
  double g = 9.81;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - g * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
  Vec<double, 2> q0() const { return {std::sin(1.0), -std::cos(1.0)}; }
  Vec<double, 2> v0() const { return {0.5 * std::cos(1.0), 0.5 * std::sin(1.0)}; }
};

// The same as a case of the nonlinear one: what asks for both is compiled for one.
inline const NonlinearPendulum planar_pendulum{.m = 1, .k2 = 0, .k4 = 0};

// The start of the problem on its constraints, to the round-off of T.
template <class T, class Problem>
StartValues<Lagrangian<Problem, T>> start_of(const Lagrangian<Problem, T>& system) {
  StartValues<Lagrangian<Problem, T>> start(system);
  for (int i = 0; i < Problem::coordinates; ++i)
    start.q[i] = system.problem().q0()[i], start.v[i] = system.problem().v0()[i];
  REQUIRE(!start.make_consistent(false, {.project = true}));
  return start;
}

template <class T, class Problem>
using Nodes = std::vector<Node<Lagrangian<Problem, T>>>;

template <class T = double, class Problem, class Method>
Nodes<T, Problem> nodes_of(const Problem& problem, const Method& method, const T& h, int steps) {
  const Lagrangian<Problem, T> system(problem);
  const auto run = run_nodes(system, method, start_of(system), {.step = h, .steps = steps});
  REQUIRE(!run.failure);
  return run.nodes;
}

// Whether two small numbers agree relatively; doctest's Approx compares numbers below 1 absolutely.
inline bool agree(double measured, double expected, double relative) {
  return std::abs(measured - expected) <= relative * std::abs(expected);
}

// Largest difference of a component.
template <class A, class B>
double distance(const A& a, const B& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (int i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(to_double(a[i] - b[i])));
  return largest;
}

struct Distances {
  double q = 0, p = 0, lambda = 0, raw_p = 0, raw_lambda = 0;
};

// Over all nodes; those of the raw values over nodes 1..N, the first one depends on how the start is read.
template <class Nodes>
Distances distances(const Nodes& a, const Nodes& b) {
  REQUIRE(a.size() == b.size());
  Distances d;
  for (std::size_t k = 0; k < a.size(); ++k) {
    d.q = std::max(d.q, distance(a[k].q, b[k].q));
    d.p = std::max(d.p, distance(a[k].p, b[k].p));
    d.lambda = std::max(d.lambda, distance(a[k].lambda, b[k].lambda));
    if (k == 0) continue;
    d.raw_p = std::max(d.raw_p, distance(a[k].raw_p, b[k].raw_p));
    d.raw_lambda = std::max(d.raw_lambda, distance(a[k].raw_lambda, b[k].raw_lambda));
  }
  return d;
}

// The solution at nodes 0..N by the index-1 equations in the widest scalar.
template <class Problem>
class Solution {
 public:
  Solution(const Problem& problem, double end, int steps) : system_(problem) {
    IndexOneReference<System> reference(system_, start_of(system_));
    for (int k = 0; k <= steps; ++k) {
      const SolutionNode* node = reference.at(Widest(end) * k / steps);
      REQUIRE(node);
      nodes_.push_back(*node);
    }
  }

  // Errors of a run with N steps, N a divisor of `steps`; raw values, where the scheme has them, as in `distances`.
  template <class Run>
  Distances errors(const Run& run) const {
    const std::size_t stride = (nodes_.size() - 1) / (run.size() - 1);
    REQUIRE(stride * (run.size() - 1) + 1 == nodes_.size());
    Distances d;
    for (std::size_t k = 0; k < run.size(); ++k) {
      const SolutionNode& exact = nodes_[k * stride];
      const auto take = [](double& largest, const auto& x, const std::vector<Widest>& y) {
        REQUIRE(static_cast<std::size_t>(x.size()) == y.size());
        for (int i = 0; i < x.size(); ++i)
          largest = std::max(largest, std::abs(to_double(Widest(x[i]) - y[static_cast<std::size_t>(i)])));
      };
      take(d.q, run[k].q, exact.q), take(d.p, run[k].p, exact.p), take(d.lambda, run[k].lambda, exact.lambda);
      if (k == 0) continue;
      if (run[k].raw_p.size() > 0) take(d.raw_p, run[k].raw_p, exact.p);
      if (run[k].raw_lambda.size() > 0) take(d.raw_lambda, run[k].raw_lambda, exact.lambda);
    }
    return d;
  }

  const SolutionNode& node(std::size_t k) const { return nodes_[k]; }

 private:
  using System = Lagrangian<Problem, Widest>;
  System system_;
  std::vector<SolutionNode> nodes_;
};

inline Distances slopes(const Distances& coarse, const Distances& fine, double ratio = 2) {
  const auto slope = [&](double a, double b) { return std::log(a / b) / std::log(ratio); };
  return {slope(coarse.q, fine.q), slope(coarse.p, fine.p), slope(coarse.lambda, fine.lambda),
          slope(coarse.raw_p, fine.raw_p), slope(coarse.raw_lambda, fine.raw_lambda)};
}

}  // namespace livens::test
