// The names of the members of a struct: which of those that a system has (lagrangian.hpp, degenerate.hpp, odae.hpp),
// and which that were probably meant to be one of them.
#pragma once

#include <concepts>
#include <type_traits>

#include "livens/math/vec.hpp"
#include "livens/system/stated_typos.hpp"

namespace livens::stated {

// The struct and one that has all these names: a name that is then ambiguous is a member, be it a template or private.
#define LIVENS_DECLARE(name) int name;
struct Names {
  int theta, hamiltonian, lagrangian, constraint, force, velocity, reaction, positions, multipliers, constraints,
      invariants, invariant_values, constraint_jacobian, potential_gradient, constant_mass, separable,
      constraint_degree, potential_degree, linear_reaction;
  LIVENS_LIKE_FORCE(LIVENS_DECLARE)
  LIVENS_MEANT_AS_FORCE(LIVENS_DECLARE)
  LIVENS_LIKE_CONSTRAINT(LIVENS_DECLARE)
  LIVENS_LIKE_LAGRANGIAN(LIVENS_DECLARE)
  LIVENS_LIKE_INVARIANT_VALUES(LIVENS_DECLARE)
  LIVENS_LIKE_CONSTRAINT_JACOBIAN(LIVENS_DECLARE)
  LIVENS_LIKE_POTENTIAL_GRADIENT(LIVENS_DECLARE)
  LIVENS_LIKE_CONSTANT_MASS(LIVENS_DECLARE)
  LIVENS_LIKE_SEPARABLE(LIVENS_DECLARE)
  LIVENS_LIKE_CONSTRAINT_DEGREE(LIVENS_DECLARE)
  LIVENS_LIKE_POTENTIAL_DEGREE(LIVENS_DECLARE)
  LIVENS_LIKE_LINEAR_REACTION(LIVENS_DECLARE)
};
#undef LIVENS_DECLARE
// A final struct is no base: its names are those that can be taken or called.
struct Nothing {};
template <class Problem>
struct WithNames : std::conditional_t<std::is_final_v<Problem>, Nothing, Problem>, Names {};

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

// Numbers, such as parameters.
template <class Pointer>
inline constexpr bool is_data = std::is_member_object_pointer_v<Pointer> ||
                                (std::is_pointer_v<Pointer> && std::is_object_v<std::remove_pointer_t<Pointer>>);

// A helper of numbers, `auto drag(auto x, auto y)` or `T drag(T x, T y)`, takes vectors, too, until its body is
// compiled, and then is an error. So it is asked first with a vector that is a number where one is needed: what then
// gives a number, and of numbers, too, is such a helper.
template <class V>
struct Probe : V {
  using V::V;
  operator double() const { return 0; }
};
struct Number {
  double value = 0;
  operator double() const { return value; }
  double& operator[](int) { return value; }  // or a force of `auto` may not compile
  const double& operator[](int) const { return value; }
};
template <class T>
inline constexpr bool is_number =
    std::is_arithmetic_v<std::remove_cvref_t<T>> || std::is_same_v<std::remove_cvref_t<T>, Number>;
template <class Function>
inline constexpr bool is_of_numbers = false;
template <class R, class C, bool n, class... A>
inline constexpr bool is_of_numbers<R (C::*)(A...) noexcept(n)> = (is_number<R> && ... && is_number<A>);
template <class R, class C, bool n, class... A>
inline constexpr bool is_of_numbers<R (C::*)(A...) const noexcept(n)> = (is_number<R> && ... && is_number<A>);
template <class R, bool n, class... A>
inline constexpr bool is_of_numbers<R (*)(A...) noexcept(n)> = (is_number<R> && ... && is_number<A>);
template <class T>
inline constexpr bool is_probe = false;
template <class V>
inline constexpr bool is_probe<Probe<V>> = true;

// clang-format off
#define LIVENS_TAKES_A_NUMBER(name) (requires(Problem& p, const Probe<Plain<Problem>>& q, const Number& x) { requires is_number<decltype(p.name(q))>; p.name(x); } || \
    requires(Problem& p, const Probe<Plain<Problem>>& q) { requires is_probe<decltype(p.name(q))>; requires is_of_numbers<decltype(&Problem::template name<Number>)>; })
