// A step of a system with contacts: the step of the method while nothing opens or closes, cut at events.
//
// From the start of a piece (piece.hpp), tau after that of the step, the method goes on to the end of the step. If
// nothing happens on the way the step stands. Else the state becomes that of the first event, theta in (0, h - tau]
// after the start of the piece, the event is applied (impact.hpp, closed_set.hpp), and the next piece begins at tau +
// theta. So nodes stay t_0 + n h, and an event is as exact as a step of the method.
//
// Grazing: after a release the gap grows like the cube of time, which is as small as the error of a step, so that a
// step of the open system may lead through the surface although the contact would pull. A gap that closes without
// speed, of a contact that would pull, is held closed until the end of the step: its push is negative there, by as much
// as it changes in a step, until the step of the open system leads outwards.
//
// A step of the method may fail where it leads far beyond an event: then parts of it are tried, and the failure counts
// only if no event is found in them and nothing slips. What slips slowly in space turns fast: such a step is made in
// parts.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "livens/contact/closed_set.hpp"
#include "livens/contact/impact.hpp"
#include "livens/contact/piece.hpp"
#include "livens/contact/system.hpp"
#include "livens/contact/told.hpp"
#include "livens/run/cut_step.hpp"
#include "livens/run/event.hpp"
#include "livens/run/step_of.hpp"

namespace livens {

template <class T>
class ContactStep final : public StepOf<ContactSystem<T>>, public CutStep<ContactSystem<T>> {
 public:
  using System = ContactSystem<T>;

  explicit ContactStep(const System& system)
      : StepOf<System>(system.traits),
        system_(system),
        impact_(system),
        closed_set_(system),
        contacts_(system.start_states),
        piece_(system, contacts_),
        forces_(no_contact_forces(system)),
        q_(system.coordinates()),
        p_(system.momenta()),
        raw_(system.constraints()),
        gap_(system.contacts()),
        rate_(gap_),
        rate_after_(gap_) {}

  bool start(const T& t, const State<System>& x, const Vec<T>& hint) override {
    contacts_ = x.contacts, q_ = x.q, p_ = x.p;
    forces_.lambda = hint;
    why_ = begin_motion(t);
    return succeeded(why_);
  }
  Outcome why_not_started() const override { return why_; }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) override {
    if (!end_at_) last_ = {t1, h};
    make_step(t0, last_.t1, last_.h, x, report);
    end_at_.reset();
  }

  const Vec<T>& attempted_position() const override { return motion_->attempted_position(); }
  void raw_values(const State<System>& x, RawSink<T>& sink) const override {
    sink.take(raw_momentum, std::span<const T>(x.p.begin(), x.p.end()));
    if (motion_) motion_->multipliers(raw_);  // before the start there are none
    sink.take(raw_multipliers, std::span<const T>(raw_.begin(), raw_.end()));
  }

  void save(ArchiveWriter& a) override {
    std::string bytes = motion_->save();
    a(bytes, forces_);
  }
  void restore(ArchiveReader& a, const T& t, const State<System>& x) override {
    std::string bytes;
    a(bytes, forces_);
    contacts_ = x.contacts, q_ = x.q, p_ = x.p;
    motion_ = system_.mode(contacts_).motion();
    motion_->start(t, q_, p_, contacts_, forces_);
    motion_->restore(bytes, t);
  }

  // In the last step, by time.
  const std::vector<RunEvent>& happened() const { return told_.events(); }

  void keep_moments() override { keeps_moments_ = true; }
  const std::vector<StepMoment<System>>& moments() const override { return moments_; }
  void end_at(std::size_t moment) override { end_at_ = moment; }

 private:
  using What = typename ContactPiece<T>::What;
  using Found = typename ContactPiece<T>::Found;

