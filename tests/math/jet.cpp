// Every function of the jets against central differences in the widest scalar, against nested jets, and at its edges.
#include "livens/math/jet.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

using namespace livens;

namespace {

const double inf = std::numeric_limits<double>::infinity();
bool is_nan(double x) {
  return x != x;
}

using J = Jet<double, 2>;
using J2 = Jet2<double, 2>;
J var(double x) {
  return J::variable(x, 0);
}
J2 var2(double x) {
  return J2::variable(x, 0);
}

struct Slopes {
  Widest gradient[2], hessian[2][2];
};

// Central differences of f(x, y): errors O(eps^(2/3)) and O(eps^(1/2)).
template <class F>
Slopes differences(const F& f, const Widest& x, const Widest& y) {
  using std::pow;
  const Widest eps = epsilon<Widest>();
  const Widest h = pow(eps, Widest(1) / 3), k = pow(eps, Widest(1) / 4);
  Slopes d;
  d.gradient[0] = (f(x + h, y) - f(x - h, y)) / (2 * h);
  d.gradient[1] = (f(x, y + h) - f(x, y - h)) / (2 * h);
  d.hessian[0][0] = (f(x + k, y) - 2 * f(x, y) + f(x - k, y)) / (k * k);
  d.hessian[1][1] = (f(x, y + k) - 2 * f(x, y) + f(x, y - k)) / (k * k);
  d.hessian[0][1] = d.hessian[1][0] =
      (f(x + k, y + k) - f(x + k, y - k) - f(x - k, y + k) + f(x - k, y - k)) / (4 * k * k);
  return d;
}

double mismatch(const Widest& a, const Widest& b) {
  using std::abs;
  return to_double(abs(a - b) / (1 + abs(b)));
}

// f(x, y) over first and second order jets and jets of jets: one truth.
template <class F>
void check_function(const F& f, double x0, double y0) {
  using W = Widest;
  const W x(x0), y(y0);
  const auto first = f(Jet<W, 2>::variable(x, 0), Jet<W, 2>::variable(y, 1));
  const auto second = f(Jet2<W, 2>::variable(x, 0), Jet2<W, 2>::variable(y, 1));
  using Inner = Jet<W, 2>;
  using Nested = Jet<Inner, 2>;
  const auto nested = f(Nested::variable(Inner::variable(x, 0), 0), Nested::variable(Inner::variable(y, 1), 1));
  const Slopes d = differences(f, x, y);

  const double eps = to_double(epsilon<W>());
  CAPTURE(x0);
  CAPTURE(y0);
  CHECK(first.value == f(x, y));
  CHECK(second.value == first.value);
  CHECK(nested.value.value == first.value);
  for (int i = 0; i < 2; ++i) {
    CHECK(mismatch(first.gradient[i], d.gradient[i]) < 40 * std::pow(eps, 2. / 3));
    CHECK(second.gradient[i] == first.gradient[i]);
    CHECK(mismatch(nested.gradient[i].value, first.gradient[i]) == 0);
    for (int j = 0; j < 2; ++j) {
      CHECK(mismatch(second.hessian(i, j), d.hessian[i][j]) < 60 * std::sqrt(eps));
      CHECK(mismatch(nested.gradient[i].gradient[j], second.hessian(i, j)) < 40 * eps);
    }
  }
}

// A function of one argument, evaluated at an inner function with curvature: u(1, 2) = p, u_x = 1/2, u_y = 5/4, u_xy
// = 1.
template <class F>
void check_unary(const F& f, std::initializer_list<double> points) {
  for (double p : points)
    check_function([&](const auto& x, const auto& y) { return f(p + (x - 1) / 2 + (y - 2) * (x + 0.25)); }, 1, 2);
}

// A function of two arguments at inner functions with curvature, and with a plain number in either place.
template <class F>
void check_binary(const F& f, std::initializer_list<std::pair<double, double>> points) {
  for (const auto& point : points) {
    const double a = point.first, b = point.second;
    check_function(
        [&](const auto& x, const auto& y) {
          return f(a + (x - 1) / 2 + (y - 2) * (x + 0.25), b + (y - 2) * 2 + (x - 1) * (y - 1));
        },
        1, 2);
    check_function([&](const auto& x, const auto& y) { return f(a + (x - 1) * y + (y - 2), b); }, 1, 2);
    check_function([&](const auto& x, const auto& y) { return f(a, b + (x - 1) * y + (y - 2)); }, 1, 2);
  }
}

}  // namespace

#define FUNCTION_1(name) \
  [](const auto& x) {    \
    using std::name;     \
    return name(x);      \
  }
#define FUNCTION_2(name)             \
  [](const auto& x, const auto& y) { \
    using std::name;                 \
    return name(x, y);               \
  }

