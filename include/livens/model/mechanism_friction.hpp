// What the formulas of an overdetermined mechanism do not say by themselves: friction joint by joint, and the same
// mechanism without it.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "livens/formula/program.hpp"
#include "livens/math/scalar.hpp"

namespace livens {

class SystemDescription;

struct MechanismFriction {
  struct Part {
    int joint;
    int loads, rates;              // components of the force that presses, and of the velocity of the surface
    std::vector<int> coordinates;  // that it acts on
  };
  // Rates up to this are those of a joint at rest, in a mechanism that moves with v.
  template <class Velocities>
  static double slow_beside(const Velocities& v) {
    double fastest = 0;
    for (const auto& x : v) fastest = std::max(fastest, std::abs(to_double(x)));
    return 1e-13 * fastest;
  }

  std::shared_ptr<const SystemDescription> smooth;
  // Of the blocks of OdaeFormulas; for each part the loads, the rates, and the forces on the coordinates.
  std::shared_ptr<const formula::Program> program;
  std::vector<Part> parts;
};

}  // namespace livens