  void make_step(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    told_.clear();
    moments_.clear();
    piece_.begin_step();
    T tau(0);
    StepReport cost;
    long long events = 0;
    int at_once = 0;  // events one after another without time between them
    while (true) {
      const T length = h - tau, t = t0 + tau;
      begin_piece(t);
      StepReport piece;
      motion_->advance(t, t1, length, piece);
      add(piece, cost);
      Found found;
      if (succeeded(piece.outcome)) {
        q_ = motion_->q(), p_ = motion_->p();
        Outcome outcome = look(t1, q_, p_, forces_);
        if (succeeded(outcome)) outcome = piece_.find(t, length, q_, forces_, found, cost);
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
        put_state(x);
        return;
      }
      at_once = found.theta > T(0) ? 0 : at_once + 1;
      tau += found.theta;
      Outcome outcome = go_to(t, found, cost);
      if (succeeded(outcome) && keeps_moments_) begin_moment(t0 + tau);
      if (succeeded(outcome)) outcome = apply(t0 + tau, found);
      if (succeeded(outcome) && keeps_moments_) end_moment(found);
      if (succeeded(outcome) && ++events > system_.rules.events_per_step) outcome = Outcome::too_many_events;
      if (succeeded(outcome) && at_once > 4 * system_.contacts() + 8) outcome = Outcome::contact_undecided;
      if (succeeded(outcome)) outcome = begin_motion(t0 + tau);
      if (!succeeded(outcome)) {
        report = cost;
        report.outcome = outcome;
        report.part = StepPart::multiplier;
        return give_up(t0, x);
      }
      const bool ends = end_at_ && moments_.size() > *end_at_;
      if (ends || !(h - tau > T(0))) {  // an event at the node
        report = cost;
        put_state(x);
        return;
      }
    }
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
  void begin_piece(const T& t) {
    piece_.begin(t, motion_->q(), motion_->p(), forces_);
    for (std::size_t i = 0; i < system_.places.size(); ++i)
      if (contacts_.of[i] == ContactState::slips) aim_sliding(system_.places[i]);
  }
  // As it moves; from rest, in the direction that it has.
  void aim_sliding(const typename System::Place& place) {
    using std::sqrt;
    T speed(0), forward(0);
    for (std::size_t k = 0; k < place.coordinates.size(); ++k) {
      const T& v = forces_.v[place.coordinates[k]];
      speed += v * v, forward += v * contacts_.sliding[place.first + static_cast<int>(k)];
    }
    speed = sqrt(speed);
    if (!(forward > T(0)) && speed < T(system_.rules.threshold)) return;  // at rest, up to round-off
    for (std::size_t k = 0; k < place.coordinates.size(); ++k)
      contacts_.sliding[place.first + static_cast<int>(k)] = forces_.v[place.coordinates[k]] / speed;
  }
  // The step was not done: the motion is that of its start again, for whoever looks at it.
  void give_up(const T& t0, const State<System>& x) {
    contacts_ = x.contacts, q_ = x.q, p_ = x.p;
    begin_motion(t0);
  }

  void put_state(State<System>& x) const { x.q = q_, x.p = p_, x.contacts = contacts_; }
  void begin_moment(const T& t) {
    moments_.push_back({t, State<System>(system_), State<System>(system_), false});
    put_state(moments_.back().before);
  }
  void end_moment(const Found& found) {
    put_state(moments_.back().after);
    moments_.back().opens = found.what == What::release || found.what == What::slip;
  }

  // A piece that could not be solved: an event before that, in parts of it by halving; where something slips, the
  // largest part.
  void find_in_part(const T& t, const T& length, Found& found, StepReport& piece, StepReport& cost) {
    T solved(0), unsolved = length;
    constexpr int most = 12;
    for (int k = 0; k < most; ++k) {
      const T part = (solved + unsolved) / 2;
      if (!piece_.probe(t, part, cost)) {
        unsolved = part;
        continue;
      }
      take_probed();
      if (succeeded(piece_.find(t, part, q_, forces_, found, cost)) && found.any) {
        piece.outcome = Outcome::converged;
        return;
      }
      solved = part;
    }
    // What slips may turn within a step, where it is slow, farther than a step can tell: it goes on from there.
    const bool slips = std::find(contacts_.of.begin(), contacts_.of.end(), ContactState::slips) != contacts_.of.end();
    if (!(solved > T(0)) || !slips) return;
    found = {true, What::nothing, 0, solved, false};
    piece.outcome = Outcome::converged;
  }

  // ---- what happens -------------------------------------------------------------------------------------------------

  // q_, p_, forces_ of the event.
  Outcome go_to(const T& t, const Found& found, StepReport& cost) {
    if (!(found.theta > T(0))) {
      q_ = piece_.begin_q(), p_ = piece_.begin_p(), forces_ = piece_.begin_forces();
      return Outcome::converged;
    }
    if (!piece_.probe(t, found.theta, cost)) return Outcome::stalled;
    take_probed();
    return Outcome::converged;
  }
  void take_probed() { q_ = piece_.probed().q(), p_ = piece_.probed().p(), forces_ = piece_.probed_forces(); }

  Outcome apply(const T& t, const Found& found) {
    switch (found.what) {
      case What::release:
        return release(t, found.contact);
      case What::landing:
        return land(t, found);
      case What::slip:
        for (int j = 0; j < system_.contacts(); ++j)
          if (contacts_.of[static_cast<std::size_t>(j)] == ContactState::sticks && system_.same_point(j, found.contact))
            slip(t, j);
        return Outcome::converged;
      case What::stop:
        return stop(t, found.contact);
      case What::nothing:
        break;
    }
    return Outcome::converged;
  }

  bool is_closed_now(int i) const { return is_closed(contacts_.of[static_cast<std::size_t>(i)]); }
  std::vector<int> closed_now() const {
    std::vector<int> closed;
    for (int i = 0; i < system_.contacts(); ++i)
      if (is_closed_now(i)) closed.push_back(i);
    return closed;
  }

  // Where others lean, as the fourth leg of a table, they may take over: the one that opens leans on them then.
  Outcome release(const T& t, int contact) {
    std::vector<int> among;
    for (int i = 0; i < system_.contacts(); ++i)
      if (!is_closed_now(i) && leans_now(t, i)) among.push_back(i);
    piece_.forget_leaning();
    if (among.empty()) {
      contacts_.of[static_cast<std::size_t>(contact)] = ContactState::open;
      tell(t, EventKind::release, contact);
      return Outcome::converged;
    }
    const std::vector<int> closed = closed_now();
    for (const int i : closed)
      if (i != contact) among.push_back(i);
    const ContactStates<T> before = contacts_;
    const Outcome outcome = closed_set_.find(t, q_, p_, among, forces_, contacts_, size_of(forces_.v));
    if (!succeeded(outcome)) return outcome;
    for (const int i : closed)
      if (!is_closed_now(i) && !closed_set_.leans(t, q_, p_, i, forces_, contacts_)) tell(t, EventKind::release, i);
    tell_that_stick(t, before);
    return Outcome::converged;
  }
  // An open contact whose gap and rate are those of closed ones.
  bool leans_now(const T& t, int contact) {
    system_.gaps(t, q_, gap_);
    system_.rates(t, q_, forces_.v, rate_);
    return abs_of(gap_[contact]) <= 4 * piece_.floor_of_gap(contact, last_.h) &&
           abs_of(rate_[contact]) <= T(system_.rules.threshold) &&
           closed_set_.leans(t, q_, p_, contact, forces_, contacts_);
  }

  void slip(const T& t, int contact) {
    contacts_.of[static_cast<std::size_t>(contact)] = ContactState::slips;
    const auto& place = system_.places[static_cast<std::size_t>(contact)];
    for (std::size_t k = 0; k < place.coordinates.size(); ++k) {
      const int at = place.first + static_cast<int>(k);
      contacts_.sliding[at] = forces_.escape[at];
    }
    tell(t, EventKind::slip, contact);
  }

  Outcome land(const T& t, const Found& found) {
    const int contact = found.contact;
    system_.gaps(t, q_, gap_);
    system_.rates(t, q_, forces_.v, rate_);
    constexpr double of_low_bounces = 100;  // thresholds
    std::vector<int> touching, landed, closed, resting;
    for (int i = 0; i < system_.contacts(); ++i) {
      const bool was_closed = is_closed_now(i);
      // Round-off of the gap, from positions on the way, and of the time.
      const T blur = 4 * piece_.floor_of_gap(i) + 8 * epsilon<T>() * abs_of(rate_[i] * t);
      const bool arrives =
          i == contact || (!was_closed && abs_of(gap_[i]) <= blur && rate_[i] < -T(system_.rules.threshold));
      if (was_closed) closed.push_back(i);
      if (arrives) landed.push_back(i);
      if (arrives && (abs_of(rate_[i]) <= T(of_low_bounces * system_.rules.threshold) ||
                      piece_.stayed_within(i, found.theta, blur)))
        resting.push_back(i);
      if (was_closed || arrives) touching.push_back(i);
    }
    // A speed that counts as 0 opens nothing: else a body rocks ever faster from one edge to the other. A bounce too
    // low to leave the round-off of its gap is the last one: its speed is that of the noise.
    const T threshold = T(system_.rules.threshold);
    const bool is_slow = landed.size() == 1 && (found.in_round_off || abs_of(rate_[contact]) <= threshold);
    Outcome outcome =
        is_slow ? impact_.still(t, q_, p_, forces_.v, touching) : impact_.apply(t, q_, p_, forces_.v, touching);
    // Low bounces on several contacts end where they close at the same time: whatever the law, they have come to rest.
    if (outcome == Outcome::several_impacts && !resting.empty()) {
      resting.insert(resting.end(), closed.begin(), closed.end());
      outcome = impact_.still(t, q_, p_, forces_.v, resting);
      if (succeeded(outcome)) outcome = impact_.apply(t, q_, p_, forces_.v, touching);
    }
    if (!succeeded(outcome)) return outcome;
    T speed(0);
    for (const T& x : forces_.v) speed = std::max<T>(speed, abs_of(x));
    for (const int i : touching) speed = std::max<T>(speed, abs_of(rate_[i]));
    system_.rates(t, q_, forces_.v, rate_after_);
    std::vector<int> staying;
    for (const int i : touching)
      if (rate_after_[i] <= T(1e-13) * speed) staying.push_back(i);
    const ContactStates<T> before = contacts_;
    outcome = closed_set_.find(t, q_, p_, staying, forces_, contacts_, speed);
    if (!succeeded(outcome)) return outcome;
    if (!is_closed_now(contact) && (is_slow || !(rate_[contact] < -threshold))) {
      contacts_ = before;
      if (closed_set_.leans(t, q_, p_, contact, forces_, contacts_))
        piece_.leans(contact);
      else
        hold_back(t, contact, speed);
      return Outcome::converged;
    }
    const auto stays = [&](int i) {
      return is_closed_now(i) || (std::find(staying.begin(), staying.end(), i) != staying.end() &&
                                  closed_set_.leans(t, q_, p_, i, forces_, contacts_));
    };
    for (const int i : landed)
      if (!stays(i))
        tell(t, EventKind::impact, i);
      else if (!told_.take_back_opening(to_double(t), i))
        tell(t, EventKind::landing, i);
    for (const int i : closed)
      if (!stays(i)) tell(t, EventKind::release, i);
    tell_that_stick(t, before);
    return Outcome::converged;
  }
  void tell_that_stick(const T& t, const ContactStates<T>& before) {
    for (std::size_t i = 0; i < contacts_.of.size(); ++i)
      if (contacts_.of[i] == ContactState::sticks && before.of[i] != ContactState::sticks)
        tell(t, EventKind::stick, static_cast<int>(i));
  }

  // It stays closed. If it was released in this step nothing is told of that; else it has landed.
  void hold_back(const T& t, int contact, const T& speed) {
    piece_.held_back()[static_cast<std::size_t>(contact)] = true;
    close_contact(system_, contact, q_, forces_.v, speed, contacts_);
    if (!told_.take_back_release(contact)) tell(t, EventKind::landing, contact);
  }

  // One that slips comes to rest: it stays there or goes the other way. Where it only turns, it goes on as it moves
  // now, unless that is slower than the threshold: a load aside turns a point ever again while it comes to rest.
  Outcome stop(const T& t, int contact) {
    const auto& place = system_.places[static_cast<std::size_t>(contact)];
    T now(0), before(0);
    for (const int c : place.coordinates)
      now += forces_.v[c] * forces_.v[c], before += piece_.begin_forces().v[c] * piece_.begin_forces().v[c];
    const T slow = T(system_.rules.threshold);
    const bool rests = place.coordinates.size() == 2 || now <= T(1e-12) * before || now <= slow * slow;
    if (rests) {
      system_.bring_to_rest(contact, p_);
      for (const int c : place.coordinates) forces_.v[c] = T(0);
    }
    const std::vector<int> closed = closed_now();
    const ContactStates<T> before_stop = contacts_;
    const Outcome outcome = closed_set_.find(t, q_, p_, closed, forces_, contacts_, size_of(piece_.begin_forces().v));
    if (!succeeded(outcome)) return outcome;
    for (const int i : closed)
      if (!is_closed_now(i)) tell(t, EventKind::release, i);
    tell_that_stick(t, before_stop);
    return Outcome::converged;
  }

  void tell(const T& t, EventKind kind, int contact) { told_.tell(t, kind, contact, q_, forces_.v); }

  const System& system_;
  Impact<T> impact_;
  ClosedSet<T> closed_set_;
  ContactStates<T> contacts_;
  ContactPiece<T> piece_;
  std::unique_ptr<Motion<T>> motion_;
  ContactForces<T> forces_;
  Vec<T> q_, p_;
  mutable Vec<T> raw_;
  Vec<T> gap_, rate_, rate_after_;
  Outcome why_ = Outcome::converged;
  ToldContacts told_;
  bool keeps_moments_ = false;
  std::vector<StepMoment<System>> moments_;
  struct {
    T t1{}, h{};
  } last_;  // the step as it was asked for last
  std::optional<std::size_t> end_at_;
};

}  // namespace livens
