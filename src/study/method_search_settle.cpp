// Which step is taken, once pilots have said enough; and what is looked at before it is believed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "study/method_search.hpp"

namespace livens {

namespace {

constexpr double far = 300;  // times the accuracy asked for: too much to take a step by the order alone

// The next wider scalar.
std::optional<Precision> wider_than(Precision precision) {
  if (precision == Precision::double_) return Precision::extended;
  if (precision == Precision::extended && LIVENS_QUAD) return Precision::quad;
  return {};
}

}  // namespace

// It need not be looked for any further.
bool MethodSearch::is_good(const Level& level) const {
  const double error = level.q * level.whole(order_);
  return scouted_ > 0 && !regular_ && error >= 0.05 * asked_ && error <= good_enough * asked_;
}

// A finer pilot would cost more than the search may, and what is known is enough to take a step by the order.
bool MethodSearch::settles_within_budget(long long steps) {
  const std::size_t n = errors_.size();
  if (is_rough() || before_.overlooked || last_.overlooked || scouted_ == 0 || n < 2 || !errors_[n - 2].known ||
      !last_.solved)
    return false;
  const Level& level = errors_[n - 2];
  const double N = steps_for(level, order_, cautious * asked_);
  if (level.q > 0.1 * range(last_) || level.q > far * asked_) return false;
  if (level.q > asked_ && !regular_ && !is_believable(level)) return false;
  const double least = steps_for(level, order_, good_enough * asked_);
  if (asked_ <= 3 * noise(static_cast<long long>(N)) || is_affordable(static_cast<double>(steps), least)) return false;
  accept(std::max(N, at_least_), level, order_, order_);
  return true;
}

// The smallest N whose error is small enough, between two pilots with known errors.
void MethodSearch::settle_between() {
  std::size_t k = errors_.size() - 2;
  const double enough = std::max(aim(), std::min(1.5 * errors_[k].q, 0.7 * asked_));
  while (k > 0 && errors_[k - 1].known && errors_[k - 1].q <= enough) --k;
  const Level& fine = errors_[k];
  if (fine.q > enough || k == 0 || !errors_[k - 1].known)
    return settle(static_cast<double>(fine.steps), fine, order_, {});
  const Level& coarse = errors_[k - 1];
  const double s = *slope(coarse, fine), N = static_cast<double>(coarse.steps) * std::pow(coarse.q / enough, 1 / s);
  // Errors that fall much faster than the order says are those of steps that do not resolve the motion yet: they
  // depend on where the nodes happen to lie.
  if ((s > order_ + 1 || is_erratic(k)) && coarse.steps >= 16 && fine.steps == 2 * coarse.steps)
    return fine.q > 0.02 * asked_ ? settle(static_cast<double>(fine.steps), fine, order_, {})
                                  : settle_by_trial(N, coarse.steps, fine);
  settle(N, coarse, s, s);
}

// About N steps, compared with the last pilot, and if they are too few some more. N: with which it would go on.
MethodSearch::Trial MethodSearch::try_out(double& N) {
  for (int trials = 0; trials < 2; ++trials) {
    if (N > most_found_steps) return Trial::too_dear;
    long long steps = numbers_.beside(N, last_);
    if (steps == before_.steps && errors_[errors_.size() - 2].q < 0.05 * asked_)  // better than need be
      steps = std::min(steps, static_cast<long long>(std::ceil(N)));
    const auto number = static_cast<double>(steps);
    if (!last_.solved || std::pow(number / static_cast<double>(last_.steps), order_) > 0.5) return Trial::too_near;
    Level level;
    if (steps == before_.steps) {
      level = errors_[errors_.size() - 2];
    } else {
      if (!is_affordable(number, number)) return Trial::too_dear;
      const Pilot trial = run(steps, model_.run.precision);
      if (state_ == State::stopped) return Trial::taken;
      if (trial.solved) level = compare(trial, last_);
      if (trial.solved) rows_.back().error = error_of(level);
    }
    N = 1.1 * number;
    if (!level.known) continue;
    // At a few nodes less of the error is seen.
    const auto nodes = static_cast<double>(std::gcd(nodes_of(steps), last_.nodes));
    if (level.q * level.whole(order_) <= std::min(good_enough, 0.15 * nodes) * asked_) {
      accept(number, level, order_, order_);
      return Trial::taken;
    }
    N = at_least_ = std::max(N, steps_for(level, order_, aim()));
  }
  return Trial::too_coarse;
}

// Slopes that are not to be believed say where to try; where the last pilot is not fine enough for that, the next one
// shall be.
void MethodSearch::find_by_trial(double N, const Level& from) {
  const Trial trial = try_out(N);
  if (trial == Trial::taken) return;
  const bool is_believed = from.q <= asked_ || is_believable(from);
  const std::size_t n = errors_.size();
  const bool coarser_is_wrong = n > 2 && errors_[n - 3].known && errors_[n - 3].q > asked_;
  if (trial == Trial::too_dear && from.q <= good_enough * asked_ && coarser_is_wrong)
    return accept(static_cast<double>(from.steps), from, order_, order_);
  if (trial == Trial::too_dear && is_believed)
    return accept(std::max(N, steps_for(from, order_, cautious * asked_)), from, order_, order_);
  go_on_near(N);
}

// High orders are not believed from one slope alone: a difference of 2 in it is a factor of 4 from pilot to pilot.
bool MethodSearch::is_erratic(std::size_t k) const {
  if (order_ < 8) return false;
  const auto near = [&](std::size_t j) {
    const std::optional<double> s = j > 0 ? slope(errors_[j - 1], errors_[j]) : std::nullopt;
    return s && std::abs(*s - order_) < 0.2 * order_;
  };
  return !near(k) || (k > 1 && !near(k - 1));
}

// With 5/4, 6/4 or 7/4 of the steps of the coarser one, compared with the finest pilot.
void MethodSearch::settle_by_trial(double N, long long coarse_steps, const Level& fine) {
  for (long long quarters = 5; quarters < 8; ++quarters) {
    const long long steps = coarse_steps / 4 * quarters;
    if (static_cast<double>(steps) < 0.99 * N) continue;
    const Pilot trial = run(steps, model_.run.precision);
    if (state_ == State::stopped) return;
    if (!trial.solved) continue;
    const Level level = compare(trial, last_);
    rows_.back().error = error_of(level);
    const bool few_nodes = std::gcd(trial.nodes, last_.nodes) < 16;
    if (level.q <= (few_nodes ? share : 0.6) * asked_) return settle(static_cast<double>(steps), level, order_, {});
  }
  settle(static_cast<double>(fine.steps), fine, order_, {});
}

// What was not tried is, if the last pilot can be compared with it.
void MethodSearch::settle(double N, const Level& from, double exponent, std::optional<double> observed) {
  if (scouted_ > 0 && !regular_ && std::ceil(N * (1 - 1e-12)) != static_cast<double>(from.steps)) {
    const double wanted = N;
    const Trial trial = try_out(N);
    if (trial == Trial::taken) return;
    if (trial == Trial::too_near) {
      const long long finer = numbers_.beside(std::max(N, 1.1 * static_cast<double>(last_.steps)), last_);
      if (is_affordable(static_cast<double>(finer), N)) {
        next_ = {finer};
        return;
      }
    }
    if (N > wanted) N = std::max(N, static_cast<double>(last_.steps));
    if (order_ >= 6) N = std::max({N, steps_for(from, order_, cautious * asked_), at_least_});
  }
  accept(N, from, exponent, observed);
}

// e(N) = e of the level, scaled.
void MethodSearch::accept(double N, const Level& from, double exponent, std::optional<double> observed) {
  if (N > most_found_steps) {
    needed_ = N;
    state_ = State::too_long;
    return;
  }
  while (N < most_found_steps && errors_of_scouts(N).q > good_enough * asked_) N = std::max(1.02 * N, N + 1);
  found_steps_ = numbers_.meeting_end(static_cast<long long>(std::ceil(std::max({1.0, N * (1 - 1e-12), least_}))));
  const double factor = std::pow(static_cast<double>(from.steps) / static_cast<double>(found_steps_), exponent) *
                        (observed ? from.whole(*observed) : 1);
  const auto scaled = [&](double e) { return std::max(e * factor, epsilon_); };
  accuracy_.asked = asked_;
  accuracy_.q = {scaled(from.q_end), scaled(from.q)};
  accuracy_.p = {scaled(from.p_end), scaled(from.p)};
  accuracy_.slope = observed;
  const Level early = errors_of_scouts(static_cast<double>(found_steps_));
  accuracy_.q.max = std::max(accuracy_.q.max, early.q), accuracy_.p.max = std::max(accuracy_.p.max, early.p);
  state_ = State::found;
  weigh_rounding();
  if (state_ == State::found) look_at_fastest_oscillation();
}

// ---- doubts --------------------------------------------------------------------------------------------------------

// Pilots that do not see the fastest oscillation say nothing about it: the step that they found is compared with one
// that does, and so are halves of it. Where that is dear, in the first part of the time.
void MethodSearch::look_at_fastest_oscillation() {
  const auto found = static_cast<double>(found_steps_);
  if (phase().is_resolved_by(found)) return;
  needed_ = phase().steps_that_resolve();
  long long part = 1;
  while (needed_ / static_cast<double>(part) > std::max(most_first_steps, 16 * found)) part *= 2;
  const long long coarsest = std::max(1LL, found_steps_ / part);
  long long fine = coarsest;
  while (static_cast<double>(fine * part) < needed_) fine *= 2;
  const Pilot seeing = run(fine, model_.run.precision, part);
  if (state_ == State::stopped) return;
  rows_.back().note += fmt::format("{}sees the fastest oscillation", part == 1 ? "" : ", ");
  for (long long steps = coarsest; seeing.solved && steps < fine; steps *= 2) {
    const Pilot trial = run(steps, model_.run.precision, part);
    if (state_ == State::stopped) return;
    if (!trial.solved) continue;
    const Level level = compare(trial, seeing);
    rows_.back().error = error_of(level);
    if (level.q > (part == 1 ? 1 : 0.5) * good_enough * asked_) continue;
    found_steps_ = numbers_.meeting_end(std::max(found_steps_, steps * part));
    accuracy_.q.max = std::max(accuracy_.q.max, level.q), accuracy_.p.max = std::max(accuracy_.p.max, level.p);
    return;
  }
  if (needed_ > most_found_steps) {
    state_ = State::too_long;
    return;
  }
  state_ = State::going;
  errors_.clear();
  before_ = last_ = {};
  regular_ = believed_ = false;
  scouted_ = least_ = at_least_ = needed_;
  const auto steps = static_cast<long long>(std::ceil(needed_));
  next_ = {steps, 2 * steps};
}

// Rounding errors of the first steps grow as the differences of the pilots do, which began to differ there. Where they
// grow that much only within the first eighth, it may be that the first was small by chance: then it is looked at if
// that is not too dear.
bool MethodSearch::rounding_may_matter() const {
  std::vector<double> apart = differences(before_, last_);
  apart.erase(apart.begin());  // the start
  const std::size_t eighth = std::max<std::size_t>(1, apart.size() / 8);
  const double first = apart.front(),
               early = *std::max_element(apart.begin(), apart.begin() + static_cast<long>(eighth)),
               largest = *std::max_element(apart.begin(), apart.end());
  const double rounding = epsilon_ * std::sqrt(static_cast<double>(found_steps_)) * largest;
  if (rounding > (asked_ > 1e7 * epsilon_ ? 0.1 : 0.001) * asked_ * early) return true;
  return rounding > 0.01 * asked_ * first &&
         is_affordable(0.5 * static_cast<double>(before_.steps), static_cast<double>(found_steps_));
}

// What the rounding of data and steps does to the motion: pilots share it, and do not see it in their differences. A
// coarse one tells as much as a fine one, if it follows the motion; that more steps round more often is added.
void MethodSearch::weigh_rounding() {
  const std::optional<Precision> wider = wider_than(model_.run.precision);
  if (!wider || !before_.solved || !last_.solved || !rounding_may_matter()) return;
  const Level& level = errors_[errors_.size() - 2];
  const long long coarser =
      std::min(8LL, static_cast<long long>(std::pow(0.003 * range(last_) / std::max(epsilon_, level.q), 1 / order_)));
  Pilot rounded;
  if (coarser >= 3 && before_.steps > 2 * coarser) rounded = run(before_.steps / coarser, model_.run.precision);
  if (!rounded.solved || compare(rounded, before_).q > 0.01 * range(last_)) rounded = before_;
  if (state_ == State::stopped) return;
  const Pilot precise = run(rounded.steps, *wider, 1, rounded.found);
  if (state_ == State::stopped || !precise.solved) return;
  Level rounding = compare(rounded, precise);
  const double more = std::sqrt(std::max(1.0, static_cast<double>(found_steps_) / static_cast<double>(rounded.steps)));
  for (double* error : {&rounding.q, &rounding.q_end, &rounding.p, &rounding.p_end}) *error *= more;
  rows_.back().note = fmt::format("in {} precision: rounding moves the motion by {:.1g}", name(*wider), rounding.q);
  if (rounding.q > 0.7 * asked_) {
    smallest_ = rounding.q;
    state_ = State::round_off;
    return;
  }
  accuracy_.q.end += rounding.q_end, accuracy_.q.max += rounding.q;
  accuracy_.p.end += rounding.p_end, accuracy_.p.max += rounding.p;
}

}  // namespace livens
