// Systems stated in C++ run in memory:
//
//   struct Pendulum { ... };                                       // see system/lagrangian.hpp
//   auto run = march(Pendulum{}, Rattle{}, {.q = {1, 0}, .v = {0, 0}, .step = 0.01, .steps = 10000});
//   run.rows.back().q, run.audit.energy.max_error
//
//   struct LotkaVolterra { ... };                                  // see system/degenerate.hpp
//   auto orbit = march(LotkaVolterra{}, Vprk{}, {.q = {1, 1}, .step = 0.1, .end = 100.0});
//
//   struct Bead { ... };                                           // see system/odae.hpp
//   auto slide = march(Bead{}, Euler{}, {.y = {10, 10}, .z = {-3.6, -10.8}, .step = 0.01, .end = 1.0});
//
// All throw std::invalid_argument where the start values or the mesh are wrong.
#pragma once

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "livens/run/time_loop.hpp"
#include "livens/system/degenerate_start.hpp"
#include "livens/system/lagrangian.hpp"
#include "livens/system/odae_start.hpp"
#include "livens/system/start.hpp"

namespace livens {

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

// The start of a degenerate system is q alone.
template <int N>
struct DegenerateMarchOptions {
  double t0 = 0;
  Vec<double, N> q{};
  double step = 0;
  long long steps = 0;          // or
  std::optional<double> end{};  // a whole number of steps after t0
  long long every = 1;
  SolverSettings<double> solver{};
};

template <class Problem>
struct OverdeterminedMarchOptions {
  double t0 = 0;
  Vec<double, stated::positions<Problem>> y{};
  Vec<double, stated::velocities<Problem>> z{};
  std::optional<Vec<double, stated::multipliers<Problem>>> psi{};  // guess of the first multiplier solve; 1
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
    Vec<double, stated::coordinates<Problem>> q, v, p;
    Vec<double, stated::constraints<Problem>> lambda;
  };
  RunReport report;
  AuditFigures audit;
  std::vector<Row> rows;     // the first, every n-th and the last state; consistent p and accurate lambda
  std::string warning = {};  // what the method sees coming, in words
};

template <DegenerateProblem Problem>
struct MarchResult<Problem> {
  struct Row {
    double t;
    Vec<double, stated::coordinates<Problem>> q, p;
  };
  RunReport report;
  AuditFigures audit;
  std::vector<Row> rows;     // the first, every n-th and the last state; p = theta(q)
  std::string warning = {};  // what the method sees coming, in words
};

template <OverdeterminedProblem Problem>
struct MarchResult<Problem> {
  struct Row {
    double t;
    Vec<double, stated::positions<Problem>> y, v;  // v: its rate
    Vec<double, stated::velocities<Problem>> z;
    Vec<double, stated::multipliers<Problem>> psi;
  };
  RunReport report;
  AuditFigures audit;
  std::vector<Row> rows;     // the first, every n-th and the last state; psi of the hidden equation
  std::string warning = {};  // what the method sees coming, in words
};

