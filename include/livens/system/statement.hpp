// Is a C++ struct stated as a system must be? Asked when compiling, at the doors through which structs come in (march,
// study_order, check_derivatives, ElementSystem::add, and the system classes themselves), and answered in words.
//
// A member that is misspelt, not const, for double only, of another size or with other arguments is no member at all to
// the functions of lagrangian.hpp, degenerate.hpp and odae.hpp: a force would be left out without a word, a constraint
// answered with pages of templates. So every function is tried here as it will be called,
//
//   f(q, v)  or  f(t, q, v)      const, with jets, returning the scalar of its arguments, or a Vec of it and its size,
//
// and where that fails, why: Fault. A door does nothing more with a struct that is not well stated, so that the words
// are not followed by what comes of it. What is wrong inside a function (std_functions.hpp) cannot be asked for; the
// functions are called with jets here first, so that it is told from nearby.
#pragma once

#include <type_traits>

#include "livens/math/jet.hpp"
#include "livens/math/refused_operators.hpp"
#include "livens/math/std_functions.hpp"
#include "livens/math/vec.hpp"
#include "livens/system/stated_functions.hpp"
#include "livens/system/stated_names.hpp"

namespace livens {

namespace stated {

// ---- sizes ---------------------------------------------------------------------------------------------------------

// GCC 12 takes the value of a member that is not static for an error, even where it only asks.
// clang-format off
#define LIVENS_IS_STATIC(name) (!requires { requires std::is_member_pointer_v<decltype(&Problem::name)>; })
template <class Problem> concept SizedCoordinates = LIVENS_IS_STATIC(coordinates) &&
    requires { typename std::integral_constant<int, Problem::coordinates>; requires(Problem::coordinates > 0); };
template <class Problem> concept SizedConstraints = LIVENS_IS_STATIC(constraints) &&
    requires { typename std::integral_constant<int, Problem::constraints>; requires(Problem::constraints >= 0); };
template <class Problem> concept SizedInvariants = LIVENS_IS_STATIC(invariants) &&
    requires { typename std::integral_constant<int, Problem::invariants>; requires(Problem::invariants >= 0); };
template <class Problem> concept SizedOdae =
    LIVENS_IS_STATIC(positions) && LIVENS_IS_STATIC(velocities) && LIVENS_IS_STATIC(multipliers) && requires {
      typename std::integral_constant<int, Problem::positions>;
      typename std::integral_constant<int, Problem::velocities>;
      typename std::integral_constant<int, Problem::multipliers>;
      requires(Problem::positions > 0 && Problem::velocities > 0 && Problem::multipliers > 0); };
#undef LIVENS_IS_STATIC
// clang-format on

// With stand-ins, so that the words about a missing size are not followed by others.
template <class Problem>
inline constexpr int coordinates = Dynamic;
template <SizedCoordinates Problem>
inline constexpr int coordinates<Problem> = Problem::coordinates;
template <class Problem>
inline constexpr int constraints = 0;
template <SizedConstraints Problem>
inline constexpr int constraints<Problem> = Problem::constraints;
template <class Problem>
inline constexpr int invariants = 0;
template <SizedInvariants Problem>
inline constexpr int invariants<Problem> = Problem::invariants;
template <class Problem>
inline constexpr int positions = Dynamic;
template <SizedOdae Problem>
inline constexpr int positions<Problem> = Problem::positions;
template <class Problem>
inline constexpr int velocities = Dynamic;
template <SizedOdae Problem>
inline constexpr int velocities<Problem> = Problem::velocities;
template <class Problem>
inline constexpr int multipliers = Dynamic;
template <SizedOdae Problem>
inline constexpr int multipliers<Problem> = Problem::multipliers;

// Without it a potential_gradient is not asked for, and a function with a name like it is a helper.
template <class Problem>
concept MassIsConstant = KnowsConstantMass<Problem> && requires {
  requires static_cast<bool>(Problem::constant_mass);
};

// ---- Lagrangian systems --------------------------------------------------------------------------------------------

// An element may have constraints or forces alone.
template <class Problem, bool element>
struct LagrangianFunctions {
  static constexpr int n = coordinates<Problem>, m = constraints<Problem>, k = invariants<Problem>;
  using J = Jet<double, 2 * n>;
  using Jq = Jet<double, n>;
  static constexpr Fault none = Fault::none;
  static constexpr bool has_lagrangian = !element || NamesLagrangian<Problem>, has_force = NamesForce<Problem>;

