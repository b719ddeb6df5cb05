#include "livens/formula/parser.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "livens/formula/nearest.hpp"
#include "world.hpp"

using namespace livens;
using namespace livens::formula;

namespace {

double number(const std::string& formula) {
  World world;
  return to_double(world.graph.value(world(formula)));
}

std::string repeated(const std::string& piece, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += piece;
  return result;
}

}  // namespace

TEST_CASE("precedence_and_associativity") {
  const std::vector<std::pair<std::string, double>> table{
      {"1 + 2*3", 7},     {"(1 + 2)*3", 9}, {"-2^2", -4},     {"(-2)^2", 4},    {"2^-1", 0.5}, {"2^3^2", 512},
      {"2^-2^2", 0.0625}, {"8/4/2", 1},     {"8 - 4 - 2", 2}, {"8/4*2", 4},     {"2*-3", -6},  {"2 - -3", 5},
      {"--3", 3},         {"+3", 3},        {"- + -3", 3},    {"-2*3 + 1", -5}, {"6/-2", -3},  {"2*3^2", 18},
      {"-2^-2", -0.25},   {" 1\t+\n2 ", 3}, {"((((7))))", 7}, {"2^+2", 4},
  };
  for (const auto& row : table) {
    CAPTURE(row.first);
    CHECK(number(row.first) == row.second);
  }
}

TEST_CASE("functions_have_their_usual_meaning") {
  const double x = 0.375;
  const std::vector<std::pair<std::string, double>> table{
      {"sin(0.375)", std::sin(x)},
      {"cos(0.375)", std::cos(x)},
      {"tan(0.375)", std::tan(x)},
      {"asin(0.375)", std::asin(x)},
      {"acos(0.375)", std::acos(x)},
      {"atan(0.375)", std::atan(x)},
      {"atan2(0.375, -2)", std::atan2(x, -2)},
      {"sinh(0.375)", std::sinh(x)},
      {"cosh(0.375)", std::cosh(x)},
      {"tanh(0.375)", std::tanh(x)},
      {"exp(0.375)", std::exp(x)},
      {"log(0.375)", std::log(x)},
      {"sqrt(0.375)", std::sqrt(x)},
      {"abs(-0.375)", x},
      {"min(3, 0.375)", x},
      {"min(3, 1, 2)", 1},
      {"max(-3, 0.375)", x},
      {"max(1, 4, 2, 3)", 4},
      {"pow(0.375, 2.5)", std::pow(x, 2.5)},
      {"hypot(3, 4)", 5},
      {"pi", 3.141592653589793},
      {"log(exp(2))", 2},
  };
  for (const auto& row : table) {
    CAPTURE(row.first);
    CHECK(number(row.first) == doctest::Approx(row.second).epsilon(4 * 2.2e-16).scale(0));
  }
}

TEST_CASE("numbers_are_read_correctly_rounded") {
  CHECK(number(".5") == 0.5);
  CHECK(number("2.") == 2);
  CHECK(number("1e-3") == 1e-3);
  CHECK(number("1.5E+2") == 150);
  CHECK(number("0.1") == 0.1);
  CHECK(number("0.000") == 0);
  CHECK(number("0e99999999999999999999") == 0);
  CHECK(number("1234567890.0987654321e-5") == 1234567890.0987654321e-5);
  CHECK(number("1000000000000000000000000000000000e-33") == 1);
  World world;
  CHECK(world.graph.value(world("0.1")) == Number(1) / 10);
  CHECK(world.graph.value(world("3.25")) == Number(13) / 4);
  CHECK(world.graph.value(world("0.7")) == Number(7) / 10);
}

