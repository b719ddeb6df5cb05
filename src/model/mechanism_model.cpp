#include "model/mechanism_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "livens/math/lu.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "livens/model/lagrangian_start.hpp"
#include "livens/model/mechanism_friction.hpp"
#include "livens/model/redundant.hpp"
#include "livens/multibody/mechanism_formulas.hpp"
#include "livens/sparse/sparse_lu.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

namespace {

using multibody::Mechanism;

std::shared_ptr<const LagrangianFormulas> lagrangian_of(const Mechanism& mechanism, formula::Graph graph, int local,
                                                        bool assembling) {
  using F = LagrangianFormulas;
  multibody::MechanismFormulas from = formulas_of(mechanism, graph, {F::time, F::q, F::v, F::p, local}, assembling);
  F::Formulas formulas;
  formulas.lagrangian = from.lagrangian;
  formulas.constraints = std::move(from.constraints);
  formulas.least_sizes = std::move(from.sizes);
  formulas.forces = std::move(from.forces);
  formulas.invariants = std::move(from.invariants);
  formulas.invariant_names = std::move(from.invariant_names);
  return std::make_shared<const F>(std::move(graph), mechanism.coordinates(), std::move(formulas));
}

// y = q, z = p = M v: the velocities as formulas of z.
std::vector<formula::NodeId> velocities_of(const Mechanism& mechanism, formula::Graph& graph, int z_block) {
  using formula::Number;
  std::vector<formula::NodeId> v(static_cast<std::size_t>(mechanism.coordinates()));
  const int D = mechanism.dimension();
  const auto z = [&](int i) { return graph.variable({z_block, i}); };
  for (const multibody::Body& body : mechanism.bodies()) {
    for (int k = 0; k < D; ++k)
      v[static_cast<std::size_t>(body.first + k)] = graph.mul(graph.constant(1 / body.mass), z(body.first + k));
    const int d = static_cast<int>(body.directors.size());
    Lu<Number> lu(d);
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j)
        lu.matrix()(i, j) =
            body.euler(body.directors[static_cast<std::size_t>(i)], body.directors[static_cast<std::size_t>(j)]);
    lu.factorise();
    for (int j = 0; j < d; ++j) {
      Vec<Number> unit(d), column(d);
      unit.fill(Number(0));
      unit[j] = 1;
      lu.solve(unit, column);
      for (int i = 0; i < d; ++i)
        for (int k = 0; k < D; ++k) {
          formula::NodeId& sum = v[static_cast<std::size_t>(body.first + D * (1 + i) + k)];
          const formula::NodeId term = graph.mul(graph.constant(column[i]), z(body.first + D * (1 + j) + k));
          sum = j == 0 ? term : graph.add(sum, term);
        }
    }
  }
  return v;
}

// A mechanism with friction as an overdetermined system:  y' = M^-1 z ,  z' = L_q + F - G^T psi + friction ,  g = 0 .
std::shared_ptr<const SystemDescription> overdetermined(const Mechanism& given, formula::Graph graph, int local,
                                                        std::shared_ptr<const SystemDescription> smooth) {
  using F = OdaeFormulas;
  using formula::NodeId;
  using formula::Slot;
  const int n = given.coordinates(), v_block = F::blocks + 1, p_block = F::blocks + 2;
  const multibody::Blocks blocks{F::time, F::y, v_block, p_block, local};
  const multibody::MechanismFormulas from = formulas_of(given, graph, blocks);
  std::vector<multibody::JointFriction> friction = friction_of(given, graph, blocks, F::psi, from.constraints);

  F::Formulas formulas;
  formulas.velocity = velocities_of(given, graph, F::z);
  formulas.constraints = from.constraints;
  std::map<Slot, NodeId> by_z;
  for (int i = 0; i < n; ++i) {
    by_z[{v_block, i}] = formulas.velocity[static_cast<std::size_t>(i)];
    by_z[{p_block, i}] = graph.variable({F::z, i});
  }
  std::vector<Slot> q;
  for (int i = 0; i < n; ++i) q.push_back({F::y, i});
  formulas.force = graph.gradient(from.lagrangian, q);
  for (std::size_t i = 0; i < from.forces.size(); ++i)
    formulas.force[i] = graph.add(formulas.force[i], graph.substitute(from.forces[i], by_z));
  formulas.reaction.assign(static_cast<std::size_t>(n), graph.constant(0));
  for (std::size_t a = 0; a < from.constraints.size(); ++a) {
    const std::vector<Slot> own = graph.variables(from.constraints[a]);
    const std::vector<NodeId> slopes = graph.gradient(from.constraints[a], own);
    for (std::size_t k = 0; k < own.size(); ++k) {
      NodeId& sum = formulas.reaction[static_cast<std::size_t>(own[k].index)];
      sum = graph.sub(sum, graph.mul(graph.variable({F::psi, static_cast<int>(a)}), slopes[k]));
    }
  }
  auto parts = std::make_shared<MechanismFriction>();
  parts->smooth = std::move(smooth);
  std::vector<NodeId> outputs;
  for (multibody::JointFriction& f : friction) {
    MechanismFriction::Part part{f.joint, static_cast<int>(f.load.size()), static_cast<int>(f.rates.size()), {}};
    for (const NodeId load : f.load) outputs.push_back(graph.substitute(load, by_z));
    for (const NodeId rate : f.rates) outputs.push_back(graph.substitute(rate, by_z));
    for (const auto& [i, force] : f.force) {
      const NodeId placed = graph.substitute(force, by_z);
      NodeId& sum = formulas.reaction[static_cast<std::size_t>(i)];
      sum = graph.add(sum, placed);
      outputs.push_back(placed);
      part.coordinates.push_back(i);
    }
    parts->parts.push_back(std::move(part));
  }
  parts->program = std::make_shared<const formula::Program>(formula::compile(graph, outputs));
  for (const NodeId invariant : from.invariants) formulas.invariants.push_back(graph.substitute(invariant, by_z));
  formulas.invariant_names = from.invariant_names;
  auto odae = std::make_shared<const F>(std::move(graph), n, n, given.constraints(), std::move(formulas));
  return std::make_shared<const SystemDescription>(given.coordinate_names(), std::move(odae),
                                                   std::make_shared<const Mechanism>(given), std::move(parts));
}

