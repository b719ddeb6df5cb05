// Tables of stages: known coefficients, the conditions of symplecticity, and rows that are solved for the velocities.
#include "livens/math/tableau.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "livens/method/galerkin.hpp"

using namespace livens;

namespace {

void near(const Mat<Widest>& a, std::initializer_list<double> expected) {
  REQUIRE(a.rows() * a.cols() == static_cast<int>(expected.size()));
  const Widest* x = a.data();
  for (const double e : expected) CHECK(std::abs(to_double(*x++) - e) < 1e-16);
}

// sum_i C_ki slope_il - delta_kl
double from_unity(const StageTable<Widest>& t) {
  double largest = 0;
  for (int k = 0; k < t.stages(); ++k)
    for (int l = 0; l < t.stages(); ++l) {
      Widest sum(k == l ? -1 : 0);
      for (int i = 0; i < t.nodes(); ++i) sum += t.C(k, i) * t.slope(i, l);
      largest = std::max(largest, std::abs(to_double(sum)));
    }
  return largest;
}

// Uniform motion: slope u = 1, value u = c, reach u = x, end u = 1
double from_uniform_motion(const StageTable<Widest>& t) {
  double largest = 0;
  const auto take = [&](const auto& row, const Widest& expected) {
    Widest sum = -expected;
    for (int k = 0; k < t.stages(); ++k) sum += row(k) * t.uniform[static_cast<std::size_t>(k)];
    largest = std::max(largest, std::abs(to_double(sum)));
  };
  for (int i = 0; i < t.nodes(); ++i) {
    take([&](int k) { return t.slope(i, k); }, Widest(1));
    take([&](int k) { return t.value(i, k); }, t.c[static_cast<std::size_t>(i)]);
  }
  for (int l = 0; l < t.points(); ++l) take([&](int k) { return t.reach(l, k); }, t.x[static_cast<std::size_t>(l)]);
  take([&](int k) { return t.end[static_cast<std::size_t>(k)]; }, Widest(1));
  return largest;
}

}  // namespace

TEST_CASE("tableaux_of_gauss_and_lobatto_are_the_known_ones") {
  const double r = std::sqrt(3.0) / 6;
  near(gauss_tableau(1).a, {0.5});
  near(gauss_tableau(2).a, {0.25, 0.25 - r, 0.25 + r, 0.25});
  near(lobatto_IIIA(2).a, {0, 0, 0.5, 0.5});
  near(lobatto_IIIB(2).a, {0.5, 0, 0.5, 0});
  near(lobatto_IIIA(3).a, {0, 0, 0, 5. / 24, 1. / 3, -1. / 24, 1. / 6, 2. / 3, 1. / 6});
  near(lobatto_IIIB(3).a, {1. / 6, -1. / 6, 0, 1. / 6, 1. / 3, 0, 1. / 6, 5. / 6, 0});
}

TEST_CASE("tables_are_symplectic") {
  // b_i A_ij + b_j value_ji = b_i b_j ,   b_i B_ij + w_j reach_ji = b_i w_j
  const auto defect = [](const StageTable<Widest>& t) {
    double largest = 0;
    for (int i = 0; i < t.stages(); ++i) {
      const Widest& b = t.weight[static_cast<std::size_t>(i)];
      for (int j = 0; j < t.nodes(); ++j) {
        const Widest& other = t.weight[static_cast<std::size_t>(j)];
        largest = std::max(largest, std::abs(to_double(b * t.A(i, j) + other * t.value(j, i) - b * other)));
      }
      for (int j = 0; j < t.multipliers(); ++j) {
        const Widest& w = t.impulse[static_cast<std::size_t>(j)];
        largest = std::max(largest, std::abs(to_double(b * t.B(i, j) + w * t.reach(j, i) - b * w)));
      }
    }
    return largest;
  };
  const double round_off = to_double(8 * epsilon<Widest>());
  for (int s = 1; s <= 6; ++s) {
    CAPTURE(s);
    CHECK(defect(gauss_lobatto_spark(s)) < round_off);
    if (s > 1) CHECK(defect(partitioned_table(lobatto_IIIA(s), lobatto_IIIB(s))) < round_off);
  }
}

TEST_CASE("rows_of_tables_are_solved_for_the_velocities_and_know_uniform_motion") {
  const double round_off = to_double(200 * epsilon<Widest>());
  using Rule = Galerkin::Rule;
  for (int s = 1; s <= 6; ++s) {
    CAPTURE(s);
    std::vector<StageTable<Widest>> tables{gauss_lobatto_spark(s),
                                           Galerkin{.s = s}.table(),
                                           Galerkin{.s = s, .points = Galerkin::Points::equidistant}.table(),
                                           Galerkin{.s = s, .quadrature = Rule::lobatto}.table(),
                                           Galerkin{.s = s, .constraint_quadrature = Rule::radau}.table(),
                                           Galerkin{.s = s, .constraint_quadrature = Rule::gauss}.table()};
    if (s > 1) tables.push_back(partitioned_table(lobatto_IIIA(s), lobatto_IIIB(s)));
    for (const auto& table : tables) {
      CHECK(from_unity(table) < round_off);
      CHECK(from_uniform_motion(table) < round_off);
    }
  }
}

TEST_CASE("values_of_polynomials_are_continued_by_a_step") {
  const Mat<Widest> rows = continuation_of({Widest(0), Widest(1) / 2, Widest(1)});
  const auto p = [](const Widest& x) { return 3 * x * x - 2 * x + 1; };
  for (int i = 0; i < 3; ++i) {
    Widest sum(0);
    for (int k = 0; k < 3; ++k) sum += rows(i, k) * p(Widest(k) / 2);
    CHECK(to_double(sum) == to_double(p(1 + Widest(i) / 2)));
  }
}
