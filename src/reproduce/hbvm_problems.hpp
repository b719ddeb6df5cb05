// The four systems of Brugnano, Gurioli, Iavernaro, Weinmueller (2018), section 5, all with M = 1, and their start
// values to the digits of any scalar.
#pragma once

#include <cmath>
#include <numbers>

#include "livens/math/vec.hpp"

namespace livens::hbvm_problems {

template <class T, int N>
T kinetic_energy(const Vec<T, N>& v) {
  return dot(v, v) / 2;
}

// (56)-(57): in the plane, released at the bottom with speed 1.
struct PlanarPendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2, potential_degree = 1;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return kinetic_energy(v) - q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {dot(q, q) - 1};
  }
  template <class T>
  Vec<T, 2> q0() const {
    return {T(0), T(-1)};
  }
  template <class T>
  Vec<T, 2> p0() const {
    return {T(1), T(0)};
  }
};

// (63)-(67): moves on a horizontal circle with period 2^(3/4) pi; the multiplier is constant, 2^(-1/2).
struct ConicalPendulum {
  static constexpr int coordinates = 3, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2, potential_degree = 1;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return kinetic_energy(v) - q[2];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {dot(q, q) - 1};
  }
  template <class T>
  Vec<T, 3> q0() const {
    using std::sqrt;
    return {sqrt(T(1) / 2), T(0), -sqrt(T(1) / 2)};
  }
  template <class T>
  Vec<T, 3> p0() const {
    using std::sqrt;
    return {T(0), sqrt(sqrt(T(1) / 2)), T(0)};
  }
  template <class T>
  static T period() {
    using std::sqrt;
    return 2 * sqrt(sqrt(T(1) / 2)) * std::numbers::pi_v<T>;
  }
};

// (69)-(70): a bead on x^6 + y^4 + z^2 = 5/8 in the potential z^4, from the start of the conical pendulum.
struct ModifiedPendulum {
  static constexpr int coordinates = 3, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 6, potential_degree = 4;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return kinetic_energy(v) - q[2] * q[2] * q[2] * q[2];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    const T x2 = q[0] * q[0], y2 = q[1] * q[1];
    return {x2 * x2 * x2 + y2 * y2 + q[2] * q[2] - 0.625};
  }
  template <class T>
  Vec<T, 3> q0() const {
    return ConicalPendulum{}.q0<T>();
  }
  template <class T>
  Vec<T, 3> p0() const {
    return ConicalPendulum{}.p0<T>();
  }
};

// (71)-(74): three satellites, tethered to a triangle of side 1, fall past a heavy body with energy 0.
struct Satellites {
  static constexpr int coordinates = 9, constraints = 3;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2;
  static constexpr int ends[3][2] = {{0, 1}, {1, 2}, {2, 0}};  // of the tethers

  template <class T>
  T lagrangian(const Vec<T, 9>& q, const Vec<T, 9>& v) const {
    using std::sqrt;
    T L = kinetic_energy(v);
    for (int i = 0; i < 9; i += 3) L += 1 / sqrt(q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2]);
    return L;
  }
  template <class T>
  Vec<T, 3> constraint(const Vec<T, 9>& q) const {
    Vec<T, 3> g;
    for (int a = 0; a < 3; ++a) {
      g[a] = T(-1);
      for (int i = 0; i < 3; ++i) {
        const T d = q[3 * ends[a][0] + i] - q[3 * ends[a][1] + i];
        g[a] += d * d;
      }
    }
    return g;
  }
  // By hand for the runs of a million steps.
  template <class T>
  Vec<T, 9> potential_gradient(const Vec<T, 9>& q) const {
    using std::sqrt;
    Vec<T, 9> Vq;
    for (int i = 0; i < 9; i += 3) {
      const T r2 = q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2], r3 = r2 * sqrt(r2);
      for (int j = i; j < i + 3; ++j) Vq[j] = q[j] / r3;
    }
    return Vq;
  }
  template <class T>
  Mat<T, 3, 9> constraint_jacobian(const Vec<T, 9>& q) const {
    Mat<T, 3, 9> G;
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) {
        const int from = 3 * ends[a][0] + i, to = 3 * ends[a][1] + i;
        G(a, from) = 2 * (q[from] - q[to]);
        G(a, to) = -G(a, from);
      }
    return G;
  }
  template <class T>
  Vec<T, 9> q0() const {
    using std::sqrt;
    return {T(0), T(0.5), T(20), T(0), T(-0.5), T(20), T(0), T(0), 20 - sqrt(T(3)) / 2};
  }
  // p3 such that H = 0
  template <class T>
  Vec<T, 9> p0() const {
    using std::sqrt;
    Vec<T, 9> p{};
    p[6] = sqrt(2 * (2 / sqrt(T(400.25)) + 1 / (20 - sqrt(T(3)) / 2)));
    return p;
  }
};

}  // namespace livens::hbvm_problems
