// Coefficients of methods with stages. All of them have one set of equations (method/stage_solve.hpp), in unknown
// velocities U_k, k = 1..s, and impulses mu_j, and differ by these numbers only:
//
//   (1)  Q_i = q0 + h sum_k value_ik U_k ,   V_i = sum_k slope_ik U_k           at the times t0 + c_i h , i = 1..r
//   (2)  sum_i C_ki L_v(i) = d_k p0 + h sum_i A_ki f_i - sum_j B_kj G_j^T mu_j
//   (3)  g(X_l)/h = 0 ,   X_l = q0 + h sum_k reach_lk U_k                       at the times t0 + x_l h
//   (4)  q1 = q0 + h sum_k end_k U_k ,   p1 = p0 + h sum_i weight_i f_i - sum_j impulse_j G_j^T mu_j
//
// There are as many multipliers as constraints: G_j is taken at the first so many points, (3) holds at the last so
// many, and most points are both. Rows are given solved for the velocities,  sum_i C_ki slope_il = delta_kl:  a
// constant mass matrix then stands alone before U_k in (2).
//
// Runge-Kutta pairs (runge_kutta.hpp) have value = a, slope = C = 1, d = 1 and A = abar.
//
// Sources: Hairer, Lubich, Wanner (2006), "Geometric Numerical Integration", II.1 and VI.4; Jay (2007), as in
// method/spark.hpp.
//
// Symplectic tables have a symmetric matrix K with
//
//   (6)  K d = end ,   sum_l K_kl A_li = weight_i (end_k - value_ik) ,   sum_l K_kl B_lj = impulse_j (end_k - reach_jk)
//   (7)  K_kk = end_k , diagonal:  Runge-Kutta pairs;      K_kl = sum_i weight_i slope_ik slope_il :  galerkin
//
// (substitute the derivatives of (1) to (4) into dq1^dp1 - dq0^dp0; what is left is sum_kl K_kl dU_k^dU_l). With
// rounded coefficients energy drifts linearly in time, unless rows are formed so that (6) holds for the rounded ones,
// too: factored() below.
//
// Tables are made with the widest scalar, and rounded once.
#pragma once

#include <cstddef>
#include <vector>

#include "livens/math/runge_kutta.hpp"

namespace livens {

template <class T>
struct StageTable {
  std::vector<T> c;     // r
  Mat<T> value, slope;  // r x s
  Mat<T> C, A;          // s x r
  std::vector<T> d;     // s

  std::vector<T> x;        // of the points
  Mat<T> reach;            // points x s
  Mat<T> B;                // s x multipliers
  std::vector<T> first_B;  // in the first step of a run, that of mu_0; empty: no other

  std::vector<T> end, weight, impulse;
  T first_impulse{};  // beside first_B

  // Tables with extra unknowns: value and end multiply share_k U_k, A and weight share_force_i f_i, increments that all
  // rows have in common (exact_pair below). split: what rounding cuts off coefficients is added, too.
  std::vector<T> share, share_force;
  bool split = false;

  // (6), (7) hold: the step is made with them to the last bit.
  bool symplectic = false;
  Mat<T> mix;  // K^-1; empty: the diagonal one

  // Guesses: U of uniform motion with velocity 1, and how U and mu of a step follow from those of the step before if
  // their polynomials are continued.
  std::vector<T> uniform;
  Mat<T> continued, continued_multipliers;

