// Any text as a formula: its first line; the lines below it define the names a, b, c, ... as [system.let] does.
// What parses and is small is printed, differentiated twice, compiled and evaluated.
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include "livens/formula/names.hpp"
#include "livens/formula/program.hpp"
#include "targets.hpp"

namespace livens::fuzz {

namespace {

using namespace formula;

constexpr std::size_t largest_input = 4096, largest_graph = 1000;
enum Block { time, positions, velocities, blocks };

struct Words {
  Graph graph;
  Names names{graph};
  std::vector<Slot> variables{{time, 0}};

  Words() {
    names.add_variable("t", variables.front());
    int index = 0;
    for (const std::string name : {"x", "y", "z"}) {
      variables.insert(variables.end(), {{positions, index}, {velocities, index}});
      names.add_variable(name, {positions, index});
      names.add_variable(name + "'", {velocities, index++});
    }
    names.add_constant("m", 3);
  }

  // Returns the first line.
  std::string_view take_lines(std::string_view input) {
    const std::string_view first = input.substr(0, input.find('\n'));
    std::string_view rest = input.substr(first.size());
    for (char name = 'a'; name <= 'l' && !rest.empty(); ++name) {
      rest.remove_prefix(1);
      const std::string_view line = rest.substr(0, rest.find('\n'));
      names.add_definition(std::string(1, name), std::string(line), "let." + std::string(1, name));
      rest.remove_prefix(line.size());
    }
    return first;
  }
};

template <class T>
void evaluate(const Graph& graph, const std::vector<NodeId>& outputs, const std::array<T, 3>& values) {
  const std::array<const T*, blocks> at = {values.data(), values.data(), values.data()};
  Evaluator<T> evaluator(std::make_shared<Program>(compile(graph, outputs)));
  std::vector<T> out(outputs.size());
  evaluator(at.data(), out.data());
}

// A value that is not finite is never left without an explanation.
void explain_value(const Graph& graph, NodeId f, const std::array<double, 3>& values) {
  const std::array<const double*, blocks> at = {values.data(), values.data(), values.data()};
  Evaluator<double> evaluator(std::make_shared<Program>(compile(graph, std::array{f})));
  double value = 0;
  evaluator(at.data(), &value);
  const auto fault = explain(graph, std::array{f}, at.data());
  if (!is_finite(value) && (!fault || fault->message().empty())) std::abort();
}

}  // namespace

void formula_parser(std::string_view input) {
  if (input.size() > largest_input) return;
  Words words;
  Graph& graph = words.graph;
  try {
    const NodeId f = words.names.parse(words.take_lines(input));
    if (graph.text(f).empty()) std::abort();
    for (int block = 0; block < blocks; ++block) graph.polynomial_degree(f, block);
    if (graph.size() > largest_graph) return;
    for (const auto& values : {std::array{0.0, 0.0, 0.0}, std::array{1.5, -2.0, 1e-3}, std::array{-1e200, 1e-300, 7.0}})
      explain_value(graph, f, values);

    std::vector<NodeId> derivatives = graph.gradient(f, words.variables);
    const std::vector<NodeId> second = graph.gradient(derivatives[1], words.variables);
    derivatives.insert(derivatives.end(), second.begin(), second.end());
    derivatives.push_back(graph.substitute(f, {{words.variables[1], f}}));
    evaluate<double>(graph, derivatives, {1.5, -2.0, 1e-3});
    evaluate<Number>(graph, derivatives, {Number(0), Number(0.5), Number(-1)});
  } catch (const FormulaError&) {
  }
}

}  // namespace livens::fuzz
