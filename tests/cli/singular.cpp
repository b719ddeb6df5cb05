// A parallelogram linkage turns through the position in which all bars lie on one line, where its constraints lose rank
// and two branches meet: through the program.
#include <doctest/doctest.h>

#include <cmath>

#include "cli/trials.hpp"

using namespace program;

namespace {

// Cranks of length 1, so many radians before they lie flat, turn by one radian a second.
std::string parallelogram(double before, const std::string& method) {
  std::ostringstream text;
  text.precision(17);
  const double x = std::cos(before), y = -std::sin(before);
  text << R"toml([system]
kind = "lagrangian"
coordinates = ["x1", "y1", "x2", "y2"]
lagrangian = "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/2"
constraints = ["(x1^2 + y1^2 - 1)/2", "((x2 - 2)^2 + y2^2 - 1)/2", "((x2 - x1)^2 + (y2 - y1)^2 - 4)/2"]
)toml"
       << "[initial]\nq = [" << x << ", " << y << ", " << x + 2 << ", " << y << "]\nv = [" << -y << ", " << x << ", "
       << -y << ", " << x << "]\nproject = true\n[method]\n"
       << method << "\n[run]\nstep = 0.01\nsteps = 80\n";
  return text.str();
}
const std::string galerkin = "name = \"galerkin\"\ns = 3\nw = 2";

}  // namespace

TEST_CASE("momentum_and_multipliers_are_null_where_constraints_lose_rank_and_the_run_says_so") {
  const Place place;
  put(place / "p.toml", parallelogram(0.5, galerkin));
  const Json ended = place.summary("p.toml --out flat", {"run.steps=50"});  // ends there
  for (const char* x : {"p", "v", "lambda"})
    for (const Json& number : ended["final"][x]) CHECK(number.is_null());
  CHECK(std::abs(ended["final"]["q"][0].get<double>() - 1) < 1e-9);
  CHECK(mentions(ended["message"].get<std::string>(),
                 "constraints lose rank: momentum or multiplier is not determined and not a number at 1 row, and the "
                 "audit could not look at 1 state; first at t = 0.5"));
  CHECK(ended["audit"]["energy"]["max_error"].get<double>() < 4 * 4.5e-16);
  CHECK(ended["audit"]["hidden_constraint"]["max"].get<double>() < 1e-14);

  const Json passed = place.summary("p.toml --out passed");
  CHECK(
      mentions(passed["message"].get<std::string>(), "the motion passed a singular configuration of the constraints"));
  CHECK(mentions(passed["message"].get<std::string>(), "not a number at 1 row"));
  for (const Json& number : passed["final"]["lambda"]) CHECK(number.is_number());
}

TEST_CASE("runs_resume_to_the_bit_over_rows_that_are_not_determined") {
  const Place place;
  put(place / "p.toml", parallelogram(0.5, galerkin));
  check_resumed(place, "p.toml", 50, 400);
}

TEST_CASE("no_method_passes_a_flat_parallelogram_without_a_word") {
  const Place place;
  for (const char* method : {"name = \"hbvm\"", "name = \"hbvm\"\niteration = \"newton\"", "name = \"rattle\"",
                             "name = \"ggl\"", "name = \"energy-momentum\"", "name = \"spark\"", "name = \"galerkin\""})
    for (const char* step : {"0.0005", "0.001", "0.002"}) {
      CAPTURE(method);
      CAPTURE(step);
      put(place / "p.toml", parallelogram(0.05, method));
      const Reply reply = place.run(Place::joined(Place::split("run p.toml --json --force --out r"),
                                                  {std::string("run.step=") + step, "run.steps=200"}));
      const bool refused = reply.status == 1;
      CHECK((refused || (reply.status == 0 && mentions(reply.out, "passed a singular configuration"))));
    }
}

