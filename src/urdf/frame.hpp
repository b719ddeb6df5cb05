// Frames of a robot: x_outer = at + R x_inner.
#pragma once

#include <array>
#include <cmath>

namespace livens::urdf {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  // rows

inline Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vector operator*(double s, const Vector& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
inline double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline double length(const Vector& a) {
  return std::sqrt(dot(a, a));
}
inline Vector operator*(const Matrix& A, const Vector& x) {
  return {dot(A[0], x), dot(A[1], x), dot(A[2], x)};
}
inline Matrix operator+(const Matrix& A, const Matrix& B) {
  return {A[0] + B[0], A[1] + B[1], A[2] + B[2]};
}
inline Matrix transposed(const Matrix& A) {
  Matrix B;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) B[i][j] = A[j][i];
  return B;
}
inline Matrix operator*(const Matrix& A, const Matrix& B) {
  const Matrix columns = transposed(B);
  return transposed({A * columns[0], A * columns[1], A * columns[2]});
}

inline Matrix rotation(const Vector& axis, double angle) {
  const double l = length(axis), c = std::cos(angle), s = std::sin(angle);
  const Vector n = (1 / l) * axis;
  Matrix R;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) R[i][j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j];
  R[0][1] -= s * n[2], R[0][2] += s * n[1], R[1][2] -= s * n[0];
  R[1][0] += s * n[2], R[2][0] -= s * n[1], R[2][1] += s * n[0];
  return R;
}

struct Frame {
  Vector at{0, 0, 0};
  Matrix R{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

  Vector operator*(const Vector& x) const { return at + R * x; }
  Frame operator*(const Frame& inner) const { return {*this * inner.at, R * inner.R}; }
};

}  // namespace livens::urdf
