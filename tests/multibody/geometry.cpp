// Rotations in all their spellings, and the inertia of shapes by integrals over their slices.
#include "livens/multibody/geometry.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using namespace livens;
using multibody::Matrix;
using multibody::Shape;

namespace {

double largest_difference(const Matrix& a, const Matrix& b) {
  double largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = std::max(largest, std::abs(to_double(a(i, j) - b(i, j))));
  return largest;
}

// The mean of f over slices at z in [from, to] of this weight, midpoint rule.
double mean(double from, double to, const std::function<double(double)>& weight,
            const std::function<double(double)>& f) {
  const int slices = 20000;
  double sum = 0, total = 0;
  for (int k = 0; k < slices; ++k) {
    const double z = from + (to - from) * (k + 0.5) / slices;
    sum += weight(z) * f(z), total += weight(z);
  }
  return sum / total;
}

}  // namespace

TEST_CASE("a_rotation_is_the_same_in_every_spelling") {
  const multibody::Vector n{0.48, -0.6, 0.64};
  const double angle = 0.9;
  const Matrix R = multibody::rotation_about(n, angle);
  CHECK(to_double(multibody::distance_from_rotation(R)) < 1e-15);
  CHECK(multibody::is_right_handed(R));
  const double c = std::cos(angle / 2), s = std::sin(angle / 2);
  CHECK(largest_difference(R, multibody::rotation_of_quaternion({c, s * 0.48, s * -0.6, s * 0.64})) < 1e-15);
  // about moving axes: the first column of "zyx" is what z and then y make of x
  const Matrix E = multibody::rotation_of_euler("zyx", {0.3, 0.5, 0.7});
  CHECK(std::abs(to_double(E(0, 0)) - std::cos(0.3) * std::cos(0.5)) < 1e-15);
  CHECK(std::abs(to_double(E(1, 0)) - std::sin(0.3) * std::cos(0.5)) < 1e-15);
  CHECK(std::abs(to_double(E(2, 0)) + std::sin(0.5)) < 1e-15);
  CHECK(std::abs(to_double(E(2, 1)) - std::cos(0.5) * std::sin(0.7)) < 1e-15);
  CHECK(to_double(multibody::rotation_in_plane(0.3)(1, 0)) == doctest::Approx(std::sin(0.3)).epsilon(1e-15));
}

TEST_CASE("shapes_have_the_inertia_of_their_slices") {
  const auto shape = [](Shape::Type type, double radius, double length) {
    Shape made;
    made.type = type, made.radius = radius, made.length = length;
    return made;
  };
  const auto one = [](double) { return 1.0; };
  const auto square = [](double z) { return z * z; };
  const auto check = [](const Shape& of, bool plane, double across, double along) {
    const Matrix E = multibody::euler_tensor(of, plane);
    CHECK(to_double(E(0, 0)) == doctest::Approx(across).epsilon(1e-6));
    CHECK(to_double(E(1, 1)) == doctest::Approx(across).epsilon(1e-6));
    CHECK(to_double(E(2, 2)) == doctest::Approx(along).epsilon(1e-6));
    CHECK(to_double(E(0, 1)) == 0);
  };
  const double r = 0.3, l = 1.7;
  // a disc of radius a has the mean of x^2 a^2/4
  check(shape(Shape::Type::cylinder, r, l), false, r * r / 4, mean(-l / 2, l / 2, one, square));
  const auto slice = [&](double z) { return r * r - z * z; };
  check(shape(Shape::Type::sphere, r, 0), false, mean(-r, r, slice, [&](double z) { return slice(z) / 4; }),
        mean(-r, r, slice, square));
  // a cone from its tip, whose centre of mass is at 3/4 of its length
  const auto disc = [](double u) { return u * u; };
  check(shape(Shape::Type::cone, r, l), false, mean(0, l, disc, [&](double u) { return std::pow(r * u / l, 2) / 4; }),
        mean(0, l, disc, [&](double u) { return std::pow(u - 3 * l / 4, 2); }));
  check(shape(Shape::Type::disc, r, 0), true, r * r / 4, 0);
  Shape box;
  box.type = Shape::Type::box, box.size = {1.0, 2.0, 3.0};
  const Matrix E = multibody::euler_tensor(box, false);
  for (int i = 0; i < 3; ++i) CHECK(to_double(E(i, i)) == doctest::Approx((i + 1) * (i + 1) / 12.0).epsilon(1e-14));
  // their volumes
  const double pi = std::acos(-1.0);
  CHECK(to_double(multibody::measure(shape(Shape::Type::cone, r, l), false)) == doctest::Approx(pi * r * r * l / 3));
  CHECK(to_double(multibody::measure(shape(Shape::Type::sphere, r, 0), false)) ==
        doctest::Approx(4 * pi * r * r * r / 3));
  CHECK(to_double(multibody::measure(shape(Shape::Type::disc, r, 0), true)) == doctest::Approx(pi * r * r));
}
