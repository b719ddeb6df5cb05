// The guess for a quantity that changes smoothly from step to step: the line through its last two values. It only
// starts an iteration; what it needs to remember are those two values.
#pragma once

#include <utility>

namespace livens {

template <class Vector>
class Extrapolation {
 public:
  explicit Extrapolation(const Vector& shape) : now_(shape), before_(shape) {}

  void start(const Vector& x) { now_ = before_ = x; }
  void remember(const Vector& x) {
    std::swap(now_, before_);
    now_ = x;
  }
  template <class Archive>
  void archive(Archive& a) {
    a(now_, before_);
  }
  auto operator[](int i) const { return now_[i] + (now_[i] - before_[i]); }

 private:
  Vector now_, before_;
};

}  // namespace livens
