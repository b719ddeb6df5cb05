// Variational partitioned Runge-Kutta methods with projection for degenerate Lagrangians L = theta(q).v - H(q).
// Source: Kraus (2017), "Projected variational integrators for degenerate Lagrangian systems", sections 3 and 4; signs
// and the factor R as recomputed, see docs/methods/vprk.md.
//
// Base step from (qb, pb) with a symplectic pair a, abar and f = J^T v - grad H, J = dtheta/dq; unknown V_i, and mu
// where the pair has a null vector v_i (Lobatto IIIA-IIIB and IIIB-IIIA: A of IIIA is singular, A v = 0):
//
//   (1)  Q_i = qb + h sum_j a_ij V_j ,   theta(Q_i) = pb + h sum_j abar_ij f(Q_j, V_j) [ - mu v_i ]
//   (2)  [ sum_i b_i v_i V_i = 0 ]
//   (3)  qb' = qb + h sum_i b_i V_i ,    pb' = pb + h sum_i b_i f(Q_i, V_i)
//
// Stages are on the constraint p = theta(q), the end is not. Projections, lam along the symplectic gradient of it, R
// being the factor by which a base step multiplies a small distance from the constraint (R(infinity) of the tableau):
//
//   none        qb = q0, pb = p0                                  q1 = qb', p1 = pb'
//   standard    qb = q0, pb = theta(q0)                           (4) with k = h
//   symplectic  qb = q0 + h lam0, pb = theta(q0) + h J(q0)^T lam0 (4) with k = h R, which finds lam1
//   symmetric   qb = q0 + h lam,  pb = theta(q0) + h J(q0)^T lam  q1 = qb' + h R lam, theta(q1) = pb' + h R J(q1)^T lam
//   midpoint    the same with J at m = (qb + qb')/2 in both places
//   (4)  q1 = qb' + k lam ,   theta(q1) = pb' + k J(q1)^T lam
//
// The last two are solved together with the stages, lam being one more unknown velocity. Stages: stage_solve.hpp.
// Keeps: canonical two-form (none), a two-form on (q, lam) (symplectic), momentum maps affine in theta (projected);
// symmetric and midpoint are symmetric. Radau IIA is for comparison: abar = a, and its end is its last stage.
// Remembered between steps: V and mu as guess, lam of the symplectic projection.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "livens/method/stage_solve.hpp"
#include "livens/system/degenerate.hpp"
#include "livens/system/degenerate_force.hpp"

namespace livens {

inline constexpr RawValue raw_projection{"lambda", RawValue::Per::coordinate};

struct Vprk {
  using Family = PairFamily;
  enum class Projection { none, standard, symmetric, symplectic, midpoint };
  // How they are rounded: so that the pair is symplectic to the last bit; with what rounding cuts off; one by one.
  enum class Coefficients { symplectic, split, rounded };
  static constexpr Kinds kinds{.lagrangian = false, .degenerate = true};

  Family tableau = Family::gauss;
  int stages = 2;
  Projection projection = Projection::symmetric;
  Coefficients coefficients = Coefficients::symplectic;
  int sign = 0;  // in place of R; 0: R

  bool has_null_vector() const { return tableau == Family::lobatto_IIIA || tableau == Family::lobatto_IIIB; }
  bool is_coupled() const { return projection == Projection::symmetric || projection == Projection::midpoint; }
  int more() const { return (has_null_vector() ? 1 : 0) + (is_coupled() ? 1 : 0); }  // unknowns beside the stages

  std::string inadmissible() const {
    if (tableau == Family::radau_IIA && projection != Projection::none)
      return "radau-IIA ends on the constraint: its projection is \"none\"";
    return inadmissible_stages(tableau, stages);
  }

