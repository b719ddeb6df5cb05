// The matrix of one step, put together from blocks: squares (n x n, derivatives of the balance of momentum), constraint
// Jacobians (m x n) and transposed ones, each added with a factor at its place. A method says once which blocks there
// are; then, in every iteration, what is in them. It need not know whether the matrix is dense or sparse.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "livens/math/lu.hpp"
#include "livens/math/sparse.hpp"
#include "livens/solve/sparse_lu.hpp"

namespace livens {

// Size: of the whole matrix, or Dynamic.
template <class System, int Size, class Square = typename System::Square>
class BlockMatrix;

template <class System, int Size, class T, int N>
class BlockMatrix<System, Size, Mat<T, N, N>> {
 public:
  struct Block {
    int row, col;
  };

  // size 0: a matrix that a method does not need this time.
  BlockMatrix(const System&, int size) : lu_(size) {}

  template <class Matrix>
  Block block(int row, int col, const Matrix&) {
    return {row, col};
  }
  template <class Matrix>
  Block transposed_block(int row, int col, const Matrix&) {
    return {row, col};
  }
  void finish() {}

  void clear() { lu_.matrix().fill(T(0)); }
  template <int R, int C>
  void add(const Block& at, const T& factor, const Mat<T, R, C>& B) {
    auto& A = lu_.matrix();
    for (int i = 0; i < B.rows(); ++i)
      for (int j = 0; j < B.cols(); ++j) A(at.row + i, at.col + j) += factor * B(i, j);
  }
  template <int R, int C>
  void add_transposed(const Block& at, const T& factor, const Mat<T, R, C>& B) {
    auto& A = lu_.matrix();
    for (int i = 0; i < B.rows(); ++i)
      for (int j = 0; j < B.cols(); ++j) A(at.row + j, at.col + i) += factor * B(i, j);
  }
  bool factorise() { return lu_.factorise(); }
  void solve(const Vec<T, Size>& b, Vec<T, Size>& x) { lu_.solve(b, x); }

  template <class Archive>
  void archive(Archive&) {}

 private:
  Lu<T, Size> lu_;
};

template <class System, class T>
class BlockMatrix<System, Dynamic, SparseMat<T>> {
 public:
  using Block = std::size_t;  // number of its list of places

  BlockMatrix(const System& system, int size) : size_(size), make_lu_(system.linear().make_lu) {}

  // Any matrix of the pattern that will be added there.
  Block block(int row, int col, const SparseMat<T>& like) { return declare(row, col, like, false); }
  Block transposed_block(int row, int col, const SparseMat<T>& like) { return declare(row, col, like, true); }

  void finish() {
    if (size_ == 0) return;
    std::vector<std::pair<int, int>> pairs;
    for (const auto& list : declared_) pairs.insert(pairs.end(), list.begin(), list.end());
    const auto pattern = std::make_shared<SparsePattern>(make_pattern(size_, size_, std::move(pairs)));
    for (const auto& list : declared_) {
      auto& places = places_.emplace_back();
      places.reserve(list.size());
      for (const auto& [row, col] : list) places.push_back(find_entry(*pattern, row, col));
    }
    declared_.clear();
    declared_.shrink_to_fit();
    values_ = Vec<T>(pattern->entries());
    lu_ = require_lu(make_lu_)(pattern);
  }

  void clear() { values_.fill(T(0)); }
  void add(Block at, const T& factor, const SparseMat<T>& B) {
    const std::vector<int>& places = places_[at];
    for (std::size_t k = 0; k < places.size(); ++k) values_[places[k]] += factor * B.value(static_cast<int>(k));
  }
  // The block was declared as a transposed one: its places are those of the entries of B, mirrored.
  void add_transposed(Block at, const T& factor, const SparseMat<T>& B) { add(at, factor, B); }
  bool factorise() { return lu_->factorise(values_.data()); }
  void solve(const Vec<T>& b, Vec<T>& x) { lu_->solve(b.data(), x.data()); }

  template <class Archive>
  void archive(Archive& a) {
    if (lu_) lu_->archive(a);
  }

 private:
  Block declare(int row, int col, const SparseMat<T>& like, bool transposed) {
    auto& list = declared_.emplace_back();
    if (size_ == 0) return declared_.size() - 1;
    list.reserve(static_cast<std::size_t>(like.pattern().entries()));
    for (int i = 0; i < like.rows(); ++i)
      for_row(like, i, [&](int j, const T&) {
        if (transposed)
          list.emplace_back(row + j, col + i);
        else
          list.emplace_back(row + i, col + j);
      });
    return declared_.size() - 1;
  }

  int size_;
  SparseLuMaker<T> make_lu_;
  std::vector<std::vector<std::pair<int, int>>> declared_;
  std::vector<std::vector<int>> places_;
  Vec<T> values_;
  std::unique_ptr<SparseLu<T>> lu_;
};

}  // namespace livens
