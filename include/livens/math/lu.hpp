// LU factorisation P A = L U with scaled partial pivoting, for any scalar, sizes fixed or run-time.
//
// Rows are compared relative to their own largest entry, so that constraints written in different units do not decide
// the pivots. Singular is a pivot below (size * epsilon), measured after scaling rows and then columns to largest
// entries of one.
#pragma once

#include <algorithm>
#include <utility>

#include "livens/math/vec.hpp"

namespace livens {

template <class T, int N = Dynamic>
class Lu {
 public:
  using Real = RealOf<T>;

  Lu() = default;
  explicit Lu(int size) : a_(size, size), order_(size), scale_(size) {}

  int size() const { return a_.rows(); }

  // Fill this, then factorise in place.
  Mat<T, N, N>& matrix() { return a_; }

  // False if the matrix is singular to working precision or not finite; singular_column() then names the column.
  bool factorise() {
    using std::abs;
    const int n = size();
    const Real tiny = static_cast<Real>(n) * epsilon<T>();
    if constexpr (N == 1) {  // the pendulum's case: no pivoting, one division
      if (a_(0, 0) == T(0)) return false;
      a_(0, 0) = T(1) / a_(0, 0);
      return true;
    }
    for (int i = 0; i < n; ++i) {
      order_[i] = i;
      Real largest(0);
      for (int j = 0; j < n; ++j) {
        const Real a = abs(value_of(a_(i, j)));
        if (!(a <= largest)) largest = a;
      }
      singular_column_ = i;
      if (!(largest > Real(0)) || !is_finite(largest)) return false;
      scale_[i] = Real(1) / largest;
    }
    for (int k = 0; k < n; ++k) {
      int pivot = k;
      Real best = abs(value_of(a_(k, k))) * scale_[k];
      for (int i = k + 1; i < n; ++i) {
        const Real size_here = abs(value_of(a_(i, k))) * scale_[i];
        if (size_here > best) best = size_here, pivot = i;
      }
      singular_column_ = k;
      if (!(best > tiny) && !(best > tiny * column_size(k))) return false;
      if (pivot != k) {
        for (int j = 0; j < n; ++j) std::swap(a_(k, j), a_(pivot, j));
        std::swap(order_[k], order_[pivot]);
        std::swap(scale_[k], scale_[pivot]);
      }
      const T inverse = T(1) / a_(k, k);
      for (int i = k + 1; i < n; ++i) {
        const T factor = a_(i, k) * inverse;
        a_(i, k) = factor;
        if (vanishes(factor)) continue;  // mechanisms leave many structural zeros
        for (int j = k + 1; j < n; ++j) a_(i, j) -= factor * a_(k, j);
      }
      a_(k, k) = inverse;
    }
    return true;
  }

  // 1 or -1, of the factorised matrix.
  int determinant_sign() const {
    int sign = 1;
    for (int k = 0; k < size(); ++k) {
      if (value_of(a_(k, k)) < Real(0)) sign = -sign;
      if constexpr (N == 1) return sign;
      for (int i = 0; i < k; ++i)
        if (order_[i] > order_[k]) sign = -sign;
    }
    return sign;
  }

  // x = A^-1 b; b and x must be different vectors.
  void solve(const Vec<T, N>& b, Vec<T, N>& x) const { solve(b.data(), x.data()); }
  void solve(const T* b, T* x) const {
    const int n = size();
    if constexpr (N == 1) {
      x[0] = a_(0, 0) * b[0];
      return;
    }
    const auto forward = [&](int i) {
      T sum = b[order_[i]];
      for (int j = 0; j < i; ++j) sum -= a_(i, j) * x[j];
      x[i] = sum;
    };
    const auto backward = [&](int i) {
      T sum = x[i];
      for (int j = i + 1; j < n; ++j) sum -= a_(i, j) * x[j];
      x[i] = sum * a_(i, i);
    };
    if constexpr (N != Dynamic && N <= 12) {  // written out: half the instructions
#pragma GCC unroll 12
      for (int i = 0; i < N; ++i) forward(i);
#pragma GCC unroll 12
      for (int i = N - 1; i >= 0; --i) backward(i);
    } else {
      for (int i = 0; i < n; ++i) forward(i);
      for (int i = n - 1; i >= 0; --i) backward(i);
    }
  }

  int singular_column() const {
    return singular_column_;
  }

 private:
  // The largest entry of column k of A, rows scaled, from what k steps of the elimination have made of it.
  Real column_size(int k) const {
    using std::abs;
    Real largest(0);
    for (int i = 0; i < size(); ++i) {
      T entry = a_(i, k);
      for (int j = 0; j < std::min(i, k); ++j) entry += a_(i, j) * a_(j, k);
      largest = std::max(largest, Real(abs(value_of(entry)) * scale_[i]));
    }
    return largest;
  }

  Mat<T, N, N> a_;  // after factorise: unit lower triangle, upper triangle, inverse pivots on the diagonal
  Vec<int, N> order_;
  Vec<Real, N> scale_;  // one over the largest entry of a row
  int singular_column_ = 0;
};

}  // namespace livens
