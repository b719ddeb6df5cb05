// Which multipliers are determined.
#include "livens/system/kinetics.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "livens/method/galerkin.hpp"
#include "livens/run/march.hpp"
#include "livens/system/lagrangian.hpp"

using namespace livens;

namespace {

// Cranks of length 1 and a coupler as long as the base: lambda = (1, 0, 1) at speed 1 without forces.
struct Parallelogram {
  static constexpr int coordinates = 4, constraints = 3;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 4>&, const Vec<T, 4>& v) const {
    return dot(v, v) / 2;
  }
  template <class T>
  Vec<T, 3> constraint(const Vec<T, 4>& q) const {
    const T dx = q[2] - q[0], dy = q[3] - q[1], x = q[2] - 2;
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2, (dx * dx + dy * dy - 4) / 2, (x * x + q[3] * q[3] - 1) / 2};
  }
};

// A double pendulum with a heavy mass on a light one.
struct Heavy {
  static constexpr int coordinates = 4, constraints = 2;
  static constexpr bool constant_mass = true;
  double heavy = 1e8;
  template <class T>
  T lagrangian(const Vec<T, 4>& q, const Vec<T, 4>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + heavy * (v[2] * v[2] + v[3] * v[3])) / 2 - q[1] - heavy * q[3];
  }
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 4>& q) const {
    const T dx = q[2] - q[0], dy = q[3] - q[1];
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2, (dx * dx + dy * dy - 1) / 2};
  }
};

}  // namespace

TEST_CASE("a_multiplier_that_the_rounding_of_positions_moves_is_not_determined") {
  const Lagrangian<Parallelogram> system(Parallelogram{});
  Kinetics<Lagrangian<Parallelogram>> kinetics(system);
  Vec<double, 3> lambda;
  const auto outcome = [&](double before) {
    const double c = std::cos(before), s = std::sin(before);
    const Vec<double, 4> q = {c, s, 2 + c, s}, v = {-s, c, -s, c};
    kinetics.start(0, q, v);
    CHECK(kinetics.multiplier(0, q, v, lambda) == Outcome::converged);
    return kinetics.determined_multiplier(0, q, v, lambda);
  };
  CHECK(outcome(1e-2) == Outcome::converged);
  CHECK(std::abs(lambda[0] - 1) < 1e-4);
  CHECK(outcome(1e-4) == Outcome::singular_jacobian);
  CHECK(outcome(3.3e-6) == Outcome::singular_jacobian);
}

TEST_CASE("rows_beside_a_flat_parallelogram_have_no_multiplier_of_rounding") {
  const double angle = 0.2, c = -std::cos(angle), s = std::sin(angle);  // flat within 4e-6 after 20 steps
  const auto run =
      march(Parallelogram{}, Galerkin{.s = 1}, {.q = {c, s, 2 + c, s}, .v = {-s, c, -s, c}, .step = 0.01, .steps = 40});
  REQUIRE(run.rows.size() == 41);
  for (const auto& row : run.rows) {
    CAPTURE(row.t);
    CHECK((std::isnan(row.lambda[0]) || std::abs(row.lambda[0] - 1) < 1e-4));  // 2.2e6 before
  }
  CHECK(std::isnan(run.rows[20].lambda[0]));
  CHECK_FALSE(std::isnan(run.rows[18].lambda[0]));
}

TEST_CASE("masses_that_differ_leave_multipliers_determined") {
  const Lagrangian<Heavy> system(Heavy{});
  Kinetics<Lagrangian<Heavy>> kinetics(system);
  const Vec<double, 4> q = {0.6, -0.8, 0.6 + 0.8, -0.8 - 0.6}, v = {0.8, 0.6, 0.8 + 0.3, 0.6 + 0.4};
  Vec<double, 2> lambda;
  kinetics.start(0, q, v);
  CHECK(kinetics.determined_multiplier(0, q, v, lambda) == Outcome::converged);
}
