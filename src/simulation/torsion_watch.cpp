#include "simulation/torsion_watch.hpp"

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

// The angles of all torsional springs at q, in their order.
template <class Coordinates>
void torsional_angles(const multibody::Mechanism& m, const Coordinates& q, std::vector<double>& angles) {
  angles.clear();
  for (const multibody::Spring& spring : m.springs()) {
    if (!spring.joint) continue;
    const multibody::Joint& joint = m.joints()[static_cast<std::size_t>(*spring.joint)];
    const auto direction = [&](int body, const multibody::Vector& u) {
      std::array<double, 3> x{0, 0, 0};
      for (int k = 0; k < m.dimension(); ++k) {
        if (body == multibody::ground) {
          x[static_cast<std::size_t>(k)] = to_double(u[k]);
          continue;
        }
        const multibody::Body& own = m.bodies()[static_cast<std::size_t>(body)];
        for (const int d : own.directors)
          x[static_cast<std::size_t>(k)] +=
              to_double(u[d]) * to_double(q[static_cast<std::size_t>(m.place_of(own, d) + k)]);
      }
      return x;
    };
    const auto dot_of = [](const auto& a, const auto& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    const auto a = direction(joint.bodies[1], joint.frames[1].a);
    const double angle = std::atan2(dot_of(a, direction(joint.bodies[0], joint.frames[0].b)),
                                    dot_of(a, direction(joint.bodies[0], joint.frames[0].a)));
    angles.push_back(std::remainder(angle - to_double(spring.start_angle), 2 * std::numbers::pi));
  }
}

}  // namespace

bool has_torsional_springs(const multibody::Mechanism& mechanism) {
  return std::any_of(mechanism.springs().begin(), mechanism.springs().end(),
                     [](const multibody::Spring& spring) { return spring.joint.has_value(); });
}

template <class T>
Outcome TorsionWatch<T>::judge(const StateView<T>& x) {
  torsional_angles(mechanism_, x.q, now_);
  for (std::size_t k = 0; k < last_.size(); ++k)
    if (passes_pi(last_[k], now_[k])) return Outcome::angle_passed;
  return Outcome::converged;
}

template <class T>
void TorsionWatch<T>::observe(const StateView<T>& x) {
  torsional_angles(mechanism_, x.q, last_);
}

std::string joint_turned_over(const multibody::Mechanism& mechanism, const std::vector<double>& before,
                              const std::vector<double>& after) {
  std::vector<double> first, last;
  torsional_angles(mechanism, before, first), torsional_angles(mechanism, after, last);
  std::size_t k = 0;
  for (const multibody::Spring& spring : mechanism.springs()) {
    if (!spring.joint) continue;
    if (passes_pi(first[k], last[k]))
      return fmt::format("joint '{}' has turned by more than pi from the pose in which its torsional {} was stated",
                         mechanism.joints()[static_cast<std::size_t>(*spring.joint)].name,
                         spring.stiffness > 0 ? "spring" : "damper");
    ++k;
  }
  return "the angle of a torsional spring has passed pi";
}

template class TorsionWatch<double>;
template class TorsionWatch<long double>;
#if LIVENS_QUAD
template class TorsionWatch<Widest>;
#endif

}  // namespace livens
