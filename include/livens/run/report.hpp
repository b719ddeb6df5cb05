// How a run ended, for all kinds of systems and scalars.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "livens/audit/audit.hpp"
#include "livens/run/attempt.hpp"
#include "livens/solve/outcome.hpp"

namespace livens {

enum class RunOutcome { finished, failed, interrupted };

struct Cost {
  long long newton_iterations = 0, jacobians = 0, evaluations = 0;
  long long doubtful = 0;  // steps whose solution may not continue the motion
  void add(const StepReport& step) {
    newton_iterations += step.iterations, jacobians += step.jacobians, evaluations += step.evaluations;
    doubtful += step.continued ? 0 : 1;
  }
};

struct RunReport {
  RunOutcome outcome = RunOutcome::finished;
  long long steps = 0;                // steps done, each of length h but the last one where a hook stopped the run
  std::optional<StepReport> failure;  // of the step that was not done
  Attempt attempt;                    // where it was evaluated
  Cost cost;
};

}  // namespace livens
