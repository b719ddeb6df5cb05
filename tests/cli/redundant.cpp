// Redundant constraints and large model files, through the program.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/program.hpp"

using namespace program;

namespace {

// The circle said three times in different units.
const char* const said_thrice = "system.constraints=[\"(x^2+y^2-l^2)/2\", \"2*(x^2+y^2-l^2)\", \"x^2+y^2-l^2\"]";

// Two bars and a coupler, stretched along x: there, and only there, the third row of G follows from the others.
const std::string flat = R"toml([system]
kind = "lagrangian"
coordinates = ["x1", "y1", "x2", "y2"]
lagrangian = "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/2"
constraints = ["(x1^2 + y1^2 - 1)/2", "((x2 - 2)^2 + y2^2 - 1)/2", "((x2 - x1)^2 + (y2 - y1)^2 - 4)/2"]
[initial]
q = [1.0, 0.0, 3.0, 0.0]
v = [0.0, 1.0, 0.0, 1.0]
[method]
name = "rattle"
[run]
step = 0.01
end = 1.0
)toml";

// A bar on three parallel cranks, a pendulum of mass 1. The third crank follows from the others, but its row of G does
// so only where they hold.
const std::string cranks = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y", "ux", "uy"]
lagrangian = "(x'^2 + y'^2 + ux'^2 + uy'^2)/2 - 9.81*y"
constraints = ["(x^2 + y^2 - 1)/2", "(ux^2 + uy^2 - 1)/2", "((x + 2*ux - 2)^2 + (y + 2*uy)^2 - 1)/2",
               "((x + 4*ux - 4)^2 + (y + 4*uy)^2 - 1)/2"]
[initial]
q = ["cos(0.5)", "sin(0.5)", 1.0, 0.0]
v = [0.0, 0.0, 0.0, 0.0]
[method]
name = "rattle"
[run]
step = 0.01
end = 0.3
)toml";

}  // namespace

TEST_CASE("a_constraint_said_twice_is_refused_by_its_number") {
  const Place place;
  const Reply reply = place.run({"run", "pendulum", "--set", said_thrice});
  CHECK(reply.status == 2);
  CHECK(reply.out == "");
  CHECK(mentions(reply.err, "constraints 2 and 3 depend on the ones before them"));
}

TEST_CASE("least_norm_gives_the_same_motion_and_the_smallest_multipliers_with_the_same_force") {
  const Place place;
  for (const std::string method : {"rattle", "galerkin", "hbvm", "ggl", "energy-momentum"}) {
    CAPTURE(method);
    const Json once = place.summary("pendulum --quiet --out once-" + method, {"method.name=" + method});
    const Json thrice = place.summary("pendulum --quiet --out thrice-" + method,
                                      {"method.name=" + method, said_thrice, "solver.redundant=least-norm"});
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(std::abs(once["final"]["q"][i].get<double>() - thrice["final"]["q"][i].get<double>()) < 1e-12);
    const double force = once["final"]["lambda"][0];  // rows of G are 1, 4 and 2 times that of the first
    REQUIRE(thrice["final"]["lambda"].size() == 3);
    const double parts[] = {1, 4, 2};
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(std::abs(thrice["final"]["lambda"][k].get<double>() - parts[k] * force / 21) < 1e-9 * std::abs(force));
    CHECK(mentions(thrice["message"].get<std::string>(), "constraints 2 and 3 say what others say"));
  }
}

TEST_CASE("check_says_which_constraints_least_norm_leaves_out") {
  const Place place;
  const Reply reply = place.run(Place::joined({"check", "pendulum"}, {said_thrice, "solver.redundant=least-norm"}));
  CHECK(reply.status == 0);
  for (const char* words : {"2 coordinates, 3 constraints", "constraints 2 and 3 say what others say"})
    CHECK(mentions(reply.out, words));
}

TEST_CASE("check_tells_the_multipliers_of_the_first_row_of_the_run") {
  const Place place;
  const Arguments set = {said_thrice, "solver.redundant=least-norm", "initial.q=[0.6, 0.8]", "initial.v=[0.0, 0.0]"};
  const Reply reply = place.run(Place::joined({"check", "pendulum", "--json"}, set));
  REQUIRE(reply.status == 0);
  std::string told;
  const Json report = Json::parse(reply.out);
  for (const Json& line : report["checks"])
    if (line["what"] == "lambda") told = line["finding"];
  const double one = -9.81 * 0.8;  // of the circle alone, whose row of G is (x, y)
  double found[3] = {};
  REQUIRE(std::sscanf(told.c_str(), "[%lf, %lf, %lf]", &found[0], &found[1], &found[2]) == 3);
  const double parts[] = {1, 4, 2};
  for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(found[k] - parts[k] * one / 21) < 1e-6);
}

