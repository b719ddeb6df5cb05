#include "study/level.hpp"

#include <algorithm>
#include <cmath>

namespace livens {

namespace {

// At common nodes: of q, or of p.
std::vector<double> differences_of(std::vector<Widest> Pilot::*x, const Pilot& coarse, const Pilot& fine) {
  std::vector<double> all;
  const std::vector<Widest>&a = coarse.*x, &b = fine.*x;
  const std::size_t n = a.size() / coarse.t.size();
  for (const auto& [at, other] : common_nodes(coarse, fine)) {
    double apart = 0;
    for (std::size_t i = 0; i < n; ++i)
      apart = std::max(apart, std::abs(to_double(Widest(a[at * n + i] - b[other * n + i]))));
    all.push_back(apart);
  }
  return all;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> common_nodes(const Pilot& coarse, const Pilot& fine) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (long long k = 0; k <= coarse.nodes; ++k)
    if (k * fine.nodes % coarse.nodes == 0) all.emplace_back(k, k * fine.nodes / coarse.nodes);
  return all;
}

std::vector<double> differences(const Pilot& coarse, const Pilot& fine) {
  return differences_of(&Pilot::q, coarse, fine);
}

double Level::whole(double power) const {
  return 1 / (1 - std::pow(of_next, power));
}

Level compare(const Pilot& coarse, const Pilot& fine) {
  Level level{.known = true, .steps = coarse.steps};
  level.of_next = static_cast<double>(coarse.steps) / static_cast<double>(fine.steps);
  const auto measure = [&](std::vector<Widest> Pilot::*x, double size, double& most, double& end) {
    const std::vector<double> apart = differences_of(x, coarse, fine);
    const double unit = size > 0 ? size : 1;
    most = *std::max_element(apart.begin(), apart.end()) / unit, end = apart.back() / unit;
  };
  measure(&Pilot::q, fine.q_size, level.q, level.q_end);
  measure(&Pilot::p, fine.p_size, level.p, level.p_end);
  return level;
}

}  // namespace livens