TEST_CASE("arithmetic_follows_the_product_and_quotient_rules") {
  check_binary([](const auto& a, const auto& b) { return a + b; }, {{1.5, -0.5}});
  check_binary([](const auto& a, const auto& b) { return a - b; }, {{1.5, -0.5}});
  check_binary([](const auto& a, const auto& b) { return a * b; }, {{1.5, -0.5}, {-2, 3}});
  check_binary([](const auto& a, const auto& b) { return a / b; }, {{1.5, -0.5}, {-2, 3}});
  check_unary([](const auto& a) { return -a * 3 + 2 * a - (1 - a) / 4 + 5 / a; }, {0.7, -0.3});
  check_unary(
      [](auto a) {
        auto b = a;
        b *= a;
        b += a;
        b /= a + 2;
        b -= 3 * a;
        b *= 2;
        b /= 3;
        b += 1;
        b -= 0.5;
        return +b;
      },
      {0.7, -0.3});
}

TEST_CASE("trigonometric_functions_have_their_derivatives") {
  check_unary(FUNCTION_1(sin), {0.0, 0.7, 2.0, -2.5, 4.0});
  check_unary(FUNCTION_1(cos), {0.0, 0.7, 2.0, -2.5, 4.0});
  check_unary(FUNCTION_1(tan), {0.0, 0.7, 2.0, -2.5, 4.0});
  check_unary(FUNCTION_1(asin), {0.0, 0.6, -0.6});
  check_unary(FUNCTION_1(acos), {0.0, 0.6, -0.6});
  check_unary(FUNCTION_1(atan), {0.0, 0.6, -3.0});
}

TEST_CASE("hyperbolic_functions_exponential_and_logarithm_have_their_derivatives") {
  check_unary(FUNCTION_1(sinh), {0.0, 0.7, -2.0});
  check_unary(FUNCTION_1(cosh), {0.0, 0.7, -2.0});
  check_unary(FUNCTION_1(tanh), {0.0, 0.7, -2.0});
  check_unary(FUNCTION_1(exp), {0.0, 1.3, -2.0});
  check_unary(FUNCTION_1(log), {0.5, 1.0, 7.0});
  check_unary(FUNCTION_1(sqrt), {0.5, 1.0, 7.0});
}

TEST_CASE("kinked_functions_have_the_derivatives_of_their_branch") {
  check_unary(FUNCTION_1(abs), {0.5, -1.0});
  check_unary([](const auto& x) { return sign(x) * x; }, {0.5, -1.0});
  const J x = var(1), y = J::variable(2, 1);
  for (auto [chosen, expected] : {std::pair{min(x, y), x}, {max(x, y), y}, {min(y, x), x}, {max(y, x), y}}) {
    CHECK(chosen.value == expected.value);
    CHECK(chosen.gradient[0] == expected.gradient[0]);
    CHECK(chosen.gradient[1] == expected.gradient[1]);
  }
  CHECK(min(x, 0.5).gradient[0] == 0);
  CHECK(min(0.5, x).value == 0.5);
  CHECK(max(x, 0.5).gradient[0] == 1);
  CHECK(max(2, x).value == 2);
}

TEST_CASE("at_a_tie_min_and_max_take_the_first_argument_and_abs_has_slope_zero_at_zero") {
  const J x = J::variable(1, 0), y = J::variable(1, 1);
  CHECK(min(x, y).gradient[0] == 1);
  CHECK(max(x, y).gradient[0] == 1);
  CHECK(min(y, x).gradient[1] == 1);
  CHECK(max(y, x).gradient[1] == 1);
  CHECK(min(1.0, x).gradient[0] == 0);
  CHECK(max(x, 1.0).gradient[0] == 1);
  CHECK(abs(var(0)).gradient[0] == 0);
  CHECK(abs(var2(0)).hessian(0, 0) == 0);
  CHECK(sign(var(0)).value == 0);
  CHECK(sign(-2.5) == -1);
  CHECK(sign(var(-3)).value == -1);
  CHECK(sign(var(-3)).gradient[0] == 0);
}

TEST_CASE("atan2_and_hypot_are_right_in_every_quadrant_and_on_the_axes") {
  const auto points = {std::pair{0.5, 1.5}, {0.5, -1.5}, {-0.5, 1.5}, {-0.5, -1.5},
                       {1.0, 0.0},          {-1.0, 0.0}, {0.0, 2.0}};
  check_binary(FUNCTION_2(atan2), points);
  check_binary(FUNCTION_2(hypot), points);
  // On the cut differences fail; the derivatives do not.
  const J cut = atan2(J::variable(0, 0), J::variable(-2, 1));
  CHECK(cut.value == std::numbers::pi);
  CHECK(cut.gradient[0] == -0.5);
  CHECK(cut.gradient[1] == 0);
  CHECK(atan2(J::variable(-0.0, 0), J::variable(-2, 1)).value == -std::numbers::pi);
}

