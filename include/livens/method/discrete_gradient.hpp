// What a discrete gradient (Gonzalez 1996) has beside the gradient Df at the middle of a step dq,
//
//   (f(q1) - f(q0) - Df.dq) / (dq.dq) dq ,
//
// summed over several functions f with factors. A numerator that is lost in the round-off of its terms, as for dq -> 0,
// is left out: divided by |dq|, that round-off has no bound.
#pragma once

#include "livens/math/vec.hpp"

namespace livens {

template <class T>
class DiscreteGradients {
 public:
  using Real = RealOf<T>;

  // terms: size of what the numerator is summed from
  void add(const T& factor, const T& numerator, const Real& terms) {
    noise_ += abs_of(factor) * terms;
    if (abs_of(numerator) > 8 * epsilon<T>() * terms) sum_ += factor * numerator;
  }
  template <int n>
  void subtract_from(Vec<T, n>& f, const Vec<T, n>& dq) {
    const T square = dot(dq, dq);
    if (!(value_of(square) > Real(0))) return;
    for (int i = 0; i < f.size(); ++i) f[i] -= sum_ / square * dq[i];
    noise_ *= 16 * epsilon<T>() * size_of(dq) / value_of(square);
  }
  // After that: its round-off, which may be far above that of all else where f has a constant.
  const Real& noise() const { return noise_; }

 private:
  T sum_{};
  Real noise_{};
};

}  // namespace livens
