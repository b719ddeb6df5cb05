// One map of the symplectic Euler methods for overdetermined systems (system/first_order_form.hpp) whose reaction r may
// be nonlinear in the multipliers, and its adjoint, the inverse of the map with step -h.
// Source: "Consistent extensions of the symplectic Euler method for a class of overdetermined DAEs", (2.2), (3.2),
// (3.5) to (3.8), with r0 and r1 at z0 and z1; the adjoints are ours: of (3.5) it is (3.8) only where r is affine in
// psi.
//
//   (a)  Z1 = z0 + h f0 + h R0              early:  f0 = f(t0,y0,Z1) ,  v* = v(t0,y0,Z1) ,  f1 = 0
//   (b)  y1 = y0 + h v* ,                   late:   f0 = 0 ,            v* = v(t1,y1,Z1) ,  f1 = f(t1,y1,Z1)
//   (c)  g(t1,y1) = 0
//   (d)  z1 = Z1 + h f1 + h R1              map:      R0 = w0 r0(P0) ,               R1 = w1 r1(P1) - wm r1(P0)
//   (e)  G(t1,y1) v(t1,y1,z1) + g_t = 0     adjoint:  R0 = w1 r0(P1) - wm r0(P0) ,   R1 = w0 r1(P0)
//
//   r0(P) = r(t0,y0,z0,P) ,  r1(P) = r(t1,y1,z1,P) ;   hamiltonian:  w0, w1, wm = 1, 1, 0
//                                                      natural:      alpha, 1 - alpha, 0
//                                                      true:         alpha, 1, alpha
//
// The map is block triangular: (a,b,c) for Z1, y1, P0, then (d,e) for z1, P1. Of the adjoint all is solved at once.
// Multipliers have the limits of (H) in hidden_equation.hpp with shares of its terms, 1/2 of the curvature among them:
// P0 is inconsistent on purpose, and so is P1 but for the true methods. They start the iteration of the first step,
// later ones start from those of the step before. A step has other roots: corrections have to contract
// (continuation.hpp); where they do not, the root is followed from step size 0 with growing parts of the step. Roots
// with another sign of det(G v_z r_psi) than the multiplier of the start has are refused; two roots of several
// multipliers may share that sign.
#pragma once

#include "livens/math/compensated.hpp"
#include "livens/method/continuation.hpp"
#include "livens/method/euler_matrix.hpp"
#include "livens/method/method.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/hidden_equation.hpp"

namespace livens {

template <class System>
class EulerMap {
 public:
  using Form = FirstOrderForm<System>;
  using T = typename Form::T;
  using Real = RealOf<T>;
  using Positions = typename Form::Positions;
  using Velocities = typename Form::Velocities;
  using Multipliers = typename Form::Multipliers;

  EulerMap(const System& system, const EulerScheme& scheme, const SolverSettings<Real>& settings)
      : form_(system), hidden_(system), scheme_(scheme), settings_(settings) {}

  // hint: the velocity of a Lagrangian system, the multipliers of an overdetermined one.
  bool start(const T& t, const State<System>& x, const HintOf<System>& hint) {
    why_not_started_ = Outcome::singular_jacobian;  // of the mass matrix
    if constexpr (OverdeterminedSystem<System>)
      psi_ = hint;
    else if (psi_.fill(T(0)); !form_.start(t, x.q, hint) || !hidden_.start(t, x.q, hint))
      return false;
    steps_done_ = false;
    why_not_started_ = Outcome::no_multiplier;
    if (!succeeded(hidden_.solve(t, x.q, x.p, psi_))) return false;
    sign_ = sign_of(t, x.q, x.p, psi_);
    return succeeded(take_limits(t, x));
  }
  Outcome why_not_started() const { return why_not_started_; }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    solve({*this, t0, t1, h, x}, report);
    for (const int parts : {1, 4, 16})
      if (!succeeded(report.outcome)) follow(parts, t0, t1, h, x, report);
    if (!succeeded(report.outcome)) return;
    P0_ = P0_now_, P1_ = P1_now_;
    for (int a = 0; a < psi_.size(); ++a)
      psi_[a] = scheme_.wm() != 0 ? P1_[a] : T(scheme_.w0()) * P0_[a] + T(scheme_.w1()) * P1_[a];
    for (int i = 0; i < z1_.size(); ++i) last_rate_[i] = dz_[i] / h;
    steps_done_ = true;
    for (int i = 0; i < y1_.size(); ++i) add_compensated(x.q[i], x.q_remainder[i], h * v_[i]);
    for (int i = 0; i < z1_.size(); ++i) add_compensated(x.p[i], x.p_remainder[i], dZ_[i] + dz_[i]);
  }

