// One sparse matrix made of count x count blocks that all have the pattern of a product A M^-1 B^T of constraint
// Jacobians: its pattern, and where in it the entries of every block lie.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "livens/solve/weighted_product.hpp"

namespace livens {

template <class T>
class ProductBlocks {
 public:
  bool planned() const { return block_.size() > 0; }

  // index(i, a): row and column of constraint a in block i.
  template <class Index>
  std::shared_ptr<const SparsePattern> plan(const SparsePattern& jacobian, const Mass<SparseMat<T>>& mass, int count,
                                            const Index& index) {
    if (!mass.has_blocks())
      throw std::invalid_argument("the equations of the multipliers need a mass matrix of small blocks");
    count_ = count;
    product_.plan(jacobian, mass);
    const SparsePattern& p = *product_.pattern();
    block_ = Vec<T>(p.entries());
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j)
        for (int a = 0; a < p.rows; ++a)
          for (int k = p.begin(a); k < p.end(a); ++k) pairs.emplace_back(index(i, a), index(j, p.col(k)));
    auto pattern = std::make_shared<const SparsePattern>(make_pattern(count * p.rows, count * p.rows, pairs));
    for (const auto& [row, col] : pairs) places_.push_back(find_entry(*pattern, row, col));
    return pattern;
  }

  // put(place, x) for every entry of A M^-1 B^T and its place in block (i, j).
  template <class Put>
  void product(int i, int j, const SparseMat<T>& A, const Mass<SparseMat<T>>& mass, const SparseMat<T>& B,
               const Put& put) {
    product_(A, mass, B, block_.data());
    const int* const place = places_.data() + static_cast<std::size_t>((i * count_ + j) * block_.size());
    for (int k = 0; k < block_.size(); ++k) put(place[k], block_[k]);
  }

 private:
  int count_ = 0;
  WeightedProduct<T> product_;
  Vec<T> block_;             // the last product
  std::vector<int> places_;  // of the entries of every block
};

}  // namespace livens
