// How large what a run moves is, from all of its steps: the round-off of energy, invariants and constraints is relative
// to the terms that they are made of. An energy may be zero, an angular momentum too, and still be made of large terms.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

namespace livens {

class RunSizes {
 public:
  double q = 0, v = 0, p = 0, work = 0;  // largest |q|, |v|, |p|, sum |v_i p_i|

  // A state now and then: the first, second, fourth, eighth, ..
  struct Sample {
    double t;
    std::vector<double> q, v, p;
    template <class Archive>
    void archive(Archive& a) {
      a(t, q, v, p);
    }
  };
  const std::vector<Sample>& samples() const { return samples_; }

  // The most changes of sign of a velocity; infinite without velocities.
  double turns() const { return turns_.empty() ? INFINITY : *std::max_element(turns_.begin(), turns_.end()); }

  void take_size(std::span<const double> q_now, std::span<const double> v_now, std::span<const double> p_now) {
    const auto largest = [](std::span<const double> x, double& size) {
      for (const double xi : x) size = std::max(size, std::abs(xi));
    };
    largest(q_now, q), largest(v_now, v), largest(p_now, p);
    double sum = 0;
    for (std::size_t i = 0; i < std::min(v_now.size(), p_now.size()); ++i) sum += std::abs(v_now[i] * p_now[i]);
    work = std::max(work, sum);
  }

  // The next state of the run.
  void take(double t, std::span<const double> q_now, std::span<const double> v_now, std::span<const double> p_now) {
    take_size(q_now, v_now, p_now);
    if (std::has_single_bit(static_cast<unsigned long long>(++count_)))
      samples_.push_back({t, {q_now.begin(), q_now.end()}, {v_now.begin(), v_now.end()}, {p_now.begin(), p_now.end()}});
    sign_.resize(v_now.size()), turns_.resize(v_now.size());
    for (std::size_t i = 0; i < v_now.size(); ++i) {
      if (v_now[i] * sign_[i] < 0) turns_[i] += 1;
      if (v_now[i] != 0) sign_[i] = std::copysign(1.0, v_now[i]);
    }
  }

  template <class Archive>
  void archive(Archive& a) {
    a(q, v, p, work, count_, samples_, sign_, turns_);
  }

 private:
  long long count_ = 0;
  std::vector<Sample> samples_;
  std::vector<double> sign_, turns_;
};

}  // namespace livens
