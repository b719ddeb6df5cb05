// The operations of formulas and their meaning over any scalar: the one place that says what `atan2` computes.
//
// Functions are found by argument-dependent look-up, so double, long double, Quad, jets and any other scalar with the
// usual functions run through the same lines. What decides (sign, min, max, select) looks at `value_of` only.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "livens/math/scalar.hpp"

namespace livens::formula {

enum class Op : std::uint32_t {
  constant,
  variable,
  power,  // integer exponent, at most `largest_power` in size: evaluated by multiplications
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  pow,
  atan2,
  hypot,
  min,
  max,
  select,  // select(c, a, b) = c >= 0 ? a : b
  table1,  // a table (table.hpp) of so many variables, or one of its derivatives
  table2,
  table3,
  // Arithmetic, to the end.
  neg,
  add,
  sub,
  mul,
  div,
  // Two operations in one, made by `compile` only. Each of the two rounds, as if they were apart.
  mul_add,  // a b + c
  mul_sub,  // a b - c
  sub_mul,  // c - a b
  mul_mul,  // a b c
  add_mul,  // (a + b) c
  dif_mul,  // (a - b) c
  add_add,  // a + b + c
  dif_add,  // a - b + c
};

inline constexpr int largest_power = 64;

constexpr bool is_table(Op op) {
  return op >= Op::table1 && op <= Op::table3;
}

// The number of operands of an operation.
constexpr int arity(Op op) {
  if (op <= Op::variable) return 0;
  if (op <= Op::sign || op == Op::neg || op == Op::table1) return 1;
  return op == Op::select || op == Op::table3 || op >= Op::mul_add ? 3 : 2;
}

// The name under which formulas call an operation: "sin", "atan2", ...; empty for + - * / ^ and leaves.
std::string_view function_name(Op op);

// x^n = (x^(n/2))^2, times x if n is odd, for n > 0; programs multiply in the same order.
template <class T>
T integer_power(const T& x, int n) {
  if (n < 0) return T(1) / integer_power(x, -n);
  if (n == 0) return T(1);
  if (n == 1) return x;
  const T half = integer_power(x, n / 2);
  const T even = half * half;
  return n % 2 == 0 ? even : even * x;
}

// The value of an operation with operands a, b, c (as many as it has); not for leaves, powers, tables and pairs.
template <class T>
inline T apply(Op op, const T& a, const T& b, const T& c) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::hypot, std::log,
      std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  using Real = RealOf<T>;
  switch (op) {
    case Op::neg:
      return -a;
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::sqrt:
      return sqrt(a);
    case Op::abs:
      return abs(a);
    case Op::sign:
      return T(static_cast<int>(value_of(a) > Real(0)) - static_cast<int>(value_of(a) < Real(0)));
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::pow:
      return pow(a, b);
    case Op::atan2:
      return atan2(a, b);
    case Op::hypot:
      return hypot(a, b);
    // a + b where neither is the smaller: not a number then stays visible.
    case Op::min:
      return value_of(a) <= value_of(b) ? a : value_of(b) < value_of(a) ? b : a + b;
    case Op::max:
      return value_of(a) >= value_of(b) ? a : value_of(b) > value_of(a) ? b : a + b;
    case Op::select:
      return value_of(a) >= Real(0) ? b : value_of(a) < Real(0) ? c : a;
    default:
      break;
  }
  __builtin_unreachable();
}

}  // namespace livens::formula
