// The search of a step for one method, pilot by pilot (livens/study/step_search.hpp says how): method_search.cpp runs
// and judges pilots, method_search_settle.cpp takes a step, method_search_rough.cpp does both where formulas have
// corners.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "livens/registry/entry.hpp"
#include "livens/study/step_search.hpp"
#include "study/fastest_phase.hpp"
#include "study/level.hpp"
#include "study/pilot.hpp"
#include "study/step_numbers.hpp"

namespace livens {

double unit_round_off(Precision precision);

// What searches for several methods share.
struct Common {
  double runs;                          // that they may cost together, in runs with the step that is found
  long long spent = 0;                  // evaluations
  bool crosses = false, jumps = false;  // the motion crosses corners of formulas; jumps, too
  std::optional<double> grown = {};     // the largest |q| of the whole, by that of the part of scouts
};

class MethodSearch {
 public:
  enum class State { going, found, round_off, chaos, too_long, ends, stopped };
  enum class Begin { with_scouts, with_two_steps };

  // text: the method as it is written in tables; asked: accuracy.
  MethodSearch(const Model& model, std::string text, double asked, Begin begin, Common& common,
               const std::atomic<bool>* stop, const WatchPilot& watch);

  // One more pilot.
  void refine();

  State state() const { return state_; }
  double order() const { return order_; }
  const Model& model() const { return model_; }
  long long steps() const { return found_steps_; }
  const Accuracy& accuracy() const { return accuracy_; }
  const std::vector<PilotRow>& rows() const { return rows_; }
  std::optional<double> horizon() const { return horizon_; }
  // Where a pilot was that did not come to its end, and its step.
  struct Stuck {
    double t, step;
  };
  const std::optional<Stuck>& stuck() const { return stuck_; }  // the last one
  double smallest_error() const { return smallest_; }
  double needed_steps() const { return std::max(needed_, static_cast<double>(last_.steps)); }
  double work_of_last() const { return work(last_.cost); }
  long long evaluations() const { return evaluations_; }  // of all its pilots

  // Of the run to come, in units that different methods have in common; empty: not known yet.
  std::optional<double> predicted_work() const;
  // Of the run to come, where that is known, and of the next pilot.
  double predicted_evaluations() const;
  double evaluations_of_next() const;

 private:
  // Parts of the accuracy asked for: what is aimed at; the same where a step is taken by the order alone; what is good
  // enough where an error was measured and not predicted.
  static constexpr double share = 0.3, cautious = 0.1, good_enough = 0.6;
  static constexpr double most_found_steps = 1e9;
  static constexpr double most_first_steps = 1 << 14;  // that scouts alone may ask for

  bool has_moved(const Pilot& pilot) const;
  bool moves(const Pilot& pilot) const;
  std::optional<double> slope(const Level& a, const Level& b) const;
  double error_of(const Level& level) const;
  double steps_for(const Level& level, double power, double aim) const;
  double aim() const;
  double range(const Pilot& pilot) const { return pilot.q_size > 0 ? pilot.range / pilot.q_size : 1; }
  double noise(long long steps) const;
  double work(const Cost& cost) const;
  double evaluations_of(double N) const;
  bool is_affordable(double pilot, double N) const;
  std::optional<double> tolerance(long long steps) const;
  bool is_loose() const;
  Pilot run(long long steps, Precision precision, long long part = 1, const FoundOptions& given = {},
            long long nodes = 0);
  void look_for_end(const Pilot& pilot, long long part = 1);

  void scout();
  void judge_scouts();
  double beside_whole_size(double N);
  void place_first_pilots(double N);
  Level errors_of_scouts(double N) const;

  // Corners of formulas are crossed, or steps are too large for them: errors do not fall with the order.
  bool is_rough() const { return common_.crosses || (scouting_ ? scout_ : last_).unresolved_corners; }
  double falling() const;
  void judge();
  void judge_rough();
  void coarsen(Level level);
  void judge_first(const Level& level);
  bool falls_with_order(const Level& level, double N);
  bool order_shows() const;
  bool is_believable(const Level& level);
  const FastestPhase& phase();
  void look_at_fastest_oscillation();
  bool is_good(const Level& level) const;
  bool settles_within_budget(long long steps);
  bool stalls() const;
  bool is_erratic(std::size_t k) const;
  enum class Trial { taken, too_coarse, too_near, too_dear };
  Trial try_out(double& N);
  void find_by_trial(double N, const Level& from);
  void go_on_near(double N);
  void settle_between();
  void settle_by_trial(double N, long long coarse_steps, const Level& fine);
  void settle(double N, const Level& from, double exponent, std::optional<double> observed);
  void accept(double N, const Level& from, double exponent, std::optional<double> observed);
  bool rounding_may_matter() const;
  void weigh_rounding();
  void look_for_horizon();

  Model model_;
  const std::string text_;
  const double asked_;
  Common& common_;
  const std::atomic<bool>* stop_;
  const WatchPilot& watch_;
  const MethodEntry& method_;
  const Options options_;
  const double order_, points_, epsilon_;  // points: of a step at which its equations look
  const StepNumbers numbers_;
  State state_ = State::going;
  bool scouting_;
  Pilot scout_;                        // the last of them
  std::vector<Level> scouts_;          // all
  bool regular_ = false;               // their errors fall with the order
  double scouted_ = 0;                 // steps that they think are needed
  double least_ = 0;                   // that see the fastest oscillation, where that turned out to be needed
  std::optional<FastestPhase> phase_;  // not known until it is asked for
  double at_least_ = 0;                // that a trial with too few has asked for
  std::vector<long long> next_;        // pilots to come
  Pilot before_, last_;
  std::vector<Level> errors_;  // of all pilots over the whole time
  std::vector<PilotRow> rows_;
  long long evaluations_ = 0;  // of them
  bool believed_ = false, to_round_off_ = false;
  double smallest_ = 1e300, needed_ = 0;
  std::optional<double> horizon_;
  std::optional<Stuck> stuck_;
  int same_end_ = 0;  // pilots in a row that came as far as the one before
  long long found_steps_ = 0;
  Accuracy accuracy_;
};

}  // namespace livens
