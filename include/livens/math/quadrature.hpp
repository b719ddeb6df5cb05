// Quadrature rules of Gauss, Lobatto and Radau (right end) on [0, 1], with any number k of nodes.
//
//   int_0^1 f = sum_i b_i f(c_i)  for polynomials f of degree below `order`:  2k, 2k-2, 2k-1
//
// Source: Abramowitz & Stegun 25.4.29-32, moved to [0, 1] by x = 2c - 1, L_j = L_j(x) the Legendre polynomials. The
// derivative of each f comes from Legendre's equation and (1-x^2) L_k' = k (L_{k-1} - x L_k).
//
//             inner nodes: f = 0             Newton's step f/f' in c                       weight
//   Gauss     L_k                            2c(1-c) L_k / (k (L_{k-1} - x L_k))           4c(1-c) / (k L_{k-1})^2
//   Lobatto   x L_{k-1} - L_{k-2}            (x L_{k-1} - L_{k-2}) / (2k L_{k-1})          1 / (k(k-1) L_{k-1}^2)
//   Radau     L_k - L_{k-1}                  c (L_k - L_{k-1}) / (k (L_k + L_{k-1}))       c / (k L_{k-1})^2
//   end nodes, where there are any: 1/(k(k-1)) for Lobatto, 1/k^2 for Radau
//
// The inner nodes are zeros of the Jacobi polynomial of degree n with alpha = 1 where the right end is a node, beta = 1
// where the left end is (else 0); in this order Newton starts from the asymptotic values (Szego, 8.21)
//   c = cos^2(theta/2) ,   theta_i = (i + alpha/2 - 1/4) pi / (n + (alpha+beta+1)/2) ,   i = n .. 1.
//
// The last steps are taken with twice the digits of T, so that nodes and weights are correctly rounded: mirror nodes
// have equal weights, and nodes near 0 lose nothing to 1 + x.
#pragma once

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/math/legendre.hpp"
#include "livens/math/scalar.hpp"

namespace livens {

template <class T>
struct Quadrature {
  std::vector<T> nodes{}, weights{};  // nodes ascending
  int order = 0;                      // exact for degrees up to order - 1

  int size() const { return static_cast<int>(nodes.size()); }
  void add(const T& node, const T& weight) {
    nodes.push_back(node);
    weights.push_back(weight);
  }
};

namespace detail {

struct GaussNodes {
  int k;
  template <class S>
  S newton_step(const S& c) const {
    const S x = S(2) * c - S(1);
    const auto [lower, upper] = legendre_pair(k, x);
    return S(2) * c * (S(1) - c) * upper / (S(k) * (lower - x * upper));
  }
  template <class S>
  S weight(const S& c) const {
    const S root = S(k) * legendre_pair(k, S(2) * c - S(1)).lower;
    return S(4) * c * (S(1) - c) / (root * root);
  }
};

struct LobattoNodes {
  int k;
  template <class S>
  S newton_step(const S& c) const {
    const S x = S(2) * c - S(1);
    const auto [lower, upper] = legendre_pair(k - 1, x);
    return (x * upper - lower) / (S(2 * k) * upper);
  }
  template <class S>
  S weight(const S& c) const {
    const S root = legendre_pair(k - 1, S(2) * c - S(1)).upper;
    return S(1) / (S(k) * S(k - 1) * root * root);
  }
};

struct RadauNodes {
  int k;
  template <class S>
  S newton_step(const S& c) const {
    const auto [lower, upper] = legendre_pair(k, S(2) * c - S(1));
    return c * (upper - lower) / (S(k) * (upper + lower));
  }
  template <class S>
  S weight(const S& c) const {
    const S root = S(k) * legendre_pair(k, S(2) * c - S(1)).lower;
    return c / (root * root);
  }
};

template <class T, class Rule>
void add_inner_nodes(const Rule& rule, int n, int alpha, int beta, Quadrature<T>& quadrature) {
  using std::abs;
  using std::sqrt;
  for (int i = n; i >= 1; --i) {
    const double theta = (i + 0.5 * alpha - 0.25) * std::numbers::pi / (n + 0.5 * (alpha + beta + 1));
    T c = T(std::cos(theta / 2) * std::cos(theta / 2));
    T step;
    do {
      step = rule.newton_step(c);
      c -= step;
    } while (abs(step) > sqrt(epsilon<T>()) * c);  // the next step would reach round-off

    DoubleWord<T> fine(c);
    for (int correction = 0; correction < 2; ++correction) fine = fine - rule.newton_step(fine);
    quadrature.add(fine.high, rule.weight(fine).high);
  }
}

inline void require_nodes(const char* rule, int k, int least) {
  if (k < least)
    throw std::invalid_argument(std::string(rule) + ": " + std::to_string(k) + " nodes; ask for at least " +
                                std::to_string(least));
}

}  // namespace detail

template <class T>
Quadrature<T> gauss(int k) {
  detail::require_nodes("gauss", k, 1);
  Quadrature<T> quadrature{.order = 2 * k};
  detail::add_inner_nodes(detail::GaussNodes{k}, k, 0, 0, quadrature);
  return quadrature;
}

template <class T>
Quadrature<T> lobatto(int k) {
  detail::require_nodes("lobatto", k, 2);
  Quadrature<T> quadrature{.order = 2 * k - 2};
  const T end_weight = T(1) / T(k * (k - 1));
  quadrature.add(T(0), end_weight);
  detail::add_inner_nodes(detail::LobattoNodes{k}, k - 2, 1, 1, quadrature);
  quadrature.add(T(1), end_weight);
  return quadrature;
}

// The rule of the Radau IIA methods: the right end is a node.
template <class T>
Quadrature<T> radau(int k) {
  detail::require_nodes("radau", k, 1);
  Quadrature<T> quadrature{.order = 2 * k - 1};
  detail::add_inner_nodes(detail::RadauNodes{k}, k - 1, 1, 0, quadrature);
  quadrature.add(T(1), T(1) / T(k * k));
  return quadrature;
}

}  // namespace livens
