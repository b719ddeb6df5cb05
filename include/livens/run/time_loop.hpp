// The time loop: t_n = t_0 + n h (never accumulated), one step after another, audit at every step, rows to a sink every
// n-th step. A step that cannot be solved ends the run; what was computed is kept and says where it ends.
//
// What a state is, what is consistent and what the audit looks at is the kind's to say (kind.hpp), what a step is the
// method's (step_of.hpp).
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "livens/run/archive.hpp"
#include "livens/run/companion.hpp"
#include "livens/run/hook.hpp"
#include "livens/run/kind.hpp"
#include "livens/run/monitor.hpp"
#include "livens/run/report.hpp"
#include "livens/run/step_of.hpp"
#include "livens/run/table.hpp"

namespace livens {

template <class T>
struct MarchSettings {
  T t0 = T(0), step = T(0);
  long long steps = 0, every = 1;
  SolverSettings<RealOf<T>> solver{};
  const std::atomic<bool>* stop = nullptr;  // set from outside: end after the current step
  CheckpointSink* checkpoints = nullptr;
  long long checkpoint_every = 0;     // steps; besides the first and the last state
  std::string_view resume_from = {};  // the memory of an earlier run; empty: begin
  std::vector<Companion<T>*> companions = {};
};

// The state at the end in the meaning of the results: consistent momentum and accurate multiplier, and beside them what
// the scheme itself produced. What the kind of system does not have is empty, and so are raw values that could not
// be had (the extra step failed).
template <class T>
struct FinalState {
  T t{};
  Vec<T> q, p;
  std::optional<Vec<T>> v, lambda;
  struct Raw {
    std::string name;
    Vec<T> values;
    bool of_multipliers;
    friend bool operator==(const Raw&, const Raw&) = default;
  };
  std::vector<Raw> raw;
};

// Rows at which momentum or multiplier is not determined, and states that the audit could not look at for this reason.
struct NotDetermined {
  long long rows = 0, states = 0;
  double first = 0;  // time of the first one
  void count(long long& which, double t) {
    if (rows + states == 0) first = t;
    ++which;
  }
  template <class Archive>
  void archive(Archive& a) {
    a(rows, states, first);
  }
};

template <class System>
class March {
 public:
  using T = typename System::Scalar;
  using Kind = KindOf<System>;
  using Hook = StepHook<System>;

  March(const System& system, std::unique_ptr<StepOf<System>> step, const MarchSettings<T>& settings,
        Hook* hook = nullptr)
      : settings_(settings),
        step_(std::move(step)),
        raw_comes_later_(step_->traits.raw == RawValues::start_of_step),
        hook_(hook),
        state_(system),
        before_(system),
        kind_(system, step_->traits) {}
  template <class Method>
  requires requires(const Method& method) { method.traits(); }
  March(const System& system, const Method& method, const MarchSettings<T>& settings, Hook* hook = nullptr)
      : March(system, livens::make_step(system, provisional(method), method, settings.solver), settings, hook) {
    if constexpr (requires { method.provisional(); })
      prepare_ = [&system, method, settings](const StartState<System>& start) {
        return with_prepared(system, method, start, settings.step, settings.solver, [&](const Method& prepared) {
          return livens::make_step(system, prepared, method, settings.solver);
        });
      };
  }

  Columns columns(const std::vector<std::string>& invariants) const {
    Columns c = {{"t", 0, Role::time}};
    Per momentum = Per::coordinate;
    for (const Column& column : kind_.state_columns()) {
      c.push_back(column);
      if (column.role == Role::momentum) momentum = column.per;
    }
    const auto per = [&](RawValue::Per of) {
      return of == RawValue::Per::momentum     ? momentum
             : of == RawValue::Per::coordinate ? Per::coordinate
                                               : Per::multiplier;
    };
    step_->visit_raw(state_, [&](const RawValue& what, std::span<const T> x) {
      if (x.empty()) return;
      c.push_back({"raw_" + std::string(what.name), static_cast<int>(x.size()), Role::raw, per(what.per)});
    });
    const Watched& watched = kind_.audit().watched;
    if (watched.energy) c.push_back({"audit/energy", 0, Role::energy});
    if (watched.balance) c.push_back({"audit/energy_balance", 0, Role::energy_balance});
    if (watched.constraint) c.push_back({"audit/constraint", 0, Role::constraint});
    if (watched.hidden_constraint) c.push_back({"audit/hidden_constraint", 0, Role::hidden_constraint});
    for (const auto& name : invariants) c.push_back({"audit/invariants/" + name, 0, Role::invariant});
    c.push_back({"iterations", 0, Role::companion});
    for (const Companion<T>* companion : settings_.companions)
      for (const Column& column : companion->columns()) c.push_back(column);
    return c;
  }

