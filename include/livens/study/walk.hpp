// One trajectory step by step, for studies that look at the nodes themselves: any start (p need not satisfy the hidden
// constraint), any direction of time, any scalar, jets included.
#pragma once

#include "livens/method/method.hpp"
#include "livens/run/attempt.hpp"
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

  // What the scheme itself produced in the last step.
  template <class Take>
  void raw_values(const Take& take) const {
    step_.raw_values(state_, take);
  }

  // Where the step from t0 to t1 was evaluated that could not be solved, or led where it could not be looked at.
  Attempt attempt(const T& t0, const T& t1, bool solved) {
    Attempt a;
    a.from.t = to_double(t0);
    if (solved) {
      a.to = place(t1, state_.q, v, p);
      return a;
    }
    look(t0);
    Coordinates u = step_.attempted_position();
    for (int i = 0; i < u.size(); ++i) u[i] = (u[i] - state_.q[i]) / (t1 - t0);
    a.from = place(t0, state_.q, v, p);
    a.to = place(t1, step_.attempted_position(), u, state_.p);
    return a;
  }

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
