// Wenger, Ober-Bloebaum, Leyendecker (2017), "Construction and analysis of higher order variational integrators for
// dynamical systems with holonomic constraints": tables 1 and 2, figures 2-5.
//
// The paper gives neither masses nor lengths nor start values; ours are stated below. Its error is the maximum over the
// nodes 0..N. For lambda node 0 must be left out, else none of its orders come out: there lambda has order w only.
#include "livens/method/galerkin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <sstream>
#include <string>
#include <vector>

#include "livens/study/nodes.hpp"
#include "livens/study/reference.hpp"
#include "report/sheet.hpp"
#include "reproduce/entries.hpp"
#include "reproduce/parallel.hpp"

namespace livens {

namespace {

using Rule = Galerkin::Rule;

// Planar pendulum, m = l = 1, 1 rad from the downward vertical with angular velocity 1/2.
struct PlanarPendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr const char* words = "planar pendulum, m = l = 1, gravity 9.81, angle 1 and angular velocity 0.5";
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - 9.81 * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
  template <class T>
  void start(Vec<T, 2>& q, Vec<T, 2>& v) const {
    using std::cos, std::sin;
    q = {sin(T(1)), -cos(T(1))};
    v = {cos(T(1)) / 2, sin(T(1)) / 2};
  }
};

// Double pendulum in space.
struct DoublePendulum {
  static constexpr int coordinates = 6, constraints = 2;
  static constexpr bool constant_mass = true;
  static constexpr const char* words = "double pendulum in space, masses 1 and 1.5, rods 1 and 0.8, gravity 9.81";
  template <class T>
  T lagrangian(const Vec<T, 6>& q, const Vec<T, 6>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 + 0.75 * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) -
           9.81 * (q[2] + 1.5 * q[5]);
  }
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 6>& q) const {
    const T x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    return {(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1) / 2, (x * x + y * y + z * z - 0.64) / 2};
  }
  template <class T>
  void start(Vec<T, 6>& q, Vec<T, 6>& v) const {
    q = {0.6, 0, -0.8, 0.6, 0.64, -1.28};
    v = {0.3, 1, -0.2, 1. / 3, -0.7 / 1.5, 1.1 / 1.5};
  }
};

template <class Problem, class T>
StartValues<Lagrangian<Problem, T>> start_of(const Lagrangian<Problem, T>& system) {
  StartValues<Lagrangian<Problem, T>> start(system);
  system.problem().start(start.q, start.v);
  if (const auto fault = start.make_consistent(false, {.project = true}))
    throw std::logic_error("start values: " + std::string(name(fault->kind)));
  return start;
}

// The planar pendulum at t = 0, T/N, ..., T, by the index-1 equations in the widest scalar.
std::vector<SolutionNode> pendulum_solution(double end, int steps) {
  const Lagrangian<PlanarPendulum, Widest> system(PlanarPendulum{});
  IndexOneReference<Lagrangian<PlanarPendulum, Widest>> reference(system, start_of(system));
  std::vector<SolutionNode> nodes;
  for (int k = 0; k <= steps; ++k) {
    const SolutionNode* node = reference.at(Widest(end) * k / steps);
    if (!node) throw std::logic_error("the reference has no solution");
    nodes.push_back(*node);
  }
  return nodes;
}

template <class Vector>
void take_error(double& error, const Vector& x, const std::vector<Widest>& exact) {
  for (int i = 0; i < x.size(); ++i)
    error = std::max(error, std::abs(to_double(Widest(x[i]) - exact[static_cast<std::size_t>(i)])));
}

std::string rule_name(const Galerkin& method) {
  return fmt::format("{} {}", method.quadrature == Rule::gauss ? "Gauss" : "Lobatto", method.quadrature_order());
}

std::string name_of(const Galerkin& method) {
  return fmt::format("s={} w={} {}", method.s, method.multiplier_degree(), rule_name(method));
}

// ---- tables 1 and 2 -----------------------------------------------------------------------------------------------

// The rows of a table for one w as they are printed: columns s = w..6, for each s the orders oL of the quadrature.
struct PrintedRows {
  int w;
  const char *q, *p, *lambda;
};