  static constexpr Fault of_L() {
    return has_lagrangian ? fault_of<Arguments<J, n, n>, J, Problem>(lagrangian, NamesLagrangian<Problem>) : none;
  }
  static constexpr Fault of_F() {
    return has_force ? fault_of<Arguments<J, n, n>, Vec<J, n>, Problem>(force, true) : none;
  }
  static constexpr Fault of_g() {
    return m > 0 ? fault_of<Arguments<Jq, n>, Vec<Jq, m>, Problem>(constraint, NamesConstraint<Problem>) : none;
  }
  static constexpr Fault of_G() {
    return m > 0 && NamesConstraintJacobian<Problem>
               ? fault_of<Arguments<double, n>, Mat<double, m, n>, Problem>(constraint_jacobian, true)
               : none;
  }
  static constexpr Fault of_Vq() {
    return NamesPotentialGradient<Problem>
               ? fault_of<Arguments<double, n>, Vec<double, n>, Problem>(potential_gradient, true)
               : none;
  }
  static constexpr Fault of_I() {
    return k > 0 ? fault_of<Arguments<double, n, n>, Vec<double, k>, Problem>(invariant_values,
                                                                              NamesInvariantValues<Problem>)
                 : none;
  }
  static constexpr bool fine = SayLagrangian<of_L()>::fine && SayForce<of_F()>::fine && SayConstraint<of_g()>::fine &&
                               SayConstraintJacobian<of_G()>::fine && SayPotentialGradient<of_Vq()>::fine &&
                               SayInvariantValues<of_I()>::fine;

