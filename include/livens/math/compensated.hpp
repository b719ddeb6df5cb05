// Sums that remember what rounding took away.
//
//   two_sum      a + b = s + e  exactly, s the rounded sum                    Knuth, TAOCP 2, sec. 4.2.2, Theorem B
//   two_product  a b   = p + e  exactly, p the rounded product                Dekker 1971; halves by Veltkamp
//   CompensatedSum   sum of many terms with error O(eps) instead of O(n eps)  Neumaier 1974
//   add_compensated  one addition of a long running update                    Kahan 1965
//   add_exactly      the same of any size, add_product_exactly of a product: only the remainder is rounded
//   DoubleWord       unevaluated pairs high + low, twice the digits of T      Dekker 1971
//
// All of them compute differences that vanish in exact arithmetic. -ffast-math allows a compiler to use that algebra:
// it turns (s - a) - b into 0 and every compensation below into nothing, without a warning.
#pragma once

#include <limits>
#include <type_traits>

#include "livens/math/scalar.hpp"

namespace livens {

#ifdef __FAST_MATH__
#error "Livens needs IEEE arithmetic: compensated sums vanish under -ffast-math. Remove that option."
#endif

template <class T>
struct Rounded {
  T result, error;  // exact value = result + error
};

template <class T>
Rounded<T> two_sum(const T& a, const T& b) {
  const T sum = a + b;
  const T b_seen = sum - a;
  return {sum, (a - (sum - b_seen)) + (b - b_seen)};
}

// a = result + error with halves so short that products of two of them are exact.
template <class T>
Rounded<T> split(const T& a) {
  static const T two_to_half = [] {
    T power(1);
    for (int i = 0; i < (std::numeric_limits<T>::digits + 1) / 2; ++i) power *= 2;
    return power;
  }();
  const T scaled = (two_to_half + 1) * a;
  const T high = scaled - (scaled - a);
  return {high, a - high};
}

template <class T>
Rounded<T> two_product(const T& a, const T& b) {
  const T product = a * b;
  const auto [a_high, a_low] = split(a);
  const auto [b_high, b_low] = split(b);
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

template <class T>
class CompensatedSum {
 public:
  CompensatedSum() = default;
  explicit CompensatedSum(const T& start) : sum_(start) {}

  CompensatedSum& operator+=(const T& term) {
    const auto [sum, error] = two_sum(sum_, term);
    sum_ = sum;
    lost_ += error;
    return *this;
  }
  CompensatedSum& operator-=(const T& term) { return *this += -term; }
  T value() const { return sum_ + lost_; }

 private:
  T sum_{}, lost_{};
};

// sum += increment; what does not fit into `sum` stays in `remainder` and enters the next addition. Without it the
// round-off of a run of n steps grows like n or sqrt(n); with it the represented state is sum + remainder. Exact while
// |increment| <= |sum|; a larger increment (a coordinate passing zero) may lose one rounding of the increment.
template <class T>
void add_compensated(T& sum, T& remainder, const T& increment) {
  const T addend = increment + remainder;
  const T result = sum + addend;
  remainder = addend - (result - sum);
  sum = result;
}

// The same where the increment may be larger than the sum. What add_compensated loses there (a coordinate passing
// zero), and what the rounding of a product with a constant loses, as the step size, does not average out over an
// orbit: energy drifts by it (docs/methods/galerkin.md).
template <class T>
void add_exactly(T& sum, T& remainder, const T& increment) {
  const auto [addend, lost] = two_sum(increment, remainder);
  const auto [result, rest] = two_sum(sum, addend);
  sum = result;
  remainder = rest + lost;
}
// sum += a b
template <class T>
void add_product_exactly(T& sum, T& remainder, const T& a, const T& b) {
  if constexpr (std::is_same_v<T, RealOf<T>>) {
    const auto [product, error] = two_product(a, b);
    add_exactly(sum, remainder, product);
    remainder += error;
  } else {  // jets, for one step
    add_exactly(sum, remainder, T(a * b));
  }
}

// Only what Newton's method on a polynomial needs. Relative error of each operation: a few eps^2.
template <class T>
struct DoubleWord {
  T high{}, low{};  // |low| <= ulp(high)/2, so that `high` is the rounded value

  DoubleWord() = default;
  DoubleWord(const T& x) : high(x) {}
  explicit DoubleWord(const Rounded<T>& x) : high(x.result), low(x.error) {}

  friend DoubleWord operator-(const DoubleWord& a) { return DoubleWord(Rounded<T>{-a.high, -a.low}); }
  friend DoubleWord operator+(const DoubleWord& a, const DoubleWord& b) {
    const Rounded<T> highs = two_sum(a.high, b.high), lows = two_sum(a.low, b.low);
    const Rounded<T> sum = two_sum(highs.result, T(highs.error + lows.result));
    return DoubleWord(two_sum(sum.result, T(sum.error + lows.error)));
  }
  friend DoubleWord operator-(const DoubleWord& a, const DoubleWord& b) { return a + (-b); }
  friend DoubleWord operator*(const DoubleWord& a, const DoubleWord& b) {
    const auto [product, error] = two_product(a.high, b.high);
    return DoubleWord(two_sum(product, T(error + (a.high * b.low + a.low * b.high))));
  }
  friend DoubleWord operator/(const DoubleWord& a, const DoubleWord& b) {
    const T quotient = a.high / b.high;
    const DoubleWord rest = a - b * DoubleWord(quotient);
    return DoubleWord(two_sum(quotient, T(rest.high / b.high)));
  }
};

}  // namespace livens
