// Which of the contacts whose gap and rate are 0 stay closed. A set A of them fits where
//
//   (1)  N_i >= 0 for i in A,  with the multipliers of the mode in which A is closed
//   (2)  every j not in A opens:  N_j <= 0 in the mode where j is closed as well, without friction
//
// since in that mode N_j is, up to a positive factor, minus the acceleration of the gap that j has when open. The
// multipliers are the consistent ones, from the hidden equation: those of a step, such as Psi0 of the Euler methods,
// have their zero elsewhere.
//
// With friction a contact of A that moves slips against its velocity. One at rest sticks where
//
//   (3)  |F_T| <= c F_N^r ,
//
// F_N, F_T being the normal and tangential parts of the force that holds it; else it slips, in the direction -F_T.
//
// One that sticks holds its point, and with it every other contact of that point: (2) is then not asked of them. Those
// of A that hold one point, as the walls of a groove, do so together: what their normals can carry they carry as
// without friction, and friction holds the rest, along all of them,
//
//   (4)  R = sum_i N_i n_i + F_T ,   F_T.n_i = 0 ,   |F_T| <= sum_i c N_i^r .
//
// There are other shares, which wedge; these are the ones from which the point slips as it would when it moves.
//
// One contact at a time changes: the one that pulls most opens, one that cannot stick slips, one that would push
// closes. Where a set comes again, or its multipliers cannot be had, the largest set that fits is taken: of contacts
// that say the same, as the legs of a table, as many are closed as have multipliers, and the others `lean`. If none
// fits (Painleve's configurations) nothing is decided.
#pragma once

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "livens/contact/system.hpp"

namespace livens {

// A contact becomes closed where it is: with friction one that is at rest, compared with `fastest`, sticks, and others
// slip.
template <class T>
void close_contact(const ContactSystem<T>& system, int contact, const Vec<T>& q, const Vec<T>& v, const T& fastest,
                   ContactStates<T>& states) {
  using std::sqrt;
  ContactState& state = states.of[static_cast<std::size_t>(contact)];
  state = ContactState::closed;
  if (system.places.empty()) return;
  const auto& place = system.places[static_cast<std::size_t>(contact)];
  T speed(0);
  for (const int c : place.coordinates) speed += v[c] * v[c];
  speed = sqrt(speed);
  const bool moves = speed > T(1e-12) * fastest;
  state = moves ? ContactState::slips : ContactState::sticks;
  for (std::size_t k = 0; k < place.coordinates.size(); ++k) {
    const int at = place.first + static_cast<int>(k), c = place.coordinates[k];
    if (moves)
      states.sliding[at] = v[c] / speed;
    else
      states.held[at] = q[c];
  }
}

template <class T>
class ClosedSet {
 public:
  explicit ClosedSet(const ContactSystem<T>& system) : system_(system), trial_(system.start_states) {}

  // `among`: contacts that touch, their rates being 0; all others are open. forces: a guess of those of the state; in
  // the end they are those of the states found. What was fast before, of which round-off is left, may be told.
  Outcome find(const T& t, const Vec<T>& q, const Vec<T>& p, const std::vector<int>& among, ContactForces<T>& forces,
               ContactStates<T>& states, const T& fast = T(0)) {
    Choice now;
    for (const int i : among) now.closed.insert(i);
    speed_ = fast;
    for (const T& x : forces.v) speed_ = std::max<T>(speed_, abs_of(x));
    std::set<Choice> seen;
    const ContactForces<T> guess = forces;
    while (seen.insert(now).second) {
      forces = guess;
      if (const Outcome outcome = look(t, q, p, now, forces, states); !succeeded(outcome)) {
        if (now.closed.empty()) return outcome;
        return find_among_all(t, q, p, among, guess, forces, states);
      }
      if (const int pulls = most_pulling(now, forces); pulls >= 0) {
        now.closed.erase(pulls), now.slips.erase(pulls);
        continue;
      }
      if (const int slips = first_to_slip(now, forces, states); slips >= 0) {
        let_slip(slips, forces, now);
        continue;
      }
      const int closes = one_that_pushes(t, q, p, now, among, guess, states);
      if (closes < 0) return Outcome::converged;
      now.closed.insert(closes);
    }
    return find_among_all(t, q, p, among, guess, forces, states);
  }

  // Whether an open contact says what closed ones say, so that it has no multiplier of its own beside theirs.
  bool leans(const T& t, const Vec<T>& q, const Vec<T>& p, int contact, const ContactForces<T>& guess,
             const ContactStates<T>& states) {
    ContactForces<T> forces = guess;
    trial_ = states;
    trial_.of[static_cast<std::size_t>(contact)] = ContactState::closed;
    return !succeeded(system_.mode(trial_).look(t, q, p, trial_, forces));
  }

 private:
  struct Choice {
    std::set<int> closed, slips;  // slips: of those at rest
    friend auto operator<=>(const Choice&, const Choice&) = default;
  };

