// Whether a quantity of a run grows and goes on growing, seen before it has grown too large.
//
// M_k: its largest value in the steps 2^k .. 2^(k+1) - 1. It grows if
//
//   M_k >= 5 max(M_0 .. M_k-1)   and   M_k-1 >= 1.5 max(M_0 .. M_k-2)   and   M_k >= 1e-4 scale ,   k >= 6 ,
//
// until M_k+1 <= 1.2 M_k. What swings with the motion reaches its bound within a period and is not seen; a line through
// 0, whose M_k double, is not either. Of 98 runs of the symplectic projection that fail (Lotka-Volterra, vortices,
// guiding centre; all tableaux) 82 are seen, at a seventh to a half of their steps; the others are of Lobatto IIIA,
// most with less than 200 steps.
#pragma once

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <string>

namespace livens {

class GrowthWatch {
 public:
  // One step more. scale: what the quantity has to be compared with.
  void look(double value, double scale) {
    if (++step_ == 2 * window_) {
      if (largest_ <= 1.2 * last_) seen_at_ = 0;
      before_last_ = std::max(before_last_, last_);
      last_ = largest_;
      largest_ = 0;
      window_ *= 2;
    }
    now_ = value;
    largest_ = std::max(largest_, value);
    if (seen_at_ == 0 && window_ >= first_judged && largest_ >= 5 * std::max(last_, before_last_) &&
        last_ >= 1.5 * before_last_ && largest_ >= 1e-4 * scale)
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
    a(step_, window_, seen_at_, largest_, last_, before_last_, now_, seen_);
  }

 private:
  static constexpr long long first_judged = 64;

  long long step_ = 0, window_ = 1, seen_at_ = 0;
  double largest_ = 0, last_ = 0, before_last_ = 0, now_ = 0, seen_ = 0;
};

}  // namespace livens
