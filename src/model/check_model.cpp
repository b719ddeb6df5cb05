#include "livens/model/check_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>

#include "livens/model/boundary_values.hpp"
#include "livens/model/check_formulas.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "livens/model/mechanism_friction.hpp"
#include "livens/model/redundant.hpp"
#include "livens/model/start.hpp"
#include "livens/multibody/mechanism.hpp"
#include "livens/sparse/sparse_lu.hpp"
#include "model/least_norm.hpp"

namespace livens {

namespace {

// 0 for what is round-off of terms of this size.
double without_noise(double x, double terms) {
  return std::abs(x) <= 16 * epsilon<double>() * terms ? 0 : x;
}

std::string list_of(const Vec<double>& x) {
  std::string text = "[";
  for (int i = 0; i < x.size() && i < 12; ++i)
    text += fmt::format("{}{:.8g}", i ? ", " : "", without_noise(x[i], max_norm(x)));
  return text + (x.size() > 12 ? ", ...]" : "]");
}

std::string counted(int count, const std::string& one, const std::string& many = "") {
  return fmt::format("{} {}", count, count == 1 ? one : many.empty() ? one + "s" : many);
}

class Report {
 public:
  void say(std::string what, std::string finding) {
    report_.lines.push_back({std::move(what), std::move(finding), true});
  }

  void add(const DerivativeReport& derivatives) {
    for (const DerivativeFinding& f : derivatives.findings) {
      report_.lines.push_back(
          {f.what, fmt::format("agrees with automatic differentiation to {:.1e}", f.difference), f.ok});
      if (!f.ok)
        report_.lines.back().finding = fmt::format("differs from automatic differentiation by {:.1e}", f.difference);
      report_.ok = report_.ok && f.ok;
    }
  }
  CheckReport take() { return std::move(report_); }

