// [[event]]: a formula of the state that changes its sign along the motion. Its time in a step is the root of
//
//   w(theta) = when( the step of length theta from the start of the step ) ,    0 < theta <= h ,
//
// each value of it being one step of the method, made by another step object from the memory of the run's own: the
// motion itself is not touched. w is that of the consistent state, as rows have it.
//
// A value of 0 at the start has no sign, and counts with the first one after it. One of 0 at a later node is an event
// there.
//
// Two changes of sign within one step show in the parabola through w at the last three nodes (in the first step: at
// both ends and in the middle): where it has its extremum in the step, on the way to 0 and no farther from it than w is
// from the extremum at one of the ends, the extremum of w itself is looked for.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "livens/formula/program.hpp"
#include "livens/math/bracketed_root.hpp"
#include "livens/model/model.hpp"
#include "livens/run/companion.hpp"
#include "livens/run/event.hpp"
#include "livens/run/hook.hpp"
#include "livens/run/kind.hpp"
#include "livens/run/step_of.hpp"

namespace livens {

template <class T>
RunEvent event_at(const StateView<T>& x, EventKind kind, int index) {
  RunEvent event{to_double(x.t), kind, index, {}, {}};
  for (const T& q : x.q) event.q.push_back(to_double(q));
  for (const T& v : x.v) event.v.push_back(to_double(v));
  return event;
}

// The formulas of all events at a state.
template <class T>
class EventFunctions {
 public:
  explicit EventFunctions(const Model& model)
      : blocks_(model.event_blocks), values_(model.event_program), pointers_(static_cast<std::size_t>(blocks_.count)) {}
  void operator()(const StateView<T>& x, std::vector<T>& w) {
    const auto put = [&](int block, const T* numbers) {
      if (block >= 0) pointers_[static_cast<std::size_t>(block)] = numbers;
    };
    put(blocks_.time, &x.t), put(blocks_.q, x.q.data()), put(blocks_.v, x.v.data()), put(blocks_.p, x.p.data());
    values_(pointers_.data(), w.data());
  }

 private:
  Model::EventBlocks blocks_;
  formula::Evaluator<T> values_;
  std::vector<const T*> pointers_;
};

template <class System>
class EventWatch : public StepHook<System> {
 public:
  using T = typename System::Scalar;
  using Verdict = typename StepHook<System>::Verdict;

  EventWatch(const Model& model, const System& system, std::unique_ptr<StepOf<System>> step)
      : model_(model),
        events_(model.events),
        functions_(model),
        step_(std::move(step)),
        kind_(system, step_->traits),
        x_(system),
        now_(events_.size()),
        before_(events_.size()),
        earlier_(events_.size()),
        probed_(events_.size()),
        sign_(events_.size()) {}

  void begin(const T& t, const State<System>& x, const HintOf<System>& hint) override {
    step_->start(t, x, hint);
    kind_.place(t, x, hint);
    if (succeeded(kind_.look(t, x)) && succeeded(kind_.finalise(t, x))) functions_(kind_.final_view(t, x), before_);
    for (std::size_t k = 0; k < events_.size(); ++k) {
      if (!is_finite(before_[k]))
        throw InputError(model_.at(fmt::format("event[{}].when", k + 1),
                                   "is not finite at the start; write a formula that has a value there"));
      sign_[k] = sign(before_[k]);
    }
    nodes_ = 1;
  }

