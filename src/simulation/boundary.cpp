// All steps are solved at once; then the nodes are walked through as in any run, for rows, audit and checkpoints. A
// checkpoint holds the number of steps and, once the walk has begun, its memory: what is resumed is solved again.
#include "simulation/boundary.hpp"

#include <fmt/format.h>

#include <limits>

#include "livens/method/galerkin_boundary.hpp"
#include "livens/methods/galerkin_options.hpp"
#include "livens/model/boundary_values.hpp"
#include "livens/model/redundant.hpp"
#include "simulation/size_watch.hpp"
#include "simulation/systems.hpp"

namespace livens {

namespace {

// Hands out the nodes of a solved problem, one a step.
template <class System>
struct SolvedNodes {
  GalerkinBoundary<System>& solution;
  MethodTraits galerkin;

  MethodTraits traits() const {
    MethodTraits t = galerkin;
    t.raw = RawValues::end_of_step;
    return t;
  }

  template <class>
  class Step {
   public:
    using T = typename System::Scalar;
    using Coordinates = typename System::Coordinates;

    Step(const System& system, const SolvedNodes& nodes, const SolverSettings<T>&)
        : solution_(nodes.solution), kinetics_(system), raw_p_(system.coordinates()), v_(raw_p_) {}

    bool start(const T& t, const State<System>& x, const Coordinates& v) {
      v_ = v;
      raw_p_ = x.p;
      return kinetics_.start(t, x.q, v);
    }
    void resume(const T&, const State<System>&) {}
    void advance(const T&, const T& t1, const T&, State<System>& x, StepReport& report) {
      report = StepReport{};
      ++node_;
      x.q = solution_.position(node_);
      x.q_remainder = solution_.position_remainder(node_);
      x.p = raw_p_ = solution_.momentum(node_);
      if (node_ < solution_.steps())
        raw_p_ = solution_.nodal_momentum(node_);
      else
        report.outcome = kinetics_.project(t1, x.q, raw_p_, v_);
    }
    template <class Archive>
    void archive(Archive& a) {
      a(node_, raw_p_, v_, kinetics_);
    }
    const Coordinates& attempted_position() const { return solution_.position(node_); }
    template <class Take>
    void raw_values(const State<System>&, const Take& take) const {
      take(raw_momentum, raw_p_);
    }

   private:
    GalerkinBoundary<System>& solution_;
    Kinetics<System> kinetics_;
    Coordinates raw_p_, v_;
    int node_ = 0;
  };
};

class BoundaryCheckpoints : public CheckpointSink {
 public:
  BoundaryCheckpoints(const Model& model, const RunContext& context) : sink_(context.checkpoints) {
    ArchiveWriter writer;
    writer(model.run.steps);
    steps_ = writer.take();
    if (context.resume_from.empty()) return;
    if (!context.resume_from.starts_with(steps_))
      throw InputError(model.at("run",
                                "q is given at the end of a boundary value problem: with another end it is another "
                                "problem; start it with livens run"));
    walk_ = context.resume_from.substr(steps_.size());
  }
  void begin() {
    if (sink_) sink_->save(0, steps_);
  }
  void save(long long step, const std::string& memory) override {
    if (sink_) sink_->save(step, steps_ + memory);
  }
  std::string_view walk() const { return walk_; }  // empty: not begun

