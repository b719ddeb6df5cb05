// The part of a system that has no constraints, for what serves systems with and without.
#pragma once

#include "livens/math/vec.hpp"

namespace livens {

template <class T, int N>
struct Unconstrained {
  static constexpr int m = 0;
  using Multipliers = Vec<T, 0>;
  using Jacobian = Mat<T, 0, N>;

  static constexpr int constraints() { return 0; }
  static Jacobian jacobian() { return Jacobian(); }
  static Mat<T, N, N> constraint_square() { return Mat<T, N, N>(); }
  void constraint_jacobian(const T&, const Vec<T, N>&, Multipliers&, Jacobian&) const {}
  void constraint_hessian(const T&, const Vec<T, N>&, const Multipliers&, Mat<T, N, N>&) const {}
};

}  // namespace livens