  const Multipliers& first() const { return P0_; }
  const Multipliers& last() const { return P1_; }
  const Positions& attempted_position() const { return y1_; }

  template <class Archive>
  void archive(Archive& a) {
    a(P0_, P1_, psi_, last_rate_, steps_done_, sign_);
    if constexpr (requires { form_.archive(a); }) a(form_, hidden_);
  }

 private:
  using Block = EulerBlock;
  struct Equations;

  // Psi of (3.3) and its companions, from the multiplier of the state.
  Outcome take_limits(const T& t, const State<System>& x) {
    const bool force_first = scheme_.late == scheme_.adjoint;
    const HiddenShares first{0.5, force_first ? 0.0 : 1.0, force_first ? 1.0 : 0.0, scheme_.w0()},
        last{0.5, force_first ? 1.0 : 0.0, force_first ? 0.0 : 1.0, scheme_.w1()};
    P0_ = P1_ = psi_;
    Outcome outcome = hidden_.solve(t, x.q, x.p, P0_, first);
    if (succeeded(outcome) && scheme_.variant != EulerScheme::Variant::true_)
      outcome = hidden_.solve(t, x.q, x.p, P1_, last);
    const bool same_root =
        sign_of(t, x.q, x.p, psi_) == sign_ && sign_of(t, x.q, x.p, P0_) == sign_ && sign_of(t, x.q, x.p, P1_) == sign_;
    return succeeded(outcome) && !same_root ? Outcome::other_root : outcome;
  }

  // Of det(G v_z r_psi); 0 where it is singular.
  int sign_of(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi) {
    if (psi.size() == 0) return 1;
    hidden_.solvability(t, y, z, psi, S_.matrix(), size_);
    return S_.factorise() ? S_.determinant_sign() : 0;
  }
  // Looked at where a multiplier changes by more than a quarter: to save the evaluations elsewhere.
  bool is_other_root(const T& t, const Positions& y, const Velocities& z, const Multipliers& before,
                     const Multipliers& now) {
    bool large = false;
    for (int a = 0; a < now.size(); ++a) large = large || 4 * abs_of(now[a] - before[a]) > abs_of(before[a]);
    return large && sign_of(t, y, z, now) != sign_;
  }

  // The root that is continued from step size 0: from the limits of the multipliers, with growing parts of the step.
  void follow(int parts, const T& t0, const T& t1, const T& h, const State<System>& x, StepReport& report) {
    const StepReport first = report;
    if (!succeeded(hidden_.solve(t0, x.q, x.p, psi_)) || !succeeded(take_limits(t0, x))) return;
    steps_done_ = false;
    for (int k = 1; k <= parts; ++k) {
      const StepReport before = report;
      const T part = T(k) / T(parts);
      solve({*this, t0, k == parts ? t1 : T(t0 + part * (t1 - t0)), k == parts ? h : T(part * h), x,
             k == 1 ? T(0) : T(k) / T(k - 1)},
            report);
      if (!succeeded(report.outcome)) return;
      if (k > 1) add_cost(before, report);
      P0_ = P0_now_, P1_ = P1_now_;
    }
    add_cost(first, report);
  }

  void solve(Equations equations, StepReport& report) {
    const State<System>& x = equations.x;
    if (equations.stretch > T(0))
      equations.guess_from_part();
    else
      equations.guess();
    equations.block = scheme_.adjoint ? Block::all : Block::first;
    newton<T>(equations, settings_, report);
    if (equations.continuation.fails()) report.outcome = Outcome::other_root;
    if (!succeeded(report.outcome)) return;
    if (!scheme_.adjoint) {
      equations.residual();  // at the corrected unknowns
      equations.block = Block::last;
      equations.guess_last();
      const StepReport before = report;
      newton<T>(equations, settings_, report);
      if (equations.continuation.fails()) report.outcome = Outcome::other_root;
      add_cost(before, report);
      if (!succeeded(report.outcome)) return;
    }
    equations.residual();
    const bool swapped = scheme_.adjoint;  // P1 acts at the start then
    const bool jumped = is_other_root(equations.t0, x.q, x.p, swapped ? P1_ : P0_, swapped ? P1_now_ : P0_now_) ||
                        is_other_root(equations.t1, y1_, z1_, swapped ? P0_ : P1_, swapped ? P0_now_ : P1_now_);
    if (jumped) report.outcome = Outcome::other_root;
  }

