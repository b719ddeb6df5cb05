// Whatever is wrong with a model or a command line: exit status 2, an empty standard output, nothing made on disk, and
// words that name the place, the value and what to do.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "model/refusals.hpp"

using namespace program;

namespace {

// The program in a directory that holds these files (and still holds only them afterwards); returns what is said.
std::string refusal(const Arguments& arguments, const std::vector<std::pair<std::string, std::string>>& files) {
  const Place place;
  for (const auto& [name, text] : files) put(place / name, text);
  const Reply reply = place.run(arguments);
  CAPTURE(reply.err.substr(0, 1000));
  CHECK(reply.status == 2);
  CHECK(reply.out == "");
  CHECK(scratch::entries(place / "") == static_cast<int>(files.size()));
  for (const auto& [name, text] : files) CHECK(contents(place / name) == text);
  CHECK(reply.err.starts_with("livens: "));
  CHECK(reply.err.ends_with("\n"));
  return reply.err;
}

const Arguments run_of_file = {"run", "m.toml", "--json", "--out", "new/r"};

std::string refusal_of_file(const std::string& text) {
  return refusal(run_of_file, {{"m.toml", text}});
}

void check_words(const std::string& message, const std::vector<std::string_view>& words) {
  for (const std::string_view word : words) {
    CAPTURE(word);
    CAPTURE(message.substr(0, 1000));
    CHECK(mentions(message, word));
  }
}

std::string line(const Arguments& arguments) {
  std::string text;
  for (const std::string& argument : arguments) text += " '" + argument + "'";
  return text;
}

// ---- command lines --------------------------------------------------------------------------------------------------

struct CommandLine {
  Arguments arguments;
  std::vector<std::string_view> words;
};

const std::string_view help = "livens --help lists the commands";

const std::vector<CommandLine> command_lines{
    {{}, {"subcommand is required", help}},
    {{"walk"}, {"\"walk\"", "not known here", help}},
    {{"Run", "pendulum"}, {"\"Run\"", help}},
    {{"--versoin"}, {"\"--versoin\"", help}},
    {{"--json"}, {"\"--json\"", help}},
    // run
    {{"run"}, {"MODEL is required", help}},
    {{"run", ""}, {"\"\" is not a ready problem", "livens list problems"}},
    {{"run", "pendulm"}, {"\"pendulm\" is not a ready problem", "did you mean \"pendulum\"?"}},
    {{"run", "Pendulum"}, {"\"Pendulum\" is not a ready problem"}},
    {{"run", "pendulum", "vortices"}, {"\"vortices\" is not known here"}},
    {{"run", "nowhere.toml"}, {"nowhere.toml: cannot be read: No such file or directory; check the path"}},
    {{"run", "no/where"}, {"no/where: cannot be read: No such file or directory"}},
    {{"run", "./"}, {"./: is a directory; name the model file inside it"}},
    {{"run", "notes/m.toml"}, {"notes/m.toml: cannot be read: Not a directory"}},
    {{"run", "pendulum", "--out"}, {"--out", "missing"}},
    {{"run", "pendulum", "--out", ""}, {"--out: is empty; give a directory"}},
    {{"run", "pendulum", "--out", "notes"}, {"notes: is not a directory; choose another --out"}},
    {{"run", "pendulum", "--out", "notes", "--force"}, {"notes: is not a directory; choose another --out"}},
    {{"run", "pendulum", "--end", "soon"}, {"--end: ", "soon"}},
    {{"run", "pendulum", "--end", "3", "--steps", "3"}, {"excludes"}},
    {{"run", "pendulum", "--step", "0.01", "--accuracy", "1e-3"}, {"excludes"}},
    {{"run", "pendulum", "--step", "0.01", "--set", "run.step=0.02"},
     {"--step and --set run.step are both given; leave one out"}},
    {{"run", "pendulum", "--step", "0"}, {"--step: "}},
    {{"run", "pendulum", "--method", "ratle"}, {"--method: ", "did you mean \"rattle\"?"}},
    {{"run", "pendulum", "--method", "vprk"}, {"--method: ", "rattle"}},
    {{"run", "pendulum", "--method", "galerkin(s=0)"}, {"--method: s: 0 is out of range"}},
    {{"run", "pendulum", "--method", "galerkin(s=2"}, {"--method: ", "the parenthesis is not closed"}},
    {{"run", "pendulum", "--method", "rattle, shake"}, {"--method: ", "a run has one method"}},
    {{"run", "pendulum", "--json=maybe"}, {"--json = maybe"}},
    {{"run", "pendulum", "--set"}, {"--set", "missing"}},
    {{"run", "pendulum", "--set", "run.step"}, {"--set run.step: expected KEY=VALUE, such as --set run.step=0.01"}},
    {{"run", "pendulum", "--set", "=3"}, {"--set =3: expected KEY=VALUE"}},
    {{"run", "pendulum", "--set", "run..step=3"}, {"\"run..step\" is not a key; write --set KEY=VALUE"}},
    {{"run", "pendulum", "--set", "run step=3"}, {"\"run step\" is not a key; write --set KEY=VALUE"}},
    {{"run", "pendulum", "--set", "a.b.c.d.e.f.g.h.i=3"}, {"--set a.b.c.d.e.f.g.h.i=3: no key has so many parts"}},
    {{"run", "pendulum", "--set", "initial.q[1]=3"}, {"inside an array cannot be set; set the whole array"}},
    {{"run", "pendulum", "--set", "initial.q.x=3"}, {"initial.q is an array", "set initial.q as a whole"}},
    {{"run", "pendulum", "--set", "run.stepp=3"}, {"--set run.stepp: unknown key; did you mean \"step\"?"}},
    {{"run", "pendulum", "--set", "run.end=3", "--set", "run.steps=5"},
     {"end and steps are both given; leave one out"}},
    // resume
    {{"resume"}, {"DIR is required", help}},
    {{"resume", "nowhere"}, {"nowhere: there is no such directory of results; give the one that livens run named"}},
    {{"resume", "."}, {".: holds no checkpoint that can be read; start again with livens run"}},
    {{"resume", "notes"}, {"notes: "}},
    {{"resume", "nowhere", "--end", "3", "--steps", "4"}, {"--end excludes --steps", help}},
    {{"resume", "nowhere", "--end"}, {"--end", "missing"}},
    {{"resume", "nowhere", "--steps"}, {"--steps", "missing"}},
    {{"resume", "nowhere", "elsewhere"}, {"\"elsewhere\" is not known here"}},
    {{"resume", "nowhere", "--force"}, {"\"--force\" is not known here"}},
    {{"resume", "nowhere", "--out", "new"}, {"\"--out\" is not known here"}},
    {{"resume", "nowhere", "--set", "run.end=3"}, {"\"--set\" is not known here"}},
    // list, show, check
    {{"list"}, {"WHAT is required", help}},
    {{"list", "--json"}, {"WHAT is required", help}},
    {{"list", "birds"}, {"list birds: there are five lists: problems, methods, studies, functions, keys"}},
    {{"list", "methods", "problems"}, {"\"problems\" is not known here"}},
    {{"list", "methods", "--quiet"}, {"\"--quiet\" is not known here"}},
    {{"show"}, {"NAME is required", help}},
    {{"show", "pendulm"}, {"show pendulm: there is no such ready problem; did you mean \"pendulum\"?"}},
    {{"show", "notes.toml"}, {"show notes.toml: there is no such ready problem", "livens list problems"}},
    {{"show", "pendulum", "--json"}, {"\"--json\" is not known here"}},
    {{"check"}, {"MODEL is required", help}},
    {{"check", "nowhere.toml"}, {"nowhere.toml: cannot be read"}},
    {{"check", "pendulum", "--json", "--set", "initial.q=[2.0, 0.0]"}, {"--set initial.q: "}},
    {{"check", "pendulum", "--out", "new"}, {"\"--out\" is not known here"}},
    {{"check", "pendulum", "--set", "method.name=leapfrog"}, {"there is no method \"leapfrog\"", "rattle"}},
    {{"check", "pendulum", "--set", "initial.v=[1.0, 0.0]"}, {"--set initial.v: the rate of constraint 1 is 8.4e-01"}},
    // study
    {{"study"}, {"subcommand is required", help}},
    {{"study", "speed", "pendulum"}, {"\"speed\" is not known here"}},
    {{"study", "order"}, {"MODEL is required", help}},
    {{"study", "order", "pendulum"}, {"--step-sizes is required"}},
    {{"study", "order", "pendulum", "--step-sizes"}, {"--step-sizes", "missing"}},
    {{"study", "order", "pendulum", "--step-sizes", ""}, {"--step-sizes: \"\": the formula is empty; write numbers"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1,,0.05"}, {"--step-sizes: \"\": the formula is empty"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1,"}, {"--step-sizes: \"\": the formula is empty"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1;0.05"}, {"\"0.1;0.05\"", "column 4", "0.1,0.05,0.025"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1,small"}, {"unknown name \"small\" at column 1"}},
    {{"study", "order", "pendulum", "--step-sizes", "0"}, {"--step-sizes: 0 is 0; write a step size"}},
    {{"study", "order", "pendulum", "--step-sizes", "1/0"}, {"--step-sizes: 1/0 is inf; write a step size"}},
    {{"study", "order", "pendulum", "--step-sizes", "-0.1"}, {"--step-sizes: -0.1 does not divide the time span 100"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.3"}, {"0.3 does not divide", "333.3333333 steps"}},
    {{"study", "order", "pendulum", "--step-sizes", "1e-9"}, {"1e-09 makes 1.0e+11 steps; write a larger one"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1,0.05,0.1"}, {"--step-sizes: 0.1 is given twice"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1", "--reference", "exact"},
     {"exact: the model has no exact solution; add [exact]", "--reference fine"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1", "--reference", "no.h5"},
     {"--reference no.h5: ", "there is no such file; write exact, fine",
      "write exact, fine or the path of a trajectory.h5"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1", "--reference", "notes"},
     {"--reference notes: ", "write exact"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1", "--out", ""}, {"--out: is empty; give a directory"}},
    {{"study", "order", "pendulum", "--step-sizes", "0.1", "--out", "notes"}, {"notes: is not a directory"}},
    {{"study", "order", "overdetermined-cubic", "--step-sizes", "0.1", "--set", "method.name=rattle"},
     {"method.name: \"rattle\"", "methods that fit: composition, euler, spark"}},
    {{"study", "symplecticity"}, {"MODEL is required", help}},
    {{"study", "symplecticity", "pendulum", "--step-sizes", "0.1"}, {"\"--step-sizes\" is not known here"}},
    {{"study", "symplecticity", "overdetermined-cubic"}, {"system.kind: \"odae\" has no two-form", "\"lagrangian\""}},
    {{"study", "reversibility", "nowhere.toml"}, {"nowhere.toml: cannot be read"}},
    {{"study", "reversibility", "pendulum", "--out", "new"}, {"\"--out\" is not known here"}},
    {{"study", "reversibility", "pendulum", "--set", "run.step=0"},
     {"--set run.step: is 0; write a step such as 0.01"}},
    // audit, report
    {{"audit"}, {"DIR is required", help}},
    {{"audit", "nowhere"}, {"nowhere: there is no such directory; livens run MODEL --out DIR makes one"}},
    {{"audit", "."}, {".: there is no run in it; give a directory that livens run has made"}},
    {{"audit", "notes"}, {"notes: is not a directory; give the directory of a run"}},
    {{"audit", "nowhere", "--quiet"}, {"\"--quiet\" is not known here"}},
    {{"report"}, {"DIR is required", help}},
    {{"report", "nowhere"}, {"nowhere: there is no such directory; livens run MODEL --out DIR makes one"}},
    {{"report", "."}, {".: there is no run in it; give a directory that livens run has made"}},
    {{"report", "nowhere", "--json"}, {"\"--json\" is not known here"}},
};

// ---- overrides of ready problems -----------------------------------------------------------------------------------

struct Override {
  std::string model;
  Arguments set;
  std::vector<std::string_view> words;
};

const std::string pinned = "initial.v=[0, 0]";

const std::vector<Override> overrides{
    // start values that contradict the constraints
    {"pendulum", {"initial.q=[1.1, 0.0]"}, {"initial.q: constraint 1 is 1.1e-01, not 0", "initial.project = true"}},
    {"pendulum",
     {"initial.v=[1.0, 0.0]"},
     {"initial.v: the rate of constraint 1 is 8.4e-01", "initial.project = true"}},
    {"pendulum", {"initial.q=[0, 0]", "initial.project=true"}, {"constraint 1 has no gradient at initial.q"}},
    {"pendulum",
     {R"set(system.constraints=["x^2 + y^2 + 1"])set", "initial.project=true"},
     {"initial.project: no point that satisfies the constraints was found near initial.q"}},
    {"pendulum", {"initial.q=[1.0]"}, {"initial.q: has 1 number, the system has 2 coordinates"}},
    {"pendulum", {"initial.v=[0, inf]"}, {"initial.v[2]: is inf; write a finite number"}},
    {"pendulum", {"initial.p=[0, 0]"}, {"initial.p: v and p are both given; leave one out"}},
    {"pendulum", {"initial.project=1"}, {"initial.project: is an integer (1), must be a boolean"}},
    {"pendulum", {"initial.tolerance=0"}, {"initial.tolerance: is 0; write a positive number"}},
    {"pendulum", {"initial.tolerance=1e400"}, {"initial.tolerance: is too large for a double; write a smaller number"}},
    // redundant constraints
    {"pendulum",
     {R"set(system.constraints=["(x^2 + y^2 - l^2)/2", "x^2 + y^2 - l^2"])set"},
     {"system.constraints: constraint 2 depends on the ones before it", "rank 1 of 2", "leave out what is said twice"}},
    {"pendulum",
     {R"set(system.constraints=["x - sin(1)", "y + cos(1)", "x - y - sin(1) - cos(1)"])set", pinned},
     {"constraint 3 depends on the ones before it", "rank 2 of 3"}},
    {"pendulum", {R"set(system.constraints=["0*x"])set"}, {"constraint 1 has no gradient", "leave it out"}},
    {"pendulum", {R"set(system.constraints=["t"])set"}, {"constraint 1 has no gradient", "leave it out"}},
    {"pendulum",
     {R"set(system.constraints=["(x^2 + y^2 - l^2)^2"])set"},
     {"system.constraints: constraint 1 has no gradient at initial.q: it does not hold any coordinate there; leave it "
      "out, write g instead of g^2, or start elsewhere"}},
    {"double-pendulum", {"solver.redundant=drop"}, {"solver.redundant: \"drop\" is unknown", "error, least-norm"}},
    {"double-pendulum",
     {"solver.linear=schur", "method.name=galerkin", "method.constraint_quadrature=gauss"},
     {"solver.linear: \"schur\" needs equations of the multipliers alone", "galerkin", "\"sparse\""}},
    {"pendulum",
     {"solver.linear=schur", "system.constraints=[]"},
     {"solver.linear: \"schur\" solves for multipliers, and there are no constraints; leave it out or write "
      "\"dense\""}},
    {"pendulum-boundary",
     {"solver.linear=schur"},
     {"solver.linear: \"schur\" is not made for boundary value problems ([final]); leave it out or write \"dense\""}},
    {"double-pendulum",
     {"solver.linear=sparse", "run.precision=extended"},
     {"solver.linear: \"sparse\" is made for run.precision = \"double\"", "\"dense\""}},
    // singular mass matrix
    {"pendulum",
     {"system.lagrangian=x'^2/2 - y"},
     {"mass matrix", "singular", "give every coordinate a kinetic energy"}},
    {"pendulum", {"system.lagrangian=(x' + y')^2/2"}, {"system.lagrangian: the mass matrix", "is singular"}},
    {"pendulum", {"system.lagrangian=y"}, {"system.lagrangian: the mass matrix", "kind = \"degenerate\""}},
    {"pendulum", {"system.parameters.m=0"}, {"pendulum:8: system.lagrangian: the mass matrix", "is singular"}},
    // not finite
    {"pendulum",
     {"system.lagrangian=(x'^2 + y'^2)/2 - log(y)"},
     {"system.lagrangian: is not finite at the start values: log(y) with y = -0.540302; correct it or initial.t, "
      "initial.q"}},
    {"pendulum", {"system.lagrangian=(x'^2 + y'^2)/2 - 1/(x - x)"}, {"system.lagrangian: is not finite", "1/0 = inf"}},
    {"pendulum",
     {R"set(system.constraints=["sqrt(x - 1)"])set"},
     {"constraint 1 or its derivative is not finite at the start values: sqrt(x - 1) with x - 1 = -0.158529"}},
    {"pendulum",
     {R"set(system.forces=["1/t", "0"])set"},
     {"force 1 is not finite at the start values: 1/t with t = 0"}},
    {"pendulum", {"system.parameters.m=inf"}, {"system.parameters.m: is inf; write a finite number"}},
    {"pendulum", {"system.parameters.m=log(-1)"}, {"system.parameters.m: log(-1) is not finite"}},
    {"pendulum", {"run.step=nan"}, {"run.step: is nan; write a finite number"}},
    // formulas
    {"pendulum", {"system.lagrangian="}, {"system.lagrangian: the formula is empty; write 0 for nothing"}},
    {"pendulum",
     {"system.lagrangian=zz*x'^2"},
     {"unknown name \"zz\" at column 1; name it in system.parameters or system.let"}},
    // cycles
    {"pendulum",
     {"system.parameters.m=l", "system.parameters.l=m"},
     {"\"l\" -> \"m\" -> \"l\" is a cycle; no definition may need itself"}},
    {"pendulum",
     {"system.let.a=b", "system.let.b=c", "system.let.c=a"},
     {"--set system.let.a: let \"a\" -> \"b\" -> \"c\" -> \"a\" is a cycle"}},
    // repeats
    {"chain", {"system.parameters.N=0"}, {"system.coordinates: is empty; write at least one name"}},
    {"chain", {"system.parameters.N=2.5"}, {"system.coordinates[1].for: an index is 1.5 at column 8; write a whole"}},
    {"chain", {"system.parameters.N=1000000000"}, {"system.coordinates[1].for: 0 to 999999999 is too much"}},
    {"chain", {"system.parameters.N=M"}, {"--set system.parameters.N: unknown name \"M\" at column 1"}},
    {"chain",
     {"system.lagrangian=sum(i = 0..N, x[i]'^2)"},
     {"--set system.lagrangian: there is no \"x[32]'\" at column 15; there are x[0] to x[31]"}},
    {"chain",
     {R"set(system.constraints=[{ for = "i = 0..N-1", each = ["x[i] - x[i-1]"] }])set"},
     {"system.constraints[1].each[1]: there is no \"x[-1]\" at column 8; there are x[0] to x[31] (i = 0)"}},
    {"chain", {"system.parameters.N=[3]"}, {"system.coordinates[1].for: \"N\" at column 8 is an array; a range takes"}},
    {"chain", {"system.parameters.N=sqrt(-1)"}, {"for: an index is sqrt(-1) - 1, which is not finite, at column 8"}},
    {"chain",
     {R"set(initial.v=[{ for = "i = 0..N-1", each = [0] }])set"},
     {"initial.v: has 32 numbers, the system has 96 coordinates; write one number for every coordinate"}},
    {"pendulum",
     {R"set(initial.v=[{ each = [0, 0] }])set"},
     {"initial.v[1]: has no \"for\" with a text; a repeat is written"}},
    // not finite, whatever the start
    {"pendulum",
     {"system.lagrangian=(x'^2 + y'^2)/2 - y/t"},
     {"is not finite at the start values: y/t with y = -0.540302, t = 0; correct it or initial.t, initial.q and"}},
    // methods
    {"pendulum", {"method.name=leapfrog"}, {"method.name: there is no method \"leapfrog\"", "methods that fit: "}},
    {"pendulum", {"method.name=Rattle"}, {"method.name: ", "did you mean \"rattle\"?"}},
    {"pendulum", {"method.name="}, {"method.name: is empty", "livens list methods"}},
    {"pendulum", {"method.name=3"}, {"method.name: is an integer (3), must be a string; write name = \"rattle\""}},
    {"pendulum", {"method=rattle"}, {"method: is a string (\"rattle\"), must be a section"}},
    {"pendulum", {"method.frequency=3"}, {"method.frequency: \"rattle\" has no such option"}},
    {"pendulum",
     {"method.name=constrained-euler", "method.conjugate=yes"},
     {"method.conjugate: \"yes\" is a string; it must be true or false"}},
    {"pendulum",
     {"method.name=constrained-euler", "system.lagrangian=(1 + x^2)*(x'^2 + y'^2)/2 - y"},
     {"\"constrained-euler\" does not fit this system", "constant mass matrix", "methods that fit: "}},
    {"vortices", {"method.name=shake"}, {"\"shake\" does not fit this system", "kind \"degenerate\""}},
    {"overdetermined-cubic", {"method.name=rattle"}, {"\"rattle\" does not fit this system", "kind \"odae\""}},
    // run and solver
    {"pendulum", {"run.step=0.03"}, {"run.end: end = 100.0 is 3333.333333 steps of 0.03; the nearest ends are"}},
    {"pendulum", {"run.step=1e400"}, {"run.step: is a string (\"1e400\"), must be a number"}},
    {"pendulum", {"run.end=-100"}, {"run.end: end = -100.0 lies before t = 0.0", "change the sign of run.step"}},
    {"pendulum", {"run.end=1e300"}, {"1e+302 steps of 0.01, more than 1e+15; write a larger step"}},
    {"pendulum", {"record.coordinates=[\"z\"]"}, {"record.coordinates[1]: \"z\" is not one of the 2 names"}},
    {"pendulum", {"record.coordinates=[]"}, {"record.coordinates: is empty; write at least one coordinate"}},
    {"pendulum", {"record.coordinates=[\"x\", \"x\"]"}, {"record.coordinates[2]: \"x\" is there twice"}},
    {"pendulum", {"record.coordinates=\"x\""}, {"record.coordinates: is a string", "must be an array"}},
    {"pendulum", {"record.multipliers=[2]"}, {"record.multipliers[1]: is 2; write an integer from 1 to 1"}},
    {"pendulum", {"record.work=true"}, {"record.work: is true, but the model has no system.forces"}},
    {"pendulum", {"record.reactions=1"}, {"record.reactions: is an integer", "must be a boolean"}},
    {"pendulum", {"record.momenta=true"}, {"record.momenta: unknown key"}},
    {"pendulum", {"run.every=1e20"}, {"run.every: is a number (1e+20), must be an integer; write every = 10"}},
    {"pendulum", {"run.precision=double128"}, {"run.precision: \"double128\" is unknown; did you mean \"double\"?"}},
    {"pendulum", {"solver.tolerance=1e-30"}, {"solver.tolerance: is below the round-off", "write \"round-off\""}},
    {"pendulum", {"solver.iterations=1.5"}, {"solver.iterations: is a number (1.5), must be an integer"}},
};

std::string repeated(std::string_view piece, int times) {
  std::string text;
  for (int k = 0; k < times; ++k) text += piece;
  return text;
}

std::string pendulum_with(std::string_view piece, const std::string& instead) {
  return models::with(problem("pendulum"), piece, instead);
}

}  // namespace

TEST_CASE("a_wrong_command_line_is_refused_in_words") {
  REQUIRE(command_lines.size() >= 90);
  for (const CommandLine& row : command_lines) {
    CAPTURE(line(row.arguments));
    check_words(refusal(row.arguments, {{"notes", "precious"}}), row.words);
  }
}

TEST_CASE("a_wrong_override_is_refused_in_words") {
  for (const Override& row : overrides) {
    CAPTURE(line(row.set));
    check_words(refusal(Place::joined({"run", row.model, "--json", "--out", "new/r"}, row.set), {}), row.words);
  }
}

TEST_CASE("the_program_says_what_the_reader_says") {
  for (const models::Refusal& row : models::refusals) {
    CAPTURE(row.piece);
    CAPTURE(row.instead);
    const std::string message = refusal_of_file(models::with(row.model, row.piece, row.instead));
    CHECK(message.starts_with("livens: m.toml" + std::string(row.message)));
  }
}

TEST_CASE("what_is_no_toml_is_refused_with_a_remedy") {
  check_words(refusal_of_file(pendulum_with("q = [\"sin(1)\"", "q = [1e400")),
              {"m.toml:16:", "'1e400'", "write a number that a double can hold"});
  check_words(refusal_of_file(pendulum_with("end  = 100.0", "steps = 99999999999999999999")),
              {"m.toml:24:", "not representable in 64 bits; write a smaller integer"});
  for (const char* text : {"title\rkind = 1\n", "foo bar\n"})
    check_words(refusal_of_file(text), {"m.toml:1:", "expected '='", "every line is key = value"});
  check_words(refusal_of_file("x = " + repeated("[", 100'000)),
              {"m.toml:1:", "no key of a model has arrays in arrays"});
}

TEST_CASE("a_constraint_without_gradient_is_refused_by_check_for_every_kind") {
  check_words(
      refusal({"check", "overdetermined-cubic", "--set", R"set(system.constraints=["(y2 - b*y1^3)^2"])set"}, {}),
      {"constraint 1 has no gradient at initial.y: it does not hold any position there"});
}

TEST_CASE("a_formula_nested_a_million_deep_is_refused") {
  const int depth = 1'000'000;
  for (const std::string& formula :
       {repeated("(", depth) + "y" + repeated(")", depth), repeated("(", depth), repeated("-", depth) + "y",
        repeated("sin(", depth) + "y" + repeated(")", depth), "y" + repeated("^y", depth)})
    check_words(refusal_of_file(pendulum_with("m*g*y", formula)),
                {"m.toml:8: system.lagrangian: nested more than 1000 levels deep at column ", "use let names"});
}

TEST_CASE("values_nested_a_million_deep_are_refused") {
  const int depth = 1'000'000;
  for (const std::string& value :
       {repeated("[", depth) + repeated("]", depth), repeated("{a = ", depth) + "1" + repeated("}", depth)})
    check_words(refusal_of_file("title = " + value + "\n"), {"m.toml:1:", "nested value depth"});
  check_words(refusal_of_file("a" + repeated(".a", depth) + " = 1\n"), {"m.toml: a key has more than 16 parts"});
  check_words(refusal_of_file("[a" + repeated(".a", depth) + "]\n"), {"m.toml: a key has more than 16 parts"});
}

TEST_CASE("a_file_of_more_than_50_MB_is_refused") {
  const std::string comment = "# " + std::string(50'000'000, 'x') + "\n";
  check_words(refusal_of_file(problem("pendulum") + comment), {"m.toml: is larger than 50 MB; is this a model file?"});
}

TEST_CASE("a_line_of_a_megabyte_is_only_a_long_line") {
  const std::string text = "# " + std::string(1'000'000, 'x') + "\n";
  check_words(refusal_of_file(text + pendulum_with("title", "titel")), {"m.toml:4: titel: unknown key"});
  check_words(refusal_of_file(pendulum_with("Planar", std::string(1'000'000, 'x')) + "[runn]\n"),
              {"runn: unknown key"});
}

TEST_CASE("a_message_stays_short_whatever_it_is_about") {
  const std::string name = refusal_of_file(pendulum_with("m*g*y", std::string(1'000'000, 'k')));
  check_words(name, {"m.toml:8: system.lagrangian: unknown name \"kkkk", "...\" at column 21"});
  CHECK(name.size() < 200);

  std::string text = problem("pendulum") + "[system.let]\na0 = \"a9999\"\n";
  for (int k = 1; k < 10'000; ++k) text += "a" + std::to_string(k) + " = \"a" + std::to_string(k - 1) + "\"\n";
  const std::string cycle = refusal_of_file(text);
  check_words(cycle, {"let \"a0\" -> \"a9999\" -> ", " -> ... -> \"a0\" is a cycle; no definition may need itself"});
  CHECK(cycle.size() < 400);
}

TEST_CASE("what_is_no_text_is_refused") {
  std::string bytes;
  for (unsigned k = 0; k < 100'000; ++k) bytes += static_cast<char>((k * k * 7 + k * 31 + 13) % 251);
  check_words(refusal_of_file(bytes), {"m.toml:1:3: Encountered invalid utf-8 sequence; save the file as UTF-8"});
  check_words(refusal_of_file(contents(LIVENS_PROGRAM)), {"m.toml:"});
  check_words(refusal_of_file(std::string(1000, '\0')), {"m.toml:1:1: "});
  check_words(refusal_of_file(""), {"m.toml: system: missing; write [system] and below it kind = \"lagrangian\""});
  check_words(refusal_of_file("\n\n# nothing\n"), {"m.toml: system: missing"});
}

TEST_CASE("a_file_that_may_not_be_read_is_named") {
  if (::geteuid() == 0) return;  // root may read everything
  const Place place;
  put(place / "m.toml", problem("pendulum"));
  fs::permissions(place / "m.toml", fs::perms::none);
  const Reply reply = place.run(run_of_file);
  CHECK(reply.status == 2);
  CHECK(reply.out == "");
  CHECK(mentions(reply.err, "livens: m.toml: cannot be read: Permission denied; check the path"));
}
