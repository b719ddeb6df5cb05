// Independent pieces of work on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace livens {

// work(0), ..., work(count - 1) in any order; what one of them throws is thrown here.
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto take_turns = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::future<void>> others;
  for (std::size_t k = 1; k < std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency())); ++k)
    others.push_back(std::async(std::launch::async, take_turns));
  take_turns();
  for (auto& other : others) other.get();
}

}  // namespace livens
