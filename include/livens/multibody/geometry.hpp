// Vectors, rotations and shapes of bodies, in the widest precision. In the plane the third component is 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "livens/formula/expression.hpp"
#include "livens/math/vec.hpp"

namespace livens::multibody {

using formula::Number;
using Vector = Vec<Number, 3>;
using Matrix = Mat<Number, 3, 3>;

Vector operator+(const Vector& a, const Vector& b);
Vector operator-(const Vector& a, const Vector& b);
Vector operator*(const Number& s, const Vector& a);
Vector cross(const Vector& a, const Vector& b);
Number length(const Vector& a);
Vector column(const Matrix& A, int j);
Vector operator*(const Matrix& A, const Vector& x);
Vector transposed_times(const Matrix& A, const Vector& x);

Matrix identity();
Matrix rotation_about(const Vector& axis, const Number& angle);  // the axis need not have length 1
Matrix rotation_of_quaternion(const std::array<Number, 4>& wxyz);
// About moving axes: "zxz" turns about z, then the new x, then the new z.
Matrix rotation_of_euler(std::string_view axes, const Vector& angles);
Matrix rotation_in_plane(const Number& angle);
// The largest entry of R^T R - 1, and whether R keeps the hand.
Number distance_from_rotation(const Matrix& R);
bool is_right_handed(const Matrix& R);

// A direction of length 1 that stands on n.
Vector perpendicular_to(const Vector& n);

struct Shape {
  enum class Type { none, box, sphere, cylinder, cone, plate, rod, point, disc };
  Type type = Type::none;
  Vector size{0, 0, 0};  // of a box; of a plate and in the plane the first two
  Number radius = 0, length = 0;
};

std::string_view name(Shape::Type type);

// Volume in space; area of a plate and in the plane; length of a rod.
Number measure(const Shape& shape, bool plane);

// int rho X X^T dV for mass 1, about the centre of mass: the Euler tensor E, of which the inertia is J = tr(E) - E.
Matrix euler_tensor(const Shape& shape, bool plane);

Matrix euler_of_inertia(const Matrix& J);  // tr(J)/2 - J

// Of a symmetric matrix, ascending.
Vec<double, 3> eigenvalues(const Matrix& A);

}  // namespace livens::multibody
