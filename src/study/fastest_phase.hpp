// The phase of the fastest oscillation at the start (simulation/fastest_oscillation.hpp) through the whole time, and
// how many steps see it.
#pragma once

#include "livens/model/model.hpp"

namespace livens {

class FastestPhase {
 public:
  // points: of a step at which its equations look; order: of the method.
  FastestPhase(const Model& model, double points, double order);

  // Steps with a radian from point to point. With larger ones the oscillation stays where it is, or turns back and
  // forth, so that errors fall with the order until they are as large as it.
  double steps_that_resolve() const { return radians_ / points_; }
  bool is_resolved_by(double N) const { return N * points_ >= radians_; }

  // Whether the phase is right to a radian at the end.
  bool is_followed_by(double N) const;

 private:
  double radians_, points_, order_;  // radians 0: nothing oscillates
};

}  // namespace livens
