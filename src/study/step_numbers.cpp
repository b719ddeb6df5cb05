#include "study/step_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace livens {

namespace {

constexpr long long most_nodes = 1024;

}  // namespace

long long nodes_of(long long steps) {
  while (steps > most_nodes && steps % 2 == 0) steps /= 2;
  return steps;
}

bool StepNumbers::meets_end(long long N) const {
  const double step = to_double(formula::Number((end_ - start_) / formula::Number(N)));
  return to_double(start_) + static_cast<double>(N) * step == to_double(end_);
}

long long StepNumbers::meeting_end(long long N) const {
  for (long long more = N; more <= N + std::min(64LL, N / 40); ++more)
    if (meets_end(more)) return more;
  return N;
}

long long StepNumbers::beside(double N, const Pilot& pilot) const {
  const auto by =
      static_cast<long long>(std::bit_floor(static_cast<unsigned long long>(std::max(1.0, N / most_nodes))));
  const auto least = static_cast<long long>(std::ceil(N / static_cast<double>(by))) * by;
  long long best = least, common = 0;
  for (long long steps = least; steps <= least + least / 8; steps += by)
    if (const long long both = std::gcd(nodes_of(steps), pilot.nodes); both > common && meets_end(steps))
      best = steps, common = both;
  return best;
}

Mesh StepNumbers::apart_from(const Pilot& pilot, double factor) const {
  const long long common = std::min(128LL, pilot.nodes & -pilot.nodes), parts = pilot.steps / common;
  if (common < 8) return {static_cast<long long>(factor * static_cast<double>(pilot.steps)), 0};
  long long other = std::max(1LL, static_cast<long long>(factor * static_cast<double>(parts)));
  while (std::gcd(other, parts) > 1 || !meets_end(other * common)) ++other;
  return {other * common, common};
}

}  // namespace livens
