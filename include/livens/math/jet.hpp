// Jets: a value together with its derivatives along N directions, carried through every operation.
//
//   Jet<T, N>    value u, gradient u_i                      forward mode, first order
//   Jet2<T, N>   and the symmetric matrix u_ij, packed      second order
//
// Everything below is the chain rule for one or two arguments (Griewank & Walther, Evaluating Derivatives, ch. 2, 13):
//
//   w = f(u)      w_i = f' u_i               w_ij = f' u_ij + f'' u_i u_j
//   w = f(u,v)    w_i = f_u u_i + f_v v_i    w_ij = f_u u_ij + f_v v_ij
//                                                   + f_uu u_i u_j + f_uv (u_i v_j + u_j v_i) + f_vv v_i v_j
//
// A jet becomes a number where that is written out, `double(x)`, and is refused in words. Without, `double y = x;`, it
// is no number at all: were there a conversion both ways, `x > 0 ? x : 0.0` would have no type.
//
// T is a real type, another jet, or any scalar with the same functions. A number beside a jet stays a number: no
// derivative of zero is ever stored for it or multiplied by it.
//
// Outside the domain of a function value and derivatives are NaN; on its edge f' is infinite. Nothing is replaced, and
// inf * 0 is NaN: sqrt(x*x) has no derivative at 0 and gets none. (The price: beside d/dx sqrt(x) = inf at 0 stands
// d/dy sqrt(x) = NaN.) Conventions at kinks: abs'(0) = 0; min and max take the first argument at a tie, and a NaN from
// either side.
#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>

#include "livens/math/scalar.hpp"

namespace livens {

template <class T, int N>
struct Jet;
template <class T, int N>
struct Jet2;

namespace detail {

template <class J>
struct JetValue {};
template <class T, int N>
struct JetValue<Jet<T, N>> {
  using type = T;
};
template <class T, int N>
struct JetValue<Jet2<T, N>> {
  using type = T;
};

}  // namespace detail

template <class J>
concept AnyJet = requires {
  typename detail::JetValue<J>::type;
};

// What may stand beside J in a formula without having derivatives in its directions.
template <class A, class J>
concept NumberFor = AnyJet<J> && !std::same_as<A, J> && std::is_convertible_v<A, J>;

template <class A, class B>
concept JetOperands = (AnyJet<A> && (std::same_as<A, B> || NumberFor<B, A>)) || NumberFor<A, B>;

namespace detail {

// A number beside a jet over T is used as a real if it is one, so that inner jets are not multiplied by zeros either.
template <class T, class A>
using NumberType = std::conditional_t<std::is_convertible_v<A, RealOf<T>>, RealOf<T>, T>;

template <class T, class A>
NumberType<T, A> number(const A& a) {
  return static_cast<NumberType<T, A>>(a);
}

// The value of operand `a` in an operation whose result is the jet J.
template <class J, class A>
auto operand_value(const A& a) {
  if constexpr (std::same_as<A, J>)
    return a.value;
  else
    return number<typename JetValue<J>::type>(a);
}

template <class A, class B>
struct CommonJet {
  using type = B;
};
template <class A, class B>
requires(AnyJet<A> && (std::same_as<A, B> || NumberFor<B, A>)) struct CommonJet<A, B> {
  using type = A;
};
template <class A, class B>
using ResultJet = typename CommonJet<A, B>::type;

// Value and partial derivatives of a function of two arguments.
template <class T>
struct Partials {
  T f, fu, fv, fuu, fuv, fvv;
};

}  // namespace detail

template <class T, int N>
struct Jet {
  static_assert(N >= 1);
  using Scalar = T;
  static constexpr int directions = N;

  T value{};
  T gradient[N]{};

  constexpr Jet() = default;
  template <class A>
  requires std::is_convertible_v<A, T>
  constexpr Jet(const A& a) : value(static_cast<T>(a)) {}

  // f(q, v, t) is called with the time first: words.
  template <class I>
  requires std::is_integral_v<I>
  auto operator[](I) const {
    detail::refuse_component<std::is_void_v<I>>();  // false, but asked where it is called
    return *this;
  }
  template <class A>
  requires std::is_arithmetic_v<A>
  explicit operator A() const {
    detail::refuse_number<false>();
    return A();
  }

