// The system that a model, its precision and its solver ask for, and its start.
#pragma once

#include "livens/method/method.hpp"
#include "livens/model/start.hpp"
#include "livens/registry/entry.hpp"
#include "livens/registry/steps.hpp"
#include "livens/run/time_loop.hpp"
#include "livens/sparse/sparse_lu.hpp"
#include "simulation/linear.hpp"

namespace livens {

// Whether blocks of the mass matrix are small enough for a Schur complement at the start values.
bool mass_has_blocks(const Model& model, const ElementSystem<double>& system);

// The sparse system of a Lagrangian model in double precision. Throws InputError if solver.linear insists on a Schur
// complement and the mass matrix has too large blocks for one; else does without.
ElementSystem<double> sparse_system(const Model& model, Linear linear);

// Calls f(system) for a Lagrangian model: run-time sizes only.
template <class F>
auto with_lagrangian(const Model& model, const MethodTraits& method, const F& f) {
  if (const Linear linear = choose_linear(model, method); linear != Linear::dense)
    return f(sparse_system(model, linear));
  switch (model.run.precision) {
    case Precision::double_:
      return f(model.system->dense<double>());
    case Precision::extended:
      return f(model.system->dense<long double>());
    case Precision::quad:
      break;
  }
  return f(model.system->dense<Widest>());
}

template <template <class> class System, class Formulas, class F>
auto in_precision(Precision precision, const Formulas& formulas, const F& f) {
  switch (precision) {
    case Precision::double_:
      return f(System<double>(formulas));
    case Precision::extended:
      return f(System<long double>(formulas));
    case Precision::quad:
      break;
  }
  return f(System<Widest>(formulas));
}

// Calls f(system) for a model of any kind: run-time sizes only.
template <class F>
auto with_system(const Model& model, const MethodTraits& method, const F& f) {
  switch (model.system->kind()) {
    case SystemKind::lagrangian:
      break;
    case SystemKind::degenerate:
      return in_precision<FormulaDegenerate>(model.run.precision, model.system->degenerate(), f);
    case SystemKind::odae:
      return in_precision<FormulaOdae>(model.run.precision, model.system->odae(), f);
  }
  return with_lagrangian(model, method, f);
}

// The same, with sizes known when compiling where the method has such steps.
template <class F>
auto with_fastest_system(const Model& model, const MethodTraits& method, const MethodSteps& steps, const F& f) {
  const SystemDescription& s = *model.system;
  if (s.kind() == SystemKind::lagrangian && model.run.precision == Precision::double_ &&
      choose_linear(model, method) == Linear::dense) {
    const int n = s.coordinates(), m = s.constraints();
    if (n == 2 && m == 1 && steps.has<FormulaLagrangian<double, 2, 1>>()) return f(s.dense<double, 2, 1>());
    if (n == 3 && m == 1 && steps.has<FormulaLagrangian<double, 3, 1>>()) return f(s.dense<double, 3, 1>());
    if (n == 6 && m == 2 && steps.has<FormulaLagrangian<double, 6, 2>>()) return f(s.dense<double, 6, 2>());
  }
  return with_system(model, method, f);
}

// The settings of the time loop that a model asks for. Throws InputError.
template <class T>
MarchSettings<T> march_settings(const Model& model, const RunContext& context = {}) {
  MarchSettings<T> s;
  s.t0 = static_cast<T>(model.initial.t);
  if (model.run.accuracy)
    throw InputError(model.at("run.accuracy", "the step is found by livens run; write step = 0.01 for this"));
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

// The step of the method on the system; InputError where the method has none for it.
template <class System>
std::unique_ptr<StepOf<System>> step_of(const Model& model, const MethodEntry& method, const Options& options,
                                        const StepRequest<System>& request) {
  if constexpr (requires { request.system.make_step(); }) {  // one with contacts
    return request.system.make_step();
  } else {
    if (!method.steps->has<System>())
      throw InputError(model.at("run.precision", "method " + method.name + " has no steps in this precision"));
    return method.steps->of<System>()(options, request);
  }
}

}  // namespace livens
