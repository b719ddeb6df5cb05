// One run of a system, whatever its kind: start, time loop, results. Compiled once per system type, in
// src/simulation/systems.
#pragma once

#include <optional>

#include "livens/model/redundant.hpp"
#include "simulation/angle_watch.hpp"
#include "simulation/branch_watch.hpp"
#include "simulation/event_log.hpp"
#include "simulation/event_watch.hpp"
#include "simulation/finer_runs.hpp"
#include "simulation/friction_watch.hpp"
#include "simulation/left_out.hpp"
#include "simulation/mechanism_rows.hpp"
#include "simulation/model_system.hpp"
#include "simulation/reactions_and_work.hpp"
#include "simulation/recorded_values.hpp"
#include "simulation/size_watch.hpp"

namespace livens {

// A model to be run: as given, and without the constraints that others imply.
struct RunOrder {
  const Model& given;
  const IndependentModel& independent;
  const MethodEntry& method;
  const Options& options;
  const RunContext& context;
};

// A constraint that was left out is watched, and the results are completed by it (left_out.hpp).
template <class System>
class LeftOutConstraints {
 public:
  using T = typename System::Scalar;
  LeftOutConstraints(const RunOrder& order, const StartState<System>&, MarchSettings<T>&) {
    if (!order.independent.left_out.empty()) throw std::logic_error("redundant constraints of this kind of system");
  }
  Columns complete(const Columns& columns) { return columns; }
  RowSink* complete(RowSink* rows) { return rows; }
  Vec<T> multipliers(const FinalState<T>&, const Vec<T>& kept) { return kept; }
  void finish(RunResult&) {}
};

template <class System>
requires(!DegenerateSystem<System> && !OverdeterminedSystem<System>) class LeftOutConstraints<System> {
 public:
  using T = typename System::Scalar;

  LeftOutConstraints(const RunOrder& order, const StartState<System>& start, MarchSettings<T>& settings)
      : given_(order.given), left_out_(order.independent.left_out) {
    if (left_out_.empty()) return;
    const auto dynamic = [](const auto& x) {
      Vec<T> out(x.size());
      std::copy(x.begin(), x.end(), out.begin());
      return out;
    };
    all_.emplace(given_, left_out_);
    all_->check(given_, start.t, dynamic(start.q), dynamic(start.hint));
    watched_.emplace(given_, left_out_);
    settings.companions.push_back(&*watched_);
  }
  Columns complete(const Columns& columns) {
    if (!watched_) return columns;
    rows_.emplace(given_, left_out_, columns, watched_->last());
    return rows_->columns();
  }
  RowSink* complete(RowSink* rows) {
    if (!rows || !rows_) return rows;
    rows_->write_to(rows);
    return &*rows_;
  }
  Vec<T> multipliers(const FinalState<T>& f, const Vec<T>& kept) {
    return all_ ? all_->multipliers(f.t, f.q, std::span<const T>(kept.begin(), kept.end())) : kept;
  }
  void finish(RunResult& result) {
    if (!watched_) return;
    const bool one = left_out_.size() == 1;
    result.message = given_.system->constraint_list(left_out_) +
                     (result.report.failure && result.report.failure->outcome == Outcome::not_redundant
                          ? (one ? " was left out, which follows from the others at the start"
                                 : " were left out, which follow from the others at the start")
                      : one ? " says what others say and was left out"
                            : " say what others say and were left out") +
                     "; multipliers are those of the smallest norm";
    result.audit.constraint = std::max(result.audit.constraint, watched_->worst().constraint);
    result.audit.hidden_constraint = std::max(result.audit.hidden_constraint, watched_->worst().hidden_constraint);
  }

 private:
  const Model& given_;
  const std::vector<int>& left_out_;
  std::optional<LeastNorm<T>> all_;
  std::optional<LeftOut<T>> watched_;
  std::optional<LeastNormRows> rows_;
};

// The state at the end in the results, and what the scheme produced. multipliers(lambda) are those of all constraints.
template <class T, class Multipliers>
void put_final(const FinalState<T>& f, const Multipliers& multipliers, RunResult& result) {
  result.final.t = values(Vec<T>{f.t});
  result.final.q = values(f.q);
  if (f.v) result.final.v = values(*f.v);
  result.final.p = values(f.p);
  if (f.lambda) result.final.lambda = values(multipliers(*f.lambda));
  for (const auto& x : f.raw)
    result.raw.push_back({x.name, values(x.of_multipliers ? multipliers(x.values) : x.values)});
}

// Where momentum or multiplier is not determined, in words; empty: nowhere.
std::string in_words(const NotDetermined& where);

// The bodies and joints of a mechanism, in its rows and at the end.
class PartsOfMechanism {
 public:
  explicit PartsOfMechanism(const Model& given) : given_(given) {}
  Columns complete(const Columns& columns) {
    if (!given_.system->mechanism()) return columns;
    rows_.emplace(given_, columns);
    return rows_->columns();
  }
  RowSink* complete(RowSink* rows) {
    if (!rows || !rows_) return rows;
    rows_->write_to(rows);
    return &*rows_;
  }
  void finish(RunResult& result) const;

