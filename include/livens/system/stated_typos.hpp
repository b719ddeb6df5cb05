// Names that were probably meant to be those of a system: lists for stated_names.hpp, X(name) for each.
//
// Of all functions and flags that a system may lack, so that nothing else would tell: neighbouring letters exchanged,
// a letter missing, one doubled (tests/run/mistakes.cpp goes through them all); and other ways to write or call them.
#pragma once

// clang-format off
#define LIVENS_LIKE_FORCE(X)                                                                                           \
  X(ofrce) X(froce) X(focre) X(forec) X(orce) X(frce) X(foce) X(fore) X(forc) X(fforce) X(foorce) X(forrce) X(forcce)  \
  X(forcee) X(forces) X(Force) X(Forces) X(force_) X(forcing) X(get_force) X(getForce) X(compute_force)                \
  X(computeForce) X(calc_force) X(force_vector) X(forceVector) X(force_function) X(generalised_force)                  \
  X(generalized_force) X(generalised_forces) X(generalized_forces) X(generalisedForce) X(generalizedForce)             \
  X(generalisedForces) X(generalizedForces) X(external_force) X(external_forces) X(externalForce) X(externalForces)    \
  X(applied_force) X(applied_forces) X(appliedForce) X(friction_force) X(frictionForce) X(damping_force)               \
  X(dampingForce) X(nonconservative_force) X(nonconservative_forces) X(non_conservative_force) X(control_force)        \
  X(total_force)
#define LIVENS_LIKE_CONSTRAINT(X)                                                                                      \
  X(ocnstraint) X(cnostraint) X(cosntraint) X(contsraint) X(consrtaint) X(constarint) X(constriant) X(constranit)      \
  X(constraitn) X(onstraint) X(cnstraint) X(costraint) X(contraint) X(consraint) X(constaint) X(constrint)             \
  X(constrant) X(constrait) X(constrain) X(cconstraint) X(coonstraint) X(connstraint) X(consstraint) X(consttraint)    \
  X(constrraint) X(constraaint) X(constraiint) X(constrainnt) X(constraintt) X(contraints) X(constrains)               \
  X(constraint_s) X(Constraint) X(Constraints) X(constraint_) X(constraint_function) X(constraintFunction)             \
  X(constraint_value) X(constraint_values) X(constraintValue) X(holonomic_constraint) X(holonomic_constraints)         \
  X(holonomicConstraint) X(get_constraint) X(getConstraint) X(position_constraint) X(restraint)
#define LIVENS_LIKE_LAGRANGIAN(X)                                                                                      \
  X(algrangian) X(lgarangian) X(largangian) X(lagarngian) X(lagrnagian) X(lagragnian) X(lagranigan) X(lagrangain)      \
  X(lagrangina) X(agrangian) X(lgrangian) X(larangian) X(lagangian) X(lagrngian) X(lagragian) X(lagranian)             \
  X(lagrangan) X(lagrangin) X(lagrangia) X(llagrangian) X(laagrangian) X(laggrangian) X(lagrrangian) X(lagraangian)    \
  X(lagranngian) X(lagranggian) X(lagrangiian) X(lagrangiaan) X(lagrangiann) X(Lagrangian) X(lagrangian_)              \
  X(lagrangians) X(langrangian) X(Langrangian) X(lagrangean) X(Lagrangean) X(lagrange) X(Lagrange) X(get_lagrangian)   \
  X(getLagrangian) X(lagrange_function) X(lagrangian_function)
#define LIVENS_LIKE_INVARIANT_VALUES(X)                                                                                \
  X(nivariant_values) X(ivnariant_values) X(inavriant_values) X(invraiant_values) X(invairant_values)                  \
  X(invaraint_values) X(invarinat_values) X(invariatn_values) X(invarian_tvalues) X(invariantv_alues)                  \
  X(invariant_avlues) X(invariant_vlaues) X(invariant_vaules) X(invariant_valeus) X(invariant_valuse)                  \
  X(nvariant_values) X(ivariant_values) X(inariant_values) X(invriant_values) X(invaiant_values) X(invarant_values)    \
  X(invarint_values) X(invariat_values) X(invarian_values) X(invariantvalues) X(invariant_alues) X(invariant_vlues)    \
  X(invariant_vaues) X(invariant_vales) X(invariant_valus) X(invariant_value) X(iinvariant_values)                     \
  X(innvariant_values) X(invvariant_values) X(invaariant_values) X(invarriant_values) X(invariiant_values)             \
  X(invariaant_values) X(invariannt_values) X(invariantt_values) X(invariant_vvalues) X(invariant_vaalues)             \
  X(invariant_vallues) X(invariant_valuues) X(invariant_valuees) X(invariant_valuess) X(invariant)                     \
  X(invariants_values) X(invariants_value) X(invariant_vals) X(Invariants) X(Invariant_values) X(InvariantValues)      \
  X(invariantValues) X(invariant_value_) X(invariant_functions) X(get_invariants)
