#include "simulation/fastest_oscillation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "livens/method/normal_part.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "livens/model/redundant.hpp"
#include "livens/multibody/mechanism.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

namespace {

std::string owner_of(const SystemDescription& system, int coordinate) {
  if (!system.mechanism())
    return fmt::format("coordinate {}", system.coordinate_names()[static_cast<std::size_t>(coordinate)]);
  const multibody::Body* owner = nullptr;
  for (const multibody::Body& body : system.mechanism()->bodies())
    if (body.first <= coordinate) owner = &body;
  return fmt::format("body '{}'", owner->name);
}

// A symmetric matrix: its diagonal, and beside that.
struct Tridiagonal {
  std::vector<double> diagonal, next;

  // Pivots of s - T, which are all positive where s is above every eigenvalue.
  bool factorise(double s, std::vector<double>& pivot) const {
    pivot.resize(diagonal.size());
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      pivot[k] = s - diagonal[k] - (k > 0 ? next[k - 1] * next[k - 1] / pivot[k - 1] : 0);
      if (!(pivot[k] > 0)) return false;
    }
    return true;
  }
  // The largest eigenvalue, from above.
  double largest() const {
    double low = diagonal[0], high = diagonal[0];
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      low = std::max(low, diagonal[k]);
      high = std::max(high, diagonal[k] + next[k] + (k > 0 ? next[k - 1] : 0));
    }
    high += 1e-9 * std::abs(high);
    std::vector<double> pivot;
    for (int halving = 0; halving < 40; ++halving) {
      const double s = (low + high) / 2;
      (factorise(s, pivot) ? high : low) = s;
    }
    return high;
  }
  // Its vector, by inverse iteration.
  std::vector<double> vector_of(double s) const {
    std::vector<double> x(diagonal.size(), 1.0), pivot;
    if (!factorise(s, pivot)) return x;
    for (int iteration = 0; iteration < 3; ++iteration) {
      for (std::size_t k = 1; k < x.size(); ++k) x[k] += next[k - 1] / pivot[k - 1] * x[k - 1];
      double square = 0;
      for (std::size_t k = x.size(); k-- > 0;) {
        x[k] = (x[k] + (k + 1 < x.size() ? next[k] * x[k + 1] : 0)) / pivot[k];
        square += x[k] * x[k];
      }
      for (double& y : x) y /= std::sqrt(square);
    }
    return x;
  }
};

}  // namespace

std::optional<FastestOscillation> fastest_oscillation(const Model& given, const Place& place) {
  using System = ElementSystem<double>;
  constexpr int iterations = 60;
  if (given.system->kind() != SystemKind::lagrangian || given.has_contact()) return std::nullopt;
  const IndependentModel independent = without_redundant(given);
  const System system = independent.model.system->elements<double>();
  const int n = system.coordinates(), m = system.constraints();
  Vec<double> q(n), v(n), x(n), Kx(n), row(n), g(m), lambda(m);
  std::copy(place.q.begin(), place.q.end(), q.begin());
  std::copy(place.v.begin(), place.v.end(), v.begin());

  Kinetics<System> kinetics(system);
  NormalPart<System> normal(system);
  SparseMat<double> G = system.jacobian(), Lqq = system.square(), Lqv = Lqq, Lvv = Lqq, H = system.constraint_square();
  if (!kinetics.start(place.t, q, v)) return std::nullopt;
  system.hessian(place.t, q, v, Lqq, Lqv, Lvv);
  if (m > 0) {
    system.constraint_jacobian(place.t, q, g, G);
    if (!normal.factorise(G, kinetics.mass()) || !succeeded(kinetics.multiplier(place.t, q, v, lambda)))
      return std::nullopt;
    system.constraint_hessian(place.t, q, lambda, H);
  }
  const auto project = [&] {  // x -= M^-1 G^T (G M^-1 G^T)^-1 G x
    if (m == 0) return;
    multiply(G, x, g);
    normal.solve(g, lambda);
    multiply_transposed(G, lambda, row);
    kinetics.mass().solve(row, Kx);
    for (int i = 0; i < n; ++i) x[i] -= Kx[i];
  };
  // Rows of T one by one, x being the vectors: M^-1 K x_k on G x = 0 is  next_k x_k+1 + diagonal_k x_k + next_k-1
  // x_k-1.
  Tridiagonal T;
  Vec<double> before(n), next(n);
  const auto iterate = [&](const auto& take) {
    for (int i = 0; i < n; ++i) x[i] = 2 * std::fmod((i + 1) * 0.6180339887498949, 1.0) - 1;
    before.fill(0);
    project();
    double size = std::sqrt(normal.kinetic(kinetics.mass(), x));
    for (int k = 0; k < iterations && size > 0 && std::isfinite(size); ++k) {
      for (double& xi : x) xi /= size;
      multiply(Lqq, x, Kx);
      for (double& y : Kx) y = -y;
      if (m > 0) {
        multiply(H, x, row);
        for (int i = 0; i < n; ++i) Kx[i] += row[i];
      }
      const double diagonal = dot(x, Kx);
      next = x;
      kinetics.mass().solve(Kx, x);
      const double whole = std::sqrt(normal.kinetic(kinetics.mass(), x));
      for (int i = 0; i < n; ++i) x[i] -= diagonal * next[i] + (k > 0 ? size * before[i] : 0);
      before = next;
      project();
      size = std::sqrt(normal.kinetic(kinetics.mass(), x));
      take(k, before, diagonal, size);
      if (!(size > 1e-9 * whole)) return;  // these vectors are all that there are
    }
  };
  iterate([&](int, const Vec<double>&, double diagonal, double size) {
    T.diagonal.push_back(diagonal);
    T.next.push_back(size);
  });
  if (T.diagonal.empty()) return std::nullopt;
  const double square = T.largest();
  if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
  const std::vector<double> part = T.vector_of(square);
  Vec<double> mode(n);
  iterate([&](int k, const Vec<double>& y, double, double) {
    for (int i = 0; i < n; ++i) mode[i] += part[static_cast<std::size_t>(k)] * y[i];
  });
  int most = 0;
  double largest = 0;
  multiply(kinetics.mass().matrix(), mode, row);
  for (int i = 0; i < n; ++i)
    if (mode[i] * row[i] > largest) largest = mode[i] * row[i], most = i;
  return FastestOscillation{std::sqrt(square), owner_of(*given.system, most)};
}

}  // namespace livens
