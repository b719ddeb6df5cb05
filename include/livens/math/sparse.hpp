// Sparse matrices of a pattern that is found once and of values that change in every step, and the few operations that
// dense and sparse matrices share, so that what is written with them runs with both.
//
// Rows are stored one after another. Columns need not ascend within a row: a constraint keeps the order of its own
// coordinates, so that its derivatives are stored as they come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "livens/math/vec.hpp"

namespace livens {

struct SparsePattern {
  int rows = 0, cols = 0;
  std::vector<int> start;   // rows + 1 positions in `column`
  std::vector<int> column;  // of every entry

  int entries() const { return static_cast<int>(column.size()); }
  int begin(int row) const { return start[static_cast<std::size_t>(row)]; }
  int end(int row) const { return start[static_cast<std::size_t>(row) + 1]; }
  int col(int entry) const { return column[static_cast<std::size_t>(entry)]; }

  // The columns from the point of view of A^T x. Coordinates of a point follow one another and meet the same rows: then
  // columns come in groups of `width`, whose entries follow one another in every row.
  struct Meeting {
    int entry, row;  // first entry of the group in that row
  };
  int width = 1;
  std::vector<int> start_of_group;  // cols/width + 1 positions in `meetings`
  std::vector<Meeting> meetings;
};

// To be called where A^T x or products A B^T are wanted.
inline void find_groups(SparsePattern& p) {
  const auto has_width = [&](int width) {
    if (p.cols % width != 0) return false;
    for (int row = 0; row < p.rows; ++row) {
      if ((p.end(row) - p.begin(row)) % width != 0) return false;
      for (int k = p.begin(row); k < p.end(row); ++k) {
        const int place = (k - p.begin(row)) % width;
        if (place == 0 ? p.col(k) % width != 0 : p.col(k) != p.col(k - 1) + 1) return false;
      }
    }
    return true;
  };
  p.width = has_width(3) ? 3 : has_width(2) ? 2 : 1;
  p.start_of_group.assign(static_cast<std::size_t>(p.cols / p.width) + 1, 0);
  for (int k = 0; k < p.entries(); k += p.width) ++p.start_of_group[static_cast<std::size_t>(p.col(k) / p.width) + 1];
  for (std::size_t j = 1; j < p.start_of_group.size(); ++j) p.start_of_group[j] += p.start_of_group[j - 1];
  p.meetings.resize(static_cast<std::size_t>(p.entries() / p.width));
  std::vector<int> next = p.start_of_group;
  for (int row = 0; row < p.rows; ++row)
    for (int k = p.begin(row); k < p.end(row); k += p.width)
      p.meetings[static_cast<std::size_t>(next[static_cast<std::size_t>(p.col(k) / p.width)]++)] = {k, row};
}

// Calls f with the width as a constant.
template <class F>
void with_width(int width, const F& f) {
  if (width == 3)
    f(std::integral_constant<int, 3>());
  else if (width == 2)
    f(std::integral_constant<int, 2>());
  else
    f(std::integral_constant<int, 1>());
}

// Rows with ascending columns and without repetition, from (row, column) pairs in any order.
inline SparsePattern make_pattern(int rows, int cols, std::vector<std::pair<int, int>> pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  SparsePattern p;
  p.rows = rows, p.cols = cols;
  p.start.assign(static_cast<std::size_t>(rows) + 1, 0);
  p.column.reserve(pairs.size());
  for (const auto& [row, col] : pairs) {
    ++p.start[static_cast<std::size_t>(row) + 1];
    p.column.push_back(col);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) p.start[i + 1] += p.start[i];
  return p;
}

// The position of an entry in a pattern with ascending columns; -1 where there is none.
inline int find_entry(const SparsePattern& p, int row, int col) {
  const auto first = p.column.begin() + p.begin(row), last = p.column.begin() + p.end(row);
  const auto at = std::lower_bound(first, last, col);
  return at != last && *at == col ? static_cast<int>(at - p.column.begin()) : -1;
}

template <class T>
class SparseMat {
 public:
  using Scalar = T;

