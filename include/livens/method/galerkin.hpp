// Galerkin variational integrators with holonomic constraints, of any order.
// Source: Wenger, Ober-Bloebaum, Leyendecker (2017), "Construction and analysis of higher order variational integrators
// for dynamical systems with holonomic constraints": discrete Lagrangian (11), step (22) with the sign of its interior
// sum corrected (minus, as in (67)), here for L(t,q,v), g(t,q) and forces F(t,q,v).
// Order 2w in q and in the projected momentum for s = w or s = w+1 and a quadrature of L of order 2w; symplectic,
// symmetric.  Keeps: g = 0 at the nodes; momentum maps of linear symmetries.  Does not keep: energy (it oscillates).
//
// q is a polynomial of degree s in tau = (t - t0)/h with control points d_0 = 0 < ... < d_s = 1, l_nu their Lagrange
// polynomials; (b_i, c_i) the quadrature of L, (e_j, x_j) that of the constraints. Unknowns are velocities and
// impulses,
//
//   U^nu = (Q^nu - q0)/h , nu = 1..s ,      mu^j = h lambda^j ,
//
// so that all rows are momenta or velocities and the matrix does not change its size with h:
//
//   q(tau) = q0 + h sum_nu l_nu(tau) U^nu ,   q'(tau) = sum_nu l_nu'(tau) U^nu
//   F_nu   = sum_i b_i ( h l_nu(c_i) (L_q + F) + l_nu'(c_i) L_v )_i  -  sum_j e_j l_nu(x_j) G_j^T mu^j
//
//   (a)  pi0 + F_0 - omega G0^T mu^0 = 0          pi: momentum without the multiplier of its node
//   (b)  F_nu = 0 ,  nu = 1..s-1
//   (c)  g(x_j) / h = 0  at the inner nodes x_j and at tau = 1
//   (d)  pi1 = pi0 + h sum_i b_i (L_q + F)_i - omega G0^T mu^0 - sum_j e_j G_j^T mu^j      (sum of (a), (b) and F_s)
//
// The multiplier mu^0 of the node t0 belongs to both steps that meet there: omega = 2 e_0, in the first step e_0. The
// step knows then p0 = pi0 - e_0 G0^T mu^0 and lambda^0 = mu^0 / h of the node where it starts (p0 = pi0 at the first).
//
// Quadrature of the constraints: Lobatto with w+1 nodes is the method of the paper. To compare with it: Radau IIA with
// w nodes, whose multiplier at t0 belongs to the step before, omega = e_w in every step; and Gauss with w nodes, which
// has none at t0, does not hold g = 0 at the nodes and drifts.
//
// What is solved are (a) and (b) multiplied by -D^-1, D_nu,k = sum_i b_i l_nu'(c_i) l_k'(c_i). A constant mass matrix
// then stands alone before the velocities, and the matrix of large systems stays sparse:
//
//   (ab)  sum_i C_ki (L_v)_i = d_k pi0 + h sum_i A_ki (L_q + F)_i - sum_j B_kj G_j^T mu^j ,   k = 1..s ,
//         C = D^-1 (b_i l_nu'),   A = -D^-1 (b_i l_nu),   B = -D^-1 (e_j l_nu),  that of mu^0 with omega in place of
//         e_0; the left side is M U^k where M is constant.
//
// Newton's matrix, rows (ab) and (c), columns U^l and mu:
//   sum_i ( C_ki ( l_l' L_vv + h l_l L_vq ) - h A_ki ( h l_l L_qq + l_l' L_qv ) )
//     + h sum_j B_kj l_l(x_j) sum_a mu^j_a D2g_a ,     B_kj G_j^T ,     l_l(x_j) G_j .
//
// Multipliers alone: where M is constant and a sparse system asks for it, M stands for the derivatives by U, which is
// then eliminated; r_k being the rows (ab),
//   sum_j ( sum_k l_k(x_i) B_kj ) G_i M^-1 G_j^T dmu^j = sum_k l_k(x_i) G_i M^-1 r_k - g(x_i)/h .
// Corrections contract by about (h f)^2/24 for s = 2, f being the largest angular frequency that constraint forces or
// potential give to M; what is solved remains (ab), (c).
//
// Remembered between steps: U and mu of the last step, whose polynomials are extended as guess, and whether there is
// one.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/math/lagrange.hpp"
#include "livens/math/quadrature.hpp"
#include "livens/method/continuation.hpp"
#include "livens/method/method.hpp"
#include "livens/method/stages.hpp"
#include "livens/solve/multiplier_blocks.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

struct Galerkin {
  enum class Rule { gauss, lobatto, radau };
  enum class Points { lobatto, equidistant };

  int s = 2;                      // degree of q in a step
  int w = 0;                      // degree of the multiplier; radau, gauss: number of nodes. 0: s
  Rule quadrature = Rule::gauss;  // of L
  int order = 0;                  // of that quadrature; 0: 2s
  Rule constraint_quadrature = Rule::lobatto;
  Points points = Points::lobatto;