  struct Equations {
    EulerMap& s;
    const T t0, t1, h;
    const State<System>& x;
    const T stretch{};  // of the increments of the part of the step before; 0: there is none
    Block block = Block::first;
    Continuation<Real> continuation{};

    void guess() {
      s.P0_now_ = s.P0_, s.P1_now_ = s.P1_;
      s.Z1_ = s.z1_ = x.p, s.y1_ = x.q;
      s.dz_.fill(T(0));  // of the step before: sizes of terms must not depend on it
      s.form_.force(t0, x.q, x.p, s.f_);
      s.form_.reaction(t0, x.q, x.p, s.P0_, s.r_);
      const EulerScheme& scheme = s.scheme_;
      const T w(scheme.adjoint ? -scheme.wm() : scheme.w0());
      for (int i = 0; i < s.Z1_.size(); ++i) s.Z1_[i] += h * ((scheme.late ? T(0) : s.f_[i]) + w * s.r_[i]);
      if (scheme.adjoint) {
        s.form_.reaction(t0, x.q, x.p, s.P1_, s.r_);
        for (int i = 0; i < s.Z1_.size(); ++i) s.Z1_[i] += h * T(scheme.w1()) * s.r_[i];
      }
      s.form_.velocity(t0, x.q, s.Z1_, s.v_);
      for (int i = 0; i < s.y1_.size(); ++i) s.y1_[i] += h * s.v_[i];
      guess_last();
    }
    void guess_from_part() {
      s.P0_now_ = s.P0_, s.P1_now_ = s.P1_;
      for (int i = 0; i < s.y1_.size(); ++i) s.y1_[i] = x.q[i] + stretch * (s.y1_[i] - x.q[i]);
      for (int i = 0; i < s.z1_.size(); ++i) {
        s.Z1_[i] = x.p[i] + stretch * (s.Z1_[i] - x.p[i]);
        s.z1_[i] = x.p[i] + stretch * (s.z1_[i] - x.p[i]);
      }
      set_continuation();
    }
    // (d) as in the step or the part before; at first explicitly.
    void guess_last() {
      const EulerScheme& scheme = s.scheme_;
      if (stretch > T(0)) return set_continuation();
      s.z1_ = s.Z1_;
      if (s.steps_done_) {
        for (int i = 0; i < s.z1_.size(); ++i) s.z1_[i] += h * s.last_rate_[i];
      } else {
        add_last_reaction(s.z1_);
        if (scheme.late) s.form_.force(t1, s.y1_, s.Z1_, s.f_);
        for (int i = 0; scheme.late && i < s.z1_.size(); ++i) s.z1_[i] += h * s.f_[i];
      }
      set_continuation();
    }
    void set_continuation() {
      // With what forces change in a step: where nothing can move a correction is as large as that.
      continuation = {size_of(x.p) + size_of(s.Z1_) + size_of(s.z1_) + abs_of(h) * (size_of(s.f_) + size_of(s.r_)),
                      size_of(x.q) / abs_of(h)};
    }
    bool given_up() const { return continuation.fails(); }

