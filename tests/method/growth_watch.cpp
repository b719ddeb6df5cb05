#include "livens/method/growth_watch.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using livens::GrowthWatch;

namespace {

// The step at which growth is first told of; 0: never.
int seen(int steps, const std::function<double(int)>& value, double scale = 1) {
  GrowthWatch watch;
  for (int n = 1; n <= steps; ++n) {
    watch.look(value(n), scale);
    if (!watch.warning("it", "stop").empty()) return n;
  }
  return 0;
}

}  // namespace

TEST_CASE("what_grows_faster_than_a_line_is_seen_and_what_swings_is_not") {
  const int exponential = seen(10'000, [](int n) { return 1e-6 * std::exp(n / 200.0); });
  CHECK(exponential > 800);  // it has to reach 1e-4 first, at 921
  CHECK(exponential < 1024);
  const int cubic = seen(10'000, [](int n) { return 1e-9 * n * n * n; });
  CHECK(cubic > 64);
  CHECK(cubic < 256);
  CHECK(seen(10'000, [](int n) { return 1e-5 * n; }) == 0);
  CHECK(seen(10'000, [](int n) { return std::abs(std::sin(n / 7.0)); }) == 0);
  CHECK(seen(10'000, [](int n) { return std::pow(std::sin(n / 1000.0), 2); }) == 0);
  CHECK(seen(10'000, [](int n) { return 1e-9 * std::exp(n / 1000.0); }) == 0);  // too small to matter
}

TEST_CASE("a_warning_has_the_figures_and_is_taken_back_where_the_growth_ends") {
  GrowthWatch watch;
  for (int n = 1; n <= 200; ++n) watch.look(1e-9 * n * n * n, 1e-3);
  CHECK(watch.warning("the multiplier", "halve it").starts_with("the multiplier grows: "));
  CHECK(watch.warning("the multiplier", "halve it").ends_with(", 8.0e-03 at step 200; halve it"));
  for (int n = 201; n <= 2000; ++n) watch.look(8e-3, 1e-3);
  CHECK(watch.warning("the multiplier", "halve it") == "");
}
