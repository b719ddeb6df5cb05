// The joints of a mechanism: their frames in each body, what they ask of thin bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/multibody/mechanism.hpp"
#include "multibody/statements.hpp"

namespace livens::multibody {

bool Mechanism::spans(int body, const Vector& u, const Number& size) const {
  using std::abs;
  if (body == ground) return true;
  for (int i = 0; i < dimension(); ++i)
    if (!bodies_[at(body)].has(i) && abs(u[i]) > Number(reach) * size) return false;
  return true;
}

bool Mechanism::tells_angle(const Joint& joint, int side) const {
  const int body = joint.bodies[at(side)];
  const Frame& frame = joint.frames[at(side)];
  if (plane_) return body == ground || !bodies_[at(body)].directors.empty();  // one director has turned as the body has
  return spans(body, frame.a, 1) && (side != joint.base || spans(body, frame.b, 1));
}

Vector Mechanism::point_now(int body, const Vector& X) const {
  return body == ground ? X : bodies_[at(body)].position + bodies_[at(body)].rotation * X;
}

Vector Mechanism::direction_now(int body, const Vector& u) const {
  return body == ground ? u : bodies_[at(body)].rotation * u;
}

Number Mechanism::angle_now(const Joint& joint) const {
  using std::atan2;
  const int W = joint.bodies[at(joint.base)];
  const Frame& base = joint.frames[at(joint.base)];
  const Vector a = direction_now(joint.bodies[at(1 - joint.base)], joint.frames[at(1 - joint.base)].a);
  return joint.sense() * atan2(dot(a, direction_now(W, base.b)), dot(a, direction_now(W, base.a)));
}

int Mechanism::side_of_axis(const Joint& joint) const {
  const auto has = [&](int side) { return spans(joint.bodies[at(side)], joint.frames[at(side)].axis, 1); };
  return joint.type == JointType::slider || has(0) || !has(1) ? 0 : 1;
}

int Mechanism::base_of(const Joint& joint) const {
  const auto fits = [&](int side) {
    const int body = joint.bodies[at(side)];
    const Frame& frame = joint.frames[at(side)];
    switch (joint.type) {
      case JointType::planar:
        return spans(body, frame.axis, 1);
      case JointType::revolute:
        return plane_ || (spans(body, frame.a, 1) && spans(body, frame.b, 1));
      case JointType::cylindrical:
      case JointType::prismatic:
        return spans(body, frame.a, 1) && (plane_ || spans(body, frame.b, 1));
      default:
        return true;
    }
  };
  return fits(0) || !fits(1) ? 0 : 1;
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
  const char *const some_axis = plane_ ? "[1.0, 0.0]" : "[0.0, 0.0, 1.0]", *const some_point = plane_
                                                                                                   ? "[0.0, 0.0]"
                                                                                                   : "[0.0, 0.0, 0.0]";
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
      if (!from.point)
        throw StatementError(key + "point", fmt::format("{}: point is missing; write point = {}", who, some_point));
      frame.point = *from.point;
      if (from.axis && !needs_axis)
        throw StatementError(key + "axis",
                             fmt::format("{}: a {} joint has no axis here; leave it out", who, name(given.type)));
      if (from.across && !has_across)
        throw StatementError(key + "across", fmt::format("{}: a {} joint{} has no across; leave it out", who,
                                                         name(given.type), plane_ ? " in the plane" : ""));
      if (!needs_axis) continue;
      if (!from.axis)
        throw StatementError(key + "axis", fmt::format("{}: axis is missing; write axis = {}", who, some_axis));
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
  if (!placed.at) throw StatementError("", fmt::format("{}: at is missing; write at = {}, or frames", who, some_point));
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
    throw StatementError("", fmt::format("{}: axis is missing; write axis = {}, or frames", who, some_axis));
  const bool in_plane = plane_ && given.type != JointType::revolute;  // the axis; that of a revolute joint stands on it
  Vector n = has_axis ? unit("axis", *given.axis) : in_plane ? Vector{1, 0, 0} : Vector{0, 0, 1};
  for (const int body : given.bodies)  // what is fixed to a plate stands on it, to a rod in the plane lies along it
    if (given.type == JointType::fixed && body != ground && bodies_[at(body)].directors.size() == (plane_ ? 1 : 2))
      n = column(bodies_[at(body)].rotation, plane_ ? 0 : 2);
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
                                    : plane_                    ? "give it a width (shape box)"
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
  const Frame &first = joint.frames[0], &second = joint.frames[1], &base = joint.frames[at(joint.base)];
  const char* axis = "direction along this axis";
  const char* across = "direction across this axis";
  switch (joint.type) {
    case JointType::spherical:
    case JointType::distance:
      break;
    case JointType::universal:
      needs(0, first.axis, axis), needs(1, second.axis, axis);
      if (const Number along =
              dot(direction_now(joint.bodies[0], first.axis), direction_now(joint.bodies[1], second.axis));
          along * along > 0.99)
        throw StatementError("axes", fmt::format("{}: its axes are parallel; those of a universal joint are "
                                                 "perpendicular to each other",
                                                 quoted("joint", joint.name)));
      break;
    case JointType::slider:
      needs(0, first.a, across);
      break;
    case JointType::revolute:
      if (plane_) break;
      if (!parallel_axes(*this, joint)) refuse(lacking(), across);
      break;
    case JointType::planar:
      needs(joint.base, base.axis, axis);
      if (!parallel_axes(*this, joint)) refuse(lacking(), across);
      break;
    case JointType::cylindrical:
      needs(joint.base, base.a, across), needs(joint.base, base.b, across);
      if (!parallel_axes(*this, joint)) refuse(lacking(), across);
      break;
    case JointType::prismatic:
    case JointType::fixed:
      if (joint.type == JointType::prismatic) needs(joint.base, base.a, across);
      if (plane_) {
        if (!(spans(joint.bodies[0], first.axis, 1) && spans(joint.bodies[1], second.a, 1)))
          needs(0, first.a, across), needs(1, second.axis, axis);
        break;
      }
      if (joint.type == JointType::prismatic) needs(joint.base, base.b, across);
      if (!(spans(joint.bodies[0], first.b, 1) && spans(joint.bodies[1], second.a, 1)))
        needs(0, first.a, across), needs(1, second.b, across);
      if (!parallel_axes(*this, joint)) refuse(lacking(), across);
      break;
  }
  const auto needs_angle = [&] {
    for (const int side : {0, 1})
      if (!tells_angle(joint, side)) refuse(joint.bodies[at(side)], across);
  };
  if (joint.motion && joint.type == JointType::revolute) needs_angle();
  const auto needs_axis = [&] {
    const int side = side_of_axis(joint);
    needs(side, joint.frames[at(side)].axis, axis);
  };
  if (joint.motion && joint.type == JointType::prismatic) needs_axis();
  if (!joint.friction) return;
  if (joint.type != JointType::revolute) needs_axis();
  if (joint.type == JointType::revolute || joint.type == JointType::cylindrical) needs_angle();
}

int Mechanism::add(const JointStatement& given) {
  const std::string who = quoted("joint", given.name);
  check_bodies(given.bodies);
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
  if (given.restitution) {
    if (given.type != JointType::distance && given.type != JointType::slider)
      throw StatementError("unilateral", fmt::format("{}: one-sided joints are distance (a rope) and slider (a stop), "
                                                     "this one is {}",
                                                     who, name(given.type)));
    if (!(*given.restitution >= 0 && *given.restitution <= 1))
      throw StatementError("restitution",
                           fmt::format("{}: restitution is {}; it is a number from 0 (stays) to 1 (loses nothing)", who,
                                       to_double(*given.restitution)));
    if (given.friction) throw StatementError("friction", who + ": a one-sided joint has no friction; leave one out");
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

  Joint joint{given.name,
              given.key,
              given.type,
              given.bodies,
              {},
              given.length,
              given.motion,
              0,
              given.friction,
              given.restitution,
              joint_rows_,
              0,
              given.frames.has_value() || given.type == JointType::distance};
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
  joint.base = base_of(joint);
  check_reach(joint, size);
  if (joint.motion && joint.type == JointType::revolute) {  // the angle of the motion is 0 in the pose given
    using std::cos, std::sin;
    const Number angle = joint.sense() * angle_now(joint), c = cos(angle), s = sin(angle);
    Frame& base = joint.frames[at(joint.base)];
    const Vector a = base.a, b = base.b;
    base.a = c * a + s * b, base.b = c * b - s * a;
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

bool Mechanism::is_driven() const {
  return std::any_of(joints_.begin(), joints_.end(), [](const Joint& joint) { return joint.motion.has_value(); });
}

bool Mechanism::has_friction() const {
  return std::any_of(joints_.begin(), joints_.end(),
                     [](const Joint& joint) { return joint.friction && joint.friction->coefficient > 0; });
}

}  // namespace livens::multibody
