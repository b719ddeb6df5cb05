// Degenerate systems L = theta(q).v - H(q), as a user meets them.
#include <doctest/doctest.h>

#include <cmath>

#include "cli/trials.hpp"

using namespace program;

namespace {

const std::string lotka_volterra = R"toml(title = "Lotka-Volterra"
[system]
kind        = "degenerate"
coordinates = ["x", "y"]
theta       = ["log(y)/x + y", "x"]
hamiltonian = "a*x + y - b*log(x) - 2*log(y)"
[system.parameters]
a = 1.0
b = 1.0
[system.invariants]
sum = "x + p_y"
[initial]
q = [1.0, 1.0]
[method]
name = "vprk"
stages = 2
[run]
step = 0.1
end = 1.0
)toml";

const std::vector<Wrong> wrong_models{
    // the system
    {"theta       = [\"log(y)/x + y\", \"x\"]\n", "", ": system.theta: missing; write theta = [\"0\", \"x\"]"},
    {"\"log(y)/x + y\", \"x\"", "\"log(y)/x + y\"",
     ":5: system.theta: has 1 formula, the system has 2 coordinates; write one formula for every coordinate"},
    {"\"log(y)/x + y\", \"x\"", "\"log(y)/x + y\", \"x\", \"0\"",
     ":5: system.theta: has 3 formulas, the system has 2 coordinates; write one formula for every coordinate"},
    {"\"x\"]\nham", "2]\nham",
     ":5: system.theta[2]: is an integer (2), must be a string; write theta = [\"0\", \"x\"]"},
    {"log(y)/x + y", "log(y)/x + y'",
     ":5: system.theta[1]: unknown name \"y'\" at column 12; \"y\" has no velocity here"},
    {"log(y)/x + y", "log(y)/x + t",
     ":5: system.theta[1]: contains \"t\"; it may contain coordinates and parameters only, degenerate systems have no "
     "t"},
    {"log(y)/x + y", "log(y)/x + p_y",
     ":5: system.theta[1]: contains \"p_y\"; it may contain coordinates and parameters only"},
    {"log(y)/x + y", "log(y)/x + z", ":5: system.theta[1]: unknown name \"z\" at column 12; name it in "},
    {"log(y)/x + y", "log(y/x + y", ":5: system.theta[1]: \"(\" at column 4 is never closed"},
    {"a*x + y", "a*x + y + t",
     ":6: system.hamiltonian: contains \"t\"; it may contain coordinates and parameters only"},
    {"a*x + y", "a*x + x'", ":6: system.hamiltonian: unknown name \"x'\" at column 7; \"x\" has no velocity here"},
    {"hamiltonian = \"a*x + y - b*log(x) - 2*log(y)\"\n", "",
     ": system.hamiltonian: missing; write hamiltonian = \"(x^2 + y^2)/2\""},
    {"hamiltonian = \"a", "lagrangian = \"a",
     ":6: system.lagrangian: belongs to kind \"lagrangian\", not to \"degenerate\"; the keys here are kind, "
     "coordinates, "
     "theta, hamiltonian, parameters, let, invariants"},
    {"\ntheta", "\nconstraints = [\"x\"]\ntheta", ":5: system.constraints: belongs to kind \"lagrangian\", not to "},
    {"\ntheta", "\nforces = [\"0\", \"0\"]\ntheta", ":5: system.forces: belongs to kind \"lagrangian\", not to "},
    {"\"log(y)/x + y\", \"x\"", "\"x\", \"y\"",
     ":5: system.theta: the matrix d_i theta_j - d_j theta_i is singular at initial.q (rows 1, 2); the velocities are "
     "not determined there, correct theta or initial.q"},
    {"sum = \"x + p_y\"", "sum = \"x + p_z\"",
     ":11: system.invariants.sum: unknown name \"p_z\" at column 5; did you mean"},
    {"sum = \"x + p_y\"", "sum = \"x'\"", ":11: system.invariants.sum: unknown name \"x'\" at column 1; \"x\" has no "},
    // the start
    {"q = [1.0, 1.0]", "q = [1.0]", ":13: initial.q: has 1 number, the system has 2 coordinates; write one number "},
    {"q = [1.0, 1.0]", "q = [1.0, 0.0]",
     ":5: system.theta: theta 1 or its derivative is not finite at initial.q; correct initial.q"},
    {"q = [1.0, 1.0]", "q = [1.0, 1.0]\np = [1.0, 1.0]", ":14: initial.p: belongs to kind \"lagrangian\", not to "},
    {"q = [1.0, 1.0]", "q = [1.0, 1.0]\nv = [1.0, 1.0]", ":14: initial.v: belongs to kind \"lagrangian\", not to "},
    {"q = [1.0, 1.0]", "q = [1.0, 1.0]\nproject = true",
     ":14: initial.project: belongs to kind \"lagrangian\", not to \"degenerate\"; the keys here are t, q"},
    {"[method]", "[final]\nq = [1.0, 1.0]\n[method]", ":14: final: boundary value problems are of kind \"lagrangian\""},
    // the method
    {"name = \"vprk\"", "name = \"rattle\"",
     ":15: method.name: \"rattle\" does not fit this system: it is not for systems of kind \"degenerate\"; methods "
     "that "
     "fit: vprk"},
    {"name = \"vprk\"", "name = \"vprkk\"",
     ":15: method.name: there is no method \"vprkk\" in this version; did you mean \"vprk\"?"},
    {"stages = 2", "stages = 0", ":16: method.stages: 0 is out of range; it must be at least 1 and at most 40"},
    {"stages = 2", "stages = 2.5", ":16: method.stages: 2.5 is a number; it must be a whole number"},
    {"stages = 2", "s = 2", ":16: method.s: \"vprk\" has no such option; it has tableau, stages, projection, "},
    {"stages = 2", "tableau = \"lobatto\"", ":16: method.tableau: \"lobatto\" is not one of gauss, lobatto-IIIA, "},
    {"stages = 2", "tableau = \"lobatto-IIIA\"\nstages = 1",
     ":17: method.stages: stages = 1: this tableau has at least 2"},
    {"stages = 2", "tableau = \"srk3\"\nstages = 2", ":17: method.stages: stages = 2: srk3 has 3 stages"},
    {"stages = 2", "tableau = \"radau-IIA\"\nprojection = \"symmetric\"",
     ":17: method.projection: radau-IIA ends on the constraint: its projection is \"none\""},
    {"stages = 2", "projection = \"simplectic\"",
     ":16: method.projection: \"simplectic\" is not one of symmetric, none, standard, symplectic, midpoint; did you "
     "mean \"symplectic\"?"},
    {"stages = 2", "coefficients = \"exact\"", ":16: method.coefficients: \"exact\" is not one of symplectic, split, "},
    // what degenerate systems have no use for
    {"[run]", "[solver]\nredundant = \"least-norm\"\n[run]",
     ":18: solver.redundant: \"least-norm\" is made for kind \"lagrangian\", this one is \"degenerate\"; leave it out"},
    {"[run]", "[solver]\nlinear = \"sparse\"\n[run]", ":18: solver.linear: \"sparse\" is made for kind \"lagrangian\""},
    {"[run]", "[record]\nmultipliers = [1]\n[run]", ":18: record.multipliers: belongs to kind \"lagrangian\", not to"},
    {"[run]", "[record]\nreactions = true\n[run]", ":18: record.reactions: belongs to kind \"lagrangian\", not to "},
};

}  // namespace

