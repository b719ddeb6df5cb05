// The functions of a struct, tried as they will be called: what is wrong with them, and the words for it.
#pragma once

#include <concepts>
#include <type_traits>

#include "livens/math/vec.hpp"

namespace livens::stated {

enum class Fault {
  none,
  missing,
  not_const,
  double_only,
  time_last,
  arguments,  // others than those
  value,      // of another type or size
};

inline constexpr auto lagrangian = [](auto& p, const auto&... x) -> decltype(p.lagrangian(x...)) {
  return p.lagrangian(x...);
};
inline constexpr auto force = [](auto& p, const auto&... x) -> decltype(p.force(x...)) { return p.force(x...); };
inline constexpr auto constraint = [](auto& p, const auto&... x) -> decltype(p.constraint(x...)) {
  return p.constraint(x...);
};
inline constexpr auto constraint_jacobian = [](auto& p, const auto&... x) -> decltype(p.constraint_jacobian(x...)) {
  return p.constraint_jacobian(x...);
};
inline constexpr auto potential_gradient = [](auto& p, const auto&... x) -> decltype(p.potential_gradient(x...)) {
  return p.potential_gradient(x...);
};
inline constexpr auto invariant_values = [](auto& p, const auto&... x) -> decltype(p.invariant_values(x...)) {
  return p.invariant_values(x...);
};
inline constexpr auto theta = [](auto& p, const auto&... x) -> decltype(p.theta(x...)) { return p.theta(x...); };
inline constexpr auto hamiltonian = [](auto& p, const auto&... x) -> decltype(p.hamiltonian(x...)) {
  return p.hamiltonian(x...);
};
inline constexpr auto velocity = [](auto& p, const auto&... x) -> decltype(p.velocity(x...)) {
  return p.velocity(x...);
};
inline constexpr auto reaction = [](auto& p, const auto&... x) -> decltype(p.reaction(x...)) {
  return p.reaction(x...);
};

// Arguments over one scalar: the time, where a function may take it, and vectors.
template <class Scalar, int... sizes>
struct Arguments {
  using Plain = Arguments<double, sizes...>;

  template <class Call, class Problem>
  static constexpr bool with_time = requires(const Call& call, Problem& p, const Scalar& t,
                                             const Vec<Scalar, sizes>&... x) {
    call(p, t, x...);
  };
  template <class Call, class Problem>
  static constexpr bool callable = requires(const Call& call, Problem& p, const Vec<Scalar, sizes>&... x) {
    call(p, x...);
  }
  || requires(const Call& call, Problem& p, const Scalar& t, const Vec<Scalar, sizes>&... x) { call(p, t, x...); };
  template <class Call, class Problem>
  static constexpr bool time_last = requires(const Call& call, Problem& p, const Scalar& t,
                                             const Vec<Scalar, sizes>&... x) {
    call(p, x..., t);
  };

