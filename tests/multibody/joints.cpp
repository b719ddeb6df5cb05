// Every joint against the motion that it leaves, known in closed form or from minimal coordinates.
#include "multibody/mechanism_runs.hpp"

using namespace mechanism;

namespace {

constexpr double g = 9.81;

const std::string end_of_model = R"toml(
[method]
name = "galerkin"
s = 3
[run]
step = 0.01
steps = 50
)toml";

const std::string space = "[system]\nkind = \"multibody\"\ngravity = [0.0, 0.0, -9.81]\n";
const std::string plane = "[system]\nkind = \"multibody\"\nplane = true\ngravity = [0.0, -9.81]\n";

std::string block(const std::string& more) {
  return "[[body]]\nname = \"block\"\nmass = 2.0\ninertia = [0.3, 0.4, 0.5]\n" + more;
}

// theta'' = -k sin(theta) from theta0, w0 by classical Runge-Kutta with small steps.
std::pair<double, double> swing(double k, double theta, double w, double t) {
  const int steps = 20000;
  const double h = t / steps;
  for (int n = 0; n < steps; ++n) {
    const auto a = [&](double x) { return -k * std::sin(x); };
    const double k1 = w, l1 = a(theta), k2 = w + h / 2 * l1, l2 = a(theta + h / 2 * k1), k3 = w + h / 2 * l2,
                 l3 = a(theta + h / 2 * k2), k4 = w + h * l3, l4 = a(theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return {theta, w};
}

}  // namespace

TEST_CASE("a_revolute_joint_leaves_a_compound_pendulum_whichever_way_it_is_stated") {
  // the centre 0.5 from the axis y, moment 0.4 + 2/4 about it
  const double k = 2 * g * 0.5 / (0.4 + 2 * 0.25);
  const auto [theta, w] = swing(k, 0.3, 1.2, 0.5);
  const std::string pose =
      "position = [\"-0.5*sin(0.3)\", 0, \"-0.5*cos(0.3)\"]\nrotation = { axis = [0, 1, 0], angle = 0.3 }\n"
      "velocity = [\"-0.6*cos(0.3)\", 0, \"0.6*sin(0.3)\"]\n";
  const std::string by_space = "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"block\"]\n";
  for (const std::string& rate :
       {std::string("angular_velocity = [0, 1.2, 0]\n"), std::string("angular_velocity_body = [0, 1.2, 0]\n")})
    for (const std::string& joint :
         {by_space + "at = [0, 0, 0]\naxis = [0, 3, 0]\n",
          by_space + "frames = [{ point = [0, 0, 0], axis = [0, 1, 0] }, { point = [0, 0, 0.5], axis = [0, 2, 0] }]\n",
          std::string(
              "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"block\", \"ground\"]\nat = [0, 0, 0]\n"
              "axis = [0, -1, 0]\n")}) {
      CAPTURE(joint);
      const auto end = run_text(space + block(pose + rate) + joint + end_of_model);
      CHECK(distance(part(end, "bodies/block/position"), {-0.5 * std::sin(theta), 0, -0.5 * std::cos(theta)}) < 1e-10);
      CHECK(distance(part(end, "bodies/block/angular_velocity"), {0, w, 0}) < 1e-9);
      // on the block: m a - m g, a = centripetal and tangential
      const double sign = joint.find("[\"block\"") == joint.npos ? 1 : -1, tangential = -k * std::sin(theta);
      const double fx = 2 * (-0.5 * std::cos(theta) * tangential + 0.5 * std::sin(theta) * w * w),
                   fz = 2 * (0.5 * std::sin(theta) * tangential + 0.5 * std::cos(theta) * w * w + g);
      CHECK(distance(part(end, "joints/hinge/force"), {sign * fx, 0, sign * fz}) < 1e-8);
      CHECK(distance(part(end, "joints/hinge/torque"), {0, 0, 0}) < 1e-8);
    }
}

TEST_CASE("prismatic_cylindrical_and_planar_joints_leave_free_fall_along_them") {
  // an axis at 30 degrees to the vertical in the plane of x and z
  const std::string axis = "axis = [0.5, 0, \"-sqrt(3)/2\"]\n", rates = "velocity = [0.5, 0, \"-sqrt(3)/2\"]\n";
  const double along = g * std::sqrt(3.0) / 2, s = 1 * 0.5 + along * 0.125;
  const auto joint = [&](const std::string& type) {
    const std::string at = type == "prismatic" ? "at = [0.3, 0.2, 0.1]\n" : "at = [0, 0, 0]\n";
    return "[[joint]]\nname = \"way\"\ntype = \"" + type + "\"\nbodies = [\"ground\", \"block\"]\n" + at + axis;
  };
  for (const std::string type : {"prismatic", "cylindrical"}) {
    CAPTURE(type);
    // a cylinder joint lets it turn: about its own principal axis, which is made to lie along the joint
    const bool turns = type == std::string("cylindrical");
    const std::string spin = turns ? "angular_velocity = [1.0, 0, \"-sqrt(3)\"]\n" : "";
    const auto end = run_text(space + block("rotation = { axis = [0, 1, 0], angle = \"pi - pi/6\" }\n" + rates + spin) +
                              joint(type) + end_of_model);
    CHECK(distance(part(end, "bodies/block/position"), {0.5 * s, 0, -std::sqrt(3.0) / 2 * s}) < 1e-12);
    CHECK(distance(part(end, "bodies/block/angular_velocity"),
                   turns ? Numbers{1, 0, -std::sqrt(3.0)} : Numbers{0, 0, 0}) < 1e-11);
    // the part of the weight that stands on the axis; about the joint's point of the block its torque
    const double across = g / 2;
    const Numbers force{2 * across * std::sqrt(3.0) / 2, 0, 2 * across * 0.5};
    CHECK(distance(part(end, "joints/way/force"), force) < 1e-9);
    // zero about the centre of mass, so -x x F about the joint's point x from it
    const Numbers x = turns ? Numbers{0, 0, 0} : Numbers{0.3, 0.2, 0.1};
    CHECK(distance(part(end, "joints/way/torque"),
                   {-x[1] * force[2], x[0] * force[2] - x[2] * force[0], x[1] * force[0]}) < 1e-9);
  }
  // a plane with normal (0, 0.6, 0.8): slides down it, and turns about the normal
  const auto end = run_text(space +
                            block("velocity = [1.5, 0, 0]\nangular_velocity = [0, 1.2, 1.6]\nrotation = { axis = [1, "
                                  "0, 0], angle = \"-atan2(0.6, 0.8)\" }\n") +
                            "[[joint]]\nname = \"table\"\ntype = \"planar\"\nbodies = [\"ground\", \"block\"]\nat = "
                            "[0, 0, 0]\naxis = [0, 0.6, 0.8]\n" +
                            end_of_model);
  const double down = g * 0.6 * 0.125;
  CHECK(distance(part(end, "bodies/block/position"), {0.75, 0.8 * down, -0.6 * down}) < 1e-12);
  CHECK(distance(part(end, "bodies/block/angular_velocity"), {0, 1.2, 1.6}) < 1e-11);
  CHECK(distance(part(end, "joints/table/force"), {0, 2 * g * 0.8 * 0.6, 2 * g * 0.8 * 0.8}) < 1e-9);
}

TEST_CASE("a_distance_and_a_spherical_joint_leave_conical_pendulums") {
  // a point on a thread of length 1 at angle 0.5 to the vertical, turning with w^2 = g/cos
  const double w = std::sqrt(g / std::cos(0.5)), r = std::sin(0.5);
  const std::string point =
      "[[body]]\nname = \"bob\"\nmass = 0.7\nshape = { type = \"point\" }\nposition = [\"sin(0.5)\", 0, "
      "\"-cos(0.5)\"]\n"
      "velocity = [0, \"sqrt(9.81/cos(0.5))*sin(0.5)\", 0]\n";
  const auto bob =
      run_text(space + point + "[[joint]]\nname = \"thread\"\ntype = \"distance\"\nbodies = [\"ground\", \"bob\"]\n" +
               end_of_model);
  const double phi = 0.5 * w;
  CHECK(distance(part(bob, "bodies/bob/position"), {r * std::cos(phi), r * std::sin(phi), -std::cos(0.5)}) < 1e-10);
  const double tension = 0.7 * g / std::cos(0.5);
  CHECK(distance(part(bob, "joints/thread/force"),
                 {-tension * r * std::cos(phi), -tension * r * std::sin(phi), 0.7 * g}) < 1e-8);

  // a rod of length 1.5 on a ball joint: cos = 3 g/(2 l w^2)
  const std::string rod =
      "[[body]]\nname = \"rod\"\nmass = 0.7\nshape = { type = \"rod\", length = 1.5 }\nposition = [\"0.75*sin(0.5)\", "
      "0, \"-0.75*cos(0.5)\"]\n"
      "rotation = { axis = [0, 1, 0], angle = -0.5 }\nvelocity = [0, \"sqrt(9.81/cos(0.5))*0.75*sin(0.5)\", "
      "0]\nangular_velocity = [0, 0, \"sqrt(9.81/cos(0.5))\"]\n";
  const auto turned =
      run_text(space + rod +
               "[[joint]]\nname = \"ball\"\ntype = \"spherical\"\nbodies = [\"ground\", \"rod\"]\nat = [0, 0, 0]\n" +
               end_of_model);
  CHECK(distance(part(turned, "bodies/rod/direction"), {-r * std::cos(phi), -r * std::sin(phi), std::cos(0.5)}) <
        1e-10);
  CHECK(part(turned, "bodies/rod/position")[2] == doctest::Approx(-0.75 * std::cos(0.5)).epsilon(1e-11).scale(0));
}

TEST_CASE("bodies_that_are_fixed_to_each_other_move_as_one") {
  // two cubes side by side, thrown: their common centre falls, and they keep their place against each other
  const std::string cubes = space + R"toml(
[[body]]
name = "left"
density = 1000.0
shape = { type = "box", size = [0.1, 0.1, 0.1] }
position = [-0.05, 0, 0]
velocity = ["1 - 2*0", "0.5 - 3*0.05", 2]
angular_velocity = [0, 0, 3]
[[body]]
name = "right"
density = 1000.0
shape = { type = "box", size = [0.1, 0.1, 0.1] }
position = [0.05, 0, 0]
velocity = [1, "0.5 + 3*0.05", 2]
angular_velocity = [0, 0, 3]
[[joint]]
name = "glue"
type = "fixed"
bodies = ["left", "right"]
)toml";
  const auto end = run_text(cubes + end_of_model);
  const double t = 0.5;
  const Numbers centre{t, 0.5 * t, 2 * t - g / 2 * t * t}, arm{0.05 * std::cos(3 * t), 0.05 * std::sin(3 * t), 0};
  CHECK(distance(part(end, "bodies/right/position"), {centre[0] + arm[0], centre[1] + arm[1], centre[2]}) < 1e-11);
  CHECK(distance(part(end, "bodies/left/position"), {centre[0] - arm[0], centre[1] - arm[1], centre[2]}) < 1e-11);
  // what holds the right cube on its circle: m w^2 r towards the centre, at its own centre of mass
  CHECK(distance(part(end, "joints/glue/force"), {-9 * arm[0], -9 * arm[1], 0}) < 1e-8);
  CHECK(distance(part(end, "joints/glue/torque"), {0, 0, 0}) < 1e-8);
}

