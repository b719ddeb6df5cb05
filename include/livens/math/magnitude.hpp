// A number that remembers how large the terms were from which it was made: its round-off is about epsilon times that.
//
// A residual g is zero up to round-off if |g| is small compared with the size of its terms, not with 1. Run over this
// scalar, a formula returns both. To first order the rounding of each operand is carried on by a derivative, of which
// the largest counts:
//
//   x a number: size |x|           u + v, u - v: size(u) + size(v)
//   u v:   the largest of  |u| size(v), |v| size(u)            f(u):  the largest of  |f(u)|, |f'(u)| size(u)
//   u / v: the largest of  size(u) / |v|, |u| size(v) / v^2    and so on in each operand; u^n as n factors
//
// So (x - X)^4 far from the origin is as uncertain as x - X is, not as x^4. A derivative that is not finite, as that of
// a root at zero, says nothing. Minus, abs, min and max hand a number on, and its size with it.
#pragma once

#include <cmath>
#include <type_traits>

#include "livens/math/jet.hpp"
#include "livens/math/scalar.hpp"

namespace livens {

template <class A, class M>
concept NumberBeside = !std::is_same_v<A, M> && std::is_convertible_v<A, M>;

template <class T>
struct Magnitude {
  T value{}, size{};

  Magnitude() = default;
  template <class A>
  requires std::is_convertible_v<A, T> Magnitude(const A& x) : value(static_cast<T>(x)), size(absolute(value)) {}
  Magnitude(const T& number, const T& size_of_terms) : value(number), size(size_of_terms) {}

  template <class A>
  requires std::is_arithmetic_v<A>
  explicit operator A() const {
    detail::refuse_number<false>();
    return A();
  }

  Magnitude& operator+=(const Magnitude& v) { return *this = *this + v; }
  Magnitude& operator-=(const Magnitude& v) { return *this = *this - v; }
  Magnitude& operator*=(const Magnitude& v) { return *this = *this * v; }
  Magnitude& operator/=(const Magnitude& v) { return *this = *this / v; }

  friend Magnitude operator+(const Magnitude& u) { return u; }
  friend Magnitude operator-(const Magnitude& u) { return {-u.value, u.size}; }
  friend Magnitude operator+(const Magnitude& u, const Magnitude& v) { return {u.value + v.value, u.size + v.size}; }
  friend Magnitude operator-(const Magnitude& u, const Magnitude& v) { return {u.value - v.value, u.size + v.size}; }
  friend Magnitude operator*(const Magnitude& u, const Magnitude& v) {
    const T second_order = epsilon<T>() * u.size * v.size;  // where both are zero up to round-off
    return {u.value * v.value, largest(largest(absolute(u.value) * v.size, absolute(v.value) * u.size), second_order)};
  }
  friend Magnitude operator/(const Magnitude& u, const Magnitude& v) {
    const T quotient = u.value / v.value;
    return {quotient, largest(u.size, absolute(quotient) * v.size) / absolute(v.value)};
  }

  friend bool operator==(const Magnitude& u, const Magnitude& v) { return u.value == v.value; }
  friend bool operator<(const Magnitude& u, const Magnitude& v) { return u.value < v.value; }
  friend bool operator<=(const Magnitude& u, const Magnitude& v) { return u.value <= v.value; }
  friend bool operator>(const Magnitude& u, const Magnitude& v) { return u.value > v.value; }
  friend bool operator>=(const Magnitude& u, const Magnitude& v) { return u.value >= v.value; }

  friend Magnitude abs(const Magnitude& u) { return u.value < T(0) ? -u : u; }
  friend Magnitude min(const Magnitude& u, const Magnitude& v) { return v < u || !(v == v) ? v : u; }
  friend Magnitude max(const Magnitude& u, const Magnitude& v) { return u < v || !(v == v) ? v : u; }

