#include "livens/multibody/reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace livens::multibody {

namespace {

double radius_of_gyration(const Body& body) {
  double square = 0;
  for (const int d : body.directors) square += to_double(body.euler(d, d) / body.mass);
  return std::sqrt(square);
}

}  // namespace

std::vector<double> reach_of_bodies(const Mechanism& mechanism) {
  std::vector<double> reaches;
  for (const Body& body : mechanism.bodies())
    reaches.push_back(body.directors.empty() ? std::numeric_limits<double>::infinity() : radius_of_gyration(body));
  for (const Joint& joint : mechanism.joints())
    for (std::size_t side = 0; side < 2; ++side) {
      if (joint.bodies[side] == ground) continue;
      double& known = reaches[static_cast<std::size_t>(joint.bodies[side])];
      known = std::max(known, to_double(length(joint.frames[side].point)));
    }
  return reaches;
}

std::vector<int> units_of_shape(const Mechanism& mechanism) {
  const std::vector<double> reaches = reach_of_bodies(mechanism);
  std::vector<int> units(static_cast<std::size_t>(mechanism.coordinates()), 0);
  for (std::size_t b = 0; b < reaches.size(); ++b) {
    const Body& body = mechanism.bodies()[b];
    const int first = body.first + mechanism.dimension(),
              count = mechanism.dimension() * static_cast<int>(body.directors.size());
    if (count > 0 && reaches[b] > 0) std::fill_n(units.begin() + first, count, -std::ilogb(reaches[b]));
  }
  return units;
}

std::optional<Disparity> disparity_of_masses(const Mechanism& mechanism) {
  const std::vector<Body>& bodies = mechanism.bodies();
  const auto lighter = [](const Body& a, const Body& b) { return a.mass < b.mass; };
  const auto [light, heavy] = std::minmax_element(bodies.begin(), bodies.end(), lighter);
  if (heavy->mass > 1e6 * light->mass)
    return Disparity{light->key + ".mass", fmt::format("body '{}' has the mass {:.3g}, body '{}' {:.3g}", light->name,
                                                       to_double(light->mass), heavy->name, to_double(heavy->mass))};
  const std::vector<double> reaches = reach_of_bodies(mechanism);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double own = radius_of_gyration(bodies[b]);
    if (!bodies[b].directors.empty() && reaches[b] > 1e3 * own)
      return Disparity{bodies[b].key + ".inertia",
                       fmt::format("body '{}' has a radius of gyration of {:.1e} and a joint {:.3g} from its centre",
                                   bodies[b].name, own, reaches[b])};
  }
  return std::nullopt;
}

}  // namespace livens::multibody
