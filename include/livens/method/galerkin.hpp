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
// As the l_nu sum up to 1, (a) and (b) are  F_nu = delta_nu,s pi1 , nu = 1..s.  What is solved is this with (d) for
// pi1, multiplied by K^-1, K_nu,k = sum_i b_i l_nu'(c_i) l_k'(c_i). A constant mass matrix then stands alone before the
// velocities, and the matrix of large systems stays sparse:
//
//   (ab)  sum_i C_ki (L_v)_i = d_k pi0 + h sum_i A_ki (L_q + F)_i - sum_j B_kj G_j^T mu^j ,   k = 1..s ,
//         C = K^-1 (b_i l_nu'),   A = K^-1 b_i (l_nu(1) - l_nu(c_i)),   B = K^-1 e_j (l_nu(1) - l_nu(x_j)),  that of
//         mu^0 with omega in place of e_0,  d = K^-1 l_nu(1);  the left side is M U^k where M is constant.
//
// (ab), (c) and (d) are those of stage_solve.hpp, which solves them and says what is done about round-off; this file
// has their table. Remembered between steps: U and mu of the last step, p0 and lambda^0 of its start.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "livens/math/lu.hpp"
#include "livens/math/tableau.hpp"
#include "livens/method/method.hpp"
#include "livens/method/stage_solve.hpp"
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
    if (constraint_quadrature == Rule::gauss) return excess > 0 ? 0 : 2 * ((s + 1) / 2);
    if (constraint_quadrature == Rule::radau) return excess > 1 ? 0 : std::max(2, 2 * degree - 1 - excess);
    if (full_order()) return 2 * degree;
    return std::max(2, excess == 0 ? 2 * degree - 2 : 2 * (degree + 1 - excess));
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

  // (ab), (c), (d) as a table of stages.
  StageTable<Widest> table() const;

  template <class System, int S = Dynamic>
  class Step;

  // Calls f(std::type_identity<...>) with the step to use: for C++ systems of known sizes with the standard options one
  // whose degree is known too, which costs half.
  template <class System, int known = 4, class F>
  auto with_step(const F& f) const {
    if constexpr (HasKnownStructure<System> && std::is_same_v<typename System::Scalar, double> && known > 0) {
      if (s != known || !is_standard()) return with_step<System, known - 1>(f);
      return f(std::type_identity<Step<System, known>>{});
    } else {
      return f(std::type_identity<Step<System>>{});
    }
  }
};

// The numbers of the scheme.
template <class T>
struct GalerkinCoefficients {
  explicit GalerkinCoefficients(const Galerkin& method) : s(method.s) {
    if (const std::string reason = method.inadmissible(); !reason.empty())
      throw std::invalid_argument("galerkin: " + reason);
    points = lobatto<T>(s + 1).nodes;
    for (int nu = 0; nu <= s && method.points == Galerkin::Points::equidistant; ++nu)
      points[static_cast<std::size_t>(nu)] = T(nu) / T(s);
    const int nodes = method.quadrature_nodes(), w = method.multiplier_degree();
    lagrangian = table(method.quadrature == Galerkin::Rule::gauss ? gauss<T>(nodes) : lobatto<T>(nodes));

    Quadrature<T> rule = gauss<T>(w);
    nodal = method.constraint_quadrature != Galerkin::Rule::gauss;
    if (nodal) {  // the ends are treated by themselves
      const bool both_ends = method.constraint_quadrature == Galerkin::Rule::lobatto;
      rule = both_ends ? lobatto<T>(w + 1) : radau<T>(w);
      nodal_weight = rule.weights.back();
      later_weight = both_ends ? T(2 * nodal_weight) : nodal_weight;
      rule.nodes.pop_back(), rule.weights.pop_back();
      if (both_ends) rule.nodes.erase(rule.nodes.begin()), rule.weights.erase(rule.weights.begin());
    }
    constraint = table(rule);
  }

