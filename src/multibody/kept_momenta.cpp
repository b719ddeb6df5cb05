#include "multibody/kept_momenta.hpp"

#include <cmath>

#include "multibody/statements.hpp"

namespace livens::multibody {

namespace {

constexpr double along_axis = 1e-12;  // what may be left across it, as part of a vector

// Whether u is along the axis k, or x on the one through the origin.
bool is_along(const Vector& u, int k) {
  using std::abs;
  for (int i = 0; i < 3; ++i)
    if (i != k && abs(u[i]) > Number(along_axis) * length(u)) return false;
  return true;
}

}  // namespace

KeptMomenta::KeptMomenta(const Mechanism& mechanism) {
  for (int k = 0; k < 3; ++k) linear[at(k)] = mechanism.gravity()[k] == 0;
  lose_angular_but(mechanism.gravity());
  for (const Joint& joint : mechanism.joints()) hold(joint, mechanism.plane());
  for (const Spring& spring : mechanism.springs()) {
    if (spring.joint) {
      const Joint& joint = mechanism.joints()[at(*spring.joint)];
      if (joint.bodies[0] == ground || joint.bodies[1] == ground) angular.fill(false);
      continue;
    }
    for (int side = 0; side < 2; ++side)
      if (spring.bodies[at(side)] == ground) pull_from(spring.points[at(side)]);
    if (spring.isotropic && spring.damping > 0) angular.fill(false);  // its force is not along the line
  }
  if (!mechanism.forces().empty()) lose_all();
}

void KeptMomenta::lose_all() {
  linear.fill(false);
  angular.fill(false);
}

void KeptMomenta::lose_angular_but(const Vector& axis) {
  for (int k = 0; k < 3; ++k) angular[at(k)] = angular[at(k)] && is_along(axis, k);
}

void KeptMomenta::pull_from(const Vector& x) {
  linear.fill(false);
  lose_angular_but(x);
}

void KeptMomenta::hold(const Joint& joint, bool plane) {
  using std::abs;
  const int side = joint.bodies[0] == ground ? 0 : joint.bodies[1] == ground ? 1 : -1;
  if (side < 0) return;
  const Frame& frame = joint.frames[at(side)];
  if ((joint.friction && joint.friction->coefficient > 0) || joint.motion) return lose_all();
  switch (joint.type) {
    case JointType::spherical:
    case JointType::distance:
      return pull_from(frame.point);
    case JointType::revolute:
    case JointType::universal:  // its torque stands on both axes
      pull_from(frame.point);
      if (!plane) lose_angular_but(frame.axis);
      return;
    case JointType::fixed:
      return lose_all();
    case JointType::cylindrical:
    case JointType::prismatic:
    case JointType::slider: {
      if (joint.type == JointType::slider && side == 1) return pull_from(frame.point);  // the line moves
      for (int k = 0; k < 3; ++k) linear[at(k)] = linear[at(k)] && is_along(frame.axis, k);
      // A cylinder about a line through the origin leaves the momentum about it.
      const Vector off = frame.point - dot(frame.point, frame.axis) * frame.axis;
      if (joint.type == JointType::cylindrical && !(length(off) > Number(along_axis) * length(frame.point)))
        lose_angular_but(frame.axis);
      else
        angular.fill(false);
      return;
    }
    case JointType::planar:
      for (int k = 0; k < 3; ++k) linear[at(k)] = linear[at(k)] && !(abs(frame.axis[k]) > Number(along_axis));
      lose_angular_but(frame.axis);
  }
}

}  // namespace livens::multibody