#define LIVENS_TAKES_NUMBERS(name) ( \
    requires(Problem& p, const Probe<Plain<Problem>>& q, const Probe<PlainRate<Problem>>& v, const Number& x) { requires is_number<decltype(p.name(q, v))>; p.name(x, x); } || \
    requires(Problem& p, const Probe<Plain<Problem>>& q, const Probe<PlainRate<Problem>>& v) { requires is_probe<decltype(p.name(q, v))>; requires is_of_numbers<decltype(&Problem::template name<Number>)>; } || \
    requires(Problem& p, double t, const Probe<Plain<Problem>>& q, const Probe<PlainRate<Problem>>& v, const Number& x) { requires is_number<decltype(p.name(t, q, v))>; p.name(t, x, x); })
// The right order first: with others, or double, a function of `auto` may not compile.
#define LIVENS_CALLED_WITH_ONE(name) (requires(Problem& p, const Plain<Problem>& q) { p.name(q); } || \
    requires(Problem& p, double t, const Plain<Problem>& q) { p.name(t, q); } || requires(Problem& p, double t, const Plain<Problem>& q) { p.name(q, t); })
#define LIVENS_CALLED_WITH_TWO(name) (requires(Problem& p, const Plain<Problem>& q, const PlainRate<Problem>& v) { p.name(q, v); } || \
    requires(Problem& p, double t, const Plain<Problem>& q, const PlainRate<Problem>& v) { p.name(t, q, v); } || \
    requires(Problem& p, double t, const Plain<Problem>& q, const PlainRate<Problem>& v) { p.name(q, v, t); })
#define LIVENS_IS_BASE_MEMBER(name) (!std::is_final_v<Problem> && std::is_class_v<Problem> && !requires { &WithNames<Problem>::name; })
#define LIVENS_IS_NAMED(name) (LIVENS_IS_BASE_MEMBER(name) || (std::is_final_v<Problem> && requires { typename std::type_identity_t<decltype(Problem::name)>; }))
#define LIVENS_IS_DATA(name) requires { requires is_data<decltype(&Problem::name)>; }
#define LIVENS_IS_FUNCTION(name, called) ((LIVENS_IS_BASE_MEMBER(name) || (std::is_final_v<Problem> && (requires { &Problem::name; } || \
    called(name) || requires { &Problem::template name<double>; }))) && (!LIVENS_IS_DATA(name) || called(name)))
#define LIVENS_FUNCTION_OF_ONE(name) LIVENS_IS_FUNCTION(name, LIVENS_CALLED_WITH_ONE)
#define LIVENS_FUNCTION_OF_TWO(name) LIVENS_IS_FUNCTION(name, LIVENS_CALLED_WITH_TWO)

template <class Problem> concept NamesTheta = LIVENS_FUNCTION_OF_ONE(theta);
template <class Problem> concept NamesHamiltonian = LIVENS_FUNCTION_OF_ONE(hamiltonian);
template <class Problem> concept NamesLagrangian = LIVENS_FUNCTION_OF_TWO(lagrangian);
template <class Problem> concept NamesConstraint = LIVENS_FUNCTION_OF_ONE(constraint);
template <class Problem> concept NamesConstraints = LIVENS_IS_NAMED(constraints);
template <class Problem> concept NamesForce = LIVENS_FUNCTION_OF_TWO(force);
template <class Problem> concept NamesVelocity = LIVENS_FUNCTION_OF_TWO(velocity);
template <class Problem> concept NamesReaction = LIVENS_FUNCTION_OF_TWO(reaction);
template <class Problem> concept NamesMultipliers = LIVENS_IS_NAMED(multipliers);
template <class Problem> concept NamesPositions = LIVENS_IS_NAMED(positions) || requires { Problem::positions; };
template <class Problem> concept NamesInvariants = LIVENS_IS_NAMED(invariants);
template <class Problem> concept NamesInvariantValues = LIVENS_FUNCTION_OF_TWO(invariant_values);
template <class Problem> concept NamesConstraintJacobian = LIVENS_FUNCTION_OF_ONE(constraint_jacobian);
template <class Problem> concept NamesPotentialGradient = LIVENS_FUNCTION_OF_ONE(potential_gradient);

