// Order of convergence: errors of q, of the consistent momentum p and of the accurate multiplier lambda for several
// step sizes, and the slopes between neighbours,
//
//   e(h) = max over nodes 1..N and components of |x_n - x(t_n)| ,    order = log(e_1/e_2) / log(h_1/h_2) .
//
// A slope is given only where both errors stand above the round-off floor of their runs, 100 eps |x| N: a run of N
// steps of order-one quantities collects a few eps per step (measured for variational integrators in double: 5 eps N),
// and a slope wants noise well below the error.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "livens/run/march.hpp"
#include "livens/run/walk.hpp"
#include "livens/study/reference.hpp"
#include "livens/study/stopped.hpp"

namespace livens {

// One figure for each quantity; lambda is empty where there are no constraints.
template <class Figure>
struct PerQuantity {
  Figure q{}, p{}, lambda{};
};

// Errors of one run.
struct RunErrors {
  double step = 0;
  long long steps = 0;  // done
  PerQuantity<double> error, size;
  std::optional<StepReport> failure;  // of the step after those
  Attempt attempt;                    // where it was evaluated
  bool reference_failed = false;
  bool ok() const { return !failure && !reference_failed; }
};

struct OrderRow {
  double step = 0;
  PerQuantity<std::optional<double>> error, order;  // error: empty if the run failed
};

namespace detail {

// Takes one node into error and size.
template <class Vector>
void compare(const Vector& x, const std::vector<Widest>& exact, double& error, double& size) {
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double distance = std::abs(to_double(static_cast<Widest>(x[static_cast<int>(i)]) - exact[i]));
    if (!(distance <= error)) error = distance;
    size = std::max(size, std::abs(to_double(exact[i])));
  }
}

}  // namespace detail

// The multipliers that a node is compared by are those of the system.
struct OwnMultipliers {
  template <class T, class Coordinates, class Multipliers>
  const Multipliers& operator()(const T&, const Coordinates&, const Multipliers& lambda) const {
    return lambda;
  }
};

// One run of settings.steps steps beside the reference. Quantities that the reference does not have stay 0.
// multipliers(t, q, lambda): what is compared with those of the reference. Throws Stopped where settings.stop asks for
// it.
template <class System, class MultipliersOf = OwnMultipliers>
RunErrors run_errors(Walk<System> walk, const StartState<System>& start,
                     const MarchSettings<typename System::Scalar>& settings, Reference& reference,
                     const MultipliersOf& multipliers = {}) {
  using T = typename System::Scalar;
  RunErrors result;
  result.step = to_double(settings.step);
  StepReport report;
  report.outcome = walk.start(start);
  const auto time = [&](long long n) { return T(start.t + static_cast<T>(n) * settings.step); };
  while (result.steps < settings.steps && succeeded(report.outcome)) {
    end_if_asked(settings.stop);
    const T t0 = time(result.steps), t1 = time(result.steps + 1);
    walk.advance(t0, t1, settings.step, report);
    const bool solved = succeeded(report.outcome);
    if (solved) report.outcome = walk.look_final(t1);
    if (solved && !succeeded(report.outcome)) report.part = StepPart::multiplier;
    if (!succeeded(report.outcome)) {
      result.attempt = walk.attempt(t0, t1, solved);
      break;
    }
    const SolutionNode* exact = reference.at(static_cast<Widest>(t1));
    if (!exact) {
      result.reference_failed = true;
      return result;
    }
    detail::compare(walk.q(), exact->q, result.error.q, result.size.q);
    detail::compare(walk.final_momentum(), exact->p, result.error.p, result.size.p);
    detail::compare(multipliers(t1, walk.q(), walk.multipliers()), exact->lambda, result.error.lambda,
                    result.size.lambda);
    ++result.steps;
  }
  if (!succeeded(report.outcome)) result.failure = report;
  return result;
}

