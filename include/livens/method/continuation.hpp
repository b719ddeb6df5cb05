// Whether the root that Newton's method finds continues the motion of the step before, from which the guess was made.
//
// The equations of a large step have other roots, and a far guess may lead to one of them, where a body has jumped to
// the other side of its constraint. So the first correction has to be small beside the velocities, and the others have
// to contract,
//
//   |du_1| <= |u|/8 ,    |du_k| <= |du_k-1|/2 ;
//
// else the attempt is given up, and the step is solved from the node: the velocity of its projected momentum and its
// multiplier. Corrections that do not move positions by more than 2^20 epsilon say nothing.
#pragma once

#include "livens/math/scalar.hpp"
#include "livens/solve/outcome.hpp"

namespace livens {

template <class Real>
class Continuation {
 public:
  Continuation() = default;  // any root will do
  // velocities: |u| of the guess; resolution: |q|/h
  Continuation(const Real& velocities, const Real& resolution)
      : asked_(true), allowed_(velocities / 8), noise_(velocities / 1048576 + 1048576 * epsilon<Real>() * resolution) {}

  void note(const Real& change) {
    if (change > noise_ && !(change <= allowed_)) fails_ = asked_;
    allowed_ = change / 2;
  }
  bool fails() const { return fails_; }

 private:
  bool asked_ = false, fails_ = false;
  Real allowed_ = Real(0), noise_ = Real(0);
};

// What a first attempt at a step has cost, added to the report of a second one that succeeded.
inline void add_cost(const StepReport& first, StepReport& report) {
  if (!succeeded(report.outcome)) return;
  report.iterations += first.iterations;
  report.jacobians += first.jacobians;
  report.evaluations += first.evaluations;
}

}  // namespace livens