TEST_CASE("atan2_hypot_and_the_inverse_functions_keep_their_digits_at_extreme_arguments") {
  const J far = hypot(J::variable(3e300, 0), J::variable(4e300, 1));
  CHECK(far.gradient[0] == doctest::Approx(0.6));
  CHECK(far.gradient[1] == doctest::Approx(0.8));
  const J near = atan2(J::variable(3e-300, 0), J::variable(4e-300, 1));
  CHECK(near.gradient[0] == doctest::Approx(0.8 / 5e-300));
  CHECK(near.gradient[1] == doctest::Approx(-0.6 / 5e-300));
  CHECK(atan2(J::variable(3e300, 0), J::variable(4e300, 1)).gradient[0] == doctest::Approx(0.8 / 5e300).scale(0));
  CHECK(tanh(var(30)).gradient[0] == doctest::Approx(4 * std::exp(-60.)).epsilon(1e-14).scale(0));
  const double x = 1 - 1e-14;  // 1 - x^2 would lose half a unit of 1, that is 1 percent of itself
  const double one_minus_x = 1 - x;
  CHECK(asin(var(x)).gradient[0] ==
        doctest::Approx(1 / std::sqrt(one_minus_x * (2 - one_minus_x))).epsilon(1e-15).scale(0));
  CHECK(acos(var(x)).gradient[0] == -asin(var(x)).gradient[0]);
}

TEST_CASE("powers_have_their_derivatives") {
  const auto power = FUNCTION_2(pow);
  check_binary(power, {{0.5, 1.5}, {2.5, -0.7}, {3.0, 2.0}, {1.0, 0.0}});
  for (int n : {-3, -2, -1, 0, 1, 2, 3, 4, 7})
    check_unary(
        [&](const auto& x) {
          using std::pow;
          return pow(x, n);
        },
        {0.8, -1.7});
  for (double p : {-2.0, -0.5, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0})
    check_unary(
        [&](const auto& x) {
          using std::pow;
          return pow(x, Widest(p));
        },
        {0.8, 2.3});
}

TEST_CASE("whole_powers_are_smooth_at_zero_and_for_negative_bases") {
  const double second_derivative[] = {0, 0, 2, 0, 0};
  for (int n = 0; n <= 4; ++n)
    for (const J2& y : {pow(var2(0), n), pow(var2(0), double(n)), pow(var2(0), J2(n))}) {
      CHECK(y.value == (n == 0 ? 1 : 0));
      CHECK(y.gradient[0] == (n == 1 ? 1 : 0));
      CHECK(y.gradient[1] == 0);
      CHECK(y.hessian(0, 0) == second_derivative[n]);
      CHECK(y.hessian(1, 0) == 0);
    }
  for (const J2& y : {pow(var2(-2), 3), pow(var2(-2), 3.0), pow(var2(-2), J2(3))}) {
    CHECK(y.value == -8);
    CHECK(y.gradient[0] == 12);
    CHECK(y.hessian(0, 0) == -12);
  }
  CHECK(pow(-2.0, J(3)).value == -8);
  CHECK(pow(-2.0, J(3)).gradient[0] == 0);
  CHECK(pow(0.0, J(3)).gradient[0] == 0);
  using Nested = Jet<Jet<double, 1>, 1>;
  const Nested square = pow(Nested::variable(Jet<double, 1>::variable(0, 0), 0), Nested(2));
  CHECK(square.gradient[0].gradient[0] == 2);
}

TEST_CASE("zero_to_a_variable_positive_power_is_constant") {
  const J2 y = pow(0.0, var2(1.5));
  CHECK(y.value == 0);
  CHECK(y.gradient[0] == 0);
  CHECK(y.hessian(0, 0) == 0);
  const J2 both = pow(J2::variable(0, 0), J2::variable(3, 1));
  CHECK(both.gradient[0] == 0);
  CHECK(both.gradient[1] == 0);
  CHECK(both.hessian(0, 1) == 0);
}

