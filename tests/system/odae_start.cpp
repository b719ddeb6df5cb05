#include "livens/system/odae_start.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "system/problems.hpp"

using namespace livens;
using Kind = OdaeStartFault::Kind;

namespace {

// Motion on the ellipse (y1/a)^2 + (y2/b)^2 = 1, or with a velocity that is not linear in z.
struct OnEllipse {
  static constexpr int positions = 2, velocities = 2, multipliers = 1;
  double a = 2, b = 1, bend = 0;
  template <class T>
  Vec<T, 2> velocity(const Vec<T, 2>&, const Vec<T, 2>& z) const {
    return {z[0] + bend * z[1] * z[1], z[1]};
  }
  template <class T>
  Vec<T, 2> force(const Vec<T, 2>&, const Vec<T, 2>&) const {
    return {T(0), T(-1)};
  }
  template <class T>
  Vec<T, 2> reaction(const Vec<T, 2>& y, const Vec<T, 2>&, const Vec<T, 1>& psi) const {
    return {-2 / (a * a) * y[0] * psi[0], -2 / (b * b) * y[1] * psi[0]};
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& y) const {
    return {y[0] * y[0] / (a * a) + y[1] * y[1] / (b * b) - 1};
  }
};

template <class Problem>
auto start_of(const Odae<Problem>& system, const Vec<double, 2>& y, const Vec<double, 2>& z) {
  OdaeStart start(system);
  start.y = y, start.z = z;
  return start;
}

std::optional<OdaeStartFault> fault_of(const OdaeTexts& texts, const Vec<double>& y, const Vec<double>& z,
                                       bool project = false) {
  const FormulaOdae<double> system(odae_formulas(texts));
  OdaeStart start(system);
  start.y = y, start.z = z;
  return start.make_consistent({.project = project});
}

}  // namespace

TEST_CASE("published_start_values_are_consistent") {
  const Odae<ExponentialOdae> exponential{ExponentialOdae{}};
  auto first = start_of(exponential, {1, 1}, {1, 1});
  CHECK(!first.make_consistent({}));
  CHECK(std::abs(first.psi[0] - 1) < 2.3e-16);

  const Odae<CubicWithFriction> cubic{CubicWithFriction{}};
  auto second = start_of(cubic, {10, 10}, {-3.6, -10.8});
  CHECK(!second.make_consistent({}));
  CHECK(second.psi[0] == doctest::Approx(1.7586).epsilon(1e-6).scale(0));
  CHECK(second.move.q == 0.0);
}

TEST_CASE("the_guess_chooses_the_root_of_the_multiplier") {
  const Odae<ExponentialOdae> system{ExponentialOdae{}};
  auto start = start_of(system, {1, 1}, {1, 1});
  start.psi[0] = -3;
  CHECK(!start.make_consistent({}));
  CHECK(std::abs(start.psi[0] + 2) < 4.5e-16);
}

TEST_CASE("start_values_off_the_constraints_are_refused_with_the_residual") {
  const Odae<ExponentialOdae> system{ExponentialOdae{}};
  const auto position = start_of(system, {1.01, 1}, {1.01, 1}).make_consistent({});
  REQUIRE(position);
  CHECK(position->kind == Kind::position);
  CHECK(position->value == doctest::Approx(0.01).epsilon(1e-12).scale(0));

  const auto velocity = start_of(system, {1, 1}, {1.01, 1}).make_consistent({});
  REQUIRE(velocity);
  CHECK(velocity->kind == Kind::velocity);
  CHECK(velocity->value == doctest::Approx(0.02).epsilon(1e-12).scale(0));

  CHECK(!start_of(system, {1, 1}, {1.01, 1}).make_consistent({.tolerance = 0.1}));
}

TEST_CASE("consistency_is_relative_to_the_size_of_the_terms") {
  // A circle of radius 1e6: round-off of g is about 1e-4.
  const OdaeTexts texts{{"z1", "z2"}, {"0", "0"}, {"-y1*psi", "-y2*psi"}, {"y1^2 + y2^2 - 1e12"}};
  const double angle = 0.7, y1 = 1e6 * std::cos(angle), y2 = 1e6 * std::sin(angle);
  CHECK(!fault_of(texts, {y1, y2}, {-y2, y1}));
  CHECK(fault_of(texts, {y1 * (1 + 1e-8), y2}, {-y2, y1})->kind == Kind::position);
}

TEST_CASE("projection_finds_the_nearest_point_of_an_ellipse") {
  const Odae<OnEllipse> system{OnEllipse{}};
  for (const double angle : {0.4, 1.2, 2.5, -0.9})
    for (const double away : {0.3, -0.2}) {
      // the foot of the normal is known by construction
      const Vec<double, 2> foot{2 * std::cos(angle), std::sin(angle)};
      const double n1 = std::cos(angle) / 2, n2 = std::sin(angle), length = std::hypot(n1, n2);
      const Vec<double, 2> normal{n1 / length, n2 / length};
      const Vec<double, 2> z{0.7, -0.4};
      auto start = start_of(system, {foot[0] + away * normal[0], foot[1] + away * normal[1]}, z);
      CHECK(!start.make_consistent({.project = true}));
      const double normal_part = z[0] * normal[0] + z[1] * normal[1];
      for (int i = 0; i < 2; ++i) {
        CHECK(std::abs(start.y[i] - foot[i]) < 4 * 1.2e-16);
        CHECK(std::abs(start.z[i] - (z[i] - normal_part * normal[i])) < 4 * 1.2e-16);
      }
      CHECK(start.move.q == doctest::Approx(std::abs(away) * std::max(std::abs(normal[0]), std::abs(normal[1]))));
      CHECK(start.move.p ==
            doctest::Approx(std::abs(normal_part) * std::max(std::abs(normal[0]), std::abs(normal[1]))));
    }
}

