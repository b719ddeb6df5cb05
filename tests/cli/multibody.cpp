// Mechanisms as a user meets them: wrong ones are refused by name, runs are resumed to the bit, results name their
// parts.
#include <doctest/doctest.h>

#include "cli/trajectory.hpp"
#include "cli/trials.hpp"

using namespace program;

namespace {

const std::string arm = R"toml([system]
kind    = "multibody"
gravity = [0.0, 0.0, -9.81]
[system.parameters]
l = 1.0
[[body]]
name     = "upper"
mass     = 2.0
inertia  = [0.2, 0.2, 0.1]
position = [0.0, 0.0, "-l/2"]
[[body]]
name     = "lower"
mass     = 1.0
shape    = { type = "box", size = [0.1, 0.2, 1.0] }
position = [0.0, 0.0, "-3*l/2"]
rotation = { axis = [0, 0, 1], angle = 0.3 }
[[joint]]
name   = "hook"
type   = "revolute"
bodies = ["ground", "upper"]
at     = [0.0, 0.0, 0.0]
axis   = [0.0, 1.0, 0.0]
[[joint]]
name   = "elbow"
type   = "spherical"
bodies = ["upper", "lower"]
at     = [0.0, 0.0, "-l"]
[[spring]]
name      = "band"
bodies    = ["ground", "lower"]
points    = [[1, 0, 0], [0, 0, -0.5]]
stiffness = 10.0
[[force]]
body  = "lower"
point = [0, 0, -0.5]
force = ["sin(t)", "0", "-0.1*z'"]
[method]
name = "rattle"
[run]
step = 0.01
end  = 0.1
)toml";

