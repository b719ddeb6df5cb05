// What is told of the contacts in one step, by time.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "livens/math/scalar.hpp"
#include "livens/math/vec.hpp"
#include "livens/run/event.hpp"

namespace livens {

class ToldContacts {
 public:
  const std::vector<RunEvent>& events() const { return events_; }
  void clear() { events_.clear(); }

  template <class T>
  void tell(const T& t, EventKind kind, int contact, const Vec<T>& q, const Vec<T>& v) {
    RunEvent event{to_double(t), kind, contact, {}, {}};
    for (const T& x : q) event.q.push_back(to_double(x));
    for (const T& x : v) event.v.push_back(to_double(x));
    events_.push_back(std::move(event));
  }

  // A contact stays closed after all: whether its release was the last that was told of it; that is taken back.
  bool take_back_release(int contact) {
    const auto last = last_of(contact);
    if (last == events_.rend() || last->kind != EventKind::release) return false;
    events_.erase(std::next(last).base());
    return true;
  }
  // One that closes at the moment at which it opened did not open, in round-off: nothing is told of that. Whether it
  // was closed before.
  bool take_back_opening(double t, int contact) {
    const auto last = last_of(contact);
    if (last == events_.rend() || last->t != t) return false;
    if (last->kind == EventKind::impact) events_.erase(std::next(last).base());
    return take_back_release(contact);
  }

 private:
  std::vector<RunEvent>::reverse_iterator last_of(int contact) {
    return std::find_if(events_.rbegin(), events_.rend(), [&](const RunEvent& e) { return e.index == contact; });
  }

  std::vector<RunEvent> events_;
};

}  // namespace livens