const std::vector<PrintedRows> table_1 = {
    {1, "2 2 2 2 2 2  2 2 2 2 2  2 2 2 2  2 2 2  2 2  2", "2 2 2 2 2 2  2 2 2 2 2  2 2 2 2  2 2 2  2 2  2",
     "2 2 2 2 2 2  2 2 2 2 2  2 2 2 2  2 2 2  2 2  2"},
    {2, "4 4 4 4 4  4 4 4 4  2 2 2  2 2  2", "4 4 4 4 4  4 4 4 4  2 2 2  2 2  2", "2 2 2 2 2  2 2 2 2  d d d  d d  d"},
    {3, "6 6 6 6  6 6 6  4 4  2", "4 4 4 4  4 4 4  2 2  2", "4 4 4 4  4 4 4  2 2  d"},
    {4, "8 8 8  8 8  6", "6 6 6  6 6  4", "4 4 4  4 4  2"},
    {5, "10 10  10", "6 6  6", "6 6  6"},
    {6, "12", "8", "6"},
};

const std::vector<PrintedRows> table_2 = {
    {1, "2 2 2 2 2 2  2 2 2 2 2 2  2 2 2 2 2  2 2 2 2  2 2 2  2 2",
     "2 2 2 2 2 2  2 2 2 2 2 2  2 2 2 2 2  2 2 2 2  2 2 2  2 2",
     "2 2 2 2 2 2  2 2 2 2 2 2  2 2 2 2 2  2 2 2 2  2 2 2  2 2"},
    {2, "2 4 4 4 4 4  4 4 4 4 4  2 2 2 2  2 2 2  2 2", "2 4 4 4 4 4  4 4 4 4 4  2 2 2 2  2 2 2  2 2",
     "d 2 2 2 2 2  2 2 2 2 2  d d d d  d d d  d d"},
    {3, "4 6 6 6 6  6 6 6 6  4 4 4  2 2", "2 4 4 4 4  4 4 4 4  2 2 2  2 2", "2 4 4 4 4  4 4 4 4  2 2 2  d d"},
    {4, "6 8 8 8  8 8 8  6 6", "4 6 6 6  6 6 6  4 4", "2 4 4 4  4 4 4  2 2"},
    {5, "8 10 10  10 10", "4 6 6  6 6", "4 6 6  6 6"},
    {6, "10 12", "6 8", "4 6"},
};

struct Cell {
  Galerkin method;
  std::string q, p, lambda;  // as printed
  int order() const { return std::stoi(q); }
};

std::vector<Cell> cells(const std::vector<PrintedRows>& table, Rule rule) {
  std::vector<Cell> all;
  for (const PrintedRows& rows : table) {
    std::istringstream q(rows.q), p(rows.p), lambda(rows.lambda);
    for (int s = rows.w; s <= 6; ++s)
      for (int order = rule == Rule::gauss ? 2 * s : std::max(2, 2 * s - 2); order <= 12; order += 2) {
        Cell cell{{.s = s, .w = rows.w, .quadrature = rule, .order = order}, {}, {}, {}};
        if (!(q >> cell.q && p >> cell.p && lambda >> cell.lambda)) throw std::logic_error("a table has a hole");
        all.push_back(std::move(cell));
      }
  }
  return all;
}

struct CellErrors {
  double q = 0, p = 0, lambda = 0, projected_p = 0, state_lambda = 0;
};

template <class T>
CellErrors cell_errors(const Galerkin& method, int steps, const std::vector<SolutionNode>& solution) {
  const Lagrangian<PlanarPendulum, T> system(PlanarPendulum{});
  const auto run = run_nodes(system, method, start_of(system), {.step = T(1) / T(steps), .steps = steps});
  CellErrors e;
  if (run.failure) e.q = std::nan("");
  const std::size_t stride = (solution.size() - 1) / static_cast<std::size_t>(steps);
  for (std::size_t k = 0; k < run.nodes.size() && !run.failure; ++k) {
    const auto& node = run.nodes[k];
    const SolutionNode& exact = solution[k * stride];
    take_error(e.q, node.q, exact.q);
    take_error(e.p, node.raw_p, exact.p);
    take_error(e.projected_p, node.p, exact.p);
    take_error(e.state_lambda, node.lambda, exact.lambda);
    if (k > 0) take_error(e.lambda, node.raw_lambda, exact.lambda);
  }
  return e;
}

