// The start of a model of any kind: consistent, or refused in words.
#pragma once

#include "livens/model/lagrangian_start.hpp"
#include "livens/model/model.hpp"
#include "livens/system/degenerate_start.hpp"
#include "livens/system/odae_start.hpp"
#include "livens/system/state.hpp"

namespace livens {

// What is wrong, where and what to do.
std::string describe(const Model& model, const DegenerateStartFault& fault);
std::string describe(const Model& model, const OdaeStartFault& fault);

template <class System>
struct ModelStart {
  StartState<System> state;
  StartMove move;  // by initial.project
};

namespace detail {

template <class Vector>
void copy_numbers(const std::vector<formula::Number>& from, Vector& to) {
  for (std::size_t i = 0; i < from.size(); ++i)
    to[static_cast<int>(i)] = static_cast<std::decay_t<decltype(to[0])>>(from[i]);
}

}  // namespace detail

// All throw InputError.
template <class System>
ModelStart<System> model_start(const Model& model, const System& system) {
  const StartValues<System> start = consistent_start(model, system);
  return {start, start.move};
}

template <DegenerateSystem System>
ModelStart<System> model_start(const Model& model, const System& system) {
  using T = typename System::Scalar;
  DegenerateStart<System> start(system);
  detail::copy_numbers(model.initial.q, start.q);
  if (const auto fault = start.make_consistent()) throw InputError(describe(model, *fault));
  ModelStart<System> out{StartState<System>(system), {}};
  out.state.t = static_cast<T>(model.initial.t);
  out.state.q = start.q, out.state.p = start.p;
  DegenerateField<System>(system).velocity(start.q, out.state.hint);
  return out;
}

template <OverdeterminedSystem System>
ModelStart<System> model_start(const Model& model, const System& system) {
  OdaeStart<System> start(system);
  start.t = static_cast<typename System::Scalar>(model.initial.t);
  detail::copy_numbers(model.initial.q, start.y);
  detail::copy_numbers(model.initial.z, start.z);
  detail::copy_numbers(model.initial.psi, start.psi);
  const StartOptions options{.tolerance = model.initial.tolerance, .project = model.initial.project};
  if (const auto fault = start.make_consistent(options)) throw InputError(describe(model, *fault));
  ModelStart<System> out{StartState<System>(system), start.move};
  out.state.t = start.t, out.state.q = start.y, out.state.p = start.z, out.state.hint = start.psi;
  return out;
}

}  // namespace livens