#define LIVENS_LIKE_CONSTRAINT_JACOBIAN(X)                                                                             \
  X(ocnstraint_jacobian) X(cnostraint_jacobian) X(cosntraint_jacobian) X(contsraint_jacobian) X(consrtaint_jacobian)   \
  X(constarint_jacobian) X(constriant_jacobian) X(constranit_jacobian) X(constraitn_jacobian) X(constrain_tjacobian)   \
  X(constraintj_acobian) X(constraint_ajcobian) X(constraint_jcaobian) X(constraint_jaocbian) X(constraint_jacboian)   \
  X(constraint_jacoiban) X(constraint_jacobain) X(constraint_jacobina) X(onstraint_jacobian) X(cnstraint_jacobian)     \
  X(costraint_jacobian) X(contraint_jacobian) X(consraint_jacobian) X(constaint_jacobian) X(constrint_jacobian)        \
  X(constrant_jacobian) X(constrait_jacobian) X(constrain_jacobian) X(constraintjacobian) X(constraint_acobian)        \
  X(constraint_jcobian) X(constraint_jaobian) X(constraint_jacbian) X(constraint_jacoian) X(constraint_jacoban)        \
  X(constraint_jacobin) X(constraint_jacobia) X(cconstraint_jacobian) X(coonstraint_jacobian) X(connstraint_jacobian)  \
  X(consstraint_jacobian) X(consttraint_jacobian) X(constrraint_jacobian) X(constraaint_jacobian)                      \
  X(constraiint_jacobian) X(constrainnt_jacobian) X(constraintt_jacobian) X(constraint_jjacobian)                      \
  X(constraint_jaacobian) X(constraint_jaccobian) X(constraint_jacoobian) X(constraint_jacobbian)                      \
  X(constraint_jacobiian) X(constraint_jacobiaan) X(constraint_jacobiann) X(constraints_jacobian)                      \
  X(constraint_Jacobian) X(Constraint_jacobian) X(constraintJacobian) X(ConstraintJacobian) X(jacobian_constraint)     \
  X(constraint_jac) X(constraint_jacobi) X(constraint_jacobean) X(jacobian_of_constraint) X(jacobian_of_constraints)   \
  X(constraint_gradient)
#define LIVENS_LIKE_POTENTIAL_GRADIENT(X)                                                                              \
  X(optential_gradient) X(ptoential_gradient) X(poetntial_gradient) X(potnetial_gradient) X(potetnial_gradient)        \
  X(potenital_gradient) X(potentail_gradient) X(potentila_gradient) X(potentia_lgradient) X(potentialg_radient)        \
  X(potential_rgadient) X(potential_gardient) X(potential_grdaient) X(potential_graident) X(potential_gradeint)        \
  X(potential_gradinet) X(potential_gradietn) X(otential_gradient) X(ptential_gradient) X(poential_gradient)           \
  X(potntial_gradient) X(potetial_gradient) X(potenial_gradient) X(potental_gradient) X(potentil_gradient)             \
  X(potentia_gradient) X(potentialgradient) X(potential_radient) X(potential_gadient) X(potential_grdient)             \
  X(potential_graient) X(potential_gradent) X(potential_gradint) X(potential_gradiet) X(potential_gradien)             \
  X(ppotential_gradient) X(pootential_gradient) X(pottential_gradient) X(poteential_gradient) X(potenntial_gradient)   \
  X(potenttial_gradient) X(potentiial_gradient) X(potentiaal_gradient) X(potentiall_gradient) X(potential_ggradient)   \
  X(potential_grradient) X(potential_graadient) X(potential_graddient) X(potential_gradiient) X(potential_gradieent)   \
  X(potential_gradiennt) X(potential_gradientt) X(potential_gradients) X(potentials_gradient) X(potentialGradient)     \
  X(PotentialGradient) X(Potential_gradient) X(gradient_potential) X(potential_grad) X(grad_potential)                 \
  X(gradient_of_potential) X(potential_derivative)
#define LIVENS_LIKE_CONSTANT_MASS(X)                                                                                   \
  X(ocnstant_mass) X(cnostant_mass) X(cosntant_mass) X(contsant_mass) X(consatnt_mass) X(constnat_mass)                \
  X(constatn_mass) X(constan_tmass) X(constantm_ass) X(constant_amss) X(constant_msas) X(onstant_mass)                 \
  X(cnstant_mass) X(costant_mass) X(contant_mass) X(consant_mass) X(constnt_mass) X(constat_mass) X(constan_mass)      \
  X(constantmass) X(constant_ass) X(constant_mss) X(constant_mas) X(cconstant_mass) X(coonstant_mass)                  \
  X(connstant_mass) X(consstant_mass) X(consttant_mass) X(constaant_mass) X(constannt_mass) X(constantt_mass)          \
  X(constant_mmass) X(constant_maass) X(constant_masss) X(constantMass) X(constant_Mass) X(Constant_mass)              \
  X(ConstantMass) X(constant_masses) X(const_mass) X(mass_constant) X(is_constant_mass) X(has_constant_mass)           \
  X(mass_is_constant) X(constant_mass_matrix)
