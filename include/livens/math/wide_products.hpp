// Products with matrices in the scalar of the result, which may be a wider one than theirs: for sums whose rounding
// would add up over long runs.
#pragma once

#include "livens/math/sparse.hpp"

namespace livens {

// y += factor A x
template <class Factor, class Matrix, class X, class Y>
void add_wide_product(const Factor& factor, const Matrix& A, const X& x, Y& y) {
  using W = typename Y::Scalar;
  for (int i = 0; i < y.size(); ++i) {
    W sum(0);
    for_row(A, i, [&](int j, const auto& entry) { sum += W(entry) * W(x[j]); });
    y[i] += W(factor) * sum;
  }
}

// y += factor A^T x
template <class Factor, class Matrix, class X, class Y>
void add_wide_transposed(const Factor& factor, const Matrix& A, const X& x, Y& y) {
  using W = typename Y::Scalar;
  for (int i = 0; i < x.size(); ++i) {
    const W scaled = W(factor) * W(x[i]);
    for_row(A, i, [&](int j, const auto& entry) { y[j] += W(entry) * scaled; });
  }
}

}  // namespace livens