const std::vector<Wrong> wrong_arms{
    {"name     = \"upper\"\n", "", ":6: body[1].name: missing; write name = \"crank\""},
    {"name     = \"upper\"", "name     = \"ground\"",
     ":7: body[1].name: \"ground\" is the frame of space; choose another name"},
    {"name     = \"upper\"", "name     = \"up per\"",
     ":7: body[1].name: \"up per\" is not a name; names are letters, digits, _ and -, and an index is written link[i]"},
    {"name     = \"lower\"", "name     = \"upper\"",
     ":12: body[2].name: there is another body 'upper'; choose another name"},
    {"mass     = 2.0\n", "",
     ":6: body[1]: body 'upper' has no mass; write mass = 1.0, or a shape and density = 1000.0"},
    {"mass     = 2.0", "mass     = 0.0", ":8: body[1].mass: body 'upper': mass is 0, must be positive"},
    {"mass     = 2.0", "mass     = -1.0", ":8: body[1].mass: body 'upper': mass is -1, must be positive"},
    {"mass     = 2.0", "density  = 1000.0",
     ":8: body[1].density: body 'upper': density needs a shape with a volume; write mass = 1.0 instead"},
    {"mass     = 2.0", "mas      = 2.0", ":8: body[1].mas: body 'upper': unknown key; did you mean \"mass\"?"},
    {"inertia  = [0.2, 0.2, 0.1]\n", "",
     ":6: body[1]: body 'upper' has no inertia; write inertia = [0.1, 0.2, 0.3], give it a shape, or make it a mass "
     "point with shape = { type = \"point\" }"},
    {"[0.2, 0.2, 0.1]", "[0.2, 0.2]", ":9: body[1].inertia: body 'upper': has 2 numbers, must have 3"},
    {"[0.2, 0.2, 0.1]", "0.2",
     ":9: body[1].inertia: body 'upper': is one number; in space write the three along the body's axes, or a 3x3 "
     "matrix"},
    {"[0.2, 0.2, 0.1]", "[0.2, 0.2, 0.5]",
     ":9: body[1].inertia: body 'upper': inertia is against the triangle inequality, no body has it: its principal "
     "moments are 0.2, 0.2, 0.5, and each is less than the sum of the other two; correct it"},
    {"[0.2, 0.2, 0.1]", "[0.2, 0.2, 0.4]",
     ":9: body[1].inertia: body 'upper': inertia is that of a flat thin body (its principal moments are 0.2, 0.2, 0.4: "
     "one is the sum of the other two); give it shape = { type = \"plate\", ... } along its own axes, or some "
     "thickness"},
    {"[0.2, 0.2, 0.1]", "[0.2, 0.2, 0.0]",
     ":9: body[1].inertia: body 'upper': inertia is that of a straight thin body (its principal moments are 0, 0.2, "
     "0.2: one is 0); give it shape = { type = \"rod\", ... } along its own axes, or some thickness"},
    {"[0.2, 0.2, 0.1]", "[0.2, -0.2, 0.1]",
     ":9: body[1].inertia: body 'upper': inertia is against the triangle inequality, no body has it: its principal "
     "moments are -0.2, 0.1, 0.2, and each is less than the sum of the other two; correct it"},
    {"[0.2, 0.2, 0.1]", "[[0.4, 0.3, 0], [0.3, 0.4, 0], [0, 0, 0.4]]",  // [0.1, 0.7, 0.4], turned
     ":9: body[1].inertia: body 'upper': inertia is against the triangle inequality, no body has it: its principal "
     "moments are 0.1, 0.4, 0.7, and each is less than the sum of the other two; correct it"},
    {"[0.2, 0.2, 0.1]", "[[0.2, 0.01, 0], [0.02, 0.2, 0], [0, 0, 0.1]]",
     ":9: body[1].inertia: body 'upper': inertia is not symmetric: entry 2,1 is 0.02, entry 1,2 is 0.01"},
    {"[0.2, 0.2, 0.1]", "[[0.2, 0.01, 0], [0.01, 0.2, 0]]",
     ":9: body[1].inertia: body 'upper': has 2 rows, must have 3"},
    {"type = \"box\"", "type = \"bax\"",
     ":14: body[2].shape.type: body 'lower': \"bax\" is unknown; did you mean \"box\"?"},
    {"type = \"box\"", "type = \"disc\"",
     ":14: body[2].shape.type: body 'lower': \"disc\" is unknown; write one of box, sphere, cylinder, cone, plate, "
     "rod, point"},
    {"size = [0.1, 0.2, 1.0]", "size = [0.1, 0.2]",
     ":14: body[2].shape.size: body 'lower': has 2 numbers; a box here has 3"},
    {"size = [0.1, 0.2, 1.0]", "size = [0.1, 0.2, 0.0]",
     ":14: body[2].shape.size[3]: body 'lower': is 0, must be positive"},
    {"size = [0.1, 0.2, 1.0]", "radius = 0.1",
     ":14: body[2].shape.radius: body 'lower': a box has no radius; leave it out"},
    {"{ type = \"box\", size = [0.1, 0.2, 1.0] }", "{ size = [0.1, 0.2, 1.0] }",
     ":14: body[2].shape.type: body 'lower': missing; write type = \"box\""},
    {"position = [0.0, 0.0, \"-l/2\"]", "position = [0.0, \"-l/2\"]",
     ":10: body[1].position: body 'upper': has 2 numbers, must have 3"},
    {"\"-l/2\"", "\"-k/2\"",
     ":10: body[1].position[3]: body 'upper': unknown name \"k\" at column 2; name it in system.parameters or "
     "system.let"},
    {"\"-l/2\"", "\"-t/2\"",
     ":10: body[1].position[3]: body 'upper': contains \"t\"; a number is a constant formula of parameters and pi"},
    {"axis = [0, 0, 1], angle = 0.3", "axis = [0, 0, 0], angle = 0.3",
     ":16: body[2].rotation.axis: body 'lower': is 0; write a direction"},
    {"axis = [0, 0, 1], angle = 0.3", "axis = [0, 0, 1]",
     ":16: body[2].rotation.angle: body 'lower': missing; write angle = 0.3"},
    {"axis = [0, 0, 1], angle = 0.3", "quaternion = [1, 0, 0]",
     ":16: body[2].rotation.quaternion: body 'lower': has 3 numbers, must have 4: w, x, y, z"},
    {"axis = [0, 0, 1], angle = 0.3", "quaternion = [1, 0.1, 0, 0]",
     ":16: body[2].rotation.quaternion: body 'lower': has the squared length 1.01, not 1; correct it"},
    {"axis = [0, 0, 1], angle = 0.3", "matrix = [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]",
     ":16: body[2].rotation: body 'lower': the matrix is no rotation: R^T R differs from 1 by 1.0e-01; correct it, or "
     "set initial.project = true"},
    {"axis = [0, 0, 1], angle = 0.3", "matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]",
     ":16: body[2].rotation: body 'lower': the matrix turns a right hand into a left one; its determinant must be 1"},
    {"axis = [0, 0, 1], angle = 0.3", "euler = \"zzx\", angles = [0.1, 0.2, 0.3]",
     ":16: body[2].rotation.euler: body 'lower': \"zzx\" is not a sequence of axes; write three of x, y, z, no two "
     "neighbours the same, such as \"zxz\" or \"zyx\""},
    {"axis = [0, 0, 1], angle = 0.3", "axis = [0, 0, 1], angle = 0.3, quaternion = [1, 0, 0, 0]",
     ":16: body[2].rotation: body 'lower': is stated in several ways; leave one of axis, quaternion, matrix, euler"},
    {"rotation = { axis = [0, 0, 1], angle = 0.3 }", "rotation = 0.3",
     ":16: body[2].rotation: body 'lower': is not a table; write rotation = { axis = [0, 0, 1], angle = 0.3 }, or "
     "quaternion, matrix, euler"},
    {"rotation = { axis = [0, 0, 1], angle = 0.3 }", "angular_velocity = [0, 0, 1]\nangular_velocity_body = [0, 0, 1]",
     ":17: body[2].angular_velocity_body: body 'lower': angular_velocity and angular_velocity_body are both given; "
     "leave one out"},
    {"rotation = { axis = [0, 0, 1], angle = 0.3 }", "velocity = [0, 0, 1]",
     ":23: joint[2]: joint 'elbow' (row 3 of 3: point z) does not fit the velocities: it opens at a rate of 1.0e+00; "
     "correct velocity and angular_velocity, or set initial.project = true"},
    {"gravity = [0.0, 0.0, -9.81]", "gravity = [0.0, -9.81]", ":3: system.gravity: has 2 numbers, must have 3"},
    {"gravity = [0.0, 0.0, -9.81]", "gravity = [0.0, 0.0, -9.81]\nplane = true",
     ":3: system.gravity: has 3 numbers, must have 2: vectors in the plane have two components"},
    {"gravity = [0.0, 0.0, -9.81]", "gravity = [0.0, 0.0, -9.81]\ncoordinates = [\"x\"]",
     ":4: system.coordinates: belongs to kind \"lagrangian\", not to \"multibody\"; the keys here are kind, "
     "parameters, let, units, descriptions, gravity, plane"},
    {"name   = \"hook\"\n", "", ":17: joint[1].name: missing; write name = \"elbow\""},
    {"name   = \"elbow\"", "name   = \"hook\"",
     ":24: joint[2].name: there is another joint 'hook'; choose another name"},
    {"type   = \"revolute\"", "type   = \"hinge\"",
     ":19: joint[1].type: joint 'hook': \"hinge\" is unknown; write one of spherical, revolute, universal, "
     "cylindrical, prismatic, planar, fixed, distance, slider"},
    {"type   = \"revolute\"", "type   = \"slider\"",
     ":19: joint[1].type: joint 'hook': a slider is a joint of the plane; in space use cylindrical or prismatic"},
    {"[\"ground\", \"upper\"]", "[\"ground\", \"uper\"]",
     ":20: joint[1].bodies[2]: joint 'hook': there is no body 'uper'; did you mean \"upper\"?"},
    {"[\"ground\", \"upper\"]", "[\"ground\"]",
     ":20: joint[1].bodies: joint 'hook': has 1 entry; write two, such as [\"ground\", \"crank\"]"},
    {"[\"ground\", \"upper\"]", "[\"upper\", \"upper\"]",
     ":20: joint[1].bodies: joint 'hook' connects 'upper' with itself; name two bodies"},
    {"axis   = [0.0, 1.0, 0.0]\n", "",
     ":17: joint[1]: joint 'hook': axis is missing; write axis = [0.0, 0.0, 1.0], or frames"},
    {"axis   = [0.0, 1.0, 0.0]", "axis   = [0.0, 0.0, 0.0]",
     ":22: joint[1].axis: joint 'hook': axis is 0; write a direction"},
    {"at     = [0.0, 0.0, 0.0]\n", "",
     ":17: joint[1]: joint 'hook': at is missing; write at = [0.0, 0.0, 0.0], or frames"},
    {"at     = [0.0, 0.0, 0.0]", "at     = [0.0, 0.0]", ":21: joint[1].at: joint 'hook': has 2 numbers, must have 3"},
    {"at     = [0.0, 0.0, \"-l\"]", "at     = [0.0, 0.0, \"-l\"]\naxis = [0, 0, 1]",
     ":28: joint[2].axis: joint 'elbow': a spherical joint has no axis; leave it out"},
    {"at     = [0.0, 0.0, \"-l\"]", "frames = [{ point = [0, 0, -0.5] }, { point = [0, 0, 0.6] }]",
     ":23: joint[2]: joint 'elbow' (row 3 of 3: point z) does not fit the poses: it is open by 1.0e-01; correct them, "
     "or set initial.project = true"},
    {"at     = [0.0, 0.0, \"-l\"]", "frames = [{ point = [0, 0, -0.5] }]",
     ":27: joint[2].frames: joint 'elbow': has 1 entry; write two, that of the first body and that of the second"},
    {"at     = [0.0, 0.0, \"-l\"]", "at     = [0.0, 0.0, \"-l\"]\nmotion = \"t\"",
     ":28: joint[2].motion: joint 'elbow': motion is for revolute and prismatic joints, this one is spherical"},
    {"at     = [0.0, 0.0, \"-l\"]", "at     = [0.0, 0.0, \"-l\"]\nlength = 1.0",
     ":28: joint[2].length: joint 'elbow': length belongs to a distance, this is a spherical joint"},
    {"axis   = [0.0, 1.0, 0.0]", "axis   = [0.0, 1.0, 0.0]\nmotion = \"x\"",
     ":23: joint[1].motion: joint 'hook': unknown name \"x\" at column 1; name it in system.parameters or system.let"},
    {"axis   = [0.0, 1.0, 0.0]", "axis   = [0.0, 1.0, 0.0]\nmotion = \"0.1 + 0*t\"",
     ":23: joint[1].motion: joint 'hook': its motion is 0.1 at t = 0; it counts from the pose given, so it must be 0 "
     "there: subtract that, or set initial.project = true, which turns the bodies that far"},
    {"axis   = [0.0, 1.0, 0.0]", "axis   = [0.0, 1.0, 0.0]\nmotion = \"2*pi + t^2\"",
     ":23: joint[1].motion: joint 'hook': its motion is 6.28319 at t = 0; it counts from the pose given, so it must be "
     "0 there: subtract that, or set initial.project = true, which turns the bodies that far"},
    {"axis   = [0.0, 1.0, 0.0]", "axis   = [0.0, 1.0, 0.0]\nmotion = \"log(t)\"",
     ":23: joint[1].motion: joint 'hook': its motion is not finite at t = 0; correct it or initial.t"},
    {"axis   = [0.0, 1.0, 0.0]", "axis   = [0.0, 1.0, 0.0]\nmotion = \"sqrt(t)\"",
     ":23: joint[1].motion: joint 'hook': its motion's rate is not finite at t = 0; correct it or initial.t"},
    {"axis   = [0.0, 1.0, 0.0]", "axis   = [0.0, 1.0, 0.0]\nmotion = \"t\"",
     ":23: joint[1].motion: joint 'hook': the rate of its motion and the velocities differ by 1.0e+00 at the start; "
     "correct velocity and angular_velocity, or set initial.project = true"},
    {"type   = \"spherical\"", "type   = \"prismatic\"",
     ":23: joint[2]: joint 'elbow': axis is missing; write axis = [0.0, 0.0, 1.0], or frames"},
    {"type   = \"spherical\"\nbodies = [\"upper\", \"lower\"]\nat     = [0.0, 0.0, \"-l\"]",
     "type   = \"prismatic\"\nbodies = [\"upper\", \"lower\"]\nframes = [{ point = [0, 0, -0.5], axis = [0, 0, 1], "
     "across = [0, 0, 2] }, { point = [0, 0, 0.5], axis = [0, 0, 1], across = [1, 0, 0] }]",
     ":27: joint[2].frames[1].across: joint 'elbow': across is parallel to axis; write a direction that stands on it"},
    {"type   = \"spherical\"\nbodies = [\"upper\", \"lower\"]\nat     = [0.0, 0.0, \"-l\"]",
     "type   = \"prismatic\"\nbodies = [\"upper\", \"lower\"]\nframes = [{ point = [0, 0, -0.5], axis = [0, 0, 1] }, { "
     "point = [0, 0, 0.5], axis = [0, 0, 1] }]",
     ":27: joint[2].frames[1].across: joint 'elbow': across is missing; a prismatic joint given by frames needs it in "
     "both, a direction that is not along the axis"},
    {"type   = \"spherical\"\nbodies = [\"upper\", \"lower\"]\nat     = [0.0, 0.0, \"-l\"]",
     "type   = \"distance\"\nbodies = [\"upper\", \"lower\"]\npoints = [[0, 0, -0.5], [0, 0, 0.5]]",
     ":23: joint[2]: joint 'elbow' is a distance between points that coincide; a distance is positive, use spherical "
     "(revolute in the plane)"},
    {"type   = \"spherical\"\nbodies = [\"upper\", \"lower\"]\nat     = [0.0, 0.0, \"-l\"]",
     "type   = \"distance\"\nbodies = [\"upper\", \"lower\"]\nlength = 1.5",
     ":23: joint[2]: joint 'elbow' (row 1 of 1: length) does not fit the poses: it is open by 5.0e-01; correct them, "
     "or set initial.project = true"},
    {"{ type = \"box\", size = [0.1, 0.2, 1.0] }",
     "{ type = \"rod\", length = 1.0 }\nangular_velocity = [0, 0, 0]\n[[joint]]\nname = \"pin\"\ntype = "
     "\"revolute\"\nbodies = [\"lower\", \"upper\"]\nat = [0.0, 0.0, \"-l\"]\naxis = [0, 1, 0]\n[[body]]\nname = "
     "\"more\"\nmass = 1.0\nshape = { type = \"point\" }",
     ":16: joint[1]: joint 'pin': rod 'lower' has no direction across this axis; give it a radius (shape cylinder)"},
    {"{ type = \"box\", size = [0.1, 0.2, 1.0] }", "{ type = \"point\" }\nangular_velocity = [0, 0, 1]",
     ":15: body[2].angular_velocity: body 'lower': a point does not turn; leave it out"},
    {"stiffness = 10.0\n", "", ":28: spring[1].stiffness: spring 'band': missing; write stiffness = 100.0"},
    {"stiffness = 10.0", "stiffness = -10.0",
     ":32: spring[1].stiffness: spring 'band': stiffness is -10, must not be negative"},
    {"stiffness = 10.0", "stiffness = 10.0\ndamping = -1.0",
     ":33: spring[1].damping: spring 'band': damping is -1, must not be negative"},
    {"bodies    = [\"ground\", \"lower\"]", "bodies    = [\"lower\", \"lower\"]",
     ":30: spring[1].bodies: spring 'band' connects 'lower' with itself; name two bodies"},
    {"bodies    = [\"ground\", \"lower\"]", "bodies    = [\"ground\", \"lower\", \"upper\"]",
     ":30: spring[1].bodies: spring 'band': has 3 entries; write two, such as [\"ground\", \"crank\"]"},
    {"points    = [[1, 0, 0], [0, 0, -0.5]]", "points    = [[1, 0, 0]]",
     ":31: spring[1].points: spring 'band': has 1 entry; write two, of the first body and of the second"},
    {"bodies    = [\"ground\", \"lower\"]\npoints    = [[1, 0, 0], [0, 0, -0.5]]", "joint     = \"elbow\"",
     ":30: spring[1].joint: spring 'band': joint 'elbow' is spherical; torsional springs and dampers are for revolute "
     "joints"},
    {"bodies    = [\"ground\", \"lower\"]\npoints    = [[1, 0, 0], [0, 0, -0.5]]", "joint     = \"elbw\"",
     ":30: spring[1].joint: spring 'band': there is no joint 'elbw'; did you mean \"elbow\"?"},
    {"bodies    = [\"ground\", \"lower\"]", "joint     = \"hook\"\nbodies    = [\"ground\", \"lower\"]",
     ":31: spring[1].bodies: spring 'band': joint is given, so this spring is torsional and has no bodies; leave one "
     "out"},
    {"stiffness = 10.0", "stiffness = 10.0\nangle = 0.1",
     ":33: spring[1].angle: spring 'band': belongs to a torsional spring, with joint = \"...\""},
    {"body  = \"lower\"", "body  = \"ground\"",
     ":34: force[1].body: ground does not move; name the body that the force acts on"},
    {"body  = \"lower\"", "body  = \"lowr\"", ":34: force[1].body: there is no body 'lowr'; did you mean \"lower\"?"},
    {"\"sin(t)\", \"0\", \"-0.1*z'\"", "\"sin(t)\", \"0\"",
     ":36: force[1].force: the force on body 'lower': has 2 formulas, must have 3"},
    {"\"sin(t)\", \"0\", \"-0.1*z'\"", "\"sin(t)\", \"0\", \"-0.1*w\"",
     ":36: force[1].force[3]: the force on body 'lower': unknown name \"w\" at column 6; name it in system.parameters "
     "or system.let"},
    {"force = [\"sin(t)\", \"0\", \"-0.1*z'\"]\n", "",
     ":33: force[1]: the force on body 'lower': says nothing; write force = [\"0\", \"0\", \"1\"] or torque"},
    {"[method]", "[initial]\nq = [1.0]\n[method]",
     ":38: initial.q: belongs to kind \"lagrangian\", not to \"multibody\"; the keys here are t, project, tolerance"},
    {"[method]\nname = \"rattle\"", "[method]\nname = \"hbvm\"\nk = 4",
     ":38: method.name: \"hbvm\" does not fit this system: it conserves energy, and this system has forces; methods "
     "that fit: classical-ggl, composition, constrained-euler, energy-momentum, euler, galerkin, ggl, rattle, shake, "
     "spark"},
    {"[method]\nname = \"rattle\"", "[method]\nname = \"vprk\"",
     ":38: method.name: \"vprk\" does not fit this system: it is not for systems of kind \"multibody\"; methods that "
     "fit: classical-ggl, composition, constrained-euler, energy-momentum, euler, galerkin, ggl, rattle, shake, spark"},
    {"points    = [[1, 0, 0], [0, 0, -0.5]]", "points    = [[0, 0, -2], [0, 0, -0.5]]\nlength = 0.1",
     ":28: spring[1]: spring 'band' acts along the line between two points that coincide at the start, which has no "
     "direction; move one of them, or set length = 0"},
    {"points    = [[1, 0, 0], [0, 0, -0.5]]", "points    = [[0, 0, -2], [0, 0, -0.5]]\ndamping = 0.1",
     ":28: spring[1]: spring 'band' acts along the line between two points that coincide at the start, which has no "
     "direction; move one of them, or set isotropic = true"},
    {"type   = \"revolute\"\nbodies = [\"ground\", \"upper\"]\nat     = [0.0, 0.0, 0.0]\naxis   = [0.0, 1.0, 0.0]",
     "type   = \"universal\"\nbodies = [\"ground\", \"upper\"]\nat     = [0.0, 0.0, 0.0]\naxes   = [[0, 1, 0], [0, -2, "
     "0]]",
     ":22: joint[1].axes: joint 'hook': its axes are parallel; those of a universal joint are perpendicular to each "
     "other"},
    {"[run]", "[final]\nq = [1.0]\n[run]",
     ":39: final: boundary value problems are of kind \"lagrangian\", this one is \"multibody\""},
    {"[run]", "[exact]\nq = [\"1\"]\n[run]",
     ":39: exact: belongs to kind \"lagrangian\", not to \"multibody\"; the keys here are format, title, system, body, "
     "joint, spring, damper, force, initial, contact, event, method, run, record, table, table_data, view, solver"},
    {"l = 1.0\n", "l = 1.0\nz = 2.0\n",
     ":34: force: \"z\" is the position of the point that a force acts on, and the name is already given at "
     "system.parameters.z; choose another one there"},
    {"[\"ground\", \"upper\"]", "[\"Ground\", \"upper\"]",
     ":20: joint[1].bodies[1]: joint 'hook': there is no body 'Ground'; did you mean \"ground\"?"},
    {"type   = \"spherical\"\nbodies = [\"upper\", \"lower\"]\nat     = [0.0, 0.0, \"-l\"]",
     "type   = \"universal\"\nbodies = [\"upper\", \"lower\"]\nat     = [0.0, 0.0, \"-l\"]\naxes   = [[1, 0, 0], [1, "
     "1, 0]]",
     ":23: joint[2]: joint 'elbow': its axes are not perpendicular to each other, as those of a universal joint are: "
     "the "
     "cosine of their angle is 7.1e-01; correct them or the poses"},
    {"[\"ground\", \"upper\"]", "[\"ground\", \"qqq\"]",
     ":20: joint[1].bodies[2]: joint 'hook': there is no body 'qqq'; the bodies are ground, upper, lower"},
    {"joint]]\nname   = \"hook\"", "joint]]\nname   = \"hook\"\nq = 1",
     ":19: joint[1].q: joint 'hook': unknown key; the keys here are for, name, type, bodies, at, axis, axes, frames, "
     "points, length, unilateral, restitution, friction, exponent, radius, motion"},
    {"\"sin(t)\"", "\"1/t\"",
     ":33: force[1]: the force on body 'lower': 1/t is not finite at the start; correct it, the pose or initial.t"},
    {"stiffness = 10.0\n", "stiffness = 10.0\n[[damper]]\nbodies = [\"ground\", \"lower\"]\ndamping = -1.0\n",
     ":35: damper[1].damping: the damper between 'ground' and 'lower': damping is -1, must not be negative"},
    {"mass     = 1.0", "mass     = 1e308",
     ":13: body[2].mass: body 'lower', with the mass 1e+308: its energy is too large for a double at the start; "
     "correct it, or use other units"},
    {"stiffness = 10.0", "stiffness = 1e308\nlength = 40.0",
     ":32: spring[1].stiffness: spring 'band', with the stiffness 1e+308: its energy is too large for a double at the "
     "start; correct it, or use other units"},
    {"mass     = 1.0", "mass     = 1.0\ndensity  = 1000.0",
     ":14: body[2].density: body 'lower': mass and density are both given; leave one out"},
    {"bodies    = [\"ground\", \"lower\"]\npoints    = [[1, 0, 0], [0, 0, -0.5]]",
     "joint     = \"hook\"\nangle     = 4.0",
     ":31: spring[1].angle: spring 'band': angle is 4; angles of a torsional spring lie in (-pi, pi], counted from the "
     "start pose"},
    // in a stretched pose, where its rank is lost too
    {"[[spring]]",
     "[[joint]]\nname = \"lock\"\ntype = \"distance\"\nbodies = [\"ground\", \"lower\"]\nlength = 9\n[[spring]]",
     ":28: joint[3]: joint 'lock' (row 1 of 1: length) does not fit the poses: it is open by 7.5e+00; correct them, or "
     "set initial.project = true"},
    {"[[body]]\nname     = \"lower\"", "[[body]]\nfor = \"i = 1..3\"\nname     = \"lower\"",
     ":13: body[2].name: there is another body 'lower'; choose another name, with its index, such as link[i]"},
};

}  // namespace