namespace detail {

template <class Problem>
struct OfProblem {
  using Options = MarchOptions<stated::coordinates<Problem>>;
  using System = Lagrangian<Problem>;
  template <class Method>
  static constexpr bool stepped_by = kinds_of<Method>().lagrangian;
};
template <DegenerateProblem Problem>
struct OfProblem<Problem> {
  using Options = DegenerateMarchOptions<stated::coordinates<Problem>>;
  using System = Degenerate<Problem>;
  template <class Method>
  static constexpr bool stepped_by = kinds_of<Method>().degenerate;
};
template <OverdeterminedProblem Problem>
struct OfProblem<Problem> {
  using Options = OverdeterminedMarchOptions<Problem>;
  using System = Odae<Problem>;
  template <class Method>
  static constexpr bool stepped_by = kinds_of<Method>().overdetermined;
};

// Whether the method is one that is made for the problem; if not, compiling ends with words.
template <class Problem, class Method>
struct Fitting {
  static constexpr bool is_method = requires(const Method& method) { method.traits().order; };
  static_assert(is_method, "livens: the second argument must be a method, as livens::Rattle{}");
  static constexpr bool fits = !is_method || OfProblem<Problem>::template stepped_by<Method>;
  static_assert(fits,
                "livens: this method is not for this kind of system: Lagrangian ones (lagrangian) have most of the "
                "methods, degenerate ones (theta, hamiltonian) Vprk, overdetermined ones (velocity, reaction) "
                "Euler, Composition and Spark");
  static constexpr bool fine = is_method && fits;
};

template <class Options>
MarchSettings<double> settings_of(const Options& options) {
  MarchSettings<double> settings{
      .t0 = options.t0, .step = options.step, .steps = options.steps, .every = options.every, .solver = options.solver};
  if (!(options.step != 0) || !std::isfinite(options.step))
    throw std::invalid_argument("march: step = " + std::to_string(options.step) +
                                ": give a step size, .step = 0.01, which is not 0");
  if (options.end && options.steps != 0)
    throw std::invalid_argument("march: both end and steps are given: leave one of them out");
  if (!options.end && options.steps == 0)
    throw std::invalid_argument(
        "march: neither end nor steps is given: say how long to run, .end = 10.0 or .steps = 1000");
  if (options.end) {
    const double steps = (*options.end - options.t0) / options.step;
    settings.steps = std::llround(steps);
    if (!(std::abs(steps - static_cast<double>(settings.steps)) <= 1e-9 * std::abs(steps)))
      throw std::invalid_argument("march: end - t0 = " + std::to_string(*options.end - options.t0) +
                                  " is not a whole number of steps of " + std::to_string(options.step));
  }
  if (settings.steps < 0 || options.every < 1)
    throw std::invalid_argument("march: " + std::to_string(settings.steps) +
                                " steps, every = " + std::to_string(options.every) +
                                ": steps must not be negative (end after t0 for a positive step), every at least 1");
  return settings;
}

// The method on the system from that start.
template <class Result, class System, class Method>
Result run_in_memory(const System& system, const Method& method, const StartState<System>& start,
                     const MarchSettings<double>& settings) {
  auto step = with_prepared(system, method, start, settings.step, settings.solver, [&](const Method& prepared) {
    return make_fast_step(system, prepared, method, settings.solver);
  });
  March<System> run(system, std::move(step), settings);
  struct Memory : RowSink {
    Columns columns;
    std::vector<typename Result::Row> rows;
    void write(std::span<const double> row) override {
      const auto take = [&](Role role, auto& to) {
        const std::span<const double> part = part_of(row, columns, role);
        std::copy(part.begin(), part.end(), to.begin());
      };
      auto& r = rows.emplace_back();
      r.t = part_of(row, columns, Role::time).front();
      if constexpr (requires { r.psi; }) {
        take(Role::position, r.y), take(Role::velocity, r.v);
        take(Role::momentum, r.z), take(Role::multiplier, r.psi);
      } else {
        take(Role::position, r.q), take(Role::momentum, r.p);
        if constexpr (requires { r.lambda; }) take(Role::velocity, r.v), take(Role::multiplier, r.lambda);
      }
    }
  } memory;
  memory.columns = run.columns(std::vector<std::string>(static_cast<std::size_t>(system.invariants())));
  Result result;
  result.report = run.run(start, &memory, nullptr);
  result.audit = run.audit();
  result.rows = std::move(memory.rows);
  result.warning = run.step().warning();
  return result;
}

}  // namespace detail

// The start of a C++ system, for march and studies.
template <class System, int N>
StartValues<System> start_values(const System& system, const MarchOptions<N>& options, const std::string& caller) {
  StartValues<System> start(system);
  start.t = options.t0;
  for (int i = 0; i < N; ++i) start.q[i] = options.q[i], start.v[i] = options.v[i];
  if (const auto fault = start.make_consistent(false, options.start))
    throw std::invalid_argument(caller + ": start values: " + std::string(name(fault->kind)) +
                                " (constraint or coordinate " + std::to_string(fault->index + 1) + ", value " +
                                std::to_string(fault->value) + "); correct q and v or set start.project = true");
  return start;
}

template <class System, int N>
StartState<System> start_values(const System& system, const DegenerateMarchOptions<N>& options,
                                const std::string& caller) {
  DegenerateStart<System> start(system);
  for (int i = 0; i < N; ++i) start.q[i] = options.q[i];
  if (const auto fault = start.make_consistent())
    throw std::invalid_argument(caller + ": start values: " + std::string(name(fault->kind)) + " (coordinate " +
                                std::to_string(fault->index + 1) + "); correct q");
  StartState<System> state(system);
  state.t = options.t0;
  state.q = start.q, state.p = start.p;
  DegenerateField<System>(system).velocity(start.q, state.hint);
  return state;
}

template <class System, class Problem>
StartState<System> start_values(const System& system, const OverdeterminedMarchOptions<Problem>& options,
                                const std::string& caller) {
  OdaeStart<System> start(system);
  start.t = options.t0;
  for (int i = 0; i < options.y.size(); ++i) start.y[i] = options.y[i];
  for (int i = 0; i < options.z.size(); ++i) start.z[i] = options.z[i];
  for (int a = 0; options.psi && a < start.psi.size(); ++a) start.psi[a] = (*options.psi)[a];
  if (const auto fault = start.make_consistent(options.start))
    throw std::invalid_argument(caller + ": start values: " + std::string(name(fault->kind)) +
                                " (constraint or component " + std::to_string(fault->index + 1) + ", value " +
                                std::to_string(fault->value) + "); correct y and z or set start.project = true");
  StartState<System> state(system);
  state.t = options.t0;
  state.q = start.y, state.p = start.z, state.hint = start.psi;
  return state;
}

template <class Problem, class Method>
MarchResult<Problem> march(const Problem& problem, const Method& method,
                           const typename detail::OfProblem<Problem>::Options& options) {
  if constexpr (is_well_stated<Problem> && detail::Fitting<Problem, Method>::fine) {
    using System = typename detail::OfProblem<Problem>::System;
    const System system(problem);
    const MarchSettings<double> settings = detail::settings_of(options);
    return detail::run_in_memory<MarchResult<Problem>, System>(system, method, start_values(system, options, "march"),
                                                               settings);
  } else {
    return {};
  }
}

}  // namespace livens
