// An error e(t) as the steps of a run come, in memory that does not grow with the run: its least-squares line, and sums
// and extremes of at most 256 blocks of steps, two of them joined to one when there are more. What they tell is found
// by course.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace livens {

class Drift {
 public:
  void add(double t, double value) {
    count_ += 1;
    const double dt = t - mean_t_, dv = value - mean_value_;
    mean_t_ += dt / count_;
    mean_value_ += dv / count_;
    tt_ += dt * (t - mean_t_);
    tv_ += dt * (value - mean_value_);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(count_, mean_t_, mean_value_, tt_, tv_);
  }
  double slope() const { return tt_ > 0 ? tv_ / tt_ : 0; }

 private:
  double count_ = 0, mean_t_ = 0, mean_value_ = 0, tt_ = 0, tv_ = 0;
};

class CourseWatch {
 public:
  CourseWatch() { blocks_.reserve(most); }

  struct Block {
    double t, steps, sum, low, high;  // time of its last step
    double up, down;                  // the most that e rises and falls in it, on whatever way
    double leap;                      // the most in one step, that to its first step among them
    void join(const Block& next) {
      up = std::max({up, next.up, next.high - low}), down = std::max({down, next.down, high - next.low});
      leap = std::max(leap, next.leap);
      t = next.t, steps += next.steps, sum += next.sum, low = std::min(low, next.low), high = std::max(high, next.high);
    }
  };

  void add(double t, double e) {
    if (steps_ == 0) begin_ = t;
    const double change = e - last_;
    if (steps_ > 1 && ((change > 0 && change_ < 0) || (change < 0 && change_ > 0))) turned_ += 1;
    end_ = t, steps_ += 1, last_ = e, change_ = change;
    if (!(std::abs(e) <= largest_) && !std::isnan(largest_)) largest_ = std::abs(e);  // stays there if it is no number
    line_.add(t, e);
    const Block step{t, 1, e, e, e, 0, 0, steps_ > 1 ? std::abs(change) : 0};
    if (blocks_.empty() || blocks_.back().steps >= steps_of_block_) {
      if (blocks_.size() == most) join();
      if (blocks_.empty() || blocks_.back().steps >= steps_of_block_) {
        blocks_.push_back(step);
        return;
      }
    }
    blocks_.back().join(step);
  }

  double slope() const { return line_.slope(); }
  double largest() const { return largest_; }

  // Those that are at least half full; extremes of what is left over belong to the last, whose mean stays in its place.
  std::vector<Block> blocks() const {
    std::vector<Block> full = blocks_;
    if (full.size() > 1 && 2 * full.back().steps <= steps_of_block_) {
      const Block rest = full.back();
      full.pop_back();
      const double steps = full.back().steps, sum = full.back().sum;
      full.back().join(rest);
      full.back().steps = steps, full.back().sum = sum;
    }
    return full;
  }
  double steps() const { return steps_; }
  // The part of the steps at which e, if it has gone up, goes down, or up if it has gone down.
  double reversals() const { return steps_ > 2 ? turned_ / (steps_ - 2) : 0; }
  double duration() const { return std::abs(end_ - begin_); }

  template <class Archive>
  void archive(Archive& a) {
    a(steps_, begin_, end_, largest_, last_, change_, turned_, line_, blocks_, steps_of_block_);
  }

 private:
  static constexpr std::size_t most = 256;
  void join() {
    for (std::size_t k = 0; k < most / 2; ++k) {
      blocks_[k] = blocks_[2 * k];
      blocks_[k].join(blocks_[2 * k + 1]);
    }
    blocks_.resize(most / 2);
    steps_of_block_ *= 2;
  }

  double steps_ = 0, begin_ = 0, end_ = 0, largest_ = 0, last_ = 0, change_ = 0, turned_ = 0;
  Drift line_;
  std::vector<Block> blocks_;
  double steps_of_block_ = 1;
};

}  // namespace livens
