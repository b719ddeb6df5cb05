#include "livens/multibody/mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace livens::multibody {

namespace {

constexpr double reach = 1e-9;  // how far a point may stand off a rod or plate, as part of its size

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

std::string quoted(std::string_view what, std::string_view name) {
  return fmt::format("{} '{}'", what, name);
}

struct Mass {
  Number mass;
  Matrix euler;
  std::vector<int> directors;
};

bool is_positive(const std::optional<Number>& x) {
  return x && *x > 0;
}

Mass mass_in_plane(const BodyStatement& given, const Number& mass) {
  using Type = Shape::Type;
  Mass out{mass, euler_tensor(given.shape, true), {0, 1}};
  const bool shaped = given.shape.type != Type::none;
  if (given.shape.type == Type::point && !given.inertia) {
    out.directors = {};
    return out;
  }
  const Number J = given.inertia ? (*given.inertia)(2, 2) : mass * (out.euler(0, 0) + out.euler(1, 1));
  if (!given.inertia && !shaped)
    throw StatementError("", quoted("body", given.name) +
                                 " has no inertia; write inertia = 0.1, give it a shape, or "
                                 "make it a mass point with shape = { type = \"point\" }");
  if (!(J > 0))
    throw StatementError("inertia",
                         fmt::format("{}: inertia is {}, must be positive", quoted("body", given.name), to_double(J)));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.euler(i, j) = 0;
  if (given.shape.type == Type::rod) {
    out.directors = {0};
    out.euler(0, 0) = J;
  } else {
    out.euler(0, 0) = out.euler(1, 1) = J / 2;
  }
  return out;
}

Mass mass_in_space(const BodyStatement& given, const Number& mass) {
  using std::abs, std::max;
  using Type = Shape::Type;
  const std::string who = quoted("body", given.name);
  Mass out{mass, euler_tensor(given.shape, false), {0, 1, 2}};
  if (!given.inertia) {
    switch (given.shape.type) {
      case Type::none:
        throw StatementError("", who +
                                     " has no inertia; write inertia = [0.1, 0.2, 0.3], give it a shape, or make it a "
                                     "mass point with shape = { type = \"point\" }");
      case Type::plate:
        out.directors = {0, 1};
        break;
      case Type::rod:
        out.directors = {2};
        break;
      case Type::point:
        out.directors = {};
        break;
      default:
        break;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out.euler(i, j) *= mass;
    return out;
  }

  const Matrix& J = *given.inertia;
  Number size = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) size = max<Number>(size, abs(J(i, j)));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (abs(J(i, j) - J(j, i)) > Number(reach) * size)
        throw StatementError(
            "inertia", fmt::format("{}: inertia is not symmetric: entry {},{} is {}, entry {},{} is {}", who, i + 1,
                                   j + 1, to_double(J(i, j)), j + 1, i + 1, to_double(J(j, i))));
  out.euler = euler_of_inertia(J);
  const Vec<double, 3> E = eigenvalues(out.euler);
  const double zero = 1e-12 * to_double(size);
  const int missing =
      static_cast<int>(std::count_if(E.begin(), E.end(), [&](double e) { return std::abs(e) <= zero; }));
  bool against = !(to_double(size) > 0) || eigenvalues(J)[0] < -zero;
  for (int i = 0; i < 3; ++i) against = against || to_double(out.euler(i, i)) < -zero;
  if (against)
    throw StatementError("inertia",
                         fmt::format("{}: inertia is against the triangle inequality, no body has it: each principal "
                                     "moment is less than the sum of the other two; correct it",
                                     who));
  if (missing == 0) return out;
  // Thin bodies along their own axes: the shape says which directors they have.
  const auto is_zero = [&](int i) {
    Number row = 0;
    for (int j = 0; j < 3; ++j) row = max<Number>(row, abs(out.euler(i, j)));
    return to_double(row) <= zero;
  };
  if (given.shape.type == Type::plate && missing == 1 && is_zero(2)) {
    out.directors = {0, 1};
    return out;
  }
  if (given.shape.type == Type::rod && missing == 2 && is_zero(0) && is_zero(1)) {
    out.directors = {2};
    return out;
  }
  throw StatementError(
      "inertia",
      fmt::format("{}: inertia is that of a {} thin body ({}); give it shape = {{ type = \"{}\", ... }} along "
                  "its own axes, or some thickness",
                  who, missing == 1 ? "flat" : "straight",
                  missing == 1 ? "one moment is the sum of the other two" : "one moment is 0",
                  missing == 1 ? "plate" : "rod"));
}

}  // namespace

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
  if (given.mass && !is_positive(given.mass))
    throw StatementError("mass", fmt::format("{}: mass is {}, must be positive", who, to_double(*given.mass)));
  if (given.density && !is_positive(given.density))
    throw StatementError("density", fmt::format("{}: density is {}, must be positive", who, to_double(*given.density)));
  if (!given.mass && given.density && !(measure(given.shape, plane_) > 0))
    throw StatementError("density", who + ": density needs a shape with a volume; write mass = 1.0 instead");
  if (!given.mass && !given.density)
    throw StatementError("", who + " has no mass; write mass = 1.0, or a shape and density = 1000.0");
  const Number mass = given.mass ? *given.mass : *given.density * measure(given.shape, plane_);
  const Mass own = plane_ ? mass_in_plane(given, mass) : mass_in_space(given, mass);

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