  int multiplier_degree() const { return w == 0 ? s : w; }
  int quadrature_order() const { return order == 0 ? 2 * s : order; }
  int quadrature_nodes() const { return quadrature_order() / 2 + (quadrature == Rule::lobatto ? 1 : 0); }

  // No multiplier belongs to a node: pi is p.
  bool momentum_is_complete() const { return constraint_quadrature == Rule::gauss; }

  // All options but s are the standard ones.
  bool is_standard() const {
    return multiplier_degree() == s && quadrature == Rule::gauss && quadrature_order() == 2 * s &&
           constraint_quadrature == Rule::lobatto && points == Points::lobatto;
  }

  // Order 2w, and multipliers that converge (tables 1 and 2 of the paper).
  bool full_order() const {
    const int degree = multiplier_degree();
    return constraint_quadrature == Rule::lobatto && s <= degree + 1 && quadrature_order() >= 2 * degree;
  }

  // Which condition an inadmissible choice breaks; empty if it is admissible.
  std::string inadmissible() const {
    const int degree = multiplier_degree(), nodes = quadrature_nodes();
    const auto text = [](int number) { return std::to_string(number); };
    if (s < 1) return "s = " + text(s) + ": the degree s must be at least 1";
    if (degree < 1) return "w = " + text(degree) + ": the constraints need w >= 1";
    if (degree > s)
      return "w = " + text(degree) + " > s = " + text(s) +
             ": a polynomial of degree s cannot meet the constraints at w " + "further nodes; w <= s is needed";
    if (quadrature == Rule::radau) return "quadrature must be gauss or lobatto";
    if (quadrature_order() % 2 != 0 || nodes < 1)
      return "order = " + text(quadrature_order()) + ": the quadrature of L has an even order";
    if (quadrature == Rule::lobatto && nodes < 2)
      return "order = " + text(quadrature_order()) + ": lobatto has order >= 2";
    if (nodes < s)
      return "order = " + text(quadrature_order()) + ": " + text(nodes) +
             " nodes for the Lagrangian, but r >= s = " + text(s) + " are needed (" +
             (quadrature == Rule::gauss ? "gauss: order >= 2s" : "lobatto: order >= 2s-2") +
             "), else the equations are singular";
    return "";
  }

  // Of q and of the projected momentum; 0: not known. Lobatto: tables 1 and 2 of the paper. Radau and Gauss: measured
  // for s <= 4 in a nonlinear potential (tests/verify/galerkin.cpp).
  int order_of_motion() const {
    const int degree = multiplier_degree(), excess = s - degree;
    switch (constraint_quadrature) {
      case Rule::lobatto:
        if (full_order()) return 2 * degree;
        return std::max(2, excess == 0 ? 2 * degree - 2 : 2 * (degree + 1 - excess));
      case Rule::radau:
        return excess > 1 ? 0 : std::max(2, 2 * degree - 1 - excess);
      case Rule::gauss:
        break;
    }
    return excess > 0 ? 0 : 2 * ((s + 1) / 2);
  }

  MethodTraits traits() const {
    return {.name = "galerkin",
            .order = order_of_motion(),
            .symplectic = true,
            .symmetric = constraint_quadrature != Rule::radau,
            .carries_final_momentum = false,
            .audit_uses_final = true,
            .raw = momentum_is_complete() ? RawValues::end_of_step : RawValues::start_of_step,
            .multipliers_alone = constraint_quadrature != Rule::gauss};
  }
  template <class System, int S = Dynamic>
  class Step;
};

// The standard options with a degree s that is known when compiling: steps of small systems cost half.
template <int S>
struct FixedGalerkin : Galerkin {
  FixedGalerkin() : Galerkin{.s = S} {}
  template <class System>
  using Step = Galerkin::Step<System, S>;
};

// The numbers of the scheme.
template <class T>
struct GalerkinCoefficients {
  explicit GalerkinCoefficients(const Galerkin& method) : s(method.s) {
    if (const std::string reason = method.inadmissible(); !reason.empty())
      throw std::invalid_argument("galerkin: " + reason);
    points = control_points(method);
    const LagrangeBasis<T> basis(points);
    const int nodes = method.quadrature_nodes(), w = method.multiplier_degree();
    lagrangian = table(basis, method.quadrature == Galerkin::Rule::gauss ? gauss<T>(nodes) : lobatto<T>(nodes));

    // Inner nodes of the constraints; the ends are treated by themselves.
    Quadrature<T> rule;
    switch (method.constraint_quadrature) {
      case Galerkin::Rule::lobatto:
        rule = lobatto<T>(w + 1);
        first_weight = rule.weights.front();
        later_weight = 2 * first_weight;
        nodal_weight = first_weight;
        rule.nodes.erase(rule.nodes.begin()), rule.weights.erase(rule.weights.begin());
        rule.nodes.pop_back(), rule.weights.pop_back();
        break;
      case Galerkin::Rule::radau:
        rule = radau<T>(w);
        first_weight = later_weight = nodal_weight = rule.weights.back();
        rule.nodes.pop_back(), rule.weights.pop_back();
        break;
      case Galerkin::Rule::gauss:
        rule = gauss<T>(w);
        nodal = false;
        break;
    }
    constraint = table(basis, rule);

    // The polynomials of the last step, continued: U(1 + d_nu) - U(1), and the multipliers likewise.
    for (int nu = 1; nu <= s; ++nu)
      for (int k = 1; k <= s; ++k)
        continued.push_back(basis.value(k, T(1) + basis.nodes()[static_cast<std::size_t>(nu)]) -
                            (k == s ? T(1) : T(0)));
    std::vector<T> places = rule.nodes;
    if (nodal) places.insert(places.begin(), T(0));
    const LagrangeBasis<T> multiplier(places);
    for (const T& place : places)
      for (int k = 0; k < multiplier.size(); ++k) continued_multipliers.push_back(multiplier.value(k, T(1) + place));
  }