TEST_CASE("wrong_mechanisms_are_refused_with_line_key_name_and_remedy") {
  CHECK(wrong_arms.size() >= 60);
  check_refusals(arm, wrong_arms);
}

TEST_CASE("a_mechanism_that_cannot_be_assembled_names_the_joint_that_stays_open") {
  const std::string bars = R"toml([system]
kind = "multibody"
plane = true
[[body]]
name = "crank"
mass = 1.0
inertia = 0.1
position = [0.5, 0]
[[body]]
name = "rod"
mass = 1.0
inertia = 0.1
position = [1.5, 0.2]
[[joint]]
name = "a"
type = "revolute"
bodies = ["ground", "crank"]
frames = [{ point = [0, 0] }, { point = [-0.5, 0] }]
[[joint]]
name = "p"
type = "revolute"
bodies = ["crank", "rod"]
frames = [{ point = [0.5, 0] }, { point = [-0.5, 0] }]
[[joint]]
name = "s"
type = "revolute"
bodies = ["rod", "ground"]
frames = [{ point = [0.5, 0] }, { point = [2.3, 0] }]
[initial]
project = true
)toml";
  const Place place;
  put(place / "far.toml", bars);
  const Reply far = place.livens("check far.toml");
  CHECK(far.status == 2);
  CHECK(mentions(far.err,
                 "far.toml:30: initial.project: the mechanism cannot be assembled near the pose given; joint '"));
  CHECK(mentions(far.err, "' stays open by 0.1 "));
  put(place / "rope.toml",
      replaced(bars,
               "type = \"revolute\"\nbodies = [\"rod\", \"ground\"]\nframes = [{ point = [0.5, 0] }, "
               "{ point = [2.3, 0] }]",
               "type = \"distance\"\nbodies = [\"rod\", \"ground\"]\npoints = [[0.5, 0], [7, 0]]\nlength = 4.0"));
  CHECK(mentions(place.livens("check rope.toml").err, "stays open by 0.35"));
  put(place / "near.toml", replaced(bars, "[2.3, 0]", "[1.9, 0.1]"));
  CHECK(mentions(place.livens("check near.toml").out,
                 "degrees of freedom         0 by counting rows, 0 by rank: it cannot move\n"));
  put(place / "stretched.toml", replaced(bars, "[2.3, 0]", "[2, 0]"));
  CHECK(mentions(place.livens("check stretched.toml").err,
                 "the mechanism closes in a singular pose only, as a loop does that is just long enough when it is "
                 "stretched flat"));
}

