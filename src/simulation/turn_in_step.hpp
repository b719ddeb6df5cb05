// How far a body of a mechanism turns in a step, for words about steps that fail: by the rates of its axes d, |d| = 1,
//
//   h |d'| + h^2/2 |d''| ,
//
// the accelerations from M q'' = L_q + F - G^T lambda. That of a short body in gravity is about g over its length.
#pragma once

#include <optional>
#include <string>

#include "livens/model/model.hpp"
#include "livens/run/attempt.hpp"

namespace livens {

struct TurnInStep {
  double angle;      // of the body that turns most
  std::string body;  // its name
  double step;       // in which it turns by 1/10
};

// Nothing where there are no bodies that turn, or constraints are dependent.
std::optional<TurnInStep> turn_in_step(const Model& model, const Place& place, double h);

}  // namespace livens
