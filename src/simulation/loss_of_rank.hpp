// Whether a motion is a few steps before or after a configuration in which constraints lose rank, for words about steps
// that fail: ggl has steps without a solution there.
//
// From a place with a velocity a walk on g = 0 goes on, or back, in strides of an eighth of a step, each as the one
// before it, projected. Constraints lose rank where a length r_k of branches.hpp vanishes; r_k is proportional to the
// distance from there, so that two points tell it.
#pragma once

#include <optional>

#include "livens/model/model.hpp"
#include "livens/run/attempt.hpp"

namespace livens {

struct LossOfRank {
  int constraint;  // which depends on others there
  double steps;    // from the place to there; negative: it was before
};

// The nearest one, at most so many steps ahead or behind. Constraints must not be redundant.
std::optional<LossOfRank> loss_of_rank(const Model& model, const Place& from, double h, int ahead, int behind);

}  // namespace livens
