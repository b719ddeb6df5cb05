#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "livens/formula/functions.hpp"
#include "world.hpp"

using namespace livens;
using namespace livens::formula;

namespace {

struct DerivativeWorld : World {
  DerivativeWorld() {
    names.add_rates(1, 2);
    names.add_rate({0, 0}, graph.constant(1));
    names.add_definition("r", "sqrt(x^2 + y^2)", "system.let.r");
    names.add_definition("V", "-k/r", "system.let.V");
    names.add_definition("k", "m*grav", "system.parameters.k");
    names.add_definition("xc", "x*cos(t) + y^2", "system.let.xc");
    names.add_definition("speed", "x'*y", "system.let.speed");
  }
  bool same(const std::string& a, const std::string& b) {
    const Point<double> at{{0.3}, {0.7, 1.1, -0.4}, {0.5, -0.2, 0.9}};
    const auto both = evaluate(graph, {(*this)(a), (*this)(b)}, at);
    CAPTURE(a);
    CHECK(both[0] == doctest::Approx(both[1]).epsilon(1e-14));
    return std::isfinite(both[0]);
  }
  std::string refusal(const std::string& formula) {
    try {
      (*this)(formula);
    } catch (const FormulaError& error) {
      return error.what();
    }
    return "";
  }
};

}  // namespace

TEST_CASE("d_is_the_derivative_by_variables_parameters_and_definitions") {
  DerivativeWorld world;
  CHECK(world.text("d(x^2*y, x)") == "2*(x*y)");
  CHECK(world.same("d(m/2*x'^2, x')", "m*x'"));
  CHECK(world.same("d(sin(t*x), t)", "x*cos(t*x)"));
  CHECK(world.same("d(V, r)", "k/r^2"));
  CHECK(world.same("d(V, x)", "k*x/r^3"));
  CHECK(world.same("d(V, m)", "-grav/r"));  // m is in k, which is in V
  CHECK(world.same("d(V*m^3, m)", "-grav/r*m^3 + 3*V*m^2"));
  CHECK(world.same("d(d(V*m^3, m), m)", "-12*grav*m^2/r"));
  CHECK(world.same("d(d(V, r), m)", "grav/r^2"));
  CHECK(world.same("d(d(V, m), r)", "grav/r^2"));
  CHECK(world.same("sum(i = 1..3, d(x^i, x))", "1 + 2*x + 3*x^2"));
  CHECK(world.same("d(sum(i = 1..3, m*x^i), m) + sum(i = 1..3, m*x^i)", "(1 + m)*(x + x^2 + x^3)"));
  CHECK(world.text("d(3, x)") == "0");
  std::string nested = "sin(x*exp(sin(x)))";
  for (int i = 0; i < 40; ++i) nested = "d(" + nested + ", x)";  // grows by a factor of about 3 each time
  CHECK(world.refusal(nested).find("too much is differentiated") != std::string::npos);
  CHECK(world.refusal("d(x^2, 2*x)").find("is not a name at column 8") != std::string::npos);
  CHECK(world.refusal("d(x^2, x*y)").find("is not a name alone at column 8") != std::string::npos);
  CHECK(world.refusal("d(x^2)").find("\"d\" takes a formula and the name") != std::string::npos);
  CHECK(world.refusal("d(x^2 y, x)").find("is a \"*\" missing") != std::string::npos);
  CHECK(world.refusal("d(x^2, xx)").find("unknown name \"xx\" at column 8") != std::string::npos);
  CHECK(world.refusal("d(xc', xc')").find("is the velocity of a definition") != std::string::npos);
  CHECK(world.refusal("sum(i = 1..3, d(x^i, i))").find("\"i\" is a number that never varies") != std::string::npos);
}

TEST_CASE("the_velocity_of_a_definition_is_its_total_time_derivative") {
  DerivativeWorld world;
  CHECK(world.same("xc'", "x'*cos(t) - x*sin(t) + 2*y*y'"));
  CHECK(world.same("r'", "(x*x' + y*y')/r"));
  CHECK(world.same("d(xc', x')", "cos(t)"));
  CHECK(world.same("d(V', m)", "grav*r'/r^2"));
  const std::string why = world.refusal("1 + speed'");
  CHECK(why.find("\"speed'\" is the time derivative of \"speed\", which contains \"x'\"") != std::string::npos);
  CHECK(why.find("acceleration") != std::string::npos);
  CHECK(world.refusal("m'").find("\"m\" has no velocity here") != std::string::npos);
}

