// Energy-momentum scheme for L = v.Mv/2 - V(t,q), constraints g(q) = 0 and forces F(t,q,v), plain and stabilised.
// Source: Gonzalez (1999), "Mechanical systems subject to holonomic constraints"; as companions of the GGL variational
// integrator in Kinon, Betsch, Schneider (2023).
// Order 2.  Keeps: energy, to round-off; g(q) = 0; linear momentum maps where g and V are quadratic, with another V to
// O(h^2); stabilised also G(q) M^-1 p = 0.  Not symplectic.
//
// Discrete gradient between q0 and q1, dq = q1 - q0, at qm = (q0 + q1)/2 (Gonzalez), so that df.dq = f(q1) - f(q0):
//   df = Df(qm) + (f(q1) - f(q0) - Df(qm).dq) / (dq.dq) dq ;   dG: its rows those of g.
// The numerator vanishes where f is quadratic, and is left out there (discrete_gradient.hpp).
//
// plain        w = u :   (1)  2 (M w - p0) + h dV - h F(tm,qm,w) + dG^T mu = 0 ,      q1 = q0 + h u
//                        (2)  g(q1) = 0
// stabilised (quadratic g), with gamma and Hm = rows D2g_k w:
//                        (3)  2 (M w - p0) + h dV - h F(tm,qm,w) + G(qm)^T mu + h Hm^T gamma = 0
//                        (4)  M (u - w) - G(qm)^T gamma = 0 ,                          q1 = q0 + h u
//                        (5)  g(q1) = 0 ,   G(q1) (2 w - M^-1 p0) = 0
//
// w = M^-1 (p0 + p1)/2, so that p1 = 2 M w - p0; mu = h lambda. The matrix leaves out the derivative of the second term
// of discrete gradients, which is of the order of h^2.
#pragma once

#include <string>

#include "livens/math/compensated.hpp"
#include "livens/method/discrete_gradient.hpp"
#include "livens/method/ggl.hpp"
#include "livens/method/step_guess.hpp"
#include "livens/solve/impulse_units.hpp"
#include "livens/solve/recorded_blocks.hpp"

namespace livens {

struct EnergyMomentum {
  bool stabilised = false;