TEST_CASE("a_universal_joint_turns_a_shaft_unevenly") {
  // two shafts at an angle of 0.4 in bearings along them; the first driven with rate 2: tan(b) = tan(a) cos(0.4)
  const std::string shafts =
      "[system]\nkind = \"multibody\"\n"
      R"toml(
[[body]]
name = "first"
mass = 1.0
inertia = [0.1, 0.1, 0.05]
angular_velocity = [0, 0, 2]
[[body]]
name = "second"
mass = 1.0
inertia = [0.1, 0.1, 0.05]
rotation = { axis = [1, 0, 0], angle = 0.4 }
angular_velocity_body = [0, 0, "2/cos(0.4)"]
[[joint]]
name = "drive"
type = "revolute"
bodies = ["ground", "first"]
at = [0, 0, 0]
axis = [0, 0, 1]
motion = "2*t"
[[joint]]
name = "cross"
type = "universal"
bodies = ["first", "second"]
at = [0, 0, 0]
axes = [[0, 1, 0], [1, 0, 0]]
[[joint]]
name = "bearing"
type = "cylindrical"
bodies = ["ground", "second"]
at = [0, 0, 0]
axis = [0, "-sin(0.4)", "cos(0.4)"]
)toml";
  const auto end = run_text(shafts + end_of_model);
  // the y axis of the first is at angle a = 1 to y; the x axis of the second stands on it
  const Numbers& R = part(end, "bodies/second/rotation");
  const Numbers& first = part(end, "bodies/first/rotation");
  CHECK(std::abs(first[1] * R[0] + first[4] * R[3] + first[7] * R[6]) < 1e-13);
  const double b = std::atan2(R[3] / std::cos(0.4), R[0]);
  CHECK(std::tan(b) == doctest::Approx(std::tan(1.0) / std::cos(0.4)).epsilon(1e-11));
}

