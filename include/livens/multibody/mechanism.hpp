// A mechanism as an engineer states it: bodies, joints, springs, dampers, forces. Statements go in, checked one by one;
// formulas of a Lagrangian system come out (mechanism_formulas.hpp).
//
// A body is described by its centre of mass phi and its directors d_i, the columns of its rotation matrix: a material
// point is  x = phi + X_i d_i  (Kinon, Betsch & Schneider 2023, section 4).  It has the directors along which it has
// mass: a plate d1, d2, a rod d3 (in the plane d1), a point none; in the plane a body has d1, d2. Ground is the frame
// of space.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "livens/multibody/geometry.hpp"

namespace livens::multibody {

inline constexpr int ground = -1;

// What is wrong with a statement: the key that it is about ("axis", "frames[1].across"; empty: all of it), and words.
class StatementError : public std::runtime_error {
 public:
  StatementError(std::string key_of_fault, const std::string& words)
      : std::runtime_error(words), key(std::move(key_of_fault)) {}
  std::string key;
};

struct BodyStatement {
  std::string name = {}, key = {};  // key: where it is stated, as messages name it
  std::optional<Number> mass = {}, density = {};
  std::optional<Matrix> inertia = {};  // about the centre of mass, along the body's axes; in the plane entry (2, 2)
  Shape shape = {};
  Vector position{0, 0, 0};
  Matrix rotation = identity();
  Vector velocity{0, 0, 0}, angular_velocity{0, 0, 0};  // in the axes of space
};

struct Body {
  std::string name, key;
  Shape shape;
  Number mass;
  Matrix euler;                // int rho X X^T: the mass of the directors
  std::vector<int> directors;  // those that it has, of 0, 1, 2
  Vector position, velocity, angular_velocity;
  Matrix rotation;
  int first = 0;      // number of its first coordinate
  int first_row = 0;  // of its internal constraints

  int rows() const { return static_cast<int>(directors.size() * (directors.size() + 1) / 2); }
  bool has(int director) const;
};

enum class JointType { spherical, revolute, universal, cylindrical, prismatic, planar, fixed, distance, slider };

std::string_view name(JointType type);

// A point of a body, an axis through it, and directions a, b that stand on the axis, right-handed (axis, a, b): in the
// body's own axes, from its centre of mass. In the plane the axis of a revolute joint stands on the plane, those of
// others lie in it, and a too: b is not used then.
struct Frame {
  Vector point{0, 0, 0}, axis{0, 0, 1}, a{1, 0, 0}, b{0, 1, 0};
};

struct FrameStatement {
  std::optional<Vector> point, axis, across;
};

// A force c |F_N|^exponent against sliding, a torque of it times `radius` against turning; F_N is the part of the
// joint's force that stands on its axis.
struct Friction {
  Number coefficient = 0, exponent = 1, radius = 0;
};

struct JointStatement {
  std::string name = {}, key = {};
  JointType type = JointType::spherical;
  std::array<int, 2> bodies{ground, ground};
  std::optional<Vector> at = {}, axis = {};                  // in space
  std::optional<std::array<Vector, 2>> axes = {};            // of a universal joint
  std::optional<std::array<FrameStatement, 2>> frames = {};  // instead of these
  std::optional<std::array<Vector, 2>> points = {};          // of a distance, in each body's own axes
  std::optional<Number> length = {};                         // of a distance
  std::optional<formula::NodeId> motion = {};                // of t
  std::optional<Friction> friction = {};
  std::optional<Number> restitution = {};  // of a one-sided joint, a rope or a stop
};

struct Joint {
  std::string name, key;
  JointType type;
  std::array<int, 2> bodies;
  std::array<Frame, 2> frames;
  std::optional<Number> length;           // of a distance; empty until settled
  std::optional<formula::NodeId> motion;  // prescribed angle or displacement
  Number start = 0;                       // displacement at which the motion is 0
  std::optional<Friction> friction;
  std::optional<Number> restitution;  // of a one-sided joint
  int first_row = 0, rows = 0;        // first_row: among those of joints, which follow those of bodies
  bool by_frames = false;             // stated so: poses may be approximate
  // The side in whose frame the other's place and angle are measured: the first, unless it is too thin for that and the
  // second is not. Angles counted there are those of the joint times `sense`.
  int base = 0;
  int sense() const { return base == 0 ? 1 : -1; }

  // Of a one-sided joint: its gap is this times its row. A rope is at most as long as it is; the point of a slider
  // stays where the axis, turned by +90 degrees, points.
  int side() const { return type == JointType::distance ? -1 : 1; }
};

struct SpringStatement {
  std::string name = {};
  std::string key = {};
  bool is_damper = false;  // so messages call it
  std::array<int, 2> bodies{ground, ground};
  std::array<Vector, 2> points{Vector{0, 0, 0}, Vector{0, 0, 0}};
  Number stiffness = 0, damping = 0;
  std::optional<Number> length = {};
  bool isotropic = false;
  std::optional<int> joint = {};  // torsional, at rest at `angle` from the start pose
  Number angle = 0;
};

struct Spring : SpringStatement {
  Number start_angle = 0;  // of the joint's frames in the start pose
};

// Variables of the formulas of a force: the point's position and velocity.
struct ForceStatement {
  std::string name = {}, key = {};
  int body = 0;
  Vector point{0, 0, 0};
  std::vector<formula::NodeId> force, torque;  // in the axes of space; torque in the plane is one formula; may be empty
};

class Mechanism {
 public:
  explicit Mechanism(bool plane = false, const Vector& gravity = {0, 0, 0}) : plane_(plane), gravity_(gravity) {}

