#include "study/method_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "livens/methods/methods.hpp"
#include "simulation/fastest_oscillation.hpp"

namespace livens {

using formula::Number;

namespace {

constexpr long long first_steps = 2, most_nodes = 1024;
constexpr double most_found_steps = 1e9;
constexpr double good_enough = 0.6;  // of the accuracy asked for, where an error was measured and not predicted
constexpr double far = 300;          // times it: too much to take a step by the order alone
constexpr double cautious = 0.1;     // of it that is aimed at where a step is taken by the order alone
constexpr double most_first_steps = 1 << 14;  // that scouts alone may ask for
constexpr double share = 0.3;                 // of the accuracy asked for that is aimed at
constexpr long long part_of_scouts = 8;       // they go through the first part of the time, one of so many
constexpr long long really_at_rest = 256;     // steps of a pilot that is believed that nothing moves
constexpr long long too_long_at_rest = 32;    // of scouts that have not moved yet
// Of the error at the end, in the first part: between growth with the time and with its square.
constexpr double share_of_scouts = 1.0 / 16;

// Nodes at which a pilot is looked at: all, or every second, fourth, ..
long long nodes_of(long long steps) {
  while (steps > most_nodes && steps % 2 == 0) steps /= 2;
  return steps;
}

// The next wider scalar.
std::optional<Precision> wider_than(Precision precision) {
  if (precision == Precision::double_) return Precision::extended;
  if (precision == Precision::extended && LIVENS_QUAD) return Precision::quad;
  return {};
}

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
      epsilon_(unit_round_off(model_.run.precision)),
      scouting_(begin == Begin::with_scouts) {}

// ---- what is known -------------------------------------------------------------------------------------------------

double MethodSearch::Level::whole(double power) const {
  return 1 / (1 - std::pow(of_next, power));
}

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

// The power of the steps with which errors fall: the order, or what is seen where corners of formulas are crossed.
double MethodSearch::falling() const {
  if (!is_rough()) return order_;
  const std::vector<Level>& levels = scouting_ ? scouts_ : errors_;
  const std::size_t n = levels.size();
  for (const std::size_t back : {4UL, 3UL})  // over three pilots, or two: they fall unevenly
    if (n > back - 1)
      if (const std::optional<double> seen = slope(levels[n - back], levels[n - 2]))
        return std::clamp(*seen, 1.0, order_);
  return 1;
}

// With which an error is the one aimed at.
double MethodSearch::steps_for(const Level& level, double power, double aim) const {
  const double error = level.q * level.whole(falling());
  return static_cast<double>(level.steps) * std::pow(std::max(1e-300, error / aim), 1 / power);
}

double MethodSearch::work(const Cost& cost) const {
  const double points = points_of(options_);
  const double size = points * (model_.system->coordinates() + model_.system->constraints());
  const double formulas = std::max(1.0, model_.system->operations_of_step() / 10);
  const double matrix = std::min(size * size * size / 3, 15 * size * points);
  return points * formulas * static_cast<double>(cost.evaluations) +
         (3 * points * formulas + matrix) * static_cast<double>(cost.jacobians);
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
  const Mesh beside = common_.jumps && next_.empty() && last_.steps > 0 ? beside_last(2) : Mesh{};
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
    rows_[rows_.size() - 2].error = level.q;
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

// Of q, at the nodes that they have in common after the start.
std::vector<double> MethodSearch::differences(const Pilot& coarse, const Pilot& fine) {
  std::vector<double> all;
  const std::size_t n = coarse.q.size() / coarse.t.size();
  for (long long k = 1; k <= coarse.nodes; ++k) {
    if (k * fine.nodes % coarse.nodes != 0) continue;
    const auto at = static_cast<std::size_t>(k), other = static_cast<std::size_t>(k * fine.nodes / coarse.nodes);
    double apart = 0;
    for (std::size_t i = 0; i < n; ++i)
      apart = std::max(apart, std::abs(to_double(Widest(coarse.q[at * n + i] - fine.q[other * n + i]))));
    all.push_back(apart);
  }
  return all;
}

// At the nodes that they have in common.
MethodSearch::Level MethodSearch::compare(const Pilot& coarse, const Pilot& fine) {
  Level level{.known = true, .steps = coarse.steps};
  level.of_next = static_cast<double>(coarse.steps) / static_cast<double>(fine.steps);
  const auto distance = [&](const std::vector<Widest>& a, const std::vector<Widest>& b, double size, double& most,
                            double& end) {
    const std::size_t n = a.size() / coarse.t.size();
    for (long long k = 0; k <= coarse.nodes; ++k) {
      if (k * fine.nodes % coarse.nodes != 0) continue;
      const auto at = static_cast<std::size_t>(k), other = static_cast<std::size_t>(k * fine.nodes / coarse.nodes);
      end = 0;
      for (std::size_t i = 0; i < n; ++i)
        end = std::max(end, std::abs(to_double(Widest(a[at * n + i] - b[other * n + i]))));
      most = std::max(most, end);
    }
    if (size > 0) most /= size, end /= size;
  };
  distance(coarse.q, fine.q, fine.q_size, level.q, level.q_end);
  distance(coarse.p, fine.p, fine.p_size, level.p, level.p_end);
  return level;
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
  regular_ = regular_ && resolves(scouted_);
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
  while (!meets_end(coarser * u) && u < least + least / 8) u += by;
  next_ = {coarser * u, finer * u};
}

// Of the first part of the time, as scouts measured them at all of their nodes, for N steps through the whole of it:
// what has faded from one node that two pilots have in common to the next, as a fast transient does, is not seen by
// these. Slopes become steeper where steps begin to resolve a motion, and flatter towards the order: between two scouts
// the error is at most the larger one of what the line between them says and what both lines beside it say.
MethodSearch::Level MethodSearch::errors_of_scouts(double N) const {
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
  if (settled_down && (now.q < 1e6 * epsilon_ || follows(static_cast<double>(last_.steps))))
    now.q < 0.7 * asked_ ? settle_between() : static_cast<void>(state_ = State::round_off);
  if (last_.steps >= 1 << 16 && now.q > 0.1 * range(last_)) look_for_horizon();
  if (small && scouted_ > 0 && next_.empty()) go_on_near(steps_for(now, order_, aim()));
}

// Where corners of formulas are crossed errors fall slowly and unevenly, as these lie in their steps: only what was
// tried is taken, whatever it costs.
void MethodSearch::judge_rough() {
  const std::size_t k = errors_.size() - 2;
  const Level now = errors_[k];
  const double s = falling(), error = now.q * now.whole(s);
  needed_ = steps_for(now, s, good_enough * asked_);
  if (error <= good_enough * asked_) {
    if (error >= 0.05 * asked_) return accept(static_cast<double>(now.steps), now, s, s);
    const bool between = !common_.jumps && k > 0 && errors_[k - 1].known && errors_[k - 1].steps >= 16;
    return between ? settle_by_trial(1, errors_[k - 1].steps, now) : coarsen(now);
  }
  if (now.q <= noise(now.steps)) state_ = State::round_off;
  constexpr std::size_t earlier = 6;  // pilots
  const std::optional<double> trend = k >= earlier ? slope(errors_[k - earlier], now) : std::nullopt;
  if (state_ != State::going || !trend) return;
  const auto is_small = [&](const Level& level) { return level.q < 0.1 * range(last_); };
  const bool is_stalled = *trend < 1.0 / 3 && last_.steps >= 4096;
  if (!is_small(now) && is_stalled) return look_for_horizon();
  if (!is_small(errors_[k - earlier])) return;
  needed_ = steps_for(now, std::clamp(*trend, 1.0, order_), good_enough * asked_);
  if (is_stalled && (!common_.jumps || now.q <= 1e4 * noise(now.steps)))
    state_ = State::round_off;
  else if (needed_ > most_found_steps)
    state_ = State::too_long;
}

// About so many times the steps of the last pilot. A jump just after a node is taken for one at it, by steps and by
// their halves: so the two have only those nodes in common at which they are compared.
MethodSearch::Mesh MethodSearch::beside_last(double factor) const {
  const long long common = std::min(128LL, last_.nodes & -last_.nodes), parts = last_.steps / common;
  if (common < 8) return {static_cast<long long>(factor * static_cast<double>(last_.steps)), 0};
  long long other = std::max(1LL, static_cast<long long>(factor * static_cast<double>(parts)));
  while (std::gcd(other, parts) > 1 || !meets_end(other * common)) ++other;
  return {other * common, common};
}

// Less and less steps, as long as they are enough.
void MethodSearch::coarsen(Level level) {
  for (double factor = 0.25; level.steps > 1; factor /= 2) {
    const Mesh mesh = common_.jumps ? beside_last(factor) : Mesh{level.steps / 2, 0};
    if (mesh.steps < 1 || mesh.steps >= level.steps) break;
    const Pilot trial = run(mesh.steps, model_.run.precision, 1, {}, mesh.nodes);
    if (state_ == State::stopped) return;
    if (!trial.solved) break;
    const Level coarser = compare(trial, last_);
    rows_.back().error = coarser.q;
    if (coarser.q * coarser.whole(1) > good_enough * asked_) break;
    level = coarser;
  }
  accept(static_cast<double>(level.steps), level, 1, 1);
}

// A finer pilot beside N steps, where N is not far.
void MethodSearch::go_on_near(double N) {
  const auto last = static_cast<double>(last_.steps);
  if (N < 2 * last) next_ = {steps_beside_last(std::max(N, 1.25 * last))};
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
  rows_.back().error = coarser.q;
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
  return (may_fall && level.q < 0.01 * range(last_) && follows(steps)) || (order_shows() && resolves(steps));
}

// The radians of the fastest oscillation at the start, through the whole time.
double MethodSearch::radians() {
  if (!radians_) {
    const Model::Initial& initial = model_.initial;
    const auto plain = [](const std::vector<Number>& x) {
      std::vector<double> out;
      for (const Number& number : x) out.push_back(to_double(number));
      return out;
    };
    const auto found = fastest_oscillation(model_, {to_double(initial.t), plain(initial.q), plain(initial.v), {}});
    radians_ = found ? found->omega * std::abs(to_double(Number(model_.run.end - initial.t))) : 0;
  }
  return *radians_;
}

// Whether N steps see that oscillation, a radian from point to point. With larger steps it stays where it is, or turns
// back and forth, so that errors fall with the order until they are as large as it.
bool MethodSearch::resolves(double N) {
  return N * points_of(options_) >= radians();
}

// Whether its phase is right to a radian at the end.
bool MethodSearch::follows(double N) {
  return N * points_of(options_) >= radians() * std::pow(std::max(1.0, radians()), 1 / order_);
}

// Pilots that do not see the fastest oscillation say nothing about it: the step that they found is compared with one
// that does, and so are halves of it. Where that is dear, in the first part of the time.
void MethodSearch::look_at_fastest_oscillation() {
  const auto found = static_cast<double>(found_steps_);
  if (resolves(found)) return;
  needed_ = radians() / points_of(options_);
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
    rows_.back().error = level.q;
    if (level.q > (part == 1 ? 1 : 0.5) * good_enough * asked_) continue;
    found_steps_ = meeting_end(std::max(found_steps_, steps * part));
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
    long long steps = steps_beside_last(N);
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
      if (trial.solved) rows_.back().error = level.q;
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
    rows_.back().error = level.q;
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
      const long long finer = steps_beside_last(std::max(N, 1.1 * static_cast<double>(last_.steps)));
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
  found_steps_ = meeting_end(static_cast<long long>(std::ceil(std::max({1.0, N * (1 - 1e-12), least_}))));
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

// Rounding errors of the first steps grow as the differences of the pilots do, which began to differ there. Where they
// grow that much only within the first eighth, it may be that the first was small by chance: then it is looked at if
// that is not too dear.
bool MethodSearch::rounding_may_matter() const {
  const std::vector<double> apart = differences(before_, last_);
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

// t + N step is the end to the last bit in double.
bool MethodSearch::meets_end(long long N) const {
  const double step = to_double(Number((model_.run.end - model_.initial.t) / Number(N)));
  return to_double(model_.initial.t) + static_cast<double>(N) * step == to_double(model_.run.end);
}

// N or a little more.
long long MethodSearch::meeting_end(long long N) const {
  for (long long more = N; more <= N + std::min(64LL, N / 40); ++more)
    if (meets_end(more)) return more;
  return N;
}

// About N steps that have many nodes in common with the last pilot.
long long MethodSearch::steps_beside_last(double N) const {
  const auto by =
      static_cast<long long>(std::bit_floor(static_cast<unsigned long long>(std::max(1.0, N / most_nodes))));
  const auto least = static_cast<long long>(std::ceil(N / static_cast<double>(by))) * by;
  long long best = least, common = 0;
  for (long long steps = least; steps <= least + least / 8; steps += by)
    if (const long long both = std::gcd(nodes_of(steps), last_.nodes); both > common && meets_end(steps))
      best = steps, common = both;
  return best;
}

// Errors of the last pilots grow exponentially and have become as large as the motion. Whether smaller steps help is
// said by the rounding of the first steps, which grows as they do.
void MethodSearch::look_for_horizon() {
  if (!before_.solved || !last_.solved) return;
  Differences differences;
  const auto every = static_cast<std::size_t>(last_.nodes / before_.nodes);
  const std::size_t n = before_.q.size() / before_.t.size();
  const double start = before_.t.front(), time = std::abs(before_.t.back() - start);
  std::vector<double> q(n), apart;
  for (std::size_t k = 0; k < before_.t.size(); ++k) {
    apart.push_back(0);
    for (std::size_t i = 0; i < n; ++i) {
      q[i] = to_double(last_.q[k * every * n + i]);
      apart[k] = std::max(apart[k], std::abs(to_double(Widest(before_.q[k * n + i] - last_.q[k * every * n + i]))));
    }
    differences.take_sizes(q, {});
    if (k > 0) differences.add({before_.t[k], apart[k], apart[k], 0, 0});
  }
  // There is no third run here to compare with, and errors at a close encounter that steps do not see grow, too.
  const double least_growth = last_.steps < 1 << 20 ? 1000 : 16;
  const std::optional<double> lost = differences.estimate(start, epsilon_, {.least = least_growth, .nodes = 0}).horizon;
  if (!lost) return;
  // Until then, and until an eighth of that time.
  const auto size = [&](double part) {
    double largest = 0;
    for (std::size_t k = 1; k < apart.size(); ++k)
      if (std::abs(before_.t[k] - start) <= part * std::abs(*lost - start)) largest = std::max(largest, apart[k]);
    return largest;
  };
  const double all = size(1), early = std::max(size(1.0 / 8), epsilon_ * last_.q_size);
  const double rate = std::log(all / early) / (7.0 / 8 * std::abs(*lost - start));
  const double rounding = epsilon_ * std::sqrt(static_cast<double>(last_.steps)) * last_.q_size;
  const double known = std::abs(*lost - start) + std::log(std::max(1.0, early / rounding)) / rate;
  if (known < time) {
    horizon_ = start + std::copysign(known, before_.t.back() - start);
    state_ = State::chaos;
    return;
  }
  const double growth = std::exp(rate * (time - std::abs(*lost - start))) * all / (aim() * last_.q_size);
  needed_ = static_cast<double>(last_.steps) * std::pow(growth, 1 / order_);
  if (needed_ > most_found_steps) state_ = State::too_long;
}

}  // namespace livens
