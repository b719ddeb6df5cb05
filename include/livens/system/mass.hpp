// The mass matrix M = L_vv with its factorisation. Diagonal ones, the common case, are kept as reciprocals.
#pragma once

#include "livens/math/lu.hpp"

namespace livens {

template <class T, int N>
class Mass {
 public:
  Mass() = default;
  explicit Mass(int size) : lu_(size), matrix_(size, size), reciprocal_(size) {}

  // Fill this, then factorise.
  Mat<T, N, N>& matrix() { return matrix_; }
  const Mat<T, N, N>& matrix() const { return matrix_; }

  // False if M is singular: L is not regular in the velocities.
  bool factorise() {
    const int n = matrix_.rows();
    diagonal_ = true;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (i != j && !(matrix_(i, j) == T(0))) diagonal_ = false;
    if (diagonal_) {
      for (int i = 0; i < n; ++i) {
        reciprocal_[i] = T(1) / matrix_(i, i);
        if (!is_finite(reciprocal_[i])) return false;
      }
      return true;
    }
    lu_.matrix() = matrix_;
    return lu_.factorise();
  }

  // Y = X M^-1 row by row: rows of a constraint Jacobian (M is symmetric); X and Y must be different matrices.
  template <int R>
  void solve_rows(const Mat<T, R, N>& X, Mat<T, R, N>& Y) const {
    const int n = matrix_.rows();
    for (int a = 0; a < X.rows(); ++a) {
      if (diagonal_)
        for (int j = 0; j < n; ++j) Y(a, j) = reciprocal_[j] * X(a, j);
      else
        lu_.solve(X.row(a), Y.row(a));
    }
  }

  // y = M^-1 x; x and y must be different vectors.
  void solve(const Vec<T, N>& x, Vec<T, N>& y) const {
    if (diagonal_)
      for (int i = 0; i < x.size(); ++i) y[i] = reciprocal_[i] * x[i];
    else
      lu_.solve(x.data(), y.data());
  }

 private:
  Lu<T, N> lu_;
  Mat<T, N, N> matrix_;
  Vec<T, N> reciprocal_;
  bool diagonal_ = true;
};

}  // namespace livens