TEST_CASE("errors_name_the_token_its_column_and_the_remedy") {
  struct Expected {
    std::string formula;
    int column;
    std::string message;
  };
  const std::vector<Expected> table{
      {"", 1, "the formula is empty"},
      {"  ", 1, "the formula is empty"},
      {"x + y*grv", 7, "unknown name \"grv\" at column 7; did you mean \"grav\"?"},
      {"blob", 1, "unknown name \"blob\" at column 1"},
      {"sin(x, y)", 1, "\"sin\" takes 1 argument, 2 given at column 1"},
      {"1 + atan2(x)", 5, "\"atan2\" takes 2 arguments, 1 given at column 5"},
      {"max(x)", 1, "\"max\" takes 2 or more arguments, 1 given at column 1"},
      {"sin()", 1, "\"sin\" takes 1 argument, 0 given at column 1"},
      {"x + ", 5, "expected an operand at column 5; the formula ends too early"},
      {"x + *y", 5, "expected an operand at column 5, found \"*\""},
      {"sin(x,)", 7, "expected an operand at column 7, found \")\""},
      {"x*()", 4, "expected an operand at column 4; the parentheses are empty"},
      {"2*(x + (y)", 3, "\"(\" at column 3 is never closed"},
      {"sin(x", 4, "\"(\" at column 4 is never closed"},
      {"x)", 2, "\")\" at column 2 closes nothing; is a \"(\" missing?"},
      {"2x", 2, "expected an operator at column 2; is a \"*\" missing before \"x\"?"},
      {"x y", 3, "expected an operator at column 3; is a \"*\" missing before \"y\"?"},
      {"(x)(y)", 4, "expected an operator at column 4; is a \"*\" missing before \"(\"?"},
      {"1.2.3", 4, "expected an operator at column 4; is a \"*\" missing before \".3\"?"},
      {"2e", 2, "expected an operator at column 2; is a \"*\" missing before \"e\"?"},
      {"x(y)", 2, "\"x\" is not a function at column 2; is a \"*\" missing before \"(\"?"},
      {"x**2", 2, "\"**\" is not used at column 2; write \"^\""},
      {"sn(x)", 1, "unknown function \"sn\" at column 1; did you mean \"sin\"?"},
      {"sin x", 1, "\"sin\" is a function at column 1; write its argument in parentheses"},
      {"x''", 3, "\"'\" follows \"x'\" at column 3; only the first derivative of a coordinate has a name"},
      {"(x)'", 4, "stray \"'\" at column 4; it may only follow the name of a coordinate"},
      {"m'", 1, "unknown name \"m'\" at column 1; \"m\" has no velocity here"},
      {"x = 3", 3, "\"=\" is not used at column 3; a formula is one expression, write a = b as a - b"},
      {"x, y", 2, "\",\" at column 2 stands outside of the arguments of a function; decimals take a point"},
      {"(1,5)", 3, "\",\" at column 3 stands outside of the arguments of a function; decimals take a point"},
      {"x % 2", 3, "unexpected character \"%\" at column 3"},
      {"[x]", 1, "\"[\" is not used at column 1; write \"(\""},
      {"x \u2212 y", 3, "\"\u2212\" is not used at column 3; write \"-\""},
      {"2*\u03b1", 3, "\"\u03b1\" is not an ASCII character at column 3; formulas use ASCII characters only"},
      {"x\u00b2", 2, "\"\u00b2\" is not used at column 2; write \"^2\""},
      {"1e99999", 1, "\"1e99999\" is too large for a number at column 1"},
      {"x + 1e-99999", 5, "\"1e-99999\" is too small for a number at column 5"},
      {".", 1, "expected an operand at column 1, found \".\""},
  };
  for (const Expected& expected : table) {
    CAPTURE(expected.formula);
    World world;
    try {
      world(expected.formula);
      FAIL_CHECK("accepted");
    } catch (const FormulaError& error) {
      CHECK(std::string(error.what()) == expected.message);
      CHECK(error.column == expected.column);
      CHECK(error.where.empty());
    }
  }
}

TEST_CASE("any_bytes_are_a_formula_or_an_error") {
  World world;
  std::uint32_t state = 1;
  const std::string alphabet = "x'y+-*/^(),.12e \xc3\xa9=sinmax\n\xff";
  for (std::uint32_t trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (std::uint32_t length = trial % 12 + 1; length-- > 0;) {
      state = state * 1664525u + 1013904223u;
      text += alphabet[(state >> 16) % alphabet.size()];
    }
    try {
      world(text);
    } catch (const FormulaError& error) {
      CHECK(error.column >= 1);
      CHECK(error.column <= static_cast<int>(text.size()) + 1);
    }
  }
}

TEST_CASE("nesting_is_refused_beyond_a_limit") {
  World world;
  const auto nested = [&](const std::string& before, const std::string& after, int times) {
    return world(repeated(before, times) + "x" + repeated(after, times));
  };
  CHECK(nested("(", ")", 990) == world("x"));
  CHECK(nested("-", "", 990) == world("x"));
  nested("sin(", ")", 990);
  nested("2^", "", 990);
  for (const int times : {1001, 1000000}) {
    CHECK_THROWS_AS(nested("(", ")", times), FormulaError);
    CHECK_THROWS_AS(nested("(", "", times), FormulaError);
    CHECK_THROWS_AS(nested("-", "", times), FormulaError);
    CHECK_THROWS_AS(nested("2^", "", times), FormulaError);
    CHECK_THROWS_AS(nested("2^-(", ")", times), FormulaError);
    CHECK_THROWS_AS(nested("max(1, ", ")", times), FormulaError);
  }
  CHECK_THROWS_WITH_AS(nested("(", ")", 1001), "nested more than 1000 levels deep at column 1001; use let names",
                       FormulaError);
}

TEST_CASE("nearest_finds_misspellings_only") {
  const std::vector<std::string> known{"mass", "length", "gravity", "k", "x'"};
  CHECK(nearest("mas", known) == "mass");
  CHECK(nearest("lenght", known) == "length");
  CHECK(nearest("Gravity", known) == "gravity");
  CHECK(nearest("gravty", known) == "gravity");
  CHECK(nearest("K", known) == "k");
  CHECK_FALSE(nearest("q", known));
  CHECK_FALSE(nearest("velocity", known));
  CHECK_FALSE(nearest("", known));
  CHECK(suggestion("mas", known) == "; did you mean \"mass\"?");
  CHECK(suggestion("zzz", known).empty());
}