const Body& Mechanism::body_of_row(int row) const {
  return *std::prev(std::upper_bound(bodies_.begin(), bodies_.end(), row,
                                     [](int r, const Body& body) { return r < body.first_row; }));
}

const Joint& Mechanism::joint_of_row(int row) const {
  return *std::prev(std::upper_bound(joints_.begin(), joints_.end(), row - internal_rows_,
                                     [](int r, const Joint& joint) { return r < joint.first_row; }));
}

std::string Mechanism::owner_of_row(int row) const {
  return row < internal_rows_ ? quoted("body", body_of_row(row).name) : quoted("joint", joint_of_row(row).name);
}

std::string Mechanism::key_of_row(int row) const {
  return row < internal_rows_ ? body_of_row(row).key : joint_of_row(row).key;
}

double Mechanism::opening(int row, double value) const {
  if (row < internal_rows_ || joint_of_row(row).type != JointType::distance) return std::abs(value);
  const double l = to_double(*joint_of_row(row).length);
  return std::abs(std::sqrt(std::max(0.0, l * l + 2 * value)) - l);
}

std::string Mechanism::name_of_row(int row) const {
  if (row < internal_rows_) return owner_of_row(row);
  const Joint& joint = joint_of_row(row);
  return fmt::format("{} (row {} of {})", owner_of_row(row), row - internal_rows_ - joint.first_row + 1, joint.rows);
}

// ---- joints ---------------------------------------------------------------------------------------------------------

bool Mechanism::spans(int body, const Vector& u, const Number& size) const {
  using std::abs;
  if (body == ground) return true;
  for (int i = 0; i < dimension(); ++i)
    if (!bodies_[at(body)].has(i) && abs(u[i]) > Number(reach) * size) return false;
  return true;
}

Vector Mechanism::point_now(int body, const Vector& X) const {
  return body == ground ? X : bodies_[at(body)].position + bodies_[at(body)].rotation * X;
}

Vector Mechanism::direction_now(int body, const Vector& u) const {
  return body == ground ? u : bodies_[at(body)].rotation * u;
}

Number Mechanism::angle_now(const Joint& joint) const {
  using std::atan2;
  const auto& [first, second] = joint.frames;
  const Vector a = direction_now(joint.bodies[1], second.a);
  return atan2(dot(a, direction_now(joint.bodies[0], first.b)), dot(a, direction_now(joint.bodies[0], first.a)));
}

std::optional<std::array<Perpendicular, 2>> parallel_axes(const Mechanism& mechanism, const Joint& joint) {
  for (const int side : {0, 1}) {
    const int body_u = joint.bodies[at(side)], body_w = joint.bodies[at(1 - side)];
    const Frame &u = joint.frames[at(side)], &w = joint.frames[at(1 - side)];
    if (mechanism.spans(body_u, u.axis, 1) && mechanism.spans(body_w, w.a, 1) && mechanism.spans(body_w, w.b, 1))
      return std::array{Perpendicular{body_u, body_w, u.axis, w.a}, Perpendicular{body_u, body_w, u.axis, w.b}};
  }
  return std::nullopt;
}

