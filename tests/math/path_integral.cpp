#include "livens/math/path_integral.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace livens;

namespace {

// q = sin t, and f = q^2 v^2 exp(-t/3) or whatever, at nodes of that step; the largest error against `exact`.
template <class F, class Exact>
double largest_error(double h, int steps, const F& f, const Exact& exact) {
  PathIntegral<double, 1> integral(1);
  double largest = 0;
  for (int i = 0; i <= steps; ++i) {
    const double t = i * h;
    const Vec<double, 1> q{std::sin(t)}, v{std::cos(t)};
    if (i == 0)
      integral.start(t, h, q, v, f);
    else
      integral.add(t, q, v, f);
    largest = std::max(largest, std::abs(integral.value() - exact(t)));
  }
  return largest;
}

}  // namespace

TEST_CASE("integrals_of_powers_of_time_up_to_the_fifth_are_exact_once_six_nodes_are_known") {
  for (int power = 0; power <= 6; ++power) {
    CAPTURE(power);
    const auto f = [&](double t, const Vec<double, 1>&, const Vec<double, 1>&) { return std::pow(t, power); };
    PathIntegral<double, 1> integral(1);
    const Vec<double, 1> still{0.0};
    double at_5 = 0;
    for (int i = 0; i <= 9; ++i) {
      if (i == 0)
        integral.start(0, 0.5, still, still, f);
      else
        integral.add(0.5 * i, still, still, f);
      if (i == 4) at_5 = integral.value();
    }
    const auto exact = [&](double t) { return std::pow(t, power + 1) / (power + 1); };
    const double error = integral.value() - at_5 - (exact(4.5) - exact(2.0));
    if (power <= 5)
      CHECK(std::abs(error) < 4e-16 * exact(4.5) * 16);
    else
      CHECK(std::abs(error) > 1e-3);
  }
}

TEST_CASE("the_integral_of_a_function_of_the_motion_has_its_order_from_the_first_step_on") {
  // d/dt (sin^3 t cos t exp(t/4)), as a function of q = sin t, v = cos t and t
  const auto f = [](double t, const Vec<double, 1>& q, const Vec<double, 1>& v) {
    return std::exp(t / 4) * (3 * q[0] * q[0] * v[0] * v[0] - std::pow(q[0], 4) + q[0] * q[0] * q[0] * v[0] / 4);
  };
  const auto exact = [](double t) { return std::pow(std::sin(t), 3) * std::cos(t) * std::exp(t / 4); };
  const double coarse = largest_error(0.02, 500, f, exact), fine = largest_error(0.01, 1000, f, exact);
  const double first = largest_error(0.02, 1, f, exact), first_fine = largest_error(0.01, 1, f, exact);
  MESSAGE("whole: " << coarse << ", " << fine << "; first step: " << first << ", " << first_fine);
  CHECK(std::log2(coarse / fine) > 4.8);
  CHECK(std::log2(coarse / fine) < 6.5);
  CHECK(std::log2(first / first_fine) > 4.8);
}

TEST_CASE("a_shorter_step_is_a_new_beginning") {
  const auto f = [](double t, const Vec<double, 1>& q, const Vec<double, 1>& v) { return q[0] * v[0] + 0 * t; };
  PathIntegral<double, 1> integral(1);
  const std::vector<double> times = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.64, 0.74, 0.84};
  for (const double t : times) {
    const Vec<double, 1> q{std::sin(t)}, v{std::cos(t)};
    if (t == 0)
      integral.start(t, 0.1, q, v, f);
    else
      integral.add(t, q, v, f);
    CHECK(std::abs(integral.value() - std::pow(std::sin(t), 2) / 2) < 1e-7);
  }
}

TEST_CASE("steps_are_regular_far_from_the_origin_of_time_too") {
  // The same motion and step at times that are rounded to 2e-9: the same digits.
  const auto f = [](double, const Vec<double, 1>& q, const Vec<double, 1>& v) { return q[0] * v[0] * v[0]; };
  const auto integral_from = [&](double t0) {
    PathIntegral<double, 1> integral(1);
    for (int n = 0; n <= 1000; ++n) {
      const double t = n * 1e-3;
      const Vec<double, 1> q{std::sin(t)}, v{std::cos(t)};
      if (n == 0)
        integral.start(t0, 1e-3, q, v, f);
      else
        integral.add(t0 + t, q, v, f);
    }
    return integral.value();
  };
  CHECK(integral_from(1e7) == integral_from(0));
}
