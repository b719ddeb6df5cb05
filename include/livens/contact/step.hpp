// A step of a system with contacts: the step of the method while nothing opens or closes, cut at events.
//
// From the start of a piece, tau after that of the step, the method goes on to the end of the step. Then
//
//   (1)  release    a closed contact pulls:                 N_i < 0
//   (2)  landing    an open one is passed through:          gap_i < 0 , at the end or where its rate is 0 on the way
//   (3)  stop       one that slips goes backwards:          v.e_i < 0 ,   e_i: its sliding direction
//   (4)  slip       one that sticks is held by too much:    c F_N^r - |F_T| < 0
//
// If nothing of that holds the step stands. Else theta in (0, h - tau] is found where the first of these functions
// changes its sign, each value of it being one step of length theta of the method from the start of the piece, begun
// anew; the state becomes that of theta, the event is applied (impact.hpp, closed_set.hpp), and the next piece begins
// at tau + theta. So nodes stay t_0 + n h, and an event is as exact as a step of the method.
//
// A gap of 0 at the start of a piece, after a bounce or a release, is no landing: the interval then begins where the
// gap is positive. If it is positive nowhere the contact lands at once.
//
// A step of the method may fail where it leads far beyond an event: then halves of it are tried, and the failure counts
// only if no event is found in them.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "livens/contact/closed_set.hpp"
#include "livens/contact/impact.hpp"
#include "livens/contact/system.hpp"
#include "livens/math/bracketed_root.hpp"
#include "livens/run/event.hpp"
#include "livens/run/step_of.hpp"

namespace livens {

template <class T>
class ContactStep final : public StepOf<ContactSystem<T>> {
 public:
  using System = ContactSystem<T>;

  explicit ContactStep(const System& system)
      : StepOf<System>(system.traits),
        system_(system),
        impact_(system),
        closed_set_(system),
        contacts_(system.start_states),
        forces_(empty_forces()),
        begin_(empty_forces()),
        probe_(empty_forces()),
        q_(system.coordinates()),
        p_(system.momenta()),
        raw_(system.constraints()),
        gap_(system.contacts()),
        rate_(gap_),
        size_(gap_),
        begin_gap_(gap_),
        begin_rate_(gap_) {}

  bool start(const T& t, const State<System>& x, const Vec<T>& hint) override {
    contacts_ = x.contacts, q_ = x.q, p_ = x.p;
    forces_.lambda = hint;
    why_ = begin_motion(t);
    return succeeded(why_);
  }
  Outcome why_not_started() const override { return why_; }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) override {
    happened_.clear();
    T tau(0);
    StepReport cost;
    long long events = 0;
    int at_once = 0;  // events one after another without time between them
    while (true) {
      const T length = h - tau, t = t0 + tau;
      keep_begin(t);
      StepReport piece;
      motion_->advance(t, t1, length, piece);
      add(piece, cost);
      Found found;
      if (succeeded(piece.outcome)) {
        q_ = motion_->q(), p_ = motion_->p();
        Outcome outcome = look(t1, q_, p_, forces_);
        if (succeeded(outcome)) outcome = find(t, length, found, cost);
        piece.outcome = outcome;
        if (!succeeded(outcome)) piece.part = StepPart::multiplier;
      } else {
        find_in_part(t, length, found, piece, cost);
      }
      if (!succeeded(piece.outcome)) {
        piece.iterations = cost.iterations, piece.jacobians = cost.jacobians, piece.evaluations = cost.evaluations;
        report = piece;
        return give_up(t0, x);
      }
      if (!found.any) {
        report = piece;
        report.iterations = cost.iterations, report.jacobians = cost.jacobians, report.evaluations = cost.evaluations;
        x.q = q_, x.p = p_, x.contacts = contacts_;
        return;
      }
      at_once = found.theta > T(0) ? 0 : at_once + 1;
      tau += found.theta;
      Outcome outcome = go_to(t, found, cost);
      if (succeeded(outcome)) outcome = apply(t0 + tau, found);
      if (succeeded(outcome) && ++events > system_.rules.events_per_step) outcome = Outcome::too_many_events;
      if (succeeded(outcome) && at_once > 4 * system_.contacts() + 8) outcome = Outcome::contact_undecided;
      if (succeeded(outcome)) outcome = begin_motion(t0 + tau);
      if (!succeeded(outcome)) {
        report = cost;
        report.outcome = outcome;
        report.part = StepPart::multiplier;
        return give_up(t0, x);
      }
      if (!(h - tau > T(0))) {  // an event at the node
        report = cost;
        x.q = q_, x.p = p_, x.contacts = contacts_;
        return;
      }
    }
  }

