// Constrained symplectic Euler for L = v.Mv/2 - V(t,q), constraints g(t,q) = 0 and forces F(t,q,v).
// Source: Kinon, Betsch, Schneider (2023), the index-3 variational integrator (CSE-B), momentum carried unprojected;
// the conjugate method is (3.6) of "Consistent extensions of the symplectic Euler method for a class of
// overdetermined DAEs", for Hamiltonian systems with constraints.
// Order 1, symplectic.  Keeps: g(t,q) = 0; momentum maps of linear symmetries; the conjugate method also G v + g_t = 0.
// Does not keep: energy; the hidden constraint, which is O(h) for the carried momentum of CSE-B.
//
// W = M^-1; v: velocity of the step; mu = h lambda.
//
//   CSE-B      (1)  p1 = p0 - h V_q(t0,q0) + h F(t0,q0,v) - G0^T mu ,   M v = p1
//              (2)  q1 = q0 + h v ,   g(t1,q1) = 0
//   conjugate  (3)  M v = p0 - G0^T mu
//              (4)  q1 = q0 + h v ,   g(t1,q1) = 0
//              (5)  p1 = M v - h V_q(t1,q1) + h F(t1,q1,v) - G1^T nu ,   G1 W p1 + g_t(t1,q1) = 0
//
// Unknowns per step: mu (m), and v (n) where the forces depend on it; conjugate: then nu (m).
// Remembered between steps: the last two lambda and v, as guess.
#pragma once

#include "livens/math/compensated.hpp"
#include "livens/method/position_solve.hpp"
#include "livens/method/step_guess.hpp"

namespace livens {

struct ConstrainedEuler {
  bool conjugate = false;

