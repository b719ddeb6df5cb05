// What rows and update of a step with stages (stage_solve.hpp) are summed from, in a scalar W: that of the system or,
// for the last residual of a step and for the update, the next wider one.
#pragma once

#include <type_traits>

#include "livens/math/wide_products.hpp"
#include "livens/method/stages.hpp"

namespace livens {

// y += factor x
template <class T, class X, class W, int N>
void add_scaled(const T& factor, const X& x, Vec<W, N>& y) {
  for (int c = 0; c < y.size(); ++c) y[c] += W(factor) * W(x[c]);
}
// y = sum_k row_k x_k
template <class T, class Vectors, class W, int N>
void combine_row(const T* row, const Vectors& x, Vec<W, N>& y) {
  for (int c = 0; c < y.size(); ++c) y[c] = W(row[0]) * W(x[0][c]);
  for (std::size_t k = 1; k < x.size(); ++k)
    for (int c = 0; c < y.size(); ++c) y[c] += W(row[k]) * W(x[k][c]);
}
template <class T, class W, int N>
void set_rounded(const Vec<W, N>& from, Vec<T, N>& to) {
  for (int c = 0; c < to.size(); ++c) to[c] = static_cast<T>(from[c]);
}

template <class System, int S, int impulses, class W>
struct StageSums {
  using T = typename System::Scalar;
  using Vector = Vec<W, System::n>;
  static constexpr bool is_wider = !std::is_same_v<W, T>;

  StageSums(int n, int m, int stages, int multipliers)
      : unmixed(several<S>(stages, Vector(n))),
        reaction(several<impulses>(multipliers, Vector(n))),
        work(n),
        impulse_(m) {}

  Several<Vector, S> unmixed;          // (8) of tableau.hpp before the last sum
  Several<Vector, impulses> reaction;  // share_j G_j^T mu_j
  Vector work;

  void set_reaction(int j, const T& share, const typename System::Jacobian& G, const typename System::Multipliers& mu) {
    Vector& sum = reaction[static_cast<std::size_t>(j)];
    if constexpr (is_wider) {
      sum.fill(W(0));
      add_wide_transposed(share, G, mu, sum);
    } else {
      for (int a = 0; a < mu.size(); ++a) impulse_[a] = share * mu[a];
      multiply_transposed(G, impulse_, sum);
    }
  }
  // row = M U
  static void set_inertia(const typename System::Square& M, const typename System::Coordinates& U, Vector& row) {
    if constexpr (is_wider) {
      row.fill(W(0));
      add_wide_product(1, M, U, row);
    } else {
      multiply(M, U, row);
    }
  }

 private:
  typename System::Multipliers impulse_;
};

}  // namespace livens
