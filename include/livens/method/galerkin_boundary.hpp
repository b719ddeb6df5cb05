// Boundary value problems with the Galerkin variational integrator: q_0 and q_N are given, the momenta are found.
// Source: Wenger, Ober-Bloebaum, Leyendecker (2017), remark after (22); the discrete action of N steps (galerkin.hpp)
// is made stationary over everything between the two ends, for L(t,q,v), g(t,q) and forces F(t,q,v). Promises: the
// solution is the initial value run of galerkin from its p_0, to round-off.  Other solutions may exist (a pendulum may
// wind about its pivot); which one is found depends on the start curve.
//
// The control configurations of all steps are numbered through, point P = k s + nu; Q_0 = q_0 and Q_Ns = q_N are fixed.
//
//   S     = h sum_k sum_i b_i L(t_ki, q(c_i), q'(c_i))                                   the discrete action
//   F_P   = dS/dQ_P + work of the forces - sum_j e_j l_P(x_j) G_j^T mu^j                 mu = h lambda
//
//   (1)  F_P = 0              at all points but the two ends
//   (2)  g / h = 0            at the inner nodes x_j of all steps, and at their ends t_1 .. t_N-1, whose multipliers
//   mu_k
//                             act from both sides, with the weight 2 e_0
//   (3)  pi_0 = -F_0 ,  pi_N = F_Ns ;  pi_k = the part of F_ks of the step before t_k      without nodal multipliers
//        p_k  = pi_k - e_0 G_k^T mu_k  at inner nodes; at the ends mu is not known, and p is the projection of pi
//
// Newton's corrections are z = dQ/h and dmu in the units of impulse_units.hpp. They are found at once for all steps,
// with an LU factorisation that interchanges rows across blocks (band_matrix.hpp; sparse systems: their sparse LU): the
// diagonal block of a node, [ D  G^T ; G  0 ], may be singular where the whole matrix is not.
//
// From a start curve (start_curve.hpp), whose points are on the constraints; where they are nodes of the constraints,
// so are points after damped corrections. Multipliers start from those of the curve, eq. (70), and if that leads
// nowhere from 0. So 68 of 77 problems with pendulums and beads over up to five periods were solved; with one of the
// two starts alone 52 to 58, without going back to the constraints 59.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/method/galerkin.hpp"
#include "livens/method/start_curve.hpp"
#include "livens/method/step_action.hpp"
#include "livens/solve/band_matrix.hpp"
#include "livens/solve/damped_newton.hpp"
#include "livens/solve/recorded_blocks.hpp"

namespace livens {

template <class System>
class GalerkinBoundary {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  static constexpr bool sparse = std::is_same_v<typename System::Square, SparseMat<T>>;

  // Steps t_0 + k h, k = 0..steps. Set `stop` from outside to end the iteration early. Throws std::invalid_argument.
  GalerkinBoundary(const System& system, const Galerkin& method, const T& t0, const T& h, int steps,
                   const SolverSettings<Real>& settings = {}, const std::atomic<bool>* stop = nullptr)
      : system_(system),
        method_(checked(method, steps)),
        t0_(t0),
        h_(h),
        steps_(steps),
        settings_(settings),
        stop_(stop) {}

  // The start curve. Returns the point where the way onto the constraints was not found, if there is one.
  std::optional<int> guess(const Coordinates& q_first, const Coordinates& q_last, const Coordinates* v = nullptr) {
    return curve_.connect(q_first, q_last, v);
  }

  // From the start curve. The report counts all iterations; the residual is the one at the solution.
  StepReport solve() {
    StepReport report;
    step_.start(t0_, curve_.points().front(), curve_.mean_velocity());
    if (m_ > 0 && !curve_.choose_units(unit_)) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    for (const bool multipliers_of_curve : {true, false}) {
      begin(multipliers_of_curve);
      newton_from_far<T>(*this, settings_, report);
      if (succeeded(report.outcome) || m_ == 0 || stopped()) break;
    }
    if (succeeded(report.outcome)) report.residual = to_double(residual());
    return report;
  }
  bool stopped() const { return stop_ && stop_->load(std::memory_order_relaxed); }

  // ---- the solution -------------------------------------------------------------------------------------------------
  int steps() const { return steps_; }
  T time_of_point(int P) const { return time(P / s_) + step_.k.points[at(P % s_)] * h_; }
  const Coordinates& point(int P) const { return x_.q[at(P)]; }
  const Coordinates& position(int node) const { return x_.q[at(node * s_)]; }
  const Coordinates& position_remainder(int node) const { return x_.q_remainder[at(node * s_)]; }

  // pi_k of (3): it belongs to the node whatever its multiplier is, and its projection is the momentum.
  Coordinates momentum(int node) const {
    Coordinates p = node > 0 ? momentum_[at(node)] : F_[0];
    for (int i = 0; node == 0 && i < n_; ++i) p[i] = -p[i];
    return p;
  }
  // p_k of (3) at inner nodes
  Coordinates nodal_momentum(int node) {
    Coordinates p = momentum_[at(node)];
    if (m_ > 0) subtract_reaction(step_.k.nodal_weight, node * w_ - 1, p);
    return p;
  }
  T action() {
    CompensatedSum<T> sum;
    for (int k = 0; k < steps_; ++k) look_at(k), step_.add_value(sum);
    return sum.value();
  }

