// One run of a model for a search: where it was at some nodes, and what it cost.
#pragma once

#include <atomic>
#include <vector>

#include "livens/math/scalar.hpp"
#include "livens/registry/entry.hpp"
#include "livens/run/report.hpp"

namespace livens {

struct Pilot {
  long long steps = 0;
  bool solved = false;
  Cost cost;
  double seconds = 0;
  // At the start and after every so many steps; numbers of one node after another.
  long long nodes = 0;
  std::vector<double> t;
  std::vector<Widest> q, p;
  double q_size = 0, p_size = 0, range = 0;
  FoundOptions found;  // that the method found by itself
  bool crossed_corners = false, unresolved_corners = false, jumped = false,
       overlooked = false;  // of formulas (corners.hpp)
};

// nodes: how many, beside the start; must divide steps.
Pilot run_pilot(const Model& model, const MethodEntry& method, const Options& options, long long steps, long long nodes,
                const std::atomic<bool>* stop);

}  // namespace livens
