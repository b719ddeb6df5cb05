#include "livens/study/step_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "livens/methods/methods.hpp"
#include "livens/run/result.hpp"
#include "livens/simulation/simulate.hpp"
#include "study/pilot.hpp"

namespace livens {

using formula::Number;

namespace {

constexpr long long first_steps = 2, most_nodes = 1024;
constexpr double most_found_steps = 1e9;
constexpr double share = 0.3;  // of the accuracy asked for that is aimed at

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

// A method to be tried, and how it is written in a model.
struct Candidate {
  std::string text;
  Model::Method method;
};

Candidate candidate(const std::string& name, std::vector<std::pair<std::string, OptionValue>> options) {
  Candidate c{name, {name, {}}};
  for (const auto& [key, value] : options) {
    c.method.options.emplace(key, value);
    const std::string text = std::visit([](const auto& x) { return fmt::format("{}", x); }, value);
    c.text += (c.method.options.size() == 1 ? "(" : ", ") + key + "=" + text;
  }
  if (!options.empty()) c.text += ")";
  return c;
}

// Higher orders last.
std::vector<Candidate> candidates_for(const Model& model) {
  std::vector<Candidate> all;
  const auto stages = [&](const char* method, const char* key, long long least, long long most) {
    for (long long s = least; s <= most; ++s) all.push_back(candidate(method, {{key, s}}));
  };
  switch (model.system->kind()) {
    case SystemKind::lagrangian:
      all.push_back(candidate("rattle", {}));
      stages("galerkin", "s", 1, 8);
      break;
    case SystemKind::degenerate:
      stages("vprk", "stages", 1, 4);
      break;
    case SystemKind::odae:
      for (const char* scheme : {"strang", "yoshida4", "suzuki4", "blanes-moan4"})
        all.push_back(candidate("composition", {{"scheme", std::string(scheme)}}));
      stages("spark", "s", 1, 3);
      break;
  }
  std::erase_if(all, [&](const Candidate& c) {
    for (const MethodEntry& entry : methods())
      if (entry.name == c.method.name) return entry.misfit && !entry.misfit(model).empty();
    return true;
  });
  return all;
}

// How many points of the step one evaluation of its equations looks at.
double points_of(const Options& options) {
  for (const auto& [key, value] : options.values())
    if (key == "s" || key == "stages")
      if (const long long* s = std::get_if<long long>(&value)) return static_cast<double>(*s);
  return 1;
}

// ---- one method -----------------------------------------------------------------------------------------------------

class Search {
 public:
  enum class State { going, found, round_off, chaos, too_long, stopped };

  Search(const Model& model, std::string text, double asked, const std::atomic<bool>* stop, const WatchPilot& watch)
      : model_(model),
        text_(std::move(text)),
        asked_(asked),
        stop_(stop),
        watch_(watch),
        method_(choose_method(model_)),
        options_(read_options(model_, method_)),
        order_(method_.traits(options_).order),
        epsilon_(unit_round_off(model_.run.precision)) {}

  State state() const { return state_; }
  double order() const { return order_; }
  const Model& model() const { return model_; }
  long long steps() const { return found_steps_; }
  const Accuracy& accuracy() const { return accuracy_; }
  const std::vector<PilotRow>& rows() const { return rows_; }
  std::optional<double> horizon() const { return horizon_; }
  double smallest_error() const { return smallest_; }
  double needed_steps() const { return std::max(needed_, static_cast<double>(last_.steps)); }

  double seconds_of_last() const { return last_.seconds; }

