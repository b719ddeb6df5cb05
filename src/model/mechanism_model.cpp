#include "model/mechanism_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "livens/math/lu.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "livens/model/lagrangian_start.hpp"
#include "livens/model/mechanism_friction.hpp"
#include "livens/multibody/mechanism_formulas.hpp"
#include "livens/sparse/sparse_lu.hpp"
#include "livens/system/kinetics.hpp"
#include "model/assembly.hpp"

namespace livens {

namespace {

using multibody::Mechanism;

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
  check_drives(model, mechanism, graph);
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
