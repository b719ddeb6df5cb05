// The studies of a method of Lagrangian systems on a model. Run-time sizes only: a study is short, and every size known
// when compiling would compile the method once more. Redundant constraints are left out as in a run; multipliers are
// compared as the smallest ones of all constraints.
#pragma once

#include "livens/study/order.hpp"
#include "livens/study/reversibility.hpp"
#include "livens/study/symplecticity.hpp"
#include "methods/lagrangian_run.hpp"

namespace livens {

// The constraints left out hold there, too, or InputError is thrown.
template <class System>
StartValues<System> checked_start(const Model& given, const IndependentModel& independent, const System& system) {
  StartValues<System> start = consistent_start(independent.model, system);
  if (!independent.left_out.empty())
    LeastNorm<typename System::Scalar>(given, independent.left_out).check(given, start.t, start.q, start.v);
  return start;
}

// make(options) is the method.
template <class Make>
MethodStudies lagrangian_studies(const Make& make) {
  MethodStudies studies;
  studies.errors = [make](const Model& given, const Options& options, const formula::Number& step, long long steps,
                          Reference& reference) {
    const IndependentModel independent = without_redundant(given);
    return with_system(independent.model, make(options).traits(), [&](const auto& system) {
      using T = typename std::decay_t<decltype(system)>::Scalar;
      MarchSettings<T> settings = march_settings<T>(given, RunContext{});
      settings.step = static_cast<T>(step);
      settings.steps = steps;
      const auto start = checked_start(given, independent, system);
      const auto method = prepared(make(options), system, start, settings);
      if (independent.left_out.empty()) return run_errors(system, method, start, settings, reference);
      LeastNorm<T> all(given, independent.left_out);
      return run_errors(system, method, start, settings, reference,
                        [&](const T& t, const Vec<T>& q, const Vec<T>& lambda) {
                          return all.multipliers(t, q, std::span<const T>(lambda.begin(), lambda.end()));
                        });
    });
  };
  studies.symplecticity = [make](const Model& given, const Options& options) {
    const IndependentModel independent = without_redundant(given);
    const FormulaLagrangian<double> system(independent.model.lagrangian);
    const auto start = checked_start(given, independent, system);
    const MarchSettings<double> settings = march_settings<double>(given, RunContext{});
    const FormulaLagrangian<Jet<double, 1>> jets(independent.model.lagrangian);
    return symplecticity(jets, prepared(make(options), system, start, settings), phase_point(start), settings.step,
                         settings.solver);
  };
  studies.reversibility = [make](const Model& given, const Options& options) {
    const IndependentModel independent = without_redundant(given);
    return with_system(independent.model, make(options).traits(), [&](const auto& system) {
      using T = typename std::decay_t<decltype(system)>::Scalar;
      const auto start = checked_start(given, independent, system);
      const MarchSettings<T> settings = march_settings<T>(given, RunContext{});
      return reversibility(system, prepared(make(options), system, start, settings), start, settings);
    });
  };
  return studies;
}

}  // namespace livens
