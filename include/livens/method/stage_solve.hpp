// One step of any method with stages: its unknowns, equations, Newton's matrix, guesses, and when it is solved. The
// method is the table (math/tableau.hpp), and an update that uses what is found here.
//
//   (1)  Q_i = q0 + h sum_k value_ik U_k ,   V_i = sum_k slope_ik U_k ,   X_l = q0 + h sum_k reach_lk U_k
//   (2)  sum_i C_ki L_v(i) - d_k p0 - h sum_i A_ki f_i + sum_j B_kj G_j^T mu_j = 0 ,      f = L_q + F
//   (3)  g(X_l)/h = 0
//
// Unknowns are velocities U_k and impulses mu_j = h lambda_j, so that all rows are momenta or velocities, and the
// matrix does not change its size with h. Its blocks, rows (2) and (3), columns U_l and mu_j:
//
//   (4)  sum_i ( C_ki ( slope_il L_vv + h value_il L_vq ) - h A_ki ( h value_il f_q + slope_il f_v ) )
//          + h sum_j B_kj reach_jl sum_a mu_ja D2g_a ,           B_kj G_j^T ,           reach_il G_i .
//
// Where M is constant, sum_i C_ki L_v(i) = M U_k  (rows are solved for the velocities, see the table).
//
// A point with reach 0 and time t0 is the node: its G is kept from the step before, and B of its multiplier may be
// another one in the first step of a run.
//
// Extra unknowns: a table may have more rows k and unknowns U_k than the method has stages, such as the factor of a
// null vector, or the multiplier of a projection that is solved together with the step (vprk.hpp has both). What they
// add to the rows beside the terms of the table, an `Extra` says. Its tables may have shared increments, and are
// applied as they stand: sums of coefficients times increments come first, and then the factor h.
//
// Guesses: the polynomials of U and mu of the last step, continued; or uniform motion from the node, with a velocity
// and a multiplier that the method hands in. The equations of a large step have other roots: a continued guess is
// watched (continuation.hpp), and where it leads astray the step is solved once more with the other one.
//
// Multipliers alone: where M is constant and the system sparse, M may stand for the derivatives by U, which are then
// eliminated; r_k being the rows (2), K_ij = sum_k reach_ik B_kj,
//
//   (5)  sum_j K_ij G_i M^-1 G_j^T dmu_j = sum_k reach_ik G_i M^-1 r_k - g(X_i)/h .
//
// What is solved remains (2), (3). Corrections contract by about (h w)^2/24 for two Gauss stages, w being the largest
// angular frequency that constraint forces or potential give to M; multipliers_alone.hpp says when this way is taken.
// Its corrections are judged in the mass norm: round-off of positions turns a small body much, its axes are known to
// epsilon |q| over its length only.
//
// Round-off: where M is constant and Newton's matrix is used, U has a rest beyond its last digit, which rows,
// constraints and update contain. The last residual and the update are those of X_l itself, not of X_l as rounded,
//
//   g(fl X) + G (X - fl X) ,     G^T mu + (sum_a mu_a D2g_a) (X - fl X) ,
//
// and they, and g where the system can, are evaluated in the next wider scalar (stage_sums.hpp). Else corrections below
// the last digit of U or X would be lost, always on the side from which the guess comes, and what is rounded in a
// residual has a mean along the orbit: energy drifts by both (docs/accuracy.md).
//
// Remembered between steps: U and mu of the last step, whether there was one, what is known about multipliers alone.
#pragma once

#include <array>
#include <type_traits>
#include <utility>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/math/tableau.hpp"
#include "livens/method/continuation.hpp"
#include "livens/method/method.hpp"
#include "livens/method/multipliers_alone.hpp"
#include "livens/method/stage_coefficients.hpp"
#include "livens/method/stage_sums.hpp"
#include "livens/method/stages.hpp"
#include "livens/solve/mass.hpp"
#include "livens/solve/multiplier_blocks.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/generalised_force.hpp"

namespace livens {

// What a step is about.
template <class System>
struct StageStep {
  const typename System::Scalar &t0, &t1, &h;
  const State<System>& x;
};

// Unknowns and terms that a table does not have:
//   declare(stages)                 optional: the blocks of their derivatives, in stages.matrix()
//   add_terms(stages, step)         terms of the rows stages.row(k)
//   add_derivatives(stages, step)   their derivatives
// both with q1 in stages.attempted_position(); how many unknowns, `more`, where the number of all is known when
// compiling; and whether p1 follows from q1, so that nobody asks for its increment, `finds_momentum`.
struct NoExtra {
  static constexpr int more = 0;
};

// S: the number of unknown velocities and, but for extra ones, of nodes and of multipliers, where it is known when
// compiling.
template <class System, int S = Dynamic, class Extra = NoExtra>
class StageSolve {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Jacobian = typename System::Jacobian;
  using Square = typename System::Square;
  using Step = StageStep<System>;
  static constexpr int impulses = System::m == 0 ? 0 : System::m == Dynamic ? Dynamic : S;
  static constexpr int nodes = S == Dynamic ? Dynamic : S - Extra::more;
  using Coefficients = StageCoefficients<T, S, impulses, nodes>;
  static constexpr int points = Coefficients::points;
  using Linear = StageEquations<System, S, impulses>;
  using Block = typename Linear::Block;

