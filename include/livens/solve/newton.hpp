// Newton's method with a kept factorisation.
//
// One matrix per solve; a new one where the contraction is poor. The iteration stops on the increment: with
// theta = |dx_k| / |dx_{k-1}| the error left after correction k is at most theta/(1-theta) |dx_k|, and that has to be
// at round-off. Increments that stop decreasing a little above it are the round-off floor of the residual and count as
// converged too (Outcome::residual_floor); those of a new matrix also well above it if they do not decrease at all: the
// residual is rounded so much, as far from the origin.
//
// The equations own unknowns, residual and matrix; they offer
//   Real residual()    evaluate at the current unknowns; returns the scaled size (not finite: left the domain)
//   bool factorise()   matrix at the current unknowns; false if singular
//   Real correct()     solve, apply the correction, return its size relative to that of the unknowns
#pragma once

#include <algorithm>
#include <type_traits>

#include "livens/math/scalar.hpp"
#include "livens/solve/outcome.hpp"

namespace livens {

template <class Real>
struct SolverSettings {
  Real tolerance = Real(0);  // relative increment that counts as converged; 0: round-off
  int iterations = 30;
  int further = 0;  // corrections after the last one that is needed (bench/round_off.cpp measures what they do)
};

// Equations may judge unknowns one by one with `bool settled(left)`, left being the error relative to the last
// correction; where a tolerance is asked for, the sum of all decides alone.
template <class Equations, class Real>
bool settled(const Equations& equations, const Real& left, const SolverSettings<Real>& settings) {
  if constexpr (requires { equations.settled(left); })
    return settings.tolerance > Real(0) || equations.settled(left);
  else
    return true;
}

// Whether the last correction is at round-off in every unknown by itself: far from the origin that may be much in all.
// Equations in which the round-off of one unknown moves others say so themselves, `bool lost_in_rounding()`.
template <class Equations>
bool lost_in_rounding(const Equations& equations) {
  if constexpr (requires { equations.lost_in_rounding(); })
    return equations.lost_in_rounding();
  else if constexpr (requires { equations.settled(1); })
    return equations.settled(1);
  else
    return false;
}

// Equations may know the round-off of their residual, `bool at_floor()`: once it is reached after a correction, a
// further one would only add noise. Not asked at the guess, whose error has a sign that repeats from step to step.
template <class Equations>
bool at_floor(const Equations& equations) {
  if constexpr (requires { equations.at_floor(); })
    return equations.at_floor();
  else
    return false;
}

// Equations may see that the iteration leads to a root that is not wanted, `bool given_up()`: then it ends as stalled.
template <class Equations>
bool given_up(const Equations& equations) {
  if constexpr (requires { equations.given_up(); })
    return equations.given_up();
  else
    return false;
}

// Equations may keep one matrix for good, `bool keeps_matrix()`: a slow contraction is then no sign of round-off.
template <class Equations>
bool keeps_matrix(const Equations& equations) {
  if constexpr (requires { equations.keeps_matrix(); })
    return equations.keeps_matrix();
  else
    return false;
}

// Equations may ask for a new matrix with every correction, `bool renews_matrix()`: a kept one may lead past a fold of
// the equations, to another root.
template <class Equations>
bool renews_matrix(const Equations& equations) {
  if constexpr (requires { equations.renews_matrix(); })
    return equations.renews_matrix();
  else
    return false;
}

// The size of a correction beside that of the unknowns; where nothing is and nothing moves, 0.
template <class Real>
Real relative_to(const Real& size, const Real& correction) {
  return size > Real(0) ? Real(correction / size) : correction;
}

// The part of round-off that may be left. What is left of good guesses repeats its sign from step to step and adds up
// over long runs: equations may ask for less of it, `int margin()`.
template <class Equations>
int margin(const Equations& equations) {
  if constexpr (requires { equations.margin(); })
    return equations.margin();
  else
    return 1;
}

// Equations may end with a correction that nobody looks at, `bool ends_unseen()`. To end where a correction at
// round-off happens to be small chooses among rounding errors, and what is evaluated beside the solution is rounded in
// another way on one side of it than on the other: both have a sign that repeats from step to step, and energy drifts
// by it. So the last residual is one of a point where nothing but rounding is left, and its correction counts whatever
// it is; after increments that stop decreasing, too.
template <class Equations>
bool ends_unseen(const Equations& equations) {
  if constexpr (requires { equations.ends_unseen(); })
    return equations.ends_unseen();
  else
    return false;
}

// The residual of such a correction may be evaluated with more digits, `Real last_residual()`.
template <class Equations>
void last_residual(Equations& equations) {
  if constexpr (requires { equations.last_residual(); })
    equations.last_residual();
  else
    equations.residual();
}

// The report is the caller's, so that nothing is set up in a step but what it says.
template <class T, class Equations>
void newton(Equations& equations, const SolverSettings<RealOf<T>>& settings, StepReport& report) {
  using Real = RealOf<T>;
  constexpr Real poor_contraction = Real(1) / 16;  // beyond this a new matrix costs less than the iterations it saves
  const Real floor = std::max(settings.tolerance, epsilon<T>() / 2);
  const Real floor_reached = 1024 * floor;  // stagnation below this is round-off, above it failure
  const Real noise =
      1048576 * epsilon<T>();  // increments of a new matrix that do not decrease are round-off below this
  const Real enough = settings.tolerance > Real(0) ? floor : floor / margin(equations);

  report.outcome = Outcome::converged;
  report.iterations = report.jacobians = report.evaluations = 0;
  report.floor = to_double(floor);
  // At the guess the equations themselves are not finite; later the iteration has left where they are defined.
  const auto not_finite = [](int k) { return k == 1 ? Outcome::not_finite : Outcome::left_domain; };
  Real before(0), last_contraction(1);
  bool fresh = true;
  for (int k = 1;; ++k) {
    const Real residual = equations.residual();
    if (k <= StepReport::history_size) report.history[static_cast<std::size_t>(k - 1)] = to_double(residual);
    report.residual = to_double(residual);
    if (k > 1 && at_floor(equations)) {
      report.evaluations = k;
      break;
    }
    if (fresh) {
      ++report.jacobians;
      if (!equations.factorise()) {
        // Far from the guess a singular matrix says nothing about the configuration.
        const bool diverged = k > 1 && report.residual > report.history[0];
        report.outcome = !is_finite(residual) ? not_finite(k)
                         : diverged           ? Outcome::stalled
                                              : Outcome::singular_jacobian;
        return;
      }
    }
    const Real increment = equations.correct();
    report.iterations = report.evaluations = k;
    report.increment = to_double(increment);
    if (!is_finite(increment)) {
      report.outcome = not_finite(k);
      return;
    }
    const auto stall = [&] {
      report.outcome = Outcome::stalled;
      report.contraction = k > 1 ? to_double(increment / before) : 0;
    };
    if (given_up(equations)) return stall();
    // The error that is left, relative to this correction: theta/(1-theta), and not known after the first one; with a
    // kept matrix also not after the second, since a good guess errs where that matrix is good. Of two contractions
    // the poorer one counts: a single one may be small by chance.
    const bool slow = keeps_matrix(equations);
    const int unknown = slow ? 2 : 1;
    const Real contraction = k > unknown ? increment / before : Real(1);
    const Real poorer = k > unknown + 1 ? std::max(contraction, last_contraction) : contraction;
    const Real left = 2 * poorer < Real(1) || (slow && poorer < Real(1)) ? poorer / (1 - poorer) : Real(1);
    last_contraction = contraction;
    const auto correct_again = [&] {
      last_residual(equations);
      equations.correct();
      ++report.iterations, ++report.evaluations;
    };
    if (left * increment <= enough) {
      if (settings.tolerance <= Real(0) && ends_unseen(equations)) {
        int unseen = 1;
        for (Real then = left; unseen < 3 && !settled(equations, then, settings); ++unseen) then *= poorer;
        for (int more = 0; more < unseen; ++more) correct_again();
      } else {
        for (int more = 1; more <= 2 && !settled(equations, left, settings); ++more) correct_again();
      }
      for (int more = 0; more < settings.further; ++more) correct_again();
      break;
    }
    const bool stagnates = k > 1 && (slow ? increment >= before : 2 * increment >= before);
    const bool noisy = k > 1 && fresh && !slow && increment >= before && increment <= noise;
    if (noisy || (stagnates && (increment <= floor_reached || lost_in_rounding(equations)))) {
      report.outcome = Outcome::residual_floor;
      if (settings.tolerance <= Real(0) && ends_unseen(equations)) correct_again();
      break;
    }
    if (k >= settings.iterations) return stall();
    fresh = renews_matrix(equations) || (k > 1 && increment > poor_contraction * before);
    before = increment;
  }
  if constexpr (!std::is_same_v<T, Real>) {  // jets: one exact correction carries the derivatives to the solution
    equations.residual();
    if (!equations.factorise()) report.outcome = Outcome::singular_jacobian;
    equations.correct();
  }
}

}  // namespace livens
