// Overdetermined systems y' = v, z' = f + r(psi), g = 0, g_y v = 0, as a user meets them.
#include <doctest/doctest.h>

#include <cmath>

#include "cli/trials.hpp"

using namespace program;

namespace {

const std::string bead = R"toml(title = "Bead"
[system]
kind        = "odae"
positions   = ["y1", "y2"]
velocities  = ["z1", "z2"]
multipliers = ["psi"]
velocity    = ["z1", "z2"]
force       = ["0", "-g"]
reaction    = ["-y1*psi - c*abs(psi)*z1", "-y2*psi - c*abs(psi)*z2"]
constraints = ["(y1^2 + y2^2 - 1)/2"]
[system.parameters]
g = 9.81
c = 0.1
[system.invariants]
spin = "y1*z2 - y2*z1"
[initial]
y = [0.6, -0.8]
z = [0.8, 0.6]
[method]
name = "euler"
alpha = 0.5
[run]
step = 0.01
end = 1.0
)toml";

const std::vector<Wrong> wrong_beads{
    {"velocity    = [\"z1\", \"z2\"]\n", "", ": system.velocity: missing; write velocity = [\"z1\", \"z2\"]"},
    {"velocity    = [\"z1\", \"z2\"]", "velocity    = [\"z1\"]",
     ":7: system.velocity: has 1 formula, the system has 2 positions; write one formula for every position"},
    {"velocity    = [\"z1\", \"z2\"]", "velocity    = [\"z1\", 2]",
     ":7: system.velocity[2]: is an integer (2), must be a string; write velocity = [\"z1\", \"z2\"]"},
    {"velocity    = [\"z1\", \"z2\"]", "velocity    = [\"z1\", \"psi\"]",
     ":7: system.velocity[2]: contains \"psi\"; it may contain positions, velocities, t and parameters only"},
    {"force       = [\"0\", \"-g\"]", "force       = [\"0\", \"-g\", \"0\"]",
     ":8: system.force: has 3 formulas, the system has 2 velocities; write one formula for every velocity"},
    {"force       = [\"0\", \"-g\"]", "force       = [\"0\", \"-g*psi\"]",
     ":8: system.force[2]: contains \"psi\"; it may contain positions, velocities, t and parameters only"},
    {"force       = [\"0\", \"-g\"]", "force       = [\"0\", \"-gg\"]",
     ":8: system.force[2]: unknown name \"gg\" at column 2; name it in system.parameters or system.let"},
    {"force       = [\"0\", \"-g\"]\n", "", ": system.force: missing; write force = [\"0\", \"-g\"]"},
    {"\"-y1*psi - c*abs(psi)*z1\"", "\"-y1*psi - c*abs(psi*z1\"",
     ":9: system.reaction[1]: \"(\" at column 16 is never closed"},
    {"\"-y1*psi - c*abs(psi)*z1\"", "\"-y1*psi - c*abs(psi)*y1'\"",
     ":9: system.reaction[1]: unknown name \"y1'\" at column 22; \"y1\" has no velocity here"},
    {"\"-y1*psi - c*abs(psi)*z1\"", "\"-y1*lambda\"",
     ":9: system.reaction[1]: unknown name \"lambda\" at column 5; name it in system.parameters or system.let"},
    {"reaction    = [\"-y1*psi - c*abs(psi)*z1\", \"-y2*psi - c*abs(psi)*z2\"]\n", "",
     ": system.reaction: missing; write reaction = [\"-y1*psi\", \"-y2*psi\"]"},
    {"reaction    = [\"-y1*psi - c*abs(psi)*z1\", \"-y2*psi - c*abs(psi)*z2\"]", "reaction    = [\"0\", \"0\"]",
     ":9: system.reaction: g_y v_z r_psi is singular at the start values: the reaction cannot hold the constraints"},
    {"\"(y1^2 + y2^2 - 1)/2\"", "\"(y1^2 + y2^2 - 1)/2\", \"y1\"",
     ":10: system.constraints: has 2 formulas, the system has 1 multiplier; write one formula for every multiplier"},
    {"\"(y1^2 + y2^2 - 1)/2\"", "\"(y1^2 + z2^2 - 1)/2\"",
     ":10: system.constraints[1]: contains \"z2\"; constraints of kind \"odae\" may contain positions and parameters "
     "only, not t"},
    {"\"(y1^2 + y2^2 - 1)/2\"", "\"(y1^2 + y2^2 - 1)/2 + t\"",
     ":10: system.constraints[1]: contains \"t\"; constraints of kind \"odae\" may contain positions and parameters "
     "only, not t"},
    {"\"(y1^2 + y2^2 - 1)/2\"", "\"y1^2 + y2^2 - 2\"",
     ":17: initial.y: constraint 1 is -1.0e+00, not 0; correct y or set initial.project = true"},
    {"multipliers = [\"psi\"]", "multipliers = [\"y1\"]",
     ":6: system.multipliers[1]: the name \"y1\" is already given at system.positions[1]; choose another one"},
    {"multipliers = [\"psi\"]", "multipliers = []",
     ":9: system.reaction[1]: unknown name \"psi\" at column 5; did you mean \"pi\"?"},
    {"positions   = [\"y1\", \"y2\"]", "coordinates   = [\"y1\", \"y2\"]",
     ":4: system.coordinates: belongs to kind \"lagrangian\", not to \"odae\"; the keys here are kind, constraints, "
     "positions, velocities, multipliers, velocity, force, reaction, parameters, let, invariants"},
    {"reaction    =", "lagrangian = \"0\"\nreaction    =",
     ":9: system.lagrangian: belongs to kind \"lagrangian\", not to \"odae\"; the keys here are kind, constraints, "
     "positions, velocities, multipliers, velocity, force, reaction, parameters, let, invariants"},
    {"\nforce ", "\nforces ",
     ":8: system.forces: belongs to kind \"lagrangian\", not to \"odae\"; did you mean \"force\"?"},
    {"spin = \"y1*z2 - y2*z1\"", "spin = \"y1*p_y2\"",
     ":15: system.invariants.spin: unknown name \"p_y2\" at column 4; name it in system.parameters or system.let"},
    {"y = [0.6, -0.8]", "y = [0.6]",
     ":17: initial.y: has 1 number, the system has 2 positions; write one number for every position"},
    {"y = [0.6, -0.8]", "y = [0.6, -0.7]",
     ":17: initial.y: constraint 1 is -7.5e-02, not 0; correct y or set initial.project = true"},
    {"z = [0.8, 0.6]", "z = [0.8, -0.6]",
     ":18: initial.z: the rate of constraint 1 is 9.6e-01, not 0; correct z or set initial.project = true"},
    {"z = [0.8, 0.6]", "v = [0.8, 0.6]",
     ":18: initial.v: belongs to kind \"lagrangian\", not to \"odae\"; the keys here are t, y, z, psi, project, "
     "tolerance"},
    {"z = [0.8, 0.6]", "z = [0.8, 0.6]\npsi = [1.0, 2.0]",
     ":19: initial.psi: has 2 numbers, the system has 1 multiplier; write one number for every multiplier"},
    {"y = [0.6, -0.8]", "q = [0.6, -0.8]",
     ":17: initial.q: belongs to kind \"lagrangian\", not to \"odae\"; the keys here are t, y, z, psi, project, "
     "tolerance"},
    {"name = \"euler\"", "name = \"rattle\"",
     ":20: method.name: \"rattle\" does not fit this system: it is not for systems of kind \"odae\"; methods that fit: "
     "composition, euler, spark"},
    {"name = \"euler\"", "name = \"eular\"",
     ":20: method.name: there is no method \"eular\" in this version; did you mean \"euler\"?; methods that fit: "
     "composition, euler, spark"},
    {"alpha = 0.5", "alpha = 0", ":21: method.alpha: alpha = 0: it divides the reaction, and must not be 0"},
    {"alpha = 0.5", "variant = \"natural\"\nalpha = 1",
     ":22: method.alpha: alpha = 1: the natural methods need 1 - alpha, too"},
    {"alpha = 0.5", "variant = \"hamiltonian\"",
     ":21: method.variant: \"hamiltonian\" needs a reaction that is linear in the multipliers and does not contain the "
     "velocities; write \"true\""},
    {"alpha = 0.5", "variant = \"exact\"", ":21: method.variant: \"exact\" is not one of true, natural, hamiltonian"},
    {"alpha = 0.5", "alpha = \"half\"", ":21: method.alpha: \"half\" is a string; it must be a number"},
    {"alpha = 0.5", "scheme = \"strang\"",
     ":21: method.scheme: \"euler\" has no such option; it has variant, conjugate, alpha"},
    {"name = \"euler\"\nalpha = 0.5", "name = \"composition\"\nvariant = \"natural\"",
     ":21: method.variant: variant = \"natural\": its map is not consistent where the reaction is nonlinear; write "
     "\"true\""},
    {"name = \"euler\"\nalpha = 0.5", "name = \"composition\"\nscheme = \"yoshida6\"",
     ":21: method.scheme: \"yoshida6\" is not one of strang, yoshida4, suzuki4, blanes-moan4; did you mean "
     "\"yoshida4\"?"},
    {"name = \"euler\"\nalpha = 0.5", "name = \"spark\"\ns = 0",
     ":21: method.s: 0 is out of range; it must be at least 1 and at most 40"},
    {"[run]", "[solver]\nredundant = \"least-norm\"\n[run]",
     ":23: solver.redundant: \"least-norm\" is made for kind \"lagrangian\", this one is \"odae\"; leave it out"},
    {"[run]", "[solver]\nlinear = \"sparse\"\n[run]",
     ":23: solver.linear: \"sparse\" is made for kind \"lagrangian\", this one is \"odae\"; leave it out"},
    {"[run]", "[record]\nreactions = true\n[run]",
     ":23: record.reactions: belongs to kind \"lagrangian\", not to \"odae\"; the keys here are coordinates, "
     "multipliers"},
    {"[method]", "[final]\nq = [1.0, 0.0]\n[method]",
     ":19: final: boundary value problems are of kind \"lagrangian\", this one is \"odae\""},
};

}  // namespace

