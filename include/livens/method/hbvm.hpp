// HBVM(k,s): line-integral methods that conserve energy and holonomic constraints, for L = v.Mv/2 - V(q), g(q) = 0.
// Source: Brugnano, Gurioli, Iavernaro, Weinmueller (2018), "Line integral solution of Hamiltonian systems with
// holonomic constraints", eqs. (49)-(52); r = 1 is their method, r > 1 multiplier coefficients per step our extension.
// Order of q and of the projected momentum: the smaller of 2s and 2r+2 (2r for even r), measured for r <= 5; of the
// carried momentum: 2, or 4 for r >= 3; without constraints all are 2s. Symmetric. Not symplectic
// (tests/verify/hbvm.cpp).
// Keeps: energy and g = 0 to round-off where 2k/s is at least the degree of V and g, else to O(h^2k).
// Does not keep: the hidden constraint (O(h^2), it alternates); angular momentum in general.
//
// P_j: Legendre polynomials, orthonormal on [0,1]; X_s maps coefficients to those of the integral; (b_l, c_l): k Gauss
// points. Unknowns are velocities gamma_j and impulses mu_i = h lambda_i:
//
//   u'(c) = sum_{j<s} P_j(c) gamma_j ,   Y_l = q0 + h sum_j I_lj gamma_j ,   I_lj = int_0^{c_l} P_j
//   z_l   = h f(Y_l) - G(Y_l)^T sum_{i<r} P_i(c_l) mu_i ,   f = L_q = -V_q
//
//   (1)  M gamma_j = delta_{j0} p0 + sum_a X_ja sum_l b_l P_a(c_l) z_l                            j = 0..s-1   (50)
//   (2)  0 = sum_l b_l P_i(c_l) G(Y_l) u'(c_l)                                                     i = 0..r-1   (51)
//   (3)  q1 = q0 + h gamma_0 ,   p1 = p0 + sum_l b_l z_l                                                       (52)
//
// (2) is the quadrature of dg/dt (i = 0) and makes the constraint force do no work (all i). By (1) it is linear in mu,
//   A mu = b ,   A_ii' = sum_ja X_ja R_ji M^-1 R_ai'^T ,   b_i = R_0i M^-1 p0 + h sum_ja X_ja R_ji M^-1 psi_a ,
//   R_ji = sum_l b_l P_j(c_l) P_i(c_l) G(Y_l) ,   psi_a = sum_l b_l P_a(c_l) f(Y_l) ,
// which is one sweep of the fixed-point iteration: gamma -> Y -> A, b -> mu -> gamma. Newton's method solves (1), (2)
// for (gamma, mu) after one sweep. A is not symmetric for s > 1: LU.
// Energy is exact because sum_j gamma_j . Z_j, with the impulses Z_j = sum_l b_l P_j(c_l) z_l, sees only the symmetric
// part of X, which is 1/2 in its first entry and 0 elsewhere: so gamma is formed from Z, and p1 = p0 + Z_0.
// Round-off: the unknown is gamma_0 - v0, v0 = M^-1 p0, which has the size of h: gamma_0 itself is rounded so that the
// sweeps end in cycles, and energy drifts; coefficients are those of split_table.hpp, for the same reason.
//   (1')  M (gamma_0 - v0) = sum_a X_0a Z_a + (p0 - M v0) ,     M gamma_j = sum_a X_ja Z_a
// The energy changes by what (1') and (2) lack, times Z and mu. So the last sweep or the last corrections, and the
// update, are made in the next wider scalar, gamma and mu too, with G at Y_l as it was before rounding:
// G(fl Y) + D2g[Y - fl Y, .].
//
// The equations of a large step have other roots; the one that is meant is continued from h = 0 (follow_root.hpp).
// Sweeps that approach a root and leave it again are given up (fixed_point.hpp): where constraints nearly lose rank
// they are driven away, to another root.
//
// Newton's matrix, rows (1'), (2), columns gamma_c, mu_i, with X_jl = sum_a X_ja b_l P_a(c_l):
//   M delta_jc + h sum_l X_jl I_lc ( sum_ia P_i(c_l) mu_ia D2g_a - h L_qq ) ,    sum_l X_jl P_i(c_l) G_l^T ,
//   sum_l b_l P_i(c_l) ( P_c(c_l) G_l + h I_lc D2g[u'(c_l)] )
//
// Remembered between steps: nothing but the multipliers for the results; every step starts from (M^-1 p0, 0, ..).
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/math/legendre_table.hpp"
#include "livens/math/wide_products.hpp"
#include "livens/method/enough_points.hpp"
#include "livens/method/follow_root.hpp"
#include "livens/method/method.hpp"
#include "livens/method/stages.hpp"
#include "livens/solve/block_grid.hpp"
#include "livens/solve/definite.hpp"
#include "livens/solve/fixed_point.hpp"
#include "livens/solve/schur_blocks.hpp"
#include "livens/system/generalised_force.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

