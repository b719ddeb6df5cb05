// What happened at a moment between the nodes of a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace livens {

enum class EventKind : int { impact, landing, release, stick, slip, record, stop };

constexpr std::string_view name(EventKind kind) {
  switch (kind) {
    case EventKind::impact:
      return "impact";
    case EventKind::landing:
      return "landing";
    case EventKind::release:
      return "release";
    case EventKind::stick:
      return "stick";
    case EventKind::slip:
      return "slip";
    case EventKind::record:
      return "record";
    case EventKind::stop:
      return "stop";
  }
  return "";
}

// Of contact or event `index`, from 0; q and v are those right after it.
struct RunEvent {
  double t = 0;
  EventKind kind = EventKind::record;
  int index = 0;
  std::vector<double> q, v;

  template <class Archive>
  void archive(Archive& a) {
    a(t, kind, index, q, v);
  }
};

constexpr bool is_of_contact(EventKind kind) {
  return kind != EventKind::record && kind != EventKind::stop;
}

}  // namespace livens
