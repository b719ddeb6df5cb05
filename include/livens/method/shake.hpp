// SHAKE for L(t,q,v), holonomic constraints g(t,q) = 0 and forces F(t,q,v).
// Source: Ryckaert, Ciccotti, Berendsen (1977); here as the Galerkin variational integrator of Wenger, Ober-Bloebaum,
// Leyendecker (2017) with s = w = 1 and the two-point Lobatto rule: momentum carried without its nodal multiplier.
// Order 2 in q and in the projected momentum, symplectic; same positions as rattle.
// Keeps: g(t,q) = 0; momentum maps of linear symmetries.  Does not keep: energy (it oscillates without drift).
//
// pi0, pi1: carried momenta; omega: weight of the nodal multiplier, 1/2 in the first step and 1 (both halves) after it.
//
//   (1)  pi0 + h/2 (L_q + F)(t0,q0,u) - (L_v(t0,q0,u) + L_v(t1,q1,u))/2 - G0^T mu = 0 ,   mu = h omega lambda
//   (2)  g(t1,q1) = 0
//   (3)  pi1 = pi0 + h/2 (L_q + F)(t0,q0,u) - G0^T mu + h/2 (L_q + F)(t1,q1,u)
//
// The step knows the multiplier of the node where it starts: lambda, and p0 = pi0 - (h/2) G0^T lambda there (at the
// first node p0 = pi0 is given).
// Unknowns per step: u (n) and mu (m), or mu alone where u is explicit.
// Remembered between steps: the last two lambda and u, as guess, and whether the first step is done.
#pragma once

#include "livens/method/verlet.hpp"

namespace livens {

struct Shake {
  static constexpr MethodTraits traits() {
    return {.name = "shake",
            .order = 2,
            .symplectic = true,
            .symmetric = true,
            .carries_final_momentum = false,
            .audit_uses_final = true,
            .raw = RawValues::start_of_step,
            .explicit_position = true};
  }
  template <class System>
  class Step;
};

template <class System>
class Shake::Step {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;

  Step(const System& system, const Shake&, const SolverSettings<RealOf<T>>& settings)
      : verlet_(system, settings), nodal_p_(system.coordinates()), half_impulse_(system.constraints()) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    first_ = true;
    return verlet_.start(t, x.q, v);
  }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    verlet_.run(t0, x, report, [&] { make_step(t0, t1, h, x, report); });
  }

  template <class Archive>
  void archive(Archive& a) {
    a(nodal_p_, first_, verlet_);
  }
  void resume(const T& t, const State<System>& x) { verlet_.resume(t, x.q); }

  const Coordinates& attempted_position() const { return verlet_.position.q1; }

  template <class Take>
  void raw_values(const State<System>&, const Take& take) const {
    take(raw_momentum, nodal_p_);
    take(raw_multipliers, verlet_.lambda);
  }

 private:
  void make_step(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    const T weight = first_ ? h / 2 : h;
    verlet_.solve(weight, t0, t1, h, x, report);  // (1), (2)
    if (!succeeded(report.outcome)) return;
    verlet_.find_multiplier(weight);
    nodal_p_ = x.p;
    if (!first_) {
      for (int a = 0; a < half_impulse_.size(); ++a) half_impulse_[a] = h / 2 * verlet_.lambda[a];
      subtract_transposed(verlet_.G0, half_impulse_, nodal_p_);
    }
    first_ = false;
    verlet_.accept(h, x);  // (3)
  }

  Verlet<System> verlet_;
  Coordinates nodal_p_;
  typename System::Multipliers half_impulse_;
  bool first_ = true;
};

}  // namespace livens