TEST_CASE("projection_finds_the_nearest_velocity_where_v_is_not_linear") {
  // At y = (2, 0) the hidden constraint is z1 + z2^2/2 = 0: a parabola with normal (1, z2).
  const Odae<OnEllipse> system{OnEllipse{.bend = 0.5}};
  const double c = 0.8, away = 0.3;
  auto start = start_of(system, {2, 0}, {-c * c / 2 + away, c + away * c});
  CHECK(!start.make_consistent({.project = true}));
  CHECK(std::abs(start.z[0] + c * c / 2) < 1.2e-16);
  CHECK(std::abs(start.z[1] - c) < 1.2e-16);
}

TEST_CASE("consistent_start_values_are_not_moved_by_projection") {
  const Odae<CubicWithFriction> system{CubicWithFriction{}};
  auto start = start_of(system, {10, 10}, {-3.6, -10.8});
  CHECK(!start.make_consistent({.project = true}));
  CHECK(start.move.q == 0.0);
  CHECK(start.move.p == 0.0);
}

TEST_CASE("projection_from_where_no_direction_leads_fails") {
  const OdaeTexts circle{{"z1", "z2"}, {"0", "0"}, {"-y1*psi", "-y2*psi"}, {"y1^2 + y2^2 - 1"}};
  CHECK(fault_of(circle, {0.0, 0.0}, {1.0, 0.0}, true)->kind == Kind::zero_gradient);
  const OdaeTexts nowhere{{"z1", "z2"}, {"0", "0"}, {"-y1*psi", "-y2*psi"}, {"y1^2 + y2^2 + 1"}};
  CHECK(fault_of(nowhere, {0.6, 0.3}, {1.0, 0.0}, true)->kind == Kind::no_projection);
}

TEST_CASE("a_reaction_that_cannot_hold_the_constraint_is_refused") {
  // r is tangential: g_y v_z r_psi = 0, exactly or up to round-off.
  CHECK(fault_of({{"z1", "z2"}, {"0", "0"}, {"0", "psi"}, {"y1"}}, {0.0, 0.0}, {0.0, 1.0})->kind == Kind::not_solvable);
  CHECK(fault_of({{"z1", "z2"}, {"0", "0"}, {"0.1*psi*3", "-0.3*psi"}, {"y1 + y2"}}, {0.1, -0.1}, {0.0, 0.0})->kind ==
        Kind::not_solvable);
}

TEST_CASE("a_hidden_equation_without_root_is_refused") {
  CHECK(fault_of({{"z1", "z2"}, {"1", "0"}, {"psi^2", "0"}, {"y1"}}, {0.0, 0.0}, {0.0, 1.0})->kind ==
        Kind::no_multiplier);
}

TEST_CASE("dependent_constraints_are_named") {
  const FormulaWorld world(
      {{OdaeFormulas::y, {"y1", "y2"}}, {OdaeFormulas::z, {"z1", "z2"}}, {OdaeFormulas::psi, {"a", "b"}}});
  const OdaeFormulas::Formulas formulas{
      world({"z1", "z2"}), world({"0", "0"}), world({"a + b", "0"}), world({"y1", "2*y1"}), {}, {}};
  const FormulaOdae<double> system(std::make_shared<OdaeFormulas>(world.graph, 2, 2, 2, formulas));
  for (const bool project : {false, true}) {
    OdaeStart start(system);
    start.y = {0.0, 1.0}, start.z = {0.0, 1.0};
    const auto fault = start.make_consistent({.project = project});
    REQUIRE(fault);
    CHECK(fault->kind == Kind::dependent_constraints);
    CHECK(fault->rows == std::vector<int>{1});
  }
}

TEST_CASE("formulas_that_are_not_finite_at_the_start_are_named") {
  const std::vector<std::string> z = {"z1", "z2"}, zero = {"0", "0"}, r = {"psi", "0"};
  const Vec<double> y{0.0, -1.0}, v{0.0, 1.0};
  const auto velocity = fault_of({{"z1", "log(y2)"}, zero, r, {"y1"}}, y, v);
  CHECK(velocity->kind == Kind::velocity_not_finite);
  CHECK(velocity->index == 1);
  CHECK(fault_of({z, {"1/y1", "0"}, r, {"y1"}}, y, v)->kind == Kind::force_not_finite);
  CHECK(fault_of({z, zero, {"psi", "sqrt(y2)"}, {"y1"}}, y, v)->kind == Kind::reaction_not_finite);
  CHECK(fault_of({z, zero, r, {"sqrt(y1)"}}, y, v)->kind == Kind::constraint_not_finite);
}

#if LIVENS_QUAD
TEST_CASE("start_values_are_consistent_in_quad_precision") {
  const FormulaOdae<Quad> system(cubic_with_friction_formulas());
  OdaeStart start(system);
  start.y = {Quad(10), Quad(10)}, start.z = {Quad(-36) / 10, Quad(-108) / 10};
  CHECK(!start.make_consistent({}));
  CHECK(std::abs(to_double(start.psi[0] - Quad(17586) / 10000)) < 1e-32);
}
#endif
