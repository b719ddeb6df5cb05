// Constraints that hold on many sheets beside each other, some of which a step may leap over.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "simulation/branch_runs.hpp"

namespace sheets {

using namespace branch_runs;

// g = function(frequency u) has one at every  u = k pi / frequency .
inline int sheet(double frequency, double u) {
  return static_cast<int>(std::lround(frequency * u / std::numbers::pi));
}

struct Motion {
  double gravity = 0, speed = 1;
};

// Constraints are of no degree, and some methods do not take any that depend on time.
inline bool takes(const std::string& method, const Branched& system) {
  const auto is = [&](const char* word) { return method.find(word) != std::string::npos; };
  return !is("stabilised") && !(system.moves && (is("hbvm") || is("energy-momentum") || is("ggl")));
}

// Along y = a x^2 + drift t, from x = 0.3.
struct Parabolas {
  std::string function = "sin";
  double frequency = 10, a = 1, drift = 0;
};
inline Branched parabolas(const Parabolas& p, const Motion& m) {
  const double x = 0.3;
  return {fmt::format("[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\n"
                      "lagrangian = \"(x'^2 + y'^2)/2 - {:.17g}*y\"\n"
                      "constraints = [\"{}({:.17g}*(y - {:.17g}*x^2{}))\"]\n"
                      "[initial]\nq = [{}, {:.17g}]\nv = [{:.17g}, {:.17g}]\nproject = true\n",
                      m.gravity, p.function, p.frequency, p.a, p.drift == 0 ? "" : fmt::format(" - {:.17g}*t", p.drift),
                      x, p.a * x * x, m.speed, 2 * p.a * x * m.speed + p.drift),
          [p](double t, std::span<const double> q) {
            return std::vector<int>{sheet(p.frequency, q[1] - p.a * q[0] * q[0] - p.drift * t)};
          },
          p.drift != 0};
}

// The first ones as an overdetermined system.
inline Branched overdetermined_parabolas(double speed) {
  return {fmt::format("[system]\nkind = \"odae\"\npositions = [\"x\", \"y\"]\nvelocities = [\"u\", \"w\"]\n"
                      "multipliers = [\"l\"]\nvelocity = [\"u\", \"w\"]\nforce = [\"0\", \"-9.81\"]\n"
                      "reaction = [\"20*x*cos(10*(y - x^2))*l\", \"-10*cos(10*(y - x^2))*l\"]\n"
                      "constraints = [\"sin(10*(y - x^2))\"]\n[initial]\ny = [0.3, 0.09]\nz = [{:.17g}, {:.17g}]\n",
                      speed, 0.6 * speed),
          [](double, std::span<const double> q) { return std::vector<int>{sheet(10, q[1] - q[0] * q[0])}; }};
}

// The same in space and z = x^2 as well.
inline Branched pairs_of_parabolas(double frequency_y, double frequency_z, const Motion& m) {
  return {fmt::format("[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\", \"z\"]\n"
                      "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - {:.17g}*z\"\n"
                      "constraints = [\"sin({:.17g}*(y - x^2))\", \"sin({:.17g}*(z - x^2))\"]\n"
                      "[initial]\nq = [0.3, 0.09, 0.09]\nv = [{:.17g}, {:.17g}, {:.17g}]\nproject = true\n",
                      m.gravity, frequency_y, frequency_z, m.speed, 0.6 * m.speed, 0.6 * m.speed),
          [=](double, std::span<const double> q) {
            return std::vector<int>{sheet(frequency_y, q[1] - q[0] * q[0]), sheet(frequency_z, q[2] - q[0] * q[0])};
          }};
}

// About a centre, from the one with this number.
inline Branched shells(double frequency, int number, const Motion& m) {
  return {fmt::format("[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\", \"z\"]\n"
                      "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - {:.17g}*z\"\n"
                      "constraints = [\"sin({:.17g}*sqrt(x^2 + y^2 + z^2))\"]\n"
                      "[initial]\nq = [{:.17g}, 0, 0]\nv = [0, {:.17g}, {:.17g}]\nproject = true\n",
                      m.gravity, frequency, number * std::numbers::pi / frequency, m.speed, m.speed / 10),
          [=](double, std::span<const double> q) {
            return std::vector<int>{sheet(frequency, std::hypot(q[0], q[1], q[2]))};
          },
          false,
          [](std::span<const double> from, std::span<const double> to) {
            const double r = std::hypot(from[0], from[1], from[2]);
            return std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) < r;
          }};
}

inline Branched random_sheets(unsigned seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const Motion motion{random() % 2 == 0 ? 0 : uniform(1, 10), uniform(0.5, 4)};
  const double frequency = uniform(4, 15);
  switch (random() % 5) {
    case 0:
      return parabolas({"sin", frequency, uniform(0.5, 2)}, motion);
    case 1:
      return parabolas({"tan", frequency, uniform(0.5, 2)}, motion);
    case 2:
      return parabolas({"sin", frequency, uniform(0.5, 2), uniform(-2, 2)}, motion);
    case 3:
      return pairs_of_parabolas(frequency, uniform(4, 15), motion);
    default:
      return shells(frequency, 1 + static_cast<int>(random() % 4), motion);
  }
}

}  // namespace sheets
