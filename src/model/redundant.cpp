#include "livens/model/redundant.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "livens/model/element_lagrangian.hpp"
#include "livens/model/lagrangian_start.hpp"
#include "livens/multibody/mechanism.hpp"
#include "livens/sparse/sparse_lu.hpp"

namespace livens {

namespace {

using System = ElementSystem<double>;

System elements(const Model& model) {
  return model.system->elements<double>({LinearTarget::lu, make_sparse_lu<double>});
}

Model without(const Model& given, const std::vector<int>& left_out) {
  Model model = given;
  model.system = given.system->without_constraints(left_out);
  return model;
}

}  // namespace

std::optional<int> not_implied(const Model& model, const std::vector<int>& dependent,
                               const std::vector<double>& given) {
  // Larger than what round-off makes of a constraint that holds, smaller than delta^2 for most of the deltas.
  constexpr double changed = 1e-11;
  constexpr std::array deltas = {1e-2, 1e-3, 1e-4, 1e-5};

  const System all = elements(model);
  const Model kept_model = without(model, dependent);
  const System kept = elements(kept_model);
  Vec<double> q(all.coordinates());
  std::copy(given.begin(), given.end(), q.begin());
  // How far a coordinate goes: as far as others in the mass norm, and no farther than the largest of them.
  const double size = max_norm(q) > 0 ? max_norm(q) : 1;
  Vec<double> unit(q), v(q);
  SparseMat<double> M = all.square();
  for (int i = 0; i < v.size(); ++i)
    v[i] = model.initial.v.empty() ? 0 : to_double(model.initial.v[static_cast<std::size_t>(i)]);
  all.mass(static_cast<double>(model.initial.t), q, v, M);
  double length = 0;
  for (int i = 0; i < q.size(); ++i) {
    double mass = 0;
    for_row(M, i, [&](int, double x) { mass = std::max(mass, std::abs(x)); });
    unit[i] = mass > 0 ? 1 / std::sqrt(mass) : 0;
    if (mass > 0) length = std::max(length, std::abs(q[i]) / unit[i]);
  }
  for (double& x : unit) x = x > 0 && length > 0 ? std::min(x * length, size) : size;

  // The constraints, and the size of their terms, at the point of the kept ones nearest to q + delta. Terms may vanish
  // themselves, as the components of axes that stand on each other: then what a row would change by if coordinates went
  // as far as they go.
  struct Look {
    Vec<double> g, terms;
  };
  const auto look = [&](double delta) -> std::optional<Look> {
    StartValues<System> start(kept);
    start.t = static_cast<double>(model.initial.t);
    for (int i = 0; i < q.size(); ++i) {
      const double share = std::fmod((i + 1) * 0.6180339887498949, 1.0);  // any direction that no symmetry prefers
      start.q[i] = q[i] + delta * unit[i] * (2 * share - 1);
    }
    const Vec<double> beside(start.q);
    if (start.make_consistent(false, {.tolerance = 1, .project = true})) return std::nullopt;
    for (int i = 0; i < q.size(); ++i)  // a point of another branch
      if (std::abs(start.q[i] - beside[i]) > (4 * delta + 1e-6) * unit[i]) return std::nullopt;
    Look found{Vec<double>(all.constraints()), Vec<double>(all.constraints())};
    SparseMat<double> G = all.jacobian();
    all.constraint_jacobian(start.t, start.q, found.g, G);
    all.constraint_size(start.t, start.q, found.terms);
    for (const int d : dependent) {
      double reach = 0;
      for_row(G, d, [&](int i, double x) { reach += std::abs(x) * unit[i]; });
      found.terms[d] = std::max(found.terms[d], reach);
    }
    return found;
  };

  const auto here = look(0);
  if (!here) return std::nullopt;
  for (const double delta : deltas)
    if (const auto there = look(delta)) {
      for (const int d : dependent)
        if (std::abs(there->g[d] - here->g[d]) > changed * there->terms[d]) return d;
      return std::nullopt;
    }
  return std::nullopt;
}

namespace {

// A constraint that holds at the start with those that are kept, and not a little later.
struct Contradiction {
  int row;
  double t, value;
};

// Where constraints depend on t they may agree at the start, and their rates, and still ask for different motions. The
// point of the kept ones nearest to q + tau v at t + tau, for two small times tau: at both the same one is off.
std::optional<Contradiction> contradiction(const Model& model, const std::vector<int>& dependent,
                                           const StartValues<System>& here) {
  constexpr double off = 1e-11;  // as in not_implied
  if (!model.system->structure().time_in_constraints) return std::nullopt;
  const System all = elements(model);
  const Model kept_model = without(model, dependent);
  const System kept = elements(kept_model);
  const auto at = [&](double tau) -> std::optional<Contradiction> {
    StartValues<System> later(kept);
    later.t = here.t + tau;
    for (int i = 0; i < later.q.size(); ++i) later.q[i] = here.q[i] + tau * here.v[i];
    if (later.make_consistent(false, {.tolerance = 1, .project = true})) return std::nullopt;
    Vec<double> g(all.constraints()), terms(g);
    all.constraint(later.t, later.q, g);
    all.constraint_size(later.t, later.q, terms);
    Contradiction worst{-1, later.t, 0};
    double share = off;
    for (const int d : dependent)
      if (std::abs(g[d]) > share * terms[d]) share = std::abs(g[d]) / terms[d], worst.row = d, worst.value = g[d];
    return worst;
  };
  const double length = model.run.given ? std::abs(to_double(model.run.end - model.initial.t)) : 1;
  const double q_size = max_norm(here.q), v_size = max_norm(here.v);
  double tau = 0.01 * (length > 0 ? length : 1);
  if (v_size * tau > 0.03 * q_size) tau = 0.03 * q_size / v_size;
  for (int tries = 0; tries < 4; ++tries, tau /= 4) {
    const auto later = at(tau), sooner = later ? at(tau / 4) : std::nullopt;
    if (!later || !sooner) continue;
    return later->row >= 0 && sooner->row == later->row ? sooner : std::nullopt;
  }
  return std::nullopt;
}

// "; the motions of joints 'a' and 'b' must agree at all times"
std::string motions(const Model& model) {
  std::vector<std::string> names;
  if (model.system->mechanism())
    for (const multibody::Joint& joint : model.system->mechanism()->joints())
      if (joint.motion) names.push_back(fmt::format("'{}'", joint.name));
  if (names.size() < 2) return "; constraints with t must agree at all times";
  return fmt::format("; the motions of joints {} must agree at all times", fmt::join(names, ", "));
}

// The rank of constraints says nothing where they do not hold: then that is told, and not their rank.
void check_position(const Model& model, const System& system, const StartValues<System>& start) {
  if (model.initial.project) return;
  Vec<double> g(system.constraints()), size(g);
  system.constraint(start.t, start.q, g);
  system.constraint_size(start.t, start.q, size);
  int worst = 0;
  for (int a = 1; a < g.size(); ++a)
    if (std::abs(g[a]) * size[worst] > std::abs(g[worst]) * size[a]) worst = a;
  if (std::abs(g[worst]) > model.initial.tolerance * size[worst])
    throw InputError(describe(model, {.kind = StartFault::Kind::position, .index = worst, .value = g[worst]},
                              {start.q.begin(), start.q.end()}, {start.v.begin(), start.v.end()}));
}

}  // namespace

std::vector<int> redundant_constraints(const Model& model) {
  if (model.solver.redundant != "least-norm" || model.system->constraints() == 0) return {};
  const System system = elements(model);
  StartValues<System> start = given_start(model, system);
  const std::vector<int> rows = start.dependent_constraints(model.initial.project);
  if (rows.empty()) return rows;
  if (const auto d = not_implied(model, rows, std::vector<double>(start.q.begin(), start.q.end()))) {
    check_position(model, system, start);
    throw InputError(model.at(
        model.system->constraint_key(*d),
        fmt::format("{} is not redundant: {} is a singular configuration, where it only seems to follow from "
                    "the others; start elsewhere, or remove it if it is not meant",
                    model.system->constraint_name(*d), model.system->mechanism() ? "the start" : "initial.q")));
  }
  if (const auto c = contradiction(model, rows, start))
    throw InputError(model.at(
        model.system->constraint_key(c->row),
        fmt::format(
            "{} contradicts the others: it holds at the start, and where they hold at t = {:.6g} it is {:.1e}{}, "
            "or one of them be left out",
            model.system->constraint_name(c->row), c->t, c->value, motions(model))));
  return rows;
}

IndependentModel without_redundant(const Model& given) {
  std::vector<int> left_out = redundant_constraints(given);
  return {left_out.empty() ? given : without(given, left_out), std::move(left_out)};
}

}  // namespace livens
