// Kraus (2017), figures 21 and 22: a loop and a surface of start values (170), (171), carried along by the guiding
// centre in the symmetric field. Radius and u stay, and the angular velocity 0.02 / (1 + r^2) depends on the radius:
// the loop winds up. Near the axis the surface turns as a whole in x and y; across, along z, it is sheared by u.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "report/sheet.hpp"
#include "reproduce/entries.hpp"
#include "reproduce/vprk_problems.hpp"
#include "reproduce/vprk_trajectory.hpp"

namespace livens {

namespace {

using vprk_problems::on_loop, vprk_problems::on_surface;

constexpr double field_step = 10;

// q after 0, 1, ..., steps steps of Gauss 2 with symmetric projection; NaN once it failed
std::vector<Vec<double, 4>> path(const Vec<double, 4>& start, long long steps) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Vec<double, 4>> nodes(static_cast<std::size_t>(steps + 1), {nan, nan, nan, nan});
  follow_vprk<double>(vprk_problems::SymmetricField{start}, {.stages = 2}, field_step, steps,
                      [&](const VprkNode<double, 4>& node) { nodes[static_cast<std::size_t>(node.n)] = node.q; });
  return nodes;
}

}  // namespace

void draw_loop_and_surface(Reproduction& r) {
  svg::Plot samples{.description = "sample trajectories", .x_label = "x", .y_label = "y", .equal_scales = true};
  svg::Plot loops = samples;
  loops.description = "the loop at three times";
  double radius_error = 0;
  bool all_ended = true;
  constexpr int points = 200, shown = 20;
  constexpr long long times[] = {0, 20, 60};
  for (const long long n : times)
    loops.curves.push_back({.name = fmt::format("t = {:g}", field_step * static_cast<double>(n)),
                            .colour = static_cast<int>(loops.curves.size())});
  for (int k = 0; k <= points; ++k) {
    const double tau = static_cast<double>(k) / points;
    const auto nodes = path(on_loop(tau), times[2]);
    for (std::size_t i = 0; i < std::size(times); ++i) {
      const auto& q = nodes[static_cast<std::size_t>(times[i])];
      loops.curves[i].points.push_back({q[0], q[1]});
    }
    all_ended = all_ended && !std::isnan(nodes.back()[0]);
    const double radius = std::hypot(nodes[0][0], nodes[0][1]);
    for (const auto& q : nodes) radius_error = std::max(radius_error, std::abs(std::hypot(q[0], q[1]) / radius - 1));
    if (k % (points / 4) != 0 || k > points / 4) continue;
    svg::Curve curve{.name = fmt::format("tau = {:g}, t <= 200", tau), .colour = k == 0 ? 0 : 1, .ends_with_dot = true};
    for (int n = 0; n <= shown; ++n)
      curve.points.push_back({nodes[static_cast<std::size_t>(n)][0], nodes[static_cast<std::size_t>(n)][1]});
    samples.curves.push_back(std::move(curve));
  }
  r.rows.push_back(bound_row("symmetric field: change of the radius on the loop", 1e-12,
                             all_ended ? radius_error : std::nan(""),
                             "Gauss 2, symmetric, h = 10, 60 steps: a rotation at every radius"));
  r.pictures.push_back(picture("Trajectories of samples of the loop", "figure 21, symmetric field", samples));
  r.pictures.push_back(picture("The loop winds up", "figure 21, symmetric field", loops));

  svg::Plot surface{.description = "lines of the surface at three times", .x_label = "sigma", .y_label = "z - t/2"};
  constexpr long long later[] = {0, 2, 5};
  for (std::size_t i = 0; i < std::size(later); ++i)
    for (const double tau : {0.25, 0.75}) {
      svg::Curve curve{.name = fmt::format("t = {:g}, tau = {:g}", field_step * static_cast<double>(later[i]), tau),
                       .colour = static_cast<int>(surface.curves.size())};
      for (int k = 0; k <= 100; ++k) {
        const double sigma = k / 100.0;
        curve.points.push_back(
            {sigma, path(on_surface(sigma, tau), later[i]).back()[2] - field_step * static_cast<double>(later[i]) / 2});
      }
      surface.curves.push_back(std::move(curve));
    }
  r.pictures.push_back(picture("Two lines of the surface, sheared along z", "figure 22, symmetric field", surface));
}

}  // namespace livens
