// A dense matrix within a band, put together from blocks (the interface of block_matrix.hpp) and factorised in place,
// P A = L U with row interchanges inside the band: time and memory are linear in the number of rows, and no diagonal
// block need be regular, as in the equations of constrained motion none is.
// Source: Golub, Van Loan, Matrix Computations (4th ed.), algorithm 4.3.2; pivots are compared as in math/lu.hpp,
// relative to the largest entry of their row.
//
// Row i is stored from column i - lower on; interchanges widen the upper part to upper + lower.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "livens/math/vec.hpp"

namespace livens {

template <class T>
class BandMatrix {
 public:
  using Real = RealOf<T>;
  struct Block {
    int row, col;
  };

  template <class System>
  BandMatrix(const System&, int size) : size_(size) {}

  template <class Matrix>
  Block block(int row, int col, const Matrix& like) {
    return declare(row, col, like.rows(), like.cols());
  }
  template <class Matrix>
  Block transposed_block(int row, int col, const Matrix& like) {
    return declare(row, col, like.cols(), like.rows());
  }
  void finish() {
    width_ = 2 * lower_ + upper_ + 1;
    a_.resize(static_cast<std::size_t>(size_) * static_cast<std::size_t>(width_));
    pivot_.resize(static_cast<std::size_t>(size_));
    scale_.resize(static_cast<std::size_t>(size_));
    column_.resize(static_cast<std::size_t>(size_));
  }

  void clear() { std::fill(a_.begin(), a_.end(), T(0)); }
  template <int R, int C>
  void add(const Block& at, const T& factor, const Mat<T, R, C>& B) {
    for (int i = 0; i < B.rows(); ++i)
      for (int j = 0; j < B.cols(); ++j) entry(at.row + i, at.col + j) += factor * B(i, j);
  }
  template <int R, int C>
  void add_transposed(const Block& at, const T& factor, const Mat<T, R, C>& B) {
    for (int i = 0; i < B.rows(); ++i)
      for (int j = 0; j < B.cols(); ++j) entry(at.row + j, at.col + i) += factor * B(i, j);
  }

  // factor (diag(unit) B)^T
  template <int R, int C>
  void add_transposed(const Block& at, const T& factor, const Vec<T, R>& unit, const Mat<T, R, C>& B) {
    for (int i = 0; i < B.rows(); ++i) {
      const T scaled = factor * unit[i];
      for (int j = 0; j < B.cols(); ++j) entry(at.row + j, at.col + i) += scaled * B(i, j);
    }
  }

  // False if the matrix is singular to working precision or not finite.
  bool factorise() {
    using std::abs;
    if (!compare_rows()) return false;
    const Real tiny = static_cast<Real>(width_) * epsilon<T>();
    for (int k = 0; k < size_; ++k) {
      int pivot = k;
      Real best(0);
      for (int i = k; i < below(k); ++i) {
        const Real here = abs(value_of(entry(i, k))) * scale_[at(i)];
        if (here > best) best = here, pivot = i;
      }
      if (!(best > tiny * column_[at(k)])) return false;
      pivot_[at(k)] = pivot;
      const int end = right(k + lower_);
      if (pivot != k) {
        std::swap_ranges(&entry(k, k), &entry(k, k) + (end - k), &entry(pivot, k));
        std::swap(scale_[at(k)], scale_[at(pivot)]);
      }
      const T inverse = T(1) / entry(k, k);
      entry(k, k) = inverse;
      const T* const row = &entry(k, k);
      for (int i = k + 1; i < below(k); ++i) {
        T* const other = &entry(i, k);
        if (value_of(*other) == Real(0)) continue;
        const T factor = *other * inverse;
        *other = factor;
        for (int j = 1; j < end - k; ++j) other[j] -= factor * row[j];
      }
    }
    return true;
  }

  // x = A^-1 b
  void solve(const Vec<T>& b, Vec<T>& x) const {
    x = b;
    for (int k = 0; k < size_; ++k) {
      std::swap(x[k], x[pivot_[at(k)]]);
      for (int i = k + 1; i < below(k); ++i) x[i] -= entry(i, k) * x[k];
    }
    for (int k = size_ - 1; k >= 0; --k) {
      T sum = x[k];
      for (int j = k + 1; j < right(k + lower_); ++j) sum -= entry(k, j) * x[j];
      x[k] = sum * entry(k, k);
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int below(int row) const { return std::min(size_, row + lower_ + 1); }  // ends of what row or column k reaches
  int right(int row) const { return std::min(size_, row + upper_ + 1); }
  std::size_t place(int i, int j) const { return at(i) * at(width_) + at(j - i + lower_); }
  T& entry(int i, int j) { return a_[place(i, j)]; }
  const T& entry(int i, int j) const { return a_[place(i, j)]; }

  Block declare(int row, int col, int rows, int cols) {
    lower_ = std::max(lower_, row + rows - 1 - col);
    upper_ = std::max(upper_, col + cols - 1 - row);
    return {row, col};
  }

  // scale_: one over the largest entry of a row; column_: the largest one of a column after that
  bool compare_rows() {
    using std::abs;
    std::fill(column_.begin(), column_.end(), Real(0));
    for (int i = 0; i < size_; ++i) {
      Real largest(0);
      for (int j = std::max(0, i - lower_); j < right(i); ++j) {
        const Real here = abs(value_of(entry(i, j)));
        if (!(here <= largest)) largest = here;
      }
      if (!(largest > Real(0)) || !is_finite(largest)) return false;
      scale_[at(i)] = Real(1) / largest;
      for (int j = std::max(0, i - lower_); j < right(i); ++j)
        column_[at(j)] = std::max(column_[at(j)], Real(abs(value_of(entry(i, j))) * scale_[at(i)]));
    }
    return true;
  }

  int size_, lower_ = 0, upper_ = 0, width_ = 0;
  std::vector<T> a_;  // after factorise: multipliers, inverse pivots, upper triangle
  std::vector<int> pivot_;
  std::vector<Real> scale_, column_;
};

}  // namespace livens
