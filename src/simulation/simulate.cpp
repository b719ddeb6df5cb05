#include "livens/simulation/simulate.hpp"

#include <fmt/format.h>

#include "livens/model/redundant.hpp"
#include "livens/multibody/mechanism.hpp"
#include "simulation/boundary.hpp"
#include "simulation/contact/system.hpp"
#include "simulation/run_system.hpp"
#include "simulation/systems.hpp"

namespace livens {

std::string in_words(const NotDetermined& where) {
  if (where.rows + where.states == 0) return "";
  const auto counted = [](long long count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  std::string words = "constraints lose rank";
  if (where.rows > 0)
    words +=
        fmt::format(": momentum or multiplier is not determined and not a number at {}", counted(where.rows, "row"));
  if (where.states > 0)
    words += fmt::format("{} the audit could not look at {}", where.rows > 0 ? ", and" : ":",
                         counted(where.states, "state"));
  return words + fmt::format("; first at t = {:.10g}", where.first);
}

namespace {

RunResult run(const Model& model, const MethodEntry& method, const Options& options, const RunContext& context) {
  if (model.is_boundary_problem()) return solve_boundary(model, options, context);
  if (model.has_contact()) return run_contacts(model, method, options, context);
  const IndependentModel independent = without_redundant(model);
  const RunOrder order{model, independent, method, options, context};
  return with_fastest_system(independent.model, method.traits(options), *method.steps, [&](const auto& system) {
    return run_system(system, model_start(independent.model, system), order);
  });
}

}  // namespace

void require_step(const Model& model) {
  if (model.run.given && model.run.steps == 0 && !model.run.accuracy)
    throw InputError(model.at("run.step", "missing; write step = 0.01"));
}

RunResult simulate(const Model& model, const MethodEntry& method, const Options& options, const RunContext& context) {
  require_step(model);
  RunResult result = run(model, method, options, context);
  const auto add = [&](const std::string& words) { result.message += (result.message.empty() ? "" : "; ") + words; };
  if (const auto mechanism = model.system->mechanism())
    for (const std::string& rate : mechanism->rates_left_out())
      add("the " + rate + " was left out: it has no inertia to turn with");
  if (const auto mechanism = model.system->mechanism()) {
    if (const std::string loose = mechanism->unconnected(); !loose.empty()) add(loose);
    if (mechanism->gruebler() <= 0 && !model.has_contact() &&
        mechanism->gruebler() + static_cast<int>(redundant_constraints(model).size()) <= 0)
      add(mechanism->is_driven()
              ? "the mechanism has no degree of freedom: it moves as its joints are driven, and no other way"
              : "the mechanism has no degree of freedom: it cannot move");
  }
  if (method.remarks)
    for (const std::string& words : method.remarks(model, options, result)) add(words);
  return result;
}

// A run that is stopped before its first step has met all that can be refused.
void check_run(const Model& model, const MethodEntry& method, const Options& options) {
  const std::atomic<bool> stop = true;
  RunContext context;
  context.stop = &stop;
  require_step(model);
  if (model.run.given && !model.run.accuracy) {
    run(model, method, options, context);
  } else if (!model.is_boundary_problem()) {  // any step will do
    Model with_run = model;
    with_run.run.accuracy.reset();
    with_run.run.step = 1;
    with_run.run.steps = 1;
    run(with_run, method, options, context);
  }
}

}  // namespace livens
