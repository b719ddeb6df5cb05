// summary.json: its keys, its numbers and what they mean.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

#include "cli/program.hpp"

using namespace program;

namespace {

const std::string spinning = R"(title = "Körper am Stab"
[system]
kind        = "lagrangian"
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2"
constraints = ["(x^2 + y^2 - 1)/2"]
[system.invariants]
angular_momentum = "x*p_y - y*p_x"
[initial]
t = 0.7
q = [0.6, 0.8]
v = [-0.8, 0.6]
[method]
name = "constrained-euler"
[run]
step  = 0.1
steps = 9
)";
// By sha256sum of the GNU coreutils.
const std::string spinning_sha256 = "911a79f4dc4022f4fc7c28705cbf0cbc774d5b010971634156d5c91a1481b54d";

using Keys = std::vector<std::string>;

// The numbers of a JSON text as written, outside of its strings.
std::vector<std::string> numbers_in(const std::string& text) {
  std::vector<std::string> found;
  bool in_string = false, in_number = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') ++at;
    if (c == '"') in_string = !in_string;
    const bool digit = !in_string && std::string_view("+-.e0123456789").find(c) != std::string_view::npos;
    const bool begins = digit && !in_number && std::string_view("-0123456789").find(c) != std::string_view::npos;
    if (begins) found.emplace_back();
    in_number = begins || (in_number && digit);
    if (in_number) found.back() += c;
  }
  return found;
}

std::string with_17_digits(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  const std::string digits = text;
  return digits.find_first_of(".e") == digits.npos ? digits + ".0" : digits;
}

}  // namespace

TEST_CASE("a_summary_has_the_keys_of_the_contract") {
  const Place place;
  put(place / "spinning.toml", spinning);
  const Json s = place.summary("spinning.toml");
  CHECK(keys(s) == Keys{"livens", "format", "build", "title", "directory", "model_sha256", "set", "method", "precision",
                        "step", "steps", "outcome", "message", "final", "raw", "audit", "cost", "check"});
  CHECK(keys(s["build"]) == Keys{"compiler", "flags", "commit"});
  CHECK(keys(s["method"]) == Keys{"name", "conjugate"});
  CHECK(keys(s["final"]) == Keys{"t", "q", "v", "p", "lambda"});
  CHECK(keys(s["raw"]) == Keys{"p", "lambda"});
  CHECK(keys(s["audit"]) == Keys{"energy", "constraint", "hidden_constraint", "invariants"});
  CHECK(keys(s["audit"]["energy"]) ==
        Keys{"initial", "max_error", "max_relative", "drift_per_unit_time", "rows", "words"});
  CHECK(keys(s["audit"]["constraint"]) == Keys{"max", "rows", "words"});
  CHECK(keys(s["audit"]["hidden_constraint"]) == Keys{"max", "rows", "words"});
  CHECK(keys(s["audit"]["invariants"]) == Keys{"angular_momentum"});
  CHECK(keys(s["audit"]["invariants"]["angular_momentum"]) ==
        Keys{"initial", "max_error", "max_relative", "rows", "words"});
  CHECK(keys(s["cost"]) == Keys{"newton_iterations", "jacobians", "evaluations", "seconds"});

  CHECK(s["livens"] == "0.1.0");
  CHECK(s["format"] == 1);
  for (const auto& [key, value] : s["build"].items()) CHECK(value.get<std::string>() != "");
  CHECK(s["title"] == "Körper am Stab");
  CHECK(s["set"] == Json::object());
  CHECK(s["method"]["conjugate"] == false);
  CHECK(s["precision"] == "double");
  CHECK(s["step"] == 0.1);
  CHECK(s["outcome"] == "finished");
  CHECK(s["message"] == "");
  for (const char* count : {"newton_iterations", "jacobians", "evaluations"}) {
    CHECK(s["cost"][count].is_number_unsigned());
    CHECK(s["cost"][count] > 0);
  }
  CHECK(s["cost"]["seconds"] > 0.0);
  CHECK(s["final"]["q"].size() == 2);
  CHECK(s["final"]["v"].size() == 2);
  CHECK(s["final"]["p"].size() == 2);
  CHECK(s["final"]["lambda"].size() == 1);
}

TEST_CASE("the_last_time_is_the_first_plus_the_steps_not_their_sum") {
  const Place place;
  put(place / "spinning.toml", spinning);
  const Json s = place.summary("spinning.toml");
  CHECK(s["steps"].is_number_unsigned());
  CHECK(s["steps"] == 9);
  CHECK(s["final"]["t"] == 0.7 + 9 * 0.1);
  double summed = 0.7;
  for (int n = 0; n < 9; ++n) summed += 0.1;
  CHECK(s["final"]["t"] != summed);  // or this test would prove nothing
}

TEST_CASE("a_summary_knows_the_model_by_its_sha256") {
  const Place place;
  put(place / "spinning.toml", spinning);
  CHECK(place.summary("spinning.toml")["model_sha256"] == spinning_sha256);
  CHECK(place.summary("spinning.toml", {"run.step=0.2"})["model_sha256"] == spinning_sha256);
}

