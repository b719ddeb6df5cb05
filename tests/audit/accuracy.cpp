// How wrong a motion is, from two finer ones.
#include "livens/audit/accuracy.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

using namespace livens;

namespace {

constexpr double eps = 2.2e-16;

// q = cos t, sin t over so many units of time, with errors e(t), e(t)/2^s and e(t)/4^s of runs with h, h/2, h/4.
Accuracy of_errors(const std::function<double(double)>& error, double slope, double end = 100) {
  Differences differences;
  const double first = 1 - std::exp2(-slope), second = first * std::exp2(-slope);
  for (int n = 0; n <= 10000; ++n) {
    const double t = end * n / 10000, q[2] = {std::cos(t), std::sin(t)};
    differences.take_sizes(q, q);
    if (n > 0) differences.add({t, first * error(t), second * error(t), first * error(t), second * error(t)});
  }
  return differences.estimate(0, eps);
}

}  // namespace

TEST_CASE("errors_and_slopes_are_those_of_the_coarsest_run") {
  for (const double slope : {1.0, 2.0, 4.0, 8.0}) {
    CAPTURE(slope);
    const Accuracy a = of_errors([](double t) { return 1e-5 * t * (1 + 0.5 * std::sin(t)); }, slope);
    CHECK(*a.slope == doctest::Approx(slope).epsilon(1e-9));
    CHECK(a.q.end == doctest::Approx(1e-3 * (1 + 0.5 * std::sin(100.0))).epsilon(1e-9));
    CHECK(a.q.max == doctest::Approx(1.5e-5 * 95.8).epsilon(0.01));
    CHECK(a.p.max == doctest::Approx(a.q.max).epsilon(1e-9));
    CHECK(!a.horizon);
  }
  const Accuracy a = of_errors([](double t) { return 3e-9 * t; }, 4);
  CHECK(accuracy_in_words(a) == "the motion is right to about 3e-07 of its size; half the step would give 2e-08");
}

// As of a stiff spring, which hardly moves anything and has large momenta.
TEST_CASE("momenta_that_are_worse_than_positions_are_told") {
  const auto words = [](double q, double p, double slope, std::string_view name = "momenta") {
    Differences differences;
    for (int n = 0; n <= 1000; ++n) {
      const double t = 0.1 * n, x[2] = {std::cos(t), std::sin(t)}, d = t * (1 - std::exp2(-slope)) / 100;
      differences.take_sizes(x, x);
      if (n > 0) differences.add({t, q * d, q * d * std::exp2(-slope), p * d, p * d * std::exp2(-slope)});
    }
    return accuracy_in_words(differences.estimate(0, eps), name);
  };
  const std::string alone = "the motion is right to about 3e-07 of its size; half the step would give 2e-08";
  CHECK(words(3e-7, 8e-7, 4) == alone);
  CHECK(words(3e-7, 1e-9, 4) == alone);
  CHECK(words(3e-7, 2e-3, 4) ==
        "the motion is right to about 3e-07 of its size, momenta to about 0.002; half the step would give 2e-08 and "
        "0.0001");
  CHECK(words(3e-7, 2e-3, 4, "velocities").starts_with("the motion is right to about 3e-07 of its size, velocities "));
  CHECK(words(3e-7, 2e-3, 4, "") == alone);  // p = theta(q)
  CHECK(words(3e-16, 2e-3, 2) ==
        "the motion is right to about 3e-16 of its size, which is round-off, momenta to about 0.002: a smaller step "
        "would not help the motion");
  CHECK(words(1e-4, 2e-3, 0.2).ends_with(" of its size, momenta to about 0.0005, by plain comparison: no order shows"));
}

TEST_CASE("what_was_asked_for_is_not_claimed_of_momenta") {
  Accuracy a;
  a.asked = 1e-6, a.q = {3e-7, 3e-7}, a.p = {8e-7, 8e-7};
  CHECK(accuracy_in_words(a) == "the motion is right to about 3e-07 of its size, asked for 1e-06");
  a.p = {2e-3, 2e-3};
  CHECK(
      accuracy_in_words(a) ==
      "the motion is right to about 3e-07 of its size, asked for 1e-06; that is not asked of momenta, which are right "
      "to about 0.002 of theirs");
}

TEST_CASE("momenta_of_what_rests_are_round_off_of_no_size") {
  Differences differences;
  for (int n = 0; n <= 100; ++n) {
    const double q[1] = {1}, p[1] = {1e-17};
    differences.take_sizes(q, p);
    if (n > 0) differences.add({0.1 * n, 0, 0, 1e-17, 1e-17});
  }
  CHECK(accuracy_in_words(differences.estimate(0, eps)).find("momenta") == std::string::npos);
}

