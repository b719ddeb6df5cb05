// Robots described in URDF, as model files of kind multibody.
//
//   link             a body, its axes those of the link; links behind fixed joints are part of the body they are fixed
//   to root link        the ground, or with `free` a body revolute, continuous, prismatic, planar    the joints of
//   these names; floating: no joint damping          a damper of the joint box, cylinder, sphere    the shape of the
//   body, where it is centred at the centre of mass
//
// What has no counterpart (limits, constant friction, mimic, meshes, ...) is told in words, by name, in `notes`.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace livens {

struct UrdfOptions {
  bool free = false;                   // the root link is not the ground
  std::map<std::string, double> pose;  // of joints: angles and displacements; default 0
};

struct UrdfModel {
  std::string text;  // the model file
  std::vector<std::string> notes;
};

// `source` names the file in messages. Throws InputError.
UrdfModel model_of_urdf(const std::string& source, const std::string& xml, const UrdfOptions& options = {});

}  // namespace livens
