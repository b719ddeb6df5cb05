// Values that run through a program together.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "livens/math/jet.hpp"
#include "world.hpp"

using namespace livens;
using namespace livens::formula;

namespace {

const char* const every_operation =
    "sin(x)*cos(y) - tan(x*y) + asin(x/4)/acos(y/4) - atan(x^3) + atan2(y, -x)*sinh(x) + cosh(y) - tanh(x + y)"
    "+ exp(-x^2)*log(y + 3) - sqrt(y)^-3 + abs(x - y) + min(x, y)*max(x, y, 0.1) + pow(y, x) - hypot(x, y)^5 + x'*y'*z";

template <class T, int lanes>
void check_lanes() {
  World world;
  std::vector<NodeId> outputs{world(every_operation)};
  const std::vector<Slot> variables{{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
  const auto gradient = world.graph.gradient(outputs[0], variables);
  outputs.insert(outputs.end(), gradient.begin(), gradient.end());

  Point<Batch<T, lanes>> all;
  std::vector<Point<T>> one(lanes);
  for (int l = 0; l < lanes; ++l) {
    Point<T>& point = one[static_cast<std::size_t>(l)];
    point.time[0] = all.time[0].lane[l] = T(0.25) + T(l);
    for (std::size_t i = 0; i < 3; ++i) {
      point.q[i] = all.q[i].lane[l] = T(0.3) + T(l) / 7 + T(static_cast<int>(i)) / 9;
      point.v[i] = all.v[i].lane[l] = T(1) - T(l) / 3;
    }
  }
  const auto together = evaluate(world.graph, outputs, all);
  for (int l = 0; l < lanes; ++l) {
    const auto alone = evaluate(world.graph, outputs, one[static_cast<std::size_t>(l)]);
    for (std::size_t k = 0; k < outputs.size(); ++k) CHECK(together[k].lane[l] == alone[k]);
  }
}

}  // namespace

TEST_CASE("a_lane_has_the_bits_of_a_value_that_runs_alone") {
  check_lanes<double, 1>();
  check_lanes<double, 8>();
  check_lanes<long double, 3>();
#if LIVENS_QUAD
  check_lanes<Quad, 2>();
#endif
}

TEST_CASE("a_lane_that_is_not_a_number_leaves_the_others_alone") {
  World world;
  Point<Batch<double, 4>> point;
  point.q[0] = Batch<double, 4>(2);
  point.q[0].lane[1] = -1;
  const auto value = evaluate(world.graph, {world("log(x)*x + max(x, 0)")}, point)[0];
  for (const int l : {0, 2, 3}) CHECK(value.lane[l] == std::log(2.0) * 2 + 2);
  CHECK(std::isnan(value.lane[1]));
}
