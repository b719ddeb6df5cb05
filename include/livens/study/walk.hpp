// One trajectory step by step, for studies that look at the nodes themselves: any start (p need not satisfy the hidden
// constraint), any direction of time, any scalar, jets included.
#pragma once

#include "livens/method/method.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

template <class System, class Method>
class Walk {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  Walk(const System& system, const Method& method, const SolverSettings<RealOf<T>>& solver)
      : p(system.coordinates()),
        v(p),
        lambda(system.constraints()),
        traits_(method.traits()),
        step_(system, method, solver),
        state_(system),
        kinetics_(system) {}

  // At the node, by the functions below.
  Coordinates p, v;
  Multipliers lambda;

  const Coordinates& q() const { return state_.q; }

  // v_near: a velocity near v(q,p), the guess where L is not quadratic in v.
  Outcome start(const T& t, const Coordinates& q0, const Coordinates& p0, const Coordinates& v_near) {
    state_.q = q0;
    state_.p = p = p0;
    state_.q_remainder.fill(T(0));
    state_.p_remainder.fill(T(0));
    v = v_near;
    if (!kinetics_.start(t, q0, v)) return Outcome::singular_jacobian;
    const Outcome outcome = kinetics_.velocity(t, q0, p0, v);
    if (!succeeded(outcome)) return outcome;
    return step_.start(t, state_, v) ? outcome : Outcome::singular_jacobian;
  }

  void advance(const T& t0, const T& t1, const T& h, StepReport& report) { step_.advance(t0, t1, h, state_, report); }

  // The momentum that the audit looks at.
  Outcome look(const T& t) {
    p = state_.p;
    const bool project = traits_.audit_uses_final && !traits_.carries_final_momentum;
    return project ? kinetics_.project(t, state_.q, p, v) : kinetics_.velocity(t, state_.q, p, v);
  }

  // The consistent momentum and the accurate multiplier: `final` of the results.
  Outcome look_final(const T& t) {
    p = state_.p;
    const Outcome outcome =
        traits_.carries_final_momentum ? kinetics_.velocity(t, state_.q, p, v) : kinetics_.project(t, state_.q, p, v);
    return succeeded(outcome) ? kinetics_.multiplier(t, state_.q, v, lambda) : outcome;
  }

 private:
  MethodTraits traits_;
  typename Method::template Step<System> step_;
  State<System> state_;
  Kinetics<System> kinetics_;
};

}  // namespace livens