TEST_CASE("wrong_degenerate_models_are_refused_with_line_key_and_remedy") {
  CHECK(wrong_models.size() >= 30);
  check_refusals(lotka_volterra, wrong_models);
}

TEST_CASE("an_odd_number_of_coordinates_has_no_degenerate_lagrangian") {
  const Place place;
  put(place / "m.toml", R"toml([system]
kind = "degenerate"
coordinates = ["x", "y", "z"]
theta = ["-y", "x", "x*y"]
hamiltonian = "x^2 + y^2 + z^2"
[initial]
q = [1.0, 2.0, 3.0]
)toml");
  CHECK(mentions(
      place.livens("check m.toml").err,
      "m.toml:4: system.theta: the matrix d_i theta_j - d_j theta_i is singular as it is for every odd number "
      "of coordinates (rows 3); the velocities are not determined there, correct theta or system.coordinates"));
}

TEST_CASE("runs_of_every_projection_killed_or_made_longer_end_with_the_same_bits") {
  for (const std::string projection : {"none", "standard", "symmetric", "symplectic", "midpoint"})
    for (const std::string tableau : {"gauss", "lobatto-IIIB"}) {
      CAPTURE(projection + " " + tableau);
      const Place place;
      check_resumed(
          place,
          "guiding-centre --set run.every=3 --set run.step=0.5 --set method.stages=3 --set method.projection=" +
              projection + " --set method.tableau=" + tableau,
          200, 8000);
    }
}