Frame Mechanism::frame_in_space(const JointStatement& given, int side, const Vector& axis, const Vector& a) const {
  const int body = given.bodies[at(side)];
  if (body == ground) return {*given.at, axis, a, cross(axis, a)};
  const Body& own = bodies_[at(body)];
  const auto turned = [&](const Vector& u) { return transposed_times(own.rotation, u); };
  return {turned(*given.at - own.position), turned(axis), turned(a), turned(cross(axis, a))};
}

void Mechanism::read_frames(const JointStatement& given, Joint& joint) const {
  const std::string who = quoted("joint", given.name);
  const bool has_axis = given.type != JointType::spherical && given.type != JointType::distance &&
                        !(plane_ && given.type == JointType::revolute) &&
                        !(!given.frames && given.type == JointType::fixed);
  const bool has_across = !plane_ && (given.type == JointType::prismatic || given.type == JointType::fixed);
  const auto unit = [&](const std::string& key, const Vector& u) {
    if (const Number size = length(u); size > 0) return (1 / size) * u;
    throw StatementError(key, fmt::format("{}: {} is 0; write a direction", who, key));
  };

  if (given.frames) {
    for (int side = 0; side < 2; ++side) {
      const FrameStatement& from = (*given.frames)[at(side)];
      const std::string key = fmt::format("frames[{}].", side + 1);
      Frame& frame = joint.frames[at(side)];
      const bool needs_axis = has_axis && !(given.type == JointType::slider && side == 1);
      if (!from.point) throw StatementError(key + "point", who + ": point is missing; write point = [0.0, 0.0, 0.0]");
      frame.point = *from.point;
      if (from.axis && !needs_axis)
        throw StatementError(key + "axis",
                             fmt::format("{}: a {} joint has no axis here; leave it out", who, name(given.type)));
      if (from.across && !has_across)
        throw StatementError(key + "across", fmt::format("{}: a {} joint{} has no across; leave it out", who,
                                                         name(given.type), plane_ ? " in the plane" : ""));
      if (!needs_axis) continue;
      if (!from.axis) throw StatementError(key + "axis", who + ": axis is missing; write axis = [0.0, 0.0, 1.0]");
      frame.axis = unit(key + "axis", *from.axis);
      if (plane_) {
        frame.a = {-frame.axis[1], frame.axis[0], 0};
        continue;
      }
      frame.a = perpendicular_to(frame.axis);
      if (const int body = given.bodies[at(side)]; body != ground)  // along what the body has, where it lacks something
        for (int i = 0; i < 3; ++i) {
          Vector e{0, 0, 0};
          e[i] = 1;
          if (const Vector a = cross(e, frame.axis); !bodies_[at(body)].has(i) && length(a) > Number(reach))
            frame.a = (1 / length(a)) * a;
        }
      if (has_across) {
        if (!from.across)
          throw StatementError(key + "across",
                               fmt::format("{}: across is missing; a {} joint given by frames needs it in "
                                           "both, a direction that is not along the axis",
                                           who, name(given.type)));
        const Vector across = *from.across - dot(*from.across, frame.axis) * frame.axis;
        if (!(length(across) > Number(reach) * length(*from.across)))
          throw StatementError(key + "across",
                               who + ": across is parallel to axis; write a direction that stands on it");
        frame.a = (1 / length(across)) * across;
      }
      frame.b = cross(frame.axis, frame.a);
    }
    return;
  }

  JointStatement placed = given;
  if (!placed.at && given.type == JointType::fixed)
    placed.at = given.bodies[1] == ground ? Vector{0, 0, 0} : bodies_[at(given.bodies[1])].position;
  if (!placed.at) throw StatementError("", who + ": at is missing; write at = [0.0, 0.0, 0.0], or frames");
  if (given.axis && (!has_axis || given.type == JointType::universal))
    throw StatementError("axis", fmt::format("{}: a {} joint{} has no axis; leave it out", who, name(given.type),
                                             given.type == JointType::universal ? " has axes, and"
                                             : plane_                           ? " in the plane"
                                                                                : ""));
  if (given.type == JointType::universal) {
    if (!given.axes)
      throw StatementError("", who + ": axes is missing; write axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]");
    for (int side = 0; side < 2; ++side) {
      const Vector n = unit(fmt::format("axes[{}]", side + 1), (*given.axes)[at(side)]);
      joint.frames[at(side)] = frame_in_space(placed, side, n, perpendicular_to(n));
    }
    return;
  }
  if (has_axis && !given.axis)
    throw StatementError("", who + ": axis is missing; write axis = [0.0, 0.0, 1.0], or frames");
  const bool in_plane = plane_ && given.type != JointType::revolute;  // the axis; that of a revolute joint stands on it
  Vector n = has_axis ? unit("axis", *given.axis) : in_plane ? Vector{1, 0, 0} : Vector{0, 0, 1};
  for (const int body : given.bodies)  // what is fixed to a plate stands on it
    if (!plane_ && given.type == JointType::fixed && body != ground && bodies_[at(body)].directors.size() == 2)
      n = column(bodies_[at(body)].rotation, 2);
  Vector a = in_plane ? Vector{-n[1], n[0], 0} : plane_ ? Vector{1, 0, 0} : perpendicular_to(n);
  for (const int body : given.bodies)
    for (int i = 0; i < 3 && body != ground && !plane_; ++i)
      if (const Vector other = cross(column(bodies_[at(body)].rotation, i), n);
          !bodies_[at(body)].has(i) && length(other) > Number(reach))
        a = (1 / length(other)) * other;
  for (int side = 0; side < 2; ++side) joint.frames[at(side)] = frame_in_space(placed, side, n, a);
}

