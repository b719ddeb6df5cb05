#include <doctest/doctest.h>

#include <chrono>
#include <cmath>

#include "livens/model/element_formulas.hpp"
#include "model/models.hpp"

using namespace livens;
using formula::Number;
using models::refusal, models::with;

namespace {

// Three masses on springs, stated with repeats.
const std::string row = R"toml([system]
kind = "lagrangian"
coordinates = ["z", { for = "i = 1..N", each = ["x[i]"] }]
lagrangian = "z'^2/2 + sum(i = 1..N, m[i-1]/2*x[i]'^2 - sin(x[i])) - k/2*sum(i = 1..N-1, (x[i+1] - x[i])^2)"
constraints = [{ for = "i = 1..N-1", each = ["x[i] + x[i+1] - z"] }]
forces = ["0", { for = "j = 1..N", each = ["-j*x[j]'"] }]
[system.parameters]
N = 3
k = 0.5
m = [1.5, "2*m[0]", { for = "i = 2..N-1", each = ["i + k"] }]
[system.let]
middle = "x[2]"
[system.invariants]
total = "sum(i = 1..N, p_x[i]) + middle"
[initial]
q = [0.25, { for = "i = 1..N", each = ["sum(j = 1..i, 1/j)"] }]
v = [{ for = "i = 0..N", each = [0.5] }]
)toml";

const std::string row_in_full = R"toml([system]
kind = "lagrangian"
coordinates = ["z", "x1", "x2", "x3"]
lagrangian = """z'^2/2 + (1.5/2*x1'^2 - sin(x1) + 3/2*x2'^2 - sin(x2) + 2.5/2*x3'^2 - sin(x3))
                - 0.5/2*((x2 - x1)^2 + (x3 - x2)^2)"""
constraints = ["x1 + x2 - z", "x2 + x3 - z"]
forces = ["0", "-x1'", "-2*x2'", "-3*x3'"]
[system.invariants]
total = "p_x1 + p_x2 + p_x3 + x2"
[initial]
q = [0.25, 1.0, 1.5, "11/6"]
v = [0.5, 0.5, 0.5, 0.5]
)toml";

}  // namespace

TEST_CASE("a_model_with_repeats_is_the_model_in_full") {
  const Model model = read_model("m.toml", row), full = read_model("m.toml", row_in_full);
  CHECK(model.system->coordinate_names() == std::vector<std::string>{"z", "x[1]", "x[2]", "x[3]"});
  REQUIRE(model.initial.q.size() == 4);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(to_double(model.initial.q[i]) == doctest::Approx(to_double(full.initial.q[i])).epsilon(1e-15).scale(0));
  CHECK(model.initial.v == full.initial.v);

  const auto a = model.system->dense<double>(), b = full.system->dense<double>();
  Vec<double> q(4), v(4), p(4), Fa(4), Fb(4), ga(2), gb(2);
  for (int i = 0; i < 4; ++i) q[i] = 0.3 * i - 0.1, v[i] = 0.7 - 0.2 * i, p[i] = 1.0 + i;
  CHECK(a.lagrangian(0, q, v) == doctest::Approx(b.lagrangian(0, q, v)).epsilon(1e-15).scale(0));
  a.force(0, q, v, Fa), b.force(0, q, v, Fb);
  a.constraint(0, q, ga), b.constraint(0, q, gb);
  for (int i = 0; i < 4; ++i) CHECK(Fa[i] == Fb[i]);
  for (int i = 0; i < 2; ++i) CHECK(ga[i] == gb[i]);
  double total_a = 0, total_b = 1;
  a.invariant_values(0, q, v, p, &total_a), b.invariant_values(0, q, v, p, &total_b);
  CHECK(total_a == total_b);
}

TEST_CASE("another_number_makes_another_size") {
  const Model model = read_model("m.toml", row, {{"system.parameters.N", "40"}});
  CHECK(model.system->coordinate_names().size() == 41);
  CHECK(model.system->coordinate_names().back() == "x[40]");
  CHECK(model.system->constraints() == 39);
}

TEST_CASE("repeats_stand_in_repeats") {
  const std::string net = R"toml([system]
kind = "lagrangian"
coordinates = [{ for = "i = 0..1", each = [{ for = "j = 0..i+1", each = ["x[i,j]", "y[i,j]"] }] }]
lagrangian = "sum(i = 0..1, sum(j = 0..i+1, x[i,j]'^2 + y[i,j]'^2))/2"
[initial]
q = [{ for = "i = 0..1", each = [{ for = "j = 0..i+1", each = ["i", "j"] }] }]
v = [{ for = "i = 0..9", each = [0] }]
)toml";
  const Model model = read_model("m.toml", net);
  CHECK(model.system->coordinate_names() == std::vector<std::string>{"x[0,0]", "y[0,0]", "x[0,1]", "y[0,1]", "x[1,0]",
                                                                     "y[1,0]", "x[1,1]", "y[1,1]", "x[1,2]", "y[1,2]"});
  CHECK(model.initial.q == std::vector<Number>{0, 0, 0, 1, 1, 0, 1, 1, 1, 2});
}

