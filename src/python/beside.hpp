// Work in a thread of its own, while the one that Python called from waits for it without the interpreter's lock. From
// time to time it takes the lock, lets Python look after signals and calls back with what has been done.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "livens/run/monitor.hpp"
#include "python/released.hpp"

namespace livens::python {

// What the work tells, and is told, while it goes on.
struct Course : Monitor {
  std::atomic<bool> stop = false;
  std::atomic<long long> done = 0, total = 0;
  std::atomic<double> t = std::nan("");
  std::vector<std::string> warnings;  // to be read when the work has ended

  long long watch(long long step, double time, const AuditFigures&) override {
    done = step, t = time;
    // About ten thousand times in a run, and in every step of one whose steps take long.
    return step + 1 + total / 10000;
  }
  void warn(const std::string& words) override { warnings.push_back(words); }
};

template <class Result>
struct Ended {
  Result result;
  bool interrupted = false;  // by Ctrl-C; the result is what was there by then
};

// `progress` is None or is called as progress(done, total, t). What it raises ends the work and is raised; after Ctrl-C
// the result of the work tells how far it came, and KeyboardInterrupt is raised where there is none.
template <class Work>
auto beside(Course& course, const py::object& progress, const Work& work) -> Ended<decltype(work())> {
  using namespace std::chrono_literals;
  auto result = std::async(std::launch::async, [&, caller = std::this_thread::get_id()] {
    const Inside inside(&course.stop, caller);
    return work();
  });
  std::optional<py::error_already_set> raised;
  const auto look = [&] {
    const Inside inside;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!raised && !progress.is_none()) progress(course.done.load(), course.total.load(), course.t.load());
  };
  for (;;) {
    {
      const Released released;
      if (result.wait_for(100ms) == std::future_status::ready) break;
    }
    try {
      look();
    } catch (const py::error_already_set& e) {
      raised = e;
      course.stop = true;
    }
  }
  const bool interrupted = raised && raised->matches(PyExc_KeyboardInterrupt);
  if (raised && !interrupted) throw *raised;
  try {
    return {result.get(), interrupted};
  } catch (const std::exception&) {
    if (interrupted) throw *raised;
    throw;
  }
}

}  // namespace livens::python
