// The time loop: t_n = t_0 + n h (never accumulated), one step after another, audit at every step, rows to a sink every
// n-th step. A step that cannot be solved ends the run; what was computed is kept and says where it ends.
//
//   struct Pendulum { ... };                                       // see system/lagrangian.hpp
//   auto run = march(Pendulum{}, Rattle{}, {.q = {1, 0}, .v = {0, 0}, .step = 0.01, .steps = 10000});
//   run.rows.back().q, run.audit.energy.max_error
#pragma once

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "livens/audit/audit.hpp"
#include "livens/method/method.hpp"
#include "livens/run/archive.hpp"
#include "livens/run/attempt.hpp"
#include "livens/run/companion.hpp"
#include "livens/run/table.hpp"
#include "livens/system/lagrangian.hpp"
#include "livens/system/start.hpp"

namespace livens {

enum class RunOutcome { finished, failed, interrupted };

struct Cost {
  long long newton_iterations = 0, jacobians = 0, evaluations = 0;
  long long doubtful = 0;  // steps whose solution may not continue the motion
  void add(const StepReport& step) {
    newton_iterations += step.iterations, jacobians += step.jacobians, evaluations += step.evaluations;
    doubtful += step.continued ? 0 : 1;
  }
};

struct RunReport {
  RunOutcome outcome = RunOutcome::finished;
  long long steps = 0;                // steps done; the last valid state is t_0 + steps * h
  std::optional<StepReport> failure;  // of the step that was not done
  Attempt attempt;                    // where it was evaluated
  Cost cost;
};

// Asked from time to time how things go; answers with the step at which it wants to be asked again.
class Monitor {
 public:
  virtual ~Monitor() = default;
  virtual long long watch(long long step, double t, const AuditFigures& audit) = 0;
};

// Takes the memory of the run, from which it can go on as if nothing had happened.
class CheckpointSink {
 public:
  virtual ~CheckpointSink() = default;
  virtual void save(long long step, const std::string& memory) = 0;
};

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
// the scheme itself produced. Raw values that could not be had (the extra step failed) are empty.
template <class System>
struct FinalState {
  explicit FinalState(const System& system) : t(0), q(system.coordinates()), v(q), p(q), lambda(system.constraints()) {}
  typename System::Scalar t;
  typename System::Coordinates q, v, p;
  typename System::Multipliers lambda;
  std::vector<std::pair<std::string, Vec<typename System::Scalar>>> raw;  // by name: p, lambda
};

template <class System, class Method>
class March {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Step = typename Method::template Step<System>;

  March(const System& system, const Method& method, const MarchSettings<T>& settings)
      : system_(system),
        traits_(method.traits()),
        settings_(settings),
        step_(system, method, settings.solver),
        state_(system),
        before_(system),
        kinetics_(system),
        audit_(system),
        p_(system.coordinates()),
        v_(p_),
        audited_p_(traits_.audit_uses_final && !traits_.carries_final_momentum ? p_ : state_.p),
        v_before_(p_),
        final_p_(p_),
        final_v_(p_),
        lambda_(system.constraints()) {}

  Columns columns(const std::vector<std::string>& invariants) const {
    const int n = system_.coordinates(), m = system_.constraints();
    Columns c = {{"t", 0}, {"q", n}, {"v", n}, {"p", n}};
    if (m > 0) c.push_back({"lambda", m});
    step_.raw_values(state_, [&](std::string_view name, const auto& x) {
      if (x.size() > 0) c.push_back({"raw_" + std::string(name), x.size()});
    });
    c.insert(c.end(), {{"audit/energy", 0}, {"audit/constraint", 0}, {"audit/hidden_constraint", 0}});
    for (const auto& name : invariants) c.push_back({"audit/invariants/" + name, 0});
    for (const Companion<T>* companion : settings_.companions)
      for (const Column& column : companion->columns()) c.push_back(column);
    return c;
  }

