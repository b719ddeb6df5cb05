// Robots in URDF as models: the arm of arm.urdf beside the same mechanism stated by hand, and what is told or refused.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/registry/entry.hpp"
#include "livens/simulation/simulate.hpp"
#include "livens/urdf/urdf.hpp"

using namespace livens;

namespace {

std::string arm() {
  std::ifstream file(LIVENS_SOURCE "/examples/arm.urdf");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string exchanged(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != text.npos);
  return text.replace(at, what.size(), by);
}

std::string refusal_of(const std::string& xml, const UrdfOptions& options = {}) {
  try {
    model_of_urdf("arm.urdf", xml, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

std::map<std::string, std::vector<double>> run_parts(const std::string& text) {
  const Model model = read_model("arm.toml", text, {{"run.step", "0.002"}, {"run.end", "0.4"}});
  const MethodEntry& method = choose_method(model);
  std::map<std::string, std::vector<double>> parts;
  const RunResult result = simulate(model, method, read_options(model, method), {});
  REQUIRE(result.report.outcome == RunOutcome::finished);
  for (const auto& [column, numbers] : result.parts) parts[column.name] = numbers;
  return parts;
}

}  // namespace

// Shoulder and elbow turn in the plane y = 0, the wrist slides: by hand with the angle of the upper arm from the
// vertical and hand and tool as two bodies, welded.
TEST_CASE("an_imported_arm_moves_as_the_one_stated_by_hand") {
  const auto imported = run_parts(model_of_urdf("arm.urdf", arm(), {.pose = {{"elbow", 0.4}, {"wrist", 0.05}}}).text);
  const auto by_hand = run_parts(R"toml(
[system]
kind    = "multibody"
gravity = [0, 0, -9.81]
[system.parameters]
b  = "pi/2 + 0.4"
ex = "0.6"
s  = "0.45"
c  = "cos(0.5)"                     # of the turn of the tool in the hand
k  = "sin(0.5)"
dx = "0.1*c"                        # from the centre of mass of the hand to that of the tool
dy = "0.1*k"
dz = 0.1
[[body]]
name     = "upper_arm"
mass     = 2
inertia  = [0.06, 0.06, 0.001]
position = [0.3, 0, 1]
rotation = { axis = [0, 1, 0], angle = "pi/2" }
[[body]]
name     = "forearm"
mass     = 1
inertia  = [0.014, 0.014, 0.001]
position = ["ex + 0.2*sin(b)", 0, "1 + 0.2*cos(b)"]
rotation = { axis = [0, 1, 0], angle = "b" }
[[body]]
name     = "hand"
mass     = 1
inertia  = [
  ["0.002 + c^2*0.002 + k^2*0.003 - 2*k*c*0.0005 + (dy^2 + dz^2)/4", "(c^2 - k^2)*0.0005 - k*c*0.001 - dx*dy/4", "-dx*dz/4"],
  ["(c^2 - k^2)*0.0005 - k*c*0.001 - dx*dy/4", "0.002 + k^2*0.002 + c^2*0.003 + 2*k*c*0.0005 + (dx^2 + dz^2)/4", "-dy*dz/4"],
  ["-dx*dz/4", "-dy*dz/4", "0.001 + 0.001 + (dx^2 + dy^2)/4"],
]
position = ["ex + (s + 0.15)*sin(b) + dx/2*cos(b)", "dy/2", "1 + (s + 0.15)*cos(b) - dx/2*sin(b)"]
rotation = { axis = [0, 1, 0], angle = "b" }
[[joint]]
name   = "shoulder"
type   = "revolute"
bodies = ["ground", "upper_arm"]
at     = [0, 0, 1]
axis   = [0, 1, 0]
[[damper]]
joint   = "shoulder"
damping = 0.2
[[joint]]
name   = "elbow"
type   = "revolute"
bodies = ["upper_arm", "forearm"]
at     = ["ex", 0, 1]
axis   = [0, 1, 0]
[[joint]]
name   = "wrist"
type   = "prismatic"
bodies = ["forearm", "hand"]
at     = ["ex + s*sin(b)", 0, "1 + s*cos(b)"]
axis   = ["sin(b)", 0, "cos(b)"]
[method]
name = "galerkin"
[run]
step = 0.002
end  = 0.4
)toml");
  for (const char* name : {"bodies/upper_arm/rotation", "bodies/forearm/position", "bodies/forearm/rotation",
                           "bodies/hand/position", "joints/shoulder/force", "joints/elbow/torque"})
    for (std::size_t k = 0; k < imported.at(name).size(); ++k) {
      CAPTURE(name);
      CHECK(std::abs(imported.at(name)[k] - by_hand.at(name)[k]) < 1e-9);
    }
}

TEST_CASE("roll_pitch_and_yaw_turn_about_axes_at_rest_in_this_order") {
  const std::string inertial =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>";
  const std::string text =
      model_of_urdf("r.urdf", "<robot name=\"r\"><link name=\"a\"/><link name=\"b\">" + inertial +
                                  "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>"
                                  "<origin rpy=\"0.3 -0.4 0.5\"/></joint></robot>")
          .text;
  const double cr = std::cos(0.15), sr = std::sin(0.15), cp = std::cos(0.2), sp = -std::sin(0.2), cy = std::cos(0.25),
               sy = std::sin(0.25);
  double w = 0, x = 0, y = 0, z = 0;
  const std::size_t at = text.find("quaternion = ");
  REQUIRE(at != text.npos);
  REQUIRE(std::sscanf(text.c_str() + at, "quaternion = [%lf, %lf, %lf, %lf]", &w, &x, &y, &z) == 4);
  CHECK(std::abs(w - (cr * cp * cy + sr * sp * sy)) < 1e-15);
  CHECK(std::abs(x - (sr * cp * cy - cr * sp * sy)) < 1e-15);
  CHECK(std::abs(y - (cr * sp * cy + sr * cp * sy)) < 1e-15);
  CHECK(std::abs(z - (cr * cp * sy - sr * sp * cy)) < 1e-15);
}

TEST_CASE("what_has_no_counterpart_is_named") {
  const UrdfModel made = model_of_urdf("arm.urdf", arm());
  const std::vector<std::string> notes{
      R"("upper arm" is called "upper_arm" here)",
      R"(the root "base" is the ground; --free makes it a body)",
      "<transmission> is left out",
      R"(link "forearm": a mesh is not drawn)",
      R"(joint "elbow": a constant friction is left out; friction here is that of a joint under load)",
      R"(joint "elbow": its limits are not kept)",
      R"(joint "wrist": follows joint "elbow" in the robot, moves by itself here; a gear has no counterpart)"};
  CHECK(made.notes == notes);
  CHECK(made.text.find("# Note: joint 'elbow': its limits are not kept") != std::string::npos);
  CHECK(made.text.find(R"(shape    = { type = "cylinder", radius = 0.03, length = 0.6 })") != std::string::npos);
  CHECK(model_of_urdf("arm.urdf", arm(), {.free = true, .pose = {}}).text.find(R"(name     = "base")") !=
        std::string::npos);
}

TEST_CASE("what_a_floating_or_a_continuous_joint_loses_is_named") {
  std::string robot = exchanged(arm(), "<dynamics damping=\"0.2\"/>", "<limit effort=\"10\" velocity=\"2\"/>");
  robot = exchanged(robot, "name=\"wrist\" type=\"prismatic\"", "name=\"wrist\" type=\"floating\"");
  robot = exchanged(robot, "<mimic joint=\"elbow\"/>", "<dynamics damping=\"3\" friction=\"1\"/>");
  std::vector<std::string> joints;
  for (const std::string& note : model_of_urdf("arm.urdf", robot).notes)
    if (note.starts_with("joint") && note.find("elbow") == std::string::npos) joints.push_back(note);
  const std::vector<std::string> named{
      R"(joint "shoulder": its limits are not kept)",
      R"(joint "wrist": is floating: nothing holds the child here either)",
      R"(joint "wrist": damping of joints that are not revolute is left out; )"
      "a [[damper]] between two points may stand for it",
      R"(joint "wrist": a constant friction is left out; friction here is that of a joint under load)"};
  CHECK(joints == named);
}

TEST_CASE("what_stands_in_links_and_joints_and_has_no_counterpart_is_named_once") {
  const std::string collision = "<collision><geometry><box size=\"1 1 1\"/></geometry></collision>";
  std::string robot = exchanged(arm(), "<link name=\"hand\">", "<link name=\"hand\">" + collision + collision);
  robot = exchanged(robot, "<mimic joint=\"elbow\"/>", "<mimic joint=\"elbow\"/><safety_controller k_velocity=\"1\"/>");
  std::vector<std::string> left_out;
  for (const std::string& note : model_of_urdf("arm.urdf", robot).notes)
    if (note.starts_with("<")) left_out.push_back(note);
  CHECK(left_out == std::vector<std::string>{"<safety_controller> is left out", "<collision> is left out",
                                             "<transmission> is left out"});
}

TEST_CASE("robots_that_are_none_are_refused_in_words") {
  const std::string good = arm();
  CHECK(refusal_of("<robot") == "arm.urdf:1: is not XML (XML_ERROR_PARSING_ELEMENT)");
  CHECK(refusal_of("<model/>") == "arm.urdf: is no robot; a URDF file begins with <robot name=\"...\">");
  CHECK(
      refusal_of(exchanged(good, "type=\"prismatic\"", "type=\"ball\"")).find(R"(joint "wrist" has the type "ball")") !=
      std::string::npos);
  CHECK(refusal_of(exchanged(good, "<mass value=\"1\"/>", "<mass value=\"one\"/>")) ==
        "arm.urdf:25: <mass>: value=\"one\" is not a number");
  for (const std::string glued : {"0 0.6-0.1", "0 0+0.6", "0,0,0.6", "0 0 0.6 1"})
    CHECK(refusal_of(exchanged(good, "xyz=\"0 0 0.6\"", "xyz=\"" + glued + "\"")) ==
          "arm.urdf:19: <origin>: xyz=\"" + glued + "\" is not 3 numbers");
  CHECK(refusal_of(exchanged(good, "<link name=\"hand\">", "<link name=\"forearm\">")) ==
        "arm.urdf:34: <link>: there is a link \"forearm\" before; give it another name");
  CHECK(refusal_of(exchanged(good, "<joint name=\"weld\"", "<joint name=\"elbow\"")) ==
        "arm.urdf:37: <joint>: there is a joint \"elbow\" before; give it another name");
  CHECK(refusal_of(exchanged(good, "link=\"forearm\"", "link=\"fore\"")) ==
        "arm.urdf: joint \"elbow\": there is no link \"fore\"");
  CHECK(refusal_of(exchanged(good, "<child link=\"hand\"/>", "<child link=\"upper arm\"/>")) ==
        "arm.urdf: \"base\" and \"hand\" hang on no joint; a robot is one tree, with one root");
  CHECK(refusal_of(exchanged(good, "<mass value=\"1\"/>", "<mass value=\"0\"/>")) ==
        "arm.urdf: link \"forearm\" moves and has no mass; give it <inertial>, or a fixed joint");
  CHECK(refusal_of(exchanged(good, "izz=\"0.001\"", "izz=\"1\"")).find("body 'upper_arm'") != std::string::npos);
  CHECK(refusal_of(good, {.pose = {{"elbo", 1.0}}}) ==
        "arm.urdf: --pose elbo: there is no such joint; did you mean \"elbow\"?");
  CHECK(refusal_of(good, {.pose = {{"weld", 1.0}}}) ==
        "arm.urdf: --pose weld: a fixed joint has no position that could be given");
}
