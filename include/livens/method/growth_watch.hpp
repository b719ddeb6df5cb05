// Whether a quantity of a run grows and goes on growing, seen before it has grown too large.
//
// M_k: its largest value in the k-th window of steps, windows being a quarter of an octave long (8, 10, 12, 14, 16, 20,
// 24, ...). It grows if in the last six windows
//
//   M_k >= 1.1 M_k-1   each time ,   M_k >= 10 max(M_j, j <= k - 6) ,   M_k >= 1e-4 scale ,   64 steps or more,
//
// until M_k+1 <= 1.02 M_k. What swings with the motion reaches its bound within a period and is seen at most until
// then; a line through 0 grows by 2.8 in six windows, a parabola by 8, and is not.
#pragma once

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>
#include <string>

namespace livens {

class GrowthWatch {
 public:
  // One step more. scale: what the quantity has to be compared with.
  void look(double value, double scale) {
    if (++step_ >= window_end_) close_window();
    now_ = value;
    last_[0] = std::max(last_[0], value);
    if (seen_at_ == 0 && window_ >= first_judged && grows() && last_[0] >= 1e-4 * scale)
      seen_at_ = step_, seen_ = value;
  }

  // Empty where nothing is to be told.
  std::string warning(const std::string& what, const std::string& advice) const {
    if (seen_at_ == 0) return "";
    std::ostringstream words;
    words << std::scientific << std::setprecision(1) << what << " grows: " << seen_ << " at step " << seen_at_;
    if (step_ > seen_at_) words << ", " << now_ << " at step " << step_;
    words << "; " << advice;
    return words.str();
  }

  template <class Archive>
  void archive(Archive& a) {
    a(step_, window_, window_end_, seen_at_, last_, before_, now_, seen_);
  }

 private:
  static constexpr long long first_judged = 64;

  bool grows() const {
    for (std::size_t k = 0; k + 1 < last_.size(); ++k)
      if (!(last_[k] >= 1.1 * last_[k + 1])) return false;
    return last_[0] >= 10 * before_;
  }
  // The next window begins; a step of it has been counted.
  void close_window() {
    if (last_[0] <= 1.02 * last_[1]) seen_at_ = 0;
    before_ = std::max(before_, last_.back());
    std::copy_backward(last_.begin(), last_.end() - 1, last_.end());
    last_[0] = 0;
    if (window_end_ >= 2 * window_) window_ *= 2;
    window_end_ += std::max(1LL, window_ / 4);
  }

  long long step_ = 0, window_ = 4, window_end_ = 5, seen_at_ = 0;  // window_: the power of 2 before the window
  std::array<double, 6> last_{};            // largest values in the last windows, this one first
  double before_ = 0, now_ = 0, seen_ = 0;  // before_: largest value before those
};

}  // namespace livens