// Before, beside and behind the flat position, at t = 0.57: by stalled iterations, by numbers that leave all domains
// and by a constraint that was left out and does not hold.
TEST_CASE("ggl_says_that_a_bar_on_three_legs_is_near_its_flat_position_and_other_methods_pass_it") {
  const Place place;
  put(place / "legs.toml", R"toml([system]
kind = "multibody"
plane = true
gravity = [0, -9.81]
[[body]]
for = "i = 1..3"
name = "leg[i]"
mass = 1.0
shape = { type = "rod", length = 1.0 }
position = ["i - 1 + 0.5*sin(0.5)", "0.5*cos(0.5)"]
rotation = "pi/2 - 0.5"
[[body]]
name = "bar"
mass = 3.0
shape = { type = "rod", length = 2.0 }
position = ["1 + sin(0.5)", "cos(0.5)"]
[[joint]]
for = "i = 1..3"
name = "foot[i]"
type = "revolute"
bodies = ["ground", "leg[i]"]
at = ["i - 1", 0]
[[joint]]
for = "i = 1..3"
name = "top[i]"
type = "revolute"
bodies = ["leg[i]", "bar"]
at = ["i - 1 + sin(0.5)", "cos(0.5)"]
[method]
name = "ggl"
[run]
step = 0.02
end = 0.8
)toml");
  const struct {
    const char *step, *how, *where;
  } failures[] = {{"0.02", "stalled", "; about 4.6 steps ahead, near t = 0.572, "},
                  {"0.04", "left the domain", "; about 5.1 steps ahead, near t = 0.604"},
                  {"0.05", "leads off a constraint", "; about 0.9 steps ahead, near t = 0.545"}};
  for (const auto& failure : failures) {
    CAPTURE(failure.step);
    const std::string step = std::string("run.step=") + failure.step;
    const Reply reply = place.run(Place::joined(Place::split("run legs.toml --json --force --out r"), {step}));
    CHECK(reply.status == 1);
    for (const char* words : {failure.how, failure.where, "joint 'top[2]' (row 2 of 2: point y) will depend on others",
                              "a few steps before and after that some steps of ggl have no solution",
                              "take a shorter or slightly different step, or rattle or galerkin"})
      CHECK(mentions(reply.out, words));
    CHECK(!mentions(reply.out, "system.lagrangian"));
    for (const char* method : {"method.name=rattle", "method.name=galerkin"})
      CHECK(place.summary("legs.toml --force --out r", {step, method})["outcome"] == "finished");
  }
  CHECK(place.summary("legs.toml --force --out r", {"run.step=0.005"})["outcome"] == "finished");
}

// A chain in the plane: links of mass 1 at both ends, light ones between them.
TEST_CASE("a_light_link_is_no_singular_configuration") {
  const Place place;
  const auto chain = [](const char* mass, bool project) {
    std::string text =
        "system = { kind = \"multibody\", plane = true, gravity = [0.0, -9.81] }\n"
        "method.name = \"rattle\"\nrun = { step = 0.001, end = 0.05 }\n";
    text += std::string("initial.project = ") + (project ? "true\n" : "false\n");
    for (int i = 0; i < 4; ++i) {
      const std::string m = i == 0 || i == 3 ? "1.0" : mass, name = "b" + std::to_string(i);
      text += "[[body]]\nname = \"" + name + "\"\nmass = " + m + "\ninertia = \"0.1*" + m + "\"\nposition = [" +
              std::to_string(i) + ".5, 0.0]\n";
      text += "[[joint]]\nname = \"j" + std::to_string(i) + "\"\ntype = \"revolute\"\nbodies = [\"" +
              (i == 0 ? "ground" : "b" + std::to_string(i - 1)) + "\", \"" + name + "\"]\nat = [" + std::to_string(i) +
              ".0, 0.0]\n";
    }
    return text;
  };
  put(place / "run.toml", chain("1e-9", false));
  const Reply failed = place.livens("run run.toml");
  CAPTURE(failed.err);
  CHECK(failed.status == 1);
  CHECK_FALSE(mentions(failed.err, "depend"));
  CHECK(mentions(failed.err, "the step is long beside the fastest oscillation there"));

  put(place / "closed.toml", chain("1e-10", true));
  const Reply refused = place.livens("run closed.toml");
  CAPTURE(refused.err);
  CHECK(refused.status == 2);
  CHECK_FALSE(mentions(refused.err, "singular"));
  CHECK(mentions(refused.err, "body 'b1' has the mass 1e-10, body 'b3' 1: with masses so far apart"));
}