  const Vec<T>& attempted_position() const override { return motion_->attempted_position(); }
  void raw_values(const State<System>& x, RawSink<T>& sink) const override {
    sink.take(raw_momentum, std::span<const T>(x.p.begin(), x.p.end()));
    if (motion_) motion_->multipliers(raw_);  // before the start there are none
    sink.take(raw_multipliers, std::span<const T>(raw_.begin(), raw_.end()));
  }

  void save(ArchiveWriter& a) override {
    std::string bytes = motion_->save();
    a(bytes, forces_.lambda, forces_.v);
  }
  void restore(ArchiveReader& a, const T& t, const State<System>& x) override {
    std::string bytes;
    a(bytes, forces_.lambda, forces_.v);
    contacts_ = x.contacts, q_ = x.q, p_ = x.p;
    motion_ = system_.mode(contacts_).motion();
    motion_->start(t, q_, p_, contacts_, forces_);
    motion_->restore(bytes, t);
  }

  // In the last step, by time.
  const std::vector<RunEvent>& happened() const { return happened_; }

 private:
  enum class What { release, landing, stop, slip };
  struct Found {
    bool any = false;
    What what = What::release;
    int contact = 0;
    T theta{};
  };

  ContactForces<T> empty_forces() const {
    ContactForces<T> f;
    f.v = Vec<T>(system_.coordinates());
    f.lambda = Vec<T>(system_.constraints());
    f.push = f.reserve = Vec<T>(system_.contacts());
    f.escape = system_.start_states.sliding;
    return f;
  }
  static void add(const StepReport& piece, StepReport& cost) {
    cost.iterations += piece.iterations, cost.jacobians += piece.jacobians, cost.evaluations += piece.evaluations;
  }

  Outcome look(const T& t, const Vec<T>& q, const Vec<T>& p, ContactForces<T>& forces) const {
    return system_.mode(contacts_).look(t, q, p, contacts_, forces);
  }
  // At q_, p_ with the contacts as they are.
  Outcome begin_motion(const T& t) {
    Outcome outcome = look(t, q_, p_, forces_);
    if (!succeeded(outcome)) return outcome;
    motion_ = system_.mode(contacts_).motion();
    return motion_->start(t, q_, p_, contacts_, forces_);
  }
  void keep_begin(const T& t) {
    begin_q_ = motion_->q(), begin_p_ = motion_->p(), begin_ = forces_;
    system_.gaps(t, begin_q_, begin_gap_);
    system_.rates(t, begin_q_, begin_.v, begin_rate_);
    for (std::size_t i = 0; i < system_.places.size(); ++i)
      if (contacts_.of[i] == ContactState::slips) aim_sliding(system_.places[i]);
  }
  // As it moves; from rest, in the direction that it has.
  void aim_sliding(const typename System::Place& place) {
    using std::sqrt;
    T speed(0), forward(0);
    for (std::size_t k = 0; k < place.coordinates.size(); ++k) {
      const T& v = begin_.v[place.coordinates[k]];
      speed += v * v, forward += v * contacts_.sliding[place.first + static_cast<int>(k)];
    }
    speed = sqrt(speed);
    if (!(forward > T(0)) && speed < T(system_.rules.threshold)) return;  // at rest, up to round-off
    for (std::size_t k = 0; k < place.coordinates.size(); ++k)
      contacts_.sliding[place.first + static_cast<int>(k)] = begin_.v[place.coordinates[k]] / speed;
  }
  // The step was not done: the motion is that of its start again, for whoever looks at it.
  void give_up(const T& t0, const State<System>& x) {
    contacts_ = x.contacts, q_ = x.q, p_ = x.p;
    begin_motion(t0);
  }

  // ---- where something happens --------------------------------------------------------------------------------------

