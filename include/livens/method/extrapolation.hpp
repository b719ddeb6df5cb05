// The guess for a quantity that changes smoothly from step to step: the line through its last two values. It only
// starts an iteration; what it needs to remember are those two values, and whether a step was done since the start.
#pragma once

#include <utility>

#include "livens/solve/outcome.hpp"

namespace livens {

template <class Vector>
class Extrapolation {
 public:
  explicit Extrapolation(const Vector& shape) : now_(shape), before_(shape) {}

  void start(const Vector& x) { now_ = before_ = x, continues_ = false; }
  void remember(const Vector& x) {
    std::swap(now_, before_);
    now_ = x;
    continues_ = true;
  }
  bool continues() const { return continues_; }
  template <class Archive>
  void archive(Archive& a) {
    a(now_, before_, continues_);
  }
  auto operator[](int i) const { return now_[i] + (now_[i] - before_[i]); }

 private:
  Vector now_, before_;
  bool continues_ = false;
};

// Whether the guess may be why a step could not be solved. A singular matrix is a property of the configuration.
template <class Vector>
bool may_start_again(const StepReport& report, const Extrapolation<Vector>& guess) {
  return !succeeded(report.outcome) && report.outcome != Outcome::singular_jacobian &&
         report.part == StepPart::equations && guess.continues();
}

}  // namespace livens
