// Legendre polynomials P_0 .. P_{s-1}, orthonormal on [0,1], at k Gauss points c_l with weights b_l: what a
// line-integral method makes its sums with. In two parts, as split_table.hpp says why.
#pragma once

#include <vector>

#include "livens/math/legendre.hpp"
#include "livens/math/quadrature.hpp"
#include "livens/math/split_table.hpp"

namespace livens {

template <class Real>
struct LegendreTable {
  LegendreTable(int k, int s) : P(k, s), W(k, s), I(k, s) {
    const Quadrature<Widest> rule = gauss<Widest>(k);
    std::vector<Widest> value(static_cast<std::size_t>(s)), integral(value);
    for (int l = 0; l < k; ++l) {
      const Widest &c = rule.nodes[static_cast<std::size_t>(l)], &b = rule.weights[static_cast<std::size_t>(l)];
      legendre_values(s, c, value.data());
      legendre_integrals(s, c, integral.data());
      for (int j = 0; j < s; ++j) {
        P.set(l, j, value[static_cast<std::size_t>(j)]);
        W.set(l, j, b * value[static_cast<std::size_t>(j)]);
        I.set(l, j, integral[static_cast<std::size_t>(j)]);
      }
    }
  }
  SplitTable<Real> P, W, I;  // P_j(c_l), b_l P_j(c_l), int_0^{c_l} P_j
};

}  // namespace livens
