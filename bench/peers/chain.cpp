#include "chain.hpp"

#include <algorithm>
#include <ctime>

namespace peers {

namespace {

// S(x) = sum_{k>=1} (-1)^(k+1) c^k (1-x)^(k-1) k / (k!)^2 ,  c = j^2/4, j the first zero of the Bessel function J0.
double series(double x) {
  constexpr double j = 2.404825557695773, c = j * j / 4;
  double term = c, sum = 0;  // term: without its factor k
  for (int k = 1; k < 40; ++k) {
    sum += k * term;
    term *= -c * (1 - x) / ((k + 1.0) * (k + 1.0));
  }
  return sum;
}

}  // namespace

Chain::Chain(std::size_t masses)
    : N(masses), l(1 / static_cast<double>(masses)), d_(3 * N), w_(3 * N), mu_(N), pivot_(N), inverse_(N), off_(N) {}

State Chain::start() const {
  State s{Vector(3 * N), Vector(3 * N)};
  double x = 0, z = 0, vy = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const double S = series((static_cast<double>(i) + 0.5) * l);
    s.q[i] = x += l * std::sin(S / 2);
    s.q[2 * N + i] = z -= l * std::cos(S / 2);
    s.v[N + i] = vy += S * l;
  }
  return s;
}

void Chain::differences(const double* x, double* d) const {
  for (std::size_t k = 0; k < 3; ++k, x += N, d += N) {
    d[0] = x[0];
    for (std::size_t i = 1; i < N; ++i) d[i] = x[i] - x[i - 1];
  }
}

void Chain::multipliers(const double* d, const double* w, double* mu) {
  const double *const dx = d, *const dy = d + N, *const dz = d + 2 * N;
  const double *const wx = w, *const wy = w + N, *const wz = w + 2 * N;
  for (std::size_t i = 0; i < N; ++i) {
    pivot_[i] = 2 * (dx[i] * dx[i] + dy[i] * dy[i] + dz[i] * dz[i]);
    mu[i] = l * (wx[i] * wx[i] + wy[i] * wy[i] + wz[i] * wz[i]);
  }
  for (std::size_t i = 0; i + 1 < N; ++i) off_[i] = -(dx[i] * dx[i + 1] + dy[i] * dy[i + 1] + dz[i] * dz[i + 1]);
  pivot_[0] /= 2;
  mu[0] -= l * gravity * dz[0];
  // L D L^T; the chain of operations that wait for each other has one division a row, and one product on the way back.
  inverse_[0] = 1 / pivot_[0];
  for (std::size_t i = 1; i < N; ++i) {
    const double factor = off_[i - 1] * inverse_[i - 1];
    inverse_[i] = 1 / (pivot_[i] - factor * off_[i - 1]);
    mu[i] -= factor * mu[i - 1];
    off_[i - 1] = factor;
  }
  mu[N - 1] *= inverse_[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) mu[i] = mu[i] * inverse_[i] - off_[i] * mu[i + 1];
}

void Chain::accelerations(const double* q, const double* v, double* a) {
  differences(q, d_.data());
  differences(v, w_.data());
  multipliers(d_.data(), w_.data(), mu_.data());
  const double per_length = 1 / l;
  for (std::size_t k = 0; k < 3; ++k) {
    const double* const d = d_.data() + k * N;
    double* const ak = a + k * N;
    const double field = k == 2 ? -gravity : 0;
    for (std::size_t i = 0; i + 1 < N; ++i) ak[i] = field + per_length * (mu_[i + 1] * d[i + 1] - mu_[i] * d[i]);
    ak[N - 1] = field - per_length * mu_[N - 1] * d[N - 1];
  }
}

double Chain::energy(const State& s) const {
  double sum = 0;
  for (std::size_t i = 0; i < 3 * N; ++i) sum += s.v[i] * s.v[i] / 2;
  for (std::size_t i = 0; i < N; ++i) sum += gravity * s.q[2 * N + i];
  return sum * l;
}

double Chain::constraint_error(const State& s) const {
  Vector d(3 * N);
  differences(s.q.data(), d.data());
  double largest = 0;
  for (std::size_t i = 0; i < N; ++i)
    largest = std::max(largest, std::abs(std::hypot(d[i], d[N + i], d[2 * N + i]) - l));
  return largest;
}

double Chain::hidden_constraint_error(const State& s) const {
  Vector d(3 * N), w(3 * N);
  differences(s.q.data(), d.data());
  differences(s.v.data(), w.data());
  double largest = 0;
  for (std::size_t i = 0; i < N; ++i)
    largest = std::max(largest, std::abs(d[i] * w[i] + d[N + i] * w[N + i] + d[2 * N + i] * w[2 * N + i]) / l);
  return largest;
}

double position_error(const State& a, const State& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    const double error = std::abs(a.q[i] - b.q[i]);
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

double process_seconds() {
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace peers
