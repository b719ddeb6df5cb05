// Derivatives and integrals of samples: periodic ones at equidistant points, others at Chebyshev points.
// Sources: Trefethen, Spectral Methods in MATLAB (2000), chapters 1, 3, 6, 12; Clenshaw, Curtis (1960).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "livens/math/scalar.hpp"
#include "livens/math/vec.hpp"

namespace livens {

namespace detail {

template <class T>
T pi() {
  using std::acos;
  return acos(T(-1));
}

// cos(pi k / n) and sin(pi k / n), from an angle of at most pi/4: symmetric to the last bit.
template <class T>
std::pair<T, T> cos_sin_pi(long long k, long long n) {
  using std::cos, std::sin;
  k %= 2 * n;
  if (k > n) {
    const auto [c, s] = cos_sin_pi<T>(2 * n - k, n);
    return {c, -s};
  }
  if (2 * k > n) {
    const auto [c, s] = cos_sin_pi<T>(n - k, n);
    return {-c, s};
  }
  if (4 * k > n) {
    const T complement = pi<T>() * T(n - 2 * k) / T(2 * n);
    return {sin(complement), cos(complement)};
  }
  const T angle = pi<T>() * T(k) / T(n);
  return {cos(angle), sin(angle)};
}

}  // namespace detail

// d/dx of a function of period 1 by its samples at x = 0, 1/N, ..., (N-1)/N, any N: each Fourier mode e^(2 pi i k x)
// times 2 pi i k, |k| < N/2; the mode k = N/2 of an even N, whose derivative vanishes at the samples, is left out.
// N = p_1 p_2 ...: N (p_1 + p_2 + ...) operations. One object is the workspace of one thread.
template <class T>
class PeriodicDerivative {
 public:
  explicit PeriodicDerivative(int samples) : N_(static_cast<std::size_t>(samples)) {
    if (samples < 1) throw std::invalid_argument("PeriodicDerivative: " + std::to_string(samples) + " samples");
    for (std::size_t rest = N_, p = 2; rest > 1; p = p * p > rest ? rest : p + 1)
      for (; rest % p == 0; rest /= p) factors_.push_back(p);
    for (std::size_t k = 0; k < N_; ++k) {
      const auto [c, s] = detail::cos_sin_pi<T>(2 * static_cast<long long>(k), samples);
      roots_.push_back({c, -s});
    }
  }

  int samples() const { return static_cast<int>(N_); }

  // Of two functions at once: a real operation may take them for real and imaginary part.
  void operator()(std::span<const T> x, std::span<const T> y, std::span<T> dx, std::span<T> dy) {
    values_.resize(N_), work_.resize(N_);
    for (std::size_t j = 0; j < N_; ++j) values_[j] = {x[j], y[j]};
    transform();
    // The inverse transform is the transform of the complex conjugates, conjugated and divided by N.
    const T mode = T(2) * detail::pi<T>() / T(N_);
    for (std::size_t k = 0; k < N_; ++k) {
      const T factor = 2 * k == N_ ? T(0) : mode * (T(k) - (2 * k > N_ ? T(N_) : T(0)));
      values_[k] = {-factor * values_[k].im, -factor * values_[k].re};
    }
    transform();
    for (std::size_t j = 0; j < N_; ++j) dx[j] = values_[j].re, dy[j] = -values_[j].im;
  }

  // Root mean squares of what the upper half of the modes, |k| >= N/4, holds of two functions.
  std::pair<T, T> upper_half(std::span<const T> x, std::span<const T> y) {
    using std::sqrt;
    values_.resize(N_), work_.resize(N_);
    for (std::size_t j = 0; j < N_; ++j) values_[j] = {x[j], y[j]};
    transform();
    T of_x(0), of_y(0);
    for (std::size_t k = 1; k < N_; ++k) {
      if (4 * std::min(k, N_ - k) < N_) continue;
      const Complex &a = values_[k], &b = values_[N_ - k];  // X_k = (a + b*)/2, Y_k = (a - b*)/2i
      of_x += (a.re + b.re) * (a.re + b.re) + (a.im - b.im) * (a.im - b.im);
      of_y += (a.re - b.re) * (a.re - b.re) + (a.im + b.im) * (a.im + b.im);
    }
    return {sqrt(of_x) / T(2 * N_), sqrt(of_y) / T(2 * N_)};
  }

 private:
  struct Complex {  // std::complex is not made for binary128
    T re, im;
  };

