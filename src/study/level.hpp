// Levels of refinement: a pilot, and how far it is from a finer one at the nodes that they have in common.
#pragma once

#include <utility>
#include <vector>

#include "study/pilot.hpp"

namespace livens {

// Nodes that two pilots have in common, the start among them: of the coarse one, of the fine one.
std::vector<std::pair<std::size_t, std::size_t>> common_nodes(const Pilot& coarse, const Pilot& fine);

// How far q of the two is apart at each of those, absolute.
std::vector<double> differences(const Pilot& coarse, const Pilot& fine);

struct Level {
  bool known = false;
  long long steps = 0;
  double q = 0, q_end = 0, p = 0, p_end = 0;  // relative to the sizes of the finer one
  double of_next = 0;                         // its steps by those of that one
  // What the error is more than that, where it falls with a power of the steps.
  double whole(double power) const;
};

Level compare(const Pilot& coarse, const Pilot& fine);

}  // namespace livens