#define LIVENS_LIKE_SEPARABLE(X)                                                                                       \
  X(esparable) X(spearable) X(seaprable) X(sepraable) X(sepaarble) X(separbale) X(separalbe) X(separabel) X(eparable)  \
  X(sparable) X(searable) X(seprable) X(sepaable) X(separble) X(separale) X(separabe) X(separabl) X(sseparable)        \
  X(seeparable) X(sepparable) X(sepaarable) X(separrable) X(separaable) X(separabble) X(separablle) X(separablee)      \
  X(seperable) X(Separable) X(is_separable) X(isSeparable) X(separated)
#define LIVENS_LIKE_CONSTRAINT_DEGREE(X)                                                                               \
  X(ocnstraint_degree) X(cnostraint_degree) X(cosntraint_degree) X(contsraint_degree) X(consrtaint_degree)             \
  X(constarint_degree) X(constriant_degree) X(constranit_degree) X(constraitn_degree) X(constrain_tdegree)             \
  X(constraintd_egree) X(constraint_edgree) X(constraint_dgeree) X(constraint_dergee) X(constraint_degere)             \
  X(onstraint_degree) X(cnstraint_degree) X(costraint_degree) X(contraint_degree) X(consraint_degree)                  \
  X(constaint_degree) X(constrint_degree) X(constrant_degree) X(constrait_degree) X(constrain_degree)                  \
  X(constraintdegree) X(constraint_egree) X(constraint_dgree) X(constraint_deree) X(constraint_degee)                  \
  X(constraint_degre) X(cconstraint_degree) X(coonstraint_degree) X(connstraint_degree) X(consstraint_degree)          \
  X(consttraint_degree) X(constrraint_degree) X(constraaint_degree) X(constraiint_degree) X(constrainnt_degree)        \
  X(constraintt_degree) X(constraint_ddegree) X(constraint_deegree) X(constraint_deggree) X(constraint_degrree)        \
  X(constraint_degreee) X(constraints_degree) X(constraintDegree) X(constraint_deg) X(degree_of_constraint)            \
  X(degree_of_constraints)
#define LIVENS_LIKE_POTENTIAL_DEGREE(X)                                                                                \
  X(optential_degree) X(ptoential_degree) X(poetntial_degree) X(potnetial_degree) X(potetnial_degree)                  \
  X(potenital_degree) X(potentail_degree) X(potentila_degree) X(potentia_ldegree) X(potentiald_egree)                  \
  X(potential_edgree) X(potential_dgeree) X(potential_dergee) X(potential_degere) X(otential_degree)                   \
  X(ptential_degree) X(poential_degree) X(potntial_degree) X(potetial_degree) X(potenial_degree) X(potental_degree)    \
  X(potentil_degree) X(potentia_degree) X(potentialdegree) X(potential_egree) X(potential_dgree) X(potential_deree)    \
  X(potential_degee) X(potential_degre) X(ppotential_degree) X(pootential_degree) X(pottential_degree)                 \
  X(poteential_degree) X(potenntial_degree) X(potenttial_degree) X(potentiial_degree) X(potentiaal_degree)             \
  X(potentiall_degree) X(potential_ddegree) X(potential_deegree) X(potential_deggree) X(potential_degrree)             \
  X(potential_degreee) X(potentials_degree) X(potentialDegree) X(potential_deg) X(degree_of_potential)
#define LIVENS_LIKE_LINEAR_REACTION(X)                                                                                 \
  X(ilnear_reaction) X(lniear_reaction) X(lienar_reaction) X(linaer_reaction) X(linera_reaction) X(linea_rreaction)    \
  X(linearr_eaction) X(linear_eraction) X(linear_raection) X(linear_recation) X(linear_reatcion) X(linear_reaciton)    \
  X(linear_reactoin) X(linear_reactino) X(inear_reaction) X(lnear_reaction) X(liear_reaction) X(linar_reaction)        \
  X(liner_reaction) X(linea_reaction) X(linearreaction) X(linear_eaction) X(linear_raction) X(linear_rection)          \
  X(linear_reation) X(linear_reacion) X(linear_reacton) X(linear_reactin) X(linear_reactio) X(llinear_reaction)        \
  X(liinear_reaction) X(linnear_reaction) X(lineear_reaction) X(lineaar_reaction) X(linearr_reaction)                  \
  X(linear_rreaction) X(linear_reeaction) X(linear_reaaction) X(linear_reacction) X(linear_reacttion)                  \
  X(linear_reactiion) X(linear_reactioon) X(linear_reactionn) X(linearReaction) X(linear_reactions)                    \
  X(reaction_linear) X(reaction_is_linear) X(is_linear_reaction)
// What forces are called, but other things, too: forces where they give what a force does.
#define LIVENS_MEANT_AS_FORCE(X)                                                                                       \
  X(friction) X(damping) X(drag) X(dissipation) X(torque) X(torques) X(load) X(loads) X(actuation) X(resistance)       \
  X(viscous) X(F) X(Q) X(Friction) X(Damping) X(Drag) X(friction_forces) X(damping_forces) X(drag_force)               \
  X(drag_forces) X(dragForce) X(dissipative_force) X(dissipative_forces) X(viscous_force) X(viscous_forces)            \
  X(spring_force) X(spring_forces) X(contact_force) X(contact_forces)
// clang-format on