TEST_CASE("other_kinds_take_repeats_too") {
  const Model several = read_model("m.toml", R"toml([system]
kind = "degenerate"
coordinates = [{ for = "i = 1..2", each = ["x[i]", "y[i]"] }]
theta = [{ for = "i = 1..2", each = ["-y[i]/2", "x[i]/2"] }]
hamiltonian = "-log((x[1] - x[2])^2 + (y[1] - y[2])^2)"
[system.invariants]
off = "sum(i = 1..2, p_x[i] + y[i]/2)"
[initial]
q = [1, 0, -1, 0]
[exact]
q = [{ for = "i = 0..1", each = ["cos(t + i*pi)", "sin(t + i*pi)"] }]
)toml");
  CHECK(several.system->coordinate_names().back() == "y[2]");
  const Model odae = read_model("m.toml", R"toml([system]
kind = "odae"
positions = [{ for = "i = 1..2", each = ["y[i]"] }]
velocities = [{ for = "i = 1..2", each = ["z[i]"] }]
multipliers = ["psi[1]"]
velocity = [{ for = "i = 1..2", each = ["z[i]"] }]
force = ["0", "-g"]
reaction = [{ for = "i = 1..2", each = ["-y[i]*psi[1]"] }]
constraints = ["sum(i = 1..2, y[i]^2) - 1"]
[system.parameters]
g = 9.81
[initial]
y = [1, 0]
z = [0, 0]
)toml");
  CHECK(odae.system->coordinate_names() == std::vector<std::string>{"y[1]", "y[2]"});
}

