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
// Newton's matrix, rows nu = 0..s-1 and (c), columns k = 1..s and mu:
//   sum_i b_i ( h^2 l_nu l_k L_qq + h l_nu l_k' L_qv + h l_nu' l_k L_vq + l_nu' l_k' L_vv )
//     - h sum_j e_j l_nu(x_j) l_k(x_j) sum_a mu^j_a D2g_a ,     -e_j l_nu(x_j) G_j^T ,     l_k(x_j) G_j .
// Rows and columns are shifted against each other: LU, not LDL^T.
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
#include "livens/method/method.hpp"
#include "livens/solve/block_matrix.hpp"
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

  MethodTraits traits() const {
    const int degree = multiplier_degree(), lost = s == degree ? 2 * degree - 2 : 2 * (2 * degree + 1 - s);
    const bool known = constraint_quadrature == Rule::lobatto;
    return {.name = "galerkin",
            .order = !known         ? 0
                     : full_order() ? 2 * degree
                                    : std::max(2, lost),
            .symplectic = true,
            .symmetric = constraint_quadrature != Rule::radau,
            .carries_final_momentum = false,
            .audit_uses_final = true,
            .raw = RawValues::start_of_step};
  }
  template <class System>
  class Step;
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

template <class System>
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
        k_(method),
        kinetics_(system),
        n_(system.coordinates()),
        m_(system.constraints()),
        U_(static_cast<std::size_t>(k_.s), Coordinates(n_)),
        last_U_(U_),
        mu_(static_cast<std::size_t>(m_ > 0 ? k_.multipliers() : 0), Multipliers(m_)),
        last_mu_(mu_),
        G_(m_ > 0 ? k_.constraint.size() + (k_.nodal ? 1 : 0) : 0, system.jacobian()),
        G0_(system.jacobian()),
        balance_(static_cast<std::size_t>(k_.s), Coordinates(n_)),
        g_(G_.size(), Multipliers(m_)),
        Lqq_(system.square()),
        Lqv_(Lqq_),
        Lvv_(Lqq_),
        H_(system.constraint_square()),
        matrix_(system, k_.s * n_ + static_cast<int>(mu_.size()) * m_),
        residual_(k_.s * n_ + static_cast<int>(mu_.size()) * m_),
        correction_(residual_),
        q_(n_),
        v_(q_),
        Lq_(q_),
        Lv_(q_),
        force_(q_),
        increment_(q_),
        nodal_p_(q_),
        lambda_(m_),
        weighted_(lambda_),
        has_raw_multipliers_(method.constraint_quadrature == Rule::lobatto),
        continues_(m_ == 0 || method.full_order()) {
    declare_blocks();
  }

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    first_ = true;
    guess_at_rest_ = true;
    if (!kinetics_.start(t, x.q, v)) return false;
    v_ = v;
    kinetics_.multiplier(t, x.q, v, lambda_);
    resume(t, x);
    return true;
  }
  void resume(const T& t, const State<System>& x) {
    if (m_ > 0) system_.constraint_jacobian(t, x.q, weighted_, G0_);
  }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    const auto attempt = [&](bool continued) {
      if (continued)
        guess_from_last_step();
      else
        guess_from_node(t0, h, x);
      solve(t0, t1, h, x, report);
    };
    const bool continued = continues_ && !guess_at_rest_;
    attempt(continued);
    if (!succeeded(report.outcome) && !guess_at_rest_) attempt(!continued);
    if (!succeeded(report.outcome)) return;
    accept(t0, t1, h, x, report);
  }

  template <class Archive>
  void archive(Archive& a) {
    a(last_U_, last_mu_, nodal_p_, lambda_, v_, first_, guess_at_rest_, kinetics_, matrix_);
  }

  const Coordinates& attempted_position() const { return q_; }
  template <class Take>
  void raw_values(const State<System>&, const Take& take) const {
    take("p", nodal_p_);
    if (has_raw_multipliers_) take("lambda", lambda_);
  }

 private:
  using Block = typename BlockMatrix<System, Dynamic>::Block;
  using Node = typename GalerkinCoefficients<T>::Node;

  int inner() const { return m_ > 0 ? static_cast<int>(k_.constraint.size()) : 0; }
  bool nodal() const { return m_ > 0 && k_.nodal; }
  int first_inner() const { return nodal() ? 1 : 0; }  // mu_[first_inner() + j] belongs to inner node j
  int column_of_mu(int j) const { return k_.s * n_ + j * m_; }
  int row_of_constraint(int j) const { return k_.s * n_ + j * m_; }
  T node_weight() const { return first_ ? k_.first_weight : k_.later_weight; }

  // ---- guesses ----------------------------------------------------------------------------------------------------

  // Uniform motion with the velocity and the multiplier of the node.
  void guess_from_node(const T& t, const T& h, const State<System>& x) {
    if (!guess_at_rest_) {
      v_ = last_U_.back();
      Lq_ = x.p;
      if (succeeded(kinetics_.project(t, x.q, Lq_, v_))) kinetics_.multiplier(t, x.q, v_, lambda_);
    }
    for (int nu = 1; nu <= k_.s; ++nu)
      for (int i = 0; i < n_; ++i) U_[at(nu - 1)][i] = k_.points[at(nu)] * v_[i];
    for (auto& mu : mu_)
      for (int a = 0; a < m_; ++a) mu[a] = h * lambda_[a];
  }
  void guess_from_last_step() {
    for (int nu = 0; nu < k_.s; ++nu)
      for (int i = 0; i < n_; ++i) {
        T sum(0);
        for (int k = 0; k < k_.s; ++k) sum += k_.continued[at(nu * k_.s + k)] * last_U_[at(k)][i];
        U_[at(nu)][i] = sum;
      }
    const int count = static_cast<int>(mu_.size());
    for (int j = 0; j < count; ++j)
      for (int a = 0; a < m_; ++a) {
        T sum(0);
        for (int k = 0; k < count; ++k) sum += k_.continued_multipliers[at(j * count + k)] * last_mu_[at(k)][a];
        mu_[at(j)][a] = sum;
      }
  }

  // ---- the equations ----------------------------------------------------------------------------------------------
  void place(const Node& node, const T& h, const State<System>& x) {
    for (int i = 0; i < n_; ++i) {
      T value(0), slope(0);
      for (int nu = 1; nu <= k_.s; ++nu) {
        value += node.value[at(nu)] * U_[at(nu - 1)][i];
        slope += node.slope[at(nu)] * U_[at(nu - 1)][i];
      }
      q_[i] = x.q[i] + (h * value + x.q_remainder[i]);
      v_[i] = slope;
    }
  }
  void place_end(const T& h, const State<System>& x) {
    for (int i = 0; i < n_; ++i) q_[i] = x.q[i] + (h * U_.back()[i] + x.q_remainder[i]);
  }

  // L_q + F and L_v at the point set by `place`
  void forces(const T& t) {
    system_.gradient(t, q_, v_, Lq_, Lv_);
    if (!structure_.forces) return;
    system_.force(t, q_, v_, force_);
    for (int i = 0; i < n_; ++i) Lq_[i] += force_[i];
  }

  struct Equations {
    Step& s;
    const T &t0, &t1, &h;
    const State<System>& x;
    Real scale = Real(1);

    Real residual(bool) { return s.evaluate(t0, t1, h, x); }
    bool factorise() { return s.factorise(t0, h, x); }
    Real correct() { return scale * s.correct(); }
    bool settled(const Real& left) const { return s.settled(left, h, x); }
  };

  void solve(const T& t0, const T& t1, const T& h, const State<System>& x, StepReport& report) {
    using std::abs;
    Equations equations{*this, t0, t1, h, x};
    const Real step = abs(value_of(h));
    Real size = size_of(x.q);
    for (const auto& U : U_) size += step * size_of(U) / static_cast<Real>(k_.s);
    equations.scale = size > Real(0) ? step / (size * static_cast<Real>(k_.s)) : Real(1);
    newton<T>(equations, settings_, report);
  }

  // (a), (b), (c)
  Real evaluate(const T& t0, const T& t1, const T& h, const State<System>& x) {
    for (auto& row : balance_) row.fill(T(0));
    for (int i = 0; i < n_; ++i) balance_[0][i] = x.p[i] + x.p_remainder[i];
    for (const Node& node : k_.lagrangian) {
      place(node, h, x);
      forces(t0 + node.c * h);
      for (int nu = 0; nu < k_.s; ++nu) {
        const T position = node.weight * h * node.value[at(nu)], velocity = node.weight * node.slope[at(nu)];
        for (int i = 0; i < n_; ++i) balance_[at(nu)][i] += position * Lq_[i] + velocity * Lv_[i];
      }
    }
    if (nodal()) {
      for (int a = 0; a < m_; ++a) weighted_[a] = node_weight() * mu_[0][a];
      subtract_transposed(G0_, weighted_, balance_[0]);
    }
    for (int j = 0; j < inner(); ++j) {
      const Node& node = k_.constraint[at(j)];
      place(node, h, x);
      system_.constraint_jacobian(t0 + node.c * h, q_, g_[at(j)], G_[at(j)]);
      for (int nu = 0; nu < k_.s; ++nu) {
        if (value_of(node.value[at(nu)]) == Real(0)) continue;
        for (int a = 0; a < m_; ++a) weighted_[a] = node.weight * node.value[at(nu)] * mu_[at(first_inner() + j)][a];
        subtract_transposed(G_[at(j)], weighted_, balance_[at(nu)]);
      }
    }
    place_end(h, x);
    if (nodal()) system_.constraint_jacobian(t1, q_, g_.back(), G_.back());

    for (int nu = 0; nu < k_.s; ++nu)
      for (int i = 0; i < n_; ++i) residual_[nu * n_ + i] = balance_[at(nu)][i];
    for (int j = 0; j < static_cast<int>(g_.size()); ++j)
      for (int a = 0; a < m_; ++a) residual_[row_of_constraint(j) + a] = g_[at(j)][a] / h;
    return size_of(residual_);
  }

  bool factorise(const T& t0, const T& h, const State<System>& x) {
    matrix_.clear();
    for (const Node& node : k_.lagrangian) {
      const T t = t0 + node.c * h;
      place(node, h, x);
      system_.hessian(t, q_, v_, Lqq_, Lqv_, Lvv_);
      for (int nu = 0; nu < k_.s; ++nu)
        for (int k = 1; k <= k_.s; ++k) {
          const T l = node.value[at(nu)], dl = node.slope[at(nu)];
          const T r = h * node.value[at(k)], dr = node.slope[at(k)];
          const std::size_t block = at(nu * k_.s + k - 1);
          matrix_.add(square_[block], node.weight * h * l * r, Lqq_);
          matrix_.add(square_[block], node.weight * h * l * dr, Lqv_);
          matrix_.add_transposed(transposed_square_[block], node.weight * dl * r, Lqv_);
          matrix_.add(square_[block], node.weight * dl * dr, Lvv_);
        }
      if (!structure_.forces) continue;
      system_.force_position_jacobian(t, q_, v_, Lqq_);
      if (structure_.velocity_in_forces) system_.force_velocity_jacobian(t, q_, v_, Lvv_);
      for (int nu = 0; nu < k_.s; ++nu)
        for (int k = 1; k <= k_.s; ++k) {
          const T l = node.weight * h * node.value[at(nu)];
          const std::size_t block = at(nu * k_.s + k - 1);
          matrix_.add(square_[block], l * h * node.value[at(k)], Lqq_);
          if (structure_.velocity_in_forces) matrix_.add(square_[block], l * node.slope[at(k)], Lvv_);
        }
    }
    if (nodal()) matrix_.add_transposed(nodal_reaction_, -node_weight(), G0_);
    for (int j = 0; j < inner(); ++j) {
      const Node& node = k_.constraint[at(j)];
      place(node, h, x);
      system_.constraint_hessian(t0 + node.c * h, q_, mu_[at(first_inner() + j)], H_);
      for (int nu = 0; nu < k_.s; ++nu) {
        const T l = node.weight * node.value[at(nu)];
        if (value_of(l) == Real(0)) continue;
        for (int k = 1; k <= k_.s; ++k)
          if (!(value_of(node.value[at(k)]) == Real(0)))
            matrix_.add(curvature_[at(nu * k_.s + k - 1)], -l * h * node.value[at(k)], H_);
        matrix_.add_transposed(reaction_[at(j * k_.s + nu)], -l, G_[at(j)]);
      }
      for (int k = 1; k <= k_.s; ++k)
        if (!(value_of(node.value[at(k)]) == Real(0)))
          matrix_.add(constraint_[at(j * k_.s + k - 1)], node.value[at(k)], G_[at(j)]);
    }
    place_end(h, x);
    if (nodal()) matrix_.add(end_constraint_, T(1), G_.back());
    return matrix_.factorise();
  }

  Real correct() {
    matrix_.solve(residual_, correction_);
    Real size(0);
    for (int nu = 0; nu < k_.s; ++nu)
      for (int i = 0; i < n_; ++i) {
        using std::abs;
        const T& d = correction_[nu * n_ + i];
        U_[at(nu)][i] -= d;
        size += abs(value_of(d));
      }
    for (std::size_t j = 0; j < mu_.size(); ++j)
      for (int a = 0; a < m_; ++a) mu_[j][a] -= correction_[column_of_mu(static_cast<int>(j)) + a];
    return size;
  }
  bool settled(const Real& left, const T& h, const State<System>& x) const {
    using std::abs;
    for (int nu = 0; nu < k_.s; ++nu)
      for (int i = 0; i < n_; ++i) {
        const Real moved = abs(value_of(h * U_[at(nu)][i])), change = abs(value_of(h * correction_[nu * n_ + i]));
        if (!(left * change <= 4 * epsilon<T>() * (abs(value_of(x.q[i])) + moved))) return false;
      }
    return true;
  }

  // (d), and what the node t0 is known by now
  void accept(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    increment_.fill(T(0));
    for (const Node& node : k_.lagrangian) {
      place(node, h, x);
      forces(t0 + node.c * h);
      for (int i = 0; i < n_; ++i) increment_[i] += node.weight * h * Lq_[i];
    }
    for (int j = 0; j < inner(); ++j) {
      const Node& node = k_.constraint[at(j)];
      place(node, h, x);
      system_.constraint_jacobian(t0 + node.c * h, q_, g_[at(j)], G_[at(j)]);
      for (int a = 0; a < m_; ++a) weighted_[a] = node.weight * mu_[at(first_inner() + j)][a];
      subtract_transposed(G_[at(j)], weighted_, increment_);
    }
    nodal_p_ = x.p;
    if (nodal()) {
      for (int a = 0; a < m_; ++a) weighted_[a] = node_weight() * mu_[0][a];
      subtract_transposed(G0_, weighted_, increment_);
      for (int a = 0; a < m_; ++a) weighted_[a] = k_.nodal_weight * mu_[0][a], lambda_[a] = mu_[0][a] / h;
      if (!first_) subtract_transposed(G0_, weighted_, nodal_p_);
    }
    place_end(h, x);
    if (!is_finite(size_of(increment_))) {
      report.outcome = Outcome::left_domain;
      return;
    }
    for (int i = 0; i < n_; ++i) {
      add_compensated(x.q[i], x.q_remainder[i], h * U_.back()[i]);
      add_compensated(x.p[i], x.p_remainder[i], increment_[i]);
    }
    if (m_ > 0) system_.constraint_jacobian(t1, x.q, weighted_, G0_);
    std::swap(last_U_, U_);
    std::swap(last_mu_, mu_);
    first_ = guess_at_rest_ = false;
  }

  void declare_blocks() {
    for (int nu = 0; nu < k_.s; ++nu)
      for (int k = 1; k <= k_.s; ++k) {
        square_.push_back(matrix_.block(nu * n_, (k - 1) * n_, Lqq_));
        transposed_square_.push_back(matrix_.transposed_block(nu * n_, (k - 1) * n_, Lqq_));
        if (inner() > 0) curvature_.push_back(matrix_.block(nu * n_, (k - 1) * n_, H_));
      }
    if (nodal()) nodal_reaction_ = matrix_.transposed_block(0, column_of_mu(0), G0_);
    for (int j = 0; j < inner(); ++j) {
      for (int nu = 0; nu < k_.s; ++nu)
        reaction_.push_back(matrix_.transposed_block(nu * n_, column_of_mu(first_inner() + j), G0_));
      for (int k = 1; k <= k_.s; ++k) constraint_.push_back(matrix_.block(row_of_constraint(j), (k - 1) * n_, G0_));
    }
    if (nodal()) end_constraint_ = matrix_.block(row_of_constraint(inner()), (k_.s - 1) * n_, G0_);
    matrix_.finish();
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const System& system_;
  Structure structure_;
  SolverSettings<Real> settings_;
  GalerkinCoefficients<T> k_;
  Kinetics<System> kinetics_;
  int n_, m_;
  std::vector<Coordinates> U_, last_U_;
  std::vector<Multipliers> mu_, last_mu_;  // mu^0 first, where there is one
  std::vector<Jacobian> G_;                // at the inner nodes and at the end
  Jacobian G0_;
  std::vector<Coordinates> balance_;
  std::vector<Multipliers> g_;
  Square Lqq_, Lqv_, Lvv_, H_;
  BlockMatrix<System, Dynamic> matrix_;
  std::vector<Block> square_, transposed_square_, curvature_, reaction_, constraint_;
  Block nodal_reaction_{}, end_constraint_{};
  Vec<T> residual_, correction_;
  Coordinates q_, v_, Lq_, Lv_, force_, increment_, nodal_p_;
  Multipliers lambda_, weighted_;
  bool first_ = true, guess_at_rest_ = true, has_raw_multipliers_;
  bool continues_;  // else the multipliers oscillate, and the polynomial of the last step leads astray
};

}  // namespace livens
