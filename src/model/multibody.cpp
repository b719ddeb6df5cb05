#include "livens/model/multibody.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/mechanism_model.hpp"

namespace livens {

using formula::NodeId;
using formula::Number;

namespace {

const multibody::Vector no{0, 0, 0};
constexpr int block_of_points = LagrangianFormulas::blocks;  // of the variables of forces

multibody::Shape shape_of(multibody::Shape::Type type, const Number& radius, const Number& length) {
  multibody::Shape shape;
  shape.type = type, shape.radius = radius, shape.length = length;
  return shape;
}

void check_name(const char* what, const std::string& name, const std::set<std::string>& taken) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_-[]").find(c) != std::string_view::npos;
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), allowed))
    throw multibody::StatementError(
        "name", fmt::format("\"{}\" is not a name of a {}; names are letters, digits, _ and -", name, what));
  if (taken.contains(name))
    throw multibody::StatementError("name", fmt::format("there is another {} '{}'; choose another name", what, name));
}

// In the plane nothing has a part that stands on it, or turns about an axis in it.
void stay_in_plane(const char* key, const std::string& of, const multibody::Vector& x) {
  if (x[2] == 0) return;
  throw multibody::StatementError(
      key, fmt::format("{}{} has the third component {}, but the mechanism lies in the plane; leave it 0",
                       of.empty() ? "" : of + ": ", key, to_double(x[2])));
}
void stay_about_normal(const char* key, const std::string& of, const multibody::Vector& x) {
  if (x[0] == 0 && x[1] == 0) return;
  throw multibody::StatementError(
      key, fmt::format("{}: {} is about an axis in the plane, but bodies turn in it; leave the first two components 0",
                       of, key));
}

}  // namespace

Multibody::Multibody(const Options& options) : mechanism_(options.plane, options.gravity) {
  if (options.plane) stay_in_plane("gravity", "", options.gravity);
  names_.add_variable("t", {LagrangianFormulas::time, 0});
  const std::string_view axes = options.plane ? "xy" : "xyz";
  for (std::size_t k = 0; k < axes.size(); ++k) {
    names_.add_variable(std::string(1, axes[k]), {block_of_points, static_cast<int>(k)});
    names_.add_variable(std::string(1, axes[k]) + "'", {block_of_points, 3 + static_cast<int>(k)});
  }
}

multibody::Shape Multibody::box(const Number& a, const Number& b, const Number& c) {
  multibody::Shape shape = shape_of(multibody::Shape::Type::box, 0, 0);
  shape.size = {a, b, c};
  return shape;
}
multibody::Shape Multibody::plate(const Number& a, const Number& b) {
  multibody::Shape shape = shape_of(multibody::Shape::Type::plate, 0, 0);
  shape.size = {a, b, 0};
  return shape;
}
multibody::Shape Multibody::sphere(const Number& radius) {
  return shape_of(multibody::Shape::Type::sphere, radius, 0);
}
multibody::Shape Multibody::disc(const Number& radius) {
  return shape_of(multibody::Shape::Type::disc, radius, 0);
}
multibody::Shape Multibody::cylinder(const Number& radius, const Number& length) {
  return shape_of(multibody::Shape::Type::cylinder, radius, length);
}
multibody::Shape Multibody::cone(const Number& radius, const Number& length) {
  return shape_of(multibody::Shape::Type::cone, radius, length);
}
multibody::Shape Multibody::rod(const Number& length) {
  return shape_of(multibody::Shape::Type::rod, 0, length);
}
multibody::Shape Multibody::point() {
  return shape_of(multibody::Shape::Type::point, 0, 0);
}
multibody::Matrix Multibody::inertia(const Number& x, const Number& y, const Number& z) {
  multibody::Matrix J = multibody::identity();
  J(0, 0) = x, J(1, 1) = y, J(2, 2) = z;
  return J;
}

int Multibody::body(const multibody::BodyStatement& statement) {
  if (statement.name == "ground")
    throw multibody::StatementError("name", "\"ground\" is the frame of space; choose another name");
  check_name("body", statement.name, bodies_);
  if (mechanism_.plane()) {
    const std::string who = fmt::format("body '{}'", statement.name);
    stay_in_plane("position", who, statement.position);
    stay_in_plane("velocity", who, statement.velocity);
    stay_about_normal("angular_velocity", who, statement.angular_velocity);
    stay_in_plane("size", who, statement.shape.size);
  }
  const int number = mechanism_.add(statement);
  bodies_.insert(statement.name);
  return number;
}
int Multibody::joint(const multibody::JointStatement& statement) {
  check_name("joint", statement.name, joints_);
  if (mechanism_.plane()) {
    const std::string who = fmt::format("joint '{}'", statement.name);
    if (statement.at) stay_in_plane("at", who, *statement.at);
    if (statement.axis) stay_in_plane("axis", who, *statement.axis);
    for (const multibody::Vector& point : statement.points.value_or(std::array<multibody::Vector, 2>{no, no}))
      stay_in_plane("points", who, point);
    if (statement.frames)
      for (const multibody::FrameStatement& frame : *statement.frames)
        if (frame.point) stay_in_plane("frames", who, *frame.point);
  }
  const int number = mechanism_.add(statement);
  joints_.insert(statement.name);
  return number;
}

