// The equation  (A M^-1 B^T) x = r  of multipliers, A and B being constraint Jacobians (of two times, so that the
// matrix is not symmetric in general), M the mass matrix.
//
//   dense            the product, by LU
//   sparse, "schur"  the product, entry by entry from lists of what meets where, by elimination without pivoting.
//                    Needs M^-1 to be sparse: M with small blocks.
//   sparse, "sparse" never formed; instead  [ M  B^T ; A  0 ] [ y ; x ] = [ 0 ; -r ]  by sparse LU
//
// LinearTarget::automatic eliminates. Thousand instructions a step of rattle (points of tests/verify/networks.hpp), row
// by row, which group_elimination.hpp only betters:
//
//               chain 100  ring 100  tree 255  net 10x10  20x20  30x30  40x40   net with diagonals 10x10  20x20
//   elimination       200       247       624       1148   7725  30800  76000                       2198  20900
//   sparse LU         700       785      1831       2162   9593  32300  68900                      13469 350900
//
// The fill of the elimination does not tell where the LU costs less: a net of 30x30 points and one of 20x20 with
// diagonals have the same, 18 thousand instructions a row, and the LU costs as much in one and 17 times as much in the
// other. It gains 10 % on the largest nets and loses an order of magnitude where it has to pivot.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "livens/math/lu.hpp"
#include "livens/solve/elimination.hpp"
#include "livens/solve/impulse_units.hpp"
#include "livens/solve/linear_choice.hpp"
#include "livens/solve/mass.hpp"
#include "livens/solve/weighted_product.hpp"

namespace livens {

template <class Jacobian>
class Schur;

template <class T, int M, int N>
class Schur<Mat<T, M, N>> {
 public:
  template <class System>
  explicit Schur(const System& system) : lu_(system.constraints()), WB_(system.jacobian()) {}

  bool factorise(const Mat<T, M, N>& A, const Mass<Mat<T, N, N>>& mass, const Mat<T, M, N>& B) {
    mass.solve_rows(B, WB_);
    multiply_by_transposed(A, WB_, lu_.matrix());
    return lu_.factorise();
  }
  void solve(const Vec<T, M>& r, Vec<T, M>& x) { lu_.solve(r, x); }
  // y = M^-1 B^T x
  void spread(const Vec<T, M>& x, Vec<T, N>& y) const { multiply_transposed(WB_, x, y); }

  template <class Archive>
  void archive(Archive&) {}

 private:
  Lu<T, M> lu_;
  Mat<T, M, N> WB_;  // B M^-1
};

template <class T>
class Schur<SparseMat<T>> {
 public:
  template <class System>
  explicit Schur(const System& system) : jacobian_(system.jacobian().shared_pattern()) {
    if (system.linear().target == LinearTarget::lu) make_saddle(system);
  }

  bool factorise(const SparseMat<T>& A, const Mass<SparseMat<T>>& mass, const SparseMat<T>& B) {
    if (saddle_) return factorise_saddle(A, mass, B);
    if (elimination_.size() == 0) {
      product_.plan(*jacobian_, mass);
      elimination_ = Elimination<T>(product_.pattern());
    }
    product_(A, mass, B, elimination_.values());
    return elimination_.factorise();
  }

  void solve(const Vec<T>& r, Vec<T>& x) {
    if (!saddle_) return elimination_.solve(r, x);
    const int n = right_.size() - r.size();
    for (int i = 0; i < n; ++i) right_[i] = T(0);
    for (int a = 0; a < r.size(); ++a) right_[n + a] = -r[a];
    saddle_->solve(right_.data(), solution_.data());
    for (int a = 0; a < r.size(); ++a) x[a] = unit_[a] * solution_[n + a];
  }

  template <class Archive>
  void archive(Archive& a) {
    if (saddle_) saddle_->archive(a);
  }

 private:
  // ---- the saddle --------------------------------------------------------------------------------------------------
  template <class System>
  void make_saddle(const System& system) {
    const SparsePattern& G = *jacobian_;
    const auto square = system.square();
    const int n = G.cols, m = G.rows;
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < n; ++i) for_row(square, i, [&](int j, const T&) { pairs.emplace_back(i, j); });
    for (int a = 0; a < m; ++a)
      for (int k = G.begin(a); k < G.end(a); ++k)
        pairs.emplace_back(n + a, G.col(k)), pairs.emplace_back(G.col(k), n + a);
    const auto pattern = std::make_shared<SparsePattern>(make_pattern(n + m, n + m, std::move(pairs)));
    for (int i = 0; i < n; ++i)
      for_row(square, i, [&](int j, const T&) { place_of_mass_.push_back(find_entry(*pattern, i, j)); });
    for (int a = 0; a < m; ++a)
      for (int k = G.begin(a); k < G.end(a); ++k) {
        place_of_A_.push_back(find_entry(*pattern, n + a, G.col(k)));
        place_of_B_.push_back(find_entry(*pattern, G.col(k), n + a));
      }
    values_ = Vec<T>(pattern->entries());
    right_ = Vec<T>(n + m);
    solution_ = Vec<T>(n + m);
    inertia_ = Vec<T>(n);
    unit_ = Vec<T>(m);
    saddle_ = require_lu(system.linear().make_lu)(pattern);
  }

  bool factorise_saddle(const SparseMat<T>& A, const Mass<SparseMat<T>>& mass, const SparseMat<T>& B) {
    for (std::size_t k = 0; k < place_of_mass_.size(); ++k)
      values_[place_of_mass_[k]] = mass.matrix().value(static_cast<int>(k));
    choose_impulse_units(mass.matrix(), B, inertia_, unit_);  // masses of 1e-26 would else be lost beside B
    std::size_t k = 0;
    for (int a = 0; a < B.rows(); ++a)
      for_row(B, a, [&](int, const T& x) {
        values_[place_of_A_[k]] = A.value(static_cast<int>(k));
        values_[place_of_B_[k++]] = unit_[a] * x;
      });
    return saddle_->factorise(values_.data());
  }

  std::shared_ptr<const SparsePattern> jacobian_;
  WeightedProduct<T> product_;
  Elimination<T> elimination_;

  std::unique_ptr<SparseLu<T>> saddle_;
  std::vector<int> place_of_mass_, place_of_A_, place_of_B_;
  Vec<T> values_, right_, solution_, inertia_, unit_;
};

}  // namespace livens
