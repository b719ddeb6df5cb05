// Where round-off of the energy comes from: every step of a pendulum run (bench/round_off.cpp) is also done in long
// double from the same state, with its remainders. The difference of the energies is the error of that step alone,
// taken after one more step in long double, which brings q back onto the circle. A drift is its mean; printed in parts
// of the orbit, from rest on the left over the lowest point and back, it shows where it arises and how the number of
// corrections goes with it. Errors that depend on the position alone do not matter: they cancel on the way back.
//
//   round_off_local galerkin|spark S STEPS START [FURTHER]     START: 0 .. 15, as in round_off
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "livens/method/galerkin.hpp"
#include "livens/method/spark.hpp"
#include "livens/system/lagrangian.hpp"

using namespace livens;

namespace {

struct Pendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 1;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return 0.5 * (v[0] * v[0] + v[1] * v[1]) - 9.81 * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};
using Long = long double;
using Double = Lagrangian<Pendulum>;
using Wide = Lagrangian<Pendulum, Long>;
constexpr double h = 0.1;

// A state in long double, to the last bit.
State<Wide> widened(const Wide& system, const State<Double>& x) {
  State<Wide> y(system);
  for (int i = 0; i < 2; ++i) {
    y.q[i] = Long(x.q[i]) + x.q_remainder[i], y.q_remainder[i] = Long(x.q_remainder[i]) - (y.q[i] - x.q[i]);
    y.p[i] = Long(x.p[i]) + x.p_remainder[i], y.p_remainder[i] = Long(x.p_remainder[i]) - (y.p[i] - x.p[i]);
  }
  return y;
}

Long energy(const State<Wide>& x) {
  const Long along = (x.q[0] * x.p[0] + x.q[1] * x.p[1]) / (x.q[0] * x.q[0] + x.q[1] * x.q[1]);
  const Long p0 = x.p[0] - along * x.q[0], p1 = x.p[1] - along * x.q[1];
  return (p0 * p0 + p1 * p1) / 2 + Long(9.81) * x.q[1];
}

struct Part {
  double count = 0, corrections = 0, sum = 0, squares = 0;
  void add(double error, int iterations) { ++count, corrections += iterations, sum += error, squares += error * error; }
  void print(const char* name) const {
    std::printf("%-6s %8.0f steps  %.2f corrections  mean %+.2e +- %.1e  rms %.1e\n", name, count, corrections / count,
                sum / count, std::sqrt(squares) / count, std::sqrt(squares / count));
  }
};

template <class DoubleStep, class WideStep, class Method>
void measure(const Method& method, long steps, int start, int further) {
  const Double system(Pendulum{});
  const Wide wide(Pendulum{});
  State<Double> x(system);
  const double angle = 0.6 + 0.05 * start, rate = 0.5 + 0.01 * start;
  x.q = {std::sin(angle), -std::cos(angle)};
  x.p = {-rate * x.q[1], rate * x.q[0]};
  DoubleStep step(system, method, {.further = further});
  WideStep exact(wide, method, {.further = 1});
  State<Wide> y = widened(wide, x);
  StepReport report;
  if (!step.start(0, x, x.p) || !exact.start(0, y, y.p)) std::exit(1);
  exact.advance(0, h, h, y, report);  // its first step is another one
  const auto advance = [&](double t, State<Wide>& z) {
    exact.resume(t, z);
    exact.advance(t, t + h, h, z, report);
    if (!succeeded(report.outcome)) std::exit(1);
  };

  std::vector<Part> parts(24);
  Part all;
  for (long n = 0; n < steps; ++n) {
    const double t = static_cast<double>(n) * h;
    const double height = 2 * std::sin(std::atan2(x.q[0], -x.q[1]) / 2),
                 turning = (x.q[0] * x.p[1] - x.q[1] * x.p[0]) / std::sqrt(9.81);
    const double phase = std::atan2(turning, height) / (2 * std::acos(-1.0)) + 0.5;
    State<Wide> without = widened(wide, x);
    if (n > 0) advance(t, without);
    StepReport rounded;
    step.advance(t, t + h, h, x, rounded);
    if (!succeeded(rounded.outcome)) std::exit(1);
    if (n == 0) continue;
    State<Wide> with = widened(wide, x);
    advance(t + h, without), advance(t + h, with);
    const auto error = static_cast<double>(energy(with) - energy(without));
    all.add(error, rounded.iterations);
    parts[static_cast<std::size_t>(phase * 24) % 24].add(error, rounded.iterations);
  }
  all.print("all");
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].print(std::to_string(i).c_str());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 5) return std::fprintf(stderr, "round_off_local galerkin|spark S STEPS START [FURTHER]\n"), 2;
  const std::string name = arguments[1];
  const int s = std::atoi(arguments[2]), start = std::atoi(arguments[4]),
            further = count > 5 ? std::atoi(arguments[5]) : 0;
  const auto steps = static_cast<long>(std::atof(arguments[3]));
  if (name == "galerkin")
    measure<Galerkin::Step<Double>, Galerkin::Step<Wide>>(Galerkin{.s = s}, steps, start, further);
  if (name == "spark") measure<Spark::Step<Double>, Spark::Step<Wide>>(Spark{.s = s}, steps, start, further);
}