TEST_CASE("growing_multipliers_of_the_symplectic_projection_are_told_before_the_run_fails") {
  const Place place;
  const std::string job =
      "run guiding-centre --set method.projection=symplectic --set method.stages=3 --set run.steps=";
  const std::string warning = "the multiplier of the symplectic projection grows: ";
  const Reply quiet = place.livens(job + "1000 --out short");
  CHECK(quiet.status == 0);
  CHECK_FALSE(mentions(quiet.err, warning));
  const Reply warned = place.livens(job + "3000 --json --out middle");
  CHECK(warned.status == 0);
  CHECK(warned.err.starts_with("warning: " + warning));  // while it runs
  CHECK(mentions(warned.json()["message"].get<std::string>(), warning));
  CHECK(warned.json()["audit"]["energy"]["max_error"] < 1e-9);  // which does not know yet
  const Reply failed = place.livens(job + "20000 --json --out long");
  CHECK(failed.status == 1);
  CHECK(failed.json()["steps"] > 7000);
  CHECK(failed.json()["steps"] < 12000);
  CHECK(mentions(failed.json()["message"].get<std::string>(), warning));
  CHECK_FALSE(mentions(place.livens(job + "20000 --out stable --set run.step=3 --set initial.q=[2.5,0,0,0.3375]").err,
                       warning));
}

TEST_CASE("lobatto_IIIC_says_why_it_is_singular_where_a_component_of_theta_vanishes") {
  const Place place;
  for (const std::string projection : {"none", "standard", "symplectic"}) {
    const Json summary = place.summary("guiding-centre --force --out r",
                                       {"method.tableau=lobatto-IIIC", "method.projection=" + projection}, 1);
    const std::string message = summary["message"];
    CHECK(message.starts_with("step 1 from t = 0 could not be solved: singular Jacobian"));
    CHECK(mentions(message, "the theta of u does not depend on the coordinates"));
    CHECK(mentions(message, "take another tableau"));
  }
}

TEST_CASE("a_motion_into_a_singular_form_ends_where_it_is_valid") {
  // d_1 theta_2 - d_2 theta_1 = x: singular on the line x = 0, to which the motion x' = -1/x leads in t = 1/2
  const Place place;
  put(place / "m.toml", R"toml([system]
kind = "degenerate"
coordinates = ["x", "y"]
theta = ["0", "x^2/2"]
hamiltonian = "y"
[initial]
q = [1.0, 0.0]
[method]
name = "vprk"
[run]
step = 0.05
steps = 20
)toml");
  const Json summary = place.summary("m.toml --out r", {}, 1);
  CHECK(summary["steps"] == 9);
  CHECK(mentions(summary["message"].get<std::string>(), "the results are valid up to t = 0.45"));
  CHECK(std::abs(summary["final"]["q"][0].get<double>() - std::sqrt(0.1)) < 1e-4);
}

TEST_CASE("two_coordinates_have_a_phase_portrait_with_the_level_curve_of_the_start") {
  const Place place;
  place.summary("plane-particle --report --out r");
  const std::string page = contents(place / "r/report.html");
  for (const char* part : {"<b>Phase portrait</b>", "H = H(0)", "motion", "p is theta(q), by construction",
                           "<b>Multiplier of the projection</b>", ">of x<", ">of y<"})
    CHECK_MESSAGE(mentions(page, part), part);
  CHECK_FALSE(mentions(page, "Constraint p = theta(q)"));  // nothing to draw
  place.summary("plane-particle --report --out none", {"method.projection=none"});
  CHECK(mentions(contents(place / "none/report.html"), "Constraint p = theta(q)"));
}