  static constexpr Jet variable(const T& x, int index) {
    Jet result(x);
    result.gradient[index] = T(1);
    return result;
  }

  // f(u) from f, f' (and f'', not needed here) at the value of u.
  Jet chain(const T& f, const T& f1) const {
    Jet w(f);
    for (int i = 0; i < N; ++i) w.gradient[i] = f1 * gradient[i];
    return w;
  }
  Jet chain(const T& f, const T& f1, const T&) const { return chain(f, f1); }

  static Jet chain(const detail::Partials<T>& p, const Jet& u, const Jet& v) {
    Jet w(p.f);
    for (int i = 0; i < N; ++i) w.gradient[i] = p.fu * u.gradient[i] + p.fv * v.gradient[i];
    return w;
  }

  // True if f returns true for every derivative.
  template <class F>
  bool all_derivatives(const F& f) const {
    for (const T& d : gradient)
      if (!f(d)) return false;
    return true;
  }

  Jet operator-() const {
    Jet w(-value);
    for (int i = 0; i < N; ++i) w.gradient[i] = -gradient[i];
    return w;
  }
  Jet& operator+=(const Jet& v) {
    value += v.value;
    for (int i = 0; i < N; ++i) gradient[i] += v.gradient[i];
    return *this;
  }
  Jet& operator-=(const Jet& v) {
    value -= v.value;
    for (int i = 0; i < N; ++i) gradient[i] -= v.gradient[i];
    return *this;
  }
  template <NumberFor<Jet> A>
  Jet& operator*=(const A& a) {
    const auto factor = detail::number<T>(a);
    value *= factor;
    for (int i = 0; i < N; ++i) gradient[i] *= factor;
    return *this;
  }
  template <NumberFor<Jet> A>
  Jet& operator/=(const A& a) {
    const auto divisor = detail::number<T>(a);
    value /= divisor;
    for (int i = 0; i < N; ++i) gradient[i] /= divisor;
    return *this;
  }
  friend Jet operator*(const Jet& u, const Jet& v) {
    Jet w(u.value * v.value);
    for (int i = 0; i < N; ++i) w.gradient[i] = u.value * v.gradient[i] + v.value * u.gradient[i];
    return w;
  }
  // w = u/v from w v = u:  w_i = (u_i - w v_i)/v
  friend Jet operator/(const Jet& u, const Jet& v) {
    Jet w(u.value / v.value);
    const T inverse = 1 / v.value;
    for (int i = 0; i < N; ++i) w.gradient[i] = (u.gradient[i] - w.value * v.gradient[i]) * inverse;
    return w;
  }
};

template <class T, int N>
struct Jet2 {
  static_assert(N >= 1);
  using Scalar = T;
  static constexpr int directions = N;
  static constexpr int packed = N * (N + 1) / 2;

  T value{};
  T gradient[N]{};
  T second[packed]{};  // lower triangle by rows

  constexpr Jet2() = default;
  template <class A>
  requires std::is_convertible_v<A, T>
  constexpr Jet2(const A& a) : value(static_cast<T>(a)) {}

  // f(q, v, t) is called with the time first: words.
  template <class I>
  requires std::is_integral_v<I>
  auto operator[](I) const {
    detail::refuse_component<std::is_void_v<I>>();  // false, but asked where it is called
    return *this;
  }
  template <class A>
  requires std::is_arithmetic_v<A>
  explicit operator A() const {
    detail::refuse_number<false>();
    return A();
  }

  static constexpr Jet2 variable(const T& x, int index) {
    Jet2 result(x);
    result.gradient[index] = T(1);
    return result;
  }

  const T& hessian(int i, int j) const { return i >= j ? second[i * (i + 1) / 2 + j] : second[j * (j + 1) / 2 + i]; }
  T& hessian(int i, int j) { return i >= j ? second[i * (i + 1) / 2 + j] : second[j * (j + 1) / 2 + i]; }