  // A step of length theta from the start of the piece; probe_ are the forces at its end, motion begun anew.
  bool probe(const T& t, const T& theta, StepReport& cost) {
    probed_ = system_.mode(contacts_).motion();
    probe_ = begin_;
    if (!succeeded(probed_->start(t, begin_q_, begin_p_, contacts_, begin_))) return false;
    StepReport report;
    probed_->advance(t, t + theta, theta, report);
    add(report, cost);
    return succeeded(report.outcome) && succeeded(look(t + theta, probed_->q(), probed_->p(), probe_));
  }
  // The function of (1) .. (4) that changes its sign, of a state with these forces.
  T function(What what, int i, const T& t, const Vec<T>& q, const ContactForces<T>& forces) {
    switch (what) {
      case What::release:
        return forces.push[i];
      case What::landing:
        system_.gaps(t, q, gap_);
        return gap_[i];
      case What::stop:
        return along(i, forces.v);
      case What::slip:
        return forces.reserve[i];
    }
    return T(0);
  }
  T along(int i, const Vec<T>& v) const {
    const auto& place = system_.places[static_cast<std::size_t>(i)];
    T sum(0);
    for (std::size_t k = 0; k < place.coordinates.size(); ++k)
      sum += v[place.coordinates[k]] * contacts_.sliding[place.first + static_cast<int>(k)];
    return sum;
  }
  T floor_of_gap(int i) const { return 16 * epsilon<T>() * size_[i]; }

  // The first event of the piece, whose end is q_, p_, forces_.
  Outcome find(const T& t, const T& length, Found& found, StepReport& cost) {
    T end = length;
    ends_here_ = true;
    system_.gaps(t + length, q_, gap_);
    system_.rates(t + length, q_, forces_.v, rate_);
    const Vec<T> end_gap = gap_, end_rate = rate_;
    for (int i = 0; i < system_.contacts(); ++i) {
      const ContactState state = contacts_.of[static_cast<std::size_t>(i)];
      if (state == ContactState::open) {
        if (!find_landing(t, i, end_gap[i], end_rate[i], end, found, cost)) return Outcome::stalled;
        continue;
      }
      consider(What::release, i, t, forces_.push[i], end, found, cost);
      if (state == ContactState::slips) consider(What::stop, i, t, along(i, forces_.v), end, found, cost);
      if (state == ContactState::sticks) consider(What::slip, i, t, forces_.reserve[i], end, found, cost);
    }
    return Outcome::converged;
  }

  // f_end: the function at the end of the piece; `end`: where the first event found so far is.
  void consider(What what, int i, const T& t, const T& f_end, T& end, Found& found, StepReport& cost) {
    T f = f_end;
    if (!ends_here_ && probe(t, end, cost)) f = function(what, i, t + end, probed_->q(), probe_);
    if (!(f < T(0))) return;
    const T f0 = what == What::release ? begin_.push[i] : what == What::stop ? along(i, begin_.v) : begin_.reserve[i];
    const auto value = [&](const T& theta) {
      return probe(t, theta, cost) ? function(what, i, t + theta, probed_->q(), probe_) : not_a_number();
    };
    // A motion begun anew ends elsewhere by round-off: an event there comes with the next step.
    if (ends_here_) f = value(end);
    if (!(f < T(0))) return;
    // From rest, with a load that only just exceeds friction: round-off is no way back.
    if (what == What::stop && !(f0 > T(0)) && f > -T(system_.rules.threshold)) return;
    const T theta = f0 > T(0) ? bracketed_root(value, T(0), f0, end, f, tolerance(end)).b : T(0);
    take({true, what, i, theta}, end, found);
  }

