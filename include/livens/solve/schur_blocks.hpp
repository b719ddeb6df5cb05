// The equations of several multipliers of one step: a matrix of r x r blocks, each a sum of products A M^-1 B^T.
#pragma once

#include <memory>
#include <vector>

#include "livens/math/lu.hpp"
#include "livens/solve/elimination.hpp"
#include "livens/solve/product_blocks.hpp"

namespace livens {

template <class Jacobian>
class SchurBlocks;

template <class T, int M, int N>
class SchurBlocks<Mat<T, M, N>> {
 public:
  template <class System>
  SchurBlocks(const System& system, int blocks)
      : m_(system.constraints()), lu_(blocks * system.constraints()), WB_(system.jacobian()) {}

  void clear() { lu_.matrix().fill(T(0)); }
  // Adds A M^-1 B^T to the block (row, col).
  void add(int row, int col, const Mat<T, M, N>& A, const Mass<Mat<T, N, N>>& mass, const Mat<T, M, N>& B) {
    mass.solve_rows(B, WB_);
    for (int a = 0; a < m_; ++a)
      for (int b = 0; b < m_; ++b) {
        T sum(0);
        for (int j = 0; j < A.cols(); ++j) sum += A(a, j) * WB_(b, j);
        lu_.matrix()(row * m_ + a, col * m_ + b) += sum;
      }
  }
  bool factorise() { return lu_.factorise(); }
  void solve(const Vec<T>& r, Vec<T>& x) { lu_.solve(r, x); }

  template <class Archive>
  void archive(Archive&) {}

 private:
  int m_;
  Lu<T> lu_;
  Mat<T, M, N> WB_;  // B M^-1
};

// One block: close to positive definite for small steps, by elimination without pivoting. Several: by sparse LU.
template <class T>
class SchurBlocks<SparseMat<T>> {
 public:
  template <class System>
  SchurBlocks(const System& system, int blocks)
      : blocks_(blocks), jacobian_(system.jacobian().shared_pattern()), make_lu_(system.linear().make_lu) {}

  void clear() { values_.fill(T(0)); }
  void add(int row, int col, const SparseMat<T>& A, const Mass<SparseMat<T>>& mass, const SparseMat<T>& B) {
    if (!product_.planned()) plan(mass);
    product_.product(row, col, A, mass, B, [this](int place, const T& x) { values_[place] += x; });
  }
  bool factorise() {
    if (lu_) return lu_->factorise(values_.data());
    for (int k = 0; k < values_.size(); ++k) elimination_.values()[k] = values_[k];
    return elimination_.factorise();
  }
  void solve(const Vec<T>& r, Vec<T>& x) {
    if (lu_)
      lu_->solve(r.data(), x.data());
    else
      elimination_.solve(r, x);
  }

  template <class Archive>
  void archive(Archive& a) {
    bool planned = lu_ != nullptr;
    a(planned);
    if (!planned) return;
    std::vector<T> pivots;
    if (lu_) pivots = lu_->values_of_pivots();
    a(pivots);
    if constexpr (Archive::reads) pivots_ = std::move(pivots);
  }

 private:
  void plan(const Mass<SparseMat<T>>& mass) {
    const int m = jacobian_->rows;
    const auto pattern = product_.plan(*jacobian_, mass, blocks_, [m](int block, int a) { return block * m + a; });
    values_ = Vec<T>(pattern->entries());
    if (blocks_ == 1) {
      elimination_ = Elimination<T>(pattern);
    } else {
      lu_ = require_lu(make_lu_)(pattern);
      lu_->choose_pivots(pivots_);
    }
  }

  int blocks_;
  std::shared_ptr<const SparsePattern> jacobian_;
  SparseLuMaker<T> make_lu_;
  ProductBlocks<T> product_;
  Vec<T> values_;
  Elimination<T> elimination_;
  std::unique_ptr<SparseLu<T>> lu_;
  std::vector<T> pivots_;  // of a run that is resumed
};

}  // namespace livens