TEST_CASE("in_the_plane_sliders_and_prismatic_joints_leave_falls_along_lines") {
  const std::string block_in_plane = "[[body]]\nname = \"block\"\nmass = 2.0\ninertia = 0.3\nvelocity = [0.6, -0.8]\n";
  const double s = 0.5 + g * 0.8 * 0.125;
  for (const std::string type : {"prismatic", "slider"}) {
    CAPTURE(type);
    const auto end = run_text(plane + block_in_plane + "[[joint]]\nname = \"way\"\ntype = \"" + type +
                              "\"\nbodies = [\"ground\", \"block\"]\nat = [0, 0]\naxis = [0.6, -0.8]\n" + end_of_model);
    CHECK(distance(part(end, "bodies/block/position"), {0.6 * s, -0.8 * s}) < 1e-12);
    CHECK(distance(part(end, "joints/way/force"), {2 * g * 0.6 * 0.8, 2 * g * 0.6 * 0.6}) < 1e-9);
    CHECK(distance(part(end, "joints/way/torque"), {0}) < 1e-10);
  }
}

TEST_CASE("springs_dampers_and_forces_have_their_laws") {
  // k = 8, m = 2: w = 2 about the rest length 0.4 on a prismatic line without gravity
  const std::string line =
      "[system]\nkind = \"multibody\"\nplane = true\n[[body]]\nname = \"block\"\nmass = 2.0\ninertia = 0.3\nposition = "
      "[1.0, 0]\n"
      "[[joint]]\nname = \"way\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"block\"]\nat = [0, 0]\naxis = [1, 0]\n";
  const auto spring =
      run_text(line + "[[spring]]\nbodies = [\"ground\", \"block\"]\nstiffness = 8.0\nlength = 0.4\n" + end_of_model);
  CHECK(part(spring, "bodies/block/position")[0] == doctest::Approx(0.4 + 0.6 * std::cos(1.0)).epsilon(1e-9));
  // damping 3 on mass 2: v = exp(-1.5 t)
  const std::string moving = line.substr(0, line.find("position")) + "velocity = [1.0, 0]\nposition = [1.0, 0]\n" +
                             line.substr(line.find("[[joint]]"));
  for (const std::string isotropic : {"", "isotropic = true\n"}) {
    const auto damper =
        run_text(moving + "[[damper]]\nbodies = [\"ground\", \"block\"]\ndamping = 3.0\n" + isotropic + end_of_model);
    CHECK(part(damper, "bodies/block/velocity")[0] == doctest::Approx(std::exp(-0.75)).epsilon(1e-9));
  }
  // a force of time, place and rate: x'' = (6 t - 2 x')/2 and the point's own position
  const auto pushed =
      run_text(moving + "[[force]]\nbody = \"block\"\nforce = [\"6*t - 2*x' + 0*x\", \"100*y\"]\n" + end_of_model);
  CHECK(part(pushed, "bodies/block/velocity")[0] == doctest::Approx(3 * 0.5 - 3 + 4 * std::exp(-0.5)).epsilon(1e-9));

  // torsional: J = 0.3 about a pin at the centre, k = 1.2: w = 2; damping 0.6: w' = -2 w; torque 0.9: w' = 3
  const std::string wheel =
      "[system]\nkind = \"multibody\"\nplane = true\n[[body]]\nname = \"wheel\"\nmass = 2.0\ninertia = 0.3\nrotation = "
      "0.7\nangular_velocity = 1.5\n"
      "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"wheel\"]\nat = [0, 0]\n";
  const auto coiled = run_text(wheel + "[[spring]]\njoint = \"pin\"\nstiffness = 1.2\nangle = 0.25\n" + end_of_model);
  CHECK(part(coiled, "bodies/wheel/rotation")[0] ==
        doctest::Approx(0.7 + 0.25 - 0.25 * std::cos(1.0) + 0.75 * std::sin(1.0)).epsilon(1e-9));
  const auto braked = run_text(wheel + "[[damper]]\njoint = \"pin\"\ndamping = 0.6\n" + end_of_model);
  CHECK(part(braked, "bodies/wheel/angular_velocity")[0] == doctest::Approx(1.5 * std::exp(-1.0)).epsilon(1e-9));
  const auto driven = run_text(wheel + "[[force]]\nbody = \"wheel\"\ntorque = \"0.9\"\n" + end_of_model);
  CHECK(part(driven, "bodies/wheel/angular_velocity")[0] == doctest::Approx(1.5 + 1.5).epsilon(1e-9));
  CHECK(distance(part(driven, "joints/pin/force"), {0, 0}) < 1e-9);
  CHECK(distance(part(driven, "joints/pin/torque"), {0}) < 1e-9);
}

