// Systems for the claims about HBVM(k,s), with starts that have no symmetry.
#pragma once

#include <cmath>

#include "livens/math/vec.hpp"
#include "reproduce/hbvm_problems.hpp"

namespace livens::test {

// From angle 0.9 with rate 0.7.
struct GeneralPendulum : hbvm_problems::PlanarPendulum {
  Vec<double, 2> q0() const { return {std::sin(0.9), -std::cos(0.9)}; }
  Vec<double, 2> v0() const { return {0.7 * std::cos(0.9), 0.7 * std::sin(0.9)}; }
};

struct GeneralModifiedPendulum : hbvm_problems::ModifiedPendulum {
  Vec<double, 3> q0() const { return {0.7, 0.5, -std::sqrt(0.625 - std::pow(0.7, 6) - std::pow(0.5, 4))}; }
  Vec<double, 3> v0() const { return {0.4, 0.6, 0.3}; }  // to be projected
};

struct PlanarDoublePendulum {
  static constexpr int coordinates = 4, constraints = 2;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2, potential_degree = 1;
  template <class T>
  T lagrangian(const Vec<T, 4>& q, const Vec<T, 4>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 + 1.5 * (v[2] * v[2] + v[3] * v[3]) / 2 - q[1] - 1.5 * q[3];
  }
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 4>& q) const {
    const T x = q[2] - q[0], y = q[3] - q[1];
    return {q[0] * q[0] + q[1] * q[1] - 1, x * x + y * y - 0.64};
  }
  Vec<double, 4> q0() const { return {0.6, -0.8, 1.24, -1.28}; }
  Vec<double, 4> v0() const { return {0.5, -0.2, 0.3, 0.6}; }  // to be projected
};

// Kepler's ellipse of eccentricity e, where a constraint holds the motion with the constant multiplier 0.5. From the
// eccentric anomaly E, 0 being the only start that is symmetric.
struct KeplerEllipse {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  double E = 1, e = 0.3;
  template <class T>
  T ellipse(const Vec<T, 2>& q) const {
    return (q[0] + e) * (q[0] + e) + q[1] * q[1] / (1 - e * e) - 1;
  }
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    using std::sqrt;
    return hbvm_problems::kinetic_energy(v) + 1 / sqrt(dot(q, q)) + 0.5 * ellipse(q);
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {ellipse(q)};
  }
  Vec<double, 2> q0() const { return {std::cos(E) - e, std::sqrt(1 - e * e) * std::sin(E)}; }
  Vec<double, 2> v0() const {
    const double rate = 1 / (1 - e * std::cos(E));
    return {-rate * std::sin(E), rate * std::sqrt(1 - e * e) * std::cos(E)};
  }
};

}  // namespace livens::test