TEST_CASE("wrong_overdetermined_models_are_refused_with_line_key_and_remedy") {
  CHECK(wrong_beads.size() >= 30);
  check_refusals(bead, wrong_beads);
}

TEST_CASE("runs_of_overdetermined_systems_killed_or_made_longer_end_with_the_same_bits") {
  for (const std::string method : {"euler", "euler --set method.variant=natural", "euler --set method.conjugate=true",
                                   "composition --set method.scheme=suzuki4", "spark --set method.s=3"}) {
    CAPTURE(method);
    const Place place;
    put(place / "m.toml", method.starts_with("spark") ? replaced(bead, "alpha = 0.5\n", "") : bead);
    check_resumed(place, "m.toml --set run.every=3 --set run.step=0.0005 --set method.name=" + method, 100, 2000);
  }
  // Large steps, which are solved with more or fewer corrections by what the step before left behind
  const Place place;
  std::string quadratic = replaced(bead, "step = 0.01", "step = 0.15");
  quadratic = replaced(quadratic, "-y1*psi - c*abs(psi)*z1", "-y1*(psi + 0.02*psi^2)");
  quadratic = replaced(quadratic, "-y2*psi - c*abs(psi)*z2", "-y2*(psi + 0.02*psi^2)");
  put(place / "m.toml", replaced(quadratic, "z = [0.8, 0.6]", "z = [0.08, 0.06]"));
  const Json whole = place.summary("m.toml", {"run.steps=150"});
  for (int early = 1; early < 150; early += 4) {
    const std::string out = "r" + std::to_string(early);
    REQUIRE(place.livens("run m.toml --quiet --set run.steps=" + std::to_string(early) + " --out " + out).status == 0);
    const Reply rest = place.livens("resume " + out + " --json --steps 150");
    REQUIRE(rest.status == 0);
    CHECK(rest.json()["final"] == whole["final"]);
  }
}

TEST_CASE("lagrangian_runs_of_methods_for_overdetermined_systems_are_resumed_to_the_bit") {
  const std::string bowl = R"toml([system]
kind        = "lagrangian"
coordinates = ["x", "y", "z"]
lagrangian  = "(1 + x^2/4)*(x'^2 + y'^2 + z'^2)/2 + 0.3*y*x'*z' - z*(1 + sin(t)/4)"
constraints = ["x^2 + y^2 + z^2 - 1 - 0.1*sin(2*t)"]
forces      = ["-x'/5", "0", "0"]
[initial]
q = [0.6, 0.0, -0.8]
v = [0.0, 0.9, 0.0]
project = true
[run]
step = 0.002
every = 3
)toml";
  for (const std::string method :
       {"euler", "euler --set method.conjugate=true --set method.variant=hamiltonian", "composition"}) {
    CAPTURE(method);
    const Place place;
    put(place / "m.toml", bowl);
    check_resumed(place, "m.toml --set method.name=" + method, 100, 2000);
  }
}
