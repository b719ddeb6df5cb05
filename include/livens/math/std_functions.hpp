// std::cos(x) of a jet, in words. Functions of jets are found by argument-dependent look-up, which `std::` switches
// off; without the overloads below the compiler answers with every function that it tried, for every jet.
//
// They stand in namespace std, where the call looks for them, are chosen for scalars of Livens only, and only where no
// function of Livens is found: a template with a parameter pack is worse than any without. One function holds the
// words, so that they are said once.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "livens/math/jet.hpp"
#include "livens/math/magnitude.hpp"

namespace livens::detail {

template <class A>
inline constexpr bool is_magnitude = false;
template <class T>
inline constexpr bool is_magnitude<Magnitude<T>> = true;

template <class... A>
concept UnknownToStd = ((AnyJet<A> || is_magnitude<A>) || ...);

template <bool derivatives>
void refuse_std_function() {
  static_assert(derivatives,
                "livens: std::cos(x) and its like do not know derivatives: write `using std::cos;` and then cos(x), "
                "without std:: (there are abs, sqrt, exp, log, pow, sin, cos, tan, asin, acos, atan, atan2, sinh, "
                "cosh, tanh, hypot, min, max)");
}

template <class... A>
struct FirstUnknown {
  using type = double;
};
template <class A, class... Rest>
struct FirstUnknown<A, Rest...> : FirstUnknown<Rest...> {};
template <class A, class... Rest>
requires UnknownToStd<A>
struct FirstUnknown<A, Rest...> {
  using type = A;
};

}  // namespace livens::detail

namespace livens {

// As abs; without std:: it is found here.
template <AnyJet J>
J fabs(const J& x) {
  return abs(x);
}

// `double s = 0; s += x;` of a jet x, told as `double(x)` is (scalar.hpp).
#define LIVENS_REFUSE(operation)                                           \
  template <class A, MoreThanReal B>                                       \
  requires std::is_arithmetic_v<A> A& operator operation(A& a, const B&) { \
    detail::refuse_number<false>();                                        \
    return a;                                                              \
  }
LIVENS_REFUSE(+=)
LIVENS_REFUSE(-=)
LIVENS_REFUSE(*=)
LIVENS_REFUSE(/=)
#undef LIVENS_REFUSE

}  // namespace livens

#define LIVENS_REFUSE(function)                                                                        \
  template <class A, class... Rest>                                                                    \
  requires livens::detail::UnknownToStd<A, Rest...>                                                    \
  auto function(const A& a, const Rest&...)->typename livens::detail::FirstUnknown<A, Rest...>::type { \
    livens::detail::refuse_std_function<false>();                                                      \
    return a;                                                                                          \
  }
namespace std {
LIVENS_REFUSE(abs)
LIVENS_REFUSE(fabs)
LIVENS_REFUSE(sqrt)
LIVENS_REFUSE(cbrt)
LIVENS_REFUSE(exp)
LIVENS_REFUSE(exp2)
LIVENS_REFUSE(expm1)
LIVENS_REFUSE(log)
LIVENS_REFUSE(log2)
LIVENS_REFUSE(log10)
LIVENS_REFUSE(log1p)
LIVENS_REFUSE(pow)
LIVENS_REFUSE(hypot)
LIVENS_REFUSE(sin)
LIVENS_REFUSE(cos)
LIVENS_REFUSE(tan)
LIVENS_REFUSE(asin)
LIVENS_REFUSE(acos)
LIVENS_REFUSE(atan)
LIVENS_REFUSE(atan2)
LIVENS_REFUSE(sinh)
LIVENS_REFUSE(cosh)
LIVENS_REFUSE(tanh)
LIVENS_REFUSE(asinh)
LIVENS_REFUSE(acosh)
LIVENS_REFUSE(atanh)
LIVENS_REFUSE(erf)
LIVENS_REFUSE(erfc)
LIVENS_REFUSE(tgamma)
LIVENS_REFUSE(lgamma)
LIVENS_REFUSE(fma)
LIVENS_REFUSE(fdim)
LIVENS_REFUSE(remainder)
LIVENS_REFUSE(rint)
LIVENS_REFUSE(nearbyint)
LIVENS_REFUSE(lround)
LIVENS_REFUSE(fmin)
LIVENS_REFUSE(fmax)
LIVENS_REFUSE(fmod)
LIVENS_REFUSE(floor)
LIVENS_REFUSE(ceil)
LIVENS_REFUSE(round)
LIVENS_REFUSE(trunc)
LIVENS_REFUSE(copysign)
LIVENS_REFUSE(signbit)
LIVENS_REFUSE(isnan)
LIVENS_REFUSE(isinf)
LIVENS_REFUSE(isfinite)

}  // namespace std
#undef LIVENS_REFUSE

// Of a jet and a number; of jets std has them, and of what is named, std::max<T>(0, x): then a first parameter that is
// no type keeps these out.
#define LIVENS_REFUSE(function)                                                                                    \
  template <int = 0, class A, class B, class... None>                                                              \
  requires((livens::AnyJet<A> || livens::AnyJet<B>)&&!std::is_same_v<A, B> && sizeof...(None) == 0) auto function( \
      const A& a, const B&, const None&...)                                                                        \
      ->typename livens::detail::FirstUnknown<A, B>::type {                                                        \
    livens::detail::refuse_std_function<false>();                                                                  \
    return a;                                                                                                      \
  }
namespace std {
LIVENS_REFUSE(max)
LIVENS_REFUSE(min)
template <int = 0, class A, class B, class C, class... None>
requires((livens::AnyJet<A> || livens::AnyJet<B> ||
          livens::AnyJet<C>)&&!(std::is_same_v<A, B> && std::is_same_v<A, C>)&&sizeof...(None) ==
         0) auto clamp(const A& a, const B&, const C&, const None&...) ->
    typename livens::detail::FirstUnknown<A, B, C>::type {
  livens::detail::refuse_std_function<false>();
  return a;
}
}  // namespace std
#undef LIVENS_REFUSE