 private:
  const Model& given_;
  std::optional<MechanismRows> rows_;
};

// start: consistent.
template <class System>
RunResult run_system(const System& system, const ModelStart<System>& start, const RunOrder& order) {
  using T = typename System::Scalar;
  const Model& model = order.independent.model;
  MarchSettings<T> settings = march_settings<T>(model, order.context);
  const auto companions = asked_for<T>(model);
  for (const auto& companion : companions) settings.companions.push_back(companion.get());
  SizeWatch<T> sizes;
  settings.companions.push_back(&sizes);
  std::optional<AngleWatch<T>> angles;
  if (model.system->mechanism() && has_angles(*model.system->mechanism()))
    settings.companions.push_back(&angles.emplace(*model.system));
  std::optional<FrictionWatch<T>> friction;
  if (model.system->friction()) settings.companions.push_back(&friction.emplace(*model.system));
  std::optional<BranchWatch<T>> branches;
  if (WatchedConstraints watched = watched_constraints(model); watched.jacobian) {
    const MethodTraits traits = order.method.traits(order.options);
    settings.companions.push_back(
        &branches.emplace(std::move(watched), traits.carries_final_momentum || traits.audit_uses_final));
  }
  LeftOutConstraints<System> left_out(order, start.state, settings);
  const auto step_with = [&](const T& h) {
    return step_of<System>(model, order.method, order.options, {system, start.state, h, settings.solver});
  };
  auto step = step_with(settings.step);
  std::optional<FinerRuns<System>> finer;
  if (model.run.estimate) {
    Walk<System> half(system, step_with(settings.step / T(2))), quarter(system, step_with(settings.step / T(4)));
    settings.companions.push_back(
        &finer.emplace(system, std::move(half), std::move(quarter), start.state, settings.step));
  }

  // After what may refuse a state: only events of steps that stand are told.
  EventLog<T> log;
  settings.companions.push_back(&log);
  std::optional<EventWatch<System>> events;
  if (!model.events.empty()) {
    log.listen_to(events.emplace(model, system, step_with(settings.step)).found());
    events->watch(dynamic_cast<CutStep<System>*>(step.get()));
  }
  if constexpr (requires { system.happened(*step); }) log.listen_to(system.happened(*step));

  RunResult result;
  result.chosen = step->found();
  result.move = start.move;
  result.move.q = std::max(result.move.q, order.given.initial.shift);
  March<System> march(system, std::move(step), settings, events ? &*events : nullptr);
  PartsOfMechanism parts(order.given);
  ValuesOfModel recorded(order.given);
  const Columns columns =
      recorded.complete(parts.complete(left_out.complete(march.columns(model.system->invariant_names()))));
  RowSink* const rows = left_out.complete(
      parts.complete(recorded.complete(order.context.open_rows ? order.context.open_rows(columns) : nullptr)));
  result.report = march.run(start.state, rows, order.context.monitor);
  result.audit = march.audit();
  result.sizes = sizes.sizes();
  const FinalState<T>& f = march.final_state();
  put_final(
      f, [&](const Vec<T>& lambda) { return left_out.multipliers(f, lambda); }, result);
  result.events = log.events();
  left_out.finish(result);
  parts.finish(result);
  recorded.finish(result);
  if (finer && result.report.steps > 0) result.accuracy = finer->estimate();
  if (auto& failure = result.report.failure; friction && failure && failure->part == StepPart::equations && f.lambda) {
    const auto all = [](const Vec<T>& of) { return std::span<const T>(of.begin(), of.end()); };
    if (friction->is_about_to_rest({f.t, all(f.q), {}, all(f.p), all(*f.lambda)}, to_double(settings.step)))
      failure->outcome = Outcome::at_rest;
  }
  if (friction && !friction->stopped().empty())
    result.message += (result.message.empty() ? "" : "; ") + ("it is " + friction->stopped());
  const auto tell = [&](const std::string& words) {
    if (!words.empty()) result.message += (result.message.empty() ? "" : "; ") + words;
  };
  tell(march.step().warning());
  if (branches) tell(branches->words());
  if (!result.events.empty() && result.events.back().kind == EventKind::stop && !result.report.failure)
    tell(
        fmt::format("it stopped at t = {:.10g} at the event \"{}\", and so does a run that is made longer; action = "
                    "\"record\" goes on",
                    result.events.back().t, model.events[static_cast<std::size_t>(result.events.back().index)].name));
  tell(in_words(march.not_determined()));
  return result;
}

}  // namespace livens