  template <class Value, class Call, class Problem>
  static constexpr bool returns(const Call&, std::type_identity<Problem>) {
    if constexpr (with_time<Call, Problem>)
      return requires(const Call& call, Problem& p, const Scalar& t, const Vec<Scalar, sizes>&... x) {
        requires std::same_as<std::remove_cvref_t<decltype(call(p, t, x...))>, Value>;
      };
    else
      return requires(const Call& call, Problem& p, const Vec<Scalar, sizes>&... x) {
        requires std::same_as<std::remove_cvref_t<decltype(call(p, x...))>, Value>;
      };
  }
};

// What is wrong with a function that is called with Args and returns Value; named: that there is a member of its name.
template <class Args, class Value, class Problem, class Call>
constexpr Fault fault_of(const Call& call, bool named) {
  if constexpr (Args::template callable<Call, const Problem>) {
    const bool right = Args::template returns<Value>(call, std::type_identity<const Problem>());
    return right ? Fault::none : Fault::value;
  } else if constexpr (Args::template callable<Call, Problem>) {
    return Fault::not_const;
  } else if constexpr (Args::Plain::template callable<Call, Problem>) {
    return Fault::double_only;
  } else if constexpr (Args::template time_last<Call, Problem>) {
    return Fault::time_last;
  } else {
    return named ? Fault::arguments : Fault::missing;
  }
}

// ---- words ---------------------------------------------------------------------------------------------------------

// Where only the words are a macro, the compiler tells the line and not the macro.
#define LIVENS_CONST " must be const: write `const` after its arguments"
#define LIVENS_SCALAR                                                                                                \
  " must take any scalar, not double alone: derivatives come from jets; write `template <class T>` with Vec<T, ..> " \
  "arguments, or `const auto&`"
#define LIVENS_TIME " may take the time, as its first argument, not its last"
// clang-format off
template <Fault fault> struct SayLagrangian {
  static_assert(fault != Fault::missing, "livens: the function lagrangian(q, v) is missing: it takes q and v, or t, q and v, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::not_const, "livens: lagrangian(q, v)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: lagrangian(q, v)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: lagrangian(q, v)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: lagrangian(q, v) cannot be called: it takes q and v, or t, q and v, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::value, "livens: lagrangian(q, v) must return T, the scalar of its arguments");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayForce {
  static_assert(fault != Fault::missing, "livens: the function force(q, v) is missing: it takes q and v, or t, q and v, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::not_const, "livens: force(q, v)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: force(q, v)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: force(q, v)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: force(q, v) cannot be called: it takes q and v, or t, q and v, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::value, "livens: force(q, v) must return Vec<T, coordinates>, T being the scalar of its arguments");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayConstraint {
  static_assert(fault != Fault::missing, "livens: the function constraint(q) is missing: it takes q, or t and q, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::not_const, "livens: constraint(q)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: constraint(q)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: constraint(q)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: constraint(q) cannot be called: it takes q, or t and q, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::value, "livens: constraint(q) must return Vec<T, constraints>, T being the scalar of its arguments and `constraints` their number");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayConstraintJacobian {
  static_assert(fault != Fault::missing, "livens: the function constraint_jacobian(q) is missing: it takes q, or t and q, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::not_const, "livens: constraint_jacobian(q)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: constraint_jacobian(q)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: constraint_jacobian(q)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: constraint_jacobian(q) cannot be called: it takes q, or t and q, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::value, "livens: constraint_jacobian(q) must return Mat<T, constraints, coordinates>");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayPotentialGradient {
  static_assert(fault != Fault::missing, "livens: the function potential_gradient(q) is missing: it takes q, or t and q, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::not_const, "livens: potential_gradient(q)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: potential_gradient(q)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: potential_gradient(q)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: potential_gradient(q) cannot be called: it takes q, or t and q, as `const Vec<T, coordinates>&` and `const T&`");
  static_assert(fault != Fault::value, "livens: potential_gradient(q) must return Vec<T, coordinates>");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayInvariantValues {
  static_assert(fault != Fault::missing, "livens: the function invariant_values(q, p) is missing: it takes q and p, of overdetermined systems y and z, as `const Vec<T, ..>&`");
  static_assert(fault != Fault::not_const, "livens: invariant_values(q, p)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: invariant_values(q, p)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: invariant_values(q, p)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: invariant_values(q, p) cannot be called: it takes q and p, of overdetermined systems y and z, as `const Vec<T, ..>&`");
  static_assert(fault != Fault::value, "livens: invariant_values(q, p) must return Vec<T, invariants>, `invariants` being their number");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayTheta {
  static_assert(fault != Fault::missing, "livens: the function theta(q) is missing: it takes q as `const Vec<T, coordinates>&`");
  static_assert(fault != Fault::not_const, "livens: theta(q)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: theta(q)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: theta(q)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: theta(q) cannot be called: it takes q as `const Vec<T, coordinates>&`");
  static_assert(fault != Fault::value, "livens: theta(q) must return Vec<T, coordinates>, T being the scalar of its argument");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayHamiltonian {
  static_assert(fault != Fault::missing, "livens: the function hamiltonian(q) is missing: it takes q as `const Vec<T, coordinates>&`");
  static_assert(fault != Fault::not_const, "livens: hamiltonian(q)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: hamiltonian(q)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: hamiltonian(q)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: hamiltonian(q) cannot be called: it takes q as `const Vec<T, coordinates>&`");
  static_assert(fault != Fault::value, "livens: hamiltonian(q) must return T, the scalar of its argument");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayVelocity {
  static_assert(fault != Fault::missing, "livens: the function velocity(y, z) is missing: it takes y and z, or t, y and z, as `const Vec<T, positions>&`, `const Vec<T, velocities>&` and `const T&`");
  static_assert(fault != Fault::not_const, "livens: velocity(y, z)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: velocity(y, z)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: velocity(y, z)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: velocity(y, z) cannot be called: it takes y and z, or t, y and z, as `const Vec<T, positions>&`, `const Vec<T, velocities>&` and `const T&`");
  static_assert(fault != Fault::value, "livens: velocity(y, z) must return Vec<T, positions>, T being the scalar of its arguments");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayOdaeForce {
  static_assert(fault != Fault::missing, "livens: the function force(y, z) is missing: it takes y and z, or t, y and z, as `const Vec<T, positions>&`, `const Vec<T, velocities>&` and `const T&`");
  static_assert(fault != Fault::not_const, "livens: force(y, z)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: force(y, z)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: force(y, z)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: force(y, z) cannot be called: it takes y and z, or t, y and z, as `const Vec<T, positions>&`, `const Vec<T, velocities>&` and `const T&`");
  static_assert(fault != Fault::value, "livens: force(y, z) must return Vec<T, velocities>, T being the scalar of its arguments");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayReaction {
  static_assert(fault != Fault::missing, "livens: the function reaction(y, z, psi) is missing: it takes y, z and psi, or t before them, as `const Vec<T, positions>&`, `const Vec<T, velocities>&`, `const Vec<T, multipliers>&` and `const T&`");
  static_assert(fault != Fault::not_const, "livens: reaction(y, z, psi)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: reaction(y, z, psi)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: reaction(y, z, psi)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: reaction(y, z, psi) cannot be called: it takes y, z and psi, or t before them, as `const Vec<T, positions>&`, `const Vec<T, velocities>&`, `const Vec<T, multipliers>&` and `const T&`");
  static_assert(fault != Fault::value, "livens: reaction(y, z, psi) must return Vec<T, velocities>, T being the scalar of its arguments");
  static constexpr bool fine = fault == Fault::none;
};
template <Fault fault> struct SayOdaeConstraint {
  static_assert(fault != Fault::missing, "livens: the function constraint(y) is missing: it takes y as `const Vec<T, positions>&`");
  static_assert(fault != Fault::not_const, "livens: constraint(y)" LIVENS_CONST);
  static_assert(fault != Fault::double_only, "livens: constraint(y)" LIVENS_SCALAR);
  static_assert(fault != Fault::time_last, "livens: constraint(y)" LIVENS_TIME);
  static_assert(fault != Fault::arguments, "livens: constraint(y) cannot be called: it takes y as `const Vec<T, positions>&`");
  static_assert(fault != Fault::value, "livens: constraint(y) must return Vec<T, multipliers>, T being the scalar of its argument");
  static constexpr bool fine = fault == Fault::none;
};
// clang-format on
#undef LIVENS_CONST
#undef LIVENS_SCALAR
#undef LIVENS_TIME

}  // namespace livens::stated
