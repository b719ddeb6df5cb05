// A ready problem run from its start to its end, or to where it fails, with all that figures are drawn from at every
// node.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/run/result.hpp"

namespace livens {

struct MotionNode {
  double t;
  std::vector<double> q, p, v;           // p as the scheme carries it, and its velocity
  double kinetic, energy;                // v.L_v/2 and v.L_v - L
  std::vector<double> constraint, rate;  // g and G v
  double potential() const { return energy - kinetic; }
};

struct Motion {
  std::vector<MotionNode> nodes;
  RunResult result;
  bool finished() const { return result.report.outcome == RunOutcome::finished; }

  // Over nodes first, first + 1, ..., of what(node).
  template <class What>
  std::pair<double, double> range(const What& what, std::size_t first = 0) const {
    std::pair<double, double> found{INFINITY, -INFINITY};
    for (std::size_t n = first; n < nodes.size(); ++n) {
      const double x = what(nodes[n]);
      found = {std::min(found.first, x), std::max(found.second, x)};
    }
    return found;
  }
  // The largest change from one node to the next.
  template <class What>
  double largest_change(const What& what, std::size_t first = 0) const {
    double largest = 0;
    for (std::size_t n = first + 1; n < nodes.size(); ++n)
      largest = std::max(largest, std::abs(what(nodes[n]) - what(nodes[n - 1])));
    return largest;
  }
};

// Every step is a node, whatever the problem records.
Motion follow_problem(const std::string& problem, Overrides set);
// Its end alone. Throws std::runtime_error where it fails.
RunResult end_of_problem(const std::string& problem, const Overrides& set);
// Of the start as it is given, consistent or not.
double given_energy(const std::string& problem, const Overrides& set);

}  // namespace livens
