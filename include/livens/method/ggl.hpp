// The GGL variational integrator for L = v.Mv/2 - V(t,q), constraints g(q) = 0 and forces F(t,q,v).
// Source: Kinon, Betsch, Schneider (2023), "The GGL variational principle for constrained mechanical systems", eqs.
// (39) to (42) and (57), with p^(n+1) in (41b) and (57b), where p^n is printed: with that the map is not symplectic.
// Order 1 in q, p and lambda, symplectic.  Keeps: g(q) = 0; momentum maps of linear symmetries; constraints linear in q
// also on velocity level, all others G(q) M^-1 p = O(h^2).  Does not keep: energy, which oscillates.
//
// W = M^-1, mu = h lambda, gamma; Hb: rows D2g_k(qb) w, so that Hb^T gamma = sum_k gamma_k D2g_k(qb) w.
//
//   (1)  M v = p0 - h V_q(t0,q0) + h F(t0,q0,v) - G(q0)^T mu ,   qb = q0 + h v
//   (2)  M w = M v - h Hb^T gamma ,   p1 = M w
//   (3)  q1 = qb + h W G(qb)^T gamma ,   g(q1) = 0
//   (4)  G(qb) w = 0
//
// (1) is the sum of the equations of dq and dv of the paper, in which the term with Hb drops out; (2) is that of dv.
// Nothing is carried over but (q, p), of which only the tangential part matters: p0 + G(q0)^T x shifts mu alone.
//
// A free particle on a circle turns by D with sin(2D) = 2 h omega, the other root being pi/2 - D: no solution exists
// for h omega > 1/2. On the right root |v - v0| = tan(D) |v0|, v0 being the tangential part of v; on the other one it
// is larger than |v0|, in the mass norm, and so it is refused. Guess: v0 and gamma to first order in h, without memory;
// then, as a second try, the multipliers of the last step. Linear equations: ggl_matrix.hpp. Large systems take the
// cheapest of its three ways whose corrections contract (multipliers_alone.hpp says when the first two are left).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/method/ggl_matrix.hpp"
#include "livens/method/method.hpp"
#include "livens/method/multipliers_alone.hpp"
#include "livens/method/normal_part.hpp"
#include "livens/method/position_solve.hpp"

namespace livens {

inline constexpr RawValue raw_gamma{"gamma", RawValue::Per::multiplier};

struct Ggl {
  MethodTraits traits() const {
    return {.name = "ggl",
            .order = 1,
            .symplectic = true,
            .symmetric = false,
            .carries_final_momentum = false,
            .audit_uses_final = false,
            .raw = RawValues::end_of_step,
            .explicit_position = true};
  }
  std::string misfit(const Structure& structure) const { return needs_constant_mass_and_still_constraints(structure); }
  template <class System>
  class Step;
};

template <class System>
class Ggl::Step {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  Step(const System& system, const Ggl&, const SolverSettings<Real>& settings) : system_(system), settings_(settings) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    before_ = v;
    if (!kinetics_.start(t, x.q, v)) return false;
    simple_.start(kinetics_.mass());
    alone_.start(kinetics_.mass());
    root_mass_.assign(static_cast<std::size_t>(v.size()), Real(0));
    for (int i = 0; i < v.size(); ++i)
      for_row(kinetics_.mass().matrix(), i, [&](int j, const T& mass) {
        using std::sqrt;
        if (i == j) root_mass_[static_cast<std::size_t>(i)] = sqrt(abs_of(mass));
      });
    return true;
  }

  void advance(const T& t0, const T&, const T& h, State<System>& x, StepReport& report) {
    run_step<System::n>([&] {
      simple_.begin_step();
      simple_.now() ? alone_.skip_step() : alone_.begin_step();
      prepare(t0, h, x, true);
      attempt(t0, h, x, report);
      if (!succeeded(report.outcome) && simple_.leaves()) {
        alone_.begin_step();
        again(t0, h, x, report, [&] { prepare(t0, h, x, true); });
      }
      if (!succeeded(report.outcome) && alone_.leaves()) again(t0, h, x, report, [&] { prepare(t0, h, x, true); });
      if (!succeeded(report.outcome)) again(t0, h, x, report, [&] { prepare(t0, h, x, false); });
      if (!succeeded(report.outcome))
        again(t0, h, x, report, [&] {
          for (int a = 0; a < mu_.size(); ++a) mu_[a] = h * lambda_[a], kappa_[a] = gamma_[a];
        });
      if (!succeeded(report.outcome)) return;
      simple_.end_step(), alone_.end_step();
      accept(h, x);
    });
  }