  // ---- the equations, for newton.hpp and damped_newton.hpp ----------------------------------------------------------

  // (1), (2)
  Real residual() {
    for (auto& F : F_) F.fill(T(0));
    for (int k = 0; k < steps_; ++k) {
      look_at(k);
      step_.add_gradient(&F_[at(k * s_)]);
      for (int c = k * w_; c + 1 < (k + 1) * w_; ++c) constrain(c);
      momentum_[at(k + 1)] = F_[at((k + 1) * s_)];
      if (w_ > 0 && k + 1 < steps_) constrain((k + 1) * w_ - 1);
    }
    for (int P = 1; P < last_point_; ++P)
      for (int i = 0; i < n_; ++i) residual_[row_of_point(P) + i] = F_[at(P)][i];
    return size_of(residual_);
  }
  bool factorise() {
    const auto assemble = [&] {
      for (int k = 0; k < steps_; ++k) add_derivatives(k);
    };
    return matrix_.factorise(assemble);
  }
  Real correct() {
    const Real size = find_correction();
    apply_correction(Real(1));
    return size;
  }
  Real find_correction() {
    base_ = x_;
    matrix_.solve(residual_, correction_);
    return relative_size([&](int row) { return correction_[row]; });
  }
  // A point from where the constraints are not found stays there.
  void try_correction(const Real& damping) {
    apply_correction(damping);
    for (int P = 1; P < last_point_ && constraints_hold_at_points_; ++P) {
      const Coordinates there = x_.q[at(P)];
      if (!curve_.move_onto_constraints(time_of_point(P), x_.q[at(P)])) x_.q[at(P)] = there;
    }
  }
  Real find_simplified() {
    matrix_.solve(residual_, simplified_);
    return relative_size([&](int row) { return simplified_[row]; });
  }
  Real distance_of_simplified(const Real& factor) const {
    return relative_size([&](int row) { return simplified_[row] - factor * correction_[row]; });
  }

 private:
  using Matrix = std::conditional_t<sparse, BlockMatrix<System, Dynamic>, BandMatrix<T>>;
  using Node = typename StepAction<System>::Node;

