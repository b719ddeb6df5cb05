// A number that remembers how large the terms were from which it was summed.
//
// A residual g is zero up to round-off if |g| is small compared with the size of its terms, not with 1. Run over this
// scalar, a formula returns both:
//
//   x a number: size |x|     u + v, u - v: sizes add     u v: sizes multiply     u / v: size(u)/|v|     f(u): |f(u)|
//
// Minus, abs, min and max hand a number on, and its size with it: |x - y| is as uncertain as x - y.
#pragma once

#include <cmath>
#include <type_traits>

#include "livens/math/jet.hpp"
#include "livens/math/scalar.hpp"

namespace livens {

template <class T>
struct Magnitude {
  T value{}, size{};

  Magnitude() = default;
  template <class A>
  requires std::is_convertible_v<A, T> Magnitude(const A& x) : value(static_cast<T>(x)), size(absolute(value)) {}
  Magnitude(const T& number, const T& size_of_terms) : value(number), size(size_of_terms) {}

  Magnitude& operator+=(const Magnitude& v) { return *this = *this + v; }
  Magnitude& operator-=(const Magnitude& v) { return *this = *this - v; }
  Magnitude& operator*=(const Magnitude& v) { return *this = *this * v; }
  Magnitude& operator/=(const Magnitude& v) { return *this = *this / v; }

  friend Magnitude operator+(const Magnitude& u) { return u; }
  friend Magnitude operator-(const Magnitude& u) { return {-u.value, u.size}; }
  friend Magnitude operator+(const Magnitude& u, const Magnitude& v) { return {u.value + v.value, u.size + v.size}; }
  friend Magnitude operator-(const Magnitude& u, const Magnitude& v) { return {u.value - v.value, u.size + v.size}; }
  friend Magnitude operator*(const Magnitude& u, const Magnitude& v) { return {u.value * v.value, u.size * v.size}; }
  friend Magnitude operator/(const Magnitude& u, const Magnitude& v) {
    return {u.value / v.value, u.size / absolute(v.value)};
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
    return sqrt(u.value);
  }
  friend Magnitude exp(const Magnitude& u) {
    using std::exp;
    return exp(u.value);
  }
  friend Magnitude log(const Magnitude& u) {
    using std::log;
    return log(u.value);
  }
  friend Magnitude sin(const Magnitude& u) {
    using std::sin;
    return sin(u.value);
  }
  friend Magnitude cos(const Magnitude& u) {
    using std::cos;
    return cos(u.value);
  }
  friend Magnitude tan(const Magnitude& u) {
    using std::tan;
    return tan(u.value);
  }
  friend Magnitude asin(const Magnitude& u) {
    using std::asin;
    return asin(u.value);
  }
  friend Magnitude acos(const Magnitude& u) {
    using std::acos;
    return acos(u.value);
  }
  friend Magnitude atan(const Magnitude& u) {
    using std::atan;
    return atan(u.value);
  }
  friend Magnitude sinh(const Magnitude& u) {
    using std::sinh;
    return sinh(u.value);
  }
  friend Magnitude cosh(const Magnitude& u) {
    using std::cosh;
    return cosh(u.value);
  }
  friend Magnitude tanh(const Magnitude& u) {
    using std::tanh;
    return tanh(u.value);
  }
  friend Magnitude atan2(const Magnitude& u, const Magnitude& v) {
    using std::atan2;
    return atan2(u.value, v.value);
  }
  friend Magnitude hypot(const Magnitude& u, const Magnitude& v) {
    using std::hypot;
    return hypot(u.value, v.value);
  }
  friend Magnitude pow(const Magnitude& u, const Magnitude& v) {
    using std::pow;
    return pow(u.value, v.value);
  }

 private:
  static T absolute(const T& x) {
    using std::abs;
    return abs(x);
  }
};

template <class T>
struct ScalarTraits<Magnitude<T>> {
  using Real = RealOf<T>;
  static const Real& value(const Magnitude<T>& x) { return ScalarTraits<T>::value(x.value); }
};

}  // namespace livens
