// Newton's method from far away: damped corrections, judged by the natural monotonicity test.
// Source: Deuflhard, Newton Methods for Nonlinear Problems (2004), section 3.3, algorithm NLEQ-ERR.
//
//   dx  = -F'(x)^-1 F(x)                        Newton's correction
//   bar = -F'(x)^-1 F(x + a dx)                 the simplified one after it, with the same matrix
//   accepted if  |bar| <= (1 - a/4) |dx| ;      else a smaller a, from the estimate  a <= |dx| a^2/2 / |bar - (1-a) dx|
//   first a of the next x:  |dx_old| |bar| a / (|bar - dx_new| |dx_new|)
//
// The test does not change when equations are given in other units or combined with each other. It ends where full
// corrections are small and contract by 1/4 at least: from there newton.hpp goes on to round-off.
//
// The equations offer residual and factorise as for newton.hpp, and with the factorised matrix
//   Real find_correction()      dx for the residual at hand; its size relative to that of the unknowns
//   void try_correction(a)      unknowns where dx was found, plus a dx
//   Real find_simplified()      bar, for the residual at hand
//   Real distance_of_simplified(b)   |bar - b dx|
//   bool stopped()              asked before every new matrix: somebody wants an end
#pragma once

#include <algorithm>
#include <cmath>

#include "livens/math/scalar.hpp"
#include "livens/solve/newton.hpp"
#include "livens/solve/outcome.hpp"

namespace livens {

// Outcome::stalled: no correction is short enough, or the iterations are used up.
template <class T, class Equations>
void damped_newton(Equations& equations, const SolverSettings<RealOf<T>>& settings, StepReport& report) {
  using Real = RealOf<T>;
  using std::sqrt;
  const Real shortest = Real(1) / (1 << 20), good = Real(1) / 4;
  const Real near = Real(1) / 1024;       // of the unknowns; a contraction from further away may be good by chance
  const Real close = sqrt(epsilon<T>());  // below, round-off may decide the test

  report = StepReport{};
  Real damping(1), before(0), simplified(0);
  const auto evaluate = [&] {
    ++report.evaluations;
    return equations.residual();
  };
  for (int k = 1; k <= settings.iterations && !equations.stopped(); ++k) {
    const Real residual = evaluate();
    if (k <= StepReport::history_size) report.history[static_cast<std::size_t>(k - 1)] = to_double(residual);
    report.residual = to_double(residual);
    ++report.jacobians;
    if (!equations.factorise()) {
      report.outcome = is_finite(residual) ? Outcome::singular_jacobian : Outcome::not_finite;
      return;
    }
    report.iterations = k;
    const Real size = equations.find_correction();
    report.increment = to_double(size);
    if (!is_finite(size)) {
      report.outcome = Outcome::not_finite;
      return;
    }
    if (size <= close) return;
    if (k > 1) {
      const Real change = equations.distance_of_simplified(Real(1)) * size;
      damping = before * simplified * damping < change ? before * simplified * damping / change : Real(1);
    }
    for (;; damping /= 2) {
      if (!(damping >= shortest)) {
        report.outcome = Outcome::stalled;
        return;
      }
      equations.try_correction(damping);
      if (!is_finite(evaluate())) continue;
      simplified = equations.find_simplified();
      if (!is_finite(simplified)) continue;
      if (simplified <= (1 - damping / 4) * size) break;
      const Real bend = equations.distance_of_simplified(1 - damping);
      if (size * damping < bend) damping *= size * damping / bend;
    }
    if (damping == Real(1) && size <= near && simplified <= good * size) return;
    before = size;
  }
  report.outcome = Outcome::stalled;
}

// Damped corrections, and then Newton's method to round-off. The report is that of the last one, with the history of
// the way; what both cost is added to what it has counted before.
template <class T, class Equations>
void newton_from_far(Equations& equations, const SolverSettings<RealOf<T>>& settings, StepReport& report) {
  const auto add_cost = [&](const StepReport& of) {
    report.iterations += of.iterations, report.jacobians += of.jacobians, report.evaluations += of.evaluations;
  };
  const StepReport before = report;
  damped_newton<T>(equations, settings, report);
  if (succeeded(report.outcome)) {
    const StepReport damped = report;
    SolverSettings<RealOf<T>> rest = settings;
    rest.iterations = std::max(1, settings.iterations - damped.iterations);
    newton<T>(equations, rest, report);
    report.history = damped.history;
    add_cost(damped);
  }
  add_cost(before);
}

}  // namespace livens
