#include "livens/math/legendre.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "livens/math/jet.hpp"
#include "livens/math/quadrature.hpp"

using namespace livens;

namespace {

constexpr int count = 21;

template <class T>
using Evaluate = void (*)(int, const T&, T*);

template <class T>
std::vector<T> all(Evaluate<T> evaluate, const T& c, int n = count) {
  std::vector<T> out(static_cast<std::size_t>(n));
  evaluate(n, c, out.data());
  return out;
}

}  // namespace

TEST_CASE("the_first_legendre_polynomials_are_the_textbook_ones") {
  const double c = 0.3, x = 2 * c - 1;
  const auto P = all<double>(legendre_values, c);
  CHECK(P[0] == 1);
  CHECK(P[1] == doctest::Approx(std::sqrt(3.) * x).epsilon(1e-15));
  CHECK(P[2] == doctest::Approx(std::sqrt(5.) * (3 * x * x - 1) / 2).epsilon(1e-15));
  CHECK(P[3] == doctest::Approx(std::sqrt(7.) * (5 * x * x * x - 3 * x) / 2).epsilon(1e-15));
  const auto dP = all<double>(legendre_derivatives, c);
  CHECK(dP[0] == 0);
  CHECK(dP[1] == doctest::Approx(2 * std::sqrt(3.)).epsilon(1e-15));
  CHECK(dP[3] == doctest::Approx(std::sqrt(7.) * (15 * x * x - 3)).epsilon(1e-14));
}

TEST_CASE_TEMPLATE("legendre_polynomials_are_orthonormal", T, double, long double, Widest) {
  const Quadrature<T> rule = gauss<T>(count);
  T worst(0);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      T sum(0);
      for (std::size_t l = 0; l < count; ++l) {
        const auto P = all<T>(legendre_values, rule.nodes[l]);
        sum += rule.weights[l] * P[i] * P[j];
      }
      using std::abs;
      const T defect = abs(sum - (i == j ? 1 : 0));
      if (defect > worst) worst = defect;
    }
  CHECK(to_double(worst / epsilon<T>()) < 2 * 15.0);
}

TEST_CASE("derivatives_agree_with_jets") {
  const auto dP_end = all<double>(legendre_derivatives, 1.0);  // the largest values
  for (double c : {0.0, 1e-3, 0.3, 0.5, 0.77, 1.0}) {
    const auto dP = all<double>(legendre_derivatives, c);
    const auto P = all<Jet<double, 1>>(legendre_values, Jet<double, 1>::variable(c, 0));
    for (std::size_t j = 0; j < count; ++j)
      CHECK(std::abs(dP[j] - P[j].gradient[0]) / (1 + std::abs(dP_end[j])) < 2 * 1.1e-15);
  }
}

TEST_CASE("integrals_agree_with_the_xi_recurrence") {
  for (double c : {0.0, 1e-3, 0.3, 0.5, 0.77, 1.0}) {
    const auto I = all<double>(legendre_integrals, c);
    const auto P = all<double>(legendre_values, c, count + 1);
    CHECK(I[0] == c);
    CHECK(std::abs(legendre_xi<double>(0) * P[0] + legendre_xi<double>(1) * P[1] - c) < 3 * 5.6e-17);
    for (int j = 1; j < count; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const double expected = legendre_xi<double>(j + 1) * P[k + 1] - legendre_xi<double>(j) * P[k - 1];
      CHECK(std::abs(I[k] - expected) < 3 * 1.4e-16);
    }
  }
}

TEST_CASE("integrals_vanish_at_both_ends_and_are_relatively_accurate_beside_them") {
  for (double end : {0.0, 1.0}) {
    const auto I = all<double>(legendre_integrals, end);
    for (std::size_t j = 1; j < count; ++j) CHECK(I[j] == 0);
  }
  const double c = 1e-12;
  const auto I = all<double>(legendre_integrals, c);
  const auto exact = all<Widest>(legendre_integrals, Widest(c));
  for (std::size_t j = 0; j < count; ++j) CHECK(std::abs(to_double(I[j] / exact[j] - 1)) < 2 * 4.8e-15);
  const auto P0 = all<double>(legendre_values, 0.0);
  for (std::size_t j = 0; j < count; ++j) CHECK(I[j] / (c * P0[j]) == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("xi_and_the_integration_matrix_have_the_published_digits") {
  CHECK(legendre_xi<double>(0) == 0.5);
  CHECK(legendre_xi<double>(1) == doctest::Approx(0.2886751345948129).epsilon(1e-15));
  CHECK(legendre_xi<double>(2) == doctest::Approx(0.1290994448735806).epsilon(1e-15));
  CHECK(legendre_xi<double>(3) == doctest::Approx(0.08451542547285166).epsilon(1e-15));
  const Mat<double> X = integration_matrix<double>(3);
  const double expected[3][3] = {{0.5, -0.288675, 0}, {0.288675, 0, -0.129099}, {0, 0.129099, 0}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(X(i, j) == doctest::Approx(expected[i][j]).epsilon(2e-6));
  CHECK_THROWS_AS(integration_matrix<double>(0), std::invalid_argument);
}

// int P_i (int_0^c P_j) = X_ij for every rule with k >= s: the identity on which the line integral methods rest.
TEST_CASE_TEMPLATE("the_integration_matrix_is_the_moment_matrix_of_the_integrals", T, double, Widest) {
  using std::abs;
  const int s = 7;
  const Mat<T> X = integration_matrix<T>(s);
  for (int k : {7, 8, 12}) {
    const Quadrature<T> rule = gauss<T>(k);
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) {
        T sum(0);
        for (std::size_t l = 0; l < rule.nodes.size(); ++l)
          sum += rule.weights[l] * all<T>(legendre_values, rule.nodes[l], s)[static_cast<std::size_t>(i)] *
                 all<T>(legendre_integrals, rule.nodes[l], s)[static_cast<std::size_t>(j)];
        CHECK(to_double(abs(sum - X(i, j)) / epsilon<T>()) < 2 * 1.75);
      }
  }
}