TEST_CASE("all_numbers_of_a_summary_have_17_significant_digits") {
  const Place place;
  put(place / "spinning.toml", spinning);
  const std::string text = place.livens("run spinning.toml --json").out;
  CHECK(mentions(text, "\"step\": 0.10000000000000001,"));
  CHECK(mentions(text, "\"t\": 1.6000000000000001,"));
  int reals = 0;
  for (const std::string& number : numbers_in(text)) {
    if (number.find_first_of(".e") == number.npos) continue;
    CHECK(number == with_17_digits(std::strtod(number.c_str(), nullptr)));
    ++reals;
  }
  CHECK(reals == 28);  // step, 8 of final, 3 of raw, 7 of the audit, seconds
}

TEST_CASE("a_summary_records_the_overrides_as_given") {
  const Place place;
  put(place / "spinning.toml", spinning);
  const Json s = place.summary("spinning.toml", {"run.steps=3", "title=Another one", "initial.v=[-0.4, 0.3]"});
  CHECK(s["set"] == Json{{"run.steps", "3"}, {"title", "Another one"}, {"initial.v", "[-0.4, 0.3]"}});
  CHECK(s["title"] == "Another one");
  CHECK(s["steps"] == 3);
}

TEST_CASE("a_free_mass_on_a_rod_turns_evenly") {
  const Place place;
  put(place / "spinning.toml", spinning);
  const Json s = place.summary("spinning.toml");
  const double x = s["final"]["q"][0], y = s["final"]["q"][1];
  CHECK(s["audit"]["energy"]["initial"] == 0.5);
  CHECK(s["audit"]["invariants"]["angular_momentum"]["initial"] == 1.0);
  CHECK(s["audit"]["invariants"]["angular_momentum"]["max_error"] <
        4 * 1.2e-16);  // measured 0, a few units of round-off elsewhere
  CHECK(s["audit"]["constraint"]["max"] < 4 * 1.7e-16);
  CHECK(std::abs(x * x + y * y - 1) < 4 * 2.3e-16);
  // G = (x, y), M = 1: lambda = |v|^2, and v is the velocity of the consistent momentum.
  const double vx = s["final"]["v"][0], vy = s["final"]["v"][1], lambda = s["final"]["lambda"][0];
  CHECK(std::abs(x * vx + y * vy) < 4 * 2.3e-16);
  CHECK(std::abs(lambda - (vx * vx + vy * vy)) < 4 * 2.3e-16);
  CHECK(s["final"]["p"] == s["final"]["v"]);
}

TEST_CASE("a_model_that_does_not_conserve_energy_says_so") {
  const Place place;
  const Json damped = place.summary("pendulum", {R"(system.forces=["-x'/10", "-y'/10"])", "run.steps=10"});
  CHECK(mentions(damped["audit"]["energy"]["note"], "need not conserve energy"));
  CHECK(damped["audit"]["energy"]["drift_per_unit_time"] < 0.0);
  const Json& energy = damped["audit"]["energy"];
  CHECK(energy["balance"].get<double>() > 0);
  CHECK(energy["balance"] < 0.1 * energy["max_error"].get<double>());
  CHECK(energy["rows"]["balance"] == energy["balance"]);  // every step is a row
  CHECK(energy["balance_words"].get<std::string>().starts_with("within "));
  CHECK_FALSE(place.summary("pendulum", {"run.steps=10"})["audit"]["energy"].contains("note"));
  CHECK_FALSE(place.summary("pendulum", {"run.steps=10"})["audit"]["energy"].contains("balance"));
}

// Energy 1/2 |v|^2 + g (1 + sin(t)/2) y: the weight changes, the support moves, the air brakes.
TEST_CASE("the_energy_balance_is_the_same_by_formulas_and_by_elements") {
  const Place place;
  const Arguments driven = {R"(system.lagrangian="(x'^2 + y'^2)/2 - g*(1 + sin(t)/2)*y")",
                            R"(system.constraints=["(x - sin(3*t)/5)^2 + y^2 - l^2"])",
                            R"(system.forces=["-x'/10", "-y'/10"])", "initial.project=true", "run.end=5.0"};
  const auto balance = [&](const std::string& linear) {
    Arguments set = driven;
    set.push_back("solver.linear=" + linear);
    return place.summary("pendulum --force --quiet --out " + linear, set)["audit"]["energy"]["balance"].get<double>();
  };
  const double dense = balance("dense"), sparse = balance("sparse");
  CHECK(dense > 1e-6);
  CHECK(dense < 1e-2);
  CHECK(std::abs(dense - sparse) < 1e-10);
}

TEST_CASE("a_projected_start_says_by_how_much_it_moved") {
  const Place place;
  const Json s = place.summary(
      "pendulum", {"initial.q=[0.0, -1.1]", "initial.v=[1.0, 0.5]", "initial.project=true", "run.steps=10"});
  CHECK(std::abs(s["projection"]["q"].get<double>() - 0.1) < 1e-12);
  CHECK(std::abs(s["projection"]["v"].get<double>() - 0.5) < 1e-12);
  CHECK(mentions(s["message"], "start values moved onto the constraints: q by 1.00e-01, v by 5.00e-01"));
}