TEST_CASE("least_norm_completes_every_block_of_raw_multipliers") {
  const Place place;
  for (const std::string method : {"spark", "hbvm"}) {
    CAPTURE(method);
    Arguments set = {"method.name=" + method, "method.s=3"};
    if (method == "hbvm") set.push_back("method.r=2");
    const Json once = place.summary("pendulum --quiet --out once-" + method, set);
    set.insert(set.end(), {said_thrice, "solver.redundant=least-norm"});
    const Json thrice = place.summary("pendulum --quiet --out thrice-" + method, set);
    const Json &a = once["raw"]["lambda"], &b = thrice["raw"]["lambda"];
    REQUIRE(a.size() == (method == "spark" ? 4 : 2));
    REQUIRE(b.size() == 3 * a.size());
    const double parts[] = {1, 4, 2};
    for (std::size_t block = 0; block < a.size(); ++block)
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(std::abs(b[3 * block + k].get<double>() - parts[k] * a[block].get<double>() / 21) < 1e-7);
  }
}

TEST_CASE("least_norm_refuses_a_constraint_that_contradicts_the_others") {
  const Place place;
  const Reply reply =
      place.run(Place::joined({"run", "pendulum"}, {"system.constraints=[\"(x^2+y^2-l^2)/2\", \"x^2+y^2-2*l^2\"]",
                                                    "solver.redundant=least-norm"}));
  CHECK(reply.status == 2);
  CHECK(mentions(reply.err, "constraint 2"));
  CHECK(place.empty());
}

TEST_CASE("a_start_where_a_constraint_only_seems_to_follow_from_others_is_refused_with_both_settings") {
  const Place place;
  put(place / "flat.toml", flat);
  const Reply error = place.run({"run", "flat.toml"});
  CHECK(error.status == 2);
  CHECK(mentions(error.err, "constraint 3 depends on the ones before it at initial.q (rank 2 of 3)"));
  CHECK(mentions(error.err, "in this singular configuration only: start elsewhere"));
  CHECK(!mentions(error.err, "least-norm"));
  const Reply least_norm = place.run(Place::joined({"run", "flat.toml"}, {"solver.redundant=least-norm"}));
  CHECK(least_norm.status == 2);
  CHECK(mentions(least_norm.err, "system.constraints: constraint 3 is not redundant: initial.q is a singular"));
  CHECK(mentions(least_norm.err, "start elsewhere"));
}

TEST_CASE("a_step_that_fails_near_a_singular_configuration_names_the_constraint") {
  // A point at the distance 1 of two centres that part until they are 2 apart.
  const Place place;
  put(place / "toggle.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
constraints = ["(x^2 + y^2 - 1)/2", "((x - a - t)^2 + y^2 - 1)/2"]
[system.parameters]
a = "2 - 1e-7"
[initial]
q = ["a/2", "sqrt(1 - a^2/4)"]
v = [0.0, 0.0]
project = true
[method]
name = "rattle"
[run]
step = 0.01
end = 1.0
)toml");
  const Json summary = place.summary("toggle.toml --quiet", {}, 1);
  CHECK(mentions(summary["message"].get<std::string>(), "near t = 0 constraint 2 nearly depends on others"));
}