// ---- names that were meant to be others ----------------------------------------------------------------------------

// Most structs have none of a list, which is one question. Functions are those that can be called as what they were
// meant to be: a helper of the same name with other arguments is none.
#define LIVENS_TAKE(name) &WithNames<Problem>::name;
#define LIVENS_ONE_OF(list, meant) (std::is_class_v<Problem> && \
    (std::is_final_v<Problem> || !requires { list(LIVENS_TAKE) }) && (false list(meant)))
#define LIVENS_MAY_BE(name) ((std::is_final_v<Problem> || !requires { &WithNames<Problem>::name; }) && !LIVENS_IS_DATA(name))
#define LIVENS_OR_TAKES_ONE(name) || (LIVENS_MAY_BE(name) && !LIVENS_TAKES_A_NUMBER(name) && LIVENS_CALLED_WITH_ONE(name))
#define LIVENS_OR_TAKES_TWO(name) || (LIVENS_MAY_BE(name) && !LIVENS_TAKES_NUMBERS(name) && LIVENS_CALLED_WITH_TWO(name))
#define LIVENS_OR_IS_CALLED(name) || (LIVENS_MAY_BE(name) && LIVENS_CALLED_WITH_TWO(name))
#define LIVENS_OR_GIVES_RATE(name) || (LIVENS_MAY_BE(name) && !LIVENS_TAKES_NUMBERS(name) && \
    (requires(Problem& p, const Plain<Problem>& q, const PlainRate<Problem>& v) { { p.name(q, v) } -> std::same_as<PlainRate<Problem>>; } || \
     requires(Problem& p, double t, const Plain<Problem>& q, const PlainRate<Problem>& v) { { p.name(t, q, v) } -> std::same_as<PlainRate<Problem>>; }))
// Flags are whole numbers; a parameter of the same name is none.
#define LIVENS_OR_FLAG(name) || requires { requires std::is_integral_v<std::remove_cv_t<decltype(Problem::name)>>; }

template <class Problem> concept MisspellsForce =
    !NamesForce<Problem> && LIVENS_ONE_OF(LIVENS_LIKE_FORCE, LIVENS_OR_TAKES_TWO);
template <class Problem> concept RenamesForce =
    !NamesForce<Problem> && LIVENS_ONE_OF(LIVENS_MEANT_AS_FORCE, LIVENS_OR_GIVES_RATE);
template <class Problem> concept MisspellsConstraint = !NamesConstraint<Problem> &&
    (LIVENS_ONE_OF(LIVENS_LIKE_CONSTRAINT, LIVENS_OR_TAKES_ONE) || (false LIVENS_OR_TAKES_ONE(constraints)));
template <class Problem> concept MisspellsLagrangian =
    !NamesLagrangian<Problem> && LIVENS_ONE_OF(LIVENS_LIKE_LAGRANGIAN, LIVENS_OR_IS_CALLED);  // which gives a number
template <class Problem> concept MisspellsInvariants = !NamesInvariantValues<Problem> &&
    (LIVENS_ONE_OF(LIVENS_LIKE_INVARIANT_VALUES, LIVENS_OR_TAKES_TWO) || (false LIVENS_OR_TAKES_TWO(invariants)));
