// The mechanisms that Livens ships, each with what is known about it.
#include <array>
#include <functional>

#include "livens/model/check_model.hpp"
#include "livens/model/multibody.hpp"
#include "multibody/mechanism_runs.hpp"

using namespace mechanism;

namespace {

constexpr double pi = 3.14159265358979323846;

std::string finding(const std::string& problem, const std::string& what) {
  for (const auto& line : livens::check_model(livens::load_model(problem)).lines)
    if (line.what == what) return line.finding;
  return "";
}

double invariant_error(const livens::RunResult& result, std::size_t k = 0) {
  return result.audit.invariants.at(k).max_error;
}

using Space = std::array<double, 3>;
Space cross(const Space& a, const Space& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Space space(const Numbers& x) {
  return {x[0], x[1], x[2]};
}

}  // namespace

TEST_CASE("mechanisms_of_bodies_move_as_those_of_formulas") {
  for (const auto& [body, formula] :
       {std::pair{"top-body", "top"}, std::pair{"double-four-bar-body", "double-four-bar"}})
    for (const std::string method : {"ggl", "rattle", "energy-momentum"}) {
      const std::string problem = body;
      CAPTURE(problem);
      CAPTURE(method);
      const auto run_with = [&](const char* name) {
        livens::Model model = livens::load_model(name, {{"run.steps", "100"}, {"run.step", "0.001"}});
        model.method = {method, {}};
        return run(model);
      };
      const auto a = run_with(body), b = run_with(formula);
      CHECK(distance(a.final.q.numbers, b.final.q.numbers) < 1e-12);
      CHECK(distance(a.final.v->numbers, b.final.v->numbers) < 1e-9);
    }
}

TEST_CASE("the_top_keeps_its_height_and_its_joint_carries_it") {
  const auto end = run_problem("top-body", {{"run.end", "0.5"}});
  CHECK(std::abs(part(end, "bodies/top/position")[2] - 0.0375) < 1e-8);
  const double mass = 2700 * pi * 0.05 * 0.05 * 0.1 / 3, r = 0.075 * std::sin(pi / 3);
  const Numbers& force = part(end, "joints/tip/force");
  CHECK(force[2] == doctest::Approx(mass * 9.81).epsilon(1e-6));
  CHECK(std::hypot(force[0], force[1]) == doctest::Approx(mass * r * 100).epsilon(1e-6));
  CHECK(distance(part(end, "joints/tip/torque"), {0, 0, 0}) < 1e-9);
  CHECK(invariant_error(end) < 1e-15);
}

TEST_CASE("the_slider_stands_where_the_crank_sends_it_after_100000_steps") {
  const auto end = run_problem("slider-crank", {{"run.steps", "100000"}, {"run.every", "100000"}});
  const double a = part(end, "bodies/crank/rotation")[0];
  CHECK(part(end, "bodies/slider/position")[0] ==
        doctest::Approx(0.1 * std::cos(a) + std::sqrt(0.16 - std::pow(0.1 * std::sin(a), 2))).epsilon(1e-12));
  CHECK(end.audit.constraint < 1e-14);
}

TEST_CASE("a_spatial_four_bar_keeps_its_coupler_and_balances_every_body") {
  CHECK(finding("rssr", "degrees of freedom") == "1 by counting rows, 1 by rank");
  // acceleration and rate of the angular momentum at step 100 from those around it, differences of order 4
  const auto at = [](int step) {
    return run_problem("rssr", {{"run.steps", std::to_string(step)}, {"run.step", "0.002"}, {"method.s", "3"}});
  };
  const double h = 0.002;
  std::vector<livens::RunResult> around;
  for (const int step : {248, 249, 250, 251, 252}) around.push_back(at(step));
  const auto slope = [&](const std::function<Space(const livens::RunResult&)>& of) {
    const Space a = of(around[0]), b = of(around[1]), c = of(around[3]), d = of(around[4]);
    Space out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = (a[k] - 8 * b[k] + 8 * c[k] - d[k]) / (12 * h);
    return out;
  };
  const livens::RunResult& now = around[2];
  const auto vector_of = [](const livens::RunResult& r, const std::string& name) { return space(part(r, name)); };
  struct Load {
    std::string joint;
    double sign;  // -1: the body is the first of the joint
    Space point;  // of the joint, in the body's axes
  };
  struct Balanced {
    std::string body;
    double mass;
    Space moments;
    std::vector<Load> loads;
  };
  const double m1 = 7800 * 0.2 * 0.02 * 0.02, m2 = 7800 * 0.5 * 0.02 * 0.02;
  const auto box = [](double m, double a, double b, double c) {
    return Space{m / 12 * (b * b + c * c), m / 12 * (a * a + c * c), m / 12 * (a * a + b * b)};
  };
  const std::vector<Balanced> all{
      {"crank", m1, box(m1, 0.2, 0.02, 0.02), {{"shaft", 1, {-0.1, 0, 0}}, {"first-ball", -1, {0.1, 0, 0}}}},
      {"rocker", m2, box(m2, 0.02, 0.02, 0.5), {{"second-ball", 1, {0, 0, 0.25}}, {"hinge", 1, {0, 0, -0.25}}}}};
  for (const Balanced& body : all) {
    CAPTURE(body.body);
    const std::string path = "bodies/" + body.body + "/";
    const auto turned = [&](const livens::RunResult& r, const Space& X) {
      const Numbers& R = part(r, path + "rotation");
      Space x;
      for (std::size_t i = 0; i < 3; ++i) x[i] = R[3 * i] * X[0] + R[3 * i + 1] * X[1] + R[3 * i + 2] * X[2];
      return x;
    };
    const Space a = slope([&](const livens::RunResult& r) { return vector_of(r, path + "velocity"); });
    const Space rate = slope([&](const livens::RunResult& r) {
      const Numbers& R = part(r, path + "rotation");
      const Space w = vector_of(r, path + "angular_velocity");
      Space own;
      for (std::size_t j = 0; j < 3; ++j) own[j] = body.moments[j] * (R[j] * w[0] + R[3 + j] * w[1] + R[6 + j] * w[2]);
      return turned(r, own);
    });
    Space force{0, 0, -9.81 * body.mass}, torque{0, 0, 0};
    for (const Load& load : body.loads) {
      const Space f = vector_of(now, "joints/" + load.joint + "/force"),
                  t = vector_of(now, "joints/" + load.joint + "/torque"), moment = cross(turned(now, load.point), f);
      for (std::size_t k = 0; k < 3; ++k) force[k] += load.sign * f[k], torque[k] += load.sign * (t[k] + moment[k]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(std::abs(force[k] - body.mass * a[k]) < 2e-5);
      CHECK(std::abs(torque[k] - rate[k]) < 2e-6);
    }
  }
  const Numbers &ball = part(now, "bodies/coupler/position"), &along = part(now, "bodies/coupler/direction"),
                &crank = part(now, "bodies/crank/position"), &R = part(now, "bodies/crank/rotation");
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(std::abs(ball[k] - std::hypot(0.6, 0.5) / 2 * along[k] - crank[k] - 0.1 * R[3 * k]) < 1e-14);
}

TEST_CASE("bricards_loop_moves_with_a_redundant_row_that_is_named") {
  CHECK(finding("bricard", "degrees of freedom") == "0 by counting rows, 1 by rank");
  CHECK(finding("bricard", "redundant").starts_with("joint 'j5' (row 5 of 5: axis 2) says what others say"));
  const auto end = run_problem("bricard", {{"run.end", "2.0"}});
  CHECK(end.audit.constraint < 1e-14);
  CHECK(end.audit.energy.max_error < 1e-8);
  CHECK(end.message.starts_with("joint 'j5' (row 5 of 5: axis 2) says what others say and was left out"));
}

TEST_CASE("bricards_loop_of_any_size_has_one_redundant_row") {
  for (const char* l : {"1e-5", "1e5"}) {
    const auto end = run_problem("bricard", {{"system.parameters.l", l},
                                             {"system.gravity", std::string("[0, \"-9.81*") + l + "\", 0]"},
                                             {"run.end", "0.1"}});
    CHECK(end.message.starts_with("joint 'j5' (row 5 of 5: axis 2) says what others say and was left out"));
  }
}

TEST_CASE("loops_stay_closed_to_round_off_in_10000_steps") {
  // 10^5 steps: docs/mechanisms.md. The squeezer is driven faster and faster: as many steps in its own interval.
  for (const auto& [name, step] : {std::pair{"rssr", "0.005"},
                                   {"bricard", "0.01"},
                                   {"squeezer", "3e-6"},
                                   {"governor", "0.002"},
                                   {"double-four-bar-body", "0.001"}}) {
    const std::string problem = name;
    CAPTURE(problem);
    const auto end = run_problem(name, {{"run.steps", "10000"}, {"run.step", step}, {"run.every", "10000"}});
    CHECK(end.audit.constraint < 4 * 1.4e-14);  // measured: ggl 1.4e-14, galerkin 8.3e-16
  }
}

TEST_CASE("ladders_of_parallelograms_run_with_several_redundant_rows") {
  for (const int rungs : {2, 5, 20}) {
    CAPTURE(rungs);
    std::string text = "[system]\nkind = \"multibody\"\ngravity = [0, 0, -9.81]\n";
    const auto rod = [&](const std::string& name, double x, double z, bool lies) {
      text += "[[body]]\nname = \"" + name + "\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\nposition = [" +
              std::to_string(x) + ", 0, " + std::to_string(z) + "]\n" +
              (lies ? "velocity = [1.0, 0, 0]\n" : "velocity = [0.5, 0, 0]\nangular_velocity = [0, -1.0, 0]\n");
    };
    const auto pin = [&](const std::string& name, const std::string& a, const std::string& b, double x, double z) {
      text += "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\nbodies = [\"" + a + "\", \"" + b +
              "\"]\nat = [" + std::to_string(x) + ", 0, " + std::to_string(z) + "]\naxis = [0, 1, 0]\n";
    };
    rod("bar", 0.5 * rungs, -1, true);
    for (int k = 0; k <= rungs; ++k) rod("leg" + std::to_string(k), k, -0.5, false);
    for (int k = 0; k <= rungs; ++k) {
      pin("top" + std::to_string(k), "ground", "leg" + std::to_string(k), k, 0);
      pin("foot" + std::to_string(k), "leg" + std::to_string(k), "bar", k, -1);
    }
    text += "[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nend = 0.1\n";
    const auto end = run_text(text);
    CHECK(end.audit.constraint < 1e-14);
    // All hang as one pendulum: legs of one length under a bar that does not turn.
    CHECK(distance(part(end, "bodies/leg0/rotation"), part(end, "bodies/leg" + std::to_string(rungs) + "/rotation")) <
          1e-13);
  }
}

TEST_CASE("the_squeezer_ends_where_it_is_known_to_end") {
  const auto end = run_problem("squeezer");
  CHECK(std::remainder(part(end, "bodies/K1/rotation")[0] - 15.81077119629904, 2 * pi) ==
        doctest::Approx(0).epsilon(2e-6));
  CHECK(std::abs(part(end, "bodies/K3/rotation")[0] - 0.04082224013073101) < 1e-7);
  CHECK(std::abs(part(end, "bodies/K5/rotation")[0] - 0.5244099658805304) < 1e-7);
  CHECK(std::abs(part(end, "bodies/K7/rotation")[0] - 1.048080741042263) < 1e-7);
}

TEST_CASE("the_governor_keeps_its_sleeve_where_weight_and_rotation_balance") {
  const auto end = run_problem("governor", {{"run.end", "1.0"}});
  CHECK(part(end, "bodies/sleeve/position")[2] == doctest::Approx(-0.3 * std::cos(0.6)).epsilon(1e-9));
  CHECK(invariant_error(end) < 1e-14);
}

TEST_CASE("a_chain_of_a_hundred_bodies_keeps_energy_and_momentum") {
  CHECK(finding("body-chain", "degrees of freedom") == "300 by counting rows, 300 by rank");
  const auto end = run_problem("body-chain", {{"run.end", "0.02"}});
  CHECK(end.audit.constraint < 1e-15);
  CHECK(end.audit.energy.max_error < 1e-7);
  CHECK(invariant_error(end) < 1e-16);
  CHECK(part(end, "joints/hook/force")[2] > 0);
}

TEST_CASE("long_chains_of_bodies_run_with_all_methods_for_large_systems") {
  for (const char* length : {"0.1", "1/300"})  // short links make matrices of numbers far apart
    for (const std::string method : {"rattle", "ggl", "galerkin", "energy-momentum", "EM-GGL"}) {
      CAPTURE(std::string(length));
      CAPTURE(method);
      const bool stabilised = method == "EM-GGL";
      Overrides set = {{"system.parameters.N", "300"},
                       {"system.parameters.l", length},
                       {"method.name", stabilised ? "energy-momentum" : method},
                       {"run.steps", "3"},
                       {"run.step", "0.00005"},
                       {"run.every", "3"}};
      if (stabilised) set.emplace_back("method.stabilised", "true");
      CHECK(run_problem("body-chain", set).audit.constraint < 4 * 2.5e-14);  // ggl, 30 m long
    }
}

TEST_CASE("ggl_keeps_the_joints_of_long_chains_at_round_off_whichever_way_its_equations_are_solved") {
  // 12 h w N is 1.7: what the turning of bodies makes of the forces of the chain may not be left out.
  Numbers turned;
  for (const char* linear : {"\"auto\"", "\"schur\"", "\"sparse\""}) {
    CAPTURE(linear);
    const auto end = run_problem("body-chain", {{"system.parameters.N", "60"},
                                                {"system.parameters.w", "8"},
                                                {"method.name", "\"ggl\""},
                                                {"solver.linear", linear},
                                                {"run.step", "0.0003"},
                                                {"run.steps", "12"},
                                                {"run.every", "12"}});
    CHECK(end.audit.constraint < 4e-15);
    const Numbers rotation = part(end, "bodies/link[2]/rotation");
    if (turned.empty())
      turned = rotation;
    else
      CHECK(distance(rotation, turned) < 1e-11);
  }
}

TEST_CASE("ggl_takes_no_more_iterations_for_a_thousand_bodies_than_for_few") {
  for (const char* bodies : {"250", "1000"}) {
    CAPTURE(bodies);
    const auto end = run_problem("body-chain", {{"system.parameters.N", bodies},
                                                {"method.name", "\"ggl\""},
                                                {"run.step", "0.00002"},
                                                {"run.steps", "40"},
                                                {"run.every", "40"}});
    CHECK(end.report.cost.newton_iterations < 40 * 7);  // measured 5.1 and 5.7 a step; by stagnation alone 6.2 and 11
    CHECK(end.audit.constraint < 3 * 1.4e-14);          // measured 3.3e-15 and 1.4e-14; before 2.2e-15 and 8.6e-14
  }
}

TEST_CASE("chains_of_grains_run_as_chains_of_logs_do") {
  for (const std::string method : {"rattle", "ggl", "galerkin", "energy-momentum"}) {
    CAPTURE(method);
    Numbers turned;
    for (const char* l : {"1", "1e-6"}) {
      const auto end = run_problem("body-chain", {{"system.parameters.N", "2"},
                                                  {"system.parameters.l", l},
                                                  {"system.parameters.w", "0"},
                                                  {"run.step", std::to_string(0.01 * std::sqrt(std::stod(l)))},
                                                  {"run.steps", "20"},
                                                  {"method.name", '"' + method + '"'}});
      const Numbers rotation = part(end, "bodies/link[2]/rotation");
      if (turned.empty())
        turned = rotation;
      else
        CHECK(distance(rotation, turned) < 1e-12);
    }
  }
}

TEST_CASE("the_handle_turns_over_as_eulers_equations_say") {
  const auto end = run_problem("t-handle", {{"run.end", "6.0"}, {"method.s", "4"}});
  // J w' = J w x w in the axes of the body
  const Space J{1e-4, 2.5e-4, 3.2e-4};
  Space w{0.01, 10, 0.01};
  const auto rate = [&](const Space& x) {
    return Space{(J[1] - J[2]) / J[0] * x[1] * x[2], (J[2] - J[0]) / J[1] * x[2] * x[0],
                 (J[0] - J[1]) / J[2] * x[0] * x[1]};
  };
  const int steps = 60000;
  double lowest = 10;
  for (int n = 0; n < steps; ++n) {
    const double h = 6.0 / steps;
    const auto plus = [&](const Space& d, double f) {
      return Space{w[0] + f * d[0], w[1] + f * d[1], w[2] + f * d[2]};
    };
    const Space a = rate(w), b = rate(plus(a, h / 2)), c = rate(plus(b, h / 2)), d = rate(plus(c, h));
    for (std::size_t k = 0; k < 3; ++k) w[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
    lowest = std::min(lowest, w[1]);
  }
  CHECK(lowest < -9.9);
  const Numbers &R = part(end, "bodies/handle/rotation"), &in_space = part(end, "bodies/handle/angular_velocity");
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(std::abs(R[j] * in_space[0] + R[3 + j] * in_space[1] + R[6 + j] * in_space[2] - w[j]) < 1e-6);
  for (std::size_t k = 0; k < 6; ++k) CHECK(invariant_error(end, k) < 1e-15);
}

TEST_CASE("the_rotor_in_gimbals_keeps_its_spin") {
  const auto end = run_problem("gimbals", {{"run.end", "1.0"}});
  const Numbers &R = part(end, "bodies/rotor/rotation"), &w = part(end, "bodies/rotor/angular_velocity");
  CHECK(R[1] * w[0] + R[4] * w[1] + R[7] * w[2] == doctest::Approx(200).epsilon(1e-10));
  CHECK(invariant_error(end) < 1e-14);
  CHECK(finding("gimbals", "degrees of freedom") == "3 by counting rows, 3 by rank");
}

TEST_CASE("a_double_pendulum_of_rods_has_the_orders_of_galerkin") {
  const std::string rods = R"toml([system]
kind = "multibody"
plane = true
gravity = [0.0, -9.81]
[[body]]
for = "i = 1..2"
name = "rod[i]"
mass = "i"
shape = { type = "rod", length = 1.0 }
position = ["(i - 1/2)*cos(0.4)", "(i - 1/2)*sin(0.4)"]
rotation = 0.4
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "rod[1]"]
at = [0, 0]
[[joint]]
name = "elbow"
type = "revolute"
bodies = ["rod[1]", "rod[2]"]
at = ["cos(0.4)", "sin(0.4)"]
[method]
name = "galerkin"
[run]
step = 0.02
end = 0.8
)toml";
  const auto end = [&](const std::string& s, const std::string& step) {
    return run_text(rods, {{"method.s", s}, {"run.step", step}}).final.q.numbers;
  };
  const Numbers exact = end("6", "0.005");
  for (const auto& [s, coarse, fine] :
       {std::tuple{"1", "0.01", "0.005"}, {"2", "0.01", "0.005"}, {"3", "0.02", "0.01"}}) {
    const std::string stages = s;
    CAPTURE(stages);
    const double order = std::log2(distance(end(s, coarse), exact) / distance(end(s, fine), exact));
    CHECK(order == doctest::Approx(2 * std::stoi(s)).epsilon(0.06).scale(0));
  }
}

TEST_CASE("a_mechanism_stated_in_cpp_is_that_of_the_file") {
  livens::Multibody m({.gravity = {0, 0, -9.81}});
  const int arm = m.body({.name = "arm",
                          .density = 1000,
                          .shape = livens::Multibody::box(0.1, 0.1, 1),
                          .position = {0.5, 0, 0},
                          .rotation = livens::multibody::rotation_about({0, 1, 0}, 1.5)});
  m.revolute("hinge", livens::multibody::ground, arm, {0, 0, 0}, {0, 1, 0});
  m.force(arm, {0, 0, 0}, {"0", "sin(t)", "-0.1*z'"}, {"0", "0.2", "0"});
  livens::Model model = m.model();
  model.method.name = "rattle";
  model.run.given = true, model.run.step = 0.01, model.run.steps = 50;
  const auto in_cpp = run(model);
  const auto in_file = run_text(R"toml([system]
kind = "multibody"
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
density = 1000
shape = { type = "box", size = [0.1, 0.1, 1] }
position = [0.5, 0, 0]
rotation = { axis = [0, 1, 0], angle = 1.5 }
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[force]]
body = "arm"
force = ["0", "sin(t)", "-0.1*z'"]
torque = ["0", "0.2", "0"]
[method]
name = "rattle"
[run]
step = 0.01
steps = 50
)toml");
  CHECK(distance(in_cpp.final.q.numbers, in_file.final.q.numbers) < 1e-13);  // 0.1 in C++ is a double
}

