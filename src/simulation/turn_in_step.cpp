#include "simulation/turn_in_step.hpp"

#include <algorithm>
#include <cmath>

#include "livens/model/element_lagrangian.hpp"
#include "livens/model/redundant.hpp"
#include "livens/multibody/mechanism.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

std::optional<TurnInStep> turn_in_step(const Model& given, const Place& place, double h) {
  using System = ElementSystem<double>;
  const auto& mechanism = given.system->mechanism();
  if (!mechanism || given.system->kind() != SystemKind::lagrangian || given.has_contact()) return std::nullopt;
  const IndependentModel independent = without_redundant(given);
  const System system = independent.model.system->elements<double>();
  const int n = system.coordinates(), m = system.constraints();
  Vec<double> q(n), v(n), f(n), F(n), a(n), g(m), lambda(m);
  std::copy(place.q.begin(), place.q.end(), q.begin());
  std::copy(place.v.begin(), place.v.end(), v.begin());
  Kinetics<System> kinetics(system);
  if (!kinetics.start(place.t, q, v) || !succeeded(kinetics.multiplier(place.t, q, v, lambda))) return std::nullopt;
  system.potential_gradient(place.t, q, f);
  for (double& y : f) y = -y;
  if (system.structure().forces) {
    system.force(place.t, q, v, F);
    for (int i = 0; i < n; ++i) f[i] += F[i];
  }
  SparseMat<double> G = system.jacobian();
  system.constraint_jacobian(place.t, q, g, G);
  subtract_transposed(G, lambda, f);
  kinetics.mass().solve(f, a);

  std::optional<TurnInStep> most;
  const int space = mechanism->dimension();
  for (const multibody::Body& body : mechanism->bodies())
    for (const int d : body.directors) {
      double rate = 0, acceleration = 0;
      for (int k = 0; k < space; ++k) {
        const int i = mechanism->place_of(body, d) + k;
        rate += v[i] * v[i], acceleration += a[i] * a[i];
      }
      rate = std::sqrt(rate), acceleration = std::sqrt(acceleration);
      const double angle = h * rate + h * h / 2 * acceleration;
      if (std::isfinite(angle) && angle > (most ? most->angle : 0))
        most = {angle, body.name, 0.2 / (rate + std::sqrt(rate * rate + acceleration / 5))};
    }
  return most;
}

}  // namespace livens
