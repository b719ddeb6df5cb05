// Studies that are ended from outside: their loops look after every step, and throw, for a part of a study is none.
#pragma once

#include <atomic>
#include <stdexcept>

namespace livens {

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("interrupted: a study has results only when it is done, nothing is kept of it") {}
};

inline void end_if_asked(const std::atomic<bool>* stop) {
  if (stop && stop->load(std::memory_order_relaxed)) throw Stopped();
}

}  // namespace livens
