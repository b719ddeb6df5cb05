// A piece of a step of a system with contacts: from a state on, while nothing opens or closes, and where that ends.
// With the method's step to the end of the piece known,
//
//   (1)  release    a closed contact pulls:                 N_i < 0 , beyond the round-off of the others
//   (2)  landing    an open one is passed through:          gap_i < 0 , at the end or on the way
//   (3)  stop       one that slips goes backwards:          v.e_i < 0 ,   e_i: its sliding direction
//   (4)  slip       one that sticks is held by too much:    c F_N^r - |F_T| < 0
//
// are looked for at the end; theta is where the first of these functions changes its sign, each value of it being one
// step of length theta of the method from the start of the piece, begun anew.
//
// A gap of 0 at the start, after a bounce or a release, is no landing: the interval then begins where the gap is
// positive. If it is positive nowhere the contact lands at once.
//
// On the way: the cubic with the gaps and rates of both ends tells whether the gap comes below half of the larger of
// them in between. If so it is looked at where it is smallest: where its rate is 0 if it falls at the start and rises
// at the end, else where the cubic is. A gap that closes and opens between the ends is found where this cubic shows it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "livens/contact/system.hpp"
#include "livens/math/bracketed_root.hpp"

namespace livens {

template <class T>
ContactForces<T> no_contact_forces(const ContactSystem<T>& system) {
  ContactForces<T> f;
  f.v = Vec<T>(system.coordinates());
  f.lambda = Vec<T>(system.constraints());
  f.push = f.reserve = Vec<T>(system.contacts());
  f.escape = system.start_states.sliding;
  return f;
}

template <class T>
class ContactPiece {
 public:
  enum class What { release, landing, stop, slip, nothing };  // nothing: the piece ends, as it goes on
  struct Found {
    bool any = false;
    What what = What::release;
    int contact = 0;
    T theta{};
    bool in_round_off = false;  // a landing from a gap that was never more than that since it closed
  };

  ContactPiece(const ContactSystem<T>& system, const ContactStates<T>& contacts)
      : system_(system),
        contacts_(contacts),
        held_back_(contacts.of.size()),
        leans_(contacts.of.size()),
        begin_(no_contact_forces(system)),
        probe_(begin_),
        begin_q_(system.coordinates()),
        begin_p_(system.momenta()),
        gap_(system.contacts()),
        rate_(gap_),
        size_(gap_),
        begin_gap_(gap_),
        begin_rate_(gap_) {}

  void begin(const T& t, const Vec<T>& q, const Vec<T>& p, const ContactForces<T>& forces) {
    begin_q_ = q, begin_p_ = p, begin_ = forces;
    system_.gaps(t, begin_q_, begin_gap_);
    system_.rates(t, begin_q_, begin_.v, begin_rate_);
    system_.gap_sizes(t, begin_q_, size_);
  }
  const Vec<T>& begin_q() const { return begin_q_; }
  const Vec<T>& begin_p() const { return begin_p_; }
  const ContactForces<T>& begin_forces() const { return begin_; }

  void begin_step() {
    std::fill(held_back_.begin(), held_back_.end(), false);
    forget_leaning();
  }
  // Contacts that are not released in this step.
  std::vector<bool>& held_back() { return held_back_; }
  // One that says what closed ones say: while they are, its gap is 0 in round-off, and lands only with speed.
  void leans(int contact) { leans_[static_cast<std::size_t>(contact)] = true; }
  void forget_leaning() { std::fill(leans_.begin(), leans_.end(), false); }

