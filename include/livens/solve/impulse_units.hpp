// Units of impulses, in which no column of G^T is larger than the masses of its rows:
//
//   unit_a = min_i |M_i| / |G_ai| ,    |M_i|: the largest entry of row i of M.
//
// In SI units of molecules masses of 1e-26 kg stand beside gradients of 1e-10 m: a matrix of both, without units, would
// lose the masses in the round-off of the gradients, and be called singular.
#pragma once

#include <algorithm>
#include <cmath>

#include "livens/math/scalar.hpp"
#include "livens/math/sparse.hpp"
#include "livens/math/vec.hpp"

namespace livens {

// inertia: |M_i|, a workspace. A constraint without gradient keeps the unit 1.
template <class Square, class Jacobian, class Inertia, class Multipliers>
void choose_impulse_units(const Square& M, const Jacobian& G, Inertia& inertia, Multipliers& unit) {
  using std::abs;
  using T = typename Multipliers::Scalar;
  using Real = RealOf<T>;
  for (int i = 0; i < M.rows(); ++i) {
    Real largest(0);
    for_row(M, i, [&](int, const T& x) { largest = std::max(largest, Real(abs(value_of(x)))); });
    inertia[i] = largest;
  }
  for (int a = 0; a < unit.size(); ++a) {
    Real per_mass(0);
    for_row(G, a, [&](int i, const T& x) { per_mass = std::max(per_mass, Real(abs(value_of(x)) / inertia[i])); });
    unit[a] = per_mass > Real(0) ? T(1 / per_mass) : T(1);
  }
}

}  // namespace livens
