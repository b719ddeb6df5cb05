#include "livens/formula/program.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <new>

#include "livens/math/jet.hpp"
#include "livens/math/magnitude.hpp"
#include "world.hpp"

using namespace livens;
using namespace livens::formula;

namespace {

long allocations = 0;

}  // namespace

// Not inlined: the compiler would see memory from `operator new` given to `free`.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

const char* const all_operations =
    "sin(x)*cos(y) - tan(x*y) + asin(x/4)/acos(y/4) - atan(x^3) + atan2(y, -x)*sinh(x) + cosh(y) - tanh(x + y)"
    "+ exp(-x^2)*log(y + 3) - sqrt(y)^-3 + abs(x - y) + min(x, y)*max(x, y, 0.1) + pow(y, x) - hypot(x, y)^5 + x'*y'*z";

template <class T>
Point<T> somewhere() {
  Point<T> point;
  point.time = {T(0.25)};
  point.q = {T(0.375), T(1.25), T(-0.5)};
  point.v = {T(2), T(-0.75), T(0.125)};
  return point;
}

std::vector<NodeId> value_and_derivatives(World& world, const char* formula) {
  const std::vector<Slot> variables{{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
  std::vector<NodeId> outputs{world(formula)};
  const auto gradient = world.graph.gradient(outputs[0], variables);
  outputs.insert(outputs.end(), gradient.begin(), gradient.end());
  for (const NodeId g : gradient) {
    const auto row = world.graph.gradient(g, variables);
    outputs.insert(outputs.end(), row.begin(), row.end());
  }
  return outputs;
}

}  // namespace

TEST_CASE("a_program_computes_the_bits_of_its_operations_one_by_one") {
  World world;
  const auto outputs = value_and_derivatives(world, all_operations);
  const Point<double> point = somewhere<double>();
  const Reach reach(world.graph, outputs);
  std::vector<double> value(reach.size());
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const NodeId y = reach.nodes()[i];
    std::array<double, 3> operand{};
    for (std::size_t k = 0; k < world.graph.children(y).size(); ++k)
      operand[k] = value[reach.position(world.graph.children(y)[k])];
    switch (world.graph.op(y)) {
      case Op::constant:
        value[i] = static_cast<double>(world.graph.value(y));
        break;
      case Op::variable:
        value[i] = point.blocks()[static_cast<std::size_t>(world.graph.slot(y).block)][world.graph.slot(y).index];
        break;
      case Op::power:
        value[i] = integer_power(operand[0], world.graph.exponent(y));
        break;
      default:
        value[i] = apply(world.graph.op(y), operand[0], operand[1], operand[2]);
    }
  }
  const auto computed = evaluate(world.graph, outputs, point);
  for (std::size_t k = 0; k < outputs.size(); ++k) CHECK(computed[k] == value[reach.position(outputs[k])]);
}

TEST_CASE("double_long_double_and_quad_agree") {
  World world;
  const auto outputs = value_and_derivatives(world, all_operations);
  const auto widest = evaluate(world.graph, outputs, somewhere<Number>());
  const auto in_double = evaluate(world.graph, outputs, somewhere<double>());
  const auto extended = evaluate(world.graph, outputs, somewhere<long double>());
  double worst_double = 0, worst_extended = 0;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const double scale = 1 + std::abs(in_double[k]);
    worst_double = std::max(worst_double, std::abs(to_double(widest[k] - Number(in_double[k]))) / scale);
    worst_extended = std::max(worst_extended, std::abs(to_double(widest[k] - Number(extended[k]))) / scale);
  }
  CHECK(worst_double < 4 * 5.3e-16);  // measured 5.3e-16 and 6.3e-20
  CHECK(worst_extended < 4 * 6.3e-20);
}

TEST_CASE("jets_through_a_program_give_its_symbolic_derivatives") {
  World world;
  const auto outputs = value_and_derivatives(world, all_operations);
  const auto expected = evaluate(world.graph, outputs, somewhere<double>());
  using J = Jet<double, 6>;
  Point<J> jets;
  const Point<double> point = somewhere<double>();
  for (std::size_t i = 0; i < 3; ++i) {
    jets.q[i] = J::variable(point.q[i], static_cast<int>(i));
    jets.v[i] = J::variable(point.v[i], static_cast<int>(i) + 3);
  }
  const std::vector<NodeId> first(outputs.begin(), outputs.begin() + 7);
  const auto values = evaluate(world.graph, first, jets);
  for (std::size_t k = 0; k < 7; ++k) CHECK(values[k].value == expected[k]);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(values[0].gradient[i] == doctest::Approx(expected[1 + i]).epsilon(1e-14));
    for (std::size_t j = 0; j < 6; ++j)
      CHECK(values[1 + i].gradient[j] == doctest::Approx(expected[7 + 6 * i + j]).epsilon(1e-13));
  }
}

TEST_CASE("magnitudes_through_a_program_give_the_size_of_the_terms") {
  World world;
  Point<Magnitude<double>> point;
  point.q = {Magnitude<double>(3.0), Magnitude<double>(4.0), Magnitude<double>(5.0)};
  const auto g = evaluate(world.graph, {world("x^2 + y^2 - z^2")}, point)[0];
  CHECK(g.value == 0);
  CHECK(g.size == 50);
}