TEST_CASE("jumps_and_their_smooth_variants") {
  DerivativeWorld world;
  for (const auto& row : std::vector<std::pair<std::string, double>>{
           {"sign(-3) + sign(0)", -1},
           {"step(-1) + 10*step(0)", 10},
           {"smoothabs(3, 4)", 5},
           {"smoothsign(1, 2)", std::tanh(0.5)},
           {"smoothstep(-1, 2)", (1 + std::tanh(-0.5)) / 2},
           {"if(1 < 2, 3, 4) + 10*if(2 < 2, 3, 4)", 43},
           {"if(2 <= 2, 3, 4) + 10*if(2 >= 3, 3, 4)", 43},
           {"if(2 > 2, 3, 4)", 4},
       }) {
    CAPTURE(row.first);
    CHECK(to_double(world.graph.value(world(row.first))) == doctest::Approx(row.second).epsilon(1e-15));
  }
  CHECK(world.same("if(x < y, x, y)", "min(x, y)"));
  CHECK(std::isnan(evaluate(world.graph, {world("if(log(x) < 1, 0, 1)")}, Point<double>{{0}, {-1, 0, 0}, {}})[0]));
  CHECK(world.graph.jump(world("x + if(x > 0, x, 0)")));
  CHECK(world.graph.jump(world("d(abs(x), x)")));
  CHECK_FALSE(world.graph.jump(world("abs(x) + smoothstep(x, m)")));
  CHECK(world.text("if(x > 1, x, 2)") == "if(1 - x >= 0, 2, x)");
  CHECK(world.text("2*step(x - 1)") == "2*step(x - 1)");
  CHECK(world.refusal("if(x, 1, 2)").find("\"if\" needs a comparison at column 5") != std::string::npos);
  CHECK(world.refusal("x > 1").find("comparisons stand in if(x > y, a, b) only") != std::string::npos);
  CHECK(world.refusal("smoothsign(x, -m)").find("the width of \"smoothsign\" is -3") != std::string::npos);
  CHECK(world.refusal("smoothstep(x)").find("takes 2 arguments, 1 given") != std::string::npos);
  // Names like others where no parenthesis follows.
  world.names.add_constant("d", 2);
  world.names.add_constant("step", 5);
  CHECK(world.text("d*step") == "10");
}

TEST_CASE("corners_are_where_their_arguments_are_zero") {
  DerivativeWorld world;
  const auto corners = [&](const char* formula) {
    std::string all;
    for (const Corner& corner : world.graph.corners(std::array{world(formula)})) {
      constexpr const char* kinds[] = {"jump ", "sharp ", "root ", "sigmoid ", "blow "};
      all += (all.empty() ? "" : ", ") + std::string(kinds[static_cast<int>(corner.kind)]);
      all += world.graph.text(corner.x);
    }
    return all;
  };
  CHECK(corners("x^3 - sin(y)/x + log(x)") == "");
  CHECK(corners("exp(-x^2)") == "blow -x^2");
  CHECK(corners("y*abs(x - 1)") == "sharp x - 1");
  CHECK(corners("max(x, y)^2.5") == "sharp x - y, root max(x, y)");
  CHECK(corners("min(x, 3)") == "sharp x - 3");
  CHECK(corners("if(x > y, x, 0)") == "jump y - x");
  CHECK(corners("sign(x)*step(y)") == "jump x, jump y");
  CHECK(corners("x*hypot(x, y) + sqrt(1 + x)") == "root x^2 + y^2, root x + 1");
  CHECK(corners("tanh(x/2) + atan(y)") == "sigmoid 0.5*x, sigmoid y");
}

TEST_CASE("every_function_in_words_can_be_called_as_it_is_written_and_is_documented") {
  DerivativeWorld world;
  std::ifstream page(std::string(LIVENS_SOURCE) + "/docs/model-files.md");
  const std::string documentation{std::istreambuf_iterator<char>(page), {}};
  for (const FunctionWords& f : functions_in_words()) {
    CAPTURE(f.written);
    std::string formula(f.written);
    if (f.written.find("[i]") != f.written.npos) formula.replace(formula.find("x[i]"), 4, "x*i");
    if (f.written.find("...") != f.written.npos) formula = formula.substr(0, formula.find(", ...")) + ")";
    Names names(world.graph);
    for (const char* name : {"x", "y", "a", "b", "f", "w"}) names.add_variable(name, {3, static_cast<int>(*name)});
    names.parse(formula);
    CHECK(Names::reserved(f.name) == f.reserved);
    CHECK(documentation.find("| `" + std::string(f.written) + "` | ") != std::string::npos);
  }
}