  static void compile([[maybe_unused]] const Problem& p, [[maybe_unused]] const J& t,
                      [[maybe_unused]] const Vec<J, n>& q, [[maybe_unused]] const Jq& tq,
                      [[maybe_unused]] const Vec<Jq, n>& qq) {
    if constexpr (has_lagrangian && requires { p.lagrangian(t, q, q); })
      (void)p.lagrangian(t, q, q);
    else if constexpr (has_lagrangian)
      (void)p.lagrangian(q, q);
    if constexpr (has_force && requires { p.force(t, q, q); })
      (void)p.force(t, q, q);
    else if constexpr (has_force)
      (void)p.force(q, q);
    if constexpr (m > 0 && requires { p.constraint(tq, qq); })
      (void)p.constraint(tq, qq);
    else if constexpr (m > 0)
      (void)p.constraint(qq);
  }
};

template <class Problem, bool element>
struct LagrangianNames {
  static constexpr bool sized = SizedCoordinates<Problem>;
  static_assert(sized,
                "livens: the number of coordinates is missing or not known when compiling: write `static "
                "constexpr int coordinates = 2;`, at least 1");
  static constexpr bool counted =
      !NamesConstraints<Problem> || SizedConstraints<Problem> || MisspellsConstraint<Problem>;
  static_assert(counted,
                "livens: `constraints` is the number of constraints, known when compiling: write `static "
                "constexpr int constraints = 1;`");
  static constexpr bool has_count = !NamesConstraint<Problem> || NamesConstraints<Problem> || SizedConstraints<Problem>;
  static_assert(has_count,
                "livens: there is a function constraint(q), but not their number: write `static constexpr "
                "int constraints = 1;`");
  static constexpr bool counts_them =
      !NamesConstraint<Problem> || !SizedConstraints<Problem> || constraints<Problem> > 0;
  static_assert(counts_them, "livens: there is a function constraint(q), but `constraints` is 0: write their number");
  static constexpr bool force = !MisspellsForce<Problem> && !RenamesForce<Problem>;
  static_assert(force, "livens: forces are stated by a function named `force`: rename yours");
  static constexpr bool lagrangian = !element || !MisspellsLagrangian<Problem>;
  static_assert(lagrangian, "livens: the Lagrangian is a function named `lagrangian`: rename yours");
  static constexpr bool constraint = !MisspellsConstraint<Problem>;
  static_assert(constraint,
                "livens: constraints are stated by a function named `constraint`, their number by "
                "`constraints`: rename yours");
  static constexpr bool invariants = !MisspellsInvariants<Problem>;
  static_assert(invariants,
                "livens: invariants are stated by a function named `invariant_values`, their number by "
                "`invariants`: rename yours");
  static constexpr bool counted_invariants = !NamesInvariantValues<Problem> || SizedInvariants<Problem>;
  static_assert(counted_invariants,
                "livens: there is a function invariant_values(q, p), but not their number: write "
                "`static constexpr int invariants = 1;`");
  static constexpr bool jacobian = !MisspellsConstraintJacobian<Problem>;
  static_assert(jacobian,
                "livens: a derivative of the constraints by hand is named `constraint_jacobian`: rename yours");
  static constexpr bool gradient = !MassIsConstant<Problem> || !MisspellsPotentialGradient<Problem>;
  static_assert(gradient, "livens: a derivative of the potential by hand is named `potential_gradient`: rename yours");
  static constexpr bool mass = !MisspellsConstantMass<Problem>;
  static_assert(mass, "livens: the flag is named `constant_mass`: rename yours");
  static constexpr bool separable = !MisspellsSeparable<Problem>;
  static_assert(separable, "livens: the flag is named `separable`: rename yours");
  static constexpr bool degrees = !MisspellsConstraintDegree<Problem> && !MisspellsPotentialDegree<Problem>;
  static_assert(degrees, "livens: the degrees are named `constraint_degree` and `potential_degree`: rename yours");
  static constexpr bool known = !HidesFlag<Problem>;
  static_assert(
      known, "livens: flags are public and known when compiling: write `static constexpr bool constant_mass = true;`");
  static constexpr bool known_degrees = !HidesDegree<Problem>;
  static_assert(
      known_degrees,
      "livens: degrees are public and known when compiling: write `static constexpr int constraint_degree = 2;`");
  static constexpr bool something = !element || !force || !lagrangian || !constraint || NamesLagrangian<Problem> ||
                                    NamesForce<Problem> || NamesConstraint<Problem>;
  static_assert(something,
                "livens: an element has a lagrangian(q, v), a constraint(q) or a force(q, v); this one has "
                "none of them: are they misspelt?");
  static constexpr bool fine = sized && counted && has_count && counts_them && force && constraint && invariants &&
                               counted_invariants && lagrangian && jacobian && gradient && mass && separable &&
                               degrees && known && known_degrees && something;
};

// ---- degenerate systems --------------------------------------------------------------------------------------------

template <class Problem, bool>
struct DegenerateFunctions {
  static constexpr int n = coordinates<Problem>, k = invariants<Problem>;
  using J = Jet<double, n>;
  static constexpr Fault of_theta() {
    return fault_of<Arguments<J, n>, Vec<J, n>, Problem>(theta, NamesTheta<Problem>);
  }
  static constexpr Fault of_H() {
    return fault_of<Arguments<J, n>, J, Problem>(hamiltonian, NamesHamiltonian<Problem>);
  }
  static constexpr Fault of_I() {
    return k > 0 ? fault_of<Arguments<double, n, n>, Vec<double, k>, Problem>(invariant_values,
                                                                              NamesInvariantValues<Problem>)
                 : Fault::none;
  }
  static constexpr bool timed = Arguments<J, n>::template with_time<decltype(theta), const Problem> ||
                                Arguments<J, n>::template with_time<decltype(hamiltonian), const Problem>;
  static_assert(!timed, "livens: theta(q) and hamiltonian(q) of a degenerate system do not take the time");
  static constexpr bool fine =
      !timed && SayTheta<of_theta()>::fine && SayHamiltonian<of_H()>::fine && SayInvariantValues<of_I()>::fine;

