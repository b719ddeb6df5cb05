// HBVM(k,s): line-integral methods that conserve energy and holonomic constraints, for L = v.Mv/2 - V(q), g(q) = 0.
// Source: Brugnano, Gurioli, Iavernaro, Weinmueller (2018), "Line integral solution of Hamiltonian systems with
// holonomic constraints", eqs. (49)-(52); r = 1 is their method, r > 1 multiplier coefficients per step our extension.
// Order of q and of the projected momentum: the smaller of 2s and 2r+2 (2r for even r), measured for r <= 5; of the
// carried momentum: 2, or 4 for r >= 3. Symmetric. Not symplectic (tests/verify/hbvm.cpp).
// Keeps: energy and g = 0 to round-off where 2k/s is at least the degree of V and g, else to O(h^2k).
// Does not keep: the hidden constraint (O(h^2), it alternates); angular momentum in general.
//
// P_j: Legendre polynomials, orthonormal on [0,1]; X_s maps coefficients to those of the integral; (b_l, c_l): k Gauss
// points. Unknowns are velocities gamma_j and impulses mu_i = h lambda_i:
//
//   u'(c) = sum_{j<s} P_j(c) gamma_j ,   Y_l = q0 + h sum_j I_lj gamma_j ,   I_lj = int_0^{c_l} P_j
//   z_l   = h V_q(Y_l) + G(Y_l)^T sum_{i<r} P_i(c_l) mu_i
//
//   (1)  M gamma_j = delta_{j0} p0 - sum_a X_ja sum_l b_l P_a(c_l) z_l                            j = 0..s-1   (50)
//   (2)  0 = sum_l b_l P_i(c_l) G(Y_l) u'(c_l)                                                     i = 0..r-1   (51)
//   (3)  q1 = q0 + h gamma_0 ,   p1 = p0 - sum_l b_l z_l                                                       (52)
//
// (2) is the quadrature of dg/dt (i = 0) and makes the constraint force do no work (all i). By (1) it is linear in mu,
//   A mu = b ,   A_ii' = sum_ja X_ja R_ji M^-1 R_ai'^T ,   b_i = R_0i M^-1 p0 - h sum_ja X_ja R_ji M^-1 psi_a ,
//   R_ji = sum_l b_l P_j(c_l) P_i(c_l) G(Y_l) ,   psi_a = sum_l b_l P_a(c_l) V_q(Y_l) ,
// which is one sweep of the fixed-point iteration: gamma -> Y -> A, b -> mu -> gamma. Newton's method solves (1), (2)
// for (gamma, mu) after one sweep. A is not symmetric for s > 1: LU.
// Energy is exact because sum_j gamma_j . Z_j, with the impulses Z_j = sum_l b_l P_j(c_l) z_l, sees only the symmetric
// part of X, which is 1/2 in its first entry and 0 elsewhere: so gamma is formed from Z, and p1 = p0 - Z_0.
// Round-off: the unknown is gamma_0 - v0, v0 = M^-1 p0, which has the size of h: gamma_0 itself is rounded so that the
// sweeps end in cycles, and energy drifts; coefficients are those of split_table.hpp, for the same reason.
//   (1')  M (gamma_0 - v0) = -sum_a X_0a Z_a + (p0 - M v0) ,     M gamma_j = -sum_a X_ja Z_a
//
// The equations of a large step have other roots; the one that is meant is continued from h = 0. Sweeps that approach a
// root and leave it again are given up: where constraints nearly lose rank they are driven away, to another root. So
// are corrections of Newton's method that do not contract (continuation.hpp); then the root is followed with growing
// parts of the step. Where that ends before the whole step, any root is taken, and the report says so.
//
// Remembered between steps: nothing but the multipliers for the results; every step starts from (M^-1 p0, 0, ..).
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/math/legendre.hpp"
#include "livens/math/quadrature.hpp"
#include "livens/math/split_table.hpp"
#include "livens/method/continuation.hpp"
#include "livens/method/method.hpp"
#include "livens/method/stages.hpp"
#include "livens/solve/definite.hpp"
#include "livens/solve/fixed_point.hpp"
#include "livens/solve/newton.hpp"
#include "livens/solve/schur_blocks.hpp"
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
    if (k != 0 && k < s) return "k = " + text(k) + ": k >= s = " + text(s) + " quadrature points are needed";
    return "";
  }

  // Why a system does not fit; empty if it does.
  static std::string misfit(const Structure& structure) {
    if (!structure.constant_mass) return "it needs L = v.Mv/2 - V(q) with a constant mass matrix M";
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
            .explicit_position = iteration == Iteration::fixed_point};
  }

  // The method with k chosen, for the first step of a run from (q, p).
  template <class System>
  Hbvm prepared(const System& system, const typename System::Coordinates& q, const typename System::Coordinates& p,
                const typename System::Coordinates& v, const typename System::Scalar& h,
                const SolverSettings<RealOf<typename System::Scalar>>& settings) const;

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
      : system_(system),
        settings_(settings),
        k_(method.k),
        s_(method.s),
        r_(method.r),
        newton_(method.iteration == Iteration::newton),
        n_(system.coordinates()),
        m_(system.constraints()),
        X_(integration_matrix<T>(s_)),
        P_(k_, s_),
        W_(k_, s_),
        I_(k_, s_),
        kinetics_(system),
        v0_(n_),
        p0_rest_(v0_),
        gamma_(at(s_), Coordinates(n_)),
        before_(gamma_),
        Z_(gamma_),
        mu_(at(r_), Multipliers(m_)),
        V_(at(k_), Coordinates(n_)),
        G_(at(k_), system.jacobian()),
        R_(at(s_ * r_), system.jacobian()),
        integrated_R_(system.jacobian()),
        blocks_(system, r_),
        right_(r_ * m_),
        solved_(right_),
        q_(n_),
        u_(q_),
        a_(q_),
        b_(q_),
        g_(m_),
        along_v0_(g_),
        lambda_(r_ * m_),
        Lqq_(newton_ ? system.square() : Square()),
        Lqv_(Lqq_),
        Lvv_(Lqq_),
        H_(newton_ ? system.constraint_square() : Square()),
        Gu_(newton_ ? system.jacobian() : Jacobian()),
        equations_(system, s_, r_, newton_) {
    if (const std::string reason = method.inadmissible(); !reason.empty() || k_ == 0)
      throw std::invalid_argument("hbvm: " + (k_ == 0 ? "k is not chosen; give k or use prepared()" : reason));
    if (const std::string reason = misfit(system.structure()); !reason.empty())
      throw std::invalid_argument("hbvm: " + reason);
    const Quadrature<Widest> rule = gauss<Widest>(k_);
    std::vector<Widest> value(at(s_)), integral(value);
    for (int l = 0; l < k_; ++l) {
      legendre_values(s_, rule.nodes[at(l)], value.data());
      legendre_integrals(s_, rule.nodes[at(l)], integral.data());
      for (int j = 0; j < s_; ++j) {
        P_.set(l, j, value[at(j)]);
        W_.set(l, j, rule.weights[at(l)] * value[at(j)]);
        I_.set(l, j, integral[at(j)]);
      }
    }
    if (newton_) declare_blocks();
  }

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    if (!kinetics_.start(t, x.q, v)) return false;
    if (const std::string reason = misfit_of_mass(kinetics_.mass().matrix()); !reason.empty())
      throw std::invalid_argument("hbvm: " + reason);
    if (newton_ && m_ > 0) {
      system_.constraint_jacobian(t, x.q, g_, Gu_);
      equations_.choose_units(kinetics_.mass().matrix(), Gu_);
    }
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
    if (!succeeded(report.outcome)) return;
    accept(h, x, report);
  }

  template <class Archive>
  void archive(Archive& a) {
    a(lambda_, kinetics_, blocks_, equations_.matrix);
  }

  const Coordinates& attempted_position() const { return q_; }
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take("p", x.p);
    take("lambda", lambda_);
  }

 private:
  using Block = typename StageEquations<System>::Block;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void guess(const State<System>& x) {
    for (int i = 0; i < n_; ++i) a_[i] = x.p[i] + x.p_remainder[i];
    kinetics_.mass().solve(a_, v0_);
    multiply(kinetics_.mass().matrix(), v0_, p0_rest_);
    for (int i = 0; i < n_; ++i) p0_rest_[i] = (x.p[i] - p0_rest_[i]) + x.p_remainder[i];
    for (auto& gamma : gamma_) gamma.fill(T(0));
    for (auto& mu : mu_) mu.fill(T(0));
  }

  // What changes of gamma are compared with, after the first sweep. Not gamma itself: at a turning point it is a small
  // difference of p0 and the impulses, and at rest it is zero.
  Real size_of_velocities(const T& h) {
    using std::abs;
    kinetics_.mass().solve(V_[0], b_);
    return size_of(v0_) + abs(value_of(h)) * size_of(b_);
  }

  // V_q and G at all Y_l
  void evaluate(const T& h, const State<System>& x) {
    for (int l = 0; l < k_; ++l) {
      place(l, h, x);
      system_.potential_gradient(T(0), q_, V_[at(l)]);
      if (m_ > 0) system_.constraint_jacobian(T(0), q_, g_, G_[at(l)]);
    }
  }
  void place(int l, const T& h, const State<System>& x) {
    u_.fill(T(0));
    I_.add(l, 0, v0_, u_);
    for (int j = 0; j < s_; ++j) I_.add(l, j, gamma_[at(j)], u_);
    for (int i = 0; i < n_; ++i) q_[i] = x.q[i] + (h * u_[i] + x.q_remainder[i]);
  }
  // u'(c_l) - v0, into u_
  void change_of_velocity(int l) {
    u_.fill(T(0));
    for (int j = 0; j < s_; ++j) P_.add(l, j, gamma_[at(j)], u_);
  }
  // z_l, into a_
  void impulse(int l, const T& h) {
    for (int i = 0; i < n_; ++i) a_[i] = h * V_[at(l)][i];
    if (m_ == 0) return;
    multiplier_at(l);
    for (int a = 0; a < m_; ++a) g_[a] = -g_[a];
    subtract_transposed(G_[at(l)], g_, a_);
  }
  // sum_i P_i(c_l) mu_i, into g_
  void multiplier_at(int l) {
    g_.fill(T(0));
    for (int i = 0; i < r_; ++i) P_.add(l, i, mu_[at(i)], g_);
  }
  // sum_a X_ja P_a(c_l) b_l
  T integrated(int j, int l) const {
    T sum(0);
    for (int a = 0; a < s_; ++a) sum += X_(j, a) * W_(l, a);
    return sum;
  }

  // Z_j at the points of `evaluate`
  void gather_impulses(const T& h) {
    for (auto& Z : Z_) Z.fill(T(0));
    for (int l = 0; l < k_; ++l) {
      impulse(l, h);
      for (int j = 0; j < s_; ++j) W_.add(l, j, a_, Z_[at(j)]);
    }
  }
  // M times the right side of (1'), into a_; X is tridiagonal. What p0 has beyond M v0, its remainder too, stands here
  // with what has its size: added to p0 it would be lost.
  void momentum_change(int j) {
    for (int i = 0; i < n_; ++i) {
      T sum = j == 0 ? p0_rest_[i] : T(0);
      for (int a = std::max(0, j - 1); a < std::min(s_, j + 2); ++a) sum -= X_(j, a) * Z_[at(a)][i];
      a_[i] = sum;
    }
  }
  // (1') for gamma, at the points of `evaluate`
  void update_velocities(const T& h) {
    gather_impulses(h);
    for (int j = 0; j < s_; ++j) {
      momentum_change(j);
      kinetics_.mass().solve(a_, gamma_[at(j)]);
    }
  }
  // The right side of (2), at the points of `evaluate`
  void constraint_work(T* work) {
    for (int i = 0; i < r_ * m_; ++i) work[i] = T(0);
    for (int l = 0; m_ > 0 && l < k_; ++l) {
      change_of_velocity(l);
      multiply(G_[at(l)], u_, g_);
      multiply(G_[at(l)], v0_, along_v0_);
      for (int a = 0; a < m_; ++a) g_[a] += along_v0_[a];
      for (int i = 0; i < r_; ++i)
        for (int a = 0; a < m_; ++a) work[i * m_ + a] += W_(l, i) * g_[a];
    }
  }

  // ---- fixed point

  // False if A is singular. As (2) is linear in mu, A mu = b is solved by the correction A^-1 (2) of the mu before: its
  // round-off is that of a small change.
  bool sweep(const T& h, const State<System>& x) {
    evaluate(h, x);
    before_ = gamma_;
    update_velocities(h);
    if (m_ == 0) return true;
    constraint_work(right_.data());
    if (!factorise_multipliers()) return false;
    blocks_.solve(right_, solved_);
    for (int i = 0; i < r_; ++i)
      for (int a = 0; a < m_; ++a) mu_[at(i)][a] += solved_[i * m_ + a];
    update_velocities(h);
    return true;
  }
  bool factorise_multipliers() {
    for (int j = 0; j < s_; ++j)
      for (int i = 0; i < r_; ++i) {
        Jacobian& R = R_[at(j * r_ + i)];
        R.fill(T(0));
        for (int l = 0; l < k_; ++l) add_scaled(T(W_(l, j) * P_(l, i)), G_[at(l)], R);
      }
    blocks_.clear();
    for (int j = 0; j < s_; ++j)
      for (int col = 0; col < r_; ++col) {
        integrated_R_.fill(T(0));
        for (int a = std::max(0, j - 1); a < std::min(s_, j + 2); ++a)
          add_scaled(X_(j, a), R_[at(a * r_ + col)], integrated_R_);
        for (int row = 0; row < r_; ++row) blocks_.add(row, col, R_[at(j * r_ + row)], kinetics_.mass(), integrated_R_);
      }
    return blocks_.factorise();
  }
  // Of gamma by the last sweep, relative
  Real change() {
    Real sum(0);
    for (int j = 0; j < s_; ++j) {
      for (int i = 0; i < n_; ++i) a_[i] = gamma_[at(j)][i] - before_[at(j)][i];
      sum += size_of(a_);
    }
    return scale_ > Real(0) ? sum / scale_ : sum;
  }

  // Whether the last change moves no position by more than its rounding.
  bool lost_in_positions(const T& h, const State<System>& x) const {
    using std::abs;
    for (int j = 0; j < s_; ++j)
      for (int i = 0; i < n_; ++i) {
        const T moved = h * (gamma_[at(j)][i] - before_[at(j)][i]);
        if (!(abs(value_of(moved)) <= epsilon<T>() * abs(value_of(x.q[i])))) return false;
      }
    return true;
  }

  struct Sweeps {
    Step& step;
    const T& h;
    const State<System>& x;
    bool first = true;

    bool sweep() {
      if (!step.sweep(h, x)) return false;
      if (std::exchange(first, false)) step.scale_ = step.size_of_velocities(h);
      return true;
    }
    Real change() const { return step.change(); }
    bool lost_in_rounding() const { return step.lost_in_positions(h, x); }
  };

  // ---- Newton

  struct Equations {
    Step& step;
    const T& h;
    const State<System>& x;
    Real residual(bool) { return step.evaluate_equations(h, x); }
    bool factorise() { return step.factorise(h, x); }
    Real correct() {
      const Real relative = step.correct();
      step.continuation_.note(relative);
      return relative;
    }
    bool given_up() const { return step.continuation_.fails(); }
    bool settled(const Real& left) const { return step.equations_.settled(left, h, x.q, step.v0_, 1); }
  };

  void solve(const T& h, const State<System>& x, StepReport& report) {
    for (const int parts : {1, 4, 16}) {
      follow(parts, true, h, x, report);
      if (succeeded(report.outcome)) break;
    }
    if (!succeeded(report.outcome)) {
      follow(1, false, h, x, report);
      if (!succeeded(report.outcome)) return;
      report.continued = false;
    }
    // What a kept matrix leaves has the same sign in every step: one correction more takes it below round-off.
    Equations equations{*this, h, x};
    equations.residual(false);
    equations.correct();
    evaluate(h, x);
    gather_impulses(h);
  }

  // The root for growing parts of the step, each from that of the part before.
  void follow(int parts, bool guarded, const T& h, const State<System>& x, StepReport& report) {
    report = {};
    guess(x);
    for (int part = 1; part <= parts; ++part) {
      const T h_part = part == parts ? h : T(h * Real(part) / Real(parts));
      if (part == 1) {
        if (!sweep(h_part, x)) {
          report.outcome = Outcome::singular_jacobian;
          return;
        }
        scale_ = size_of_velocities(h);
        if (!is_finite(change())) {
          report.outcome = Outcome::not_finite;
          return;
        }
      } else {
        for (auto& mu : mu_)
          for (T& impulse : mu) impulse *= Real(part) / Real(part - 1);
      }
      // Stiff springs may change velocities much in one step: the first correction may be large.
      continuation_ = guarded ? Continuation<Real>(Real(32), Real(0)) : Continuation<Real>();
      const StepReport before = report;
      Equations equations{*this, h_part, x};
      newton<T>(equations, settings_, report);
      if (!succeeded(report.outcome)) return;
      if (part > 1) add_cost(before, report);
    }
  }

  // Rows (1'), as M gamma_j - ..., then (2)
  Real evaluate_equations(const T& h, const State<System>& x) {
    evaluate(h, x);
    gather_impulses(h);
    for (int j = 0; j < s_; ++j) {
      momentum_change(j);
      multiply(kinetics_.mass().matrix(), gamma_[at(j)], b_);
      for (int i = 0; i < n_; ++i) equations_.residual[j * n_ + i] = b_[i] - a_[i];
    }
    constraint_work(equations_.residual.data() + s_ * n_);
    return size_of(equations_.residual);
  }

  bool factorise(const T& h, const State<System>& x) {
    auto& matrix = equations_.matrix;
    matrix.clear();
    for (int j = 0; j < s_; ++j) matrix.add(square_[at(j * s_ + j)], T(1), kinetics_.mass().matrix());
    for (int l = 0; l < k_; ++l) {
      place(l, h, x);
      change_of_velocity(l);
      for (int i = 0; i < n_; ++i) u_[i] += v0_[i];
      system_.hessian(T(0), q_, u_, Lqq_, Lqv_, Lvv_);  // V_qq = -L_qq
      multiplier_at(l);
      if (m_ > 0) system_.constraint_hessian(T(0), q_, g_, H_);
      for (int j = 0; j < s_; ++j) {
        const T factor = integrated(j, l);
        for (int c = 0; c < s_; ++c) {
          matrix.add(square_[at(j * s_ + c)], -factor * h * I_(l, c) * h, Lqq_);
          if (m_ > 0) matrix.add(curvature_[at(j * s_ + c)], factor * h * I_(l, c), H_);
        }
        for (int i = 0; m_ > 0 && i < r_; ++i)
          equations_.add_reaction(reaction_[at(j * r_ + i)], factor * P_(l, i), G_[at(l)]);
      }
      if (m_ == 0) continue;
      system_.constraint_jacobian_along(T(0), q_, u_, Gu_);
      for (int i = 0; i < r_; ++i)
        for (int c = 0; c < s_; ++c) {
          const T factor = W_(l, i);
          matrix.add(constraint_[at(i * s_ + c)], factor * h * I_(l, c), Gu_);
          matrix.add(constraint_[at(i * s_ + c)], factor * P_(l, c), G_[at(l)]);
        }
    }
    return matrix.factorise();
  }

  Real correct() {
    const Real change = equations_.correct(gamma_, mu_);
    return scale_ > Real(0) ? change / scale_ : change;
  }

  void declare_blocks() {
    auto& matrix = equations_.matrix;
    for (int j = 0; j < s_; ++j)
      for (int c = 0; c < s_; ++c) {
        square_.push_back(matrix.block(j * n_, c * n_, Lqq_));
        if (m_ > 0) curvature_.push_back(matrix.block(j * n_, c * n_, H_));
      }
    for (int j = 0; m_ > 0 && j < s_; ++j)
      for (int i = 0; i < r_; ++i) reaction_.push_back(matrix.transposed_block(j * n_, s_ * n_ + i * m_, Gu_));
    for (int i = 0; m_ > 0 && i < r_; ++i)
      for (int c = 0; c < s_; ++c) constraint_.push_back(matrix.block(s_ * n_ + i * m_, c * n_, Gu_));
    matrix.finish();
  }

  // (3)
  void accept(const T& h, State<System>& x, StepReport& report) {
    if (!is_finite(size_of(Z_[0]))) {
      report.outcome = Outcome::left_domain;
      return;
    }
    for (int i = 0; i < n_; ++i) {
      add_compensated(x.q[i], x.q_remainder[i], h * v0_[i]);
      add_compensated(x.q[i], x.q_remainder[i], h * gamma_[0][i]);
      add_compensated(x.p[i], x.p_remainder[i], -Z_[0][i]);
    }
    for (int i = 0; i < r_; ++i)
      for (int a = 0; a < m_; ++a) lambda_[i * m_ + a] = mu_[at(i)][a] / h;
  }

  const System& system_;
  SolverSettings<Real> settings_;
  int k_, s_, r_;
  bool newton_;
  int n_, m_;
  Real scale_ = Real(0);
  Continuation<Real> continuation_;
  Mat<T> X_;
  SplitTable<Real> P_, W_, I_;  // P_j(c_l), b_l P_j(c_l), I_lj
  Kinetics<System> kinetics_;
  Coordinates v0_, p0_rest_;                     // M^-1 p0; p0 - M v0, with the remainder of p0
  std::vector<Coordinates> gamma_, before_, Z_;  // gamma_0 without v0
  std::vector<Multipliers> mu_;
  std::vector<Coordinates> V_;
  std::vector<Jacobian> G_, R_;
  Jacobian integrated_R_;
  SchurBlocks<Jacobian> blocks_;
  Vec<T> right_, solved_;
  Coordinates q_, u_, a_, b_;
  Multipliers g_, along_v0_;
  Vec<T> lambda_;
  Square Lqq_, Lqv_, Lvv_, H_;
  Jacobian Gu_;
  StageEquations<System> equations_;
  std::vector<Block> square_, curvature_, reaction_, constraint_;
};

