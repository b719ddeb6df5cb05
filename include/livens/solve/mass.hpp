// The mass matrix M = L_vv with its factorisation: dense, or sparse with blocks of coordinates that are coupled.
// Diagonal ones, the common case, are kept as reciprocals.
#pragma once

#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "livens/math/lu.hpp"
#include "livens/math/sparse.hpp"
#include "livens/solve/sparse_lu.hpp"

namespace livens {

template <class Square>
class Mass;

template <class T, int N>
class Mass<Mat<T, N, N>> {
 public:
  template <class System>
  explicit Mass(const System& system)
      : lu_(system.coordinates()), matrix_(system.square()), reciprocal_(system.coordinates()) {}

  // Fill this, then factorise.
  Mat<T, N, N>& matrix() { return matrix_; }
  const Mat<T, N, N>& matrix() const { return matrix_; }

  // False if M is singular: L is not regular in the velocities.
  bool factorise() {
    const int n = matrix_.rows();
    diagonal_ = true;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (i != j && !(matrix_(i, j) == T(0))) diagonal_ = false;
    if (diagonal_) {
      for (int i = 0; i < n; ++i) {
        reciprocal_[i] = T(1) / matrix_(i, i);
        if (!is_finite(reciprocal_[i])) return false;
      }
      return true;
    }
    lu_.matrix() = matrix_;
    return lu_.factorise();
  }

  // Y = X M^-1 row by row: rows of a constraint Jacobian (M is symmetric); X and Y must be different matrices.
  template <int R>
  void solve_rows(const Mat<T, R, N>& X, Mat<T, R, N>& Y) const {
    const int n = matrix_.rows();
    for (int a = 0; a < X.rows(); ++a) {
      if (diagonal_)
        for (int j = 0; j < n; ++j) Y(a, j) = reciprocal_[j] * X(a, j);
      else
        lu_.solve(X.row(a), Y.row(a));
    }
  }

  // y = M^-1 x; x and y must be different vectors.
  void solve(const Vec<T, N>& x, Vec<T, N>& y) const {
    if (diagonal_)
      for (int i = 0; i < x.size(); ++i) y[i] = reciprocal_[i] * x[i];
    else
      lu_.solve(x.data(), y.data());
  }

  template <class Archive>
  void archive(Archive&) {}

 private:
  Lu<T, N> lu_;
  Mat<T, N, N> matrix_;
  Vec<T, N> reciprocal_;
  bool diagonal_ = true;
};

// Coordinates that M couples form a block; blocks are inverted one by one, or, where a block is large, all by sparse
// LU. Which ones are coupled is found from the first matrix where M is constant, else from the pattern.
template <class T>
class Mass<SparseMat<T>> {
 public:
  static constexpr int largest_block = 64;

  template <class System>
  explicit Mass(const System& system)
      : matrix_(system.square()),
        constant_(system.structure().constant_mass),
        make_lu_(system.linear().make_lu),
        reciprocal_(system.coordinates()) {}

  SparseMat<T>& matrix() { return matrix_; }
  const SparseMat<T>& matrix() const { return matrix_; }

  bool factorise() { return regular_ = factorise_matrix(); }

  // y = M^-1 x; x and y must be different vectors. Throws std::logic_error if M is constant and was found singular.
  void solve(const Vec<T>& x, Vec<T>& y) const {
    if (constant_ && !regular_) [[unlikely]]
      throw std::logic_error(
          "Mass: the mass matrix is singular, as start() has returned: a coordinate is without mass");
    if (lu_) return lu_->solve(x.data(), y.data());
    if (diagonal_) {
      multiply_entries(reciprocal_.data(), x.data(), y.data(), x.size());
      return;
    }
    for (const Block& block : blocks_) {
      for (int i = 0; i < block.size(); ++i) block.x[i] = x[block.coordinate(i)];
      block.lu.solve(block.x, block.y);
      for (int i = 0; i < block.size(); ++i) y[block.coordinate(i)] = block.y[i];
    }
  }

  // ---- for the Schur complement: M^-1 has the blocks of M ----------------------------------------------------------
  bool is_diagonal() const { return diagonal_; }
  bool is_constant() const { return constant_; }
  bool has_blocks() const { return !lu_; }
  const Vec<T>& reciprocals() const { return reciprocal_; }
  int block_of(int coordinate) const { return block_of_[static_cast<std::size_t>(coordinate)]; }
  const std::vector<int>& coordinates_of_block(int block) const {
    return coordinates_[static_cast<std::size_t>(block)];
  }
  // x <- M_b^-1 x for the coordinates of one block.
  void solve_block(int block, T* x) const {
    if (diagonal_) {
      x[0] *= reciprocal_[coordinates_of_block(block)[0]];
      return;
    }
    const Block& b = blocks_[static_cast<std::size_t>(block)];
    b.lu.solve(x, b.y.data());
    for (int i = 0; i < b.size(); ++i) x[i] = b.y[i];
  }

