// Which components of the linear momentum, and of the angular momentum about the origin, a mechanism keeps: those that
// gravity and what is attached to ground leave unchanged. Joints, springs and dampers between bodies push both equally.
#pragma once

#include <array>

#include "livens/multibody/mechanism.hpp"

namespace livens::multibody {

class KeptMomenta {
 public:
  explicit KeptMomenta(const Mechanism& mechanism);

  std::array<bool, 3> linear{true, true, true}, angular{true, true, true};  // along x, y, z

 private:
  void lose_all();
  void lose_angular_but(const Vector& axis);
  void pull_from(const Vector& x);  // a force through a point of ground
  void hold(const Joint& joint, bool plane);
};

}  // namespace livens::multibody