TEST_CASE("evaluation_allocates_nothing") {
  World world;
  const auto outputs = value_and_derivatives(world, all_operations);
  Evaluator<double> evaluator(std::make_shared<Program>(compile(world.graph, outputs)));
  const Point<double> point = somewhere<double>();
  const auto blocks = point.blocks();
  std::vector<double> out(outputs.size());
  const long before = allocations;
  for (int i = 0; i < 3; ++i) evaluator(blocks.data(), out.data());
  CHECK(allocations == before);
}

TEST_CASE("copies_of_an_evaluator_share_the_program_and_nothing_else") {
  World world;
  Evaluator<double> first(std::make_shared<Program>(compile(world.graph, std::vector{world("sin(x) + 2*y")})));
  Evaluator<double> second = first;
  CHECK(&first.program() == &second.program());
  Point<double> p, q;
  p.q = {0, 1, 0};
  q.q = {0, 2, 0};
  double a = 0, b = 0;
  first(p.blocks().data(), &a);
  second(q.blocks().data(), &b);
  CHECK(a == 2);
  CHECK(b == 4);
}

TEST_CASE("variables_constants_and_zeros_cost_no_operation") {
  World world;
  const std::vector<NodeId> outputs{world("x"), world("3"), world("0*y"), world("x"), world("z'")};
  const Program program = compile(world.graph, outputs);
  CHECK(program.operations == 0);
  CHECK(program.zero == std::vector<bool>{false, false, true, false, false});
  Point<double> point;
  point.q = {7, 8, 9};
  point.v = {1, 2, 5};
  CHECK(evaluate(world.graph, outputs, point) == std::vector<double>{7, 3, 0, 7, 5});
  CHECK(compile(world.graph, {}).outputs.empty());
}

TEST_CASE("common_parts_are_computed_once_and_pairs_are_one_instruction") {
  World world;
  const auto operations = [&](std::vector<NodeId> outputs) { return compile(world.graph, outputs).operations; };
  CHECK(operations({world("x*y + z")}) == 2);
  CHECK(compile(world.graph, std::vector{world("x*y + z")}).code.size() == 1 + 1);  // and the end
  CHECK(operations({world("sin(x*y)"), world("cos(y*x)")}) == 3);
  CHECK(operations({world("x^2"), world("x^3"), world("x^4"), world("x^5")}) == 4);
  CHECK(operations({world("x*y"), world("x*y + z")}) == 2);
  CHECK(compile(world.graph, std::vector{world("x*y"), world("x*y + z")}).code.size() ==
        2 + 1);  // x*y is needed itself
}

TEST_CASE("registers_are_used_again") {
  World world;
  std::string text = "x";
  for (int i = 0; i < 1000; ++i) text = "sin(" + text + ")*x + y";
  CHECK_THROWS_AS(world(text), FormulaError);
  NodeId f = world("x");
  for (int i = 0; i < 1000; ++i)
    f = world.graph.add(world.graph.mul(world.graph.call(Op::sin, f), world("x")), world("y"));
  const Program program = compile(world.graph, std::vector{f});
  CHECK(program.operations == 3000);
  CHECK(program.registers <= 4);
}

TEST_CASE("explain_names_the_first_operation_that_leaves_the_finite_numbers") {
  struct Expected {
    std::string formula;
    std::string message;
  };
  const std::vector<Expected> table{
      {"x*log(y/2) + 3", "log(0.5*y) with 0.5*y = -0.2"},
      {"1/(z*x)", "1/(x*z) with x*z = 0"},
      {"x + sqrt(y)", "sqrt(y) with y = -0.4"},
      {"z^-2", "z^-2 with z = 0"},
      {"y^x + 1", "y^x with y = -0.4, x = 0.5"},
      {"exp(1000 - y)", "exp(1000 - y) with 1000 - y = 1000.4"},
      {"x*log(-1)", "log(-1) = nan"},
      {"x/(m - 3)", "x/0 with x = 0.5"},
      {"x + y*x'", "x' = inf"},
      {"asin(4*x) - log(z)", "asin(4*x) with 4*x = 2"},
  };
  for (const Expected& expected : table) {
    CAPTURE(expected.formula);
    World world;
    Point<double> point;
    point.q = {0.5, -0.4, 0};
    point.v = {std::numeric_limits<double>::infinity(), 1, 1};
    const auto fault =
        explain(world.graph, std::vector{world("x + y"), world(expected.formula)}, point.blocks().data());
    REQUIRE(fault);
    std::string text = fault->message();
    if (const auto minus = text.find("-nan"); minus != text.npos)
      text.erase(minus, 1);  // the sign of a NaN says nothing
    CHECK(text == expected.message);
    CHECK_FALSE(is_finite(fault->value));
    CHECK_FALSE(explain(world.graph, std::vector{world("x + y*sin(z)")}, point.blocks().data()));
  }
}
