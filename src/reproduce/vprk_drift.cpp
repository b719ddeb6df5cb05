// Kraus (2017), "Projected variational integrators for degenerate Lagrangian systems", section 5.4 (figure 19): energy
// over a million steps of high order, where round-off is all that can drift.
//
// The error of the energy oscillates with the orbit; a drift is seen in its least-squares slope and in its mean over a
// tenth of the run, where the oscillation drops out. The paper: coefficients a_ij, b_i that are rounded one by one are
// not exactly symplectic and make the energy drift linearly; split into two parts (164) or rounded so that the pair is
// symplectic to the last bit they do not. Measured here: the state is summed with its remainder in all three modes, and
// what is left of a drift depends more on the orbit and on the solver than on the coefficients.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "report/sheet.hpp"
#include "reproduce/entries.hpp"
#include "reproduce/vprk_long_runs.hpp"
#include "reproduce/vprk_problems.hpp"

namespace livens {

namespace {

using vprk_problems::GuidingCentre;
using vprk_problems::LotkaVolterra;
using Coefficients = Vprk::Coefficients;

constexpr std::array all_coefficients = {Coefficients::symplectic, Coefficients::split, Coefficients::rounded};
constexpr std::array coefficient_names = {"symplectic", "split", "rounded"};

struct Drift {
  VprkLargest largest;
  std::array<double, 10> means = {};
  double slope = 0;  // least squares, times the number of steps; NaN: the run failed
};

template <class T, class Problem>
Drift drift_of(const Problem& problem, const Vprk& method, double h, long long steps) {
  Drift drift;
  std::array<long long, 10> counts = {};
  const double middle = static_cast<double>(steps) / 2;
  double products = 0, squares = 0;
  const auto visit = [&](const VprkNode<T, Problem::coordinates>& node) {
    const double from_middle = static_cast<double>(node.n) - middle;
    const auto tenth = static_cast<std::size_t>(std::min<long long>(9, 10 * node.n / steps));
    drift.largest.add(node.n, steps, node.energy_error);
    drift.means[tenth] += node.energy_error;
    ++counts[tenth];
    products += from_middle * node.energy_error, squares += from_middle * from_middle;
  };
  follow_vprk<T>(problem, method, T(h), steps, visit);
  for (std::size_t k = 0; k < counts.size(); ++k) drift.means[k] /= static_cast<double>(counts[k]);
  drift.slope = drift.largest.ended ? products / squares * static_cast<double>(steps) : std::nan("");
  return drift;
}

struct Case {
  std::string name;
  std::function<Drift(Coefficients)> run;
  double bound;  // of the drift
  std::string note = {};
  ReproducedFigure printed = {};
};

const std::string widest_words = LIVENS_QUAD ? "binary128" : "extended";

svg::Plot over_tenths(const std::string& what) {
  return {.description = what + " in each tenth of the run", .x_label = "tenth of the run", .y_label = what};
}
svg::Curve curve_of(const std::string& name, std::size_t colour, const std::array<double, 10>& values, double shift) {
  svg::Curve curve{.name = name, .colour = static_cast<int>(colour)};
  for (std::size_t k = 0; k < values.size(); ++k)
    curve.points.push_back({static_cast<double>(k + 1), values[k] - shift});
  return curve;
}

// The three ways to round the coefficients beside each other.
void measure_in_double(const std::vector<Case>& cases, Reproduction& r) {
  constexpr std::size_t modes = all_coefficients.size();
  std::vector<Drift> drifts(cases.size() * modes);
  in_parallel(drifts.size(), [&](std::size_t i) { drifts[i] = cases[i / modes].run(all_coefficients[i % modes]); });
  for (std::size_t c = 0; c < cases.size(); ++c) {
    svg::Plot means = over_tenths("mean relative energy error"), maxima = over_tenths("largest relative energy error");
    for (std::size_t m = 0; m < modes; ++m) {
      const Drift& drift = drifts[c * modes + m];
      r.rows.push_back(bound_row(
          fmt::format("{}, {}: drift", cases[c].name, coefficient_names[m]), cases[c].bound, std::abs(drift.slope),
          fmt::format("largest error in the first tenth {:.1e}, in the last {:.1e}{}{}", drift.largest.tenths.front(),
                      drift.largest.tenths.back(), cases[c].note.empty() ? "" : "; ", cases[c].note)));
      r.rows.back().printed = cases[c].printed;
      means.curves.push_back(curve_of(coefficient_names[m], m, drift.means, drift.means.front()));
      maxima.curves.push_back(curve_of(coefficient_names[m], m, drift.largest.tenths, 0));
    }
    r.pictures.push_back(picture(cases[c].name + ": mean energy error", "less that of the first tenth", means));
    r.pictures.push_back(picture(cases[c].name + ": largest energy error", "", maxima));
  }
}

// More digits: truncation only.
void measure_in_widest(const std::vector<Case>& cases, Reproduction& r) {
  std::vector<Drift> drifts(cases.size());
  in_parallel(cases.size(), [&](std::size_t i) { drifts[i] = cases[i].run(Coefficients::symplectic); });
  svg::Plot maxima = over_tenths("largest relative energy error");
  maxima.logarithmic = true;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Drift& drift = drifts[c];
    r.rows.push_back(bound_row(cases[c].name + ": drift over the largest error", cases[c].bound,
                               std::abs(drift.slope) / drift.largest.all,
                               fmt::format("no drift; largest error {:.2e}", drift.largest.all)));
    r.rows.push_back(range_row(cases[c].name + ": growth of the largest error", {}, 0.9, 1.1, drift.largest.growth(),
                               "last tenth over the first"));
    maxima.curves.push_back(curve_of(cases[c].name, c, drift.largest.tenths, 0));
  }
  r.pictures.push_back(picture("Energy in " + widest_words, "figure 19", maxima));
}

void measure_energy_drift(Extent extent, Reproduction& r) {
  const bool whole = extent != Extent::brief, full = extent == Extent::full;
  const long long most = full ? 10000000 : whole ? 1000000 : 20000, wide_steps = whole ? 100000 : 500;
  r.definition = fmt::format(
      "Relative energy error of Gauss methods with symmetric projection, Lotka-Volterra with h = 0.1 and the barely "
      "passing guiding centre with h = 2.5; {} steps in double{} with coefficients rounded in three ways, {} in {} "
      "with "
      "symplectic ones. Drift: least-squares slope of the error times the number of steps.",
      most, full ? " (Gauss 5: a tenth of them)" : "", wide_steps, widest_words);
  const auto prey = [](int s, double start, long long steps) {
    return [=](Coefficients c) {
      return drift_of<double>(LotkaVolterra{start}, {.stages = s, .coefficients = c}, 0.1, steps);
    };
  };
  const GuidingCentre passing{0.3425};
  std::vector<Case> cases = {{"Lotka-Volterra, Gauss 4", prey(4, 1, most), full ? 6e-12 : 1.2e-12,
                              "an independent implementation, 10^6 steps: 4.5e-12 rounded, 4e-13 symplectic"}};
  if (whole) {
    cases.push_back({"Lotka-Volterra from (2, 2), Gauss 4", prey(4, 2, most), full ? 3e-11 : 3e-12,
                     "the same whatever the coefficients"});
    cases.push_back({"Lotka-Volterra, Gauss 5", prey(5, 1, 1000000), 6e-12,
                     "the same whatever the coefficients: what Newton's method leaves of its guess keeps its sign"});
    cases.push_back(
        {"guiding centre, Gauss 4",
         [=](Coefficients c) { return drift_of<double>(passing, {.stages = 4, .coefficients = c}, 2.5, most); },
         full ? 3e-11 : 3e-12, "symplectic coefficients drift least on this orbit, not on every one", "about 1e-12"});
  }
  measure_in_double(cases, r);
  const Vprk method{.stages = 4};
  std::vector<Case> wide = {{"Lotka-Volterra, Gauss 4, " + widest_words,
                             [=](Coefficients) { return drift_of<Widest>(LotkaVolterra{}, method, 0.1, wide_steps); },
                             whole ? 0.01 : 0.5}};
  if (whole)
    wide.push_back({"guiding centre, Gauss 4, " + widest_words,
                    [=](Coefficients) { return drift_of<Widest>(passing, method, 2.5, wide_steps); }, 0.01});
  measure_in_widest(wide, r);
}

}  // namespace

std::vector<ReproductionEntry> vprk_drift_reproductions() {
  return {{"vprk/energy-drift", "Energy over a million steps: coefficients rounded in three ways, and binary128",
           measure_energy_drift}};
}

}  // namespace livens
