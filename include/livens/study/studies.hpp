// Studies of a model with its method: what `livens study` prints.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/study/invariants.hpp"
#include "livens/study/order.hpp"
#include "livens/study/reversibility.hpp"
#include "livens/study/stopped.hpp"
#include "livens/study/symplecticity.hpp"

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

// One run of a method with one step size.
struct EfficiencyRow {
  std::size_t method = 0;  // its place in the list
  double step = 0;
  PerQuantity<std::optional<double>> error;  // empty if the run failed
  std::optional<double> seconds;  // CPU time of its steps without reference and output, the fastest of several runs
  Cost cost;
};

struct EfficiencyStudy {
  std::string reference, reference_description;
  bool constrained = false;
  std::vector<EfficiencyRow> rows;  // method by method
  std::vector<std::string> failures;
};

// Poincare integral invariants along [loop] and over [surface], where they are given.
struct InvariantsStudy {
  std::optional<Invariant> first, second;
  std::vector<std::string> failures;  // in words, one for each that ended early
};

struct InvariantOptions {
  std::size_t threads = cores();                                              // the result does not depend on it
  std::function<void(std::string_view section, long long steps)> watch = {};  // is told the steps done
  const std::atomic<bool>* stop = nullptr;
};

// All throw InputError where the model, its method or what is asked of them is wrong; nothing was run then. Those that
// take `stop` throw Stopped soon after it was set from outside.
//
// Each step size must divide the time span of [run]. The reference is "fine" (study/reference.hpp), "exact" ([exact] of
// the model) or the trajectory.h5 of an earlier run that recorded all nodes. `watch` is told every row as it is done.
OrderStudy study_order(const Model& model, const std::vector<formula::Number>& step_sizes,
                       const std::string& reference = "fine", const std::function<void(const OrderRow&)>& watch = {},
                       const std::atomic<bool>* stop = nullptr);
// The models differ in their method only.
EfficiencyStudy study_efficiency(const std::vector<Model>& models, const std::vector<formula::Number>& step_sizes,
                                 const std::string& reference = "fine",
                                 const std::function<void(const EfficiencyRow&)>& watch = {},
                                 const std::atomic<bool>* stop = nullptr);
Symplecticity study_symplecticity(const Model& model, const std::atomic<bool>* stop = nullptr);
Reversibility study_reversibility(const Model& model, const std::atomic<bool>* stop = nullptr);
InvariantsStudy study_invariants(const Model& model, const InvariantOptions& options = {});

// A method as it stands in a list, and the keys of a model that choose it.
struct MethodChoice {
  std::string text;
  Overrides set;
};

// "rattle, galerkin(s=2, w=2)": names, each with keys of [method] in parentheses. Throws InputError.
std::vector<MethodChoice> read_methods(const std::string& text);
// One of them; `option`, such as --method, begins the message.
MethodChoice read_method(const std::string& option, const std::string& text);

// About eight, four, two times the step of the run and that itself, each dividing its time span. Throws InputError.
std::vector<formula::Number> default_step_sizes(const Model& model);

// "0.1,0.05,1/40": numbers or constant formulas. Throws InputError.
std::vector<formula::Number> read_step_sizes(const std::string& text);

}  // namespace livens
