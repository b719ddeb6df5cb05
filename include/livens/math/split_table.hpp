// A table of coefficients in parts, x = high + low, high being x rounded to ten binary places.
//
// A coefficient that is rounded is wrong by the same amount in every step, and what a method conserves then drifts
// linearly in time. The parts together are right to ten more of them, and the round-off of their products differs from
// step to step: it walks at random. Sums in a wider scalar are made with what low has beyond its last digit, too.
// Source: Hairer, McLachlan, Razakarivony (2008), "Achieving Brouwer's law with implicit Runge-Kutta methods".
#pragma once

#include <cmath>
#include <vector>

#include "livens/math/scalar.hpp"
#include "livens/math/vec.hpp"

namespace livens {

template <class Real>
class SplitTable {
 public:
  SplitTable(int rows, int cols) : high_(rows, cols), low_(high_), rest_(high_) {}

  void set(int i, int j, const Widest& x) {
    const double part = std::round(static_cast<double>(x) * 1024) / 1024;
    high_(i, j) = static_cast<Real>(part);
    low_(i, j) = static_cast<Real>(x - Widest(part));
    rest_(i, j) = static_cast<Real>(x - Widest(part) - Widest(low_(i, j)));
  }
  Real operator()(int i, int j) const { return high_(i, j) + low_(i, j); }

  // y += (i,j) x, in the scalar of y
  template <class From, class To>
  void add(int i, int j, const From& x, To& y) const {
    using W = typename To::Scalar;
    const W high(high_(i, j));
    W low(low_(i, j));
    if constexpr (!std::is_same_v<RealOf<W>, Real>) low += rest_(i, j);
    for (int c = 0; c < y.size(); ++c) y[c] += low * W(x[c]);
    for (int c = 0; c < y.size(); ++c) y[c] += high * W(x[c]);
  }
  // y = sum_j (i,j) x_j
  template <class From, class To>
  void combine(int i, const std::vector<From>& x, To& y) const {
    y.fill(typename To::Scalar(0));
    for (std::size_t j = 0; j < x.size(); ++j) add(i, static_cast<int>(j), x[j], y);
  }

 private:
  Mat<Real> high_, low_, rest_;  // rest_: of low_
};

}  // namespace livens
