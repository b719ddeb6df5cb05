// What the formulas of an overdetermined mechanism do not say by themselves: friction joint by joint, and the same
// mechanism without it.
#pragma once

#include <memory>
#include <vector>

#include "livens/formula/program.hpp"

namespace livens {

class SystemDescription;

struct MechanismFriction {
  struct Part {
    int joint;
    int loads, rates;              // components of the force that presses, and of the velocity of the surface
    std::vector<int> coordinates;  // that it acts on
  };
  std::shared_ptr<const SystemDescription> smooth;
  // Of the blocks of OdaeFormulas; for each part the loads, the rates, and the forces on the coordinates.
  std::shared_ptr<const formula::Program> program;
  std::vector<Part> parts;
};

}  // namespace livens
