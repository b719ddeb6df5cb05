#include "livens/simulation/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/model/element_lagrangian.hpp"
#include "livens/model/redundant.hpp"
#include "livens/multibody/mechanism.hpp"
#include "livens/multibody/reach.hpp"
#include "livens/system/degenerate.hpp"
#include "livens/system/rank.hpp"
#include "simulation/angle_watch.hpp"
#include "simulation/fastest_oscillation.hpp"
#include "simulation/loss_of_rank.hpp"
#include "simulation/turn_in_step.hpp"

namespace livens {

namespace {

bool is_known(const Place& x) {
  const auto finite = [](const std::vector<double>& numbers) {
    return !numbers.empty() && std::all_of(numbers.begin(), numbers.end(), [](double y) { return std::isfinite(y); });
  };
  return finite(x.q) && finite(x.v) && finite(x.p);
}

// A part of the formulas of a system, and the key that it comes from.
struct Part {
  int part;
  std::string_view key;
  bool evaluated = true;  // by the methods, on a system of this structure
};

// The first formula that is not finite, in words; empty if all are. Formulas before their derivatives: what a user
// wrote says more.
template <class Formulas>
std::string first_not_finite(const Formulas& system, const std::vector<Part>& parts, const double* const* blocks) {
  for (const Part& p : parts) {
    if (!p.evaluated) continue;
    if (const std::string reason = system.explain(p.part, blocks); !reason.empty())
      return fmt::format("{}: {}", p.key, reason);
  }
  for (std::size_t k = 0; k < system.invariant_names().size(); ++k)
    if (const std::string reason = system.explain(Formulas::invariants, static_cast<int>(k), blocks); !reason.empty())
      return fmt::format("system.invariants.{}: {}", system.invariant_names()[k], reason);
  return "";
}

std::string not_finite_at(const Model& model, const Place& x) {
  switch (model.system->kind()) {
    case SystemKind::lagrangian: {
      using F = LagrangianFormulas;
      const Structure& structure = model.system->structure();
      const bool small = !model.system->is_large();  // for matrices in full
      const double* const blocks[F::blocks] = {&x.t, x.q.data(), x.v.data(), x.p.data(), nullptr};
      return first_not_finite(*model.system->lagrangian(),
                              {{F::value, "system.lagrangian"},
                               {F::force, "system.forces"},
                               {F::constraint, "system.constraints"},
                               {F::gradient, "system.lagrangian"},
                               {F::hessian, "system.lagrangian", small && !structure.constant_mass},
                               {F::force_velocity, "system.forces", small && structure.velocity_in_forces},
                               {F::constraint_jacobian, "system.constraints", small},
                               {F::constraint_rate, "system.constraints"},
                               {F::constraint_curvature, "system.constraints"}},
                              blocks);
    }
    case SystemKind::degenerate: {
      using F = DegenerateFormulas;
      const double* const blocks[F::blocks] = {x.q.data(), x.p.data(), nullptr};
      return first_not_finite(*model.system->degenerate(),
                              {{F::theta, "system.theta"},
                               {F::hamiltonian, "system.hamiltonian"},
                               {F::theta_jacobian, "system.theta"},
                               {F::hamiltonian_gradient, "system.hamiltonian"}},
                              blocks);
    }
    case SystemKind::odae: {
      using F = OdaeFormulas;
      const double* const blocks[F::blocks] = {&x.t, x.q.data(), x.p.data(), nullptr, nullptr};
      return first_not_finite(*model.system->odae(),
                              {{F::velocity, "system.velocity"},
                               {F::force, "system.force"},
                               {F::constraint, "system.constraints"},
                               {F::velocity_jacobian, "system.velocity"},
                               {F::force_jacobian, "system.force"}},
                              blocks);
    }
  }
  return "";
}

// Methods evaluate at the start, at the start with the velocity of the step, and at its end.
std::string not_finite_formula(const Model& model, const Attempt& attempt) {
  Place between = attempt.from;
  between.v = attempt.to.v;
  for (const Place* place : std::initializer_list<const Place*>{&attempt.from, &between, &attempt.to}) {
    if (!is_known(*place)) continue;
    if (const std::string found = not_finite_at(model, *place); !found.empty())
      return fmt::format("; at t = {:.10g} in {}", place->t, found);
  }
  return "";
}

// A constraint of which less than this part is outside the span of the others makes a poor matrix of a step.
constexpr double nearly_dependent = 1e-3;

struct Dependence {
  std::string words;       // empty: none
  bool by_masses = false;  // in the mass norm alone, beside a body that is very light
};

// The constraints that depend, or nearly depend, on others where a step was tried.
Dependence dependent_constraints(const Model& given, const Attempt& attempt) {
  if (given.system->kind() != SystemKind::lagrangian || given.system->constraints() == 0) return {};
  if (given.has_contact()) return {};  // open ones are not there
  const IndependentModel independent = without_redundant(given);
  const ElementSystem<double> system = independent.model.system->elements<double>();
  SparseMat<double> G = system.jacobian();
  Vec<double> q(system.coordinates()), g(system.constraints()), size(g);
  SparseMat<double> M = system.square();
  const auto masses = [&](double t) {
    Vec<double> v(q);
    for (int i = 0; i < v.size(); ++i) v[i] = attempt.from.v.empty() ? 0 : attempt.from.v[static_cast<std::size_t>(i)];
    system.mass(t, q, v, M);
    return mass_units(M);
  };
  // Where the velocity leads in the step, and where it came from in the last two: it may pass, or have passed, beside a
  // singular configuration, and a step after it starts from poor multipliers.
  const int parts = given.system->is_large() ? 4 : 32;
  std::vector<Place> on_the_way;
  for (int part = parts; part >= -2 * parts && is_known(attempt.from); --part) {
    const double h = to_double(given.run.step) * part / parts;
    if (part == 0 || attempt.from.t + h < to_double(given.initial.t)) continue;
    on_the_way.push_back(attempt.from);
    on_the_way.back().t += h;
    for (std::size_t i = 0; i < attempt.from.q.size(); ++i) on_the_way.back().q[i] += h * attempt.from.v[i];
  }
  std::vector<const Place*> places{&attempt.to, &attempt.from};
  for (const Place& place : on_the_way) places.push_back(&place);
  const auto mechanism = given.system->mechanism();
  const ColumnUnits shapes = mechanism ? multibody::units_of_shape(*mechanism) : ColumnUnits{};
  constexpr double less_sharply = 16;  // other units of the same rows
  bool by_masses = false;
  for (const double tolerance : {dependence_tolerance<double>(), nearly_dependent})
    for (const Place* place : places) {
      if (!is_known(*place)) continue;
      for (int i = 0; i < q.size(); ++i) q[i] = place->q[static_cast<std::size_t>(i)];
      system.constraint_jacobian(place->t, q, g, G);
      system.constraint_size(place->t, q, size);
      bool holds = true;  // nearly: where an iteration has gone far astray the rank says nothing
      for (int a = 0; a < g.size(); ++a) holds = holds && std::abs(g[a]) <= 0.1 * size[a];
      if (!holds) continue;
      std::vector<int> rows = dependent_rows(G, tolerance, masses(place->t));
      if (rows.empty()) continue;
      if (dependent_rows(G, less_sharply * tolerance, shapes).empty()) {
        by_masses = true;
        continue;
      }
      for (int& row : rows)  // as the model numbers them
        for (const int left_out : independent.left_out) row += left_out <= row ? 1 : 0;
      return {fmt::format("; near t = {:.10g} {} {}{} on others", place->t, given.system->constraint_list(rows),
                          tolerance == nearly_dependent ? "nearly " : "", rows.size() == 1 ? "depends" : "depend")};
    }
  return {"", by_masses};
}

// Where the two-form of a degenerate system has no inverse and a step was tried, in words; empty if it has one.
std::string singular_form(const Model& model, const Attempt& attempt) {
  const FormulaDegenerate<double> system(model.system->degenerate());
  Vec<double> q(system.coordinates()), theta(q);
  Mat<double> J = system.square(), Om = J;
  for (const Place* place : {&attempt.to, &attempt.from}) {
    if (!is_known(*place)) continue;
    std::copy(place->q.begin(), place->q.end(), q.begin());
    system.theta_jacobian(q, theta, J);
    symplectic_matrix(J, Om);
    if (!dependent_rows(Om, nearly_dependent).empty())
      return fmt::format(
          "; near t = {:.10g} the matrix d_i theta_j - d_j theta_i is singular, or nearly so: the "
          "velocities are not determined there",
          place->t);
  }
  return "";
}

// Which constraint that was left out does not hold in the new state, in words.
std::string not_redundant_constraint(const Model& given, const Attempt& attempt) {
  const ElementSystem<double> system = given.system->elements<double>();
  Vec<double> q(system.coordinates()), g(system.constraints()), size(g);
  for (int i = 0; i < q.size(); ++i) q[i] = attempt.to.q[static_cast<std::size_t>(i)];
  system.constraint(attempt.to.t, q, g);
  system.constraint_size(attempt.to.t, q, size);
  const std::vector<int> left_out = redundant_constraints(given);
  const int worst = *std::max_element(left_out.begin(), left_out.end(), [&](int a, int b) {
    return std::abs(g[a]) * size[b] < std::abs(g[b]) * size[a];
  });
  return fmt::format("{}, left out as redundant, is {:.1e} there, not 0", given.system->constraint_name(worst),
                     g[worst]);
}

// Why the multipliers of an overdetermined system are lost, and what to do; empty if it is not known.
std::string lost_multipliers(const Model& model, const StepReport& failure, const Attempt& attempt) {
  const bool no_solution = failure.outcome == Outcome::other_root || failure.outcome == Outcome::stalled;
  if (model.system->kind() != SystemKind::odae || !no_solution || !is_known(attempt.from)) return "";
  const auto largest = [](const std::vector<double>& x) {
    double size = 0;
    for (const double y : x) size = std::max(size, std::abs(y));
    return size;
  };
  const double h = std::abs(static_cast<double>(model.run.step)), y = largest(attempt.from.q),
               v = largest(attempt.from.v);
  // Multipliers move a curved path by (h v)^2/|y| in a step, which must stand above the round-off of y.
  if (model.run.precision == Precision::double_ && h * v < 1e-7 * y)
    return "the step is so small that multipliers drown in round-off: take a larger one, or precision = \"extended\"";
  if (model.system->odae()->structure().velocities_in_reaction)
    return fmt::format(
        "{}; friction that brings a motion to rest has no solution from there on: end the run before, or "
        "make the law smooth at rest",
        advice(failure.outcome, failure.part));
  return "";
}

double round_off(const Model& model) {
  switch (model.run.precision) {
    case Precision::double_:
      return epsilon<double>();
    case Precision::extended:
      return to_double(epsilon<long double>());
    case Precision::quad:
      return to_double(epsilon<Widest>());
  }
  return 0;
}

// Why a step has no solution that is found, and what to do; empty if it is not known.
struct Reason {
  std::string words, remedy;
};

// A step that is too long for the fastest oscillation, or in which a body turns far: what asks for the smaller step.
Reason too_long(const Model& model, const Attempt& attempt) {
  const double h = std::abs(to_double(model.run.step));
  const auto found = fastest_oscillation(model, attempt.from);
  const auto turn = turn_in_step(model, attempt.from, h);
  const bool oscillates = found && h * found->omega > 0.8;  // ggl has no solution beyond 1, rattle none beyond 2
  const bool turns = turn && turn->angle > 0.25;            // ggl: 1/2, and accelerations count twice
  if (turns && !(oscillates && 0.5 / found->omega <= turn->step))
    return {fmt::format("; at the rates and accelerations there body '{}' turns by {:.2g} rad in the step", turn->body,
                        turn->angle),
            fmt::format("take a step below {:.1e}, in which it turns by 1/10", turn->step)};
  if (!oscillates) return {};
  return {fmt::format("; the step is long beside the fastest oscillation there, omega = {:.3g} (most of it in {}): h "
                      "omega = {:.2g}",
                      found->omega, found->part, h * found->omega),
          fmt::format("take a step below {:.1e}, where h omega is 1/2", 0.5 / found->omega)};
}

// A body so small beside its distance from the origin that round-off of positions turns it.
Reason lost_body(const Model& model, const Attempt& attempt) {
  constexpr double resolved = 1e-6;  // of that distance
  if (!model.system->mechanism()) return {};
  const multibody::Mechanism& mechanism = *model.system->mechanism();
  const std::vector<double> reach = multibody::reach_of_bodies(mechanism);
  for (std::size_t b = 0; b < reach.size(); ++b) {
    double distance = 0;
    for (int k = 0; k < mechanism.dimension(); ++k)
      distance =
          std::max(distance, std::abs(attempt.from.q[static_cast<std::size_t>(mechanism.bodies()[b].first + k)]));
    if (reach[b] < resolved * distance)
      return {fmt::format("; body '{}' reaches {:.1e} from its centre and is {:.1e} away from the origin: round-off "
                          "of positions turns it by {:.0e}",
                          mechanism.bodies()[b].name, reach[b], distance, round_off(model) * distance / reach[b]),
              "make it larger, place the origin near it, or leave it out and connect its neighbours"};
  }
  return {};
}

// ggl: a few steps before and after constraints lose rank some steps have no solution, or a poor one (docs/methods).
Reason ggl_beside_singular(const Model& given, const Attempt& attempt) {
  constexpr int ahead = 12, behind = 8;  // measured: four-bar 5.8 and 1.8, bars on three legs up to 8.6 and 5.7
  const bool lagrangian = given.system->kind() == SystemKind::lagrangian && !given.has_contact();
  if (given.method.name != "ggl" || !lagrangian || !is_known(attempt.from)) return {};
  const IndependentModel independent = without_redundant(given);
  const double h = to_double(given.run.step);
  const auto found = loss_of_rank(independent.model, attempt.from, h, ahead, behind);
  if (!found) return {};
  const bool comes = found->steps > 0;
  return {fmt::format(
              "; about {:.1f} steps {}, near t = {:.4g}, {} {} on others, and a few steps before and after that some "
              "steps of ggl have no solution",
              std::abs(found->steps), comes ? "ahead" : "back", attempt.from.t + found->steps * h,
              independent.model.system->constraint_name(found->constraint), comes ? "will depend" : "depended"),
          "take a shorter or slightly different step, or rattle or galerkin, which have none of these"};
}

// A light body between heavy ones swings fast, and its multipliers lose digits.
Reason light_body(const Model& model) {
  const auto apart = model.system->mechanism() ? multibody::disparity_of_masses(*model.system->mechanism())
                                               : std::optional<multibody::Disparity>{};
  return {apart ? "; " + apart->words + ": with masses so far apart multipliers are poorly determined"
                : "; masses are so far apart that multipliers are poorly determined",
          "take a wider run.precision, a shorter step, or masses that differ less; a link without mass is a distance"};
}

Reason no_solution(const Model& model, const StepReport& failure, const Attempt& attempt) {
  if (failure.outcome != Outcome::other_root && failure.outcome != Outcome::stalled &&
      failure.outcome != Outcome::singular_jacobian)
    return {};
  if (!is_known(attempt.from)) return {};
  const Reason lost = lost_body(model, attempt), longer = too_long(model, attempt);
  return {lost.words + longer.words,
          lost.remedy + (lost.remedy.empty() || longer.remedy.empty() ? "" : "; and ") + longer.remedy};
}

std::string how_it_ended(const StepReport& failure) {
  if (failure.part != StepPart::equations) return fmt::format("{}: {}", name(failure.part), name(failure.outcome));
  std::string figures;
  const int first = std::min(failure.iterations, StepReport::history_size);
  // A method may keep no history; a step whose residuals are 0 does not fail.
  if (std::any_of(failure.history.begin(), failure.history.begin() + first, [](double r) { return r != 0; }))
    for (int k = 0; k < first; ++k)
      figures += fmt::format("{}{:.1e}", k ? ", " : "residuals ", failure.history[static_cast<std::size_t>(k)]);
  if (!figures.empty() && failure.iterations > StepReport::history_size) figures += ", ..";
  if (failure.outcome == Outcome::stalled && failure.contraction > 0)
    figures +=
        fmt::format("{}the last corrections contract by {:.2g}", figures.empty() ? "" : "; ", failure.contraction);
  return fmt::format("{} after {} iteration{}{}", name(failure.outcome), failure.iterations,
                     failure.iterations == 1 ? "" : "s", figures.empty() ? "" : " (" + figures + ")");
}

// A motion may ask for what the mechanism cannot do.
std::string driven_joints(const Model& model) {
  if (!model.system->mechanism()) return "";
  std::string names;
  int count = 0;
  for (const multibody::Joint& joint : model.system->mechanism()->joints())
    if (joint.motion) names += fmt::format("{}'{}'", count++ > 0 ? ", " : "", joint.name);
  if (count == 0) return "";
  return fmt::format("; look whether the mechanism can follow the motion of {} {} there",
                     count == 1 ? "joint" : "joints", names);
}

}  // namespace

std::string describe_failure(const Model& model, const StepReport& failure, const Attempt& attempt, long long step) {
  const Reason singular_of_ggl = ggl_beside_singular(model, attempt);
  if (failure.outcome == Outcome::not_redundant)
    return fmt::format("step {} from t = {:.10g} leads off a constraint: {}{}{}; {}", step, attempt.from.t,
                       not_redundant_constraint(model, attempt), singular_of_ggl.words, driven_joints(model),
                       singular_of_ggl.remedy.empty() ? advice(failure.outcome, failure.part)
                                                      : std::string_view(singular_of_ggl.remedy));
  if (failure.outcome == Outcome::angle_passed)
    return fmt::format("step {} from t = {:.10g}: {}; {}", step, attempt.from.t,
                       joint_turned_over(*model.system->mechanism(), attempt.from.q, attempt.to.q),
                       advice(failure.outcome, failure.part));
  if (failure.outcome == Outcome::at_rest || failure.outcome == Outcome::unloaded ||
      failure.outcome == Outcome::off_motion || failure.outcome == Outcome::contact_undecided ||
      failure.outcome == Outcome::several_impacts || failure.outcome == Outcome::too_many_events)
    return fmt::format("step {} from t = {:.10g}: {}; {}", step, attempt.from.t, name(failure.outcome),
                       advice(failure.outcome, failure.part));
  const bool a_formula = failure.outcome == Outcome::left_domain || failure.outcome == Outcome::not_finite;
  const bool degenerate = model.system->kind() == SystemKind::degenerate;
  // Formulas of places that iterations have led far astray say nothing.
  Dependence dependence;
  if (singular_of_ggl.words.empty() && !a_formula && !degenerate) dependence = dependent_constraints(model, attempt);
  std::string where = !singular_of_ggl.words.empty() ? ""
                      : a_formula                    ? not_finite_formula(model, attempt)
                      : degenerate                   ? singular_form(model, attempt)
                                                     : dependence.words;
  // Beside a singular configuration large multipliers make any oscillation fast.
  Reason reason = !singular_of_ggl.words.empty() ? singular_of_ggl
                  : where.empty()                ? no_solution(model, failure, attempt)
                                                 : Reason{};
  if (dependence.by_masses && reason.words.empty()) reason = light_body(model);
  const bool singular = (failure.outcome == Outcome::stalled || failure.outcome == Outcome::other_root) && !a_formula &&
                        !degenerate && !where.empty();
  where += reason.words;
  const std::string lost = lost_multipliers(model, failure, attempt);
  const std::string beside_singular = fmt::format(
      "beside such a configuration multipliers are poorly determined: take another step, so that no node falls near "
      "it, {}or start elsewhere",
      model.method.name == "galerkin" ? "" : "or another method, such as galerkin, ");
  const std::string_view remedy = !lost.empty()            ? std::string_view(lost)
                                  : !reason.remedy.empty() ? std::string_view(reason.remedy)
                                  : singular               ? std::string_view(beside_singular)
                                  : degenerate && failure.outcome == Outcome::singular_jacobian
                                      ? "take another tableau or projection, or halve the step"
                                      : advice(failure.outcome, failure.part);
  return fmt::format("step {} from t = {:.10g} could not be solved: {}{}{}; {}", step, attempt.from.t,
                     how_it_ended(failure), where, driven_joints(model), remedy);
}

}  // namespace livens
