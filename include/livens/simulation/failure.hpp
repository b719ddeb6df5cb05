// A step that could not be done, in words: when, which part of it, how it ended, where a formula is not finite, and
// what to do.
#pragma once

#include <string>

#include "livens/model/model.hpp"
#include "livens/run/attempt.hpp"
#include "livens/solve/outcome.hpp"

namespace livens {

// `step`: its number, from 1.
std::string describe_failure(const Model& model, const StepReport& failure, const Attempt& attempt, long long step);

}  // namespace livens
