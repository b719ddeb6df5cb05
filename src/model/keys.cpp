#include "model/keys.hpp"

#include <algorithm>
#include <array>

namespace livens {

namespace {

using Key = ModelKey;

constexpr std::array keys{
    Key{"format", "format = 1"},
    Key{"title", "title = \"Planar pendulum\""},
    Key{"system", "[system] and below it kind = \"lagrangian\""},
    Key{"system.kind", "kind = \"lagrangian\""},
    Key{"system.coordinates", "coordinates = [\"x\", \"y\"]", "lagrangian degenerate"},
    Key{"system.lagrangian", "lagrangian = \"m/2*(x'^2 + y'^2) - m*g*y\"", "lagrangian"},
    Key{"system.constraints", "constraints = [\"(x^2 + y^2 - l^2)/2\"]", "lagrangian odae"},
    Key{"system.forces", "forces = [\"-c*x'\", \"-c*y'\"]", "lagrangian"},
    Key{"system.theta", "theta = [\"0\", \"x\"]", "degenerate"},
    Key{"system.hamiltonian", "hamiltonian = \"(x^2 + y^2)/2\"", "degenerate"},
    Key{"system.positions", "positions = [\"y1\", \"y2\"]", "odae"},
    Key{"system.velocities", "velocities = [\"z1\", \"z2\"]", "odae"},
    Key{"system.multipliers", "multipliers = [\"psi\"]", "odae"},
    Key{"system.velocity", "velocity = [\"z1\", \"z2\"]", "odae"},
    Key{"system.force", "force = [\"0\", \"-g\"]", "odae"},
    Key{"system.reaction", "reaction = [\"-y1*psi\", \"-y2*psi\"]", "odae"},
    Key{"system.parameters", "[system.parameters] and below it m = 1.0"},
    Key{"system.let", "[system.let] and below it r2 = \"x^2 + y^2\""},
    Key{"system.invariants", "[system.invariants] and below it area = \"x*p_y - y*p_x\"", "lagrangian degenerate odae"},
    Key{"system.units", "[system.units] and below it x = \"m\""},
    Key{"system.descriptions", "[system.descriptions] and below it x = \"distance from the wall\""},
    Key{"system.gravity", "gravity = [0.0, 0.0, -9.81]", "multibody"},
    Key{"system.plane", "plane = true", "multibody"},
    Key{"body", "[[body]] and below it name = \"crank\"", "multibody"},
    Key{"body.for", "for = \"i = 1..10\"", "multibody"},
    Key{"body.name", "name = \"crank\"", "multibody"},
    Key{"body.mass", "mass = 2.0", "multibody"},
    Key{"body.density", "density = 7800.0", "multibody"},
    Key{"body.inertia", "inertia = [0.1, 0.2, 0.3], in the plane inertia = 0.1", "multibody"},
    Key{"body.shape", "shape = { type = \"box\", size = [0.1, 0.2, 1.0] }", "multibody"},
    Key{"body.shape.type", "type = \"box\"", "multibody"},
    Key{"body.shape.size", "size = [0.1, 0.2, 1.0]", "multibody"},
    Key{"body.shape.radius", "radius = 0.1", "multibody"},
    Key{"body.shape.length", "length = 1.0", "multibody"},
    Key{"body.position", "position = [0.0, 0.0, 0.5]", "multibody"},
    Key{"body.rotation", "rotation = { axis = [0, 0, 1], angle = 0.3 }, in the plane rotation = 0.3", "multibody"},
    Key{"body.rotation.axis", "axis = [0.0, 0.0, 1.0]", "multibody"},
    Key{"body.rotation.angle", "angle = 0.3", "multibody"},
    Key{"body.rotation.quaternion", "quaternion = [1.0, 0.0, 0.0, 0.0]", "multibody"},
    Key{"body.rotation.matrix", "matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "multibody"},
    Key{"body.rotation.euler", "euler = \"zxz\"", "multibody"},
    Key{"body.rotation.angles", "angles = [0.1, 0.2, 0.3]", "multibody"},
    Key{"body.velocity", "velocity = [0.0, 0.0, 0.0]", "multibody"},
    Key{"body.angular_velocity", "angular_velocity = [0.0, 0.0, 1.0], in the plane a number", "multibody"},
    Key{"body.angular_velocity_body", "angular_velocity_body = [0.0, 0.0, 1.0]", "multibody"},
    Key{"joint", "[[joint]] and below it name = \"elbow\"", "multibody"},
    Key{"joint.for", "for = \"i = 1..10\"", "multibody"},
    Key{"joint.name", "name = \"elbow\"", "multibody"},
    Key{"joint.type", "type = \"revolute\"", "multibody"},
    Key{"joint.bodies", "bodies = [\"ground\", \"crank\"]", "multibody"},
    Key{"joint.at", "at = [0.0, 0.0, 0.0]", "multibody"},
    Key{"joint.axis", "axis = [0.0, 1.0, 0.0]", "multibody"},
    Key{"joint.axes", "axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]", "multibody"},
    Key{"joint.frames", "frames = [{ point = [0, 0, 0], axis = [0, 0, 1] }, { point = [0, 0, 1], axis = [0, 0, 1] }]",
        "multibody"},
    Key{"joint.frames.point", "point = [0.0, 0.0, 0.5]", "multibody"},
    Key{"joint.frames.axis", "axis = [0.0, 0.0, 1.0]", "multibody"},
    Key{"joint.frames.across", "across = [1.0, 0.0, 0.0]", "multibody"},
    Key{"joint.points", "points = [[0, 0, 1], [0, 0, 0.5]]", "multibody"},
    Key{"joint.length", "length = 0.3", "multibody"},
    Key{"joint.unilateral", "unilateral = true", "multibody"},
    Key{"joint.restitution", "restitution = 0.5", "multibody"},
    Key{"joint.friction", "friction = 0.2", "multibody"},
    Key{"joint.exponent", "exponent = 1.0", "multibody"},
    Key{"joint.radius", "radius = 0.01", "multibody"},
    Key{"joint.motion", "motion = \"0.1*sin(t)\"", "multibody"},
    Key{"spring", "[[spring]] and below it bodies = [\"ground\", \"crank\"]", "multibody"},
    Key{"spring.for", "for = \"i = 1..10\"", "multibody"},
    Key{"spring.name", "name = \"s1\"", "multibody"},
    Key{"spring.bodies", "bodies = [\"ground\", \"crank\"]", "multibody"},
    Key{"spring.points", "points = [[0, 0, 1], [0, 0, 0.5]]", "multibody"},
    Key{"spring.stiffness", "stiffness = 100.0", "multibody"},
    Key{"spring.length", "length = 0.3", "multibody"},
    Key{"spring.damping", "damping = 0.5", "multibody"},
    Key{"spring.isotropic", "isotropic = true", "multibody"},
    Key{"spring.joint", "joint = \"elbow\"", "multibody"},
    Key{"spring.angle", "angle = 0.0", "multibody"},
    Key{"damper", "[[damper]] and below it bodies = [\"ground\", \"crank\"]", "multibody"},
    Key{"damper.for", "for = \"i = 1..10\"", "multibody"},
    Key{"damper.name", "name = \"d1\"", "multibody"},
    Key{"damper.bodies", "bodies = [\"ground\", \"crank\"]", "multibody"},
    Key{"damper.points", "points = [[0, 0, 1], [0, 0, 0.5]]", "multibody"},
    Key{"damper.damping", "damping = 0.5", "multibody"},
    Key{"damper.isotropic", "isotropic = true", "multibody"},
    Key{"damper.joint", "joint = \"elbow\"", "multibody"},
    Key{"force", "[[force]] and below it body = \"crank\"", "multibody"},
    Key{"force.for", "for = \"i = 1..10\"", "multibody"},
    Key{"force.name", "name = \"wind\"", "multibody"},
    Key{"force.body", "body = \"crank\"", "multibody"},
    Key{"force.point", "point = [0, 0, 0.5]", "multibody"},
    Key{"force.force", "force = [\"0\", \"0\", \"5*sin(t)\"]", "multibody"},
    Key{"force.torque", "torque = [\"0\", \"0\", \"1\"], in the plane torque = \"1\"", "multibody"},
    Key{"initial", "[initial] and below it the start values"},
    Key{"initial.t", "t = 0.0"},
    Key{"initial.q", "q = [1.0, 0.0]", "lagrangian degenerate"},
    Key{"initial.v", "v = [0.0, 0.0]", "lagrangian"},
    Key{"initial.p", "p = [0.0, 0.0]", "lagrangian"},
    Key{"initial.y", "y = [1.0, 0.0]", "odae"},
    Key{"initial.z", "z = [0.0, 0.0]", "odae"},
    Key{"initial.psi", "psi = [1.0]", "odae"},
    Key{"initial.project", "project = true", "lagrangian odae multibody"},
    Key{"initial.tolerance", "tolerance = 1e-9", "lagrangian odae multibody"},
    Key{"final", "[final] and below it q = [0.0, -1.0]", "lagrangian degenerate odae"},
    Key{"final.q", "q = [0.0, -1.0]", "lagrangian"},
    Key{"contact", "[contact] and below it unilateral = true"},
    Key{"contact.unilateral", "unilateral = true, or the numbers of constraints: unilateral = [1, 2]",
        "lagrangian odae"},
    Key{"contact.restitution", "restitution = 0.5, or one for each: restitution = [0.5, 0.0]", "lagrangian odae"},
    Key{"contact.friction", "friction = 0.3", "lagrangian"},
    Key{"contact.exponent", "exponent = 1.0", "lagrangian"},
    Key{"contact.points", "points = [[\"x1\", \"y1\"]], for each contact the coordinates of the point that rubs",
        "lagrangian"},
    Key{"contact.impulse", "impulse = [[\"-3*b*y1^2/m\", \"1/m\"]], for each contact a formula for each velocity",
        "odae"},
    Key{"contact.threshold", "threshold = 1e-7", "lagrangian odae multibody"},
    Key{"contact.events_per_step", "events_per_step = 10000", "lagrangian odae multibody"},
    Key{"event", "[[event]] and below it name = \"apex\""},
    Key{"event.name", "name = \"apex\""},
    Key{"event.when", "when = \"y'\""},
    Key{"event.direction", "direction = -1"},
    Key{"event.action", "action = \"record\""},
    Key{"method", "[method] and below it name = \"rattle\""},
    Key{"method.name", "name = \"rattle\""},
    Key{"run", "[run] and below it step = 0.01"},
    Key{"run.step", "step = 0.01"},
    Key{"run.end", "end = 100.0"},
    Key{"run.steps", "steps = 10000"},
    Key{"run.every", "every = 10"},
    Key{"run.accuracy", "accuracy = 1e-8"},
    Key{"run.estimate", "estimate = true"},
    Key{"run.precision", "precision = \"double\""},
    Key{"record", "[record] and below it coordinates = [\"x\"]"},
    Key{"record.coordinates", "coordinates = [\"x\", \"y\"]"},
    Key{"record.multipliers", "multipliers = [1, 2]", "lagrangian odae multibody"},
    Key{"record.reactions", "reactions = true", "lagrangian multibody"},
    Key{"record.work", "work = true", "lagrangian multibody"},
    Key{"record.values", "[record.values] and below it height = \"y\""},
    Key{"table", "[table.B] and below it file = \"b.csv\""},
    Key{"table.file", "file = \"b.csv\""},
    Key{"table_data", "[[table_data]] and below it file = \"b.csv\""},
    Key{"table_data.file", "file = \"b.csv\""},
    Key{"table_data.rows", "rows = \"0.0,1.5\\n...\""},
    Key{"view", "[view] and below it points = [[\"x\", \"y\"]]"},
    Key{"view.points", "points = [[\"x1\", \"y1\"], [\"x2\", \"y2\"]]", "lagrangian degenerate odae"},
    Key{"view.rods", "rods = [[0, 1], [1, 2]]", "lagrangian degenerate odae"},
    Key{"view.radius", "radius = 0.05", "lagrangian degenerate odae"},
    Key{"view.trail", "trail = 2.0"},
    Key{"view.background", "background = [[\"cos(2*pi*tau)\", \"sin(2*pi*tau)\"]]"},
    Key{"solver", "[solver] and below it iterations = 30"},
    Key{"solver.tolerance", "tolerance = \"round-off\" or a number such as 1e-12"},
    Key{"solver.iterations", "iterations = 30"},
    Key{"solver.linear", "linear = \"auto\""},
    Key{"solver.redundant", "redundant = \"error\""},
    Key{"exact", "[exact] and below it q = [\"cos(t)\", \"sin(t)\"]", "lagrangian degenerate odae"},
    Key{"exact.q", "q = [\"cos(t)\", \"sin(t)\"]", "lagrangian degenerate odae"},
    Key{"exact.p", "p = [\"-sin(t)\", \"cos(t)\"]", "lagrangian degenerate odae"},
    Key{"loop", "[loop] and below it q = [\"cos(2*pi*tau)\", \"sin(2*pi*tau)\"]", "lagrangian degenerate odae"},
    Key{"loop.q", "q = [\"cos(2*pi*tau)\", \"sin(2*pi*tau)\"]", "lagrangian degenerate odae"},
    Key{"loop.points", "points = 200", "lagrangian degenerate odae"},
    Key{"surface", "[surface] and below it q = [\"sigma\", \"tau\"]", "lagrangian degenerate odae"},
    Key{"surface.q", "q = [\"sigma\", \"tau\"]", "lagrangian degenerate odae"},
    Key{"surface.points", "points = 24 or points = [24, 32]", "lagrangian degenerate odae"},
};

// "joint[2].frames[1]" to "joint.frames".
std::string without_numbers(std::string_view path) {
  std::string plain;
  bool inside = false;
  for (const char c : path) {
    if (c == '[') inside = true;
    if (!inside) plain += c;
    if (c == ']') inside = false;
  }
  return plain;
}

}  // namespace

std::span<const ModelKey> model_keys() {
  return keys;
}

std::vector<std::string> known_keys(std::string_view given, std::string_view kind) {
  const std::string section = without_numbers(given);
  std::vector<std::string> known;
  for (const Key& key : keys) {
    const std::size_t dot = key.path.rfind('.');
    const std::string_view parent = key.path.substr(0, dot == key.path.npos ? 0 : dot);
    if (parent == section && key.kinds.find(kind) != key.kinds.npos)
      known.emplace_back(key.path.substr(dot == key.path.npos ? 0 : dot + 1));
  }
  return known;
}

std::string_view example(std::string_view key) {
  std::string plain = without_numbers(key);
  if (plain.starts_with("table.") && plain.ends_with(".file")) plain = "table.file";
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.path == plain; });
  if (found != keys.end()) return found->example;
  const std::size_t inner = key.find_last_of(".[");
  return inner == key.npos ? std::string_view() : example(key.substr(0, inner));
}

}  // namespace livens
