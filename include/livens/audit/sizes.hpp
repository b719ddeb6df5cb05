// How large what a run moves is, from its steps, whatever is recorded of them: the round-off of energy, invariants and
// constraints is relative to the terms that they are made of. An energy may be zero, an angular momentum too, and still
// be made of large terms.
#pragma once

#include <algorithm>
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

  void take_size(std::span<const double> q_now, std::span<const double> v_now, std::span<const double> p_now);
  // Whether the next state of the run is looked at: all of the first 4096, then every second, fourth, .., so that there
  // are always 2048 and more of them, evenly.
  bool is_next_looked_at() { return (++count_ & (stride_ - 1)) == 0; }
  void take(double t, std::span<const double> q_now, std::span<const double> v_now, std::span<const double> p_now);

  template <class Archive>
  void archive(Archive& a) {
    a(q, v, p, work, count_, stride_, samples_, v_before_, turns_);
  }

 private:
  long long count_ = 0, stride_ = 1;
  std::vector<Sample> samples_;
  std::vector<double> v_before_, turns_;  // 0 is no sign
};

}  // namespace livens