  static const Galerkin& checked(const Galerkin& method, int steps) {
    if (steps < 1) throw std::invalid_argument("a boundary value problem needs at least one step");
    if (method.constraint_quadrature != Galerkin::Rule::lobatto)
      throw std::invalid_argument("boundary value problems need the Lobatto quadrature of the constraints");
    return method;
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  T time(int k) const { return t0_ + static_cast<T>(k) * h_; }
  void look_at(int k) { step_.look_at(time(k), h_, &x_.q[at(k * s_)], &x_.q_remainder[at(k * s_)]); }

  // Nodes of the constraints in a step: the inner ones, and its end.
  static std::vector<Node> nodes_of_constraints(const GalerkinCoefficients<T>& k) {
    std::vector<Node> nodes = k.constraint;
    nodes.push_back({T(1), 2 * k.nodal_weight, std::vector<T>(at(k.s + 1)), std::vector<T>(at(k.s + 1))});
    nodes.back().value.back() = T(1);
    return nodes;
  }

  // Rows and unknowns stand in the order of time: inner points of a step, its inner multipliers, the node at its end
  // with its multiplier.
  int row_of_point(int P) const {
    if (P == 0 || P == last_point_) return -1;
    return (P - 1) / s_ * per_step_ + (P - 1) % s_ * n_ + (P % s_ == 0 && w_ > 0 ? (w_ - 1) * m_ : 0);
  }
  int row_of_constraint(int c) const {
    return c / w_ * per_step_ + (s_ - 1) * n_ + c % w_ * m_ + (c % w_ == w_ - 1 ? n_ : 0);
  }

  // g and G of a constraint in the step at hand; its part of F
  void constrain(int c) {
    const Node& node = nodes_[at(c % w_)];
    step_.place(node);
    system_.constraint_jacobian(step_.time(node), step_.q, g_, G_[at(c)]);
    for (int a = 0; a < m_; ++a) residual_[row_of_constraint(c) + a] = g_[a] / h_;
    for (int nu = 0; nu <= s_; ++nu) subtract_reaction(node.weight * node.value[at(nu)], c, F_[at(c / w_ * s_ + nu)]);
  }
  void subtract_reaction(const T& weight, int c, Coordinates& from) {
    for (int a = 0; a < m_; ++a) g_[a] = weight * x_.mu[at(c)][a];
    subtract_transposed(G_[at(c)], g_, from);
  }

  // Newton's matrix of step k
  void add_derivatives(int k) {
    const auto row = [&](int nu) { return row_of_point(k * s_ + nu); };
    look_at(k);
    step_.add_derivatives(matrix_, row);
    for (int c = k * w_; c < std::min((k + 1) * w_, constraints_); ++c) {
      const Node& node = nodes_[at(c % w_)];
      step_.place(node);
      system_.constraint_hessian(step_.time(node), step_.q, x_.mu[at(c)], H_);
      for (int nu = 0; nu <= s_; ++nu) {
        const T value = node.value[at(nu)];
        if (row(nu) < 0 || value == T(0)) continue;
        for (int l = 0; l <= s_; ++l)
          if (row(l) >= 0 && node.value[at(l)] != T(0))
            matrix_.add({row(nu), row(l)}, -node.weight * value * h_ * node.value[at(l)], H_);
        matrix_.add_transposed({row(nu), row_of_constraint(c)}, -node.weight * value, unit_, G_[at(c)]);
        matrix_.add({row_of_constraint(c), row(nu)}, value, G_[at(c)]);
      }
    }
  }

  template <class Entry>
  Real relative_size(const Entry& entry) const {
    using std::abs;
    Real change(0), size(0);
    for (int P = 1; P < last_point_; ++P)
      for (int i = 0; i < n_; ++i) change += abs(h_ * entry(row_of_point(P) + i));
    for (const auto& q : x_.q) size += size_of(q);
    return size > Real(0) ? change / size : change;
  }
  void apply_correction(const Real& damping) {
    x_ = base_;
    const T factor(-damping);
    for (int P = 1; P < last_point_; ++P)
      for (int i = 0; i < n_; ++i)
        add_compensated(x_.q[at(P)][i], x_.q_remainder[at(P)][i], factor * h_ * correction_[row_of_point(P) + i]);
    for (int c = 0; c < constraints_; ++c)
      for (int a = 0; a < m_; ++a) x_.mu[at(c)][a] += factor * unit_[a] * correction_[row_of_constraint(c) + a];
  }

  // ---- start --------------------------------------------------------------------------------------------------------

  // At the start curve, with its multipliers or none
  void begin(bool multipliers_of_curve) {
    x_.q = curve_.points();
    for (auto& rest : x_.q_remainder) rest.fill(T(0));
    for (auto& mu : x_.mu) mu.fill(T(0));
    if (m_ == 0 || !multipliers_of_curve) return;
    for (int k = 0; k < steps_; ++k) {
      look_at(k);
      if (k > 0) curve_.find_impulse(time(k), x_.q[at(k * s_)], step_.U.back(), h_, x_.mu[at(k * w_ - 1)]);
      for (int j = 0; j + 1 < w_; ++j) {
        step_.place(nodes_[at(j)]);
        curve_.find_impulse(step_.time(nodes_[at(j)]), step_.q, step_.v, h_, x_.mu[at(k * w_ + j)]);
      }
    }
  }

  const System& system_;
  const Galerkin method_;
  const T t0_, h_;
  const int steps_;
  const SolverSettings<Real> settings_;
  const std::atomic<bool>* stop_;

  const int n_ = system_.coordinates(), m_ = system_.constraints(), s_ = method_.s, last_point_ = steps_ * s_;
  const int w_ = m_ > 0 ? method_.multiplier_degree() : 0;  // nodes of constraints in a step
  const int constraints_ = m_ > 0 ? w_* steps_ - 1 : 0;     // numbered through as points are; the last node is fixed
  const int per_step_ = s_ * n_ + w_ * m_, unknowns_ = (last_point_ - 1) * n_ + constraints_ * m_;
  const bool constraints_hold_at_points_ = method_.points == Galerkin::Points::lobatto && w_ == s_;
  StepAction<System> step_{system_, method_};
  const std::vector<Node> nodes_ = nodes_of_constraints(step_.k);
  StartCurve<System> curve_{system_, last_point_, [this](int P) { return time_of_point(P); }};

  struct Unknowns {
    std::vector<Coordinates> q, q_remainder;  // points 0 .. N s
    std::vector<Multipliers> mu;
  };
  Unknowns x_{several<Dynamic>(last_point_ + 1, Coordinates(n_)), several<Dynamic>(last_point_ + 1, Coordinates(n_)),
              several<Dynamic>(constraints_, Multipliers(m_))};
  Unknowns base_ = x_;                                                                 // before the correction
  std::vector<Coordinates> F_ = x_.q;                                                  // of the points
  std::vector<Coordinates> momentum_ = several<Dynamic>(steps_ + 1, Coordinates(n_));  // pi of nodes 1..N
  std::vector<typename System::Jacobian> G_ = several<Dynamic>(constraints_, system_.jacobian());
  typename System::Square H_ = system_.constraint_square();
  Multipliers g_ = Multipliers(m_), unit_ = g_;
  RecordedBlocks<Matrix, T> matrix_{system_, unknowns_};
  Vec<T> residual_ = Vec<T>(unknowns_), correction_ = residual_, simplified_ = residual_;
};

}  // namespace livens