  // Of q, as measured (docs/methods/vprk.md); 0: not known.
  int order() const {
    const int s = stages, full = 2 * s - 2, even = s - s % 2;
    const bool none = projection == Projection::none, midpoint = projection == Projection::midpoint;
    const auto of = [&](int unprojected, int projected, int by_midpoint) {
      return none ? unprojected : midpoint ? by_midpoint : projected;
    };
    if (tableau == Family::gauss) return of(even + 2 * (s % 2), 2 * s, even + 2);
    if (tableau == Family::srk3) return of(2, projection == Projection::standard ? 3 : 4, 2);
    if (tableau == Family::lobatto_IIID) return of(s > 4 ? 0 : std::min(full, 4), full, s > 3 ? 0 : full);
    if (tableau == Family::lobatto_IIIE) return of(2, full, s > 2 ? 0 : full);
    if (has_null_vector()) return of(even, full, s > 4 ? 0 : std::min(full, 4));
    return tableau == Family::radau_IIA ? 2 * s - 1 : 0;
  }

  MethodTraits traits() const {
    const bool none = projection == Projection::none, radau = tableau == Family::radau_IIA;
    return {.name = "vprk",
            .order = order(),
            .symplectic = !radau && (none || projection == Projection::symplectic),
            .symmetric = !radau && tableau != Family::lobatto_IIIC && (none || is_coupled()),
            .carries_final_momentum = !none,
            .audit_uses_final = !none,
            .raw = RawValues::end_of_step,
            .keeps_projection_form = !radau && projection == Projection::symplectic};
  }

  // (1) to (3) as a table of stages; the last unknowns are mu and lam, where there are.
  template <class Real>
  StageTable<Widest> table() const {
    if (const std::string reason = inadmissible(); !reason.empty()) throw std::invalid_argument("vprk: " + reason);
    const RungeKuttaPair pair = pair_of(tableau, stages);
    const bool exact = coefficients == Coefficients::symplectic && pair.symplectic;
    StageTable<Widest> t =
        exact ? exact_pair<Real>(pair.position, pair.momentum) : plain_pair(pair.position, pair.momentum);
    t.split = coefficients == Coefficients::split;
    add_unknowns(t, more());
    const int lam = t.stages() - 1;
    for (int i = 0; i < stages && is_coupled(); ++i)
      t.value(i, lam) = 1, t.A(lam, i) = t.weight[static_cast<std::size_t>(i)];
    if (is_coupled()) t.d.back() = 1, t.end.back() = 1 + R();
    return t;
  }
  int R() const { return sign != 0 ? sign : pair_of(tableau, stages).R; }

  template <class System, int S = Dynamic, int More = 0>
  class Step;

  // Calls f(std::type_identity<...>) with the step to use: for C++ systems of known size one whose number of stages is
  // known too.
  template <class System, int known = 4, class F>
  auto with_step(const F& f) const {
    if constexpr (System::n != Dynamic && std::is_same_v<typename System::Scalar, double> && known > 0) {
      if (stages != known || has_null_vector()) return with_step<System, known - 1>(f);
      if (is_coupled()) return f(std::type_identity<Step<System, known + 1, 1>>{});
      return f(std::type_identity<Step<System, known>>{});
    } else {
      return f(std::type_identity<Step<System>>{});
    }
  }
};

// What null vector and coupled projection add to the rows of the stages. more_: how many unknowns that is.
template <class System, int more_>
class VprkExtra {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  static constexpr int more = more_;

  VprkExtra(const System& system, const Vprk& method) : system_(system), method_(method) {
    for (const Widest& v : pair_of(method.tableau, method.stages).null_vector)
      null_.push_back(T(static_cast<RealOf<T>>(v)));
  }

  // The state that the step starts from.
  void begin(const Coordinates& q0) {
    if (method_.projection == Vprk::Projection::symmetric) system_.theta_jacobian(q0, theta_, J0_);
  }
  bool finds_momentum() const { return coupled_; }
  template <class Stages>
  void declare(Stages&) {}