ReproductionRow table_row(const Cell& cell, const std::vector<SolutionNode>& solution) {
  const bool wide = cell.order() > 6;  // in double the errors would be at round-off
  const int steps = wide ? 10 : 20;
  const auto errors = [&](int N) {
    return wide ? cell_errors<Widest>(cell.method, N, solution) : cell_errors<double>(cell.method, N, solution);
  };
  const CellErrors coarse = errors(steps), fine = errors(2 * steps);
  const auto slope = [&](double CellErrors::*x) { return std::log2(coarse.*x / (fine.*x)); };
  constexpr double margin = 0.35;
  const auto holds = [&](double CellErrors::*x, const std::string& printed) {
    if (printed == "d") return std::abs(slope(x)) < margin && fine.*x > 1;
    return std::abs(slope(x) - std::stoi(printed)) < margin;
  };
  const auto word = [&](double CellErrors::*x, const std::string& printed) {
    return holds(x, printed) ? printed : fmt::format("{:.2f}", slope(x));
  };
  ReproductionRow row;
  row.name = fmt::format("w={} s={} oL={}", cell.method.w, cell.method.s, cell.method.order);
  row.printed = row.expected = cell.q + " " + cell.p + " " + cell.lambda;
  const std::string q = word(&CellErrors::q, cell.q), p = word(&CellErrors::p, cell.p),
                    lambda = word(&CellErrors::lambda, cell.lambda);
  row.measured = q + " " + p + " " + lambda;
  row.ok = holds(&CellErrors::q, cell.q) && holds(&CellErrors::p, cell.p) && holds(&CellErrors::lambda, cell.lambda) &&
           holds(&CellErrors::projected_p, cell.q) && holds(&CellErrors::state_lambda, cell.q);
  row.note = fmt::format(
      "slopes {:.2f} {:.2f} {:.2f}; projected p {:.2f}, lambda of the state {:.2f}; {}, N = {} and {}, error of q "
      "{:.1e}",
      slope(&CellErrors::q), slope(&CellErrors::p), slope(&CellErrors::lambda), slope(&CellErrors::projected_p),
      slope(&CellErrors::state_lambda), wide ? (LIVENS_QUAD ? "binary128" : "extended") : "double", steps, 2 * steps,
      fine.q);
  return row;
}

void measure_table(const std::vector<PrintedRows>& table, Rule rule, Extent extent, Reproduction& r) {
  r.definition = fmt::format(
      "Orders of q, p, lambda; d: lambda does not converge. {}, t <= 1. Errors are maxima over the components and the "
      "nodes 0..N, of lambda over 1..N (lambda_0 has order w only), lambda_N and p_N from one extra step, against the "
      "index-1 equations extrapolated to round-off. Projected p and lambda of the state must have the order of q.",
      PlanarPendulum::words);
  std::vector<Cell> wanted = cells(table, rule);
  if (extent == Extent::brief)
    std::erase_if(wanted, [](const Cell& cell) { return cell.method.order > 2 * cell.method.s || cell.method.s > 5; });
  const std::vector<SolutionNode> solution = pendulum_solution(1, 40);
  r.rows.resize(wanted.size());
  in_parallel(wanted.size(), [&](std::size_t i) {  // the longest first
    const std::size_t k = wanted.size() - 1 - i;
    r.rows[k] = table_row(wanted[k], solution);
  });
}

// ---- figure 2 -----------------------------------------------------------------------------------------------------

