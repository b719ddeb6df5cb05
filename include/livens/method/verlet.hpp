// What shake and rattle share: the discrete Lagrangian  L_d = h/2 L(t0,q0,u) + h/2 L(t1,q1,u),  u = (q1 - q0)/h,
// with forces h/2 F(t0,q0,u) and h/2 F(t1,q1,u) and a multiplier impulse mu at the start of the step.
//
//   (V1)  p0 + h/2 f0 - (L_v(t0,q0,u) + L_v(t1,q1,u))/2 - G0^T mu = 0 ,     f0 = (L_q + F)(t0,q0,u)
//   (V2)  g(t1,q1) = 0
//   (V3)  increment = h/2 f0 - G0^T mu + h/2 f1 ,                             f1 = (L_q + F)(t1,q1,u)
//
// (V3) is the right discrete Legendre transform with (V1) inserted: a sum of small terms, added with compensation.
// What belongs to the node (f0 where it does not depend on u, and G0) is kept from the step before; it is a function of
// the state alone, so that nothing of it has to be stored with a checkpoint.
//
// mu = weight lambda, the weight being the method's own. Remembered between steps: lambda, and the guess.
#pragma once

#include <utility>

#include "livens/math/compensated.hpp"
#include "livens/method/position_solve.hpp"
#include "livens/method/step_guess.hpp"
#include "livens/system/generalised_force.hpp"

namespace livens {

template <class System>
class Verlet {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Jacobian = typename System::Jacobian;

  Verlet(const System& system, const SolverSettings<RealOf<T>>& settings)
      : kinetics(system),
        force_(system, !is_explicit(system.structure())),
        position(system, force_.of_position()),
        guess(system),
        increment(system.coordinates()),
        lambda(system.constraints()),
        G0(system.jacobian()),
        system_(system),
        settings_(settings),
        f0_(increment),
        f1_(increment),
        c_(increment),
        Lv_(increment),
        g_(lambda) {}

  Kinetics<System> kinetics;

 private:
  GeneralisedForce<System> force_;

 public:
  PositionSolve<System> position;
  StepGuess<System> guess;
  Coordinates increment;  // (V3)
  Multipliers lambda;
  Jacobian G0;  // at the start of the step; that of its end is position.G1

  bool start(const T& t, const Coordinates& q, const Coordinates& v) {
    if (!kinetics.start(t, q, v)) return false;
    kinetics.multiplier(t, q, v, lambda);  // the first guess; where it fails the solve says what is wrong
    guess.start(v, lambda);
    if (!force_.of_position()) force_.start(t, q, v);
    resume(t, q);
    return true;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(lambda, guess, kinetics, position);
  }
  void resume(const T& t, const Coordinates& q) {
    system_.constraint_jacobian(t, q, g_, G0);
    if (force_.of_position()) force_.force(t, q, position.u, f0_), f1_ = f0_;
  }

  // The step that `attempt` makes, from the guess and if need be from the node.
  template <class Attempt>
  void run(const T& t0, const State<System>& x, StepReport& report, const Attempt& attempt) {
    guess.run(kinetics, t0, x, report, attempt);
  }

  // (V1), (V2), then (V3). The state is not changed.
  void solve(const T& weight, const T& t0, const T& t1, const T& h, const State<System>& x, StepReport& report) {
    const T half = h / 2;
    for (int a = 0; a < g_.size(); ++a) position.mu[a] = weight * guess.multiplier[a];
    position.continued = guess.continues();
    if (force_.of_position()) {  // u is an explicit function of mu
      for (int i = 0; i < c_.size(); ++i) c_[i] = x.p[i] + (half * f0_[i] + x.p_remainder[i]);
      position.solve_explicit(kinetics.mass(), c_, t1, h, x.q, x.q_remainder, G0, settings_, report);
    } else {
      for (int i = 0; i < c_.size(); ++i) position.u[i] = guess.velocity[i];
      Balance balance{*this, t0, t1, h, x};
      position.solve_implicit(balance, t1, h, x.q, x.q_remainder, G0, settings_, report);
    }
    if (!succeeded(report.outcome)) return;

    const Coordinates& q1 = position.q1;
    if (!force_.of_position()) force_.force(t0, x.q, position.u, f0_);
    if (!force_.uniform()) force_.force(t1, q1, position.u, f1_);
    for (int i = 0; i < increment.size(); ++i) increment[i] = half * (f0_[i] + f1_[i]) - position.reaction[i];
    if (!force_.uniform() && !is_finite(size_in_parts(increment))) report.outcome = Outcome::left_domain;
  }

  void find_multiplier(const T& weight) {
    for (int a = 0; a < lambda.size(); ++a) lambda[a] = position.mu[a] / weight;
  }

  // Takes q1 and p0 + increment into the state.
  void accept(T h, State<System>& x) {
    for (int i = 0; i < increment.size(); ++i) add_compensated(x.q[i], x.q_remainder[i], h * position.u[i]);
    for (int i = 0; i < increment.size(); ++i) add_compensated(x.p[i], x.p_remainder[i], increment[i]);
    if (force_.of_position())
      guess.remember(lambda);
    else
      guess.remember(position.u, lambda);
    if (!force_.uniform()) take(f1_, f0_);
    take(position.G1, G0);
  }

 private:
  // (V1) without the multiplier: b(u), and db/du = h/2 f_v(0) - (p_v(0) + p_v(1) + h p_q(1))/2 ,   p = L_v
  struct Balance {
    Verlet& s;
    const T &t0, &t1, &h;
    const State<System>& x;

    void operator()(const Coordinates& u, const Coordinates& q1, Coordinates& b) {
      s.force_.force_and_momentum(t0, x.q, u, s.f0_, b);
      s.system_.gradient(t1, q1, u, s.f1_, s.Lv_);
      for (int i = 0; i < u.size(); ++i) b[i] = x.p[i] + (h / 2 * s.f0_[i] + x.p_remainder[i]) - (b[i] + s.Lv_[i]) / 2;
    }
    template <class Add, class AddTransposed>
    void jacobian(const Coordinates& u, const Coordinates& q1, const Add& add, const AddTransposed& add_transposed) {
      s.force_.differentiate_but_f_q(t0, x.q, u);
      add(h / 2, s.force_.f_v());
      add(T(-0.5), s.force_.p_v());
      s.force_.differentiate_momentum(t1, q1, u);
      add(T(-0.5), s.force_.p_v());
      add_transposed(-h / 2, s.force_.p_q_transposed());
    }
  };

  // to = from, after which `from` may be anything.
  template <class X>
  static void take(X& from, X& to) {
    if constexpr (System::n == Dynamic)
      std::swap(from, to);
    else
      to = from;
  }

  static constexpr bool is_explicit(const Structure& s) { return s.constant_mass && !s.velocity_in_forces; }

  const System& system_;
  SolverSettings<RealOf<T>> settings_;
  Coordinates f0_, f1_, c_, Lv_;
  Multipliers g_;
};

}  // namespace livens