  bool find_landing(const T& t, int i, const T& gap_end, const T& rate_end, T& end, Found& found, StepReport& cost) {
    const auto value = [&](const T& theta) {
      return probe(t, theta, cost) ? function(What::landing, i, t + theta, probed_->q(), probe_) : not_a_number();
    };
    const auto rate = [&](const T& theta) {
      if (!probe(t, theta, cost)) return not_a_number();
      system_.rates(t + theta, probed_->q(), probe_.v, rate_);
      return rate_[i];
    };
    T g0 = begin_gap_[i], r0 = begin_rate_[i], g1 = gap_end, r1 = rate_end, to = end;
    if (!ends_here_) {
      g1 = value(end);
      if (!is_finite(g1)) return true;
      system_.rates(t + end, probed_->q(), probe_.v, rate_);
      r1 = rate_[i];
    }
    const bool dipping = r0 < T(0) && r1 > T(0) && dips(g0, r0, g1, r1, to);
    if (!(g1 < T(0)) && !dipping) return true;
    system_.gap_sizes(t, begin_q_, size_);
    const T floor = floor_of_gap(i);
    if (!(g1 < -floor)) {
      if (!dipping) return true;
      const Bracket<T> lowest = bracketed_root(rate, T(0), r0, to, r1, tolerance(to));
      to = lowest.b;
      g1 = value(to);
      if (!(g1 < -floor)) return true;
    } else if (ends_here_ && !((g1 = value(to)) < T(0))) {
      return true;  // a motion begun anew ends elsewhere by round-off
    }
    T from(0), g_from = g0;
    if (!(g0 > floor)) {
      if (r0 < -T(system_.rules.threshold)) return take({true, What::landing, i, T(0)}, end, found), true;
      // The top of the parabola through the start with its rate and the end, then ever closer to the start.
      const T bend = (g1 - g0 - r0 * to) / (to * to);
      from = bend < T(0) && r0 > T(0) ? std::min<T>(-r0 / (2 * bend), to / 2) : to / 2;
      constexpr int most = 80;
      for (int k = 0; k < most; ++k, from /= 2) {
        g_from = value(from);
        if (g_from > T(0)) break;
      }
      if (!(g_from > T(0))) return take({true, What::landing, i, T(0)}, end, found), true;
    }
    const Bracket<T> root = bracketed_root(value, from, g_from, to, g1, tolerance(to));
    take({true, What::landing, i, root.fb == T(0) ? root.b : root.a}, end, found);
    return true;
  }

  // Whether the cubic with these values and slopes at the ends of an interval comes close to 0 in it.
  static bool dips(const T& g0, const T& r0, const T& g1, const T& r1, const T& length) {
    T lowest = std::min<T>(g0, g1);
    constexpr int samples = 16;
    for (int k = 1; k < samples; ++k) {
      const T s = T(k) / T(samples), u = T(1) - s;
      const T g = u * u * (T(1) + 2 * s) * g0 + s * s * (T(3) - 2 * s) * g1 + length * s * u * (u * r0 - s * r1);
      lowest = std::min<T>(lowest, g);
    }
    return lowest < std::min<T>(g0, g1) / 4;
  }

  void take(const Found& next, T& end, Found& found) {
    if (found.any && !(next.theta < found.theta)) return;
    found = next;
    end = next.theta;
    ends_here_ = false;
  }

  // A piece that could not be solved, in halves.
  void find_in_part(const T& t, const T& length, Found& found, StepReport& piece, StepReport& cost) {
    T part = length;
    for (int k = 0; k < 8; ++k) {
      part /= 2;
      if (!probe(t, part, cost)) continue;
      q_ = probed_->q(), p_ = probed_->p(), forces_ = probe_;
      if (succeeded(find(t, part, found, cost)) && found.any) piece.outcome = Outcome::converged;
      return;
    }
  }

  T tolerance(const T& length) const { return 2 * epsilon<T>() * length; }
  static T not_a_number() { return T(std::numeric_limits<double>::quiet_NaN()); }

  // ---- what happens -------------------------------------------------------------------------------------------------

  // q_, p_, forces_ of the event.
  Outcome go_to(const T& t, const Found& found, StepReport& cost) {
    if (!(found.theta > T(0))) {
      q_ = begin_q_, p_ = begin_p_, forces_ = begin_;
      return Outcome::converged;
    }
    if (!probe(t, found.theta, cost)) return Outcome::stalled;
    q_ = probed_->q(), p_ = probed_->p(), forces_ = probe_;
    return Outcome::converged;
  }

  Outcome apply(const T& t, const Found& found) {
    const auto i = static_cast<std::size_t>(found.contact);
    switch (found.what) {
      case What::release:
        contacts_.of[i] = ContactState::open;
        tell(t, EventKind::release, found.contact);
        return Outcome::converged;
      case What::landing:
        return land(t, found.contact);
      case What::slip: {
        contacts_.of[i] = ContactState::slips;
        const auto& place = system_.places[i];
        for (std::size_t k = 0; k < place.coordinates.size(); ++k) {
          const int at = place.first + static_cast<int>(k);
          contacts_.sliding[at] = forces_.escape[at];
        }
        tell(t, EventKind::slip, found.contact);
        return Outcome::converged;
      }
      case What::stop:
        return stop(t, found.contact);
    }
    return Outcome::converged;
  }

