// In the plane the one director of a rod tells how far it has turned: its joints can be driven, sprung, damped and
// braked as those of a body of the same mass and moment, in any pose.
#include "multibody/mechanism_runs.hpp"

using namespace mechanism;

namespace {

struct Pair {
  const char *rods, *bodies;  // shapes, with the mass and moment of a rod 0.8 long
};
const Pair pair{"mass = 1.5\nshape = { type = \"rod\", length = 0.8 }\n", "mass = 1.5\ninertia = \"1.5*0.8^2/12\"\n"};

std::string arms(const std::string& what, const std::string& rest, const std::string& end) {
  return "[system]\nkind = \"multibody\"\nplane = true\ngravity = [0.5, -9.81]\n"
         "[[body]]\nname = \"upper\"\n" +
         what +
         "position = [\"0.4*cos(0.7)\", \"0.4*sin(0.7)\"]\nrotation = 0.7\nangular_velocity = 0.9\n"
         "velocity = [\"-0.36*sin(0.7)\", \"0.36*cos(0.7)\"]\n"
         "[[body]]\nname = \"lower\"\n" +
         what +
         "position = [\"0.8*cos(0.7) + 0.4*cos(2.1)\", \"0.8*sin(0.7) + 0.4*sin(2.1)\"]\nrotation = 2.1\n"
         "angular_velocity = -0.4\n"
         "velocity = [\"-0.72*sin(0.7) + 0.16*sin(2.1)\", \"0.72*cos(0.7) - 0.16*cos(2.1)\"]\n" +
         rest + end;
}
std::string hinge(const char* name, const char* bodies, const char* at, const char* more = "") {
  return std::string("[[joint]]\nname = \"") + name + "\"\ntype = \"revolute\"\nbodies = " + bodies + "\nat = " + at +
         "\n" + more;
}
const char* const elbow_at = "[\"0.8*cos(0.7)\", \"0.8*sin(0.7)\"]";
const std::string smooth = "[method]\nname = \"galerkin\"\n[run]\nstep = 0.005\nsteps = 60\n";
const std::string rough = "[method]\nname = \"spark\"\n[run]\nstep = 0.002\nsteps = 20\n";

void check_pair(const std::string& rest, const std::string& end, double tolerance) {
  const auto rods = run_text(arms(pair.rods, rest, end)), bodies = run_text(arms(pair.bodies, rest, end));
  for (const char* body : {"upper", "lower"})
    for (const char* what : {"position", "rotation", "velocity", "angular_velocity"}) {
      const std::string name = std::string("bodies/") + body + "/" + what;
      CAPTURE(name);
      CHECK(distance(part(rods, name), part(bodies, name)) < tolerance);
    }
  for (const char* name :
       {"joints/shoulder/force", "joints/shoulder/torque", "joints/elbow/force", "joints/elbow/torque"}) {
    CAPTURE(name);
    CHECK(distance(part(rods, name), part(bodies, name)) < 1e3 * tolerance);
  }
}

}  // namespace

TEST_CASE("torsional_springs_and_dampers_hold_rods_in_any_pose") {
  for (const char* ends : {"[\"ground\", \"upper\"]", "[\"upper\", \"ground\"]"})
    for (const char* both : {"[\"upper\", \"lower\"]", "[\"lower\", \"upper\"]"}) {
      CAPTURE(std::string(ends));
      CAPTURE(std::string(both));
      check_pair(hinge("shoulder", ends, "[0, 0]") + hinge("elbow", both, elbow_at) +
                     "[[spring]]\njoint = \"shoulder\"\nstiffness = 40.0\nangle = 0.3\n"
                     "[[spring]]\njoint = \"elbow\"\nstiffness = 15.0\nangle = -0.5\ndamping = 0.2\n",
                 smooth, 1e-12);
    }
}

TEST_CASE("motions_drive_rods_in_any_pose") {
  for (const char* both : {"[\"upper\", \"lower\"]", "[\"lower\", \"upper\"]"}) {
    CAPTURE(std::string(both));
    check_pair(hinge("shoulder", "[\"ground\", \"upper\"]", "[0, 0]", "motion = \"0.9*t + 2*t^2\"\n") +
                   hinge("elbow", both, elbow_at,
                         both[2] == 'u' ? "motion = \"-1.3*t + sin(t)^2\"\n" : "motion = \"1.3*t - sin(t)^2\"\n"),
               smooth, 1e-12);
  }
}

TEST_CASE("friction_brakes_the_pins_of_rods") {
  check_pair(hinge("shoulder", "[\"ground\", \"upper\"]", "[0, 0]", "friction = 0.2\nradius = 0.05\n") +
                 hinge("elbow", "[\"upper\", \"lower\"]", elbow_at, "friction = 0.3\nradius = 0.04\n"),
             rough, 1e-11);
}

TEST_CASE("a_spring_in_the_joint_of_a_rod_that_is_turned_over_ends_the_run") {
  const auto result = run(livens::read_model(
      "m.toml",
      arms(pair.rods,
           hinge("shoulder", "[\"ground\", \"upper\"]", "[0, 0]") + hinge("elbow", "[\"upper\", \"lower\"]", elbow_at) +
               "[[spring]]\njoint = \"elbow\"\nstiffness = 1e-6\n"
               "[[force]]\nbody = \"lower\"\ntorque = \"30\"\n",
           smooth),
      {{"run.steps", "400"}}));
  CHECK(result.report.outcome == livens::RunOutcome::failed);
  CHECK(result.report.failure->outcome == livens::Outcome::angle_passed);
}

TEST_CASE("a_point_tells_no_angle") {
  const std::string text =
      "[system]\nkind = \"multibody\"\nplane = true\n[[body]]\nname = \"bead\"\nmass = 1.0\nshape = { type = "
      "\"point\" }\n" +
      hinge("pin", "[\"ground\", \"bead\"]", "[0, 0]", "motion = \"t\"\n") + smooth;
  CHECK_THROWS_WITH_AS(livens::read_model("m.toml", text),
                       doctest::Contains("joint 'pin': point 'bead' has no direction across this axis"),
                       livens::InputError);
}

TEST_CASE("what_a_rod_in_the_plane_lacks_is_given_by_shapes_of_the_plane") {
  const auto slot = [](const std::string& axis) {
    return arms(pair.rods,
                "[[joint]]\nname = \"slot\"\ntype = \"slider\"\nbodies = [\"upper\", \"lower\"]\nat = " +
                    std::string(elbow_at) + "\naxis = " + axis,
                smooth);
  };
  CHECK_THROWS_WITH_AS(
      livens::read_model("m.toml", slot("[\"cos(0.7)\", \"sin(0.7)\"]\n")),
      doctest::Contains("joint 'slot': rod 'upper' has no direction across this axis; give it a width (shape box)"),
      livens::InputError);
  CHECK_THROWS_WITH_AS(
      livens::read_model("m.toml", slot("[\"-sin(0.7)\", \"cos(0.7)\"]\nfriction = 0.2\n")),
      doctest::Contains("joint 'slot': rod 'upper' has no direction along this axis; give it a width (shape box)"),
      livens::InputError);
}