// The rows of a mechanism without the distances whose length is what it will be.
std::vector<int> rows_of_assembly(const Mechanism& mechanism) {
  std::vector<int> rows;
  for (int row = 0; row < mechanism.internal_rows(); ++row) rows.push_back(row);
  for (const multibody::Joint& joint : mechanism.joints())
    for (int k = 0; k < joint.rows; ++k)
      if (!joint.restitution && (joint.type != multibody::JointType::distance || joint.length))
        rows.push_back(mechanism.internal_rows() + joint.first_row + k);
  return rows;
}

// The joint that stays open most where the sum of all squares is smallest, near q: Levenberg and Marquardt's method.
std::string open_joint(const ElementSystem<double>& system, const Mechanism& mechanism, Vec<double> q, double t) {
  constexpr int most = 400;  // coordinates, for matrices in full
  const int n = system.coordinates(), m = system.constraints();
  if (n > most) return "";
  // Rows in lengths and angles, not in squares of lengths; bodies stay stiff beside joints.
  const std::vector<int> rows = rows_of_assembly(mechanism);
  double arm = 0;
  for (const multibody::Joint& joint : mechanism.joints())
    for (const multibody::Frame& frame : joint.frames) arm = std::max(arm, to_double(multibody::length(frame.point)));
  const double stiff = 100 * (arm > 0 ? arm : 1);
  Vec<double> weight(m);
  for (int a = 0; a < m; ++a)
    weight[a] = a < mechanism.internal_rows() ? stiff : mechanism.opening_slope(rows[static_cast<std::size_t>(a)]);
  SparseMat<double> G = system.jacobian();
  Vec<double> g(m), down(n), change(n), tried(n);
  const auto square = [&](const Vec<double>& x) {
    system.constraint(t, x, g);
    double sum = 0;
    for (int a = 0; a < m; ++a) sum += weight[a] * weight[a] * g[a] * g[a];
    return sum;
  };
  double best = square(q), damping = 1e-3;
  for (int k = 0; k < 200 && damping < 1e12; ++k) {
    system.constraint_jacobian(t, q, g, G);
    Lu<double> lu(n);
    lu.matrix().fill(0);
    for (int a = 0; a < m; ++a) {
      const double w = weight[a] * weight[a];
      g[a] *= w;
      for_row(G, a, [&](int i, const double& x) {
        for_row(G, a, [&](int j, const double& y) { lu.matrix()(i, j) += w * x * y; });
      });
    }
    multiply_transposed(G, g, down);
    for (int i = 0; i < n; ++i) lu.matrix()(i, i) += damping;
    if (!lu.factorise()) break;
    lu.solve(down, change);
    for (int i = 0; i < n; ++i) tried[i] = q[i] - change[i];
    const double next = square(tried);
    if (next < best) {
      const bool settled = best - next < 1e-12 * best;
      q = tried, best = next, damping /= 4;
      if (settled) break;
    } else {
      damping *= 8;
    }
  }
  system.constraint(t, q, g);
  int worst = 0;
  for (int a = 0; a < m; ++a)
    if (mechanism.opening(rows[static_cast<std::size_t>(a)], g[a]) >
        mechanism.opening(rows[static_cast<std::size_t>(worst)], g[worst]))
      worst = a;
  const int row = rows[static_cast<std::size_t>(worst)];
  return fmt::format("; {} stays open by {:.2g} in the best pose found", mechanism.owner_of_row(row),
                     mechanism.opening(row, g[worst]));
}