  int stages() const { return A.rows(); }
  int nodes() const { return static_cast<int>(c.size()); }
  int points() const { return static_cast<int>(x.size()); }
  int multipliers() const { return B.cols(); }
};

// l_k(1 + x) for the Lagrange polynomials of nodes x: rows continue values by one step.
inline Mat<Widest> continuation_of(const std::vector<Widest>& nodes) {
  const LagrangeBasis<Widest> basis(nodes);
  Mat<Widest> rows(basis.size(), basis.size());
  for (int i = 0; i < basis.size(); ++i)
    for (int k = 0; k < basis.size(); ++k) rows(i, k) = basis.value(k, 1 + nodes[static_cast<std::size_t>(i)]);
  return rows;
}

// ---- tables of stages -----------------------------------------------------------------------------------------------

// Without constraints: a for the positions, abar for the momenta.
inline StageTable<Widest> partitioned_table(const Tableau& position, const Tableau& momentum) {
  const int s = position.stages();
  StageTable<Widest> t;
  t.c = position.c;
  t.value = position.a, t.A = momentum.a;
  t.slope = t.C = Mat<Widest>(s, s);
  for (int i = 0; i < s; ++i) t.slope(i, i) = t.C(i, i) = 1;
  t.d = t.uniform = std::vector<Widest>(static_cast<std::size_t>(s), Widest(1));
  t.end = t.weight = position.b;
  t.continued = continuation_of(t.c);
  return t;
}

// A symplectic pair with increments  b_k V_k , b_i f_i  that stages and update share, times  mu_ik = a_ik / b_k ;  then
//   (5)  mu_ij + mubar_ji = 1 ,
// which here holds exactly also after rounding to Real: rounded is the larger of the two, and their difference to 1 has
// no rounding. With a and b rounded one by one energy drifts (Kraus 2017, section 5.4).
template <class Real>
StageTable<Widest> exact_pair(const Tableau& position, const Tableau& momentum) {
  using std::abs;
  StageTable<Widest> t = partitioned_table(position, momentum);
  const int s = position.stages();
  const auto b = [&](int i) { return position.b[static_cast<std::size_t>(i)]; };
  const auto rounded = [](const Widest& x) { return Widest(static_cast<Real>(x)); };
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) {
      const Widest mu = position.a(i, j) / b(j), other = momentum.a(j, i) / b(i);
      const bool larger = abs(mu) >= abs(other);
      t.value(i, j) = larger ? rounded(mu) : Widest(1 - rounded(other));
      t.A(j, i) = Widest(1 - t.value(i, j));
    }
  t.share = t.share_force = position.b;
  t.end = t.weight = std::vector<Widest>(static_cast<std::size_t>(s), Widest(1));
  return t;
}

// A pair whose increments are not scaled, in the form of the one before.
inline StageTable<Widest> plain_pair(const Tableau& position, const Tableau& momentum) {
  StageTable<Widest> t = partitioned_table(position, momentum);
  t.share = t.share_force = std::vector<Widest>(position.b.size(), Widest(1));
  return t;
}

// How coefficients are rounded: so that a pair is symplectic to the last bit; with what rounding cuts off; one by one.
enum class Rounding { symplectic, split, rounded };

template <class Real>
StageTable<Widest> table_of(const RungeKuttaPair& pair, Rounding rounding) {
  if (rounding == Rounding::symplectic && pair.symplectic) return exact_pair<Real>(pair.position, pair.momentum);
  StageTable<Widest> t = plain_pair(pair.position, pair.momentum);
  t.split = rounding == Rounding::split;
  return t;
}

// Unknowns and rows that the stages do not know of.
inline void add_unknowns(StageTable<Widest>& t, int more) {
  const int s = t.stages(), all = s + more;
  const auto widened = [](const Mat<Widest>& from, int rows, int cols) {
    Mat<Widest> to(rows, cols);
    for (int i = 0; i < from.rows(); ++i)
      for (int j = 0; j < from.cols(); ++j) to(i, j) = from(i, j);
    return to;
  };
  t.value = widened(t.value, t.nodes(), all), t.slope = widened(t.slope, t.nodes(), all);
  t.C = widened(t.C, all, t.nodes()), t.A = widened(t.A, all, t.nodes());
  t.continued = widened(t.continued, all, all);
  t.share.resize(static_cast<std::size_t>(all), Widest(1));
  for (auto* numbers : {&t.d, &t.end, &t.uniform}) numbers->resize(static_cast<std::size_t>(all), Widest(0));
}

// Adds constraints to a table at points x_0 = 0 < ... < x_k = 1, multipliers at all but the last.  B: stages x k.
inline void add_constraints(StageTable<Widest>& t, const Quadrature<Widest>& rule, const Mat<Widest>& reach,
                            const Mat<Widest>& B) {
  t.x = rule.nodes, t.reach = reach, t.B = B;
  t.impulse.assign(rule.weights.begin(), rule.weights.end() - 1);
  t.continued_multipliers = continuation_of({t.x.begin(), t.x.end() - 1});
}

// Gauss stages, constraints at Lobatto points x_0 .. x_s with weights w_j:
//   reach_lj = abar_lj = int_0^{x_l} l_j ,    B_ij = at_ij = w_j (1 - abar_ji / b_i) ,
// the second being the condition of symplecticity  b_i at_ij + w_j abar_ji = b_i w_j .
inline StageTable<Widest> gauss_lobatto_spark(int s) {
  const Tableau g = gauss_tableau(s);
  StageTable<Widest> t = partitioned_table(g, g);
  const Quadrature<Widest> rule = lobatto<Widest>(s + 1);
  const LagrangeBasis<Widest> basis(g.c);
  Mat<Widest> abar(s + 1, s), at(s, s);
  for (int j = 0; j < s; ++j) {
    for (int l = 1; l < s; ++l) abar(l, j) = basis.integral(j, rule.nodes[static_cast<std::size_t>(l)]);
    abar(s, j) = g.b[static_cast<std::size_t>(j)];
  }
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j)
      at(i, j) = rule.weights[static_cast<std::size_t>(j)] * (1 - abar(j, i) / g.b[static_cast<std::size_t>(i)]);
  add_constraints(t, rule, abar, at);
  t.symplectic = true;
  return t;
}