TEST_CASE("what_cannot_move_and_what_is_connected_with_nothing_is_told") {
  const std::string door = R"toml([system]
kind = "multibody"
plane = true
[[body]]
name = "door"
mass = 1.0
inertia = 0.1
[[body]]
name = "lamp"
mass = 1.0
inertia = 0.1
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "door"]
at = [0, 0]
[method]
name = "rattle"
[run]
step = 0.01
steps = 20
)toml";
  const Place place;
  put(place / "door.toml", door);
  const std::string checked = place.livens("check door.toml").out;
  CHECK(mentions(checked,
                 "note                       body 'lamp' is in no joint and on no spring: connected with "
                 "nothing\n"));
  CHECK(mentions(checked, "lambda                     joint 'pin' [0, 0]\n"));
  REQUIRE(place.livens("run door.toml --quiet --out door").status == 0);
  const Json free = Json::parse(contents(place / "door/summary.json"));
  CHECK(free["message"] == "body 'lamp' is in no joint and on no spring: connected with nothing");
  put(place / "wall.toml", replaced(replaced(door, "\"revolute\"", "\"fixed\""), "\"lamp\"",
                                    "\"lamp\"\nposition = "
                                    "[1, 0]") +
                               "[[joint]]\nname = \"screw\"\ntype = \"fixed\"\nbodies = [\"ground\", \"lamp\"]\n");
  REQUIRE(place.livens("run wall.toml --quiet --out wall").status == 0);
  CHECK(Json::parse(contents(place / "wall/summary.json"))["message"] ==
        "the mechanism has no degree of freedom: it cannot move");
}

