// Vectors have no + - * /, which would make temporaries (vec.hpp). In words: the compiler answers with every operator
// that it tried, for every scalar.
//
// Their type has to be found, so that a compiler looks into them, and says the words, where they are called. Any other
// operators of vectors are chosen before these, as those of a program that has its own.
#pragma once

#include "livens/math/vec.hpp"

namespace livens {

namespace detail {

template <class A>
inline constexpr bool is_vec = false;
template <class T, int N>
inline constexpr bool is_vec<Vec<T, N>> = true;

template <bool operators>
auto refuse_operator() {
  static_assert(operators,
                "livens: vectors have no + - * /: write their components, as {-c * v[0], -c * v[1]}, or dot(a, b); the "
                "time, where it is an argument, is the first one: (t, q, v)");
}

template <class A, class B>
const auto& the_vector(const A& a, const B& b) {
  if constexpr (is_vec<A>)
    return a;
  else
    return b;
}

}  // namespace detail

#define LIVENS_REFUSE(operation)                                                                     \
  template <class A, class B>                                                                        \
  requires(detail::is_vec<A> || detail::is_vec<B>) auto operator operation(const A& a, const B& b) { \
    detail::refuse_operator<std::is_void_v<A>>();                                                    \
    return detail::the_vector(a, b);                                                                 \
  }                                                                                                  \
  template <class A, class B>                                                                        \
  requires(detail::is_vec<A> || detail::is_vec<B>) auto& operator operation##=(A& a, const B&) {     \
    detail::refuse_operator<std::is_void_v<A>>();                                                    \
    return a;                                                                                        \
  }
LIVENS_REFUSE(+)
LIVENS_REFUSE(-)
LIVENS_REFUSE(*)
LIVENS_REFUSE(/)
#undef LIVENS_REFUSE

template <class A>
requires detail::is_vec<A>
auto operator-(const A& a) {
  detail::refuse_operator<std::is_void_v<A>>();
  return a;
}

}  // namespace livens
