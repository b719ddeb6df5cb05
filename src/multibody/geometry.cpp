#include "livens/multibody/geometry.hpp"

#include <algorithm>
#include <cmath>

namespace livens::multibody {

Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vector operator*(const Number& s, const Vector& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Number length(const Vector& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
Vector column(const Matrix& A, int j) {
  return {A(0, j), A(1, j), A(2, j)};
}
Vector operator*(const Matrix& A, const Vector& x) {
  Vector y;
  multiply(A, x, y);
  return y;
}
Vector transposed_times(const Matrix& A, const Vector& x) {
  return {dot(column(A, 0), x), dot(column(A, 1), x), dot(column(A, 2), x)};
}

Matrix identity() {
  Matrix I;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) I(i, j) = i == j ? 1 : 0;
  return I;
}

// R x = n (n.x) + cos(angle) (x - n (n.x)) + sin(angle) n x x
Matrix rotation_about(const Vector& axis, const Number& angle) {
  using std::cos, std::sin;
  const Vector n = (1 / length(axis)) * axis;
  const Number c = cos(angle), s = sin(angle);
  Matrix R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R(i, j) = n[i] * n[j] * (1 - c) + (i == j ? c : Number(0));
  R(0, 1) -= s * n[2], R(1, 0) += s * n[2];
  R(0, 2) += s * n[1], R(2, 0) -= s * n[1];
  R(1, 2) -= s * n[0], R(2, 1) += s * n[0];
  return R;
}

Matrix rotation_of_quaternion(const std::array<Number, 4>& wxyz) {
  const Number size = wxyz[0] * wxyz[0] + wxyz[1] * wxyz[1] + wxyz[2] * wxyz[2] + wxyz[3] * wxyz[3];
  const Number &w = wxyz[0], &x = wxyz[1], &y = wxyz[2], &z = wxyz[3];
  const Number entries[] = {
      w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
      2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
      2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  Matrix R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R(i, j) = entries[3 * i + j] / size;
  return R;
}

Matrix rotation_of_euler(std::string_view axes, const Vector& angles) {
  Matrix R = identity();
  for (int k = 0; k < 3; ++k) {
    Vector axis{0, 0, 0};
    axis[axes[static_cast<std::size_t>(k)] - 'x'] = 1;
    const Matrix turn = rotation_about(axis, angles[k]);
    Matrix next;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) next(i, j) = R(i, 0) * turn(0, j) + R(i, 1) * turn(1, j) + R(i, 2) * turn(2, j);
    R = next;
  }
  return R;
}

Matrix rotation_in_plane(const Number& angle) {
  return rotation_about({0, 0, 1}, angle);
}

Number distance_from_rotation(const Matrix& R) {
  using std::abs;
  Number worst = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Number entry = abs(dot(column(R, i), column(R, j)) - (i == j ? 1 : 0));
      if (!(entry <= worst)) worst = entry;
    }
  return worst;
}

bool is_right_handed(const Matrix& R) {
  return dot(cross(column(R, 0), column(R, 1)), column(R, 2)) > 0;
}

Vector perpendicular_to(const Vector& n) {
  using std::abs;
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (abs(n[i]) < abs(n[least])) least = i;
  Vector e{0, 0, 0};
  e[least] = 1;
  const Vector a = cross(e, n);
  return (1 / length(a)) * a;
}

std::string_view name(Shape::Type type) {
  constexpr std::string_view names[] = {"none", "box", "sphere", "cylinder", "cone", "plate", "rod", "point", "disc"};
  return names[static_cast<std::size_t>(type)];
}

Number measure(const Shape& shape, bool plane) {
  using std::acos;
  const Number pi = acos(Number(-1)), &r = shape.radius, &l = shape.length;
  switch (shape.type) {
    case Shape::Type::box:
      return shape.size[0] * shape.size[1] * (plane ? Number(1) : shape.size[2]);
    case Shape::Type::sphere:
      return 4 * pi * r * r * r / 3;
    case Shape::Type::cylinder:
      return pi * r * r * l;
    case Shape::Type::cone:
      return pi * r * r * l / 3;
    case Shape::Type::plate:
      return shape.size[0] * shape.size[1];
    case Shape::Type::disc:
      return pi * r * r;
    case Shape::Type::rod:
      return l;
    case Shape::Type::none:
    case Shape::Type::point:
      break;
  }
  return 0;
}

Matrix euler_tensor(const Shape& shape, bool plane) {
  const Number r2 = shape.radius * shape.radius, l2 = shape.length * shape.length;
  Vector E{0, 0, 0};
  switch (shape.type) {
    case Shape::Type::box:
    case Shape::Type::plate:
      for (int i = 0; i < 3; ++i) E[i] = shape.size[i] * shape.size[i] / 12;
      if (plane || shape.type == Shape::Type::plate) E[2] = 0;
      break;
    case Shape::Type::sphere:
      E = {r2 / 5, r2 / 5, r2 / 5};
      break;
    case Shape::Type::cylinder:
      E = {r2 / 4, r2 / 4, l2 / 12};
      break;
    case Shape::Type::cone:
      E = {3 * r2 / 20, 3 * r2 / 20, 3 * l2 / 80};
      break;
    case Shape::Type::disc:
      E = {r2 / 4, r2 / 4, 0};
      break;
    case Shape::Type::rod:
      E[plane ? 0 : 2] = l2 / 12;
      break;
    case Shape::Type::none:
    case Shape::Type::point:
      break;
  }
  Matrix tensor;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) tensor(i, j) = i == j ? E[i] : Number(0);
  return tensor;
}

Matrix euler_of_inertia(const Matrix& J) {
  const Number half_trace = (J(0, 0) + J(1, 1) + J(2, 2)) / 2;
  Matrix E;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) E(i, j) = (i == j ? half_trace : Number(0)) - J(i, j);
  return E;
}

// Jacobi's rotations: a few sweeps are enough for three rows.
Vec<double, 3> eigenvalues(const Matrix& given) {
  double A[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A[i][j] = to_double(given(i, j));
  for (int sweep = 0; sweep < 12; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (A[p][q] == 0) continue;
        const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]),
                     t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.0)), c = 1 / std::hypot(t, 1.0),
                     s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double x = A[k][p], y = A[k][q];
          A[k][p] = c * x - s * y, A[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double x = A[p][k], y = A[q][k];
          A[p][k] = c * x - s * y, A[q][k] = s * x + c * y;
        }
      }
  Vec<double, 3> values{A[0][0], A[1][1], A[2][2]};
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace livens::multibody
