// The systems of Kraus (2017), sections 5.1-5.3 and 5.6: L = theta(q).v - H(q), their start values, and the momentum
// map that the symmetry of each gives. The formulas are those of the paper but for its misprints
// (docs/methods/vprk.md).
#pragma once

#include <cmath>
#include <numbers>

#include "livens/math/vec.hpp"

namespace livens::vprk_problems {

// (135), (136) with a = (1, 1), b = (1, 2); from (1, 1) one orbit takes 4.65988448.
struct LotkaVolterra {
  static constexpr int coordinates = 2;
  double start = 1;  // of both populations
  template <class T>
  Vec<T, 2> theta(const Vec<T, 2>& q) const {
    using std::log;
    return {log(q[1]) / q[0] + q[1], q[0]};
  }
  template <class T>
  T hamiltonian(const Vec<T, 2>& q) const {
    using std::log;
    return q[0] + q[1] - log(q[0]) - 2 * log(q[1]);
  }
  template <class T>
  Vec<T, 2> q0() const {
    return {T(start), T(start)};
  }
};

// (140), (141) with S = 1 + x^2 + y^2 and circulations 0.1, q = (x1, y1, x2, y2).
struct Vortices {
  static constexpr int coordinates = 4;
  static constexpr double g = 0.1;
  template <class T>
  static T S(const T& x, const T& y) {
    return 1 + x * x + y * y;
  }
  template <class T>
  Vec<T, 4> theta(const Vec<T, 4>& q) const {
    const T half_1 = g * S(q[0], q[1]) / 2, half_2 = g * S(q[2], q[3]) / 2;
    return {-q[1] * half_1, q[0] * half_1, -q[3] * half_2, q[2] * half_2};
  }
  template <class T>
  T hamiltonian(const Vec<T, 4>& q) const {
    using std::log;
    const T x = q[0] - q[2], y = q[1] - q[3];
    return g * g / (2 * std::numbers::pi) * S(q[0], q[1]) * S(q[2], q[3]) * log(x * x + y * y);
  }
  // (145), angular momentum
  template <class T>
  T momentum(const Vec<T, 4>& q) const {
    const Vec<T, 4> p = theta(q);
    return q[0] * p[1] - q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
  }
  template <class T>
  Vec<T, 4> q0() const {
    return {T(1), T(0.1), T(1), T(-0.1)};
  }
};

// (157)-(161) with R0 = 2, B0 = 5, q0 = 2, mu = 0.01, q = (R, Z, phi, u).
struct GuidingCentre {
  static constexpr int coordinates = 4;
  double u;  // at the start
  template <class T>
  static T S(const Vec<T, 4>& q) {
    using std::sqrt;
    return sqrt((q[0] - 2) * (q[0] - 2) + q[1] * q[1] + 16);
  }
  template <class T>
  Vec<T, 4> theta(const Vec<T, 4>& q) const {
    using std::log;
    const T x = q[0] - 2, k = q[3] / S(q);
    return {5 * q[1] / q[0] - k * q[1], k * x - 5 * log(q[0] / 2), -1.25 * (x * x + q[1] * q[1]) - 4 * k * q[0], T(0)};
  }
  template <class T>
  T hamiltonian(const Vec<T, 4>& q) const {
    return q[3] * q[3] / 2 + S(q) / (40 * q[0]);
  }
  // Toroidal: phi does not occur.
  template <class T>
  T momentum(const Vec<T, 4>& q) const {
    return theta(q)[2];
  }
  template <class T>
  Vec<T, 4> q0() const {
    return {T(2.5), T(0), T(0), T(u)};
  }
};

// Section 5.6: B = (0, 0, 1 + x^2 + y^2), mu = 0.01, q = (x, y, z, u), in the gauge of the author's program.
struct SymmetricField {
  static constexpr int coordinates = 4;
  Vec<double, 4> start = {};
  template <class T>
  Vec<T, 4> theta(const Vec<T, 4>& q) const {
    const T A = (2 + q[0] * q[0] + q[1] * q[1]) / 4;
    return {-A * q[1], A * q[0], q[3], T(0)};
  }
  template <class T>
  T hamiltonian(const Vec<T, 4>& q) const {
    return q[3] * q[3] / 2 + 0.01 * (1 + q[0] * q[0] + q[1] * q[1]);
  }
  template <class T>
  Vec<T, 4> q0() const {
    return {T(start[0]), T(start[1]), T(start[2]), T(start[3])};
  }
};

// (170), (171): a loop and a surface of start values in the symmetric field, 0 <= sigma, tau <= 1.
inline Vec<double, 4> on_loop(double tau) {
  const double a = 2 * std::numbers::pi * tau;
  return {0.5 * std::cos(a), 0.3 * std::sin(a), 0.1 * std::sin(a), 0.5 + 0.05 * std::cos(a)};
}
inline constexpr double surface_side = 0.1;
inline Vec<double, 4> on_surface(double sigma, double tau) {
  const double a = 2 * std::numbers::pi * sigma, b = 2 * std::numbers::pi * tau;
  return {surface_side * (sigma - 0.5), surface_side * (tau - 0.5), 0.1 * std::cos(a) * std::cos(b),
          0.5 + 0.01 * std::sin(a) * std::sin(b)};
}

}  // namespace livens::vprk_problems
