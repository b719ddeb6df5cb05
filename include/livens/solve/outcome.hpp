// How the solution of one step ended: a value, never an exception.
#pragma once

#include <array>
#include <string_view>

namespace livens {

enum class Outcome { converged, residual_floor, stalled, singular_jacobian, left_domain, not_finite };

constexpr std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
      return "converged";
    case Outcome::residual_floor:
      return "converged to the round-off floor";
    case Outcome::stalled:
      return "stalled";
    case Outcome::singular_jacobian:
      return "singular Jacobian";
    case Outcome::left_domain:
      return "left the domain of a formula";
    case Outcome::not_finite:
      return "not finite";
  }
  return "";
}

constexpr std::string_view advice(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
    case Outcome::residual_floor:
      return "";
    case Outcome::stalled:
      return "halve the step, or allow more iterations with solver.iterations";
    case Outcome::singular_jacobian:
      return "look for redundant constraints or a configuration where they lose rank; a smaller step may pass beside "
             "it";
    case Outcome::left_domain:
    case Outcome::not_finite:
      return "halve the step; if it happens again at the same time, a formula is not defined where the motion leads";
  }
  return "";
}

constexpr bool succeeded(Outcome outcome) {
  return outcome == Outcome::converged || outcome == Outcome::residual_floor;
}

struct StepReport {
  static constexpr int history_size = 8;

  Outcome outcome = Outcome::converged;
  int iterations = 0;                          // corrections applied
  int jacobians = 0;                           // factorisations
  int evaluations = 0;                         // of the residual
  double residual = 0;                         // scaled residual before the last correction
  double increment = 0, floor = 0;             // last correction relative to the unknowns; what counts as round-off
  std::array<double, history_size> history{};  // residuals of the first iterations
};

}  // namespace livens
