// Lobatto IIIA-IIIB and IIIB-IIIA on systems whose momentum is a function of q: the matrix of IIIA is singular, A v =
// 0, and so are the equations of the stages. One unknown mu per coordinate more, and a row that holds what was free
// (Kraus 2017, section 3.3; signs as recomputed):
//
//   row i:  ... + mu v_i ,     row of mu:  sum_i b_i v_i V_i = 0
#pragma once

#include <vector>

#include "livens/math/runge_kutta.hpp"
#include "livens/math/vec.hpp"

namespace livens {

// v of the pair, which may have none; mu is the unknown after the stages.
template <class T>
class NullVector {
 public:
  explicit NullVector(const RungeKuttaPair& pair) {
    for (const Widest& v : pair.null_vector) v_.push_back(T(static_cast<RealOf<T>>(v)));
  }

  template <class Stages>
  void add_terms(Stages& stages) const {
    const int mu = size();
    for (int k = 0; k < mu; ++k)
      for (int c = 0; c < stages.row(k).size(); ++c) {
        stages.row(k)[c] += (*this)[k] * stages.U(mu)[c];
        stages.row(mu)[c] += (*this)[k] * stages.increment_of(k)[c];
      }
  }

  template <class Stages>
  void add_derivatives(Stages& stages, int coordinates) const {
    const int n = coordinates, mu = size();
    for (int k = 0; k < mu; ++k) {
      stages.matrix().add_diagonal({k * n, mu * n}, n, (*this)[k]);
      stages.matrix().add_diagonal({mu * n, k * n}, n, stages.increment_by(k) * (*this)[k]);
    }
  }

 private:
  int size() const { return static_cast<int>(v_.size()); }
  const T& operator[](int k) const { return v_[static_cast<std::size_t>(k)]; }

  std::vector<T> v_;
};

}  // namespace livens