TEST_CASE("a_damper_between_two_bodies_brakes_both") {
  // masses 2 and 3 on one line: their rate against each other is exp(-1.2 (1/2 + 1/3) t), that of their centre 0.4
  const auto block_at = [](const char* name, const char* rest) {
    return std::string("[[body]]\nname = \"") + name + "\"\ninertia = 0.3\n" + rest;
  };
  const std::string two = "[system]\nkind = \"multibody\"\nplane = true\n" +
                          block_at("left", "mass = 2.0\nvelocity = [1.0, 0]\n") +
                          block_at("right", "mass = 3.0\nposition = [2.0, 0]\n");
  for (const std::string isotropic : {"", "isotropic = true\n"}) {
    const auto end = run_text(two +
                              "[[damper]]\nbodies = [\"left\", \"right\"]\npoints = [[0.3, 0], [-0.2, 0]]\n"
                              "damping = 1.2\n" +
                              isotropic + end_of_model);
    const double rate = std::exp(-0.5);
    CHECK(distance(part(end, "bodies/left/velocity"), {0.4 + 0.6 * rate, 0}) < 1e-9);
    CHECK(distance(part(end, "bodies/right/velocity"), {0.4 - 0.4 * rate, 0}) < 1e-9);
  }
}

TEST_CASE("torques_turn_thin_bodies_too") {
  // about the axes of a free body: w' = tau/J at the start of the motion, in space and for plates and rods
  const auto turned = [](const std::string& shape, const std::string& torque) {
    return part(run_text("[system]\nkind = \"multibody\"\n[[body]]\nname = \"b\"\nmass = 1.2\nshape = " + shape +
                         "\n[[force]]\nbody = \"b\"\ntorque = " + torque +
                         "\n[method]\nname = \"galerkin\"\ns = 3\n[run]\nstep = 0.01\nsteps = 20\n"),
                "bodies/b/angular_velocity");
  };
  CHECK(distance(turned("{ type = \"box\", size = [1, 2, 3] }", "[\"1.3\", \"0\", \"0\"]"), {0.2, 0, 0}) < 1e-10);
  CHECK(distance(turned("{ type = \"box\", size = [1, 2, 3] }", "[\"0\", \"1\", \"0\"]"), {0, 0.2, 0}) < 1e-10);
  CHECK(distance(turned("{ type = \"plate\", size = [1, 2] }", "[\"0.4\", \"0\", \"0\"]"), {0.2, 0, 0}) < 1e-10);
  CHECK(distance(turned("{ type = \"plate\", size = [1, 2] }", "[\"0\", \"0.1\", \"0\"]"), {0, 0.2, 0}) < 1e-10);
  CHECK(distance(turned("{ type = \"plate\", size = [1, 2] }", "[\"0\", \"0\", \"0.5\"]"), {0, 0, 0.2}) < 1e-10);
  CHECK(distance(turned("{ type = \"rod\", length = 2 }", "[\"0.4\", \"0\", \"0\"]"), {0.2, 0, 0}) < 1e-10);
  // a rod in the plane: J = 0.4
  const auto in_plane = run_text(
      "[system]\nkind = \"multibody\"\nplane = true\n[[body]]\nname = \"b\"\nmass = 1.2\nshape = { type = \"rod\", "
      "length = 2 }\n[[force]]\nbody = \"b\"\ntorque = \"0.8\"\n" +
      end_of_model);
  CHECK(distance(part(in_plane, "bodies/b/angular_velocity"), {1.0}) < 1e-9);
  CHECK(distance(part(in_plane, "bodies/b/rotation"), {0.25}) < 1e-9);
}

