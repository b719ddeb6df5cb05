// The equations of several multipliers of one step, count x count blocks, each a product
//
//   K_ij G_i M^-1 H_j^T ,    i, j = 0 .. count-1 ,
//
// of sparse constraint Jacobians of nearly the same configuration: close to K (x) (G M^-1 G^T). Where K needs no
// pivoting, neither does the whole: it is eliminated in any scalar, with nothing to remember between runs. Multipliers
// of one constraint follow one another, so that a chain has a narrow band.
#pragma once

#include <memory>

#include "livens/solve/elimination.hpp"
#include "livens/solve/product_blocks.hpp"

namespace livens {

template <class T>
class MultiplierBlocks {
 public:
  template <class System>
  MultiplierBlocks(const System& system, int count)
      : count_(count), jacobian_(system.jacobian().shared_pattern()), x_(count * system.constraints()), y_(x_) {}

  // To be called for every block before `factorise`.
  void set(int i, int j, const T& K, const SparseMat<T>& G, const Mass<SparseMat<T>>& mass, const SparseMat<T>& H) {
    if (!blocks_.planned())
      elimination_ = Elimination<T>(
          blocks_.plan(*jacobian_, mass, count_, [this](int block, int a) { return a * count_ + block; }));
    T* const values = elimination_.values();
    blocks_.product(i, j, G, mass, H, [=](int place, const T& x) { values[place] = K * x; });
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
  int count_;
  std::shared_ptr<const SparsePattern> jacobian_;
  ProductBlocks<T> blocks_;
  Elimination<T> elimination_;
  Vec<T> x_, y_;
};

}  // namespace livens
