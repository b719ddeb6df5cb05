// One model with many values of some of its keys, run on several cores, in memory.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "livens/session/memory_rows.hpp"
#include "livens/study/parallel.hpp"

namespace livens {

struct SweptRun {
  std::string outcome;  // finished, failed, interrupted; refused: the input is wrong; empty: not begun
  std::string message, summary;
  MemoryRows rows;
};

struct SweepRequest {
  std::size_t threads = cores();  // the results do not depend on it
  const std::atomic<bool>* stop = nullptr;
  std::atomic<long long>* done = nullptr;  // counts the runs that have ended
};

// The runs of the model with these overrides on top of its own, in their order.
std::vector<SweptRun> sweep(const Model& model, const std::vector<Overrides>& points, const SweepRequest& request);

}  // namespace livens