  static void compile(const Problem& p, const Vec<J, n>& q) {
    (void)p.theta(q);
    (void)p.hamiltonian(q);
  }
};

template <class Problem, bool>
struct DegenerateNames {
  static constexpr bool sized = SizedCoordinates<Problem>;
  static_assert(sized,
                "livens: the number of coordinates is missing or not known when compiling: write `static "
                "constexpr int coordinates = 2;`, at least 1");
  static constexpr bool free = !NamesForce<Problem> && !MisspellsForce<Problem>;
  static_assert(free, "livens: a degenerate system, theta(q).v - hamiltonian(q), has no forces");
  static constexpr bool unbound = !NamesConstraint<Problem> && !MisspellsConstraint<Problem>;
  static_assert(unbound, "livens: a degenerate system, theta(q).v - hamiltonian(q), has no constraints");
  static constexpr bool invariants = !MisspellsInvariants<Problem>;
  static_assert(invariants,
                "livens: invariants are stated by a function named `invariant_values`, their number by "
                "`invariants`: rename yours");
  static constexpr bool counted_invariants = !NamesInvariantValues<Problem> || SizedInvariants<Problem>;
  static_assert(counted_invariants,
                "livens: there is a function invariant_values(q, p), but not their number: write "
                "`static constexpr int invariants = 1;`");
  static constexpr bool fine = sized && free && unbound && invariants && counted_invariants;
};

// ---- overdetermined systems ----------------------------------------------------------------------------------------

template <class Problem, bool>
struct OdaeFunctions {
  static constexpr int ny = positions<Problem>, nz = velocities<Problem>, m = multipliers<Problem>,
                       k = invariants<Problem>;
  using J = Jet<double, ny + nz>;
  using Jr = Jet<double, ny + nz + m>;
  using Jy = Jet<double, ny>;
  static constexpr Fault of_v() {
    return fault_of<Arguments<J, ny, nz>, Vec<J, ny>, Problem>(velocity, NamesVelocity<Problem>);
  }
  static constexpr Fault of_f() {
    return fault_of<Arguments<J, ny, nz>, Vec<J, nz>, Problem>(force, NamesForce<Problem>);
  }
  static constexpr Fault of_r() {
    return fault_of<Arguments<Jr, ny, nz, m>, Vec<Jr, nz>, Problem>(reaction, NamesReaction<Problem>);
  }
  static constexpr Fault of_g() {
    return fault_of<Arguments<Jy, ny>, Vec<Jy, m>, Problem>(constraint, NamesConstraint<Problem>);
  }
  static constexpr Fault of_I() {
    return k > 0 ? fault_of<Arguments<double, ny, nz>, Vec<double, k>, Problem>(invariant_values, true) : Fault::none;
  }
  static constexpr bool timed = Arguments<Jy, ny>::template with_time<decltype(constraint), const Problem>;
  static_assert(!timed, "livens: constraint(y) of an overdetermined system does not take the time");
  static constexpr bool fine = !timed && SayVelocity<of_v()>::fine && SayOdaeForce<of_f()>::fine &&
                               SayReaction<of_r()>::fine && SayOdaeConstraint<of_g()>::fine &&
                               SayInvariantValues<of_I()>::fine;

