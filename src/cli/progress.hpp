// What is told while a run goes on: warnings at once, and on a terminal the progress line with rate, time left, energy
// and constraint error so far.
#pragma once

#include <chrono>

#include "livens/run/time_loop.hpp"

namespace livens::cli {

// Counted from the first step that is watched: a resumed run does not begin at 0.
class StepsSeen {
 public:
  double operator()(long long step) {
    if (first_ < 0) first_ = step - 1;
    return static_cast<double>(step - first_);
  }

 private:
  long long first_ = -1;
};

class Warnings : public Monitor {
 public:
  long long watch(long long step, double, const AuditFigures&) override { return step + 1 + step / 16; }
  void warn(const std::string& words) override;
};

class ProgressLine : public Warnings {
 public:
  explicit ProgressLine(long long steps) : steps_(steps), begin_(Clock::now()), last_(begin_) {}
  ~ProgressLine() override { clear(); }
  long long watch(long long step, double t, const AuditFigures& audit) override;
  void warn(const std::string& words) override;
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  long long steps_;
  StepsSeen seen_;
  Clock::time_point begin_, last_;
  bool shown_ = false;
};

}  // namespace livens::cli