  struct Node {
    T c, weight;
    std::vector<T> value, slope;  // of l_0 .. l_s
  };

  int s;
  std::vector<T> points;  // d_0 .. d_s
  std::vector<Node> lagrangian, constraint;
  bool nodal;                        // there is a multiplier at t0, and g = 0 at t1
  T nodal_weight{}, later_weight{};  // of mu^0: in p0 and, in the first step, in (a); omega in later steps

  int multipliers() const { return static_cast<int>(constraint.size()) + (nodal ? 1 : 0); }

 private:
  std::vector<Node> table(const Quadrature<T>& rule) const {
    const LagrangeBasis<T> basis(points);
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

inline StageTable<Widest> Galerkin::table() const {
  const GalerkinCoefficients<Widest> k(*this);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int r = static_cast<int>(k.lagrangian.size()), inner = static_cast<int>(k.constraint.size());
  const int first_inner = k.nodal ? 1 : 0;
  StageTable<Widest> t;
  t.value = t.slope = Mat<Widest>(r, s);
  t.C = t.A = Mat<Widest>(s, r);
  t.B = Mat<Widest>(s, k.multipliers());
  t.reach = Mat<Widest>(inner + 2 * first_inner, s);
  t.end.assign(at(s), Widest(0)), t.end.back() = 1;
  for (int i = 0; i < r; ++i) {
    const auto& node = k.lagrangian[at(i)];
    t.c.push_back(node.c), t.weight.push_back(node.weight);
    for (int l = 0; l < s; ++l) t.value(i, l) = node.value[at(l + 1)], t.slope(i, l) = node.slope[at(l + 1)];
  }
  if (k.nodal) t.x.push_back(Widest(0)), t.impulse.push_back(k.later_weight);
  for (int j = 0; j < inner; ++j) {
    const auto& node = k.constraint[at(j)];
    t.x.push_back(node.c), t.impulse.push_back(node.weight);
    for (int l = 0; l < s; ++l) t.reach(first_inner + j, l) = node.value[at(l + 1)];
  }
  const std::vector<Widest> places = t.x;  // of the multipliers
  if (k.nodal) t.x.push_back(Widest(1)), t.reach(inner + 1, s - 1) = 1;

  Lu<Widest> K(s);
  for (int nu = 0; nu < s; ++nu)
    for (int l = 0; l < s; ++l) {
      K.matrix()(nu, l) = 0;
      for (int i = 0; i < r; ++i) K.matrix()(nu, l) += t.weight[at(i)] * t.slope(i, nu) * t.slope(i, l);
    }
  if (!K.factorise()) throw std::invalid_argument("galerkin: s = " + std::to_string(s) + " is too large");
  // Column of `to` = K^-1 (y_1 .. y_s)
  Vec<Widest> right(s), x(s);
  const auto put = [&](Mat<Widest>& to, int column, const auto& y) {
    for (int nu = 0; nu < s; ++nu) right[nu] = y(nu);
    K.solve(right, x);
    for (int row = 0; row < s; ++row) to(row, column) = x[row];
  };
  for (int i = 0; i < r; ++i) {
    put(t.C, i, [&](int nu) { return Widest(t.weight[at(i)] * t.slope(i, nu)); });
    put(t.A, i, [&](int nu) { return Widest(t.weight[at(i)] * (t.end[at(nu)] - t.value(i, nu))); });
  }
  for (int j = 0; j < k.multipliers(); ++j)
    put(t.B, j, [&](int nu) { return Widest(t.impulse[at(j)] * (t.end[at(nu)] - t.reach(j, nu))); });
  t.mix = Mat<Widest>(s, s), t.symplectic = true;
  for (int l = 0; l < s; ++l) put(t.mix, l, [&](int nu) { return Widest(nu == l ? 1 : 0); });
  for (int nu = 0; nu < s; ++nu) {
    for (int l = 0; l < nu; ++l) t.mix(l, nu) = t.mix(nu, l);  // to the last bit
    t.d.push_back(t.mix(nu, s - 1));
  }
  if (k.nodal) t.first_impulse = k.nodal_weight;
  for (int nu = 0; nu < s && k.nodal; ++nu) t.first_B.push_back(k.nodal_weight * t.d[at(nu)]);

  // U(1 + d_nu) - U(1), and the multipliers likewise
  const LagrangeBasis<Widest> basis(k.points);
  t.uniform.assign(k.points.begin() + 1, k.points.end());
  t.continued = Mat<Widest>(s, s);
  for (int nu = 0; nu < s; ++nu)
    for (int l = 0; l < s; ++l)
      t.continued(nu, l) = basis.value(l + 1, 1 + k.points[at(nu + 1)]) - (l == s - 1 ? 1 : 0);
  t.continued_multipliers = continuation_of(places);
  return t;
}

// S: the degree s, where it is known when compiling (with_step).
template <class System, int S>
class Galerkin::Step {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  Step(const System& system, const Galerkin& method, const SolverSettings<RealOf<T>>& settings)
      : method_(checked(method)),
        kinetics_(system),
        m_(system.constraints()),
        nodal_weight_(static_cast<RealOf<T>>(GalerkinCoefficients<Widest>(method).nodal_weight)),
        // Else the multipliers oscillate, and the polynomial of the last step leads astray.
        stages_(system, method.table(), settings, m_ == 0 || method.full_order()),
        nodal_p_(system.coordinates()),
        node_v_(nodal_p_),
        work_(nodal_p_),
        lambda_(m_) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    if (!kinetics_.start(t, x.q, v)) return false;
    node_v_ = v;
    kinetics_.multiplier(t, x.q, v, lambda_);
    stages_.start(t, x, v, &kinetics_.mass());
    return true;
  }
  void resume(const T& t, const State<System>& x) { stages_.resume(t, x); }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    run_step<S>([&] {
      const auto from_node = [&](auto& v, auto& lambda) { find_node(t0, x, v, lambda); };
      stages_.solve(t0, t1, h, x, from_node, report);  // (ab), (c)
      if (!succeeded(report.outcome)) return;
      // What the node t0 is known by now
      nodal_p_ = x.p;
      if (m_ > 0 && !method_.momentum_is_complete()) {
        if (!stages_.first()) stages_.subtract_reaction(nodal_weight_, 0, nodal_p_);
        for (int a = 0; a < m_; ++a) lambda_[a] = stages_.mu(0)[a] / h;
      }
      stages_.accept(t1, h, stages_.increment(), x);  // (d)
    });
  }

