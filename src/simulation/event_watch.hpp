// [[event]]: a formula of the state that changes its sign along the motion. Its time in a step is the root of
//
//   w(theta) = when( the step of length theta from the start of the step ) ,    0 < theta <= h ,
//
// each value of it being one step of the method, made by another step object from the memory of the run's own: the
// motion itself is not touched. w is that of the consistent state, as rows have it.
//
// Signs are those of w beyond round-off (event_functions.hpp). A value of 0 at the start has none, and counts with the
// first one after it. One that becomes 0 has changed its sign there; while it stays 0 nothing happens; if it goes on
// to the other side that was it, if it comes back it changes its sign again, where it leaves 0 - unless that is the
// moment at which it came, as the gap of a bounce does.
//
// Contacts cut a step into pieces (contact/step.hpp): w has a value right before and right after each of these moments,
// and a change of sign between the two is an event at that moment, with the state after it.
//
// Two changes of sign within one step without such moments show in the parabola through w at the last three nodes (in
// the first step, and after moments: at both ends and in the middle): where it has its extremum in the step, on the way
// to 0 and no farther from it than w is from the extremum at one of the ends, the extremum of w itself is looked for.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "livens/math/bracketed_root.hpp"
#include "livens/model/model.hpp"
#include "livens/run/cut_step.hpp"
#include "livens/run/hook.hpp"
#include "livens/run/kind.hpp"
#include "livens/run/step_of.hpp"
#include "simulation/event_functions.hpp"

namespace livens {

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
        floor_(now_),
        before_(now_),
        earlier_(now_),
        probed_(now_),
        side_(events_.size()) {}

  // The step of the run, if it is one that is cut.
  void watch(CutStep<System>* cut) {
    cut_ = cut;
    if (cut_) cut_->keep_moments();
  }

  void begin(const T& t, const State<System>& x, const HintOf<System>& hint) override {
    step_->start(t, x, hint);
    kind_.place(t, x, hint);
    if (succeeded(kind_.look(t, x)) && succeeded(kind_.finalise(t, x)))
      functions_(kind_.final_view(t, x), before_, floor_);
    for (std::size_t k = 0; k < events_.size(); ++k) {
      if (!is_finite(before_[k]))
        throw InputError(model_.at(fmt::format("event[{}].when", k + 1),
                                   "is not finite at the start; write a formula that has a value there"));
      side_[k] = {sign(before_[k], floor_[k]), false, t};
    }
    nodes_ = 1;
  }

  Verdict after_step(const T& t0, const T& t1, const State<System>& before, std::string_view memory,
                     const State<System>& x, StepReport& report) override {
    t0_ = t0, h_ = t1 - t0, start_ = &before, memory_ = memory;
    found_.clear();
    stop_.reset();
    kind_.remember();
    if (const Outcome outcome = take_points(x); !succeeded(outcome)) {
      report.outcome = outcome, report.part = StepPart::audit;
      return Verdict::nothing;
    }
    for (std::size_t k = 0; k < events_.size(); ++k) {
      const Side at_start = side_[k];
      for (std::size_t i = 1; i < points_.size(); ++i) {
        const Point &a = points_[i - 1], &b = points_[i];
        if (leaves_and_returns(k, a, b))
          go(k, a, middle_), go(k, middle_, b);
        else
          go(k, a, b);
      }
      if (points_.size() == 2 && !at_start.is_zero && !side_[k].is_zero && at_start.sign == side_[k].sign)
        look_between(k, points_[0], points_[1]);
    }
    earlier_ = before_;
    before_ = points_.back().w;
    nodes_ = points_.size() > 2 ? 1 : std::min(nodes_ + 1, 3);
    if (!found_.empty() || points_.size() > 2) look(t1, x, now_);  // the guesses of what comes are those of the node
    if (!stop_) return Verdict::nothing;
    if (stop_->moment >= 0) cut_->end_at(static_cast<std::size_t>(stop_->moment));
    std::erase_if(found_, [&](const RunEvent& e) {
      return e.t > to_double(stop_->t) || (e.kind == EventKind::stop && e.t != to_double(stop_->t));
    });
    return Verdict::stop;
  }
  T stopped_at() const override { return stop_->t; }

  // In the last step.
  const std::vector<RunEvent>& found() const { return found_; }

  void save(ArchiveWriter& a) override { a(before_, earlier_, nodes_, side_, functions_, kind_); }
  void restore(ArchiveReader& a) override { a(before_, earlier_, nodes_, side_, functions_, kind_); }

