#include "livens/model/start.hpp"

#include <fmt/format.h>

#include "livens/model/mechanism_friction.hpp"
#include "livens/model/redundant.hpp"
#include "livens/multibody/mechanism.hpp"

namespace livens {

std::string describe(const Model& model, const DegenerateStartFault& fault) {
  using Kind = DegenerateStartFault::Kind;
  std::string rows;
  for (const int row : fault.rows) rows += fmt::format("{}{}", rows.empty() ? "" : ", ", row + 1);
  const int number = fault.index + 1;
  const bool odd = model.system->coordinates() % 2 == 1;
  switch (fault.kind) {
    case Kind::theta_not_finite:
    case Kind::theta_jacobian_not_finite:
      return model.at("system.theta",
                      fmt::format("theta {} or its derivative is not finite at initial.q; correct initial.q", number));
    case Kind::hamiltonian_not_finite:
    case Kind::hamiltonian_gradient_not_finite:
      return model.at("system.hamiltonian", "it or its gradient is not finite at initial.q; correct initial.q");
    case Kind::singular:
      return model.at("system.theta",
                      fmt::format("the matrix d_i theta_j - d_j theta_i is singular {} (rows {}); the velocities are "
                                  "not determined there, correct theta or {}",
                                  odd ? "as it is for every odd number of coordinates" : "at initial.q", rows,
                                  odd ? "system.coordinates" : "initial.q"));
  }
  return "";
}

std::string describe(const Model& model, const OdaeStartFault& fault) {
  using Kind = OdaeStartFault::Kind;
  const int number = fault.index + 1;
  if (model.system->friction()) {
    const multibody::Mechanism& m = *model.system->mechanism();
    std::string joints;
    for (const MechanismFriction::Part& part : model.system->friction()->parts)
      joints +=
          fmt::format("{}'{}'", joints.empty() ? "" : ", ", m.joints()[static_cast<std::size_t>(part.joint)].name);
    const multibody::Joint& first = m.joints()[static_cast<std::size_t>(model.system->friction()->parts.front().joint)];
    return model.at(
        first.key + ".friction",
        fmt::format("the start has no solution with friction ({}; joints with friction: {}): at the start each "
                    "of them must move and carry a load",
                    name(fault.kind), joints));
  }
  switch (fault.kind) {
    case Kind::velocity_not_finite:
      return model.at(
          "system.velocity",
          fmt::format("velocity {} is not finite at the start values; correct initial.y and initial.z", number));
    case Kind::force_not_finite:
      return model.at(
          "system.force",
          fmt::format("force {} is not finite at the start values; correct initial.y and initial.z", number));
    case Kind::reaction_not_finite:
      return model.at(
          "system.reaction",
          fmt::format("reaction {} is not finite at the start values; correct them or give initial.psi", number));
    case Kind::constraint_not_finite:
      return model.at("system.constraints",
                      fmt::format("constraint {} is not finite at initial.y; correct initial.y", number));
    case Kind::zero_gradient:
      return model.at(
          "system.constraints",
          fmt::format("constraint {} has no gradient at initial.y: it does not hold any position there; leave it "
                      "out, write g instead of g^2, or start elsewhere",
                      number));
    case Kind::dependent_constraints:
      return model.at(
          "system.constraints",
          fmt::format("{} {} at initial.y; leave out what is said twice", model.system->constraint_list(fault.rows),
                      fault.rows.size() == 1 ? "depends on the ones before it" : "depend on the ones before them"));
    case Kind::position:
      return model.at(
          "initial.y",
          fmt::format("constraint {} is {:.1e}, not 0; correct y or set initial.project = true", number, fault.value));
    case Kind::velocity:
      return model.at("initial.z",
                      fmt::format("the rate of constraint {} is {:.1e}, not 0; correct z or set initial.project = true",
                                  number, fault.value));
    case Kind::no_projection:
      return model.at(
          "initial.project",
          "no point that satisfies the constraints was found near initial.y and initial.z; give closer ones");
    case Kind::not_solvable:
      return model.at("system.reaction",
                      "g_y v_z r_psi is singular at the start values: the reaction cannot hold the constraints");
    case Kind::no_multiplier:
      return model.at("initial.psi", "no multiplier was found from this guess; give a closer initial.psi");
  }
  return "";
}

}  // namespace livens
