// The point where a function changes its sign, enclosed in an interval that shrinks until it is one: inverse quadratic
// interpolation where that can be trusted, halving else (Chandrupatla, Advances in Engineering Software 28, 1997).
//
// f(x) is a number, or not a number where it cannot be had: such a point counts as one beyond the change of sign, so
// that what is found is the first point where the function changes its sign or ends. A jump is a change of sign.
#pragma once

#include <cmath>

#include "livens/math/scalar.hpp"

namespace livens {

// a and b are the two ends of the last interval; f(a) has the sign of the beginning, f(b) another one or none.
template <class T>
struct Bracket {
  T a, fa, b, fb;
};

// fa is not 0. The interval ends up shorter than `tolerance`, or with f(b) = 0.
template <class T, class F>
Bracket<T> bracketed_root(const F& f, const T& a, const T& fa, const T& b, const T& fb, const T& tolerance) {
  using std::abs, std::sqrt;
  Bracket<T> now{a, fa, b, fb};
  // The three points of the interpolation: x1 is the newest, x2 the other end of the interval, x3 the one before.
  T x1 = b, f1 = fb, x2 = a, f2 = fa, x3 = a, f3 = fa, t = T(0.5);
  constexpr int most = 200;  // more than halving needs in any precision
  for (int k = 0; k < most; ++k) {
    if (!is_finite(f1) || !is_finite(f2)) t = T(0.5);
    const T x = x1 + t * (x2 - x1), fx = f(x);
    const bool beyond = !is_finite(fx) || (fx > T(0)) != (fa > T(0)) || fx == T(0);
    if (beyond)
      now.b = x, now.fb = fx;
    else
      now.a = x, now.fa = fx;
    if (fx == T(0)) return now;
    const bool like_x1 = is_finite(fx) && is_finite(f1) && (fx > T(0)) == (f1 > T(0));
    if (like_x1)
      x3 = x1, f3 = f1;
    else
      x3 = x2, f3 = f2, x2 = x1, f2 = f1;
    x1 = x, f1 = fx;
    // The interval is always [now.a, now.b]; the newest point is one of its ends.
    x2 = beyond ? now.a : now.b, f2 = beyond ? now.fa : now.fb;
    const T length = abs(now.b - now.a);
    if (length <= tolerance || now.a + (now.b - now.a) / T(2) == now.a || now.a + (now.b - now.a) / T(2) == now.b)
      return now;
    t = T(0.5);
    if (is_finite(f1) && is_finite(f2) && is_finite(f3) && f3 != f1 && f3 != f2 && f1 != f2) {
      const T xi = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
      if (phi * phi < xi && (T(1) - phi) * (T(1) - phi) < T(1) - xi)
        t = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
    }
    // Not closer to an end than the tolerance, so that the last interval has a point on either side.
    const T least = tolerance / (T(2) * length);
    if (!(t >= least)) t = least < T(0.5) ? least : T(0.5);
    if (!(t <= T(1) - least)) t = T(1) - least > T(0.5) ? T(1) - least : T(0.5);
  }
  return now;
}

}  // namespace livens
