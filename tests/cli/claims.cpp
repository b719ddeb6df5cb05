// What the audit claims about runs that were once told something false, and about their relatives.
#include "cli/trials.hpp"

using namespace program;

namespace {

struct Claim {
  std::vector<std::string> set;  // changes of the model
  std::string line, words;       // of the audit; what they begin with
};

void check_claims(const std::string& model, const std::vector<Claim>& claims) {
  for (const Claim& claim : claims) {
    const Place place;
    put(place / "m.toml", model);
    const Json summary = place.summary("m.toml --out r", claim.set);
    const Json& audit = summary["audit"];
    const Json& figures = audit.contains(claim.line) ? audit[claim.line] : audit["invariants"][claim.line];
    std::string said;
    for (const std::string& change : claim.set) said += change + " ";
    CAPTURE(said);
    CHECK_MESSAGE(figures["words"].get<std::string>().starts_with(claim.words), figures["words"]);
    if (figures.contains("initial")) CHECK(figures["max_relative"].is_number());
  }
}

}  // namespace

TEST_CASE("an_invariant_is_judged_by_its_own_terms_in_any_units") {
  const std::string orbit = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) + GM*m/sqrt(x^2 + y^2)"
parameters = { m = 1000.0, GM = 3.986e14 }
[system.invariants]
eccentricity_y = "-p_x*(x*p_y - y*p_x)/(m^2*GM) - y/sqrt(x^2 + y^2)"
angular_momentum = "x*p_y - y*p_x"
[initial]
q = [7.0e6, 0.0]
v = [0.0, 9000.0]
[method]
name = "rattle"
[run]
step = 60.0
steps = 4000
)toml";
  const std::vector<std::string> kilometres{"system.parameters.GM=3.986e5", "initial.q=[7000.0, 0.0]",
                                            "initial.v=[0.0, 9.0]"},
      years{"system.parameters.GM=39.478", "initial.q=[1.0, 0.0]", "initial.v=[0.0, 7.5]", "run.step=0.01"},
      atom{"system.parameters.GM=253.0", "system.parameters.m=9.1e-31", "initial.q=[5.3e-11, 0.0]",
           "initial.v=[0.0, 2.4e6]", "run.step=1e-18"};
  check_claims(orbit, {{{}, "eccentricity_y", "drifts by -"},
                       {kilometres, "eccentricity_y", "drifts by -"},
                       {years, "eccentricity_y", "drifts by -"},
                       {atom, "eccentricity_y", "drifts by -"},
                       {{"system.parameters.m=1e-3"}, "eccentricity_y", "drifts by -"},
                       {{"run.step=30.0"}, "eccentricity_y", "drifts by -"},
                       {{}, "angular_momentum", "conserved to round-off"},
                       {atom, "angular_momentum", "conserved to round-off"},
                       {{}, "energy", "oscillates within "}});
}

TEST_CASE("an_error_of_the_method_is_no_round_off_because_its_terms_are_large") {
  const std::string oscillator = R"toml([system]
kind = "lagrangian"
coordinates = ["x"]
lagrangian = "(x'^2 - x^2)/2 - c"
parameters = { c = 1e10 }
[system.invariants]
H = "(p_x^2 + x^2)/2 + c"
[initial]
q = [1.0]
v = [0.3]
[method]
name = "rattle"
[run]
step = 0.1
steps = 3000
)toml";
  check_claims(oscillator, {{{}, "energy", "oscillates within 1."},
                            {{}, "H", "oscillates within 1."},
                            {{"system.parameters.c=-1e10"}, "H", "oscillates within 1."},
                            {{"run.steps=30000"}, "energy", "oscillates within 1."},
                            {{"method.name=galerkin", "method.s=6"}, "energy", "conserved "},
                            {{"method.name=galerkin", "method.s=6"}, "H", "conserved "}});
}

