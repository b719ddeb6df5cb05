// The equations of several multipliers of one step, count x count blocks, each a product
//
//   K_ij G_i M^-1 H_j^T ,    i, j = 0 .. count-1 ,
//
// of sparse constraint Jacobians of nearly the same configuration: close to K (x) (G M^-1 G^T). Where K needs no
// pivoting, neither does the whole: it is eliminated in any scalar, with nothing to remember between runs. Multipliers
// of one constraint follow one another, so that a chain has a narrow band.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "livens/solve/elimination.hpp"
#include "livens/solve/weighted_product.hpp"

namespace livens {

template <class T>
class MultiplierBlocks {
 public:
  template <class System>
  MultiplierBlocks(const System& system, int count)
      : count_(count), jacobian_(system.jacobian().shared_pattern()), x_(count * system.constraints()), y_(x_) {}

  // To be called for every block before `factorise`.
  void set(int i, int j, const T& K, const SparseMat<T>& G, const Mass<SparseMat<T>>& mass, const SparseMat<T>& H) {
    if (block_.size() == 0) plan(mass);
    product_(G, mass, H, block_.data());
    const int* const place = places_.data() + static_cast<std::size_t>((i * count_ + j) * block_.size());
    T* const values = elimination_.values();
    for (int k = 0; k < block_.size(); ++k) values[place[k]] = K * block_[k];
  }
  bool factorise() { return elimination_.factorise(); }

  // Right sides and solutions one block after another.
  void set_right(int i, const Vec<T>& r) {
    for (int a = 0; a < r.size(); ++a) x_[a * count_ + i] = r[a];
  }
  void solve() { elimination_.solve(x_, y_); }
  void get_solution(int j, Vec<T>& x) const {
    for (int a = 0; a < x.size(); ++a) x[a] = y_[a * count_ + j];
  }

 private:
  void plan(const Mass<SparseMat<T>>& mass) {
    if (!mass.has_blocks())
      throw std::invalid_argument("the equations of the multipliers need a mass matrix of small blocks");
    product_.plan(*jacobian_, mass);
    const SparsePattern& p = *product_.pattern();
    block_ = Vec<T>(p.entries());
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < count_; ++i)
      for (int j = 0; j < count_; ++j)
        for (int a = 0; a < p.rows; ++a)
          for (int k = p.begin(a); k < p.end(a); ++k) pairs.emplace_back(a * count_ + i, p.col(k) * count_ + j);
    const auto pattern = std::make_shared<SparsePattern>(make_pattern(count_ * p.rows, count_ * p.rows, pairs));
    for (const auto& [row, col] : pairs) places_.push_back(find_entry(*pattern, row, col));
    elimination_ = Elimination<T>(pattern);
  }

  int count_;
  std::shared_ptr<const SparsePattern> jacobian_;
  WeightedProduct<T> product_;
  Vec<T> block_;             // the last product
  std::vector<int> places_;  // of the entries of every block
  Elimination<T> elimination_;
  Vec<T> x_, y_;
};

}  // namespace livens
