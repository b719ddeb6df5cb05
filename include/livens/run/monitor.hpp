// Who may look at a run while it goes on, and who keeps its memory.
#pragma once

#include <string>

#include "livens/audit/audit.hpp"

namespace livens {

// Asked from time to time how things go; answers with the step at which it wants to be asked again.
class Monitor {
 public:
  virtual ~Monitor() = default;
  virtual long long watch(long long step, double t, const AuditFigures& audit) = 0;
  // The method sees something coming; told once, and again with the results.
  virtual void warn(const std::string& words) = 0;
};

// Takes the memory of the run, from which it can go on as if nothing had happened.
class CheckpointSink {
 public:
  virtual ~CheckpointSink() = default;
  virtual void save(long long step, const std::string& memory) = 0;
};

}  // namespace livens