  // A step of length theta from the start of the piece, begun anew: its end, and the forces there.
  bool probe(const T& t, const T& theta, StepReport& cost) {
    probed_ = system_.mode(contacts_).motion();
    probe_ = begin_;
    if (!succeeded(probed_->start(t, begin_q_, begin_p_, contacts_, begin_))) return false;
    StepReport report;
    probed_->advance(t, t + theta, theta, report);
    cost.iterations += report.iterations, cost.jacobians += report.jacobians, cost.evaluations += report.evaluations;
    return succeeded(report.outcome) &&
           succeeded(system_.mode(contacts_).look(t + theta, probed_->q(), probed_->p(), contacts_, probe_));
  }
  const Motion<T>& probed() const { return *probed_; }
  const ContactForces<T>& probed_forces() const { return probe_; }

  // Round-off of the gap of a contact, from positions at the start of the piece.
  T floor_of_gap(int i) const { return 16 * epsilon<T>() * size_[i]; }
  // The same after a time; where the terms of the gap are 0 it is that of the velocities that moved them.
  T floor_of_gap(int i, const T& after) const {
    return std::max<T>(floor_of_gap(i), T(1e-6) * T(system_.rules.threshold) * after);
  }

  // Whether the gap of a contact was never more than `little` in the time theta since the start of the piece, at the
  // end of which it is no more.
  bool stayed_within(int i, const T& theta, const T& little) const {
    return abs_of(begin_gap_[i]) <= little && abs_of(begin_rate_[i]) * theta <= 4 * little;
  }

  // The first event of the piece, whose end is q, p with these forces.
  Outcome find(const T& t, const T& length, const Vec<T>& q, const ContactForces<T>& forces, Found& found,
               StepReport& cost) {
    T end = length;
    ends_here_ = true;
    system_.gaps(t + length, q, gap_);
    system_.rates(t + length, q, forces.v, rate_);
    const Vec<T> end_gap = gap_, end_rate = rate_;
    // Twice: before an event that was found there may be others, which do not show at the end of the piece.
    for (const bool again : {false, true}) {
      if (again && !found.any) break;
      for (int i = 0; i < system_.contacts(); ++i) {
        if (again && i == found.contact) continue;
        const ContactState state = contacts_.of[static_cast<std::size_t>(i)];
        if (state == ContactState::open) {
          find_landing(t, i, end_gap[i], end_rate[i], end, found, cost);
          continue;
        }
        if (!held_back_[static_cast<std::size_t>(i)])
          consider(What::release, i, t, function(What::release, i, t, q, forces), end, found, cost);
        if (state == ContactState::slips) consider(What::stop, i, t, along(i, forces.v), end, found, cost);
        if (state == ContactState::sticks) consider(What::slip, i, t, forces.reserve[i], end, found, cost);
      }
    }
    return Outcome::converged;
  }

