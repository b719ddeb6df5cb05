#include "livens/math/lagrange.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

using namespace livens;

namespace {

template <class T>
std::vector<T> equidistant(int count) {
  std::vector<T> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back(T(i) / T(count - 1));
  return nodes;
}

std::vector<Widest> widened(const std::vector<double>& nodes) {
  return {nodes.begin(), nodes.end()};
}

}  // namespace

TEST_CASE_TEMPLATE("lagrange_polynomials_are_exactly_zero_or_one_at_the_nodes", T, double, long double, Widest) {
  for (int count = 2; count <= 21; ++count)
    for (const auto& nodes : {gauss<T>(count).nodes, lobatto<T>(count).nodes, equidistant<T>(count)}) {
      const LagrangeBasis<T> l(nodes);
      for (int nu = 0; nu < count; ++nu)
        for (int mu = 0; mu < count; ++mu)
          if (l.value(nu, nodes[static_cast<std::size_t>(mu)]) != T(nu == mu)) FAIL("not Kronecker at ", nu, " ", mu);
    }
}

TEST_CASE("values_and_derivatives_keep_their_digits_at_near_and_between_nodes_up_to_degree_20") {
  double worst_value = 0, worst_derivative = 0, worst_integral = 0;
  for (int count : {1, 2, 3, 5, 11, 21}) {
    const std::vector<double> nodes = gauss<double>(count).nodes;
    const LagrangeBasis<double> l(nodes);
    const LagrangeBasis<Widest> reference(widened(nodes));
    std::vector<double> points = {0, 1e-9, 0.123, 0.5, 0.9, 1};
    for (double c : nodes)
      for (double shift : {0.0, 1e-16, -1e-13, 1e-10, 1e-6, -1e-3}) points.push_back(c + shift);
    for (double c : points)
      for (int nu = 0; nu < count; ++nu) {
        const Widest w(c);
        using std::abs;
        const double value = to_double(reference.value(nu, w)), scale = std::abs(value);
        if (scale > 0) worst_value = std::max(worst_value, std::abs(l.value(nu, c) - value) / scale);
        const double degree2 = count * count;  // size of l' for Gauss nodes (Markov)
        worst_derivative = std::max(worst_derivative,
                                    std::abs(l.derivative(nu, c) - to_double(reference.derivative(nu, w))) / degree2);
        worst_integral = std::max(worst_integral, std::abs(l.integral(nu, c) - to_double(reference.integral(nu, w))));
      }
  }
  CHECK(worst_value < 2 * 1.6e-15);
  CHECK(worst_derivative < 2 * 7.8e-16);
  CHECK(worst_integral < 2 * 3.7e-16);
}

TEST_CASE("lagrange_interpolation_reproduces_polynomials_their_slopes_and_integrals") {
  for (int count : {2, 3, 5, 8, 13, 21}) {
    const std::vector<double> nodes = lobatto<double>(count).nodes;
    const LagrangeBasis<double> l(nodes);
    CHECK(l.degree() == count - 1);
    CHECK(l.nodes() == nodes);
    for (double c : {0.0, 0.1, 0.5, 0.83, 1.0}) {
      double value = 0, slope = 0, integral = 0, sum_of_slopes = 0;
      for (int nu = 0; nu < count; ++nu) {
        const double y = std::pow(nodes[static_cast<std::size_t>(nu)], count - 1);
        value += y * l.value(nu, c);
        slope += y * l.derivative(nu, c);
        integral += y * l.integral(nu, c);
        sum_of_slopes += l.derivative(nu, c);
      }
      CHECK(std::abs(value - std::pow(c, count - 1)) < 4 * 4.2e-17);
      CHECK(std::abs(slope - (count - 1) * std::pow(c, count - 2)) / (count * count) < 3 * 2.6e-16);
      CHECK(std::abs(integral - std::pow(c, count) / count) < 4 * 2.8e-17);
      CHECK(std::abs(sum_of_slopes) / (count * count) < 3 * 4.8e-16);
    }
  }
}

TEST_CASE("integrals_over_three_equidistant_nodes_are_the_lobatto_IIIA_coefficients") {
  const LagrangeBasis<double> l({0.0, 0.5, 1.0});
  const double half[3] = {5. / 24, 1. / 3, -1. / 24}, full[3] = {1. / 6, 2. / 3, 1. / 6};
  for (int nu = 0; nu < 3; ++nu) {
    CHECK(l.integral(nu, 0.5) == doctest::Approx(half[nu]).epsilon(1e-15).scale(0));
    CHECK(l.integral(nu, 1.0) == doctest::Approx(full[nu]).epsilon(1e-15).scale(0));
    CHECK(l.integral(nu, 0.0) == 0);
  }
}

TEST_CASE("equidistant_nodes_of_degree_20_lose_only_what_their_lebesgue_constant_costs") {
  const std::vector<double> nodes = equidistant<double>(21);
  const LagrangeBasis<double> l(nodes);
  double worst = 0;
  for (double c : {0.012, 0.31, 0.5001, 0.97, 0.999}) {
    double sum = 0;
    for (int nu = 0; nu < 21; ++nu) sum += l.value(nu, c);
    worst = std::max(worst, std::abs(sum - 1));
  }
  CHECK(worst < 3 * 6.6e-13);  // Lebesgue constant 1.1e4
}

TEST_CASE("equal_or_missing_nodes_are_refused") {
  CHECK_THROWS_AS(LagrangeBasis<double>({0.0, 0.5, 0.5}), std::invalid_argument);
  CHECK_THROWS_AS(LagrangeBasis<double>(std::vector<double>{}), std::invalid_argument);
}
