#include "livens/math/magnitude.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

using namespace livens;
using M = Magnitude<double>;

TEST_CASE("sizes_add_under_plus_and_minus") {
  const M x(3.0), y(-2.0);
  CHECK((x + y).value == 1);
  CHECK((x + y).size == 5);
  CHECK((x - y).value == 5);
  CHECK((x - y).size == 5);
  CHECK((x - x).size == 6);
  CHECK((-(x - x)).size == 6);
  CHECK((+(x - x)).size == 6);
}

TEST_CASE("a_product_or_quotient_carries_the_size_of_each_operand_times_the_other") {
  const M small = M(3.0) - M(2.0);  // value 1, size 5
  CHECK((small * M(-4.0)).size == 20);
  CHECK((small * M(-4.0)).value == -4);
  CHECK((small * small).size == 5);
  CHECK((small / M(-4.0)).size == 1.25);
  CHECK((M(7.0) / small).size == 35);
  M z = small;
  z *= 2;
  z += 1;
  z -= 0.5;
  z /= 2.0;
  CHECK(z.value == 1.25);
  CHECK(z.size == 5.75);
}

TEST_CASE("far_from_the_origin_a_power_of_a_difference_is_as_uncertain_as_the_difference") {
  const M X(1e5), x(1e5 + 1.5);
  const M d = x - X;
  CHECK((d * d * d * d).size == doctest::Approx(1.5 * 1.5 * 1.5 * 2e5).epsilon(1e-4).scale(0));
  CHECK(pow(d, 4).size == doctest::Approx((d * d * d * d).size));
  const M zero = X - X;  // by round-off alone
  CHECK((zero * zero).size == doctest::Approx(4e10 * std::numeric_limits<double>::epsilon()));
}

TEST_CASE("a_function_carries_the_size_of_its_argument_times_its_derivative_and_has_its_own") {
  const M x = M(3.0) - M(2.5);  // value 0.5, size 5.5
  struct Row {
    M y;
    double f, derivative;
  };
  for (const auto& [y, f, derivative] : {Row{sin(x), std::sin(0.5), std::cos(0.5)},
                                         {cos(x), std::cos(0.5), -std::sin(0.5)},
                                         {tan(x), std::tan(0.5), 1 / (std::cos(0.5) * std::cos(0.5))},
                                         {asin(x), std::asin(0.5), 1 / std::sqrt(0.75)},
                                         {acos(x), std::acos(0.5), -1 / std::sqrt(0.75)},
                                         {atan(x), std::atan(0.5), 0.8},
                                         {sinh(x), std::sinh(0.5), std::cosh(0.5)},
                                         {cosh(x), std::cosh(0.5), std::sinh(0.5)},
                                         {tanh(x), std::tanh(0.5), 1 / (std::cosh(0.5) * std::cosh(0.5))},
                                         {exp(x), std::exp(0.5), std::exp(0.5)},
                                         {log(x), std::log(0.5), 2.0},
                                         {sqrt(x), std::sqrt(0.5), std::sqrt(0.5)},
                                         {sign(-x), -1.0, 0.0},
                                         {atan2(x, -1), std::atan2(0.5, -1.0), -0.8},
                                         {hypot(x, 2.0), std::hypot(0.5, 2.0), 0.5 / std::hypot(0.5, 2.0)},
                                         {pow(-x, 3), -0.125, 0.25},  // as three factors
                                         {pow(2, x), std::sqrt(2.0), std::sqrt(2.0) * std::log(2.0)}}) {
    CHECK(y.value == f);
    CHECK(y.size == doctest::Approx(std::max(std::abs(f), 5.5 * std::abs(derivative))));
  }
  CHECK(sin(M(0.5)).size == std::sin(0.5));
  CHECK(sqrt(M(3.0) - M(3.0)).size == 0);  // the derivative is not finite
}

TEST_CASE("abs_min_and_max_hand_the_size_on") {
  const M x = M(3.0) - M(3.5);  // value -0.5, size 6.5
  CHECK(abs(x).value == 0.5);
  CHECK(abs(x).size == 6.5);
  CHECK(min(x, 1).size == 6.5);
  CHECK(max(x, 1).size == 1);
  CHECK(min(M(2.0, 5.0), M(2.0, 7.0)).size == 5);
  CHECK(max(M(2.0, 5.0), M(2.0, 7.0)).size == 5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(!is_finite(max(M(1), M(nan))));
  CHECK(!is_finite(min(M(nan), M(1))));
}

TEST_CASE("comparisons_look_at_values") {
  CHECK(M(1.0, 9.0) == M(1.0, 2.0));
  CHECK(M(1.0, 9.0) < M(2.0));
  CHECK(M(1.0) <= 1);
  CHECK(2.5 > M(1.0, 9.0));
  CHECK(M(1.0) >= 1.0);
  CHECK(M(1.0) != 2);
  CHECK(value_of(M(1.5, 9.0)) == 1.5);
}

TEST_CASE("a_constraint_and_its_derivative_are_judged_against_their_terms") {
  const auto constraint = [](const auto& x, const auto& y) { return (x * x + y * y - 1e6 * 1e6) / 2; };
  const M g = constraint(M(6e5), M(8e5));
  CHECK(g.value == 0);
  CHECK(g.size == doctest::Approx(1e12));

  using J = Jet<M, 1>;  // velocity as the direction: derivative G v with the size of its terms
  J x(6e5), y(8e5);
  x.gradient[0] = M(4.0);
  y.gradient[0] = M(-3.0);
  const J rate = constraint(x, y);
  CHECK(rate.gradient[0].value == 0);
  CHECK(rate.gradient[0].size == doctest::Approx(4.8e6));
}