  // All throw StatementError. `tolerance`: by how much a rotation may miss being one; points and axes may stand off a
  // rod or plate by 1e-9 of their size.
  int add(const BodyStatement& given, double tolerance = 1e-9);
  int add(const JointStatement& given);
  void add(const SpringStatement& given);
  void add(const ForceStatement& given);

  bool plane() const { return plane_; }
  int dimension() const { return plane_ ? 2 : 3; }
  const Vector& gravity() const { return gravity_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Joint>& joints() const { return joints_; }
  const std::vector<Spring>& springs() const { return springs_; }
  const std::vector<ForceStatement>& forces() const { return forces_; }

  int coordinates() const { return coordinates_; }
  int internal_rows() const { return internal_rows_; }
  int constraints() const { return internal_rows_ + joint_rows_; }
  std::vector<std::string> coordinate_names() const;
  // "body 'crank'" or "joint 'elbow'": what a constraint is about.
  std::string owner_of_row(int row) const;
  std::string key_of_row(int row) const;
  // "angular velocity of body 'rod' along the rod": what is stated, and no coordinate can tell.
  std::vector<std::string> rates_left_out() const;
  // "body 'lamp' is in no joint ...": those that no joint, spring or damper touches, beside others that some do; empty
  // if there are none.
  std::string unconnected() const;
  // By how much a joint is open where its row has this value: that of a distance is (r.r - l^2)/2.
  double opening(int row, double value) const;
  double opening_slope(int row) const;  // of the opening over the value of the row, where the row holds
  // "joint 'elbow' (row 2 of 5: point y)"; several: "joint 'elbow' (rows 4 and 5 of 5: axis 1, axis 2)", with "and".
  std::string name_of_row(int row) const;
  std::string list_of_rows(const std::vector<int>& rows) const;
  // "spring 'band'", "the damper between 'ground' and 'crank'", "the force on body 'crank'"
  std::string name_of(const SpringStatement& spring) const;
  std::string name_of(const ForceStatement& force) const;
  std::string body_name(int body) const {
    return body == ground ? "ground" : bodies_[static_cast<std::size_t>(body)].name;
  }

  // Coordinates of a body's director, or of its centre of mass for -1.
  int place_of(const Body& body, int director) const;

  // ---- the start pose
  std::vector<Number> start_positions() const, start_velocities() const;
  void move_to(const std::vector<Number>& q);  // the pose after projection
  void drive(int joint, formula::NodeId motion) { joints_[static_cast<std::size_t>(joint)].motion = motion; }
  // Lengths and angles that are not given are those of the pose now.
  void settle();

  bool has_friction() const;
  bool is_driven() const;  // in some joint

  // Degrees of freedom counted: coordinates less constraints.
  int gruebler() const { return coordinates_ - constraints(); }

  Vector point_now(int body, const Vector& X) const;
  Vector direction_now(int body, const Vector& u) const;
  // By how much the second body has turned against the first, about their axis, in the frames of the joint.
  Number angle_now(const Joint& joint) const;

  // Whether a direction or a point, in the body's axes, can be had from the directors that it has.
  bool spans(int body, const Vector& u, const Number& size) const;
  // The side whose body has the axis, of joints whose axes are parallel; 0 if neither has it, and for a slider's line.
  int side_of_axis(const Joint& joint) const;
  // Whether the body on this side of a joint tells how far it has turned about the joint's axis.
  bool tells_angle(const Joint& joint, int side) const;

 private:
  Frame frame_in_space(const JointStatement& given, int side, const Vector& axis, const Vector& a) const;
  void read_frames(const JointStatement& given, Joint& joint) const;
  const Body& body_of_row(int row) const;
  const Joint& joint_of_row(int row) const;
  void check_bodies(const std::array<int, 2>& bodies) const;
  int base_of(const Joint& joint) const;
  void check_reach(const Joint& joint, const Number& size) const;
  int rows_of(const Joint& joint) const;
  std::vector<std::string> meanings_of_rows(const Joint& joint) const;

  bool plane_;
  Vector gravity_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Spring> springs_;
  std::vector<ForceStatement> forces_;
  int coordinates_ = 0, internal_rows_ = 0, joint_rows_ = 0;
};

// Rows that make axes parallel: a direction of one body stands on one of the other.
struct Perpendicular {
  int body_u, body_w;
  Vector u, w;
};

// n of the first body on a and b of the second or, where a rod or a plate does not have these, the other way round;
// nothing if neither can be had.
std::optional<std::array<Perpendicular, 2>> parallel_axes(const Mechanism& mechanism, const Joint& joint);

}  // namespace livens::multibody