// Polynomial V and g: k = ceil(s deg / 2) is exact. Else the smallest k whose first step changes H and g by no more
// than round-off, and one more. Where cancellation makes the round-off of H or g larger than that of their sizes, it is
// what larger k cannot better: changes within four times the largest one of the last eight k.
template <class System>
Hbvm Hbvm::prepared(const System& system, const typename System::Coordinates& q, const typename System::Coordinates& p,
                    const typename System::Coordinates& v, const typename System::Scalar& h,
                    const SolverSettings<RealOf<typename System::Scalar>>& settings) const {
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using std::abs;
  Hbvm method = *this;
  if (k != 0) return method;
  const Structure structure = system.structure();
  if (structure.potential_degree && structure.constraint_degree) {
    const int degree = std::max(*structure.potential_degree, *structure.constraint_degree);
    method.k = std::max(s, (s * degree + 1) / 2);
    return method;
  }
  const int most = std::max(40, s + 20);
  typename System::Coordinates v1(v);
  Kinetics<System> kinetics(system);
  kinetics.start(T(0), q, v);
  typename System::Multipliers g0(system.constraints()), g1(g0), size(g0);
  const T kinetic = dot(p, v) / 2, H0 = dot(p, v) - system.lagrangian(T(0), q, v);
  system.constraint(T(0), q, g0);
  system.constraint_size(T(0), q, size);
  const auto conserved = [&] {  // changes of H and g relative to epsilon times their sizes; the larger one
    State<System> x(system);
    x.q = q, x.p = p;
    Step<System> step(system, method, settings);
    step.start(T(0), x, v);
    StepReport report;
    step.advance(T(0), h, h, x, report);
    if (!succeeded(report.outcome)) return std::numeric_limits<Real>::infinity();
    kinetics.velocity(T(0), x.q, x.p, v1);
    const T H1 = dot(x.p, v1) - system.lagrangian(T(0), x.q, v1);
    const Real scale = abs(value_of(kinetic)) + abs(value_of(kinetic - H0)) + abs(value_of(H0));
    Real change = scale > Real(0) ? Real(abs(value_of(H1 - H0)) / scale) : Real(0);
    system.constraint(T(0), x.q, g1);
    for (int a = 0; a < g1.size(); ++a)
      if (g1[a] != g0[a]) change = std::max(change, Real(abs(value_of(g1[a] - g0[a])) / abs(value_of(size[a]))));
    return change / epsilon<T>();
  };
  std::vector<Real> changes;
  for (method.k = s; method.k < most; ++method.k) {
    changes.push_back(conserved());
    if (changes.back() <= 4) {
      ++method.k;
      return method;
    }
  }
  const Real floor = 4 * *std::max_element(changes.end() - 8, changes.end());
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const Real& x) { return x <= floor; });
  method.k = is_finite(floor) ? s + static_cast<int>(found - changes.begin()) + 2
                              : s;  // if the first step cannot be solved at all, it says so
  return method;
}

}  // namespace livens