  RunReport run(const StartState<System>& start, RowSink* rows, Monitor* monitor) {
    begin(start);
    RunReport report;
    if (settings_.resume_from.empty()) {
      finalise();
      if (rows) record(*rows);
      checkpoint();
    } else {
      restore();
    }
    StepReport step;
    long long next_watch = 0;
    while (steps_done_ < settings_.steps && !stopped_at_) {
      if (settings_.stop && settings_.stop->load(std::memory_order_relaxed)) {
        report.outcome = RunOutcome::interrupted;
        break;
      }
      const long long n = steps_done_;
      const bool recorded = rows && (n + 1) % settings_.every == 0;
      make_step(rows, recorded, step, report.attempt);
      if (!succeeded(step.outcome)) {
        report.attempt.from = kind_.audited_place(time(n), state_);
        report.outcome = RunOutcome::failed;
        report.failure = step;
        break;
      }
      cost_.add(step);
      iterations_ = static_cast<double>(step.iterations);
      steps_done_ = n + 1;
      if (recorded && !stopped_at_) record(*rows);
      if (settings_.checkpoint_every > 0 && (n + 1) % settings_.checkpoint_every == 0) checkpoint();
      if (monitor && n + 1 >= next_watch) {
        next_watch = monitor->watch(n + 1, to_double(time(n + 1)), kind_.audit());
        warn(*monitor);
      }
    }
    report.steps = steps_done_;
    report.cost = cost_;
    if (report.failure) report.cost.add(*report.failure);
    checkpoint();  // before the last row, which a longer run may not have
    finish(rows);
    return report;
  }

  const AuditFigures& audit() const { return kind_.audit(); }
  const FinalState<T>& final_state() const { return final_; }
  const StepOf<System>& step() const { return *step_; }
  const NotDetermined& not_determined() const { return not_determined_; }

 private:
  T time(long long n) const { return settings_.t0 + static_cast<T>(n) * settings_.step; }
  // Of the state.
  T now() const { return stopped_at_ ? *stopped_at_ : time(steps_done_); }

  // A method that finds out something by its first step is known when that is.
  template <class Method>
  static Method provisional(const Method& method) {
    if constexpr (requires { method.provisional(); })
      return method.provisional();
    else
      return method;
  }

  void begin(const StartState<System>& start) {
    if (prepare_) step_ = prepare_(start);
    state_.q = start.q;
    state_.p = start.p;
    kind_.begin(start, settings_.step);
    started_ = step_->start(start.t, state_, start.hint);
    if (hook_) hook_->begin(start.t, state_, start.hint);
    for (Companion<T>* companion : settings_.companions) companion->observe(kind_.audited_view(start.t, state_));
    steps_done_ = 0;
  }

  void warn(Monitor& monitor) {
    if (warned_) return;
    const std::string words = step_->warning();
    warned_ = !words.empty();
    if (warned_) monitor.warn(words);
  }

  // From node n = steps_done_ to the next, looked at and taken into the audit; if not, the state is that of node n.
  // Inlined, as `inspect`: 4 % of an audited step of the pendulum.
  [[gnu::always_inline]] void make_step(RowSink* rows, bool recorded, StepReport& step, Attempt& attempt) {
    const T t0 = time(steps_done_);
    T t1 = time(steps_done_ + 1);
    before_ = state_;
    if (!started_) {
      step = {};
      step.outcome = step_->why_not_started();
      attempt.to = kind_.audited_place(t0, state_);
      return;
    }
    if (hook_) {
      memory_.clear();
      step_->save(memory_);
    }
    step_->advance(t0, t1, settings_.step, state_, step);
    if (!succeeded(step.outcome)) {
      attempt.to = kind_.attempted_place(t1, settings_.step, state_, step_->attempted_position());
      return;
    }
    if (raw_comes_later_) finish_pending_row(rows);
    kind_.remember();
    if (hook_) ask_hook(t0, t1, step);
    if (succeeded(step.outcome)) inspect(t1, recorded || stopped_at_ || steps_done_ + 1 == settings_.steps, step);
    if (succeeded(step.outcome)) return;
    attempt.to = kind_.audited_place(t1, state_);
    state_ = before_;
    stopped_at_.reset();
    kind_.take_back(t0, state_);
    finalised_ = -1;
    step_is_ahead_ = true;
  }

