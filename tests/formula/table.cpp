#include "livens/formula/table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "world.hpp"

using namespace livens;
using namespace livens::formula;

namespace {

// Uneven points from 0 to 2.
std::vector<Widest> points_of_table(int n, double uneven) {
  using std::sin;
  std::vector<Widest> x;
  for (int i = 0; i < n; ++i)
    x.push_back(Widest(2 * i) / (n - 1) + Widest(uneven) * sin(Widest(i * 355) / (n - 1)) / n);
  x.front() = 0, x.back() = 2;
  return x;
}

template <class F>
Table tabulated(const std::vector<std::vector<Widest>>& points, const F& f) {
  std::vector<Table::Variable> variables;
  for (const auto& x : points) variables.push_back({"", x});
  std::vector<Widest> values;
  const std::vector<Widest> one{Widest(0)};
  const auto& y_points = points.size() > 1 ? points[1] : one;
  const auto& z_points = points.size() > 2 ? points[2] : one;
  for (const Widest& x : points[0])
    for (const Widest& y : y_points)
      for (const Widest& z : z_points) values.push_back(f(x, y, z));
  return Table("B", variables, values);
}

}  // namespace

TEST_CASE("tables_reproduce_polynomials_of_degree_5_in_one_two_and_three_variables") {
  // and no more: x^6 is the control.
  const auto f = [](const auto& x, const auto& y, const auto& z) {
    const auto p = x * x * x * x * x - 2 * x * x + 1, q = y * y * y * (y * y - 3) + y, r = z * z * z * z * z + z;
    return p * (1 + q) * (2 + r);
  };
  for (std::size_t d = 1; d <= 3; ++d) {
    CAPTURE(d);
    std::vector<std::vector<Widest>> points;
    for (std::size_t k = 0; k < d; ++k) points.push_back(points_of_table(static_cast<int>(6 + 3 * k), 0.3));
    const Table B = tabulated(points, f);
    const Widest x = Widest(1) / 3, y = d > 1 ? Widest(7) / 5 : Widest(0), z = d > 2 ? Widest(3) / 7 : Widest(0);
    const auto error = [&]<class T>(const T&) {
      using std::abs;
      const T a = static_cast<T>(x), b = static_cast<T>(y), c = static_cast<T>(z);
      return to_double(abs(B({}, a, b, c) - f(a, b, c)) / epsilon<T>());
    };
    CHECK(error(double()) < 4 * 2.5);                   // measured 0, 2.5, 1
    CHECK(error(static_cast<long double>(0)) < 4 * 3);  // measured 1, 2, 3
    CHECK(error(Widest()) < 4 * 5);  // measured 2, 4, 5: the coefficients round in this precision, too
    // f_xx and, where they are there, f_xxyz: 20 x^3 - 4, q' = 5 y^4 - 9 y^2 + 1, r' = 5 z^4 + 1
    const double xx = 20 * std::pow(to_double(x), 3) - 4, yd = to_double(y), zd = to_double(z);
    const double q = yd * yd * yd * (yd * yd - 3) + yd, r = std::pow(zd, 5) + zd;
    CHECK(B({2, 0, 0}, to_double(x), yd, zd) == doctest::Approx(xx * (1 + q) * (2 + r)).epsilon(1e-13));
    if (d == 3)
      CHECK(B({2, 1, 1}, to_double(x), yd, zd) ==
            doctest::Approx(xx * (5 * std::pow(yd, 4) - 9 * yd * yd + 1) * (5 * std::pow(zd, 4) + 1)).epsilon(1e-12));
  }
  const Table sixth = tabulated({points_of_table(9, 0.3)},
                                [](const auto& x, const auto&, const auto&) { return x * x * x * x * x * x; });
  CHECK(std::abs(sixth({}, 0.33, 0.0, 0.0) - std::pow(0.33, 6)) > 1e-4);  // measured 6.2e-4
}

