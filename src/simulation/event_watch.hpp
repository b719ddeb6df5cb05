// [[event]]: a formula of the state that changes its sign along the motion. Its time in a step is the root of
//
//   w(theta) = when( the step of length theta from the start of the step ) ,    0 < theta <= h ,
//
// each value of it being one step of the method, made by another step object from the memory of the run's own: the
// motion itself is not touched. w is that of the consistent state, as rows have it.
//
// A value of 0 at the start has no sign, and counts with the first one after it. One of 0 at a later node is an event
// there. Of two changes of sign within one step nothing is seen.
#pragma once

#include <memory>
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
      : events_(model.events),
        functions_(model),
        step_(std::move(step)),
        kind_(system, step_->traits),
        x_(system),
        now_(events_.size()),
        before_(events_.size()),
        probed_(events_.size()),
        sign_(events_.size()) {}

  void begin(const T& t, const State<System>& x, const HintOf<System>& hint) override {
    step_->start(t, x, hint);
    kind_.place(t, x, hint);
    if (succeeded(kind_.look(t, x)) && succeeded(kind_.finalise(t, x))) functions_(kind_.final_view(t, x), before_);
    for (std::size_t k = 0; k < events_.size(); ++k) sign_[k] = sign(before_[k]);
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
    for (std::size_t k = 0; k < events_.size(); ++k) {
      const int s = sign(now_[k]), s0 = sign_[k];
      const bool crosses = s0 != 0 && s != s0;
      if (s0 == 0) sign_[k] = s;
      if (!crosses) continue;
      sign_[k] = -s0;
      if (events_[k].direction != 0 && events_[k].direction != -s0) continue;
      T theta = h;
      if (s != 0 && sign(before_[k]) == s0)
        theta = bracketed_root([&](const T& at) { return probe(at) ? probed_[k] : not_a_number(); }, T(0), before_[k],
                               h, now_[k], 2 * epsilon<T>() * abs_of(h))
                    .b;
      else if (s != 0)
        theta = T(0);
      if (stop && !(theta < *stop)) continue;
      const bool reached = theta != T(0) && theta != h && probe(theta);
      const State<System>& there = reached ? x_ : theta == T(0) ? before : x;
      if (!reached) look(t0 + theta, there, probed_);
      found_.push_back(event_at(kind_.final_view(t0 + theta, there),
                                events_[k].stops ? EventKind::stop : EventKind::record, static_cast<int>(k)));
      if (events_[k].stops) stop = theta;
    }
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

  void save(ArchiveWriter& a) override { a(before_, sign_, kind_); }
  void restore(ArchiveReader& a) override { a(before_, sign_, kind_); }

 private:
  static int sign(const T& w) { return w > T(0) ? 1 : w < T(0) ? -1 : 0; }
  static T not_a_number() { return T(std::numeric_limits<double>::quiet_NaN()); }

  const std::vector<Model::Event>& events_;
  EventFunctions<T> functions_;
  std::unique_ptr<StepOf<System>> step_;
  KindOf<System> kind_;
  State<System> x_;
  std::vector<T> now_, before_, probed_;
  std::vector<int> sign_;
  std::vector<RunEvent> found_;
  T stopped_at_{};
};

}  // namespace livens