  // Start values must be consistent (start.hpp).
  RunReport run(const StartValues<System>& start, RowSink* rows, Monitor* monitor) {
    begin(start);
    RunReport report;
    if (settings_.resume_from.empty()) {
      finalise(0);
      if (rows) record(*rows, 0);
      checkpoint();
    } else {
      restore();
    }
    StepReport step;
    long long next_watch = 0;
    for (long long n = steps_done_; n < settings_.steps; ++n) {
      if (settings_.stop && settings_.stop->load(std::memory_order_relaxed)) {
        report.outcome = RunOutcome::interrupted;
        break;
      }
      before_ = state_;
      step_.advance(time(n), time(n + 1), settings_.step, state_, step);
      const bool recorded = rows && (n + 1) % settings_.every == 0;
      if (succeeded(step.outcome)) {
        if (traits_.raw == RawValues::start_of_step) finish_pending_row(rows);
        inspect(n + 1, recorded || n + 1 == settings_.steps, step);
        if (!succeeded(step.outcome)) {
          report.attempt.to = place(time(n + 1), state_.q, v_, audited_p_);
          take_back(time(n));
        }
      } else {
        Coordinates u = step_.attempted_position();
        for (int i = 0; i < u.size(); ++i) u[i] = (u[i] - state_.q[i]) / settings_.step;
        report.attempt.to = place(time(n + 1), step_.attempted_position(), u, state_.p);
      }
      if (!succeeded(step.outcome)) {
        report.attempt.from = place(time(n), state_.q, v_, audited_p_);
        report.outcome = RunOutcome::failed;
        report.failure = step;
        break;
      }
      cost_.add(step);
      steps_done_ = n + 1;
      if (recorded) record(*rows, n + 1);
      if (settings_.checkpoint_every > 0 && (n + 1) % settings_.checkpoint_every == 0) checkpoint();
      if (monitor && n + 1 >= next_watch) next_watch = monitor->watch(n + 1, to_double(time(n + 1)), audit_.figures());
    }
    report.steps = steps_done_;
    report.cost = cost_;
    if (report.failure) report.cost.add(*report.failure);
    checkpoint();  // before the last row, which a longer run may not have
    finish(rows);
    return report;
  }

  const AuditFigures& audit() const { return audit_.figures(); }
  const FinalState<System>& final_state() const { return *final_; }

 private:
  T time(long long n) const { return settings_.t0 + static_cast<T>(n) * settings_.step; }

  void begin(const StartValues<System>& start) {
    state_.q = start.q;
    state_.p = p_ = start.p;
    v_ = v_before_ = start.v;
    kinetics_.start(start.t, start.q, start.v);
    step_.start(start.t, state_, start.v);
    audit_.start(start.t, start.q, start.p, start.v);
    for (Companion<T>* companion : settings_.companions) companion->observe(start.t, span(state_.q), span(v_));
    steps_done_ = 0;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(cost_, steps_done_, finalised_, recorded_, state_, step_, audit_);
    a(p_, v_, final_p_, final_v_, lambda_, row_, raw_at_, pending_, kinetics_);
  }

  void checkpoint() {
    if (!settings_.checkpoints || saved_ == steps_done_ || step_is_ahead_) return;
    ArchiveWriter writer;
    archive(writer);
    for (Companion<T>* companion : settings_.companions) companion->save(writer);
    settings_.checkpoints->save(steps_done_, writer.take());
    saved_ = steps_done_;
  }

  void restore() {
    ArchiveReader reader(settings_.resume_from);
    archive(reader);
    for (Companion<T>* companion : settings_.companions) companion->restore(reader);
    if (!reader.at_end()) throw ArchiveError();
    step_.resume(time(steps_done_), state_);
    saved_ = steps_done_;
  }

  // The velocity of the momentum that the audit looks at, into v_.
  Outcome look(const T& t) {
    if (&audited_p_ == &state_.p) return kinetics_.velocity(t, state_.q, state_.p, v_);
    p_ = state_.p;
    return kinetics_.project(t, state_.q, p_, v_);
  }

