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
#include <vector>

#include "livens/audit/audit.hpp"
#include "livens/method/method.hpp"
#include "livens/run/archive.hpp"
#include "livens/run/table.hpp"
#include "livens/system/lagrangian.hpp"
#include "livens/system/start.hpp"

namespace livens {

enum class RunOutcome { finished, failed, interrupted };

struct Cost {
  long long newton_iterations = 0, jacobians = 0, evaluations = 0;
};

struct RunReport {
  RunOutcome outcome = RunOutcome::finished;
  long long steps = 0;                     // steps done; the last valid state is t_0 + steps * h
  std::optional<StepReport> failure;       // of the step that was not done
  std::vector<double> failed_q, failed_v;  // where its equations were evaluated last
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
};

// The state at the end in the meaning of the results: consistent momentum and accurate multiplier, and beside them what
// the scheme itself produced. Raw values that could not be had (the extra step failed) are empty.
template <class System>
struct FinalState {
  explicit FinalState(const System& system)
      : t(0), q(system.coordinates()), v(q), p(q), lambda(system.constraints()), raw_p(q), raw_lambda(lambda) {}
  typename System::Scalar t;
  typename System::Coordinates q, v, p;
  typename System::Multipliers lambda;
  typename System::Coordinates raw_p;
  typename System::Multipliers raw_lambda;
  bool has_raw = false;
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
        lambda_(system.constraints()) {}

  static Columns columns(const System& system, const std::vector<std::string>& invariants) {
    const int n = system.coordinates(), m = system.constraints();
    Columns c = {{"t", 0}, {"q", n}, {"v", n}, {"p", n}};
    if (m > 0) c.push_back({"lambda", m});
    c.push_back({"raw_p", n});
    if (m > 0) c.push_back({"raw_lambda", m});
    c.insert(c.end(), {{"audit/energy", 0}, {"audit/constraint", 0}, {"audit/hidden_constraint", 0}});
    for (const auto& name : invariants) c.push_back({"audit/invariants/" + name, 0});
    return c;
  }

  // Start values must be consistent (start.hpp).
  RunReport run(const StartValues<System>& start, RowSink* rows, Monitor* monitor) {
    begin(start);
    RunReport report;
    if (settings_.resume_from.empty()) {
      record(rows, 0);
      checkpoint(report);
    } else {
      restore(report);
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
      report.cost.newton_iterations += step.iterations;
      report.cost.jacobians += step.jacobians;
      report.cost.evaluations += step.evaluations;
      if (succeeded(step.outcome)) {
        if (traits_.raw == RawValues::start_of_step) finish_pending_row(rows);
        if (const Outcome outcome = inspect(n + 1); !succeeded(outcome)) {
          step.outcome = outcome;
          state_ = before_;
          step_is_ahead_ = true;
        }
      }
      if (!succeeded(step.outcome)) {
        report.outcome = RunOutcome::failed;
        report.failure = step;
        for (int i = 0; i < state_.q.size(); ++i) {
          const T q = step_.attempted_position()[i];
          report.failed_q.push_back(to_double(q));
          report.failed_v.push_back(to_double((q - before_.q[i]) / settings_.step));
        }
        break;
      }
      steps_done_ = n + 1;
      if ((n + 1) % settings_.every == 0) record(rows, n + 1);
      if (settings_.checkpoint_every > 0 && (n + 1) % settings_.checkpoint_every == 0) checkpoint(report);
      if (monitor && n + 1 >= next_watch) next_watch = monitor->watch(n + 1, to_double(time(n + 1)), audit_.figures());
    }
    report.steps = steps_done_;
    checkpoint(report);  // before the last row, which a longer run may not have
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
    v_ = start.v;
    kinetics_.start(start.t, start.q, start.v);
    step_.start(start.t, state_, start.v);
    audit_.start(start.t, start.q, start.p, start.v);
    steps_done_ = 0;
  }

  template <class Archive>
  void archive(Archive& a, RunReport& report) {
    a(report.cost, steps_done_, recorded_, state_, step_, audit_, p_, v_, lambda_, row_, raw_at_, pending_);
  }

  void checkpoint(RunReport& report) {
    if (!settings_.checkpoints || saved_ == steps_done_ || step_is_ahead_) return;
    ArchiveWriter writer;
    archive(writer, report);
    settings_.checkpoints->save(steps_done_, writer.take());
    saved_ = steps_done_;
  }

  void restore(RunReport& report) {
    ArchiveReader reader(settings_.resume_from);
    archive(reader, report);
    if (!reader.at_end()) throw std::runtime_error("the checkpoint is damaged");
    step_.resume(time(steps_done_), state_);
    saved_ = steps_done_;
  }

