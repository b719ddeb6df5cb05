// --set KEY=VALUE
#include <doctest/doctest.h>

#include <cmath>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"

using namespace program;

namespace {

std::string refusal_of_set(const Arguments& set) {
  const Place place;
  const Reply reply = place.run(Place::joined({"run", "pendulum", "--json"}, set));
  CHECK(reply.status == 2);
  CHECK(reply.out == "");
  CHECK(place.empty());
  return reply.err;
}

}  // namespace

TEST_CASE("another_method_drops_the_options_of_the_first") {
  const Place place;
  std::string text = problem("pendulum");
  text.replace(text.find("\"rattle\""), 8, "\"constrained-euler\"\nconjugate = true");
  put(place / "m.toml", text);
  CHECK(place.summary("m.toml", {"run.steps=2"})["method"] == Json{{"name", "constrained-euler"}, {"conjugate", true}});
  CHECK(place.summary("m.toml", {"run.steps=2", "method.name=rattle"})["method"] == Json{{"name", "rattle"}});
  CHECK(place.summary("m.toml", {"run.steps=2", "method.name=constrained-euler"})["method"]["conjugate"] == false);
  CHECK(place.summary("m.toml", {"run.steps=2", "method.conjugate=true",
                                 "method.name=constrained-euler"})["method"]["conjugate"] == true);
}

TEST_CASE("setting_end_or_steps_drops_the_other") {
  const Place place;
  CHECK(place.summary("pendulum", {"run.steps=7"})["steps"] == 7);
  CHECK(place.summary("pendulum", {"run.end=0.5"})["steps"] == 50);
  CHECK(mentions(refusal_of_set({"run.steps=7", "run.end=0.5"}), "end and steps are both given; leave one out"));
}

TEST_CASE("values_are_numbers_flags_arrays_and_otherwise_strings") {
  const Place place;
  const Json s = place.summary(
      "pendulum", {"title=A pendulum = a mass", "run.steps=1_0", "run.step=5e-3", "initial.q=[0.0, \"-l\"]",
                   "initial.v=[2, 0]", "initial.project=false", "run.precision=extended"});
  CHECK(s["title"] == "A pendulum = a mass");
  CHECK(s["steps"] == 10);
  CHECK(s["step"] == 0.005);
  CHECK(s["precision"] == "extended");
  CHECK(s["audit"]["energy"]["initial"] == -7.81);  // 2 - 9.81 in double precision is another number
}

TEST_CASE("a_parameter_is_overridden_by_a_number_or_a_constant_formula") {
  const Place place;
  const auto energy = [&](const std::string& gravity) {
    return place.summary("pendulum", {"run.steps=1", "system.parameters.g=" + gravity})["audit"]["energy"]["initial"]
        .get<double>();
  };
  CHECK(std::abs(energy("0") - 0.125) < 1e-15);
  CHECK(std::abs(energy("2") - (0.125 - 2 * std::cos(1.0))) < 1e-15);
  CHECK(std::abs(energy("sqrt(4)") - energy("2")) < 1e-15);
}

TEST_CASE("an_unknown_key_is_refused_with_the_nearest_known_one") {
  CHECK(mentions(refusal_of_set({"run.stepp=0.1"}), "--set run.stepp: unknown key; did you mean \"step\"?"));
  CHECK(mentions(refusal_of_set({"runn.step=0.1"}), "did you mean \"run\"?"));
  CHECK(mentions(refusal_of_set({"method.nam=shake"}), "did you mean \"name\"?"));
  CHECK(mentions(refusal_of_set({"method.name=constrained-euler", "method.conjugat=true"}),
                 "did you mean \"conjugate\"?"));
  CHECK(mentions(refusal_of_set({"method.name=ratle"}), "did you mean \"rattle\"?"));
}

TEST_CASE("a_value_of_the_wrong_type_is_refused") {
  CHECK(mentions(refusal_of_set({"run.step=fast"}), "--set run.step: "));
  CHECK(mentions(refusal_of_set({"run.steps=1.5"}), "--set run.steps: "));
  CHECK(mentions(refusal_of_set({"method.name=constrained-euler", "method.conjugate=3"}), "it must be true or false"));
  CHECK(mentions(refusal_of_set({"initial.q=[1.0]"}), "--set initial.q: "));
}

TEST_CASE("set_without_a_key_or_a_value_is_refused") {
  CHECK(mentions(refusal_of_set({"run.step"}), "--set run.step: expected KEY=VALUE"));
  CHECK(mentions(refusal_of_set({"=3"}), "expected KEY=VALUE"));
  CHECK(mentions(refusal_of_set({""}), "expected KEY=VALUE"));
}

TEST_CASE("step_end_and_method_have_options_and_are_stored_as_set") {
  const Place place;
  const Json by_options = place.summary("pendulum --step 0.02 --end 0.5 --method galerkin(s=3) --out r");
  const Json by_set =
      place.summary("pendulum --out s", {"run.step=0.02", "run.end=0.5", "method.name=galerkin", "method.s=3"});
  for (const std::string key : {"final", "method", "set", "steps", "model_sha256"})
    CHECK(by_options[key] == by_set[key]);
  CHECK(by_options["steps"] == 25);
  CHECK(by_options["method"]["s"] == 3);
  const auto stored = [&](const std::string& run) {
    return Trajectory(place / (run + "/trajectory.h5")).text("model_as_run");
  };
  CHECK(stored("r") == stored("s"));
  CHECK(place.summary("pendulum --steps 3 --out t")["steps"] == 3);
}