void measure_fig_2(Extent, Reproduction& r) {
  r.definition = fmt::format("max |E_n - E_0|, {}, t <= 20, double", PlanarPendulum::words);
  struct Run {
    Galerkin method;
    double h, expected;
  };
  const std::vector<Run> runs = {{{.s = 5, .w = 4}, 0.1, 1.0e-9},
                                 {{.s = 5, .w = 3, .quadrature = Rule::lobatto, .order = 8}, 0.01, 2.9e-9}};
  const std::string unprinted =
      "the paper shows a curve without numbers; expected: independent implementation, 34 digits";
  for (const Run& run : runs) {
    const Lagrangian<PlanarPendulum> system(PlanarPendulum{});
    const auto steps = std::llround(20 / run.h);
    const auto nodes = run_nodes(system, run.method, start_of(system), {.step = run.h, .steps = steps}).nodes;
    const auto energy = [](const auto& q, const auto& p) { return (p[0] * p[0] + p[1] * p[1]) / 2 + 9.81 * q[1]; };
    double halves[2] = {0, 0}, raw = 0;
    svg::Curve projected_curve{.name = "projected p", .colour = 0}, raw_curve{.name = "raw p", .colour = 1};
    const double start = energy(nodes[0].q, nodes[0].p);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const double error = energy(nodes[k].q, nodes[k].p) - start,
                   raw_error = energy(nodes[k].q, nodes[k].raw_p) - start;
      double& half = halves[2 * k < nodes.size() ? 0 : 1];
      half = std::max(half, std::abs(error));
      raw = std::max(raw, std::abs(raw_error));
      projected_curve.points.push_back({nodes[k].t, error});
      raw_curve.points.push_back({nodes[k].t, raw_error});
    }
    const std::string name = fmt::format("{} h={}", name_of(run.method), run.h);
    r.rows.push_back(recomputed_row(name + ", t <= 10", {}, run.expected, halves[0], 2, unprinted));
    r.rows.push_back(recomputed_row(name + ", t > 10", {}, run.expected, halves[1], 2, "no drift"));
    r.rows.push_back(recomputed_row(name + ", raw p", {}, run.expected, raw, 2, unprinted));
    r.pictures.push_back(picture("Energy error, " + name, "",
                                 {.description = "energy error over time, bounded",
                                  .x_label = "t",
                                  .y_label = "E - E(0)",
                                  .curves = {projected_curve, raw_curve}}));
  }
}

// ---- figure 3 -----------------------------------------------------------------------------------------------------

void measure_fig_3(Extent extent, Reproduction& r) {
  const long long steps = extent != Extent::brief ? 100'000 : 2'000;
  constexpr double h = 0.01;
  r.definition =
      fmt::format("I = sum of x p_y - y p_x, {}, h = {}, {} steps, double; the slope is that of the least-squares line",
                  DoublePendulum::words, h, steps);
  const std::vector<Galerkin> methods = {{.s = 1}, {.s = 2}, {.s = 3}, {.s = 5, .w = 4}};
  struct Result {
    double largest = 0, slope = 0;
    std::vector<svg::Point> points;
  };
  std::vector<Result> results(methods.size());
  in_parallel(methods.size(), [&](std::size_t i) {
    const std::size_t k = methods.size() - 1 - i;
    const Lagrangian<DoublePendulum> system(DoublePendulum{});
    const auto start = start_of(system);
    Walk<Lagrangian<DoublePendulum>> walk(system, methods[k], {});
    walk.start(0, start.q, start.p, start.v);
    const auto momentum = [](const auto& q, const auto& p) {
      return q[0] * p[1] - q[1] * p[0] + q[3] * p[4] - q[4] * p[3];
    };
    const double initial = momentum(start.q, start.p), middle = h * static_cast<double>(steps) / 2;
    svg::Thinned thinned(steps, 400, svg::Thinned::Keep::both);
    double products = 0, squares = 0;
    StepReport report;
    for (long long n = 0; n < steps; ++n) {
      const double t = h * static_cast<double>(n + 1);
      walk.advance(h * static_cast<double>(n), t, h, report);
      const double error = succeeded(report.outcome) && succeeded(walk.look(t))
                               ? momentum(walk.q(), walk.audited_momentum()) - initial
                               : std::nan("");
      if (!(std::abs(error) <= results[k].largest)) results[k].largest = std::abs(error);
      products += (t - middle) * error, squares += (t - middle) * (t - middle);
      thinned.add(t, error);
    }
    results[k].slope = products / squares;
    results[k].points = thinned.points();
  });
  svg::Plot plot{.description = "error of the angular momentum over time", .x_label = "t", .y_label = "I - I(0)"};
  for (std::size_t k = 0; k < methods.size(); ++k) {
    r.rows.push_back(bound_row(name_of(methods[k]), 1e-11, results[k].largest,
                               fmt::format("slope {:.1e} per unit of time", results[k].slope)));
    plot.curves.push_back({.name = name_of(methods[k]), .colour = static_cast<int>(k), .points = results[k].points});
  }
  r.pictures.push_back(picture("Vertical angular momentum", "round-off only", plot));
}

