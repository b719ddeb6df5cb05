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

  void add(double t, double e) {
    if (steps_ == 0) begin_ = t;
    const double change = e - last_;
    if (steps_ > 1 && ((change > 0 && change_ < 0) || (change < 0 && change_ > 0))) turned_ += 1;
    end_ = t, steps_ += 1, last_ = e, change_ = change;
    if (!(std::abs(e) <= largest_)) largest_ = std::abs(e);
    line_.add(t, e);
    if (blocks_.empty() || blocks_.back().steps >= steps_of_block_) {
      if (blocks_.size() == most) join();
      if (blocks_.empty() || blocks_.back().steps >= steps_of_block_) {
        blocks_.push_back({t, 1, e, e, e});
        return;
      }
    }
    Block& block = blocks_.back();
    block.t = t, block.steps += 1, block.sum += e;
    block.low = std::min(block.low, e), block.high = std::max(block.high, e);
  }

  double slope() const { return line_.slope(); }
  double largest() const { return largest_; }

  struct Block {
    double t, steps, sum, low, high;  // time of its last step
  };
  // Those that are at least half full.
  std::vector<Block> blocks() const {
    std::vector<Block> full;
    for (const Block& block : blocks_)
      if (2 * block.steps > steps_of_block_) full.push_back(block);
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
      const Block &a = blocks_[2 * k], &b = blocks_[2 * k + 1];
      blocks_[k] = {b.t, a.steps + b.steps, a.sum + b.sum, std::min(a.low, b.low), std::max(a.high, b.high)};
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