TEST_CASE("a_drive_that_starts_far_from_the_pose_turns_the_bodies_there_with_project") {
  const std::string door = R"toml([system]
kind = "multibody"
plane = true
[[body]]
name = "crank"
mass = 1.0
inertia = 0.1
position = [0.5, 0]
[[body]]
name = "arm"
mass = 1.0
inertia = 0.1
position = [1.5, 0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "crank"]
at = [0, 0]
motion = "start + t^2"
[[joint]]
name = "elbow"
type = "revolute"
bodies = ["crank", "arm"]
at = [1, 0]
[system.parameters]
start = 1.0
[initial]
project = true
[method]
name = "galerkin"
[run]
step = 0.01
steps = 10
)toml";
  const Place place;
  put(place / "m.toml", door);
  for (const double start : {0.3, 1.0, 3.0, -2.5, 7.0}) {
    CAPTURE(start);
    REQUIRE(place.livens("run m.toml --quiet --force --out m --set system.parameters.start=" + std::to_string(start))
                .status == 0);
    const Json bodies = Json::parse(contents(place / "m/summary.json"))["final"]["bodies"];
    CHECK(std::abs(std::remainder(bodies["crank"]["rotation"].get<double>() - start - 0.01, 6.283185307179586)) <
          1e-12);
  }
}

