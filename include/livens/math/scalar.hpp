// The scalars of Livens: double, long double, binary128 (Quad, where the compiler has it), and jets over them.
//
// Mathematical functions are found by argument-dependent look-up: write `using std::sin; sin(x)`.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#ifndef LIVENS_QUAD
#define LIVENS_QUAD 0  // set to 1 by the build where <quadmath.h> is found
#endif
#if LIVENS_QUAD
#include <boost/multiprecision/float128.hpp>
#endif

namespace livens {

#if LIVENS_QUAD
using Quad = boost::multiprecision::float128;
using Widest = Quad;
#else
using Widest = long double;
#endif

// What a scalar type is made of. `Real` is the type that decides convergence: the scalar itself, or the value part of
// a jet (jet.hpp adds that case).
template <class T>
struct ScalarTraits {
  using Real = T;
  static const Real& value(const T& x) { return x; }
};

template <class T>
using RealOf = typename ScalarTraits<T>::Real;

// A jet, or another scalar that carries more than its value.
template <class T>
concept MoreThanReal = !std::is_same_v<RealOf<T>, T>;

namespace detail {

// There, and not where it is called, so that the words are said once.
template <bool derivatives>
void refuse_number() {
  static_assert(derivatives,
                "livens: a double cannot hold what depends on q or v, derivatives would be lost: write T or `auto` "
                "instead of double, in helpers, too; as a condition write a comparison, x != 0");
}

// Of a type that has to be found, so that the words come where it is called.
template <bool components>
auto refuse_component() {
  static_assert(components,
                "livens: a number has no components, x[i]: the time, where it is an argument, is the first one: "
                "(t, q, v), (t, q)");
}

}  // namespace detail

template <class T>
RealOf<T> value_of(const T& x) {
  return ScalarTraits<T>::value(x);
}

// |x|, of what decides convergence.
template <class T>
RealOf<T> abs_of(const T& x) {
  using std::abs;
  return abs(value_of(x));
}

// For the few sums and products whose rounding would add up over long runs: the next wider scalar where the processor
// computes with it, as that of x86 with 80 bits; else T itself.
template <class T>
struct WiderThan {
  using Type = T;
};
template <>
struct WiderThan<double> {
  using Type = std::conditional_t<std::numeric_limits<long double>::digits == 64, long double, double>;
};
template <class T>
using Wider = typename WiderThan<T>::Type;

template <class T>
constexpr RealOf<T> epsilon() {
  return std::numeric_limits<RealOf<T>>::epsilon();
}

// With its derivatives, which a jet may have where its value is 0: a jet is never said to be.
template <class T>
bool vanishes(const T& x) {
  if constexpr (std::is_same_v<T, RealOf<T>>)
    return x == T(0);
  else
    return false;
}

template <class T>
bool is_finite(const T& x) {
  const RealOf<T> y = value_of(x);
  return y - y == RealOf<T>(0);
}

template <class T>
double to_double(const T& x) {
  return static_cast<double>(value_of(x));
}

}  // namespace livens
