#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/say.hpp"

namespace livens::cli {

namespace {

constexpr double refresh_seconds = 0.2;

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

long long ProgressLine::watch(long long step, double t, const AuditFigures& audit) {
  const Clock::time_point now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_).count();
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const double done = seen_(step), rate = done / std::max(elapsed, 1e-9);
  // Ask again after about one refresh, however fast the steps are; at most twice as late as the last time.
  const double wanted = std::min(rate * refresh_seconds, 2.0 * done);
  const long long next = step + std::max(1LL, static_cast<long long>(wanted));
  if (since < refresh_seconds) return next;
  const std::string line =
      fmt::format("{:3.0f} %  t = {:<10.6g} {:.3g} steps/s, {} left   energy error {:.1e}   constraint {:.1e}",
                  100.0 * static_cast<double>(step) / static_cast<double>(steps_), t, rate,
                  duration(static_cast<double>(steps_ - step) / rate), audit.energy.max_error, audit.constraint);
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  shown_ = true;
  last_ = now;
  return next;
}

void Warnings::warn(const std::string& words) {
  say_in(Colour::yellow, "warning:", fmt::format(" {}\n", words));
}

void ProgressLine::warn(const std::string& words) {
  clear();
  Warnings::warn(words);
}

void ProgressLine::clear() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace livens::cli
