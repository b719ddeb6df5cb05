// Redundant constraints with the smallest multipliers. A run is made without the constraints that others imply; its
// motion is the same, because G^T lambda can be had from the rest. For the results the multipliers of all constraints
// are those of the smallest 2-norm among all with the same force:
//
//   lambda = lambda_rest - N (N^T N)^-1 N^T lambda_rest ,    columns of N: a basis of the kernel of G^T ,
//
// n_d = e_d - sum_i k_di e_i  for every constraint d left out, with  G_d = sum_i k_di G_i  from  G_i G_j^T k_dj = G_i
// G_d^T.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "livens/model/element_lagrangian.hpp"
#include "livens/model/redundant.hpp"
#include "livens/run/table.hpp"

namespace livens {

template <class T>
class LeastNorm {
 public:
  LeastNorm(const Model& model, std::vector<int> left_out);

  // All multipliers, from those of the constraints that were kept; several blocks of them one after another.
  Vec<T> multipliers(const T& t, const Vec<T>& q, std::span<const T> kept);

  // The largest |g| of the constraints left out.
  T violation(const T& t, const Vec<T>& q);
  // Throws InputError if one left out contradicts the others at the start.
  void check(const Model& model, const T& t, const Vec<T>& q);

 private:
  void evaluate(const T& t, const Vec<T>& q);

  ElementSystem<T> system_;  // with all constraints
  std::vector<int> left_out_, kept_;
  SparseMat<T> G_;
  Vec<T> g_;
};

// Completes the rows of a run that was made without some constraints: columns lambda and raw_lambda get all of them,
// audit/constraint looks at all.
class LeastNormRows : public RowSink {
 public:
  LeastNormRows(const Model& model, std::vector<int> left_out, const Columns& of_run);
  const Columns& columns() const { return complete_; }
  void write_to(RowSink* rows) { rows_ = rows; }
  void write(std::span<const double> row) override;

 private:
  LeastNorm<double> all_;
  Columns of_run_, complete_;
  RowSink* rows_ = nullptr;
  std::vector<double> row_;
};

}  // namespace livens