  MethodTraits traits() const {
    return {.name = "energy-momentum",
            .order = 2,
            .symplectic = false,
            .symmetric = !stabilised,
            .carries_final_momentum = stabilised,
            .audit_uses_final = false,
            .raw = RawValues::end_of_step};
  }
  // Why it does not fit; empty: it does.
  std::string misfit(const Structure& structure) const {
    if (structure.constant_mass && stabilised && structure.constraint_degree.value_or(3) > 2)
      return "stabilised, it needs constraints of at most second degree";
    return needs_constant_mass_and_still_constraints(structure);
  }
  template <class System>
  class Step;
};

template <class System>
class EnergyMomentum::Step {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  Step(const System& system, const EnergyMomentum& method, const SolverSettings<Real>& settings)
      : system_(system), stabilised_(method.stabilised), settings_(settings) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    if (!kinetics_.start(t, x.q, v)) return false;
    kinetics_.multiplier(t, x.q, v, lambda_);
    guess_.start(v, lambda_);
    return true;
  }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    for (int i = 0; i < p0_.size(); ++i) p0_[i] = x.p[i] + x.p_remainder[i];
    kinetics_.mass().solve(p0_, v0_);
    system_.constraint(t0, x.q, g0_);
    if (!potential_is_quadratic_) V0_ = potential((t0 + t1) / T(2), x.q);
    guess_.run(kinetics_, t0, x, report, [&] {
      for (int i = 0; i < u_.size(); ++i) u_[i] = w_[i] = guess_.velocity[i];
      for (int a = 0; a < mu_.size(); ++a) mu_[a] = h * guess_.multiplier[a], gamma_now_[a] = T(0);
      Equations equations{*this, (t0 + t1) / T(2), h, x};
      newton<T>(equations, settings_, report);
      if (succeeded(report.outcome)) equations.residual();  // at the corrected unknowns
    });
    if (!succeeded(report.outcome)) return;
    for (int a = 0; a < mu_.size(); ++a) lambda_[a] = mu_[a] / h;
    gamma_ = gamma_now_;
    guess_.remember(u_, lambda_);
    for (int i = 0; i < u_.size(); ++i) {
      add_compensated(x.q[i], x.q_remainder[i], h * u_[i]);
      add_compensated(x.p[i], x.p_remainder[i], f_[i]);
    }
  }

  template <class Archive>
  void archive(Archive& a) {
    a(lambda_, gamma_, kinetics_, matrix_, guess_);
  }
  void resume(const T&, const State<System>&) {}
  const Coordinates& attempted_position() const { return q1_; }
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    take(raw_multipliers, lambda_);
    if (stabilised_) take(raw_gamma, gamma_);
  }

 private:
  T potential(const T& t, const Coordinates& q) { return -system_.lagrangian(t, q, rest_); }

  struct Equations {
    Step& s;
    const T tm, h;
    const State<System>& x;
    bool at_noise = false;

    Real residual() {
      const int n = s.u_.size();
      if (!s.stabilised_) s.w_ = s.u_;
      for (int i = 0; i < n; ++i) {
        s.dq_[i] = h * s.u_[i];
        s.q1_[i] = x.q[i] + (s.dq_[i] + x.q_remainder[i]);
        s.qm_[i] = x.q[i] + (s.dq_[i] / T(2) + x.q_remainder[i]);
      }
      s.system_.constraint_jacobian(tm, s.qm_, s.g_, s.Gm_);
      s.system_.constraint_jacobian(tm, s.q1_, s.g_, s.G1_);
      // f = p1 - p0 by (1) or (3)
      DiscreteGradients<T> beside;
      s.system_.potential_gradient(tm, s.qm_, s.f_);
      if (!s.potential_is_quadratic_) {
        const T V1 = s.potential(tm, s.q1_), slope = dot(s.f_, s.dq_);
        beside.add(h, V1 - s.V0_ - slope, abs_of(V1) + abs_of(s.V0_) + abs_of(slope));
      }
      for (int i = 0; i < n; ++i) s.f_[i] = -h * s.f_[i];
      if (s.structure_.forces) {
        s.system_.force(tm, s.qm_, s.w_, s.row_);
        for (int i = 0; i < n; ++i) s.f_[i] += h * s.row_[i];
      }
      subtract_transposed(s.Gm_, s.mu_, s.f_);
      if (!s.quadratic_) {
        multiply(s.Gm_, s.dq_, s.rate_);
        for (int a = 0; a < s.mu_.size(); ++a) {
          Real terms(0);
          for_row(s.Gm_, a, [&](int j, const T& G) { terms += abs_of(G * s.q1_[j]); });
          beside.add(s.mu_[a], s.g_[a] - s.g0_[a] - s.rate_[a], terms);
        }
      }
      beside.subtract_from(s.f_, s.dq_);
      if (s.stabilised_) {
        s.system_.constraint_jacobian_along(tm, s.qm_, s.w_, s.Hm_);
        multiply_transposed(s.Hm_, s.gamma_now_, s.row_);
        for (int i = 0; i < n; ++i) s.f_[i] -= h * s.row_[i];
      }
      multiply(s.kinetics_.mass().matrix(), s.w_, s.row_);
      Real size(0);
      for (int i = 0; i < n; ++i) s.right_[i] = T(2) * (s.row_[i] - s.p0_[i]) - s.f_[i];
      if (s.stabilised_) {  // (4), the second of (5)
        for (int i = 0; i < n; ++i) s.row_[i] = s.u_[i] - s.w_[i];
        multiply(s.kinetics_.mass().matrix(), s.row_, s.p1_);
        subtract_transposed(s.Gm_, s.gamma_now_, s.p1_);
        for (int i = 0; i < n; ++i) s.right_[n + i] = s.p1_[i], s.row_[i] = T(2) * s.w_[i] - s.v0_[i];
        multiply(s.G1_, s.row_, s.rate_);
      }
      const int mu = s.stabilised_ ? 2 * n : n, m = s.mu_.size();
      for (int a = 0; a < m; ++a) s.right_[mu + a] = s.g_[a] / h;
      for (int a = 0; a < m && s.stabilised_; ++a) s.right_[mu + m + a] = s.rate_[a];
      for (const T& r : s.right_) size += abs_of(r);
      at_noise = size <= beside.noise();
      return size;
    }
    bool at_floor() const { return at_noise; }

    bool factorise() {
      Step& o = s;
      if (!o.potential_is_linear_) o.system_.hessian(tm, o.qm_, o.rest_, o.Lqq_, o.Lqv_, o.Lvv_);
      o.system_.constraint_hessian(tm, o.qm_, o.mu_, o.Hmu_);
      if (o.structure_.forces) {
        o.system_.force_position_jacobian(tm, o.qm_, o.w_, o.Fq_);
        o.system_.force_velocity_jacobian(tm, o.qm_, o.w_, o.Fv_);
      }
      if (o.stabilised_) {
        o.system_.constraint_hessian(tm, o.qm_, o.gamma_now_, o.Hgamma_);
        for (int i = 0; i < o.u_.size(); ++i) o.row_[i] = T(2) * o.w_[i] - o.v0_[i];
        o.system_.constraint_jacobian_along(tm, o.q1_, o.row_, o.H1_);
      }
      choose_impulse_units(o.kinetics_.mass().matrix(), o.Gm_, o.inertia_, o.unit_);
      return o.matrix_.factorise([&] { assemble(); });
    }
    void assemble() {
      Step& o = s;
      auto& X = o.matrix_;
      const int n = o.u_.size(), w = o.stabilised_ ? n : 0, mu = w + n, gamma = mu + o.mu_.size();
      const auto& M = o.kinetics_.mass().matrix();
      X.add({0, w}, T(2), M);
      if (!o.potential_is_linear_) X.add({0, 0}, -h * h / T(2), o.Lqq_);
      X.add({0, 0}, h / T(2), o.Hmu_);
      if (o.structure_.forces) X.add({0, 0}, -h * h / T(2), o.Fq_), X.add({0, w}, -h, o.Fv_);
      X.add_transposed({0, mu}, T(1), o.unit_, o.Gm_);
      X.add({mu, 0}, T(1), o.G1_);
      if (!o.stabilised_) return;
      X.add({0, n}, h, o.Hgamma_);
      X.add_transposed({0, gamma}, h, o.unit_, o.Hm_);
      X.add({n, 0}, T(1), M);
      X.add({n, 0}, -h / T(2), o.Hgamma_);
      X.add({n, n}, T(-1), M);
      X.add_transposed({n, gamma}, T(-1), o.unit_, o.Gm_);
      X.add({gamma, 0}, h, o.H1_);
      X.add({gamma, n}, T(2), o.G1_);
    }

    static int margin() { return 64; }  // what is left has a sign that repeats: energy would drift
    Real correct() {
      Step& o = s;
      o.matrix_.solve(o.right_, o.change_);
      const int n = o.u_.size(), mu = o.stabilised_ ? 2 * n : n, m = o.mu_.size();
      Real size(0);
      for (int i = 0; i < n; ++i) {
        o.u_[i] -= o.change_[i];
        size += abs_of(o.change_[i]);
        if (o.stabilised_) o.w_[i] -= o.change_[n + i], size += abs_of(o.change_[n + i]);
      }
      for (int a = 0; a < m; ++a) o.mu_[a] -= o.unit_[a] * o.change_[mu + a];
      for (int a = 0; a < m && o.stabilised_; ++a) o.gamma_now_[a] -= o.unit_[a] * o.change_[mu + m + a];
      return relative_to(Real(size_of(x.q) + abs_of(h) * size_of(o.u_)), Real(abs_of(h) * size));
    }
  };

  const System& system_;
  const Structure structure_ = system_.structure();
  const bool stabilised_, quadratic_ = structure_.constraint_degree.value_or(3) <= 2,
                          potential_is_quadratic_ = structure_.potential_degree.value_or(3) <= 2,
                          potential_is_linear_ = structure_.potential_degree.value_or(3) <= 1;
  const SolverSettings<Real> settings_;
  Kinetics<System> kinetics_{system_};
  StepGuess<System> guess_{system_};
  const int size_ = (stabilised_ ? 2 : 1) * (system_.coordinates() + system_.constraints());
  RecordedBlocks<BlockMatrix<System, Dynamic>, T> matrix_{system_, size_};
  typename System::Jacobian Gm_ = system_.jacobian(), G1_ = Gm_, Hm_ = Gm_, H1_ = Gm_;
  typename System::Square Lqq_ = system_.square(), Lqv_ = Lqq_, Lvv_ = Lqq_, Fq_ = Lqq_, Fv_ = Lqq_,
                          Hmu_ = system_.constraint_square(), Hgamma_ = Hmu_;
  Coordinates rest_ = Coordinates(system_.coordinates()), u_ = rest_, w_ = rest_, v0_ = rest_, p0_ = rest_, p1_ = rest_,
              dq_ = rest_, qm_ = rest_, q1_ = rest_, f_ = rest_, row_ = rest_;
  Multipliers mu_ = Multipliers(system_.constraints()), gamma_now_ = mu_, lambda_ = mu_, gamma_ = mu_, g_ = mu_,
              g0_ = mu_, rate_ = mu_, unit_ = mu_;
  Vec<T> right_ = Vec<T>(size_), change_ = right_;
  Vec<Real> inertia_ = Vec<Real>(system_.coordinates());
  T V0_{};
};

}  // namespace livens
