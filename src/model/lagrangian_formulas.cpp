#include "livens/model/lagrangian_formulas.hpp"

#include <algorithm>
#include <map>

namespace livens {

using formula::Graph;
using formula::NodeId;
using formula::Slot;

namespace {

// df/dt + sum_j df/dq_j v_j
NodeId rate_along(Graph& graph, NodeId f) {
  using F = LagrangianFormulas;
  NodeId sum = graph.derivative(f, {F::time, 0});
  for (const Slot s : graph.variables(f))
    if (s.block == F::q) sum = graph.add(sum, graph.mul(graph.derivative(f, s), graph.variable({F::v, s.index})));
  return sum;
}

NodeId at_rest(Graph& graph, NodeId f) {
  std::map<Slot, NodeId> rest;
  for (const Slot s : graph.variables(f))
    if (s.block == LagrangianFormulas::v) rest[s] = graph.constant(0);
  return graph.substitute(f, rest);
}

// Whether f is the same at all times and states.
bool is_fixed(const Graph& graph, NodeId f) {
  using F = LagrangianFormulas;
  return !graph.depends_on(f, F::time) && !graph.depends_on(f, F::q) && !graph.depends_on(f, F::v);
}

}  // namespace

LagrangianFormulas::LagrangianFormulas(Graph graph, int coordinates, Formulas formulas)
    : CompiledParts(std::move(graph), parts), n_(coordinates), formulas_(std::move(formulas)) {
  if (formulas_.forces.empty()) formulas_.forces.resize(static_cast<std::size_t>(n_), graph_.constant(0));
  find_structure();
}

void LagrangianFormulas::find_structure() {
  const NodeId L = formulas_.lagrangian;
  structure_.time_in_lagrangian = graph_.depends_on(L, time);
  for (const NodeId g : formulas_.constraints)
    structure_.time_in_constraints = structure_.time_in_constraints || graph_.depends_on(g, time);
  for (const NodeId F : formulas_.forces) {
    structure_.forces = structure_.forces || !graph_.is_constant(F, 0);
    structure_.velocity_in_forces = structure_.velocity_in_forces || graph_.depends_on(F, v);
  }

  structure_.constraint_degree = 0;
  for (const NodeId g : formulas_.constraints) {
    const auto degree = graph_.polynomial_degree(g, q);
    if (!degree || !structure_.constraint_degree)
      structure_.constraint_degree.reset();
    else
      structure_.constraint_degree = std::max(*structure_.constraint_degree, *degree);
  }

  // Separable: no L_v contains a q. Constant L_vv: it contains no t, q or v. Constant mass: and L_v vanishes at rest.
  structure_.separable = structure_.constant_hessian = structure_.constant_mass = true;
  for (const NodeId momentum : jacobian(graph_, std::array{L}, v, n_)) {
    std::vector<Slot> velocities;
    for (const Slot s : graph_.variables(momentum)) {
      if (s.block == q) structure_.separable = false;
      if (s.block == v) velocities.push_back(s);
    }
    if (!structure_.constant_hessian) continue;
    const std::vector<NodeId> row = graph_.gradient(momentum, velocities);
    structure_.constant_hessian = std::all_of(row.begin(), row.end(), [&](NodeId f) { return is_fixed(graph_, f); });
    structure_.constant_mass =
        structure_.constant_mass && structure_.constant_hessian && graph_.is_constant(at_rest(graph_, momentum), 0);
  }
  if (structure_.constant_mass) structure_.potential_degree = graph_.polynomial_degree(at_rest(graph_, L), q);
}

std::shared_ptr<const LagrangianFormulas> LagrangianFormulas::without_constraints(
    const std::vector<int>& left_out) const {
  Formulas rest = formulas_;
  for (auto row = left_out.rbegin(); row != left_out.rend(); ++row)
    rest.constraints.erase(rest.constraints.begin() + *row);
  for (auto row = left_out.rbegin(); row != left_out.rend() && !formulas_.least_sizes.empty(); ++row)
    rest.least_sizes.erase(rest.least_sizes.begin() + *row);
  return std::make_shared<const LagrangianFormulas>(graph(), n_, std::move(rest));
}

std::vector<NodeId> LagrangianFormulas::equations() const {
  std::vector<NodeId> all{formulas_.lagrangian};
  append(all, formulas_.forces), append(all, formulas_.constraints);
  return all;
}

std::vector<NodeId> LagrangianFormulas::outputs(int part) const {
  const std::array L = {formulas_.lagrangian};
  const auto& g = formulas_.constraints;
  switch (part) {
    case value:
      return {L[0]};
    case lagrangian_rate:
      return jacobian(graph_, L, time, 1);
    case gradient: {
      auto all = jacobian(graph_, L, q, n_);
      append(all, jacobian(graph_, L, v, n_));
      return all;
    }
    case hessian: {
      const auto Lq = jacobian(graph_, L, q, n_);
      auto all = jacobian(graph_, Lq, q, n_);
      append(all, jacobian(graph_, Lq, v, n_));
      append(all, second_derivatives(graph_, L[0], v, n_));
      return all;
    }
    case mass:
      return second_derivatives(graph_, L[0], v, n_);
    case momentum_rate:
      return jacobian(graph_, jacobian(graph_, L, v, n_), time, 1);
    case potential_gradient: {
      const std::array V = {graph_.neg(at_rest(graph_, L[0]))};
      return jacobian(graph_, V, q, n_);
    }
    case force:
      return formulas_.forces;
    case force_velocity:
      return jacobian(graph_, formulas_.forces, v, n_);
    case force_position:
      return jacobian(graph_, formulas_.forces, q, n_);
    case constraint:
      return g;
    case constraint_jacobian: {
      auto all = g;
      append(all, jacobian(graph_, g, q, n_));
      return all;
    }
    case constraint_along: {
      std::vector<NodeId> along;
      for (const NodeId f : g) {
        NodeId sum = graph_.constant(0);
        for (const Slot s : graph_.variables(f))
          if (s.block == q) sum = graph_.add(sum, graph_.mul(graph_.derivative(f, s), graph_.variable({v, s.index})));
        along.push_back(sum);
      }
      return jacobian(graph_, along, q, n_);
    }
    case constraint_rate:
      return jacobian(graph_, g, time, 1);
    case constraint_curvature: {
      std::vector<NodeId> all;
      for (const NodeId f : g) all.push_back(rate_along(graph_, rate_along(graph_, f)));
      return all;
    }
    case constraint_hessian:
      return second_derivatives(graph_, weighted_sum(graph_, g, lambda), q, n_);
    case constraint_third: {
      const NodeId sum = weighted_sum(graph_, g, lambda);
      NodeId along = graph_.constant(0);
      for (const Slot s : graph_.variables(sum))
        if (s.block == q)
          along = graph_.add(along, graph_.mul(graph_.derivative(sum, s), graph_.variable({v, s.index})));
      return second_derivatives(graph_, along, q, n_);
    }
    case invariants:
      return formulas_.invariants;
  }
  return {};
}

}  // namespace livens
