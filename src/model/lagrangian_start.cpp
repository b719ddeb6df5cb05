#include "livens/model/lagrangian_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/model/redundant.hpp"
#include "livens/multibody/mechanism.hpp"
#include "livens/multibody/reach.hpp"

namespace livens {

namespace {

// Whose energy no double holds: the points of springs are apart (Mechanism::settle), so it is a matter of size.
std::string too_large(const Model& model) {
  using formula::Number;
  using multibody::operator-;
  using std::abs;
  const multibody::Mechanism& m = *model.system->mechanism();
  const auto overflows = [](const Number& x) { return !is_finite(to_double(x)); };
  const char* remedy = "is too large for a double at the start; correct it, or use other units";
  for (const multibody::Body& body : m.bodies()) {
    Number energy = body.mass * (dot(body.velocity, body.velocity) + 1);
    for (int k = 0; k < 3; ++k) energy += abs(body.mass * m.gravity()[k]) * (1 + abs(body.position[k]));
    for (int i = 0; i < 3; ++i)
      energy += abs(body.euler(i, i)) * (1 + dot(body.angular_velocity, body.angular_velocity));
    if (overflows(4 * energy))
      return model.at(body.key + ".mass", fmt::format("body '{}', with the mass {:.3g}: its energy {}", body.name,
                                                      to_double(body.mass), remedy));
  }
  for (const multibody::Spring& spring : m.springs()) {
    const Number stretch = spring.joint ? Number(4)
                                        : multibody::length(m.point_now(spring.bodies[1], spring.points[1]) -
                                                            m.point_now(spring.bodies[0], spring.points[0])) +
                                              *spring.length;
    if (overflows(4 * spring.stiffness * (1 + stretch * stretch)))
      return model.at(spring.key + ".stiffness", fmt::format("{}, with the stiffness {:.3g}: its energy {}",
                                                             m.name_of(spring), to_double(spring.stiffness), remedy));
  }
  return model.at("body", fmt::format("the energy of the mechanism {}", remedy));
}

// Which [[force]] or damper on the body that has this coordinate.
std::string force_not_finite(const Model& model, int coordinate) {
  using F = LagrangianFormulas;
  using multibody::operator+, multibody::operator-;
  const multibody::Mechanism& m = *model.system->mechanism();
  int owner = 0;
  while (owner + 1 < static_cast<int>(m.bodies().size()) &&
         m.bodies()[static_cast<std::size_t>(owner) + 1].first <= coordinate)
    ++owner;
  const multibody::Body& body = m.bodies()[static_cast<std::size_t>(owner)];
  const double t = to_double(model.initial.t);
  for (const multibody::ForceStatement& force : m.forces()) {
    if (force.body != owner) continue;
    double local[6];
    const multibody::Vector x = m.point_now(owner, force.point),
                            v = body.velocity + multibody::cross(body.angular_velocity, x - body.position);
    for (int k = 0; k < 3; ++k) local[k] = to_double(x[k]), local[3 + k] = to_double(v[k]);
    const double* blocks[F::blocks + 1] = {&t};
    blocks[F::blocks] = local;
    for (const auto* formulas : {&force.force, &force.torque})
      if (const auto wrong = formula::explain(model.system->lagrangian()->graph(), *formulas, blocks))
        return model.at(force.key, fmt::format("{}: {} is not finite at the start; correct it, the pose or initial.t",
                                               m.name_of(force), wrong->formula));
  }
  for (const multibody::Spring& spring : m.springs())
    if (spring.damping > 0 && !spring.joint && (spring.bodies[0] == owner || spring.bodies[1] == owner))
      return model.at(spring.key, fmt::format("{} on body '{}' is not finite at the start; correct its damping, or use "
                                              "other units",
                                              m.name_of(spring), body.name));
  return model.at("force", fmt::format("a force on body '{}' is not finite at the start", body.name));
}

bool is_stated_by_frames(const SystemDescription& system, int index) {
  const int row = system.constraint_number(index) - system.mechanism()->internal_rows();
  const auto& joints = system.mechanism()->joints();
  return std::any_of(joints.begin(), joints.end(), [&](const multibody::Joint& joint) {
    return joint.by_frames && row >= joint.first_row && row < joint.first_row + joint.rows;
  });
}

// Of a mechanism: the joint or body by its name. Empty: what holds for formulas holds here.
std::string describe_mechanism(const Model& model, const StartFault& fault, const std::vector<double>& q) {
  using Kind = StartFault::Kind;
  const SystemDescription& system = *model.system;
  // The last row of a joint with a motion says where it is to be, that of a universal joint how its axes stand.
  const auto last_row_of = [&](const auto& some) -> const multibody::Joint* {
    const int row = system.constraint_number(fault.index) - system.mechanism()->internal_rows();
    for (const multibody::Joint& joint : system.mechanism()->joints())
      if (some(joint) && row == joint.first_row + joint.rows - 1) return &joint;
    return nullptr;
  };
  const auto driven = [&] {
    return last_row_of([](const multibody::Joint& joint) { return joint.motion.has_value(); });
  };
  switch (fault.kind) {
    case Kind::position:
      if (const multibody::Joint* joint = driven())
        return model.at(
            joint->key + ".motion",
            fmt::format("joint '{}': its motion is off by {:.6g} at the start; it counts from the pose given, "
                        "so it must be 0 at t = {:.6g}, or set initial.project = true",
                        joint->name, std::abs(fault.value), to_double(model.initial.t)));
      if (const multibody::Joint* joint =
              last_row_of([](const multibody::Joint& j) { return j.type == multibody::JointType::universal; }))
        return model.at(joint->key,
                        fmt::format("joint '{}': its axes are not perpendicular to each other, as those of a universal "
                                    "joint are: the cosine of their angle is {:.1e}; correct them or the poses",
                                    joint->name, std::abs(fault.value)));
      return model.at(
          system.constraint_key(fault.index),
          fmt::format("{} does not fit the poses: it is open by {:.1e}; correct them, or {}set initial.project = true",
                      system.constraint_name(fault.index), system.constraint_opening(fault.index, fault.value),
                      is_stated_by_frames(system, fault.index) ? "" : "give joints by frames and "));
    case Kind::velocity:
      if (const multibody::Joint* joint = driven())
        return model.at(
            joint->key + ".motion",
            fmt::format("joint '{}': the rate of its motion and the velocities differ by {:.1e} at the start; "
                        "correct velocity and angular_velocity, or set initial.project = true",
                        joint->name, std::abs(fault.value)));
      return model.at(system.constraint_key(fault.index),
                      fmt::format("{} does not fit the velocities: it opens at a rate of {:.1e}; correct velocity and "
                                  "angular_velocity, or set initial.project = true",
                                  system.constraint_name(fault.index), std::abs(fault.value)));
    case Kind::dependent_constraints: {
      const auto singular = not_implied(model, fault.rows, q);
      return model.at(
          system.constraint_key(fault.rows.front()),
          fmt::format("{} {} what others say; {}", system.constraint_list(fault.rows),
                      fault.rows.size() == 1 ? "says" : "say",
                      singular ? "in this singular configuration only: start elsewhere"
                      : system.mechanism()->has_friction()
                          ? "with friction how joints share a load must be determined: leave out what is said twice"
                      : model.solver.redundant == "least-norm"
                          ? "leave out what is said twice"
                          : "leave out what is said twice, or set solver.redundant = \"least-norm\""));
    }
    case Kind::constraint_not_finite:
      if (const multibody::Joint* joint = driven())
        return model.at(joint->key + ".motion",
                        fmt::format("joint '{}': its motion or its rate is not finite at t = {:.6g}; "
                                    "correct it or initial.t",
                                    joint->name, to_double(model.initial.t)));
      return "";
    case Kind::lagrangian_not_finite:
      return too_large(model);
    case Kind::force_not_finite:
      return force_not_finite(model, fault.index);
    case Kind::no_projection:
      return model.at("initial.project", "no pose that all joints fit was found near the one given; give a closer one");
    default:
      return "";
  }
}

}  // namespace

std::string describe_lost_multipliers(const Model& model, const multibody::Mechanism& mechanism) {
  const std::string remedy =
      model.run.precision == Precision::double_ ? "set run.precision = \"extended\"" : "take a wider run.precision";
  if (const auto apart = multibody::disparity_of_masses(mechanism))
    return model.at(apart->key, fmt::format("{}: with masses so far apart joint forces have no right digits in this "
                                            "precision; {}, or choose masses that differ less",
                                            apart->words, remedy));
  return model.at("joint", fmt::format("joints nearly say what others say at the start, so that their forces have no "
                                       "right digits in this precision; start elsewhere, or {}",
                                       remedy));
}

std::string describe(const Model& model, const StartFault& fault, const std::vector<double>& q,
                     const std::vector<double>& v) {
  using F = LagrangianFormulas;
  using Kind = StartFault::Kind;
  const double t = static_cast<double>(model.initial.t);
  const double* const blocks[F::blocks] = {&t, q.data(), v.data(), nullptr, nullptr};
  const int number = fault.index + 1;
  const std::string velocities = model.initial.momentum_given ? "p" : "v";
  if (model.system->mechanism())
    if (const std::string words = describe_mechanism(model, fault, q); !words.empty()) return words;
  const std::string remedy = fmt::format("; correct it or initial.t, initial.q and initial.{}", velocities);
  const auto after_colon = [](const std::string& reason) { return reason.empty() ? reason : ": " + reason; };
  const auto because = [&](int part, int index) {
    return after_colon(model.system->lagrangian()->explain(part, index, blocks));
  };
  const bool about_constraint = fault.kind == Kind::constraint_not_finite || fault.kind == Kind::zero_gradient ||
                                fault.kind == Kind::position || fault.kind == Kind::velocity;
  const std::string constraint = about_constraint ? model.system->constraint_name(fault.index) : "";
  switch (fault.kind) {
    case Kind::lagrangian_not_finite: {
      std::string reason = because(F::value, 0);
      if (reason.empty()) reason = after_colon(model.system->lagrangian()->explain(F::gradient, blocks));
      return model.at("system.lagrangian", fmt::format("is not finite at the start values{}{}", reason, remedy));
    }
    case Kind::constraint_not_finite:
      return model.at("system.constraints",
                      fmt::format("{} or its derivative is not finite at the start values{}; correct it or "
                                  "initial.t and initial.q",
                                  constraint, because(F::constraint, fault.index)));
    case Kind::force_not_finite:
      return model.at("system.forces", fmt::format("force {} is not finite at the start values{}{}", number,
                                                   because(F::force, fault.index), remedy));
    case Kind::invariant_not_finite:
      return model.at("system.invariants." + model.system->invariant_names()[static_cast<std::size_t>(fault.index)],
                      "is not finite at the start values" + remedy);
    case Kind::singular_mass:
      return model.at("system.lagrangian",
                      "the mass matrix (second derivatives by the velocities) is singular at the start values; "
                      "give every coordinate a kinetic energy, or state the system as kind = \"degenerate\"");
    case Kind::zero_gradient:
      return model.at("system.constraints",
                      fmt::format("{} has no gradient at initial.q: it does not hold any coordinate there; "
                                  "leave it out, write g instead of g^2, or start elsewhere",
                                  constraint));
    case Kind::dependent_constraints: {
      const auto singular = not_implied(model, fault.rows, q);
      return model.at(
          "system.constraints",
          fmt::format("{} {} at initial.q (rank {} of {}); {}", model.system->constraint_list(fault.rows),
                      fault.rows.size() == 1 ? "depends on the ones before it" : "depend on the ones before them",
                      model.system->constraints() - static_cast<int>(fault.rows.size()), model.system->constraints(),
                      singular ? fmt::format("{} does so in this singular configuration only: start elsewhere",
                                             model.system->constraint_name(*singular))
                      : model.solver.redundant == "least-norm"
                          ? "leave out what is said twice"
                          : "leave out what is said twice, or set solver.redundant = \"least-norm\""));
    }
    case Kind::position:
      return model.at("initial.q", fmt::format("{} is {:.1e}, not 0; correct q or set initial.project = true",
                                               constraint, fault.value));
    case Kind::velocity:
      return model.at("initial." + velocities,
                      fmt::format("the rate of {} is {:.1e}, not 0; correct {} or set initial.project = true",
                                  constraint, fault.value, velocities));
    case Kind::no_projection:
      return model.at("initial.project",
                      "no point that satisfies the constraints was found near initial.q; give a closer q");
  }
  return "";
}

}  // namespace livens