TEST_CASE("a_step_that_fails_beside_a_singular_configuration_names_it_and_how_to_pass_it") {
  // A bar on three equal legs that come to lie on one line, at t = 0.714: steps of ggl beside it.
  const Place place;
  put(place / "legs.toml", R"toml([system]
kind = "multibody"
plane = true
gravity = [0, -9.81]
[[body]]
for = "i = 0..2"
name = "leg[i]"
mass = 1
shape = { type = "box", size = [1, 0.05] }
position = ["i", 0.5]
rotation = "pi/2"
velocity = [-0.5, 0]
angular_velocity = 1
[[body]]
name = "bar"
mass = 2
shape = { type = "box", size = [2, 0.05] }
position = [1, 1]
velocity = [-1, 0]
[[joint]]
for = "i = 0..2"
name = "foot[i]"
type = "revolute"
bodies = ["ground", "leg[i]"]
at = ["i", 0]
[[joint]]
for = "i = 0..2"
name = "top[i]"
type = "revolute"
bodies = ["leg[i]", "bar"]
at = ["i", 1]
[method]
name = "ggl"
[run]
step = 0.005
end = 1.0
)toml");
  for (const auto& [step, words] : {std::pair{"0.0125", "; about 9.5 steps ahead, near t = 0.73"},
                                    {"0.005", "; about 1.1 steps back, near t = 0.714"},
                                    {"0.01", "; about 5.3 steps back, near t = 0.716"}}) {
    const std::string message =
        place.summary("legs.toml --quiet --force", {std::string("run.step=") + step}, 1)["message"];
    CAPTURE(message);
    CHECK(mentions(message, words));
    CHECK(mentions(message, "joint 'foot[1]' (row 1 of 2: point x)"));
    CHECK(mentions(message, "take a shorter or slightly different step, or rattle or galerkin"));
    CHECK(!mentions(message, "halve the step"));
  }
  CHECK(place.summary("legs.toml --quiet --force", {"method.name=galerkin"})["outcome"] == "finished");
}

TEST_CASE("a_body_that_turns_far_in_a_step_or_is_lost_in_rounding_is_named") {
  const Place place;
  put(place / "nanometre.toml", R"toml([system]
kind = "multibody"
plane = true
gravity = [0, -9.81]
[system.parameters]
x = 0
[[body]]
name = "link"
mass = 1
shape = { type = "box", size = [1e-9, 5e-11] }
position = ["x + 5e-10", 0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "link"]
at = ["x", 0]
[method]
name = "rattle"
[run]
step = 0.01
steps = 1000
)toml");
  // 3 g/(2 l) h^2/2
  const std::string turns = place.summary("nanometre.toml --quiet", {}, 1)["message"].get<std::string>();
  CHECK(mentions(turns, "body 'link' turns by 7.4e+05 rad in the step"));
  CHECK(mentions(turns, "take a step below 3.7e-06"));
  CHECK(place.summary("nanometre.toml --quiet --force", {"run.step=3.7e-6"})["outcome"] == "finished");
  const std::string lost =
      place.summary("nanometre.toml --quiet --force", {"system.parameters.x=1"}, 1)["message"].get<std::string>();
  CHECK(mentions(lost, "body 'link' reaches 5.0e-10"));
  CHECK(mentions(lost, "round-off of positions turns it by"));
}

TEST_CASE("a_run_ends_where_a_constraint_left_out_no_longer_holds") {
  // The second circle leaves the first one with t^4: no look at the start can tell.
  const Place place;
  const Json summary = place.summary("pendulum --quiet --out run",
                                     {"system.constraints=[\"(x^2+y^2-l^2)/2\", \"x^2+y^2-l^2-1e-3*t^4\"]",
                                      "solver.redundant=least-norm", "run.step=0.01", "run.end=1.0"},
                                     1);
  CHECK(summary["outcome"] == "failed");
  CHECK(summary["steps"] == 3);  // 1e-3 t^4 reaches 1e-9 (x^2 + y^2 + l^2) at t = 0.0376
  const std::string message = summary["message"];
  CHECK(mentions(message, "step 4 from t = 0.03"));
  CHECK(mentions(message, "constraint 2, left out as redundant, is -2.6e-09 there, not 0"));
  CHECK(mentions(message, "start"));
  CHECK(summary["audit"]["constraint"]["max"].get<double>() == doctest::Approx(1e-3 * std::pow(0.03, 4)).scale(0));
  CHECK(summary["audit"]["hidden_constraint"]["max"].get<double>() ==
        doctest::Approx(4e-3 * std::pow(0.03, 3)).scale(0));
}

TEST_CASE("the_audit_of_an_interrupted_and_resumed_run_knows_the_constraints_left_out_from_its_start") {
  // Largest in the middle of the first half: 1e-10 (1 - cos) is within what is allowed.
  const Place place;
  const Arguments set = {"system.constraints=[\"(x^2+y^2-l^2)/2\", \"x^2+y^2-l^2-1e-10*(1-cos(2*pi*t))*(1-t)^2\"]",
                         "solver.redundant=least-norm", "run.step=0.01", "run.end=0.6"};
  const Json first = place.summary("pendulum --quiet --out run", set);
  const Reply longer = place.livens("resume run --end 1.0 --json --quiet");
  REQUIRE(longer.status == 0);
  CHECK(first["audit"]["constraint"]["max"] == longer.json()["audit"]["constraint"]["max"]);
  CHECK(first["audit"]["constraint"]["max"].get<double>() > 5e-11);
}

