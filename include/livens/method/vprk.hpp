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

#include "livens/method/growth_watch.hpp"
#include "livens/method/null_vector.hpp"
#include "livens/method/stage_solve.hpp"
#include "livens/method/vprk_choices.hpp"
#include "livens/system/degenerate.hpp"
#include "livens/system/degenerate_force.hpp"

namespace livens {

inline constexpr RawValue raw_projection{"lambda", RawValue::Per::coordinate};

struct Vprk {
  using Family = PairFamily;
  using Projection = VprkProjection;
  using Coefficients = Rounding;
  static constexpr Kinds kinds{.lagrangian = false, .degenerate = true};

  Family tableau = Family::gauss;
  int stages = 2;
  Projection projection = Projection::symmetric;
  Coefficients coefficients = Coefficients::symplectic;
  int sign = 0;  // in place of R; 0: R

  bool has_null_vector() const { return tableau == Family::lobatto_IIIA || tableau == Family::lobatto_IIIB; }
  bool is_coupled() const { return projection == Projection::symmetric || projection == Projection::midpoint; }
  int more() const { return (has_null_vector() ? 1 : 0) + (is_coupled() ? 1 : 0); }  // unknowns beside the stages
  int last() const { return stages + more() - 1; }                                   // of the unknowns
  std::string inadmissible() const { return vprk_inadmissible(tableau, stages, projection, sign); }
  int order() const { return vprk_order(tableau, stages, projection); }
  MethodTraits traits() const {
    const bool none = projection == Projection::none, radau = tableau == Family::radau_IIA;
    return {.name = "vprk",
            .order = order(),
            .symplectic = !radau && (none || projection == Projection::symplectic),
            .symmetric = !radau && tableau != Family::lobatto_IIIC && (none || is_coupled()),
            .carries_final_momentum = !none || radau,
            .audit_uses_final = !none,
            .raw = RawValues::end_of_step,
            .keeps_projection_form = !radau && projection == Projection::symplectic};
  }

  const Vprk& checked() const {
    if (const std::string reason = inadmissible(); !reason.empty()) throw std::invalid_argument("vprk: " + reason);
    return *this;
  }

  // (1) to (3) as a table of stages; the last unknowns are mu and lam, where there are.
  template <class Real>
  StageTable<Widest> table() const {
    StageTable<Widest> t = table_of<Real>(pair_of(tableau, stages), coefficients);
    add_unknowns(t, more());
    if (!is_coupled()) return t;
    for (int i = 0; i < stages; ++i) t.value(i, last()) = 1, t.A(last(), i) = t.weight[static_cast<std::size_t>(i)];
    t.d.back() = 1, t.end.back() = 1 + R();
    return t;
  }
  int R() const { return sign != 0 ? sign : pair_of(tableau, stages).R; }
  template <class System, int S = Dynamic, int More = 0>
  class Step;

  // f(std::type_identity<...>) of the step to use: for C++ systems of known size the number of stages is known too.
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

  VprkExtra(const System& system, const Vprk& method) : system_(system), method_(method) {}
  void begin(const Coordinates& q0) {  // of a step
    if (method_.projection == Vprk::Projection::symmetric) system_.theta_jacobian(q0, theta_, J0_);
  }
  bool finds_momentum() const { return coupled_; }

  template <class Stages>
  void add_terms(Stages& stages, const StageStep<System>& step) {
    null_.add_terms(stages);  // (1), (2)
    if (!coupled_) return;
    const Coordinates &q1 = stages.attempted_position(), &lam = stages.U(lam_);
    const int n = lam.size();
    for (int c = 0; c < n && midpoint_; ++c)  // m = (q0 + q1)/2 + (1 - R)/2 h lam
      middle_[c] = (step.x.q[c] + q1[c] + T(1 - R_) * step.h * lam[c]) / T(2);
    if (midpoint_) system_.theta_jacobian(middle_, theta_, J0_);
    system_.theta_jacobian(q1, theta_, J1_);
    multiply_transposed(J0_, lam, first_);
    multiply_transposed(midpoint_ ? J0_ : J1_, lam, last_);
    for (int c = 0; c < n; ++c) {
      for (int k = 0; k < stages_; ++k) stages.row(k)[c] -= step.h * first_[c];
      stages.row(lam_)[c] += theta_[c] - step.h * (first_[c] + T(R_) * last_[c]);
    }
  }

  template <class Stages>
  void add_derivatives(Stages& stages, const StageStep<System>& step) {
    auto& A = stages.matrix();
    const int n = theta_.size(), row = lam_ * n;
    null_.add_derivatives(stages, n);
    if (!coupled_) return;
    const T &h = step.h, hR = T(R_) * h, both = h + hR;
    system_.theta_curvature(midpoint_ ? middle_ : stages.attempted_position(), stages.U(lam_), C_);
    sum_ = J1_;
    if (!midpoint_) add_scaled(-hR, C_, sum_);
    for (int k = 0; k <= lam_; ++k)  // theta(q1), and h R J(q1)^T lam but for the midpoint, by q1
      if (const T by = h * stages.end(k); value_of(by) != RealOf<T>(0)) A.add({row, k * n}, by, sum_);
    for (int k = 0; k < stages_; ++k) A.add_transposed({k * n, row}, -h, J0_);
    A.add_transposed({row, row}, midpoint_ ? -both : -h, J0_);
    if (!midpoint_) return A.add_transposed({row, row}, -hR, J1_);
    // J(m)^T lam by m = q0 + h lam + h/2 sum_l b_l V_l
    for (int l = 0; l <= lam_; ++l) {
      const T moved = l == lam_ ? h : l < stages_ ? h * stages.end(l) / T(2) : T(0);
      for (int k = 0; k < stages_; ++k) A.add({k * n, l * n}, -h * moved, C_);
      A.add({row, l * n}, -both * moved, C_);
    }
  }

