#include "simulation/contact/formulas.hpp"

#include <map>
#include <stdexcept>

#include "livens/math/lu.hpp"

namespace livens {

using formula::Graph;
using formula::NodeId;
using formula::Number;
using formula::Op;
using formula::Slot;

namespace {

std::vector<NodeId> chosen_constraints(Graph& graph, const LagrangianFormulas& given, const std::vector<int>& rows,
                                       const std::vector<HeldCoordinate>& held) {
  std::vector<NodeId> g;
  for (const int row : rows) g.push_back(given.formulas().constraints[static_cast<std::size_t>(row)]);
  for (const HeldCoordinate& h : held)
    g.push_back(graph.sub(graph.variable({LagrangianFormulas::q, h.coordinate}), graph.constant(h.at)));
  return g;
}

// M^-1 of a constant mass matrix.
Mat<Number> inverse_mass(const LagrangianFormulas& given) {
  const int n = given.coordinates();
  const FormulaLagrangian<Number> system(std::shared_ptr<const LagrangianFormulas>(std::shared_ptr<void>(), &given));
  Vec<Number> q(n), v(n), unit(n), column(n);
  Lu<Number> lu(n);
  system.mass(Number(0), q, v, lu.matrix());
  if (!lu.factorise()) throw std::logic_error("the mass matrix was regular at the start");
  Mat<Number> inverse(n, n);
  for (int j = 0; j < n; ++j) {
    unit.fill(Number(0));
    unit[j] = 1;
    lu.solve(unit, column);
    for (int i = 0; i < n; ++i) inverse(i, j) = column[i];
  }
  return inverse;
}

}  // namespace

std::vector<int> coordinates_of(const LagrangianFormulas& formulas, int row) {
  std::vector<int> coordinates;
  const Graph graph = formulas.graph();
  for (const Slot s : graph.variables(formulas.formulas().constraints[static_cast<std::size_t>(row)]))
    if (s.block == LagrangianFormulas::q) coordinates.push_back(s.index);
  return coordinates;
}

std::shared_ptr<const LagrangianFormulas> with_held(const LagrangianFormulas& given, const std::vector<int>& rows,
                                                    const std::vector<HeldCoordinate>& held) {
  Graph graph = given.graph();
  LagrangianFormulas::Formulas formulas = given.formulas();
  formulas.constraints = chosen_constraints(graph, given, rows, held);
  formulas.least_sizes.clear();
  return std::make_shared<const LagrangianFormulas>(std::move(graph), given.coordinates(), std::move(formulas));
}

std::shared_ptr<const OdaeFormulas> with_sliding(const LagrangianFormulas& given, const std::vector<int>& rows,
                                                 const std::vector<HeldCoordinate>& held,
                                                 const std::vector<SlippingContact>& slipping, const Number& friction,
                                                 const Number& exponent) {
  // Blocks of the two kinds of formulas: t and q are where t and y are, v is where z is.
  using L = LagrangianFormulas;
  using F = OdaeFormulas;
  static_assert(int(L::time) == int(F::time) && int(L::q) == int(F::y));
  Graph graph = given.graph();
  const int n = given.coordinates();
  const Mat<Number> inverse = inverse_mass(given);
  F::Formulas formulas;
  std::map<Slot, NodeId> by_z;
  for (int i = 0; i < n; ++i) {
    NodeId v = graph.constant(0);
    for (int j = 0; j < n; ++j)
      if (inverse(i, j) != 0) v = graph.add(v, graph.mul(graph.constant(inverse(i, j)), graph.variable({F::z, j})));
    formulas.velocity.push_back(v);
    by_z[{L::v, i}] = v;
  }
  std::vector<Slot> q;
  for (int i = 0; i < n; ++i) q.push_back({F::y, i});
  for (const NodeId f : graph.gradient(given.formulas().lagrangian, q))
    formulas.force.push_back(graph.substitute(f, by_z));
  for (int i = 0; i < n; ++i)
    formulas.force[static_cast<std::size_t>(i)] =
        graph.add(formulas.force[static_cast<std::size_t>(i)],
                  graph.substitute(given.formulas().forces[static_cast<std::size_t>(i)], by_z));
  formulas.constraints = chosen_constraints(graph, given, rows, held);

  formulas.reaction.assign(static_cast<std::size_t>(n), graph.constant(0));
  for (std::size_t a = 0; a < formulas.constraints.size(); ++a) {
    const std::vector<NodeId> slopes = graph.gradient(formulas.constraints[a], q);
    const NodeId psi = graph.variable({F::psi, static_cast<int>(a)});
    for (int j = 0; j < n; ++j) {
      NodeId& sum = formulas.reaction[static_cast<std::size_t>(j)];
      sum = graph.sub(sum, graph.mul(psi, slopes[static_cast<std::size_t>(j)]));
    }
  }
  int extra = n;
  for (const SlippingContact& contact : slipping) {
    const NodeId g = formulas.constraints[static_cast<std::size_t>(contact.row)];
    std::vector<NodeId> G, d, w;
    NodeId GG = graph.constant(0), Gd = GG, ww = GG;
    for (const int c : contact.coordinates) {
      G.push_back(graph.derivative(g, {F::y, c}));
      d.push_back(graph.variable({F::y, extra++}));
      formulas.velocity.push_back(graph.constant(0));
      GG = graph.add(GG, graph.power(G.back(), 2));
      Gd = graph.add(Gd, graph.mul(G.back(), d.back()));
    }
    for (std::size_t k = 0; k < G.size(); ++k) {
      w.push_back(graph.sub(d[k], graph.mul(G[k], graph.div(Gd, GG))));
      ww = graph.add(ww, graph.power(w.back(), 2));
    }
    const NodeId normal =
        graph.mul(graph.call(Op::abs, graph.variable({F::psi, contact.row})), graph.call(Op::sqrt, GG));
    const NodeId size =
        graph.mul(graph.constant(friction), exponent == 1 ? normal : graph.pow(normal, graph.constant(exponent)));
    const NodeId per_length = graph.div(size, graph.call(Op::sqrt, ww));
    for (std::size_t k = 0; k < w.size(); ++k) {
      NodeId& sum = formulas.reaction[static_cast<std::size_t>(contact.coordinates[k])];
      sum = graph.sub(sum, graph.mul(per_length, w[k]));
    }
  }
  const auto constraints = static_cast<int>(formulas.constraints.size());
  return std::make_shared<const F>(std::move(graph), extra, n, constraints, std::move(formulas));
}

}  // namespace livens
