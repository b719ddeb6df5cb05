#include "study/lost_motion.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "livens/audit/accuracy.hpp"
#include "study/level.hpp"

namespace livens {

std::optional<LostMotion> lost_motion(const Pilot& coarse, const Pilot& fine, double epsilon) {
  const auto nodes = common_nodes(coarse, fine);
  const std::vector<double> apart = differences(coarse, fine);
  const std::size_t n = fine.q.size() / fine.t.size();
  const double start = fine.t.front(), time = std::abs(fine.t.back() - start);
  Differences course;
  std::vector<double> q(n);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::size_t at = nodes[k].second;
    for (std::size_t i = 0; i < n; ++i) q[i] = to_double(fine.q[at * n + i]);
    course.take_sizes(q, {});
    if (k > 0) course.add({fine.t[at], apart[k], apart[k], 0, 0});
  }
  // There is no third run here to compare with, and errors at a close encounter that steps do not see grow, too.
  const double least_growth = fine.steps < 1 << 20 ? 1000 : 16;
  const std::optional<double> lost = course.estimate(start, epsilon, {.least = least_growth, .nodes = 0}).horizon;
  if (!lost) return {};
  const double until = std::abs(*lost - start);
  // Until then, and until an eighth of that time.
  const auto size = [&](double part) {
    double largest = 0;
    for (std::size_t k = 1; k < apart.size(); ++k)
      if (std::abs(fine.t[nodes[k].second] - start) <= part * until) largest = std::max(largest, apart[k]);
    return largest;
  };
  const double all = size(1), early = std::max(size(1.0 / 8), epsilon * fine.q_size);
  const double rate = std::log(all / early) / (7.0 / 8 * until);
  const double rounding = epsilon * std::sqrt(static_cast<double>(fine.steps)) * fine.q_size;
  return LostMotion{.known = until + std::log(std::max(1.0, early / rounding)) / rate,
                    .at_end = std::exp(rate * (time - until)) * all};
}

}  // namespace livens
