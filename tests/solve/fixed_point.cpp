// Sweeps of maps whose fixed points and contractions are known: where the iteration ends, and how it says so.
#include "livens/solve/fixed_point.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "livens/math/vec.hpp"

using namespace livens;

namespace {

using Point = Vec<double, 2>;

struct Map {
  std::function<Point(const Point&)> next;
  Point x;
  bool rounded = false;       // changes are at the round-off of the unknowns
  int singular_in_sweep = 0;  // 0: never
  int sweeps = 0;
  Point last{};

  bool sweep() {
    last = x;
    x = next(x);
    return ++sweeps != singular_in_sweep;
  }
  double change() const { return std::abs(x[0] - last[0]) + std::abs(x[1] - last[1]); }
  bool lost_in_rounding() const { return rounded; }
};

StepReport iterate(Map& map, SolverSettings<double> settings = {}) {
  StepReport report;
  fixed_point<double>(map, settings, report);
  return report;
}

// Turns by an angle, contracts and moves; the fixed point is (1, 2).
Point turned(const Point& x, double contraction, double angle) {
  const double a = x[0] - 1, b = x[1] - 2, c = contraction * std::cos(angle), s = contraction * std::sin(angle);
  return {1 + (c * a - s * b), 2 + (s * a + c * b)};
}

}  // namespace

TEST_CASE("sweeps whose changes go up and down end at round-off") {
  for (const double contraction : {0.05, 0.5, 0.85}) {
    Map map{[&](const Point& x) { return turned(x, contraction, 1.2); }, {30, -7}};
    const StepReport report = iterate(map);
    CHECK(report.outcome == Outcome::converged);
    CHECK(report.iterations + 1 == map.sweeps);  // one more than the rule asks for
    // measured 0, 0, 6.7e-16; with 0.85 the first change that is no smaller is the third one, 21 away
    CHECK(std::abs(map.x[0] - 1) + std::abs(map.x[1] - 2) < 4 * 6.7e-16);
  }
}

TEST_CASE("a tolerance ends sweeps early") {
  Map map{[](const Point& x) { return turned(x, 0.5, 0); }, {30, -7}};
  const StepReport report = iterate(map, {.tolerance = 1e-6});
  CHECK(report.outcome == Outcome::converged);
  CHECK(report.increment <= 1e-6);
  CHECK(report.increment > 1e-7);
}

TEST_CASE("sweeps that leave the root which they approached are given up") {
  Map map{[](const Point& x) { return Point{x[0] / 8, 4 * x[1]}; }, {1, 1e-9}};
  const StepReport report = iterate(map);
  CHECK(report.outcome == Outcome::stalled);
  CHECK(map.x[1] < 0.01);  // the smallest change, of both together, is 5e-6
  CHECK(report.contraction == doctest::Approx(4).epsilon(0.01).scale(0));
}

TEST_CASE("sweeps that contract too slowly are given up, with their contraction") {
  Map map{[](const Point& x) { return turned(x, 0.97, 0); }, {30, -7}};
  const StepReport report = iterate(map);
  CHECK(report.outcome == Outcome::stalled);
  CHECK(report.iterations == 300);
  CHECK(report.contraction == doctest::Approx(0.97));
  Map again{map.next, {30, -7}};
  CHECK(succeeded(iterate(again, {.iterations = 130}).outcome));
}

TEST_CASE("changes that stay above round-off are its floor if they are small or not felt") {
  const auto noise = [](double size) {
    return [size, sign = 1.0](const Point& x) mutable {
      sign = -sign;
      return Point{1 + (x[0] - 1) / 2 + sign * size, 2};
    };
  };
  Map small{noise(1e-11), {30, 2}};
  CHECK(iterate(small).outcome == Outcome::residual_floor);
  Map large{noise(1e-7), {30, 2}};
  CHECK(iterate(large).outcome == Outcome::stalled);
  Map not_felt{noise(1e-7), {30, 2}, true};
  const StepReport report = iterate(not_felt);
  CHECK(report.outcome == Outcome::residual_floor);
  CHECK(report.iterations < 40);
}

TEST_CASE("sweeps that cannot be done say whether they could at the guess") {
  const auto half = [](const Point& x) { return turned(x, 0.5, 0); };
  Map singular{half, {30, -7}, false, 1};
  CHECK(iterate(singular).outcome == Outcome::singular_jacobian);
  Map later{half, {30, -7}, false, 3};
  CHECK(iterate(later).outcome == Outcome::left_domain);
  const auto root = [](const Point& x) { return Point{std::sqrt(x[0]) - 2, 0}; };
  Map undefined{root, {-1, 0}};
  CHECK(iterate(undefined).outcome == Outcome::not_finite);
  Map left{root, {1, 0}};
  CHECK(iterate(left).outcome == Outcome::left_domain);
}
