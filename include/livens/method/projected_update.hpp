// The end of a step whose last multiplier acts at its end alone: p1 = p0 + increment - G1^T impulse such that the
// hidden constraint G1 v(q1,p1) + g_t = 0 holds.
#pragma once

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
        p_(velocity),
        sum_(system.coordinates()) {}

  Coordinates velocity;  // guess before, v(q1,p1) after
  typename System::Multipliers impulse;
  Increment<T, System::n> increment;  // p1 - p0

  Outcome operator()(Kinetics<System>& kinetics, const T& t1, const Coordinates& q1, const State<System>& x,
                     const Increment<T, System::n>& before) {
    for (int i = 0; i < p_.size(); ++i) p_[i] = x.p[i] + (before.value[i] + x.p_remainder[i]);
    const Outcome outcome = kinetics.project(t1, q1, p_, velocity, &impulse);
    increment = before;  // not p1 - p0, which has lost its digits to p
    if (!succeeded(outcome) || impulse.size() == 0) return outcome;
    using W = Wider<T>;
    for (int i = 0; i < p_.size(); ++i) sum_[i] = W(before.value[i]) + W(before.rest[i]);
    for (int a = 0; a < impulse.size(); ++a)
      for_row(kinetics.projection_jacobian(), a, [&](int i, const T& G) { sum_[i] -= W(G) * W(impulse[a]); });
    increment.round(sum_);
    return outcome;
  }

 private:
  Coordinates p_;
  Vec<Wider<T>, System::n> sum_;
};

}  // namespace livens
