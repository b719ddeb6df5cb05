#include "livens/study/step_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/methods/methods.hpp"
#include "livens/run/result.hpp"
#include "livens/simulation/simulate.hpp"
#include "study/method_search.hpp"
#include "study/studied_system.hpp"

namespace livens {

using formula::Number;

namespace {

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

Model with_method(const Model& model, const Model::Method& method) {
  Model other = model;
  other.method = method;
  return other;
}

// Why the accuracy cannot be reached.
InputError unreachable(const Model& model, const MethodSearch& search) {
  const double asked = *model.run.accuracy;
  const auto say = [&](const std::string& words) { return InputError(model.at("run.accuracy", words)); };
  const char* const wider = model.run.precision == Precision::double_ ? "; write precision = \"extended\" or \"quad\""
                            : model.run.precision == Precision::extended ? "; write precision = \"quad\""
                                                                         : "";
  switch (search.state()) {
    case MethodSearch::State::chaos:
      return say(
          fmt::format("{:.2g} cannot be reached: errors grow exponentially, and beyond t = {:.4g} the motion cannot be "
                      "known; write an earlier end{}, or give a step: energies and averages still can be known",
                      asked, *search.horizon(), wider));
    case MethodSearch::State::ends:
      return say(fmt::format(
          "{:.2g} cannot be reached: beyond t = {:.4g} no step down to {:.1g} could be solved; the motion ends "
          "there, or needs much smaller steps: write an earlier end, or give a step and see why it fails",
          asked, search.stuck()->t, search.stuck()->step));
    case MethodSearch::State::too_long:
      return say(
          fmt::format("{:.2g} would take about {:.1g} steps; give a larger accuracy, an earlier end, or a method of "
                      "higher order",
                      asked, search.needed_steps()));
    default:
      return say(fmt::format("{:.2g} cannot be reached in {} precision: round-off leaves an error of {:.1g}{}", asked,
                             name(model.run.precision), search.smallest_error(), wider));
  }
}

FoundStep result_of(const Model& model, const MethodSearch& search, bool method_too) {
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

void add_pilots(const MethodSearch& search, FoundStep& found) {
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
    throw InputError(model.at("run.accuracy", fmt::format("{:.2g} is within the round-off of {} precision, {:.2g}{}",
                                                          asked, name(model.run.precision), epsilon,
                                                          model.run.precision == Precision::quad ? ""
                                                          : asked < 20 * unit_round_off(Precision::extended)
                                                              ? "; write precision = \"quad\""
                                                              : "; write precision = \"extended\"")));
  const bool choose = model.method.name == "auto";
  if (choose && !model.method.options.empty())
    throw InputError(model.at("method." + model.method.options.begin()->first,
                              "\"auto\" chooses method and options; leave it out, or name a method"));
  Common common{choose ? 6.5 : 2.7};
  std::vector<MethodSearch> searches;
  if (choose) {
    for (const Candidate& c : candidates_for(model)) {
      check_run(with_method(model, c.method), choose_method(with_method(model, c.method)),
                read_options(with_method(model, c.method), choose_method(with_method(model, c.method))));
      searches.emplace_back(with_method(model, c.method), c.text, asked, MethodSearch::Begin::with_scouts, common, stop,
                            watch);
    }
  } else {
    const MethodEntry& method = choose_method(model);
    check_run(model, method, read_options(model, method));
    searches.emplace_back(model, method.name, asked, MethodSearch::Begin::with_scouts, common, stop, watch);
  }
  if (searches.empty()) throw InputError(model.at("method.name", "\"auto\" has no method for this system; name one"));

  // One of high order is tried until what it will cost can be predicted, the others a little; the cheapest goes on, and
  // another one where it turns out to be cheaper than that.
  constexpr double little = 0.06;  // of the evaluations of the run to come
  using State = MethodSearch::State;
  const auto highest = [&](double order) {
    return &*std::find_if(searches.rbegin(), searches.rend() - 1,
                          [order](const MethodSearch& s) { return s.order() <= order; });
  };
  MethodSearch* first = highest(12);
  const MethodSearch* best = nullptr;
  // What the others may cost together, in runs of the first or of the best found: low orders that do not see a close
  // encounter promise cheap runs until they do. Where the first one has failed there is nothing to spare.
  constexpr double of_others = 3.3;
  const auto is_too_dear = [&](const MethodSearch& search) {
    const bool first_failed = first->state() != State::going && first->state() != State::found;
    if (&search == first || (!best && first_failed)) return false;
    const auto spent = static_cast<double>(first->evaluations());
    double run = first->predicted_work() ? first->predicted_evaluations() : spent;
    if (best) run = std::min(run, best->predicted_evaluations());
    return static_cast<double>(common.spent) - spent + search.evaluations_of_next() > of_others * run;
  };
  // Where corners of formulas are crossed, orders above 4 are worth nothing, and to try others, too, would cost more
  // than it saves.
  constexpr double rough_order = 4;
  for (;;) {
    const bool one_only = choose && common.crosses;
    if (one_only) first = highest(rough_order);
    MethodSearch *next = nullptr, *untried = nullptr;
    for (MethodSearch& search : searches) {
      if (search.state() == State::stopped) return {};
      // Rounding, chaos and the end are those of the motion, if one of high order says so: no other method helps.
      const bool at_an_end =
          search.state() == State::round_off || search.state() == State::chaos || search.state() == State::ends;
      if (!best && at_an_end && search.order() >= first->order()) throw unreachable(model, search);
      if (search.state() == State::found && (!best || *search.predicted_work() < *best->predicted_work()))
        best = &search;
      if (search.state() != State::going || is_too_dear(search)) continue;
      if (one_only && &search != first) continue;
      if (!search.predicted_work()) {
        if (!untried || search.evaluations_of_next() < untried->evaluations_of_next()) untried = &search;
      } else if (!next || *search.predicted_work() < *next->predicted_work()) {
        next = &search;
      }
    }
    const MethodSearch* const cheapest = best ? best : next;
    if (!cheapest && first->state() == State::going)
      first->refine();
    else if (untried && (!cheapest || untried->evaluations_of_next() < little * cheapest->predicted_evaluations()))
      untried->refine();
    else if (next && (!best || *next->predicted_work() < 0.7 * *best->predicted_work()))
      next->refine();
    else
      break;
  }
  if (!best) throw unreachable(model, *first);
  FoundStep found = result_of(model, *best, choose);
  for (const MethodSearch& search : searches) add_pilots(search, found);
  return found;
}

std::optional<Advice> advise(const Model& given, const std::atomic<bool>* stop, const WatchPilot& watch) {
  // Work of a pilot after which there is none finer, some tenths of a second: the table is the same on every machine.
  constexpr double enough_work = 4e7;
  if (given.is_boundary_problem())
    throw InputError(given.at("final", "advice is about initial value problems; leave it out and give initial.v"));
  if (!given.run.given)
    throw InputError(given.at("run", "the section is missing; add [run] with end = 10.0 and accuracy = 1e-6"));
  Model model = given;
  Advice advice;
  advice.accuracy = model.run.accuracy.value_or(1e-6);
  const double finest = std::min(1e-12, advice.accuracy / 10);
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
    Common common{INFINITY};
    MethodSearch search(tried, c.text, finest, MethodSearch::Begin::with_two_steps, common, stop, watch);
    while (search.state() == MethodSearch::State::going && search.work_of_last() < enough_work) search.refine();
    if (search.state() == MethodSearch::State::stopped) return {};
    // Large steps may agree on what finer ones do not: none is said to be better than a finer one.
    std::vector<PilotRow> rows = search.rows();
    double largest = 0;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
      if (row->error) row->error = largest = std::max(largest, *row->error);
    for (const PilotRow& row : rows)
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
