// Asked after every step that was solved, before anything else takes notice of it: may find what happened on the way,
// or end the run there.
#pragma once

#include <string_view>

#include "livens/run/archive.hpp"
#include "livens/solve/outcome.hpp"
#include "livens/system/state.hpp"

namespace livens {

template <class System>
class StepHook {
 public:
  using T = typename System::Scalar;

  enum class Verdict {
    nothing,  // the step stands as it is
    stop,     // the run ends at `stopped_at()`, to which the same step is made, only shorter
  };

  virtual ~StepHook() = default;

  // The state from which the run starts, and a guess of what a step is started with there.
  virtual void begin(const T& t, const State<System>& x, const HintOf<System>& hint) = 0;
  // From `before` at t0 to x at t1; memory: that of the step (StepOf::save) at t0.
  virtual Verdict after_step(const T& t0, const T& t1, const State<System>& before, std::string_view memory,
                             const State<System>& x, StepReport& report) = 0;
  virtual T stopped_at() const = 0;

  virtual void save(ArchiveWriter&) {}
  virtual void restore(ArchiveReader&) {}
};

}  // namespace livens
