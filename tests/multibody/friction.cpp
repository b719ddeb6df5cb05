// Friction in joints: c |F_N|^r against sliding, times the radius against turning.
#include <algorithm>

#include "livens/model/check_model.hpp"
#include "multibody/mechanism_runs.hpp"

using namespace mechanism;

namespace {

constexpr double g = 9.81;

// A block on an incline of slope 4:3, which starts down it with speed 1.
std::string incline(const std::string& type, const std::string& law, const std::string& method) {
  return R"toml([system]
kind = "multibody"
plane = true
gravity = [0, -9.81]
[[body]]
name = "block"
mass = 2.0
inertia = 0.3
velocity = [0.6, -0.8]
[[joint]]
name = "way"
type = ")toml" +
         type + "\"\nbodies = [\"ground\", \"block\"]\nat = [0, 0]\naxis = [0.6, -0.8]\n" + law + "[method]\n" +
         method + "[run]\nstep = 0.01\nend = 0.5\n";
}

}  // namespace

TEST_CASE("a_block_slides_down_an_incline_against_friction") {
  for (const std::string type : {"slider", "prismatic"})
    for (const auto& [law, size] : {std::pair{"friction = 0.2\n", 0.2 * 2 * g * 0.6},
                                    {"friction = 0.03\nexponent = 1.5\n", 0.03 * std::pow(2 * g * 0.6, 1.5)}}) {
      CAPTURE(type);
      const std::string keys = law;
      CAPTURE(keys);
      const double a = g * 0.8 - size / 2, s = 0.5 + a * 0.125;
      for (const std::string method : {"name = \"spark\"\n", "name = \"composition\"\n"}) {
        const auto end = run_text(incline(type, law, method));
        CHECK(distance(part(end, "bodies/block/position"), {0.6 * s, -0.8 * s}) < 1e-12);
        // what the way does to the block: its normal force, and friction up the incline
        const double N = 2 * g * 0.6;
        CHECK(distance(part(end, "joints/way/force"), {0.8 * N - 0.6 * size, 0.6 * N + 0.8 * size}) < 1e-10);
      }
      const double coarse = distance(part(run_text(incline(type, law, "name = \"euler\"\n")), "bodies/block/position"),
                                     {0.6 * s, -0.8 * s}),
                   fine = distance(part(run_text(incline(type, law, "name = \"euler\"\n"), {{"run.step", "0.005"}}),
                                        "bodies/block/position"),
                                   {0.6 * s, -0.8 * s});
      CHECK(coarse / fine == doctest::Approx(2).epsilon(0.01));
    }
}

TEST_CASE("the_first_body_of_a_joint_feels_the_same_friction") {
  const auto other = [](std::string text) {
    const std::string bodies = "[\"ground\", \"block\"]";
    return text.replace(text.find(bodies), bodies.size(), "[\"block\", \"ground\"]");
  };
  const std::string text = incline("prismatic", "friction = 0.2\n", "name = \"spark\"\n");
  const auto a = run_text(text), b = run_text(other(text));
  CHECK(distance(part(a, "bodies/block/position"), part(b, "bodies/block/position")) < 1e-12);
  const Numbers &on_block = part(a, "joints/way/force"), &on_ground = part(b, "joints/way/force");
  CHECK(distance(on_block, {-on_ground[0], -on_ground[1]}) < 1e-9);
}