struct Hbvm {
  enum class Iteration { fixed_point, newton };

  int k = 0;  // quadrature points; 0: as many as conservation needs, found before the first step
  int s = 2;  // degree of q in a step
  int r = 1;  // multiplier coefficients of a step
  Iteration iteration = Iteration::fixed_point;

  // Which condition an inadmissible choice breaks; empty if it is admissible.
  std::string inadmissible() const {
    const auto text = [](int number) { return std::to_string(number); };
    if (s < 1) return "s = " + text(s) + ": the degree s must be at least 1";
    if (r < 1 || r > s) return "r = " + text(r) + ": 1 <= r <= s = " + text(s) + " multiplier coefficients are needed";
    if (k > 1000) return "k = " + text(k) + ": at most 1000 quadrature points";
    if (k != 0 && k < s) return "k = " + text(k) + ": k >= s = " + text(s) + " quadrature points are needed";
    return "";
  }

  // Why a system does not fit; empty if it does.
  static std::string misfit(const Structure& structure) {
    if (!structure.constant_mass) return needs_constant_mass(structure);
    if (structure.forces) return "it conserves energy, and this system has forces";
    if (structure.time_in_lagrangian || structure.time_in_constraints)
      return "it conserves energy, and this system depends on time";
    return "";
  }

  // Of an indefinite M the energy has no bound, and steps have no solution where the impulses meet its null directions.
  template <class Square>
  static std::string misfit_of_mass(const Square& M) {
    return is_positive_definite(M) ? "" : "its mass matrix is not positive definite";
  }

  MethodTraits traits() const {
    return {.name = "hbvm",
            .order = std::min(2 * s, r % 2 == 1 ? 2 * r + 2 : 2 * r),
            .symplectic = false,
            .symmetric = true,
            .carries_final_momentum = false,
            .audit_uses_final = false,
            .raw = RawValues::end_of_step,
            .any_momentum_starts = false,
            .explicit_position = iteration == Iteration::fixed_point,
            .free_order = 2 * s};
  }

  // The method with k chosen, for the first step of a run from (q, p).
  template <class System>
  Hbvm prepared(const System& system, const typename System::Coordinates& q, const typename System::Coordinates& p,
                const typename System::Coordinates& v, const typename System::Scalar& h,
                const SolverSettings<RealOf<typename System::Scalar>>& settings) const {
    return k != 0 ? *this : with_enough_points(*this, system, q, p, v, h, settings);
  }
  // Any k, for what is made before the first step is known.
  Hbvm provisional() const {
    Hbvm method = *this;
    if (k == 0) method.k = s;
    return method;
  }
  FoundOptions found(const Hbvm& wanted) const { return k == wanted.k ? FoundOptions{} : FoundOptions{{"k", k}}; }
  template <class System>
  class Step;
};

template <class System>
class Hbvm::Step {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Jacobian = typename System::Jacobian;
  using Square = typename System::Square;

