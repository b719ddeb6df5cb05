#include "livens/formula/names.hpp"

#include <doctest/doctest.h>

#include "world.hpp"

using namespace livens::formula;

namespace {

std::string message_of(const World& world, const std::string& formula) {
  try {
    world(formula);
  } catch (const FormulaError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("definitions_use_each_other_in_any_order") {
  World world;
  world.names.add_definition("speed", "sqrt(v2)", "system.let.speed");
  world.names.add_definition("v2", "x'^2 + y'^2", "system.let.v2");
  world.names.add_definition("twice_m", "2*m", "system.parameters.twice_m");
  CHECK(world("twice_m*speed") == world("6*sqrt(x'^2 + y'^2)"));
  CHECK(world.graph.is_constant(world("twice_m"), 6));
}

TEST_CASE("cycles_are_listed") {
  World world;
  world.names.add_definition("a", "1 + b", "let.a");
  world.names.add_definition("b", "c*2", "let.b");
  world.names.add_definition("c", "x - a", "let.c");
  world.names.add_definition("self", "self + 1", "let.self");
  world.names.add_definition("outside", "b", "let.outside");
  CHECK(message_of(world, "x + a") ==
        "let.a: let \"a\" -> \"b\" -> \"c\" -> \"a\" is a cycle; no definition may need itself");
  CHECK(message_of(world, "outside") ==
        "let.b: let \"b\" -> \"c\" -> \"a\" -> \"b\" is a cycle; no definition may need itself");
  CHECK(message_of(world, "self") == "let.self: let \"self\" -> \"self\" is a cycle; no definition may need itself");
}

TEST_CASE("errors_inside_a_definition_say_which_and_count_its_columns") {
  World world;
  world.names.add_definition("outer", "2*inner", "system.let.outer");
  world.names.add_definition("inner", "x + grv", "system.let.inner");
  try {
    world("x*x*x*outer");
    FAIL("accepted");
  } catch (const FormulaError& error) {
    CHECK(std::string(error.what()) == "system.let.inner: unknown name \"grv\" at column 5; did you mean \"grav\"?");
    CHECK(error.column == 5);
    CHECK(error.where == "system.let.inner");
  }
}

TEST_CASE("a_long_chain_of_definitions_needs_no_deep_stack") {
  World world;
  const int length = 3000;
  const std::string open(900, '('), close(900, ')');
  for (int i = 0; i < length; ++i) {
    const std::string next = i + 1 < length ? "d" + std::to_string(i + 1) : "x";
    world.names.add_definition("d" + std::to_string(i), open + next + " + 1" + close, "let");
  }
  world.graph.text(world("d0"));
  CHECK(world.graph.variables(world("d0")).size() == 1);
}

TEST_CASE("only_t_pi_and_the_functions_are_reserved") {
  for (const char* name : {"t", "pi", "sin", "hypot", "max"}) CHECK(Names::reserved(name));
  for (const char* name : {"e", "x", "lambda", "sign", "select", "Sin", ""}) CHECK_FALSE(Names::reserved(name));
  for (const char* name : {"x", "_a1", "theta_dot"}) CHECK(valid_identifier(name));
  for (const char* name : {"", "1x", "x'", "a b", "a-b", "\u03b1"}) CHECK_FALSE(valid_identifier(name));
}

TEST_CASE("a_name_is_given_once") {
  World world;
  CHECK(world.names.contains("x"));
  CHECK_FALSE(world.names.contains("w"));
  CHECK_THROWS_AS(world.names.add_constant("x", 1), std::invalid_argument);
  CHECK_THROWS_AS(world.names.add_definition("m", "1", ""), std::invalid_argument);
}

TEST_CASE("coordinates_named_as_in_results_are_answered_with_their_names_in_formulas") {
  World world;
  world.names.add_definition("arm_x", "x", "let.arm_x");
  CHECK(message_of(world, "1 + arm.x") == "unknown name \"arm\" at column 5; in formulas it is \"arm_x\"");
  CHECK(message_of(world, "arm.x'^2") == "unknown name \"arm\" at column 1; in formulas it is \"arm_x'\"");
  CHECK(message_of(world, "leg.y") == "unknown name \"leg\" at column 1");
}