TEST_CASE("a_reflection_at_a_steep_wall_is_a_jump_with_its_time") {
  const std::string wall = R"toml([system]
kind = "lagrangian"
coordinates = ["x"]
lagrangian = "x'^2/2 - exp(-k*x)"
parameters = { k = 100.0 }
[initial]
t = 0.0
q = [2.0]
v = [-1.0]
[method]
name = "rattle"
[run]
step = 0.03
steps = 1000
)toml";
  check_claims(wall, {{{}, "energy", "jumps by 0.96 near t = 2.0, to 0.96"},
                      {{"system.parameters.k=400.0", "run.step=0.01"}, "energy", "jumps by 1.6 near t = 2.0, to 1.6"},
                      {{"initial.t=1000.0"}, "energy", "jumps by 0.96 near t = 1002.0, to 0.96"},
                      {{"initial.v=[1.0]", "run.step=-0.03"}, "energy", "jumps by 0.96 near t = -2.0, to 0.96"},
                      {{"initial.q=[20.0]"}, "energy", "jumps by "},
                      {{"run.step=0.02", "run.steps=5000"}, "energy", "jumps by "},
                      {{"method.name=galerkin", "run.step=0.06"}, "energy", "jumps by "}});
}

TEST_CASE("what_rings_and_is_damped_does_not_jump") {
  const std::string hung = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - k*(x - y)^2/2 - x^2/2 - 9.81*y"
forces = ["-c*(x' - y')", "-c*(y' - x')"]
parameters = { k = 1000.0, c = 5.0 }
[system.invariants]
stretch = "x - y"
place = "x"
[initial]
q = [1.0, 1.1]
v = [0.0, 0.0]
[method]
name = "galerkin"
s = 2
[run]
step = 0.01
steps = 10000
)toml";
  const std::string left = "leaves its start near t = ";
  check_claims(hung, {{{}, "stretch", left},
                      {{"run.steps=1000"}, "stretch", left},
                      {{"run.step=0.05", "run.steps=2000"}, "stretch", left},
                      {{"method.s=4", "run.step=0.02"}, "stretch", left},
                      {{"run.steps=30"}, "stretch", "changes within 0.1"}});
}

TEST_CASE("runs_of_few_steps_claim_neither_bounds_nor_drift") {
  const std::string oscillators = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + w*w*y^2)/2"
forces = ["c*x'", "c*y'"]
parameters = { w = 20.0, c = 0.002 }
[system.invariants]
E = "(x'^2 + y'^2)/2 + (x^2 + w*w*y^2)/2"
[initial]
q = [1.0, 1.0]
v = [0.0, 0.0]
[method]
name = "rattle"
[run]
step = 0.05
steps = 20
)toml";
  std::vector<Claim> claims;
  for (const char* steps : {"1", "2", "10", "16", "20", "25", "30"})
    for (const char* step : {"0.05", "-0.05", "0.09"})
      claims.push_back({{std::string("run.steps=") + steps, std::string("run.step=") + step}, "E", "changes within "});
  check_claims(oscillators, claims);
}

TEST_CASE("an_encounter_at_the_start_of_a_long_run_changes_energy_for_good") {
  const std::string flyby = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)"
[initial]
q = [0.5, 0.05]
v = [-2.3, 0.0]
[method]
name = "rattle"
[run]
step = 0.02
end  = 100.0
)toml";
  check_claims(flyby, {{{}, "energy", "jumps by 7.5e2 near t = 1, to 7.6e2"},
                       {{"run.end=10.0"}, "energy", "jumps by 7.5e2 near t = 0.2"},
                       {{"run.step=-0.02", "run.end=-100.0", "initial.v=[2.3, 0.0]"}, "energy", "jumps by "}});
}