TEST_CASE("a_crank_too_many_moves_as_without_it") {
  const Place place;
  put(place / "cranks.toml", cranks);
  const Json all = place.summary("cranks.toml --quiet --out all", {"solver.redundant=least-norm"});
  CHECK(mentions(all["message"].get<std::string>(), "constraint 4 says what others say"));
  const Json pendulum =
      place.summary("pendulum --quiet --out pendulum",
                    {"initial.q=[\"cos(0.5)\", \"sin(0.5)\"]", "initial.v=[0, 0]", "run.step=0.01", "run.end=0.3"});
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(std::abs(all["final"]["q"][i].get<double>() - pendulum["final"]["q"][i].get<double>()) < 1e-13);
  CHECK(all["audit"]["constraint"]["max"].get<double>() < 1e-14);
}

TEST_CASE("dependence_is_judged_where_projection_leads") {
  const Place place;
  put(place / "cranks.toml", cranks);
  const Arguments off = {"initial.q=[0.9, 0.5, 0.98, 0.03]", "initial.project=true"};
  const Reply error = place.run(Place::joined({"run", "cranks.toml"}, off));
  CHECK(error.status == 2);
  CHECK(mentions(error.err, "constraint 4 depends on the ones before it"));
  Arguments set = off;
  set.push_back("solver.redundant=least-norm");
  const Json moved = place.summary("cranks.toml --quiet --out moved", set);
  CHECK(moved["audit"]["constraint"]["max"].get<double>() < 1e-14);
  set.push_back("system.constraints=[\"(x^2+y^2-1)/2\", \"ux-1\", \"uy\", \"(x^2+y^2-2)/2\"]");
  const Reply contradiction = place.run(Place::joined({"run", "cranks.toml"}, set));
  CHECK(contradiction.status == 2);
  CHECK(mentions(contradiction.err, "constraint 4 is -5.0e-01 at the start values, not 0, and the others leave no"));
}

TEST_CASE("studies_leave_out_redundant_constraints_as_runs_do") {
  const Place place;
  const Arguments time = {"run.step=0.05", "run.end=0.5"};
  const auto study = [&](const std::string& words, Arguments set, bool thrice) {
    if (thrice) set.insert(set.end(), {said_thrice, "solver.redundant=least-norm"});
    const Reply reply = place.run(Place::joined(Place::split("study " + words + " --json"), set));
    INFO(reply.err);
    REQUIRE(reply.status == 0);
    return reply.json();
  };
  const std::string order = "order pendulum --step-sizes 0.05,0.025";
  const Json once = study(order, time, false)["rows"], thrice = study(order, time, true)["rows"];
  for (std::size_t k = 0; k < 2; ++k) {
    const auto error = [&](const Json& rows, const char* x) { return rows[k]["error"][x].get<double>(); };
    for (const char* x : {"q", "p"}) CHECK(error(thrice, x) == doctest::Approx(error(once, x)).epsilon(1e-6).scale(0));
    CHECK(error(thrice, "lambda") == doctest::Approx(4.0 / 21 * error(once, "lambda")).epsilon(1e-6).scale(0));
  }
  CHECK(study("symplecticity pendulum", {}, true)["defect"].get<double>() < 1e-14);
  CHECK(study("reversibility pendulum", time, true)["distance"]["q"].get<double>() < 1e-13);
}

TEST_CASE("dense_sparse_and_schur_agree_on_a_chain_of_60_masses") {
  const Place place;
  const auto run = [&](const std::string& linear) {
    return place.summary("chain --quiet --out " + linear,
                         {"system.parameters.N=60", "run.steps=20", "solver.linear=" + linear});
  };
  const Json dense = run("dense");
  for (const std::string linear : {"auto", "schur", "sparse"}) {
    CAPTURE(linear);
    const Json sparse = run(linear);
    double largest = 0;
    for (std::size_t i = 0; i < dense["final"]["q"].size(); ++i)
      largest =
          std::max(largest, std::abs(dense["final"]["q"][i].get<double>() - sparse["final"]["q"][i].get<double>()));
    CHECK(largest < 1e-12);
    CHECK(sparse["audit"]["constraint"]["max"].get<double>() < 1e-16);
  }
}

