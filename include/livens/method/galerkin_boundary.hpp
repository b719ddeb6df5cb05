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
//   (1)  F_P = 0              at all points but the two ends; nodal multipliers act from both sides, weight 2 e_0
//   (2)  g / h = 0            at the inner nodes x_j of all steps and at the nodes t_1 .. t_N-1
//   (3)  pi_0 = -F_0 ,  pi_N = F_Ns ;  pi_k = the part of F_ks of the step before t_k      without nodal multipliers
//        p_k  = pi_k - e_0 G_k^T mu_k  at inner nodes; at the ends mu is not known, and p is the projection of pi
//
// Points are kept with the remainders of their sums, and velocities (Q^nu - q_k)/h come from both: differences of
// rounded points would cost a factor 1/h in the momenta. Newton's corrections are z = dQ/h and dmu in units of
// mass/|G|. They are found at once for all steps, with an LU factorisation that interchanges rows across blocks
// (band_matrix.hpp; sparse systems: their sparse LU): the diagonal block of a node, [ D  G^T ; G  0 ], may be singular
// where the whole matrix is not.
//
// Start curve: the straight line from q_0 to q_N, or with a start velocity v the cubic that begins with it and ends
// without curvature; its points are moved onto the constraints, and where they are nodes of the
// constraints, so are points after damped corrections.
// Multipliers start from those of the curve, eq. (70), and if that leads nowhere from 0. So 68 of 77 problems with
// pendulums and beads over up to five periods were solved; with one of the two starts alone 52 to 58, without going
// back to the constraints 59.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/method/galerkin.hpp"
#include "livens/solve/band_matrix.hpp"
#include "livens/solve/damped_newton.hpp"
#include "livens/solve/mass.hpp"
#include "livens/solve/schur.hpp"

namespace livens {

template <class System>
class GalerkinBoundary {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Jacobian = typename System::Jacobian;
  using Square = typename System::Square;
  static constexpr bool sparse = std::is_same_v<Square, SparseMat<T>>;

  // Steps t_0 + k h, k = 0..steps. Set `stop` from outside to end the iteration early. Throws std::invalid_argument.
  GalerkinBoundary(const System& system, const Galerkin& method, const T& t0, const T& h, int steps,
                   const SolverSettings<Real>& settings = {}, const std::atomic<bool>* stop = nullptr)
      : system_(system),
        structure_(system.structure()),
        settings_(settings),
        stop_(stop),
        k_(method),
        t0_(t0),
        h_(h),
        steps_(checked(method, steps)),
        constraints_hold_at_points_(method.s == method.multiplier_degree() &&
                                    method.points == Galerkin::Points::lobatto),
        n_(system.coordinates()),
        m_(system.constraints()),
        start_(at(steps_ * k_.s + 1), Coordinates(n_)),
        q_(start_),
        q_remainder_(q_),
        base_(q_),
        base_remainder_(q_),
        F_(q_),
        momentum_(at(steps_ + 1), Coordinates(n_)),
        mu_(at(m_ > 0 ? steps_ * inner() : 0), Multipliers(m_)),
        nodal_mu_(at(m_ > 0 ? steps_ + 1 : 0), Multipliers(m_)),
        base_mu_(mu_),
        base_nodal_mu_(nodal_mu_),
        G_(mu_.size(), system.jacobian()),
        nodal_G_(nodal_mu_.size(), system.jacobian()),
        G_here_(system.jacobian()),
        G_in_units_(G_here_),
        Lqq_(system.square()),
        Lqv_(Lqq_),
        Lvv_(Lqq_),
        H_(system.constraint_square()),
        U_(at(k_.s), Coordinates(n_)),
        f_(at(k_.s + 1), Coordinates(n_)),
        position_(n_),
        v_(n_),
        mean_velocity_(n_),
        Lq_(n_),
        Lv_(n_),
        force_(n_),
        g_(m_),
        weighted_(m_),
        unit_(m_),
        mass_(system),
        schur_(system),
        matrix_(system, unknowns(method, n_, m_, steps)),
        residual_(unknowns(method, n_, m_, steps)),
        correction_(residual_),
        simplified_(residual_) {
    declare_blocks();
  }

