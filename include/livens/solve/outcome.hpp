// How the solution of one step ended: a value, never an exception.
#pragma once

#include <array>
#include <string_view>

namespace livens {

enum class Outcome {
  converged,
  residual_floor,
  stalled,
  singular_jacobian,
  left_domain,
  not_finite,
  not_redundant,
  other_root,
  no_multiplier,
  angle_passed,
  off_motion,
  at_rest,
  unloaded,
  contact_undecided,
  several_impacts,
  too_many_events
};

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
    case Outcome::not_redundant:
      return "a constraint left out as redundant does not hold";
    case Outcome::other_root:
      return "no solution that continues the motion was found";
    case Outcome::no_multiplier:
      return "the multipliers that the method starts from do not exist or were not found";
    case Outcome::angle_passed:
      return "the angle of a torsional spring has passed pi";
    case Outcome::off_motion:
      return "a driven joint is turned away from its motion by more than a right angle";
    case Outcome::at_rest:
      return "a joint with friction comes to rest";
    case Outcome::unloaded:
      return "the load of a joint with friction passes 0";
    case Outcome::contact_undecided:
      return "no set of closed contacts fits the state, or more than one does";
    case Outcome::several_impacts:
      return "contacts close at the same time, with restitution, and push one another: several laws of impact apply";
    case Outcome::too_many_events:
      return "more events than contact.events_per_step allows in one step";
  }
  return "";
}

// Which part of a step an outcome is about. Residuals and iterations are those of its equations.
enum class StepPart { equations, momentum, audit, multiplier, node };

constexpr std::string_view name(StepPart part) {
  switch (part) {
    case StepPart::equations:
      return "the equations of the step";
    case StepPart::momentum:
      return "the projection of its momentum";
    case StepPart::audit:
      return "the audit of the new state";
    case StepPart::multiplier:
      return "the momentum and multiplier of the new state";
    case StepPart::node:
      return "the momentum and multiplier of the state, from which it was started again";
  }
  return "";
}

constexpr std::string_view advice(Outcome outcome, StepPart part = StepPart::equations) {
  switch (outcome) {
    case Outcome::converged:
    case Outcome::residual_floor:
      return "";
    case Outcome::stalled:
      return part == StepPart::equations ? "halve the step, or allow more iterations with solver.iterations"
                                         : "halve the step";
    case Outcome::singular_jacobian:
      return "look for redundant constraints or a configuration where they lose rank; a smaller step may pass beside "
             "it";
    case Outcome::left_domain:
    case Outcome::not_finite:
      return "halve the step; if it happens again at the same time, a formula is not defined where the motion leads";
    case Outcome::not_redundant:
      return "it only seemed to follow from the others in the configuration of the start; start where the constraints "
             "are independent, and let those with t agree at all times";
    case Outcome::other_root:
      return "halve the step: the equations of a step have other roots";
    case Outcome::no_multiplier:
      return "choose another method.alpha, such as 0.5 or 1, or give a closer initial.psi";
    case Outcome::angle_passed:
      return "state the spring in another pose, or end the run before";
    case Outcome::off_motion:
      return "take steps in which the motion turns by less than a right angle";
    case Outcome::at_rest:
    case Outcome::unloaded:
      return "friction is not defined there: end the run before";
    case Outcome::contact_undecided:
      return "look for contacts of one point that share only some of its coordinates, or for friction that wedges; end "
             "the run before, or start elsewhere";
    case Outcome::several_impacts:
      return "let them close one after the other, or set their restitution to 0; where they are low bounces, raise "
             "contact.threshold above their speed, so that they land";
    case Outcome::too_many_events:
      return "take a smaller step, or raise contact.events_per_step; where they are ever lower bounces, raise "
             "contact.threshold, below which approach speeds count as 0";
  }
  return "";
}

constexpr bool succeeded(Outcome outcome) {
  return outcome == Outcome::converged || outcome == Outcome::residual_floor;
}

struct StepReport {
  static constexpr int history_size = 8;

  Outcome outcome = Outcome::converged;
  StepPart part = StepPart::equations;         // that did not succeed
  int iterations = 0;                          // corrections applied
  int jacobians = 0;                           // factorisations
  int evaluations = 0;                         // of the residual
  double residual = 0;                         // scaled residual before the last correction
  double increment = 0, floor = 0;             // last correction relative to the unknowns; what counts as round-off
  double contraction = 0;                      // of the last corrections, where the iteration stalled
  bool continued = true;                       // the solution is known to continue the motion, or was not doubted
  std::array<double, history_size> history{};  // residuals of the first iterations
};

}  // namespace livens
