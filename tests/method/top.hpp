// The heavy symmetric top in director coordinates (phi, d1, d2, d3), in steady precession: Kinon, Betsch, Schneider
// (2023), section 5.1.
#pragma once

#include <cmath>

#include "livens/math/vec.hpp"

namespace livens::test {

struct Top {
  static constexpr int coordinates = 12, constraints = 9, invariants = 1;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2, potential_degree = 1;
  double m = 0.7068583470577036, E = 2.650718801466389e-4, l = 0.075, g = 9.81;

  template <class T>
  T lagrangian(const Vec<T, 12>& q, const Vec<T, 12>& v) const {
    T kinetic(0);
    for (int i = 0; i < 12; ++i) kinetic += (i < 3 ? m : E) / 2 * v[i] * v[i];
    return kinetic - m * g * q[2];
  }
  template <class T>
  Vec<T, 9> constraint(const Vec<T, 12>& q) const {
    const auto product = [&](int i, int j) {
      T sum(0);
      for (int k = 0; k < 3; ++k) sum += q[3 * i + k] * q[3 * j + k];
      return sum;
    };
    return {(product(1, 1) - 1) / 2, (product(2, 2) - 1) / 2, (product(3, 3) - 1) / 2, product(1, 2),   product(1, 3),
            product(2, 3),           q[0] - l * q[9],         q[1] - l * q[10],        q[2] - l * q[11]};
  }
  // L3
  template <class T>
  Vec<T, 1> invariant_values(const Vec<T, 12>& q, const Vec<T, 12>& p) const {
    T sum(0);
    for (int k = 0; k < 12; k += 3) sum += q[k] * p[k + 1] - q[k + 1] * p[k];
    return {sum};
  }

  template <class T = double>
  void start(Vec<T, 12>& q, Vec<T, 12>& v) const {
    using std::sqrt;
    const T c(0.5), s = sqrt(T(3)) / 2, L(l);
    q = {T(0), -s * L, c * L, T(1), T(0), T(0), T(0), c, s, T(0), -s, c};
    const T precession(10), J = 2 * T(E), spin = T(m) * T(g) * L / (J * precession) + T(m) * L * L / J * precession * c;
    const T omega[3] = {T(0), -s * spin, precession + c * spin};
    for (int k = 0; k < 12; k += 3) {
      v[k] = omega[1] * q[k + 2] - omega[2] * q[k + 1];
      v[k + 1] = omega[2] * q[k] - omega[0] * q[k + 2];
      v[k + 2] = omega[0] * q[k + 1] - omega[1] * q[k];
    }
  }
};

}  // namespace livens::test