 private:
  // A state of the step whose w is known. Of two at the same moment the second one is after it.
  struct Point {
    T t;
    const State<System>* x;
    std::vector<T> w, floor;
    int moment = -1;
    bool opens = false;
  };
  // On which side of 0 a formula is, and whether it is 0 there, since when.
  struct Side {
    int sign = 0;
    bool is_zero = false;
    T since{};
    template <class Archive>
    void archive(Archive& a) {
      a(sign, is_zero, since);
    }
  };
  struct Stop {
    T t;
    int moment;
  };

  // ---- states ------------------------------------------------------------------------------------------------------

  bool look(const T& t, const State<System>& x, std::vector<T>& w) {
    if (!succeeded(kind_.look(t, x)) || !succeeded(kind_.finalise(t, x))) return false;
    functions_(kind_.final_view(t, x), w);
    return true;
  }
  bool probe(const T& theta) {
    ArchiveReader a(memory_);
    x_ = *start_;
    step_->restore(a, t0_, *start_);
    StepReport probing;
    step_->advance(t0_, t0_ + theta, theta, x_, probing);
    return succeeded(probing.outcome) && look(t0_ + theta, x_, probed_);
  }
  auto value_of(std::size_t k) {
    return [this, k](const T& theta) { return probe(theta) ? probed_[k] : not_a_number(); };
  }

  // The start of the step, its moments, its end.
  Outcome take_points(const State<System>& x) {
    points_.clear();
    points_.push_back({t0_, start_, before_, before_});
    Outcome outcome = Outcome::converged;
    const auto add = [&](const T& t, const State<System>& at, int moment, bool opens) {
      if (!succeeded(outcome)) return;
      if (!succeeded(kind_.look(t, at)) || !succeeded(kind_.finalise(t, at))) {
        outcome = Outcome::not_finite;
        return;
      }
      functions_(kind_.final_view(t, at), now_, floor_);
      for (const T& w : now_)
        if (!is_finite(w)) outcome = Outcome::left_domain;
      points_.push_back({t, &at, now_, floor_, moment, opens});
    };
    if (cut_) {
      int m = 0;
      for (const StepMoment<System>& moment : cut_->moments()) {
        add(moment.t, moment.before, m, false);
        add(moment.t, moment.after, m++, moment.opens);
      }
    }
    add(t0_ + h_, x, -1, false);
    return outcome;
  }

  // ---- changes of sign ---------------------------------------------------------------------------------------------

  // From one point to the next.
  void go(std::size_t k, const Point& a, const Point& b) {
    Side& side = side_[k];
    const T &wa = a.w[k], &wb = b.w[k], &floor = b.floor[k];
    const int s = sign(wb, floor);
    const T from = a.t - t0_, to = b.t - t0_;
    if (side.sign == 0 || (side.is_zero && s == side.sign)) {
      side = {s, false, b.t};
    } else if (side.is_zero) {
      if (s == 0) return;
      const bool stayed = a.t > side.since;
      side = {s, false, b.t};
      if (!stayed) return;
      if (a.opens) return tell_at(k, s, a);
      const auto w = value_of(k);
      const auto beyond = [&](const T& theta) { return T(s) * w(theta) - floor; };
      const T below = -std::max<T>(floor, T(1e-300));
      tell(k, s, bracketed_root(beyond, from, below, to, T(s) * wb - floor, tolerance()).b);
    } else if (s != side.sign) {
      const int direction = -side.sign;
      const bool passes = from < to && (s == direction || (b.moment < 0 && sign(wb, T(0)) == direction));
      side = {direction, s == 0, b.t};
      if (passes)
        tell(k, direction, root(k, from, wa, to, wb));
      else
        tell_at(k, direction, b);
    }
  }
  // A formula that is 0 at one moment and at the next, as the gap of a low bounce, may not be so in between.
  bool leaves_and_returns(std::size_t k, const Point& a, const Point& b) {
    if (!side_[k].is_zero || a.moment < 0 || b.moment < 0 || !(a.t < b.t) || sign(b.w[k], b.floor[k]) != 0)
      return false;
    const T theta = a.t - t0_ + (b.t - a.t) / 2;
    if (!probe(theta)) return false;
    middle_.t = t0_ + theta, middle_.w = probed_, middle_.floor = b.floor;
    return sign(middle_.w[k], middle_.floor[k]) != 0;
  }
  // The sign is the same at both ends.
  void look_between(std::size_t k, const Point& a, const Point& b) {
    const int s = side_[k].sign;
    if (s == 0) return;
    const auto [theta, beyond] = beyond_zero(k, s, a.w[k], b.w[k], b.floor[k]);
    if (theta == T(0)) return;
    tell(k, -s, root(k, T(0), a.w[k], theta, beyond));
    tell(k, s, root(k, theta, beyond, h_, b.w[k]));
  }
  T root(std::size_t k, const T& a, const T& wa, const T& b, const T& wb) {
    return bracketed_root(value_of(k), a, wa, b, wb, tolerance()).b;
  }
  T tolerance() const { return 2 * epsilon<T>() * abs_of(h_); }

