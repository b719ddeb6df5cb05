// The studies of a method of Lagrangian systems on a model. Run-time sizes only: a study is short, and every size known
// when compiling would compile the method once more.
#pragma once

#include "livens/study/order.hpp"
#include "livens/study/reversibility.hpp"
#include "livens/study/symplecticity.hpp"
#include "methods/lagrangian_run.hpp"

namespace livens {

// Calls f(system, start, settings) in the precision that the model asks for.
template <class F>
auto in_precision_of(const Model& model, const F& f) {
  const auto call = [&]<class T>(T) {
    const FormulaLagrangian<T> system(model.lagrangian);
    const auto start = consistent_start(model, system);
    return f(system, start, march_settings<T>(model, RunContext{}));
  };
  switch (model.run.precision) {
    case Precision::double_:
      return call(0.0);
    case Precision::extended:
      return call(0.0L);
    case Precision::quad:
      break;
  }
  return call(Widest());
}

// make(options) is the method.
template <class Make>
MethodStudies lagrangian_studies(const Make& make) {
  MethodStudies studies;
  studies.errors = [make](const Model& model, const Options& options, const formula::Number& step, long long steps,
                          Reference& reference) {
    return in_precision_of(model, [&](const auto& system, const auto& start, auto settings) {
      settings.step = static_cast<decltype(settings.step)>(step);
      settings.steps = steps;
      return run_errors(system, make(options), start, settings, reference);
    });
  };
  studies.symplecticity = [make](const Model& model, const Options& options) {
    const FormulaLagrangian<double> system(model.lagrangian);
    const PhasePoint start = phase_point(consistent_start(model, system));
    const MarchSettings<double> settings = march_settings<double>(model, RunContext{});
    const FormulaLagrangian<Jet<double, 1>> jets(model.lagrangian);
    return symplecticity(jets, make(options), start, settings.step, settings.solver);
  };
  studies.reversibility = [make](const Model& model, const Options& options) {
    return in_precision_of(model, [&](const auto& system, const auto& start, const auto& settings) {
      return reversibility(system, make(options), start, settings);
    });
  };
  return studies;
}

}  // namespace livens