  struct Node {
    T c, weight;
    std::vector<T> value, slope;  // of l_0 .. l_s
  };

  int s;
  std::vector<T> points;  // d_0 .. d_s
  std::vector<Node> lagrangian, constraint;
  bool nodal = true;                                 // there is a multiplier at t0, and g = 0 at t1
  T first_weight{}, later_weight{}, nodal_weight{};  // of mu^0 in (a): in the first step, later; in p0
  std::vector<T> continued, continued_multipliers;   // by rows

  int multipliers() const { return static_cast<int>(constraint.size()) + (nodal ? 1 : 0); }

 private:
  static std::vector<T> control_points(const Galerkin& method) {
    if (method.points == Galerkin::Points::lobatto) return lobatto<T>(method.s + 1).nodes;
    std::vector<T> equidistant;
    for (int k = 0; k <= method.s; ++k) equidistant.push_back(T(k) / T(method.s));
    return equidistant;
  }
  static std::vector<Node> table(const LagrangeBasis<T>& basis, const Quadrature<T>& rule) {
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      Node node{rule.nodes[i], rule.weights[i], {}, {}};
      for (int nu = 0; nu < basis.size(); ++nu) {
        node.value.push_back(basis.value(nu, node.c));
        node.slope.push_back(basis.derivative(nu, node.c));
      }
      nodes.push_back(std::move(node));
    }
    return nodes;
  }
};

// S: the degree s, where it is known when compiling (FixedGalerkin).
template <class System, int S>
class Galerkin::Step {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Jacobian = typename System::Jacobian;
  using Square = typename System::Square;