int Multibody::at(multibody::JointType type, const std::string& name, int first, int second, const Vector& point,
                  const Vector* axis) {
  multibody::JointStatement joint;
  joint.name = name, joint.key = "joint " + name, joint.type = type, joint.bodies = {first, second}, joint.at = point;
  if (axis) joint.axis = *axis;
  return this->joint(joint);
}
int Multibody::spherical(const std::string& name, int first, int second, const Vector& point) {
  return at(multibody::JointType::spherical, name, first, second, point, nullptr);
}
int Multibody::revolute(const std::string& name, int first, int second, const Vector& point, const Vector& axis) {
  const bool none = axis[0] == 0 && axis[1] == 0 && axis[2] == 0;
  if (mechanism_.plane() && !none)
    throw multibody::StatementError("axis",
                                    fmt::format("joint '{}': its axis stands on the plane; leave it out", name));
  return at(multibody::JointType::revolute, name, first, second, point, mechanism_.plane() ? nullptr : &axis);
}
int Multibody::universal(const std::string& name, int first, int second, const Vector& point, const Vector& first_axis,
                         const Vector& second_axis) {
  multibody::JointStatement joint;
  joint.name = name, joint.key = "joint " + name, joint.type = multibody::JointType::universal;
  joint.bodies = {first, second}, joint.at = point, joint.axes = {first_axis, second_axis};
  return this->joint(joint);
}
int Multibody::cylindrical(const std::string& name, int first, int second, const Vector& point, const Vector& axis) {
  return at(multibody::JointType::cylindrical, name, first, second, point, &axis);
}
int Multibody::prismatic(const std::string& name, int first, int second, const Vector& point, const Vector& axis) {
  return at(multibody::JointType::prismatic, name, first, second, point, &axis);
}
int Multibody::planar(const std::string& name, int first, int second, const Vector& point, const Vector& normal) {
  return at(multibody::JointType::planar, name, first, second, point, &normal);
}
int Multibody::slider(const std::string& name, int first, int second, const Vector& point, const Vector& axis) {
  return at(multibody::JointType::slider, name, first, second, point, &axis);
}
int Multibody::fixed(const std::string& name, int first, int second) {
  multibody::JointStatement joint;
  joint.name = name, joint.key = "joint " + name, joint.type = multibody::JointType::fixed;
  joint.bodies = {first, second};
  return this->joint(joint);
}
int Multibody::distance(const std::string& name, int first, int second, const Vector& first_point,
                        const Vector& second_point) {
  multibody::JointStatement joint;
  joint.name = name, joint.key = "joint " + name, joint.type = multibody::JointType::distance;
  joint.bodies = {first, second}, joint.points = {first_point, second_point};
  return this->joint(joint);
}

NodeId Multibody::motion(const std::string& text) {
  const NodeId f = names_.parse(text);
  for (const formula::Slot& x : graph_.variables(f))
    if (x.block != LagrangianFormulas::time) throw formula::FormulaError(1, "a motion may contain t only: " + text);
  return f;
}

void Multibody::spring(const multibody::SpringStatement& statement) {
  if (mechanism_.plane())
    for (const multibody::Vector& point : statement.points) stay_in_plane("points", "a spring", point);
  mechanism_.add(statement);
}
void Multibody::force(int body, const Vector& point, const std::vector<std::string>& force,
                      const std::vector<std::string>& torque) {
  if (mechanism_.plane()) stay_in_plane("point", "a force", point);
  multibody::ForceStatement statement;
  statement.body = body, statement.point = point;
  for (const std::string& text : force) statement.force.push_back(names_.parse(text));
  for (const std::string& text : torque) statement.torque.push_back(names_.parse(text));
  mechanism_.add(statement);
}

Model Multibody::model(const std::string& name, bool project) const {
  Model model;
  model.source = model.name = model.title = name;
  model.initial.project = project;
  model.solver.redundant = "least-norm";
  describe_mechanism(model, mechanism_, graph_, block_of_points);
  return model;
}

}  // namespace livens
