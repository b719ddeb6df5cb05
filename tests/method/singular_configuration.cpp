// A parallelogram linkage turns at constant speed until both cranks and the coupler lie on one line: there the three
// constraints lose rank. The step that lands there is refused by dense matrices, Schur complement and sparse LU alike.
//
// Free of forces, a step of RATTLE on the unit circle turns by asin(h v), v being the speed: the start is so many of
// these before the line.
#include <doctest/doctest.h>

#include <cmath>

#include "verify/stated_march.hpp"

using namespace livens;
using namespace livens::test;

namespace {

constexpr double h = 0.01;

// The run of eight steps that would be on the line after `before` of them.
RunReport turn(const std::string& method, const std::string& linear, double before) {
  const double angle = -before * std::asin(h), c = std::cos(angle), s = std::sin(angle);
  return march_stated(R"toml(
coordinates = ["x1", "y1", "x2", "y2"]
lagrangian  = "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/2"
constraints = ["(x1^2 + y1^2 - 1)/2", "((x2 - 2)^2 + y2^2 - 1)/2", "((x2 - x1)^2 + (y2 - y1)^2 - 4)/2"]
)toml",
                      method, {.q = {c, s, 2 + c, s}, .v = {-s, c, -s, c}, .step = h, .steps = 8},
                      {{"solver.linear", linear}})
      .report;
}

}  // namespace

TEST_CASE("steps_stop_where_constraints_lose_rank_however_their_equations_are_solved") {
  for (const std::string method :
       {"rattle", "shake", "constrained-euler", "name = \"constrained-euler\"\nconjugate = true"})
    for (const std::string linear : {"dense", "schur", "sparse"}) {
      CAPTURE(method);
      CAPTURE(linear);
      const RunReport lands = turn(method, linear, 5), passes = turn(method, linear, 5.01);  // beside it
      REQUIRE(lands.failure);
      CHECK(lands.failure->outcome == Outcome::singular_jacobian);
      CHECK(lands.steps == 4);
      CHECK_FALSE(passes.failure);
      CHECK(passes.steps == 8);
    }
}
