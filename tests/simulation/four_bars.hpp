// Random four-bar linkages of Grashof's kind that nearly can fold flat, and runs of them whose every row is looked at.
//
// The crank turns about the origin, the rocker about (d, 0); B and C are their ends, joined by the coupler. With
// crank a, coupler b, rocker c and the shortest bar a or d,
//
//   (1)  (b + c) - (a + d) = gap   or   |d - a| - |b - c| = gap ,
//
// B, C and the foot of the rocker are never on one line, so that their orientation is that of the assembly mode.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "livens/methods/methods.hpp"
#include "livens/simulation/simulate.hpp"

namespace four_bars {

using namespace livens;

struct FourBar {
  double a, b, c, d;
  std::string text;
  // Orientation of B, C and the foot of the rocker.
  double orientation(std::span<const double> q) const {
    return (q[2] - q[0]) * (0 - q[3]) - (q[3] - q[1]) * (d - q[2]);
  }
};

class RandomFourBar {
 public:
  explicit RandomFourBar(unsigned seed) : random_(seed) {}

  // Gaps between these.
  FourBar operator()(double least, double largest) {
    const double gap = uniform(least, largest), shortest = uniform(0.3, 0.8), longer = uniform(1.0, 2.0);
    const bool crank_is_shortest = choice(2) == 0;
    FourBar f{};
    (crank_is_shortest ? f.a : f.d) = shortest;
    (crank_is_shortest ? f.d : f.a) = longer;
    if (choice(2) == 0) {  // b + c = a + d + gap
      f.b = uniform(shortest + 0.2, longer), f.c = f.a + f.d + gap - f.b;
    } else {  // |b - c| = |d - a| - gap
      f.b = uniform(shortest + 0.2, 2.0), f.c = f.b + longer - shortest - gap;
      if (choice(2) == 0) std::swap(f.b, f.c);
    }
    // From a crank angle, in one of both modes; the rest follows.
    const double angle = uniform(-3, 3), side = choice(2) == 0 ? 1 : -1;
    const double x1 = f.a * std::cos(angle), y1 = f.a * std::sin(angle), dx = f.d - x1, dy = -y1;
    const double distance = std::hypot(dx, dy), along = (distance * distance + f.b * f.b - f.c * f.c) / (2 * distance),
                 across = side * std::sqrt(std::max(f.b * f.b - along * along, 0.0));
    const double x2 = x1 + (along * dx - across * dy) / distance, y2 = y1 + (along * dy + across * dx) / distance;
    // The crank's speed; that of C is perpendicular to the rocker and has the crank's part along the coupler.
    const double speed = uniform(0.5, 3) * (choice(2) == 0 ? 1 : -1), u1 = -speed * y1, v1 = speed * x1;
    const double cross = (x2 - x1) * -y2 + (y2 - y1) * (x2 - f.d),
                 rate = cross != 0 ? ((x2 - x1) * u1 + (y2 - y1) * v1) / cross : 0;
    f.text = fmt::format(
        "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x1\", \"y1\", \"x2\", \"y2\"]\n"
        "lagrangian = \"{:.3f}/2*(x1'^2 + y1'^2) + {:.3f}/2*(x2'^2 + y2'^2) - {:.3f}*(y1 + y2)\"\n"
        "constraints = [\"(x1^2 + y1^2 - {:.17g}^2)/2\", \"((x2 - x1)^2 + (y2 - y1)^2 - {:.17g}^2)/2\", "
        "\"((x2 - {:.17g})^2 + y2^2 - {:.17g}^2)/2\"]\n"
        "[initial]\nq = [{:.17g}, {:.17g}, {:.17g}, {:.17g}]\nv = [{:.17g}, {:.17g}, {:.17g}, {:.17g}]\n"
        "project = true\n",
        uniform(0.5, 2), uniform(0.5, 2), choice(2) * uniform(0, 3), f.a, f.b, f.d, f.c, x1, y1, x2, y2, u1, v1,
        -rate * y2, rate * (x2 - f.d));
    return f;
  }

 private:
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  int choice(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::mt19937_64 random_;
};

// Methods that are made for Lagrangian systems with constraints, as lines of [method].
inline const std::vector<std::string>& all_methods() {
  static const std::vector<std::string> methods = {
      "name = \"rattle\"",
      "name = \"shake\"",
      "name = \"galerkin\"\ns = 1",
      "name = \"galerkin\"",
      "name = \"galerkin\"\ns = 3\nw = 2",
      "name = \"galerkin\"\ns = 4",
      "name = \"spark\"",
      "name = \"hbvm\"",
      "name = \"hbvm\"\niteration = \"newton\"",
      "name = \"hbvm\"\ns = 3\nr = 2\niteration = \"newton\"",
      "name = \"ggl\"",
      "name = \"classical-ggl\"",
      "name = \"energy-momentum\"",
      "name = \"energy-momentum\"\nstabilised = true",
      "name = \"constrained-euler\"",
      "name = \"constrained-euler\"\nconjugate = true",
  };
  return methods;
}

struct Run {
  bool changed = false;   // its assembly mode, in a row
  bool needless = false;  // the watch of branches has refused a state of the same mode, and not far away
  RunResult result;
  bool refused() const { return result.report.outcome == RunOutcome::failed; }
  bool told() const {
    return result.message.find("singular configuration") != std::string::npos ||
           result.message.find("not known whether the motion") != std::string::npos;
  }
};

inline Run run(const FourBar& f, const std::string& method, double step, long long steps) {
  struct Rows : RowSink {
    const FourBar& f;
    const Columns& columns;
    Run& run;
    double first = 0, last = 0;
    Rows(const FourBar& linkage, const Columns& c, Run& r) : f(linkage), columns(c), run(r) {}
    void write(std::span<const double> row) override {
      const double now = f.orientation(part_of(row, columns, Role::position));
      if (first == 0) first = now;
      if (now * first < 0) run.changed = true;
      last = now;
    }
  };
  const Model model = read_model(
      "four-bar", fmt::format("{}[method]\n{}\n[run]\nstep = {:.17g}\nsteps = {}\n", f.text, method, step, steps));
  const MethodEntry& entry = choose_method(methods(), model);
  Run run;
  std::optional<Rows> rows;
  Columns columns;
  RunContext context;
  context.open_rows = [&](const Columns& c) -> RowSink* {
    columns = c;
    return &rows.emplace(f, columns, run);
  };
  run.result = simulate(model, entry, read_options(model, entry), context);
  if (const auto& failure = run.result.report.failure) {
    const std::vector<double>&from = run.result.report.attempt.from.q, &to = run.result.report.attempt.to.q;
    run.needless = failure->outcome == Outcome::other_root && failure->part == StepPart::audit &&
                   f.orientation(to) * rows->last > 0 && std::hypot(to[0] - from[0], to[1] - from[1]) < f.a &&
                   std::hypot(to[2] - from[2], to[3] - from[3]) < f.c;
  }
  return run;
}

}  // namespace four_bars
