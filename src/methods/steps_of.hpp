// The steps of a method on the systems of models.
//
// They are compiled in two files a method: src/methods/<name>.cpp for double precision, and one made from
// wide_steps.cpp.in for long double, binary128 and jets, where optimisation brings little and costs much.
#pragma once

#include "livens/registry/entry.hpp"
#include "livens/registry/steps.hpp"

namespace livens {

template <class Method>
using MakeMethod = Method (*)(const Options&);

// Whether it has no sparse steps.
template <class Method>
constexpr bool is_dense_only() {
  if constexpr (requires { Method::dense_only; })
    return Method::dense_only;
  else
    return false;
}

template <class System, class Method>
void add_steps(MakeMethod<Method> make, MethodSteps& steps) {
  steps.of<System>() = [make](const Options& options, const StepRequest<System>& request) {
    const Method wanted = make(options);
    return with_prepared(request.system, wanted, request.start, request.h, request.solver, [&](const Method& method) {
      return make_step(request.system, method, wanted, request.solver);
    });
  };
}

// Declared for all methods, defined below, compiled in the file of its own.
template <class Method>
void add_wide_steps(MakeMethod<Method> make, MethodSteps& steps);

enum class SmallSizes { no, yes };

// With small sizes known when compiling (steps.hpp) a step of rattle costs a third: there they pay. Methods with stages
// would save 30 %, at 8 seconds of compiling for each size.
template <SmallSizes small = SmallSizes::no, class Method>
std::shared_ptr<const MethodSteps> steps_of(MakeMethod<Method> make) {
  auto steps = std::make_shared<MethodSteps>();
  if constexpr (kinds_of<Method>().lagrangian) {
    add_steps<FormulaLagrangian<double>>(make, *steps);
    if constexpr (!is_dense_only<Method>()) add_steps<ElementSystem<double>>(make, *steps);
  }
  if constexpr (small == SmallSizes::yes) {
    add_steps<FormulaLagrangian<double, 2, 1>>(make, *steps);
    add_steps<FormulaLagrangian<double, 3, 1>>(make, *steps);
    add_steps<FormulaLagrangian<double, 6, 2>>(make, *steps);
  }
  if constexpr (kinds_of<Method>().degenerate) add_steps<FormulaDegenerate<double>>(make, *steps);
  if constexpr (kinds_of<Method>().overdetermined) add_steps<FormulaOdae<double>>(make, *steps);
  add_wide_steps(make, *steps);
  return steps;
}

template <class Method>
std::function<MethodTraits(const Options&)> traits_of(MakeMethod<Method> make) {
  return [make](const Options& options) { return make(options).traits(); };
}

// Of a method with its standard options.
template <class Method>
std::string misfit_of(const Model& model) {
  return Method{}.misfit(model.system->structure());
}

#ifdef LIVENS_WIDE_STEPS
template <class T, class Method>
void add_steps_of_scalar(MakeMethod<Method> make, MethodSteps& steps) {
  if constexpr (kinds_of<Method>().lagrangian) add_steps<FormulaLagrangian<T>>(make, steps);
  if constexpr (kinds_of<Method>().degenerate) add_steps<FormulaDegenerate<T>>(make, steps);
  if constexpr (kinds_of<Method>().overdetermined) add_steps<FormulaOdae<T>>(make, steps);
}

template <class Method>
void add_wide_steps(MakeMethod<Method> make, MethodSteps& steps) {
  add_steps_of_scalar<long double>(make, steps);
#if LIVENS_QUAD
  add_steps_of_scalar<Widest>(make, steps);
#endif
  if constexpr (kinds_of<Method>().lagrangian) add_steps<FormulaLagrangian<Jet<double, 1>>>(make, steps);
  if constexpr (kinds_of<Method>().degenerate) add_steps<FormulaDegenerate<Jet<double, 1>>>(make, steps);
}
#endif

}  // namespace livens
