// Asked after every step that was solved, before anything else takes notice of it: may find what happened on the way,
// change the state there, or end the run. Contacts and events are such hooks.
#pragma once

#include "livens/run/archive.hpp"
#include "livens/system/state.hpp"

namespace livens {

template <class System>
class StepHook {
 public:
  using T = typename System::Scalar;

  enum class Verdict {
    nothing,  // the step stands as it is
    changed,  // the state at the end of the step is another one; the method starts again from it
    stop,     // the run ends at `stopped_at()`, with the state that belongs there
  };

  virtual ~StepHook() = default;

  // From `before` at t0 to x at t1.
  virtual Verdict after_step(const T& t0, const T& t1, const State<System>& before, State<System>& x) = 0;
  virtual T stopped_at() const = 0;

  virtual void save(ArchiveWriter&) {}
  virtual void restore(ArchiveReader&) {}
};

}  // namespace livens