  SparseMat() = default;
  explicit SparseMat(std::shared_ptr<const SparsePattern> pattern)
      : pattern_(std::move(pattern)), values_(pattern_->entries()) {}

  int rows() const { return pattern_ ? pattern_->rows : 0; }
  int cols() const { return pattern_ ? pattern_->cols : 0; }
  const SparsePattern& pattern() const { return *pattern_; }
  const std::shared_ptr<const SparsePattern>& shared_pattern() const { return pattern_; }
  T* values() { return values_.data(); }
  const T* values() const { return values_.data(); }
  T& value(int entry) { return values_[entry]; }
  const T& value(int entry) const { return values_[entry]; }
  void fill(const T& x) { values_.fill(x); }

 private:
  std::shared_ptr<const SparsePattern> pattern_;
  Vec<T> values_;
};

// ---- entries of a row: f(column, value) -----------------------------------------------------------------------------
template <class T, int R, int C, class F>
void for_row(const Mat<T, R, C>& A, int row, F&& f) {
  for (int j = 0; j < A.cols(); ++j) f(j, A(row, j));
}
template <class T, class F>
void for_row(const SparseMat<T>& A, int row, F&& f) {
  const SparsePattern& p = A.pattern();
  for (int k = p.begin(row), end = p.end(row); k < end; ++k) f(p.col(k), A.value(k));
}

// Rods join two points, and a point of a chain two rods: rows of two groups and groups of two rows are taken without
// counting.
namespace detail {
// f(0), f(1), ..., written out.
template <int width, class F>
inline void unrolled(const F& f) {
  f(0);
  if constexpr (width > 1) f(1);
  if constexpr (width > 2) f(2);
  static_assert(width <= 3);
}

template <int width, class T>
inline T product_of_groups(const T* a, const T* x) {
  T sum = a[0] * x[0];
  for (int c = 1; c < width; ++c) sum += a[c] * x[c];
  return sum;
}

template <int width, class T>
void multiply(const SparsePattern& p, const T* a, const T* x, T* y) {
  const int *const column = p.column.data(), *const start = p.start.data();
  for (std::ptrdiff_t i = 0, k = 0, rows = p.rows; i < rows; ++i) {
    const std::ptrdiff_t end = start[i + 1];
    T sum(0);
    if (end - k == 2 * width) {
      sum = product_of_groups<width>(a + k, x + column[k]) +
            product_of_groups<width>(a + k + width, x + column[k + width]);
      k = end;
    }
    for (; k < end; k += width) sum += product_of_groups<width>(a + k, x + column[k]);
    y[i] = sum;
  }
}

// y_j = finish(y_j, (A^T x)_j), for patterns with groups. Unrolled, so that sums stay in registers at -O2 too.
template <int width, class T, class Finish>
void transposed(const SparsePattern& p, const T* a, const T* x, T* y, const Finish& finish) {
  const int* const start = p.start_of_group.data();
  const SparsePattern::Meeting* meeting = p.meetings.data();
  for (std::ptrdiff_t group = 0, groups = p.cols / width; group < groups; ++group, y += width) {
    const SparsePattern::Meeting* const end = p.meetings.data() + start[group + 1];
    T sum[width];
    if (end - meeting == 2) {
      const T *const first = a + meeting[0].entry, *const second = a + meeting[1].entry;
      const T x_first = x[meeting[0].row], x_second = x[meeting[1].row];
#pragma GCC unroll 3
      for (int c = 0; c < width; ++c) sum[c] = first[c] * x_first + second[c] * x_second;
      meeting = end;
    } else {
#pragma GCC unroll 3
      for (int c = 0; c < width; ++c) sum[c] = T(0);
      for (; meeting != end; ++meeting)
#pragma GCC unroll 3
        for (int c = 0; c < width; ++c) sum[c] += a[meeting->entry + c] * x[meeting->row];
    }
#pragma GCC unroll 3
    for (int c = 0; c < width; ++c) y[c] = finish(y[c], sum[c]);
  }
}

// Groups that do not matter any more are not looked at.
template <int width, class T>
bool below_rounding(const SparsePattern& p, const T* a, const T* x, const T* y) {
  using std::abs;
  const int *const column = p.column.data(), *const start = p.start.data();
  for (std::ptrdiff_t i = 0, rows = p.rows; i < rows; ++i) {
    const RealOf<T> size = abs(value_of(y[i]));
    RealOf<T> terms(0);
    for (std::ptrdiff_t k = start[i], end = start[i + 1]; !(size <= epsilon<T>() * terms); k += width) {
      if (k == end) return false;
      const T* const xk = x + column[k];
      unrolled<width>([&](int c) { terms += abs(value_of(a[k + c]) * value_of(xk[c])); });
    }
  }
  return true;
}
}  // namespace detail

template <class T>
void multiply(const SparseMat<T>& A, const Vec<T>& x, Vec<T>& y) {
  with_width(A.pattern().width,
             [&](auto width) { detail::multiply<width>(A.pattern(), A.values(), x.data(), y.data()); });
}

// y -= A^T x
template <class T, int R, int C>
void subtract_transposed(const Mat<T, R, C>& A, const Vec<T, R>& x, Vec<T, C>& y) {
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) y[j] -= A(i, j) * x[i];
}
template <class T>
void subtract_transposed(const SparseMat<T>& A, const Vec<T>& x, Vec<T>& y) {
  with_width(A.pattern().width, [&](auto width) {
    detail::transposed<width>(A.pattern(), A.values(), x.data(), y.data(), std::minus<T>());
  });
}

