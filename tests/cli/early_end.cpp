// Exit status 1: a run that ends before its time keeps what it has and says where that ends.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"

using namespace program;

namespace {

const Arguments endless = {"run",   "pendulum",      "--json", "--out", "r", "--set", "run.steps=1000000000000",
                           "--set", "run.every=1000"};

// Rows of steps 0, every, 2 every, ..., and the last one.
std::size_t rows_for(long long steps, long long every) {
  return static_cast<std::size_t>(1 + steps / every + (steps % every != 0));
}

}  // namespace

TEST_CASE("a_step_that_cannot_be_solved_ends_the_run_and_leaves_the_results_before_it") {
  const Place place;
  // The pendulum passes this step size once and not again: the rod cannot be reached from where it is.
  const Reply reply =
      place.run({"run", "pendulum", "--json", "--out", "r", "--set", "run.step=0.4", "--set", "run.steps=200"});
  CHECK(reply.status == 1);
  CHECK(reply.out == contents(place / "r/summary.json"));
  const Json s = reply.json();
  CHECK(s["outcome"] == "failed");
  CHECK(s["steps"] == 1);
  CHECK(s["final"]["t"] == 0.4);
  const std::string message = s["message"];
  for (const char* part : {"step 2 from t = 0.4 could not be solved", "stalled after 30 iterations",
                           "take a step below 1.4e-01", "the results are valid up to t = 0.4"})
    CHECK(mentions(message, part));
  CHECK(mentions(reply.err, message));

  const Trajectory h5(place / "r/trajectory.h5");
  CHECK(h5.numbers("t") == std::vector{0.0, 0.4});
  for (const char* name : {"q", "v", "p", "lambda"})
    CHECK(h5.last(name) == s["final"][name].get<std::vector<double>>());
}

TEST_CASE("a_failed_first_step_leaves_the_start") {
  const Place place;
  const Json s = place.summary("pendulum --out r", {"run.step=5", "run.steps=10"}, 1);
  CHECK(s["steps"] == 0);
  CHECK(s["final"]["t"] == 0.0);
  CHECK(s["raw"] == nullptr);
  CHECK(mentions(s["message"], "step 1 from t = 0 could not be solved"));
  CHECK(Trajectory(place / "r/trajectory.h5").rows() == 1);
}

TEST_CASE("a_failed_run_says_why_even_when_quiet") {
  const Place place;
  const Reply reply = place.livens("run pendulum --quiet --set run.step=5 --set run.steps=10");
  CHECK(reply.status == 1);
  CHECK(reply.out == "");
  CHECK(reply.err.starts_with("livens: step 1 from t = 0 could not be solved"));
}

TEST_CASE("a_failed_run_is_not_overwritten_without_force") {
  const Place place;
  place.summary("pendulum --out r", {"run.step=5", "run.steps=10"}, 1);
  CHECK(place.livens("run pendulum --out r").status == 2);
  CHECK(place.livens("run pendulum --out r --force").status == 0);
}

TEST_CASE("a_signal_ends_a_run_after_the_current_step_with_valid_results") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    const Place place;
    Process run = place.start(endless, Errors::terminal);
    run.hear("steps/s");
    run.signal(signal);
    const Reply reply = run.wait();
    CHECK(reply.status == 1);
    CHECK(reply.out == contents(place / "r/summary.json"));
    const Json s = reply.json();
    CHECK(s["outcome"] == "interrupted");
    const long long steps = s["steps"];
    CHECK(steps > 0);
    CHECK(mentions(s["message"], "interrupted after step " + std::to_string(steps) + " of 1000000000000"));
    CHECK(s["final"]["t"] == static_cast<double>(steps) * 0.01);

    const Trajectory h5(place / "r/trajectory.h5");
    CHECK(h5.rows() == rows_for(steps, 1000));
    CHECK(h5.last("t").front() == s["final"]["t"]);
    for (const char* name : {"q", "v", "p", "lambda"})
      CHECK(h5.last(name) == s["final"][name].get<std::vector<double>>());
    CHECK(scratch::entries(place / "r") == 5);
  }
}

TEST_CASE("an_interrupted_run_is_the_beginning_of_the_uninterrupted_one") {
  const Place place;
  Process run = place.start(endless, Errors::terminal);
  run.hear("steps/s");
  run.signal(SIGINT);
  Json early = run.wait().json();
  Json whole = place.summary("pendulum", {"run.steps=" + early["steps"].dump(), "run.every=1000"});
  for (const char* key : {"final", "raw", "audit"}) CHECK(early[key] == whole[key]);
}