  template <class Archive>
  void archive(Archive& a) {
    a(lambda_, gamma_, before_, kinetics_, matrix_, normal_, simple_, alone_);
  }
  void resume(const T&, const State<System>&) {}
  const Coordinates& attempted_position() const { return q1_; }

  // lambda acts at the start of the step.
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    take(raw_multipliers, lambda_);
    take(raw_gamma, gamma_);
  }

 private:
  // The step without gamma and with the tangential velocity, G0 W (c + h F - G0^T mu) = 0, and what the curvature of
  // the constraints adds to it in the first order of h: gamma = h/2 (G0 W G0^T)^-1 D2g[v,v] and twice as much to mu.
  void prepare(const T& t0, const T& h, const State<System>& x, bool bent) {
    system_.constraint_jacobian(t0, x.q, g_, G0_);
    system_.potential_gradient(t0, x.q, f_);
    for (T& fi : f_) fi *= -h;
    if (!implicit_) add_force(t0, h, x.q, before_, f_);
    for (int i = 0; i < f_.size(); ++i) c_[i] = x.p[i] + (f_[i] + x.p_remainder[i]);
    kappa_.fill(T(0)), mu_.fill(T(0));
    set_velocity(t0, h, x, before_, tangential_);
    if (!normal_.factorise(G0_, kinetics_.mass())) return;
    multiply(G0_, tangential_, g_);
    normal_.solve(g_, mu_);
    set_velocity(t0, h, x, before_, tangential_);
    if (!bent) return;
    system_.constraint_curvature(t0, x.q, tangential_, g_);
    for (T& ga : g_) ga *= h / T(2);
    normal_.solve(g_, kappa_);
    // Beyond the first order, or next to singular, gamma = 0; |W G0^T gamma|^2 = gamma . h/2 D2g[v,v] in the mass norm
    if (16 * abs_of(dot(kappa_, g_)) > normal_.kinetic(kinetics_.mass(), tangential_)) kappa_.fill(T(0));
    for (int a = 0; a < mu_.size(); ++a) mu_[a] += T(2) * kappa_[a];
  }
  // (1) with the force at v
  void set_velocity(const T& t0, const T& h, const State<System>& x, const Coordinates& v, Coordinates& to) {
    row_ = c_;
    if (implicit_) add_force(t0, h, x.q, v, row_);
    subtract_transposed(G0_, mu_, row_);
    kinetics_.mass().solve(row_, to);
  }

  template <class Guess>
  void again(const T& t0, const T& h, const State<System>& x, StepReport& report, const Guess& guess) {
    const StepReport before = report;
    guess();
    attempt(t0, h, x, report);
    add_cost(before, report);
  }
  void attempt(const T& t0, const T& h, const State<System>& x, StepReport& report) {
    set_velocity(t0, h, x, before_, v_);
    w_ = v_;
    matrix_.take(simple_.now() ? GglWay::without_turning : alone_.now() ? GglWay::multipliers : GglWay::newton);
    simple_.begin_attempt(), alone_.begin_attempt();
    factorised_ = false;
    in_mass_norm_ = Real(1);
    Equations equations{*this, t0, h, x};
    newton<T>(equations, settings_, report);
    if (equations.keeps_matrix()) report.jacobians = 1;
    if (!succeeded(report.outcome)) return;
    if (report.evaluations == report.iterations) equations.residual();  // at the corrected unknowns
    if (normal_.prevails(G0_, kinetics_.mass(), v_, h, size_of(q1_)))
      report.outcome = Outcome::other_root;  // tan(D) > 1
  }

  struct Equations {
    Step& s;
    const T t0, h;
    const State<System>& x;

    Real residual() {
      const int n = s.v_.size();
      multiply_transposed(s.G0_, s.mu_, s.reaction_);
      for (int i = 0; i < n; ++i) s.row_[i] = s.c_[i] - s.reaction_[i];
      if (s.implicit_) {
        s.add_force(t0, h, x.q, s.v_, s.row_);
        multiply(s.kinetics_.mass().matrix(), s.v_, s.rows_.v);
        for (int i = 0; i < n; ++i) s.rows_.v[i] -= s.row_[i];
      } else {
        s.kinetics_.mass().solve(s.row_, s.v_);
      }
      for (int i = 0; i < n; ++i) s.qb_[i] = x.q[i] + (h * s.v_[i] + x.q_remainder[i]);
      s.system_.constraint_jacobian(t0, s.qb_, s.g_, s.Gb_);
      s.system_.constraint_jacobian_along(t0, s.qb_, s.w_, s.Hb_);
      multiply_transposed(s.Gb_, s.kappa_, s.row_);
      s.kinetics_.mass().solve(s.row_, s.u_);
      for (int i = 0; i < n; ++i) s.q1_[i] = x.q[i] + (h * (s.v_[i] + s.u_[i]) + x.q_remainder[i]);
      s.system_.constraint_jacobian(t0, s.q1_, s.g_, s.G1_);
      // (2), (3), (4)
      for (int i = 0; i < n; ++i) s.row_[i] = s.w_[i] - s.v_[i];
      multiply(s.kinetics_.mass().matrix(), s.row_, s.rows_.w);
      multiply_transposed(s.Hb_, s.kappa_, s.turn_);
      for (int i = 0; i < n; ++i) s.rows_.w[i] += h * s.turn_[i];
      for (int a = 0; a < s.g_.size(); ++a) s.rows_.g[a] = s.g_[a] / h;
      multiply(s.Gb_, s.w_, s.rows_.d);
      return size_of(s.rows_.w) + size_of(s.rows_.g) + size_of(s.rows_.d) +
             (s.implicit_ ? size_of(s.rows_.v) : Real(0));
    }
    bool factorise() {
      if (keeps_matrix()) {  // what it leaves out decides the contraction, and a new one would not better it
        if (std::exchange(s.factorised_, true)) return true;
        return s.matrix_.factorise(blocks());
      }
      for (int a = 0; a < s.g_.size(); ++a) s.g_[a] = h * s.kappa_[a];
      s.system_.constraint_hessian(t0, s.qb_, s.g_, s.H_);
      if (s.cubic_) s.system_.constraint_third(t0, s.qb_, s.g_, s.w_, s.third_);
      if (s.implicit_) {
        s.system_.force_velocity_jacobian(t0, x.q, s.v_, s.Fv_);
        s.A_ = s.kinetics_.mass().matrix();
        add_scaled(-h, s.Fv_, s.A_);
      }
      return s.matrix_.factorise(blocks());
    }
    bool given_up() const { return s.simple_.contracts_slowly() || s.alone_.contracts_slowly(); }
    bool keeps_matrix() const { return s.simple_.now() || s.alone_.now(); }
    // Round-off of positions turns a small body much: its axes are known to epsilon |q| over its length only.
    bool lost_in_rounding() const { return s.in_mass_norm_ <= 2 * epsilon<T>(); }
    // Two such corrections: further ones of a matrix that leaves something out only move that noise about.
    bool at_floor() const { return keeps_matrix() && s.in_mass_norm_ <= epsilon<T>() && s.before_it_ <= epsilon<T>(); }
    Real correct() {
      s.matrix_.solve(blocks(), s.rows_, s.change_);
      for (int i = 0; i < s.v_.size(); ++i) s.v_[i] += s.change_.v[i], s.w_[i] += s.change_.w[i];
      for (int a = 0; a < s.mu_.size(); ++a) s.mu_[a] += s.change_.g[a], s.kappa_[a] += s.change_.d[a];
      multiply_transposed(s.Gb_, s.change_.d, s.row_);  // du = W Gb^T dkappa
      s.kinetics_.mass().solve(s.row_, s.u_);
      const Real change = s.largest_change(h, x);
      s.simple_.note(s.in_mass_norm_), s.alone_.note(s.in_mass_norm_);
      return change;
    }
    GglBlocks<System> blocks() const {
      const auto *A = s.implicit_ ? &s.A_ : nullptr, *third = s.cubic_ ? &s.third_ : nullptr;
      return {h, s.kinetics_.mass(), A, s.G0_, s.Gb_, s.G1_, s.Hb_, s.H_, third};
    }
  };

  // A correction by its largest entry, relative to positions: what contracts slowly in one body of many would be lost
  // in the sum over all. And the same with the roots of masses as weights.
  Real largest_change(const T& h, const State<System>& x) {
    Real sum(0), most(0), weighed(0), weighed_reach(0);
    for (int i = 0; i < v_.size(); ++i) {
      const Real moved = abs_of(h) * (abs_of(change_.v[i]) + abs_of(change_.w[i]) + abs_of(u_[i])),
                 far = abs_of(x.q[i]) + abs_of(h) * abs_of(v_[i]);
      sum += moved;
      most = std::max(most, moved);
      weighed = std::max(weighed, Real(root_mass_[static_cast<std::size_t>(i)] * moved));
      weighed_reach = std::max(weighed_reach, Real(root_mass_[static_cast<std::size_t>(i)] * far));
    }
    before_it_ = in_mass_norm_;
    in_mass_norm_ = is_finite(sum) ? relative_to(weighed_reach, weighed) : sum;
    return relative_to(Real(max_norm(x.q) + abs_of(h) * max_norm(v_)), is_finite(sum) ? most : sum);
  }

  void accept(const T& h, State<System>& x) {
    for (int a = 0; a < mu_.size(); ++a) lambda_[a] = mu_[a] / h;
    gamma_ = kappa_, before_ = v_;
    if (implicit_) {  // M v = c + h F - G0^T mu to round-off
      multiply(kinetics_.mass().matrix(), v_, row_);
      for (int i = 0; i < f_.size(); ++i) f_[i] += row_[i] - (c_[i] - reaction_[i]);
    }
    for (int i = 0; i < f_.size(); ++i) {
      add_compensated(x.q[i], x.q_remainder[i], h * (v_[i] + u_[i]));
      add_compensated(x.p[i], x.p_remainder[i], f_[i] - reaction_[i] - h * turn_[i]);
    }
  }

  // out += h F
  void add_force(const T& t0, const T& h, const Coordinates& q, const Coordinates& v, Coordinates& out) {
    if (!structure_.forces) return;
    system_.force(t0, q, v, force_);
    for (int i = 0; i < out.size(); ++i) out[i] += h * force_[i];
  }

  const System& system_;
  const Structure structure_ = system_.structure();
  const bool implicit_ = structure_.velocity_in_forces, cubic_ = structure_.constraint_degree.value_or(3) > 2;
  const SolverSettings<Real> settings_;
  Kinetics<System> kinetics_{system_};
  NormalPart<System> normal_{system_};
  GglMatrix<System> matrix_{system_};
  MultipliersAlone<System> simple_{system_, !implicit_, false, 6, 8}, alone_{system_, !implicit_};
  typename System::Jacobian G0_ = system_.jacobian(), Gb_ = G0_, G1_ = G0_, Hb_ = G0_;
  typename System::Square A_ = system_.square(), Fv_ = A_, H_ = system_.constraint_square(), third_ = H_;
  Coordinates v_ = Coordinates(system_.coordinates()), w_ = v_, u_ = v_, tangential_ = v_, qb_ = v_, q1_ = v_, f_ = v_,
              c_ = v_, before_ = v_, reaction_ = v_, turn_ = v_, row_ = v_, force_ = v_;
  Multipliers mu_ = Multipliers(system_.constraints()), kappa_ = mu_, lambda_ = mu_, gamma_ = mu_, g_ = mu_,
              multiplier_ = mu_;
  bool factorised_ = false;                            // in this attempt
  std::vector<Real> root_mass_;                        // of every coordinate
  Real in_mass_norm_ = Real(1), before_it_ = Real(1);  // the last two corrections
  GglRows<System> rows_{v_, v_, mu_, mu_}, change_ = rows_;
};

}  // namespace livens
