// --estimate, --accuracy and advise, as a user meets them.
#include "cli/trials.hpp"

using namespace program;

TEST_CASE("estimates_survive_kills_and_follow_longer_runs") {
  for (const std::string problem : {"pendulum", "lotka-volterra", "overdetermined-cubic", "slider-crank"}) {
    CAPTURE(problem);
    const Place place;
    const std::string step = problem == "slider-crank" ? "" : " --set run.step=0.01";
    check_resumed(place, problem + " --estimate" + step, 30, 400);
    const Json whole = Json::parse(contents(place / "long/summary.json"))["accuracy"];
    CHECK(whole == Json::parse(contents(place / "short/summary.json"))["accuracy"]);
    CHECK(whole["q"]["max"] > 0);
    CHECK(whole["slope"].is_number());
  }
}

TEST_CASE("the_swing_of_the_readme_is_told_how_wrong_it_is") {
  const Place place;
  const Reply reply = place.livens("run pendulum --estimate --json");
  const Json summary = Json::parse(reply.out);
  CHECK(mentions(reply.err, "the motion is right to about 0.03 of its size; half the step would give 0.007"));
  CHECK(summary["accuracy"]["slope"].get<double>() == doctest::Approx(2).epsilon(0.02));
  CHECK(!summary["accuracy"].contains("asked"));
  CHECK(summary["accuracy"]["horizon"].is_null());
}

// rattle has no error where the force is constant: neither before nor at an event within a step.
TEST_CASE("an_event_that_stops_a_run_is_no_error_of_its_motion") {
  const Place place;
  put(place / "fall.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["x"]
lagrangian = "x'^2/2 - 9.81*x"
[initial]
q = [1.0]
v = [0.0]
[method]
name = "rattle"
[run]
step = 0.01
steps = 100
[[event]]
name = "ground"
when = "x"
action = "stop"
)toml");
  const Json summary = place.summary("fall.toml --estimate --out r");
  CHECK(summary["final"]["t"].get<double>() == doctest::Approx(std::sqrt(2 / 9.81)));
  CHECK(summary["accuracy"]["q"]["max"].get<double>() < 1e-14);
  CHECK(summary["accuracy"]["p"]["max"].get<double>() < 1e-14);
}

// What constrained-euler carries as p is right to 7e-6 in raw.p, and in final.p, whose part normal to the constraint is
// taken off at a position of first order, to 3e-3; hbvm, the other way round, does not keep the hidden constraint.
TEST_CASE("momenta_are_estimated_that_are_written") {
  const Place place;
  put(place / "swing.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - y"
constraints = ["(x^2 + y^2 - 1)/2"]
[initial]
q = [1.0, 0.0]
v = [0.0, 0.0]
[method]
name = "galerkin"
s = 6
[run]
step = 0.0078125
end = 1.0
)toml");
  const Json fine = place.summary("swing.toml --out fine")["final"]["p"];
  for (const std::string method : {"constrained-euler", "ggl", "hbvm", "energy-momentum", "rattle"}) {
    CAPTURE(method);
    const Json summary = place.summary("swing.toml --estimate --force --out r", {"method.name=" + method});
    double error = 0;
    for (std::size_t i = 0; i < 2; ++i)
      error = std::max(error, std::abs(summary["final"]["p"][i].get<double>() - fine[i].get<double>()));
    const double size = 0.98;  // of the momentum at the end
    CHECK(summary["accuracy"]["p"]["end"].get<double>() == doctest::Approx(error / size).epsilon(0.05));
  }
}

// With half the step it meets the pole.
TEST_CASE("where_no_finer_run_comes_to_a_node_nothing_is_said_to_be_right") {
  const Place place;
  put(place / "pole.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["x"]
lagrangian = "x'^2/2 - x/(t - 0.05)"
[initial]
q = [1.0]
v = [0.0]
[method]
name = "rattle"
[run]
step = 0.1
steps = 10
)toml");
  const Json accuracy = place.summary("pole.toml --estimate --report --out r")["accuracy"];
  CHECK(accuracy["q"]["max"].is_null());
  CHECK(accuracy["words"] ==
        "how right the motion is is not known: a run with a smaller step could not go on from t = 0");
}

// It is at infinity at t = 1.5.
TEST_CASE("errors_are_not_compared_with_a_size_that_only_the_coarsest_run_has_reached") {
  const Place place;
  put(place / "away.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["x"]
lagrangian = "x'^2/2 + x^4/4"
[initial]
q = [1.0]
v = [0.5]
[method]
name = "rattle"
[run]
step = 0.01
steps = 1000
)toml");
  const Json accuracy = place.summary("away.toml --estimate --out r", {}, 1)["accuracy"];
  CHECK(accuracy["words"].get<std::string>().starts_with("until t = 1.5"));
  CHECK(accuracy["q"]["max"].get<double>() > 1e-3);
}

