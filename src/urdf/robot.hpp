// A robot as its URDF file states it: links and joints, numbers checked, nothing computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "urdf/frame.hpp"

namespace livens::urdf {

struct Geometry {
  std::string type;  // box, cylinder, sphere, or another that is not drawn
  Vector size{0, 0, 0};
  double radius = 0, length = 0;
  Frame origin;
};

struct Link {
  std::string name;
  double mass = 0;   // 0: none
  Frame origin;      // of the centre of mass, in the link
  Matrix inertia{};  // about it, along the axes of `origin`
  std::vector<Geometry> visuals;
};

struct Joint {
  std::string name, type, parent, child;
  Frame origin;          // of the joint and of the child at rest, in the parent
  Vector axis{1, 0, 0};  // in the child
  double damping = 0, friction = 0;
  bool limited = false;
  std::optional<std::string> mimics;
};

struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<std::string> others;  // elements that are none of these
};

// Throws InputError.
Robot read_robot(const std::string& source, const std::string& xml);

}  // namespace livens::urdf