 private:
  // The function of (1) .. (4) that changes its sign, of a state with these forces.
  T function(What what, int i, const T& t, const Vec<T>& q, const ContactForces<T>& forces) {
    switch (what) {
      case What::release:
        return forces.push[i] + noise_of_push(forces);
      case What::landing:
        system_.gaps(t, q, gap_);
        return gap_[i];
      case What::stop:
        return along(i, forces.v);
      case What::slip:
        return forces.reserve[i];
      case What::nothing:
        break;
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
  // f_end: the function at the end of the piece; `end`: where the first event found so far is.
  void consider(What what, int i, const T& t, const T& f_end, T& end, Found& found, StepReport& cost) {
    T f = f_end;
    if (!ends_here_ && probe(t, end, cost)) f = function(what, i, t + end, probed_->q(), probe_);
    if (!(f < T(0))) return;
    const T f0 = function(what, i, t, begin_q_, begin_);
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

  void find_landing(const T& t, int i, const T& gap_end, const T& rate_end, T& end, Found& found, StepReport& cost) {
    const auto value = [&](const T& theta) {
      return probe(t, theta, cost) ? function(What::landing, i, t + theta, probed_->q(), probe_) : not_a_number();
    };
    const auto rate = [&](const T& theta) {
      if (!probe(t, theta, cost)) return not_a_number();
      system_.rates(t + theta, probed_->q(), probe_.v, rate_);
      return rate_[i];
    };
    const T g0 = begin_gap_[i], r0 = begin_rate_[i];
    const T floor = floor_of_gap(i, end);
    T g1 = gap_end, r1 = rate_end, to = end;
    if (!ends_here_) {
      g1 = value(end);
      if (!is_finite(g1)) return;
      system_.rates(t + end, probed_->q(), probe_.v, rate_);
      r1 = rate_[i];
    }
    if (leans_[static_cast<std::size_t>(i)] && g1 > -T(system_.rules.threshold) * to) return;
    if (g1 < -floor) {
      if (ends_here_ && !((g1 = value(to)) < T(0))) return;  // a motion begun anew ends elsewhere by round-off
    } else {
      const T lowest = lowest_of_cubic(g0, r0, g1, r1, to);
      if (!(lowest > T(0))) return;
      to = r0 < T(0) && r1 > T(0) ? bracketed_root(rate, T(0), r0, to, r1, tolerance(to)).b : lowest;
      g1 = value(to);
      if (!(g1 < -floor)) return;
    }
    T from(0), g_from = g0;
    if (!(g0 > floor)) {
      if (r0 < -T(system_.rules.threshold)) return take({true, What::landing, i, T(0)}, end, found);
      // The top of the parabola through the start with its rate and the end, then ever closer to the start.
      const T bend = (g1 - g0 - r0 * to) / (to * to);
      from = bend < T(0) && r0 > T(0) ? std::min<T>(-r0 / (2 * bend), to / 2) : to / 2;
      constexpr int most = 80;
      for (int k = 0; k < most; ++k, from /= 2) {
        g_from = value(from);
        if (g_from > T(0)) break;
      }
      if (!(g_from > T(0))) return take({true, What::landing, i, T(0)}, end, found);
    }
    const bool in_round_off = !(std::max<T>(g0, g_from) > floor_of_gap(i));
    const Bracket<T> root = bracketed_root(value, from, g_from, to, g1, tolerance(to));
    take({true, What::landing, i, root.fb == T(0) ? root.b : root.a, in_round_off}, end, found);
  }

  // Where the cubic with these values and slopes at the ends of an interval is smallest inside, if that is below both
  // ends and half of the larger; else 0.
  static T lowest_of_cubic(const T& g0, const T& r0, const T& g1, const T& r1, const T& length) {
    using std::sqrt;
    // g0 + c s + b s^2 + a s^3 , theta = s length, has its minimum where  c + 2 b s + 3 a s^2 = 0 , rising.
    const T a = 2 * (g0 - g1) + length * (r0 + r1), b = 3 * (g1 - g0) - length * (2 * r0 + r1), c = length * r0;
    const T discriminant = b * b - 3 * a * c;
    if (!(discriminant > T(0))) return T(0);
    const T s = -c / (b + sqrt(discriminant));
    if (!(s > T(0) && s < T(1))) return T(0);
    const T lowest = g0 + s * (c + s * (b + s * a));
    return lowest < std::min<T>(std::min<T>(g0, g1), std::max<T>(g0, g1) / 2) ? s * length : T(0);
  }

  void take(const Found& next, T& end, Found& found) {
    if (found.any && !(next.theta < found.theta)) return;
    found = next;
    end = next.theta;
    ends_here_ = false;
  }

  T tolerance(const T& length) const { return 2 * epsilon<T>() * length; }
  static T not_a_number() { return T(std::numeric_limits<double>::quiet_NaN()); }

  const ContactSystem<T>& system_;
  const ContactStates<T>& contacts_;
  std::vector<bool> held_back_, leans_;
  std::unique_ptr<Motion<T>> probed_;
  ContactForces<T> begin_, probe_;
  Vec<T> begin_q_, begin_p_;
  Vec<T> gap_, rate_, size_, begin_gap_, begin_rate_;
  bool ends_here_ = true;  // the end of the piece is that of the motion, not of an event found before
};

}  // namespace livens
