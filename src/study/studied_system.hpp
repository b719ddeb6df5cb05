// A system with its consistent start, as studies begin with it.
#pragma once

#include "model/least_norm.hpp"
#include "simulation/systems.hpp"

namespace livens {

// The constraints left out hold there, too, or InputError is thrown.
template <class System>
StartState<System> checked_start(const Model& given, const IndependentModel& independent, const System& system) {
  StartState<System> start = model_start(independent.model, system).state;
  if constexpr (!DegenerateSystem<System> && !OverdeterminedSystem<System>)
    if (!independent.left_out.empty())
      LeastNorm<typename System::Scalar>(given, independent.left_out).check(given, start.t, start.q, start.hint);
  return start;
}

inline void refuse_contacts(const Model& model) {
  if (!model.has_contact()) return;
  throw InputError(model.at(model.contact.one_sided.front().key,
                            fmt::format("steps are found for constraints that hold on both sides only; write run.step "
                                        "and method.name = \"{}\", and run.estimate = true for the error",
                                        method_for_contacts(model))));
}

// f(system, start, settings, walk), walk being at none of its nodes yet; settings as the model says but for step.
template <class F>
auto with_walk(const Model& given, const IndependentModel& independent, const MethodEntry& method,
               const Options& options, const formula::Number& step, const F& f) {
  refuse_contacts(given);
  return with_system(independent.model, method.traits(options), [&](const auto& system) {
    using System = std::decay_t<decltype(system)>;
    using T = typename System::Scalar;
    const StartState<System> start = checked_start(given, independent, system);
    Model with_step = given;
    with_step.run.step = step;
    const MarchSettings<T> settings = march_settings<T>(with_step);
    Walk<System> walk(system, step_of<System>(given, method, options, {system, start, settings.step, settings.solver}));
    return f(system, start, settings, std::move(walk));
  });
}

}  // namespace livens