TEST_CASE("plates_can_be_fixed_and_slide_in_their_plane") {
  const std::string flap =
      "[[body]]\nname = \"flap\"\nmass = 1.2\nshape = { type = \"plate\", size = [0.5, 0.8] }\nrotation = { axis = [0, "
      "1, 0], angle = 0.3 }\n";
  for (const std::string bodies : {"[\"ground\", \"flap\"]", "[\"flap\", \"ground\"]"}) {
    const auto held = run_text(space + flap + "[[joint]]\nname = \"glue\"\ntype = \"fixed\"\nbodies = " + bodies +
                               "\n" + end_of_model);
    CHECK(distance(part(held, "bodies/flap/position"), {0, 0, 0}) < 1e-14);
    CHECK(std::abs(std::abs(part(held, "joints/glue/force")[2]) - 1.2 * g) < 1e-10);
  }
  // along its second axis, which is level, and along its first, which is not
  const auto slid = run_text(space + flap +
                             "[[joint]]\nname = \"way\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"flap\"]\nat = "
                             "[0, 0, 0]\naxis = [\"cos(0.3)\", 0, \"-sin(0.3)\"]\n" +
                             end_of_model);
  const double s = g * std::sin(0.3) * 0.125;
  CHECK(distance(part(slid, "bodies/flap/position"), {s * std::cos(0.3), 0, -s * std::sin(0.3)}) < 1e-12);
}

