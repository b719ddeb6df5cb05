// Independent pieces of work on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace livens {

inline std::size_t cores() {
  return std::max(1U, std::thread::hardware_concurrency());
}

// work(thread, i) for i = 0 .. count - 1 in any order, thread = 0 .. threads - 1: what belongs to a thread needs no
// locks. What one of them throws is thrown here.
template <class Work>
void in_parallel(std::size_t threads, std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto take_turns = [&](std::size_t thread) {
    for (std::size_t i = next++; i < count; i = next++) work(thread, i);
  };
  std::vector<std::future<void>> others;
  for (std::size_t k = 1; k < std::min(count, threads); ++k)
    others.push_back(std::async(std::launch::async, take_turns, k));
  take_turns(0);
  for (auto& other : others) other.get();
}

// work(0), ..., work(count - 1)
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
  in_parallel(cores(), count, [&](std::size_t, std::size_t i) { work(i); });
}

}  // namespace livens
