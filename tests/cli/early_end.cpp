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
  for (const char* part : {"step 2 from t = 0.4 could not be solved", "stalled after 30 iterations", "halve the step",
                           "the results are valid up to t = 0.4"})
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