TEST_CASE("thin_bodies_may_stand_first_in_a_joint_as_well_as_second") {
  // what they lack across the axis or along it is then measured in the frame of the other
  const std::string plate = space +
                            "[[body]]\nname = \"b\"\nmass = 1.2\nshape = { type = \"plate\", size = [0.5, 0.8] }\n"
                            "rotation = { axis = [0, 1, 0], angle = 0.3 }\nvelocity = [0.3, 0.2, -0.1]\n"
                            "angular_velocity = [0.5, 0.7, -0.4]\n[initial]\nproject = true\n";
  const std::string needle =
      replaced(plate, "{ type = \"plate\", size = [0.5, 0.8] }", "{ type = \"rod\", length = 0.8 }");
  const std::string rod = plane +
                          "[[body]]\nname = \"b\"\nmass = 1.2\nshape = { type = \"rod\", length = 0.8 }\n"
                          "rotation = 0.3\nvelocity = [0.3, 0.2]\nangular_velocity = 0.5\n[initial]\nproject = true\n";
  const std::string normal = "axis = [\"sin(0.3)\", 0, \"cos(0.3)\"]\n", way = "axis = [\"cos(0.3)\", \"sin(0.3)\"]\n",
                    centre = "at = [0, 0, 0]\n", edge = "at = [\"-0.25*cos(0.3)\", 0, \"0.25*sin(0.3)\"]\n",
                    level = "axis = [0, 1, 0]\n", coil = "[[spring]]\njoint = \"j\"\nstiffness = 3.0\ndamping = 0.2\n";
  const std::string rough = "[method]\nname = \"spark\"\n[run]\nstep = 0.002\nsteps = 20\n";
  struct Case {
    std::string body, joint, motion = "", more = "", end = end_of_model, own_frame = "", ground_frame = "";
  };
  // by frames: their directions across the axis are not the same in the start pose
  const std::string own = "{ point = [-0.25, 0, 0], axis = [0, 1, 0] }",
                    of_ground = "{ point = [\"-0.25*cos(0.3)\", 0, \"0.25*sin(0.3)\"], axis = [0, 1, 0] }";
  for (const Case& c : {Case{plate, "type = \"planar\"\n" + centre + normal},
                        {plate, "type = \"revolute\"\n" + edge + level, "", coil},
                        {plate, "type = \"revolute\"\n" + edge + level, "0.4*sin(3*t)"},
                        {plate, "type = \"revolute\"\n", "", coil, end_of_model, own, of_ground},
                        {plate, "type = \"revolute\"\n", "0.4*sin(3*t)", "", end_of_model, own, of_ground},
                        {plate, "type = \"prismatic\"\n" + centre + normal, "0.2*sin(3*t)"},
                        {plate, "type = \"prismatic\"\n" + centre + level},
                        {needle, "type = \"cylindrical\"\n" + centre + normal},
                        {rod, "type = \"prismatic\"\nat = [0, 0]\n" + way},
                        {rod, "type = \"prismatic\"\nat = [0, 0]\n" + way + "friction = 0.3\n", "", "", rough},
                        {rod, "type = \"fixed\"\n"}}) {
    CAPTURE(c.joint);
    const auto stated = [&](const std::string& bodies, const std::string& sign) {
      const std::string motion = c.motion.empty() ? "" : "motion = \"" + sign + c.motion + "\"\n";
      const std::string rest = c.more.empty() ? "" : c.more + "angle = " + sign + "0.4\n";
      const bool exchanged = !sign.empty();
      const std::string frames = c.own_frame.empty() ? ""
                                                     : "frames = [" + (exchanged ? c.own_frame : c.ground_frame) +
                                                           ", " + (exchanged ? c.ground_frame : c.own_frame) + "]\n";
      return run_text(c.body + "[[joint]]\nname = \"j\"\nbodies = " + bodies + "\n" + c.joint + frames + motion + rest +
                      c.end);
    };
    const auto second = stated("[\"ground\", \"b\"]", ""), first = stated("[\"b\", \"ground\"]", "-");
    const std::string turned = c.body == needle ? "bodies/b/direction" : "bodies/b/rotation";
    for (const std::string& name : {std::string("bodies/b/position"), turned, std::string("bodies/b/velocity")}) {
      CAPTURE(name);
      CHECK(distance(part(first, name), part(second, name)) < 1e-12);
    }
    Numbers opposite = part(first, "joints/j/force");
    for (double& f : opposite) f = -f;
    CHECK(distance(opposite, part(second, "joints/j/force")) < 1e-8);
  }
}

