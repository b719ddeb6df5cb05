// Studies of a model with its method: what `livens study` prints.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/registry/registry.hpp"

namespace livens {

struct StudyEntry {
  std::string name, summary;
};
const std::vector<StudyEntry>& studies();

struct OrderStudy {
  std::string reference;              // as asked for: exact, fine or the path of a trajectory.h5
  std::string reference_description;  // what it is
  bool constrained = false;           // there are multipliers
  std::vector<OrderRow> rows;
  std::vector<std::string> failures;  // in words, one for every run that did not end or could not be compared
};

// All three throw InputError where the model, its method or what is asked of them is wrong; nothing was run then.
//
// Each step size must divide the time span of [run]. The reference is "fine" (study/reference.hpp), "exact" ([exact] of
// the model) or the trajectory.h5 of an earlier run that recorded all nodes. `watch` is told every row as it is done.
OrderStudy study_order(const Model& model, const std::vector<formula::Number>& step_sizes,
                       const std::string& reference = "fine", const std::function<void(const OrderRow&)>& watch = {});
Symplecticity study_symplecticity(const Model& model);
Reversibility study_reversibility(const Model& model);

// "0.1,0.05,1/40": numbers or constant formulas. Throws InputError.
std::vector<formula::Number> read_step_sizes(const std::string& text);

// Why a step of a study could not be done, in words.
std::string describe_failure(const StepReport& failure, long long steps_done);

}  // namespace livens