// Rods and plates lack directors: what a joint asks of them must be had from the others.
void Mechanism::check_reach(const Joint& joint, const Number& size) const {
  const std::string who = quoted("joint", joint.name);
  const auto thin = [&](int body) { return body != ground && bodies_[at(body)].directors.size() < at(dimension()); };
  const auto refuse = [&](int body, const std::string& what) {
    const Body& own = bodies_[at(body)];
    const std::string_view remedy = own.directors.empty()       ? "a point has no extent, give it a shape and inertia"
                                    : own.directors.size() == 1 ? "give it a radius (shape cylinder)"
                                                                : "give it a thickness (shape box)";
    throw StatementError("", fmt::format("{}: {} '{}' has no {}; {}", who,
                                         own.directors.size() == 1 ? "rod"
                                         : own.directors.empty()   ? "point"
                                                                   : "plate",
                                         own.name, what, remedy));
  };
  for (int side = 0; side < 2; ++side) {
    const int body = joint.bodies[at(side)];
    if (body != ground && !spans(body, joint.frames[at(side)].point, size))
      refuse(body, "point there: points of a rod lie along it, of a plate in its plane");
  }
  const auto lacking = [&] { return thin(joint.bodies[1]) ? joint.bodies[1] : joint.bodies[0]; };
  const auto needs = [&](int side, const Vector& u, const char* what) {
    if (!spans(joint.bodies[at(side)], u, 1)) refuse(joint.bodies[at(side)], what);
  };
  const Frame &first = joint.frames[0], &second = joint.frames[1];
  const char* axis = "direction along this axis";
  const char* across = "direction across this axis";
  switch (joint.type) {
    case JointType::spherical:
    case JointType::distance:
      break;
    case JointType::universal:
      needs(0, first.axis, axis), needs(1, second.axis, axis);
      break;
    case JointType::slider:
      needs(0, first.a, across);
      break;
    case JointType::revolute:
      if (plane_) break;
      if (!parallel_axes(*this, joint)) refuse(lacking(), across);
      break;
    case JointType::planar:
      needs(0, first.axis, axis);
      if (!parallel_axes(*this, joint)) refuse(lacking(), across);
      break;
    case JointType::cylindrical:
      needs(0, first.a, across), needs(0, first.b, across);
      if (!parallel_axes(*this, joint)) refuse(lacking(), across);
      break;
    case JointType::prismatic:
    case JointType::fixed:
      if (plane_) {
        needs(0, first.axis, axis), needs(1, second.a, across);
        if (joint.type == JointType::prismatic) needs(0, first.a, across);
        break;
      }
      if (joint.type == JointType::prismatic) needs(0, first.a, across), needs(0, first.b, across);
      if (!(spans(joint.bodies[0], first.b, 1) && spans(joint.bodies[1], second.a, 1)))
        needs(0, first.a, across), needs(1, second.b, across);
      if (!parallel_axes(*this, joint)) refuse(lacking(), across);
      break;
  }
  if (joint.motion && joint.type == JointType::revolute) {
    needs(0, first.a, across), needs(0, first.b, across), needs(1, second.a, across);
  }
  if (joint.motion && joint.type == JointType::prismatic) needs(0, first.axis, axis);
  if (!joint.friction) return;
  if (joint.type != JointType::revolute) needs(0, first.axis, axis);
  if (joint.type == JointType::revolute || joint.type == JointType::cylindrical)
    needs(0, first.a, across), needs(0, first.b, across), needs(1, second.a, across);
}