TEST_CASE("what_is_wrong_with_a_repeat_is_named_with_its_line_its_key_and_the_index") {
  struct Row {
    std::string piece, instead, message;
  };
  const std::string how = "a repeat is written { for = \"i = 0..9\", each = [\"x[i]\", \"y[i]\"] }";
  const std::vector<Row> rows{
      {"{ for = \"i = 1..N-1\", each = [\"x[i] + x[i+1] - z\"] }",
       "{ for = \"i = 1..N\", each = [\"x[i] + x[i+1] - z\"] }",
       ":5: system.constraints[1].each[1]: there is no \"x[4]\" at column 8; there are x[1] to x[3] (i = 3)"},
      {"- z\"] }]", "- zz\"] }]", ":5: system.constraints[1].each[1]: unknown name \"zz\" at column 17"},
      {"x[i+1] - z\"] }]", "x[i+1]'\"] }]",
       ":5: system.constraints[1].each[1]: contains \"x[2]'\"; constraints may contain"
       " coordinates, t and parameters only (i = 1)"},
      {"for = \"i = 1..N\", each = [\"x[i]\"]", "each = [\"x[i]\"]",
       ":3: system.coordinates[2]: has no \"for\" with a text; " + how},
      {"each = [\"x[i]\"]", "each = \"x[i]\"", ":3: system.coordinates[2]: has no \"each\" with an array; " + how},
      {"for = \"i = 1..N\", each = [\"x[i]\"]", "for = 3, each = [\"x[i]\"]",
       ":3: system.coordinates[2]: has no \"for\" with a text; " + how},
      {"each = [\"x[i]\"]", "each = [\"x[i]\"], step = 2", ":3: system.coordinates[2].step: unknown key; " + how},
      {"for = \"i = 1..N\", each = [\"x[i]\"]", "for = \"i = 1..M\", each = [\"x[i]\"]",
       ":3: system.coordinates[2].for: unknown name \"M\" at column 8"},
      {"for = \"i = 1..N\", each = [\"x[i]\"]", "for = \"i in 1..N\", each = [\"x[i]\"]",
       ":3: system.coordinates[2].for: expected \"=\" at column 3; a range is written i = 0..9"},
      {"for = \"i = 1..N\", each = [\"x[i]\"]", "for = \"k = 1..N\", each = [\"x[k]\"]",
       ":3: system.coordinates[2].for: \"k\" has a meaning already at column 1; choose another name for the index"},
      {"for = \"j = 1..N\"", "for = \"z = 1..N\"",
       ":6: system.forces[2].for: \"z\" has a meaning already; choose another name for the index"},
      {"for = \"i = 1..N\", each = [\"x[i]\"]", "for = \"i = 1..1e9\", each = [\"x[i]\"]",
       ":3: system.coordinates[2].for: 1 to 1000000000 is too much; write a smaller range: a model may read"},
      {"N = 3", "N = 2.5", ":3: system.coordinates[2].for: an index is 2.5 at column 8; write a whole number"},
      {"N = 3", "N = -5", ":3: system.coordinates[2].for: the range 1..-5 runs backwards at column 1"},
      {"N = 3", "N = \"3 + x\"", ":8: system.parameters.N: unknown name \"x\" at column 5"},
      {"each = [\"x[i]\"]", "each = [\"x\"]",
       ":3: system.coordinates[2].each[1]: gives the name \"x\" more than once; write it with the index, such as x[i]"},
      {"each = [\"x[i]\"]", "each = [\"x(i)\"]",
       ":3: system.coordinates[2].each[1]: \"x(i)\" is not a name; names are letters, digits and _, beginning with no "
       "digit, and an index is written x[i]"},
      {"each = [\"x[i]\"]", "each = []",
       ":3: system.coordinates[2].each: is empty; write what is repeated, such as [\"x[i]\", \"y[i]\"]"},
      {"for = \"i = 1..N\", each = [\"x[i]\"]", "for = \"\", each = [\"x[i]\"]",
       ":3: system.coordinates[2].for: the range is empty; a range is written i = 0..9"},
      {"for = \"i = 1..N\", each = [\"x[i]\"]", "for = \"i = 1..N, j = 1..2\", each = [\"x[i]\"]",
       ":3: system.coordinates[2].for: \",\" at column 9 follows the range; a repeat has one, and another repeat may "
       "stand in it"},
      {"{ for = \"i = 1..N-1\", each = [\"x[i] + x[i+1] - z\"] }", "\"for i = 1..N-1: x[i]\"",
       ":5: system.constraints[1]: unknown name \"for\" at column 1; a repeat is no formula but { for"},
      {"{ for = \"i = 1..N-1\", each = [\"x[i] + x[i+1] - z\"] }", "\"x[i] - z\"",
       ":5: system.constraints[1]: unknown name \"i\" at column 3; an index is known inside of its sum"},
      {"each = [\"x[i]\"]", "each = [\"z[i]\"]",
       ":3: system.coordinates[2].each[1]: the name \"z\" is already given at system.coordinates[1]; choose another "
       "one"},
      {"each = [\"x[i]\"]", "each = [\"x[i\"]",
       ":3: system.coordinates[2].each[1]: \"[\" at column 2 is never closed (i = 1)"},
      {"each = [\"x[i]\"]", "each = [\"2x[i]\"]",
       ":3: system.coordinates[2].each[1]: expected a name at column 1, found \"2\" (i = 1)"},
      {"each = [\"x[i]\"]", "each = [\"sin[i]\"]",
       ":3: system.coordinates[2].each[1]: \"sin\" is reserved for formulas"},
      {"each = [\"x[i]\"]", "each = [7]", ":3: system.coordinates[2].each[1]: is an integer (7), must be a string"},
      {"[1.5, ", "[true, ", ":10: system.parameters.m[1]: is a boolean (true), must be a number"},
      {"2*m[0]", "2*m[1]", ":10: system.parameters.m[2]: \"m[1]\" needs itself; no definition may need itself"},
      {"i + k\"", "i + kk\"", ":10: system.parameters.m[3].each[1]: unknown name \"kk\" at column 5"},
      {"i + k\"", "1/(i - 2)\"",
       ":10: system.parameters.m[3].each[1]: 1/0 is not finite; write a constant formula with a"
       " finite value (i = 2)"},
      {"k = 0.5", "m[0] = 3\nk = 0.5", ":9:2: "},
      {"k = 0.5", "\"x[1]\" = 3\nk = 0.5", ":9: system.parameters.x[1]: \"x[1]\" is not a name"},
      {"k = 0.5", "x = 3\nk = 0.5",
       ":9: system.parameters.x: the name \"x\" is already given at system.coordinates[2].each[1]"},
      {"\"sum(j = 1..i, 1/j)\"", "\"x[i]\"",
       ":16: initial.q[2].each[1]: contains \"x[1]\"; a number is a constant formula of"
       " parameters and pi (i = 1)"},
      {"i = 0..N\", each = [0.5]", "i = 1..N\", each = [0.5]",
       ":17: initial.v: has 3 numbers, the system has 4 coordinates"},
      {"p_x[i]", "p_x[i-1]",
       ":14: system.invariants.total: there is no \"p_x[0]\" at column 15; there are p_x[1] to p_x[3]"},
      {"middle = \"x[2]\"", "\"a[i]\" = \"i\"", ":12: system.let.a[i]: \"a[i]\" is not a name"},
  };
  for (const Row& r : rows) {
    CAPTURE(r.piece);
    CAPTURE(r.instead);
    REQUIRE(row.find(r.piece) != std::string::npos);
    CHECK(refusal(with(row, r.piece, r.instead)).substr(0, 6 + r.message.size()) == "m.toml" + r.message);
  }
}