// An orbit whose terms are largest near the sun, where few of the recorded rows are.
TEST_CASE("what_is_said_does_not_depend_on_what_is_recorded") {
  const Place place;
  put(place / "orbit.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)"
[system.invariants]
angular_momentum = "x*p_y - y*p_x"
eccentricity_x = "p_y*(x*p_y - y*p_x) - x/sqrt(x^2 + y^2)"
[initial]
q = [1.95, 0.0]
v = [0.0, 0.115]
[method]
name = "galerkin"
s = 3
[run]
step = 0.01
steps = 5000
)toml");
  const auto said = [&](const std::string& model, const std::vector<std::string>& set, const std::string& directory) {
    Json audit = place.summary(model + " --force --out " + directory, set)["audit"];
    for (Json& figures : audit) figures.erase("rows");
    for (Json& figures : audit["invariants"]) figures.erase("rows");
    return audit.dump(1);
  };
  for (const std::string model : {"orbit.toml", "pendulum", "lotka-volterra", "overdetermined-cubic", "slider-crank"}) {
    CAPTURE(model);
    const std::string all = said(model, {}, "all");
    CHECK(said(model, {"run.every=10"}, "tenth") == all);
    CHECK(said(model, {"run.every=1000"}, "thousandth") == all);
    if (model == "orbit.toml") CHECK(said(model, {"run.every=1000", "record.coordinates=[\"y\"]"}, "y") == all);
  }
  check_resumed(place, "orbit.toml --set run.every=300", 700, 5000);
}

TEST_CASE("a_force_at_right_angles_to_the_velocity_conserves_energy") {
  const std::string magnet = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
forces = ["2*y'", "-2*x'"]
[initial]
q = [1.0, 0.0]
v = [0.0, 1.0]
[method]
name = "galerkin"
s = 4
[run]
step = 0.01
steps = 500
)toml";
  check_claims(magnet, {{{}, "energy", "conserved to round-off, within "},
                        {{"system.forces=[\"2*y'\", \"-3*x'\"]"}, "energy", "the model need not conserve energy"}});
}

// Energy goes to and fro between two modes, slowly: about 500 units of time for c = 0.05.
TEST_CASE("slow_exchange_between_modes_is_neither_drift_nor_growth") {
  const std::string modes = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + 4*y^2)/2 - c*x^2*y"
parameters = { c = 0.05 }
[initial]
q = [0.01, 1.0]
v = [0.0, 0.0]
[method]
name = "rattle"
[run]
step = 0.1
steps = 3000
)toml";
  const std::string too_short = "changes within 0.02; the run is too short to tell";
  check_claims(modes, {{{}, "energy", too_short},
                       {{"run.steps=3500"}, "energy", too_short},
                       {{"run.steps=10000"}, "energy", "oscillates within"},
                       {{"run.steps=20000"}, "energy", "oscillates within"},
                       {{"system.parameters.c=0.08", "run.steps=2000"}, "energy", too_short},
                       {{"system.parameters.c=0.02", "initial.q=[0.1, 1.0]", "run.steps=4000"}, "energy", too_short}});
}

TEST_CASE("methods_that_gain_or_lose_energy_are_told_a_drift_under_their_oscillation") {
  const auto words = [](const std::string& problem, std::vector<std::string> set) {
    const Place place;
    set.push_back("method.tableau=radau-IIA");
    return place.summary(problem + " --out r", set)["audit"]["energy"]["words"].get<std::string>();
  };
  for (const char* problem : {"lotka-volterra", "guiding-centre", "guiding-centre-barely-trapped"})
    CHECK_MESSAGE(words(problem, {}).starts_with("drifts by "), words(problem, {}));
  CHECK(words("lotka-volterra", {"run.step=0.02"}).starts_with("drifts by "));
  CHECK(words("vortices", {}).starts_with("drifts by -"));
}

TEST_CASE("what_rounding_leaves_of_a_body_at_rest_violates_nothing") {
  // Projected to rest without weight, as locked bodies are: rates of 1e-32 are not known better, and move nothing.
  const std::string held = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "x'^2 + y'^2"
constraints = ["a*x + b*y - 1", "b*x - a*y"]
parameters = { a = 0.6, b = 0.8 }
[initial]
q = [0.6, 0.8]
v = [1e-32, 0.0]
tolerance = 2.0
[method]
name = "rattle"
[run]
step = 0.1
steps = 40
)toml";
  check_claims(held, {{{}, "hidden_constraint", "satisfied to round-off"}});
  check_claims(held, {{{"initial.v=[1e-3, 0.0]"}, "hidden_constraint", "violated"}});
}
