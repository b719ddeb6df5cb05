#include "livens/model/odae_formulas.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>

namespace livens {

using formula::Graph;
using formula::NodeId;
using formula::Slot;

namespace {

void require_size(const std::vector<NodeId>& formulas, int size, std::string_view what) {
  if (formulas.size() != static_cast<std::size_t>(size))
    throw std::invalid_argument("OdaeFormulas: " + std::to_string(formulas.size()) + " formulas of " +
                                std::string(what) + ", not " + std::to_string(size));
}

}  // namespace

OdaeFormulas::OdaeFormulas(Graph graph, int positions, int velocities, int multipliers, Formulas formulas)
    : CompiledParts(std::move(graph), parts),
      ny_(positions),
      nz_(velocities),
      m_(multipliers),
      formulas_(std::move(formulas)) {
  require_size(formulas_.velocity, ny_, "the velocity (one for each position)");
  require_size(formulas_.force, nz_, "the force (one for each velocity)");
  require_size(formulas_.reaction, nz_, "the reaction (one for each velocity)");
  require_size(formulas_.constraints, m_, "the constraints (one for each multiplier)");
  require_size(formulas_.invariants, static_cast<int>(formulas_.invariant_names.size()), "invariants (one for a name)");
  require_only(formulas_.velocity, {time, y, z}, "OdaeFormulas: the velocity may contain t, y and z only");
  require_only(formulas_.force, {time, y, z}, "OdaeFormulas: the force may contain t, y and z only");
  require_only(formulas_.reaction, {time, y, z, psi}, "OdaeFormulas: the reaction may contain t, y, z and psi only");
  require_only(formulas_.constraints, {y}, "OdaeFormulas: constraints may contain y only");
  require_only(formulas_.invariants, {time, y, z}, "OdaeFormulas: invariants may contain t, y and z only");
  find_structure();
}

void OdaeFormulas::find_structure() {
  for (const auto* functions : {&formulas_.velocity, &formulas_.force, &formulas_.reaction})
    for (const NodeId f : *functions) structure_.time = structure_.time || graph_.depends_on(f, time);

  std::map<Slot, NodeId> without_multipliers;
  for (int a = 0; a < m_; ++a) without_multipliers[{psi, a}] = graph_.constant(0);
  structure_.linear_reaction = true;
  structure_.velocities_in_reaction = false;
  for (const NodeId r : formulas_.reaction) {
    structure_.velocities_in_reaction = structure_.velocities_in_reaction || graph_.depends_on(r, z);
    const auto degree = graph_.polynomial_degree(r, psi);
    structure_.linear_reaction = structure_.linear_reaction && !graph_.depends_on(r, z) && degree && *degree <= 1 &&
                                 graph_.is_constant(graph_.substitute(r, without_multipliers), 0);
  }
}

std::shared_ptr<const OdaeFormulas> OdaeFormulas::without_constraints(const std::vector<int>& left_out) const {
  Graph all = graph();
  Formulas rest = formulas_;
  std::map<Slot, NodeId> multipliers;
  rest.constraints.clear();
  for (int a = 0; a < m_; ++a) {
    const bool is_out = std::binary_search(left_out.begin(), left_out.end(), a);
    multipliers[{psi, a}] = is_out ? all.constant(0) : all.variable({psi, static_cast<int>(rest.constraints.size())});
    if (!is_out) rest.constraints.push_back(formulas_.constraints[static_cast<std::size_t>(a)]);
  }
  for (NodeId& r : rest.reaction) r = all.substitute(r, multipliers);
  const auto m = static_cast<int>(rest.constraints.size());
  return std::make_shared<const OdaeFormulas>(std::move(all), ny_, nz_, m, std::move(rest));
}

std::vector<NodeId> OdaeFormulas::equations() const {
  std::vector<NodeId> all = formulas_.velocity;
  append(all, formulas_.force), append(all, formulas_.reaction), append(all, formulas_.constraints);
  return all;
}

std::vector<NodeId> OdaeFormulas::outputs(int part) const {
  const auto& [v, f, r, g, I, names] = formulas_;
  switch (part) {
    case velocity:
      return v;
    case velocity_jacobian: {
      auto all = jacobian(graph_, v, y, ny_);
      append(all, jacobian(graph_, v, z, nz_));
      return all;
    }
    case velocity_rate:
      return jacobian(graph_, v, time, 1);
    case velocity_hessian:
      return second_derivatives(graph_, weighted_sum(graph_, v, weight), z, nz_);
    case force:
      return f;
    case force_jacobian: {
      auto all = jacobian(graph_, f, y, ny_);
      append(all, jacobian(graph_, f, z, nz_));
      return all;
    }
    case reaction:
      return r;
    case reaction_jacobian: {
      auto all = jacobian(graph_, r, y, ny_);
      append(all, jacobian(graph_, r, z, nz_));
      append(all, jacobian(graph_, r, psi, m_));
      return all;
    }
    case constraint:
      return g;
    case constraint_jacobian: {
      auto all = g;
      append(all, jacobian(graph_, g, y, ny_));
      return all;
    }
    case constraint_curvature: {
      std::vector<NodeId> all;
      for (const NodeId constraint_formula : g) {
        const NodeId along = weighted_sum(graph_, jacobian(graph_, std::array{constraint_formula}, y, ny_), weight);
        all.push_back(weighted_sum(graph_, jacobian(graph_, std::array{along}, y, ny_), weight));
      }
      return all;
    }
    case constraint_hessian:
      return second_derivatives(graph_, weighted_sum(graph_, g, weight), y, ny_);
    case invariants:
      return I;
  }
  return {};
}

}  // namespace livens