  // Of the run to come, in units that different methods have in common.
  std::optional<double> predicted_work() const {
    if (!last_.solved || last_.steps == 0) return {};
    std::optional<double> steps;
    if (state_ == State::found)
      steps = static_cast<double>(found_steps_);
    else if (errors_.size() > 1 && errors_[errors_.size() - 2].known && errors_[errors_.size() - 2].q < 0.1 * range())
      steps = static_cast<double>(last_.steps / 2) *
              std::pow(std::max(1e-300, errors_[errors_.size() - 2].q / (share * asked_)), 1.0 / order_);
    if (!steps) return {};
    return *steps * work(last_.cost) / static_cast<double>(last_.steps);
  }
  // Of the next pilot; one that follows a pilot that could not be solved may go to its end.
  double evaluations_of_next() const {
    constexpr double of_a_step = 8;
    if (!last_.solved) return of_a_step * static_cast<double>(std::max(first_steps, 2 * last_.steps));
    return 2 * static_cast<double>(last_.cost.evaluations);
  }
  double predicted_evaluations() const {
    return *predicted_work() / std::max(1.0, work(last_.cost)) * static_cast<double>(last_.cost.evaluations);
  }

  // One more pilot, with twice as many steps.
  void refine() {
    const long long steps = last_.steps == 0 ? first_steps : 2 * last_.steps;
    if (static_cast<double>(steps) > most_found_steps) {
      state_ = State::too_long;
      return;
    }
    Pilot next = run(steps, model_.run.precision);
    if (state_ == State::stopped) return;
    errors_.push_back({});
    if (errors_.size() > 1 && last_.solved && next.solved) {
      Level& level = errors_[errors_.size() - 2];
      level = compare(last_, next);
      rows_[rows_.size() - 2].error = level.q;
    }
    earlier_ = std::move(before_);
    before_ = std::move(last_);
    last_ = std::move(next);
    judge();
    if (state_ == State::going && is_loose() && stalls()) solve_to_round_off();
  }

 private:
  struct Level {
    bool known = false;
    long long steps = 0;
    double q = 0, q_end = 0, p = 0, p_end = 0;  // errors, relative
  };

  double work(const Cost& cost) const {
    const double points = points_of(options_);
    const double size = points * (model_.system->coordinates() + model_.system->constraints());
    const double formulas = std::max(1.0, model_.system->operations_of_step() / 10);
    const double matrix = std::min(size * size * size / 3, 15 * size * points);
    return points * formulas * static_cast<double>(cost.evaluations) +
           (3 * points * formulas + matrix) * static_cast<double>(cost.jacobians);
  }

  // Where the model does not say how far equations are solved, that is as far as the accuracy needs: at round-off one
  // iteration in two would be spent on digits that no pilot is asked for. Empty: to round-off.
  std::optional<double> tolerance(long long steps) const {
    if (model_.solver.tolerance || to_round_off_) return model_.solver.tolerance;
    const double enough = asked_ / (1e6 * static_cast<double>(steps));
    return enough > 100 * epsilon_ ? std::optional(enough) : std::nullopt;
  }
  bool is_loose() const { return !model_.solver.tolerance && tolerance(last_.steps); }

  Pilot run(long long steps, Precision precision) {
    Model model = model_;
    model.run.precision = precision;
    model.solver.tolerance = tolerance(steps);
    Pilot pilot = run_pilot(model, method_, options_, steps, nodes_of(steps), stop_);
    if (stop_ && stop_->load()) {
      state_ = State::stopped;
      return pilot;
    }
    PilotRow row{.method = text_,
                 .options = model_.method,
                 .steps = steps,
                 .step = to_double(Number((model_.run.end - model_.initial.t) / Number(steps))),
                 .error = {},
                 .cost = pilot.cost,
                 .seconds = pilot.seconds,
                 .work = work(pilot.cost)};
    rows_.push_back(row);
    if (watch_) watch_(row);
    return pilot;
  }

