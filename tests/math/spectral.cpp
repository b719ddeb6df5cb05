#include "livens/math/spectral.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace livens;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

// Largest errors of d/dx of exp(sin 2 pi x) and of cos(2 pi k x), together.
double error_of_periodic_derivative(int N, int k) {
  const auto n = static_cast<std::size_t>(N);
  std::vector<double> x(n), y(n), dx(n), dy(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double a = two_pi * static_cast<double>(j) / N;
    x[j] = std::exp(std::sin(a)), y[j] = std::cos(k * a);
  }
  PeriodicDerivative<double> derivative(N);
  derivative(x, y, dx, dy);
  double error = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double a = two_pi * static_cast<double>(j) / N;
    error = std::max(error, std::abs(dx[j] - two_pi * std::cos(a) * x[j]));
    error = std::max(error, std::abs(dy[j] + two_pi * k * std::sin(k * a)));
  }
  return error;
}

}  // namespace

TEST_CASE("periodic_samples_of_any_number_are_differentiated_to_round_off") {
  // primes, powers, products, and what the papers use
  for (const int N : {31, 32, 36, 37, 60, 64, 101, 105, 200, 211})
    CHECK_MESSAGE(error_of_periodic_derivative(N, 13) < 8e-12, N);  // slopes of 82; measured 4e-12
  CHECK(error_of_periodic_derivative(2000, 3) < 4e-11);             // measured 2e-11
  CHECK(error_of_periodic_derivative(1999, 3) < 4e-11);
}

TEST_CASE("few_samples_are_the_modes_that_they_can_hold") {
  std::vector<double> x{3}, dx(1);
  PeriodicDerivative<double>(1)(x, x, dx, dx);
  CHECK(dx[0] == 0);
  // 1, -1, 1, -1 is the mode N/2: as a cosine it has no slope at the samples
  std::vector<double> y{1, -1, 1, -1}, sine{0, 1, 0, -1}, dy(4), slope(4);
  PeriodicDerivative<double>(4)(y, sine, dy, slope);
  for (const double d : dy) CHECK(std::abs(d) < 1e-15);
  CHECK(slope[0] == doctest::Approx(two_pi).epsilon(1e-15).scale(0));
  CHECK(slope[2] == doctest::Approx(-two_pi).epsilon(1e-15).scale(0));
}

TEST_CASE("the_widest_scalar_is_differentiated_to_its_own_round_off") {
  using std::abs, std::cos, std::sin;
  const int N = 30;
  std::vector<Widest> x, slope;
  for (int j = 0; j < N; ++j) {
    const Widest a = 2 * detail::pi<Widest>() * j / N;
    x.push_back(sin(7 * a)), slope.push_back(14 * detail::pi<Widest>() * cos(7 * a));
  }
  std::vector<Widest> dx(x), dy(x);
  PeriodicDerivative<Widest> derivative(N);
  derivative(x, x, dx, dy);
  for (std::size_t j = 0; j < x.size(); ++j) {
    CHECK(abs(dx[j] - slope[j]) < 4000 * epsilon<Widest>());
    CHECK(abs(dy[j] - slope[j]) < 4000 * epsilon<Widest>());
  }
}

TEST_CASE("chebyshev_rules_are_exact_for_the_polynomials_through_their_points") {
  for (const int points : {2, 3, 4, 7, 24, 25}) {
    CAPTURE(points);
    const ChebyshevRule<double> rule(points);
    CHECK(rule.nodes().front() == 0);
    CHECK(rule.nodes().back() == 1);
    for (int degree = 0; degree < points; ++degree) {
      double integral = 0, error = 0;
      for (int i = 0; i < points; ++i) {
        const double x = rule.nodes()[static_cast<std::size_t>(i)];
        integral += rule.weights()[static_cast<std::size_t>(i)] * std::pow(x, degree);
        double slope = 0;
        for (int j = 0; j < points; ++j)
          slope += rule.derivative()(i, j) * std::pow(rule.nodes()[static_cast<std::size_t>(j)], degree);
        error = std::max(error, std::abs(slope - (degree == 0 ? 0 : degree * std::pow(x, degree - 1))));
      }
      CHECK(integral == doctest::Approx(1.0 / (degree + 1)).epsilon(4e-15).scale(0));
      CHECK(error < 1e-14 * points * points);
    }
  }
}

TEST_CASE("chebyshev_rules_converge_on_smooth_functions") {
  const ChebyshevRule<double> rule(24);
  double integral = 0, error = 0;
  for (int i = 0; i < 24; ++i) {
    const double x = rule.nodes()[static_cast<std::size_t>(i)];
    integral += rule.weights()[static_cast<std::size_t>(i)] * std::cos(two_pi * x) * std::exp(x);
    double slope = 0;
    for (int j = 0; j < 24; ++j)
      slope += rule.derivative()(i, j) * std::sin(two_pi * rule.nodes()[static_cast<std::size_t>(j)]);
    error = std::max(error, std::abs(slope - two_pi * std::cos(two_pi * x)));
  }
  CHECK(integral == doctest::Approx((std::exp(1) - 1) / (1 + two_pi * two_pi)).epsilon(1e-14).scale(0));
  CHECK(error < 2e-12);
}

TEST_CASE("rules_without_points_are_refused") {
  CHECK_THROWS_AS(PeriodicDerivative<double>(0), std::invalid_argument);
  CHECK_THROWS_AS(ChebyshevRule<double>(1), std::invalid_argument);
}

TEST_CASE("the_upper_half_of_the_modes_is_told_apart_in_two_functions_at_once") {
  for (const int N : {32, 33}) {
    std::vector<double> x, y;
    for (int j = 0; j < N; ++j) {
      const double a = two_pi * j / N;
      x.push_back(3 + std::cos(7 * a) + 0.2 * std::sin(9 * a)), y.push_back(std::sin(a) - 0.5 * std::cos(12 * a));
    }
    const auto [of_x, of_y] = PeriodicDerivative<double>(N).upper_half(x, y);
    CHECK(of_x == doctest::Approx(0.2 / std::sqrt(2.0)).epsilon(1e-13).scale(0));
    CHECK(of_y == doctest::Approx(0.5 / std::sqrt(2.0)).epsilon(1e-13).scale(0));
  }
}

TEST_CASE("chebyshev_coefficients_give_the_samples_back") {
  const ChebyshevRule<double> rule(7);
  for (int k = 0; k < 7; ++k)
    for (int m = 0; m < 7; ++m) {
      double sum = 0;  // coefficient m of T_k(1 - 2x)
      for (int i = 0; i < 7; ++i)
        sum += rule.coefficients()(m, i) * std::cos(k * std::acos(1 - 2 * rule.nodes()[static_cast<std::size_t>(i)]));
      CHECK(std::abs(sum - (k == m ? 1 : 0)) < 1e-14);
    }
}
