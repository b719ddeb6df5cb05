#include "simulation/angle_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace livens {

namespace {

// From one angle to the next by the short way, pi does not lie between them.
bool passes_pi(double before, double after) {
  return std::abs(after - before) > std::numbers::pi;
}

// By how much the second body of a joint is turned against the first, in their frames.
template <class Coordinates>
double angle_of(const multibody::Mechanism& m, const multibody::Joint& joint, const Coordinates& q) {
  const auto direction = [&](int body, const multibody::Vector& u) {
    std::array<double, 3> x{0, 0, 0};
    if (body == multibody::ground) {
      for (int k = 0; k < m.dimension(); ++k) x[static_cast<std::size_t>(k)] = to_double(u[k]);
      return x;
    }
    const multibody::Body& own = m.bodies()[static_cast<std::size_t>(body)];
    const auto entry = [&](int d, int k) { return to_double(q[static_cast<std::size_t>(m.place_of(own, d) + k)]); };
    for (int k = 0; k < m.dimension(); ++k)
      for (const int d : own.directors) x[static_cast<std::size_t>(k)] += to_double(u[d]) * entry(d, k);
    if (m.plane() && own.directors.size() == 1)  // a rod has turned as its one director has
      x[0] -= to_double(u[1]) * entry(0, 1), x[1] += to_double(u[1]) * entry(0, 0);
    return x;
  };
  const auto dot_of = [](const auto& a, const auto& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const auto base = static_cast<std::size_t>(joint.base), other = 1 - base;
  const auto a = direction(joint.bodies[other], joint.frames[other].a);
  return joint.sense() * std::atan2(dot_of(a, direction(joint.bodies[base], joint.frames[base].b)),
                                    dot_of(a, direction(joint.bodies[base], joint.frames[base].a)));
}

// Damping does not depend on the angle: a shaft in a damped bearing may turn for ever.
bool has_angle(const multibody::Spring& spring) {
  return spring.joint && spring.stiffness > 0;
}

// The angles of all torsional springs at q, in their order.
template <class Coordinates>
void torsional_angles(const multibody::Mechanism& m, const Coordinates& q, std::vector<double>& angles) {
  angles.clear();
  for (const multibody::Spring& spring : m.springs())
    if (has_angle(spring))
      angles.push_back(std::remainder(
          angle_of(m, m.joints()[static_cast<std::size_t>(*spring.joint)], q) - to_double(spring.start_angle),
          2 * std::numbers::pi));
}

bool turns_by_motion(const multibody::Joint& joint) {
  return joint.motion && joint.type == multibody::JointType::revolute;
}

}  // namespace

bool has_angles(const multibody::Mechanism& mechanism) {
  return std::any_of(mechanism.springs().begin(), mechanism.springs().end(), has_angle) ||
         std::any_of(mechanism.joints().begin(), mechanism.joints().end(), turns_by_motion);
}

template <class T>
AngleWatch<T>::AngleWatch(const SystemDescription& system) : mechanism_(*system.mechanism()) {
  std::vector<formula::NodeId> motions;
  for (const multibody::Joint& joint : mechanism_.joints())
    if (turns_by_motion(joint)) driven_.push_back(&joint), motions.push_back(*joint.motion);
  if (motions.empty()) return;
  motions_.emplace(std::make_shared<const formula::Program>(formula::compile(system.lagrangian()->graph(), motions)));
  motion_now_.resize(motions.size());
}

template <class T>
Outcome AngleWatch<T>::judge(const StateView<T>& x) {
  if (motions_) {
    const double t = to_double(x.t);
    const double* const blocks[LagrangianFormulas::blocks] = {&t, nullptr, nullptr, nullptr, nullptr, nullptr};
    (*motions_)(blocks, motion_now_.data());
    for (std::size_t k = 0; k < driven_.size(); ++k)
      if (!(std::cos(angle_of(mechanism_, *driven_[k], x.q) - motion_now_[k]) > 0)) return Outcome::off_motion;
  }
  torsional_angles(mechanism_, x.q, now_);
  for (std::size_t k = 0; k < last_.size(); ++k)
    if (passes_pi(last_[k], now_[k])) return Outcome::angle_passed;
  return Outcome::converged;
}

template <class T>
void AngleWatch<T>::observe(const StateView<T>& x) {
  torsional_angles(mechanism_, x.q, last_);
}

std::string joint_turned_over(const multibody::Mechanism& mechanism, const std::vector<double>& before,
                              const std::vector<double>& after) {
  std::vector<double> first, last;
  torsional_angles(mechanism, before, first), torsional_angles(mechanism, after, last);
  std::size_t k = 0;
  for (const multibody::Spring& spring : mechanism.springs()) {
    if (!has_angle(spring)) continue;
    if (passes_pi(first[k], last[k]))
      return fmt::format("joint '{}' has turned by more than pi from the pose in which its torsional spring was stated",
                         mechanism.joints()[static_cast<std::size_t>(*spring.joint)].name);
    ++k;
  }
  return "the angle of a torsional spring has passed pi";
}

template class AngleWatch<double>;
template class AngleWatch<long double>;
#if LIVENS_QUAD
template class AngleWatch<Widest>;
#endif

}  // namespace livens