  // continues: whether the polynomials of the last step are the better guess.
  StageSolve(const System& system, const StageTable<Widest>& table, const SolverSettings<Real>& settings,
             bool continues = true, Extra extra = {})
      : system_(system),
        settings_(settings),
        extra_(std::move(extra)),
        force_(system),
        n_(system.coordinates()),
        m_(system.constraints()),
        s_(table.stages()),
        k_(table, m_ > 0),
        continues_(continues),
        U_(several<S>(s_, Coordinates(n_))),
        last_U_(U_),
        row_(U_),
        shared_(U_),
        f_(several<nodes>(table.nodes(), Coordinates(n_))),
        momentum_(f_),
        node_(f_),
        mu_(several<impulses>(k_.multipliers, Multipliers(m_))),
        last_mu_(mu_),
        sums_(n_, m_, s_, k_.multipliers),
        wide_sums_(n_, m_, s_, k_.multipliers),
        g_(several<points>(k_.x.size(), Multipliers(m_))),
        G_(several<points>(k_.x.size(), system.jacobian())),
        lost_(several<points>(k_.x.size(), Coordinates(n_))),
        q_(n_),
        v_(q_),
        work_(q_),
        visited_end_(q_),
        increment_(n_),
        weighted_(m_),
        alone_(system, constant_mass() && k_.starts_at_node),
        equations_(system, s_, k_.multipliers, !alone_.always()),
        H_(several<impulses>(k_.multipliers, alone_.always() ? Square() : system.constraint_square())),
        blocks_(system, alone_.ever() ? k_.multipliers : 0) {}

  StageSolve(const StageSolve&) = delete;  // it knows where the mass of its method is
  StageSolve& operator=(const StageSolve&) = delete;

  // To be called once with the start values. mass: M there, which has to stay where it is; nullptr: L_vv is singular.
  void start(const T& t, const State<System>& x, const Coordinates& v, const Mass<Square>* mass) {
    mass_ = mass;
    first_ = true;
    force_.start(t, x.q, v);
    if (uniform())
      for (int i = 0; i < k_.c.size(); ++i) {
        force_.force(t, x.q, v, f_[at(i)]);
        scale_by_share(i, f_[at(i)]);
      }
    resume(t, x);
    if (mass_) alone_.start(*mass_);
    if (alone_.ever()) find_root_masses();
    if constexpr (points != 0)
      if (mass_ && m_ > 0) equations_.choose_units(mass_->matrix(), G_.front());
    if (!alone_.always() && !declared_) declare_blocks(t, x);
  }
  void resume(const T& t, const State<System>& x) {
    if (m_ > 0) system_.constraint_jacobian(t, x.q, weighted_, G_.front());
  }

  template <class Archive>
  void archive(Archive& a) {
    a(last_U_, last_mu_, first_, alone_, equations_.matrix);
  }

  // Solves (2), (3). from_node(v, lambda): velocity and multiplier of the node, called where a guess needs them. If it
  // succeeded, what follows below belongs to the solution.
  template <class FromNode>
  void solve(const T& t0, const T& t1, const T& h, const State<System>& x, const FromNode& from_node,
             StepReport& report) {
    const Step step{t0, t1, h, x};
    alone_.begin_step();
    if (alone_.ever()) left_ = {};
    const bool continued = continues_ && !first_;
    attempt(continued, step, from_node, report);
    if (!first_ && !succeeded(report.outcome)) {
      const StepReport first = report;
      attempt(!continued, step, from_node, report);
      add_cost(first, report);
      if (!succeeded(report.outcome) && continuation_.fails()) report = first;  // what was given up explains nothing
    }
    if (!succeeded(report.outcome)) return;
    if (alone_.ever()) add_cost(left_, report);
    alone_.end_step();
    if (has_momentum()) {
      visit(step, equations_.keeps_rest);
      if (equations_.keeps_rest)
        find_increment<Wider<T>>(h);
      else
        find_increment<T>(h);
    } else {
      find_increments();
    }
    if (!k_.ends_at_node) place(k_.end, 0, step);
    if (!is_finite(size_of(has_momentum() ? increment_.value : q_))) report.outcome = Outcome::left_domain;
  }

