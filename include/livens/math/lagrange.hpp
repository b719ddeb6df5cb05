// Lagrange polynomials l_nu of given distinct nodes c_0 .. c_{n-1}:  l_nu(c_mu) = delta_{nu mu}.
//
//   l_nu(c) = prod_{j != nu} (c - c_j) / prod_{j != nu} (c_nu - c_j)
//
// The product form is accurate to a few eps per factor wherever c is; it has no quotient that degenerates at or near a
// node, and at the nodes it gives 0 and 1 exactly, because numerator and denominator are formed in the same order.
// Derivatives follow the product rule factor by factor. Integrals are Gauss sums on [0, c] with enough points to be
// exact.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "livens/math/quadrature.hpp"

namespace livens {

template <class T>
class LagrangeBasis {
 public:
  explicit LagrangeBasis(std::vector<T> nodes) : nodes_(std::move(nodes)) {
    if (nodes_.empty()) throw std::invalid_argument("LagrangeBasis: no nodes; give at least 1");
    for (int nu = 0; nu < size(); ++nu) {
      denominators_.push_back(product(nu, node(nu)).value);
      if (denominators_.back() == T(0))
        throw std::invalid_argument("LagrangeBasis: node " + std::to_string(nu) + " = " +
                                    std::to_string(to_double(node(nu))) + " occurs twice; give distinct nodes");
    }
    gauss_ = gauss<T>((size() + 1) / 2);
  }

  int size() const { return static_cast<int>(nodes_.size()); }
  int degree() const { return size() - 1; }
  const std::vector<T>& nodes() const { return nodes_; }

  T value(int nu, const T& c) const { return product(nu, c).value / denominator(nu); }
  T derivative(int nu, const T& c) const { return product(nu, c).slope / denominator(nu); }

  // int_0^c l_nu
  T integral(int nu, const T& c) const {
    T sum(0);
    for (std::size_t i = 0; i < gauss_.nodes.size(); ++i) sum += gauss_.weights[i] * value(nu, c * gauss_.nodes[i]);
    return c * sum;
  }

 private:
  struct Product {
    T value{1}, slope{0};
  };

  // prod_{j != nu} (c - c_j) and its derivative
  Product product(int nu, const T& c) const {
    Product result;
    for (int j = 0; j < size(); ++j) {
      if (j == nu) continue;
      const T factor = c - node(j);
      result.slope = result.slope * factor + result.value;
      result.value *= factor;
    }
    return result;
  }

  const T& node(int j) const { return nodes_[static_cast<std::size_t>(j)]; }
  const T& denominator(int nu) const { return denominators_[static_cast<std::size_t>(nu)]; }

  std::vector<T> nodes_, denominators_;
  Quadrature<T> gauss_;
};

}  // namespace livens