template <class T>
void multiply_transposed(const SparseMat<T>& A, const Vec<T>& x, Vec<T>& y) {
  with_width(A.pattern().width, [&](auto width) {
    detail::transposed<width>(A.pattern(), A.values(), x.data(), y.data(), [](const T&, const T& sum) { return sum; });
  });
}

// Whether |y_i| <= epsilon sum_j |A_ij x_j| for every i: the rounding of x alone makes y = A x as uncertain.
template <class T, int R, int C>
bool below_rounding(const Mat<T, R, C>& A, const Vec<T, C>& x, const Vec<T, R>& y) {
  using std::abs;
  for (int i = 0; i < A.rows(); ++i) {
    RealOf<T> terms(0);
    for (int j = 0; j < A.cols(); ++j) terms += abs(value_of(A(i, j)) * value_of(x[j]));
    if (!(abs(value_of(y[i])) <= epsilon<T>() * terms)) return false;
  }
  return true;
}
template <class T>
bool below_rounding(const SparseMat<T>& A, const Vec<T>& x, const Vec<T>& y) {
  bool below = true;
  with_width(A.pattern().width,
             [&](auto width) { below = detail::below_rounding<width>(A.pattern(), A.values(), x.data(), y.data()); });
  return below;
}

// B += factor A, of one pattern
template <class T, int R, int C>
void add_scaled(const T& factor, const Mat<T, R, C>& A, Mat<T, R, C>& B) {
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) B(i, j) += factor * A(i, j);
}
template <class T>
void add_scaled(const T& factor, const SparseMat<T>& A, SparseMat<T>& B) {
  for (int k = 0, entries = A.pattern().entries(); k < entries; ++k) B.value(k) += factor * A.value(k);
}

// B = diag(factor) A
template <class T, int R, int C>
void scale_rows(const Mat<T, R, C>& A, const Vec<T, R>& factor, Mat<T, R, C>& B) {
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) B(i, j) = factor[i] * A(i, j);
}
template <class T>
void scale_rows(const SparseMat<T>& A, const Vec<T>& factor, SparseMat<T>& B) {
  for (int i = 0; i < A.rows(); ++i)
    for (int k = A.pattern().begin(i); k < A.pattern().end(i); ++k) B.value(k) = factor[i] * A.value(k);
}

}  // namespace livens