  void ask_hook(const T& t0, T& t1, StepReport& step) {
    if (hook_->after_step(t0, t1, before_, memory_.bytes(), state_, step) == Hook::Verdict::nothing) return;
    t1 = hook_->stopped_at();
    stopped_at_ = t1;
    ArchiveReader memory(memory_.bytes());
    step_->restore(memory, t0, before_);
    state_ = before_;
    StepReport shorter;
    step_->advance(t0, t1, t1 - t0, state_, shorter);
    if (!succeeded(shorter.outcome)) step = shorter;
  }

  // The audit comes last: it takes nothing of a step that fails here.
  [[gnu::always_inline]] void inspect(const T& t, bool final_too, StepReport& step) {
    const auto failed = [&step](StepPart part, Outcome outcome) {
      if (!succeeded(outcome)) step.part = part, step.outcome = outcome;
      return !succeeded(outcome);
    };
    if (failed(StepPart::audit, kind_.look(t, state_))) return;
    if (final_too) {
      finalised_ = steps_done_ + 1;
      if (failed(StepPart::multiplier, kind_.finalise(t, state_))) return;
    }
    for (Companion<T>* companion : settings_.companions)
      if (failed(StepPart::audit, companion->judge(kind_.audited_view(t, state_)))) return;
    if (failed(StepPart::audit, kind_.observe(t, state_) ? Outcome::converged : Outcome::not_finite)) return;
    for (Companion<T>* companion : settings_.companions) companion->observe(kind_.audited_view(t, state_));
    if (!is_audited()) not_determined_.count(not_determined_.states, to_double(t));
  }
  bool is_audited() const {
    if constexpr (requires { kind_.is_audited(); })
      return kind_.is_audited();
    else
      return true;
  }
  bool is_determined() const {
    if constexpr (requires { kind_.is_determined(); })
      return kind_.is_determined();
    else
      return true;
  }

  void finalise() {
    finalised_ = steps_done_;
    kind_.finalise(now(), state_);
  }

  // ---- memory -------------------------------------------------------------------------------------------------------
  template <class Archive>
  void archive(Archive& a) {
    a(cost_, steps_done_, finalised_, recorded_, state_, kind_, row_, raw_at_, pending_, not_determined_, iterations_);
  }

  void checkpoint() {
    if (!settings_.checkpoints || saved_ == steps_done_ || step_is_ahead_ || stopped_at_) return;
    ArchiveWriter writer;
    archive(writer);
    step_->save(writer);
    for (Companion<T>* companion : settings_.companions) companion->save(writer);
    if (hook_) hook_->save(writer);
    settings_.checkpoints->save(steps_done_, writer.take());
    saved_ = steps_done_;
  }

  void restore() {
    ArchiveReader reader(settings_.resume_from);
    archive(reader);
    step_->restore(reader, time(steps_done_), state_);
    for (Companion<T>* companion : settings_.companions) companion->restore(reader);
    if (hook_) hook_->restore(reader);
    if (!reader.at_end()) throw ArchiveError();
    saved_ = steps_done_;
  }

  // ---- rows ---------------------------------------------------------------------------------------------------------

