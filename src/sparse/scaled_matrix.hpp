// A sparse matrix S = R A C, rows and columns scaled by powers of two so that the largest entry of each row and of each
// column is near one. A x = b becomes S y = R b, x = C y; no rounding happens on the way.
//
// R and C follow D. Ruiz (2001): all rows and all columns are divided, at the same time and repeatedly, by the square
// root of their largest entry. What is symmetric stays so, and units of rows and of columns cancel alike; scaling rows
// first and columns afterwards would let one column of large numbers hide the others.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "livens/math/sparse.hpp"

namespace livens {

template <class T>
class ScaledMatrix {
 public:
  explicit ScaledMatrix(std::shared_ptr<const SparsePattern> pattern)
      : pattern_(std::move(pattern)),
        row_(rows()),
        col_(rows()),
        factor_(entries()),
        values_(entries()),
        bits_(entries()) {
    if (pattern_->rows != pattern_->cols) throw std::invalid_argument("sparse LU: the matrix is not square");
    for (int i = 0; i < pattern_->rows; ++i)
      for (int k = pattern_->begin(i) + 1; k < pattern_->end(i); ++k)
        if (pattern_->col(k - 1) >= pattern_->col(k))
          throw std::invalid_argument("sparse LU: columns do not ascend in row " + std::to_string(i));
  }

  std::size_t rows() const { return static_cast<std::size_t>(pattern_->rows); }
  std::size_t entries() const { return pattern_->column.size(); }
  const SparsePattern& pattern() const { return *pattern_; }
  T* values() { return values_.data(); }
  const T& row_factor(std::size_t i) const { return row_[i]; }
  const T& col_factor(std::size_t j) const { return col_[j]; }

  // Takes values with the factors as they are; returns the largest entry, not finite if one is not.
  T take(const T* a) {
    using std::abs;
    T largest(0);
    for (std::size_t k = 0; k < entries(); ++k) {
      values_[k] = a[k] * factor_[k];
      const T size = abs(values_[k]);
      if (!(size <= largest)) largest = size;
      if (largest != largest) return largest;
    }
    return largest;
  }

  // Chooses the factors for these values, and takes them. False if a row or column is zero, or an entry not finite.
  bool rescale(const T* a) {
    constexpr int none = std::numeric_limits<int>::min() / 2, sweeps = 16;  // 2^16 bits: more than any scalar spans
    using std::frexp, std::ldexp;
    for (std::size_t k = 0; k < entries(); ++k) {
      if (!is_finite(a[k])) return false;
      frexp(a[k], &bits_[k]);
      if (a[k] == T(0)) bits_[k] = none;
    }
    row_bits_.assign(rows(), 0);
    col_bits_.assign(rows(), 0);
    bool moved = true;
    for (int sweep = 0; moved && sweep < sweeps; ++sweep) {
      row_largest_.assign(rows(), none);
      col_largest_.assign(rows(), none);
      for_entries([&](std::size_t i, std::size_t j, std::size_t k) {
        const int bits = bits_[k] + row_bits_[i] + col_bits_[j];
        row_largest_[i] = std::max(row_largest_[i], bits);
        col_largest_[j] = std::max(col_largest_[j], bits);
      });
      moved = false;
      for (auto [largest, factor] : {std::pair(&row_largest_, &row_bits_), std::pair(&col_largest_, &col_bits_)})
        for (std::size_t i = 0; i < rows(); ++i) {
          if ((*largest)[i] < none / 2) return false;
          (*factor)[i] -= (*largest)[i] / 2;
          moved = moved || (*largest)[i] / 2 != 0;
        }
    }
    for (std::size_t i = 0; i < rows(); ++i) {
      row_[i] = ldexp(T(1), row_bits_[i]);
      col_[i] = ldexp(T(1), col_bits_[i]);
    }
    for_entries([&](std::size_t i, std::size_t j, std::size_t k) { factor_[k] = row_[i] * col_[j]; });
    return is_finite(take(a));
  }

  // max_i |R b - S y| / max_i (|S| |y| + |R b|)
  T residual(const T* b, const T* y) const {
    using std::abs;
    T largest(0), scale(0);
    for (std::size_t i = 0, k = 0; i < rows(); ++i) {
      T r = row_[i] * b[i], size = abs(r);
      for (const std::size_t end = static_cast<std::size_t>(pattern_->start[i + 1]); k < end; ++k) {
        const T term = values_[k] * y[pattern_->column[k]];
        r -= term;
        size += abs(term);
      }
      enlarge(largest, r);
      enlarge(scale, size);
    }
    return scale == T(0) ? T(0) : largest / scale;
  }

 private:
  template <class F>
  void for_entries(F&& f) const {
    for (std::size_t i = 0, k = 0; i < rows(); ++i)
      for (const std::size_t end = static_cast<std::size_t>(pattern_->start[i + 1]); k < end; ++k)
        f(i, static_cast<std::size_t>(pattern_->column[k]), k);
  }
  static void enlarge(T& largest, const T& x) {
    using std::abs;
    const T size = abs(x);
    if (largest == largest && !(size <= largest)) largest = size;  // so that not-a-number stays
  }
  std::shared_ptr<const SparsePattern> pattern_;
  std::vector<T> row_, col_, factor_, values_;                               // R, C, R_i C_j of every entry, S
  std::vector<int> bits_, row_bits_, col_bits_, row_largest_, col_largest_;  // binary exponents
};

// Below this a pivot of the scaled matrix counts as zero, as in math/lu.hpp. Random matrices with two proportional rows
// leave pivots of up to 3 eps (20 rows), 75 eps (200), 765 eps (2000).
template <class T>
T vanishing_pivot(std::size_t rows) {
  return static_cast<T>(rows) * epsilon<T>();
}

}  // namespace livens
