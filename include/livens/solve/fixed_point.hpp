// Fixed-point iteration  x <- Phi(x)  in sweeps, down to round-off.
//
// d_k: size of the change by sweep k relative to that of the unknowns. Sweeps go on until their changes no longer
// decrease, and then one more is made: what is left of an approach that ends early has the same sign in every step of a
// run, and what the method conserves drifts by it. Nor is the first change that does not decrease the end: where Phi
// has complex eigenvalues, changes go up and down on their way. So the rule is, best being the smallest d so far:
//
//   near    best <= 4096 floor: from here on changes may be round-off.    floor = eps/4, or the tolerance
//   ends    near, and no smaller change in as many sweeps as contract by 16 at the rate of the approach (patience);
//           or in 3 sweeps, and the unknowns do not feel the last change; or in 32, and best <= 2^20 eps
//   fails   d_k > 64 best and not near: the root that was approached is left again;
//           or too many sweeps, or d_k > 10^6 after 20 of them
//
// What the numbers are for, measured with hbvm; others are tried where the constants stand:
//   spring   pendulum that carries a mass on a stiff spring, s = 2, h = 0.15: 44 sweeps a step, energy to 3e-13
//   springs  two stiff springs, s = 4, h = 0.03: 58 sweeps, changes go up and down, energy 2150 to 6e-11
//   bars     parallelogram of four bars, h = 0.01: its constraints nearly lose rank at step 176
//   far      pendulum 10^6 lengths from the origin, h = 0.08 and, s = 3, h = 0.2
//   cancel   pendulum in a potential of (x + 10^6) - 10^6, h = 0.3
//   large    the largest steps that can be solved (docs/methods/hbvm.md)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "livens/math/scalar.hpp"
#include "livens/solve/newton.hpp"
#include "livens/solve/outcome.hpp"

namespace livens {

// What the changes so far say about the approach.
template <class Real>
class Approach {
 public:
  explicit Approach(const Real& floor) : near_(near_floor * floor) {}

  bool is_near() const { return sweeps_ > 0 && best_ <= near_; }
  bool leaves_root(const Real& change) const { return sweeps_ > 0 && change > near_ && change > leaving * best_; }
  bool at_floor() const { return sweeps_ > 2 && without_better_ >= patience_ && is_near(); }
  int without_better() const { return without_better_; }  // sweeps since the best one
  const Real& best() const { return best_; }

  void note(const Real& change) {
    if (sweeps_ > 0 && change <= near_ && !is_near()) {
      const int some = std::min(sweeps_, remembered);
      patience_ = std::max(patience_for(change / back(some), some), patience_for(change / first_, sweeps_));
    }
    if (sweeps_ == 0) first_ = change;
    without_better_ = sweeps_ == 0 || change < best_ ? 0 : without_better_ + 1;
    best_ = sweeps_ == 0 ? change : std::min(best_, change);
    recent_[static_cast<std::size_t>(sweeps_++ % remembered)] = change;
  }

 private:
  // With 64 round-off counts as leaving the root in step 21 of bars, and the satellites (large, s = 1) end at 2.5
  // instead of 3. With 2^17 or 2^25 nothing changes.
  static constexpr int near_floor = 4096;
  // With 8 round-off counts as that in far; 16 to 512 are the same. Without a limit bars goes over to another root,
  // where it has a hidden constraint of 17.
  static constexpr int leaving = 64;
  // The rate is that of the last 8 sweeps or of all, whichever is slower. By the last 8 alone springs drifts to 5e-9;
  // 1, 3 or 32 in place of 8 are the same.
  static constexpr int remembered = 8;
  // Contracting by 2 instead, spring drifts to 7e-10 and springs to 4e-8; by 256, springs takes 7 sweeps more and ends
  // with the same.
  static constexpr double log_16 = 2.8;
  // Where changes are near from the start, or grew. Nothing above waits for more than 16.
  static constexpr int most_patience = 128;

  // Sweeps that contract by 16, if `sweeps` of them contracted by `contraction`.
  static int patience_for(const Real& contraction, int sweeps) {
    using std::log;
    const double rate = static_cast<double>(-log(contraction)) / sweeps;
    return rate > 0 ? std::clamp(static_cast<int>(log_16 / rate), 1, most_patience) : most_patience;
  }
  // The change so many sweeps ago
  const Real& back(int count) const { return recent_[static_cast<std::size_t>((sweeps_ - count) % remembered)]; }

  Real near_, first_{}, best_{};
  std::array<Real, remembered> recent_{};
  int sweeps_ = 0, without_better_ = 0, patience_ = most_patience;
};

// The equations own the unknowns and offer
//   bool sweep()              the next unknowns; false if what they are found from is singular
//   Real change()             of the last sweep, relative to the size of the unknowns
//   bool lost_in_rounding()   whether the last change is at round-off in every unknown by itself
template <class T, class Equations>
void fixed_point(Equations& equations, const SolverSettings<RealOf<T>>& settings, StepReport& report) {
  using Real = RealOf<T>;
  const Real floor = std::max(settings.tolerance, epsilon<T>() / 4);
  // Both for equations that are rounded so much that changes never come near. Without the first far stops after 75 and
  // 4 steps; without the second cancel stops after 21, and with 2^14 in place of 2^20 after 45.
  constexpr int lost = 3, noisy = 32;
  const Real noise = 1048576 * epsilon<T>();
  // Settings count corrections of Newton's method; ten sweeps stand for one, twenty where they are near.
  // With half of both the satellites (large, s = 1) end at 2.5 instead of 3; with twice of both nothing changes.
  const int most_sweeps = 10 * settings.iterations, most_near = 20 * settings.iterations;
  // Of a step without solution: nothing above comes here, it only spares further sweeps.
  constexpr int some = 20;
  const Real diverged(1e6);

  report = {};
  report.floor = to_double(floor);
  Approach<Real> approach(floor);
  Real before(0);
  for (int k = 1;; ++k) {
    if (!equations.sweep()) {
      report.outcome = k == 1 ? Outcome::singular_jacobian : Outcome::left_domain;
      return;
    }
    const Real change = equations.change();
    report.iterations = report.jacobians = report.evaluations = k;
    report.increment = report.residual = to_double(change);
    if (k <= StepReport::history_size) report.history[static_cast<std::size_t>(k - 1)] = to_double(change);
    if (!is_finite(change)) {
      report.outcome = k == 1 ? Outcome::not_finite : Outcome::left_domain;
      return;
    }
    if (change == Real(0) || (settings.tolerance > Real(0) && change <= floor)) break;
    const auto stall = [&] {
      report.outcome = Outcome::stalled;
      report.contraction = to_double(change / before);
    };
    if (approach.leaves_root(change)) return stall();
    approach.note(change);
    if (approach.at_floor()) break;
    const int waited = approach.without_better();
    const bool last = k >= (approach.is_near() ? most_near : most_sweeps) || (k > some && !(change < diverged));
    if ((waited >= lost && equations.lost_in_rounding()) || (waited >= noisy && approach.best() <= noise) ||
        (last && approach.is_near())) {
      report.outcome = Outcome::residual_floor;
      break;
    }
    if (last) return stall();
    before = change;
  }
  if constexpr (requires { equations.last_sweep(); })
    equations.last_sweep();
  else
    equations.sweep();
  if constexpr (!std::is_same_v<T, Real>)  // jets: derivatives converge like the values, from further away
    for (int more = 0; more < 2 * report.iterations + 4; ++more) equations.sweep();
}

}  // namespace livens
