// The end of a step whose last multiplier acts at its end alone: p1 = p0 + increment - G1^T impulse such that the
// hidden constraint G1 v(q1,p1) + g_t = 0 holds.
//
// Round-off: G1 is taken at q1 as it was before rounding, G(fl q1) + D2g[lost, .], where the step knows what was lost.
// The first multiplier of the next step takes what p1 has along that G1: with another one here a part would be left,
// and energy drifts by it.
#pragma once

#include "livens/math/wide_products.hpp"
#include "livens/method/method.hpp"
#include "livens/method/stages.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

template <class System>
class ProjectedUpdate {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;

  explicit ProjectedUpdate(const System& system)
      : velocity(system.coordinates()),
        impulse(system.constraints()),
        increment(system.coordinates()),
        system_(system),
        p_(velocity),
        sum_(system.coordinates()),
        G_lost_(system.jacobian()) {}

  Coordinates velocity;  // guess before, v(q1,p1) after
  typename System::Multipliers impulse;
  Increment<T, System::n> increment;  // p1 - p0

  // lost: what rounding took from q1, or nullptr
  Outcome operator()(Kinetics<System>& kinetics, const T& t1, const Coordinates& q1, const Coordinates* lost,
                     const State<System>& x, const Increment<T, System::n>& before) {
    for (int i = 0; i < p_.size(); ++i) p_[i] = x.p[i] + (before.value[i] + x.p_remainder[i]);
    const Outcome outcome = kinetics.project(t1, q1, p_, velocity, &impulse);
    increment = before;  // not p1 - p0, which has lost its digits to p
    if (!succeeded(outcome) || impulse.size() == 0) return outcome;
    using W = Wider<T>;
    for (int i = 0; i < p_.size(); ++i) sum_[i] = W(before.value[i]) + W(before.rest[i]);
    add_wide_transposed(-1, kinetics.projection_jacobian(), impulse, sum_);
    if (lost) {
      system_.constraint_jacobian_along(t1, q1, *lost, G_lost_);
      add_wide_transposed(-1, G_lost_, impulse, sum_);
    }
    increment.round(sum_);
    return outcome;
  }

 private:
  const System& system_;
  Coordinates p_;
  Vec<Wider<T>, System::n> sum_;
  typename System::Jacobian G_lost_;
};

}  // namespace livens
