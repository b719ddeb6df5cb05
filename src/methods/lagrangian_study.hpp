// The studies of a method of Lagrangian systems on a model. Run-time sizes only: a study is short, and every size known
// when compiling would compile the method once more.
#pragma once

#include "livens/study/order.hpp"
#include "livens/study/reversibility.hpp"
#include "livens/study/symplecticity.hpp"
#include "methods/lagrangian_run.hpp"

namespace livens {

// make(options) is the method.
template <class Make>
MethodStudies lagrangian_studies(const Make& make) {
  MethodStudies studies;
  studies.errors = [make](const Model& model, const Options& options, const formula::Number& step, long long steps,
                          Reference& reference) {
    return with_system(model, make(options).traits(), [&](const auto& system) {
      using T = typename std::decay_t<decltype(system)>::Scalar;
      MarchSettings<T> settings = march_settings<T>(model, RunContext{});
      settings.step = static_cast<T>(step);
      settings.steps = steps;
      const auto start = consistent_start(model, system);
      return run_errors(system, prepared(make(options), system, start, settings), start, settings, reference);
    });
  };
  studies.symplecticity = [make](const Model& model, const Options& options) {
    const FormulaLagrangian<double> system(model.lagrangian);
    const auto start = consistent_start(model, system);
    const MarchSettings<double> settings = march_settings<double>(model, RunContext{});
    const FormulaLagrangian<Jet<double, 1>> jets(model.lagrangian);
    return symplecticity(jets, prepared(make(options), system, start, settings), phase_point(start), settings.step,
                         settings.solver);
  };
  studies.reversibility = [make](const Model& model, const Options& options) {
    return with_system(model, make(options).traits(), [&](const auto& system) {
      using T = typename std::decay_t<decltype(system)>::Scalar;
      const auto start = consistent_start(model, system);
      const MarchSettings<T> settings = march_settings<T>(model, RunContext{});
      return reversibility(system, prepared(make(options), system, start, settings), start, settings);
    });
  };
  return studies;
}

}  // namespace livens