// Whether a constraint does not hold, those that seemed to follow from others among them.
bool is_open(const ElementSystem<double>& all, const StartValues<ElementSystem<double>>& start, double tolerance) {
  Vec<double> g(all.constraints()), size(g);
  all.constraint(start.t, start.q, g);
  all.constraint_size(start.t, start.q, size);
  for (int a = 0; a < g.size(); ++a)
    if (!(std::abs(g[a]) <= tolerance * size[a])) return true;
  return false;
}

// The nearest pose in the mass norm that all joints fit, or words about the joint that stays open.
void assemble(Model& model, Mechanism& mechanism, const formula::Graph& graph, int local) {
  using System = ElementSystem<double>;
  // Distances whose length is what it will be have no row yet: rows have no names then.
  bool all_rows = true;
  for (const multibody::Joint& joint : mechanism.joints())
    all_rows = all_rows && !joint.restitution && (joint.type != multibody::JointType::distance || joint.length);
  Model loose = model;
  loose.system = std::make_shared<const SystemDescription>(
      mechanism.coordinate_names(), lagrangian_of(mechanism, graph, local, true),
      all_rows ? std::make_shared<const Mechanism>(mechanism) : nullptr);
  loose.initial.q = mechanism.start_positions();
  loose.initial.v.assign(loose.initial.q.size(), formula::Number(0));
  const System whole = loose.system->elements<double>({LinearTarget::lu, make_sparse_lu<double>});
  const IndependentModel independent = without_redundant(loose);
  const System system = independent.model.system->elements<double>({LinearTarget::lu, make_sparse_lu<double>});
  StartValues<System> start = given_start(independent.model, system);
  const StartOptions options{.tolerance = model.initial.tolerance, .project = true};
  const auto fault = start.make_consistent(false, options);
  if ((fault && fault->kind == StartFault::Kind::no_projection) ||
      (!fault && is_open(whole, start, model.initial.tolerance)))
    throw InputError(
        model.at("initial.project", "the mechanism cannot be assembled near the pose given" +
                                        open_joint(whole, mechanism, given_start(loose, whole).q, to_double(start.t)) +
                                        "; correct its lengths or poses"));
  if (fault) {
    const std::vector<double> q(start.q.begin(), start.q.end()), v(start.v.begin(), start.v.end());
    throw InputError(describe(independent.model, *fault, q, v));
  }
  mechanism.move_to({start.q.begin(), start.q.end()});
  model.initial.shift = start.move.q;
}

// Rows that hold for a direction hold for the opposite one: where that is not meant, the joint is refused.
void check_directions(const Model& model, const Mechanism& mechanism) {
  using multibody::JointType;
  for (const multibody::Joint& joint : mechanism.joints()) {
    const auto opposite = [&](multibody::Vector multibody::Frame::*u) {
      return dot(mechanism.direction_now(joint.bodies[0], joint.frames[0].*u),
                 mechanism.direction_now(joint.bodies[1], joint.frames[1].*u)) < 0;
    };
    const bool stiff = joint.type == JointType::fixed || joint.type == JointType::prismatic;
    const bool hinge = !mechanism.plane() && (joint.type == JointType::revolute ||
                                              joint.type == JointType::cylindrical || joint.type == JointType::planar);
    const bool axis = (stiff || (hinge && model.initial.project)) && opposite(&multibody::Frame::axis);
    const bool across = stiff && !mechanism.plane() && opposite(&multibody::Frame::a);
    if (axis || across)
      throw InputError(model.at(
          joint.key,
          fmt::format("joint '{}': its {} point in opposite directions{}, or reverse one of them", joint.name,
                      axis ? "axes" : "directions across",
                      model.initial.project ? " in the pose that was found; give a pose nearer to the one that is "
                                              "meant, within about one radian"
                                            : "; turn one of the bodies")));
  }
}

