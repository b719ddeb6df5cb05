// The hanging chain of problems/chain.toml as C++ elements: N masses 1/N on N rods 1/N.
#pragma once

#include <algorithm>
#include <cmath>

#include "livens/system/elements.hpp"

namespace hanging_chain {

using livens::Mat;
using livens::Vec;

constexpr double gravity = 9.81;

struct PointMass {
  static constexpr int coordinates = 3;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 1;
  double m;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - m * gravity * q[2];
  }
  template <class T>
  Vec<T, 3> potential_gradient(const Vec<T, 3>&) const {
    return {T(0), T(0), T(m * gravity)};
  }
};

struct Rod {
  static constexpr int coordinates = 6, constraints = 1, constraint_degree = 2;
  double l;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 6>& q) const {
    const T x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    return {(x * x + y * y + z * z - l * l) / 2};
  }
  template <class T>
  Mat<T, 1, 6> constraint_jacobian(const Vec<T, 6>& q) const {
    Mat<T, 1, 6> G;
    for (int i = 0; i < 3; ++i) G(0, 3 + i) = q[3 + i] - q[i], G(0, i) = -G(0, 3 + i);
    return G;
  }
};

struct RodToGround {
  static constexpr int coordinates = 3, constraints = 1, constraint_degree = 2;
  double l;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - l * l) / 2};
  }
};

inline livens::ElementSystem<double> elements(int N, const livens::LinearChoice<double>& linear) {
  livens::ElementSystem<double> system(3 * N, linear);
  for (int i = 0; i < 3 * N; i += 3) {
    system.add(PointMass{1.0 / N}, {i, i + 1, i + 2});
    if (i == 0)
      system.add(RodToGround{1.0 / N}, {0, 1, 2});
    else
      system.add(Rod{1.0 / N}, {i - 3, i - 2, i - 1, i, i + 1, i + 2});
  }
  system.finish();
  return system;
}

// Positions and velocities one mass after another.
struct Start {
  Vec<double> q, v;
  explicit Start(int N) : q(3 * N), v(3 * N) {
    const double c = 2.404825557695773 * 2.404825557695773 / 4;
    double x = 0, z = 0, w = 0;
    for (int i = 0; i < N; ++i) {
      double S = 0, term = c;  // (-1)^(k+1) c^k u^(k-1) k/(k!)^2
      const double u = 1 - (i + 0.5) / N;
      for (int k = 1; k <= 20; ++k) {
        S += term;
        term *= -c * u / (static_cast<double>(k) * (k + 1));
      }
      x += std::sin(S / 2) / N, z -= std::cos(S / 2) / N, w += S / N;
      q[3 * i] = x, q[3 * i + 2] = z, v[3 * i + 1] = w;
    }
  }
};

// Explicit methods need h 2 sqrt(9.81) N < 2.
inline double step_size(int N) {
  return std::min(1e-3, 0.3 / N);
}

}  // namespace hanging_chain
