// The product A M^-1 B^T of sparse constraint Jacobians of one pattern, M being a mass matrix of small blocks.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "livens/solve/mass.hpp"
#include "livens/solve/sparse_product.hpp"

namespace livens {

template <class T>
class WeightedProduct {
 public:
  // To be called once, with the pattern of A and B and a factorised mass matrix.
  // Rows of B M^-1 contain whole blocks of M.
  void plan(const SparsePattern& G, const Mass<SparseMat<T>>& mass) {
    auto weighted = std::make_shared<SparsePattern>();
    weighted->rows = G.rows, weighted->cols = G.cols;
    weighted->start.push_back(0);
    std::vector<int> last_row(static_cast<std::size_t>(G.cols), -1);
    for (int row = 0; row < G.rows; ++row) {
      for (int k = G.begin(row); k < G.end(row); ++k)
        for (const int j : mass.coordinates_of_block(mass.block_of(G.col(k))))
          if (std::exchange(last_row[static_cast<std::size_t>(j)], row) != row) weighted->column.push_back(j);
      weighted->start.push_back(weighted->entries());
    }
    find_groups(*weighted);
    WB_ = SparseMat<T>(weighted);

    equal_in_groups_ = mass.is_diagonal() && mass.is_constant();
    const int width = SparseProduct<T>::common_width(G, *weighted);
    for (int j = 0; equal_in_groups_ && j < G.cols; ++j)
      equal_in_groups_ = mass.reciprocals()[j] == mass.reciprocals()[j - j % width];
    product_ = SparseProduct<T>(G, *weighted, equal_in_groups_ ? mass.reciprocals().data() : nullptr);
  }

  const std::shared_ptr<const SparsePattern>& pattern() const { return product_.pattern(); }

  // Values in the order of the pattern.
  void operator()(const SparseMat<T>& A, const Mass<SparseMat<T>>& mass, const SparseMat<T>& B, T* values) {
    if (!equal_in_groups_) {
      weigh(mass, B);
      product_(A.values(), WB_.values(), values);
    } else if (&A == &B) {
      product_.symmetric(A.values(), values);
    } else {
      product_(A.values(), B.values(), values);
    }
  }

 private:
  // B M^-1
  void weigh(const Mass<SparseMat<T>>& mass, const SparseMat<T>& B) {
    const SparsePattern& G = B.pattern();
    if (mass.is_diagonal()) {  // then both have the same pattern
      const T *const w = mass.reciprocals().data(), *const b = B.values();
      T* const wb = WB_.values();
      const int* const column = G.column.data();
      with_width(G.width, [&](auto width) {
        for (int k = 0, entries = G.entries(); k < entries; k += width)
          for (int c = 0; c < width; ++c) wb[k + c] = b[k + c] * w[column[k] + c];
      });
      return;
    }
    const SparsePattern& weighted = WB_.pattern();
    for (int row = 0; row < G.rows; ++row) {
      for (int k = weighted.begin(row); k < weighted.end(row); ++k) {
        WB_.value(k) = T(0);
        for (int l = G.begin(row); l < G.end(row); ++l)
          if (G.col(l) == weighted.col(k)) WB_.value(k) = B.value(l);
      }
      for (int k = weighted.begin(row); k < weighted.end(row);) {
        const int block = mass.block_of(weighted.col(k));
        mass.solve_block(block, WB_.values() + k);
        k += static_cast<int>(mass.coordinates_of_block(block).size());
      }
    }
  }

  SparseMat<T> WB_;
  SparseProduct<T> product_;
  bool equal_in_groups_ = false;  // M is diagonal, constant, and the same for all coordinates of a point
};

}  // namespace livens
