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
  template <class Matrix>
  Block nonzero_block(int row, int col, const Matrix&) {
    return {row, col};
  }
  void finish() {}

  void clear() { lu_.matrix().fill(T(0)); }
  template <int R, int C>
  void add(const Block& at, const T& factor, const Mat<T, R, C>& B) {
    T* to = &lu_.matrix()(at.row, at.col);
    for (int i = 0; i < B.rows(); ++i, to += lu_.size())
      for (int j = 0; j < B.cols(); ++j) to[j] += factor * B(i, j);
  }
  template <int R, int C>
  void add_transposed(const Block& at, const T& factor, const Mat<T, R, C>& B) {
    T* to = &lu_.matrix()(at.row, at.col);
    for (int j = 0; j < B.cols(); ++j, to += lu_.size())
      for (int i = 0; i < B.rows(); ++i) to[i] += factor * B(i, j);
  }
  // factor (diag(unit) B)^T
  template <int R, int C>
  void add_transposed(const Block& at, const T& factor, const Vec<T, R>& unit, const Mat<T, R, C>& B) {
    auto& A = lu_.matrix();
    for (int i = 0; i < B.rows(); ++i) {
      const T scaled = factor * unit[i];
      for (int j = 0; j < B.cols(); ++j) A(at.row + j, at.col + i) += scaled * B(i, j);
    }
  }
  // factor times the unit matrix
  void add_diagonal(const Block& at, int size, const T& factor) {
    for (int i = 0; i < size; ++i) lu_.matrix()(at.row + i, at.col + i) += factor;
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
  Block block(int row, int col, const SparseMat<T>& like) {
    return declare(like, [=](int i, int j, const T&) { return std::pair(row + i, col + j); });
  }
  Block transposed_block(int row, int col, const SparseMat<T>& like) {
    return declare(like, [=](int i, int j, const T&) { return std::pair(row + j, col + i); });
  }
  // Entries that are zero now are zero in every matrix that will be added there, and need no place.
  Block nonzero_block(int row, int col, const SparseMat<T>& like) {
    return declare(like, [=](int i, int j, const T& x) { return x == T(0) ? nowhere : std::pair(row + i, col + j); });
  }

  void finish() {
    if (size_ == 0) return;
    std::vector<std::pair<int, int>> pairs;
    for (const auto& list : declared_)
      for (const auto& pair : list)
        if (pair != nowhere) pairs.push_back(pair);
    const auto pattern = std::make_shared<SparsePattern>(make_pattern(size_, size_, std::move(pairs)));
    const int beyond = pattern->entries();  // one place more, for zeros
    for (const auto& list : declared_) {
      auto& places = places_.emplace_back();
      places.reserve(list.size());
      for (const auto& pair : list)
        places.push_back(pair == nowhere ? beyond : find_entry(*pattern, pair.first, pair.second));
    }
    declared_.clear();
    declared_.shrink_to_fit();
    values_ = Vec<T>(beyond + 1);
    lu_ = require_lu(make_lu_)(pattern);
  }

  void clear() { values_.fill(T(0)); }
  void add(Block at, const T& factor, const SparseMat<T>& B) {
    const std::vector<int>& places = places_[at];
    for (std::size_t k = 0; k < places.size(); ++k) values_[places[k]] += factor * B.value(static_cast<int>(k));
  }
  // The block was declared as a transposed one: its places are those of the entries of B, mirrored.
  void add_transposed(Block at, const T& factor, const SparseMat<T>& B) { add(at, factor, B); }
  void add_transposed(Block at, const T& factor, const Vec<T>& unit, const SparseMat<T>& B) {
    const int* place = places_[at].data();
    for (int i = 0; i < B.rows(); ++i) {
      const T scaled = factor * unit[i];
      for_row(B, i, [&](int, const T& x) { values_[*place++] += scaled * x; });
    }
  }
  bool factorise() { return lu_->factorise(values_.data()); }
  void solve(const Vec<T>& b, Vec<T>& x) { lu_->solve(b.data(), x.data()); }

  template <class Archive>
  void archive(Archive& a) {
    if (lu_) lu_->archive(a);
  }
  // What a resumed run needs to have the same bits, for who makes the matrix later.
  std::vector<T> values_of_pivots() const { return lu_->values_of_pivots(); }
  void choose_pivots(std::vector<T> values) { lu_->choose_pivots(std::move(values)); }

 private:
  static constexpr std::pair<int, int> nowhere{-1, -1};

  template <class Place>
  Block declare(const SparseMat<T>& like, const Place& place) {
    auto& list = declared_.emplace_back();
    if (size_ == 0) return declared_.size() - 1;
    list.reserve(static_cast<std::size_t>(like.pattern().entries()));
    for (int i = 0; i < like.rows(); ++i) for_row(like, i, [&](int j, const T& x) { list.push_back(place(i, j, x)); });
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