int Mechanism::rows_of(const Joint& joint) const {
  const int driven = joint.motion ? 1 : 0;
  switch (joint.type) {
    case JointType::spherical:
    case JointType::planar:
      return 3;
    case JointType::revolute:
      return (plane_ ? 2 : 5) + driven;
    case JointType::universal:
    case JointType::cylindrical:
      return 4;
    case JointType::prismatic:
      return (plane_ ? 2 : 5) + driven;
    case JointType::fixed:
      return plane_ ? 3 : 6;
    case JointType::distance:
    case JointType::slider:
      return 1;
  }
  return 0;
}

int Mechanism::add(const JointStatement& given) {
  const std::string who = quoted("joint", given.name);
  const bool known = plane_ ? given.type == JointType::revolute || given.type == JointType::prismatic ||
                                  given.type == JointType::fixed || given.type == JointType::distance ||
                                  given.type == JointType::slider
                            : given.type != JointType::slider;
  if (!known)
    throw StatementError("type",
                         plane_ ? fmt::format("{}: a {} joint is not one of the plane, which has revolute, prismatic, "
                                              "fixed, distance, slider",
                                              who, name(given.type))
                                : who + ": a slider is a joint of the plane; in space use cylindrical or prismatic");
  if (given.bodies[0] == given.bodies[1])
    throw StatementError("bodies",
                         fmt::format("{} connects '{}' with itself; name two bodies", who, body_name(given.bodies[0])));
  if (given.frames && (given.at || given.axis || given.axes))
    throw StatementError("frames", who + ": frames and at or axis are both given; leave one out");
  if (given.motion && given.type != JointType::revolute && given.type != JointType::prismatic)
    throw StatementError("motion", fmt::format("{}: motion is for revolute and prismatic joints, this one is {}", who,
                                               name(given.type)));
  if (given.friction) {
    const bool slides = given.type == JointType::prismatic || given.type == JointType::slider;
    const bool turns = given.type == JointType::revolute || given.type == JointType::cylindrical;
    if (!slides && !turns)
      throw StatementError("friction",
                           fmt::format("{}: friction is for prismatic, slider, cylindrical and revolute joints, "
                                       "this one is {}",
                                       who, name(given.type)));
    if (!(given.friction->coefficient >= 0))
      throw StatementError("friction", fmt::format("{}: friction is {}, must not be negative", who,
                                                   to_double(given.friction->coefficient)));
    if (!(given.friction->exponent > 0))
      throw StatementError(
          "exponent", fmt::format("{}: exponent is {}, must be positive", who, to_double(given.friction->exponent)));
    if (turns && !(given.friction->radius > 0))
      throw StatementError(
          "radius",
          fmt::format("{}: radius is {}; friction of a {} joint acts at a positive radius, write "
                      "radius = 0.01",
                      who,
                      given.friction->radius == 0 ? "missing" : fmt::format("{}", to_double(given.friction->radius)),
                      name(given.type)));
    if (slides && given.friction->radius != 0)
      throw StatementError("radius",
                           fmt::format("{}: a {} joint does not turn; leave radius out", who, name(given.type)));
  }
  if (given.length && given.type != JointType::distance)
    throw StatementError("length",
                         fmt::format("{}: length belongs to a distance, this is a {} joint", who, name(given.type)));
  if (given.points && given.type != JointType::distance)
    throw StatementError(
        "points", fmt::format("{}: points belong to a distance; a {} joint has at, or frames", who, name(given.type)));
  if (given.axes && given.type != JointType::universal)
    throw StatementError(
        "axes", fmt::format("{}: axes belong to a universal joint, a {} joint has axis", who, name(given.type)));

  Joint joint{given.name,   given.key, given.type,     given.bodies, {}, given.length,
              given.motion, 0,         given.friction, joint_rows_,  0};
  Number size = 0;
  if (given.type == JointType::distance) {
    if (given.at || given.axis || given.frames)
      throw StatementError(given.at     ? "at"
                           : given.axis ? "axis"
                                        : "frames",
                           who + ": a distance is given by points = [[...], [...]], in each body's own axes");
    for (int side = 0; side < 2; ++side)
      if (given.points) joint.frames[at(side)].point = (*given.points)[at(side)];
    if (given.length && !(*given.length > 0))
      throw StatementError("length", fmt::format("{}: length is {}, must be positive", who, to_double(*given.length)));
  } else {
    read_frames(given, joint);
  }
  for (int side = 0; side < 2; ++side) {
    size = std::max<Number>(size, length(joint.frames[at(side)].point));
    if (given.at)
      size = std::max<Number>(size, length(*given.at) + length(point_now(given.bodies[at(side)], {0, 0, 0})));
  }
  check_reach(joint, size);
  if (joint.motion && joint.type == JointType::revolute) {  // the angle of the motion is 0 in the pose given
    using std::cos, std::sin;
    const Number angle = angle_now(joint), c = cos(angle), s = sin(angle);
    Frame& first = joint.frames[0];
    const Vector a = first.a, b = first.b;
    first.a = c * a + s * b, first.b = c * b - s * a;
  }
  if (joint.motion && joint.type == JointType::prismatic)
    joint.start =
        dot(point_now(joint.bodies[1], joint.frames[1].point) - point_now(joint.bodies[0], joint.frames[0].point),
            direction_now(joint.bodies[0], joint.frames[0].axis));
  joint.rows = rows_of(joint);
  joint_rows_ += joint.rows;
  joints_.push_back(std::move(joint));
  return static_cast<int>(joints_.size()) - 1;
}

