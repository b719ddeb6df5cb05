// The one-form of a degenerate system along a sampled loop, and its two-form over a sampled surface: the integrals of
// study/invariants.hpp, where the forms are written down.
//
// Samples hold so many modes, and a curve that is drawn out needs more and more of them. What the upper ones of those
// that there are contribute to an integral tells what is missing beyond them:
//
//   loop, modes e^(2 pi i k tau), u: the upper half, |k| >= N/4     sum_c |u p_c| |u q_c'|     root mean squares
//   surface, modes T_k(sigma) T_l(tau), u: those with k or l        sum_c |u p_c| |q_c| + |p_c| |u q_c|
//     in the upper third of the numbers                             root sums of squares, without the constant
//
// The first bounds what these modes contribute. The second is its size: int T_j dT_k is 0 or about 2 for j << k. The
// upper half would be too much there: it refuses 24 x 24 points of the ready symmetric field, which show 3e-15.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "livens/math/spectral.hpp"
#include "livens/math/vec.hpp"

namespace livens {

// A sum, that of its absolute terms, and what the upper modes contribute.
template <class T>
struct InvariantSum {
  T value{0}, size{0}, upper{0};
  void add(const T& weight, const T& term) {
    using std::abs;
    value += weight * term, size += weight * abs(term);
  }
};

// Samples of n functions at all points: component c of point k at c points + k.
template <class T>
using Samples = std::span<const T>;

// int p.q' over a loop of N points. One object is the workspace of one thread.
template <class T>
class LoopIntegral {
 public:
  explicit LoopIntegral(int points) : derivative_(points) {}

  std::size_t points() const { return static_cast<std::size_t>(derivative_.samples()); }
  std::vector<std::vector<T>> parameters() const {  // tau of each point
    std::vector<std::vector<T>> all;
    for (std::size_t k = 0; k < points(); ++k) all.push_back({T(k) / T(points())});
    return all;
  }

  InvariantSum<T> canonical(Samples<T> q, Samples<T> p) {
    const std::size_t N = points(), n = q.size() / N;
    dq_.resize(q.size() + N);
    InvariantSum<T> sum;
    for (std::size_t c = 0; c < n; c += 2) {
      const std::size_t d = std::min(c + 1, n - 1);  // the last one of an odd number twice
      const std::span<T> dc = std::span(dq_).subspan(c * N, N), dd = std::span(dq_).subspan((c + 1) * N, N);
      derivative_(q.subspan(c * N, N), q.subspan(d * N, N), dc, dd);
      const auto [dqc, dqd] = derivative_.upper_half(dc, dd);
      const auto [pc, pd] = derivative_.upper_half(p.subspan(c * N, N), p.subspan(d * N, N));
      sum.upper += pc * dqc + (d > c ? pd * dqd : T(0));
    }
    for (std::size_t k = 0; k < N; ++k) {
      T term(0);
      for (std::size_t c = 0; c < n; ++c) term += p[c * N + k] * dq_[c * N + k];
      sum.add(T(1) / T(N), term);
    }
    return sum;
  }
  template <class System>
  InvariantSum<T> noncanonical(const System& system, Samples<T> q) {
    const std::size_t N = points();
    typename System::Coordinates x(system.coordinates()), theta(x);
    theta_.resize(q.size());
    for (std::size_t k = 0; k < N; ++k) {
      for (int c = 0; c < x.size(); ++c) x[c] = q[static_cast<std::size_t>(c) * N + k];
      system.theta(x, theta);
      for (int c = 0; c < x.size(); ++c) theta_[static_cast<std::size_t>(c) * N + k] = theta[c];
    }
    return canonical(q, theta_);
  }

 private:
  PeriodicDerivative<T> derivative_;
  std::vector<T> dq_, theta_;
};

// The same over a surface of points at Chebyshev points of sigma and tau; point = (number of sigma) (points of tau) +
// (number of tau).
template <class T>
class SurfaceIntegral {
 public:
  SurfaceIntegral(int sigma, int tau) : sigma_(sigma), tau_(tau) {}

  std::size_t points() const { return sigma_.nodes().size() * tau_.nodes().size(); }
  std::vector<std::vector<T>> parameters() const {  // sigma and tau of each point
    std::vector<std::vector<T>> all;
    for (const T& s : sigma_.nodes())
      for (const T& t : tau_.nodes()) all.push_back({s, t});
    return all;
  }