// Bricard's loop in director coordinates: five rods of length 1 and the ground, 30 rows of rigid bodies and 30 of
// joints, of which the last says what others say. Its terms are 0 at the start, where all axes stand on each other.
TEST_CASE("a_redundant_last_row_of_terms_that_vanish_is_left_out") {
  struct Joint {
    int first, second;  // bodies; 0: the ground
    std::array<double, 3> at;
    int axis;
  };
  const std::array<double, 3> centre[] = {{0, 0, 0}, {.5, 0, 0}, {1, -.5, 0}, {1, -1, .5}, {.5, -1, 1}, {0, -.5, 1}};
  std::vector<Joint> joints = {{0, 1, {0, 0, 0}, 1},  {1, 2, {1, 0, 0}, 2},  {2, 3, {1, -1, 0}, 0},
                               {3, 4, {1, -1, 1}, 1}, {4, 5, {0, -1, 1}, 2}, {5, 0, {0, 0, 1}, 0}};
  const auto component = [&](int body, int director, int k) {  // director -1: the centre
    if (body == 0) return std::string(director == k ? "1" : "0");
    return "q" + std::to_string(body) + "_" + std::to_string(3 * (director + 1) + k);
  };
  const auto dot_of = [&](int a, int i, int b, int j) {
    std::string sum;
    for (int k = 0; k < 3; ++k) sum += (k ? " + " : "") + component(a, i, k) + "*" + component(b, j, k);
    return sum;
  };
  for (int turn = 0; turn < 3; ++turn) {  // each time another joint is last
    std::string names, kinetic, rows, q;
    for (int b = 1; b <= 5; ++b) {
      for (int c = 0; c < 12; ++c) {
        const std::string name = component(b, c / 3 - 1, c % 3);
        names += (names.empty() ? "\"" : ", \"") + name + "\"";
        kinetic += (kinetic.empty() ? "" : " + ") + std::string(c < 3 ? "0.5*" : "0.02*") + name + "'^2";
        q += (q.empty() ? "" : ", ") + std::to_string(c < 3              ? centre[b][static_cast<std::size_t>(c)]
                                                      : (c - 3) % 4 == 0 ? 1.0
                                                                         : 0.0);
      }
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j)
          rows += (rows.empty() ? "\"" : ", \"") + dot_of(b, i, b, j) + (i == j ? " - 1\"" : "\"");
    }
    for (const Joint& joint : joints) {
      for (int k = 0; k < 3; ++k) {
        const auto point = [&](int b) {
          std::string sum = b == 0 ? std::to_string(joint.at[static_cast<std::size_t>(k)]) : component(b, -1, k);
          for (int d = 0; b > 0 && d < 3; ++d) {
            const std::size_t e = static_cast<std::size_t>(d);
            sum += " + (" + std::to_string(joint.at[e] - centre[b][e]) + ")*" + component(b, d, k);
          }
          return sum;
        };
        rows += ", \"" + point(joint.first) + " - (" + point(joint.second) + ")\"";
      }
      for (int j = 0; j < 3; ++j)
        if (j != joint.axis) rows += ", \"" + dot_of(joint.first, joint.axis, joint.second, j) + "\"";
    }
    const Place place;
    put(
        place / "b.toml", "[system]\nkind = \"lagrangian\"\ncoordinates = [" + names + "]\nlagrangian = \"" + kinetic +
                              " - 9.81*(q1_1 + q2_1 + q3_1 + q4_1 + q5_1)\"\nconstraints = [" + rows +
                              "]\n[initial]\nq = [" + q + "]\nv = [" +
                              [] {
                                std::string zeros = "0.0";
                                for (int i = 1; i < 60; ++i) zeros += ", 0.0";
                                return zeros;
                              }() +
                              "]\nproject = true\n[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nsteps = 20\n"
                              "[solver]\nredundant = \"least-norm\"\n");
    const Json s = place.summary("b.toml --out b");
    CHECK(mentions(s["message"].get<std::string>(), "constraint 60 says what others say and was left out"));
    CHECK(s["audit"]["constraint"]["max"].get<double>() < 1e-14);
    std::rotate(joints.begin(), joints.begin() + 2, joints.end());
  }
}