 private:
  CheckReport report_;
};

std::string degree_in_words(const std::optional<int>& degree) {
  return degree ? fmt::format("polynomial of degree {}", *degree) : "not polynomial";
}

std::string moved_in_words(const Model& model, double q, double other, std::string_view other_name) {
  if (!model.initial.project) return "consistent";
  return fmt::format("consistent after projection, which moved q by {:.2e} and {} by {:.2e}", q, other_name, other);
}

// The formulas of the first element of a shape, its constants put in.
std::shared_ptr<const LagrangianFormulas> first_element(const ElementShape& shape) {
  using F = LagrangianFormulas;
  formula::Graph graph = shape.local->graph();
  std::map<formula::Slot, formula::NodeId> numbers;
  for (int k = 0; k < shape.constants(); ++k)
    numbers[{F::constants, k}] = graph.constant(shape.values[static_cast<std::size_t>(k)]);
  F::Formulas formulas = shape.local->formulas();
  formulas.constants = 0;
  formulas.lagrangian = graph.substitute(formulas.lagrangian, numbers);
  for (formula::NodeId& f : formulas.constraints) f = graph.substitute(f, numbers);
  for (formula::NodeId& f : formulas.forces) f = graph.substitute(f, numbers);
  return std::make_shared<const F>(std::move(graph), shape.coordinates(), std::move(formulas));
}

DerivativeReport check_elements(const Model& model, double t, const Vec<double>& q, const Vec<double>& v) {
  DerivativeReport all;
  for (const ElementShape& shape : model.system->split().shapes) {
    if (shape.elements == 0 || shape.coordinates() == 0) continue;
    Vec<double> q_local(shape.coordinates()), v_local(q_local);
    for (int i = 0; i < q_local.size(); ++i) {
      const int index = shape.indices[static_cast<std::size_t>(i)];
      q_local[i] = q[index], v_local[i] = v[index];
    }
    for (const DerivativeFinding& f : check_derivatives(first_element(shape), t, q_local, v_local).findings)
      all.add(f.what, f.difference);
  }
  return all;
}

// About what the comparison of all derivatives takes where all coordinates are in one formula: some nanoseconds for
// every operation of L and g, coordinate and point (measured: 3.4 s for 400 coordinates and 3000 operations).
double seconds_to_compare(const LagrangianFormulas& formulas) {
  using F = LagrangianFormulas;
  const std::size_t operations = formulas.program(F::value)->operations + formulas.program(F::constraint)->operations;
  return 2.8e-6 * formulas.coordinates() * static_cast<double>(operations);
}
double seconds_to_compare(const ElementFormulas& elements) {
  double all = 0;
  for (const ElementShape& shape : elements.shapes)
    if (shape.elements > 0 && shape.coordinates() > 0) all += seconds_to_compare(*shape.local);
  return all;
}

template <class System>
void add_derivatives(Report& report, const Model& model, const System&, double t, const Vec<double>& q,
                     const Vec<double>& v) {
  constexpr bool dense = std::is_same_v<System, FormulaLagrangian<double>>;
  const double seconds =
      dense ? seconds_to_compare(*model.system->lagrangian()) : seconds_to_compare(model.system->split());
  if (seconds > 90)
    report.say("derivatives",
               fmt::format("not compared with automatic differentiation: with so many coordinates in one "
                           "formula that would take about {:.0f} minutes",
                           std::ceil(seconds / 60)));
  else if constexpr (dense)
    report.add(check_derivatives(model.system->lagrangian(), t, q, v));
  else
    report.add(check_elements(model, t, q, v));
}

// Energies and momenta of a mechanism at the start, about the origin.
template <class System>
void say_momenta(Report& report, const multibody::Mechanism& m, const System& system, double t, const Vec<double>& q,
                 const Vec<double>& v) {
  const int D = m.dimension();
  Vec<double> Lq(system.coordinates()), p(Lq);
  system.gradient(t, q, v, Lq, p);
  const double kinetic = dot(p, v) / 2, potential = kinetic - system.lagrangian(t, q, v);
  double weights = kinetic;  // what the potential is the sum of
  for (int i = 0; i < q.size(); ++i) weights += std::abs(Lq[i] * q[i]);
  report.say("energy at the start",
             fmt::format("kinetic {:.10g}, potential {:.10g}", kinetic, without_noise(potential, weights)));
  double linear[3] = {0, 0, 0}, angular[3] = {0, 0, 0}, terms[3] = {0, 0, 0}, moments[3] = {0, 0, 0};
  for (const multibody::Body& body : m.bodies()) {
    for (int k = 0; k < D; ++k) linear[k] += p[body.first + k], terms[k] += std::abs(p[body.first + k]);
    for (int i = body.first; i < body.first + D * (1 + static_cast<int>(body.directors.size())); i += D) {
      const auto x = [&](const auto& of, int k) { return k < D ? of[i + k] : 0.0; };
      for (int k = 0; k < 3; ++k) {
        const double plus = x(q, (k + 1) % 3) * x(p, (k + 2) % 3), minus = x(q, (k + 2) % 3) * x(p, (k + 1) % 3);
        angular[k] += plus - minus, moments[k] += std::abs(plus) + std::abs(minus);
      }
    }
  }
  for (int k = 0; k < 3; ++k) {
    linear[k] = without_noise(linear[k], terms[0] + terms[1] + terms[2]);
    angular[k] = without_noise(angular[k], moments[0] + moments[1] + moments[2]);
  }
  if (m.plane()) {
    report.say("momentum", fmt::format("[{:.8g}, {:.8g}], angular {:.8g}", linear[0], linear[1], angular[2]));
    return;
  }
  report.say("momentum", fmt::format("[{:.8g}, {:.8g}, {:.8g}]", linear[0], linear[1], linear[2]));
  report.say("angular momentum", fmt::format("[{:.8g}, {:.8g}, {:.8g}]", angular[0], angular[1], angular[2]));
}

// What is said of a mechanism: parts, degrees of freedom, mass; thin or impossible bodies.
void say_mechanism(Report& report, const Model& given, const std::vector<int>& left_out) {
  const multibody::Mechanism& m = *given.system->mechanism();
  const int joints = static_cast<int>(m.joints().size()), bodies = static_cast<int>(m.bodies().size());
  report.say("system", fmt::format("multibody{}, {}, {}; {}, {}", m.plane() ? " in the plane" : "",
                                   counted(bodies, "body", "bodies"), counted(joints, "joint"),
                                   counted(m.coordinates(), "coordinate"), counted(m.constraints(), "constraint")));
  formula::Number mass = 0;
  multibody::Vector sum{0, 0, 0};
  double terms = 0;
  for (const multibody::Body& body : m.bodies()) {
    mass += body.mass;
    for (int k = 0; k < 3; ++k) sum[k] += body.mass * body.position[k];
    terms += to_double(body.mass * multibody::length(body.position));
  }
  const auto centre = [&](int k) { return without_noise(to_double(sum[k] / mass), terms / to_double(mass)); };
  report.say("mass", fmt::format("{:.8g}, centre at [{:.8g}, {:.8g}{}]", to_double(mass), centre(0), centre(1),
                                 m.plane() ? "" : fmt::format(", {:.8g}", centre(2))));
  // Ropes and stops hold while they are closed.
  const int one_sided = static_cast<int>(given.contact.one_sided.size()), by_rows = m.gruebler() + one_sided;
  const int by_rank = by_rows + static_cast<int>(left_out.size());
  report.say("degrees of freedom", fmt::format("{} by counting rows, {} by rank{}{}", by_rows, by_rank,
                                               by_rank > 0     ? ""
                                               : m.is_driven() ? ": it moves as its joints are driven, and no other way"
                                                               : ": it cannot move",
                                               one_sided > 0 ? "; less while one-sided joints are closed" : ""));
  if (const std::string loose = m.unconnected(); !loose.empty()) report.say("note", loose);
  for (const multibody::Body& body : m.bodies()) {
    const auto E = multibody::eigenvalues(body.euler);
    if (E[0] < -1e-12 * E[2])
      report.say("inertia",
                 fmt::format("that of body '{}' is against the triangle inequality: no real body has it", body.name));
  }
  for (const std::string& rate : m.rates_left_out())
    report.say("note", rate + " is left out: it has no inertia to turn with");
}

// Those of a mechanism by joint, and not of what holds its bodies together.
void say_multipliers(Report& report, const Model& model, bool determined, const Vec<double>& lambda) {
  const std::string what = "lambda";
  if (!determined) return report.say(what, "not determined in double precision at the start");
  const auto mechanism = model.system->mechanism();
  if (!mechanism) return report.say(what, list_of(lambda));
  constexpr std::size_t most = 12;
  std::vector<std::string> joints;
  std::string owner;
  for (int a = 0; a < lambda.size(); ++a) {
    const int row = model.system->constraint_number(a);
    if (row < mechanism->internal_rows()) continue;
    const std::string number = fmt::format("{:.8g}", without_noise(lambda[a], max_norm(lambda)));
    if (const std::string now = mechanism->owner_of_row(row); now != owner)
      joints.push_back(fmt::format("{} [{}", owner = now, number));
    else
      joints.back() += ", " + number;
  }
  if (joints.empty()) return;
  const std::size_t more = joints.size() > most ? joints.size() - most : 0;
  joints.resize(joints.size() - more);
  report.say(what,
             fmt::format("{}]{}", fmt::join(joints, "], "), more > 0 ? fmt::format(" and {} more joints", more) : ""));
}

template <class System>
CheckReport check_lagrangian(const Model& given, const Model& model, const std::vector<int>& left_out,
                             const System& system) {
  Report report;
  const Structure& s = model.system->structure();
  if (given.system->mechanism())
    say_mechanism(report, given, left_out);
  else
    report.say("system", fmt::format("lagrangian, {}, {}", counted(system.coordinates(), "coordinate"),
                                     counted(system.constraints() + static_cast<int>(left_out.size()), "constraint")));
  if (!left_out.empty())
    report.say("redundant",
               fmt::format("{} {} what others say; runs leave {} out and give the multipliers of the smallest norm",
                           given.system->constraint_list(left_out), left_out.size() == 1 ? "says" : "say",
                           left_out.size() == 1 ? "it" : "them"));
  report.say("mass matrix",
             s.constant_mass ? "constant, L = v.Mv/2 - V(t,q)"
             : s.constant_hessian
                 ? "constant; beside v.Mv/2 - V(t,q) L has a term linear in v, for which methods that need "
                   "L = v.Mv/2 - V(t,q) do not fit"
                 : (s.separable ? "depends on v only (L is separable)" : "depends on q, v or t"));
  if (s.constant_mass) report.say("potential", degree_in_words(s.potential_degree));
  if (system.constraints() > 0)
    report.say("constraints", degree_in_words(s.constraint_degree) + (s.time_in_constraints ? ", depend on t" : ""));
  report.say("energy", !s.conserves_energy() ? "not conserved: time or forces enter the equations"
                       : given.has_contact() ? "conserved but for what contacts take away"
                                             : "conserved");

  if (model.is_boundary_problem()) {
    const auto ends = consistent_ends(model, system);
    const auto& first = ends.first;
    report.say("boundary values",
               fmt::format("q at t = {:.10g} and at t = {:.10g}, consistent{}", first.t, ends.last.t,
                           model.initial.project ? fmt::format(" after projection, which moved q by {:.2e} and {:.2e}",
                                                               first.move.q, ends.last.move.q)
                                                 : ""));
    report.say("start curve", ends.velocity ? "with the given velocity" : "straight, no velocity is given");
    add_derivatives(report, model, system, first.t, first.q, first.v);
    return report.take();
  }

  const auto start = consistent_start(model, system);
  report.say("start values", system.constraints() == 0
                                 ? "no constraints to satisfy"
                                 : moved_in_words(model, std::max(start.move.q, model.initial.shift),
                                                  model.initial.momentum_given ? start.move.p : start.move.v,
                                                  model.initial.momentum_given ? "p" : "v"));
  Kinetics<System> kinetics(system);
  Vec<double> lambda(system.constraints());
  kinetics.start(start.t, start.q, start.v);
  if (given.system->mechanism()) say_momenta(report, *given.system->mechanism(), system, start.t, start.q, start.v);
  if (system.constraints() > 0) {
    const bool determined = succeeded(kinetics.multiplier(start.t, start.q, start.v, lambda));
    if (determined && !left_out.empty())
      lambda = LeastNorm<double>(given, left_out).multipliers(start.t, start.q, {lambda.begin(), lambda.end()});
    say_multipliers(report, left_out.empty() ? model : given, determined, lambda);
  }
  add_derivatives(report, model, system, start.t, start.q, start.v);
  return report.take();
}

// One-sided constraints need not hold at the start, and are looked at by themselves.
std::vector<int> one_sided_rows(const Model& model) {
  std::vector<int> rows;
  for (const Model::Contact::OneSided& c : model.contact.one_sided) rows.push_back(c.constraint);
  std::sort(rows.begin(), rows.end());
  return rows;
}

void say_contacts(Report& report, const Model& model) {
  const Model::Contact& contact = model.contact;
  std::string words = model.system->constraint_list(one_sided_rows(model));
  words += contact.one_sided.size() == 1 ? " is one-sided" : " are one-sided";
  if (contact.friction) words += fmt::format(", friction {:.6g}", *contact.friction);
  report.say("contacts", words);
}

CheckReport check_lagrangian(const Model& given) {
  Model model = given;
  const std::vector<int> left_out = given.has_contact() ? std::vector<int>{} : redundant_constraints(given);
  if (given.has_contact()) model.system = given.system->without_constraints(one_sided_rows(given));
  if (!left_out.empty()) model.system = given.system->without_constraints(left_out);
  const bool large = given.system->is_large();
  CheckReport report =
      large ? check_lagrangian(given, model, left_out,
                               model.system->elements<double>({LinearTarget::schur, make_sparse_lu<double>}))
            : check_lagrangian(given, model, left_out, model.system->dense<double>());
  if (!given.has_contact()) return report;
  Report contacts;
  say_contacts(contacts, given);
  const auto system = model.system->dense<double>();
  const auto start = consistent_start(model, system);
  if (!large) add_derivatives(contacts, given, system, start.t, start.q, start.v);
  CheckReport more = contacts.take();
  report.lines.insert(report.lines.end(), more.lines.begin(), more.lines.end());
  report.ok = report.ok && more.ok;
  return report;
}

CheckReport check_degenerate(const Model& model) {
  Report report;
  const FormulaDegenerate<double> system(model.system->degenerate());
  report.say("system", "degenerate, " + counted(system.coordinates(), "coordinate"));
  const auto start = model_start(model, system).state;
  report.say("velocity at the start", list_of(start.hint));
  report.say("energy", fmt::format("{:.12g}", system.hamiltonian(start.q)));
  if (model.loop.program) report.say("loop", fmt::format("{} points, closed", model.loop.points[0]));
  if (model.surface.program)
    report.say("surface", fmt::format("{} x {} points", model.surface.points[0], model.surface.points[1]));
  report.add(check_derivatives(model.system->degenerate(), start.q));
  return report.take();
}

CheckReport check_odae(const Model& model) {
  Report report;
  const FormulaOdae<double> system(model.system->odae());
  if (model.system->mechanism()) {
    say_mechanism(report, model, {});
    report.say("friction", fmt::format("in {}: an overdetermined system with z = p = M v",
                                       counted(static_cast<int>(model.system->friction()->parts.size()), "joint")));
  } else
    report.say("system", fmt::format("odae, {}, {}, {}", counted(system.positions(), "position"),
                                     counted(system.velocities(), "velocity", "velocities"),
                                     counted(system.multipliers(), "multiplier")));
  Model two_sided = model;
  if (model.has_contact()) {
    two_sided.system = model.system->without_constraints(one_sided_rows(model));
    two_sided.initial.psi.clear();
    say_contacts(report, model);
  }
  const auto [start, move] = model_start(two_sided, FormulaOdae<double>(two_sided.system->odae()));
  report.say("start values", moved_in_words(model, move.q, move.p, "z"));
  if (model.system->friction()) {
    Vec<double> v(start.q);
    system.velocity(start.t, start.q, start.p, v);
    say_momenta(report, *model.system->mechanism(),
                FormulaLagrangian<double>(model.system->friction()->smooth->lagrangian()), start.t, start.q, v);
  }
  report.say("psi", list_of(start.hint));
  Vec<double> psi(system.multipliers());
  psi.fill(1);
  if (!model.has_contact()) psi = start.hint;
  report.add(check_derivatives(model.system->odae(), start.t, start.q, start.p, psi));
  return report.take();
}

}  // namespace

CheckReport check_model(const Model& model) {
  CheckReport report = [&] {
    switch (model.system->kind()) {
      case SystemKind::lagrangian:
        return check_lagrangian(model);
      case SystemKind::degenerate:
        return check_degenerate(model);
      case SystemKind::odae:
        return check_odae(model);
    }
    return CheckReport{};
  }();
  if (!model.unused.empty())
    report.lines.push_back({"unused",
                            fmt::format("{}: no formula needs {}; is a name misspelt?", fmt::join(model.unused, ", "),
                                        model.unused.size() == 1 ? "it" : "them"),
                            true});
  return report;
}

}  // namespace livens