TEST_CASE("a_wheel_on_an_axle_and_a_bolt_in_its_hole_are_braked_by_their_weight") {
  // the axle carries m g: w' = -c radius m g/J
  const std::string wheel = R"toml([system]
kind = "multibody"
gravity = [0, 0, -9.81]
[[body]]
name = "wheel"
mass = 3.0
inertia = [0.2, 0.3, 0.2]
angular_velocity = [0, 5, 0]
[[joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "wheel"]
at = [0, 0, 0]
axis = [0, 1, 0]
friction = 0.1
radius = 0.05
[method]
name = "spark"
[run]
step = 0.01
end = 0.5
)toml";
  const double torque = 0.1 * 0.05 * 3 * g;
  const auto end = run_text(wheel);
  CHECK(part(end, "bodies/wheel/angular_velocity")[1] == doctest::Approx(5 - torque / 0.3 * 0.5).epsilon(1e-10));
  CHECK(distance(part(end, "joints/axle/torque"), {0, -torque, 0}) < 1e-9);
  // of a load that is not across the axle that part counts which is
  std::string tilted = wheel;
  tilted.replace(tilted.find("[0, 0, -9.81]"), 13, "[0, -6.0, -8.0]");
  CHECK(part(run_text(tilted), "bodies/wheel/angular_velocity")[1] ==
        doctest::Approx(5 - 0.1 * 0.05 * 3 * 8 / 0.3 * 0.5).epsilon(1e-10));

  // a bolt with J = m radius^2 slides and turns in a level hole: its surface moves on a straight helix
  const std::string bolt = R"toml([system]
kind = "multibody"
gravity = [0, 0, -9.81]
[[body]]
name = "bolt"
mass = 3.0
inertia = [0.012, 0.0105, 0.0105]
velocity = [0.9, 0, 0]
angular_velocity = [20, 0, 0]
[[joint]]
name = "hole"
type = "cylindrical"
bodies = ["ground", "bolt"]
at = [0, 0, 0]
axis = [1, 0, 0]
friction = 0.2
radius = "sqrt(0.004)"
[method]
name = "spark"
s = 3
[run]
step = 0.01
end = 0.3
)toml";
  const double turning = 20 * std::sqrt(0.004), u = std::hypot(0.9, turning), left = u - 0.2 * g * 0.3;
  const auto slid = run_text(bolt);
  CHECK(part(slid, "bodies/bolt/velocity")[0] == doctest::Approx(0.9 * left / u).epsilon(1e-8));
  CHECK(part(slid, "bodies/bolt/angular_velocity")[0] == doctest::Approx(20 * left / u).epsilon(1e-8));
}

TEST_CASE("runs_end_where_friction_is_not_defined") {
  std::string up = incline("slider", "friction = 0.2\n", "name = \"spark\"\n");
  up.replace(up.find("[0.6, -0.8]"), 11, "[-0.6, 0.8]");  // it comes to rest at t = 1/(g (0.8 + 0.12))
  const auto rest = run(livens::read_model("m.toml", up));
  CHECK(rest.report.outcome == livens::RunOutcome::failed);
  CHECK(rest.report.failure->outcome == livens::Outcome::at_rest);
  CHECK(rest.final.t.numbers[0] == doctest::Approx(0.11).epsilon(1e-10));
  std::string light = incline("slider", "friction = 0.2\n", "name = \"spark\"\n");
  light.replace(light.find("-9.81"), 5, "0");
  CHECK(run(livens::read_model("m.toml", light)).report.failure->outcome == livens::Outcome::unloaded);

  // A step over the rest of a bead has no solution: that is why, and not its length.
  const livens::Model bead = livens::read_model("m.toml", R"toml([system]
kind = "multibody"
plane = true
gravity = [0, -9.81]
[[body]]
name = "beam"
mass = 2.0
shape = { type = "box", size = [2.0, 0.1] }
angular_velocity = 1.0
[[body]]
name = "bead"
mass = 0.5
shape = { type = "point" }
position = [0.3, 0]
velocity = [0.5, 0.3]
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "beam"]
at = [0, 0]
[[joint]]
name = "groove"
type = "slider"
bodies = ["beam", "bead"]
at = [0.3, 0]
axis = [1, 0]
friction = 0.3
[method]
name = "spark"
s = 3
[run]
step = 0.002
end = 5.0
)toml");
  const auto stuck = run(bead);
  CHECK(stuck.report.failure->outcome == livens::Outcome::at_rest);
  CHECK(stuck.final.t.numbers[0] == doctest::Approx(0.152));
  CHECK(stuck.message.find("it is joint 'groove' that comes to rest") != std::string::npos);
  for (const auto& expected : {std::pair{"energy at the start", "kinetic 0.4191666667, potential 0"},
                               {"momentum", "[0.25, 0.15], angular 0.71333333"}}) {
    const auto lines = livens::check_model(bead).lines;
    CHECK(std::any_of(lines.begin(), lines.end(),
                      [&](const auto& l) { return l.what == expected.first && l.finding == expected.second; }));
  }
}

