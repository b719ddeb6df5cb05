// A mechanism as a page draws it: its parts once, and where its bodies are for every frame.
#pragma once

#include "livens/multibody/mechanism.hpp"
#include "livens/store/json.hpp"

namespace livens::report {

class MechanismDrawing {
 public:
  explicit MechanismDrawing(const multibody::Mechanism& mechanism) : m_(mechanism) {}

  // Bodies with their shapes, joints, springs, dampers, gravity.
  Json parts() const;
  // The places of all bodies and then how they are turned: unit quaternions (x, y, z, w); in the plane cos and sin.
  std::size_t turns() const { return m_.bodies().size() * (m_.plane() ? 2 : 4); }
  void draw(const double* q, double* out) const;

 private:
  const multibody::Mechanism& m_;
};

}  // namespace livens::report