TEST_CASE("a_whole_mechanism_stated_in_cpp_moves_as_that_of_the_file_bit_by_bit") {
  using livens::multibody::ground;
  livens::Multibody m({.gravity = {0, 0, -9.75}});
  const int table = m.body({.name = "table", .mass = 8, .shape = livens::Multibody::cylinder(0.5, 0.25)});
  const int arm = m.body({.name = "arm",
                          .density = 64,
                          .shape = livens::Multibody::box(0.25, 0.25, 1),
                          .position = {0.5, 0, -0.5},
                          .rotation = livens::multibody::rotation_about({0, 1, 0}, 0.375)});
  const int bob = m.body({.name = "bob", .mass = 2, .shape = livens::Multibody::point(), .position = {0.5, 0.5, -1}});
  m.joint({.name = "shaft",
           .type = livens::multibody::JointType::revolute,
           .bodies = {ground, table},
           .at = livens::multibody::Vector{0, 0, 0},
           .axis = livens::multibody::Vector{0, 0, 1},
           .motion = m.motion("t^2 - sin(t)^2")});
  m.universal("hook", table, arm, {0.5, 0, -0.125}, {1, 0, 0}, {0, 1, 0});
  m.distance("string", arm, bob, {0, 0, -0.25}, {0, 0, 0});
  m.spring(
      {.name = "band", .bodies = {ground, bob}, .points = {{{0, 1, 0}, {0, 0, 0}}}, .stiffness = 8, .damping = 0.5});
  m.force(bob, {0, 0, 0}, {"sin(3*t)", "-x'/4", "0"});
  livens::Model model = m.model();
  model.method.name = "galerkin";
  model.run.given = true, model.run.step = 0.015625, model.run.steps = 64;
  const auto in_cpp = run(model);
  REQUIRE(in_cpp.report.outcome == livens::RunOutcome::finished);
  const auto in_file = run_text(R"toml([system]
kind = "multibody"
gravity = [0, 0, -9.75]
[[body]]
name = "table"
mass = 8
shape = { type = "cylinder", radius = 0.5, length = 0.25 }
[[body]]
name = "arm"
density = 64
shape = { type = "box", size = [0.25, 0.25, 1] }
position = [0.5, 0, -0.5]
rotation = { axis = [0, 1, 0], angle = 0.375 }
[[body]]
name = "bob"
mass = 2
shape = { type = "point" }
position = [0.5, 0.5, -1]
[[joint]]
name = "shaft"
type = "revolute"
bodies = ["ground", "table"]
at = [0, 0, 0]
axis = [0, 0, 1]
motion = "t^2 - sin(t)^2"
[[joint]]
name = "hook"
type = "universal"
bodies = ["table", "arm"]
at = [0.5, 0, -0.125]
axes = [[1, 0, 0], [0, 1, 0]]
[[joint]]
name = "string"
type = "distance"
bodies = ["arm", "bob"]
points = [[0, 0, -0.25], [0, 0, 0]]
[[spring]]
name = "band"
bodies = ["ground", "bob"]
points = [[0, 1, 0], [0, 0, 0]]
stiffness = 8
damping = 0.5
[[force]]
body = "bob"
force = ["sin(3*t)", "-x'/4", "0"]
[method]
name = "galerkin"
[run]
step = 0.015625
steps = 64
)toml");
  CHECK(in_cpp.final.q.numbers == in_file.final.q.numbers);
  CHECK(in_cpp.final.p.numbers == in_file.final.p.numbers);
  for (const char* name : {"bodies/arm/rotation", "joints/shaft/torque", "joints/string/force"})
    CHECK(part(in_cpp, name) == part(in_file, name));
}

