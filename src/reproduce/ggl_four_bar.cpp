// Kinon, Betsch, Schneider (2023), section 5.2: the double four-bar linkage, figures 12-21, and with two dampers,
// figures 22 and 23. One degree of freedom, the angle theta of the legs:
//
//   3 m l^2 theta'' = -7/2 m g l cos(theta) - (eta_1 + eta_2) l^2 theta' ,   m = l = 1 ,   theta = pi/2 , theta' = -1
//
// at the start. The published figures were computed with director rates of the rotating legs that are 0 (later
// corrected by the authors): such a momentum is not consistent, and the first step projects it to theta' = -11/12. Both
// are shown. The force of a damper is -C v, not C v as before (57), and it dissipates twice the Rayleigh function, not
// minus that as after (55); (80) has all signs and the place of a row wrong: C = eta P^T P here.
#include <array>
#include <numbers>

#include "reproduce/entries.hpp"
#include "reproduce/motion_pictures.hpp"

namespace livens {

namespace {

using std::numbers::pi;

// ---- the reduced equation -----------------------------------------------------------------------------------------

struct Angle {
  double t, theta, rate;
};

// By the classical Runge-Kutta method of order 4 with so many steps in 1/1000; the error is round-off.
std::vector<Angle> reduced(double rate, double eta, double end) {
  constexpr int fine = 20;
  constexpr double h = 1e-3 / fine;
  const auto acceleration = [eta](double theta, double w) { return (-3.5 * 9.81 * std::cos(theta) - 2 * eta * w) / 3; };
  std::vector<Angle> angles = {{0, pi / 2, rate}};
  for (long long n = 1; n <= std::llround(end * 1000); ++n) {
    double x = angles.back().theta, w = angles.back().rate;
    for (int k = 0; k < fine; ++k) {
      const double x1 = w, w1 = acceleration(x, w);
      const double x2 = w + h / 2 * w1, w2 = acceleration(x + h / 2 * x1, x2);
      const double x3 = w + h / 2 * w2, w3 = acceleration(x + h / 2 * x2, x3);
      const double x4 = w + h * w3, w4 = acceleration(x + h * x3, x4);
      x += h / 6 * (x1 + 2 * x2 + 2 * x3 + x4), w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }
    angles.push_back({static_cast<double>(n) / 1000, x, w});
  }
  return angles;
}

// When theta falls through a value for the first time: cubic interpolation between nodes, halved.
double passage(const std::vector<Angle>& angles, double value) {
  for (std::size_t n = 1; n < angles.size(); ++n) {
    const Angle &a = angles[n - 1], &b = angles[n];
    if (!(a.theta > value && b.theta <= value)) continue;
    const double h = b.t - a.t;
    double low = 0, high = 1;
    for (int k = 0; k < 60; ++k) {
      const double s = (low + high) / 2, r = 1 - s;
      const double theta =
          r * r * (1 + 2 * s) * a.theta + s * s * (3 - 2 * s) * b.theta + h * (s * r * r * a.rate - s * s * r * b.rate);
      (theta > value ? low : high) = s;
    }
    return a.t + low * h;
  }
  return std::nan("");
}

int horizontal_passages(const std::vector<Angle>& angles) {
  int count = 0;
  for (std::size_t n = 1; n < angles.size(); ++n)
    count += std::floor(angles[n].theta / pi) != std::floor(angles[n - 1].theta / pi);
  return count;
}

// ---- the linkage --------------------------------------------------------------------------------------------------

// The angle of the first leg, without jumps; its axis is (a, b).
std::vector<Angle> angles_of(const Motion& motion) {
  std::vector<Angle> angles;
  for (const MotionNode& node : motion.nodes) {
    const double a = node.q[2], b = node.q[3], now = std::atan2(b, a);
    const double before = angles.empty() ? now : angles.back().theta;
    angles.push_back({node.t, now + 2 * pi * std::round((before - now) / (2 * pi)), a * node.v[3] - b * node.v[2]});
  }
  return angles;
}

// Point 4, where legs and couplers meet: centre of the first leg and half its axis.
double x4(const MotionNode& node) {
  return node.q[0] + node.q[2] / 2;
}
double v4(const MotionNode& node) {
  return node.v[0] + node.v[2] / 2;
}
// (75)
double angular_momentum(const MotionNode& node) {
  double sum = 0;
  for (std::size_t i = 0; i < node.q.size(); i += 2) sum += node.q[i] * node.p[i + 1] - node.q[i + 1] * node.p[i];
  return sum;
}
// v.C v of both dampers
double dissipated_power(const MotionNode& node, double eta) {
  double power = 0;
  for (const std::size_t bar : {18U, 24U})
    for (const std::size_t k : {bar, bar + 1}) power += eta * std::pow(node.v[k] + node.v[k + 2] / 2, 2);
  return power;
}

Motion run_of(const std::string& method, Overrides set = {}) {
  set.emplace_back("method.name", method);
  return follow_problem("double-four-bar", set);
}

// The rates of the directors of the legs are 0, as in the published figures.
const std::pair<std::string, std::string> published_rates = {
    "initial.v",
    R"([{ for = "i = 1..3", each = [0.5, 0, 0, 0, 0, 0] }, { for = "i = 4..5", each = [1, 0, 0, 0, 0, 0] }])"};

double largest_distance(const std::vector<Angle>& angles, const std::vector<Angle>& exact) {
  double largest = 0;
  for (std::size_t n = 0; n < angles.size(); ++n)
    largest = std::max(largest, std::abs(angles[n].theta - exact[n].theta));
  return largest;
}

const char* const by_reduced = "computed independently, in 30 digits";

void measure_undamped(Extent extent, Reproduction& r) {
  r.definition =
      "Two four-bar linkages side by side, 30 director coordinates, 29 constraints, h = 0.001, 10 s, double. The paper "
      "prints pictures and no numbers. theta: angle of the legs. Energy with the momentum p of the scheme.";
  const std::vector<Angle> exact = reduced(-1, 0, 10);
  constexpr std::array known = {-1.7670744763102,  -4.7702370345174,  -8.4355555019739,  -11.1134632667191,
                                -15.0835571598586, -17.4611502861396, -21.7012425894859, -23.8157158548000,
                                -28.2830203877908, -30.1798008601912};
  for (std::size_t t = 1; t <= 10; ++t)
    r.rows.push_back(recomputed_row(fmt::format("reduced equation: theta({})", t), {}, known[t - 1],
                                    exact[1000 * t].theta, 11, by_reduced));
  r.rows.push_back(recomputed_row("reduced equation: period", {}, 1.94251492260708, passage(exact, pi / 2 - 2 * pi), 11,
                                  by_reduced));
  r.rows.push_back(recomputed_row("reduced equation: first horizontal passage", {}, 0.714355529292960,
                                  passage(exact, 0), 11, by_reduced));

  const Motion motion = run_of("ggl");
  const std::vector<Angle> angles = angles_of(motion);
  r.rows.push_back(bound_row("ggl: steps that fail", 0, motion.finished() ? 0 : 1,
                             fmt::format("{} passages of singular positions", horizontal_passages(angles))));
  if (!motion.finished()) return;
  r.rows.push_back(recomputed_row("ggl: theta(1)", {}, -1.767124337, angles[1000].theta, 10, independent));
  r.rows.push_back(
      recomputed_row("ggl: theta(10) + 10 pi", {}, 1.236001958, angles[10000].theta + 10 * pi, 10, independent));
  for (std::size_t t = 1; t <= 10; ++t)
    r.rows.push_back(bound_row(fmt::format("ggl: error of theta({})", t), 5e-4,
                               std::abs(angles[1000 * t].theta - known[t - 1]),
                               "against the reduced equation; theta falls by up to 6.9 a second, h = 0.001"));
  r.rows.push_back(bound_row("ggl: error of x4(10)", 5e-4, std::abs(x4(motion.nodes[10000]) - 0.3284581115408),
                             "figure 12; against the reduced equation"));
  r.rows.push_back(bound_row("ggl: error of v4(10)", 2e-3, std::abs(v4(motion.nodes[10000]) - 1.4230514702069),
                             "figure 13; against the reduced equation"));
  r.rows.push_back(recomputed_row("ggl: period", {}, 1.94251492260708, passage(angles, pi / 2 - 2 * pi), 5,
                                  "expected: the reduced equation"));
  const auto [low, high] = motion.range(energy);
  r.rows.push_back(recomputed_row("ggl: lowest energy", {}, 35.743659, low, 8, independent));
  r.rows.push_back(recomputed_row("ggl: highest energy", {}, 35.925428, high, 8, independent));
  r.rows.push_back(range_row("ggl: largest change of the energy in a step", "order of 1e-3", 8.02e-4, 8.04e-4,
                             motion.largest_change(energy), "figure 16; independent: 8.03e-4"));
  double tilt = 0;
  for (const MotionNode& node : motion.nodes) tilt = std::max({tilt, std::abs(node.q[21]), std::abs(node.q[27])});
  r.rows.push_back(bound_row("ggl: couplers tilt by at most", 1e-12, tilt, "round-off"));
  r.rows.push_back(bound_row("ggl: largest |g|", 5e-14, motion.result.audit.constraint, "figures 18, 20: round-off"));
  r.rows.push_back(recomputed_row("ggl: largest |G v|", {}, 1.1e-4, motion.range(largest_rate).second, 2,
                                  "figure 19; " + independent));
  double linear = 0;
  for (const MotionNode& node : motion.nodes)
    for (std::size_t a = 15; a < 29; ++a) linear = std::max(linear, std::abs(node.rate[a]));
  r.rows.push_back(bound_row("ggl: largest |G v| of the joints, which are linear", 1e-11, linear,
                             "figure 21: round-off, which is largest next to singular positions"));

  // E7
  const Motion published = run_of("ggl", {published_rates, {"initial.project", "true"}});
  const std::vector<Angle> published_angles = angles_of(published), exact_published = reduced(-11.0 / 12, 0, 10);
  const std::string erratum = "data of the published figures, which are not consistent";
  r.rows.push_back(recomputed_row("published data: energy of the start as given", {}, 35.710,
                                  given_energy("double-four-bar", {published_rates}), 5, erratum));
  r.rows.push_back(recomputed_row("published data: energy of its projection, which the first step starts from", {},
                                  35.595417, published.nodes[0].energy, 8, erratum + ": projected to theta' = -11/12"));
  r.rows.push_back(
      recomputed_row("published data: theta' at the start", {}, -11.0 / 12, published_angles[0].rate, 12, erratum));
  r.rows.push_back(recomputed_row("published data: period by the reduced equation", {}, 1.99488166433232,
                                  passage(exact_published, pi / 2 - 2 * pi), 11, erratum));
  r.rows.push_back(recomputed_row("published data: period", {}, 1.99488166433232,
                                  passage(published_angles, pi / 2 - 2 * pi), 5, erratum));

  if (extent != Extent::brief) {
    const Motion euler = run_of("constrained-euler", {{"run.end", "1.0"}}),
                 rattle = run_of("rattle", {{"run.end", "1.0"}}), classical = run_of("classical-ggl");
    r.rows.push_back(recomputed_row("constrained-euler: theta(1)", {}, -1.767084628, angles_of(euler).back().theta, 10,
                                    "agrees with rattle: gravity has no tangential part at the start"));
    r.rows.push_back(
        recomputed_row("rattle: theta(1)", {}, -1.767084628, angles_of(rattle).back().theta, 10, independent));
    r.rows.push_back(recomputed_row("classical-ggl: energy after 10 s", {}, 45.2, classical.nodes.back().energy, 3,
                                    "from 35.8; " + independent));
  }

  const auto both = [&](const std::string& y_label, const auto& what) {
    svg::Plot plot = over_time(y_label);
    plot.curves = {curve(motion, "consistent start", 0, what), curve(published, "published data", 1, what)};
    return plot;
  };
  r.pictures.push_back(
      picture("Point 4, first coordinate", "figure 12, and with the data of the paper", both("x4", x4)));
  r.pictures.push_back(picture("Point 4, first velocity", "figure 13, and with the data of the paper", both("v4", v4)));
  svg::Plot energies = over_time("energy");
  energies.curves = {curve(motion, "T", 0, [](const MotionNode& n) { return n.kinetic; }),
                     curve(motion, "V", 1, [](const MotionNode& n) { return n.potential(); }),
                     curve(motion, "H", 2, energy), curve(published, "H, published data", 3, energy)};
  r.pictures.push_back(picture("Energies", "figure 14", energies));
  r.pictures.push_back(
      picture("Angular momentum", "figure 15, and with the data of the paper", both("L", angular_momentum)));
  svg::Plot steps = over_time("change of H in a step");
  steps.curves = {changes(motion, energy)};
  r.pictures.push_back(picture("Changes of the energy", "figure 16", steps));
  svg::Plot turns = over_time("change of L in a step");
  turns.curves = {changes(motion, angular_momentum)};
  r.pictures.push_back(picture("Changes of the angular momentum", "figure 17", turns));
  r.pictures.push_back(picture("Inner constraints of the first bar", "figure 18",
                               constraints(motion, "g", &MotionNode::constraint, 0, 3)));
  r.pictures.push_back(picture("Inner constraints of the first bar, velocity level", "figure 19",
                               constraints(motion, "G v", &MotionNode::rate, 0, 3)));
  r.pictures.push_back(picture("Joint at point 4", "figure 20, whose caption says point 1",
                               constraints(motion, "g", &MotionNode::constraint, 21, 2)));
  r.pictures.push_back(picture("Joint at point 4, velocity level", "figure 21, whose caption says point 1",
                               constraints(motion, "G v", &MotionNode::rate, 21, 2)));
  svg::Plot error = over_time("error of theta");
  error.curves = {{.name = "ggl"}};
  for (std::size_t n = 0; n < angles.size(); n += 10)
    error.curves[0].points.push_back({angles[n].t, angles[n].theta - exact[n].theta});
  r.pictures.push_back(picture("Error of theta", "against the reduced equation; not in the paper", error));
}

void measure_damped(Extent, Reproduction& r) {
  r.definition =
      "The double four-bar linkage with dampers eta = 0.5 between points 1 and 5, 2 and 6; h = 0.001, 10 s, double. "
      "Dissipated in a step: h v.C v with the velocity at its end.";
  constexpr double eta = 0.5, h = 1e-3;
  constexpr std::array known = {-1.3925208704, -2.8130417191, -0.2519178910, -2.7436542226, -0.5784464781,
                                -2.3902647365, -0.9115154727, -2.0816203167, -1.1963470098, -1.8229785387};
  const std::vector<Angle> exact = reduced(-1, eta, 10);
  const Motion motion = run_of("ggl", {{"system.parameters.eta", "0.5"}});
  const std::vector<Angle> angles = angles_of(motion);
  r.rows.push_back(bound_row("ggl: steps that fail", 0, motion.finished() ? 0 : 1,
                             fmt::format("{} passages of singular positions", horizontal_passages(angles))));
  if (!motion.finished()) return;
  for (std::size_t t = 1; t <= 10; ++t)
    r.rows.push_back(recomputed_row(fmt::format("reduced equation: theta({})", t), {}, known[t - 1],
                                    exact[1000 * t].theta, 10, by_reduced));
  r.rows.push_back(recomputed_row("passages of singular positions", {}, horizontal_passages(exact),
                                  horizontal_passages(angles), 2, "expected: the reduced equation"));
  r.rows.push_back(recomputed_row("ggl: theta(1)", {}, -1.391906981, angles[1000].theta, 10, independent));
  r.rows.push_back(recomputed_row("ggl: theta(10)", {}, -1.824142481, angles[10000].theta, 10, independent));
  r.rows.push_back(bound_row("ggl: largest error of theta", 2e-3, largest_distance(angles, exact),
                             "against the reduced equation; first order"));
  r.rows.push_back(
      recomputed_row("ggl: energy after 10 s", {}, -30.853914, motion.nodes.back().energy, 8, independent));
  double lost = 0, dissipated = 0, largest = 0;
  svg::Plot increments = over_time("energy in a step");
  increments.curves = {{.name = "lost by H"}, {.name = "dissipated", .colour = 1}};
  for (std::size_t n = 1; n < motion.nodes.size(); ++n) {
    const double change = motion.nodes[n - 1].energy - motion.nodes[n].energy;
    const double work = h * dissipated_power(motion.nodes[n], eta);
    lost += change, dissipated += work;
    largest = std::max(largest, std::abs(change - work));
    increments.curves[0].points.push_back({motion.nodes[n].t, change});
    increments.curves[1].points.push_back({motion.nodes[n].t, work});
  }
  r.rows.push_back(bound_row("ggl: energy lost beside dissipated, largest difference in a step", 1e-3, largest,
                             "figure 23: equal up to the oscillation of the energy of the scheme"));
  r.rows.push_back(bound_row("ggl: energy lost beside dissipated in 10 s, relative", 1e-3,
                             std::abs(lost - dissipated) / lost, fmt::format("lost: {:.4f}", lost)));
  r.rows.push_back(bound_row("ggl: energy balance of the audit", 0.1, motion.result.audit.balance,
                             "E - E0 - int F.v dt, all steps: first order"));

  svg::Plot energies = over_time("energy");
  energies.curves = {curve(motion, "T", 0, [](const MotionNode& n) { return n.kinetic; }),
                     curve(motion, "V", 1, [](const MotionNode& n) { return n.potential(); }),
                     curve(motion, "H", 2, energy)};
  r.pictures.push_back(picture("Energies with dissipation", "figure 22", energies));
  r.pictures.push_back(picture("Dissipated energy", "figure 23", increments));
  svg::Plot theta = over_time("theta");
  theta.curves = {{.name = "ggl"}, {.name = "reduced equation", .colour = 1}};
  for (std::size_t n = 0; n < angles.size(); n += 10)
    theta.curves[0].points.push_back({angles[n].t, angles[n].theta}),
        theta.curves[1].points.push_back({exact[n].t, exact[n].theta});
  r.pictures.push_back(picture("Angle of the legs", "singular at 0 and -pi; not in the paper", theta));
}

}  // namespace

std::vector<ReproductionEntry> ggl_four_bar_reproductions() {
  return {{"ggl/four-bar", "Double four-bar linkage: motion, energy, constraints", measure_undamped},
          {"ggl/four-bar-damped", "Double four-bar linkage with dampers", measure_damped}};
}

}  // namespace livens
