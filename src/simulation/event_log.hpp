// The events of a run, step by step, as they are accepted with the steps that they are in.
#pragma once

#include <algorithm>
#include <vector>

#include "livens/run/companion.hpp"
#include "livens/run/event.hpp"

namespace livens {

template <class T>
class EventLog : public Companion<T> {
 public:
  // Where the events of the last step are found.
  void listen_to(const std::vector<RunEvent>& source) { sources_.push_back(&source); }

  void observe(const StateView<T>&) override {
    const auto first = static_cast<std::ptrdiff_t>(events_.size());
    for (const auto* source : sources_) events_.insert(events_.end(), source->begin(), source->end());
    std::stable_sort(events_.begin() + first, events_.end(), [](const RunEvent& a, const RunEvent& b) {
      return a.t != b.t ? a.t < b.t : rank(a.kind) < rank(b.kind);
    });
  }
  const std::vector<RunEvent>& events() const { return events_; }

  void save(ArchiveWriter& a) override { a(events_); }
  void restore(ArchiveReader& a) override { a(events_); }

 private:
  // At equal times: what closes, what opens, the rest.
  static int rank(EventKind kind) {
    switch (kind) {
      case EventKind::impact:
      case EventKind::landing:
        return 0;
      case EventKind::release:
        return 1;
      case EventKind::stick:
      case EventKind::slip:
        return 2;
      case EventKind::record:
      case EventKind::stop:
        break;
    }
    return 3;
  }

  std::vector<const std::vector<RunEvent>*> sources_;
  std::vector<RunEvent> events_;
};

}  // namespace livens
