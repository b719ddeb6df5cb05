// Blocks of a matrix (block_matrix.hpp) in rows and columns, as they belong to the stages of a step.
#pragma once

#include <type_traits>
#include <vector>

namespace livens {

template <class Block>
class BlockGrid {
 public:
  BlockGrid() = default;
  // declare(i, j) makes each of them.
  template <class Declare>
  BlockGrid(int rows, int cols, const Declare& declare) : cols_(cols) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) blocks_.push_back(declare(i, j));
  }
  const Block& operator()(int i, int j) const { return blocks_[static_cast<std::size_t>(i * cols_ + j)]; }

 private:
  int cols_ = 0;
  std::vector<Block> blocks_;
};

template <class Declare>
BlockGrid(int, int, const Declare&) -> BlockGrid<std::invoke_result_t<Declare, int, int>>;

}  // namespace livens
