#include "livens/model/programs.hpp"

#include <algorithm>
#include <stdexcept>

namespace livens {

using formula::Graph;
using formula::NodeId;
using formula::Slot;

std::shared_ptr<const formula::Program> CompiledParts::program(int part) const {
  const std::scoped_lock lock(growing_);
  auto& program = programs_[static_cast<std::size_t>(part)];
  if (!program) program = std::make_shared<const formula::Program>(formula::compile(graph_, outputs(part)));
  return program;
}

std::string CompiledParts::explain(int part, int index, const double* const* blocks) const {
  const std::scoped_lock lock(growing_);
  const std::array node = {outputs(part)[static_cast<std::size_t>(index)]};
  const auto fault = formula::explain(graph_, node, blocks);
  return fault ? fault->message() : "";
}

std::string CompiledParts::explain(int part, const double* const* blocks) const {
  const std::scoped_lock lock(growing_);
  const auto fault = formula::explain(graph_, outputs(part), blocks);
  return fault ? fault->message() : "";
}

CompiledParts::Corners CompiledParts::corners() const {
  Graph graph = this->graph();  // a copy: what is compiled later shall not depend on whether this was asked for
  Corners corners;
  std::vector<NodeId> x;
  for (const formula::Corner& corner : graph.corners(equations())) {
    x.push_back(corner.x);
    corners.kinds.push_back(corner.kind);
  }
  corners.x = std::make_shared<const formula::Program>(formula::compile(graph, x));
  return corners;
}

Graph CompiledParts::graph() const {
  const std::scoped_lock lock(growing_);
  return graph_;
}

void CompiledParts::require_only(std::span<const NodeId> formulas, std::initializer_list<int> allowed_blocks,
                                 const char* message) const {
  for (const NodeId f : formulas)
    for (const Slot s : graph_.variables(f))
      if (std::find(allowed_blocks.begin(), allowed_blocks.end(), s.block) == allowed_blocks.end())
        throw std::invalid_argument(message);
}

std::vector<NodeId> jacobian(Graph& graph, std::span<const NodeId> f, int block, int count) {
  const NodeId zero = graph.constant(0);
  std::vector<NodeId> J(f.size() * static_cast<std::size_t>(count), zero);
  for (std::size_t i = 0; i < f.size(); ++i) {
    std::vector<Slot> present;
    for (const Slot s : graph.variables(f[i]))
      if (s.block == block && s.index < count) present.push_back(s);
    const std::vector<NodeId> row = graph.gradient(f[i], present);
    for (std::size_t k = 0; k < present.size(); ++k)
      J[i * static_cast<std::size_t>(count) + static_cast<std::size_t>(present[k].index)] = row[k];
  }
  return J;
}

NodeId weighted_sum(Graph& graph, std::span<const NodeId> f, int weight_block) {
  NodeId sum = graph.constant(0);
  for (std::size_t i = 0; i < f.size(); ++i)
    sum = graph.add(sum, graph.mul(graph.variable({weight_block, static_cast<int>(i)}), f[i]));
  return sum;
}

std::vector<NodeId> second_derivatives(Graph& graph, NodeId f, int block, int count) {
  return jacobian(graph, jacobian(graph, std::array{f}, block, count), block, count);
}

void append(std::vector<NodeId>& to, const std::vector<NodeId>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace livens
