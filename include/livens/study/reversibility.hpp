// Reversibility: N steps with h, then N steps with -h from where they led, and the distance to the start.
//
// The way back starts from q_N and the momentum of the audit, as it is: for a symmetric map that carries a consistent
// momentum, or for which p and p + G^T x are the same start, the distance is at round-off (Wenger, Ober-Bloebaum,
// Leyendecker 2017, sec. 5; Hairer, Lubich, Wanner, Geometric Numerical Integration, V.1).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "livens/run/time_loop.hpp"
#include "livens/run/walk.hpp"
#include "livens/study/stopped.hpp"
#include "livens/system/lagrangian.hpp"
#include "livens/system/start.hpp"

namespace livens {

struct Reversibility {
  double q = 0, p = 0;                // largest |q - q0|, |p - p0| of a component
  std::optional<StepReport> failure;  // a step could not be solved; q and p are then not meaningful
  Attempt attempt;                    // where it was evaluated
  long long steps = 0;                // steps done, there and back
};

// Throws Stopped where settings.stop asks for it.
template <class System>
Reversibility reversibility(Walk<System> walk, const StartState<System>& start,
                            const MarchSettings<typename System::Scalar>& settings) {
  using T = typename System::Scalar;
  Reversibility result;
  StepReport report;
  const auto time = [&](long long n) { return start.t + static_cast<T>(n) * settings.step; };

  // From node `from` to node `to`; looks at the momentum of the audit at the end.
  const auto go = [&](long long from, long long to) {
    const long long direction = to > from ? 1 : -1;
    const T h = static_cast<T>(direction) * settings.step;
    for (long long n = from; n != to && succeeded(report.outcome); n += direction) {
      end_if_asked(settings.stop);
      walk.advance(time(n), time(n + direction), h, report);
      if (succeeded(report.outcome))
        ++result.steps;
      else
        result.attempt = walk.attempt(time(n), time(n + direction), false);
    }
    if (!succeeded(report.outcome)) return;
    report.outcome = walk.look(time(to));
    if (succeeded(report.outcome)) return;
    report.part = StepPart::audit;
    result.attempt = walk.attempt(time(to - direction), time(to), true);
  };

  const long long N = settings.steps;
  report.outcome = walk.start(start);
  go(0, N);
  if (succeeded(report.outcome)) {
    const auto q = walk.q();
    const auto p = walk.audited_momentum();
    const auto hint = walk.kind().hint();
    report.outcome = walk.start(time(N), q, p, hint);
    go(N, 0);
  }
  if (!succeeded(report.outcome)) {
    result.failure = report;
    return result;
  }
  for (int i = 0; i < start.q.size(); ++i) result.q = std::max(result.q, std::abs(to_double(walk.q()[i] - start.q[i])));
  for (int i = 0; i < start.p.size(); ++i)
    result.p = std::max(result.p, std::abs(to_double(walk.audited_momentum()[i] - start.p[i])));
  return result;
}

template <class System, class Method>
Reversibility reversibility(const System& system, const Method& method,
                            const std::type_identity_t<StartState<System>>& start,
                            const MarchSettings<typename System::Scalar>& settings) {
  return reversibility(Walk<System>(system, method, settings.solver), start, settings);
}

}  // namespace livens