TEST_CASE("approximate_poses_are_assembled_in_the_mass_norm") {
  // two rods meant to meet at (1, 0): the light one gives way; frames keep their points
  const std::string loop = R"toml([system]
kind = "multibody"
plane = true
[[body]]
name = "heavy"
mass = 1000.0
inertia = 100.0
position = [0.5, 0.0]
[[body]]
name = "light"
mass = 0.001
inertia = 0.0001
position = [1.52, 0.03]
rotation = 0.05
angular_velocity = 1.0
[[joint]]
name = "pin"
type = "revolute"
bodies = ["heavy", "light"]
frames = [{ point = [0.5, 0] }, { point = [-0.5, 0] }]
[initial]
project = true
[method]
name = "rattle"
[run]
step = 0.001
steps = 1
)toml";
  const livens::Model model = livens::read_model("m.toml", loop);
  const auto q = [&](std::size_t i) { return static_cast<double>(model.initial.q[i]); };
  CHECK(std::abs(q(0) - 0.5) < 1e-6);
  CHECK(std::abs(q(6) - 0.5 * q(8) - 1) < 1e-6);
  CHECK(std::abs(q(8) * q(8) + q(9) * q(9) - 1) < 1e-14);
  // rates are taken in the pose that was found
  CHECK(std::abs(static_cast<double>(model.initial.v[8]) + q(9)) < 1e-15);
  const auto moved = run(model);
  CHECK(moved.report.outcome == livens::RunOutcome::finished);
  CHECK(moved.move.q > 0.02);  // the shift is told
}