 private:
  const System& system_;
  const Vprk method_;
  const int stages_ = method_.stages, R_ = method_.R(), lam_ = method_.last();
  const bool coupled_ = method_.is_coupled(), midpoint_ = method_.projection == Vprk::Projection::midpoint;
  const NullVector<T> null_{pair_of(method_.tableau, method_.stages)};
  typename System::Square J0_ = system_.square(), J1_ = J0_, C_ = J0_, sum_ = J0_;
  Coordinates theta_ = Coordinates(system_.coordinates()), first_ = theta_, last_ = theta_, middle_ = theta_;
};

// (4): lam so that q = qb + k lam, p = pb + k J(q)^T lam is on the constraint
template <class System>
class EndProjection {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;

  Coordinates lam;

  explicit EndProjection(const System& system) : lam(system.coordinates()), system_(system) {}
  void solve(const T& k, const Coordinates& qb, const Coordinates& pb, const SolverSettings<Real>& settings,
             StepReport& report) {
    k_ = k, qb_ = qb, pb_ = pb;
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
  static int margin() { return 64; }  // what is left has a sign that repeats: without this its two-form drifts
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
      : system_(system), method_(method.checked()), settings_(settings) {}
  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    lam_.fill(T(0)), growth_ = {};
    stages_.start(t, x, v, nullptr);
    return true;
  }
  void resume(const T&, const State<System>&) {}

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    run_step<S>([&] {
      if (symplectic_) shift(h, x);
      State<System>& start = symplectic_ ? base_ : x;
      stages_.extra().begin(x.q);
      const auto from_node = [&](Coordinates& v, auto&) { field_.velocity(x.q, v); };
      stages_.solve(t0, t1, h, start, from_node, report);  // (1) to (3)
      const bool at_end = symplectic_ || method_.projection == Projection::standard;
      const T k = symplectic_ ? T(R_) * h : h;
      if (at_end && succeeded(report.outcome)) project(k, start, report);
      if (!succeeded(report.outcome)) return;
      if (at_end) lam_ = end_.lam;
      if (method_.is_coupled()) lam_ = stages_.U(method_.last());
      stages_.accept(t1, h, stages_.increment(), start);
      for (int c = 0; c < p_.size() && at_end; ++c) add_compensated(start.q[c], start.q_remainder[c], k * lam_[c]);
      if (symplectic_) x = base_, growth_.look(to_double(max_norm(lam_)), to_double(max_norm(stages_.U(0))));
      if (method_.projection == Projection::none) return;
      system_.theta(x.q, x.p);
      x.p_remainder.fill(T(0));
    });
  }

  template <class Archive>
  void archive(Archive& a) {
    a(stages_, lam_, growth_);
  }
  const Coordinates& attempted_position() const { return stages_.attempted_position(); }
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    if (method_.projection != Projection::none) take(raw_projection, lam_);
  }
  std::string warning() const {
    return growth_.warning("the multiplier of the symplectic projection",
                           "where it grows such runs fail in the end; projection = \"symmetric\" has no such growth");
  }

 private:
  // base_ = (q0 + h lam0, theta(q0) + h J(q0)^T lam0)
  void shift(const T& h, const State<System>& x) {
    base_ = x;
    system_.theta_jacobian(x.q, base_.p, J_);
    multiply_transposed(J_, lam_, p_);
    for (int c = 0; c < p_.size(); ++c) base_.q_remainder[c] += h * lam_[c], base_.p_remainder[c] = h * p_[c];
  }
  // (4)
  void project(const T& k, const State<System>& start, StepReport& report) {
    const StepReport solved = report;
    for (int c = 0; c < p_.size(); ++c) p_[c] = start.p[c] + (start.p_remainder[c] + stages_.increment().value[c]);
    end_.solve(k, stages_.attempted_position(), p_, settings_, report);
    add_cost(solved, report);
  }

  const System& system_;
  const Vprk method_;
  const int R_ = method_.R();
  const bool symplectic_ = method_.projection == Projection::symplectic;
  const SolverSettings<Real> settings_;
  DegenerateField<System> field_{system_};
  StageSolve<System, S, VprkExtra<System, More>> stages_{
      system_, method_.template table<Real>(), settings_, true, {system_, method_}};
  EndProjection<System> end_{system_};
  State<System> base_{system_};
  typename System::Square J_ = system_.square();
  Coordinates p_ = Coordinates(system_.coordinates()), lam_ = p_;
  GrowthWatch growth_;
};

}  // namespace livens