TEST_CASE("without_a_slope_differences_are_added") {
  const Accuracy a = of_errors([](double) { return 1e-4; }, 0.2);
  CHECK(!a.slope);
  CHECK(a.q.max == doctest::Approx(1e-4 * (1 - std::exp2(-0.4))).epsilon(1e-9));
  const Accuracy noise = of_errors([](double) { return 1e-15; }, 2);
  CHECK(!noise.slope);
  CHECK(noise.at_round_off);
}

TEST_CASE("only_exponential_growth_has_a_horizon") {
  const Accuracy chaos = of_errors([](double t) { return std::min(1.0, 1e-8 * std::exp(0.5 * t)); }, 2);
  REQUIRE(chaos.horizon);
  CHECK(*chaos.horizon == doctest::Approx(2 * std::log(0.2e8 / 0.75)).epsilon(0.02));
  CHECK(accuracy_in_words(chaos).starts_with("errors grow exponentially: beyond t = 34"));
  CHECK(!of_errors([](double t) { return std::min(1.0, 1e-8 * std::exp(0.1 * t)); }, 2).horizon);  // not reached
  CHECK(!of_errors([](double t) { return std::min(1.0, 0.05 * t); }, 2).horizon);
  CHECK(!of_errors([](double t) { return std::min(1.0, 0.001 * t * t); }, 2).horizon);
}

// A pendulum that starts near its upper rest, or an orbit near its centre: a regular motion grows like that once.
TEST_CASE("of_a_few_steps_no_horizon_is_told") {
  const auto horizon = [](int steps) {
    Differences differences;
    for (int n = 0; n <= steps; ++n) {
      const double t = 40.0 * n / steps, q[2] = {std::cos(t), std::sin(t)}, d = std::min(1.0, 1e-8 * std::exp(0.5 * t));
      differences.take_sizes(q, q);
      if (n > 0) differences.add({t, d, d / 4, d, d / 4});
    }
    return differences.estimate(0, eps).horizon;
  };
  for (const int steps : {8, 12, 20, 40, 70}) CHECK(!horizon(steps));
  for (const int steps : {80, 200, 5000}) CHECK(horizon(steps));
}

TEST_CASE("a_step_too_large_to_follow_the_motion_is_no_chaos") {
  Differences differences;
  for (int n = 0; n <= 1000; ++n) {
    const double t = 0.1 * n, q[2] = {std::cos(t), std::sin(t)}, d1 = std::min(1.0, 1e-8 * std::exp(0.5 * t)),
                 d2 = 1e-9 * (1 + t);
    differences.take_sizes(q, q);
    if (n > 0) differences.add({t, d1, d2, d1, d2});
  }
  const Accuracy a = differences.estimate(0, eps);
  CHECK(!a.horizon);
  CHECK(accuracy_in_words(a) == "the motion is off by about 1 of its size: the step is too large to follow it");
}

TEST_CASE("half_the_step_that_goes_on_for_more_than_twice_as_long_helps") {
  Differences differences;
  for (int n = 0; n <= 1000; ++n) {
    const double t = 0.1 * n, q[2] = {std::cos(t), std::sin(t)}, d1 = t < 10 ? 1e-3 : 1.0,
                 d2 = std::min(1.0, 1e-10 * std::exp(0.5 * t));  // lost at t = 42
    differences.take_sizes(q, q);
    if (n > 0) differences.add({t, d1, d2, d1, d2});
  }
  CHECK(!differences.estimate(0, eps).horizon);
}

TEST_CASE("errors_that_leap_at_an_encounter_are_no_chaos") {
  // Both runs come out of an encounter at t = 30 on other ways, and go on apart from each other.
  const auto after = [](double t) { return 1e-6 + (t < 30 ? 0 : std::min(1.0, 0.05 * (t - 30))); };
  CHECK(!of_errors(after, 1).horizon);
  CHECK(of_errors([&](double t) { return std::min(1.0, 1e-6 * std::exp(0.3 * t)); }, 1).horizon);
}

TEST_CASE("a_motion_that_runs_away_is_no_chaos") {
  Differences differences;
  for (int n = 0; n <= 1000; ++n) {
    const double t = 0.1 * n, away = 1e-8 * std::exp(0.5 * t), q[1] = {std::cos(t) + away}, d = away / 2;
    differences.take_sizes(q, q);
    if (n > 0) differences.add({t, d, d / 4, d, d / 4});
  }
  CHECK(!differences.estimate(0, eps).horizon);
}

TEST_CASE("a_finer_run_that_ends_early_is_told") {
  Differences differences;
  const double q[1] = {1};
  differences.take_sizes(q, q);
  differences.add({1, 1e-3, 2.5e-4, 1e-3, 2.5e-4});
  differences.stop(1.5);
  CHECK(
      accuracy_in_words(differences.estimate(0, eps)) ==
      "until t = 1.5, where a run with a smaller step could not go on, the motion is right to about 0.001 of its size; "
      "half the step would give 0.0003");
}