bool Mechanism::has_friction() const {
  return std::any_of(joints_.begin(), joints_.end(),
                     [](const Joint& joint) { return joint.friction && joint.friction->coefficient > 0; });
}

// ---- springs, dampers, forces
// -----------------------------------------------------------------------------------------

void Mechanism::add(const SpringStatement& given) {
  const std::string who = given.name.empty() ? "it" : quoted("spring", given.name);
  Spring spring;
  static_cast<SpringStatement&>(spring) = given;
  if (given.stiffness < 0)
    throw StatementError("stiffness", fmt::format("stiffness is {}, must not be negative", to_double(given.stiffness)));
  if (given.damping < 0)
    throw StatementError("damping", fmt::format("damping is {}, must not be negative", to_double(given.damping)));
  if (given.joint) {
    const Joint& joint = joints_[at(*given.joint)];
    if (joint.type != JointType::revolute)
      throw StatementError(
          "joint", fmt::format("joint '{}' is {}; torsional springs and dampers are for revolute joints", joint.name,
                               name(joint.type)));
    for (int side = 0; side < 2; ++side)
      if (const Frame& frame = joint.frames[at(side)];
          !spans(joint.bodies[at(side)], frame.a, 1) || (side == 0 && !spans(joint.bodies[0], frame.b, 1)))
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
            fmt::format("body '{}' has no point there: points of a rod lie along it, of a plate in its "
                        "plane",
                        body_name(given.bodies[at(side)])));
    if (given.length && *given.length < 0)
      throw StatementError("length", fmt::format("length is {}, must not be negative", to_double(*given.length)));
  }
  springs_.push_back(std::move(spring));
}

void Mechanism::add(const ForceStatement& given) {
  if (!spans(given.body, given.point, length(given.point)))
    throw StatementError("point",
                         fmt::format("body '{}' has no point there: points of a rod lie along it, of a plate in "
                                     "its plane",
                                     body_name(given.body)));
  if (!given.torque.empty() && bodies_[at(given.body)].directors.empty())
    throw StatementError(
        "torque", fmt::format("body '{}' is a point, which no torque can turn; leave it out", body_name(given.body)));
  forces_.push_back(given);
}

// ---- the start pose
// ---------------------------------------------------------------------------------------------------

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
    if (spring.joint)
      spring.start_angle = angle_now(joints_[at(*spring.joint)]);
    else if (!spring.length)
      spring.length =
          length(point_now(spring.bodies[1], spring.points[1]) - point_now(spring.bodies[0], spring.points[0]));
  }
}

}  // namespace livens::multibody
