// The level curve of a phase portrait.
#include "report/phase_portrait.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace livens;

namespace {

Model pendulum(const std::string& q, const std::string& record = "") {
  return read_model("m.toml",
                    "[system]\nkind = \"degenerate\"\ncoordinates = [\"x\", \"p\"]\ntheta = [\"p\", \"0\"]\n"
                    "hamiltonian = \"p^2/2 - cos(x)\"\n[initial]\nq = " +
                        q + "\n" + record);
}

double off(const std::vector<svg::Point>& curve, double level) {
  double largest = 0;
  for (const svg::Point& p : curve) largest = std::max(largest, std::abs(p.y * p.y / 2 - std::cos(p.x) - level));
  return largest;
}

}  // namespace

TEST_CASE("a_closed_level_is_closed_and_an_open_one_goes_both_ways") {
  const double H = 1 / 2. - 1;
  const auto closed = report::level_curve(pendulum("[0.0, 1.0]"), {{-1, -1}, {1, 1}});
  CHECK(closed.points.size() > 400);
  CHECK(off(closed.points, H) < 1e-9);
  CHECK(closed.points.front().x == closed.points.back().x);
  CHECK(closed.points.front().y == closed.points.back().y);
  const auto open = report::level_curve(pendulum("[0.0, 3.0]"), {{0, 2}, {10, 3}});
  CHECK(off(open.points, 9 / 2. - 1) < 1e-9);
  const auto [left, right] =
      std::minmax_element(open.points.begin(), open.points.end(), [](auto& a, auto& b) { return a.x < b.x; });
  CHECK(left->x < -4.9);
  CHECK(right->x > 14.9);
}

TEST_CASE("a_level_is_drawn_in_the_order_of_the_recorded_coordinates") {
  const auto curve =
      report::level_curve(pendulum("[0.0, 1.0]", "[record]\ncoordinates = [\"p\", \"x\"]\n"), {{-1, -1}, {1, 1}});
  std::vector<svg::Point> turned;
  for (const svg::Point& p : curve.points) turned.push_back({p.y, p.x});
  CHECK(turned.size() > 400);
  CHECK(off(turned, -0.5) < 1e-9);
}