TEST_CASE("a_second_signal_of_any_kind_ends_the_program_at_once") {
  for (const int second : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(second);
    const Place place;
    // Having written its results the program hangs in its last words, which nobody takes.
    Process run = place.start(endless, Errors::full_pipe);
    place.wait_for("r");
    run.signal(SIGINT);
    place.wait_for("r/summary.json");
    run.signal(second);
    CHECK(run.wait().status == 128 + second);
  }
}

namespace {

// On the unit circle from (1,0); the motion leads below y = -0.5 in step 34.
const Arguments circle = {"initial.q=[1.0,0.0]", "initial.v=[0.0,0.0]"};

Json failed(const Arguments& set) {
  const Place place;
  Arguments all = circle;
  all.insert(all.end(), set.begin(), set.end());
  Json s = place.summary("pendulum --out r", all, 1);
  CHECK(s["outcome"] == "failed");
  CHECK(Trajectory(place / "r/trajectory.h5").last("t").front() == s["final"]["t"]);
  return s;
}

}  // namespace

TEST_CASE("a_state_whose_multiplier_is_not_finite_is_not_a_valid_end") {
  const Json s = failed({"method.name=constrained-euler", "system.forces=[\"0\",\"sqrt(y+0.5)\"]", "run.steps=34"});
  CHECK(s["steps"] == 33);
  CHECK(s["final"]["lambda"][0].is_number());
  for (const char* part : {"step 34 from t = 0.33 could not be solved", "multiplier of the new state: not finite",
                           "at t = 0.34 in system.forces: sqrt(y + 0.5) with y + 0.5 = -0."})
    CHECK_MESSAGE(mentions(s["message"], part), s["message"]);
}

TEST_CASE("a_failed_step_after_rows_that_are_far_apart_says_that_its_start_has_no_multiplier") {
  const Json s = failed({"method.name=constrained-euler", "system.forces=[\"0\",\"sqrt(y+0.5)\"]", "run.every=10"});
  CHECK(s["steps"] == 34);
  CHECK(s["final"]["lambda"][0].is_null());
  CHECK(mentions(s["message"], "at t = 0.34 in system.forces: sqrt(y + 0.5)"));
  CHECK(mentions(s["message"], "valid up to t = 0.34; its multiplier is not finite"));
}

TEST_CASE("the_formula_that_is_not_finite_is_named_where_it_was_met") {
  struct Row {
    std::string set, words;
  };
  for (const char* method : {"rattle", "shake", "constrained-euler"})
    for (const Row& row :
         {Row{"system.forces=[\"0\",\"sqrt(y+0.5)\"]", "system.forces: sqrt(y + 0.5) with y + 0.5 = -0."},
          Row{"system.forces=[\"0\",\"sqrt(0.5-t)\"]", "system.forces: sqrt(0.5 - t) with 0.5 - t = -0.01"},
          Row{"system.forces=[\"0\",\"1/(0.5-t)\"]", "system.forces: 1/(0.5 - t) with 0.5 - t = 0"},
          Row{"system.forces=[\"0\",\"acos(2*y+0.5)\"]", "system.forces: acos(2*y + 0.5) with 2*y + 0.5 = -1."},
          Row{"system.lagrangian=m/2*(x'^2+y'^2)-m*g*y+0.1*log(y+0.5)", "system.lagrangian: log(y + 0.5) with"},
          Row{"system.invariants.depth=sqrt(y+0.5)", "system.invariants.depth: sqrt(y + 0.5) with y + 0.5 = -0."},
          Row{"system.invariants.push=log(p_y+2)", "system.invariants.push: log(p_y + 2) with p_y + 2 = -0."}}) {
      const Json s = failed({std::string("method.name=") + method, row.set});
      CHECK_MESSAGE(mentions(s["message"], row.words), method << ": " << s["message"]);
      CHECK(!mentions(s["message"], "nan"));
      CHECK(s["final"]["lambda"][0].is_number());
    }
}

TEST_CASE("a_momentum_that_cannot_be_projected_is_not_blamed_on_the_positions") {
  const Place place;
  const Json s = place.summary("pendulum --out r", {"system.lagrangian=m/2*(x'^2+y'^2)-m*g*y+x'^3*y'"}, 1);
  CHECK(mentions(s["message"], "the projection of its momentum: stalled; halve the step; the results"));
  CHECK(!mentions(s["message"], "residuals"));
}