  Verdict after_step(const T& t0, const T& t1, const State<System>& before, std::string_view memory,
                     const State<System>& x, StepReport& report) override {
    found_.clear();
    const auto look = [&](const T& t, const State<System>& at, std::vector<T>& w) {
      if (!succeeded(kind_.look(t, at)) || !succeeded(kind_.finalise(t, at))) return false;
      functions_(kind_.final_view(t, at), w);
      return true;
    };
    kind_.remember();
    if (!look(t1, x, now_)) {
      report.outcome = Outcome::not_finite, report.part = StepPart::audit;
      return Verdict::nothing;
    }
    for (std::size_t k = 0; k < events_.size(); ++k)
      if (!is_finite(now_[k])) {
        report.outcome = Outcome::left_domain, report.part = StepPart::audit;
        return Verdict::nothing;
      }
    const T h = t1 - t0;
    const auto probe = [&](const T& theta) {
      ArchiveReader a(memory);
      x_ = before;
      step_->restore(a, t0, before);
      StepReport probing;
      step_->advance(t0, t0 + theta, theta, x_, probing);
      return succeeded(probing.outcome) && look(t0 + theta, x_, probed_);
    };
    std::optional<T> stop;
    const auto add = [&](std::size_t k, int direction, const T& theta) {
      if (events_[k].direction != 0 && events_[k].direction != direction) return;
      if (stop && !(theta < *stop)) return;
      const bool reached = theta != T(0) && theta != h && probe(theta);
      const State<System>& there = reached ? x_ : theta == T(0) ? before : x;
      if (!reached) look(t0 + theta, there, probed_);
      found_.push_back(event_at(kind_.final_view(t0 + theta, there),
                                events_[k].stops ? EventKind::stop : EventKind::record, static_cast<int>(k)));
      if (events_[k].stops) stop = theta;
    };
    for (std::size_t k = 0; k < events_.size(); ++k) {
      const auto w = [&](const T& theta) { return probe(theta) ? probed_[k] : not_a_number(); };
      const auto root = [&](const T& a, const T& wa, const T& b, const T& wb) {
        return bracketed_root(w, a, wa, b, wb, 2 * epsilon<T>() * abs_of(h)).b;
      };
      const int s = sign(now_[k]), s0 = sign_[k];
      if (s0 == 0) {
        sign_[k] = s;
      } else if (s != s0) {
        sign_[k] = -s0;
        const bool inside = s != 0 && sign(before_[k]) == s0;
        add(k, -s0, inside ? root(T(0), before_[k], h, now_[k]) : s != 0 ? T(0) : h);
      } else if (sign(before_[k]) == s0) {
        if (const auto [theta, beyond] = beyond_zero(k, s0, h, w); theta != T(0)) {
          add(k, -s0, root(T(0), before_[k], theta, beyond));
          add(k, s0, root(theta, beyond, h, now_[k]));
        }
      }
    }
    earlier_ = before_;
    nodes_ = std::min(nodes_ + 1, 3);
    before_ = now_;
    if (!found_.empty()) look(t1, x, now_);  // the guesses of what comes are those of the node
    if (!stop) return Verdict::nothing;
    stopped_at_ = t0 + *stop;
    std::erase_if(found_, [&](const RunEvent& e) {
      return e.t > to_double(stopped_at_) || (e.kind == EventKind::stop && e.t != to_double(stopped_at_));
    });
    return Verdict::stop;
  }
  T stopped_at() const override { return stopped_at_; }

  // In the last step.
  const std::vector<RunEvent>& found() const { return found_; }

  void save(ArchiveWriter& a) override { a(before_, earlier_, nodes_, sign_, kind_); }
  void restore(ArchiveReader& a) override { a(before_, earlier_, nodes_, sign_, kind_); }

 private:
  // A point of the step where w has another sign than s, which it has at both ends, and w there; 0: none was found.
  template <class W>
  std::pair<T, T> beyond_zero(std::size_t k, int s, const T& h, const W& w) const {
    const std::pair<T, T> none{T(0), T(0)};
    const T w0 = T(s) * before_[k], w1 = T(s) * now_[k];
    const bool first = nodes_ < 2;
    const T third = T(s) * (first ? w(h / 2) : earlier_[k]);
    if (!is_finite(third)) return none;
    if (first && third < T(0)) return {h / 2, T(s) * third};
    // w0 + b x + c x^2 , theta = x h
    const T b = first ? 4 * third - 3 * w0 - w1 : (w1 - third) / 2, c = first ? 2 * (w0 + w1) - 4 * third : w1 - w0 - b;
    if (!(c > T(0)) || !(b < T(0)) || !(-b < 2 * c)) return none;
    const T lowest = w0 - b * b / (4 * c);
    if (lowest > std::max<T>(w0, w1) - lowest) return none;
    // Golden section, from the extremum of the parabola.
    T left(0), middle = -b / (2 * c), right(1), at_middle = T(s) * w(middle * h);
    constexpr double share = 0.3819660112501051;
    while (at_middle >= T(0) && right - left > T(1e-6)) {
      const bool to_right = right - middle > middle - left;
      const T x = to_right ? middle + T(share) * (right - middle) : middle - T(share) * (middle - left),
              wx = T(s) * w(x * h);
      if (!is_finite(wx)) return none;
      if (wx < at_middle)
        (to_right ? left : right) = middle, middle = x, at_middle = wx;
      else
        (to_right ? right : left) = x;
    }
    return at_middle < T(0) ? std::pair{middle * h, T(s) * at_middle} : none;
  }
  static int sign(const T& w) { return w > T(0) ? 1 : w < T(0) ? -1 : 0; }
  static T not_a_number() { return T(std::numeric_limits<double>::quiet_NaN()); }

  const Model& model_;
  const std::vector<Model::Event>& events_;
  EventFunctions<T> functions_;
  std::unique_ptr<StepOf<System>> step_;
  KindOf<System> kind_;
  State<System> x_;
  std::vector<T> now_, before_, earlier_, probed_;  // earlier: at the node before that before
  int nodes_ = 0;                                   // that were seen, 3: or more
  std::vector<int> sign_;
  std::vector<RunEvent> found_;
  T stopped_at_{};
};

}  // namespace livens
