// Kinon, Betsch, Schneider (2023), "The GGL variational principle for constrained mechanical systems", section 5.1:
// the heavy top in steady precession, figures 3-10. The paper prints pictures and no numbers; those expected here were
// computed independently. The scheme is that of (40), (42), with p^{n+1} in (41b), where p^n is printed.
//
// Exact for all t: the centre of mass stays at the height 3/8 a = 0.0375.
#include <fmt/format.h>

#include <cmath>

#include "reproduce/entries.hpp"
#include "reproduce/motion_pictures.hpp"

namespace livens {

namespace {

constexpr double height = 0.0375;

double vertical(const MotionNode& node) {
  return node.q[2];
}
// Component 0, 1, 2 of sum x_i x p_i over centre of mass and directors.
double angular_momentum(const MotionNode& node, std::size_t component) {
  const std::size_t j = (component + 1) % 3, k = (component + 2) % 3;
  double sum = 0;
  for (std::size_t i = 0; i < node.q.size(); i += 3)
    sum += node.q[i + j] * node.p[i + k] - node.q[i + k] * node.p[i + j];
  return sum;
}
double L3(const MotionNode& node) {
  return angular_momentum(node, 2);
}

Motion run_of(const std::string& method, const std::string& step, long long steps) {
  return follow_problem("top", {{"method.name", method}, {"run.step", step}, {"run.steps", std::to_string(steps)}});
}

void measure_ggl(const Motion& motion, Reproduction& r) {
  r.rows.push_back(bound_row("ggl: steps that fail", 0, motion.finished() ? 0 : 1));
  if (!motion.finished()) return;
  constexpr double first[] = {0.001313110776611602, -0.06494612480784702, 0.03748701925376174},
                   last[] = {0.06086921486974858, -0.02096496375363092, 0.03847608316798008};
  r.rows.push_back(
      recomputed_row("energy at the start", {}, 5.669055190632942, motion.nodes[0].energy, 14, independent));
  r.rows.push_back(recomputed_row("L3 at the start", {}, 0.07106577106731382, L3(motion.nodes[0]), 14, independent));
  for (std::size_t i = 0; i < 3; ++i)
    r.rows.push_back(recomputed_row(fmt::format("ggl: phi_{} after step 1", i + 1), {}, first[i], motion.nodes[1].q[i],
                                    12, independent));
  for (std::size_t i = 0; i < 3; ++i)
    r.rows.push_back(recomputed_row(fmt::format("ggl: phi_{} after step 1000", i + 1), {}, last[i],
                                    motion.nodes[1000].q[i], 12, independent));
  add_energy_range("ggl", motion, 5.669073, 5.669248, 7, r);
  r.rows.push_back(recomputed_row("ggl: largest change of the energy in a step", {}, 1.9e-6,
                                  motion.largest_change(energy, 1), 2, "figure 5; " + independent));
  const auto [low, high] = motion.range(L3);
  r.rows.push_back(bound_row("ggl: L3 changes by at most", 4 * 6e-16, high - low, "figures 4, 6: round-off"));
  const auto [lowest, highest] = motion.range(vertical);
  r.rows.push_back(recomputed_row("ggl: lowest phi_3", {}, 0.037249, lowest, 5, "figure 10; " + independent));
  r.rows.push_back(recomputed_row("ggl: highest phi_3", {}, 0.038937, highest, 5, "figure 10; " + independent));
  r.rows.push_back(bound_row("ggl: largest |g|", 1e-15, motion.result.audit.constraint, "figure 7: round-off"));
  r.rows.push_back(recomputed_row("ggl: largest |G v|", {}, 0.374, motion.range(largest_rate).second, 3,
                                  "figure 8; " + independent));
}

void measure_others(Reproduction& r) {
  const Motion euler = run_of("constrained-euler", "0.002", 1000), rattle = run_of("rattle", "0.002", 1000),
               classical = run_of("classical-ggl", "0.002", 1000);
  add_energy_range("constrained-euler", euler, 5.778134, 5.778235, 7, r);
  r.rows.push_back(
      recomputed_row("constrained-euler: largest |G v|", {}, 20, euler.range(largest_rate).second, 2, independent));
  add_energy_range("rattle", rattle, 5.669055, 5.669060, 7, r);
  r.rows.push_back(bound_row("classical-ggl: fails after step", 12, static_cast<double>(classical.nodes.size() - 1),
                             "not symplectic; independent: within 12 steps"));
  r.rows.push_back(range_row("classical-ggl: energy before it fails", {}, 100, 115, classical.range(energy).second,
                             "independent: 107, from 5.7"));
  for (const auto& [step, expected] : {std::pair("0.0035", true), std::pair("0.0036", false)}) {
    const Motion motion = run_of("ggl", step, 100);
    const bool told = motion.result.message.find("1/2") != std::string::npos;
    const auto word = [](bool solved) { return std::string(solved ? "solved" : "no solution, h |omega| > 1/2"); };
    r.rows.push_back({.name = fmt::format("ggl: steps of {}", step),
                      .printed = {},
                      .expected = word(expected),
                      .measured = motion.finished() ? word(true)
                                  : told            ? word(false)
                                                    : motion.result.message,
                      .ok = motion.finished() == expected && told == !expected,
                      .note = "angular velocity: 140.9"});
  }
}

// Figure 9: the relative error of phi_3 at t = 0.001.
svg::Plot measure_convergence(Reproduction& r) {
  struct Known {
    const char* step;
    long long steps;
    double error;
  };
  constexpr Known all[] = {
      {"1e-4", 10, 8.653931e-6}, {"5e-5", 20, 4.327386e-6}, {"1e-5", 100, 8.655517e-7}, {"5e-6", 200, 4.327807e-7}};
  svg::Plot plot{.description = "error of phi_3 over the step size",
                 .x_label = "h",
                 .y_label = "relative error of phi_3",
                 .logarithmic = true,
                 .x_logarithmic = true,
                 .curves = {{.name = "ggl"}, {.name = "order 1", .colour = 1}}};
  double h_before = 0, error_before = 0;
  for (const Known& known : all) {
    const Motion motion = run_of("ggl", known.step, known.steps);
    const double h = 0.001 / static_cast<double>(known.steps);
    const double error = std::abs(vertical(motion.nodes.back()) - height) / height;
    r.rows.push_back(recomputed_row(fmt::format("ggl: error of phi_3 at t = 0.001, h = {}", known.step), {},
                                    known.error, error, 6, "figure 9; " + independent));
    if (h_before > 0)
      r.rows.push_back(range_row(fmt::format("ggl: order from there to h = {}", known.step), 1.0, 0.999, 1.001,
                                 std::log(error_before / error) / std::log(h_before / h), "figure 9"));
    plot.curves[0].points.push_back({h, error});
    plot.curves[1].points.push_back({h, all[0].error * h / 1e-4});
    h_before = h, error_before = error;
  }
  return plot;
}

// No drift over ten times as many steps: the band of the energy stays.
void measure_long_run(Reproduction& r) {
  const Motion motion = run_of("ggl", "0.002", 10000);
  std::pair<double, double> band[2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  for (std::size_t n = 1; n < motion.nodes.size(); ++n) {
    auto& [low, high] = band[n > 5000];
    low = std::min(low, motion.nodes[n].energy), high = std::max(high, motion.nodes[n].energy);
  }
  const double H = motion.nodes[0].energy;
  r.rows.push_back(bound_row("ggl, 10^4 steps: lower end of the energy band, second half beside first", 1e-9,
                             std::abs(band[1].first - band[0].first) / H, "relative: no drift"));
  r.rows.push_back(bound_row("ggl, 10^4 steps: upper end of the energy band, second half beside first", 1e-9,
                             std::abs(band[1].second - band[0].second) / H, "relative: no drift"));
}

void draw(const Motion& motion, const svg::Plot& convergence, Reproduction& r) {
  svg::Plot energies = over_time("energy");
  energies.curves = {curve(motion, "T", 0, [](const MotionNode& n) { return n.kinetic; }),
                     curve(motion, "V", 1, [](const MotionNode& n) { return n.potential(); }),
                     curve(motion, "H", 2, energy)};
  r.pictures.push_back(picture("Energies", "figure 3", energies));
  svg::Plot momenta = over_time("angular momentum");
  for (std::size_t k = 0; k < 3; ++k)
    momenta.curves.push_back(curve(motion, fmt::format("L{}", k + 1), static_cast<int>(k),
                                   [k](const MotionNode& n) { return angular_momentum(n, k); }));
  r.pictures.push_back(picture("Angular momentum", "figure 4", momenta));
  svg::Plot steps = over_time("change of H in a step");
  steps.curves = {changes(motion, energy)};
  // The first step leaves the band: its p is that of the start, not that of the scheme.
  steps.curves[0].points.erase(steps.curves[0].points.begin());
  r.pictures.push_back(picture("Changes of the energy", "figure 5, from the second step on", steps));
  svg::Plot spins = over_time("change of L3 in a step");
  spins.curves = {changes(motion, L3)};
  r.pictures.push_back(picture("Changes of L3", "figure 6: round-off", spins));
  r.pictures.push_back(
      picture("Constraints on position level", "figure 7", constraints(motion, "g", &MotionNode::constraint, 0, 9)));
  r.pictures.push_back(
      picture("Constraints on velocity level", "figure 8", constraints(motion, "G v", &MotionNode::rate, 0, 9)));
  r.pictures.push_back(picture("Convergence", "figure 9", convergence));
  svg::Plot heights = over_time("phi_3");
  heights.curves = {curve(motion, "ggl", 0, vertical),
                    curve(motion, "exact", 1, [](const MotionNode&) { return height; })};
  r.pictures.push_back(picture("Height of the centre of mass", "figure 10", heights));
}

void measure_top(Extent extent, Reproduction& r) {
  r.definition =
      "Heavy symmetric top, 12 director coordinates, 9 constraints, h = 0.002, 1000 steps, double. The paper "
      "prints pictures and no numbers. Energy and L3 with the momentum p of the scheme, v = M^-1 p; energies after the "
      "first step.";
  const Motion motion = run_of("ggl", "0.002", 1000);
  measure_ggl(motion, r);
  if (!motion.finished()) return;
  const svg::Plot convergence = measure_convergence(r);
  measure_others(r);
  if (extent != Extent::brief) measure_long_run(r);
  draw(motion, convergence, r);
}

}  // namespace

std::vector<ReproductionEntry> ggl_top_reproductions() {
  return {{"ggl/top", "Heavy top: energy, angular momentum, constraints, order", measure_top}};
}

}  // namespace livens
