// The names of the members of a struct: which of those that a system has (lagrangian.hpp, degenerate.hpp, odae.hpp),
// and which that were probably meant to be one of them.
#pragma once

#include <type_traits>

#include "livens/math/vec.hpp"

namespace livens::stated {

// The struct and one that has all these names: a name that is then ambiguous is a member, be it a template or private.
struct Names {
  int theta, hamiltonian, lagrangian, constraint, force, velocity, reaction, positions, multipliers, invariants,
      invariant_values, constraint_jacobian, potential_gradient;
  int forces, Force, Forces, generalised_force, generalized_force, generalised_forces, generalized_forces,
      external_force, external_forces, force_, get_force, applied_force, forcing;
  int constraints, contraint, contraints, constrain, constrains, constraint_s, constaint, constriant, Constraint,
      Constraints, constraint_, constraint_function, constraint_value, constraint_values, holonomic_constraint,
      holonomic_constraints, get_constraint;
  int invariant, invariant_value, invariants_values, invariants_value, invariant_vals, Invariants, Invariant_values,
      InvariantValues, invariantValues;
  int constraints_jacobian, constraint_Jacobian, contraint_jacobian, jacobian_constraint, constraintJacobian,
      constraint_gradient, constraint_jac, jacobian_of_constraint;
  int potential_gradients, potentials_gradient, gradient_potential, potential_grad, grad_potential, potentialGradient,
      gradient_of_potential, Potential_gradient;
  int constantmass, constant_Mass, constantMass, const_mass, mass_constant, is_constant_mass, has_constant_mass,
      constant_masses;
  int seperable, separabel, Separable, is_separable, separated;
  int constraints_degree, contraint_degree, constraint_deg, constraintDegree, degree_of_constraint,
      degree_of_constraints;
  int potential_deg, potentials_degree, potentialDegree, degree_of_potential;
  int linear_reactions, linearReaction, reaction_linear, is_linear_reaction;
};
template <class Problem>
struct WithNames : Problem, Names {};

template <class Problem>
struct PlainOf {
  using type = Vec<double>;
};
template <class Problem>
requires requires {
  requires !std::is_member_pointer_v<decltype(&Problem::coordinates)>;
}
struct PlainOf<Problem> {
  using type = Vec<double, static_cast<int>(Problem::coordinates)>;
};
// Positions of overdetermined systems, which have velocities of another number.
template <class Problem>
requires(
    !requires { Problem::coordinates; } &&
    requires { requires !std::is_member_pointer_v<decltype(&Problem::positions)>; }) struct PlainOf<Problem> {
  using type = Vec<double, static_cast<int>(Problem::positions)>;
};
template <class Problem>
using Plain = typename PlainOf<Problem>::type;
template <class Problem>
struct PlainRateOf {
  using type = Plain<Problem>;
};
template <class Problem>
requires(
    !requires { Problem::coordinates; } &&
    requires { requires !std::is_member_pointer_v<decltype(&Problem::velocities)>; }) struct PlainRateOf<Problem> {
  using type = Vec<double, static_cast<int>(Problem::velocities)>;
};
template <class Problem>
using PlainRate = typename PlainRateOf<Problem>::type;

// clang-format off
#define LIVENS_IS_NAMED(name) (!std::is_final_v<Problem> && std::is_class_v<Problem> && !requires { &WithNames<Problem>::name; })
// Not the ones that are numbers, such as parameters.
#define LIVENS_IS_FUNCTION(name) (LIVENS_IS_NAMED(name) && !requires { requires std::is_member_object_pointer_v<decltype(&Problem::name)> || (std::is_pointer_v<decltype(&Problem::name)> && std::is_object_v<std::remove_pointer_t<decltype(&Problem::name)>>); })
// Called as what they were meant to be: a helper of the same name with other arguments is none.
#define LIVENS_TAKES_ONE(name) (LIVENS_IS_FUNCTION(name) && (requires(Problem& p, const Plain<Problem>& q) { p.name(q); } || \
    requires(Problem& p, double t, const Plain<Problem>& q) { p.name(t, q); } || requires(Problem& p, double t, const Plain<Problem>& q) { p.name(q, t); }))