  MethodTraits traits() const {
    return {.name = "constrained-euler",
            .order = 1,
            .symplectic = true,
            .symmetric = false,
            .carries_final_momentum = conjugate,
            .audit_uses_final = false,
            .raw = RawValues::end_of_step,
            .explicit_position = true};
  }
  std::string misfit(const Structure& structure) const { return needs_constant_mass(structure); }
  template <class System>
  class Step;
};

template <class System>
class ConstrainedEuler::Step {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  Step(const System& system, const ConstrainedEuler& method, const SolverSettings<RealOf<T>>& settings)
      : system_(system),
        structure_(system.structure()),
        conjugate_(method.conjugate),
        explicit_balance_(conjugate_ || !structure_.velocity_in_forces),
        settings_(settings),
        kinetics_(system),
        position_(system, explicit_balance_),
        G0_(system.jacobian()),
        Fv_(explicit_balance_ ? typename System::Square() : system.square()),
        f_(system.coordinates()),
        c_(f_),
        p1_(f_),
        v1_(f_),
        g_(system.constraints()),
        lambda_(g_),
        guess_(system) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    if (!kinetics_.start(t, x.q, v)) return false;
    kinetics_.multiplier(t, x.q, v, lambda_);
    guess_.start(v, lambda_);
    return true;
  }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    guess_.run(kinetics_, t0, x, report, [&] { make_step(t0, t1, h, x, report); });
  }

  template <class Archive>
  void archive(Archive& a) {
    a(lambda_, guess_, kinetics_, position_);
  }
  void resume(const T&, const State<System>&) {}

  const Coordinates& attempted_position() const { return position_.q1; }

  // The multiplier acts at the start of the step.
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    take(raw_multipliers, lambda_);
  }

 private:
  void make_step(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    system_.constraint_jacobian(t0, x.q, g_, G0_);
    for (int a = 0; a < lambda_.size(); ++a) position_.mu[a] = h * guess_.multiplier[a];
    position_.continued = guess_.continues();
    if (conjugate_)
      conjugate_step(t0, t1, h, x, report);
    else
      step(t0, t1, h, x, report);
    if (!succeeded(report.outcome)) return;
    for (int a = 0; a < lambda_.size(); ++a) lambda_[a] = position_.mu[a] / h;
    if (explicit_balance_)
      guess_.remember(lambda_);
    else
      guess_.remember(position_.u, lambda_);
    const T step_size = h;  // by value, not one that could lie in the state
    for (int i = 0; i < f_.size(); ++i) add_compensated(x.q[i], x.q_remainder[i], step_size * position_.u[i]);
    for (int i = 0; i < f_.size(); ++i) add_compensated(x.p[i], x.p_remainder[i], f_[i]);
  }

  // (1), (2); leaves p1 - p0 in f_.
  void step(const T& t0, const T& t1, const T& h, const State<System>& x, StepReport& report) {
    system_.potential_gradient(t0, x.q, f_);
    for (T& fi : f_) fi *= -h;
    if (explicit_balance_) {
      add_force(t0, x.q, h);
      for (int i = 0; i < f_.size(); ++i) c_[i] = x.p[i] + (f_[i] + x.p_remainder[i]);
      position_.solve_explicit(kinetics_.mass(), c_, t1, h, x.q, x.q_remainder, G0_, settings_, report);
    } else {
      for (int i = 0; i < f_.size(); ++i) c_[i] = x.p[i] + (f_[i] + x.p_remainder[i]);
      for (int i = 0; i < f_.size(); ++i) position_.u[i] = guess_.velocity[i];
      Balance balance{*this, t0, h, x};
      position_.solve_implicit(balance, t1, h, x.q, x.q_remainder, G0_, settings_, report);
      if (!succeeded(report.outcome)) return;
      add_force(t0, x.q, h);
    }
    for (int i = 0; i < f_.size(); ++i) f_[i] -= position_.reaction[i];
    if (!is_finite(size_in_parts(f_))) report.outcome = Outcome::left_domain;
  }

  // (3), (4), (5); leaves p1 - p0 in f_.
  void conjugate_step(const T&, const T& t1, const T& h, const State<System>& x, StepReport& report) {
    for (int i = 0; i < c_.size(); ++i) c_[i] = x.p[i] + x.p_remainder[i];
    position_.solve_explicit(kinetics_.mass(), c_, t1, h, x.q, x.q_remainder, G0_, settings_, report);
    if (!succeeded(report.outcome)) return;
    system_.potential_gradient(t1, position_.q1, f_);
    for (T& fi : f_) fi *= -h;
    add_force(t1, position_.q1, h);
    for (int i = 0; i < f_.size(); ++i) f_[i] -= position_.reaction[i];
    if (!is_finite(size_in_parts(f_))) {
      report.outcome = Outcome::left_domain;
      return;
    }
    for (int i = 0; i < f_.size(); ++i) c_[i] = p1_[i] = x.p[i] + (f_[i] + x.p_remainder[i]);
    const Outcome projected = kinetics_.project(t1, position_.q1, p1_, v1_);
    if (!succeeded(projected)) report.outcome = projected, report.part = StepPart::momentum;
    for (int i = 0; i < f_.size(); ++i) f_[i] += p1_[i] - c_[i];
  }

  // (1) for the velocity: c + h F(t0,q0,v) - M v, and its derivative h F_v - M
  struct Balance {
    Step& s;
    const T &t0, &h;
    const State<System>& x;

    void operator()(const Coordinates& v, const Coordinates&, Coordinates& b) {
      multiply(s.kinetics_.mass().matrix(), v, s.p1_);
      s.system_.force(t0, x.q, v, b);
      for (int i = 0; i < v.size(); ++i) b[i] = s.c_[i] + h * b[i] - s.p1_[i];
    }
    template <class Add, class AddTransposed>
    void jacobian(const Coordinates& v, const Coordinates&, const Add& add, const AddTransposed&) {
      s.system_.force_velocity_jacobian(t0, x.q, v, s.Fv_);
      add(h, s.Fv_);
      add(T(-1), s.kinetics_.mass().matrix());
    }
  };

  void add_force(const T& t, const Coordinates& q, const T& h) {
    if (!structure_.forces) return;
    system_.force(t, q, position_.u, p1_);
    for (int i = 0; i < f_.size(); ++i) f_[i] += h * p1_[i];
  }

  const System& system_;
  Structure structure_;
  bool conjugate_, explicit_balance_;
  SolverSettings<RealOf<T>> settings_;
  Kinetics<System> kinetics_;
  PositionSolve<System> position_;
  typename System::Jacobian G0_;
  typename System::Square Fv_;
  Coordinates f_, c_, p1_, v1_;
  Multipliers g_, lambda_;
  StepGuess<System> guess_;
};

}  // namespace livens