// Where a joint does not move at the start its friction has no direction.
void check_sliding(const Model& model, const Mechanism& mechanism, const StartValues<ElementSystem<double>>& start) {
  const MechanismFriction& friction = *model.system->friction();
  const double slow = MechanismFriction::slow_beside(start.v);
  std::vector<double> y, z, psi, now(friction.program->outputs.size());
  for (const auto& x : model.initial.q) y.push_back(to_double(x));
  for (const auto& x : model.initial.z) z.push_back(to_double(x));
  for (const auto& x : model.initial.psi) psi.push_back(to_double(x));
  const double t = to_double(model.initial.t);
  const double* const blocks[OdaeFormulas::blocks] = {&t, y.data(), z.data(), psi.data(), nullptr};
  formula::Evaluator<double>(friction.program)(blocks, now.data());
  std::size_t k = 0;
  for (const MechanismFriction::Part& part : friction.parts) {
    double fastest = 0;
    for (int i = 0; i < part.rates; ++i)
      fastest = std::max(fastest, std::abs(now[k + static_cast<std::size_t>(part.loads + i)]));
    const multibody::Joint& joint = mechanism.joints()[static_cast<std::size_t>(part.joint)];
    if (!(fastest > slow))
      throw InputError(
          model.at(joint.key + ".friction",
                   fmt::format("joint '{}' is at rest at the start, where its friction has no direction; "
                               "give the bodies rates that move it, or leave friction out if it cannot move",
                               joint.name)));
    k += static_cast<std::size_t>(part.loads + part.rates) + part.coordinates.size();
  }
}

// The start of the system without friction gives momenta and a first guess of the multipliers.
void add_friction(Model& model, const Mechanism& mechanism, const formula::Graph& graph, int local) {
  for (const multibody::Joint& joint : mechanism.joints())
    if (joint.motion)
      throw InputError(
          model.at(joint.key + ".motion", fmt::format("joint '{}' has a motion, and there is friction: "
                                                      "models with friction have no constraints of t; leave "
                                                      "one out",
                                                      joint.name)));
  if (model.has_contact())
    throw InputError(model.at(model.contact.one_sided.front().key,
                              fmt::format("joint '{}' is one-sided, and there is friction in joints: models have one "
                                          "or the other; leave one out",
                                          model.contact.one_sided.front().joint)));
  model.solver.redundant = "error";  // what carries a load that others could carry is not determined
  const Model smooth = model;
  using System = ElementSystem<double>;
  const System system = smooth.system->elements<double>({LinearTarget::lu, make_sparse_lu<double>});
  const StartValues<System> start = consistent_start(smooth, system);
  Kinetics<System> kinetics(system);
  kinetics.start(start.t, start.q, start.v);
  Vec<double> lambda(system.constraints());
  kinetics.multiplier(start.t, start.q, start.v, lambda);
  model.initial.psi.assign(lambda.begin(), lambda.end());
  if (model.initial.project) {  // in the mass norm, which the start of overdetermined systems does not know
    model.initial.q.assign(start.q.begin(), start.q.end());
    model.initial.v.assign(start.v.begin(), start.v.end());
    model.initial.shift = std::max(model.initial.shift, start.move.q);
  }

  const FormulaLagrangian<formula::Number> wide(model.system->lagrangian());
  Vec<formula::Number> q(wide.coordinates()), v(q), Lq(q), p(q);
  std::copy(model.initial.q.begin(), model.initial.q.end(), q.begin());
  std::copy(model.initial.v.begin(), model.initial.v.end(), v.begin());
  wide.gradient(model.initial.t, q, v, Lq, p);
  model.initial.z.assign(p.begin(), p.end());
  model.initial.v.clear();
  model.system = overdetermined(mechanism, graph, local, model.system);
  check_sliding(model, mechanism, start);
}

}  // namespace

void describe_mechanism(Model& model, Mechanism mechanism, formula::Graph graph, int local) {
  if (model.initial.project) assemble(model, mechanism, graph, local);
  try {
    mechanism.settle();
  } catch (const multibody::StatementError& error) {
    throw InputError(model.at(error.key, error.what()));
  }
  check_directions(model, mechanism);
  model.initial.q = mechanism.start_positions();
  model.initial.v = mechanism.start_velocities();
  model.system = std::make_shared<const SystemDescription>(mechanism.coordinate_names(),
                                                           lagrangian_of(mechanism, graph, local, false),
                                                           std::make_shared<const Mechanism>(mechanism));
  if (mechanism.has_friction()) add_friction(model, mechanism, graph, local);
}

}  // namespace livens