// eps: round-off of the runs and of the reference, whichever is larger.
inline std::vector<OrderRow> order_rows(const std::vector<RunErrors>& runs, double eps) {
  using Doubles = PerQuantity<double>;
  using Maybe = PerQuantity<std::optional<double>>;
  const auto above_floor = [&](const RunErrors& run, double Doubles::*x) {
    return run.ok() && run.error.*x > 100 * eps * (run.size.*x) * static_cast<double>(run.steps);
  };
  std::vector<OrderRow> rows;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    OrderRow& row = rows.emplace_back();
    row.step = runs[k].step;
    const auto fill = [&](double Doubles::*x, std::optional<double> Maybe::*figure) {
      if (runs[k].ok()) row.error.*figure = runs[k].error.*x;
      if (k > 0 && above_floor(runs[k - 1], x) && above_floor(runs[k], x))
        row.order.*figure =
            std::log(runs[k - 1].error.*x / (runs[k].error.*x)) / std::log(runs[k - 1].step / runs[k].step);
    };
    fill(&Doubles::q, &Maybe::q);
    fill(&Doubles::p, &Maybe::p);
    fill(&Doubles::lambda, &Maybe::lambda);
  }
  return rows;
}

// ---- for C++ systems ------------------------------------------------------------------------------------------------

// The solution of a C++ system in long double.
template <class Problem>
class ProblemReference {
 public:
  using System = Lagrangian<Problem, long double>;
  ProblemReference(const Problem& problem, const MarchOptions<stated::coordinates<Problem>>& options)
      : system_(problem), start_(start_values(system_, options, "study_order")) {}
  auto make() const { return IndexOneReference<System>(system_, start_); }

 private:
  System system_;
  StartValues<System> start_;
};
template <DegenerateProblem Problem>
class ProblemReference<Problem> {
 public:
  using System = Degenerate<Problem, long double>;
  ProblemReference(const Problem& problem, const DegenerateMarchOptions<stated::coordinates<Problem>>& options)
      : system_(problem), start_(start_values(system_, options, "study_order")) {}
  auto make() const { return FieldReference<System>(system_, start_.t, start_.q); }

 private:
  System system_;
  StartState<System> start_;
};

template <OverdeterminedProblem Problem>
class ProblemReference<Problem> {
 public:
  using System = Odae<Problem, long double>;
  ProblemReference(const Problem& problem, const OverdeterminedMarchOptions<Problem>& options)
      : system_(problem), start_(start_values(system_, options, "study_order")) {}
  auto make() const { return HiddenReference<System>(system_, start_); }

 private:
  System system_;
  StartState<System> start_;
};

namespace detail {

template <class System, class Problem, class Method, class Options>
std::vector<OrderRow> study_order(const Problem& problem, const Method& method, const Options& options,
                                  const std::vector<double>& step_sizes) {
  if (!options.end || options.steps != 0)
    throw std::invalid_argument("study_order: give end, which all step sizes divide, and not steps");
  const System system(problem);
  const StartState<System> start = start_values(system, options, "study_order");
  const ProblemReference<Problem> solution(problem, options);
  std::vector<RunErrors> runs;
  for (const double h : step_sizes) {
    const double steps = (*options.end - options.t0) / h;
    MarchSettings<double> settings{.t0 = options.t0, .step = h, .solver = options.solver};
    settings.steps = std::llround(steps);
    if (settings.steps < 1 || !(std::abs(steps - static_cast<double>(settings.steps)) <= 1e-9 * steps))
      throw std::invalid_argument("study_order: end - t0 is not a whole number of steps of " + std::to_string(h));
    auto reference = solution.make();
    auto step = with_prepared(system, method, start, h, options.solver, [&](const Method& prepared) {
      return make_step(system, prepared, method, options.solver);
    });
    runs.push_back(run_errors<System>({system, std::move(step)}, start, settings, reference));
  }
  return order_rows(runs, epsilon<double>());
}

}  // namespace detail

// Steps that divide options.end - options.t0, against the reference in long double. Throws std::invalid_argument where
// start values or step sizes are wrong.
template <class Problem, class Method>
std::vector<OrderRow> study_order(const Problem& problem, const Method& method,
                                  const typename detail::OfProblem<Problem>::Options& options,
                                  const std::vector<double>& step_sizes) {
  if constexpr (is_well_stated<Problem> && detail::Fitting<Problem, Method>::fine)
    return detail::study_order<typename detail::OfProblem<Problem>::System>(problem, method, options, step_sizes);
  else
    return {};
}

}  // namespace livens