TEST_CASE("friction_is_refused_where_it_has_no_meaning") {
  const auto words = [](const std::string& type, const std::string& law, const std::string& method) -> std::string {
    try {
      run(livens::read_model("m.toml", incline(type, law, method)));
      return "";
    } catch (const livens::InputError& error) {
      return error.what();
    }
  };
  CHECK(words("slider", "friction = 0.2\n", "name = \"rattle\"\n")
            .starts_with("m.toml:18: method.name: \"rattle\" does not fit this system: it is not for systems of kind "
                         "\"multibody with friction\"; methods that fit: composition, euler, spark"));
  CHECK(words("slider", "friction = -0.2\n", "name = \"euler\"\n")
            .starts_with("m.toml:16: joint[1].friction: joint 'way': friction is -0.2, must not be negative"));
  CHECK(words("slider", "exponent = 2.0\n", "name = \"euler\"\n")
            .starts_with("m.toml:16: joint[1].exponent: joint 'way': belongs to friction, which is not given"));
  CHECK(words("slider", "friction = 0.2\nradius = 0.1\n", "name = \"euler\"\n")
            .starts_with("m.toml:17: joint[1].radius: joint 'way': a slider joint does not turn; leave radius out"));
  CHECK(words("prismatic", "friction = 0.2\nmotion = \"t\"\n", "name = \"euler\"\n")
            .starts_with("m.toml:17: joint[1].motion: joint 'way' has a motion, and there is friction"));
}

TEST_CASE("rates_of_a_mechanism_with_friction_are_projected_in_the_mass_norm") {
  // a body that turns with 2 about a hinge 0.5 from its centre of mass, which rests: 0.3*2/(0.3 + 2/4)
  for (const std::string law : {"", "friction = 1e-9\nradius = 0.1\n"}) {
    CAPTURE(law);
    const auto end = run_text(R"toml([system]
kind = "multibody"
plane = true
gravity = [0, -9.81]
[[body]]
name = "door"
mass = 2.0
inertia = 0.3
position = [0.5, 0]
angular_velocity = 2.0
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "door"]
at = [0, 0]
)toml" + law + "[initial]\nproject = true\n[method]\nname = \"spark\"\n[run]\nstep = 1e-6\nsteps = 1\n");
    CHECK(part(end, "bodies/door/angular_velocity")[0] == doctest::Approx(0.75).epsilon(1e-4));
  }
}

TEST_CASE("in_space_too_a_load_that_passes_0_ends_the_run") {
  const std::string lifted = R"toml([system]
kind = "multibody"
gravity = [0, 0, -9.81]
[[body]]
name = "block"
mass = 2.0
inertia = [0.1, 0.1, 0.1]
velocity = [5, 0, 0]
[[joint]]
name = "way"
type = "prismatic"
bodies = ["ground", "block"]
at = [0, 0, 0]
axis = [1, 0, 0]
friction = 0.1
[[force]]
body = "block"
force = ["0", "0", "40*t"]
[method]
name = "spark"
[run]
step = 0.01
end = 1.0
)toml";
  const auto end = run(livens::read_model("m.toml", lifted));
  CHECK(end.report.outcome == livens::RunOutcome::failed);
  CHECK(end.final.t.numbers[0] == doctest::Approx(0.49).epsilon(0.03));
  CHECK(end.message == "it is joint 'way' that carries no load");
}
