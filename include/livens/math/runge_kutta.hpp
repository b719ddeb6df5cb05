// Tableaus of Runge-Kutta methods and of partitioned pairs of them, any number of stages, made with the widest scalar.
//
// A pair a, abar with common weights is symplectic if
//
//   (1)  b_i abar_ij + b_j a_ji = b_i b_j .
//
// Sources: Hairer, Lubich, Wanner (2006), "Geometric Numerical Integration", II.1 and VI.4; Jay (1996), "Symplectic
// partitioned Runge-Kutta methods for constrained Hamiltonian systems"; Kraus (2017), "Projected variational
// integrators for degenerate Lagrangian systems", sections 3 and 5.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "livens/math/lagrange.hpp"
#include "livens/math/quadrature.hpp"
#include "livens/math/vec.hpp"

namespace livens {

struct Tableau {
  std::vector<Widest> c, b;
  Mat<Widest> a;
  int stages() const { return a.rows(); }
};

// a_ij = int_0^{c_i} l_j ,   b_j = int_0^1 l_j :  Gauss, Lobatto IIIA
inline Tableau collocation(const Quadrature<Widest>& rule) {
  const LagrangeBasis<Widest> basis(rule.nodes);
  const int s = basis.size();
  Tableau t{rule.nodes, rule.weights, Mat<Widest>(s, s)};
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) t.a(i, j) = basis.integral(j, t.c[static_cast<std::size_t>(i)]);
  return t;
}
inline Tableau gauss_tableau(int s) {
  return collocation(gauss<Widest>(s));
}
inline Tableau lobatto_IIIA(int s) {
  return collocation(lobatto<Widest>(s));
}
// The other one of the pair (1).
inline Tableau symplectic_partner(const Tableau& t) {
  Tableau other = t;
  for (int i = 0; i < t.stages(); ++i)
    for (int j = 0; j < t.stages(); ++j)
      other.a(i, j) = t.b[static_cast<std::size_t>(j)] * (1 - t.a(j, i) / t.b[static_cast<std::size_t>(i)]);
  return other;
}
inline Tableau lobatto_IIIB(int s) {
  return symplectic_partner(lobatto_IIIA(s));
}
// a_i1 = b_1 , and exact for polynomials p of degree s-2:  sum_{j>1} a_ij p(c_j) = int_0^{c_i} p - b_1 p(0)
inline Tableau lobatto_IIIC(int s) {
  const Quadrature<Widest> rule = lobatto<Widest>(s);
  const LagrangeBasis<Widest> basis({rule.nodes.begin() + 1, rule.nodes.end()});
  Tableau t{rule.nodes, rule.weights, Mat<Widest>(s, s)};
  for (int i = 0; i < s; ++i) {
    t.a(i, 0) = t.b.front();
    for (int j = 1; j < s; ++j)
      t.a(i, j) = basis.integral(j - 1, t.c[static_cast<std::size_t>(i)]) - t.b.front() * basis.value(j - 1, Widest(0));
  }
  return t;
}
inline Tableau lobatto_IIIC_star(int s) {
  return symplectic_partner(lobatto_IIIC(s));
}
inline Tableau mean_of(const Tableau& first, const Tableau& second) {
  Tableau t = first;
  for (int i = 0; i < t.stages(); ++i)
    for (int j = 0; j < t.stages(); ++j) t.a(i, j) = (first.a(i, j) + second.a(i, j)) / 2;
  return t;
}
// Each its own partner (Kraus 2017, section 5; the displayed definitions are exchanged there).
inline Tableau lobatto_IIID(int s) {
  return mean_of(lobatto_IIIC(s), lobatto_IIIC_star(s));
}
inline Tableau lobatto_IIIE(int s) {
  return mean_of(lobatto_IIIA(s), lobatto_IIIB(s));
}
inline Tableau radau_IIA(int s) {
  return collocation(radau<Widest>(s));
}
// Nodes and weights of Gauss 3; symplectic, self-adjoint, order 4, with the middle stage b/2: there q and p are the
// means of start and end. Source: Kraus (2017), section 5, its table recomputed from these properties.
inline Tableau srk3() {
  using std::sqrt;
  Tableau t = gauss_tableau(3);
  const Widest g = sqrt(Widest(15)) / 10;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t.a(i, j) = t.b[static_cast<std::size_t>(j)] / 2;
  t.a(0, 2) -= g, t.a(2, 0) += g;
  return t;
}

