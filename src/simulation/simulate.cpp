#include "livens/simulation/simulate.hpp"

#include "simulation/boundary.hpp"
#include "simulation/contact/system.hpp"
#include "simulation/run_system.hpp"
#include "simulation/systems.hpp"

namespace livens {

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

RunResult simulate(const Model& model, const MethodEntry& method, const Options& options, const RunContext& context) {
  RunResult result = run(model, method, options, context);
  if (!method.remarks) return result;
  for (const std::string& words : method.remarks(model, options, result))
    result.message += (result.message.empty() ? "" : "; ") + words;
  return result;
}

// A run that is stopped before its first step has met all that can be refused.
void check_run(const Model& model, const MethodEntry& method, const Options& options) {
  const std::atomic<bool> stop = true;
  RunContext context;
  context.stop = &stop;
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
