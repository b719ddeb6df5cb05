// RATTLE for L(t,q,v), holonomic constraints g(t,q) = 0 and forces F(t,q,v).
// Source: Andersen (1983); here as the Galerkin variational integrator of Wenger, Ober-Bloebaum, Leyendecker (2017)
// with s = w = 1 and the two-point Lobatto rule, plus the projection of the momentum in every step. Order 2 in q and p,
// symplectic and symmetric on the constrained phase space. Keeps: g(t,q) = 0 and G v + g_t = 0 at every node; momentum
// maps of linear symmetries. Does not keep: energy (it oscillates without drift).
//
// q0,p0 and q1,p1: state before and after the step; u = (q1 - q0)/h; G0, G1: constraint Jacobians at the ends.
//
//   (1)  p0 + h/2 (L_q + F)(t0,q0,u) - (L_v(t0,q0,u) + L_v(t1,q1,u))/2 - G0^T mu = 0 ,   mu = (h/2) lambda
//   (2)  g(t1,q1) = 0
//   (3)  p1 = p0 + h/2 (L_q + F)(t0,q0,u) - G0^T mu + h/2 (L_q + F)(t1,q1,u) - G1^T nu
//   (4)  G1 v(q1,p1) + g_t(t1,q1) = 0
//
// Unknowns per step: u (n) and mu (m), or mu alone where u is explicit; then nu (m).
// Remembered between steps: the last two lambda and u, as guess.
#pragma once

#include "livens/method/verlet.hpp"

namespace livens {

struct Rattle {
  static constexpr MethodTraits traits() {
    return {.name = "rattle",
            .order = 2,
            .symplectic = true,
            .symmetric = true,
            .carries_final_momentum = true,
            .audit_uses_final = true,
            .raw = RawValues::end_of_step,
            .explicit_position = true};
  }
  template <class System>
  class Step;
};

template <class System>
class Rattle::Step {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;

  Step(const System& system, const Rattle&, const SolverSettings<RealOf<T>>& settings)
      : verlet_(system, settings), p1_(system.coordinates()), nu_(system.constraints()) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) { return verlet_.start(t, x.q, v); }
  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    verlet_.run(t0, x, report, [&] { make_step(t0, t1, h, x, report); });
  }

  template <class Archive>
  void archive(Archive& a) {
    a(verlet_);
  }
  void resume(const T& t, const State<System>& x) { verlet_.resume(t, x.q); }
  const Coordinates& attempted_position() const { return verlet_.position.q1; }

  // The multiplier is that of the first half step: force -(h/2) G0^T lambda.
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    take(raw_multipliers, verlet_.lambda);
  }

 private:
  void make_step(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    verlet_.solve(h / 2, t0, t1, h, x, report);  // (1), (2)
    if (!succeeded(report.outcome)) return;
    if (nu_.size() > 0) report.outcome = project(t1, x);  // (3), (4)
    if (!succeeded(report.outcome)) {
      report.part = StepPart::momentum;
      return;
    }
    verlet_.find_multiplier(h / 2);
    verlet_.accept(h, x);
  }

  // Adds -G1^T nu to the increment of the momentum.
  Outcome project(const T& t1, const State<System>& x) {
    auto& kinetics = verlet_.kinetics;
    const auto& end = verlet_.position;
    Coordinates& increment = verlet_.increment;
    for (int i = 0; i < p1_.size(); ++i) p1_[i] = x.p[i] + (increment[i] + x.p_remainder[i]);
    if (kinetics.structure().constant_mass) {
      const Outcome outcome = kinetics.projection(t1, end.q1, end.G1, p1_, nu_);
      if (succeeded(outcome)) subtract_transposed(end.G1, nu_, increment);
      return outcome;
    }
    v1_ = end.u, unprojected_ = p1_;
    const Outcome outcome = kinetics.project(t1, end.q1, p1_, v1_);
    for (int i = 0; i < p1_.size(); ++i) increment[i] += p1_[i] - unprojected_[i];
    return outcome;
  }

  Verlet<System> verlet_;
  Coordinates p1_, v1_ = p1_, unprojected_ = p1_;
  typename System::Multipliers nu_;
};

}  // namespace livens
