#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "model/models.hpp"

using models::cubic, models::pendulum, models::refusal, models::vortices, models::with;

namespace {

struct Row {
  const std::string& model;
  std::string_view piece, instead, message;
};

const std::vector<Row> rows{
    // TOML itself
    {pendulum, "\"Planar pendulum\"", "Planar",
     ":2:9: Error while parsing value: could not determine value type; texts and formulas stand in double quotes"},
    {pendulum, "[run]", "[run", ":34:5: Error while parsing table header: expected ']', saw '\\n'; close the bracket"},
    {pendulum, "c = \"0.1*m\"", "m = 2.0",
     ":16:5: Error while parsing key-value pair: cannot redefine existing floating-point 'm'"},
    {pendulum, "9.81", "9,81", ":15:6: Error while parsing key-value pair: expected a comment or whitespace, saw ','"},
    {pendulum, "9.81", ".81", ":15:5: Error while parsing floating-point: expected decimal digit, saw '.'"},
    {pendulum, "false", "False", ":31:10: Error while parsing boolean: expected 'false', saw 'F'; write true or false"},
    {pendulum, "Planar", "Plan\xff", ":2:13: Encountered invalid utf-8 sequence; save the file as UTF-8"},
    {pendulum, "\"x^2 + y^2\"", "'x'^2'",
     ":18:9: Error while parsing key-value pair: expected a comment or whitespace, saw '^'"},
    {pendulum, "title", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r",
     ": a key has more than 16 parts with dots between; no key of a model has"},
    // keys
    {pendulum, "format = 1", "format = 2", ":1: format: is 2; this version reads format = 1"},
    {pendulum, "format = 1", "version = 1", ":1: version: unknown key"},
    {pendulum, "title", "titel", ":2: titel: unknown key; did you mean \"title\"?"},
    {pendulum, "[solver]", "[slover]", ":40: slover: unknown key; did you mean \"solver\"?"},
    {pendulum, "constraints", "constrants", ":8: system.constrants: unknown key; did you mean \"constraints\"?"},
    {pendulum, "every", "evry", ":37: run.evry: unknown key; did you mean \"every\"?"},
    {pendulum, "forces", "theta", ":11: system.theta: belongs to kind \"degenerate\", not to \"lagrangian\""},
    {vortices, "q = [1.0, 0.0]", "q = [1.0, 0.0]\nv = [0, 0]",
     ":10: initial.v: belongs to kind \"lagrangian\", not to \"degenerate\""},
    {pendulum, "[solver]", "[final]\nq = [0.0, 0.0]\n[solver]",
     ":40: final: is not available in this version; leave it out"},
    {pendulum, "[solver]", "[contact]\nunilateral = true\n[solver]",
     ":40: contact: is not available in this version; leave it out"},
    {pendulum, "\"lagrangian\"", "\"multibody\"",
     ":5: system.kind: \"multibody\" is not available in this version; write the system as formulas"},
    {pendulum, "\"lagrangian\"", "\"lagrange\"",
     ":5: system.kind: \"lagrange\" is unknown; did you mean \"lagrangian\"?"},
    {pendulum, "kind        = \"lagrangian\"", "", ": system.kind: missing; write kind = \"lagrangian\""},
    {pendulum, "coordinates = [\"x\", \"y\"]", "", ": system.coordinates: missing; write coordinates = [\"x\", \"y\"]"},
    {pendulum, "lagrangian  = \"m/2*(x'^2 + y'^2) - m*g*y\"", "",
     ": system.lagrangian: missing; write lagrangian = \"m/2*(x'^2 + y'^2) - m*g*y\""},
    {vortices, "hamiltonian = \"(x^2 + y^2)/2\"", "",
     ": system.hamiltonian: missing; write hamiltonian = \"(x^2 + y^2)/2\""},
    {cubic, "[initial]\ny = [1.0, 1.0]\nz = [1.0]", "",
     ": initial: missing; write [initial] and below it the start values"},
    {cubic, "z = [1.0]", "", ": initial.z: missing; write z = [0.0, 0.0]"},
    {pendulum, "name = \"galerkin\"", "", ": method.name: missing; write name = \"galerkin\""},
    {pendulum, "step  = 0.1", "", ": run.step: missing; write step = 0.01"},
    // types
    {pendulum, "[\"x\", \"y\"]", "\"x\"",
     ":6: system.coordinates: is a string (\"x\"), must be an array; write coordinates = [\"x\", \"y\"]"},
    {pendulum, "[\"x\", \"y\"]", "[\"x\", 2]",
     ":6: system.coordinates[2]: is an integer (2), must be a string; write coordinates = [\"x\", \"y\"]"},
    {pendulum, "\"Planar pendulum\"", "3.5",
     ":2: title: is a number (3.5), must be a string; write title = \"Planar pendulum\""},
    {pendulum, "\"-c*x'\"", "0",
     ":11: system.forces[1]: is an integer (0), must be a string; write forces = [\"-c*x'\", \"-c*y'\"]"},
    {pendulum, "m = 1.0", "m = true", ":13: system.parameters.m: is a boolean (true), must be a number"},
    {pendulum, "\"x^2 + y^2\"", "2",
     ":18: system.let.r2: is an integer (2), must be a string; write [system.let] and below it r2 = \"x^2 + y^2\""},
    {pendulum, "t = 0.5", "project = \"yes\"",
     ":23: initial.project: is a string (\"yes\"), must be a boolean, true or false; write project = true"},
    {pendulum, "t = 0.5", "t = 2020-01-01", ":23: initial.t: is a date or time, must be a number; write t = 0.0"},
    {pendulum, "[\"l\", 0]", "1.0", ":24: initial.q: is a number (1), must be an array; write q = [1.0, 0.0]"},
    {pendulum, "s = 2", "s = [2]", ":29: method.s: is an array; an option is a boolean, a number or a string"},
    {pendulum, "name = \"galerkin\"", "name = 3",
     ":28: method.name: is an integer (3), must be a string; write name = \"galerkin\""},
    {pendulum, "step  = 0.1", "step = \"0.1\"",
     ":35: run.step: is a string (\"0.1\"), must be a number; write step = 0.01"},
    {vortices, "[system]", "run = 3\n[system]",
     ":1: run: is an integer (3), must be a section; write [run] and below it step = 0.01"},
    {vortices, "[system]", "[[system]]",
     ":1: system: is an array, must be a section; write [system] and below it kind = \"lagrangian\""},
    {vortices, "[system]", "title.en = \"Vortices\"\n[system]",
     ":1: title: is a section, must be a string; write title = \"Planar pendulum\""},
    // names
    {pendulum, "[\"x\", \"y\"]", "[]", ":6: system.coordinates: is empty; write at least one name"},
    {pendulum, "[\"x\", \"y\"]", "[\"x\", \"x\"]",
     ":6: system.coordinates[2]: the name \"x\" is already given at system.coordinates[1]; choose another one"},
    {pendulum, "[\"x\", \"y\"]", "[\"x\", \"t\"]",
     ":6: system.coordinates[2]: \"t\" is reserved for formulas; choose another name"},
    {pendulum, "[\"x\", \"y\"]", "[\"x\", \"sin\"]",
     ":6: system.coordinates[2]: \"sin\" is reserved for formulas; choose another name"},
    {pendulum, "[\"x\", \"y\"]", "[\"x\", \"y'\"]",
     ":6: system.coordinates[2]: \"y'\" is not a name; names are letters, digits and _, beginning with no digit"},
    {pendulum, "[\"x\", \"y\"]", "[\"x\", \"2y\"]",
     ":6: system.coordinates[2]: \"2y\" is not a name; names are letters, digits and _, beginning with no digit"},
    {pendulum, "m = 1.0", "m = 1.0\nx = 2",
     ":14: system.parameters.x: the name \"x\" is already given at system.coordinates[1]; choose another one"},
    {pendulum, "r2 =", "m = \"2\"\nr2 =",
     ":18: system.let.m: the name \"m\" is already given at system.parameters.m; choose another one"},
    {pendulum, "m = 1.0", "m = 1.0\npi = 3",
     ":14: system.parameters.pi: \"pi\" is reserved for formulas; choose another name"},
    {pendulum, "angular_momentum", "\"angular momentum\"",
     ":20: system.invariants.angular momentum: \"angular momentum\" is not a name"},
    {cubic, "[\"psi\"]", "[\"z1\"]",
     ":5: system.multipliers[1]: the name \"z1\" is already given at system.velocities[1]; choose another one"},
    // formulas
    {pendulum, "m*g*y", "m*grv*y", ":7: system.lagrangian: unknown name \"grv\" at column 23"},
    {pendulum, "m*g*y\"", "m*g*y)\"", ":7: system.lagrangian: \")\" at column 26 closes nothing; is a \"(\" missing?"},
    {pendulum, "m*g*y\"", "\"", ":7: system.lagrangian: expected an operand at column 21; the formula ends too early"},
    {pendulum, "m*g*y\"", "m*g*p_y\"",
     ":7: system.lagrangian: contains \"p_y\"; it may contain coordinates, velocities, t and parameters only"},
    {pendulum, "\"(r2 - l^2)/2\"", "\"(r2 - l^2)/2\", \"x*x'\"",
     ":9: system.constraints[2]: contains \"x'\"; constraints may contain coordinates, t and parameters only"},
    {pendulum, "\"(r2 - l^2)/2\"", "\"x\",\n\"(r3 - l^2)/2\"",
     ":10: system.constraints[2]: unknown name \"r3\" at column 2; did you mean \"r2\"?"},
    {pendulum, "x^2 + y^2\"", "x^2 + k^2\"", ":18: system.let.r2: unknown name \"k\" at column 7"},
    {pendulum, "x^2 + y^2\"", "x^2 + r2\"",
     ":18: system.let.r2: let \"r2\" -> \"r2\" is a cycle; no definition may need itself"},
    {pendulum, "r2 =", "unused = \"sin x\"\nr2 =",
     ":18: system.let.unused: \"sin\" is a function at column 1; write its argument in parentheses"},
    {pendulum, "0.1*m", "0.1*x",
     ":16: system.parameters.c: contains \"x\"; a number is a constant formula of parameters and pi"},
    {pendulum, "0.1*m", "log(-m)",
     ":16: system.parameters.c: log(-1) is not finite; write a constant formula with a finite value"},
    {pendulum, "0.1*m", "c + 1",
     ":16: system.parameters.c: let \"c\" -> \"c\" is a cycle; no definition may need itself"},
    {pendulum, "0.1*m", "1e300^2", ":16: system.parameters.c: is too large for a double; write a smaller number"},
    {pendulum, "x*p_y", "x*p_z",
     ":20: system.invariants.angular_momentum: unknown name \"p_z\" at column 3; did you mean \"p_x\"?"},
    {vortices, "(x^2 + y^2)/2", "x^2*t", ":5: system.hamiltonian: contains \"t\""},
    {vortices, "(x^2 + y^2)/2", "x^2*x'",
     ":5: system.hamiltonian: unknown name \"x'\" at column 5; \"x\" has no velocity here"},
    {vortices, "(x^2 + y^2)/2", "p_x", ":5: system.hamiltonian: contains \"p_x\""},
    {vortices, "sin(t)", "x", ":11: exact.q[2]: contains \"x\"; an exact solution may contain t and parameters only"},
    {vortices, "\"cos(t)\", ", "",
     ":11: exact.q: has 1 formula, the system has 2 coordinates; write one formula for every coordinate"},
    {cubic, "-z1 + t", "psi",
     ":6: system.velocity[2]: contains \"psi\"; it may contain positions, velocities, t and parameters only"},
    {cubic, "y1*z1 + t", "psi",
     ":7: system.force[1]: contains \"psi\"; it may contain positions, velocities, t and parameters only"},
    {cubic, "y1*y2 - 1", "y1*z1", ":9: system.constraints[1]: contains \"z1\""},
    {cubic, "y1*y2 - 1", "y1*y2 - t", ":9: system.constraints[1]: contains \"t\""},
    {cubic, "z1^2", "psi",
     ":11: system.invariants.speed: contains \"psi\"; it may contain positions, velocities, t and parameters only"},
    // counts
    {pendulum, "[\"l\", 0]", "[\"l\", 0, 0]",
     ":24: initial.q: has 3 numbers, the system has 2 coordinates; write one number for every coordinate"},
    {pendulum, "[0.0, 0.1]", "[0.0]",
     ":25: initial.v: has 1 number, the system has 2 coordinates; write one number for every coordinate"},
    {pendulum, "\"-c*x'\", ", "",
     ":11: system.forces: has 1 formula, the system has 2 coordinates; write one formula for every coordinate"},
    {vortices, "\"-y/2\", ", "",
     ":4: system.theta: has 1 formula, the system has 2 coordinates; write one formula for every coordinate"},
    {cubic, "\"z1\", \"", "\"",
     ":6: system.velocity: has 1 formula, the system has 2 positions; write one formula for every position"},
    {cubic, "[\"y1*z1 + t\"]", "[\"y1\", \"y2\"]",
     ":7: system.force: has 2 formulas, the system has 1 velocity; write one formula for every velocity"},
    {cubic, "[\"-y1*psi^3\"]", "[]",
     ":8: system.reaction: has 0 formulas, the system has 1 velocity; write one formula for every velocity"},
    {cubic, "[\"y1*y2 - 1\"]", "[]",
     ":9: system.constraints: has 0 formulas, the system has 1 multiplier; write one formula for every multiplier"},
    {cubic, "z = [1.0]", "z = [1.0]\npsi = [1, 1]",
     ":15: initial.psi: has 2 numbers, the system has 1 multiplier; write one number for every multiplier"},
    // start values
    {pendulum, "v = [0.0, 0.1]", "", ":22: initial: v or p is missing; write v = [0.0, ...] or p = [0.0, ...]"},
    {pendulum, "v = [0.0, 0.1]", "v = [0.0, 0.1]\np = [0.0, 0.1]",
     ":26: initial.p: v and p are both given; leave one out"},
    {pendulum, "[0.0, 0.1]", "[nan, 0.1]", ":25: initial.v[1]: is nan; write a finite number"},
    {pendulum, "[0.0, 0.1]", "[0.0, -inf]", ":25: initial.v[2]: is -inf; write a finite number"},
    {pendulum, "[\"l\", 0]", "[\"y\", 0]",
     ":24: initial.q[1]: contains \"y\"; a number is a constant formula of parameters and pi"},
    {pendulum, "[\"l\", 0]", "[\"l +\", 0]",
     ":24: initial.q[1]: expected an operand at column 4; the formula ends too early"},
    {pendulum, "t = 0.5", "tolerance = 0", ":23: initial.tolerance: is 0; write a positive number"},
    // run
    {pendulum, "step  = 0.1", "step = 0",
     ":35: run.step: is 0; write a step such as 0.01, negative to go back in time"},
    {pendulum, "step  = 0.1", "step = 0.3",
     ":36: run.end: end = 10.5 is 33.33333333 steps of 0.3; the nearest ends are 10.4 and 10.7"},
    {pendulum, "step  = 0.1", "step = -0.1",
     ":36: run.end: end = 10.5 lies after t = 0.5, but step = -0.1 goes back; change the sign of run.step"},
    {pendulum, "step  = 0.1", "step = 1e-15",
     ":36: run.end: end = 10.5 is 1e+16 steps of 1e-15, more than 1e+15; write a larger step"},
    {pendulum, "end   = 10.5", "end = 0.5", ":36: run.end: end = 0.5 is the time of the start; write a later end"},
    {pendulum, "end   = 10.5", "end = 0.53", ":36: run.end: end = 0.53 is 0.3 steps of 0.1; the nearest end is 0.6"},
    {pendulum, "end   = 10.5", "end = 1.25",
     ":36: run.end: end = 1.25 is 7.5 steps of 0.1; the nearest ends are 1.2 and 1.3"},
    {pendulum, "end   = 10.5", "", ":34: run: end or steps is missing; write end = 100.0 or steps = 10000"},
    {pendulum, "end   = 10.5", "end = 10.5\nsteps = 3", ":37: run.steps: end and steps are both given; leave one out"},
    {cubic, "1e6", "0", ":17: run.steps: is 0; write an integer from 1 to 1000000000000000"},
    {cubic, "1e6", "2.5", ":17: run.steps: is a number (2.5), must be an integer; write steps = 10000"},
    {cubic, "1e6", "1e16", ":17: run.steps: is 10000000000000000; write an integer from 1 to 1000000000000000"},
    {pendulum, "every = 10", "every = 0", ":37: run.every: is 0; write an integer from 1 to 1000000000000000"},
    {pendulum, "\"extended\"", "\"single\"",
     ":38: run.precision: \"single\" is unknown; write one of double, extended, quad"},
    // solver
    {pendulum, "1e-12", "0.0", ":41: solver.tolerance: is 0; write \"round-off\" or a number between 0 and 1"},
    {pendulum, "1e-12", "1", ":41: solver.tolerance: is 1; write \"round-off\" or a number between 0 and 1"},
    {pendulum, "1e-12", "\"roundoff\"", ":41: solver.tolerance: \"roundoff\" is unknown; did you mean \"round-off\"?"},
    {pendulum, "iterations = 20", "iterations = 0", ":42: solver.iterations: is 0; write an integer from 1 to 10000"},
    {pendulum, "iterations = 20", "linear = \"sparse\"",
     ":42: solver.linear: \"sparse\" is not available in this version; write \"auto\""},
    {pendulum, "iterations = 20", "linear = \"band\"",
     ":42: solver.linear: \"band\" is unknown; write one of auto, dense, sparse, schur"},
    {pendulum, "iterations = 20", "redundant = \"least-norm\"",
     ":42: solver.redundant: \"least-norm\" is not available in this version; write \"error\""},
};

}  // namespace

