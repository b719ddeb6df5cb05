// Legendre polynomials, orthonormal on [0, 1]:  P_j(c) = sqrt(2j+1) L_j(2c-1),  int_0^1 P_i P_j = delta_ij.
//
// Source: Brugnano, Gurioli, Iavernaro, Weinmueller, sec. 2 (basis, xi_j, X_s); DLMF 18.8 (equation), 18.9.
//
//   (j+1) L_{j+1} = (2j+1) x L_j - j L_{j-1} ,     L'_{j+1} = L'_{j-1} + (2j+1) L_j ,     x = 2c - 1
//   xi_j = 1 / (2 sqrt|4j^2 - 1|)
//   int_0^c P_0 = xi_0 P_0 + xi_1 P_1 ,     int_0^c P_j = xi_{j+1} P_{j+1} - xi_j P_{j-1}                       j >= 1
//
// The last line is how X_s arises. The integrals themselves are computed from Legendre's equation
// ((1-x^2) L_j')' = -j(j+1) L_j, that is  int_0^c P_j = -c (1-c) P_j'(c) / (j(j+1)):  this one does not cancel near
// the ends and is exactly zero at c = 0 and c = 1.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include "livens/math/scalar.hpp"
#include "livens/math/vec.hpp"

namespace livens {

// Two neighbours of the sequence L_0, L_1, ... at one x.
template <class T>
struct LegendrePair {
  T lower{T(1)}, upper;  // L_{j-1}, L_j

  explicit LegendrePair(const T& x) : upper(x) {}  // j = 1

  void advance(int j, const T& x) {
    const T next = (T(2 * j + 1) * x * upper - T(j) * lower) / T(j + 1);
    lower = upper;
    upper = next;
  }
};

// L_{n-1}(x) and L_n(x), n >= 1.
template <class T>
LegendrePair<T> legendre_pair(int n, const T& x) {
  LegendrePair<T> pair(x);
  for (int j = 1; j < n; ++j) pair.advance(j, x);
  return pair;
}

namespace detail {

// sqrt(2j+1)
template <class T>
RealOf<T> legendre_norm(int j) {
  using std::sqrt;
  return sqrt(RealOf<T>(2 * j + 1));
}

}  // namespace detail

// out[j] = P_j(c), j = 0 .. count-1
template <class T>
void legendre_values(int count, const T& c, T* out) {
  const T x = 2 * c - 1;
  LegendrePair<T> pair(x);
  for (int j = 0; j < count; ++j) {
    out[j] = detail::legendre_norm<T>(j) * pair.lower;
    pair.advance(j + 1, x);
  }
}

// out[j] = P_j'(c), j = 0 .. count-1
template <class T>
void legendre_derivatives(int count, const T& c, T* out) {
  const T x = 2 * c - 1;
  LegendrePair<T> pair(x);
  T slope(0), next_slope(1);  // L_j', L_{j+1}'
  for (int j = 0; j < count; ++j) {
    out[j] = 2 * detail::legendre_norm<T>(j) * slope;
    const T after_next = slope + (2 * j + 3) * pair.upper;
    slope = next_slope;
    next_slope = after_next;
    pair.advance(j + 1, x);
  }
}

// out[j] = int_0^c P_j, j = 0 .. count-1
template <class T>
void legendre_integrals(int count, const T& c, T* out) {
  legendre_derivatives(count, c, out);
  if (count > 0) out[0] = c;
  for (int j = 1; j < count; ++j) out[j] = -(c * (1 - c)) * out[j] / RealOf<T>(j * (j + 1));
}

template <class T>
T legendre_xi(int j) {
  using std::sqrt;
  return j == 0 ? T(1) / 2 : T(1) / (2 * sqrt(T(4 * j * j - 1)));
}

// X_s: for polynomials of degree below s in the basis P, X_s maps coefficients to those of their integral int_0^c,
// without its component along P_s.
template <class T>
Mat<T> integration_matrix(int s) {
  if (s < 1)
    throw std::invalid_argument("integration_matrix: s = " + std::to_string(s) + "; give the number of basis " +
                                "polynomials, at least 1");
  Mat<T> X(s, s);
  X.fill(T(0));
  X(0, 0) = legendre_xi<T>(0);
  for (int j = 1; j < s; ++j) {
    X(j, j - 1) = legendre_xi<T>(j);
    X(j - 1, j) = -legendre_xi<T>(j);
  }
  return X;
}

}  // namespace livens