TEST_CASE("the_hanging_chain_hangs_together") {
  for (const int N : {3, 32}) {
    const Model model = load_model("chain", {{"system.parameters.N", std::to_string(N)}});
    REQUIRE(model.system->coordinates() == 3 * N);
    REQUIRE(model.system->constraints() == N);
    const auto at = [&](const std::vector<Number>& list, int i, int axis) {
      return i < 0 ? 0.0 : to_double(list[static_cast<std::size_t>(3 * i + axis)]);
    };
    for (int i = 0; i < N; ++i) {
      // S as the sum of its definition, with c^k/(k!)^2 carried along.
      const double c = 2.404825557695773 * 2.404825557695773 / 4, u = 1 - (i + 0.5) / N;
      double S = 0, power = 1;
      for (int k = 1; k < 25; ++k) {
        power *= c / (k * k);
        S += (k % 2 == 1 ? 1 : -1) * power * std::pow(u, k - 1) * k;
      }
      const auto step = [&](const std::vector<Number>& list, int axis) {
        return at(list, i, axis) - at(list, i - 1, axis);
      };
      CHECK(step(model.initial.q, 0) == doctest::Approx(std::sin(S / 2) / N).epsilon(1e-13).scale(0));
      CHECK(step(model.initial.q, 1) == 0);
      CHECK(step(model.initial.q, 2) == doctest::Approx(-std::cos(S / 2) / N).epsilon(1e-13).scale(0));
      CHECK(step(model.initial.v, 0) == 0);
      CHECK(step(model.initial.v, 1) == doctest::Approx(S / N).epsilon(1e-13).scale(0));
      CHECK(step(model.initial.v, 2) == 0);
    }
  }
}

TEST_CASE("a_chain_of_2048_masses_loads_at_once_in_full_or_with_repeats") {
  const int N = 2048;
  std::string names, lagrangian = "0", constraints, q, v;
  for (int i = 0; i < N; ++i) {
    const std::string I = std::to_string(i), J = std::to_string(i - 1);
    names += "\"x" + I + "\", \"y" + I + "\", \"z" + I + "\",\n";
    lagrangian += " + m/2*(x" + I + "'^2 + y" + I + "'^2 + z" + I + "'^2) - m*g*z" + I;
    constraints += i == 0 ? "\"(x0^2 + y0^2 + z0^2 - l^2)/2\",\n"
                          : "\"((x" + I + " - x" + J + ")^2 + (y" + I + " - y" + J + ")^2 + (z" + I + " - z" + J +
                                ")^2 - l^2)/2\",\n";
    q += "0.1, 0.0, -" + std::to_string(i + 1) + ".0,\n";
    v += "0.0, 0.1, 0.0,\n";
  }
  const std::string text = "[system]\nkind = \"lagrangian\"\ncoordinates = [" + names + "]\nlagrangian = \"" +
                           lagrangian + "\"\nconstraints = [" + constraints +
                           "]\n[system.parameters]\nm = 0.1\ng = 9.81\nl = 0.2\n" + "[initial]\nq = [" + q +
                           "]\nv = [" + v + "]\n";
  const auto seconds_of = [](auto load) {
    const auto start = std::chrono::steady_clock::now();
    const Model model = load();
    const ElementFormulas parts = split(*model.system->lagrangian());
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    CHECK(parts.shapes.size() == 4);  // x and y, z with gravity, the rod at the ground, the others
    CHECK(parts.shapes.back().elements == N - 1);
    CHECK(model.system->structure().constant_mass);
    return elapsed.count();
  };
#ifdef NDEBUG
  const double limit = 2;  // measured 0.17 s and 0.25 s, on a busy machine twice as much
#else
  const double limit = 20;  // with sanitizers 3 s
#endif
  CHECK(seconds_of([&] { return read_model("m.toml", text); }) < limit);
  CHECK(seconds_of([&] { return load_model("chain", {{"system.parameters.N", "2048"}}); }) < limit);
}