TEST_CASE("a_joint_that_holds_in_the_opposite_direction_only_is_refused") {
  const std::string turned = space + block("") +
                             "[[joint]]\nname = \"glue\"\ntype = \"fixed\"\nbodies = [\"ground\", \"block\"]\n"
                             "frames = [{ point = [0, 0, 0], axis = [0, 0, 1], across = [1, 0, 0] }, "
                             "{ point = [0, 0, 0], axis = [0, 0, 1], across = [-1, 0, 0] }]\n" +
                             end_of_model;
  CHECK_THROWS_WITH_AS(
      livens::read_model("m.toml", turned),
      "m.toml:8: joint[1]: joint 'glue': its directions across point in opposite directions; turn one of "
      "the bodies, or reverse one of them",
      livens::InputError);
}

TEST_CASE("invariants_are_those_that_ground_and_gravity_leave") {
  const auto names = [](const std::string& text) {
    return livens::read_model("m.toml", text).system->invariant_names();
  };
  using Names = std::vector<std::string>;
  const std::string still =
      "[system]\nkind = \"multibody\"\nplane = true\n[[body]]\nname = \"block\"\nmass = 2.0\ninertia = "
      "0.3\n[[joint]]\nname = \"way\"\ntype = \"slider\"\nat = [0, 0]\naxis = [1, 0]\n";
  CHECK(names(still + "bodies = [\"ground\", \"block\"]\n") == Names{"linear_momentum_x"});
  CHECK(names(still + "bodies = [\"block\", \"ground\"]\n") == Names{"angular_momentum_z"});
  std::string moving = still + "bodies = [\"ground\", \"block\"]\nfriction = 0.1\n";
  CHECK_THROWS_WITH_AS(names(moving),
                       "m.toml:14: joint[1].friction: joint 'way' is at rest at the start, where its friction has no "
                       "direction; give the bodies rates that move it, or leave friction out if it cannot move",
                       livens::InputError);
  moving.insert(moving.find("[[joint]]"), "velocity = [1.0, 0.0]\n");
  CHECK(names(moving) == Names{});
  CHECK(names(space + block("")) == Names{"linear_momentum_x", "linear_momentum_y", "angular_momentum_z"});
  const std::string to_ground = "[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"block\"]\nat = [0, 0, 1]\n";
  CHECK(names(space + block("") + to_ground + "type = \"spherical\"\n") == Names{"angular_momentum_z"});
  CHECK(names(space + block("") + to_ground + "type = \"universal\"\naxes = [[0, 0, 1], [1, 0, 0]]\n") ==
        Names{"angular_momentum_z"});
  CHECK(names(space + block("") + to_ground + "type = \"revolute\"\naxis = [1, 0, 0]\n") == Names{});
}