    Real residual() {
      Real size(0);
      if (block != Block::last) size += first_rows();
      if (block != Block::first) size += last_rows();
      return size;
    }
    // (a), (b), (c)/h^2
    Real first_rows() {
      const EulerScheme& scheme = s.scheme_;
      s.dZ_.fill(T(0));
      if (!scheme.late) {
        s.form_.force(t0, x.q, s.Z1_, s.f_);
        for (int i = 0; i < s.dZ_.size(); ++i) s.dZ_[i] = h * s.f_[i];
      }
      add_reaction(t0, x.q, x.p, s.P0_now_, scheme.adjoint ? -scheme.wm() : scheme.w0(), s.dZ_);
      if (scheme.adjoint) add_reaction(t0, x.q, x.p, s.P1_now_, scheme.w1(), s.dZ_);
      s.form_.velocity(scheme.late ? t1 : t0, scheme.late ? s.y1_ : x.q, s.Z1_, s.v_);
      s.form_.constraint_jacobian(t1, s.y1_, s.g_, s.G_);
      const int nz = s.Z1_.size(), ny = s.y1_.size();
      for (int i = 0; i < nz; ++i) s.row(i) = (s.Z1_[i] - x.p[i]) - (s.dZ_[i] + x.p_remainder[i]);
      for (int i = 0; i < ny; ++i) s.row(nz + i) = (s.y1_[i] - x.q[i]) - (h * s.v_[i] + x.q_remainder[i]);
      for (int a = 0; a < s.g_.size(); ++a) s.row(nz + ny + a) = s.g_[a] / (h * h);
      return s.rows_size(0, nz + ny + s.g_.size());
    }
    // (d), (e)/h
    Real last_rows() {
      s.dz_.fill(T(0));
      if (s.scheme_.late) {
        s.form_.force(t1, s.y1_, s.Z1_, s.f_);
        for (int i = 0; i < s.dz_.size(); ++i) s.dz_[i] = h * s.f_[i];
      }
      add_last_reaction(s.dz_);
      s.form_.velocity(t1, s.y1_, s.z1_, s.u_);
      multiply(s.G_, s.u_, s.rate_);
      s.form_.constraint_rate(t1, s.y1_, s.gt_);
      const int at = first_of_last(), nz = s.z1_.size();
      for (int i = 0; i < nz; ++i) s.row(at + i) = (s.z1_[i] - s.Z1_[i]) - s.dz_[i];
      for (int a = 0; a < s.g_.size(); ++a) s.row(at + nz + a) = (s.rate_[a] + s.gt_[a]) / h;
      return s.rows_size(at, nz + s.g_.size());
    }
    void add_last_reaction(Velocities& to) {
      const EulerScheme& scheme = s.scheme_;
      if (scheme.adjoint) return add_reaction(t1, s.y1_, s.z1_, s.P0_now_, scheme.w0(), to);
      add_reaction(t1, s.y1_, s.z1_, s.P1_now_, scheme.w1(), to);
      if (scheme.wm() != 0) add_reaction(t1, s.y1_, s.z1_, s.P0_now_, -scheme.wm(), to);
    }
    // to += h w r
    void add_reaction(const T& t, const Positions& y, const Velocities& z, const Multipliers& P, double w,
                      Velocities& to) {
      s.form_.reaction(t, y, z, P, s.r_);
      for (int i = 0; i < to.size(); ++i) to[i] += h * T(w) * s.r_[i];
    }
    int first_of_last() const { return block == Block::last ? 0 : s.Z1_.size() + s.y1_.size() + s.g_.size(); }