#define LIVENS_TAKES_TWO(name) (LIVENS_IS_FUNCTION(name) && (requires(Problem& p, const Plain<Problem>& q, const PlainRate<Problem>& v) { p.name(q, v); } || \
    requires(Problem& p, double t, const Plain<Problem>& q, const PlainRate<Problem>& v) { p.name(t, q, v); } || \
    requires(Problem& p, double t, const Plain<Problem>& q, const PlainRate<Problem>& v) { p.name(q, v, t); }))

template <class Problem> concept NamesTheta = LIVENS_IS_FUNCTION(theta);
template <class Problem> concept NamesHamiltonian = LIVENS_IS_FUNCTION(hamiltonian);
template <class Problem> concept NamesLagrangian = LIVENS_IS_FUNCTION(lagrangian);
template <class Problem> concept NamesConstraint = LIVENS_IS_FUNCTION(constraint);
template <class Problem> concept NamesConstraints = LIVENS_IS_NAMED(constraints);
template <class Problem> concept NamesForce = LIVENS_IS_FUNCTION(force);
template <class Problem> concept NamesVelocity = LIVENS_IS_FUNCTION(velocity);
template <class Problem> concept NamesReaction = LIVENS_IS_FUNCTION(reaction);
template <class Problem> concept NamesMultipliers = LIVENS_IS_NAMED(multipliers);
template <class Problem> concept NamesPositions = LIVENS_IS_NAMED(positions) || requires { Problem::positions; };
template <class Problem> concept NamesInvariants = LIVENS_IS_NAMED(invariants);
template <class Problem> concept NamesInvariantValues = LIVENS_IS_FUNCTION(invariant_values);
template <class Problem> concept NamesConstraintJacobian = LIVENS_IS_FUNCTION(constraint_jacobian);
template <class Problem> concept NamesPotentialGradient = LIVENS_IS_FUNCTION(potential_gradient);

template <class Problem> concept MisspellsForce = !NamesForce<Problem> &&
    (LIVENS_TAKES_TWO(forces) || LIVENS_TAKES_TWO(Force) || LIVENS_TAKES_TWO(Forces) || LIVENS_TAKES_TWO(generalised_force) ||
     LIVENS_TAKES_TWO(generalized_force) || LIVENS_TAKES_TWO(generalised_forces) || LIVENS_TAKES_TWO(generalized_forces) ||
     LIVENS_TAKES_TWO(external_force) || LIVENS_TAKES_TWO(external_forces) || LIVENS_TAKES_TWO(force_) ||
     LIVENS_TAKES_TWO(get_force) || LIVENS_TAKES_TWO(applied_force) || LIVENS_TAKES_TWO(forcing));
template <class Problem> concept MisspellsConstraint = !NamesConstraint<Problem> &&
    (LIVENS_TAKES_ONE(constraints) || LIVENS_TAKES_ONE(contraint) || LIVENS_TAKES_ONE(contraints) || LIVENS_TAKES_ONE(constrain) ||
     LIVENS_TAKES_ONE(constrains) || LIVENS_TAKES_ONE(constraint_s) || LIVENS_TAKES_ONE(constaint) || LIVENS_TAKES_ONE(constriant) ||
     LIVENS_TAKES_ONE(Constraint) || LIVENS_TAKES_ONE(Constraints) || LIVENS_TAKES_ONE(constraint_) ||
     LIVENS_TAKES_ONE(constraint_function) || LIVENS_TAKES_ONE(constraint_value) || LIVENS_TAKES_ONE(constraint_values) ||
     LIVENS_TAKES_ONE(holonomic_constraint) || LIVENS_TAKES_ONE(holonomic_constraints) || LIVENS_TAKES_ONE(get_constraint));
