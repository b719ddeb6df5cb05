// Steps so large that their equations have several roots, and steps whose errors add up: through the program.
#include <doctest/doctest.h>

#include <cmath>

#include "cli/program.hpp"

using namespace program;

namespace {

// A light mass on a surface, thrown about by a heavy one.
const std::string light = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y", "z"]
lagrangian = "0.01*x'^2/2 + y'^2/2 + z'^2/2 - z"
constraints = ["x^4 + y^2 + exp(z) - 2"]
[initial]
q = [0.81653376393601786, 0.61800593344745630, 0.16002759697124973]
v = [-0.35047345810487743, 1.10357105069923216, -0.51197798275884600]
project = true
[method]
name = "galerkin"
[run]
step = 0.05
steps = 20
)toml";

const std::string coupled = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y", "z", "w"]
lagrangian = "1e-3*x'^2/2 + 250*y'^2/2 + z'^2/2 + 3*w'^2/2 - 1e-3*x^2*z - 20*y^4 - z*w - w^3"
constraints = ["x^2 + y^2 + z^2 - 1", "w - x*y*z"]
[initial]
t = 3.0
q = [0.50860988821036252, 0.60881687789295171, -0.60881687789295171, -0.18852031926878925]
v = [0.20003318594662831, 0.11644543701319165, 0.28355456298680835, -0.02239851044666532]
project = true
[method]
name = "constrained-euler"
[run]
step = 0.125
steps = 3
)toml";

const std::string rotor = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["(x^2 + y^2 - 1)/2"]
[system.invariants]
I = "x*p_y - y*p_x"
[initial]
q = [1.0, 0.0]
v = [0.0, 50.0]
[method]
name = "galerkin"
[run]
step = 0.01
steps = 20000
every = 1000
)toml";

// Springs stiff enough that corrections by multipliers alone contract slowly.
const std::string springs = R"toml([system]
kind = "lagrangian"
coordinates = [{for = "i=0..N-1", each = ["x[i]", "y[i]"]}]
lagrangian = "sum(i=0..N-1, (x[i]'^2 + y[i]'^2)/2 - 300/2*(x[i] - 0.1*i)^2 - y[i])"
constraints = [{for = "i=0..N-1", each = ["(x[i]^2 + y[i]^2 - 1)/2"]}]
[system.parameters]
N = 20
[initial]
q = [{for = "i=0..N-1", each = ["sin(0.1*i)", "-cos(0.1*i)"]}]
v = [{for = "i=0..N-1", each = [0.0, 0.0]}]
[method]
name = "galerkin"
[run]
step = 0.1
steps = 200
[solver]
iterations = 300
)toml";

// At rest until a blow that is felt from t = 12 on.
const std::string kick = R"toml([system]
kind = "lagrangian"
coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2 + x*exp(-(t-15)^2)"
[initial]
q = [0.0]
v = [0.0]
[method]
name = "galerkin"
s = 8
[run]
step = 2.0
end = 20.0
)toml";

}  // namespace

TEST_CASE("shake_and_rattle_go_on_along_the_motion_where_their_equations_have_other_roots") {
  const Place place;
  put(place / "light.toml", light);
  const Json expected = place.summary(
      "light.toml --out g", {"method.s=1", "method.quadrature=lobatto", "method.order=2"});  // the same method
  CHECK(std::abs(expected["audit"]["energy"]["max_error"].get<double>() - 0.027256) < 1e-6);
  for (const char* name : {"rattle", "shake"}) {
    const Json s = place.summary(std::string("light.toml --out ") + name, {std::string("method.name=") + name});
    CAPTURE(name);
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(std::abs(s["final"]["q"][i].get<double>() - expected["final"]["q"][i].get<double>()) < 1e-12);
  }
}

TEST_CASE("constrained_euler_goes_on_along_the_motion_where_its_equations_have_other_roots") {
  const Place place;
  put(place / "coupled.toml", coupled);
  const Json s = place.summary("coupled.toml --out c");
  CHECK(std::abs(s["final"]["q"][0].get<double>() - 0.58876793257855) < 1e-12);
  CHECK(std::abs(s["raw"]["lambda"][0].get<double>() - 0.059573815568) < 1e-9);  // another root: 21.6
  CHECK(s["audit"]["energy"]["max_error"].get<double>() < 0.017);
}

TEST_CASE("what_newton_leaves_does_not_add_up_in_the_angular_momentum") {
  const Place place;
  put(place / "rotor.toml", rotor);
  for (const std::string s : {"2", "3", "4", "5"}) {
    const Json summary = place.summary("rotor.toml --out r" + s, {"method.s=" + s});
    CAPTURE(s);
    CHECK(summary["audit"]["invariants"]["I"]["max_error"].get<double>() <
          5e-11);  // of 50; 2e-10 with s = 5 where round-off itself may be left
  }
}

TEST_CASE("slow_contraction_is_not_taken_for_round_off") {
  const Place place;
  put(place / "springs.toml", springs);
  const Json schur = place.summary("springs.toml --out a", {"solver.linear=schur"}),
             sparse = place.summary("springs.toml --out b", {"solver.linear=sparse"});
  CHECK(schur["audit"]["constraint"]["max"].get<double>() < 4e-15);
  double distance = 0;
  for (std::size_t i = 0; i < 40; ++i)
    distance =
        std::max(distance, std::abs(schur["final"]["q"][i].get<double>() - sparse["final"]["q"][i].get<double>()));
  CHECK(distance < 1e-12);
}

// Within a step q grows by a factor of 1e20: beside where it was guessed to come corrections never seem to be small.
TEST_CASE("steps_in_which_a_motion_begins_are_solved") {
  const Place place;
  put(place / "kick.toml", kick);
  const Json large = place.summary("kick.toml --out a"), small = place.summary("kick.toml --out b", {"run.step=0.25"});
  CHECK(std::abs(large["final"]["q"][0].get<double>() - small["final"]["q"][0].get<double>()) < 2 * 6.1e-9);
  CHECK(std::abs(large["final"]["p"][0].get<double>() - small["final"]["p"][0].get<double>()) < 2 * 1.9e-9);
}

TEST_CASE("ggl_says_where_it_has_no_solution") {
  const Place place;
  const Reply none = place.livens("run top --set run.step=0.004 --set run.end=0.4 --out none");
  CHECK(none.status == 1);
  CHECK(mentions(none.err,
                 "h |omega| = 0.566 > 1/2, omega = 141.6 being the rate at which the constraints turn the motion"));
  CHECK(mentions(none.err, "take a step below 0.00353"));
  const Reply few = place.livens("run top --set solver.iterations=2 --out few");
  CHECK(few.status == 1);
  CHECK_FALSE(mentions(few.err, "omega"));
}