  template <class Archive>
  void archive(Archive& a) {
    if (lu_) lu_->archive(a);
  }

 private:
  bool factorise_matrix() {
    if (block_of_.empty()) find_blocks();
    if (lu_) return lu_->factorise(matrix_.values());
    if (diagonal_) {
      for (int i = 0; i < matrix_.rows(); ++i) {
        reciprocal_[i] = T(1) / matrix_.value(diagonal_entry_[static_cast<std::size_t>(i)]);
        if (!is_finite(reciprocal_[i])) return false;
      }
      return true;
    }
    for (Block& block : blocks_) {
      auto& A = block.lu.matrix();
      A.fill(T(0));
      for (int i = 0; i < block.size(); ++i)
        for_row(matrix_, block.coordinate(i), [&](int j, const T& value) {
          if (block_of(j) == block_of(block.coordinate(i))) A(i, place_in_block_[static_cast<std::size_t>(j)]) = value;
        });
      if (!block.lu.factorise()) return false;
    }
    return true;
  }

  // z_i = x_i y_i. Pairs of values are taken together at any level of optimisation: z is known to be apart, and the
  // inner loop has a fixed length.
  static void multiply_entries(const T* x, const T* y, T* __restrict z, std::ptrdiff_t n) {
    constexpr std::ptrdiff_t together = 8;
    for (; n >= together; n -= together, x += together, y += together, z += together)
      for (std::ptrdiff_t k = 0; k < together; ++k) z[k] = x[k] * y[k];
    for (; n > 0; --n) *z++ = *x++ * *y++;
  }

  struct Block {
    explicit Block(std::vector<int> list) : coordinates(std::move(list)), lu(size()), x(size()), y(size()) {}
    std::vector<int> coordinates;
    Lu<T> lu;
    mutable Vec<T> x, y;
    int size() const { return static_cast<int>(coordinates.size()); }
    int coordinate(int i) const { return coordinates[static_cast<std::size_t>(i)]; }
  };

  void find_blocks() {
    const std::size_t n = static_cast<std::size_t>(matrix_.rows());
    std::vector<int> leader(n);
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int i) {
      while (leader[static_cast<std::size_t>(i)] != i)
        i = leader[static_cast<std::size_t>(i)] = leader[static_cast<std::size_t>(leader[static_cast<std::size_t>(i)])];
      return i;
    };
    for (int i = 0; i < matrix_.rows(); ++i)
      for_row(matrix_, i, [&](int j, const T& value) {
        if (!constant_ || !(value == T(0))) leader[static_cast<std::size_t>(find(i))] = find(j);
      });
    block_of_.assign(n, -1);
    place_in_block_.assign(n, 0);
    std::vector<int> number(n, -1);
    for (int i = 0; i < matrix_.rows(); ++i) {
      int& block = number[static_cast<std::size_t>(find(i))];
      if (block < 0) {
        block = static_cast<int>(coordinates_.size());
        coordinates_.emplace_back();
      }
      auto& list = coordinates_[static_cast<std::size_t>(block)];
      block_of_[static_cast<std::size_t>(i)] = block;
      place_in_block_[static_cast<std::size_t>(i)] = static_cast<int>(list.size());
      list.push_back(i);
    }
    std::size_t largest = 0;
    for (const auto& list : coordinates_) largest = std::max(largest, list.size());
    diagonal_ = largest <= 1;
    if (diagonal_) {
      for (int i = 0; i < matrix_.rows(); ++i) diagonal_entry_.push_back(find_entry(matrix_.pattern(), i, i));
    } else if (largest > largest_block && make_lu_) {
      lu_ = make_lu_(matrix_.shared_pattern());
    } else {
      for (const auto& list : coordinates_) blocks_.emplace_back(list);
    }
  }

  SparseMat<T> matrix_;
  bool constant_;
  SparseLuMaker<T> make_lu_;
  Vec<T> reciprocal_;
  bool diagonal_ = true, regular_ = false;
  std::vector<int> block_of_, place_in_block_, diagonal_entry_;
  std::vector<std::vector<int>> coordinates_;  // of every block
  std::vector<Block> blocks_;
  std::unique_ptr<SparseLu<T>> lu_;
};

}  // namespace livens