  template <class Stages>
  void add_terms(Stages& stages, const StageStep<System>& step) {
    const int n = theta_.size(), mu = stages_;
    for (int k = 0; k < nulls(); ++k)  // (1), (2)
      for (int c = 0; c < n; ++c) {
        stages.row(k)[c] += null(k) * stages.U(mu)[c];
        stages.row(mu)[c] += null(k) * stages.increment_of(k)[c];
      }
    if (!coupled_) return;
    const Coordinates& q1 = stages.attempted_position();
    for (int c = 0; c < n && midpoint_; ++c)  // m = (q0 + q1)/2 + (1 - R)/2 h lam
      middle_[c] = (step.x.q[c] + q1[c] + T(1 - R_) * step.h * stages.U(last())[c]) / T(2);
    if (midpoint_) system_.theta_jacobian(middle_, theta_, J0_);
    system_.theta_jacobian(q1, theta_, J1_);
    multiply_transposed(J0_, stages.U(last()), first_);
    multiply_transposed(midpoint_ ? J0_ : J1_, stages.U(last()), last_);
    for (int c = 0; c < n; ++c) {
      for (int k = 0; k < stages_; ++k) stages.row(k)[c] -= step.h * first_[c];
      stages.row(last())[c] += theta_[c] - step.h * (first_[c] + T(R_) * last_[c]);
    }
  }

  template <class Stages>
  void add_derivatives(Stages& stages, const StageStep<System>& step) {
    auto& A = stages.matrix();
    const int n = theta_.size(), mu = stages_;
    for (int k = 0; k < nulls(); ++k) {
      A.add_diagonal({k * n, mu * n}, n, null(k));
      A.add_diagonal({mu * n, k * n}, n, stages.shared(k, null(k)));
    }
    if (!coupled_) return;
    const T &h = step.h, hR = T(R_) * h, both = h + hR;
    const int row = last() * n;
    system_.theta_curvature(midpoint_ ? middle_ : stages.attempted_position(), stages.U(last()), C_);
    // theta(q1), and h R J(q1)^T lam but for the midpoint, by q1
    sum_ = J1_;
    if (!midpoint_) add_scaled(-hR, C_, sum_);
    for (int k = 0; k <= last(); ++k)
      if (const T by = h * stages.end(k); value_of(by) != RealOf<T>(0)) A.add({row, k * n}, by, sum_);
    for (int k = 0; k < stages_; ++k) A.add_transposed({k * n, row}, -h, J0_);
    A.add_transposed({row, row}, midpoint_ ? -both : -h, J0_);
    if (!midpoint_) return A.add_transposed({row, row}, -hR, J1_);
    // J(m)^T lam by m = q0 + h lam + h/2 sum_l b_l V_l
    for (int l = 0; l <= last(); ++l) {
      const T moved = l == last() ? h : l < stages_ ? h * stages.end(l) / T(2) : T(0);
      for (int k = 0; k < stages_; ++k) A.add({k * n, l * n}, -h * moved, C_);
      A.add({row, l * n}, -both * moved, C_);
    }
  }

 private:
  int nulls() const { return static_cast<int>(null_.size()); }
  const T& null(int k) const { return null_[static_cast<std::size_t>(k)]; }
  int last() const { return stages_ + (nulls() > 0 ? 1 : 0); }  // the unknown lam

  const System& system_;
  const Vprk method_;
  const int stages_ = method_.stages, R_ = method_.R();
  const bool coupled_ = method_.is_coupled(), midpoint_ = method_.projection == Vprk::Projection::midpoint;
  std::vector<T> null_;
  typename System::Square J0_ = system_.square(), J1_ = J0_, C_ = J0_, sum_ = J0_;
  Coordinates theta_ = Coordinates(system_.coordinates()), first_ = theta_, last_ = theta_, middle_ = theta_;
};

// (4)
template <class System>
class EndProjection {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;

  explicit EndProjection(const System& system) : lam(system.coordinates()), system_(system) {}

  Coordinates lam;

  void solve(const T& k, const Coordinates& q, const Coordinates& p, const SolverSettings<Real>& settings,
             StepReport& report) {
    k_ = k, qb_ = q, pb_ = p;
    lam.fill(T(0));
    newton<T>(*this, settings, report);
  }

