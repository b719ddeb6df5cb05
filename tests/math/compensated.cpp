#include "livens/math/compensated.hpp"

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

using namespace livens;

TEST_CASE_TEMPLATE("two_sum_and_two_product_lose_nothing", T, double, long double) {
  const T e = epsilon<T>();
  const auto sum = two_sum(T(1), T(e / 8));
  CHECK(sum.result == T(1));
  CHECK(sum.error == T(e / 8));
  CHECK(two_sum(T(e / 8), T(1)).error == T(e / 8));
  const auto product = two_product(T(1 + e), T(1 - e));  // 1 - e^2
  CHECK(product.result == T(1));
  CHECK(product.error == -e * e);
}

TEST_CASE("a_compensated_sum_keeps_the_terms_that_cancel_around_large_ones") {
  CompensatedSum<double> sum;
  for (double x : {1.0, 1e100, 1.0, -1e100}) sum += x;
  CHECK(sum.value() == 2.0);  // Kahan's rule gives 0 here, Neumaier's does not
  CompensatedSum<double> difference(3.0);
  difference -= 1e100;
  difference += 1e100;
  CHECK(difference.value() == 3.0);
}

TEST_CASE("a_million_compensated_steps_are_right_to_the_last_digit") {
  const double h = 0.1;
  double plain = 0, sum = 0, remainder = 0;
  CompensatedSum<double> neumaier;
  const int steps = 1000000;
  for (int n = 0; n < steps; ++n) {
    plain += h;
    add_compensated(sum, remainder, h);
    neumaier += h;
  }
  CHECK(sum == h * steps);
  CHECK(neumaier.value() == h * steps);
  CHECK(std::abs(plain - h * steps) > 1e-6);  // measured 1.3e-6: what the remainder is for
}

TEST_CASE("the_remainder_survives_increments_below_half_a_unit_in_the_last_place") {
  double sum = 1, remainder = 0;
  const double tiny = epsilon<double>() / 16;
  for (int n = 0; n < 16; ++n) add_compensated(sum, remainder, tiny);
  CHECK(sum == 1 + epsilon<double>());
  CHECK(remainder == 0.0);
}

// Kahan's three operations instead of Knuth's six, since every coordinate pays for them in every step.
TEST_CASE("an_increment_larger_than_the_sum_loses_at_most_one_rounding_of_itself") {
  double sum = 1, remainder = 0;
  add_compensated(sum, remainder, 1e17);
  CHECK(sum == 1e17);
  CHECK(remainder == 0.0);  // two_sum would keep the 1, below half a unit in the last place of the increment
  CHECK(two_sum(1.0, 1e17).error == 1.0);
}

TEST_CASE_TEMPLATE("double_words_have_twice_the_digits", T, double, long double) {
  using D = DoubleWord<T>;
  const T e = epsilon<T>();
  const D third = D(T(1)) / D(T(3));
  const D rest = third * D(T(3)) - D(T(1));
  CHECK(std::abs(rest.high) <= e * e);
  CHECK(third.low != T(0));
  const D sum = (D(T(1)) + D(e * e / 2)) - D(T(1));
  CHECK(sum.high == e * e / 2);
}