// v with  sum_j a_ij v_j = 0  for Lobatto IIIA, and largest entry 1:  v_j = w'(c_j) ,  w(x) = prod (x - c_j) ,  for the
// integral of the polynomial through the v_j is then w, which vanishes at all nodes.
inline std::vector<Widest> null_vector_of_IIIA(const std::vector<Widest>& c) {
  using std::abs;
  std::vector<Widest> v;
  Widest largest(0);
  for (std::size_t i = 0; i < c.size(); ++i) {
    Widest product(1);
    for (std::size_t j = 0; j < c.size(); ++j)
      if (j != i) product *= c[i] - c[j];
    v.push_back(product);
    if (abs(product) > largest) largest = abs(product);
  }
  for (Widest& x : v) x /= largest;
  return v;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

enum class PairFamily { gauss, lobatto_IIIA, lobatto_IIIB, lobatto_IIIC, lobatto_IIID, lobatto_IIIE, srk3, radau_IIA };

struct RungeKuttaPair {
  Tableau position, momentum;
  bool symplectic = true, self_adjoint = true;
  std::vector<Widest> null_vector = {};  // v of IIIA-IIIB and IIIB-IIIA: the matrix of IIIA is singular
  // R(infinity) of the stability function, the factor of what vanishes on the stages only; of IIIC-IIIC*, where it is 0
  // for one and infinite for the other, the sign of the public code.
  int R = 0;
};

// Why there is no such pair; empty: there is.
inline std::string inadmissible_stages(PairFamily family, int s) {
  const bool one = family == PairFamily::gauss || family == PairFamily::radau_IIA;
  const int least = one ? 1 : 2;
  const std::string given = "stages = " + std::to_string(s);
  if (family == PairFamily::srk3) return s == 3 ? "" : given + ": srk3 has 3 stages";
  return s >= least ? "" : given + ": this tableau has at least " + std::to_string(least);
}

inline RungeKuttaPair pair_of(PairFamily family, int s) {
  const int alternating = s % 2 == 0 ? 1 : -1;
  const auto alone = [](const Tableau& t, int R) { return RungeKuttaPair{.position = t, .momentum = t, .R = R}; };
  const Tableau IIIA = s > 1 ? lobatto_IIIA(s) : Tableau{};
  switch (family) {
    case PairFamily::lobatto_IIIA:
      return {
          .position = IIIA, .momentum = lobatto_IIIB(s), .null_vector = null_vector_of_IIIA(IIIA.c), .R = -alternating};
    case PairFamily::lobatto_IIIB:
      return {
          .position = lobatto_IIIB(s), .momentum = IIIA, .null_vector = null_vector_of_IIIA(IIIA.c), .R = -alternating};
    case PairFamily::lobatto_IIIC:
      return {.position = lobatto_IIIC(s), .momentum = lobatto_IIIC_star(s), .self_adjoint = false, .R = -alternating};
    case PairFamily::lobatto_IIID:
      return alone(lobatto_IIID(s), alternating);
    case PairFamily::lobatto_IIIE:
      return alone(lobatto_IIIE(s), alternating);
    case PairFamily::srk3:
      return alone(srk3(), -1);
    case PairFamily::radau_IIA:
      return {.position = radau_IIA(s), .momentum = radau_IIA(s), .symplectic = false, .self_adjoint = false};
    case PairFamily::gauss:
      break;
  }
  return alone(gauss_tableau(s), alternating);
}

}  // namespace livens
