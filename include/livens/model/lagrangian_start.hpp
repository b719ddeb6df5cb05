// The start values of a Lagrangian model, consistent or refused in words.
#pragma once

#include <type_traits>

#include "livens/model/model.hpp"
#include "livens/system/start.hpp"

namespace livens {

// What is wrong, where and what to do, for a fault found at these start values.
std::string describe(const Model& model, const StartFault& fault, const std::vector<double>& q,
                     const std::vector<double>& v);

// That multipliers have no right digits at the start of a mechanism, though no joint says what others say.
std::string describe_lost_multipliers(const Model& model, const multibody::Mechanism& mechanism);

// As they are written.
template <class System>
StartValues<System> given_start(const Model& model, const System& system) {
  using T = typename System::Scalar;
  StartValues<System> start(system);
  const auto copy = [](const std::vector<formula::Number>& from, typename System::Coordinates& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[static_cast<int>(i)] = static_cast<T>(from[i]);
  };
  start.t = static_cast<T>(model.initial.t);
  copy(model.initial.q, start.q);
  copy(model.initial.v, start.v);
  copy(model.initial.p, start.p);
  return start;
}

// Throws InputError.
template <class System>
StartValues<System> consistent_start(const Model& model, const System& system) {
  using T = typename System::Scalar;
  StartValues<System> start = given_start(model, system);
  const StartOptions options{.tolerance = model.initial.tolerance, .project = model.initial.project};
  if (const auto fault = start.make_consistent(model.initial.momentum_given, options)) {
    std::vector<double> q, v;
    for (const T& x : start.q) q.push_back(to_double(x));
    for (const T& x : start.v) v.push_back(to_double(x));
    throw InputError(describe(model, *fault, q, v));
  }
  // `check` computes in double what is run in a wider precision.
  const bool in_precision_of_run = !std::is_same_v<T, double> || model.run.precision == Precision::double_;
  if (model.system->mechanism() && !model.has_contact() && in_precision_of_run) {
    Kinetics<System> kinetics(system);
    typename System::Multipliers lambda(system.constraints());
    kinetics.start(start.t, start.q, start.v);
    if (kinetics.multiplier(start.t, start.q, start.v, lambda) == Outcome::singular_jacobian)
      throw InputError(describe_lost_multipliers(model, *model.system->mechanism()));
  }
  return start;
}

}  // namespace livens
