// The curve that boundary value problems start from.
#include "livens/method/start_curve.hpp"

#include <doctest/doctest.h>

#include "livens/system/lagrangian.hpp"

using namespace livens;

namespace {

struct Particle {
  static constexpr int coordinates = 2;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 2>&, const Vec<T, 2>& v) const {
    return dot(v, v) / 2;
  }
};

struct Circle : Particle {
  static constexpr int constraints = 1;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(dot(q, q) - 1) / 2};
  }
};

constexpr int last = 16;
constexpr double start = 2, step = 0.125;
const auto time_of = [](int P) { return start + step * P; };

}  // namespace

TEST_CASE("without a velocity the curve is the straight line") {
  const Lagrangian<Particle> system(Particle{});
  StartCurve<Lagrangian<Particle>> curve(system, last, time_of);
  REQUIRE(!curve.connect({1, 2}, {5, -2}, nullptr));
  for (int P = 0; P <= last; ++P) {
    const auto& q = curve.points()[static_cast<std::size_t>(P)];
    CHECK(q[0] == doctest::Approx(1 + 4.0 * P / last));
    CHECK(q[1] == doctest::Approx(2 - 4.0 * P / last));
  }
  CHECK(curve.mean_velocity()[0] == doctest::Approx(4 / (last * step)));
}

TEST_CASE("with a velocity the curve is the cubic that begins with it and ends without curvature") {
  const Lagrangian<Particle> system(Particle{});
  StartCurve<Lagrangian<Particle>> curve(system, last, time_of);
  const Vec<double, 2> v{-3, 7};
  REQUIRE(!curve.connect({1, 2}, {5, -2}, &v));
  const auto& q = curve.points();
  for (int i = 0; i < 2; ++i) {
    // Derivatives of a cubic from four of its values are exact.
    const double slope = (-11 * q[0][i] + 18 * q[1][i] - 9 * q[2][i] + 2 * q[3][i]) / (6 * step);
    const double curvature = (2 * q[16][i] - 5 * q[15][i] + 4 * q[14][i] - q[13][i]) / (step * step);
    CHECK(slope == doctest::Approx(v[i]));
    CHECK(std::abs(curvature) < 4 * 3e-13);
  }
}

TEST_CASE("points of the curve are on the constraints, and the way there may not be found") {
  const Lagrangian<Circle> system(Circle{});
  StartCurve<Lagrangian<Circle>> curve(system, last, time_of);
  REQUIRE(!curve.connect({1, 0}, {-0.6, 0.8}, nullptr));
  for (const auto& q : curve.points()) CHECK(std::abs(dot(q, q) - 1) < 1e-15);
  CHECK(curve.points()[8][1] > 0.5);                           // the shorter way
  CHECK(curve.connect({1, 0}, {-1, 0}, nullptr) == last / 2);  // through the pivot
}

TEST_CASE("multipliers of the curve keep its points on the constraints") {
  const Lagrangian<Circle> system(Circle{});
  StartCurve<Lagrangian<Circle>> curve(system, last, time_of);
  Vec<double, 1> mu;
  curve.find_impulse(0, {0.6, 0.8}, {-1.6, 1.2}, 0.5, mu);
  CHECK(mu[0] == doctest::Approx(0.5 * 4));  // h m v^2
}