 private:
  CheckpointSink* sink_;
  std::string steps_;
  std::string_view walk_;
};

// Bytes that the matrix of all steps takes: a band three times as wide as what a step couples, or lists of places.
double bytes_of_matrix(const Model& model, const Galerkin& method, bool sparse) {
  const double n = model.system->coordinates(), m = model.system->constraints();
  const double s = method.s, w = method.multiplier_degree(), steps = static_cast<double>(model.run.steps);
  const double unknowns = steps * (s * n + w * m), coupled = (s + 1) * n + (w + 1) * m;
  const double number = model.run.precision == Precision::double_ ? 8 : 16;
  return sparse ? 500 * (s + 1) * unknowns : 3 * coupled * unknowns * number;
}

constexpr double most_bytes = 2e9;

// The factors of a band grow in proportion to the steps, those of a sparse LU faster: what a step couples decides.
Model with_chosen_linear(const Model& given, const Galerkin& method) {
  constexpr int widest = 600;
  Model model = given;
  const int n = model.system->coordinates(), m = model.system->constraints();
  const int coupled = (method.s + 1) * n + (method.multiplier_degree() + 1) * m;
  if (model.solver.linear == "auto" && coupled <= widest) model.solver.linear = "dense";
  return model;
}

void check_size(const Model& model, const Galerkin& method) {
  const Linear linear = choose_linear(model, method.traits());
  const bool sparse = linear == Linear::sparse || linear == Linear::automatic;
  const double bytes = bytes_of_matrix(model, method, sparse);
  if (bytes > most_bytes)
    throw InputError(model.at(
        "run.step", fmt::format("a boundary value problem is solved for all {} steps at once, which would take {:.1f} "
                                "GB of memory, more than {:.0f}; write a larger step",
                                model.run.steps, bytes / 1e9, most_bytes / 1e9)));
}

template <class T>
std::string describe_curve(const Model& model, const T& t) {
  return model.at(
      "final.q", fmt::format("the {} from initial.q to final.q could not be moved onto the constraints at t = {:.10g}; "
                             "give an initial.v that leads around this place{}",
                             model.initial.v.empty() && model.initial.p.empty() ? "straight line" : "curve",
                             to_double(t), model.initial.v.empty() && model.initial.p.empty() ? "" : ", another one"));
}

std::string describe_failure(const StepReport& report, bool sparse) {
  std::string advice;
  switch (report.outcome) {
    case Outcome::singular_jacobian:
      advice =
          "the ends may be conjugate points, between which there are many motions or none; change the time span or "
          "final.q, or give another initial.v";
      if (sparse) advice += "; or the factors of the sparse matrix filled up: write solver.linear = \"dense\"";
      break;
    case Outcome::not_finite:
      advice = "a formula is not finite along the start curve; give an initial.v that leads around this place";
      break;
    default:
      advice =
          "give an initial.v closer to the motion that is looked for, a shorter time span, smaller steps, or more "
          "solver.iterations";
  }
  return fmt::format(
      "the boundary value problem could not be solved: {} after {} iterations (residuals {:.1e}, .., "
      "{:.1e}); {}",
      name(report.outcome), report.iterations, report.history.front(), report.residual, advice);
}

// All that is known of a problem that was not solved.
template <class System>
std::vector<double> row_of_start(const Columns& columns, const StartValues<System>& start) {
  std::vector<double> row;
  for (const Column& column : columns) {
    if (column.role == Role::time)
      row.push_back(to_double(start.t));
    else if (column.role == Role::position)
      for (const auto& q : start.q) row.push_back(to_double(q));
    else
      row.resize(row.size() + static_cast<std::size_t>(column.numbers()), std::numeric_limits<double>::quiet_NaN());
  }
  return row;
}

template <class System>
RunResult run_on(const System& system, const Model& model, const Galerkin& method, const RunContext& context) {
  using T = typename System::Scalar;
  BoundaryCheckpoints checkpoints(model, context);
  BoundaryValues<System> ends = consistent_ends(model, system);
  MarchSettings<T> settings = march_settings<T>(model, context);
  settings.checkpoints = &checkpoints;
  settings.resume_from = checkpoints.walk();
  const auto companions = asked_for<T>(model);
  for (const auto& companion : companions) settings.companions.push_back(companion.get());
  SizeWatch<T> sizes;
  settings.companions.push_back(&sizes);

  GalerkinBoundary<System> problem(system, method, settings.t0, settings.step, static_cast<int>(settings.steps),
                                   settings.solver, settings.stop);
  if (const auto point = problem.guess(ends.first.q, ends.last.q, ends.velocity ? &*ends.velocity : nullptr))
    throw InputError(describe_curve(model, problem.time_of_point(*point)));

  March<System> walk(system, SolvedNodes<System>{problem, method.traits()}, settings);
  ValuesOfModel recorded(model);
  const Columns of_walk = walk.columns(model.system->invariant_names()), columns = recorded.complete(of_walk);
  RowSink* const rows = recorded.complete(context.open_rows ? context.open_rows(columns) : nullptr);
  if (context.resume_from.empty()) checkpoints.begin();

  RunResult result;
  result.move.q = std::max(ends.first.move.q, ends.last.move.q);
  const StepReport solved = problem.solve();
  StartValues<System>& start = ends.first;
  Kinetics<System> kinetics(system);
  const auto lost = [&](RunOutcome outcome, std::string message) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    start.p.fill(T(unknown)), start.v.fill(T(unknown));
    Vec<T> lambda(system.constraints());
    lambda.fill(T(unknown));
    if (rows && settings.resume_from.empty()) rows->write(row_of_start(of_walk, start));
    result.report.outcome = outcome;
    result.report.failure = solved;
    result.report.cost.add(solved);
    result.final = {values(Vec<T>{start.t}), values(start.q), values(start.v), values(start.p), values(lambda)};
    result.audit.energy.start(unknown);
    result.audit.constraint = result.audit.hidden_constraint = unknown;
    result.audit.invariants.resize(static_cast<std::size_t>(system.invariants()));
    for (Conserved& invariant : result.audit.invariants) invariant.start(unknown);
    result.message = std::move(message);
    return result;
  };
  if (problem.stopped())
    return lost(RunOutcome::interrupted, "interrupted before the boundary value problem was solved");
  if (!succeeded(solved.outcome))
    return lost(RunOutcome::failed, describe_failure(solved, GalerkinBoundary<System>::sparse));

  start.p = problem.momentum(0);
  if (!kinetics.start(start.t, start.q, start.v) || !succeeded(kinetics.project(start.t, start.q, start.p, start.v)))
    return lost(RunOutcome::failed, "the momentum at the start could not be projected onto the constraints");
  const T action = problem.action();
  result.report = walk.run(start, rows, context.monitor);
  result.report.cost.add(solved);
  result.audit = walk.audit();
  result.sizes = sizes.sizes();
  put_final(
      walk.final_state(), [](const Vec<T>& lambda) { return lambda; }, result);
  recorded.finish(result);
  result.boundary = BoundaryResult{values(Vec<T>{action}), values(start.p), solved.iterations, solved.residual};
  result.message = fmt::format("boundary value problem solved in {} iterations, action {:.12g}", solved.iterations,
                               to_double(action));
  return result;
}

}  // namespace

RunResult solve_boundary(const Model& given, const Options& options, const RunContext& context) {
  const Galerkin method = galerkin_of(options);
  const Model model = with_chosen_linear(given, method);
  if (!redundant_constraints(model).empty())
    throw InputError(model.at("solver.redundant",
                              "\"least-norm\" is not made for boundary value problems ([final]); leave out the "
                              "constraints that others imply"));
  check_size(model, method);
  return with_lagrangian(model, method.traits(),
                         [&](const auto& system) { return run_on(system, model, method, context); });
}

}  // namespace livens