  Step(const System& system, const Hbvm& method, const SolverSettings<Real>& settings)
      : system_(system), settings_(settings), method_(checked(method, system)) {
    if (newton_) declare_blocks();
  }

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    if (!kinetics_.start(t, x.q, v)) return false;
    if (const std::string reason = misfit_of_mass(kinetics_.mass().matrix()); !reason.empty())
      throw std::invalid_argument("hbvm: " + reason);
    if (!newton_) return true;
    force_.start(t, x.q, v);
    if (m_ > 0) system_.constraint_jacobian(t, x.q, g_, Gu_);
    equations_.choose_units(kinetics_.mass().matrix(), Gu_);
    return true;
  }
  void resume(const T&, const State<System>&) {}

  void advance(const T&, const T&, const T& h, State<System>& x, StepReport& report) {
    if (newton_) {
      solve(h, x, report);
    } else {
      guess(x);
      Sweeps sweeps{*this, h, x};
      fixed_point<T>(sweeps, settings_, report);
    }
    if (succeeded(report.outcome)) accept(h, x, report);
  }

  template <class Archive>
  void archive(Archive& a) {
    a(lambda_, kinetics_, blocks_, equations_.matrix);
  }

  const Coordinates& attempted_position() const { return q_; }
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    take(raw_multipliers, lambda_);
  }

 private:
  // Of a k that is not chosen, that for polynomials; others want a first step, which `march` makes (`prepared`).
  static Hbvm checked(Hbvm method, const System& system) {
    std::string reason = misfit(system.structure());
    if (reason.empty()) reason = method.inadmissible();
    if (reason.empty() && method.k == 0) method.k = exact_points(method.s, system.structure());
    if (reason.empty() && (method.k == 0 || method.k > 1000))
      reason =
          "how many quadrature points k it needs is found by a first step, as march does it: give k, or "
          "potential_degree and constraint_degree where V and g are polynomials";
    if (!reason.empty()) throw std::invalid_argument("hbvm: " + reason);
    return method;
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // The unknowns and what is summed with them, in a scalar W.
  template <class W>
  struct Sums {
    explicit Sums(const Step& step)
        : gamma(several<Dynamic>(step.s_, Vec<W, System::n>(step.n_))),
          Z(gamma),
          mu(several<Dynamic>(step.r_, Vec<W, System::m>(step.m_))),
          work(mu),
          u(step.n_),
          a(step.n_),
          g(step.m_) {}
    std::vector<Vec<W, System::n>> gamma, Z;  // gamma_0 without v0
    std::vector<Vec<W, System::m>> mu, work;  // work: right side of (2)
    Vec<W, System::n> u, a;
    Vec<W, System::m> g;
  };
  template <class W>
  Sums<W>& sums() {
    if constexpr (std::is_same_v<W, T>)
      return sums_;
    else
      return wide_sums_;
  }
  // The unknowns as they are by now, to be bettered in the wider scalar.
  void widen() {
    const auto copy = [](const auto& from, auto& to) {
      for (std::size_t j = 0; j < from.size(); ++j)
        for (int i = 0; i < from[j].size(); ++i) to[j][i] = from[j][i];
    };
    auto& wide = sums<Wider<T>>();
    copy(sums_.gamma, wide.gamma), copy(sums_.mu, wide.mu);
  }
  // Jets are for one step.
  static constexpr bool unrounded() { return std::is_same_v<T, Real>; }

  void guess(const State<System>& x) {
    for (int i = 0; i < n_; ++i) a_[i] = x.p[i] + x.p_remainder[i];
    kinetics_.mass().solve(a_, v0_);
    auto& rest = sums<Wider<T>>().a;
    for (int i = 0; i < n_; ++i) rest[i] = x.p[i];
    add_wide_product(-1, kinetics_.mass().matrix(), v0_, rest);
    for (int i = 0; i < n_; ++i) p0_rest_[i] = static_cast<T>(rest[i]) + x.p_remainder[i];
    for (auto& gamma : sums_.gamma) gamma.fill(T(0));
    for (auto& mu : sums_.mu) mu.fill(T(0));
    scale_ = Real(-1);
  }

  // ---- the equations at the points Y_l

  // Y_l, into q_; (Y_l - q0)/h stays in u.
  template <class W>
  void place(int l, const T& h, const State<System>& x) {
    auto& w = sums<W>();
    w.u.fill(W(0));
    at_.I.add(l, 0, v0_, w.u);
    for (int j = 0; j < s_; ++j) at_.I.add(l, j, w.gamma[at(j)], w.u);
    for (int i = 0; i < n_; ++i) q_[i] = static_cast<T>(W(x.q[i]) + (W(h) * w.u[i] + W(x.q_remainder[i])));
  }
  // f and G at all Y_l. unrounded: and what G would have more had Y_l not been rounded.
  template <class W>
  void evaluate(const T& h, const State<System>& x, bool unrounded) {
    const auto& u = sums<W>().u;
    for (int l = 0; l < k_; ++l) {
      place<W>(l, h, x);
      force_.force(T(0), q_, v0_, f_[at(l)]);
      if (m_ == 0) continue;
      system_.constraint_jacobian(T(0), q_, g_, G_[at(l)]);
      if (!unrounded) continue;
      for (int i = 0; i < n_; ++i) b_[i] = static_cast<T>((W(x.q[i]) - W(q_[i])) + (W(h) * u[i] + W(x.q_remainder[i])));
      system_.constraint_jacobian_along(T(0), q_, b_, G_rest_[at(l)]);
    }
  }
  // Z_j
  template <class W>
  void gather_impulses(const T& h, bool unrounded) {
    auto& w = sums<W>();
    for (auto& Z : w.Z) Z.fill(W(0));
    for (int l = 0; l < k_; ++l) {
      for (int i = 0; i < n_; ++i) w.a[i] = W(h) * W(f_[at(l)][i]);
      if (m_ > 0) {
        at_.P.combine(l, w.mu, w.g);
        add_wide_transposed(-1, G_[at(l)], w.g, w.a);
        if (unrounded) add_wide_transposed(-1, G_rest_[at(l)], w.g, w.a);
      }
      for (int j = 0; j < s_; ++j) at_.W.add(l, j, w.a, w.Z[at(j)]);
    }
  }
  // The right side of (1'), into a; X is tridiagonal. What p0 has beyond M v0, its remainder too, stands here with
  // what has its size: added to p0 it would be lost.
  template <class W>
  void momentum_change(int j) {
    auto& w = sums<W>();
    for (int i = 0; i < n_; ++i) {
      W sum = j == 0 ? W(p0_rest_[i]) : W(0);
      for (int a = std::max(0, j - 1); a < std::min(s_, j + 2); ++a) sum += W(X_(j, a)) * w.Z[at(a)][i];
      w.a[i] = sum;
    }
  }
  // The right side of (2)
  template <class W>
  void constraint_work(T* to, bool unrounded) {
    auto& w = sums<W>();
    for (auto& work : w.work) work.fill(W(0));
    for (int l = 0; m_ > 0 && l < k_; ++l) {
      at_.P.combine(l, w.gamma, w.u);  // u'(c_l) - v0
      w.g.fill(W(0));
      add_wide_product(1, G_[at(l)], w.u, w.g);
      add_wide_product(1, G_[at(l)], v0_, w.g);
      if (unrounded) {
        for (int i = 0; i < n_; ++i) w.u[i] += W(v0_[i]);
        add_wide_product(1, G_rest_[at(l)], w.u, w.g);
      }
      for (int i = 0; i < r_; ++i) at_.W.add(l, i, w.g, w.work[at(i)]);
    }
    for (int i = 0; i < r_ * m_; ++i) to[i] = static_cast<T>(w.work[at(i / m_)][i % m_]);
  }

  // ---- sweeps

  struct Sweeps {
    Step& step;
    const T& h;
    const State<System>& x;
    bool sweep() {
      step.change_ = step.sums_.gamma;
      if (!step.template sweep<T>(h, x, false)) return false;
      for (int j = 0; j < step.s_; ++j)
        for (int i = 0; i < step.n_; ++i) step.change_[at(j)][i] = step.sums_.gamma[at(j)][i] - step.change_[at(j)][i];
      return true;
    }
    // Rounded sweeps end in cycles, with a side that may repeat in every step.
    void last_sweep() {
      step.widen();
      step.template sweep<Wider<T>>(h, x, step.unrounded());
    }
    Real change() const { return step.relative_change(h); }
    // In positions, not velocities: far from the origin they round more.
    bool lost_in_rounding() const {
      using std::abs;
      for (const Coordinates& change : step.change_)
        for (int i = 0; i < change.size(); ++i)
          if (!(abs(value_of(h * change[i])) <= epsilon<T>() * abs(value_of(x.q[i])))) return false;
      return true;
    }
  };

  // False if A is singular. As (2) is linear in mu, A mu = b is solved by the correction A^-1 (2) of the mu before: its
  // round-off is that of a small change.
  template <class W>
  bool sweep(const T& h, const State<System>& x, bool unrounded) {
    evaluate<W>(h, x, unrounded);
    update_velocities<W>(h, unrounded);
    if (m_ > 0) {
      constraint_work<W>(right_.data(), unrounded);
      if (!factorise_multipliers()) return false;
      blocks_.solve(right_, solved_);
      for (int i = 0; i < r_ * m_; ++i) sums<W>().mu[at(i / m_)][i % m_] += W(solved_[i]);
      update_velocities<W>(h, unrounded);
    }
    return true;
  }
  // (1') for gamma. In a wider scalar by what it lacks, as M^-1 has no more digits than T.
  template <class W>
  void update_velocities(const T& h, bool unrounded) {
    gather_impulses<W>(h, unrounded);
    auto& w = sums<W>();
    for (int j = 0; j < s_; ++j) {
      auto& gamma = w.gamma[at(j)];
      momentum_change<W>(j);
      if constexpr (std::is_same_v<W, T>) {
        kinetics_.mass().solve(w.a, gamma);
      } else {
        add_wide_product(-1, kinetics_.mass().matrix(), gamma, w.a);
        for (int i = 0; i < n_; ++i) a_[i] = static_cast<T>(w.a[i]);
        kinetics_.mass().solve(a_, b_);
        for (int i = 0; i < n_; ++i) gamma[i] += W(b_[i]);
      }
    }
  }
  // A
  bool factorise_multipliers() {
    for (int j = 0; j < s_; ++j)
      for (int i = 0; i < r_; ++i) {
        Jacobian& R = R_[at(j * r_ + i)];
        R.fill(T(0));
        for (int l = 0; l < k_; ++l) add_scaled(T(at_.W(l, j) * at_.P(l, i)), G_[at(l)], R);
      }
    blocks_.clear();
    for (int j = 0; j < s_; ++j)
      for (int col = 0; col < r_; ++col) {
        XR_.fill(T(0));
        for (int a = std::max(0, j - 1); a < std::min(s_, j + 2); ++a) add_scaled(X_(j, a), R_[at(a * r_ + col)], XR_);
        for (int row = 0; row < r_; ++row) blocks_.add(row, col, R_[at(j * r_ + row)], kinetics_.mass(), XR_);
      }
    return blocks_.factorise();
  }
  // Of gamma by the last sweep, relative to what velocities are like after the first one. Not to gamma itself: at a
  // turning point it is a small difference of p0 and the impulses, and at rest it is zero.
  Real relative_change(const T& h) {
    using std::abs;
    if (scale_ < Real(0)) {
      kinetics_.mass().solve(f_[0], b_);
      scale_ = size_of(v0_) + abs(value_of(h)) * size_of(b_);
    }
    Real sum(0);
    for (const Coordinates& change : change_) sum += size_of(change);
    return relative(sum);
  }
  Real relative(const Real& change) const { return scale_ > Real(0) ? change / scale_ : change; }

  // ---- Newton

  struct Equations {
    Step& step;
    const T& h;
    const State<System>& x;
    T h_part = h;

    Outcome begin(int part, int parts, bool guarded) {
      h_part = part == parts ? h : T(h * Real(part) / Real(parts));
      // Stiff springs may change velocities much in one step: the first correction may be large.
      step.continuation_ = guarded ? Continuation<Real>(Real(32), Real(0)) : Continuation<Real>();
      if (part > 1) {
        for (auto& mu : step.sums_.mu)
          for (T& impulse : mu) impulse *= Real(part) / Real(part - 1);
        return Outcome::converged;
      }
      step.guess(x);
      Sweeps first{step, h_part, x};
      if (!first.sweep()) return Outcome::singular_jacobian;
      return is_finite(step.relative_change(h)) ? Outcome::converged : Outcome::not_finite;
    }
    Real residual() { return step.template evaluate_equations<T>(h_part, x, false); }
    bool factorise() { return step.factorise(h_part, x); }
    Real correct() {
      const Real change = step.relative(step.equations_.correct(step.sums_.gamma, step.sums_.mu));
      step.continuation_.note(change);
      return change;
    }
    bool given_up() const { return step.continuation_.fails(); }
    bool settled(const Real& left) const { return step.equations_.settled(left, h_part, x.q, step.v0_, 1); }
  };

  void solve(const T& h, const State<System>& x, StepReport& report) {
    Equations equations{*this, h, x};
    follow_root<T>(equations, settings_, report);
    if (!succeeded(report.outcome)) return;
    // What a kept matrix leaves has the same sign in every step: further corrections take it below round-off.
    using W = Wider<T>;
    widen();
    for (int more = 0; more < 3; ++more) {
      evaluate_equations<W>(h, x, unrounded());
      if (relative(equations_.correct(sums<W>().gamma, sums<W>().mu)) <= epsilon<T>() / 1024) break;
    }
    evaluate<W>(h, x, unrounded());
    gather_impulses<W>(h, unrounded());
  }

  // Rows (1'), as M gamma_j - ..., then (2)
  template <class W>
  Real evaluate_equations(const T& h, const State<System>& x, bool unrounded) {
    evaluate<W>(h, x, unrounded);
    gather_impulses<W>(h, unrounded);
    auto& w = sums<W>();
    for (int j = 0; j < s_; ++j) {
      momentum_change<W>(j);
      add_wide_product(-1, kinetics_.mass().matrix(), w.gamma[at(j)], w.a);
      for (int i = 0; i < n_; ++i) equations_.residual[j * n_ + i] = static_cast<T>(-w.a[i]);
    }
    constraint_work<W>(equations_.residual.data() + s_ * n_, unrounded);
    return size_of(equations_.residual);
  }

  bool factorise(const T& h, const State<System>& x) {
    auto& w = sums_;
    auto& A = equations_.matrix;
    A.clear();
    for (int j = 0; j < s_; ++j) A.add(square_(j, j), T(1), kinetics_.mass().matrix());
    for (int l = 0; l < k_; ++l) {
      place<T>(l, h, x);
      at_.P.combine(l, w.gamma, w.u);
      for (int i = 0; i < n_; ++i) w.u[i] += v0_[i];
      force_.differentiate(T(0), q_, w.u);
      at_.P.combine(l, w.mu, w.g);
      if (m_ > 0) system_.constraint_hessian(T(0), q_, w.g, H_);
      if (m_ > 0) system_.constraint_jacobian_along(T(0), q_, w.u, Gu_);
      for (int j = 0; j < s_; ++j) {
        T X(0);
        for (int a = 0; a < s_; ++a) X += X_(j, a) * at_.W(l, a);
        for (int c = 0; c < s_; ++c) {
          A.add(square_(j, c), -X * h * at_.I(l, c) * h, force_.f_q());
          if (m_ > 0) A.add(curvature_(j, c), X * h * at_.I(l, c), H_);
        }
        for (int i = 0; i < r_; ++i) equations_.add_reaction(reaction_(j, i), X * at_.P(l, i), G_[at(l)]);
      }
      for (int i = 0; i < r_; ++i)
        for (int c = 0; c < s_; ++c) {
          A.add(constraint_(i, c), at_.W(l, i) * h * at_.I(l, c), Gu_);
          A.add(constraint_(i, c), T(at_.W(l, i) * at_.P(l, c)), G_[at(l)]);
        }
    }
    return A.factorise();
  }
  void declare_blocks() {
    auto& A = equations_.matrix;
    const Square L_qq = system_.square();
    square_ = BlockGrid(s_, s_, [&](int j, int c) { return A.block(j * n_, c * n_, L_qq); });
    curvature_ = BlockGrid(s_, s_, [&](int j, int c) { return A.block(j * n_, c * n_, H_); });
    reaction_ = BlockGrid(s_, r_, [&](int j, int i) { return A.transposed_block(j * n_, s_ * n_ + i * m_, Gu_); });
    constraint_ = BlockGrid(r_, s_, [&](int i, int c) { return A.block(s_ * n_ + i * m_, c * n_, Gu_); });
    A.finish();
  }

  // ---- (3)
  void accept(const T& h, State<System>& x, StepReport& report) {
    using W = Wider<T>;
    const auto& w = sums<W>();
    increment_.round(w.Z[0]);
    if (!is_finite(size_of(increment_.value))) {
      report.outcome = Outcome::left_domain;
      return;
    }
    for (int i = 0; i < n_; ++i) {
      add_product_exactly(x.q[i], x.q_remainder[i], h, v0_[i]);
      const T gamma_0 = static_cast<T>(w.gamma[0][i]);
      add_product_exactly(x.q[i], x.q_remainder[i], h, gamma_0);
      x.q_remainder[i] += h * static_cast<T>(w.gamma[0][i] - W(gamma_0));
      add_exactly(x.p[i], x.p_remainder[i], increment_.value[i]);
      x.p_remainder[i] += increment_.rest[i];
    }
    for (int i = 0; i < r_ * m_; ++i) lambda_[i] = static_cast<T>(w.mu[at(i / m_)][i % m_]) / h;
  }

  const System& system_;
  const SolverSettings<Real> settings_;
  const Hbvm method_;
  const int n_ = system_.coordinates(), m_ = system_.constraints();
  const int k_ = method_.k, s_ = method_.s, r_ = m_ > 0 ? method_.r : 0;
  const bool newton_ = method_.iteration == Iteration::newton;
  const Mat<T> X_ = integration_matrix<T>(s_);
  const LegendreTable<Real> at_{k_, s_};
  Kinetics<System> kinetics_{system_};
  GeneralisedForce<System> force_{system_, newton_};

  Coordinates v0_ = Coordinates(n_), p0_rest_ = v0_;             // M^-1 p0; p0 - M v0, with the remainder of p0
  std::vector<Coordinates> change_ = several<Dynamic>(s_, v0_);  // of gamma by the last sweep
  Sums<T> sums_{*this};
  Sums<Wider<T>> wide_sums_{*this};
  Increment<T, System::n> increment_{n_};
  Real scale_ = Real(-1);  // of gamma; negative: not known yet
  std::vector<Coordinates> f_ = several<Dynamic>(k_, v0_);
  std::vector<Jacobian> G_ = several<Dynamic>(k_, system_.jacobian()), G_rest_ = G_;
  std::vector<Jacobian> R_ = several<Dynamic>(s_ * r_, system_.jacobian());
  Jacobian XR_ = system_.jacobian();
  SchurBlocks<Jacobian> blocks_{system_, r_};
  Vec<T> right_ = Vec<T>(r_ * m_), solved_ = right_, lambda_ = right_;
  Coordinates q_ = v0_, a_ = v0_, b_ = v0_;
  Multipliers g_ = Multipliers(m_);

  Square H_ = newton_ ? system_.constraint_square() : Square();
  Jacobian Gu_ = newton_ ? system_.jacobian() : Jacobian();
  StageEquations<System> equations_{system_, s_, r_, newton_};
  BlockGrid<typename StageEquations<System>::Block> square_, curvature_, reaction_, constraint_;
  Continuation<Real> continuation_;
};

}  // namespace livens
