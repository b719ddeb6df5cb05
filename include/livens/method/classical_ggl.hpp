// Symplectic Euler with the classical stabilisation of Gear, Gupta and Leimkuhler, for L = v.Mv/2 - V(t,q), constraints
// g(q) = 0 and forces F(t,q,v): a negative control. The constraints hold on both levels, and yet it is not symplectic,
// momentum maps are lost, and energy drifts until the steps have no solution.
// Source: Gear, Gupta, Leimkuhler (1985); Kinon, Betsch, Schneider (2023), section 3, for comparison.
//
//   (1)  M w = p0 - h V_q(t0,q0) + h F(t0,q0,w) - G(q0)^T mu ,   p1 = M w ,   mu = h lambda
//   (2)  q1 = q0 + h w + h G(q0)^T gamma
//   (3)  g(q1) = 0 ,   G(q1) w = 0
//
// Order 1. Corrections of (mu, gamma) with P = A^-1 G0^T, A = M - h F_v, H1 = rows D2g_k(q1) w, and rows of the size of
// a velocity; dw = a - P dmu, a = -A^-1 r of the residual r of (1):
//
//   [ -G1 P               G1 G0^T   ] [ dmu    ]   [ -g/h - G1 a              ]
//   [ -(G1 + h H1) P    h H1 G0^T   ] [ dgamma ] = [ -G1 w - (G1 + h H1) a    ]
#pragma once

#include "livens/math/compensated.hpp"
#include "livens/math/lu.hpp"
#include "livens/method/ggl.hpp"

namespace livens {

struct ClassicalGgl {
  static constexpr bool dense_only = true;

  MethodTraits traits() const {
    return {.name = "classical-ggl",
            .order = 1,
            .symplectic = false,
            .symmetric = false,
            .carries_final_momentum = true,
            .audit_uses_final = false,
            .raw = RawValues::end_of_step,
            .dense_only = dense_only};
  }
  std::string misfit(const Structure& structure) const { return needs_constant_mass_and_still_constraints(structure); }
  template <class System>
  class Step;
};

template <class System>
class ClassicalGgl::Step {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  Step(const System& system, const ClassicalGgl&, const SolverSettings<Real>& settings)
      : system_(system), settings_(settings) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    w_ = v;
    if (!kinetics_.start(t, x.q, v)) return false;
    kinetics_.multiplier(t, x.q, v, lambda_);
    return true;
  }

  void advance(const T& t0, const T&, const T& h, State<System>& x, StepReport& report) {
    system_.constraint_jacobian(t0, x.q, g_, G0_);
    system_.potential_gradient(t0, x.q, Vq_);
    for (int a = 0; a < mu_.size(); ++a) mu_[a] = h * lambda_[a];
    gamma_now_.fill(T(0));
    Equations equations{*this, t0, h, x};
    newton<T>(equations, settings_, report);
    if (!succeeded(report.outcome)) return;
    equations.residual();  // at the corrected unknowns
    for (int a = 0; a < mu_.size(); ++a) lambda_[a] = mu_[a] / h;
    gamma_ = gamma_now_;
    for (int i = 0; i < w_.size(); ++i) {
      add_compensated(x.q[i], x.q_remainder[i], h * (w_[i] + shift_[i]));
      add_compensated(x.p[i], x.p_remainder[i], f_[i]);
    }
  }

