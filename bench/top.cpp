// The heavy top in director coordinates, 12 of them and 9 constraints, h = 0.002. Counted by bench/run.
//
//   METHOD fixed|formulas STEPS     ggl, rattle, energy-momentum, stabilised (energy-momentum), galerkin (s = w = 2);
//                                   C++ struct with jets and known sizes, or the model file
//
// With --time the nanoseconds of a step as well.
#include "method/top.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "livens/method/energy_momentum.hpp"
#include "livens/method/galerkin.hpp"
#include "livens/method/ggl.hpp"
#include "livens/method/rattle.hpp"
#include "livens/model/model.hpp"
#include "livens/system/lagrangian.hpp"

using namespace livens;

namespace {

template <class System, class Method>
double march(const System& system, const Method& method, long steps) {
  Vec<double, 12> q, v;
  test::Top{}.start(q, v);
  State<System> x(system);
  typename System::Coordinates rates(12), Lq(12);
  for (int i = 0; i < 12; ++i) x.q[i] = q[i], rates[i] = v[i];
  system.gradient(0, x.q, rates, Lq, x.p);
  typename Method::template Step<System> step(system, method, {});
  step.start(0, x, rates);
  StepReport report;
  long iterations = 0, jacobians = 0;
  constexpr double h = 0.002;
  for (long n = 0; n < steps; ++n) {
    const auto t = static_cast<double>(n) * h;
    step.advance(t, t + h, h, x, report);
    iterations += report.iterations, jacobians += report.jacobians;
    if (!succeeded(report.outcome)) std::exit(1);
  }
  std::printf("iterations %.2f jacobians %.2f\n", static_cast<double>(iterations) / static_cast<double>(steps),
              static_cast<double>(jacobians) / static_cast<double>(steps));
  return x.q[0];
}

template <class System>
double run(const System& system, const std::string& method, long steps) {
  if (method == "ggl") return march(system, Ggl{}, steps);
  if (method == "rattle") return march(system, Rattle{}, steps);
  if (method == "energy-momentum") return march(system, EnergyMomentum{}, steps);
  if (method == "stabilised") return march(system, EnergyMomentum{.stabilised = true}, steps);
  if (method == "galerkin") return march(system, Galerkin{.s = 2, .w = 2}, steps);
  std::fprintf(stderr, "top: no method %s\n", method.c_str());
  std::exit(2);
}

}  // namespace

int main(int count, char** arguments) {
  const bool timed = count == 5 && std::string(arguments[4]) == "--time";
  if (count != 4 && !timed) return std::fprintf(stderr, "top METHOD fixed|formulas STEPS [--time]\n"), 2;
  const long steps = std::atol(arguments[3]);
  const auto begin = std::chrono::steady_clock::now();
  double end = 0;
  if (std::string(arguments[2]) == "fixed")
    end = run(Lagrangian<test::Top>(test::Top{}), arguments[1], steps);
  else
    end = run(FormulaLagrangian<double>(load_model("top", {}).system->lagrangian()), arguments[1], steps);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  std::printf("%.17g\n", end);
  if (timed) std::printf("%.0f\n", taken.count() / static_cast<double>(steps));
}