  bool first() const { return first_; }  // step of the run
  const Coordinates& attempted_position() const { return q_; }
  const Multipliers& mu(int j) const { return mu_[at(j)]; }
  // What rounding took from q1; nullptr where it is not known.
  const Coordinates* lost_at_end() const {
    if constexpr (points != 0)
      if (equations_.keeps_rest && k_.ends_at_node && m_ > 0) return &lost_.back();
    return nullptr;
  }
  // h sum_i weight_i f_i - sum_j impulse_j G_j^T mu_j
  const Increment<T, System::n>& increment() const { return increment_; }
  // y -= weight G_j^T mu_j
  void subtract_reaction(const T& weight, int j, Coordinates& y) {
    for (int a = 0; a < m_; ++a) weighted_[a] = weight * mu_[at(j)][a];
    subtract_transposed(jacobian_of_mu(j), weighted_, y);
  }
  // sum_k end_k U_k, of the step just solved and of the one before
  const Coordinates& mean_velocity() { return combine(k_.end, 0, increments(), work_); }
  const Coordinates& last_mean_velocity() {
    combine_row(k_.whole.end.row(0), last_U_, work_);
    return work_;
  }

  // Takes the step: q1, and p0 + increment.
  void accept(const T& t1, const T& h, const Increment<T, System::n>& increment, State<System>& x) {
    if (k_.mixes)
      add_increments(h, x);
    else
      add_mean_velocity(h, x);
    bool stays = true;  // where G of the end was evaluated: rounded once more, it may be one unit beside it
    for (int c = 0; c < n_; ++c) {
      add_exactly(x.p[c], x.p_remainder[c], increment.value[c]);
      x.p_remainder[c] += increment.rest[c];
      stays = stays && x.q[c] == visited_end_[c];
    }
    if constexpr (points != 0) {
      if (k_.starts_at_node && k_.ends_at_node && stays)
        std::swap(G_.front(), G_.back());
      else if (k_.starts_at_node)
        resume(t1, x);
    }
    std::swap(last_U_, U_);
    std::swap(last_mu_, mu_);
    first_ = false;
  }

  // ---- for extra unknowns -------------------------------------------------------------------------------------------
  auto& matrix() { return equations_.matrix; }
  const Coordinates& U(int k) const { return U_[at(k)]; }
  const Coordinates& increment_of(int k) const { return shared_[at(k)]; }  // share_k U_k
  Coordinates& row(int k) { return row_[at(k)]; }
  T increment_by(int k) const { return k_.shares ? k_.share[k] : T(1); }  // share_k
  T end(int k) const { return k_.whole.end(0, k); }                       // q1 by h U_k
  Extra& extra() { return extra_; }

