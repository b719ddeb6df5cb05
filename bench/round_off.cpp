// How round-off of the energy grows: 16 pendulum runs, h = 0.1, g = 9.81, of methods whose own error of the energy is
// at round-off or averages out (means over 500 steps, against that of the first 500). Prints the rms over the starts
// after 10^3.5, 10^4, .. steps and the exponent of its growth; 0.5 is a random walk, 1 a drift. Energies are evaluated
// in the next wider scalar at q and p with their remainders, momenta projected where the method carries others.
//
//   round_off galerkin|spark|hbvm|hbvm-newton S STEPS [STARTS [FURTHER [extended]]]
//
// FURTHER: corrections more in every step; extended: in long double, whose unit of rounding is 2048 times smaller.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "livens/method/galerkin.hpp"
#include "livens/method/hbvm.hpp"
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
template <class T>
using Wider = std::conditional_t<std::is_same_v<T, double>, long double, Widest>;

template <class System>
auto energy(const State<System>& x, bool projected) {
  using Long = Wider<typename System::Scalar>;
  Long q[2], p[2];
  for (int i = 0; i < 2; ++i) q[i] = Long(x.q[i]) + x.q_remainder[i], p[i] = Long(x.p[i]) + x.p_remainder[i];
  const Long along = projected ? (q[0] * p[0] + q[1] * p[1]) / (q[0] * q[0] + q[1] * q[1]) : Long(0);
  p[0] -= along * q[0], p[1] -= along * q[1];
  return (p[0] * p[0] + p[1] * p[1]) / 2 + Long(9.81) * q[1];
}

struct Runs {
  long steps = 0;
  int starts = 16, further = 0;
};

template <class T, class Method>
void measure(const Method& method, bool projected, const Runs& runs) {
  using System = Lagrangian<Pendulum, T>;
  using Long = Wider<T>;
  constexpr long window = 500;
  const T h = 0.1;
  std::vector<long> nodes;
  for (double n = std::sqrt(1e7); n < 1.01 * static_cast<double>(runs.steps); n *= std::sqrt(10.0))
    nodes.push_back(std::lround(n));
  std::vector<Long> squares(nodes.size()), means(nodes.size());
  const System system(Pendulum{});
  for (int k = 0; k < runs.starts; ++k) {
    State<System> x(system);
    using std::sin, std::cos;
    const T angle = 0.6 + 0.05 * k, rate = 0.5 + 0.01 * k;
    x.q = {sin(angle), -cos(angle)};
    x.p = {-rate * x.q[1], rate * x.q[0]};
    typename Method::template Step<System> step(system, method, {.further = runs.further});
    if (!step.start(0, x, x.p)) std::exit(1);
    const Long first = energy(x, projected);
    Long at_start = 0, now = 0;
    StepReport report;
    std::size_t next = 0;
    for (long n = 1; n <= runs.steps && next < nodes.size(); ++n) {
      const T t = static_cast<T>(n) * h;
      step.advance(t - h, t, h, x, report);
      if (!succeeded(report.outcome)) std::exit(1);
      if (n > window && n <= nodes[next] - window) continue;
      const Long error = (energy(x, projected) - first) / window;
      if (n <= window) at_start += error;
      if (n > nodes[next] - window) now += error;
      if (n < nodes[next]) continue;
      squares[next] += (now - at_start) * (now - at_start) / runs.starts, means[next] += (now - at_start) / runs.starts;
      ++next, now = 0;
    }
  }
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double rms = std::sqrt(static_cast<double>(squares[i])), a = std::log(static_cast<double>(nodes[i]));
    std::printf("%10ld steps   rms %.2e   mean %+.2e\n", nodes[i], rms, static_cast<double>(means[i]));
    x += a, y += std::log(rms), xx += a * a, xy += a * std::log(rms);
  }
  const auto count = static_cast<double>(nodes.size());
  std::printf("exponent %.2f\n", (count * xy - x * y) / (count * xx - x * x));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4)
    return std::fprintf(stderr, "round_off galerkin|spark|hbvm|hbvm-newton S STEPS [STARTS [FURTHER [extended]]]\n"), 2;
  const std::string name = arguments[1];
  const int s = std::atoi(arguments[2]);
  Runs runs{.steps = static_cast<long>(std::atof(arguments[3]))};
  if (count > 4) runs.starts = std::atoi(arguments[4]);
  if (count > 5) runs.further = std::atoi(arguments[5]);
  const auto in_precision = [&](const auto& method, bool projected) {
    count > 6 ? measure<long double>(method, projected, runs) : measure<double>(method, projected, runs);
  };
  if (name == "galerkin") in_precision(Galerkin{.s = s}, true);
  if (name == "spark") in_precision(Spark{.s = s}, true);
  if (name == "hbvm") in_precision(Hbvm{.k = s, .s = s}, false);
  if (name == "hbvm-newton") in_precision(Hbvm{.k = s, .s = s, .iteration = Hbvm::Iteration::newton}, false);
}
