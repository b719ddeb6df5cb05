#include "livens/multibody/mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "multibody/body_mass.hpp"
#include "multibody/statements.hpp"

namespace livens::multibody {

bool Body::has(int director) const {
  return std::find(directors.begin(), directors.end(), director) != directors.end();
}

std::string_view name(JointType type) {
  constexpr std::string_view names[] = {"spherical", "revolute", "universal", "cylindrical", "prismatic",
                                        "planar",    "fixed",    "distance",  "slider"};
  return names[static_cast<std::size_t>(type)];
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

int Mechanism::add(const BodyStatement& given, double tolerance) {
  const std::string who = quoted("body", given.name);
  const BodyMass own = mass_of(given, plane_);
  const Number off = distance_from_rotation(given.rotation);
  if (!(off <= Number(tolerance)))
    throw StatementError("rotation",
                         fmt::format("{}: the matrix is no rotation: R^T R differs from 1 by {:.1e}; correct "
                                     "it, or set initial.project = true",
                                     who, to_double(off)));
  if (!is_right_handed(given.rotation))
    throw StatementError("rotation",
                         who + ": the matrix turns a right hand into a left one; its determinant must be 1");

  Body body{given.name,     given.key,      given.shape,
            own.mass,       own.euler,      own.directors,
            given.position, given.velocity, given.angular_velocity,
            given.rotation, coordinates_,   internal_rows_};
  coordinates_ += dimension() * (1 + static_cast<int>(body.directors.size()));
  internal_rows_ += body.rows();
  bodies_.push_back(std::move(body));
  return static_cast<int>(bodies_.size()) - 1;
}

int Mechanism::place_of(const Body& body, int director) const {
  if (director < 0) return body.first;
  const auto found = std::find(body.directors.begin(), body.directors.end(), director);
  return body.first + dimension() * (1 + static_cast<int>(found - body.directors.begin()));
}

std::vector<std::string> Mechanism::coordinate_names() const {
  std::vector<std::string> names;
  const std::string_view axes = "xyz";
  for (const Body& body : bodies_) {
    for (int k = 0; k < dimension(); ++k) names.push_back(fmt::format("{}.{}", body.name, axes[at(k)]));
    for (const int d : body.directors)
      for (int k = 0; k < dimension(); ++k) names.push_back(fmt::format("{}.d{}{}", body.name, d + 1, axes[at(k)]));
  }
  return names;
}

std::string Mechanism::name_of(const SpringStatement& spring) const {
  const std::string what = spring.is_damper ? "damper" : "spring";
  if (!spring.name.empty()) return quoted(what, spring.name);
  if (spring.joint) return fmt::format("the {} in joint '{}'", what, joints_[at(*spring.joint)].name);
  return fmt::format("the {} between '{}' and '{}'", what, body_name(spring.bodies[0]), body_name(spring.bodies[1]));
}

std::string Mechanism::name_of(const ForceStatement& force) const {
  return force.name.empty() ? "the force on " + quoted("body", body_name(force.body)) : quoted("force", force.name);
}

std::vector<std::string> Mechanism::rates_left_out() const {
  using std::abs;
  std::vector<std::string> all;
  for (const Body& body : bodies_) {
    if (plane_ || body.directors.size() > 1) continue;
    const Number along = body.directors.empty()
                             ? length(body.angular_velocity)
                             : abs(dot(body.angular_velocity, column(body.rotation, body.directors[0])));
    if (along > Number(reach) * length(body.angular_velocity))
      all.push_back(fmt::format("angular velocity of {}{}", quoted("body", body.name),
                                body.directors.empty() ? "" : " along the rod"));
  }
  return all;
}

std::string Mechanism::unconnected() const {
  std::vector<bool> touched(bodies_.size(), false);
  const auto touch = [&](const std::array<int, 2>& both) {
    for (const int body : both)
      if (body != ground) touched[at(body)] = true;
  };
  for (const Joint& joint : joints_) touch(joint.bodies);
  for (const Spring& spring : springs_)
    if (!spring.joint) touch(spring.bodies);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (!touched[k]) names.push_back(fmt::format("'{}'", bodies_[k].name));
  if (names.empty() || names.size() == bodies_.size()) return "";
  const char* words = "in no joint and on no spring: connected with nothing";
  if (names.size() == 1) return fmt::format("body {} is {}", names[0], words);
  constexpr std::size_t most = 4;
  const std::size_t more = names.size() > most ? names.size() - most : 0;
  const std::string last = more > 0 ? fmt::format("{} more", more) : names.back();
  names.resize(more > 0 ? most : names.size() - 1);
  return fmt::format("bodies {} and {} are {}", fmt::join(names, ", "), last, words);
}

// ---- springs, dampers, forces ---------------------------------------------------------------------------------------

void Mechanism::check_bodies(const std::array<int, 2>& bodies) const {
  for (const int body : bodies)
    if (body < ground || body >= static_cast<int>(bodies_.size()))
      throw StatementError("bodies", fmt::format("there is no body number {}; there are {}, numbered from 0, and "
                                                 "ground",
                                                 body, bodies_.size()));
}

void Mechanism::add(const SpringStatement& given) {
  if (given.joint && (*given.joint < 0 || *given.joint >= static_cast<int>(joints_.size())))
    throw StatementError("joint", fmt::format("there is no joint number {}; there are {}, numbered from 0",
                                              *given.joint, joints_.size()));
  check_bodies(given.bodies);
  const std::string who = name_of(given);
  Spring spring;
  static_cast<SpringStatement&>(spring) = given;
  if (given.stiffness < 0)
    throw StatementError("stiffness",
                         fmt::format("{}: stiffness is {}, must not be negative", who, to_double(given.stiffness)));
  if (given.damping < 0)
    throw StatementError("damping",
                         fmt::format("{}: damping is {}, must not be negative", who, to_double(given.damping)));
  if (given.joint) {
    const Joint& joint = joints_[at(*given.joint)];
    const double pi = 3.14159265358979323846;
    if (const double angle = to_double(given.angle); !(angle > -pi && angle <= pi))
      throw StatementError("angle", fmt::format("{}: angle is {:.6g}; angles of a torsional spring lie in (-pi, pi], "
                                                "counted from the start pose",
                                                who, angle));
    if (joint.type != JointType::revolute)
      throw StatementError(
          "joint", fmt::format("{}: joint '{}' is {}; torsional springs and dampers are for revolute joints", who,
                               joint.name, name(joint.type)));
    for (int side = 0; side < 2; ++side)
      if (!tells_angle(joint, side))
        throw StatementError("joint",
                             fmt::format("joint '{}': body '{}' is too thin to measure the angle of the joint; "
                                         "give it a thickness",
                                         joint.name, body_name(joint.bodies[at(side)])));
  } else {
    if (given.bodies[0] == given.bodies[1])
      throw StatementError(
          "bodies", fmt::format("{} connects '{}' with itself; name two bodies", who, body_name(given.bodies[0])));
    for (int side = 0; side < 2; ++side)
      if (!spans(given.bodies[at(side)], given.points[at(side)], length(given.points[at(side)])))
        throw StatementError(
            fmt::format("points[{}]", side + 1),
            fmt::format("{}: body '{}' has no point there: points of a rod lie along it, of a plate in its "
                        "plane",
                        who, body_name(given.bodies[at(side)])));
    if (given.length && *given.length < 0)
      throw StatementError("length",
                           fmt::format("{}: length is {}, must not be negative", who, to_double(*given.length)));
  }
  springs_.push_back(std::move(spring));
}

void Mechanism::add(const ForceStatement& given) {
  check_bodies({given.body, given.body});
  if (given.body == ground) throw StatementError("body", "a force on ground moves nothing; name a body");
  for (const auto* formulas : {&given.force, &given.torque})
    if (const std::size_t n = formulas->size(), all = plane_ && formulas == &given.torque ? 1 : at(dimension());
        n != 0 && n != all)
      throw StatementError(formulas == &given.force ? "force" : "torque",
                           fmt::format("{} has {} formula{}, must have {}", name_of(given), n, n == 1 ? "" : "s", all));
  if (!spans(given.body, given.point, length(given.point)))
    throw StatementError("point",
                         fmt::format("{}: body '{}' has no point there: points of a rod lie along it, of a plate in "
                                     "its plane",
                                     name_of(given), body_name(given.body)));
  if (!given.torque.empty() && bodies_[at(given.body)].directors.empty())
    throw StatementError("torque", fmt::format("{}: body '{}' is a point, which no torque can turn; leave it out",
                                               name_of(given), body_name(given.body)));
  forces_.push_back(given);
}

// ---- the start pose -------------------------------------------------------------------------------------------------

std::vector<Number> Mechanism::start_positions() const {
  std::vector<Number> q;
  for (const Body& body : bodies_) {
    for (int k = 0; k < dimension(); ++k) q.push_back(body.position[k]);
    for (const int d : body.directors)
      for (int k = 0; k < dimension(); ++k) q.push_back(body.rotation(k, d));
  }
  return q;
}

std::vector<Number> Mechanism::start_velocities() const {
  std::vector<Number> v;
  for (const Body& body : bodies_) {
    for (int k = 0; k < dimension(); ++k) v.push_back(body.velocity[k]);
    for (const int d : body.directors) {
      const Vector rate = cross(body.angular_velocity, column(body.rotation, d));
      for (int k = 0; k < dimension(); ++k) v.push_back(rate[k]);
    }
  }
  return v;
}

void Mechanism::move_to(const std::vector<Number>& q) {
  for (Body& body : bodies_) {
    for (int k = 0; k < dimension(); ++k) body.position[k] = q[at(body.first + k)];
    for (const int d : body.directors)
      for (int k = 0; k < dimension(); ++k) body.rotation(k, d) = q[at(place_of(body, d) + k)];
    if (plane_ && body.directors.size() == 1)
      body.rotation(0, 1) = -body.rotation(1, 0), body.rotation(1, 1) = body.rotation(0, 0);
    if (!plane_ && body.directors.size() == 2) {
      const Vector normal = cross(column(body.rotation, 0), column(body.rotation, 1));
      for (int k = 0; k < 3; ++k) body.rotation(k, 2) = normal[k];
    }
  }
}

void Mechanism::settle() {
  for (Joint& joint : joints_)
    if (joint.type == JointType::distance && !joint.length) {
      joint.length =
          length(point_now(joint.bodies[1], joint.frames[1].point) - point_now(joint.bodies[0], joint.frames[0].point));
      if (!(*joint.length > 0))
        throw StatementError(joint.key,
                             fmt::format("joint '{}' is a distance between points that coincide; a distance is "
                                         "positive, use spherical (revolute in the plane)",
                                         joint.name));
    }
  for (Spring& spring : springs_) {
    if (spring.joint) {
      spring.start_angle = angle_now(joints_[at(*spring.joint)]);
      continue;
    }
    const Number apart =
        length(point_now(spring.bodies[1], spring.points[1]) - point_now(spring.bodies[0], spring.points[0]));
    if (!spring.length) spring.length = apart;
    const bool pushes = spring.stiffness > 0 && *spring.length > 0, brakes = spring.damping > 0 && !spring.isotropic;
    if (apart == 0 && (pushes || brakes))
      throw StatementError(
          spring.key,
          fmt::format("{} acts along the line between two points that coincide at the start, which has no direction; "
                      "{}",
                      name_of(spring),
                      pushes ? "move one of them, or set length = 0" : "move one of them, or set isotropic = true"));
  }
}

}  // namespace livens::multibody