  InvariantSum<T> canonical(Samples<T> q, Samples<T> p) {
    differentiate(q, qs_, qt_), differentiate(p, ps_, pt_);
    const std::size_t N = points(), n = q.size() / N;
    InvariantSum<T> sum = integrate([&](std::size_t k) {
      T term(0);
      for (std::size_t c = 0; c < n; ++c) term += ps_[c * N + k] * qt_[c * N + k] - pt_[c * N + k] * qs_[c * N + k];
      return term;
    });
    sum.upper = upper_modes(q, p);
    return sum;
  }
  template <class System>
  InvariantSum<T> noncanonical(const System& system, Samples<T> q) {
    differentiate(q, qs_, qt_);
    const std::size_t N = points();
    typename System::Coordinates x(system.coordinates()), a(x), b(x), Ja(x), Jb(x), theta(x);
    typename System::Square J = system.square();
    theta_.resize(q.size());
    InvariantSum<T> sum = integrate([&](std::size_t k) {
      for (int c = 0; c < x.size(); ++c) {
        const std::size_t at = static_cast<std::size_t>(c) * N + k;
        x[c] = q[at], a[c] = qs_[at], b[c] = qt_[at];
      }
      system.theta_jacobian(x, theta, J);
      for (int c = 0; c < x.size(); ++c) theta_[static_cast<std::size_t>(c) * N + k] = theta[c];
      multiply(J, a, Ja), multiply(J, b, Jb);
      return dot(Ja, b) - dot(Jb, a);
    });
    sum.upper = upper_modes(q, theta_);
    return sum;
  }

 private:
  template <class Term>
  InvariantSum<T> integrate(const Term& term) const {
    InvariantSum<T> sum;
    std::size_t k = 0;
    for (const T& s : sigma_.weights())
      for (const T& t : tau_.weights()) sum.add(s * t, term(k++));
    return sum;
  }

  void differentiate(Samples<T> x, std::vector<T>& xs, std::vector<T>& xt) const {
    const std::size_t S = sigma_.nodes().size(), N = tau_.nodes().size();
    xs.assign(x.size(), T(0)), xt.assign(x.size(), T(0));
    for (std::size_t begin = 0; begin < x.size(); begin += S * N)
      for (std::size_t a = 0; a < S; ++a) {
        const T* const from = x.data() + begin;
        T* const by_sigma = xs.data() + begin + a * N;
        T* const by_tau = xt.data() + begin + a * N;
        for (std::size_t j = 0; j < S; ++j) {
          const T D = sigma_.derivative()(static_cast<int>(a), static_cast<int>(j));
          for (std::size_t b = 0; b < N; ++b) by_sigma[b] += D * from[j * N + b];
        }
        for (std::size_t j = 0; j < N; ++j) {
          const T value = from[a * N + j];
          const T* const D = by_column_.data() + j * N;
          for (std::size_t b = 0; b < N; ++b) by_tau[b] += D[b] * value;
        }
      }
  }

  T upper_modes(Samples<T> q, Samples<T> p) const {
    T sum(0);
    for (std::size_t begin = 0; begin < q.size(); begin += points()) {
      const auto [of_q, all_q] = modes(q.subspan(begin, points()));
      const auto [of_p, all_p] = modes(p.subspan(begin, points()));
      sum += of_p * all_q + all_p * of_q;
    }
    return sum;
  }
  // Of one function: the upper third of its modes, and all of them.
  std::pair<T, T> modes(Samples<T> x) const {
    using std::sqrt;
    const std::size_t S = sigma_.nodes().size(), N = tau_.nodes().size();
    std::vector<T> by_sigma(N);
    T upper(0), all(0);
    for (std::size_t k = 0; k < S; ++k) {
      std::fill(by_sigma.begin(), by_sigma.end(), T(0));
      for (std::size_t a = 0; a < S; ++a) {
        const T C = sigma_.coefficients()(static_cast<int>(k), static_cast<int>(a));
        for (std::size_t b = 0; b < N; ++b) by_sigma[b] += C * x[a * N + b];
      }
      for (std::size_t l = k == 0 ? 1 : 0; l < N; ++l) {
        T mode(0);
        for (std::size_t b = 0; b < N; ++b)
          mode += tau_.coefficients()(static_cast<int>(l), static_cast<int>(b)) * by_sigma[b];
        all += mode * mode;
        if (3 * k >= 2 * S || 3 * l >= 2 * N) upper += mode * mode;
      }
    }
    return {sqrt(upper), sqrt(all)};
  }
  static std::vector<T> transposed(const Mat<T>& D) {
    std::vector<T> columns;
    for (int j = 0; j < D.rows(); ++j)
      for (int i = 0; i < D.rows(); ++i) columns.push_back(D(i, j));
    return columns;
  }

  ChebyshevRule<T> sigma_, tau_;
  std::vector<T> by_column_ = transposed(tau_.derivative());
  std::vector<T> qs_, qt_, ps_, pt_, theta_;
};

}  // namespace livens
