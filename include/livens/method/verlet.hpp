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
// mu = weight lambda, the weight being the method's own.
#pragma once

#include <type_traits>
#include <utility>

#include "livens/math/compensated.hpp"
#include "livens/method/position_solve.hpp"
#include "livens/method/step_guess.hpp"

namespace livens {

template <class System>
class Verlet {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Jacobian = typename System::Jacobian;
  using Square = typename System::Square;

  Verlet(const System& system, const SolverSettings<RealOf<T>>& settings)
      : kinetics(system),
        explicit_balance_(is_explicit(system.structure())),
        constant_force_(has_constant_force(system.structure())),
        position(system, explicit_balance_),
        guess(system),
        increment(system.coordinates()),
        G0(system.jacobian()),
        system_(system),
        settings_(settings),
        f0_(increment),
        f1_(increment),
        c_(increment),
        Lv_(increment),
        g_(system.constraints()),
        A0_(explicit_balance_ ? Square() : system.square()),
        B0_(A0_),
        C0_(A0_) {}

  Kinetics<System> kinetics;

 private:
  const bool explicit_balance_, constant_force_;

 public:
  PositionSolve<System> position;
  StepGuess<System> guess;
  Coordinates increment;  // (V3)
  Jacobian G0;            // at the start of the step; that of its end is position.G1

  bool start(const T& t, const Coordinates& q, const Coordinates& v, Multipliers& lambda) {
    if (!kinetics.start(t, q, v)) return false;
    kinetics.multiplier(t, q, v, lambda);  // the first guess; where it fails the solve says what is wrong
    guess.start(v, lambda);
    resume(t, q);
    return true;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(guess, kinetics, position);
  }
  void resume(const T& t, const Coordinates& q) {
    system_.constraint_jacobian(t, q, g_, G0);
    if (explicit_balance()) force_of_position(t, q, f0_), f1_ = f0_;
  }

  // u is an explicit function of mu. Known when compiling for C++ systems, which then carry no code for the other case.
  constexpr bool explicit_balance() const {
    if constexpr (requires { std::bool_constant<System::structure().constant_mass>(); })
      return is_explicit(System::structure());
    else
      return explicit_balance_;
  }

  // (V1), (V2), then (V3). The state is not changed.
  void solve(const T& weight, const T& t0, const T& t1, const T& h, const State<System>& x, StepReport& report) {
    const T half = h / 2;
    for (int a = 0; a < g_.size(); ++a) position.mu[a] = weight * guess.multiplier[a];
    position.continued = guess.continues();
    if (explicit_balance()) {
      for (int i = 0; i < c_.size(); ++i) c_[i] = x.p[i] + (half * f0_[i] + x.p_remainder[i]);
      position.solve_explicit(kinetics.mass(), c_, t1, h, x.q, x.q_remainder, G0, settings_, report);
    } else {
      for (int i = 0; i < c_.size(); ++i) position.u[i] = guess.velocity[i];
      Balance balance{*this, t0, t1, h, x};
      position.solve_implicit(balance, t1, h, x.q, x.q_remainder, G0, settings_, report);
    }
    if (!succeeded(report.outcome)) return;

    const Coordinates& q1 = position.q1;
    if (explicit_balance()) {
      if (!constant_force()) force_of_position(t1, q1, f1_);
    } else {
      force_of_velocity(t0, x.q, f0_);
      force_of_velocity(t1, q1, f1_);
    }
    for (int i = 0; i < increment.size(); ++i) increment[i] = half * (f0_[i] + f1_[i]) - position.reaction[i];
    if (!constant_force() && !is_finite(size_in_parts(increment))) report.outcome = Outcome::left_domain;
  }

  // Takes q1 and p0 + increment into the state.
  void accept(T h, const Multipliers& lambda, State<System>& x) {
    for (int i = 0; i < increment.size(); ++i) add_compensated(x.q[i], x.q_remainder[i], h * position.u[i]);
    for (int i = 0; i < increment.size(); ++i) add_compensated(x.p[i], x.p_remainder[i], increment[i]);
    if (explicit_balance())
      guess.remember(lambda);
    else
      guess.remember(position.u, lambda);
    if (!constant_force()) take(f1_, f0_);
    take(position.G1, G0);
  }

 private:
  // (V1) without the multiplier: b(u), and db/du = h/2 (L_qv + F_v)(0) - (L_vv(0) + L_vv(1) + h L_vq(1))/2
  struct Balance {
    Verlet& s;
    const T &t0, &t1, &h;
    const State<System>& x;

    void operator()(const Coordinates& u, const Coordinates& q1, Coordinates& b) {
      const T half = h / 2;
      s.system_.gradient(t0, x.q, u, s.f0_, b);
      s.system_.gradient(t1, q1, u, s.f1_, s.Lv_);
      for (int i = 0; i < u.size(); ++i) b[i] = x.p[i] + (half * s.f0_[i] + x.p_remainder[i]) - (b[i] + s.Lv_[i]) / 2;
      if (!s.kinetics.structure().forces) return;
      s.system_.force(t0, x.q, u, s.Lv_);
      for (int i = 0; i < u.size(); ++i) b[i] += half * s.Lv_[i];
    }
    template <class Add, class AddTransposed>
    void jacobian(const Coordinates& u, const Coordinates& q1, const Add& add, const AddTransposed& add_transposed) {
      s.system_.hessian(t0, x.q, u, s.A0_, s.B0_, s.C0_);
      add(h / 2, s.B0_);
      add(T(-0.5), s.C0_);
      s.system_.hessian(t1, q1, u, s.A0_, s.B0_, s.C0_);
      add(T(-0.5), s.C0_);
      add_transposed(-h / 2, s.B0_);
      if (!s.kinetics.structure().velocity_in_forces) return;
      s.system_.force_velocity_jacobian(t0, x.q, u, s.B0_);
      add(h / 2, s.B0_);
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

  // As under gravity alone: f0 = f1 in all steps.
  constexpr bool constant_force() const {
    if constexpr (requires { std::bool_constant<System::structure().constant_mass>(); })
      return has_constant_force(System::structure());
    else
      return constant_force_;
  }
  static constexpr bool has_constant_force(const Structure& s) {
    return s.potential_degree && *s.potential_degree <= 1 && !s.time_in_lagrangian && !s.forces;
  }
  static constexpr bool is_explicit(const Structure& s) { return s.constant_mass && !s.velocity_in_forces; }

  // -V_q + F(t,q)
  void force_of_position(const T& t, const Coordinates& q, Coordinates& f) {
    system_.potential_gradient(t, q, f);
    for (T& fi : f) fi = -fi;
    add_force(t, q, f);
  }
  // L_q + F at velocity u
  void force_of_velocity(const T& t, const Coordinates& q, Coordinates& f) {
    system_.gradient(t, q, position.u, f, Lv_);
    add_force(t, q, f);
  }
  void add_force(const T& t, const Coordinates& q, Coordinates& f) {
    if (!kinetics.structure().forces) return;
    system_.force(t, q, position.u, Lv_);
    for (int i = 0; i < f.size(); ++i) f[i] += Lv_[i];
  }

  const System& system_;
  SolverSettings<RealOf<T>> settings_;
  Coordinates f0_, f1_, c_, Lv_;
  Multipliers g_;
  Square A0_, B0_, C0_;
};

}  // namespace livens