TEST_CASE("a_step_to_the_opposite_of_a_motion_is_not_taken") {
  const std::string wheel = R"toml([system]
kind = "multibody"
plane = true
[[body]]
name = "wheel"
mass = 2.0
inertia = 0.3
angular_velocity = 9.0
[[joint]]
name = "drive"
type = "revolute"
bodies = ["ground", "wheel"]
at = [0, 0]
motion = "9*t"
[method]
name = "galerkin"
[run]
step = 0.1
end = 2.0
)toml";
  CHECK(std::cos(part(run_text(wheel), "bodies/wheel/rotation")[0] - 18) > 1 - 1e-12);
  const auto large = run(livens::read_model("m.toml", wheel, {{"run.step", "0.4"}}));
  if (large.report.outcome == livens::RunOutcome::finished)
    CHECK(std::cos(part(large, "bodies/wheel/rotation")[0] - 18) > 0);
  else
    CHECK(large.report.failure->outcome == livens::Outcome::off_motion);
}

TEST_CASE("products_of_inertia_are_those_of_turned_principal_axes") {
  // the same body, stated along its principal axes and along axes turned by 0.7 about y against them
  const std::string rates = "angular_velocity = [1.0, 2.0, -0.5]\n";
  const auto principal = run_text(
      "[system]\nkind = \"multibody\"\n[[body]]\nname = \"b\"\nmass = 1.0\ninertia = [0.3, 0.4, 0.5]\n"
      "rotation = { axis = [0, 1, 0], angle = 0.7 }\n" +
      rates + end_of_model);
  const auto turned = run_text(
      "[system]\nkind = \"multibody\"\n[system.parameters]\nc = \"cos(0.7)\"\ns = \"sin(0.7)\"\n[[body]]\nname = "
      "\"b\"\n"
      "mass = 1.0\ninertia = [[\"0.3*c^2 + 0.5*s^2\", 0, \"0.2*s*c\"], [0, 0.4, 0], [\"0.2*s*c\", 0, \"0.3*s^2 + "
      "0.5*c^2\"]]\n" +
      rates + end_of_model);
  CHECK(distance(part(principal, "bodies/b/angular_velocity"), part(turned, "bodies/b/angular_velocity")) < 1e-11);
}

TEST_CASE("a_force_off_the_centre_turns_a_body") {
  // J theta'' = 0.5 F cos(theta): a pendulum in phi = theta - pi/2
  const auto end = run_text(
      "[system]\nkind = \"multibody\"\nplane = true\n[[body]]\nname = \"wheel\"\nmass = 2.0\ninertia = 0.3\n"
      "angular_velocity = 1.0\n[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"wheel\"]\nat = "
      "[0, 0]\n"
      "[[force]]\nbody = \"wheel\"\npoint = [0.5, 0]\nforce = [\"0\", \"1.2\"]\n" +
      end_of_model);
  const double half_turn = std::acos(-1.0) / 2;
  const auto [phi, w] = swing(0.5 * 1.2 / 0.3, -half_turn, 1.0, 0.5);
  CHECK(part(end, "bodies/wheel/rotation")[0] == doctest::Approx(phi + half_turn).epsilon(1e-9));
  CHECK(part(end, "bodies/wheel/angular_velocity")[0] == doctest::Approx(w).epsilon(1e-9));
  CHECK(distance(part(end, "joints/pin/force"), {0, -1.2}) < 1e-9);
}

TEST_CASE("a_prescribed_displacement_counts_from_the_pose_given") {
  const auto end = run_text(
      "[system]\nkind = \"multibody\"\nplane = true\n[[body]]\nname = \"block\"\nmass = 2.0\ninertia = 0.3\n"
      "position = [0.7, 0]\nvelocity = [0.2, 0]\n[[joint]]\nname = \"way\"\ntype = \"prismatic\"\n"
      "bodies = [\"ground\", \"block\"]\nframes = [{ point = [0.1, 0], axis = [1, 0] }, { point = [0, 0], axis = [1, "
      "0] }]\n"
      "motion = \"0.1*sin(2*t)\"\n" +
      end_of_model);
  CHECK(part(end, "bodies/block/position")[0] == doctest::Approx(0.7 + 0.1 * std::sin(1.0)).epsilon(1e-12));
  CHECK(part(end, "joints/way/force")[0] == doctest::Approx(-2 * 0.4 * std::sin(1.0)).epsilon(1e-9));
}
