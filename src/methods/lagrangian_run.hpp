// Runs a method of Lagrangian systems on a model, in the precision that the model asks for.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "livens/registry/registry.hpp"
#include "livens/run/march.hpp"
#include "methods/lagrangian_system.hpp"
#include "methods/least_norm.hpp"
#include "methods/reactions_and_work.hpp"
#include "registry/digits.hpp"

namespace livens {

template <class T>
MarchSettings<T> march_settings(const Model& model, const RunContext& context) {
  MarchSettings<T> s;
  s.t0 = static_cast<T>(model.initial.t);
  s.step = static_cast<T>(model.run.step);
  s.steps = model.run.steps;
  s.every = model.run.every;
  if (model.solver.tolerance) {
    s.solver.tolerance = static_cast<T>(*model.solver.tolerance);
    if (s.solver.tolerance < epsilon<T>())
      throw InputError(model.at("solver.tolerance", "is below the round-off of the run's precision, " +
                                                        digits(epsilon<T>()) +
                                                        "; write \"round-off\" for the smallest possible"));
  }
  s.solver.iterations = model.solver.iterations;
  if (s.t0 + s.step == s.t0 || s.t0 + static_cast<T>(s.steps) * s.step == s.t0 + static_cast<T>(s.steps - 1) * s.step)
    throw InputError(
        model.at("run.step", "is lost in round-off beside the time of the run; give a larger step, or start at t = 0"));
  s.stop = context.stop;
  s.checkpoints = context.checkpoints;
  s.checkpoint_every = context.checkpoint_every;
  s.resume_from = context.resume_from;
  return s;
}

// A method with what it has to find out about its first step, where it has to.
template <class Method, class System>
Method prepared(const Method& method, const System& system, const StartValues<System>& start,
                const MarchSettings<typename System::Scalar>& settings) {
  if constexpr (requires { method.prepared(system, start.q, start.p, start.v, settings.step, settings.solver); })
    return method.prepared(system, start.q, start.p, start.v, settings.step, settings.solver);
  else
    return method;
}

// `left_out`: constraints of the model as given that the system does not have, because others imply them.
template <class System, class Method>
RunResult run_lagrangian_on(const System& system, const Model& model, const Model& given,
                            const std::vector<int>& left_out, const Method& wanted, const RunContext& context) {
  using T = typename System::Scalar;
  const StartValues<System> start = consistent_start(model, system);
  const auto dynamic = [](const auto& x) {
    Vec<T> out(x.size());
    for (int i = 0; i < x.size(); ++i) out[i] = x[i];
    return out;
  };

  MarchSettings<T> settings = march_settings<T>(model, context);
  const auto companions = asked_for<T>(model);
  for (const auto& companion : companions) settings.companions.push_back(companion.get());
  std::optional<LeastNorm<T>> all;
  std::optional<LeftOut<T>> watched;
  if (!left_out.empty()) {
    all.emplace(given, left_out);
    all->check(given, start.t, dynamic(start.q), dynamic(start.v));
    watched.emplace(given, left_out);
    settings.companions.push_back(&*watched);
  }
  const Method method = prepared(wanted, system, start, settings);
  March<System, Method> march(system, method, settings);
  Columns columns = march.columns(model.lagrangian->invariant_names());
  std::optional<LeastNormRows> complete;
  if (watched) {
    complete.emplace(given, left_out, columns, watched->last());
    columns = complete->columns();
  }
  RowSink* rows = context.open_rows ? context.open_rows(columns) : nullptr;
  if (rows && complete) {
    complete->write_to(rows);
    rows = &*complete;
  }

  RunResult result;
  result.report = march.run(start, rows, context.monitor);
  result.audit = march.audit();
  result.move = start.move;
  const FinalState<System>& f = march.final_state();
  const auto multipliers = [&](const auto& lambda) {
    return all ? all->multipliers(f.t, dynamic(f.q), std::span<const T>(lambda.begin(), lambda.end()))
               : dynamic(lambda);
  };
  result.final = {values("t", Vec<T>{f.t}), values("q", f.q), values("v", f.v), values("p", f.p),
                  values("lambda", multipliers(f.lambda))};
  for (const auto& [name, x] : f.raw) result.raw.push_back(values(name, name == "p" ? x : multipliers(x)));
  if constexpr (requires { method.k; })
    if (method.k != wanted.k) result.chosen = {{"k", static_cast<long long>(method.k)}};
  if (!left_out.empty())
    result.message =
        constraint_list(left_out) +
        (left_out.size() == 1 ? " says what others say and was left out" : " say what others say and were left out") +
        "; multipliers are those of the smallest norm";
  if (watched) {
    result.audit.constraint = std::max(result.audit.constraint, watched->worst().constraint);
    result.audit.hidden_constraint = std::max(result.audit.hidden_constraint, watched->worst().hidden_constraint);
  }
  return result;
}

// Small systems that are met every day have sizes known when compiling (pendulum; point on a surface; two such in
// space): a step of the pendulum costs a third with rattle, 70 % with methods of several stages.
template <class Method>
RunResult run_lagrangian(const Model& given, const Method& method, const RunContext& context) {
  const IndependentModel independent = without_redundant(given);
  const Model& model = independent.model;
  const auto run_on = [&](const auto& system) {
    return run_lagrangian_on(system, model, given, independent.left_out, method, context);
  };
  if (model.run.precision == Precision::double_ && choose_linear(model, method.traits()) == Linear::dense) {
    const int n = model.lagrangian->coordinates(), m = model.lagrangian->constraints();
    if (n == 2 && m == 1) return run_on(FormulaLagrangian<double, 2, 1>(model.lagrangian));
    if (n == 3 && m == 1) return run_on(FormulaLagrangian<double, 3, 1>(model.lagrangian));
    if (n == 6 && m == 2) return run_on(FormulaLagrangian<double, 6, 2>(model.lagrangian));
  }
  return with_system(model, method.traits(), run_on);
}

}  // namespace livens