  // The audit comes last: it takes nothing of a step that fails here.
  void inspect(long long n, bool final_too, StepReport& step) {
    const T t = time(n);
    if (!kinetics_.structure().constant_mass) v_before_ = v_;
    const auto failed = [&step](StepPart part, Outcome outcome) {
      if (!succeeded(outcome)) step.part = part, step.outcome = outcome;
      return !succeeded(outcome);
    };
    if (failed(StepPart::audit, look(t))) return;
    if (final_too && failed(StepPart::multiplier, finalise(n))) return;
    for (Companion<T>* companion : settings_.companions)
      if (failed(StepPart::audit, companion->judge(t, span(state_.q), span(v_)))) return;
    if (failed(StepPart::audit, audit_.observe(t, state_.q, audited_p_, v_) ? Outcome::converged : Outcome::not_finite))
      return;
    for (Companion<T>* companion : settings_.companions) companion->observe(t, span(state_.q), span(v_));
  }

  // The step to t + h was solved but leads nowhere: what the audit looks at is again that at t.
  void take_back(const T& t) {
    state_ = before_;
    v_ = v_before_;
    look(t);
    finalised_ = -1;
    step_is_ahead_ = true;
  }

  // The final momentum and multiplier of state n, whose audited velocity is in v_.
  Outcome finalise(long long n) {
    const T t = time(n);
    finalised_ = n;
    final_p_ = audited_p_, final_v_ = v_;
    Outcome outcome = Outcome::converged;
    if (!traits_.audit_uses_final && !traits_.carries_final_momentum)
      outcome = kinetics_.project(t, state_.q, final_p_, final_v_);
    if (!succeeded(outcome)) final_p_.fill(not_a_number()), final_v_.fill(not_a_number());
    if (succeeded(outcome)) outcome = kinetics_.multiplier(t, state_.q, final_v_, lambda_);
    if (!succeeded(outcome)) lambda_.fill(not_a_number());
    return outcome;
  }

  // State n, finalised.
  void record(RowSink& rows, long long n) {
    row_.clear();
    row_.push_back(to_double(time(n)));
    append(state_.q), append(final_v_), append(final_p_), append(lambda_);
    raw_at_ = row_.size();
    step_.raw_values(state_, [&](std::string_view name, const auto& x) {
      // Before the first step only the momentum is there, which is carried from the start.
      if (traits_.raw == RawValues::end_of_step && (n > 0 || name == "p"))
        append(x);
      else
        row_.resize(row_.size() + static_cast<std::size_t>(x.size()), std::numeric_limits<double>::quiet_NaN());
    });
    const AuditFigures& a = audit_.figures();
    row_.insert(row_.end(), {a.energy.last, a.last_constraint, a.last_hidden_constraint});
    for (const Conserved& c : a.invariants) row_.push_back(c.last);
    for (Companion<T>* companion : settings_.companions)
      companion->record(time(n), span(state_.q), span(final_v_), span(lambda_), row_);
    recorded_ = n;
    if (traits_.raw == RawValues::start_of_step)
      pending_ = true;  // its raw values come with the next step
    else
      rows.write(row_);
  }

  // The step that has just been done knows the raw values of the node where it started.
  void finish_pending_row(RowSink* rows) {
    if (!pending_ || !rows) return;
    std::size_t k = raw_at_;
    step_.raw_values(state_, [&](std::string_view, const auto& values) {
      for (const T& x : values) row_[k++] = to_double(x);
    });
    rows->write(row_);
    pending_ = false;
  }