  static int unknowns(const Galerkin& method, int n, int m, int steps) {
    return (steps * method.s - 1) * n + (steps * method.multiplier_degree() - 1) * m;
  }

  // The start curve. Returns the point where the way onto the constraints was not found, if there is one.
  std::optional<int> guess(const Coordinates& q_first, const Coordinates& q_last, const Coordinates* v = nullptr) {
    const T duration = static_cast<T>(steps_) * h_;
    Coordinates bend(n_);
    for (int i = 0; i < n_; ++i) {
      mean_velocity_[i] = (q_last[i] - q_first[i]) / duration;
      bend[i] = v ? duration * ((*v)[i] - mean_velocity_[i]) : T(0);
    }
    start_.front() = q_first, start_.back() = q_last;
    return fill(0, last_point(), bend);
  }

  // From the start curve. The report counts all iterations; the residual is the one at the solution.
  StepReport solve() {
    StepReport report;
    if (!choose_units()) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    for (const bool multipliers_of_curve : {true, false}) {
      begin(multipliers_of_curve);
      StepReport attempt;
      damped_newton<T>(*this, settings_, attempt);
      add_cost(attempt, report);
      report.history = attempt.history;
      if (succeeded(attempt.outcome)) {
        SolverSettings<Real> rest = settings_;
        rest.iterations = std::max(1, settings_.iterations - attempt.iterations);
        newton<T>(*this, rest, attempt);
        add_cost(attempt, report);
      }
      report.outcome = attempt.outcome;
      report.residual = attempt.residual, report.increment = attempt.increment, report.floor = attempt.floor;
      if (succeeded(report.outcome) || m_ == 0 || stopped()) break;
    }
    if (succeeded(report.outcome)) report.residual = to_double(residual(false));
    return report;
  }
  bool stopped() const { return stop_ && stop_->load(std::memory_order_relaxed); }

  // ---- the solution -------------------------------------------------------------------------------------------------
  int steps() const { return steps_; }
  T time_of_point(int P) const { return time(P); }
  const Coordinates& point(int P) const { return q_[at(P)]; }
  const Coordinates& position(int node) const { return q_[at(node * k_.s)]; }
  const Coordinates& position_remainder(int node) const { return q_remainder_[at(node * k_.s)]; }

  // pi_k of (3): it belongs to the node whatever its multiplier is, and its projection is the momentum.
  Coordinates momentum(int node) const {
    if (node > 0) return momentum_[at(node)];
    Coordinates p = F_[0];
    for (T& x : p) x = -x;
    return p;
  }
  // p_k of (3) at inner nodes
  Coordinates nodal_momentum(int node) {
    Coordinates p = momentum_[at(node)];
    if (m_ == 0) return p;
    for (int a = 0; a < m_; ++a) weighted_[a] = k_.nodal_weight * nodal_mu_[at(node)][a];
    subtract_transposed(nodal_G_[at(node)], weighted_, p);
    return p;
  }

  T action() {
    CompensatedSum<T> sum;
    for (int k = 0; k < steps_; ++k) {
      find_velocities(k);
      for (const Node& node : k_.lagrangian) {
        place(node, k);
        sum += h_ * node.weight * system_.lagrangian(time(k, node.c), position_, v_);
      }
    }
    return sum.value();
  }

  // ---- the equations, for newton.hpp and damped_newton.hpp ----------------------------------------------------------

  // (1), (2)
  Real residual(bool) {
    for (auto& F : F_) F.fill(T(0));
    for (int k = 0; k < steps_; ++k) {
      add_step(k);
      for (int nu = 0; nu <= k_.s; ++nu)
        for (int i = 0; i < n_; ++i) F_[at(k * k_.s + nu)][i] += f_[at(nu)][i];
      momentum_[at(k + 1)] = f_.back();
    }
    for (int k = 1; k < steps_ && m_ > 0; ++k) {
      const int P = k * k_.s;
      system_.constraint_jacobian(time(P), q_[at(P)], g_, nodal_G_[at(k)]);
      put_constraint(row_of_point(P) + n_);
      for (int a = 0; a < m_; ++a) weighted_[a] = 2 * k_.nodal_weight * nodal_mu_[at(k)][a];
      subtract_transposed(nodal_G_[at(k)], weighted_, F_[at(P)]);
    }
    for (int P = 1; P < last_point(); ++P)
      for (int i = 0; i < n_; ++i) residual_[row_of_point(P) + i] = F_[at(P)][i];
    return size_of(residual_);
  }