template <class Problem> concept MisspellsConstraintJacobian =
    !NamesConstraintJacobian<Problem> && LIVENS_ONE_OF(LIVENS_LIKE_CONSTRAINT_JACOBIAN, LIVENS_OR_TAKES_ONE);
template <class Problem> concept MisspellsPotentialGradient =
    !NamesPotentialGradient<Problem> && LIVENS_ONE_OF(LIVENS_LIKE_POTENTIAL_GRADIENT, LIVENS_OR_TAKES_ONE);
template <class Problem> concept MisspellsConstantMass =
    !requires { Problem::constant_mass; } && LIVENS_ONE_OF(LIVENS_LIKE_CONSTANT_MASS, LIVENS_OR_FLAG);
template <class Problem> concept MisspellsSeparable =
    !requires { Problem::separable; } && LIVENS_ONE_OF(LIVENS_LIKE_SEPARABLE, LIVENS_OR_FLAG);
template <class Problem> concept MisspellsConstraintDegree =
    !requires { Problem::constraint_degree; } && LIVENS_ONE_OF(LIVENS_LIKE_CONSTRAINT_DEGREE, LIVENS_OR_FLAG);
template <class Problem> concept MisspellsPotentialDegree =
    !requires { Problem::potential_degree; } && LIVENS_ONE_OF(LIVENS_LIKE_POTENTIAL_DEGREE, LIVENS_OR_FLAG);
template <class Problem> concept MisspellsLinearReaction =
    !requires { Problem::linear_reaction; } && LIVENS_ONE_OF(LIVENS_LIKE_LINEAR_REACTION, LIVENS_OR_FLAG);

// Flags that are there, but not as numbers that are known when compiling.
#define LIVENS_IS_KNOWN(name) (!requires { requires std::is_member_pointer_v<decltype(&Problem::name)>; }) && \
    requires { typename std::integral_constant<int, static_cast<int>(Problem::name)>; }
template <class Problem> concept KnowsConstantMass = LIVENS_IS_KNOWN(constant_mass);
template <class Problem> concept KnowsSeparable = LIVENS_IS_KNOWN(separable);
template <class Problem> concept KnowsConstraintDegree = LIVENS_IS_KNOWN(constraint_degree);
template <class Problem> concept KnowsPotentialDegree = LIVENS_IS_KNOWN(potential_degree);
template <class Problem> concept KnowsLinearReaction = LIVENS_IS_KNOWN(linear_reaction);
template <class Problem> concept HidesFlag = (LIVENS_IS_NAMED(constant_mass) && !KnowsConstantMass<Problem>) ||
    (LIVENS_IS_NAMED(separable) && !KnowsSeparable<Problem>) || (LIVENS_IS_NAMED(linear_reaction) && !KnowsLinearReaction<Problem>);
template <class Problem> concept HidesDegree = (LIVENS_IS_NAMED(constraint_degree) && !KnowsConstraintDegree<Problem>) ||
    (LIVENS_IS_NAMED(potential_degree) && !KnowsPotentialDegree<Problem>);
// clang-format on
#undef LIVENS_IS_KNOWN
#undef LIVENS_OR_FLAG
#undef LIVENS_OR_GIVES_RATE
#undef LIVENS_OR_IS_CALLED
#undef LIVENS_OR_TAKES_TWO
#undef LIVENS_OR_TAKES_ONE
#undef LIVENS_MAY_BE
#undef LIVENS_ONE_OF
#undef LIVENS_TAKE
#undef LIVENS_FUNCTION_OF_TWO
#undef LIVENS_FUNCTION_OF_ONE
#undef LIVENS_IS_FUNCTION
#undef LIVENS_IS_DATA
#undef LIVENS_IS_NAMED
#undef LIVENS_IS_BASE_MEMBER
#undef LIVENS_CALLED_WITH_TWO
#undef LIVENS_CALLED_WITH_ONE
#undef LIVENS_TAKES_NUMBERS
#undef LIVENS_TAKES_A_NUMBER

}  // namespace livens::stated
