// Names and values shared by the tests of formulas: t in block 0, x y z in block 1, x' y' z' in block 2.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "livens/formula/names.hpp"
#include "livens/formula/program.hpp"

namespace livens::formula {

struct World {
  Graph graph;
  Names names{graph};
  NodeId zero = graph.constant(0);

  World() {
    names.add_variable("t", {0, 0});
    int index = 0;
    for (const std::string name : {"x", "y", "z"}) {
      names.add_variable(name, {1, index});
      names.add_variable(name + "'", {2, index++});
    }
    names.add_constant("m", 3);
    names.add_constant("grav", Number(981) / 100);
  }

  NodeId operator()(std::string_view text) const { return names.parse(text); }
  std::string text(std::string_view formula) const { return graph.text((*this)(formula)); }
};

// Values of (t; x, y, z; x', y', z').
template <class T>
struct Point {
  std::array<T, 1> time{};
  std::array<T, 3> q{}, v{};
  std::array<const T*, 3> blocks() const { return {time.data(), q.data(), v.data()}; }
};

template <class T>
std::vector<T> evaluate(const Graph& graph, const std::vector<NodeId>& outputs, const Point<T>& point) {
  Evaluator<T> evaluator(std::make_shared<Program>(compile(graph, outputs)));
  std::vector<T> out(outputs.size());
  evaluator(point.blocks().data(), out.data());
  return out;
}

}  // namespace livens::formula
