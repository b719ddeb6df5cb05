// trajectory.h5: shapes, rows and the model beside them.
#include "cli/trajectory.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "cli/program.hpp"

using namespace program;

namespace {

std::vector<double> numbers(const Json& array) {
  return array.get<std::vector<double>>();
}

const std::string spherical = "spherical-pendulum --out r";

}  // namespace

TEST_CASE("every_quantity_has_a_row_for_every_recorded_step") {
  const Place place;
  place.summary(spherical, {"run.steps=100"});
  const Trajectory h5(place / "r/trajectory.h5");
  for (const char* name :
       {"t", "audit/energy", "audit/constraint", "audit/hidden_constraint", "audit/invariants/angular_momentum"})
    CHECK(h5.shape(name) == Shape{101});
  for (const char* name : {"q", "v", "p", "raw_p"}) CHECK(h5.shape(name) == Shape{101, 3});
  for (const char* name : {"lambda", "raw_lambda"}) CHECK(h5.shape(name) == Shape{101, 1});
}

TEST_CASE("the_model_stands_in_the_trajectory_as_it_was_written") {
  const Place place;
  place.summary(spherical, {"run.steps=2"});
  CHECK(Trajectory(place / "r/trajectory.h5").text("model") == problem("spherical-pendulum"));
}

TEST_CASE("the_last_row_is_the_final_state_and_the_first_is_the_start") {
  for (const char* method : {"rattle", "shake", "constrained-euler"}) {
    CAPTURE(method);
    const Place place;
    const Json s = place.summary(spherical, {"run.steps=57", std::string("method.name=") + method});
    const Trajectory h5(place / "r/trajectory.h5");
    CHECK(h5.last("t").front() == s["final"]["t"]);
    for (const char* name : {"q", "v", "p", "lambda"}) CHECK(h5.last(name) == numbers(s["final"][name]));
    for (const char* name : {"p", "lambda"}) CHECK(h5.last(std::string("raw_") + name) == numbers(s["raw"][name]));
    CHECK(h5.row("t", 0) == std::vector{0.0});
    CHECK(h5.row("q", 0) == std::vector{0.6, 0.0, -0.8});
    CHECK(h5.row("v", 0) == std::vector{0.0, 0.9, 0.0});
    for (const char* name : {"q", "v", "p", "lambda"})
      for (const double x : h5.numbers(name)) CHECK(std::isfinite(x));
  }
}

TEST_CASE("the_maxima_of_the_summary_are_those_of_the_rows") {
  const Place place;
  const Json s = place.summary(spherical, {"run.steps=200"});
  const Trajectory h5(place / "r/trajectory.h5");
  const auto largest = [&](const char* name, double from) {
    double most = 0;
    for (const double x : h5.numbers(name)) most = std::max(most, std::abs(x - from));
    return most;
  };
  const Json& energy = s["audit"]["energy"];
  CHECK(h5.row("audit/energy", 0).front() == energy["initial"]);
  CHECK(std::abs(largest("audit/energy", energy["initial"]) - energy["max_error"].get<double>()) < 1e-15);
  CHECK(largest("audit/constraint", 0) == s["audit"]["constraint"]["max"]);
  CHECK(largest("audit/hidden_constraint", 0) == s["audit"]["hidden_constraint"]["max"]);
}

TEST_CASE("every_nth_step_is_recorded_and_always_the_last") {
  const Place place;
  const auto times = [&](const char* every, const char* steps) {
    place.summary(spherical + " --force",
                  {std::string("run.every=") + every, std::string("run.steps=") + steps, "run.step=0.125"});
    return Trajectory(place / "r/trajectory.h5").numbers("t");
  };
  CHECK(times("4", "8") == std::vector{0.0, 0.5, 1.0});
  CHECK(times("3", "8") == std::vector{0.0, 0.375, 0.75, 1.0});
  CHECK(times("100", "8") == std::vector{0.0, 1.0});
  CHECK(times("1", "2") == std::vector{0.0, 0.125, 0.25});
}

TEST_CASE("recording_less_changes_no_number") {
  const Place place;
  Json often = place.summary("spherical-pendulum", {"run.steps=50", "method.name=shake"});
  Json rarely = place.summary("spherical-pendulum", {"run.steps=50", "method.name=shake", "run.every=7"});
  for (Json* summary : {&often, &rarely})  // what is said about the rows themselves
    for (const char* figure : {"energy", "constraint", "hidden_constraint"})
      for (const char* key : {"rows", "words"}) (*summary)["audit"][figure].erase(key);
  for (Json* summary : {&often, &rarely})
    for (auto& [name, invariant] : (*summary)["audit"]["invariants"].items())
      invariant.erase("rows"), invariant.erase("words");
  for (const char* key : {"final", "raw", "audit"}) CHECK(often[key] == rarely[key]);
  const Trajectory all(place / "runs/spherical-pendulum-1/trajectory.h5");
  const Trajectory some(place / "runs/spherical-pendulum-2/trajectory.h5");
  for (const char* name : {"t", "q", "v", "p", "lambda", "raw_p", "raw_lambda", "audit/energy"})
    CHECK(some.row(name, 3) == all.row(name, 21));
}