    // Every row at the round-off of its own terms and of the unknowns in it: that of g/h^2 and G v/h is far above the
    // one of the unknowns, and kicks may be far above z, where a motion turns.
    bool at_floor() const {
      const int nz = s.Z1_.size(), ny = s.y1_.size(), m = s.g_.size(), at = first_of_last();
      bool reached = true;
      const auto judge = [&](int i, const Real& terms) {
        reached = reached && abs_of(s.rows_[i]) <= 4 * epsilon<T>() * (s.matrix_.reach(block, i) + terms);
      };
      if (block != Block::last) {
        for (int i = 0; i < nz; ++i) judge(i, abs_of(x.p[i]) + abs_of(s.dZ_[i]));
        for (int i = 0; i < ny; ++i) judge(nz + i, abs_of(x.q[i]) + abs_of(h * s.v_[i]));
        for (int a = 0; a < m; ++a) judge(nz + ny + a, Real(0));
      }
      if (block != Block::first) {
        for (int i = 0; i < nz; ++i) judge(at + i, abs_of(s.Z1_[i]) + abs_of(s.dz_[i]));
        for (int a = 0; a < m; ++a) {
          Real rate = abs_of(s.gt_[a]);
          for (int i = 0; i < ny; ++i) rate += abs_of(s.G_(a, i) * s.u_[i]);
          judge(at + nz + a, rate / abs_of(h));
        }
      }
      return reached;
    }
    // Whether what is left of the last correction is at the round-off of every unknown by itself.
    bool settled(const Real& left) const {
      const Vec<T>& d = s.matrix_.change(block);
      int at = 0;
      bool all = true;
      const auto judge = [&](const auto& unknown, const auto& from, const Velocities* kick) {
        for (int i = 0; i < unknown.size(); ++i, ++at)
          all = all &&
                left * abs_of(d[at]) <=
                    4 * epsilon<T>() * (abs_of(unknown[i]) + abs_of(from[i]) + (kick ? abs_of((*kick)[i]) : Real(0)));
      };
      if (block != Block::last) judge(s.Z1_, x.p, &s.dZ_), judge(s.y1_, x.q, nullptr), at += s.g_.size();
      if (block != Block::first) judge(s.z1_, s.Z1_, &s.dz_);
      return all;
    }
    // What is left moves positions by their round-off, and no more can be known of velocities: those of a motion that
    // starts from rest are as small as h.
    bool lost_in_rounding() const {
      const Vec<T>& d = s.matrix_.change(block);
      const Real floor = 4 * epsilon<T>() * max_norm(s.y1_);
      const int nz = s.Z1_.size(), ny = s.y1_.size(), last = first_of_last();
      bool lost = true;
      for (int i = 0; block != Block::last && i < ny; ++i) lost = lost && abs_of(d[nz + i]) <= floor;
      for (int i = 0; i < nz; ++i) {
        if (block != Block::last) lost = lost && s.matrix_.way(i) * abs_of(d[i]) <= floor;
        if (block != Block::first) lost = lost && s.matrix_.way(i) * abs_of(d[last + i]) <= floor;
      }
      return lost || settled(Real(1));
    }
    bool factorise() {
      return s.matrix_.factorise(block, s.scheme_, s.form_,
                                 {t0, t1, h, x.q, s.y1_, x.p, s.Z1_, s.z1_, s.P0_now_, s.P1_now_, s.G_});
    }

    Real correct() {
      const int nz = s.Z1_.size(), ny = s.y1_.size(), m = s.g_.size();
      const Vec<T>& d = s.matrix_.solve(block, s.rows_);
      Real y_change(0), z_change(0);
      int at = 0;
      const auto take = [&](auto& unknown, int count, Real* total) {
        for (int i = 0; i < count; ++i) {
          unknown[i] -= d[at + i];
          if (total) *total += abs_of(d[at + i]);
        }
        at += count;
      };
      if (block != Block::last) take(s.Z1_, nz, &z_change), take(s.y1_, ny, &y_change), take(s.P0_now_, m, nullptr);
      if (block != Block::first) take(s.z1_, nz, &z_change), take(s.P1_now_, m, nullptr);
      continuation.note(z_change);
      return relative_to(size_of(s.y1_), y_change) + relative_to(Real(size_of(x.p) + size_of(s.z1_)), z_change);
    }
  };

  T& row(int i) { return rows_[i]; }
  Real rows_size(int first, int count) const {
    Real sum(0);
    for (int i = first; i < first + count; ++i) sum += abs_of(rows_[i]);
    return sum;
  }

  Form form_;
  HiddenEquation<System> hidden_;
  const EulerScheme scheme_;
  const SolverSettings<Real> settings_;
  const int ny_ = form_.positions(), nz_ = form_.velocities(), m_ = form_.multipliers();
  Positions y1_ = Positions(ny_), v_ = y1_, u_ = y1_;
  Velocities Z1_ = Velocities(nz_), z1_ = Z1_, f_ = Z1_, r_ = Z1_, dZ_ = Z1_, dz_ = Z1_, last_rate_ = Z1_;
  Multipliers P0_ = Multipliers(m_), P1_ = P0_, psi_ = P0_, P0_now_ = P0_, P1_now_ = P0_, g_ = P0_, gt_ = P0_,
              rate_ = P0_;
  int sign_ = 1;
  Outcome why_not_started_ = Outcome::converged;
  bool steps_done_ = false;
  typename Form::Jacobian G_ = typename Form::Jacobian(m_, ny_);
  Lu<T, Form::m> S_{m_};
  Mat<T, Form::m, Form::m> size_{m_, m_};
  EulerMatrix<Form> matrix_{form_, scheme_.adjoint};
  Vec<T> rows_ = Vec<T>(ny_ + 2 * (nz_ + m_));
};

}  // namespace livens