  // The state, finalised.
  void record(RowSink& rows) {
    const StateView<T> x = kind_.final_view(now(), state_);
    row_.clear();
    row_.push_back(to_double(x.t));
    append(x.q), append(x.v), append(x.p), append(x.lambda);
    raw_at_ = row_.size();
    step_->visit_raw(state_, [&](const RawValue& what, std::span<const T> raw) {
      // Before the first step only the momentum is there, which is carried from the start.
      if (!raw_comes_later_ && (steps_done_ > 0 || what.known_at_start))
        append(raw);
      else
        row_.resize(row_.size() + raw.size(), std::numeric_limits<double>::quiet_NaN());
    });
    const AuditFigures& a = kind_.audit();
    const auto audited = [&](double number) {
      row_.push_back(is_audited() ? number : std::numeric_limits<double>::quiet_NaN());
    };
    if (a.watched.energy) audited(a.energy.last);
    if (a.watched.balance) audited(a.last_balance);
    if (a.watched.constraint) audited(a.last_constraint);
    if (a.watched.hidden_constraint) audited(a.last_hidden_constraint);
    for (const Conserved& c : a.invariants) audited(c.last);
    row_.push_back(iterations_);
    if (!is_determined() && recorded_ != steps_done_) not_determined_.count(not_determined_.rows, to_double(x.t));
    for (Companion<T>* companion : settings_.companions) companion->record(x, row_);
    recorded_ = steps_done_;
    if (raw_comes_later_)
      pending_ = true;  // its raw values come with the next step
    else
      rows.write(row_);
  }

  // The step that has just been done knows the raw values of the node where it started.
  void finish_pending_row(RowSink* rows) {
    if (!pending_ || !rows) return;
    std::size_t k = raw_at_;
    step_->visit_raw(state_, [&](const RawValue&, std::span<const T> values) {
      for (const T& x : values) row_[k++] = to_double(x);
    });
    rows->write(row_);
    pending_ = false;
  }

  void finish(RowSink* rows) {
    const T t = now();
    if (finalised_ != steps_done_) finalise();
    if (rows && (recorded_ != steps_done_ || stopped_at_)) record(*rows);
    const StateView<T> x = kind_.final_view(t, state_);
    final_ = {t, copy(x.q), copy(x.p), {}, {}, {}};
    if constexpr (Kind::has_velocity) final_.v = copy(x.v);
    if constexpr (Kind::has_multipliers) final_.lambda = copy(x.lambda);
    if (!raw_comes_later_) {
      if (steps_done_ > 0 && !step_is_ahead_) take_raw(state_);
      return;
    }
    bool has_raw = false;
    State<System> ahead = state_;
    if (started_ && !step_is_ahead_) {  // one extra step for the nodal values of the last node
      StepReport extra;
      step_->advance(t, stopped_at_ ? T(t + settings_.step) : time(steps_done_ + 1), settings_.step, ahead, extra);
      has_raw = succeeded(extra.outcome);
    }
    if (has_raw) take_raw(ahead);
    if (rows && pending_) {
      if (has_raw)
        finish_pending_row(rows);
      else
        pending_ = false, rows->write(row_);
    }
  }

  void take_raw(const State<System>& state) {
    step_->visit_raw(state, [&](const RawValue& what, std::span<const T> x) {
      final_.raw.push_back({std::string(what.name), copy(x), what.per == RawValue::Per::multiplier});
    });
  }

  static Vec<T> copy(std::span<const T> x) {
    Vec<T> out(static_cast<int>(x.size()));
    std::copy(x.begin(), x.end(), out.begin());
    return out;
  }
  void append(std::span<const T> x) {
    for (const T& xi : x) row_.push_back(to_double(xi));
  }

  MarchSettings<T> settings_;
  std::unique_ptr<StepOf<System>> step_;
  std::function<std::unique_ptr<StepOf<System>>(const StartState<System>&)> prepare_;
  bool raw_comes_later_;
  Hook* hook_;
  State<System> state_, before_;
  Kind kind_;
  Cost cost_;             // of the steps done
  ArchiveWriter memory_;  // of the step, before it was made; where there is a hook
  NotDetermined not_determined_;
  double iterations_ = 0;  // of the last step
  std::vector<double> row_;
  std::size_t raw_at_ = 0;
  bool started_ = true, pending_ = false, step_is_ahead_ = false, warned_ = false;
  long long steps_done_ = 0, finalised_ = -1, recorded_ = -1, saved_ = -1;
  std::optional<T> stopped_at_;  // by the hook
  FinalState<T> final_;
};

}  // namespace livens
