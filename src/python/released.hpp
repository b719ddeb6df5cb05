// Threads of Python that are inside the library, and what becomes of them when the interpreter ends.
//
// A daemon thread may still be at work then. Python ends a thread that asks for the interpreter's lock after that, in
// the middle of C++, which ends the process by abort. So at exit all work is told to stop and waited for, and threads
// that come out of it stay where they are, without the lock.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace livens::python {

namespace py = pybind11;

class Exit {
 public:
  // Never taken down: threads that stay use it to the last.
  static Exit& of_interpreter() {
    static Exit& one = *new Exit;
    return one;
  }

  // Called by Python's atexit, while other threads may still take the lock.
  static void begin() {
    const py::gil_scoped_release released;
    of_interpreter().end_work();
  }

  void enter(std::atomic<bool>* stop, std::thread::id caller) {
    const std::lock_guard lock(mutex_);
    ++inside_;
    if (stop == nullptr) return;
    stops_.insert(stop);
    if (begun_ && caller != finisher_) *stop = true;
  }
  void leave(std::atomic<bool>* stop) {
    const std::lock_guard lock(mutex_);
    --inside_;
    stops_.erase(stop);
    changed_.notify_all();
  }
  // Returns where the lock may be taken again. The thread counts as inside until it has it.
  void ask_to_return() {
    std::unique_lock lock(mutex_);
    if (!begun_ || std::this_thread::get_id() == finisher_) return;
    --inside_;
    changed_.notify_all();
    changed_.wait(lock, [] { return false; });
  }

 private:
  void end_work() {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    begun_ = true;
    finisher_ = std::this_thread::get_id();
    for (std::atomic<bool>* stop : stops_) *stop = true;
    // Steps of large systems take seconds, and nothing else is asked to wait.
    changed_.wait_for(lock, 10s, [&] { return inside_ == 0; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::atomic<bool>*> stops_;
  int inside_ = 0;
  bool begun_ = false;
  std::thread::id finisher_;
};

// Counts as work of the library while it lives; `stop` ends it. `caller` is the thread of Python that waits for it.
class Inside {
 public:
  explicit Inside(std::atomic<bool>* stop = nullptr, std::thread::id caller = std::this_thread::get_id())
      : stop_(stop) {
    Exit::of_interpreter().enter(stop_, caller);
  }
  ~Inside() { Exit::of_interpreter().leave(stop_); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  std::atomic<bool>* stop_;
};

// Without the interpreter's lock while it lives.
class Released {
 public:
  Released() : state_(PyEval_SaveThread()) {}
  ~Released() {
    Exit::of_interpreter().ask_to_return();
    PyEval_RestoreThread(state_);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  Inside inside_;
  PyThreadState* state_;
};

}  // namespace livens::python
