// The product A B^T of sparse matrices, entry by entry from lists of what meets where.
//
// An entry is a sum of a[k] b[l] over common columns; where both patterns have columns in groups, products come in
// groups as well. Most entries are one group, two constraints that meet in one point, or two, a rod with itself: these
// have lists of their own, whose loops need not count.
#pragma once

#include <algorithm>
#include <cstdlib>
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
  // With w, weights that are equal within groups of columns, it is A diag(w) B^T.
  SparseProduct(const SparsePattern& A, const SparsePattern& B, const T* w = nullptr) : width_(common_width(A, B)) {
    find_pattern(A, B);
    std::vector<int> place(static_cast<std::size_t>(A.cols), -1);  // in the row of A, by column
    std::vector<Product> products;
    for (int row = 0; row < A.rows; ++row) {
      for (int k = A.begin(row); k < A.end(row); ++k) place[static_cast<std::size_t>(A.col(k))] = k;
      for (int entry = pattern_->begin(row); entry < pattern_->end(row); ++entry) {
        const int other = pattern_->col(entry);
        products.clear();
        for (int b = B.begin(other); b < B.end(other); b += width_)
          if (const int a = place[static_cast<std::size_t>(B.col(b))]; a >= 0)
            products.push_back({a, b, w ? w[B.col(b)] : T(1)});
        if (other <= row) lower_.add(entry, find_entry(*pattern_, other, row), products);
        if (other > row) upper_.add(entry, entry, products);
      }
      for (int k = A.begin(row); k < A.end(row); ++k) place[static_cast<std::size_t>(A.col(k))] = -1;
    }
  }

  const std::shared_ptr<const SparsePattern>& pattern() const { return pattern_; }

  static int common_width(const SparsePattern& A, const SparsePattern& B) { return A.width == B.width ? A.width : 1; }

  // Values of A, B and of the product, in the order of their patterns.
  void operator()(const T* a, const T* b, T* product) const;
  // The same for B = A, which is symmetric.
  void symmetric(const T* a, T* product) const;

 private:
  // Positions where a group of `width_` products begins, and its weight.
  struct Product {
    int a, b;
    T weight;
  };
  template <int width>
  struct Group {
    const T *a, *b;
    T operator()(const Product& p) const { return detail::product_of_groups<width>(a + p.a, b + p.b) * p.weight; }
  };
  struct Target {
    int entry, mirrored;
  };

  // Entries by the number of their products; those without any stay zero.
  struct Entries {
    struct Single {
      Target to;
      Product product;
    };
    struct Pair {
      Target to;
      Product first, second;
    };
    struct Many {
      Target to;
      std::vector<Product> products;
    };
    std::vector<Target> empty;
    std::vector<Single> singles;
    std::vector<Pair> pairs;
    std::vector<Many> others;

    void add(int entry, int mirrored, const std::vector<Product>& products) {
      const Target to{entry, mirrored};
      if (products.empty())
        empty.push_back(to);
      else if (products.size() == 1)
        singles.push_back({to, products[0]});
      else if (products.size() == 2)
        pairs.push_back({to, products[0], products[1]});
      else
        others.push_back({to, products});
    }

    template <class Group, class Store>
    void for_each(const Group& group, const Store& store) const {
      for (const Target& to : empty) store(to, T(0));
      for (const Single& e : singles) store(e.to, group(e.product));
      for (const Pair& e : pairs) store(e.to, group(e.first) + group(e.second));
      for (const Many& e : others) {
        T sum(0);
        for (const Product& p : e.products) sum += group(p);
        store(e.to, sum);
      }
    }
    template <class Group>
    void sum(const Group& group, T* product) const {
      for_each(group, [product](const Target& to, const T& x) { product[to.entry] = x; });
    }
    template <class Group>
    void sum_mirrored(const Group& group, T* product) const {
      for_each(group, [product](const Target& to, const T& x) { product[to.entry] = product[to.mirrored] = x; });
    }
  };

  void find_pattern(const SparsePattern& A, const SparsePattern& B) {
    std::vector<std::vector<int>> rows_with(static_cast<std::size_t>(A.cols));  // rows of B that contain a column
    for (int row = 0; row < B.rows; ++row)
      for (int k = B.begin(row); k < B.end(row); ++k) rows_with[static_cast<std::size_t>(B.col(k))].push_back(row);
    std::vector<std::pair<int, int>> pairs;
    for (int row = 0; row < A.rows; ++row) {
      pairs.emplace_back(row, row);
      for (int k = A.begin(row); k < A.end(row); ++k)
        for (const int other : rows_with[static_cast<std::size_t>(A.col(k))])
          pairs.emplace_back(row, other), pairs.emplace_back(other, row);
    }
    const auto near = [](const auto& pair) { return std::abs(pair.first - pair.second) <= 1; };
    if (std::all_of(pairs.begin(), pairs.end(), near))  // tridiagonal: without gaps, for Elimination
      for (int row = 1; row < A.rows; ++row) pairs.emplace_back(row, row - 1), pairs.emplace_back(row - 1, row);
    pattern_ = std::make_shared<SparsePattern>(make_pattern(A.rows, A.rows, std::move(pairs)));
  }

  std::shared_ptr<const SparsePattern> pattern_;
  int width_ = 1;
  Entries lower_, upper_;  // with and without the diagonal
};

// Not in the class: what is defined there may be compiled anew in every source (in_double.hpp).
template <class T>
void SparseProduct<T>::operator()(const T* a, const T* b, T* product) const {
  with_width(width_, [&](auto width) {
    lower_.sum(Group<width>{a, b}, product);
    upper_.sum(Group<width>{a, b}, product);
  });
}
template <class T>
void SparseProduct<T>::symmetric(const T* a, T* product) const {
  with_width(width_, [&](auto width) { lower_.sum_mirrored(Group<width>{a, a}, product); });
}

}  // namespace livens