  Outcome land(const T& t, int contact) {
    system_.gaps(t, q_, gap_);
    system_.rates(t, q_, forces_.v, rate_);
    system_.gap_sizes(t, begin_q_, size_);
    std::vector<int> touching, landed, closed;
    for (int i = 0; i < system_.contacts(); ++i) {
      const bool was_closed = is_closed(contacts_.of[static_cast<std::size_t>(i)]);
      // Round-off of the gap, from positions on the way, and of the time.
      const T blur = 4 * floor_of_gap(i) + 8 * epsilon<T>() * abs_of(rate_[i] * t);
      const bool arrives =
          i == contact || (!was_closed && abs_of(gap_[i]) <= blur && rate_[i] < -T(system_.rules.threshold));
      if (was_closed) closed.push_back(i);
      if (arrives) landed.push_back(i);
      if (was_closed || arrives) touching.push_back(i);
    }
    // A bounce too low to leave the round-off of the gap.
    Outcome outcome = Outcome::converged;
    if (rate_[contact] > T(0) && rate_[contact] < T(system_.rules.threshold))
      outcome = impact_.still(t, q_, p_, forces_.v, contact);
    if (succeeded(outcome)) outcome = impact_.apply(t, q_, p_, forces_.v, touching);
    if (!succeeded(outcome)) return outcome;
    T speed(0);
    for (const T& x : forces_.v) speed = std::max<T>(speed, abs_of(x));
    for (const int i : touching) speed = std::max<T>(speed, abs_of(rate_[i]));
    system_.rates(t, q_, forces_.v, begin_rate_);
    std::vector<int> staying;
    for (const int i : touching)
      if (begin_rate_[i] <= T(1e-13) * speed) staying.push_back(i);
    outcome = closed_set_.find(t, q_, p_, staying, forces_, contacts_);
    if (!succeeded(outcome)) return outcome;
    const auto stays = [&](int i) { return is_closed(contacts_.of[static_cast<std::size_t>(i)]); };
    for (const int i : landed) tell(t, stays(i) ? EventKind::landing : EventKind::impact, i);
    for (const int i : closed)
      if (!stays(i)) tell(t, EventKind::release, i);
    for (const int i : landed)
      if (contacts_.of[static_cast<std::size_t>(i)] == ContactState::sticks) tell(t, EventKind::stick, i);
    return Outcome::converged;
  }

  // One that slips comes to rest: it stays there or goes the other way. Where it only turns, it goes on as it moves
  // now.
  Outcome stop(const T& t, int contact) {
    const auto& place = system_.places[static_cast<std::size_t>(contact)];
    T now(0), before(0);
    for (const int c : place.coordinates) now += forces_.v[c] * forces_.v[c], before += begin_.v[c] * begin_.v[c];
    const bool rests = place.coordinates.size() == 2 || now <= T(1e-12) * before;
    if (rests) {
      system_.bring_to_rest(contact, p_);
      for (const int c : place.coordinates) forces_.v[c] = T(0);
    }
    std::vector<int> closed;
    for (int i = 0; i < system_.contacts(); ++i)
      if (is_closed(contacts_.of[static_cast<std::size_t>(i)])) closed.push_back(i);
    const Outcome outcome = closed_set_.find(t, q_, p_, closed, forces_, contacts_);
    if (!succeeded(outcome)) return outcome;
    for (const int i : closed)
      if (!is_closed(contacts_.of[static_cast<std::size_t>(i)])) tell(t, EventKind::release, i);
    if (contacts_.of[static_cast<std::size_t>(contact)] == ContactState::sticks) tell(t, EventKind::stick, contact);
    return Outcome::converged;
  }

  void tell(const T& t, EventKind kind, int contact) {
    RunEvent event{to_double(t), kind, contact, {}, {}};
    for (const T& x : q_) event.q.push_back(to_double(x));
    for (const T& x : forces_.v) event.v.push_back(to_double(x));
    happened_.push_back(std::move(event));
  }

  const System& system_;
  Impact<T> impact_;
  ClosedSet<T> closed_set_;
  ContactStates<T> contacts_;
  std::unique_ptr<Motion<T>> motion_, probed_;
  ContactForces<T> forces_, begin_, probe_;
  Vec<T> q_, p_, begin_q_ = q_, begin_p_ = p_;
  mutable Vec<T> raw_;
  Vec<T> gap_, rate_, size_, begin_gap_, begin_rate_;
  bool ends_here_ = true;  // the end of the piece is that of the motion, not of an event found before
  Outcome why_ = Outcome::converged;
  std::vector<RunEvent> happened_;
};

}  // namespace livens