  // X_k = sum_j x_j e^(-2 pi i j k / N), factor by factor: p transforms of every p-th sample become one (Stockham).
  void transform() {
    std::size_t done = 1;  // length of the transforms made so far; that of x_r, x_(r + N/done), ... stands at r done
    for (const std::size_t p : factors_) {
      const std::size_t rest = N_ / (done * p);
      for (std::size_t r = 0; r < rest; ++r)
        for (std::size_t k = 0; k < done; ++k)
          for (std::size_t l = 0; l < p; ++l) {
            const std::size_t turn = (k + l * done) * rest;  // e^(-2 pi i turn j / N) for the j-th of them
            Complex sum{T(0), T(0)};
            for (std::size_t j = 0, at = 0; j < p; ++j) {
              const Complex &x = values_[(r + j * rest) * done + k], &w = roots_[at];
              sum.re += x.re * w.re - x.im * w.im;
              sum.im += x.re * w.im + x.im * w.re;
              at += turn;
              if (at >= N_) at -= N_;
            }
            work_[r * p * done + l * done + k] = sum;
          }
      values_.swap(work_);
      done *= p;
    }
  }

  std::size_t N_;
  std::vector<std::size_t> factors_;
  std::vector<Complex> roots_, values_, work_;
};

// Samples at the Chebyshev points x_i = (1 - cos(i pi / n)) / 2, i = 0..n, of [0, 1]: the derivative of the polynomial
// through them, its integral (Clenshaw and Curtis) and its coefficients a_k, sum_k a_k T_k(1 - 2x).
template <class T>
class ChebyshevRule {
 public:
  explicit ChebyshevRule(int points) : D_(points, points), C_(points, points) {
    if (points < 2) throw std::invalid_argument("ChebyshevRule: " + std::to_string(points) + " points; at least 2");
    const int n = points - 1;
    std::vector<T> cosine, half_sine;  // cos(k pi / n), sin(k pi / 2n)
    for (int k = 0; k <= 2 * n; ++k) {
      cosine.push_back(detail::cos_sin_pi<T>(k, n).first);
      half_sine.push_back(detail::cos_sin_pi<T>(k, 2LL * n).second);
    }
    const auto at = [](const std::vector<T>& table, int k) { return table[static_cast<std::size_t>(k)]; };
    for (int i = 0; i <= n; ++i) {
      nodes_.push_back(at(half_sine, i) * at(half_sine, i));  // no digits are lost near 0
      // Sum over even k of the Chebyshev coefficients of a sample times int_0^1 T_k = 1/(1 - k^2).
      T weight(0);
      for (long long k = 0; k <= n; k += 2) {
        const T term = at(cosine, static_cast<int>(k * i % (2 * n))) / (T(1) - T(k) * T(k));
        weight += k == 0 || k == n ? term : T(2) * term;
      }
      weights_.push_back(weight / (i % n == 0 ? T(2 * n) : T(n)));
      // D_ij = (c_i / c_j) (-1)^(i+j) / (x_i - x_j), c = 2 at the ends and 1 within; rows sum to 0. The difference of
      // the nodes as a product: (cos b - cos a)/2 = sin((a+b)/2) sin((a-b)/2).
      T sum(0);
      for (int j = 0; j <= n; ++j) {
        if (i == j) continue;
        const T difference = at(half_sine, i + j) * at(half_sine, i > j ? i - j : j - i);
        const T c = (i % n == 0 ? T(2) : T(1)) / (j % n == 0 ? T(2) : T(1));
        D_(i, j) = ((i + j) % 2 == 0) == (i > j) ? c / difference : -c / difference;
        sum += D_(i, j);
      }
      D_(i, i) = -sum;
      for (long long k = 0; k <= n; ++k)
        C_(static_cast<int>(k), i) =
            at(cosine, static_cast<int>(k * i % (2 * n))) * T(2) / T((k % n == 0 ? 2 * n : n) * (i % n == 0 ? 2 : 1));
    }
  }

  int points() const { return D_.rows(); }
  const std::vector<T>& nodes() const { return nodes_; }
  const std::vector<T>& weights() const { return weights_; }
  const Mat<T>& derivative() const { return D_; }
  const Mat<T>& coefficients() const { return C_; }  // a = C (samples)

 private:
  std::vector<T> nodes_, weights_;
  Mat<T> D_, C_;
};

}  // namespace livens
