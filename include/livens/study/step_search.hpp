// The step that a motion needs to be right to a given accuracy.
//
// Pilots are runs with N steps, their equations solved as far as the accuracy needs. The error of one is its largest
// distance from the next finer one with N' steps, at the nodes they have in common (at most 1024), relative to the
// largest |q|:  e = |q_N - q_N'| / (1 - (N/N')^p),  p being the order of the method.
//
// Scouts go through the first eighth of the time with 1, 2, 4, ... steps, until their errors fall about with the order,
// or are below a sixteenth of what is aimed at: 0.3 of the accuracy asked for. What they think is needed places two
// pilots through the whole time; where the motion grows, so that errors of its first part are small beside the size of
// the whole, fewer are: a coarse pilot says by how much. Scouts that have not moved with 32 steps leave it to two
// pilots with 192 and 256 to see whether anything does. What scouts measured at all of their nodes is measured: no N is
// taken whose error in the first part is above 0.6 of what was asked for, though later pilots, which have few nodes in
// common, agree. Where the errors of scouts fell with the order, and that is less than 8, the N with e(N) as aimed at
// is taken from the first of them,
//
//   e(N) = e_k (N_k / N)^s' ,   s' = p + (s - p)/3 :  what is missing from the order fades with the step,
//
// if it is at most twice that of the last pilot, and if a pilot with half the steps of that one shows the order through
// the whole time, too. Else only what was tried is taken: a pilot whose error is between 0.05 and 0.6 of what was asked
// for; or N steps, compared with the last pilot, and some more if they are too few; finer pilots follow where the last
// one is too coarse for that. Large steps do not resolve the motion, and their errors depend on where the nodes lie.
// Where errors do not become smaller any more, round-off or chaos has the last word, and the search says which. Finer
// and finer pilots that end at the same place speak of a motion that ends there.
//
// All this is for smooth motions. Where corners of formulas are crossed, or steps are too large for them
// (study/corners.hpp), errors fall slowly and unevenly: each pilot has about twice the steps of the one before, until
// an error that was measured is at most 0.6 of what was asked for,
//
//   e_k / (1 - (N_k/N_k')^s) ,   s the slope over two or three pilots, between 1 and p .
//
// A jump just after a node is taken for one at it, by steps and by their halves: over jumps two pilots have only those
// nodes in common at which they are compared. There is no budget, and "auto" tries one method, of order 4 at most.
//
// Else the search has a budget, in evaluations: 2.7 times what the run with the step will cost, 6.5 times where the
// method is chosen, too. A pilot that is beyond it is not run if the last error is at most 300 times what was asked
// for; then N is taken by the order, for an error of 0.1 of it. Of methods to choose from, all but the first that is
// tried may together cost 3.3 times what the run with it, or with the best one found, will cost.
//
// Steps that take more than a radian of the fastest oscillation at the start from point to point do not see it,
// whatever their differences say: such a step and halves of it are compared with one that does, and where none of them
// is right the search goes on from there. Pilots that overlook a blow, an exp whose exponent has a narrow maximum, are
// not believed, and no step larger than one that sees it is taken.
//
// Rounding errors grow like the differences of pilots, from the first node that these have in common. Where that makes
// them matter, a coarse pilot in the precision of the run and in the next wider one tells what rounding does. Where
// they grow exponentially, the time when rounding is as large as the motion is the horizon.
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
  std::string note = {};  // where it was not through the whole time, or in another precision
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
