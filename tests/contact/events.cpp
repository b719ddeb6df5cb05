// [[event]]: moments of any motion, by any method.
#include <doctest/doctest.h>

#include <cmath>

#include "contact/runs.hpp"

using namespace livens;
using namespace livens::test;

namespace {

std::string pendulum(const std::string& method, const std::string& events) {
  return "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 - 9.81*y\"\n"
         "constraints = [\"(x^2 + y^2 - 1)/2\"]\n[initial]\nq = [1.0, 0.0]\nv = [0.0, 0.0]\n" +
         events + "[method]\n" + method + "\n[run]\nstep = 0.01\nsteps = 200\n";
}
const std::string low = "[[event]]\nname = \"low\"\nwhen = \"x\"\naction = \"record\"\n";

}  // namespace

TEST_CASE("recording_an_event_changes_no_bit_of_the_motion_of_any_method") {
  for (const char* method : {"name = \"rattle\"", "name = \"shake\"", "name = \"galerkin\"", "name = \"spark\"",
                             "name = \"hbvm\"\nk = 4", "name = \"ggl\"", "name = \"constrained-euler\"",
                             "name = \"energy-momentum\"", "name = \"euler\"", "name = \"composition\""}) {
    CAPTURE(method);
    const RunResult with = run_model(pendulum(method, low)), without = run_model(pendulum(method, ""));
    CHECK(with.final.q.numbers == without.final.q.numbers);
    CHECK(with.final.p.numbers == without.final.p.numbers);
    CHECK(with.report.cost.evaluations == without.report.cost.evaluations);
    REQUIRE(with.events.size() == 2);
    CHECK(std::abs(with.events[0].q[0]) < 1e-13);
    CHECK(with.events[0].t == doctest::Approx(0.5919604868940593).epsilon(0.02).scale(0));
    CHECK(std::hypot(with.events[0].q[0], with.events[0].q[1]) == doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("a_run_stops_at_the_first_of_several_events") {
  const std::string stops = low +
                            "[[event]]\nname = \"later\"\nwhen = \"t - 0.8\"\naction = \"stop\"\n"
                            "[[event]]\nname = \"soon\"\nwhen = \"x - 0.5\"\ndirection = -1\naction = \"stop\"\n"
                            "[[event]]\nname = \"rising\"\nwhen = \"x - 0.7\"\ndirection = 1\naction = \"stop\"\n";
  const RunResult run = run_model(pendulum("name = \"galerkin\"", stops));
  CHECK(run.report.outcome == RunOutcome::finished);
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].kind == EventKind::stop);
  CHECK(run.events[0].index == 2);
  CHECK(run.final.t.numbers[0] == run.events[0].t);
  CHECK(run.final.q.numbers[0] == doctest::Approx(0.5).epsilon(1e-14).scale(0));
  CHECK(std::abs(std::hypot(run.final.q.numbers[0], run.final.q.numbers[1]) - 1) < 1e-14);
  CHECK(run.final.v->numbers[0] * run.final.q.numbers[0] + run.final.v->numbers[1] * run.final.q.numbers[1] ==
        doctest::Approx(0).epsilon(1e-13).scale(1));
}

TEST_CASE("events_of_other_kinds_and_zeros_at_the_start") {
  const RunResult orbit = run_model(
      "[system]\nkind = \"degenerate\"\ncoordinates = [\"x\", \"y\"]\ntheta = [\"0\", \"x\"]\n"
      "hamiltonian = \"(x^2 + y^2)/2\"\n[initial]\nq = [0.0, 1.0]\n[[event]]\nname = \"side\"\nwhen = \"x\"\n"
      "action = \"record\"\n[method]\nname = \"vprk\"\nstages = 3\n[run]\nstep = 0.1\nsteps = 70\n");
  REQUIRE(orbit.events.size() == 2);  // x = 0 at the start is none
  CHECK(orbit.events[0].t == doctest::Approx(3.14159265358979).epsilon(1e-8).scale(0));
  const RunResult body = run_model(
      "[system]\nkind = \"multibody\"\nplane = true\ngravity = [0.0, -9.81]\n[[body]]\nname = \"stone\"\nmass = 1.0\n"
      "shape = { type = \"point\" }\nvelocity = [1.0, 2.0]\n[[event]]\nname = \"top\"\nwhen = \"stone_y'\"\n"
      "action = \"record\"\n[[event]]\nname = \"far\"\nwhen = \"stone_x - 0.3\"\naction = \"record\"\n"
      "[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nsteps = 50\n");
  REQUIRE(body.events.size() == 2);
  CHECK(body.events[0].t == doctest::Approx(2 / 9.81).epsilon(1e-13).scale(0));
  CHECK(body.events[1].t == doctest::Approx(0.3).epsilon(1e-13).scale(0));
}

TEST_CASE("events_between_bounces_are_those_of_the_motion_with_its_bounces") {
  const std::string apex = "[[event]]\nname = \"apex\"\nwhen = \"y'\"\ndirection = -1\naction = \"record\"\n";
  const RunResult run = run_model(point("\"y\"", "q = [0.0, 1.0]\nv = [0.0, 0.0]",
                                        "unilateral = true\nrestitution = 0.5", "step = 0.07\nsteps = 15", apex));
  const double t1 = std::sqrt(2 / 9.81);
  const auto records = of_kind(run, EventKind::record);
  REQUIRE(!records.empty());
  CHECK(records[0].t == doctest::Approx(1.5 * t1).epsilon(1e-13).scale(0));
  CHECK(records[0].q[1] == doctest::Approx(0.25).epsilon(1e-13).scale(0));
}

TEST_CASE("two_changes_of_sign_within_one_step_are_two_events") {
  const auto stone = [](const std::string& step, const std::string& steps, const std::string& event) {
    return run_model(
        "[system]\nkind = \"lagrangian\"\ncoordinates = [\"y\"]\nlagrangian = \"y'^2/2 - 9.81*y\"\n[initial]\n"
        "q = [0.0]\nv = [2.0]\n[[event]]\nname = \"high\"\n" +
        event + "[method]\nname = \"rattle\"\n[run]\nstep = " + step + "\nsteps = " + steps + "\n");
  };
  const double top = 2 / 9.81, height = 2 / 9.81, half = std::sqrt(2 * (height - 0.2) / 9.81);  // above 0.2
  // In a later step, at once in the first one, and falling only.
  for (const char* step : {"0.13", "0.4"}) {
    const RunResult run = stone(step, "3", "when = \"y - 0.2\"\naction = \"record\"\n");
    REQUIRE(run.events.size() == 2);
    CHECK(run.events[0].t == doctest::Approx(top - half).epsilon(1e-12).scale(0));
    CHECK(run.events[1].t == doctest::Approx(top + half).epsilon(1e-12).scale(0));
    const RunResult falls = stone(step, "3", "when = \"y - 0.2\"\ndirection = -1\naction = \"stop\"\n");
    REQUIRE(falls.events.size() == 1);
    CHECK(falls.final.t.numbers[0] == doctest::Approx(top + half).epsilon(1e-12).scale(0));
  }
  CHECK(stone("0.13", "3", "when = \"y - 0.204\"\naction = \"record\"\n").events.empty());
}

namespace {

std::string ball(const std::string& e, const std::string& run, const std::string& when, const std::string& direction,
                 const std::string& action) {
  return point("\"y\", \"1 - x\"", "q = [0.0, 1.0]\nv = [1.5, 0.0]", "unilateral = true\nrestitution = " + e, run,
               "[[event]]\nname = \"it\"\nwhen = \"" + when + "\"\ndirection = " + direction + "\naction = \"" +
                   action + "\"\n");
}

}  // namespace

TEST_CASE("a_run_stops_at_a_landing_or_an_impact_exactly_with_the_state_after_it") {
  const double t1 = std::sqrt(2 / 9.81), fast = std::sqrt(2 * 9.81);
  for (const char* when : {"y", "y'"})
    for (const double e : {0.0, 0.6}) {
      CAPTURE(when);
      const RunResult run = run_model(
          ball(e == 0 ? "0.0" : "0.6", "step = 0.05\nsteps = 30", when, when == std::string("y") ? "-1" : "1", "stop"));
      CHECK(run.report.outcome == RunOutcome::finished);
      REQUIRE(run.events.size() == 2);
      CHECK(run.events[0].kind == (e == 0 ? EventKind::landing : EventKind::impact));
      CHECK(run.events[1].kind == EventKind::stop);
      CHECK(run.events[1].t == run.events[0].t);
      CHECK(run.final.t.numbers[0] == run.events[0].t);
      CHECK(run.final.t.numbers[0] == doctest::Approx(t1).epsilon(1e-15).scale(0));
      CHECK(run.final.q.numbers[1] == doctest::Approx(0).epsilon(1e-15).scale(1));
      CHECK(run.final.v->numbers[1] == doctest::Approx(e * fast).epsilon(1e-13).scale(1));
      CHECK(run.events[1].v == run.final.v->numbers);
    }
  const RunResult wall = run_model(ball("0.6", "step = 0.05\nsteps = 30", "x'", "0", "stop"));
  REQUIRE(wall.events.size() == 3);
  CHECK(wall.events[1].index == 1);
  CHECK(wall.final.t.numbers[0] == wall.events[1].t);
  CHECK(wall.final.t.numbers[0] == doctest::Approx(2.0 / 3).epsilon(1e-14).scale(0));
  CHECK(wall.final.v->numbers[0] == doctest::Approx(-0.9).epsilon(1e-14).scale(0));
}

TEST_CASE("every_apex_of_a_ball_that_comes_to_rest_is_one_event_and_what_rests_has_none") {
  // The same in steps that bounce at most once and in one that bounces 36 times.
  for (const char* run_for : {"step = 0.01\nsteps = 600", "step = 3.0\nsteps = 2"}) {
    const RunResult run = run_model(ball("[0.6, 0.9]", run_for, "y'", "-1", "record"));
    double t = std::sqrt(2 / 9.81), rise = 0.6 * t, worst = 0;
    const auto apexes = of_kind(run, EventKind::record);
    REQUIRE(apexes.size() == 35);
    for (const RunEvent& apex : apexes) {
      worst = std::max(worst, std::abs(apex.t - (t + rise)));
      t += 2 * rise, rise *= 0.6;
    }
    CHECK(worst < 4 * 4e-15);
  }
  // A gap has one at every bounce that leaves round-off, on its way down.
  const RunResult gap = run_model(ball("[0.6, 0.9]", "step = 0.01\nsteps = 600", "y", "0", "record"));
  const auto touches = of_kind(gap, EventKind::record);
  const auto impacts = of_kind(gap, EventKind::impact);
  CHECK(touches.size() == 33);  // 0.36^33 is 2e-15
  double heights = 1;
  std::size_t k = 0;
  for (const RunEvent& impact : impacts) {
    if (impact.index != 0 || k == touches.size()) continue;
    CHECK(touches[k++].t == impact.t);
    heights *= 0.36;
  }
  CHECK(heights < 1e-13);
  // Held at rest, sliding: noise is no event.
  for (const char* v : {"[0.5, 0.0]", "[0.0, 0.0]"})
    CHECK(run_model(ball("0.0", "step = 0.01\nsteps = 300", "y'", "0", "record"),
                    {{"initial.q", "[0.0, 0.0]"}, {"initial.v", v}, {"system.constraints", "[\"y\", \"9 - x\"]"}})
              .events.empty());
}

TEST_CASE("a_gap_that_opens_again_rises_where_it_leaves_round_off") {
  const RunResult run = run_model(ball("0.0", "step = 0.01\nsteps = 60", "y", "0", "record"),
                                  {{"system.lagrangian", "\"(x'^2 + y'^2)/2 - 9.81*y + 20*t*y\""},
                                   {"initial.q", "[0.0, 0.1]"},
                                   {"initial.v", "[0.0, 0.0]"}});
  REQUIRE(run.events.size() == 4);
  CHECK(run.events[0].kind == EventKind::landing);
  CHECK(run.events[1].t == run.events[0].t);
  CHECK(run.events[2].kind == EventKind::release);
  CHECK(run.events[3].t > run.events[2].t);
  CHECK(run.events[3].t < run.events[2].t + 0.01);
}