TEST_CASE("wide_precisions_run_mechanisms") {
  const std::string widest = LIVENS_QUAD ? "\"quad\"" : "\"extended\"";
  const auto end = run_problem("t-handle", {{"run.end", "0.1"}, {"run.precision", widest}});
  CHECK(end.audit.constraint < (LIVENS_QUAD ? 1e-30 : 1e-17));
}

TEST_CASE("a_torsional_spring_that_is_turned_over_ends_the_run") {
  const std::string wheel = R"toml([system]
kind = "multibody"
plane = true
[[body]]
name = "wheel"
mass = 1.0
inertia = 1.0
angular_velocity = 10.0
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "wheel"]
at = [0, 0]
[[spring]]
joint = "pin"
stiffness = 0.1
[method]
name = "rattle"
[run]
step = 0.01
end = 1.0
)toml";
  const auto result = run(livens::read_model("m.toml", wheel));
  CHECK(result.report.outcome == livens::RunOutcome::failed);
  CHECK(result.final.t.numbers[0] == doctest::Approx(0.31).epsilon(1e-10));
  CHECK(result.report.failure->outcome == livens::Outcome::angle_passed);

  std::string shaft = wheel;  // damping has no angle: w = 10 exp(-d t)
  shaft.replace(shaft.find("[[spring]]"), 10, "[[damper]]");
  shaft.replace(shaft.find("stiffness"), 9, "damping");
  CHECK(part(run_text(shaft), "bodies/wheel/angular_velocity")[0] ==
        doctest::Approx(10 * std::exp(-0.1)).epsilon(1e-6));
}
