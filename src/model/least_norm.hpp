// Redundant constraints with the smallest multipliers. A run is made without the constraints that others imply; its
// motion is the same, because G^T lambda can be had from the rest. For the results the multipliers of all constraints
// are those of the smallest 2-norm among all with the same force:
//
//   lambda = lambda_rest - N (N^T N)^-1 N^T lambda_rest ,    columns of N: a basis of the kernel of G^T ,
//
// n_d = e_d - sum_i k_di e_i  for every constraint d left out, with  G_d = sum_i k_di G_i  from  G_i G_j^T k_dj = G_i
// G_d^T.
#pragma once

#include <span>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/system/elements.hpp"

namespace livens {

template <class T>
class LeastNorm {
 public:
  LeastNorm(const Model& model, std::vector<int> left_out);

  // All multipliers, from those of the constraints that were kept; several blocks of them one after another.
  Vec<T> multipliers(const T& t, const Vec<T>& q, std::span<const T> kept);

  // Throws InputError if one left out contradicts the others at the start: g is not 0 or G v + g_t is not.
  void check(const Model& model, const T& t, const Vec<T>& q, const Vec<T>& v);

 private:
  ElementSystem<T> system_;  // with all constraints
  std::vector<int> left_out_, kept_;
  SparseMat<T> G_;
  Vec<T> g_;
};

}  // namespace livens
