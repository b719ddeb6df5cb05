#include "simulation/branch_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace livens {

namespace {

constexpr double length_between_looks = 0.25, turn_between_looks = 0.3;
constexpr long long longest_wait = 32;
constexpr double part_across = 0.01, long_rest = 1.0 / 20, growth_of_rest = 2, memory_of_rests = 0.7;
constexpr double square(double x) {
  return x * x;
}

}  // namespace

template <class T>
BranchWatch<T>::BranchWatch(WatchedConstraints constraints, bool velocities_lie_along)
    : branches_(std::move(constraints)),
      velocities_lie_along_(velocities_lie_along),
      last_(branches_.point()),
      now_(last_),
      before_(last_.at),
      rate_before_(before_.v) {}

template <class T>
void BranchWatch<T>::put(const StateView<T>& x, Branches::Place& place) {
  place.t = to_double(x.t);
  for (int i = 0; i < place.q.size(); ++i) {
    place.q[i] = to_double(x.q[static_cast<std::size_t>(i)]);
    place.v[i] = to_double(x.v[static_cast<std::size_t>(i)]);
  }
}

template <class T>
typename BranchWatch<T>::Squares BranchWatch<T>::squares(const StateView<T>& x) const {
  const double h = to_double(x.t) - before_.t;
  const double *inertia = branches_.inertia().data(), *last = last_.at.q.data(), *q0 = before_.q.data(),
               *v0 = before_.v.data(), *rate = rate_before_.data();
  double from_last = 0, steps = 0, rest = 0;
  for (std::size_t i = 0; i < x.q.size(); ++i) {
    const double q = to_double(x.q[i]), step = q - q0[i],
                 expected = velocities_lie_along_ ? h / 2 * (v0[i] + to_double(x.v[i])) : h * rate[i];
    from_last += inertia[i] * square(q - last[i]);
    steps += inertia[i] * square(step);
    rest += inertia[i] * square(step - expected);
  }
  return {from_last, steps, rest};
}

template <class T>
Outcome BranchWatch<T>::judge(const StateView<T>& x) {
  found_ = Way::continued;
  const Squares s = squares(x);
  rest_ = s.rest;
  const bool is_sudden = !(rest_ <= least_rest_) &&
                         (!(rest_ < square(growth_of_rest) * usual_rest_) || !(rest_ < square(long_rest) * s.step));
  looked_ = is_sudden || steps_ + 1 >= wait_ || !(s.from_last < reach_squared_);
  if (!looked_) return Outcome::converged;
  if (is_sudden && steps_ > 0) look_at_before();
  put(x, now_.at);
  branches_.look(now_);
  if (last_.regular && now_.regular) found_ = way_to_now();
  return found_ == Way::apart ? Outcome::other_root : Outcome::converged;
}

template <class T>
void BranchWatch<T>::look_at_before() {
  now_.at = before_;
  branches_.look(now_);
  if (!now_.regular) return;
  std::swap(last_, now_);
  steps_ = 0;
}

template <class T>
Branches::Way BranchWatch<T>::way_to_now() {
  change_ = branches_.change(last_, now_);
  const double distance = std::sqrt(branches_.distance_squared(last_.at.q, now_.at.q));
  const bool may_lose_rank =
      per_step_.length * static_cast<double>(steps_ + 1) >= 0.5 || per_distance_.length * distance >= 0.5;
  return change_.is_small() && change_.across < part_across && !may_lose_rank ? Way::continued
                                                                              : branches_.way(last_, now_);
}

template <class T>
void BranchWatch<T>::observe(const StateView<T>& x) {
  if (!started_) {
    put(x, last_.at);
    branches_.look(last_);
    before_ = last_.at;
    rate_before_ = before_.v;
    least_rest_ = square(branches_.unknown_part(before_));
    started_ = true;
    return;
  }
  if (!velocities_lie_along_)
    for (int i = 0; i < rate_before_.size(); ++i)
      rate_before_[i] = (to_double(x.q[static_cast<std::size_t>(i)]) - before_.q[i]) / (to_double(x.t) - before_.t);
  put(x, before_);
  usual_rest_ = std::max(rest_, square(memory_of_rests) * usual_rest_);
  ++steps_;
  if (!looked_ || !now_.regular) return;
  if (found_ == Way::singular) singular_.add(now_.at.t);
  if (found_ == Way::unknown) unknown_.add(now_.at.t);
  least_rest_ = square(branches_.unknown_part(before_));
  if (last_.regular) choose_next_look();
  std::swap(last_, now_);
  steps_ = 0;
}

template <class T>
void BranchWatch<T>::Rate::follow(const Branches::Change& change, double way) {
  constexpr double memory = 0.75;
  length = std::max(std::min(change.length, 1.0) / way, memory * length);
  turn = std::max(std::min(std::sqrt(change.turn_squared), 1.0) / way, memory * turn);
}
template <class T>
double BranchWatch<T>::Rate::until_next_look() const {
  return std::min(length_between_looks / length, turn_between_looks / turn);
}

template <class T>
void BranchWatch<T>::choose_next_look() {
  const double distance = std::sqrt(branches_.distance_squared(last_.at.q, now_.at.q));
  per_step_.follow(change_, static_cast<double>(steps_));
  if (distance > 0) per_distance_.follow(change_, distance);
  const double longest = static_cast<double>(std::min(2 * steps_, longest_wait));
  wait_ = std::max(1LL, static_cast<long long>(std::min(longest, per_step_.until_next_look())));
  const double reach = per_distance_.until_next_look();
  reach_squared_ = reach * reach;
}

template <class T>
std::string BranchWatch<T>::words() const {
  std::string words;
  if (singular_.count > 0)
    words = fmt::format(
        "the motion passed a singular configuration of the constraints{} at t = {:.10g}: the branch on which it goes "
        "on is not determined by the equations",
        singular_.count == 1 ? "" : fmt::format(" {} times, first", singular_.count), singular_.first);
  if (unknown_.count > 0)
    words += fmt::format(
        "{}in {} {}, first at t = {:.10g}, the constraints turn so far that it is not known whether the motion is "
        "continued; halve the step",
        words.empty() ? "" : "; ", unknown_.count, unknown_.count == 1 ? "step" : "steps", unknown_.first);
  return words;
}

template class BranchWatch<double>;
template class BranchWatch<long double>;
#if LIVENS_QUAD
template class BranchWatch<Widest>;
#endif

}  // namespace livens