TEST_CASE("in_the_plane_remedies_are_those_of_the_plane") {
  const std::string door = R"toml([system]
kind = "multibody"
plane = true
gravity = [0, -9.81]
[[body]]
name = "door"
mass = 1.0
inertia = 0.1
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "door"]
at = [0, 0]
[method]
name = "rattle"
[run]
step = 0.01
end = 0.1
)toml";
  check_refusals(
      door, {{"gravity = [0, -9.81]", "gravity = -9.81",
              ":4: system.gravity: is not an array; in the plane write gravity = [0.0, -9.81]"},
             {"at = [0, 0]", "at = [0, 0]\naxis = [0, 0, 1]",
              ":14: joint[1].axis: joint 'pin': a revolute joint in the plane has no axis; leave it out"},
             {"type = \"revolute\"", "type = \"slider\"",
              ":9: joint[1]: joint 'pin': axis is missing; write axis = [1.0, 0.0], or frames"},
             {"type = \"revolute\"\nbodies = [\"ground\", \"door\"]\nat = [0, 0]",
              "type = \"fixed\"\nbodies = [\"ground\", \"door\"]\nframes = [{ point = [0, 0] }, { point = [0, 0] }]",
              ":13: joint[1].frames[1].axis: joint 'pin': axis is missing; write axis = [1.0, 0.0]"}});
}

