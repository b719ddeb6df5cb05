// Systems that can tell right from wrong: nonlinear potential, non-quadratic constraint, mass that depends on q, terms
// linear in v, a driven pivot, damping, two coupled constraints. Each with a consistent start.
#pragma once

#include <cmath>

#include "livens/math/vec.hpp"

namespace livens::test {

// Example C of the Galerkin tests: planar pendulum in a nonlinear potential.
struct NonlinearPendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2, potential_degree = 4;
  double m = 1.3, l = 1, g = 9.81, k2 = 3, k4 = 5;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1]) - m * g * q[1] - k2 / 2 * (q[0] + 0.5) * (q[0] + 0.5) -
           k4 / 4 * q[0] * q[0] * q[0] * q[0];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - l * l) / 2};
  }
  Vec<double, 2> q0() const { return {std::sin(1.0), -std::cos(1.0)}; }
  Vec<double, 2> v0() const { return {0.5 * std::cos(1.0), 0.5 * std::sin(1.0)}; }
};

// Two masses on two rods in space.
struct DoublePendulum {
  static constexpr int coordinates = 6, constraints = 2;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2, potential_degree = 1;
  double m1 = 1, m2 = 1.5, l1 = 1, l2 = 0.8, g = 9.81;
  template <class T>
  T lagrangian(const Vec<T, 6>& q, const Vec<T, 6>& v) const {
    return m1 / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + m2 / 2 * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) -
           g * (m1 * q[2] + m2 * q[5]);
  }
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 6>& q) const {
    const T x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    return {(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - l1 * l1) / 2, (x * x + y * y + z * z - l2 * l2) / 2};
  }
  static constexpr int invariants = 1;
  template <class T>
  Vec<T, 1> invariant_values(const Vec<T, 6>& q, const Vec<T, 6>& p) const {
    return {q[0] * p[1] - q[1] * p[0] + q[3] * p[4] - q[4] * p[3]};
  }
  Vec<double, 6> q0() const { return {0.6, 0, -0.8, 0.6, 0.64, -1.28}; }
  Vec<double, 6> v0() const { return {0.3, 1, -0.2, 0.5, -0.7, 1.1}; }  // to be projected
};

// A bead on x^6 + y^4 + z^2 = 5/8 in the potential z^4.
struct Bead {
  static constexpr int coordinates = 3, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 6, potential_degree = 4;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - q[2] * q[2] * q[2] * q[2];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    using std::pow;
    return {pow(q[0], 6) + pow(q[1], 4) + q[2] * q[2] - 0.625};
  }
  Vec<double, 3> q0() const { return {0.7, 0.5, -std::sqrt(0.625 - std::pow(0.7, 6) - std::pow(0.5, 4))}; }
  Vec<double, 3> v0() const { return {0.4, 0.6, 0.3}; }  // to be projected
};

// Mass that depends on q with off-diagonal entries, a term linear in v (a magnetic field), nonlinear potential, and a
// constraint that is not quadratic.
struct CurvedMass {
  static constexpr int coordinates = 3, constraints = 1;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    using std::cos;
    using std::sin;
    const T kinetic =
        ((1 + q[1] * q[1]) * v[0] * v[0] + (2 + sin(q[0])) * v[1] * v[1] + v[2] * v[2]) / 2 + 0.3 * q[2] * v[0] * v[1];
    return kinetic + 0.7 * (q[0] * v[1] - q[1] * q[1] * v[0]) - 2 * cos(q[0]) * q[2] - q[1] * q[1] * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    using std::exp;
    return {q[0] * q[0] + q[1] * q[1] + exp(q[2]) - 2};
  }
  Vec<double, 3> q0() const { return {0.6, -0.4, std::log(2 - 0.36 - 0.16)}; }
  Vec<double, 3> v0() const { return {0.5, 0.8, -0.2}; }  // to be projected
};

// Pendulum whose pivot moves, and a potential that depends on time.
struct DrivenPendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  double a = 0.3, w = 2.5;
  template <class T>
  T lagrangian(const T& t, const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    using std::cos;
    return (v[0] * v[0] + v[1] * v[1]) / 2 - 9.81 * q[1] - 0.8 * cos(3.0 * t) * q[0] * q[0];
  }
  template <class T>
  Vec<T, 1> constraint(const T& t, const Vec<T, 2>& q) const {
    using std::sin;
    const T x = q[0] - a * sin(w * t);
    return {(x * x + q[1] * q[1] - 1) / 2};
  }
  Vec<double, 2> q0() const { return {std::sin(1.0), -std::cos(1.0)}; }
  Vec<double, 2> v0() const { return {0.9, 0.1}; }  // to be projected
};

// Pendulum in a medium: drag that is nonlinear in v and depends on q.
struct DampedPendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + 2 * v[1] * v[1]) / 2 - 9.81 * q[1] - q[0] * q[0] * q[0];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
  template <class T>
  Vec<T, 2> force(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    using std::sqrt;
    const T speed = sqrt(1 + v[0] * v[0] + v[1] * v[1]);
    return {-0.5 * speed * v[0] + 0.4 * q[1], -0.5 * (1 + q[0] * q[0]) * v[1]};
  }
  Vec<double, 2> q0() const { return {std::sin(1.0), -std::cos(1.0)}; }
  Vec<double, 2> v0() const { return {0.5 * std::cos(1.0), 0.5 * std::sin(1.0)}; }
};

// Everything depends on time: the mass matrix, a vector potential, the potential, the pivot and the force.
struct ChangingTimes {
  static constexpr int coordinates = 2, constraints = 1;
  template <class T>
  T lagrangian(const T& t, const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    using std::cos;
    using std::sin;
    const T mass = 1 + 0.5 * sin(2.0 * t);
    return mass * (v[0] * v[0] + (1 + q[0] * q[0]) * v[1] * v[1]) / 2 + cos(3.0 * t) * q[1] * q[1] * v[0] -
           5 * (1 + t) * q[1] - q[0] * q[0] * q[0];
  }
  template <class T>
  Vec<T, 1> constraint(const T& t, const Vec<T, 2>& q) const {
    using std::sin;
    const T x = q[0] - 0.2 * sin(2.0 * t);
    return {(x * x + 2 * q[1] * q[1] - 1) / 2};
  }
  template <class T>
  Vec<T, 2> force(const T& t, const Vec<T, 2>&, const Vec<T, 2>& v) const {
    using std::sin;
    return {-0.4 * v[0] + sin(4.0 * t), -0.3 * v[1]};
  }
  Vec<double, 2> q0() const { return {0.6, -std::sqrt(0.32)}; }
  Vec<double, 2> v0() const { return {0.9, 0.1}; }  // to be projected
};

// Constant mass with a force that depends on time and velocity, on a moving support.
struct PushedPendulum : DrivenPendulum {
  template <class T>
  Vec<T, 2> force(const T& t, const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    using std::sin;
    return {2 * sin(5.0 * t) - 0.5 * v[0] * v[0] * v[0], 3 * t * q[0] - 0.2 * v[1]};
  }
};

// Drag and a curved mass together: forces in the general path.
struct DampedCurvedMass : CurvedMass {
  template <class T>
  Vec<T, 3> force(const T& t, const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    using std::sin;
    return {-0.4 * v[0] + 0.2 * sin(t), -0.3 * v[1] * v[1] * v[1], -0.5 * (1 + q[0] * q[0]) * v[2]};
  }
};

}  // namespace livens::test