  // How far apart they are, relative, at the nodes that they have in common.
  static Level compare(const Pilot& coarse, const Pilot& fine) {
    Level level{.known = true, .steps = coarse.steps};
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

  double range() const { return last_.q_size > 0 ? last_.range / last_.q_size : 1; }
  double noise(long long steps) const { return 20 * epsilon_ * (1 + std::sqrt(static_cast<double>(steps))); }

  static std::optional<double> slope(const Level& a, const Level& b) {
    if (!a.known || !b.known || !(a.q > 0) || !(b.q > 0)) return {};
    return std::log2(a.q / b.q);
  }

  // Errors that do not fall as they should may be those of equations that were not solved far enough, which an unstable
  // motion makes larger.
  bool stalls() const {
    const std::size_t n = errors_.size();
    if (n < 3 || !errors_[n - 2].known) return false;
    const double q = errors_[n - 2].q;
    if (q > 0.1 * range()) return last_.steps >= 256;
    return slope(errors_[n - 3], errors_[n - 2]).value_or(order_) < 0.5 * order_;
  }
  void solve_to_round_off() {
    to_round_off_ = true;
    for (Pilot* pilot : {&before_, &last_}) {
      *pilot = run(pilot->steps, model_.run.precision);
      if (state_ == State::stopped) return;
    }
    Level& level = errors_[errors_.size() - 2];
    level = {};
    if (before_.solved && last_.solved) level = compare(before_, last_);
    if (level.known) rows_[rows_.size() - 2].error = level.q;
    judge();
  }

  void judge() {
    if (errors_.size() < 2) return;
    const std::size_t k = errors_.size() - 2;
    const Level& now = errors_[k];
    if (!now.known) return;
    smallest_ = std::min(smallest_, now.q);
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
    if (now.q <= share * asked_ && seen < 3 * order_ + 1) return settle_between();
    const double before = k > 1 ? slope(errors_[k - 2], errors_[k - 1]).value_or(INFINITY) : INFINITY;
    const bool small = errors_[k - 1].q < 0.3 * range() && now.q < 0.1 * range();
    const bool near_order = std::abs(seen - order_) < 0.15 * order_ + 0.2;
    const bool as_order = std::abs(seen - order_) < 0.35 * order_ + 0.5;
    const bool steady = std::abs(seen - before) < 0.3 && seen > 0.7;
    const bool settled = std::abs(seen - order_) < 0.04 * order_ + 0.04 && std::abs(before - order_) < 0.2 * order_;
    if (small && (as_order || steady)) {
      believed_ = true;
      if (is_erratic(k)) return;  // a finer pilot decides
      const double to_come = as_order ? order_ + (seen - order_) / 3 : seen;
      const double N =
          static_cast<double>(now.steps) * std::pow(now.q / (1 - std::exp2(-seen)) / (share * asked_), 1 / to_come);
      needed_ = N;
      const bool above_noise = asked_ > 3 * noise(static_cast<long long>(std::min(N, most_found_steps)));
      const double furthest = settled ? 4 : near_order || steady ? 2 : 1.25;
      if (above_noise && N <= furthest * static_cast<double>(last_.steps))
        settle(N, now, to_come, seen);
      else if (N > most_found_steps)
        state_ = State::too_long;
      return;
    }
    // Errors that were small and have stopped to become smaller.
    const bool was_small = believed_ || now.q < 1e-3 * range();
    if (was_small && seen < 0.4 * order_ && before < 0.6 * order_ && !is_loose())
      now.q < 0.7 * asked_ ? settle_between() : static_cast<void>(state_ = State::round_off);
    if (last_.steps >= 1 << 16 && now.q > 0.1 * range()) look_for_horizon();
  }

  // The smallest N whose error is small enough, between two pilots with known errors.
  void settle_between() {
    std::size_t k = errors_.size() - 2;
    const double aim = std::max(share * asked_, std::min(1.5 * errors_[k].q, 0.7 * asked_));
    while (k > 0 && errors_[k - 1].known && errors_[k - 1].q <= aim) --k;
    const Level& fine = errors_[k];
    if (fine.q > aim || k == 0 || !errors_[k - 1].known)
      return settle(static_cast<double>(fine.steps), fine, order_, {});
    const Level& coarse = errors_[k - 1];
    const double s = *slope(coarse, fine), N = static_cast<double>(coarse.steps) * std::pow(coarse.q / aim, 1 / s);
    // Errors that fall much faster than the order says are those of steps that do not resolve the motion yet: they
    // depend on where the nodes happen to lie.
    if ((s > order_ + 1 || is_erratic(k)) && coarse.steps >= 16) return settle_by_trial(N, coarse.steps, fine);
    settle(N, coarse, s, s);
  }

  // High orders are not believed from one slope alone: a difference of 2 in it is a factor of 4 from pilot to pilot.
  bool is_erratic(std::size_t k) const {
    if (order_ < 8) return false;
    const auto near = [&](std::size_t j) {
      const std::optional<double> s = j > 0 ? slope(errors_[j - 1], errors_[j]) : std::nullopt;
      return s && std::abs(*s - order_) < 0.2 * order_;
    };
    return !near(k) || (k > 1 && !near(k - 1));
  }

  // With 5/4, 6/4 or 7/4 of the steps of the coarser one, compared with the finest pilot.
  void settle_by_trial(double N, long long coarse_steps, const Level& fine) {
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

  // e(N) = e of the level, scaled.
  void settle(double N, const Level& from, double exponent, std::optional<double> observed) {
    found_steps_ = meeting_end(std::max(1LL, static_cast<long long>(std::ceil(N * (1 - 1e-12)))));
    const double factor = std::pow(static_cast<double>(from.steps) / static_cast<double>(found_steps_), exponent) /
                          (observed ? 1 - std::exp2(-*observed) : 1);
    const auto scaled = [&](double e) { return std::max(e * factor, epsilon_); };
    accuracy_.asked = asked_;
    accuracy_.q = {scaled(from.q_end), scaled(from.q)};
    accuracy_.p = {scaled(from.p_end), scaled(from.p)};
    accuracy_.slope = observed;
    state_ = State::found;
    weigh_rounding();
  }

  // What the rounding of data and steps does to the motion: pilots share it, and do not see it in their differences.
  void weigh_rounding() {
    const std::optional<Precision> wider = wider_than(model_.run.precision);
    if (!wider || asked_ > 1e7 * epsilon_ || !before_.solved) return;
    // A coarse pilot tells as much as a fine one, if it follows the motion.
    const bool coarse = earlier_.solved && errors_.size() > 2 && errors_[errors_.size() - 3].known &&
                        errors_[errors_.size() - 3].q < 0.01 * range();
    const Pilot& rounded = coarse ? earlier_ : before_;
    const Pilot precise = run(rounded.steps, *wider);
    if (state_ == State::stopped || !precise.solved) return;
    const Level rounding = compare(rounded, precise);
    rows_.back().note = fmt::format("in {} precision: rounding moves the motion by {:.1g}", name(*wider), rounding.q);
    if (rounding.q > 0.7 * asked_) {
      smallest_ = rounding.q;
      state_ = State::round_off;
      return;
    }
    accuracy_.q.end += rounding.q_end, accuracy_.q.max += rounding.q;
    accuracy_.p.end += rounding.p_end, accuracy_.p.max += rounding.p;
  }

  // N or a little more, so that t + N step is the end to the last bit in double.
  long long meeting_end(long long N) const {
    const double t0 = to_double(model_.initial.t), end = to_double(model_.run.end);
    for (long long more = N; more <= N + std::max(0LL, std::min(64LL, N / 40)); ++more) {
      const double step = to_double(Number((model_.run.end - model_.initial.t) / Number(more)));
      if (t0 + static_cast<double>(more) * step == end) return more;
    }
    return N;
  }

  // Errors of the last pilots grow exponentially and have become as large as the motion.
  void look_for_horizon() {
    if (!before_.solved || !last_.solved) return;
    Differences differences;
    const auto every = static_cast<std::size_t>(last_.nodes / before_.nodes);
    const std::size_t n = before_.q.size() / before_.t.size();
    std::vector<double> q(n);
    for (std::size_t k = 0; k < before_.t.size(); ++k) {
      double apart = 0;
      for (std::size_t i = 0; i < n; ++i) {
        q[i] = to_double(last_.q[k * every * n + i]);
        apart = std::max(apart, std::abs(to_double(Widest(before_.q[k * n + i] - last_.q[k * every * n + i]))));
      }
      differences.take_sizes(q, {});
      if (k > 0) differences.add({before_.t[k], apart, apart, 0, 0});
    }
    horizon_ = differences.estimate(to_double(model_.initial.t), epsilon_).horizon;
    if (horizon_) state_ = State::chaos;
  }

  Model model_;
  const std::string text_;
  const double asked_;
  const std::atomic<bool>* stop_;
  const WatchPilot& watch_;
  const MethodEntry& method_;
  const Options options_;
  const double order_, epsilon_;
  State state_ = State::going;
  Pilot earlier_, before_, last_;
  std::vector<Level> errors_;  // of all pilots
  std::vector<PilotRow> rows_;
  bool believed_ = false, to_round_off_ = false;
  double smallest_ = 1e300, needed_ = 0;
  std::optional<double> horizon_;
  long long found_steps_ = 0;
  Accuracy accuracy_;
};

Model with_method(const Model& model, const Model::Method& method) {
  Model other = model;
  other.method = method;
  return other;
}

// Why the accuracy cannot be reached.
InputError unreachable(const Model& model, const Search& search) {
  const double asked = *model.run.accuracy;
  const auto say = [&](const std::string& words) { return InputError(model.at("run.accuracy", words)); };
  const char* const wider = model.run.precision == Precision::double_ ? "; write precision = \"extended\" or \"quad\""
                            : model.run.precision == Precision::extended ? "; write precision = \"quad\""
                                                                         : "";
  switch (search.state()) {
    case Search::State::chaos:
      return say(
          fmt::format("{:.2g} cannot be reached: errors grow exponentially, and beyond t = {:.4g} the motion cannot be "
                      "known; write an earlier end{}, or give a step: energies and averages still can be known",
                      asked, *search.horizon(), wider));
    case Search::State::too_long:
      return say(
          fmt::format("{:.2g} would take about {:.1g} steps; give a larger accuracy, an earlier end, or a method of "
                      "higher order",
                      asked, search.needed_steps()));
    default:
      return say(fmt::format("{:.2g} cannot be reached in {} precision: round-off leaves an error of {:.1g}{}", asked,
                             name(model.run.precision), search.smallest_error(), wider));
  }
}

FoundStep result_of(const Model& model, const Search& search, bool method_too) {
  FoundStep found;
  if (method_too) {
    const Model::Method& method = search.model().method;
    found.set.emplace_back("method.name", '"' + method.name + '"');
    for (const auto& [key, value] : method.options)
      found.set.emplace_back("method." + key,
                             std::holds_alternative<std::string>(value)
                                 ? '"' + std::get<std::string>(value) + '"'
                                 : std::visit([](const auto& x) { return fmt::format("{}", x); }, value));
  }
  found.steps = search.steps();
  found.set.emplace_back("run.step", digits(Number((model.run.end - model.initial.t) / Number(found.steps))));
  found.accuracy = search.accuracy();
  return found;
}

void add_pilots(const Search& search, FoundStep& found) {
  for (const PilotRow& row : search.rows()) {
    found.pilots.push_back(row);
    found.evaluations += row.cost.evaluations;
  }
}

}  // namespace

std::optional<FoundStep> find_step(const Model& model, const std::atomic<bool>* stop, const WatchPilot& watch) {
  refuse_contacts(model);
  const double asked = *model.run.accuracy, epsilon = unit_round_off(model.run.precision);
  if (asked < 20 * epsilon)
    throw InputError(model.at(
        "run.accuracy",
        fmt::format("{:.2g} is within the round-off of {} precision, {:.2g}{}", asked, name(model.run.precision),
                    epsilon, model.run.precision == Precision::quad ? "" : "; write precision = \"quad\"")));
  const bool choose = model.method.name == "auto";
  if (choose && !model.method.options.empty())
    throw InputError(model.at("method." + model.method.options.begin()->first,
                              "\"auto\" chooses method and options; leave it out, or name a method"));
  std::vector<Search> searches;
  if (choose) {
    for (const Candidate& c : candidates_for(model)) {
      check_run(with_method(model, c.method), choose_method(with_method(model, c.method)),
                read_options(with_method(model, c.method), choose_method(with_method(model, c.method))));
      searches.emplace_back(with_method(model, c.method), c.text, asked, stop, watch);
    }
  } else {
    const MethodEntry& method = choose_method(model);
    check_run(model, method, read_options(model, method));
    searches.emplace_back(model, method.name, asked, stop, watch);
  }
  if (searches.empty()) throw InputError(model.at("method.name", "\"auto\" has no method for this system; name one"));

  // One of high order is tried until what it will cost can be predicted, the others a little; the cheapest goes on, and
  // another one where it turns out to be cheaper than that.
  constexpr double little = 0.06;  // of the evaluations of the run to come
  Search* const first =
      &*std::find_if(searches.rbegin(), searches.rend() - 1, [](const Search& s) { return s.order() <= 12; });
  const Search* best = nullptr;
  for (;;) {
    Search *next = nullptr, *untried = nullptr;
    for (Search& search : searches) {
      if (search.state() == Search::State::stopped) return {};
      // Rounding and chaos are those of the motion: another method does not help.
      if (!best && (search.state() == Search::State::round_off || search.state() == Search::State::chaos))
        throw unreachable(model, search);
      if (search.state() == Search::State::found && (!best || *search.predicted_work() < *best->predicted_work()))
        best = &search;
      if (search.state() != Search::State::going) continue;
      if (!search.predicted_work()) {
        if (!untried || search.evaluations_of_next() < untried->evaluations_of_next()) untried = &search;
      } else if (!next || *search.predicted_work() < *next->predicted_work()) {
        next = &search;
      }
    }
    const Search* const cheapest = best ? best : next;
    if (!cheapest && first->state() == Search::State::going)
      first->refine();
    else if (untried && (!cheapest || untried->evaluations_of_next() < little * cheapest->predicted_evaluations()))
      untried->refine();
    else if (next && (!best || *next->predicted_work() < 0.7 * *best->predicted_work()))
      next->refine();
    else
      break;
  }
  if (!best) throw unreachable(model, searches.front());
  FoundStep found = result_of(model, *best, choose);
  for (const Search& search : searches) add_pilots(search, found);
  return found;
}

std::optional<Advice> advise(const Model& given, const std::atomic<bool>* stop, const WatchPilot& watch) {
  constexpr double long_enough = 0.25;  // seconds of a pilot after which there is none finer
  constexpr double finest = 1e-12;
  if (given.is_boundary_problem())
    throw InputError(given.at("final", "advice is about initial value problems; leave it out and give initial.v"));
  if (!given.run.given)
    throw InputError(given.at("run", "the section is missing; add [run] with end = 10.0 and accuracy = 1e-6"));
  Model model = given;
  Advice advice;
  advice.accuracy = model.run.accuracy.value_or(1e-6);
  model.run.accuracy = finest;
  std::vector<Candidate> candidates = candidates_for(model);
  if (!model.method.name.empty() && model.method.name != "auto") {
    std::vector<std::pair<std::string, OptionValue>> options(model.method.options.begin(), model.method.options.end());
    Candidate own = candidate(model.method.name, options);
    const auto same = [&](const Candidate& c) { return c.text == own.text; };
    if (std::none_of(candidates.begin(), candidates.end(), same)) candidates.insert(candidates.begin(), own);
  }
  for (const Candidate& c : candidates) {
    const Model tried = with_method(model, c.method);
    const MethodEntry& method = choose_method(tried);
    check_run(tried, method, read_options(tried, method));
    Search search(tried, c.text, finest, stop, watch);
    while (search.state() == Search::State::going && search.seconds_of_last() < long_enough) search.refine();
    if (search.state() == Search::State::stopped) return {};
    for (const PilotRow& row : search.rows())
      if (row.error && *row.error < 0.5) advice.rows.push_back(row);
  }
  if (advice.rows.empty())
    throw InputError(model.at("run", "no method could be run with steps that follow the motion; write an earlier end"));
  const auto reaches = [&](const PilotRow& row) { return *row.error <= advice.accuracy; };
  for (std::size_t k = 1; k < advice.rows.size(); ++k) {
    const PilotRow &row = advice.rows[k], &best = advice.rows[advice.recommended];
    const bool better =
        reaches(row) ? !reaches(best) || row.work < best.work : !reaches(best) && *row.error < *best.error;
    if (better) advice.recommended = k;
  }
  return advice;
}

}  // namespace livens