  static void compile(const Problem& p, [[maybe_unused]] const J& t, const Vec<J, ny>& y, const Vec<J, nz>& z,
                      [[maybe_unused]] const Jr& tr, const Vec<Jr, ny>& yr, const Vec<Jr, nz>& zr,
                      const Vec<Jr, m>& psi, const Vec<Jy, ny>& yy) {
    if constexpr (requires { p.velocity(t, y, z); })
      (void)p.velocity(t, y, z);
    else
      (void)p.velocity(y, z);
    if constexpr (requires { p.force(t, y, z); })
      (void)p.force(t, y, z);
    else
      (void)p.force(y, z);
    if constexpr (requires { p.reaction(tr, yr, zr, psi); })
      (void)p.reaction(tr, yr, zr, psi);
    else
      (void)p.reaction(yr, zr, psi);
    (void)p.constraint(yy);
  }
};

template <class Problem, bool>
struct OdaeNames {
  static constexpr bool sized = SizedOdae<Problem>;
  static_assert(sized,
                "livens: a size is missing or not known when compiling: write `static constexpr int positions = "
                "2, velocities = 2, multipliers = 1;`, each at least 1");
  static constexpr bool force = !MisspellsForce<Problem> && !RenamesForce<Problem>;
  static_assert(force, "livens: forces are stated by a function named `force`: rename yours");
  static constexpr bool constraint = !MisspellsConstraint<Problem>;
  static_assert(constraint, "livens: constraints are stated by a function named `constraint`: rename yours");
  static constexpr bool invariants = !MisspellsInvariants<Problem>;
  static_assert(invariants,
                "livens: invariants are stated by a function named `invariant_values`, their number by "
                "`invariants`: rename yours");
  static constexpr bool counted_invariants = !NamesInvariantValues<Problem> || SizedInvariants<Problem>;
  static_assert(counted_invariants,
                "livens: there is a function invariant_values(y, z), but not their number: write "
                "`static constexpr int invariants = 1;`");
  static constexpr bool linear = !MisspellsLinearReaction<Problem>;
  static_assert(linear, "livens: the flag is named `linear_reaction`: rename yours");
  static constexpr bool known = !HidesFlag<Problem>;
  static_assert(
      known,
      "livens: flags are public and known when compiling: write `static constexpr bool linear_reaction = true;`");
  static constexpr bool fine = sized && force && constraint && invariants && counted_invariants && linear && known;
};

// Names first; functions where those are right.
template <class Problem, template <class, bool> class OfNames, template <class, bool> class OfFunctions,
          bool element = false>
constexpr bool well_stated() {
  if constexpr (OfNames<Problem, element>::fine) {
    using Functions = OfFunctions<Problem, element>;
    if constexpr (Functions::fine) return &Functions::compile != nullptr;
  }
  return false;
}
template <class Problem>
inline constexpr bool lagrangian_system = well_stated<Problem, LagrangianNames, LagrangianFunctions>();
template <class Problem>
inline constexpr bool element = well_stated<Problem, LagrangianNames, LagrangianFunctions, true>();
template <class Problem>
inline constexpr bool degenerate_system = well_stated<Problem, DegenerateNames, DegenerateFunctions>();
template <class Problem>
inline constexpr bool odae_system = well_stated<Problem, OdaeNames, OdaeFunctions>();

}  // namespace stated

// What a struct states, by the names of its members.
template <class Problem>
concept OverdeterminedProblem =
    !stated::NamesLagrangian<Problem> &&
    (stated::NamesPositions<Problem> || (stated::NamesReaction<Problem> && stated::NamesMultipliers<Problem>));

template <class Problem>
concept DegenerateProblem =
    !OverdeterminedProblem<Problem> &&
    (stated::NamesLagrangian<Problem> ? stated::NamesTheta<Problem> && stated::NamesHamiltonian<Problem>
                                      : stated::NamesTheta<Problem> || stated::NamesHamiltonian<Problem>);

// Whether it is well stated; if not, compiling ends with words that say why.
template <class Problem>
inline constexpr bool is_well_stated =
    stated::well_stated<Problem, stated::LagrangianNames, stated::LagrangianFunctions>();
template <DegenerateProblem Problem>
inline constexpr bool is_well_stated<Problem> =
    stated::well_stated<Problem, stated::DegenerateNames, stated::DegenerateFunctions>();
template <OverdeterminedProblem Problem>
inline constexpr bool is_well_stated<Problem> =
    stated::well_stated<Problem, stated::OdaeNames, stated::OdaeFunctions>();

}  // namespace livens
