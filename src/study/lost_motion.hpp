// Pilots whose differences grew exponentially until they were as large as the motion. Whether smaller steps help is
// said by the rounding of the first steps, which grows as they do.
#pragma once

#include <optional>

#include "study/pilot.hpp"

namespace livens {

struct LostMotion {
  double known;   // time from the start until rounding is as large as the motion
  double at_end;  // what their difference would be at the end, if it went on growing
};

// epsilon: of the run's precision.
std::optional<LostMotion> lost_motion(const Pilot& coarse, const Pilot& fine, double epsilon);

}  // namespace livens
