// Long runs of sections 5.1-5.3 of Kraus (2017), and the rows that say what became of them: a bounded error, a drift, a
// failure.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "livens/reproduce/reproduce.hpp"
#include "report/svg.hpp"
#include "reproduce/parallel.hpp"
#include "reproduce/vprk_trajectory.hpp"

namespace livens {

// The largest absolute value, in all and in each tenth of a run. A run that fails has no largest value over all its
// steps and no growth: NaN, which no row accepts.
struct VprkLargest {
  double all = 0;  // of the steps done
  bool ended = false;
  std::array<double, 10> tenths = {};

  void add(long long n, long long steps, double value) {
    double& tenth = tenths[static_cast<std::size_t>(std::min<long long>(9, 10 * n / steps))];
    tenth = std::max(tenth, std::abs(value));
    all = std::max(all, std::abs(value));
    ended = n == steps;
  }
  double of_whole_run() const { return ended ? all : std::nan(""); }
  double growth() const { return ended ? tenths.back() / tenths.front() : std::nan(""); }  // last over first tenth
};

// What the long runs of sections 5.1-5.3 look at, and curves over the steps to draw.
struct VprkCourse {
  long long done = 0;
  VprkLargest energy, momentum;
  double last_energy = 0, off = 0;  // off: max |p - theta(q)|
  std::vector<svg::Point> energy_curve, momentum_curve;
};

template <class Problem>
VprkCourse course_of(const Problem& problem, const Vprk& method, double h, long long steps) {
  VprkCourse course;
  constexpr auto highest = svg::Thinned::Keep::highest;
  svg::Thinned energy(steps, 250, highest), momentum(steps, 250, highest);
  course.done = follow_vprk<double>(problem, method, h, steps, [&](const VprkNode<double, Problem::coordinates>& node) {
    course.energy.add(node.n, steps, node.energy_error);
    course.momentum.add(node.n, steps, node.momentum_error);
    course.last_energy = node.energy_error;
    course.off = std::max(course.off, node.off);
    if (node.n == 0) return;  // no error yet
    energy.add(static_cast<double>(node.n), std::abs(node.energy_error));
    momentum.add(static_cast<double>(node.n), std::abs(node.momentum_error));
  });
  course.energy_curve = energy.points(), course.momentum_curve = momentum.points();
  return course;
}

// A run and what to say about it.
template <class Problem>
struct LongRun {
  Problem problem;
  Vprk method;
  double h;
  long long steps;
  std::function<void(const std::string& name, const VprkCourse&, Reproduction&)> judge;
};

template <class Problem>
std::vector<VprkCourse> measure_runs(const std::vector<LongRun<Problem>>& runs, Reproduction& r) {
  std::vector<VprkCourse> courses(runs.size());
  in_parallel(runs.size(), [&](std::size_t i) {
    courses[i] = course_of(runs[i].problem, runs[i].method, runs[i].h, runs[i].steps);
  });
  for (std::size_t i = 0; i < runs.size(); ++i)
    runs[i].judge(fmt::format("{}, h = {:g}, {} steps", name_of(runs[i].method), runs[i].h, runs[i].steps), courses[i],
                  r);
  return courses;
}

inline std::string tenths_of(const VprkLargest& x) {
  return fmt::format("first tenth {:.2e}, last {:.2e}", x.tenths.front(), x.tenths.back());
}

// An error that does not grow.
inline ReproductionRow growth_row(const std::string& name, double bound, const VprkLargest& error,
                                  const std::string& note) {
  return bound_row(name, bound, error.growth(), "last tenth over the first; " + note);
}
inline auto not_growing_energy(const std::string& note = {}) {
  return [=](const std::string& name, const VprkCourse& course, Reproduction& r) {
    r.rows.push_back(growth_row(name + ": growth of the energy error", 1.2, course.energy,
                                fmt::format("bounded; energy {:.1e}{}", course.energy.all, note)));
  };
}

// It has the size expected as well.
inline auto bounded_energy(double expected, int digits) {
  return [=](const std::string& name, const VprkCourse& course, Reproduction& r) {
    r.rows.push_back(recomputed_row(name + ": energy", {}, expected, course.energy.of_whole_run(), digits,
                                    "bounded; " + tenths_of(course.energy)));
    not_growing_energy()(name, course, r);
  };
}

// It grows with time, tenth after tenth.
inline auto drifting_energy(double expected, int digits, bool linear) {
  return [=](const std::string& name, const VprkCourse& course, Reproduction& r) {
    r.rows.push_back(recomputed_row(name + ": energy", {}, expected, course.energy.of_whole_run(), digits,
                                    "drifts; " + tenths_of(course.energy)));
    if (linear)
      r.rows.push_back(range_row(name + ": growth of the energy error", {}, 8, 12, course.energy.growth(),
                                 "last tenth over the first: linear"));
  };
}

// Fails near the step expected.
inline auto failing(ReproducedFigure printed, double expected, const std::string& note = {}) {
  return [=](const std::string& name, const VprkCourse& course, Reproduction& r) {
    r.rows.push_back(range_row(
        name + ": fails after step", printed, 0.7 * expected, 1.3 * expected, static_cast<double>(course.done),
        fmt::format("{}independent: {:g}{}", note, expected,
                    course.off > 0 ? fmt::format("; |p - theta(q)| had reached {:.1e}", course.off) : "")));
  };
}

// Radau IIA keeps the constraint, but the energy drifts, and upwards: with p = theta(q) in place of the equations of
// motion, for which Radau methods dissipate, nothing says which way.
inline ReproductionRow radau_row(const std::string& name, const VprkCourse& course) {
  return {.name = name + ": H(end)/H(0) - 1",
          .printed = "dissipates",
          .expected = "drifts upwards",
          .measured = course.last_energy,
          .ok = course.last_energy > 0 && course.energy.growth() > 5,
          .note =
              "an independent computation of two stages on Lotka-Volterra grows as well; only as a method for "
              "q' = Om^-1 grad H does it dissipate there"};
}

inline svg::Plot over_steps(const std::string& what) {
  return {.description = what + " over the steps", .x_label = "step", .y_label = what, .logarithmic = true};
}

}  // namespace livens