  template <class Archive>
  void archive(Archive& a) {
    a(lambda_, gamma_, w_, kinetics_);
  }
  void resume(const T&, const State<System>&) {}
  const Coordinates& attempted_position() const { return q1_; }
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    take(raw_multipliers, lambda_);
    take(raw_gamma, gamma_);
  }

 private:
  struct Equations {
    Step& s;
    const T t0, h;
    const State<System>& x;

    Real residual() {
      const int n = s.w_.size();
      multiply_transposed(s.G0_, s.mu_, s.f_);
      for (int i = 0; i < n; ++i) s.f_[i] = -h * s.Vq_[i] - s.f_[i];
      if (s.structure_.forces) {
        s.system_.force(t0, x.q, s.w_, s.row_);
        for (int i = 0; i < n; ++i) s.f_[i] += h * s.row_[i];
      }
      multiply(s.kinetics_.mass().matrix(), s.w_, s.row_);
      for (int i = 0; i < n; ++i) s.row_[i] -= x.p[i] + (s.f_[i] + x.p_remainder[i]);
      multiply_transposed(s.G0_, s.gamma_now_, s.shift_);
      for (int i = 0; i < n; ++i) s.q1_[i] = x.q[i] + (h * (s.w_[i] + s.shift_[i]) + x.q_remainder[i]);
      s.system_.constraint_jacobian(t0, s.q1_, s.g_, s.G1_);
      multiply(s.G1_, s.w_, s.rate_);
      return size_of(s.row_) + size_of(s.g_) / abs_of(h) + size_of(s.rate_);
    }
    bool factorise() {
      const int n = s.w_.size(), m = s.mu_.size();
      s.balance_.matrix() = s.kinetics_.mass().matrix();
      if (s.structure_.velocity_in_forces) {
        s.system_.force_velocity_jacobian(t0, x.q, s.w_, s.Fv_);
        add_scaled(-h, s.Fv_, s.balance_.matrix());
      }
      if (!s.balance_.factorise()) return false;
      for (int a = 0; a < m; ++a) s.balance_.solve(s.G0_.row(a), s.P_.row(a));
      s.system_.constraint_jacobian_along(t0, s.q1_, s.w_, s.H1_);
      for (int a = 0; a < m; ++a)
        for (int b = 0; b < m; ++b) {
          T first(0), second(0), third(0), fourth(0);
          for (int j = 0; j < n; ++j) {
            const T both = s.G1_(a, j) + h * s.H1_(a, j);
            first -= s.G1_(a, j) * s.P_(b, j), second += s.G1_(a, j) * s.G0_(b, j);
            third -= both * s.P_(b, j), fourth += h * s.H1_(a, j) * s.G0_(b, j);
          }
          s.matrix_.matrix()(a, b) = first, s.matrix_.matrix()(a, m + b) = second;
          s.matrix_.matrix()(m + a, b) = third, s.matrix_.matrix()(m + a, m + b) = fourth;
        }
      return s.matrix_.factorise();
    }
    Real correct() {
      const int n = s.w_.size(), m = s.mu_.size();
      s.balance_.solve(s.row_, s.a_);
      for (int a = 0; a < m; ++a) {
        s.right_[a] = -s.g_[a] / h, s.right_[m + a] = -s.rate_[a];
        for (int j = 0; j < n; ++j) {
          s.right_[a] += s.G1_(a, j) * s.a_[j];
          s.right_[m + a] += (s.G1_(a, j) + h * s.H1_(a, j)) * s.a_[j];
        }
      }
      s.matrix_.solve(s.right_, s.change_);
      Real size(0);
      for (int a = 0; a < m; ++a) s.mu_[a] += s.change_[a], s.gamma_now_[a] += s.change_[m + a];
      for (int j = 0; j < n; ++j) {
        T change = -s.a_[j], shift(0);
        for (int a = 0; a < m; ++a) change -= s.P_(a, j) * s.change_[a], shift += s.G0_(a, j) * s.change_[m + a];
        s.w_[j] += change;
        size += abs_of(change) + abs_of(shift);
      }
      return relative_to(Real(size_of(x.q) + abs_of(h) * size_of(s.w_)), Real(abs_of(h) * size));
    }
  };

  const System& system_;
  const Structure structure_ = system_.structure();
  const SolverSettings<Real> settings_;
  Kinetics<System> kinetics_{system_};
  Lu<T, System::n> balance_{system_.coordinates()};
  Lu<T> matrix_{2 * system_.constraints()};
  typename System::Jacobian G0_ = system_.jacobian(), G1_ = G0_, H1_ = G0_, P_ = G0_;
  typename System::Square Fv_ = system_.square();
  Coordinates w_ = Coordinates(system_.coordinates()), q1_ = w_, f_ = w_, Vq_ = w_, shift_ = w_, row_ = w_, a_ = w_;
  Multipliers mu_ = Multipliers(system_.constraints()), gamma_now_ = mu_, lambda_ = mu_, gamma_ = mu_, g_ = mu_,
              rate_ = mu_;
  Vec<T> right_ = Vec<T>(2 * system_.constraints()), change_ = right_;
};

}  // namespace livens
