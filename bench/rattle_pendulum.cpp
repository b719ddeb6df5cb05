// RATTLE steps of the planar pendulum, h = 0.01, six ways. Counted by bench/run.
//
//   hand      written out for this one system: the lower bound
//   given     Livens, fixed sizes, derivatives given by the system
//   jets      Livens, fixed sizes, derivatives by jets
//   formula   Livens, formulas as in a model file, the sizes known when compiling
//   runtime   the same with run-time sizes
//   audited   `formula` through the time loop with the audit of every step, as `livens run` does it
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "livens/formula/names.hpp"
#include "livens/method/rattle.hpp"
#include "livens/model/lagrangian_formulas.hpp"
#include "livens/run/march.hpp"

using namespace livens;

namespace {

constexpr double h = 0.01, g = 9.81;
const double q0[] = {std::sin(1.0), -std::cos(1.0)}, v0[] = {0.5 * std::cos(1.0), 0.5 * std::sin(1.0)};

double hand_written(long steps) {
  double x = q0[0], y = q0[1], px = v0[0], py = v0[1], mu = 0;
  for (long n = 0; n < steps; ++n) {
    const double cy = py - h / 2 * g;
    double ux = px - x * mu, uy = cy - y * mu, x1 = x + h * ux, y1 = y + h * uy;
    for (int k = 0; k < 3; ++k) {
      const double d = (x1 * x1 + y1 * y1 - 1) / (2 * h * (x1 * x + y1 * y));
      mu += d;
      ux -= x * d;
      uy -= y * d;
      x1 = x + h * ux;
      y1 = y + h * uy;
      if (std::abs(d) < 1e-9) break;
    }
    uy -= h / 2 * g;
    const double nu = (x1 * ux + y1 * uy) / (x1 * x1 + y1 * y1);
    px = ux - x1 * nu;
    py = uy - y1 * nu;
    x = x1;
    y = y1;
  }
  return x;
}

struct Pendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 1;
  double m = 1, l = 1, gravity = g;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1]) - m * gravity * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - l * l) / 2};
  }
};

struct PendulumWithDerivatives : Pendulum {
  template <class T>
  Vec<T, 2> potential_gradient(const Vec<T, 2>&) const {
    return {T(0), T(m * gravity)};
  }
  template <class T>
  Mat<T, 1, 2> constraint_jacobian(const Vec<T, 2>& q) const {
    Mat<T, 1, 2> G;
    G(0, 0) = q[0], G(0, 1) = q[1];
    return G;
  }
};

template <class System>
StartValues<System> start_values(const System& system) {
  StartValues<System> start(system);
  for (int i = 0; i < 2; ++i) start.q[i] = q0[i], start.v[i] = v0[i];
  if (start.make_consistent(false, {})) std::abort();
  return start;
}

// The steps alone: what a user's own loop costs.
template <class System>
[[gnu::flatten]] double steps_alone(const System& system, long steps) {
  const StartValues<System> start = start_values(system);
  Rattle::Step<System> step(system, Rattle{}, {});
  State<System> x(system);
  x.q = start.q, x.p = start.p;
  step.start(0.0, x, start.v);
  StepReport report;
  for (long n = 0; n < steps; ++n) {
    step.advance(static_cast<double>(n) * h, static_cast<double>(n + 1) * h, h, x, report);
    if (!succeeded(report.outcome)) std::abort();
  }
  return x.q[0];
}

#ifndef LIVENS_RATIO_ONLY
template <class System>
double audited(const System& system, long steps) {
  March<System> run(system, Rattle{}, {.t0 = 0, .step = h, .steps = steps});
  run.run(start_values(system), nullptr, nullptr);
  return run.final_state().q[0];
}

template <int N, int M>
FormulaLagrangian<double, N, M> formulas() {
  using F = LagrangianFormulas;
  formula::Graph graph;
  F::Formulas f;
  {
    formula::Names names(graph);
    int i = 0;
    for (const std::string name : {"x", "y"}) {
      names.add_variable(name, {F::q, i});
      names.add_variable(name + "'", {F::v, i++});
    }
    names.add_constant("m", 1);
    names.add_constant("l", 1);
    names.add_constant("g", g);
    f.lagrangian = names.parse("m/2*(x'^2 + y'^2) - m*g*y");
    f.constraints = {names.parse("(x^2 + y^2 - l^2)/2")};
  }
  return FormulaLagrangian<double, N, M>(std::make_shared<const F>(std::move(graph), 2, std::move(f)));
}
#endif

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  const long steps = argc > 2 ? std::atol(argv[2]) : 1000;
  double x = 0;
  if (way == "hand")
    x = hand_written(steps);
  else if (way == "given")
    x = steps_alone(Lagrangian<PendulumWithDerivatives>(PendulumWithDerivatives{}), steps);
#ifndef LIVENS_RATIO_ONLY  // the test "ratio" needs no more, and compiles three times faster
  else if (way == "jets")
    x = steps_alone(Lagrangian<Pendulum>(Pendulum{}), steps);
  else if (way == "formula")
    x = steps_alone(formulas<2, 1>(), steps);
  else if (way == "runtime")
    x = steps_alone(formulas<Dynamic, Dynamic>(), steps);
  else if (way == "audited")
    x = audited(formulas<2, 1>(), steps);
#endif
  else
    return std::fprintf(stderr, "rattle_pendulum hand | given | jets | formula | runtime | audited  STEPS\n"), 2;
  std::printf("%.17g\n", x);
}