  friend Magnitude sign(const Magnitude& u) {
    using livens::sign;
    return sign(u.value);
  }
  friend Magnitude sqrt(const Magnitude& u) {
    using std::sqrt;
    const T f = sqrt(u.value);
    return function(f, T(1) / (2 * f), u);
  }
  friend Magnitude exp(const Magnitude& u) {
    using std::exp;
    const T f = exp(u.value);
    return function(f, f, u);
  }
  friend Magnitude log(const Magnitude& u) {
    using std::log;
    const T f = log(u.value);
    return function(f, T(1) / u.value, u);
  }
  friend Magnitude sin(const Magnitude& u) {
    using std::sin, std::cos;
    const T f = sin(u.value);
    return function(f, cos(u.value), u);
  }
  friend Magnitude cos(const Magnitude& u) {
    using std::cos, std::sin;
    const T f = cos(u.value);
    return function(f, sin(u.value), u);
  }
  friend Magnitude tan(const Magnitude& u) {
    using std::tan;
    const T f = tan(u.value);
    return function(f, 1 + f * f, u);
  }
  friend Magnitude asin(const Magnitude& u) {
    using std::asin, std::sqrt;
    const T f = asin(u.value);
    return function(f, T(1) / sqrt(1 - u.value * u.value), u);
  }
  friend Magnitude acos(const Magnitude& u) {
    using std::acos, std::sqrt;
    const T f = acos(u.value);
    return function(f, T(1) / sqrt(1 - u.value * u.value), u);
  }
  friend Magnitude atan(const Magnitude& u) {
    using std::atan;
    const T f = atan(u.value);
    return function(f, T(1) / (1 + u.value * u.value), u);
  }
  friend Magnitude sinh(const Magnitude& u) {
    using std::sinh, std::cosh;
    const T f = sinh(u.value);
    return function(f, cosh(u.value), u);
  }
  friend Magnitude cosh(const Magnitude& u) {
    using std::cosh, std::sinh;
    const T f = cosh(u.value);
    return function(f, sinh(u.value), u);
  }
  friend Magnitude tanh(const Magnitude& u) {
    using std::tanh;
    const T f = tanh(u.value);
    return function(f, 1 - f * f, u);
  }
  friend Magnitude atan2(const Magnitude& u, const Magnitude& v) {
    using std::atan2;
    const T f = atan2(u.value, v.value), square = u.value * u.value + v.value * v.value;
    return function(f, v.value / square, u, u.value / square, v);
  }
  friend Magnitude hypot(const Magnitude& u, const Magnitude& v) {
    using std::hypot;
    const T f = hypot(u.value, v.value);
    return function(f, u.value / f, u, v.value / f, v);
  }
  friend Magnitude pow(const Magnitude& u, const Magnitude& v) {
    using std::log, std::pow;
    const T f = pow(u.value, v.value);
    return function(f, f / u.value, u, f * log(u.value), v);
  }
  // Beside numbers
  template <NumberBeside<Magnitude> A>
  friend Magnitude atan2(const Magnitude& u, const A& v) {
    return atan2(u, Magnitude(v));
  }
  template <NumberBeside<Magnitude> A>
  friend Magnitude atan2(const A& u, const Magnitude& v) {
    return atan2(Magnitude(u), v);
  }
  template <NumberBeside<Magnitude> A>
  friend Magnitude hypot(const Magnitude& u, const A& v) {
    return hypot(u, Magnitude(v));
  }
  template <NumberBeside<Magnitude> A>
  friend Magnitude hypot(const A& u, const Magnitude& v) {
    return hypot(Magnitude(u), v);
  }
  template <NumberBeside<Magnitude> A>
  friend Magnitude pow(const Magnitude& u, const A& v) {
    return pow(u, Magnitude(v));
  }
  template <NumberBeside<Magnitude> A>
  friend Magnitude pow(const A& u, const Magnitude& v) {
    return pow(Magnitude(u), v);
  }

 private:
  static T absolute(const T& x) {
    using std::abs;
    return abs(x);
  }
  static T largest(const T& x, const T& y) { return x < y ? y : x; }
  // |derivative| size(u), but for a derivative that says nothing
  static T carried(const T& derivative, const Magnitude& u) {
    const T size = absolute(derivative) * u.size;
    return is_finite(size) ? size : T(0);
  }
  static Magnitude function(const T& f, const T& f_u, const Magnitude& u) {
    return {f, largest(absolute(f), carried(f_u, u))};
  }
  static Magnitude function(const T& f, const T& f_u, const Magnitude& u, const T& f_v, const Magnitude& v) {
    return {f, largest(absolute(f), largest(carried(f_u, u), carried(f_v, v)))};
  }
};

template <class T>
struct ScalarTraits<Magnitude<T>> {
  using Real = RealOf<T>;
  static const Real& value(const Magnitude<T>& x) { return ScalarTraits<T>::value(x.value); }
};

}  // namespace livens
