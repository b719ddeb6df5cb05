// The step that a motion needs to be right to a given accuracy.
//
// Pilot runs over the whole time with N = 2, 4, 8, ... steps, their equations solved as far as the accuracy needs. The
// error of each but the last is its largest distance from the next, e_k = |q_k - q_k+1| / (1 - 2^-s), relative to the
// largest |q|, at the nodes they have in common (at most 1024). The slope s = log2(e_k-1 / e_k) is believed where both
// errors are small beside the range of the motion and s is near the order p of the method; from there
//
//   e(N) = e_k (N_k / N)^s' ,   s' = p + (s - p)/3 :  what is missing from the order fades with the step.
//
// The search ends as soon as the N with e(N) = 0.3 of what is asked is at most twice that of the last pilot. Between
// pilots whose errors lie on both sides it interpolates; where they fall faster than the order says, the step does not
// resolve the motion yet, errors depend on where the nodes lie, and pilots in between are compared with the finest one.
// Where errors do not become smaller any more, round-off or chaos has the last word, and the search says which. Near
// round-off one more pilot, in the next wider precision, tells what the rounding of the data and of the steps does.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "livens/audit/accuracy.hpp"
#include "livens/model/model.hpp"
#include "livens/run/report.hpp"

namespace livens {

struct PilotRow {
  std::string method;     // as in a list of methods: "galerkin(s=2)"
  Model::Method options;  // its name and options
  long long steps = 0;
  double step = 0;
  std::optional<double> error;  // of q; empty: not solved, or none finer to compare it with
  Cost cost;
  double seconds = 0;
  double work = 0;        // evaluations and matrices of all points of the steps, in units that methods have in common
  std::string note = {};  // what it was for, where it was not one with twice as many steps
};

struct FoundStep {
  Overrides set;  // method.name and its options where they were to be chosen, and run.step
  long long steps = 0;
  Accuracy accuracy;
  std::vector<PilotRow> pilots;
  long long evaluations = 0;  // of all pilots
};

// Calls back with every pilot that was run.
using WatchPilot = std::function<void(const PilotRow&)>;

// For model.run.accuracy. Throws InputError where the model cannot be run, and where the accuracy cannot be reached.
// Empty: stopped from outside.
std::optional<FoundStep> find_step(const Model& model, const std::atomic<bool>* stop = nullptr,
                                   const WatchPilot& watch = {});

struct Advice {
  std::vector<PilotRow> rows;  // those with errors, method by method
  std::size_t recommended = 0;
  double accuracy = 0;  // that the recommendation is for: the cheapest row that reaches it, or the most accurate one
};

// Methods that fit, and the one of the model, each with steps from coarse to fine. Time span and accuracy are those of
// [run]; without accuracy 1e-6. Throws InputError. Empty: stopped from outside.
std::optional<Advice> advise(const Model& model, const std::atomic<bool>* stop = nullptr, const WatchPilot& watch = {});

}  // namespace livens