  // A point of the step where w has another sign than s, which it has at both ends, and w there; 0: none was found.
  std::pair<T, T> beyond_zero(std::size_t k, int s, const T& from, const T& to, const T& floor) {
    const std::pair<T, T> none{T(0), T(0)};
    const auto w = value_of(k);
    const T w0 = T(s) * from, w1 = T(s) * to;
    const bool first = nodes_ < 2;
    const T third = T(s) * (first ? w(h_ / 2) : earlier_[k]);
    if (!is_finite(third)) return none;
    if (first && third < -floor) return {h_ / 2, T(s) * third};
    // w0 + b x + c x^2 , theta = x h
    const T b = first ? 4 * third - 3 * w0 - w1 : (w1 - third) / 2, c = first ? 2 * (w0 + w1) - 4 * third : w1 - w0 - b;
    if (!(c > T(0)) || !(b < T(0)) || !(-b < 2 * c)) return none;
    const T lowest = w0 - b * b / (4 * c);
    if (lowest > std::max<T>(w0, w1) - lowest) return none;
    // Golden section, from the extremum of the parabola.
    T left(0), middle = -b / (2 * c), right(1), at_middle = T(s) * w(middle * h_);
    constexpr double share = 0.3819660112501051;
    while (at_middle >= -floor && right - left > T(1e-6)) {
      const bool to_right = right - middle > middle - left;
      const T x = to_right ? middle + T(share) * (right - middle) : middle - T(share) * (middle - left),
              wx = T(s) * w(x * h_);
      if (!is_finite(wx)) return none;
      if (wx < at_middle)
        (to_right ? left : right) = middle, middle = x, at_middle = wx;
      else
        (to_right ? right : left) = x;
    }
    return at_middle < -floor ? std::pair{middle * h_, T(s) * at_middle} : none;
  }

  // ---- events ------------------------------------------------------------------------------------------------------

  bool is_asked(std::size_t k, int direction, const T& t) const {
    return (events_[k].direction == 0 || events_[k].direction == direction) && !(stop_ && !(t < stop_->t));
  }
  void tell(std::size_t k, int direction, const T& theta) {
    if (theta == h_) return tell_at(k, direction, points_.back());
    if (!is_asked(k, direction, t0_ + theta) || !probe(theta)) return;
    put(k, t0_ + theta, x_, -1);
  }
  // At a moment: after it.
  void tell_at(std::size_t k, int direction, const Point& at) {
    if (!is_asked(k, direction, at.t)) return;
    const State<System>& x = at.moment < 0 ? *at.x : cut_->moments()[static_cast<std::size_t>(at.moment)].after;
    if (look(at.t, x, probed_)) put(k, at.t, x, at.moment);
  }
  void put(std::size_t k, const T& t, const State<System>& x, int moment) {
    found_.push_back(
        event_at(kind_.final_view(t, x), events_[k].stops ? EventKind::stop : EventKind::record, static_cast<int>(k)));
    if (events_[k].stops) stop_ = {t, moment};
  }

  static int sign(const T& w, const T& floor) { return w > floor ? 1 : w < -floor ? -1 : 0; }
  static T not_a_number() { return T(std::numeric_limits<double>::quiet_NaN()); }

  const Model& model_;
  const std::vector<Model::Event>& events_;
  EventFunctions<T> functions_;
  std::unique_ptr<StepOf<System>> step_;
  CutStep<System>* cut_ = nullptr;
  KindOf<System> kind_;
  State<System> x_;
  std::vector<T> now_, floor_, before_, earlier_, probed_;  // earlier: at the node before that before
  int nodes_ = 0;                                           // that were seen since the last moment, 3: or more
  std::vector<Side> side_;
  std::vector<RunEvent> found_;
  std::optional<Stop> stop_;
  // The step that is looked at.
  T t0_{}, h_{};
  const State<System>* start_ = nullptr;
  std::string_view memory_;
  std::vector<Point> points_;
  Point middle_{};
};

}  // namespace livens
