#include "livens/audit/sizes.hpp"

#include <bit>

namespace livens {

namespace {

double larger(double size, std::span<const double> x) {
  for (const double xi : x) size = std::max(size, std::abs(xi));
  return size;
}

}  // namespace

void RunSizes::take_size(std::span<const double> q_now, std::span<const double> v_now, std::span<const double> p_now) {
  q = larger(q, q_now), v = larger(v, v_now), p = larger(p, p_now);
  double sum = 0;
  for (std::size_t i = 0; i < std::min(v_now.size(), p_now.size()); ++i) sum += std::abs(v_now[i] * p_now[i]);
  work = std::max(work, sum);
}

void RunSizes::take(double t, std::span<const double> q_now, std::span<const double> v_now,
                    std::span<const double> p_now) {
  constexpr long long most = 4096;
  take_size(q_now, v_now, p_now);
  if (std::has_single_bit(static_cast<unsigned long long>(count_)))
    samples_.push_back({t, {q_now.begin(), q_now.end()}, {v_now.begin(), v_now.end()}, {p_now.begin(), p_now.end()}});
  const std::size_t n = v_now.size();
  if (turns_.size() != n) v_before_.resize(n), turns_.resize(n);
  double *const before = v_before_.data(), *const turns = turns_.data();
  for (std::size_t i = 0; i < n; ++i) {
    const double now = v_now[i];
    turns[i] += (now < 0 && before[i] > 0) || (now > 0 && before[i] < 0) ? 1 : 0;
    before[i] = now != 0 ? now : before[i];
  }
  if (count_ == most * stride_) stride_ *= 2;
}

}  // namespace livens