TEST_CASE("a_spin_along_a_rod_is_left_out_and_told") {
  const Place place;
  put(place / "rod.toml", R"toml([system]
kind = "multibody"
[[body]]
name = "needle"
mass = 1.0
shape = { type = "rod", length = 1.0 }
angular_velocity = [1, 0, 7]
[method]
name = "rattle"
[run]
step = 0.01
end = 0.1
)toml");
  CHECK(mentions(place.livens("check rod.toml").out,
                 "angular velocity of body 'needle' along the rod is left out: it has no inertia to turn with"));
  REQUIRE(place.livens("run rod.toml --quiet --out rod").status == 0);
  CHECK(Json::parse(contents(place / "rod/summary.json"))["message"] ==
        "the angular velocity of body 'needle' along the rod was left out: it has no inertia to turn with");
}

TEST_CASE("a_pose_far_from_the_one_meant_is_refused_and_the_shift_of_a_near_one_told") {
  const std::string door = R"toml([system]
kind = "multibody"
[[body]]
name = "door"
mass = 1.0
inertia = [0.1, 0.2, 0.25]
position = [0.5, 0, 0]
rotation = { axis = [0.3, 1, 0.2], angle = 1.2 }
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "door"]
frames = [{ point = [0, 0, 0], axis = [0, 0, 1] }, { point = [-0.5, 0, 0], axis = [0, 0, 1] }]
[initial]
project = true
)toml";
  const Place place;
  put(place / "far.toml", door);
  CHECK(
      mentions(place.livens("check far.toml").err,
               "joint 'hinge': its axes point in opposite directions in the pose that was found; give a pose nearer to "
               "the one that is meant, within about one radian, or reverse one of them"));
  put(place / "near.toml", replaced(door, "angle = 1.2", "angle = 0.1"));
  CHECK(mentions(place.livens("check near.toml").out, "consistent after projection, which moved q by 9."));
}

TEST_CASE("runs_of_mechanisms_killed_or_made_longer_end_with_the_same_bits") {
  const Place place;
  check_resumed(place, "bricard --set run.every=3", 20, 300);
  const Place chain;  // sparse, with the memory of its pivots
  check_resumed(chain, "body-chain --set run.every=3 --set method.name=ggl --set system.parameters.N=50", 3, 20);
  const Place other;
  put(other / "m.toml", arm + "every = 3\n[[spring]]\njoint = \"hook\"\nstiffness = 3.0\ndamping = 0.1\n");
  check_resumed(other, "m.toml --set method.name=galerkin", 20, 300);
}

TEST_CASE("trajectories_of_mechanisms_hold_bodies_and_joints") {
  const Place place;
  put(place / "m.toml", arm);
  REQUIRE(place.livens("run m.toml --quiet --out all").status == 0);
  const Json summary = Json::parse(contents(place / "all/summary.json"));
  CHECK(keys(summary["final"]["bodies"]) == std::vector<std::string>{"upper", "lower"});
  CHECK(keys(summary["final"]["bodies"]["lower"]) ==
        std::vector<std::string>{"position", "rotation", "velocity", "angular_velocity"});
  CHECK(summary["final"]["bodies"]["lower"]["rotation"].size() == 3);
  CHECK(keys(summary["final"]["joints"]) == std::vector<std::string>{"hook", "elbow"});
  const std::string page = place.livens("report all").err;
  CHECK(mentions(contents(place / "all/report.html"), "The mechanism"));
}