  bool factorise() {
    matrix_.clear();
    next_block_ = 0;
    for (int k = 0; k < steps_; ++k) add_matrix_of_step(k);
    for (int k = 1; k < steps_ && m_ > 0; ++k) {
      const int P = k * k_.s;
      system_.constraint_hessian(time(P), q_[at(P)], nodal_mu_[at(k)], H_);
      matrix_.add(next_block(), -2 * k_.nodal_weight * h_, H_);
      scale_rows(nodal_G_[at(k)], unit_, G_in_units_);
      matrix_.add_transposed(next_block(), -2 * k_.nodal_weight, G_in_units_);
      matrix_.add(next_block(), T(1), nodal_G_[at(k)]);
    }
    return matrix_.factorise();
  }

  Real correct() {
    const Real size = find_correction();
    apply_correction(Real(1));
    return size;
  }
  Real find_correction() {
    base_ = q_, base_remainder_ = q_remainder_, base_mu_ = mu_, base_nodal_mu_ = nodal_mu_;
    matrix_.solve(residual_, correction_);
    return relative_size([&](int row) { return correction_[row]; });
  }
  // A point from where the constraints are not found stays there.
  void try_correction(const Real& damping) {
    apply_correction(damping);
    if (!constraints_hold_at_points_) return;
    for (int P = 1; P < last_point(); ++P) {
      Coordinates& q = q_[at(P)];
      const Coordinates there = q;
      if (!move_onto_constraints(time(P), q)) q = there;
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
  using Block = typename Matrix::Block;
  using Node = typename GalerkinCoefficients<T>::Node;

  static int checked(const Galerkin& method, int steps) {
    if (steps < 1) throw std::invalid_argument("a boundary value problem needs at least one step");
    if (method.constraint_quadrature != Galerkin::Rule::lobatto)
      throw std::invalid_argument("boundary value problems need the Lobatto quadrature of the constraints");
    return steps;
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int inner() const { return static_cast<int>(k_.constraint.size()); }
  T time(int k, const T& c) const { return t0_ + (static_cast<T>(k) + c) * h_; }
  T time(int P) const { return time(P / k_.s, k_.points[at(P % k_.s)]); }

  // Rows and unknowns stand in the order of time: inner points of a step, its inner multipliers, the node at its end
  // with its multiplier.
  int per_step() const { return k_.s * n_ + (inner() + 1) * m_; }
  int row_of_point(int P) const {
    const int k = P / k_.s, nu = P % k_.s;
    return nu > 0 ? k * per_step() + (nu - 1) * n_ : (k - 1) * per_step() + (k_.s - 1) * n_ + inner() * m_;
  }
  int row_of_inner(int k, int j) const { return k * per_step() + (k_.s - 1) * n_ + j * m_; }
  int last_point() const { return steps_ * k_.s; }
  bool is_unknown(int P) const { return P > 0 && P < last_point(); }

  void put_constraint(int row) {
    for (int a = 0; a < m_; ++a) residual_[row + a] = g_[a] / h_;
  }

  static void add_cost(const StepReport& part, StepReport& sum) {
    sum.iterations += part.iterations, sum.jacobians += part.jacobians, sum.evaluations += part.evaluations;
  }

  template <class Entry>
  Real relative_size(const Entry& entry) const {
    using std::abs;
    Real change(0), size(0);
    for (int P = 1; P < last_point(); ++P)
      for (int i = 0; i < n_; ++i) change += abs(h_ * entry(row_of_point(P) + i));
    for (const auto& q : q_) size += size_of(q);
    return size > Real(0) ? change / size : change;
  }

  // ---- one step -----------------------------------------------------------------------------------------------------
  void find_velocities(int k) {
    const std::size_t first = at(k * k_.s);
    for (int nu = 1; nu <= k_.s; ++nu)
      for (int i = 0; i < n_; ++i) {
        const std::size_t P = first + at(nu);
        U_[at(nu - 1)][i] = ((q_[P][i] - q_[first][i]) + (q_remainder_[P][i] - q_remainder_[first][i])) / h_;
      }
  }
  void place(const Node& node, int k) {
    const std::size_t first = at(k * k_.s);
    for (int i = 0; i < n_; ++i) {
      T value(0), slope(0);
      for (int nu = 1; nu <= k_.s; ++nu) {
        value += node.value[at(nu)] * U_[at(nu - 1)][i];
        slope += node.slope[at(nu)] * U_[at(nu - 1)][i];
      }
      position_[i] = q_[first][i] + (h_ * value + q_remainder_[first][i]);
      v_[i] = slope;
    }
  }

  // F of the points of step k without nodal multipliers, into f_; its inner constraints into the residual
  void add_step(int k) {
    for (auto& f : f_) f.fill(T(0));
    find_velocities(k);
    for (const Node& node : k_.lagrangian) {
      const T t = time(k, node.c);
      place(node, k);
      system_.gradient(t, position_, v_, Lq_, Lv_);
      if (structure_.forces) {
        system_.force(t, position_, v_, force_);
        for (int i = 0; i < n_; ++i) Lq_[i] += force_[i];
      }
      for (int nu = 0; nu <= k_.s; ++nu) {
        const T position = node.weight * h_ * node.value[at(nu)], velocity = node.weight * node.slope[at(nu)];
        for (int i = 0; i < n_; ++i) f_[at(nu)][i] += position * Lq_[i] + velocity * Lv_[i];
      }
    }
    for (int j = 0; j < inner() && m_ > 0; ++j) {
      const Node& node = k_.constraint[at(j)];
      const std::size_t here = at(k * inner() + j);
      place(node, k);
      system_.constraint_jacobian(time(k, node.c), position_, g_, G_[here]);
      put_constraint(row_of_inner(k, j));
      for (int nu = 0; nu <= k_.s; ++nu) {
        for (int a = 0; a < m_; ++a) weighted_[a] = node.weight * node.value[at(nu)] * mu_[here][a];
        subtract_transposed(G_[here], weighted_, f_[at(nu)]);
      }
    }
  }

  // The same blocks in the same order as declared.
  void add_matrix_of_step(int k) {
    find_velocities(k);
    const std::size_t first = next_block_;
    for (const Node& node : k_.lagrangian) {
      next_block_ = first;
      const T t = time(k, node.c);
      place(node, k);
      system_.hessian(t, position_, v_, Lqq_, Lqv_, Lvv_);
      for_pairs(k, [&](int nu, int other) {
        const T l = node.weight * h_ * node.value[at(nu)], dl = node.weight * node.slope[at(nu)];
        const T r = h_ * node.value[at(other)], dr = node.slope[at(other)];
        const Block& square = next_block();
        matrix_.add(square, l * r, Lqq_);
        matrix_.add(square, l * dr, Lqv_);
        matrix_.add(square, dl * dr, Lvv_);
        matrix_.add_transposed(next_block(), dl * r, Lqv_);
      });
      if (!structure_.forces) continue;
      next_block_ = first;
      system_.force_position_jacobian(t, position_, v_, Lqq_);
      if (structure_.velocity_in_forces) system_.force_velocity_jacobian(t, position_, v_, Lvv_);
      for_pairs(k, [&](int nu, int other) {
        const T l = node.weight * h_ * node.value[at(nu)];
        const Block& square = next_block();
        matrix_.add(square, l * h_ * node.value[at(other)], Lqq_);
        if (structure_.velocity_in_forces) matrix_.add(square, l * node.slope[at(other)], Lvv_);
        next_block();
      });
    }
    for (int j = 0; j < inner() && m_ > 0; ++j) {
      const Node& node = k_.constraint[at(j)];
      const std::size_t here = at(k * inner() + j);
      place(node, k);
      system_.constraint_hessian(time(k, node.c), position_, mu_[here], H_);
      scale_rows(G_[here], unit_, G_in_units_);
      for_pairs(k, [&](int nu, int other) {
        matrix_.add(next_block(), -node.weight * node.value[at(nu)] * h_ * node.value[at(other)], H_);
      });
      for (int nu = 0; nu <= k_.s; ++nu) {
        if (!is_unknown(k * k_.s + nu)) continue;
        matrix_.add_transposed(next_block(), -node.weight * node.value[at(nu)], G_in_units_);
        matrix_.add(next_block(), node.value[at(nu)], G_[here]);
      }
    }
  }

  void declare_blocks() {
    const Jacobian G = system_.jacobian();
    for (int k = 0; k < steps_; ++k) {
      const int first = k * k_.s;
      for_pairs(k, [&](int nu, int other) {
        const int row = row_of_point(first + nu), col = row_of_point(first + other);
        blocks_.push_back(matrix_.block(row, col, Lqq_));
        blocks_.push_back(matrix_.transposed_block(row, col, Lqq_));
      });
      for (int j = 0; j < inner() && m_ > 0; ++j) {
        for_pairs(k, [&](int nu, int other) {
          blocks_.push_back(matrix_.block(row_of_point(first + nu), row_of_point(first + other), H_));
        });
        for (int nu = 0; nu <= k_.s; ++nu) {
          if (!is_unknown(first + nu)) continue;
          blocks_.push_back(matrix_.transposed_block(row_of_point(first + nu), row_of_inner(k, j), G));
          blocks_.push_back(matrix_.block(row_of_inner(k, j), row_of_point(first + nu), G));
        }
      }
    }
    for (int k = 1; k < steps_ && m_ > 0; ++k) {
      const int row = row_of_point(k * k_.s);
      blocks_.push_back(matrix_.block(row, row, H_));
      blocks_.push_back(matrix_.transposed_block(row, row + n_, G));
      blocks_.push_back(matrix_.block(row + n_, row, G));
    }
    matrix_.finish();
  }
  template <class F>
  void for_pairs(int k, const F& f) const {
    for (int nu = 0; nu <= k_.s; ++nu)
      for (int other = 0; other <= k_.s; ++other)
        if (is_unknown(k * k_.s + nu) && is_unknown(k * k_.s + other)) f(nu, other);
  }
  const Block& next_block() { return blocks_[next_block_++]; }

  void apply_correction(const Real& damping) {
    q_ = base_, q_remainder_ = base_remainder_, mu_ = base_mu_, nodal_mu_ = base_nodal_mu_;
    const T factor(-damping);
    for (int P = 1; P < last_point(); ++P)
      for (int i = 0; i < n_; ++i)
        add_compensated(q_[at(P)][i], q_remainder_[at(P)][i], factor * h_ * correction_[row_of_point(P) + i]);
    for (int k = 0; k < steps_ && m_ > 0; ++k)
      for (int j = 0; j < inner(); ++j)
        for (int a = 0; a < m_; ++a)
          mu_[at(k * inner() + j)][a] += factor * unit_[a] * correction_[row_of_inner(k, j) + a];
    for (int k = 1; k < steps_ && m_ > 0; ++k)
      for (int a = 0; a < m_; ++a)
        nodal_mu_[at(k)][a] += factor * unit_[a] * correction_[row_of_point(k * k_.s) + n_ + a];
  }

  // ---- start --------------------------------------------------------------------------------------------------------

  // The points between two points of the start curve, the middle one first: halfway between them and bent, then moved
  // onto the constraints. A line that passes close to a pivot would otherwise have its points far from each other.
  std::optional<int> fill(int left, int right, const Coordinates& bend) {
    if (right - left < 2) return std::nullopt;
    const int P = (left + right) / 2;
    const auto tau = [&](int point) { return (time(point) - t0_) / (static_cast<T>(steps_) * h_); };
    const auto shape =
        [&](int point) {  // of a cubic with slope 1 at the start, 0 at both ends, no curvature at the last
          const T x = tau(point);
          return x - x * x * (3 - x) / 2;
        };
    const T share = (tau(P) - tau(left)) / (tau(right) - tau(left));
    const T bent = shape(P) - (1 - share) * shape(left) - share * shape(right);
    for (int i = 0; i < n_; ++i)
      start_[at(P)][i] = (1 - share) * start_[at(left)][i] + share * start_[at(right)][i] + bent * bend[i];
    if (!move_onto_constraints(time(P), start_[at(P)])) return P;
    const std::optional<int> failed = fill(left, P, bend);
    return failed ? failed : fill(P, right, bend);
  }

  void begin(bool multipliers_of_curve) {
    q_ = start_;
    for (auto& x : q_remainder_) x.fill(T(0));
    for (auto& x : mu_) x.fill(T(0));
    for (auto& x : nodal_mu_) x.fill(T(0));
    if (m_ == 0 || !multipliers_of_curve) return;
    Kinetics<System> kinetics(system_);
    const auto find = [&](const T& t, const Coordinates& q, const Coordinates& v, Multipliers& mu) {
      if (!kinetics.start(t, q, v) || !succeeded(kinetics.multiplier(t, q, v, mu))) mu.fill(T(0));
      for (T& x : mu) x *= h_;
    };
    for (int k = 0; k < steps_; ++k) {
      find_velocities(k);
      if (k > 0) find(time(k * k_.s), q_[at(k * k_.s)], U_.back(), nodal_mu_[at(k)]);
      for (int j = 0; j < inner(); ++j) {
        place(k_.constraint[at(j)], k);
        find(time(k, k_.constraint[at(j)].c), position_, v_, mu_[at(k * inner() + j)]);
      }
    }
  }

  // Along M^-1 G^T, the matrix new in every iteration: far from the constraints an old one leads astray.
  bool move_onto_constraints(const T& t, Coordinates& q) {
    constexpr int most = 50;
    constexpr double close = 1e-8;  // it is only a guess
    for (int iteration = 0; iteration < most && m_ > 0; ++iteration) {
      system_.constraint_jacobian(t, q, g_, G_here_);
      system_.mass(t, q, mean_velocity_, mass_.matrix());
      if (!mass_.factorise() || !schur_.factorise(G_here_, mass_, G_here_)) return false;
      schur_.solve(g_, weighted_);
      multiply_transposed(G_here_, weighted_, force_);
      mass_.solve(force_, v_);
      for (int i = 0; i < n_; ++i) q[i] -= v_[i];
      if (!is_finite(size_of(q))) return false;
      if (size_of(v_) <= Real(close) * size_of(q)) return true;
    }
    return m_ == 0;
  }

  // Impulses in units in which a column of G^T is as large as the masses.
  bool choose_units() {
    using std::abs;
    if (m_ == 0) return true;
    Real mass(0);
    system_.mass(t0_, start_[0], mean_velocity_, Lvv_);
    for (int i = 0; i < n_; ++i)
      for_row(Lvv_, i, [&](int j, const T& x) {
        if (i == j) mass = std::max(mass, Real(abs(x)));
      });
    system_.constraint_jacobian(t0_, start_[0], g_, nodal_G_[0]);
    for (int a = 0; a < m_; ++a) {
      Real largest(0);
      for_row(nodal_G_[0], a, [&](int, const T& x) { largest = std::max(largest, Real(abs(x))); });
      if (!(mass > Real(0)) || !(largest > Real(0)) || !is_finite(mass / largest)) return false;
      unit_[a] = mass / largest;
    }
    return true;
  }

  const System& system_;
  Structure structure_;
  SolverSettings<Real> settings_;
  const std::atomic<bool>* stop_;
  GalerkinCoefficients<T> k_;
  T t0_, h_;
  int steps_;
  bool constraints_hold_at_points_;  // else at the nodes of their quadrature only, which are others
  int n_, m_;
  std::vector<Coordinates> start_;                                    // points 0 .. N s of the start curve
  std::vector<Coordinates> q_, q_remainder_, base_, base_remainder_;  // points now and before the correction
  std::vector<Coordinates> F_;                                        // of the points
  std::vector<Coordinates> momentum_;                                 // pi of nodes 1..N
  std::vector<Multipliers> mu_, nodal_mu_, base_mu_, base_nodal_mu_;  // inner ones by steps; of nodes 1..N-1
  std::vector<Jacobian> G_, nodal_G_;
  Jacobian G_here_, G_in_units_;
  Square Lqq_, Lqv_, Lvv_, H_;
  std::vector<Coordinates> U_, f_;  // of one step: velocities, F of its points
  Coordinates position_, v_, mean_velocity_, Lq_, Lv_, force_;
  Multipliers g_, weighted_, unit_;
  Mass<Square> mass_;
  Schur<Jacobian> schur_;
  Matrix matrix_;
  std::vector<Block> blocks_;
  std::size_t next_block_ = 0;
  Vec<T> residual_, correction_, simplified_;
};

}  // namespace livens