  void finish(RowSink* rows) {
    const T t = time(steps_done_);
    final_.emplace(system_);
    FinalState<System>& f = *final_;
    f.t = t;
    f.q = state_.q;
    if (finalised_ != steps_done_) finalise(steps_done_);
    if (rows && recorded_ != steps_done_) record(*rows, steps_done_);
    f.v = final_v_, f.p = final_p_, f.lambda = lambda_;
    if (traits_.raw == RawValues::end_of_step) {
      if (steps_done_ > 0 && !step_is_ahead_) take_raw(state_);
      return;
    }
    bool has_raw = false;
    State<System> ahead = state_;
    if (!step_is_ahead_) {  // one extra step for the nodal values of the last node
      StepReport extra;
      step_.advance(t, time(steps_done_ + 1), settings_.step, ahead, extra);
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
    step_.raw_values(state, [&](std::string_view name, const auto& x) {
      Vec<T> values(x.size());
      for (int i = 0; i < x.size(); ++i) values[i] = x[i];
      final_->raw.emplace_back(name, std::move(values));
    });
  }

  template <class Vector>
  void append(const Vector& x) {
    for (const T& xi : x) row_.push_back(to_double(xi));
  }
  template <class Vector>
  static std::span<const T> span(const Vector& x) {
    return {x.begin(), x.end()};
  }
  static T not_a_number() { return T(std::numeric_limits<double>::quiet_NaN()); }

  const System& system_;
  MethodTraits traits_;
  MarchSettings<T> settings_;
  Step step_;
  State<System> state_, before_;
  Kinetics<System> kinetics_;
  Audit<System> audit_;
  Coordinates p_, v_;              // of the audit; p_ where it projects
  const Coordinates& audited_p_;   // p_ or that of the state
  Coordinates v_before_;           // before the step, the guess where it is taken back
  Coordinates final_p_, final_v_;  // of the state `finalised_`, as lambda_
  Multipliers lambda_;
  Cost cost_;  // of the steps done
  std::vector<double> row_;
  std::size_t raw_at_ = 0;
  bool pending_ = false, step_is_ahead_ = false;
  long long steps_done_ = 0, finalised_ = -1, recorded_ = -1, saved_ = -1;
  std::optional<FinalState<System>> final_;
};

// ---- for C++ systems: run in memory
// ------------------------------------------------------------------------------------

template <int N>
struct MarchOptions {
  double t0 = 0;
  Vec<double, N> q{};
  Vec<double, N> v{};
  double step = 0;
  long long steps = 0;          // or
  std::optional<double> end{};  // a whole number of steps after t0
  long long every = 1;
  StartOptions start{};
  SolverSettings<double> solver{};
};

template <class Problem>
struct MarchResult {
  struct Row {
    double t;
    Vec<double, Problem::coordinates> q, v, p;
    Vec<double, Problem::constraints> lambda;
  };
  RunReport report;
  AuditFigures audit;
  std::vector<Row> rows;  // the first, every n-th and the last state; consistent p and accurate lambda
};

// Throws std::invalid_argument where the start values or the mesh are wrong.
template <class Problem, class Method>
MarchResult<Problem> march(const Problem& problem, const Method& method,
                           const MarchOptions<Problem::coordinates>& options) {
  using System = Lagrangian<Problem>;
  constexpr int n = Problem::coordinates, m = Problem::constraints;
  const System system(problem);

  MarchSettings<double> settings{
      .t0 = options.t0, .step = options.step, .steps = options.steps, .every = options.every, .solver = options.solver};
  if (options.end) {
    const double steps = (*options.end - options.t0) / options.step;
    settings.steps = std::llround(steps);
    if (!(std::abs(steps - static_cast<double>(settings.steps)) <= 1e-9 * std::abs(steps)))
      throw std::invalid_argument("march: end - t0 = " + std::to_string(*options.end - options.t0) +
                                  " is not a whole number of steps of " + std::to_string(options.step));
  }
  if (settings.steps < 0 || options.every < 1 || !(options.step != 0))
    throw std::invalid_argument("march: step must not be 0, steps not negative and every at least 1");

  StartValues<System> start(system);
  start.t = options.t0;
  start.q = options.q;
  start.v = options.v;
  if (const auto fault = start.make_consistent(false, options.start))
    throw std::invalid_argument("march: start values: " + std::string(name(fault->kind)) +
                                " (constraint or coordinate " + std::to_string(fault->index + 1) + ", value " +
                                std::to_string(fault->value) + "); correct q and v or set start.project = true");

  struct Memory : RowSink {
    std::vector<typename MarchResult<Problem>::Row> rows;
    void write(std::span<const double> row) override {
      auto& r = rows.emplace_back();
      const double* x = row.data();
      r.t = *x++;
      for (auto* v : {&r.q, &r.v, &r.p})
        for (double& xi : *v) xi = *x++;
      for (double& xi : r.lambda) xi = *x++;
    }
  } memory;
  static_assert(n > 0 && m >= 0);
  March<System, Method> run(system, method, settings);
  MarchResult<Problem> result;
  result.report = run.run(start, &memory, nullptr);
  result.audit = run.audit();
  result.rows = std::move(memory.rows);
  return result;
}

}  // namespace livens