  // f(u) from f, f', f'' at the value of u; without f'' for functions that are piecewise linear.
  Jet2 chain(const T& f, const T& f1) const {
    Jet2 w(f);
    for (int i = 0; i < N; ++i) w.gradient[i] = f1 * gradient[i];
    for (int k = 0; k < packed; ++k) w.second[k] = f1 * second[k];
    return w;
  }
  Jet2 chain(const T& f, const T& f1, const T& f2) const {
    Jet2 w = chain(f, f1);
    for (int i = 0, k = 0; i < N; ++i) {
      const T f2_ui = f2 * gradient[i];
      for (int j = 0; j <= i; ++j, ++k) w.second[k] += f2_ui * gradient[j];
    }
    return w;
  }

  static Jet2 chain(const detail::Partials<T>& p, const Jet2& u, const Jet2& v) {
    Jet2 w(p.f);
    for (int i = 0, k = 0; i < N; ++i) {
      w.gradient[i] = p.fu * u.gradient[i] + p.fv * v.gradient[i];
      const T along_u = p.fuu * u.gradient[i] + p.fuv * v.gradient[i];
      const T along_v = p.fuv * u.gradient[i] + p.fvv * v.gradient[i];
      for (int j = 0; j <= i; ++j, ++k)
        w.second[k] = p.fu * u.second[k] + p.fv * v.second[k] + along_u * u.gradient[j] + along_v * v.gradient[j];
    }
    return w;
  }

  // True if f returns true for every derivative.
  template <class F>
  bool all_derivatives(const F& f) const {
    for (const T& d : gradient)
      if (!f(d)) return false;
    for (const T& d : second)
      if (!f(d)) return false;
    return true;
  }