TEST_CASE("tables_take_their_values_have_order_6_and_continuous_fourth_derivatives") {
  const auto f = [](const auto& x, const auto&, const auto&) {
    using std::sin;
    return sin(3 * x);
  };
  const auto worst = [&](int n, std::uint8_t order) {
    const std::vector<Widest> points = points_of_table(n, 0.0);
    const Table B = tabulated({points}, f);
    for (const Widest& x : points)
      CHECK(std::abs(B({}, to_double(x), 0.0, 0.0) - std::sin(3 * to_double(x))) < 4 * 5.6e-16);  // measured 5.6e-16
    double error = 0;
    for (int i = 0; i <= 997; ++i) {
      const double x = 2.0 * i / 997, exact = std::pow(3.0, order) * std::sin(3 * x + order * std::acos(0.0));
      error = std::max(error, std::abs(B({order, 0, 0}, x, 0.0, 0.0) - exact));
    }
    return error;
  };
  for (const std::uint8_t order : std::initializer_list<std::uint8_t>{0, 1, 2, 4}) {
    const double coarse = worst(41, order), fine = worst(81, order), slope = std::log2(coarse / fine);
    CAPTURE(coarse);
    CHECK(slope > 6 - order - 0.2);  // measured 6.37, 5.37, 4.36, 2.33
    CHECK(slope < 6 - order + 0.5);
  }
  const Table B = tabulated({points_of_table(12, 0.3)}, f);
  for (const Widest& knot : points_of_table(12, 0.3)) {
    const double x = to_double(knot), h = 1e-9;
    if (x == 0 || x == 2) continue;
    for (const std::uint8_t order : std::initializer_list<std::uint8_t>{0, 3, 4}) {
      const double jump = B({order, 0, 0}, x + h, 0.0, 0.0) - B({order, 0, 0}, x - h, 0.0, 0.0);
      CHECK(std::abs(jump) < 4 * 6.3e-9 * std::pow(3.0, order));  // measured 6.3e-9: 2 h times the next derivative
    }
  }
}

TEST_CASE("tables_are_differentiated_exactly_and_are_no_numbers_outside") {
  World world;
  const auto f = [](const auto& x, const auto& y, const auto&) {
    using std::exp, std::sin;
    return sin(x) * exp(y / 2);
  };
  world.names.add_table(
      "B", std::make_shared<const Table>(tabulated({points_of_table(9, 0.2), points_of_table(8, 0.2)}, f)));
  const NodeId y = world("x'*B(x^2, x*y)");
  Point<long double> at{{0}, {0.8L, 1.3L, 0}, {2, 0, 0}};
  const auto value = [&](NodeId g, const Point<long double>& p) { return evaluate(world.graph, {g}, p)[0]; };
  const NodeId f_x = world("d(x'*B(x^2, x*y), x)"), f_xy = world("d(d(x'*B(x^2, x*y), x), y)");
  CHECK(world.graph.derivative(y, {1, 0}) == f_x);
  const auto difference = [&](NodeId g, std::size_t k) {
    const long double h = 1e-4L;
    Point<long double> right = at, left = at;
    right.q[k] += h, left.q[k] -= h;
    return (value(g, right) - value(g, left)) / (2 * h);
  };
  CHECK(to_double(value(f_x, at)) == doctest::Approx(to_double(difference(y, 0))).epsilon(1e-7));
  CHECK(to_double(value(f_xy, at)) == doctest::Approx(to_double(difference(f_x, 1))).epsilon(1e-7));
  CHECK(world.text("d(B(x, y), y)") == "d2 B(x, y)");
  CHECK(world("B(1, 1)") == world.graph.constant(world.graph.value(world("B(1, 1)"))));

  Point<double> outside{{0}, {2.5, 1, 0}, {1, 0, 0}};
  CHECK(std::isnan(evaluate(world.graph, {world("B(x, y)")}, outside)[0]));
  const auto fault = explain(world.graph, std::array{world("1 + B(x, y)")}, outside.blocks().data());
  REQUIRE(fault);
  CHECK(fault->message() == "B(x, y) with x = 2.5, y = 1 is outside of table B, whose variable 1 goes from 0 to 2");
}