  Real residual() {
    for (int c = 0; c < q_.size(); ++c) q_[c] = qb_[c] + k_ * lam[c];
    system_.theta_jacobian(q_, theta_, J_);
    multiply_transposed(J_, lam, row_);
    for (int c = 0; c < q_.size(); ++c) row_[c] = theta_[c] - pb_[c] - k_ * row_[c];
    return size_of(row_);
  }
  // What is left has a sign that repeats, and lam is the memory of the symplectic projection: without this its two-form
  // drifts (its first invariant by 2e-10 in 1000 steps in the symmetric field; with it by 5e-12, which is round-off).
  static int margin() { return 64; }
  bool factorise() {
    system_.theta_curvature(q_, lam, C_);
    for (int i = 0; i < J_.rows(); ++i)
      for (int j = 0; j < J_.rows(); ++j) lu_.matrix()(i, j) = k_ * (J_(i, j) - J_(j, i)) - k_ * k_ * C_(i, j);
    return lu_.factorise();
  }
  Real correct() {
    using std::abs;
    lu_.solve(row_, change_);
    for (int c = 0; c < lam.size(); ++c) lam[c] -= change_[c];
    return abs(value_of(k_)) * size_of(change_) / size_of(q_);
  }

 private:
  const System& system_;
  T k_{};
  typename System::Square J_ = system_.square(), C_ = J_;
  Lu<T, System::n> lu_{lam.size()};
  Coordinates qb_ = lam, pb_ = lam, q_ = lam, theta_ = lam, row_ = lam, change_ = lam;
};

template <class System, int S, int More>
class Vprk::Step {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;

  Step(const System& system, const Vprk& method, const SolverSettings<Real>& settings)
      : system_(system), method_(method), settings_(settings) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    v_ = v;
    lam_.fill(T(0));
    stages_.start(t, x, v, nullptr);
    return true;
  }
  void resume(const T&, const State<System>&) {}

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    run_step<S>([&] {
      const bool symplectic = method_.projection == Projection::symplectic;
      if (symplectic) shift(h, x);
      State<System>& start = symplectic ? base_ : x;
      stages_.extra().begin(x.q);
      const auto from_node = [&](Coordinates& v, auto&) {
        field_.velocity(x.q, v_);
        v = v_;
      };
      stages_.solve(t0, t1, h, start, from_node, report);  // (1) to (3)
      if (!succeeded(report.outcome)) return;
      if (symplectic || method_.projection == Projection::standard) {
        const T k = symplectic ? T(R_) * h : h;
        project(k, start, report);  // (4)
        if (!succeeded(report.outcome)) return;
        stages_.accept(t1, h, stages_.increment(), start);
        for (int c = 0; c < p_.size(); ++c) add_compensated(start.q[c], start.q_remainder[c], k * end_.lam[c]);
        lam_ = end_.lam;
      } else {
        if (method_.is_coupled()) lam_ = stages_.U(method_.stages + method_.more() - 1);
        stages_.accept(t1, h, stages_.increment(), start);
      }
      if (symplectic) x = base_;
      if (method_.projection == Projection::none) return;
      system_.theta(x.q, x.p);
      x.p_remainder.fill(T(0));
    });
  }

  template <class Archive>
  void archive(Archive& a) {
    a(stages_, lam_, v_);
  }
  const Coordinates& attempted_position() const { return stages_.attempted_position(); }
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    if (method_.projection != Projection::none) take(raw_projection, lam_);
  }

 private:
  // base_ = (q0 + h lam0, theta(q0) + h J(q0)^T lam0)
  void shift(const T& h, const State<System>& x) {
    base_ = x;
    system_.theta_jacobian(x.q, base_.p, J_);
    multiply_transposed(J_, lam_, p_);
    for (int c = 0; c < p_.size(); ++c) base_.q_remainder[c] += h * lam_[c], base_.p_remainder[c] = h * p_[c];
  }
  void project(const T& k, const State<System>& start, StepReport& report) {
    const StepReport solved = report;
    for (int c = 0; c < p_.size(); ++c) p_[c] = start.p[c] + (start.p_remainder[c] + stages_.increment()[c]);
    end_.solve(k, stages_.attempted_position(), p_, settings_, report);
    add_cost(solved, report);
  }

  const System& system_;
  const Vprk method_;
  const int R_ = method_.R();
  const SolverSettings<Real> settings_;
  DegenerateField<System> field_{system_};
  StageSolve<System, S, VprkExtra<System, More>> stages_{
      system_, method_.template table<Real>(), settings_, true, {system_, method_}};
  EndProjection<System> end_{system_};
  State<System> base_{system_};
  typename System::Square J_ = system_.square();
  Coordinates v_ = Coordinates(system_.coordinates()), p_ = v_, lam_ = v_;
};

}  // namespace livens