TEST_CASE("outside_the_domain_value_and_derivatives_are_nan") {
  for (const J2& y : {sqrt(var2(-1)), log(var2(-1)), asin(var2(1.5)), acos(var2(-1.5)), pow(var2(-1), 0.5),
                      pow(var2(-1), J2::variable(0.5, 1)), pow(-1.0, var2(0.5))}) {
    CHECK(is_nan(y.value));
    CHECK(is_nan(y.gradient[0]));
    CHECK(is_nan(y.hessian(0, 0)));
  }
  CHECK(is_nan(hypot(var(0), J::variable(0, 1)).gradient[0]));
  CHECK(hypot(var(0), J::variable(0, 1)).value == 0);
  CHECK(is_nan(atan2(var(0), J::variable(0, 1)).gradient[0]));
  const J nan(std::numeric_limits<double>::quiet_NaN());
  CHECK(is_nan(min(var(1), nan).value));
  CHECK(is_nan(max(nan, var(1)).value));
  CHECK(is_nan(abs(nan).value));
  CHECK(is_nan(sign(nan).value));
}

TEST_CASE("on_the_edge_of_the_domain_derivatives_are_infinite") {
  CHECK(sqrt(var(0)).value == 0);
  CHECK(sqrt(var(0)).gradient[0] == inf);
  CHECK(log(var(0)).value == -inf);
  CHECK(log(var(0)).gradient[0] == inf);
  CHECK(asin(var(1)).gradient[0] == inf);
  CHECK(asin(var(-1)).gradient[0] == inf);
  CHECK(acos(var(1)).gradient[0] == -inf);
  CHECK(pow(var(0), 0.5).gradient[0] == inf);
  CHECK(pow(var(0), -1).gradient[0] == -inf);
  CHECK(pow(J::variable(0, 0), J::variable(0.5, 0)).gradient[0] == inf);
  CHECK((1 / var(0)).value == inf);
}

TEST_CASE("an_infinite_slope_times_a_vanishing_derivative_is_nan") {
  CHECK(is_nan(sqrt(var(0) * var(0)).gradient[0]));  // |x| has no derivative at 0
  CHECK(is_nan(sqrt(var(0)).gradient[1]));
  CHECK(is_nan(sqrt(var2(0)).hessian(0, 0)));
}

TEST_CASE("comparisons_look_at_values") {
  const J x = var(1), y = J::variable(1, 1);
  CHECK(x == y);
  CHECK(x <= y);
  CHECK(x >= 1);
  CHECK(x < 1.5);
  CHECK(2 > x);
  CHECK(0.5 <= x);
  CHECK(x != 2);
  CHECK(!(x < y));
}

TEST_CASE("a_jet_belongs_to_its_innermost_real_type") {
  static_assert(std::is_same_v<RealOf<Jet<Jet2<long double, 3>, 2>>, long double>);
  static_assert(std::is_same_v<RealOf<Jet2<Widest, 3>>, Widest>);
  static_assert(std::is_trivially_copyable_v<Jet<double, 4>> && std::is_trivially_copyable_v<Jet2<Jet<double, 1>, 4>>);
  static_assert(sizeof(Jet2<double, 4>) == 15 * sizeof(double));
  CHECK(value_of(Jet<Jet<double, 1>, 2>(2.5)) == 2.5);
  CHECK(epsilon<J2>() == epsilon<double>());
  CHECK(is_finite(sqrt(var(2))));
  CHECK(!is_finite(sqrt(var(-2))));
}

TEST_CASE("numbers_of_every_kind_stand_beside_jets_of_jets") {
  using Inner = Jet<double, 1>;
  using Nested = Jet<Inner, 2>;
  const Inner t = Inner::variable(3, 0);
  const Nested x = Nested::variable(t, 0);  // d/dx outside, d/dt inside, x = t
  const Nested y = t * x + 2 * x - x * 1.5f + 1L - t / x;
  CHECK(y.value.value == 9 + 6 - 4.5 + 1 - 1);
  CHECK(y.gradient[0].value == 3 + 2 - 1.5 + 1. / 3);               // t + 1/2 + t/x^2
  CHECK(y.gradient[0].gradient[0] == doctest::Approx(1 - 1. / 9));  // d/dt of it along x = t: 1 + 1/x^2 - 2t/x^3
  const Nested z = pow(x, t);                                       // exponent varies inside only
  CHECK(z.gradient[0].value == doctest::Approx(27));
  CHECK(z.gradient[0].gradient[0] == doctest::Approx(27 * (std::log(3.) + 1)));  // d/dt t^t
}

TEST_CASE("third_derivatives_come_from_nesting_first_and_second_order") {
  using Third = Jet2<Jet<double, 1>, 1>;
  const Third x = Third::variable(Jet<double, 1>::variable(0.7, 0), 0);
  CHECK(exp(2 * x).hessian(0, 0).gradient[0] == doctest::Approx(8 * std::exp(1.4)).epsilon(1e-14).scale(0));
  CHECK(sin(x).hessian(0, 0).gradient[0] == doctest::Approx(-std::cos(0.7)).epsilon(1e-14).scale(0));
}