 private:
  static constexpr bool has_extra = !std::is_same_v<Extra, NoExtra>;
  static constexpr bool is_sparse = std::is_same_v<Square, SparseMat<T>>;
  struct Nothing {
    Nothing(const System&, int) {}
  };
  template <class W>
  using Sums = StageSums<System, S, impulses, W>;
  template <class W>
  Sums<W>& sums() {
    if constexpr (std::is_same_v<W, T>)
      return sums_;
    else
      return wide_sums_;
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static bool is_zero(const T& x) { return value_of(x) == Real(0); }

  // Row i of U, which may be one of them.
  template <class Rows, class Vectors>
  static const Coordinates& combine(const Rows& rows, int i, const Vectors& U, Coordinates& sum) {
    if (rows.single[i] >= 0) return U[at(rows.single[i])];
    combine_row(rows.row(i), U, sum);
    if constexpr (has_extra)
      for (std::size_t k = 0; k < U.size() && rows.split(); ++k)
        add_scaled(rows.rest(i, static_cast<int>(k)), U[k], sum);
    return sum;
  }

  int point_of_constraint(int i) const { return k_.x.size() - k_.multipliers + i; }
  // Beside the multiplier of its point; that of the end beside the one of the node.
  int row_of_constraint(int i) const {
    const int l = point_of_constraint(i);
    return column_of_mu(l < k_.multipliers ? l : l - k_.multipliers);
  }
  int column_of_mu(int j) const { return s_ * n_ + j * m_; }
  const Mat<T, S, impulses>& B() const { return first_ ? k_.whole.first_B : k_.whole.B; }  // of mu itself
  const Jacobian& jacobian_of_mu(int j) const { return G_[at(j)]; }
  T time(int l, const Step& step) const {
    return k_.ends_at_node && l + 1 == k_.x.size() ? step.t1 : T(step.t0 + k_.x[l] * step.h);
  }

  // Else an extra row has found it.
  bool has_momentum() const {
    if constexpr (has_extra)
      return !extra_.finds_momentum();
    else
      return true;
  }

  // Extra rows have no mass before their unknowns: then it stands in the table's rows, as one that is not constant.
  bool constant_mass() const { return !has_extra && force_.constant_mass(); }
  bool uniform() const { return !has_extra && force_.uniform(); }
  bool of_position() const { return !has_extra && force_.of_position(); }

  // What value and end multiply.
  const Several<Coordinates, S>& increments() const { return k_.shares ? shared_ : U_; }
  void find_increments() {
    for (int k = 0; k < s_ && k_.shares; ++k)
      for (int c = 0; c < n_; ++c) shared_[at(k)][c] = k_.share[k] * U_[at(k)][c];
  }
  void scale_by_share(int i, Coordinates& f) const {
    if (k_.shares_force)
      for (T& x : f) x *= k_.share_force[i];
  }

  // ---- guesses ------------------------------------------------------------------------------------------------------
  template <class FromNode>
  void attempt(bool continued, const Step& step, const FromNode& from_node, StepReport& report) {
    guess(continued, step, from_node);
    newton_from_guess(continued, step, report);
    if (succeeded(report.outcome) || !alone_.leaves()) return;
    left_ = report;
    guess(continued, step, from_node);
    newton_from_guess(continued, step, report);
  }

  template <class FromNode>
  void guess(bool continued, const Step& step, const FromNode& from_node) {
    equations_.keeps_rest = k_.mixes && constant_mass() && !alone_.now() && std::is_same_v<T, Real>;
    for (Coordinates& rest : equations_.rest) rest.fill(T(0));
    if (continued) {
      for (int k = 0; k < s_; ++k) combine_row(k_.continued.row(k), last_U_, U_[at(k)]);
      for (int j = 0; j < k_.multipliers; ++j) combine_row(k_.continued_multipliers.row(j), last_mu_, mu_[at(j)]);
      return;
    }
    from_node(v_, weighted_);
    for (int k = 0; k < s_; ++k)
      for (int c = 0; c < n_; ++c) U_[at(k)][c] = k_.uniform[k] * v_[c];
    for (auto& mu : mu_)
      for (int a = 0; a < m_; ++a) mu[a] = step.h * weighted_[a];
  }

  // ---- the equations ------------------------------------------------------------------------------------------------
  template <class Rows>
  const Coordinates& place(const Rows& rows, int i, const Step& step) {
    const Coordinates& v = combine(rows, i, increments(), work_);
    for (int c = 0; c < n_; ++c) q_[c] = step.x.q[c] + (step.h * v[c] + step.x.q_remainder[c]);
    return v;
  }
  // What rounding took from the q_ of point l
  void find_lost(int l, const Step& step) {
    using W = Wider<T>;
    Coordinates& lost = lost_[at(l)];
    auto& velocity = sums<W>().work;
    combine_row(k_.reach.row(l), U_, velocity);
    combine_row(k_.reach.row(l), equations_.rest, lost);
    for (int c = 0; c < n_; ++c) {
      const T v = static_cast<T>(velocity[c]), of_v = static_cast<T>(velocity[c] - W(v)) + lost[c];
      const auto [product, of_product] = two_product(step.h, v);
      const auto [sum, of_sum] = two_sum(step.x.q[c], product);
      lost[c] = (sum - q_[c]) + (of_sum + (of_product + (step.x.q_remainder[c] + step.h * of_v)));
    }
  }

  // (1): f, and L_v where M is not constant, at the nodes; g and G at the points. Ends at the end of the step, but
  // where extra unknowns do not ask for it. unrounded: g of the points as they were before rounding, G with lost_.
  void visit(const Step& step, bool unrounded = false) {
    find_increments();
    for (int i = 0; i < k_.c.size() && !uniform(); ++i) {
      const T t = step.t0 + k_.c[i] * step.h;
      place(k_.value, i, step);
      const Coordinates& v = of_position() ? v_ : combine(k_.slope, i, U_, v_);
      if (constant_mass())
        force_.force(t, q_, v, f_[at(i)]);
      else
        force_.force_and_momentum(t, q_, v, f_[at(i)], momentum_[at(i)]);
      scale_by_share(i, f_[at(i)]);
      if (k_.mixes && !constant_mass()) scale_by_share(i, momentum_[at(i)]);
      if constexpr (has_extra) node_[at(i)] = q_;
    }
    if constexpr (points != 0)
      if (unrounded && k_.starts_at_node && m_ > 0) lost_.front() = step.x.q_remainder;
    for (int l = k_.starts_at_node ? 1 : 0; l < k_.x.size(); ++l) {
      place(k_.reach, l, step);
      system_.constraint_jacobian(time(l, step), q_, g_[at(l)], G_[at(l)]);
      if constexpr (std::is_same_v<T, Real>)
        if (unrounded) {
          find_lost(l, step);
          add_lost_constraint(l, step);
        }
    }
    if (k_.ends_at_node) visited_end_ = q_;
    if (!k_.ends_at_node && (!has_extra || !has_momentum())) place(k_.end, 0, step);
  }

  // g of point l as it was before rounding.
  void add_lost_constraint(int l, const Step& step) {
    Multipliers& g = g_[at(l)];
    if constexpr (requires { system_.refine_constraint(step.t0, q_, g); })
      system_.refine_constraint(time(l, step), q_, g);
    multiply(G_[at(l)], lost_[at(l)], weighted_);
    for (int a = 0; a < m_; ++a) g[a] += weighted_[a];
  }

  // (2), (3)
  Real evaluate(const Step& step) {
    visit(step);
    return find_rows<T>(step, false);
  }
  Real evaluate_unrounded(const Step& step) {
    visit(step, true);
    return find_rows<Wider<T>>(step, true);
  }
  // After a visit; summed in W.
  template <class W>
  Real find_rows(const Step& step, bool unrounded) {
    auto& w = sums<W>();
    find_reactions<W>(unrounded);
    for (int l = 0; l < s_; ++l) {
      auto& row = w.unmixed[at(l)];
      if (!k_.mixes)
        set_inertia(l, row);
      else if (constant_mass())
        row.fill(W(0));
      else
        set_momentum(l, row);
      if (!k_.mixes || !is_zero(k_.d[l])) {
        add_scaled(-k_.d[l], step.x.p, row);
        add_scaled(-k_.d[l], step.x.p_remainder, row);
      }
      add_forces(-step.h, k_.A, l, row);
      for (int j = 0; j < k_.multipliers; ++j)
        if (!is_zero(k_.B(l, j))) add_scaled(k_.B(l, j), w.reaction[at(j)], row);
      if (!k_.mixes) set_rounded(row, row_[at(l)]);
    }
    for (int k = 0; k < s_ && k_.mixes; ++k) {
      if (constant_mass())
        set_inertia(k, w.work);
      else
        w.work.fill(W(0));
      for (int l = 0; l < s_; ++l) add_scaled(k_.mix(k, l), w.unmixed[at(l)], w.work);
      set_rounded(w.work, row_[at(k)]);
    }
    for (int k = 0; k < s_ && unrounded; ++k) {  // last: beside U it would be lost
      multiply(mass_->matrix(), equations_.rest[at(k)], work_);
      add_scaled(T(1), work_, row_[at(k)]);
    }
    if constexpr (has_extra) extra_.add_terms(*this, step);
    Real size(0);
    for (int k = 0; k < s_; ++k) size += alone_.now() ? size_of(velocity_change(k)) : size_of(row_[at(k)]);
    for (int i = 0; i < k_.multipliers; ++i) {
      Multipliers& g = g_[at(point_of_constraint(i))];
      for (T& x : g) x /= step.h;
      size += size_of(g);
    }
    return size;
  }
  // y += factor sum_i rows_ki f_i
  template <class Rows, class W, int N>
  void add_forces(const T& factor, const Rows& rows, int k, Vec<W, N>& y) {
    auto& work = sums<W>().work;
    combine_row(rows.row(k), f_, work);
    if constexpr (has_extra)
      for (int i = 0; i < k_.c.size() && rows.split(); ++i) add_scaled(rows.rest(k, i), f_[at(i)], work);
    add_scaled(factor, work, y);
  }
  // unrounded: with the G of the points as they were before rounding; its derivative is that of Newton's matrix.
  template <class W>
  void find_reactions(bool unrounded) {
    for (int j = 0; j < k_.multipliers; ++j) {
      const T& share = (first_ ? k_.first_share_impulse : k_.share_impulse)[j];
      sums<W>().set_reaction(j, share, jacobian_of_mu(j), mu_[at(j)]);
      if (!unrounded) continue;
      multiply(H_[at(j)], lost_[at(j)], work_);
      add_scaled(share, work_, sums<W>().reaction[at(j)]);
    }
  }
  // M U_k
  template <class W, int N>
  void set_inertia(int k, Vec<W, N>& row) {
    if (alone_.now())
      row.fill(W(0));  // see velocity_change
    else if (constant_mass())
      Sums<W>::set_inertia(mass_->matrix(), U_[at(k)], row);
    else
      set_momentum(k, row);
  }
  // sum_i C_ki L_v(i)
  template <class W, int N>
  void set_momentum(int k, Vec<W, N>& row) {
    const Coordinates& sum = combine(k_.C, k, momentum_, work_);
    for (int c = 0; c < n_; ++c) row[c] = W(sum[c]);
  }

  struct Equations {
    StageSolve& s;
    const Step& step;
    Real reach, largest, weighed_largest;  // scales of the largest change of a coordinate, and of that in the mass norm
    Real farthest = Real(0), in_mass_norm = Real(0);  // the last correction

    Real residual() { return s.evaluate(step); }
    Real last_residual() { return s.equations_.keeps_rest ? s.evaluate_unrounded(step) : s.evaluate(step); }
    bool factorise() { return s.alone_.now() ? s.factorise_multipliers() : s.factorise(step); }
    Real correct() {
      const Real change = s.alone_.now() ? s.correct_by_multipliers() : s.correct();
      s.continuation_.note(change);
      // By its largest entry: what contracts slowly in one body of many is lost in the sum over all.
      using std::abs;
      Real most(0), weighed(0);
      for (int i = 0; i < step.x.q.size() && is_finite(change); ++i) {
        Real of_stages(0);
        for (const Coordinates& dU : s.equations_.change) of_stages += abs(value_of(dU[i]));
        most = std::max(most, of_stages);
        if (s.alone_.now()) weighed = std::max(weighed, Real(s.root_mass_[at(i)] * of_stages));
      }
      in_mass_norm = is_finite(change) ? Real(weighed_largest * weighed) : change;
      s.alone_.note(in_mass_norm);
      farthest = most;
      return is_finite(change) ? Real(largest * most) : change;
    }
    bool given_up() const { return s.continuation_.fails() || s.alone_.contracts_slowly(); }
    bool keeps_matrix() const { return s.alone_.now(); }
    bool ends_unseen() const { return !has_extra && s.s_ > 1 && !s.alone_.now(); }
    int margin() const { return ends_unseen() ? 64 : 1; }
    bool settled(const Real& left) const { return settled(left, ends_unseen() ? Real(1) / 64 : Real(4)); }
    bool settled(const Real& left, const Real& few) const {
      return s.equations_.settled(left, step.h, step.x.q, s.mean_velocity(), few);
    }
    bool lost_in_rounding() const {
      return s.alone_.now() ? in_mass_norm <= 4 * epsilon<T>() : settled(Real(1), Real(4)) || at_floor_of_reach();
    }
    // What begins to move in this step, as from a blow, comes further by powers of ten than the guess did, beside which
    // corrections are measured.
    bool at_floor_of_reach() const {
      const Real now = s.reach(step, s.mean_velocity());
      return now > 2 * reach && farthest * s.unit(step, now) <= 512 * epsilon<T>();
    }
  };

  Real reach(const Step& step, const Coordinates& mean) const {
    using std::abs;
    return max_norm(step.x.q) + abs(value_of(step.h)) * max_norm(mean);
  }
  // A sum of changes of all stages beside a size.
  Real unit(const Step& step, const Real& size) const {
    using std::abs;
    return size > Real(0) ? Real(abs(value_of(step.h)) / (size * static_cast<Real>(static_cast<int>(s_)))) : Real(1);
  }

  void newton_from_guess(bool continued, const Step& step, StepReport& report) {
    using std::abs;
    const Real length = abs(value_of(step.h));
    Real velocities(0);
    for (const auto& U : U_) velocities += size_of(U);
    const Real positions = size_of(step.x.q);
    find_increments();  // of the guess: what an earlier step left must not decide when this one is solved
    const Coordinates& mean = mean_velocity();
    const Real reach = this->reach(step, mean);
    Real weighed_reach(0);
    for (int i = 0; i < n_ && alone_.now(); ++i)
      weighed_reach = std::max(
          weighed_reach, Real(root_mass_[at(i)] * (abs(value_of(step.x.q[i])) + length * abs(value_of(mean[i])))));
    continuation_ = continued ? Continuation<Real>(velocities, positions / length) : Continuation<Real>();
    Equations equations{*this, step, reach, unit(step, reach), unit(step, weighed_reach)};
    alone_.begin_attempt();
    factorised_ = false;
    newton<T>(equations, settings_, report);
    if (alone_.now()) report.jacobians = 1;
  }

  // ---- Newton's matrix (4) ------------------------------------------------------------------------------------------
  bool factorise(const Step& step) {
    auto& A = equations_.matrix;
    const auto& B = this->B();
    A.clear();
    for (int k = 0; k < s_ && constant_mass(); ++k) A.add(mass_block_[at(k)], T(1), mass_->matrix());
    for (int i = 0; i < k_.c.size() && !uniform(); ++i) add_derivatives(i, step);
    for (int j = 0; j < k_.multipliers; ++j)
      for (int k = 0; k < s_; ++k) equations_.add_reaction(reaction_block_[at(j * s_ + k)], B(k, j), jacobian_of_mu(j));
    if constexpr (impulses != 0)
      if (equations_.keeps_rest && k_.starts_at_node && m_ > 0)
        system_.constraint_hessian(step.t0, step.x.q, mu_.front(), H_.front());
    for (int i = 0; i < k_.multipliers; ++i) {
      const int l = point_of_constraint(i);
      const bool curved = l < k_.multipliers;  // carries a multiplier
      if (curved) {
        place(k_.reach, l, step);
        system_.constraint_hessian(time(l, step), q_, mu_[at(l)], H_[at(l)]);
      }
      for (int column = 0; column < s_; ++column) {
        const T& reach = k_.whole.reach(l, column);
        if (is_zero(reach)) continue;
        A.add(constraint_block_[at(i * s_ + column)], reach, G_[at(l)]);
        for (int k = 0; k < s_ && curved; ++k)
          A.add(curvature_block_[at(k * s_ + column)], step.h * reach * B(k, l), H_[at(l)]);
      }
    }
    if constexpr (has_extra) {
      if (k_.multipliers > 0) place(k_.end, 0, step);
      extra_.add_derivatives(*this, step);
    }
    return A.factorise();
  }
  // What node i contributes, but M where it is constant.
  void add_derivatives(int i, const Step& step) {
    if constexpr (!has_extra) place(k_.value, i, step);
    const Coordinates& q = has_extra ? node_[at(i)] : q_;
    force_.differentiate(step.t0 + k_.c[i] * step.h, q, combine(k_.slope, i, U_, v_));
    for (int k = 0; k < s_; ++k) {
      const T force = -step.h * k_.whole.A(k, i);
      for (int l = 0; l < s_; ++l) {
        const std::size_t block = at(k * s_ + l);
        if (has_extra && !k_.couples(k, l)) continue;
        const std::size_t transposed = constant_mass() ? 0 : block;
        const typename GeneralisedForce<System>::Factors by{force, k_.whole.C(k, i), step.h * k_.whole.value(i, l),
                                                            k_.slope(i, l)};
        if constexpr (has_extra)
          force_.add(equations_.matrix, square_block_[block], transposed_block_[transposed], by);
        else
          force_.add_but_constant_mass(equations_.matrix, square_block_[block], transposed_block_[transposed], by);
      }
    }
  }

  Real correct() {
    for (int k = 0; k < s_; ++k)
      for (int c = 0; c < n_; ++c) equations_.residual[k * n_ + c] = row_[at(k)][c];
    for (int i = 0; i < k_.multipliers; ++i)
      for (int a = 0; a < m_; ++a) equations_.residual[row_of_constraint(i) + a] = g_[at(point_of_constraint(i))][a];
    return equations_.correct(U_, mu_);
  }

  // Places that stay empty, by the coefficients or by the system, are left out: sparse factors would fill up with them.
  void declare_blocks(const T& t, const State<System>& x) {
    auto& A = equations_.matrix;
    const Square square = system_.square();
    // Second derivatives of quadratic constraints are constant: which ones there are, shows with multipliers whose
    // contributions do not cancel.
    const Structure structure = force_.structure();
    const bool quadratic = structure.constraint_degree.value_or(3) <= 2 && !structure.time_in_constraints;
    for (int a = 0; a < m_; ++a) weighted_[a] = T(1) / (T(a) + T(2.718281828459045));
    if constexpr (impulses != 0)
      if (m_ > 0) system_.constraint_hessian(t, x.q, weighted_, H_.front());
    if (constant_mass()) transposed_block_.push_back({});
    for (int k = 0; k < s_; ++k) {
      if (constant_mass()) mass_block_.push_back(A.nonzero_block(k * n_, k * n_, mass_->matrix()));
      for (int l = 0; l < s_; ++l) {
        const bool couples = k_.couples(k, l);
        if (!uniform()) square_block_.push_back(couples ? A.block(k * n_, l * n_, square) : Block{});
        if (!constant_mass())
          transposed_block_.push_back(couples ? A.transposed_block(k * n_, l * n_, square) : Block{});
        bool curved = false;
        for (int j = k_.starts_at_node ? 1 : 0; j < k_.multipliers; ++j)
          curved = curved || !is_zero(k_.whole.reach(j, l));
        curvature_block_.push_back(!curved     ? Block{}
                                   : quadratic ? A.nonzero_block(k * n_, l * n_, H_.front())
                                               : A.block(k * n_, l * n_, H_.front()));
      }
    }
    for (int j = 0; j < k_.multipliers; ++j)
      for (int k = 0; k < s_; ++k) reaction_block_.push_back(A.transposed_block(k * n_, column_of_mu(j), G_.front()));
    for (int i = 0; i < k_.multipliers; ++i)
      for (int l = 0; l < s_; ++l)
        constraint_block_.push_back(is_zero(k_.whole.reach(point_of_constraint(i), l))
                                        ? Block{}
                                        : A.block(row_of_constraint(i), l * n_, G_.front()));
    if constexpr (requires { extra_.declare(*this); }) extra_.declare(*this);
    A.finish();
    declared_ = true;
  }

  // ---- multipliers alone (5) ----------------------------------------------------------------------------------------

  // Once a step: that curvature is left out decides the contraction, and a new matrix would not better it.
  bool factorise_multipliers() {
    if constexpr (is_sparse) {
      if (std::exchange(factorised_, true)) return true;
      for (int i = 0; i < k_.multipliers; ++i)
        for (int j = 0; j < k_.multipliers; ++j) {
          const int l = point_of_constraint(i);
          T K(0);
          for (int k = 0; k < s_; ++k) K += k_.whole.reach(l, k) * B()(k, j);
          blocks_.set(i, j, K, G_[at(l)], *mass_, jacobian_of_mu(j));
        }
      return blocks_.factorise();
    }
    return false;
  }

  void find_root_masses() {
    using std::sqrt;
    root_mass_.assign(at(n_), Real(0));
    for (int i = 0; i < n_; ++i)
      for_row(mass_->matrix(), i, [&](int j, const T& mass) {
        if (i == j) root_mass_[at(i)] = sqrt(abs_of(mass));
      });
  }

  // The correction of U_k without that of mu:  M^-1 r_k = U_k + M^-1 (r_k - M U_k)
  const Coordinates& velocity_change(int k) {
    Coordinates& dU = equations_.change[at(k)];
    mass_->solve(row_[at(k)], dU);
    add_scaled(T(1), U_[at(k)], dU);
    return dU;
  }

  Real correct_by_multipliers() {
    if constexpr (is_sparse) {
      auto& dU = equations_.change;
      for (int i = 0; i < k_.multipliers; ++i) {
        const int l = point_of_constraint(i);
        work_.fill(T(0));
        for (int k = 0; k < s_; ++k)
          if (!is_zero(k_.whole.reach(l, k))) add_scaled(k_.whole.reach(l, k), dU[at(k)], work_);
        multiply(G_[at(l)], work_, weighted_);
        for (int a = 0; a < m_; ++a) weighted_[a] -= g_[at(l)][a];
        blocks_.set_right(i, weighted_);
      }
      blocks_.solve();
      for (int j = 0; j < k_.multipliers; ++j) {
        blocks_.get_solution(j, weighted_);
        for (int a = 0; a < m_; ++a) mu_[at(j)][a] -= weighted_[a];
        multiply_transposed(jacobian_of_mu(j), weighted_, work_);
        mass_->solve(work_, v_);
        for (int k = 0; k < s_; ++k) add_scaled(-B()(k, j), v_, dU[at(k)]);
      }
    }
    return equations_.apply_change(U_);
  }

  // q1, all end_k being 0 or 1: their sum is not rounded, either.
  void add_increments(const T& h, State<System>& x) {
    for (int k = 0; k < s_; ++k)
      for (int c = 0; c < n_ && !is_zero(k_.end(0, k)); ++c)
        add_product_exactly(x.q[c], x.q_remainder[c], h, U_[at(k)][c]);
    add_rest(h, x);
  }
  void add_mean_velocity(const T& h, State<System>& x) {
    const Coordinates& v = mean_velocity();
    for (int c = 0; c < n_; ++c) add_product_exactly(x.q[c], x.q_remainder[c], h, v[c]);
    add_rest(h, x);
  }
  void add_rest(const T& h, State<System>& x) const {
    for (int k = 0; k < s_ && equations_.keeps_rest; ++k) {
      const T by_end = h * k_.end(0, k);
      for (int c = 0; c < n_; ++c) x.q_remainder[c] += by_end * equations_.rest[at(k)][c];
    }
  }

  // ---- the update ---------------------------------------------------------------------------------------------------
  template <class W>
  void find_increment(const T& h) {
    auto& sum = sums<W>().unmixed.front();
    sum.fill(W(0));
    add_forces(h, k_.weight, 0, sum);
    find_reactions<W>(equations_.keeps_rest);
    for (int j = 0; j < k_.multipliers; ++j) add_scaled(-k_.impulse[j], sums<W>().reaction[at(j)], sum);
    increment_.round(sum);
  }

  const System& system_;
  SolverSettings<Real> settings_;
  Extra extra_;
  GeneralisedForce<System> force_;
  Known<System::n> n_;
  Known<System::m> m_;
  Known<S> s_;
  Coefficients k_;
  bool continues_;
  const Mass<Square>* mass_ = nullptr;
  Several<Coordinates, S> U_, last_U_, row_, shared_;
  Several<Coordinates, nodes> f_, momentum_, node_;  // at the nodes; node_: Q, with extra unknowns
  Several<Multipliers, impulses> mu_, last_mu_;
  Sums<T> sums_;
  Sums<Wider<T>> wide_sums_;
  Several<Multipliers, points> g_;
  Several<Jacobian, points> G_;
  Several<Coordinates, points> lost_;  // what rounding took from the points, where U has a rest
  Coordinates q_, v_, work_, visited_end_;
  Increment<T, System::n> increment_;
  Multipliers weighted_;
  MultipliersAlone<System> alone_;
  Linear equations_;
  Several<Square, impulses> H_;  // sum_a mu_a D2g_a where Newton's matrix was made
  std::conditional_t<is_sparse, MultiplierBlocks<T>, Nothing> blocks_;
  bool declared_ = false, factorised_ = false, first_ = true;
  std::vector<Real> root_mass_;  // of every coordinate, for multipliers alone
  std::vector<Block> mass_block_, square_block_, transposed_block_, curvature_block_, reaction_block_,
      constraint_block_;
  Continuation<Real> continuation_;
  StepReport left_;  // of an attempt by multipliers alone that was left
};

}  // namespace livens