TEST_CASE("drives_that_contradict_each_other_are_refused_and_named") {
  const std::string cranks = R"toml([system]
kind = "multibody"
plane = true
[[body]]
name = "left"
mass = 1.0
shape = { type = "box", size = [0.1, 1.0] }
position = [0, 0.5]
angular_velocity = 6.0
velocity = [-3, 0]
[[body]]
name = "right"
mass = 1.0
shape = { type = "box", size = [0.1, 1.0] }
position = [2, 0.5]
angular_velocity = 6.0
velocity = [-3, 0]
[[body]]
name = "bar"
mass = 1.0
shape = { type = "box", size = [2.0, 0.1] }
position = [1, 1]
velocity = [-6, 0]
[[joint]]
name = "a"
type = "revolute"
bodies = ["ground", "left"]
at = [0, 0]
motion = "6*t"
[[joint]]
name = "b"
type = "revolute"
bodies = ["ground", "right"]
at = [2, 0]
motion = "6*t+0.5*t^2"
[[joint]]
name = "c"
type = "revolute"
bodies = ["left", "bar"]
at = [0, 1]
[[joint]]
name = "d"
type = "revolute"
bodies = ["right", "bar"]
at = [2, 1]
[method]
name = "rattle"
[run]
step = 0.001
end = 1.0
)toml";
  const Place place;
  for (const auto& [motion, off] : {std::pair{"6*t+0.5*t^2", "-3.1e-06"}, {"6*t+0.5*t^3", "-7.8e-09"}}) {
    put(place / "cranks.toml", replaced(cranks, "6*t+0.5*t^2", motion));
    const Reply reply = place.livens("check cranks.toml");
    CHECK(reply.status == 2);
    CHECK(mentions(reply.err,
                   "joint 'd' (row 1 of 2: point x) contradicts the others: it holds at the start, and where "
                   "they hold at t = 0.0025 it is " +
                       std::string(off) + "; the motions of joints 'a', 'b' must agree at all times"));
  }
  put(place / "late.toml", replaced(cranks, "6*t+0.5*t^2", "6*t+max(t-0.01,0)^3"));  // parts by 1e-9 a step later
  const Json late = place.summary("late.toml --quiet --out late", {}, 1);
  CHECK(late["steps"] == 11);
  CHECK(mentions(late["message"].get<std::string>(),
                 "is -8.0e-09 there, not 0; look whether the mechanism can follow the "
                 "motion of joints 'a', 'b' there"));
  put(place / "same.toml", replaced(cranks, "6*t+0.5*t^2", "6*t"));
  CHECK(place.summary("same.toml --quiet --out same", {"run.steps=20"})["audit"]["constraint"]["max"].get<double>() <
        1e-15);
}

TEST_CASE("masses_too_far_apart_for_double_precision_are_refused_and_run_in_a_wider_one") {
  const Place place;
  put(place / "chain.toml", R"toml([system]
kind = "multibody"
gravity = [0, 0, -9.81]
[[body]]
for = "i = 1..4"
name = "light[i]"
mass = 1e-6
shape = { type = "box", size = [0.3, 0.1, 0.05] }
position = ["0.6*i - 0.45", 0, 0]
[[body]]
for = "i = 1..4"
name = "heavy[i]"
mass = 1e4
shape = { type = "box", size = [0.3, 0.1, 0.05] }
position = ["0.6*i - 0.15", 0, 0]
[[joint]]
name = "hook"
type = "revolute"
bodies = ["ground", "light[1]"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
for = "i = 1..4"
name = "ball[i]"
type = "spherical"
bodies = ["light[i]", "heavy[i]"]
at = ["0.6*i - 0.3", 0, 0]
[[joint]]
for = "i = 1..3"
name = "pin[i]"
type = "revolute"
bodies = ["heavy[i]", "light[i+1]"]
at = ["0.6*i", 0, 0]
axis = [0, 1, 0]
[method]
name = "rattle"
[run]
step = 0.001
steps = 5
)toml");
  const std::string words =
      "body[1].mass: body 'light[1]' has the mass 1e-06, body 'heavy[4]' 1e+04: with masses so far "
      "apart joint forces have no right digits in this precision; set run.precision = \"extended\"";
  for (const char* command : {"check chain.toml", "run chain.toml --quiet --out a"}) {
    const Reply reply = place.livens(command);
    CHECK(reply.status == 2);
    CHECK(mentions(reply.err, words));
  }
  const Json wide = place.summary("chain.toml --quiet --out wide", {"run.precision=extended"});
  CHECK(wide["audit"]["constraint"]["max"].get<double>() < 1e-15);
}

TEST_CASE("the_rates_of_a_structure_that_cannot_move_are_round_off_beside_what_its_weight_would_give_them") {
  const Place place;
  put(place / "truss.toml", R"toml([system]
kind = "multibody"
plane = true
gravity = [0, -9.81]
[[body]]
name = "a"
mass = 1.0
shape = { type = "box", size = [1.0, 0.1] }
position = [0.25, 0.433012701892219323]
rotation = "pi/3"
[[body]]
name = "b"
mass = 1.0
shape = { type = "box", size = [1.0, 0.1] }
position = [0.75, 0.433012701892219323]
rotation = "-pi/3"
[[joint]]
name = "l"
type = "revolute"
bodies = ["ground", "a"]
at = [0, 0]
[[joint]]
name = "t"
type = "revolute"
bodies = ["a", "b"]
at = [0.5, 0.866025403784438647]
[[joint]]
name = "r"
type = "revolute"
bodies = ["b", "ground"]
at = [1, 0]
[method]
name = "galerkin"
[run]
step = 0.01
end = 1.0
)toml");
  for (const char* method : {"galerkin", "rattle"}) {
    const Reply reply = place.livens(std::string("run truss.toml --out ") + method + " --set method.name=" + method);
    CHECK(reply.status == 0);
    CHECK(!mentions(reply.err + reply.out, "violated"));
    CHECK(mentions(reply.err + reply.out, "hidden constraint"));
  }
}