TEST_CASE("a_step_beyond_the_motion_is_not_called_chaos") {
  const Place place;
  const Json accuracy = place.summary("tautochrone --estimate --out r",
                                      {"method.name=galerkin", "run.step=0.25", "run.end=30.0"})["accuracy"];
  CHECK(accuracy["horizon"].is_null());
  CHECK(mentions(accuracy["words"].get<std::string>(), "the step is too large to follow it"));
}

TEST_CASE("momenta_of_a_stiff_spring_are_told_to_be_worse_than_positions") {
  const Place place;
  put(place / "stiff.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y - k/2*(sqrt(x^2 + y^2) - 1)^2"
parameters = { k = 1e6 }
[initial]
q = [1.00001, 0.0]
v = [0.0, 0.0]
[method]
name = "rattle"
[run]
end = 1.0
)toml");
  const Json estimate = place.summary("stiff.toml --estimate --report --out e", {"run.step=2e-4"})["accuracy"];
  const std::string words = estimate["words"].get<std::string>();
  CHECK(estimate["p"]["max"].get<double>() > 100 * estimate["q"]["max"].get<double>());
  CHECK_MESSAGE(mentions(words, " of its size, momenta to about 0.00"), words);
  CHECK(mentions(words, "; half the step would give "));
  CHECK(mentions(contents(place / "e/report.html"), words.substr(1)));
  const Reply found = place.livens("run stiff.toml --accuracy 1e-4 --out a");
  CHECK_MESSAGE(mentions(found.err, ", asked for 0.0001; that is not asked of momenta, which are right to about 0.00"),
                found.err);
}

// p = theta(q) is right where q is, whatever its size.
TEST_CASE("momenta_that_follow_from_positions_are_not_told") {
  const Place place;
  const Json accuracy = place.summary("guiding-centre --estimate --out r", {"run.steps=200"})["accuracy"];
  CHECK(accuracy["p"]["max"].get<double>() > 3 * accuracy["q"]["max"].get<double>());
  CHECK(!mentions(accuracy["words"].get<std::string>(), "momenta"));
}

TEST_CASE("a_horizon_is_told_of_chaos_and_not_of_a_few_large_steps") {
  const Place place;
  put(place / "upright.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["a"]
lagrangian = "a'^2/2 + cos(a)"
[initial]
q = [3.1415]
v = [0.0]
[method]
name = "galerkin"
s = 3
[run]
step = 0.9
steps = 39
)toml");
  put(place / "orbit.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 + 1/sqrt(x^2 + y^2 + z^2)"
[initial]
q = [1.0, 0.0, 0.1]
v = [-0.2, 0.5, 0.0]
[method]
name = "rattle"
[run]
step = 0.2
steps = 33
)toml");
  put(place / "two.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["a", "b"]
lagrangian = "a'^2 + b'^2/2 + a'*b'*cos(a - b) + 9.81*(2*cos(a) + cos(b))"
[initial]
q = [2.5, 2.0]
v = [0.0, 0.0]
[method]
name = "galerkin"
s = 2
[run]
step = 0.02
steps = 2000
)toml");
  put(place / "driven.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["a"]
lagrangian = "a'^2/2 + cos(a)*(1 + 1.5*sin(2*t))"
[initial]
q = [1.5]
v = [0.0]
[method]
name = "rattle"
[run]
step = 0.01
steps = 10000
)toml");
  const auto horizon = [&](const std::string& model, std::vector<std::string> set = {}) {
    return place.summary(model + " --estimate --force --out r", set)["accuracy"]["horizon"];
  };
  for (const char* step : {"0.7", "0.9", "1.1", "1.5"})
    CHECK(horizon("upright.toml", {std::string("run.step=") + step}).is_null());
  for (const char* step : {"0.15", "0.2", "0.25", "0.3"})
    CHECK(horizon("orbit.toml", {std::string("run.step=") + step}).is_null());
  CHECK(horizon("two.toml").is_number());
  CHECK(horizon("driven.toml").is_number());
}