  // Where the way above does not lead to one: the largest set that fits, those left aside whose multipliers cannot be
  // had.
  Outcome find_among_all(const T& t, const Vec<T>& q, const Vec<T>& p, const std::vector<int>& among,
                         const ContactForces<T>& guess, ContactForces<T>& forces, ContactStates<T>& states) {
    constexpr std::size_t most = 10;
    if (among.size() > most) return find_from_none(t, q, p, among, guess, forces, states);
    std::vector<unsigned> sets(1u << among.size());
    for (unsigned s = 0; s < sets.size(); ++s) sets[s] = s;
    std::stable_sort(sets.begin(), sets.end(),
                     [](unsigned a, unsigned b) { return std::popcount(a) > std::popcount(b); });
    for (const unsigned set : sets) {
      Choice now;
      for (std::size_t k = 0; k < among.size(); ++k)
        if ((set >> k) & 1u) now.closed.insert(among[k]);
      for (std::size_t slips = 0; slips <= among.size(); ++slips) {
        forces = guess;
        if (!succeeded(look(t, q, p, now, forces, states)) || most_pulling(now, forces) >= 0) break;
        if (const int next = first_to_slip(now, forces, states); next >= 0) {
          let_slip(next, forces, now);
          continue;
        }
        if (one_that_pushes(t, q, p, now, among, guess, states) < 0) return Outcome::converged;
        break;
      }
    }
    return Outcome::contact_undecided;
  }

  // Of many: from none on, one that would push closes, the one that pulls most opens, so that what is closed has
  // multipliers; in the end all join that have some beside them.
  Outcome find_from_none(const T& t, const Vec<T>& q, const Vec<T>& p, const std::vector<int>& among,
                         const ContactForces<T>& guess, ContactForces<T>& forces, ContactStates<T>& states) {
    Choice now;
    const auto fits = [&](const Choice& choice) {
      forces = guess;
      return succeeded(look(t, q, p, choice, forces, states)) && most_pulling(choice, forces) < 0 &&
             first_to_slip(choice, forces, states) < 0;
    };
    std::set<Choice> seen;
    while (seen.insert(now).second) {
      if (!fits(now)) {
        if (const int pulls = most_pulling(now, forces); pulls >= 0)
          now.closed.erase(pulls), now.slips.erase(pulls);
        else if (const int slips = first_to_slip(now, forces, states); slips >= 0)
          let_slip(slips, forces, now);
        continue;
      }
      if (const int closes = one_that_pushes(t, q, p, now, among, guess, states); closes >= 0) {
        now.closed.insert(closes);
        continue;
      }
      for (const int j : among) {
        Choice more = now;
        more.closed.insert(j);
        if (fits(more)) now = more;
      }
      return fits(now) ? Outcome::converged : Outcome::contact_undecided;
    }
    return Outcome::contact_undecided;
  }

  // `smooth`: a contact that has no friction here.
  Outcome look(const T& t, const Vec<T>& q, const Vec<T>& p, const Choice& choice, ContactForces<T>& forces,
               ContactStates<T>& states, int smooth = -1) {
    for (int i = 0; i < system_.contacts(); ++i) {
      ContactState& state = states.of[static_cast<std::size_t>(i)];
      state = ContactState::open;
      if (i == smooth) state = ContactState::closed;
      if (i == smooth || !choice.closed.contains(i)) continue;
      close_contact(system_, i, q, forces.v, speed_, states);
      if (state != ContactState::sticks || !choice.slips.contains(i)) continue;
      state = ContactState::slips;
      const auto& place = system_.places[static_cast<std::size_t>(i)];
      for (int at = place.first; at < place.first + static_cast<int>(place.coordinates.size()); ++at)
        states.sliding[at] = escape_[at];
    }
    for (const int i : choice.closed)
      if (states.of[static_cast<std::size_t>(i)] == ContactState::sticks && shares_half_a_point(i, choice))
        return Outcome::contact_undecided;
    return system_.mode(states).look(t, q, p, states, forces);
  }
  bool shares_half_a_point(int i, const Choice& choice) const {
    return std::any_of(choice.closed.begin(), choice.closed.end(),
                       [&](int j) { return i != j && system_.points_overlap(i, j) && !system_.same_point(i, j); });
  }

  // With all that hold its point. Those that slip already keep the direction that they had found.
  void let_slip(int contact, const ContactForces<T>& forces, Choice& choice) {
    if (escape_.size() != forces.escape.size()) escape_ = forces.escape;
    for (const int i : choice.closed) {
      if (!system_.same_point(i, contact)) continue;
      choice.slips.insert(i);
      const auto& place = system_.places[static_cast<std::size_t>(i)];
      for (int at = place.first; at < place.first + static_cast<int>(place.coordinates.size()); ++at)
        escape_[at] = forces.escape[at];
    }
  }

  static int most_pulling(const Choice& choice, const ContactForces<T>& forces) {
    const T least = -noise_of_push(forces);
    int worst = -1;
    for (const int i : choice.closed)
      if (forces.push[i] < least && (worst < 0 || forces.push[i] < forces.push[worst])) worst = i;
    return worst;
  }
  int first_to_slip(const Choice& choice, const ContactForces<T>& forces, const ContactStates<T>& states) const {
    for (const int i : choice.closed)
      if (states.of[static_cast<std::size_t>(i)] == ContactState::sticks && forces.reserve[i] < T(0)) return i;
    return -1;
  }
  int one_that_pushes(const T& t, const Vec<T>& q, const Vec<T>& p, const Choice& now, const std::vector<int>& among,
                      const ContactForces<T>& guess, const ContactStates<T>& states) {
    for (const int j : among) {
      if (now.closed.contains(j)) continue;
      if (std::any_of(now.closed.begin(), now.closed.end(), [&](int i) {
            return states.of[static_cast<std::size_t>(i)] == ContactState::sticks && system_.points_overlap(i, j);
          }))
        continue;
      ContactForces<T> forces = guess;
      if (succeeded(look(t, q, p, now, forces, trial_, j)) && forces.push[j] > noise_of_push(forces)) return j;
    }
    return -1;
  }

  const ContactSystem<T>& system_;
  ContactStates<T> trial_;
  Vec<T> escape_;
  T speed_{};
};

}  // namespace livens
