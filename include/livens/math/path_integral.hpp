// int f(t, q(t), v(t)) dt along a motion that is known at its nodes, v = dq/dt, as it goes on.
//
//   Adams-Moulton with six points, over the step from t_n-1 to t_n
//
//       h/1440 (475 f_n + 1427 f_n-1 - 798 f_n-2 + 482 f_n-3 - 173 f_n-4 + 27 f_n-5)         error O(h^6) of all of
//       them
//
//   and in the first four steps, or where a step has another size than those before it, Simpson's rule with the middle
//   of the cubic Hermite interpolant of q, which has q and v up to O(h^4)
//
//       h/6 (f_n-1 + 4 f(t_m, q_m, v_m) + f_n)                                                error O(h^5) of the step
//       q_m = (q_n-1 + q_n)/2 + h/8 (v_n-1 - v_n) ,   v_m = 3/(2h) (q_n - q_n-1) - (v_n-1 + v_n)/4
#pragma once

#include <algorithm>
#include <array>

#include "livens/math/compensated.hpp"
#include "livens/math/vec.hpp"

namespace livens {

template <class T, int n = Dynamic>
class PathIntegral {
 public:
  using Coordinates = Vec<T, n>;
  explicit PathIntegral(int coordinates) : q_(coordinates), v_(q_), q_middle_(q_), v_middle_(q_) {}

  // step: the size of all steps that are not said to be shorter by their times, which are less exact.
  template <class Function>
  void start(const T& t, const T& step, const Coordinates& q, const Coordinates& v, const Function& f) {
    step_ = step;
    sum_ = remainder_ = T(0);
    known_ = 0;
    push(f(t, q, v));
    t_ = t, q_ = q, v_ = v;
  }

  template <class Function>
  void add(const T& t, const Coordinates& q, const Coordinates& v, const Function& f) {
    using Real = RealOf<T>;
    const T passed = t - t_;
    const bool is_regular =
        abs_of(T(passed - step_)) <= Real(1e-6) * abs_of(step_) + 8 * epsilon<T>() * (abs_of(t) + abs_of(t_));
    const T h = is_regular ? step_ : passed;
    push(f(t, q, v));
    if (known_ == points && is_regular)
      add_compensated(sum_, remainder_, h * last_step());
    else
      add_compensated(sum_, remainder_, h * with_middle(h, q, v, f));
    if (!is_regular) known_ = 1;
    t_ = t, q_ = q, v_ = v;
  }

  const T& value() const { return sum_; }

  template <class Archive>
  void archive(Archive& a) {
    a(t_, q_, v_, values_, known_, sum_, remainder_);
  }

 private:
  static constexpr int points = 6;

  // The newest value is the last one.
  void push(const T& value) {
    std::rotate(values_.begin(), values_.begin() + 1, values_.end());
    values_.back() = value;
    known_ = std::min(known_ + 1, points);
  }

  T last_step() const {
    static constexpr std::array<int, points> weights = {27, -173, 482, -798, 1427, 475};  // of 1440
    T sum(0);
    for (std::size_t i = 0; i < values_.size(); ++i) sum += T(weights[i]) * values_[i];
    return sum / T(1440);
  }

  template <class Function>
  T with_middle(const T& h, const Coordinates& q, const Coordinates& v, const Function& f) {
    for (int i = 0; i < q.size(); ++i) {
      q_middle_[i] = (q_[i] + q[i]) / T(2) + h / T(8) * (v_[i] - v[i]);
      v_middle_[i] = T(3) * (q[i] - q_[i]) / (T(2) * h) - (v_[i] + v[i]) / T(4);
    }
    return (values_[points - 2] + T(4) * f(T(t_ + h / T(2)), q_middle_, v_middle_) + values_[points - 1]) / T(6);
  }

  T t_{}, step_{};
  Coordinates q_, v_, q_middle_, v_middle_;  // of the last node, and of the middle
  std::array<T, points> values_{};
  int known_ = 0;  // of the last values, at equal distances
  T sum_{}, remainder_{};
};

}  // namespace livens