TEST_CASE("what_is_wrong_is_named_with_its_line_its_key_and_the_remedy") {
  for (const Row& row : rows) {
    CAPTURE(row.piece);
    CAPTURE(row.instead);
    REQUIRE(row.model.find(row.piece) != std::string::npos);
    const std::string message = refusal(with(row.model, row.piece, row.instead));
    CHECK(message.substr(0, 6 + row.message.size()) == "m.toml" + std::string(row.message));
  }
}

TEST_CASE("keys_nested_without_end_are_refused_before_they_overflow_the_stack") {
  std::string key = "a";
  for (int k = 0; k < 200'000; ++k) key += k % 2 == 0 ? ". a" : ".\"b.c\"";
  CHECK(refusal(key + " = 1").find("more than 16 parts") != std::string::npos);
  CHECK(refusal("[" + key + "]").find("more than 16 parts") != std::string::npos);
  CHECK(refusal("title = {" + key + " = 1}").find("more than 16 parts") != std::string::npos);
  CHECK(refusal("title = " + std::string(100'000, '[')).find("m.toml:1:") != std::string::npos);
  CHECK(refusal("", {{key, "1"}}) != "");
  CHECK(refusal("", {{"title", "{" + key + " = 1}"}}) != "");
}

TEST_CASE("dots_in_texts_and_comments_are_no_keys") {
  const std::string dots = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z";
  CHECK(refusal(with(pendulum, "Planar", dots)) == "");
  CHECK(refusal(with(pendulum, "Planar", "\\\"" + dots)) == "");
  CHECK(refusal(with(pendulum, "\"Planar pendulum\"", "'\\'  # " + dots)) == "");
  CHECK(refusal(with(pendulum, "\"Planar pendulum\"", "\"\"\"\"Planar\"\n" + dots + "\"\"\"")) == "");
}

TEST_CASE("any_beginning_of_a_model_is_read_or_refused") {
  for (const std::string& model : {pendulum, vortices, cubic})
    for (std::size_t size = 0; size < model.size(); ++size) {
      const std::string message = refusal(model.substr(0, size));
      CHECK((message.empty() || message.starts_with("m.toml:")));
    }
}

#if !LIVENS_QUAD
TEST_CASE("quad_precision_is_refused_where_the_build_lacks_it") {
  CHECK(refusal(with(pendulum, "\"extended\"", "\"quad\"")) ==
        "m.toml:38: run.precision: \"quad\" is not possible, this build has no binary128; write \"extended\"");
}
#endif