template <class Problem> concept MisspellsInvariants = !NamesInvariantValues<Problem> &&
    (LIVENS_TAKES_TWO(invariant) || LIVENS_TAKES_TWO(invariants) || LIVENS_TAKES_TWO(invariant_value) ||
     LIVENS_TAKES_TWO(invariants_values) || LIVENS_TAKES_TWO(invariants_value) || LIVENS_TAKES_TWO(invariant_vals) ||
     LIVENS_TAKES_TWO(Invariants) || LIVENS_TAKES_TWO(Invariant_values) || LIVENS_TAKES_TWO(InvariantValues) ||
     LIVENS_TAKES_TWO(invariantValues));
template <class Problem> concept MisspellsConstraintJacobian = !NamesConstraintJacobian<Problem> &&
    (LIVENS_TAKES_ONE(constraints_jacobian) || LIVENS_TAKES_ONE(constraint_Jacobian) || LIVENS_TAKES_ONE(contraint_jacobian) ||
     LIVENS_TAKES_ONE(jacobian_constraint) || LIVENS_TAKES_ONE(constraintJacobian) || LIVENS_TAKES_ONE(constraint_gradient) ||
     LIVENS_TAKES_ONE(constraint_jac) || LIVENS_TAKES_ONE(jacobian_of_constraint));
template <class Problem> concept MisspellsPotentialGradient = !NamesPotentialGradient<Problem> &&
    (LIVENS_TAKES_ONE(potential_gradients) || LIVENS_TAKES_ONE(potentials_gradient) || LIVENS_TAKES_ONE(gradient_potential) ||
     LIVENS_TAKES_ONE(potential_grad) || LIVENS_TAKES_ONE(grad_potential) || LIVENS_TAKES_ONE(potentialGradient) ||
     LIVENS_TAKES_ONE(gradient_of_potential) || LIVENS_TAKES_ONE(Potential_gradient));
template <class Problem> concept MisspellsConstantMass = !requires { Problem::constant_mass; } &&
    (LIVENS_IS_NAMED(constantmass) || LIVENS_IS_NAMED(constant_Mass) || LIVENS_IS_NAMED(constantMass) || LIVENS_IS_NAMED(const_mass) ||
     LIVENS_IS_NAMED(mass_constant) || LIVENS_IS_NAMED(is_constant_mass) || LIVENS_IS_NAMED(has_constant_mass) ||
     LIVENS_IS_NAMED(constant_masses));
template <class Problem> concept MisspellsSeparable = !requires { Problem::separable; } &&
    (LIVENS_IS_NAMED(seperable) || LIVENS_IS_NAMED(separabel) || LIVENS_IS_NAMED(Separable) || LIVENS_IS_NAMED(is_separable) ||
     LIVENS_IS_NAMED(separated));
template <class Problem> concept MisspellsConstraintDegree = !requires { Problem::constraint_degree; } &&
    (LIVENS_IS_NAMED(constraints_degree) || LIVENS_IS_NAMED(contraint_degree) || LIVENS_IS_NAMED(constraint_deg) ||
     LIVENS_IS_NAMED(constraintDegree) || LIVENS_IS_NAMED(degree_of_constraint) || LIVENS_IS_NAMED(degree_of_constraints));
template <class Problem> concept MisspellsPotentialDegree = !requires { Problem::potential_degree; } &&
    (LIVENS_IS_NAMED(potential_deg) || LIVENS_IS_NAMED(potentials_degree) || LIVENS_IS_NAMED(potentialDegree) ||
     LIVENS_IS_NAMED(degree_of_potential));
template <class Problem> concept MisspellsLinearReaction = !requires { Problem::linear_reaction; } &&
    (LIVENS_IS_NAMED(linear_reactions) || LIVENS_IS_NAMED(linearReaction) || LIVENS_IS_NAMED(reaction_linear) ||
     LIVENS_IS_NAMED(is_linear_reaction));
// clang-format on
#undef LIVENS_TAKES_TWO
#undef LIVENS_TAKES_ONE
#undef LIVENS_IS_FUNCTION
#undef LIVENS_IS_NAMED

}  // namespace livens::stated