// ---- rounding -------------------------------------------------------------------------------------------------------

// A Runge-Kutta pair in the unknowns  end_k U_k :  a symplectic one then has  end = 1  and  mix = K^-1 = (end_k).
inline StageTable<Widest> in_increments(StageTable<Widest> t) {
  const int s = t.stages();
  const std::vector<Widest> b = t.end;
  const auto of = [&](int k) { return b[static_cast<std::size_t>(k)]; };
  t.mix = Mat<Widest>(s, s);
  for (int k = 0; k < s; ++k) {
    t.mix(k, k) = of(k);
    for (int i = 0; i < t.nodes(); ++i)
      t.value(i, k) /= of(k), t.slope(i, k) /= of(k), t.A(k, i) *= of(k), t.C(k, i) *= of(k);
    for (int l = 0; l < t.points(); ++l) t.reach(l, k) /= of(k);
    for (int j = 0; j < t.multipliers(); ++j) t.B(k, j) *= of(k);
    for (int l = 0; l < s; ++l) t.continued(k, l) *= of(k) / of(l);
  }
  for (auto* numbers : {&t.d, &t.first_B, &t.uniform})
    for (std::size_t k = 0; k < numbers->size(); ++k) (*numbers)[k] *= b[k];
  t.end.assign(b.size(), Widest(1));
  return t;
}

// A table as a step applies it: to the vectors  share_force_i f_i  and  share_impulse_j G_j^T mu_j  that rows and
// update have in common, rows of (2) mixed by a symmetric matrix at the end:
//
//   (8)  sum_i C_ki L_v(i) = sum_l mix_kl ( d_l p0 + h sum_i A_li (share f)_i - sum_j B_lj (share G^T mu)_j )
//
// For a symplectic table with K^-1 = mix, all end_l being 0 or 1,
//   d = end ,   A_li = end_l - value_il ,   B_lj = end_l - reach_jl ;
// these differences are exact for the rounded numbers, and with them (6): rounded is the larger one of the two.
struct FactoredTable {
  StageTable<Widest> table;
  std::vector<Widest> share_impulse;
  Widest first_share_impulse{};  // in the first step of a run, that of mu_0
};

// x and 1 - x, one of them rounded to Real so that the other is exact.
template <class Real>
Widest rounded_beside_one(const Widest& x) {
  using std::abs;
  const auto rounded = [](const Widest& y) { return Widest(static_cast<Real>(y)); };
  const Widest other = 1 - x;
  return abs(x) >= abs(other) ? rounded(x) : Widest(1 - rounded(other));
}

template <class Real>
FactoredTable factored(StageTable<Widest> t) {
  const std::vector<Widest> ones(static_cast<std::size_t>(t.multipliers()), Widest(1));
  if (!t.symplectic) return {std::move(t), ones, Widest(1)};
  const auto rounded = [&](const Widest& x, const Widest& end) {
    return end == 1 ? rounded_beside_one<Real>(x) : Widest(static_cast<Real>(x));
  };
  for (int k = 0; k < t.stages(); ++k) {
    const Widest& end = t.end[static_cast<std::size_t>(k)];
    for (int i = 0; i < t.nodes(); ++i) {
      t.value(i, k) = rounded(t.value(i, k), end), t.A(k, i) = end - t.value(i, k);
      t.C(k, i) = t.slope(i, k);  // of share_force_i L_v(i), where M is not constant
    }
    for (int l = 0; l < t.points(); ++l) t.reach(l, k) = rounded(t.reach(l, k), end);
    for (int j = 0; j < t.multipliers(); ++j) t.B(k, j) = end - t.reach(j, k);
  }
  t.d = t.end;
  t.share_force = t.weight, t.weight.assign(t.weight.size(), Widest(1));
  FactoredTable f{std::move(t), ones, Widest(1)};
  std::swap(f.share_impulse, f.table.impulse);
  const bool another = !f.table.first_B.empty();
  if (f.table.multipliers() > 0) f.first_share_impulse = another ? f.table.first_impulse : f.share_impulse.front();
  return f;
}

}  // namespace livens
