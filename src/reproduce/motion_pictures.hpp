// What the reproductions of Kinon, Betsch, Schneider (2023) look at in a motion, and how it is drawn.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "livens/reproduce/reproduce.hpp"
#include "report/sheet.hpp"
#include "reproduce/model_motion.hpp"

namespace livens {

inline double energy(const MotionNode& node) {
  return node.energy;
}
inline double largest_rate(const MotionNode& node) {
  double largest = 0;
  for (const double rate : node.rate) largest = std::max(largest, std::abs(rate));
  return largest;
}

template <class What>
svg::Curve curve(const Motion& motion, const std::string& name, int colour, const What& what) {
  svg::Thinned thinned(static_cast<std::int64_t>(motion.nodes.size()), 400, svg::Thinned::Keep::both);
  for (const MotionNode& node : motion.nodes) thinned.add(node.t, what(node));
  return {.name = name, .colour = colour, .points = thinned.points()};
}
template <class What>
svg::Curve changes(const Motion& motion, const What& what) {
  svg::Curve drawn;
  for (std::size_t n = 1; n < motion.nodes.size(); ++n)
    drawn.points.push_back({motion.nodes[n].t, what(motion.nodes[n]) - what(motion.nodes[n - 1])});
  return drawn;
}
inline svg::Plot over_time(const std::string& y_label) {
  return {.description = y_label + " over time", .x_label = "t", .y_label = y_label};
}
// Constraints first, first + 1, ..., or their rates; more than there are colours share them.
inline svg::Plot constraints(const Motion& motion, const std::string& y_label, std::vector<double> MotionNode::*of,
                             std::size_t first, std::size_t count) {
  svg::Plot plot = over_time(y_label);
  for (std::size_t a = first; a < first + count; ++a)
    plot.curves.push_back(curve(motion, fmt::format("{}", a + 1), static_cast<int>((a - first) % svg::colours),
                                [&](const MotionNode& node) { return (node.*of)[a]; }));
  return plot;
}

inline const std::string independent = "computed independently";

inline void add_energy_range(const std::string& name, const Motion& motion, double lowest, double highest, int digits,
                             Reproduction& r) {
  const auto [low, high] = motion.range(energy, 1);
  r.rows.push_back(recomputed_row(name + ": lowest energy", {}, lowest, low, digits, independent));
  r.rows.push_back(recomputed_row(name + ": highest energy", {}, highest, high, digits, independent));
}

}  // namespace livens
