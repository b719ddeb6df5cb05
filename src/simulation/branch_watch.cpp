#include "simulation/branch_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace livens {

namespace {

constexpr double length_between_looks = 0.25, turn_between_looks = 0.4;
constexpr long long longest_wait = 64;

}  // namespace

template <class T>
BranchWatch<T>::BranchWatch(WatchedConstraints constraints)
    : branches_(std::move(constraints)), last_(branches_.point()), before_(last_), now_(last_) {}

template <class T>
void BranchWatch<T>::put(const StateView<T>& x, Branches::Place& place) {
  place.t = to_double(x.t);
  for (int i = 0; i < place.q.size(); ++i) {
    place.q[i] = to_double(x.q[static_cast<std::size_t>(i)]);
    place.v[i] = to_double(x.v[static_cast<std::size_t>(i)]);
  }
}

template <class T>
Outcome BranchWatch<T>::judge(const StateView<T>& x) {
  looked_ = steps_ + 1 >= wait_;
  found_ = Way::continued;
  if (!looked_) return Outcome::converged;
  put(x, now_.at);
  branches_.look(now_);
  if (last_.regular && now_.regular) found_ = way_to_now();
  return found_ == Way::apart ? Outcome::other_root : Outcome::converged;
}

template <class T>
Branches::Way BranchWatch<T>::way_to_now() {
  const double steps = static_cast<double>(steps_ + 1);
  const Branches::Change change = branches_.change(last_, now_);
  rate_now_ = {std::min(change.length, 1.0) / steps, std::min(std::sqrt(change.turn_squared), 1.0) / steps};
  if (change.is_small() && rate_.length * steps < 0.5) return Way::continued;
  if (!before_is_known_) return branches_.way(last_, now_);
  branches_.look(before_);
  if (!before_.regular) return branches_.way(last_, now_);
  const Way step = branches_.way(before_, now_);
  if (step == Way::apart || branches_.change(last_, before_).is_small()) return step;
  const Way earlier = branches_.way(last_, before_);
  return earlier == Way::continued ? step : earlier;
}

template <class T>
void BranchWatch<T>::observe(const StateView<T>& x) {
  if (!started_) {
    put(x, last_.at);
    branches_.look(last_);
    started_ = true;
    return;
  }
  ++steps_;
  if (looked_ && now_.regular) {
    if (found_ == Way::singular) singular_.add(now_.at.t);
    if (found_ == Way::unknown) unknown_.add(now_.at.t);
    std::swap(last_, now_);
    choose_next_look();
    steps_ = 0;
    before_is_known_ = false;
  } else if (!looked_ && steps_ + 1 >= wait_) {
    put(x, before_.at);
    before_is_known_ = true;
  }
}

template <class T>
void BranchWatch<T>::choose_next_look() {
  rate_ = {std::max(rate_now_.length, rate_.length / 2), std::max(rate_now_.turn, rate_.turn / 2)};
  const double longest = static_cast<double>(std::min(2 * steps_, longest_wait)),
               wait = std::min({longest, length_between_looks / rate_.length, turn_between_looks / rate_.turn});
  wait_ = std::max(1LL, static_cast<long long>(wait));
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