  Step(const System& system, const Galerkin& method, const SolverSettings<Real>& settings)
      : system_(system),
        structure_(system.structure()),
        settings_(settings),
        k_(checked(method)),
        kinetics_(system),
        n_(system.coordinates()),
        m_(system.constraints()),
        s_(k_.s),
        nodal_(m_ > 0 && k_.nodal),
        uniform_force_(has_degree(structure_, 1) && !structure_.forces),
        constant_hessian_(has_degree(structure_, 2)),
        motion_(k_.lagrangian, s_),
        inner_(m_ > 0 ? k_.constraint : std::vector<Node>(), s_),
        rows_(method, m_ > 0),
        U_(several<S>(s_, Coordinates(n_))),
        last_U_(U_),
        balance_(U_),
        f_(several<S>(motion_.size(), Coordinates(n_))),
        momentum_(f_),
        mu_(several<impulses>(m_ > 0 ? k_.multipliers() : 0, Multipliers(m_))),
        last_mu_(mu_),
        reaction_(several<impulses>(static_cast<int>(mu_.size()), Coordinates(n_))),
        g_(mu_),
        G_(several<impulses>(static_cast<int>(mu_.size()), system.jacobian())),
        G0_(system.jacobian()),
        Lqq_(system.square()),
        Lqv_(Lqq_),
        Lvv_(Lqq_),
        H_(system.constraint_square()),
        Fq_(structure_.forces ? system.square() : Square()),
        Fv_(Fq_),
        q_(n_),
        v_(q_),
        work_(q_),
        increment_(q_),
        nodal_p_(q_),
        lambda_(m_),
        weighted_(lambda_),
        multipliers_alone_(structure_.constant_mass && nodal_ && wants_multipliers_alone(system)),
        equations_(system, s_, static_cast<int>(mu_.size()), !multipliers_alone_),
        blocks_(system, multipliers_alone_ ? static_cast<int>(mu_.size()) : 0),
        complete_(method.momentum_is_complete()),
        has_raw_multipliers_(method.constraint_quadrature == Rule::lobatto),
        continues_(m_ == 0 || method.full_order()) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    first_ = true;
    guess_at_rest_ = true;
    if (!kinetics_.start(t, x.q, v)) return false;
    v_ = v;
    kinetics_.multiplier(t, x.q, v, lambda_);
    if (constant_hessian_) system_.hessian(t, x.q, v, Lqq_, Lqv_, Lvv_);
    if (uniform_force_)
      for (Coordinates& f : f_) force_at(t, x.q, v, f);
    resume(t, x);
    equations_.choose_units(kinetics_.mass().matrix(), G0_);
    if (!multipliers_alone_ && !declared_) declare_blocks(t, x);
    return true;
  }
  void resume(const T& t, const State<System>& x) {
    if (m_ > 0) system_.constraint_jacobian(t, x.q, weighted_, G0_);
  }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    run_step<S>([&] { make_step(t0, t1, h, x, report); });
  }

  template <class Archive>
  void archive(Archive& a) {
    a(last_U_, last_mu_, nodal_p_, lambda_, v_, first_, guess_at_rest_, kinetics_, equations_.matrix);
  }

  const Coordinates& attempted_position() const { return q_; }
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take("p", complete_ ? x.p : nodal_p_);
    if (has_raw_multipliers_) take("lambda", lambda_);
  }

 private:
  using Node = typename GalerkinCoefficients<T>::Node;
  static constexpr int impulses = System::m == 0 ? 0 : System::m == Dynamic ? Dynamic : S;
  static constexpr int inner_nodes = impulses > 0 ? impulses - 1 : impulses;
  static constexpr bool is_sparse = requires(const System& system) { system.linear(); };
  struct Nothing {
    Nothing(const System&, int) {}
  };
  using Linear = StageEquations<System, S, impulses>;
  using Block = typename Linear::Block;

  // Nodes of a quadrature, with rows l_1 .. l_s and their slopes.
  template <int Count>
  struct Nodes {
    Nodes(const std::vector<Node>& nodes, int s)
        : c(static_cast<int>(nodes.size())), weight(c), value(c.size(), s), slope(value) {
      for (int i = 0; i < c.size(); ++i) {
        const Node& node = nodes[static_cast<std::size_t>(i)];
        c[i] = node.c, weight[i] = node.weight;
        for (int k = 0; k < s; ++k) {
          value(i, k) = node.value[static_cast<std::size_t>(k) + 1];
          slope(i, k) = node.slope[static_cast<std::size_t>(k) + 1];
        }
      }
    }
    int size() const { return c.size(); }
    Vec<T, Count> c, weight;
    Mat<T, Count, S> value, slope;
  };

  // Coefficients of (ab).
  struct Rows {
    Rows(const Galerkin& method, bool constrained) {
      // D may be ill-conditioned: all digits that there are.
      const GalerkinCoefficients<Widest> wide(method);
      const int degree = wide.s, r = static_cast<int>(wide.lagrangian.size());
      const int count = constrained ? wide.multipliers() : 0, first_inner = wide.nodal ? 1 : 0;
      start = Vec<T, S>(degree);
      C = A = Mat<T, S, S>(degree, r);
      B = Mat<T, S, impulses>(degree, count);
      Lu<Widest> D(degree);
      D.matrix().fill(Widest(0));
      for (const auto& node : wide.lagrangian)
        for (int nu = 0; nu < degree; ++nu)
          for (int k = 0; k < degree; ++k)
            D.matrix()(nu, k) -= node.weight * node.slope[at(nu)] * node.slope[at(k + 1)];
      if (!D.factorise()) throw std::invalid_argument("galerkin: s = " + std::to_string(degree) + " is too large");
      Vec<Widest> b(degree), x(degree);
      const auto store = [&](const auto& column, const auto& to) {
        for (int nu = 0; nu < degree; ++nu) b[nu] = column(at(nu));
        D.solve(b, x);
        for (int k = 0; k < degree; ++k) to(k) = static_cast<Real>(x[k]);
      };
      for (int i = 0; i < r; ++i) {
        const auto& node = wide.lagrangian[at(i)];
        store([&](std::size_t nu) { return Widest(-node.weight * node.slope[nu]); },
              [&](int k) -> T& { return C(k, i); });
        store([&](std::size_t nu) { return Widest(node.weight * node.value[nu]); },
              [&](int k) -> T& { return A(k, i); });
      }
      store([](std::size_t nu) { return Widest(nu == 0 ? 1 : 0); }, [&](int k) -> T& { return start[k]; });
      if (count > 0 && wide.nodal)
        for (int k = 0; k < degree; ++k) B(k, 0) = start[k];
      for (int j = first_inner; j < count; ++j) {
        const auto& node = wide.constraint[at(j - first_inner)];
        store([&](std::size_t nu) { return Widest(node.weight * node.value[nu]); },
              [&](int k) -> T& { return B(k, j); });
      }
    }
    Vec<T, S> start;  // d_k
    Mat<T, S, S> C, A;
    Mat<T, S, impulses> B;  // of mu^0 without its weight omega
  };

  static const Galerkin& checked(const Galerkin& method) {
    if (S != Dynamic && !(method.s == S && method.is_standard()))
      throw std::invalid_argument("galerkin: FixedGalerkin<s> has the standard options; use Galerkin for others");
    return method;
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  // y += factor x
  static void add_scaled(const T& factor, const Coordinates& x, Coordinates& y) {
    for (int c = 0; c < x.size(); ++c) y[c] += factor * x[c];
  }
  // y = sum_k row_k x_k
  template <class Vectors>
  static void combine_row(const T* row, const Vectors& x, Coordinates& y) {
    for (int c = 0; c < y.size(); ++c) y[c] = row[0] * x[0][c];
    for (std::size_t k = 1; k < x.size(); ++k) add_scaled(row[k], x[k], y);
  }
  static bool is_zero(const T& x) { return value_of(x) == Real(0); }
  // L = v.Mv/2 - V(q), V of at most this degree
  static bool has_degree(const Structure& structure, int degree) {
    return structure.constant_mass && !structure.time_in_lagrangian &&
           structure.potential_degree.value_or(degree + 1) <= degree;
  }
  static bool wants_multipliers_alone(const System& system) {
    if constexpr (is_sparse)
      return system.linear().schur;
    else
      return false;
  }

  int first_inner() const { return nodal_ ? 1 : 0; }  // mu_[first_inner() + j] belongs to inner node j
  // Inner constraints beside the columns of their mu, those of the end beside mu^0.
  int row_of_constraint(int j) const { return column_of_mu(j < inner_.size() ? first_inner() + j : 0); }
  int column_of_mu(int j) const { return s_ * n_ + j * m_; }
  T node_weight() const { return first_ ? k_.first_weight : k_.later_weight; }
  T reaction_rate(int k, int j) const { return nodal_ && j == 0 ? T(node_weight() * rows_.B(k, 0)) : rows_.B(k, j); }
  const Jacobian& jacobian_of_mu(int j) const { return nodal_ && j == 0 ? G0_ : G_[at(j - first_inner())]; }

  void make_step(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    const bool continued = continues_ && !guess_at_rest_;
    attempt(continued, t0, t1, h, x, report);
    if (!guess_at_rest_ && !succeeded(report.outcome)) {
      const StepReport first = report;
      attempt(!continued, t0, t1, h, x, report);
      add_cost(first, report);
      if (!succeeded(report.outcome) && continuation_.fails()) report = first;  // what was given up explains nothing
    }
    if (!succeeded(report.outcome)) return;
    accept(t0, t1, h, x, report);
  }
  void attempt(bool continued, const T& t0, const T& t1, const T& h, const State<System>& x, StepReport& report) {
    if (continued)
      guess_from_last_step();
    else
      guess_from_node(t0, h, x);
    solve(continued, t0, t1, h, x, report);
  }

  // ---- guesses ----------------------------------------------------------------------------------------------------

  // Uniform motion with the velocity and the multiplier of the node.
  void guess_from_node(const T& t, const T& h, const State<System>& x) {
    if (!guess_at_rest_) {
      v_ = last_U_.back();
      work_ = x.p;
      if (succeeded(kinetics_.project(t, x.q, work_, v_))) kinetics_.multiplier(t, x.q, v_, lambda_);
    }
    for (int nu = 1; nu <= s_; ++nu)
      for (int i = 0; i < n_; ++i) U_[at(nu - 1)][i] = k_.points[at(nu)] * v_[i];
    for (auto& mu : mu_)
      for (int a = 0; a < m_; ++a) mu[a] = h * lambda_[a];
  }
  void guess_from_last_step() {
    combine(k_.continued, last_U_, U_);
    combine(k_.continued_multipliers, last_mu_, mu_);
  }
  // y_j = sum_k rows_jk x_k
  template <class Vectors>
  static void combine(const std::vector<T>& rows, const Vectors& x, Vectors& y) {
    const T* row = rows.data();
    for (std::size_t j = 0; j < y.size(); ++j, row += x.size())
      for (int i = 0; i < y[j].size(); ++i) {
        T sum(0);
        for (std::size_t k = 0; k < x.size(); ++k) sum += row[k] * x[k][i];
        y[j][i] = sum;
      }
  }

  // ---- the equations ----------------------------------------------------------------------------------------------

  // q at node i of a table
  template <class Table>
  void place(const Table& nodes, int i, const T& h, const State<System>& x) {
    combine_row(nodes.value.row(i), U_, work_);
    for (int c = 0; c < n_; ++c) q_[c] = x.q[c] + (h * work_[c] + x.q_remainder[c]);
  }
  void place_end(const T& h, const State<System>& x) {
    for (int c = 0; c < n_; ++c) q_[c] = x.q[c] + (h * U_.back()[c] + x.q_remainder[c]);
  }
  // q' at node i of the quadrature of L
  void velocity(int i) { combine_row(motion_.slope.row(i), U_, v_); }

  // L_q + F where the mass is constant
  void force_at(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& f) {
    system_.potential_gradient(t, q, f);
    for (T& x : f) x = -x;
    add_force(t, q, v, f);
  }
  void add_force(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& f) {
    if (!structure_.forces) return;
    system_.force(t, q, v, work_);
    for (int c = 0; c < n_; ++c) f[c] += work_[c];
  }

  // L_q + F, and L_v where the mass is not constant, at the nodes of L; g and G at those of the constraints
  void visit(const T& t0, const T& t1, const T& h, const State<System>& x) {
    for (int i = 0; i < motion_.size() && !uniform_force_; ++i) {
      const T t = t0 + motion_.c[i] * h;
      place(motion_, i, h, x);
      if (!structure_.constant_mass || structure_.forces) velocity(i);
      if (structure_.constant_mass) {
        force_at(t, q_, v_, f_[at(i)]);
      } else {
        system_.gradient(t, q_, v_, f_[at(i)], momentum_[at(i)]);
        add_force(t, q_, v_, f_[at(i)]);
      }
    }
    for (int j = 0; j < inner_.size(); ++j) {
      place(inner_, j, h, x);
      system_.constraint_jacobian(t0 + inner_.c[j] * h, q_, g_[at(j)], G_[at(j)]);
    }
    place_end(h, x);
    if (nodal_) system_.constraint_jacobian(t1, q_, g_.back(), G_.back());
  }

  // (ab), (c)
  Real evaluate(const T& t0, const T& t1, const T& h, const State<System>& x) {
    visit(t0, t1, h, x);
    for (std::size_t j = 0; j < mu_.size(); ++j)
      multiply_transposed(jacobian_of_mu(static_cast<int>(j)), mu_[j], reaction_[j]);
    Real size(0);
    for (int k = 0; k < s_; ++k) {
      Coordinates& row = balance_[at(k)];
      set_inertia(k, row);
      add_scaled(-rows_.start[k], x.p, row);
      add_scaled(-rows_.start[k], x.p_remainder, row);
      for (int i = 0; i < motion_.size(); ++i) add_scaled(-h * rows_.A(k, i), f_[at(i)], row);
      for (std::size_t j = 0; j < mu_.size(); ++j) add_scaled(reaction_rate(k, static_cast<int>(j)), reaction_[j], row);
      size += multipliers_alone_ ? size_of(velocity_change(k)) : size_of(row);
    }
    for (Multipliers& row : g_) {
      for (T& g : row) g /= h;
      size += size_of(row);
    }
    return size;
  }
  // sum_i C_ki L_v
  void set_inertia(int k, Coordinates& row) {
    if (multipliers_alone_) return row.fill(T(0));  // see velocity_change
    if (structure_.constant_mass) return multiply(kinetics_.mass().matrix(), U_[at(k)], row);
    row.fill(T(0));
    for (int i = 0; i < motion_.size(); ++i) add_scaled(rows_.C(k, i), momentum_[at(i)], row);
  }

  struct Equations {
    Step& s;
    const T &t0, &t1, &h;
    const State<System>& x;
    Real scale = Real(1);

    Real residual(bool) { return s.evaluate(t0, t1, h, x); }
    bool factorise() { return s.multipliers_alone_ ? s.factorise_multipliers() : s.factorise(t0, h, x); }
    Real correct() {
      const Real change = s.multipliers_alone_ ? s.correct_by_multipliers() : s.correct();
      s.continuation_.note(change);
      return scale * change;
    }
    bool given_up() const { return s.continuation_.fails(); }
    bool keeps_matrix() const { return s.multipliers_alone_; }
    int margin() const { return s.s_ > 1 && !s.multipliers_alone_ ? 64 : 1; }
    bool settled(const Real& left) const { return s.equations_.settled(left, h, x.q, s.U_.back(), 4); }
  };

  void solve(bool continued, const T& t0, const T& t1, const T& h, const State<System>& x, StepReport& report) {
    using std::abs;
    Equations equations{*this, t0, t1, h, x};
    const Real step = abs(value_of(h)), stages = static_cast<Real>(static_cast<int>(s_));
    Real velocities(0);
    for (const auto& U : U_) velocities += size_of(U);
    const Real positions = size_of(x.q);
    continuation_ = continued ? Continuation<Real>(velocities, positions / step) : Continuation<Real>();
    const Real size = positions + step * velocities / stages;
    equations.scale = size > Real(0) ? step / (size * stages) : Real(1);
    factorised_ = false;
    newton<T>(equations, settings_, report);
    if (multipliers_alone_) report.jacobians = 1;
  }

  // ---- Newton's matrix --------------------------------------------------------------------------------------------
  bool factorise(const T& t0, const T& h, const State<System>& x) {
    auto& A = equations_.matrix;
    A.clear();
    for (int k = 0; k < s_ && structure_.constant_mass; ++k) A.add(mass_[at(k)], T(1), kinetics_.mass().matrix());
    for (int i = 0; i < motion_.size() && !uniform_force_; ++i) add_derivatives(i, t0 + motion_.c[i] * h, h, x);
    for (int j = 0; j < static_cast<int>(mu_.size()); ++j)
      for (int k = 0; k < s_; ++k)
        equations_.add_reaction(reaction_block_[at(j * s_ + k)], reaction_rate(k, j), jacobian_of_mu(j));
    for (int j = 0; j < inner_.size(); ++j) {
      place(inner_, j, h, x);
      system_.constraint_hessian(t0 + inner_.c[j] * h, q_, mu_[at(first_inner() + j)], H_);
      for (int l = 0; l < s_; ++l) {
        const T value = inner_.value(j, l);
        if (is_zero(value)) continue;
        for (int k = 0; k < s_; ++k) A.add(curvature_[at(k * s_ + l)], h * value * rows_.B(k, first_inner() + j), H_);
        A.add(velocity_[at(j * s_ + l)], value, G_[at(j)]);
      }
    }
    place_end(h, x);
    if (nodal_) A.add(end_velocity_, T(1), G_.back());
    return A.factorise();
  }
  // What node i of L contributes, but M where it is constant.
  void add_derivatives(int i, const T& t, const T& h, const State<System>& x) {
    auto& A = equations_.matrix;
    place(motion_, i, h, x);
    velocity(i);
    if (!constant_hessian_) system_.hessian(t, q_, v_, Lqq_, Lqv_, Lvv_);
    if (structure_.forces) system_.force_position_jacobian(t, q_, v_, Fq_);
    if (structure_.velocity_in_forces) system_.force_velocity_jacobian(t, q_, v_, Fv_);
    for (int k = 0; k < s_; ++k)
      for (int l = 0; l < s_; ++l) {
        const std::size_t block = at(k * s_ + l);
        const T force = -h * rows_.A(k, i), moved = h * motion_.value(i, l), slope = motion_.slope(i, l);
        A.add(square_[block], force * moved, Lqq_);
        if (structure_.forces) A.add(square_[block], force * moved, Fq_);
        if (structure_.velocity_in_forces) A.add(square_[block], force * slope, Fv_);
        if (structure_.constant_mass) continue;
        A.add(square_[block], force * slope, Lqv_);
        A.add_transposed(transposed_square_[block], rows_.C(k, i) * moved, Lqv_);
        A.add(square_[block], rows_.C(k, i) * slope, Lvv_);
      }
  }

  Real correct() {
    for (int k = 0; k < s_; ++k)
      for (int c = 0; c < n_; ++c) equations_.residual[k * n_ + c] = balance_[at(k)][c];
    for (int j = 0; j < static_cast<int>(g_.size()); ++j)
      for (int a = 0; a < m_; ++a) equations_.residual[row_of_constraint(j) + a] = g_[at(j)][a];
    return equations_.correct(U_, mu_);
  }

  // Places that stay empty, by the coefficients or by the system, are left out: sparse factors would fill up with them.
  void declare_blocks(const T& t, const State<System>& x) {
    auto& A = equations_.matrix;
    // Second derivatives of quadratic constraints are constant: which ones there are, shows with multipliers whose
    // contributions do not cancel.
    const bool quadratic = structure_.constraint_degree.value_or(3) <= 2 && !structure_.time_in_constraints;
    for (int a = 0; a < m_; ++a) weighted_[a] = T(1) / (T(a) + T(2.718281828459045));
    if (m_ > 0) system_.constraint_hessian(t, x.q, weighted_, H_);
    for (int k = 0; k < s_; ++k) {
      if (structure_.constant_mass) mass_.push_back(A.nonzero_block(k * n_, k * n_, kinetics_.mass().matrix()));
      for (int l = 0; l < s_; ++l) {
        if (!uniform_force_) square_.push_back(A.block(k * n_, l * n_, Lqq_));
        if (!structure_.constant_mass) transposed_square_.push_back(A.transposed_block(k * n_, l * n_, Lqq_));
        bool curved = false;
        for (int j = 0; j < inner_.size(); ++j) curved = curved || !is_zero(inner_.value(j, l));
        curvature_.push_back(!curved     ? Block{}
                             : quadratic ? A.nonzero_block(k * n_, l * n_, H_)
                                         : A.block(k * n_, l * n_, H_));
      }
    }
    for (int j = 0; j < static_cast<int>(mu_.size()); ++j)
      for (int k = 0; k < s_; ++k) reaction_block_.push_back(A.transposed_block(k * n_, column_of_mu(j), G0_));
    for (int j = 0; j < inner_.size(); ++j)
      for (int l = 0; l < s_; ++l)
        velocity_.push_back(is_zero(inner_.value(j, l)) ? Block{} : A.block(row_of_constraint(j), l * n_, G0_));
    if (nodal_) end_velocity_ = A.block(row_of_constraint(inner_.size()), (s_ - 1) * n_, G0_);
    A.finish();
    declared_ = true;
  }

  // ---- the equations of the multipliers alone ---------------------------------------------------------------------

  // l_k at constraint i, of which the last one is at the end
  T value_at_constraint(int i, int k) const { return i < inner_.size() ? inner_.value(i, k) : T(k == s_ - 1 ? 1 : 0); }

  // Once a step: that curvature is left out decides the contraction, and a new matrix would not better it.
  bool factorise_multipliers() {
    if constexpr (is_sparse) {
      if (std::exchange(factorised_, true)) return true;
      const int count = static_cast<int>(mu_.size());
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
          T K(0);
          for (int k = 0; k < s_; ++k) K += value_at_constraint(i, k) * reaction_rate(k, j);
          blocks_.set(i, j, K, G_[at(i)], kinetics_.mass(), jacobian_of_mu(j));
        }
      return blocks_.factorise();
    }
    return false;
  }

  // The correction of U^k without that of mu:  M^-1 r_k = U^k + M^-1 (r_k - M U^k)
  const Coordinates& velocity_change(int k) {
    Coordinates& dU = equations_.change[at(k)];
    kinetics_.mass().solve(balance_[at(k)], dU);
    add_scaled(T(1), U_[at(k)], dU);
    return dU;
  }

  Real correct_by_multipliers() {
    auto& dU = equations_.change;
    if constexpr (is_sparse) {
      const int count = static_cast<int>(mu_.size());
      for (int i = 0; i < count; ++i) {
        work_.fill(T(0));
        for (int k = 0; k < s_; ++k)
          if (const T value = value_at_constraint(i, k); !is_zero(value)) add_scaled(value, dU[at(k)], work_);
        multiply(G_[at(i)], work_, weighted_);
        for (int a = 0; a < m_; ++a) weighted_[a] -= g_[at(i)][a];
        blocks_.set_right(i, weighted_);
      }
      blocks_.solve();
      for (int j = 0; j < count; ++j) {
        blocks_.get_solution(j, weighted_);
        for (int a = 0; a < m_; ++a) mu_[at(j)][a] -= weighted_[a];
        multiply_transposed(jacobian_of_mu(j), weighted_, work_);
        kinetics_.mass().solve(work_, v_);
        for (int k = 0; k < s_; ++k) add_scaled(-reaction_rate(k, j), v_, dU[at(k)]);
      }
    }
    return equations_.apply_change(U_);
  }

  // ---- the new state ----------------------------------------------------------------------------------------------

  // (d), and what the node t0 is known by now
  void accept(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    visit(t0, t1, h, x);
    increment_.fill(T(0));
    for (int i = 0; i < motion_.size(); ++i) add_scaled(h * motion_.weight[i], f_[at(i)], increment_);
    const auto subtract_reaction = [&](const T& weight, int j, Coordinates& from) {
      for (int a = 0; a < m_; ++a) weighted_[a] = weight * mu_[at(j)][a];
      subtract_transposed(jacobian_of_mu(j), weighted_, from);
    };
    for (int j = 0; j < inner_.size(); ++j) subtract_reaction(inner_.weight[j], first_inner() + j, increment_);
    nodal_p_ = x.p;
    if (nodal_) {
      subtract_reaction(node_weight(), 0, increment_);
      if (!first_) subtract_reaction(k_.nodal_weight, 0, nodal_p_);
      for (int a = 0; a < m_; ++a) lambda_[a] = mu_[0][a] / h;
    }
    if (!is_finite(size_of(increment_))) {
      report.outcome = Outcome::left_domain;
      return;
    }
    for (int c = 0; c < n_; ++c) {
      add_compensated(x.q[c], x.q_remainder[c], h * U_.back()[c]);  // to q_, where G_.back() was evaluated
      add_compensated(x.p[c], x.p_remainder[c], increment_[c]);
    }
    if (nodal_) std::swap(G0_, G_.back());
    std::swap(last_U_, U_);
    std::swap(last_mu_, mu_);
    first_ = guess_at_rest_ = false;
  }

  const System& system_;
  Structure structure_;
  SolverSettings<Real> settings_;
  GalerkinCoefficients<T> k_;
  Kinetics<System> kinetics_;
  Known<System::n> n_;
  Known<System::m> m_;
  Known<S> s_;
  bool nodal_;
  bool uniform_force_;     // L_q + F is the same everywhere
  bool constant_hessian_;  // so are the second derivatives of L
  Nodes<S> motion_;
  Nodes<inner_nodes> inner_;  // of the constraints
  Rows rows_;
  Several<Coordinates, S> U_, last_U_, balance_;
  Several<Coordinates, S> f_, momentum_;         // L_q + F and L_v at the nodes of L
  Several<Multipliers, impulses> mu_, last_mu_;  // mu^0 first, where there is one
  Several<Coordinates, impulses> reaction_;      // G^T mu
  Several<Multipliers, impulses> g_;             // at the inner nodes and at the end
  Several<Jacobian, impulses> G_;
  Jacobian G0_;
  Square Lqq_, Lqv_, Lvv_, H_, Fq_, Fv_;
  Coordinates q_, v_, work_, increment_, nodal_p_;
  Multipliers lambda_, weighted_;
  bool multipliers_alone_;
  Linear equations_;
  bool declared_ = false;
  std::vector<Block> mass_, square_, transposed_square_, curvature_, reaction_block_, velocity_;
  Block end_velocity_{};
  std::conditional_t<is_sparse, MultiplierBlocks<T>, Nothing> blocks_;
  bool factorised_ = false;
  bool first_ = true, guess_at_rest_ = true, complete_, has_raw_multipliers_;
  Continuation<Real> continuation_;
  bool continues_;  // else the multipliers oscillate, and the polynomial of the last step leads astray
};

}  // namespace livens
