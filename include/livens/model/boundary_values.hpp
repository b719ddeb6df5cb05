// The two ends of a boundary value problem: q of [initial] and of [final], on the constraints or refused in words. The
// velocity of [initial] is only a guess, so it need not satisfy the hidden constraint.
#pragma once

#include <algorithm>

#include "livens/model/lagrangian_start.hpp"

namespace livens {

template <class System>
struct BoundaryValues {
  StartValues<System> first, last;                       // t, q, and some v and p that are consistent with them
  std::optional<typename System::Coordinates> velocity;  // of the start, as guessed in the model
};

std::string describe_final(const Model& model, const StartFault& fault);

// Throws InputError.
template <class System>
BoundaryValues<System> consistent_ends(const Model& model, const System& system) {
  using T = typename System::Scalar;
  BoundaryValues<System> ends{given_start(model, system), StartValues<System>(system), {}};
  StartValues<System>& first = ends.first;
  StartValues<System>& last = ends.last;
  const T duration = static_cast<T>(model.run.step) * static_cast<T>(model.run.steps);
  last.t = first.t + duration;
  for (int i = 0; i < last.q.size(); ++i) {
    last.q[i] = static_cast<T>(model.final_q[static_cast<std::size_t>(i)]);
    last.v[i] = model.run.given ? (last.q[i] - first.q[i]) / duration : T(0);
  }

  Kinetics<System> kinetics(system);
  if (model.initial.momentum_given) {
    if (kinetics.start(first.t, first.q, first.v) && succeeded(kinetics.velocity(first.t, first.q, first.p, first.v)))
      ends.velocity = first.v;
  } else if (!model.initial.v.empty()) {
    ends.velocity = first.v;
  } else {
    first.v = last.v;
  }

  const StartOptions options{.tolerance = model.initial.tolerance, .project = model.initial.project};
  const auto fault_of = [&](StartValues<System>& end) {
    typename System::Coordinates Lq(end.q), p(end.q), v(end.v);
    if (kinetics.start(end.t, end.q, end.v)) {
      system.gradient(end.t, end.q, end.v, Lq, p);
      if (succeeded(kinetics.project(end.t, end.q, p, v))) end.v = v;
    }
    return end.make_consistent(false, options);
  };
  if (const auto fault = fault_of(first)) {
    std::vector<double> q, v;
    for (const T& x : first.q) q.push_back(to_double(x));
    for (const T& x : first.v) v.push_back(to_double(x));
    throw InputError(describe(model, *fault, q, v));
  }
  if (const auto fault = fault_of(last)) throw InputError(describe_final(model, *fault));
  return ends;
}

}  // namespace livens
