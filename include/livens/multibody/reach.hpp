// How far bodies reach from their centres of mass: the lengths in which directions count as much as positions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "livens/multibody/mechanism.hpp"

namespace livens::multibody {

// Of every body the distance to the farthest of its joints, or its radius of gyration where that is larger; infinite
// without directors.
std::vector<double> reach_of_bodies(const Mechanism& mechanism);

// Units of the coordinates, as powers of two, in which what joints say is compared without the masses: ones for
// positions, reaches for directors.
std::vector<int> units_of_shape(const Mechanism& mechanism);

// What makes joint forces lose their digits although joints say different things, in words, and its key.
struct Disparity {
  std::string key, words;
};
std::optional<Disparity> disparity_of_masses(const Mechanism& mechanism);

}  // namespace livens::multibody
