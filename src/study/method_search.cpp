#include "study/method_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "livens/methods/methods.hpp"
#include "study/lost_motion.hpp"

namespace livens {

using formula::Number;

namespace {

constexpr long long first_steps = 2;
constexpr long long part_of_scouts = 8;     // they go through the first part of the time, one of so many
constexpr long long really_at_rest = 256;   // steps of a pilot that is believed that nothing moves
constexpr long long too_long_at_rest = 32;  // of scouts that have not moved yet
// Of the error at the end, in the first part: between growth with the time and with its square.
constexpr double share_of_scouts = 1.0 / 16;

// How many points of the step one evaluation of its equations looks at.
double points_of(const Options& options) {
  for (const auto& [key, value] : options.values())
    if (key == "s" || key == "stages")
      if (const long long* s = std::get_if<long long>(&value)) return static_cast<double>(*s);
  return 1;
}

}  // namespace

double unit_round_off(Precision precision) {
  switch (precision) {
    case Precision::double_:
      return epsilon<double>();
    case Precision::extended:
      return static_cast<double>(epsilon<long double>());
    case Precision::quad:
      break;
  }
  return to_double(epsilon<Widest>());
}

MethodSearch::MethodSearch(const Model& model, std::string text, double asked, Begin begin, Common& common,
                           const std::atomic<bool>* stop, const WatchPilot& watch)
    : model_(model),
      text_(std::move(text)),
      asked_(asked),
      common_(common),
      stop_(stop),
      watch_(watch),
      method_(choose_method(model_)),
      options_(read_options(model_, method_)),
      order_(method_.traits(options_).order_with(model_.system->constraints())),
      points_(points_of(options_)),
      epsilon_(unit_round_off(model_.run.precision)),
      numbers_(model_.initial.t, model_.run.end),
      scouting_(begin == Begin::with_scouts) {}

// ---- what is known -------------------------------------------------------------------------------------------------

double MethodSearch::aim() const {
  return share * asked_;
}
double MethodSearch::noise(long long steps) const {
  return 20 * epsilon_ * (1 + std::sqrt(static_cast<double>(steps)));
}

std::optional<double> MethodSearch::slope(const Level& a, const Level& b) const {
  if (!a.known || !b.known || !(a.q > 0) || !(b.q > 0)) return {};
  return std::log(a.q * a.whole(order_) / (b.q * b.whole(order_))) /
         std::log(static_cast<double>(b.steps) / static_cast<double>(a.steps));
}

double MethodSearch::error_of(const Level& level) const {
  return level.q * level.whole(falling());
}

// With which an error is the one aimed at.
double MethodSearch::steps_for(const Level& level, double power, double aim) const {
  return static_cast<double>(level.steps) * std::pow(std::max(1e-300, error_of(level) / aim), 1 / power);
}

double MethodSearch::work(const Cost& cost) const {
  const double size = points_ * (model_.system->coordinates() + model_.system->constraints());
  const double formulas = std::max(1.0, model_.system->operations_of_step() / 10);
  const double matrix = std::min(size * size * size / 3, 15 * size * points_);
  return points_ * formulas * static_cast<double>(cost.evaluations) +
         (3 * points_ * formulas + matrix) * static_cast<double>(cost.jacobians);
}

std::optional<double> MethodSearch::predicted_work() const {
  const Pilot& seen = last_.solved && last_.steps > 0 ? last_ : scout_;
  if (!seen.solved || seen.steps == 0) return {};
  double steps = 0;
  if (state_ == State::found)
    steps = static_cast<double>(found_steps_);
  else if (errors_.size() > 1 && errors_[errors_.size() - 2].known &&
           errors_[errors_.size() - 2].q < 0.1 * range(last_))
    steps = steps_for(errors_[errors_.size() - 2], falling(), aim());
  else if (errors_.size() < 2 && !scouting_)
    steps = scouted_;
  if (!(steps > 0)) return {};
  return steps * work(seen.cost) / static_cast<double>(seen.steps);
}

double MethodSearch::predicted_evaluations() const {
  const Cost& cost = (last_.solved && last_.steps > 0 ? last_ : scout_).cost;
  return *predicted_work() / std::max(1.0, work(cost)) * static_cast<double>(cost.evaluations);
}

// Of a run with N steps, as the last pilots say: larger steps need more of them each.
double MethodSearch::evaluations_of(double N) const {
  const auto ratio = [](auto a, auto b) { return std::log(static_cast<double>(a) / static_cast<double>(b)); };
  const bool two = before_.solved && last_.solved && before_.steps < last_.steps;
  const double power =
      two ? ratio(last_.cost.evaluations, before_.cost.evaluations) / ratio(last_.steps, before_.steps) : 1;
  return static_cast<double>(last_.cost.evaluations) *
         std::pow(N / static_cast<double>(last_.steps), std::clamp(power, 0.3, 1.0));
}

// A pilot beside those that were run, if N steps will be taken. The run solves its equations further than pilots do.
bool MethodSearch::is_affordable(double pilot, double N) const {
  const double further = is_loose() ? std::log(epsilon_) / std::log(*tolerance(last_.steps)) : 1;
  return static_cast<double>(common_.spent) + evaluations_of(pilot) <= common_.runs * further * evaluations_of(N);
}

// After a pilot that could not be solved the next one may go to its end.
double MethodSearch::evaluations_of_next() const {
  constexpr double of_a_step = 8;
  const Pilot& seen = scouting_ || last_.steps == 0 ? scout_ : last_;
  if (seen.solved && seen.steps > 0 && !next_.empty())
    return static_cast<double>(seen.cost.evaluations) * static_cast<double>(next_.front()) /
           static_cast<double>(seen.steps);
  if (scouting_ || last_.steps > 0)
    return seen.solved ? 2 * static_cast<double>(seen.cost.evaluations)
                       : of_a_step * static_cast<double>(std::max(first_steps, 2 * seen.steps));
  return of_a_step * static_cast<double>(next_.empty() ? first_steps : next_.front());
}

// ---- pilots --------------------------------------------------------------------------------------------------------

// Where the model does not say how far equations are solved, that is as far as the accuracy needs: at round-off one
// iteration in two would be spent on digits that no pilot is asked for. Empty: to round-off.
std::optional<double> MethodSearch::tolerance(long long steps) const {
  if (model_.solver.tolerance || to_round_off_) return model_.solver.tolerance;
  const double enough = asked_ / (1e6 * static_cast<double>(steps));
  return enough > 100 * epsilon_ ? std::optional(enough) : std::nullopt;
}
bool MethodSearch::is_loose() const {
  return !model_.solver.tolerance && tolerance(last_.steps);
}

Pilot MethodSearch::run(long long steps, Precision precision, long long part, const FoundOptions& given,
                        long long nodes) {
  Model model = model_;
  model.run.precision = precision;
  model.run.end = model.initial.t + (model.run.end - model.initial.t) / Number(part);
  model.solver.tolerance = tolerance(part * steps);
  Options options = options_;
  for (const auto& [key, value] : given) options.replace(key, value);
  Pilot pilot = run_pilot(model, method_, options, steps, nodes > 0 ? nodes : nodes_of(steps), stop_);
  if (stop_ && stop_->load()) {
    state_ = State::stopped;
    return pilot;
  }
  PilotRow row{.method = text_,
               .options = model_.method,
               .steps = steps,
               .step = to_double(Number((model.run.end - model.initial.t) / Number(steps))),
               .error = {},
               .cost = pilot.cost,
               .seconds = pilot.seconds,
               .work = work(pilot.cost),
               .note = part == 1 ? "" : fmt::format("through the first of {} parts of the time", part)};
  rows_.push_back(row);
  common_.spent += pilot.cost.evaluations, evaluations_ += pilot.cost.evaluations;
  common_.crosses = common_.crosses || pilot.crossed_corners, common_.jumps = common_.jumps || pilot.jumped;
  if (watch_) watch_(row);
  return pilot;
}

void MethodSearch::refine() {
  if (scouting_) return scout();
  const Mesh beside = common_.jumps && next_.empty() && last_.steps > 0 ? numbers_.apart_from(last_, 2) : Mesh{};
  const long long steps = beside.steps > 0   ? beside.steps
                          : !next_.empty()   ? next_.front()
                          : last_.steps == 0 ? first_steps
                                             : 2 * last_.steps;
  if (!next_.empty()) next_.erase(next_.begin());
  if (static_cast<double>(steps) > most_found_steps) {
    state_ = State::too_long;
    return;
  }
  if (settles_within_budget(steps)) return;
  Pilot next = run(steps, model_.run.precision, 1, {}, beside.nodes);
  if (state_ == State::stopped) return;
  errors_.push_back({});
  if (errors_.size() > 1 && last_.solved && next.solved && has_moved(next)) {
    Level& level = errors_[errors_.size() - 2];
    level = compare(last_, next);
    rows_[rows_.size() - 2].error = error_of(level);
  }
  before_ = std::move(last_);
  last_ = std::move(next);
  if (last_.solved && scout_.q_size > 0) common_.grown = last_.q_size / scout_.q_size;
  look_for_end(last_);
  if (state_ == State::going) judge();
  // Errors that do not fall as they should may be those of equations that were not solved far enough, which an unstable
  // motion makes larger.
  if (state_ == State::going && is_loose() && stalls()) to_round_off_ = true;
}

// Finer and finer pilots that all end at the same place, and not at the start, where steps may be too large for the
// fastest oscillation: the motion ends there, as one that goes to infinity.
void MethodSearch::look_for_end(const Pilot& pilot, long long part) {
  constexpr long long fine = 1 << 16;
  constexpr int enough = 3;
  const double time = std::abs(to_double(Number(model_.run.end - model_.initial.t))) / static_cast<double>(part);
  const std::optional<Stuck> before = std::exchange(stuck_, std::nullopt);
  if (!pilot.solved && pilot.t.size() > 1) stuck_ = {pilot.t.back(), time / static_cast<double>(pilot.steps)};
  same_end_ = before && stuck_ && std::abs(stuck_->t - before->t) <= 0.01 * time ? same_end_ + 1 : 0;
  if (same_end_ >= enough && part * pilot.steps >= fine) state_ = State::ends;
}

// Equations of large steps have roots that stay where they are, and pilots that agree on those have found nothing.
bool MethodSearch::has_moved(const Pilot& pilot) const {
  return pilot.steps >= really_at_rest || moves(pilot);
}
bool MethodSearch::moves(const Pilot& pilot) const {
  return pilot.range > 1000 * noise(pilot.steps) * pilot.q_size;
}

// ---- scouts --------------------------------------------------------------------------------------------------------

void MethodSearch::scout() {
  const long long steps = scout_.steps == 0 ? 1 : 2 * scout_.steps;
  Pilot next = run(steps, model_.run.precision, part_of_scouts);
  if (state_ == State::stopped) return;
  scouts_.push_back({});
  if (scouts_.size() > 1 && scout_.solved && next.solved && has_moved(next))
    scouts_[scouts_.size() - 2] = compare(scout_, next);
  scout_ = std::move(next);
  look_for_end(scout_, part_of_scouts);
  if (state_ == State::going) judge_scouts();
}

// Whether they know how many steps the whole way may need.
void MethodSearch::judge_scouts() {
  constexpr long long most = 1 << 14;
  const std::size_t n = scouts_.size();
  const double aim = share_of_scouts * this->aim();
  const auto whole = static_cast<double>(part_of_scouts);
  if (scout_.solved && scout_.steps >= too_long_at_rest && !moves(scout_)) {  // whether it will is seen by whole pilots
    scouting_ = false;
    scouted_ = really_at_rest;
    next_ = {really_at_rest / 4 * 3, really_at_rest};
    return;
  }
  if (n > 1 && scouts_[n - 2].known) {
    const Level& now = scouts_[n - 2];
    const std::optional<double> seen = n > 2 ? slope(scouts_[n - 3], now) : std::nullopt;
    const bool near_order = seen && std::abs(*seen - order_) < 0.15 * order_ + 0.2;
    const bool as_order = seen && std::abs(*seen - order_) < 0.35 * order_ + 0.5;
    const bool small = now.q < 0.1 * range(scout_);
    if (is_rough()) {
      const double N = steps_for(now, falling(), aim);
      const bool near = N <= 2 * static_cast<double>(scout_.steps);
      if (now.q <= aim || (small && near) || scout_.steps >= most) place_first_pilots(whole * N);
      return;
    }
    // High orders are not believed from one slope alone, and not from a part of the time.
    regular_ = near_order && order_ < 8 && small && (order_ < 6 || now.steps >= 4);
    const double N = steps_for(now, as_order ? order_ : std::max(order_, seen.value_or(order_)), aim);
    const bool near = N <= 2 * static_cast<double>(scout_.steps);
    if (now.q <= std::max(aim, noise(now.steps)) || (small && (near_order || (as_order && near))))
      return place_first_pilots(whole * N);
  }
  if (scout_.steps >= most) place_first_pilots(whole * static_cast<double>(scout_.steps));
}

// Scouts see errors beside the size that q has in the first part of the time. Where it grows, as a motion away from
// rest or from an equilibrium that is not stable, these are small beside the size of the whole. That needs few steps.
double MethodSearch::beside_whole_size(double N) {
  constexpr double part_of_steps = 1.0 / 32;
  constexpr long long least = 8;
  const auto steps = std::min(static_cast<long long>(part_of_steps * N), 2 * scout_.steps);  // no dearer than scouts
  if (steps < least || !(scout_.q_size > 0)) return N;
  if (!common_.grown)
    if (const Pilot coarse = run(steps, model_.run.precision); coarse.solved)
      common_.grown = coarse.q_size / scout_.q_size;
  const double grown = common_.grown.value_or(1);
  return grown > 2 ? std::max(2 * static_cast<double>(steps), N * std::pow(grown, -1 / order_)) : N;
}

// Two of them on which what follows is built: below the N that scouts think is needed where errors fall with the order,
// and on both sides of it where they do not.
void MethodSearch::place_first_pilots(double N) {
  const bool rough = is_rough();
  if (!rough) N = beside_whole_size(N);
  scouting_ = false;
  scouted_ = std::clamp(N, 1.0, most_found_steps);
  regular_ = regular_ && phase().is_resolved_by(scouted_);
  // Steps of the two, in units: what the finer one is off by must be small beside the error of the coarser one.
  const long long finer = rough || order_ < 8 || scouted_ < 12 ? 2
                          : scouted_ < 24                      ? 3
                                                               : 5,
                  coarser = finer == 2 ? 1 : finer - 1;
  const double first = regular_ ? 0.35 : rough ? 0.5 : order_ < 8 ? 0.6 : 0.9;
  const double unit = std::min(first * scouted_, most_first_steps) / static_cast<double>(coarser);
  const double even = unit >= 64 ? 16 : unit >= 16 ? 4 : unit >= 4 ? 2 : 1;
  const auto by = static_cast<long long>(even);
  const long long least = by * std::max(1LL, std::llround(unit / even));
  long long u = least;
  while (!numbers_.meets_end(coarser * u) && u < least + least / 8) u += by;
  next_ = {coarser * u, finer * u};
}

// Of the first part of the time, as scouts measured them at all of their nodes, for N steps through the whole of it:
// what has faded from one node that two pilots have in common to the next, as a fast transient does, is not seen by
// these. Slopes become steeper where steps begin to resolve a motion, and flatter towards the order: between two scouts
// the error is at most the larger one of what the line between them says and what both lines beside it say.
Level MethodSearch::errors_of_scouts(double N) const {
  Level early;
  std::vector<const Level*> known;
  for (const Level& level : scouts_)
    if (level.known && level.q > 0) known.push_back(&level);
  if (is_rough() || !(last_.q_size > 0) || known.empty()) return early;
  const double steps =
      std::max(N / static_cast<double>(part_of_scouts), static_cast<double>(known.front()->steps));  // more with less
  std::size_t k = 0;
  while (k + 1 < known.size() && static_cast<double>(known[k + 1]->steps) <= steps) ++k;
  const auto line = [&](std::size_t a, std::size_t b) { return *slope(*known[a], *known[b]); };
  const auto by = [&](std::size_t from, double power) {
    return known[from]->q * std::pow(static_cast<double>(known[from]->steps) / steps, power);
  };
  const double before = k > 0 ? line(k - 1, k) : 0;
  double q = by(k, std::clamp(before, order_, 1.1 * order_ + 0.2));
  if (k + 1 < known.size()) {
    const double after = k + 2 < known.size() ? line(k + 1, k + 2) : 1.35 * order_ + 0.5;
    q = std::max(by(k, line(k, k + 1)), std::min(by(k, std::max(0.0, before)), by(k + 1, after)));
  }
  early.known = true;
  early.q = q * known[k]->whole(order_) * scout_.q_size / last_.q_size;
  if (last_.p_size > 0)
    early.p = known[k]->p * (q / known[k]->q) * known[k]->whole(order_) * scout_.p_size / last_.p_size;
  return early;
}

// ---- what pilots say -----------------------------------------------------------------------------------------------

bool MethodSearch::stalls() const {
  const std::size_t n = errors_.size();
  if (n < 3 || !errors_[n - 2].known) return false;
  const double q = errors_[n - 2].q;
  if (q > 0.1 * range(last_)) return last_.steps >= 256;
  return slope(errors_[n - 3], errors_[n - 2]).value_or(order_) < (is_rough() ? 0.3 : 0.5 * order_);
}

void MethodSearch::judge() {
  if (errors_.size() < 2) return;
  const std::size_t k = errors_.size() - 2;
  const Level& now = errors_[k];
  if (!now.known) return;
  smallest_ = std::min(smallest_, now.q);
  if (before_.overlooked || last_.overlooked) {  // a blow: no step is taken that is larger than one that sees it
    least_ = std::max(least_, static_cast<double>(last_.steps));
    return;
  }
  if (is_rough()) return judge_rough();
  if (now.q <= noise(now.steps) && !moves(last_)) return accept(static_cast<double>(now.steps), now, order_, {});
  if (k == 0 && scouted_ > 0) return judge_first(now);
  if (is_good(now)) return settle(static_cast<double>(now.steps), now, order_, order_);
  if (now.q <= noise(now.steps)) {  // nothing is left to find out
    if (asked_ > now.q)
      settle_between();
    else
      state_ = State::round_off;
    return;
  }
  const std::optional<double> s = k > 0 ? slope(errors_[k - 1], now) : std::nullopt;
  if (!s) return;
  const double seen = *s;
  if (now.q <= aim() && seen < 3 * order_ + 1) return settle_between();
  const double before = k > 1 ? slope(errors_[k - 2], errors_[k - 1]).value_or(INFINITY) : INFINITY;
  const bool small = errors_[k - 1].q < 0.3 * range(last_) && now.q < 0.1 * range(last_);
  const bool near_order = std::abs(seen - order_) < 0.15 * order_ + 0.2;
  const bool as_order = std::abs(seen - order_) < 0.35 * order_ + 0.5;
  const bool steady = std::abs(seen - before) < 0.3 && seen > 0.7;
  const bool settled = std::abs(seen - order_) < 0.04 * order_ + 0.04 && std::abs(before - order_) < 0.2 * order_;
  if (small && (as_order || steady)) {
    believed_ = true;
    const double to_come = as_order ? order_ + (seen - order_) / 3 : seen;
    const double N = steps_for(now, to_come, aim());
    needed_ = N;
    if (is_erratic(k) || (order_ >= 8 && N > 1.3 * static_cast<double>(now.steps))) return find_by_trial(N, now);
    const bool above_noise = asked_ > 3 * noise(static_cast<long long>(std::min(N, most_found_steps)));
    const double furthest = settled ? 4 : near_order || steady ? 2 : 1.25;
    if (above_noise && N <= furthest * static_cast<double>(last_.steps))
      settle(N, now, to_come, seen);
    else if (N > most_found_steps)
      state_ = State::too_long;
    return;
  }
  if (small && seen > order_ + 1)
    if (const double N = steps_for(now, order_, aim()); N <= 0.8 * static_cast<double>(last_.steps))
      return find_by_trial(N, now);
  // Errors that were small and have stopped to become smaller. Large ones may wait for steps that see a close
  // encounter.
  const long long enough = now.q > 1e8 * epsilon_ ? 4096 : 32;
  const bool was_small = last_.steps >= enough && (believed_ || now.q < 1e-3 * range(last_));
  const bool settled_down = was_small && seen < 0.4 * order_ && before < 0.6 * order_ && !is_loose();
  if (settled_down && (now.q < 1e6 * epsilon_ || phase().is_followed_by(static_cast<double>(last_.steps))))
    now.q < 0.7 * asked_ ? settle_between() : static_cast<void>(state_ = State::round_off);
  if (last_.steps >= 1 << 16 && now.q > 0.1 * range(last_)) look_for_horizon();
  if (small && scouted_ > 0 && next_.empty()) go_on_near(steps_for(now, order_, aim()));
}

// A finer pilot beside N steps, where N is not far.
void MethodSearch::go_on_near(double N) {
  const auto last = static_cast<double>(last_.steps);
  if (N < 2 * last) next_ = {numbers_.beside(std::max(N, 1.25 * last), last_)};
}

// Those that scouts have placed: there is no slope yet.
void MethodSearch::judge_first(const Level& level) {
  if (level.q > 0.1 * range(last_)) return;
  const auto here = static_cast<double>(level.steps);
  const double N = steps_for(level, order_, aim());
  needed_ = N;
  if (regular_ && N > most_found_steps) {
    state_ = State::too_long;
    return;
  }
  if (asked_ <= 3 * noise(static_cast<long long>(std::min(N, most_found_steps)))) return;
  if (regular_ && N >= 0.5 * here) {
    if (N > 2 * static_cast<double>(last_.steps)) return;
    regular_ = falls_with_order(level, N);
    if (state_ == State::stopped) return;
    if (regular_) return settle(N, level, order_, order_);
  }
  // Where errors do not fall with the order yet, those of coarser steps may be much larger than it says.
  const bool high = order_ >= 8;
  if (is_good(level)) return settle(here, level, order_, order_);
  if (N < here) {
    const double steep = high ? 2 * order_ : order_ + 2, coarser = steps_for(level, steep, aim());
    return coarser > 0.6 * here ? settle(coarser, level, steep, order_) : find_by_trial(N, level);
  }
  if (N <= (high ? 1.3 : 1.9) * here) return settle(N, level, order_, order_);
  find_by_trial(N, level);
}

// Also through the whole time, of which scouts saw a part: from a pilot with half the steps.
bool MethodSearch::falls_with_order(const Level& level, double N) {
  const long long half = level.steps / 2;
  if (half < 2 || level.steps % 2 != 0) return true;
  if (!is_affordable(static_cast<double>(half), N)) return false;
  const Pilot coarse = run(half, model_.run.precision);
  if (state_ == State::stopped || !coarse.solved) return false;
  const Level coarser = compare(coarse, last_);
  rows_.back().error = error_of(coarser);
  const std::optional<double> seen = slope(coarser, level);
  const bool near = seen && std::abs(*seen - order_) < 0.15 * order_ + 0.2;
  if (!near) at_least_ = steps_for(coarser, order_, cautious * asked_);  // the finer one may be good by chance
  return near;
}

// From the last pilot but one to the last but two.
bool MethodSearch::order_shows() const {
  const std::size_t n = errors_.size();
  if (n < 3 || !(errors_[n - 3].q < 0.3 * range(last_))) return false;
  const std::optional<double> seen = slope(errors_[n - 3], errors_[n - 2]);
  return seen && std::abs(*seen - order_) < 0.35 * order_ + 0.5;
}

// Whether an error that is larger than asked for says how much smaller steps have to be.
bool MethodSearch::is_believable(const Level& level) {
  const auto steps = static_cast<double>(last_.steps);
  const std::size_t n = errors_.size();
  const std::optional<double> seen = n > 2 ? slope(errors_[n - 3], errors_[n - 2]) : std::nullopt;
  const bool may_fall = !seen || *seen > 0.5 * order_;
  return (may_fall && level.q < 0.01 * range(last_) && phase().is_followed_by(steps)) ||
         (order_shows() && phase().is_resolved_by(steps));
}

// ---- limits --------------------------------------------------------------------------------------------------------

const FastestPhase& MethodSearch::phase() {
  if (!phase_) phase_.emplace(model_, points_, order_);
  return *phase_;
}

// Errors of the last pilots grow exponentially and have become as large as the motion.
void MethodSearch::look_for_horizon() {
  if (!before_.solved || !last_.solved) return;
  const std::optional<LostMotion> lost = lost_motion(before_, last_, epsilon_);
  if (!lost) return;
  const double start = last_.t.front(), end = last_.t.back();
  if (lost->known < std::abs(end - start)) {
    horizon_ = start + std::copysign(lost->known, end - start);
    state_ = State::chaos;
    return;
  }
  needed_ = static_cast<double>(last_.steps) * std::pow(lost->at_end / (aim() * last_.q_size), 1 / order_);
  if (needed_ > most_found_steps) state_ = State::too_long;
}

}  // namespace livens
