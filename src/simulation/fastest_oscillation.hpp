// The fastest oscillation that forces and constraint forces allow at a state, for words about steps that fail:
//
//   K x = omega^2 M x  on  G x = 0 ,    K = sum_a lambda_a D2g_a - L_qq ,
//
// its largest omega by Lanczos' iteration. Velocities stand still meanwhile: what they contribute is in lambda.
#pragma once

#include <optional>
#include <string>

#include "livens/model/model.hpp"
#include "livens/run/attempt.hpp"

namespace livens {

struct FastestOscillation {
  double omega;
  std::string part;  // "body 'link[3]'" or "coordinate x[3]", which moves most
};

// Nothing where constraints are dependent, or nothing oscillates.
std::optional<FastestOscillation> fastest_oscillation(const Model& model, const Place& place);

}  // namespace livens
