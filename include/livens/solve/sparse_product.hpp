// The product A B^T of sparse matrices, entry by entry from lists of what meets where.
//
// An entry is a sum of a[k] b[l] over common columns; where both patterns have columns in groups, products come in
// groups as well.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "livens/math/sparse.hpp"

namespace livens {

template <class T>
class SparseProduct {
 public:
  SparseProduct() = default;
  // A and B have equally many rows and columns; the pattern of the product is made symmetric, with all of its diagonal.
  SparseProduct(const SparsePattern& A, const SparsePattern& B) {
    std::vector<std::vector<int>> rows_with(static_cast<std::size_t>(A.cols));  // rows of B that contain a column
    for (int row = 0; row < B.rows; ++row)
      for (int k = B.begin(row); k < B.end(row); ++k) rows_with[static_cast<std::size_t>(B.col(k))].push_back(row);
    std::vector<std::pair<int, int>> meetings;
    for (int row = 0; row < A.rows; ++row) {
      meetings.emplace_back(row, row);
      for (int k = A.begin(row); k < A.end(row); ++k)
        for (const int other : rows_with[static_cast<std::size_t>(A.col(k))])
          meetings.emplace_back(row, other), meetings.emplace_back(other, row);
    }
    pattern_ = std::make_shared<SparsePattern>(make_pattern(A.rows, A.rows, std::move(meetings)));

    width_ = A.width == B.width ? A.width : 1;
    std::vector<int> place(static_cast<std::size_t>(A.cols), -1);  // in the row of A, by column
    for (int row = 0; row < A.rows; ++row) {
      for (int k = A.begin(row); k < A.end(row); ++k) place[static_cast<std::size_t>(A.col(k))] = k;
      for (int entry = pattern_->begin(row); entry < pattern_->end(row); ++entry) {
        const std::size_t first = products_.size();
        for (int b = B.begin(pattern_->col(entry)); b < B.end(pattern_->col(entry)); b += width_)
          if (const int a = place[static_cast<std::size_t>(B.col(b))]; a >= 0) products_.push_back({a, b, B.col(b)});
        count_.push_back(static_cast<int>(products_.size() - first));
      }
      for (int k = A.begin(row); k < A.end(row); ++k) place[static_cast<std::size_t>(A.col(k))] = -1;
    }
  }

  const std::shared_ptr<const SparsePattern>& pattern() const { return pattern_; }

  int width() const { return width_; }

  // Values of A, B and of the product, in the order of their patterns.
  void operator()(const T* a, const T* b, T* product) const {
    sum(product, [a, b](const Product& p, auto width) {
      T group(0);
      for (int c = 0; c < width; ++c) group += a[p.a + c] * b[p.b + c];
      return group;
    });
  }
  // A diag(w) B^T, w being equal within groups of columns.
  void operator()(const T* a, const T* b, const T* w, T* product) const {
    sum(product, [a, b, w](const Product& p, auto width) {
      T group(0);
      for (int c = 0; c < width; ++c) group += a[p.a + c] * b[p.b + c];
      return group * w[p.col];
    });
  }

 private:
  // Positions where a group of `width_` products begins, and its column.
  struct Product {
    int a, b, col;
  };

  template <class Group>
  void sum(T* product, const Group& group) const {
    with_width(width_, [this, group, product](auto width) {
      const Product* next = products_.data();
      const int* count = count_.data();
      for (T *to = product, *const last = product + count_.size(); to != last; ++to) {
        T entry(0);
        for (int left = *count++; left > 0; --left) entry += group(*next++, width);
        *to = entry;
      }
    });
  }

  std::shared_ptr<const SparsePattern> pattern_;
  int width_ = 1;
  std::vector<Product> products_;
  std::vector<int> count_;  // products of every entry
};

}  // namespace livens
