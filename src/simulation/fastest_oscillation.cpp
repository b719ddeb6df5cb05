#include "simulation/fastest_oscillation.hpp"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace

std::optional<FastestOscillation> fastest_oscillation(const Model& given, const Place& place) {
  using System = ElementSystem<double>;
  constexpr int iterations = 100;
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
  for (int i = 0; i < n; ++i) x[i] = 2 * std::fmod((i + 1) * 0.6180339887498949, 1.0) - 1;
  double square = 0;
  for (int k = 0; k < iterations; ++k) {
    project();
    const double size = std::sqrt(normal.kinetic(kinetics.mass(), x));
    if (!(size > 0) || !std::isfinite(size)) return std::nullopt;
    for (double& xi : x) xi /= size;
    multiply(Lqq, x, Kx);
    for (double& y : Kx) y = -y;
    if (m > 0) {
      multiply(H, x, row);
      for (int i = 0; i < n; ++i) Kx[i] += row[i];
    }
    square = dot(x, Kx);
    row = x;
    kinetics.mass().solve(Kx, x);
    if (k + 1 == iterations) x = row;
  }
  if (!(square > 0)) return std::nullopt;
  int most = 0;
  double largest = 0;
  multiply(kinetics.mass().matrix(), x, row);
  for (int i = 0; i < n; ++i)
    if (x[i] * row[i] > largest) largest = x[i] * row[i], most = i;
  return FastestOscillation{std::sqrt(square), owner_of(*given.system, most)};
}

}  // namespace livens
