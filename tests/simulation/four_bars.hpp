// Random four-bar linkages of Grashof's kind that nearly can fold flat, and runs of them.
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

#include "simulation/branch_runs.hpp"

namespace four_bars {

using namespace branch_runs;

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

inline Run run(const FourBar& f, const std::string& method, double step, long long steps) {
  return branch_runs::run(
      {f.text, [&](double, std::span<const double> q) { return std::vector<int>{f.orientation(q) > 0 ? 1 : -1}; },
       false,
       [&](std::span<const double> from, std::span<const double> to) {
         return std::hypot(to[0] - from[0], to[1] - from[1]) < f.a &&
                std::hypot(to[2] - from[2], to[3] - from[3]) < f.c;
       }},
      method, step, steps);
}

}  // namespace four_bars