// ---- figures 4 and 5 ----------------------------------------------------------------------------------------------

struct Timed {
  double error, seconds;
  int steps;
};

constexpr double swing_time = 2;
constexpr int common_nodes = 5;  // of all step sizes

// Processor time of this thread, so that neighbours on the machine do not count.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class T>
Timed timed_run(const Galerkin& method, int steps, const std::vector<SolutionNode>& solution) {
  const Lagrangian<PlanarPendulum, T> system(PlanarPendulum{});
  const auto start = start_of(system);
  const T h = T(swing_time) / T(steps);
  Walk<Lagrangian<PlanarPendulum, T>> walk(system, method, {});
  Timed result{0, 1e300, steps};
  StepReport report;
  const int between = steps / common_nodes;
  double spent = 0;
  for (int run = 0; run < 50 && spent < 0.05 * (run < 3 ? 10 : 1); ++run) {  // the fastest of several
    walk.start(T(0), start.q, start.p, start.v);
    double error = 0;
    const double begin = processor_seconds();
    for (int n = 0; n < steps; ++n) {
      walk.advance(T(n) * h, T(n + 1) * h, h, report);
      if (!succeeded(report.outcome)) error = std::nan("");
      if ((n + 1) % between == 0) take_error(error, walk.q(), solution[static_cast<std::size_t>((n + 1) / between)].q);
    }
    const double seconds = processor_seconds() - begin;
    spent += seconds;
    result.seconds = std::min(result.seconds, seconds);
    result.error = error;
  }
  return result;
}

// Steps doubled until the error is below `floor`; steps that are too large to be solved are left out.
template <class T>
std::vector<Timed> timed_runs(const Galerkin& method, double floor, const std::vector<SolutionNode>& solution) {
  std::vector<Timed> runs;
  for (int steps = 2 * common_nodes; runs.empty() || runs.back().error > floor; steps *= 2)
    if (const Timed run = timed_run<T>(method, steps, solution); std::isfinite(run.error)) runs.push_back(run);
  return runs;
}

// On the line through two neighbours in the logarithms.
double seconds_to_reach(double error, const std::vector<Timed>& runs) {
  for (std::size_t k = 1; k < runs.size(); ++k) {
    const Timed &a = runs[k - 1], &b = runs[k];
    if (b.error > error) continue;
    const double part = std::log(a.error / error) / std::log(a.error / b.error);
    return a.seconds * std::pow(b.seconds / a.seconds, part);
  }
  return std::nan("");
}

svg::Curve time_curve(const std::string& name, int colour, const std::vector<Timed>& runs) {
  svg::Curve curve{.name = name, .colour = colour};
  for (const Timed& run : runs) curve.points.push_back({run.seconds, run.error});
  return curve;
}

svg::Plot time_plot() {
  return {.description = "error of q against run time",
          .x_label = "run time in seconds",
          .y_label = "error of q",
          .logarithmic = true,
          .x_logarithmic = true};
}

const std::string time_definition = fmt::format(
    "Error of q, maximum over the components and t = 0.4, 0.8, .., 2, against processor seconds of the steps, the "
    "fastest of several runs; steps doubled from 10 on. {}",
    PlanarPendulum::words);

struct Degrees {
  int first, last_compared, last;
};