  // The momentum that the audit looks at, into p_ and v_.
  Outcome look(const T& t) {
    p_ = state_.p;
    const bool project = traits_.audit_uses_final && !traits_.carries_final_momentum;
    return project ? kinetics_.project(t, state_.q, p_, v_) : kinetics_.velocity(t, state_.q, p_, v_);
  }

  Outcome inspect(long long n) {
    const T t = time(n);
    const Outcome outcome = look(t);
    if (!succeeded(outcome)) return outcome;
    return audit_.observe(t, state_.q, p_, v_) ? Outcome::converged : Outcome::not_finite;
  }

  // p_ and v_ hold the audited momentum: make them the final one, with its multiplier.
  void finalise(const T& t) {
    if (!traits_.audit_uses_final && !traits_.carries_final_momentum) {
      if (!succeeded(kinetics_.project(t, state_.q, p_, v_))) p_.fill(not_a_number()), v_.fill(not_a_number());
    }
    if (!succeeded(kinetics_.multiplier(t, state_.q, v_, lambda_))) lambda_.fill(not_a_number());
  }

  void record(RowSink* rows, long long n) {
    if (!rows) return;
    const T t = time(n);
    finalise(t);
    row_.clear();
    row_.push_back(to_double(t));
    append(state_.q), append(v_), append(p_), append(lambda_);
    raw_at_ = row_.size();
    if (traits_.raw == RawValues::end_of_step && n > 0) {
      append(step_.raw_momentum(state_)), append(step_.raw_multipliers());
    } else {
      row_.resize(row_.size() + static_cast<std::size_t>(p_.size() + lambda_.size()),
                  std::numeric_limits<double>::quiet_NaN());
    }
    const AuditFigures& a = audit_.figures();
    row_.insert(row_.end(), {a.energy.last, a.last_constraint, a.last_hidden_constraint});
    for (const Conserved& c : a.invariants) row_.push_back(c.last);
    recorded_ = n;
    if (traits_.raw == RawValues::start_of_step)
      pending_ = true;  // its raw values come with the next step
    else
      rows->write(row_);
  }

  // The step that has just been done knows the raw values of the node where it started.
  void finish_pending_row(RowSink* rows) {
    if (!pending_ || !rows) return;
    std::size_t k = raw_at_;
    for (const T& x : step_.raw_momentum(state_)) row_[k++] = to_double(x);
    for (const T& x : step_.raw_multipliers()) row_[k++] = to_double(x);
    rows->write(row_);
    pending_ = false;
  }

  void finish(RowSink* rows) {
    const T t = time(steps_done_);
    final_.emplace(system_);
    FinalState<System>& f = *final_;
    f.t = t;
    f.q = state_.q;
    if (step_is_ahead_) {  // p_ and v_ are of the step that was taken back
      look(t);
      if (recorded_ == steps_done_) finalise(t);
    }
    if (recorded_ != steps_done_) {
      if (steps_done_ > 0) look(t);
      if (rows)
        record(rows, steps_done_);
      else
        finalise(t);
    }
    f.v = v_, f.p = p_, f.lambda = lambda_;
    if (traits_.raw == RawValues::end_of_step) {
      f.has_raw = steps_done_ > 0 && !step_is_ahead_;
      f.raw_p = step_.raw_momentum(state_), f.raw_lambda = step_.raw_multipliers();
      return;
    }
    State<System> ahead = state_;
    if (!step_is_ahead_) {  // one extra step for the nodal values of the last node
      StepReport extra;
      step_.advance(t, time(steps_done_ + 1), settings_.step, ahead, extra);
      f.has_raw = succeeded(extra.outcome);
    }
    if (f.has_raw) f.raw_p = step_.raw_momentum(ahead), f.raw_lambda = step_.raw_multipliers();
    if (rows && pending_) {
      if (f.has_raw)
        finish_pending_row(rows);
      else
        pending_ = false, rows->write(row_);
    }
  }

  template <class Vector>
  void append(const Vector& x) {
    for (const T& xi : x) row_.push_back(to_double(xi));
  }
  static T not_a_number() { return T(std::numeric_limits<double>::quiet_NaN()); }

  const System& system_;
  MethodTraits traits_;
  MarchSettings<T> settings_;
  Step step_;
  State<System> state_, before_;
  Kinetics<System> kinetics_;
  Audit<System> audit_;
  Coordinates p_, v_;
  Multipliers lambda_;
  std::vector<double> row_;
  std::size_t raw_at_ = 0;
  bool pending_ = false, step_is_ahead_ = false;
  long long steps_done_ = 0, recorded_ = -1, saved_ = -1;
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
