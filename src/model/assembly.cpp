#include "model/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "livens/math/lu.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "livens/model/lagrangian_start.hpp"
#include "livens/model/redundant.hpp"
#include "livens/multibody/mechanism_formulas.hpp"
#include "livens/multibody/reach.hpp"
#include "livens/sparse/sparse_lu.hpp"
#include "livens/system/rank.hpp"

namespace livens {

using formula::Number;
using multibody::JointType;
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

namespace {

// ---- drives --------------------------------------------------------------------------------------------------------

struct DriveStart {
  std::optional<Number> value, rate;  // none: not finite
};

DriveStart start_of(const multibody::Joint& joint, formula::Graph& graph, const Number& t) {
  const formula::Slot time{LagrangianFormulas::time, 0};
  const std::map<formula::Slot, formula::NodeId> now{{time, graph.constant(t)}};
  const auto at_start = [&](formula::NodeId f) {
    const formula::NodeId x = graph.substitute(f, now);
    return graph.is_constant(x) ? std::optional<Number>(graph.value(x)) : std::nullopt;
  };
  return {at_start(*joint.motion), at_start(graph.gradient(*joint.motion, std::array{time})[0])};
}

// The angle in (-pi, pi] that is the same pose.
double angle_of(const Number& motion) {
  const double turn = 2 * 3.14159265358979323846;
  return std::remainder(to_double(motion), turn);
}

bool turns(const multibody::Joint& joint) {
  return joint.motion && joint.type == JointType::revolute;
}

// ---- poses that fit all joints -------------------------------------------------------------------------------------

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

struct BestPose {
  Vec<double> q;
  bool closes;
  // Why it is no pose to start from; none where only masses so far apart that it is lost in round-off say that.
  std::optional<std::string> fault;
};

// Where the sum of all squares is smallest, near q: Levenberg and Marquardt's method. The fault is the joint that stays
// open most. Where none does, constraints touch there without crossing each other: a loop that closes only fully
// stretched, if they are not rows that follow from others wherever it closes.
BestPose best_pose(const ElementSystem<double>& system, const Mechanism& mechanism, Vec<double> q, double t) {
  constexpr int most = 400;  // coordinates, for matrices in full
  const std::string general = "the mechanism cannot be assembled near the pose given";
  const int n = system.coordinates(), m = system.constraints();
  if (n > most) return {q, false, general + "; correct its lengths or poses"};
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
  const double work = static_cast<double>(n) * n * n;
  const int iterations = static_cast<int>(std::clamp(2e9 / work, 200.0, 20000.0));  // stiff bodies make narrow valleys
  for (int k = 0; k < iterations && damping < 1e12; ++k) {
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
  const std::string owner = mechanism.owner_of_row(row);
  const double opening = mechanism.opening(row, g[worst]);
  if (opening > 1e-9 * (arm > 0 ? arm : 1))
    return {q, false,
            fmt::format("{}; {} stays open by {:.2g} in the best pose found; correct its lengths or poses", general,
                        owner, opening)};
  constexpr double nearly_dependent = 1e-2;  // where constraints touch, the pose is known to half of the digits
  system.constraint_jacobian(t, q, g, G);
  if (dependent_rows(G, nearly_dependent, multibody::units_of_shape(mechanism)).empty()) return {q, true, {}};
  return {
      q, true,
      fmt::format("the mechanism closes in a singular pose only, as a loop does that is just long enough when it is "
                  "stretched flat ({} is open by {:.1e} there): it has no motion that is determined; correct its "
                  "lengths or poses",
                  owner, opening)};
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

struct Pose {
  std::vector<Number> q;
  double move = 0;
};

// The pose nearest to q in the mass norm, sought from `beginning`; throws InputError.
Pose nearest_pose(const Model& model, const Mechanism& mechanism, const formula::Graph& graph, int local,
                  const std::vector<Number>& q, const std::vector<Number>& beginning) {
  using System = ElementSystem<double>;
  // Distances whose length is what it will be have no row yet: rows have no names then.
  bool all_rows = true;
  for (const multibody::Joint& joint : mechanism.joints())
    all_rows = all_rows && !joint.restitution && (joint.type != JointType::distance || joint.length);
  Model loose = model;
  loose.system = std::make_shared<const SystemDescription>(
      mechanism.coordinate_names(), lagrangian_of(mechanism, graph, local, true),
      all_rows ? std::make_shared<const Mechanism>(mechanism) : nullptr);
  loose.initial.q = beginning;
  loose.initial.v.assign(loose.initial.q.size(), Number(0));
  const System whole = loose.system->elements<double>({LinearTarget::lu, make_sparse_lu<double>});
  // Rows that follow from others are those at the beginning.
  std::optional<Pose> pose;
  std::optional<InputError> fault;
  const auto seek = [&](std::vector<Number> from) {
    loose.initial.q = std::move(from);
    const IndependentModel independent = without_redundant(loose);
    const System system = independent.model.system->elements<double>({LinearTarget::lu, make_sparse_lu<double>});
    StartValues<System> start = given_start(independent.model, system);
    start.beginning = start.q;
    for (int i = 0; i < start.q.size(); ++i) start.q[i] = to_double(q[static_cast<std::size_t>(i)]);
    const StartOptions options{.tolerance = model.initial.tolerance, .project = true};
    const auto found = start.make_consistent(false, options);
    const bool is_none = found && found->kind == StartFault::Kind::no_projection;
    if (is_none || (!found && is_open(whole, start, model.initial.tolerance))) return;
    const std::vector<double> at(start.q.begin(), start.q.end()), v(start.v.begin(), start.v.end());
    if (found)
      fault = InputError(describe(independent.model, *found, at, v));
    else
      pose = Pose{{start.q.begin(), start.q.end()}, start.move.q};
  };
  seek(beginning);
  if (!pose && !fault) {
    const BestPose best = best_pose(whole, mechanism, given_start(loose, whole).q, to_double(loose.initial.t));
    // Rows that are independent of each other at the beginning may not be where it closes.
    if (best.closes) seek({best.q.begin(), best.q.end()});
    if (!pose && !fault)
      fault = InputError(best.fault ? model.at("initial.project", *best.fault)
                                    : describe_lost_multipliers(model, mechanism));
  }
  if (fault) throw *fault;
  return *pose;
}

// A pose in which driven joints have turned as far as their motions say at the start, in parts so small that no other
// branch of the equations is nearer.
std::vector<Number> turned_by_drives(const Model& model, Mechanism mechanism, formula::Graph graph, int local) {
  constexpr double most = 0.25;  // of a part
  std::map<int, double> angles;
  double largest = 0;
  for (std::size_t k = 0; k < mechanism.joints().size(); ++k)
    if (const multibody::Joint& joint = mechanism.joints()[k]; turns(joint)) {
      const double angle = angle_of(*start_of(joint, graph, model.initial.t).value);
      angles[static_cast<int>(k)] = angle;
      largest = std::max(largest, std::abs(angle));
    }
  std::vector<Number> q = mechanism.start_positions();
  const int parts = static_cast<int>(std::ceil(largest / most));
  for (int part = 1; part < parts; ++part) {
    for (const auto& [joint, angle] : angles) mechanism.drive(joint, graph.constant(Number(angle) * part / parts));
    q = nearest_pose(model, mechanism, graph, local, q, q).q;
  }
  return q;
}

}  // namespace

void check_drives(const Model& model, const Mechanism& mechanism, const formula::Graph& given) {
  formula::Graph graph = given;
  for (const multibody::Joint& joint : mechanism.joints()) {
    if (!joint.motion) continue;
    const DriveStart start = start_of(joint, graph, model.initial.t);
    const double t = to_double(model.initial.t);
    if (!start.value || !start.rate)
      throw InputError(model.at(joint.key + ".motion",
                                fmt::format("joint '{}': its motion{} is not finite at t = {:.6g}; correct it or "
                                            "initial.t",
                                            joint.name, start.value ? "'s rate" : "", t)));
    if (const double value = to_double(*start.value);
        turns(joint) && !model.initial.project && std::abs(value) > model.initial.tolerance)
      throw InputError(model.at(
          joint.key + ".motion",
          fmt::format("joint '{}': its motion is {:.6g} at t = {:.6g}; it counts from the pose given, so it must be 0 "
                      "there: subtract that, or set initial.project = true, which turns the bodies that far",
                      joint.name, value, t)));
  }
}

void assemble(Model& model, Mechanism& mechanism, const formula::Graph& graph, int local) {
  const std::vector<Number> given = mechanism.start_positions();
  const Pose pose =
      nearest_pose(model, mechanism, graph, local, given, turned_by_drives(model, mechanism, graph, local));
  mechanism.move_to(pose.q);
  model.initial.shift = pose.move;
  formula::Graph values = graph;
  for (const multibody::Joint& joint : mechanism.joints()) {
    if (!turns(joint)) continue;
    const double motion = to_double(*start_of(joint, values, model.initial.t).value),
                 angle = to_double(mechanism.angle_now(joint));
    if (std::abs(angle_of(angle - motion)) > 1e-6)
      throw InputError(model.at(
          joint.key + ".motion",
          fmt::format("joint '{}': its motion is {:.6g} at the start, and the pose that was found has turned it by "
                      "{:.6g}; give bodies a pose nearer to the one that is meant, or a motion that starts at 0",
                      joint.name, motion, angle)));
  }
}

}  // namespace livens