// Runs one after another, as they are timed, and compares neighbours in s: the higher order must win.
template <class T>
void compare_times(const Degrees& degrees, double target, const std::string& precision,
                   const std::vector<SolutionNode>& solution, Reproduction& r) {
  svg::Plot plot = time_plot();
  double before = 0;
  for (int s = degrees.first; s <= degrees.last; ++s) {
    const Galerkin method{.s = s};
    const std::vector<Timed> runs = timed_runs<T>(method, target, solution);
    const double seconds = seconds_to_reach(target, runs);
    if (s > degrees.first && s <= degrees.last_compared)
      r.rows.push_back(
          bound_row(fmt::format("time of s={} over that of s={} to error {:.0e}, {}", s, s - 1, target, precision), 1.0,
                    seconds / before, fmt::format("{:.2e} and {:.2e} seconds", seconds, before)));
    before = seconds;
    plot.curves.push_back(time_curve(name_of(method), s - degrees.first, runs));
  }
  r.pictures.push_back(picture("Error against run time, s = w = r, Gauss, " + precision, "", plot));
}

void measure_fig_4(Extent extent, Reproduction& r) {
  r.definition = time_definition;
  const std::vector<SolutionNode> solution = pendulum_solution(swing_time, common_nodes);
  if (extent == Extent::brief) return compare_times<double>({1, 3, 3}, 1e-7, "double", solution, r);
  // In double s = 6 saves a step or two beside s = 5, no more than the noise of the clock; more digits tell them apart.
  compare_times<double>({1, 5, 6}, 1e-12, "double", solution, r);
  compare_times<Widest>({4, 6, 6}, LIVENS_QUAD ? 1e-18 : 1e-15, LIVENS_QUAD ? "binary128" : "extended", solution, r);
}

void measure_fig_5(Extent, Reproduction& r) {
  r.definition = time_definition;
  const std::vector<SolutionNode> solution = pendulum_solution(swing_time, common_nodes);
  svg::Plot plot = time_plot();
  int colour = 0;
  for (const int s : {2, 5}) {
    const Galerkin by_gauss{.s = s}, by_lobatto{.s = s, .quadrature = Rule::lobatto};
    const std::vector<Timed> gauss_runs = timed_runs<double>(by_gauss, 1e-9, solution),
                             lobatto_runs = timed_runs<double>(by_lobatto, 1e-9, solution);
    const std::size_t count = std::min(gauss_runs.size(), lobatto_runs.size());
    double difference = 0, logarithm = 0;
    for (std::size_t k = 0; k < count; ++k) {
      difference = std::max(difference, std::abs(lobatto_runs[k].error / gauss_runs[k].error - 1));
      logarithm += std::log(lobatto_runs[k].seconds / gauss_runs[k].seconds) / static_cast<double>(count);
    }
    const std::string pair = fmt::format("s=w={}, Lobatto r={} beside Gauss r={}", s, s + 1, s);
    r.rows.push_back(bound_row(pair + ": difference of errors", 1e-3, difference, "relative, at equal steps"));
    r.rows.push_back(range_row(pair + ": ratio of times", {}, 1, 2, std::exp(logarithm),
                               "at equal steps; printed: slightly slower"));
    plot.curves.push_back(time_curve(name_of(by_gauss), colour++, gauss_runs));
    plot.curves.push_back(time_curve(name_of(by_lobatto), colour++, lobatto_runs));
  }
  r.pictures.push_back(picture("Error against run time, Gauss and Lobatto", "", plot));
}

}  // namespace

std::vector<ReproductionEntry> galerkin_reproductions() {
  return {
      {"galerkin/table-1", "Orders of q, p and lambda, Gauss quadrature of the Lagrangian",
       [](Extent extent, Reproduction& r) { measure_table(table_1, Rule::gauss, extent, r); }},
      {"galerkin/table-2", "Orders of q, p and lambda, Lobatto quadrature of the Lagrangian",
       [](Extent extent, Reproduction& r) { measure_table(table_2, Rule::lobatto, extent, r); }},
      {"galerkin/fig-2", "Energy of the planar pendulum", measure_fig_2},
      {"galerkin/fig-3", "Angular momentum of the double pendulum", measure_fig_3},
      {"galerkin/fig-4", "Error against run time, s = 1..6", measure_fig_4},
      {"galerkin/fig-5", "Error against run time, Gauss beside Lobatto", measure_fig_5},
  };
}

}  // namespace livens
