#include "simulation/loss_of_rank.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulation/branches.hpp"

namespace livens {

namespace {

// Vanishing at the rate of the last stride, at most so many strides on.
std::optional<LossOfRank> vanishes_within(double strides, const Vec<double>& before, const Vec<double>& now) {
  for (int k = 0; k < now.size(); ++k)
    if (now[k] < strides * (before[k] - now[k])) return LossOfRank{k, now[k] / (before[k] - now[k])};
  return {};
}

// In this direction, h having its sign; steps count from 0.
std::optional<LossOfRank> lost_on_the_way(Branches& branches, const Branches::Point& from, double h, int steps) {
  constexpr int strides_per_step = 8;
  Branches::Point at = from;
  Vec<double> before = from.length, way = from.at.v, straight = way;
  for (double& x : way) x *= h / strides_per_step;
  for (int n = 1; n <= strides_per_step * steps; ++n) {
    const Branches::Point last = at;
    at.at.t += h / strides_per_step;
    for (int i = 0; i < way.size(); ++i) straight[i] = at.at.q[i] += way[i];
    const bool found = branches.project(at, std::sqrt(branches.distance_squared(last.at.q, straight)));
    // Beside such a configuration a projection may fail: the one before it is looked at.
    auto lost = found ? vanishes_within(1, last.length, at.length) : vanishes_within(2, before, last.length);
    if (lost) lost->steps = (lost->steps + (found ? n : n - 1)) / strides_per_step;
    if (lost || !found) return lost;
    for (int i = 0; i < way.size(); ++i) way[i] = at.at.q[i] - last.at.q[i];
    before = last.length;
  }
  return {};
}

}  // namespace

std::optional<LossOfRank> loss_of_rank(const Model& model, const Place& from, double h, int ahead, int behind) {
  WatchedConstraints constraints = watched_constraints(model);
  if (!constraints.jacobian || constraints.jacobian->rows == 0) return {};
  Branches branches(std::move(constraints));
  Branches::Point start = branches.point();
  start.at.t = from.t;
  std::copy(from.q.begin(), from.q.end(), start.at.q.begin());
  std::copy(from.v.begin(), from.v.end(), start.at.v.begin());
  branches.look(start);
  if (!start.regular) return {};
  const auto next = lost_on_the_way(branches, start, h, ahead);
  auto last = lost_on_the_way(branches, start, -h, behind);
  if (last) last->steps = -last->steps;
  return next && (!last || next->steps <= -last->steps) ? next : last;
}

}  // namespace livens