  template <class Archive>
  void archive(Archive& a) {
    a(nodal_p_, lambda_, node_v_, kinetics_, stages_);
  }

  const Coordinates& attempted_position() const { return stages_.attempted_position(); }
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, method_.momentum_is_complete() ? x.p : nodal_p_);
    if (method_.constraint_quadrature == Rule::lobatto) take(raw_multipliers, lambda_);
  }

 private:
  static const Galerkin& checked(const Galerkin& method) {
    if (S == Dynamic || (method.s == S && method.is_standard())) return method;
    throw std::invalid_argument("galerkin: a step of known degree has the standard options; use Step<System>");
  }

  // Velocity of the projected momentum, and its multiplier.
  void find_node(const T& t, const State<System>& x, Coordinates& v, Multipliers& lambda) {
    if (!stages_.first()) {
      node_v_ = stages_.last_mean_velocity();
      work_ = x.p;
      if (succeeded(kinetics_.project(t, x.q, work_, node_v_))) kinetics_.multiplier(t, x.q, node_v_, lambda_);
    }
    v = node_v_, lambda = lambda_;
  }

  Galerkin method_;
  Kinetics<System> kinetics_;
  Known<System::m> m_;
  T nodal_weight_;
  StageSolve<System, S> stages_;
  Coordinates nodal_p_, node_v_, work_;
  Multipliers lambda_;
};

}  // namespace livens