  Jet2 operator-() const {
    Jet2 w(-value);
    for (int i = 0; i < N; ++i) w.gradient[i] = -gradient[i];
    for (int k = 0; k < packed; ++k) w.second[k] = -second[k];
    return w;
  }
  Jet2& operator+=(const Jet2& v) {
    value += v.value;
    for (int i = 0; i < N; ++i) gradient[i] += v.gradient[i];
    for (int k = 0; k < packed; ++k) second[k] += v.second[k];
    return *this;
  }
  Jet2& operator-=(const Jet2& v) {
    value -= v.value;
    for (int i = 0; i < N; ++i) gradient[i] -= v.gradient[i];
    for (int k = 0; k < packed; ++k) second[k] -= v.second[k];
    return *this;
  }
  template <NumberFor<Jet2> A>
  Jet2& operator*=(const A& a) {
    const auto factor = detail::number<T>(a);
    value *= factor;
    for (int i = 0; i < N; ++i) gradient[i] *= factor;
    for (int k = 0; k < packed; ++k) second[k] *= factor;
    return *this;
  }
  template <NumberFor<Jet2> A>
  Jet2& operator/=(const A& a) {
    const auto divisor = detail::number<T>(a);
    value /= divisor;
    for (int i = 0; i < N; ++i) gradient[i] /= divisor;
    for (int k = 0; k < packed; ++k) second[k] /= divisor;
    return *this;
  }
  friend Jet2 operator*(const Jet2& u, const Jet2& v) {
    Jet2 w(u.value * v.value);
    for (int i = 0, k = 0; i < N; ++i) {
      w.gradient[i] = u.value * v.gradient[i] + v.value * u.gradient[i];
      for (int j = 0; j <= i; ++j, ++k)
        w.second[k] = u.value * v.second[k] + v.value * u.second[k] +
                      (u.gradient[i] * v.gradient[j] + u.gradient[j] * v.gradient[i]);
    }
    return w;
  }
  // w = u/v from w v = u:  w_i = (u_i - w v_i)/v ,  w_ij = (u_ij - w v_ij - w_i v_j - w_j v_i)/v
  friend Jet2 operator/(const Jet2& u, const Jet2& v) {
    Jet2 w(u.value / v.value);
    const T inverse = 1 / v.value;
    for (int i = 0, k = 0; i < N; ++i) {
      w.gradient[i] = (u.gradient[i] - w.value * v.gradient[i]) * inverse;
      for (int j = 0; j <= i; ++j, ++k)
        w.second[k] =
            (u.second[k] - w.value * v.second[k] - (w.gradient[i] * v.gradient[j] + w.gradient[j] * v.gradient[i])) *
            inverse;
    }
    return w;
  }
};

template <AnyJet J>
struct ScalarTraits<J> {
  using Value = typename detail::JetValue<J>::type;
  using Real = RealOf<Value>;
  static const Real& value(const J& x) { return ScalarTraits<Value>::value(x.value); }
};

// Arithmetic shared by both jets -------------------------------------------------------------------------------------

template <AnyJet J>
J operator+(const J& u) {
  return u;
}
template <AnyJet J>
J operator+(J u, const J& v) {
  return u += v;
}
template <AnyJet J>
J operator-(J u, const J& v) {
  return u -= v;
}
template <AnyJet J>
J& operator*=(J& u, const J& v) {
  return u = u * v;
}
template <AnyJet J>
J& operator/=(J& u, const J& v) {
  return u = u / v;
}

template <AnyJet J, NumberFor<J> A>
J& operator+=(J& u, const A& a) {
  u.value += detail::operand_value<J>(a);
  return u;
}
template <AnyJet J, NumberFor<J> A>
J& operator-=(J& u, const A& a) {
  u.value -= detail::operand_value<J>(a);
  return u;
}
template <AnyJet J, NumberFor<J> A>
J operator+(J u, const A& a) {
  return u += a;
}
template <AnyJet J, NumberFor<J> A>
J operator+(const A& a, J u) {
  return u += a;
}
template <AnyJet J, NumberFor<J> A>
J operator-(J u, const A& a) {
  return u -= a;
}
template <AnyJet J, NumberFor<J> A>
J operator-(const A& a, const J& u) {
  return -u + a;
}
template <AnyJet J, NumberFor<J> A>
J operator*(J u, const A& a) {
  return u *= a;
}
template <AnyJet J, NumberFor<J> A>
J operator*(const A& a, J u) {
  return u *= a;
}
template <AnyJet J, NumberFor<J> A>
J operator/(J u, const A& a) {
  return u /= a;
}
template <AnyJet J, NumberFor<J> A>
J operator/(const A& a, const J& u) {
  using T = typename J::Scalar;
  const T inverse = 1 / u.value;
  const T f = detail::operand_value<J>(a) / u.value;
  const T f1 = -f * inverse;
  return u.chain(f, f1, -2 * f1 * inverse);
}

// Comparisons are those of the values.
template <class A, class B>
requires JetOperands<A, B>
bool operator==(const A& a, const B& b) {
  using J = detail::ResultJet<A, B>;
  return detail::operand_value<J>(a) == detail::operand_value<J>(b);
}
template <class A, class B>
requires JetOperands<A, B>
bool operator<(const A& a, const B& b) {
  using J = detail::ResultJet<A, B>;
  return detail::operand_value<J>(a) < detail::operand_value<J>(b);
}
template <class A, class B>
requires JetOperands<A, B>
bool operator<=(const A& a, const B& b) {
  using J = detail::ResultJet<A, B>;
  return detail::operand_value<J>(a) <= detail::operand_value<J>(b);
}
template <class A, class B>
requires JetOperands<A, B>
bool operator>(const A& a, const B& b) {
  return b < a;
}
template <class A, class B>
requires JetOperands<A, B>
bool operator>=(const A& a, const B& b) {
  return b <= a;
}

namespace detail {

// Zero in every derivative of every level, not in value only.
template <class T>
bool is_zero(const T& x) {
  if constexpr (AnyJet<T>)
    return is_zero(x.value) && x.all_derivatives([](const auto& d) { return is_zero(d); });
  else
    return x == T(0);
}

template <AnyJet J>
bool is_constant(const J& x) {
  return x.all_derivatives([](const auto& d) { return is_zero(d); });
}

template <AnyJet J>
J apply(const Partials<typename J::Scalar>& p, const J& u, const J& v) {
  return J::chain(p, u, v);
}
template <AnyJet J, NumberFor<J> A>
J apply(const Partials<typename J::Scalar>& p, const J& u, const A&) {
  return u.chain(p.f, p.fu, p.fuu);
}
template <AnyJet J, NumberFor<J> A>
J apply(const Partials<typename J::Scalar>& p, const A&, const J& v) {
  return v.chain(p.f, p.fv, p.fvv);
}

}  // namespace detail

// Functions of one argument: value, first and second derivative ------------------------------------------------------

// 1, -1, or x itself where it is 0 or NaN.
template <class T>
T sign(const T& x) {
  if constexpr (AnyJet<T>)
    return T(sign(x.value));
  else
    return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;
}

template <AnyJet J>
J abs(const J& x) {
  using std::abs;
  return x.chain(abs(x.value), sign(x.value));
}

template <AnyJet J>
J sqrt(const J& x) {
  using std::sqrt;
  using T = typename J::Scalar;
  const T f = sqrt(x.value);
  const T f1 = 1 / (2 * f);
  return x.chain(f, f1, -f1 / (2 * x.value));
}

template <AnyJet J>
J exp(const J& x) {
  using std::exp;
  const auto f = exp(x.value);
  return x.chain(f, f, f);
}

template <AnyJet J>
J log(const J& x) {
  using std::log;
  using T = typename J::Scalar;
  const T f = log(x.value);
  const T f1 = x.value < 0 ? f : T(1 / x.value);  // 1/x alone would look valid where log is not defined
  return x.chain(f, f1, -f1 * f1);
}

template <AnyJet J>
J sin(const J& x) {
  using std::cos, std::sin;
  const auto s = sin(x.value), c = cos(x.value);
  return x.chain(s, c, -s);
}

template <AnyJet J>
J cos(const J& x) {
  using std::cos, std::sin;
  const auto s = sin(x.value), c = cos(x.value);
  return x.chain(c, -s, -c);
}

template <AnyJet J>
J tan(const J& x) {
  using std::tan;
  using T = typename J::Scalar;
  const T f = tan(x.value);
  const T f1 = 1 + f * f;
  return x.chain(f, f1, 2 * f * f1);
}

// (1-x)(1+x) instead of 1 - x^2: no cancellation near the edges.
template <AnyJet J>
J asin(const J& x) {
  using std::asin, std::sqrt;
  using T = typename J::Scalar;
  const T square = (1 - x.value) * (1 + x.value);
  const T f1 = 1 / sqrt(square);
  return x.chain(asin(x.value), f1, x.value * f1 / square);
}

template <AnyJet J>
J acos(const J& x) {
  using std::acos, std::sqrt;
  using T = typename J::Scalar;
  const T square = (1 - x.value) * (1 + x.value);
  const T f1 = -1 / sqrt(square);
  return x.chain(acos(x.value), f1, x.value * f1 / square);
}

template <AnyJet J>
J atan(const J& x) {
  using std::atan;
  using T = typename J::Scalar;
  const T f1 = 1 / (1 + x.value * x.value);
  return x.chain(atan(x.value), f1, -2 * x.value * f1 * f1);
}

template <AnyJet J>
J sinh(const J& x) {
  using std::cosh, std::sinh;
  const auto s = sinh(x.value), c = cosh(x.value);
  return x.chain(s, c, s);
}

template <AnyJet J>
J cosh(const J& x) {
  using std::cosh, std::sinh;
  const auto s = sinh(x.value), c = cosh(x.value);
  return x.chain(c, s, c);
}

// 1/cosh^2 instead of 1 - tanh^2: right also where tanh has rounded to 1.
template <AnyJet J>
J tanh(const J& x) {
  using std::cosh, std::tanh;
  using T = typename J::Scalar;
  const T f = tanh(x.value), secant = 1 / cosh(x.value);
  const T f1 = secant * secant;
  return x.chain(f, f1, -2 * f * f1);
}

// Functions of two arguments -----------------------------------------------------------------------------------------

template <class A, class B>
requires JetOperands<A, B> detail::ResultJet<A, B> min(const A& a, const B& b) {
  using J = detail::ResultJet<A, B>;
  return b < a || !(b == b) ? J(b) : J(a);
}

template <class A, class B>
requires JetOperands<A, B> detail::ResultJet<A, B> max(const A& a, const B& b) {
  using J = detail::ResultJet<A, B>;
  return a < b || !(b == b) ? J(b) : J(a);
}

namespace detail {

// With r = |(u,v)|, divided by r twice instead of by r^2, which may overflow or vanish.
template <class T>
Partials<T> hypot_partials(const T& u, const T& v) {
  using std::hypot;
  const T r = hypot(u, v);
  const T cu = u / r, cv = v / r;
  return {r, cu, cv, cv * cv / r, -(cu * cv) / r, cu * cu / r};
}

// atan2(u, v), u the ordinate:  f_u = v/r^2 ,  f_v = -u/r^2 ,  f_uu = -2uv/r^4 = -f_vv ,  f_uv = (u^2 - v^2)/r^4
template <class T>
Partials<T> atan2_partials(const T& u, const T& v) {
  using std::atan2, std::hypot;
  const T r = hypot(u, v);
  const T cu = u / r, cv = v / r;
  const T fvv = 2 * cu * cv / r / r;
  return {atan2(u, v), cv / r, -cu / r, -fvv, (cu - cv) * (cu + cv) / r / r, fvv};
}

}  // namespace detail

template <class A, class B>
requires JetOperands<A, B> detail::ResultJet<A, B> hypot(const A& a, const B& b) {
  using J = detail::ResultJet<A, B>;
  using T = typename J::Scalar;
  return detail::apply(detail::hypot_partials<T>(detail::operand_value<J>(a), detail::operand_value<J>(b)), a, b);
}

template <class A, class B>
requires JetOperands<A, B> detail::ResultJet<A, B> atan2(const A& a, const B& b) {
  using J = detail::ResultJet<A, B>;
  using T = typename J::Scalar;
  return detail::apply(detail::atan2_partials<T>(detail::operand_value<J>(a), detail::operand_value<J>(b)), a, b);
}

// Powers. Where a factor of a derivative vanishes identically (p, p-1) the rest is not looked at, so that x^0, x^1 and
// x^2 are smooth at x = 0; where a power vanishes, its product with the logarithm is taken at the limit 0.

namespace detail {

template <class T, class P>
T falling_power(const T& x, const P& factor, const P& exponent) {
  using std::pow;
  return is_zero(factor) ? T(0) : T(factor * pow(x, exponent));
}

template <class T, class X>
T times_log(const T& power, const X& x) {
  using std::log;
  return is_zero(power) ? power : T(power * log(x));
}

}  // namespace detail

template <AnyJet J, NumberFor<J> A>
J pow(const J& x, const A& exponent) {
  using std::pow;
  using T = typename J::Scalar;
  using P = detail::NumberType<T, A>;
  const P p = detail::number<T>(exponent);
  if (detail::is_zero(P(p - 2))) return x * x;  // by far the most frequent power
  return x.chain(pow(x.value, p), detail::falling_power<T, P>(x.value, p, p - 1),
                 detail::falling_power<T, P>(x.value, p * (p - 1), p - 2));
}

template <AnyJet J, NumberFor<J> A>
J pow(const A& base, const J& y) {
  using std::pow;
  using T = typename J::Scalar;
  const auto b = detail::operand_value<J>(base);
  const T f = pow(b, y.value);
  if (detail::is_constant(y)) return J(f);
  const T f1 = detail::times_log(f, b);
  return y.chain(f, f1, detail::times_log(f1, b));
}

template <AnyJet J>
J pow(const J& x, const J& y) {
  using std::pow;
  using T = typename J::Scalar;
  if (detail::is_constant(y)) return pow(x, y.value);
  const T &u = x.value, &v = y.value;
  const T f = pow(u, v), lower = pow(u, T(v - 1));
  const T fv = detail::times_log(f, u);
  return J::chain({f, detail::falling_power<T, T>(u, v, v - 1), fv, detail::falling_power<T, T>(u, v * (v - 1), v - 2),
                   lower + v * detail::times_log(lower, u), detail::times_log(fv, u)},
                  x, y);
}

}  // namespace livens
