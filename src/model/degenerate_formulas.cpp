#include "livens/model/degenerate_formulas.hpp"

#include <stdexcept>

namespace livens {

using formula::Graph;
using formula::NodeId;

DegenerateFormulas::DegenerateFormulas(Graph graph, int coordinates, Formulas formulas)
    : CompiledParts(std::move(graph), parts), n_(coordinates), formulas_(std::move(formulas)) {
  if (formulas_.theta.size() != static_cast<std::size_t>(n_))
    throw std::invalid_argument("DegenerateFormulas: " + std::to_string(formulas_.theta.size()) +
                                " formulas of theta for " + std::to_string(n_) + " coordinates; give one for each");
  if (formulas_.invariants.size() != formulas_.invariant_names.size())
    throw std::invalid_argument("DegenerateFormulas: give every invariant a name");
  require_only(formulas_.theta, {q}, "DegenerateFormulas: theta may contain the coordinates only");
  require_only(std::array{formulas_.hamiltonian}, {q},
               "DegenerateFormulas: the Hamiltonian may contain the coordinates only");
  require_only(formulas_.invariants, {q, p}, "DegenerateFormulas: invariants may contain coordinates and momenta only");
}

std::vector<NodeId> DegenerateFormulas::equations() const {
  std::vector<NodeId> all = formulas_.theta;
  all.push_back(formulas_.hamiltonian);
  return all;
}

std::vector<NodeId> DegenerateFormulas::outputs(int part) const {
  const auto& f = formulas_;
  switch (part) {
    case theta:
      return f.theta;
    case theta_jacobian: {
      auto all = f.theta;
      append(all, jacobian(graph_, f.theta, q, n_));
      return all;
    }
    case theta_curvature:
      return second_derivatives(graph_, weighted_sum(graph_, f.theta, weight), q, n_);
    case hamiltonian:
      return {f.hamiltonian};
    case hamiltonian_gradient:
      return jacobian(graph_, std::array{f.hamiltonian}, q, n_);
    case hamiltonian_hessian:
      return second_derivatives(graph_, f.hamiltonian, q, n_);
    case force_and_momentum:
    case force_jacobian: {
      const NodeId lagrangian = graph_.sub(weighted_sum(graph_, f.theta, weight), f.hamiltonian);
      const std::vector<NodeId> J = jacobian(graph_, f.theta, q, n_);
      std::vector<NodeId> all = part == force_jacobian ? J : jacobian(graph_, std::array{lagrangian}, q, n_);
      append(all, part == force_jacobian ? second_derivatives(graph_, lagrangian, q, n_) : f.theta);
      if (part == force_and_momentum) append(all, J);
      return all;
    }
    case invariants:
      return f.invariants;
  }
  return {};
}

}  // namespace livens
