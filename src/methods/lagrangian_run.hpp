// Runs a method of Lagrangian systems on a model, in the precision that the model asks for.
#pragma once

#include "livens/model/lagrangian_start.hpp"
#include "livens/registry/registry.hpp"
#include "livens/run/march.hpp"
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

template <class System, class Method>
RunResult run_lagrangian_as(const Model& model, const Method& method, const RunContext& context) {
  using T = typename System::Scalar;
  const System system(model.lagrangian);
  const StartValues<System> start = consistent_start(model, system);

  const MarchSettings<T> settings = march_settings<T>(model, context);
  const Columns columns = March<System, Method>::columns(system, model.lagrangian->invariant_names());
  RowSink* rows = context.open_rows ? context.open_rows(columns) : nullptr;

  March<System, Method> march(system, method, settings);
  RunResult result;
  result.report = march.run(start, rows, context.monitor);
  result.audit = march.audit();
  result.move = start.move;
  const FinalState<System>& f = march.final_state();
  result.final = {values("t", Vec<T>{f.t}), values("q", f.q), values("v", f.v), values("p", f.p),
                  values("lambda", f.lambda)};
  if (f.has_raw) result.raw = {values("p", f.raw_p), values("lambda", f.raw_lambda)};
  return result;
}

// Small systems that are met every day have sizes known when compiling (pendulum; point on a surface; two such in
// space): a step of the pendulum costs a third.
template <class Method>
RunResult run_lagrangian(const Model& model, const Method& method, const RunContext& context) {
  const int n = model.lagrangian->coordinates(), m = model.lagrangian->constraints();
  switch (model.run.precision) {
    case Precision::double_:
      if (n == 2 && m == 1) return run_lagrangian_as<FormulaLagrangian<double, 2, 1>>(model, method, context);
      if (n == 3 && m == 1) return run_lagrangian_as<FormulaLagrangian<double, 3, 1>>(model, method, context);
      if (n == 6 && m == 2) return run_lagrangian_as<FormulaLagrangian<double, 6, 2>>(model, method, context);
      return run_lagrangian_as<FormulaLagrangian<double>>(model, method, context);
    case Precision::extended:
      return run_lagrangian_as<FormulaLagrangian<long double>>(model, method, context);
    case Precision::quad:
      break;
  }
  return run_lagrangian_as<FormulaLagrangian<Widest>>(model, method, context);
}

}  // namespace livens