TEST_CASE("a_run_with_an_accuracy_says_what_was_found_and_can_be_taken_up") {
  const Place place;
  const Reply reply =
      place.livens("run pendulum --accuracy 1e-6 --set method.name=auto --set run.end=5 --json --out a");
  REQUIRE(reply.status == 0);
  const Json summary = Json::parse(reply.out);
  CHECK(mentions(reply.err, "accuracy 1e-06: galerkin s = "));
  CHECK(summary["accuracy"]["asked"] == 1e-6);
  CHECK(summary["accuracy"]["q"]["max"].get<double>() < 1e-6);
  CHECK(summary["accuracy"]["pilots"].size() > 3);
  CHECK(summary["method"]["name"] == "galerkin");
  CHECK(summary["final"]["t"] == 5.0);
  CHECK(summary["found"].contains("run.step"));
  CHECK(place.livens("audit a").status == 0);
  CHECK(place.livens("report a").status == 0);
  // A longer run keeps the step, and no longer claims the accuracy: it says so, however often it is made longer.
  for (const std::string end : {"10", "15"}) {
    const Reply resumed = place.livens("resume a --json --end " + end);
    const Json longer = Json::parse(resumed.out);
    CHECK(longer["step"] == summary["step"]);
    CHECK(!longer.contains("accuracy"));
    const std::string words =
        "its step was found for an error of 1e-06 until t = 5, and how right this run is is not known";
    CHECK(mentions(longer["message"].get<std::string>(), words));
    CHECK(mentions(resumed.err, words));
  }
  const Reply refused = place.livens("resume a --end 20.001");
  CHECK(refused.status == 2);
  CHECK(mentions(refused.err, "the nearest ends are "));
}

TEST_CASE("a_run_with_an_accuracy_that_is_resumed_with_its_own_end_claims_it") {
  const Place place;
  REQUIRE(place.livens("run pendulum --accuracy 1e-4 --set run.end=2 --quiet --out a").status == 0);
  const Json accuracy = Json::parse(contents(place / "a/summary.json"))["accuracy"];
  std::filesystem::remove(place / "a/summary.json");
  const Json again = Json::parse(place.livens("resume a --end 2.0 --json --quiet").out);
  CHECK(again["accuracy"] == accuracy);
  CHECK(!mentions(again["message"].get<std::string>(), "its step was found"));
}

// Pilots do not look at invariants; the run ends where one is no number.
TEST_CASE("a_run_that_ends_before_what_its_step_was_found_for_claims_no_accuracy") {
  const Place place;
  const Reply reply = place.run(Place::joined(Place::split("run pendulum --accuracy 1e-3 --json --out r"),
                                              {"run.end=2.0", "system.invariants.root=\"sqrt(0.5 - t)\""}));
  CHECK(reply.status == 1);
  const Json accuracy = reply.json()["accuracy"];
  CHECK(accuracy["asked"] == 1e-3);
  CHECK(accuracy["q"]["max"].is_null());
  CHECK(accuracy["words"].get<std::string>().starts_with("the run ended early, at t = 0.4"));
  CHECK(mentions(reply.err, "how right it is until there is not known"));
  CHECK(!mentions(reply.err, "the motion is right to"));
  CHECK(place.livens("report r").status == 0);
}

TEST_CASE("accuracies_that_make_no_sense_are_refused") {
  const std::string swing = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - y"
constraints = ["x^2 + y^2 - 1"]
[initial]
q = [1.0, 0.0]
v = [0.0, 0.0]
[method]
name = "rattle"
[run]
accuracy = 1e-4
end = 1.0
)toml";
  check_refusals(
      swing, {{"1e-4", "0.0", ":12: run.accuracy: is 0, must be between 0 and 1: the error of q relative to its size"},
              {"1e-4", "2.0", ":12: run.accuracy: is 2, must be between 0 and 1: the error of q relative to its size"},
              {"1e-4", "1e-4\nstep = 0.1", ":12: run.accuracy: accuracy and step are both given; leave one out"},
              {"1e-4", "1e-4\nestimate = true", ":13: run.estimate: accuracy includes an estimate; leave one out"},
              {"end = 1.0", "steps = 10", ":11: run: end is missing, which accuracy needs; write end = 100.0"},
              {"end = 1.0", "end = 0.0", ":13: run.end: end = 0.0 is the time of the start; write a later end"},
              {"rattle", "auto\"\ns = \"2",
               ":11: method.s: \"auto\" chooses method and options; leave it out, or name a method"},
              {"name = \"rattle\"\n[run]\naccuracy = 1e-4", "name = \"auto\"\n[run]\nstep = 0.1",
               ":10: method.name: \"auto\" chooses a method for run.accuracy, and there is a step; write accuracy = "
               "1e-8 instead of "
               "it, or name a method; methods that fit: "}});
  const Place place;
  CHECK(place.livens("run pendulum --accuracy 1e-6 --estimate").status == 2);
}

TEST_CASE("advice_is_a_table_and_a_page") {
  const Place place;
  const Reply reply = place.livens("advise lotka-volterra --set run.end=10 --json --out new");
  REQUIRE(reply.status == 0);
  const Json advice = Json::parse(reply.out);
  CHECK(advice["rows"].size() > 10);
  CHECK(advice["rows"][advice["recommended"].get<std::size_t>()]["error"].get<double>() <= 1e-6);
  CHECK(contents(place / "new/advice.html").find("recommended") != std::string::npos);
  CHECK(place.livens("advise pendulum-boundary").status == 2);
}
