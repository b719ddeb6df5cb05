// The guiding centre in a tokamak, by another route: Om q' = grad H, Om_ij = d_i theta_j - d_j theta_i from central
// differences, and the classical Runge-Kutta method.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace livens::tokamak {

using Place = std::array<double, 4>;  // R, Z, phi, u

inline Place one_form(const Place& q) {
  const double r2 = (q[0] - 2) * (q[0] - 2) + q[1] * q[1], S = std::sqrt(r2 + 16);
  return {5 * q[1] / q[0] - q[3] * q[1] / S, -5 * std::log(q[0] / 2) + q[3] * (q[0] - 2) / S,
          -5 * r2 / 4 - q[3] * 4 * q[0] / S, 0};
}
inline double energy_of(const Place& q) {
  const double S = std::sqrt((q[0] - 2) * (q[0] - 2) + q[1] * q[1] + 16);
  return q[3] * q[3] / 2 + 0.01 * 5 * S / (2 * q[0]);
}
inline Place drift(const Place& q) {
  std::array<std::array<double, 5>, 4> A{};  // Om and, behind it, grad H
  const double d = 1e-5;
  for (std::size_t i = 0; i < 4; ++i) {
    Place up = q, down = q;
    up[i] += d, down[i] -= d;
    const Place a = one_form(up), b = one_form(down);
    for (std::size_t j = 0; j < 4; ++j) A[i][j] += (a[j] - b[j]) / (2 * d), A[j][i] -= (a[j] - b[j]) / (2 * d);
    A[i][4] = (energy_of(up) - energy_of(down)) / (2 * d);
  }
  for (std::size_t k = 0; k < 4; ++k) {  // Gauss-Jordan
    std::size_t pivot = k;
    for (std::size_t i = k; i < 4; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    std::swap(A[k], A[pivot]);
    for (std::size_t i = 0; i < 4; ++i)
      if (i != k)
        for (std::size_t j = 5; j-- > k;) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  }
  return {A[0][4] / A[0][0], A[1][4] / A[1][1], A[2][4] / A[2][2], A[3][4] / A[3][3]};
}

// Where the orbit from q is after this time.
inline Place drifted(Place q, double time) {
  const int steps = 4000;
  for (int n = 0; n < steps; ++n) {
    const double h = time / steps;
    const auto plus = [&](const Place& d, double f) {
      return Place{q[0] + f * d[0], q[1] + f * d[1], q[2] + f * d[2], q[3] + f * d[3]};
    };
    const Place a = drift(q), b = drift(plus(a, h / 2)), c = drift(plus(b, h / 2)), d = drift(plus(c, h));
    for (std::size_t k = 0; k < 4; ++k) q[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
  return q;
}

}  // namespace livens::tokamak
