// "Consistent extensions of the symplectic Euler method for a class of overdetermined DAEs", section 4: global errors
// of the natural and the true method at t = 1 on (4.1) and (4.2), figures 4.1-4.4. The paper prints pictures and no
// numbers, and its formulas of (4.1) are reconstructed: those expected here were computed independently for that form.
//
// The natural method converges, with order 1, to another equation than the given one,
//
//   y' = v ,   z' = f + alpha r(Psi0) + (1 - alpha) r(Psi1) ,    Psi0, Psi1: limits of its multipliers (euler_map.hpp)
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "livens/system/hidden_equation.hpp"
#include "report/sheet.hpp"
#include "reproduce/entries.hpp"
#include "reproduce/model_motion.hpp"

namespace livens {

namespace {

struct Ends {
  std::vector<double> y, z;
};
struct EulerErrors {
  double y, z;
};

EulerErrors distance(const Ends& a, const Ends& b) {
  EulerErrors e{0, 0};
  for (std::size_t i = 0; i < a.y.size(); ++i) e.y += std::pow(a.y[i] - b.y[i], 2);
  for (std::size_t i = 0; i < a.z.size(); ++i) e.z += std::pow(a.z[i] - b.z[i], 2);
  return {std::sqrt(e.y), std::sqrt(e.z)};
}

// The equation that the natural method converges to, at t = 1, by the classical Runge-Kutta method.
class NaturalLimit {
 public:
  NaturalLimit(const std::string& problem, double alpha)
      : model_(load_model(problem)), alpha_(alpha), system_(model_.system->odae()), hidden_(system_) {}

  Ends end() {
    constexpr int steps = 2000;
    constexpr double h = 1.0 / steps;
    Vec<double> y = start(model_.initial.q), z = start(model_.initial.z);
    psi0_.fill(1), psi1_.fill(1);
    for (int n = 0; n < steps; ++n) {
      const Rate k1 = rate(y, z), k2 = rate(plus(y, h / 2, k1.y), plus(z, h / 2, k1.z)),
                 k3 = rate(plus(y, h / 2, k2.y), plus(z, h / 2, k2.z)), k4 = rate(plus(y, h, k3.y), plus(z, h, k3.z));
      for (int i = 0; i < y.size(); ++i) y[i] += h / 6 * (k1.y[i] + 2 * k2.y[i] + 2 * k3.y[i] + k4.y[i]);
      for (int i = 0; i < z.size(); ++i) z[i] += h / 6 * (k1.z[i] + 2 * k2.z[i] + 2 * k3.z[i] + k4.z[i]);
    }
    return {{y.begin(), y.end()}, {z.begin(), z.end()}};
  }

 private:
  struct Rate {
    Vec<double> y, z;
  };
  static Vec<double> start(const std::vector<formula::Number>& given) {
    Vec<double> x(static_cast<int>(given.size()));
    for (int i = 0; i < x.size(); ++i) x[i] = static_cast<double>(given[static_cast<std::size_t>(i)]);
    return x;
  }
  static Vec<double> plus(Vec<double> x, double h, const Vec<double>& d) {
    for (int i = 0; i < x.size(); ++i) x[i] += h * d[i];
    return x;
  }
  Rate rate(const Vec<double>& y, const Vec<double>& z) {
    Rate out{y, z};
    Vec<double> r(z);
    if (!succeeded(hidden_.solve(0, y, z, psi0_, {0.5, 0, 1, alpha_})) ||
        !succeeded(hidden_.solve(0, y, z, psi1_, {0.5, 1, 0, 1 - alpha_})))
      throw std::runtime_error("the limit of the natural method was not found");
    system_.velocity(0, y, z, out.y);
    system_.force(0, y, z, out.z);
    system_.reaction(0, y, z, psi0_, r);
    for (int i = 0; i < r.size(); ++i) out.z[i] += alpha_ * r[i];
    system_.reaction(0, y, z, psi1_, r);
    for (int i = 0; i < r.size(); ++i) out.z[i] += (1 - alpha_) * r[i];
    return out;
  }

  Model model_;
  double alpha_;
  FormulaOdae<double> system_;
  HiddenEquation<FormulaOdae<double>> hidden_;
  Vec<double> psi0_ = Vec<double>(system_.multipliers()), psi1_ = psi0_;
};

// Errors at t = 1 with 1/h steps; 0: not known.
struct TableRow {
  int steps;
  EulerErrors natural, true_, conjugate;
  double multiplier;  // of the true method
};

struct EulerProblem {
  std::string name, number, figures;
  Ends exact;
  double psi;
  std::vector<TableRow> rows;
  EulerErrors limit;  // of the natural method
};

const EulerProblem artificial{
    "overdetermined-artificial",
    "(4.1)",
    "figures 4.1, 4.2",
    {{std::exp(2.0), std::exp(-1.0)}, {std::exp(2.0), std::exp(-1.0)}},
    std::exp(1.0),
    {{10, {2.956542, 4.766271}, {3.823521, 4.471800}, {9.710839e-1, 1.130312}, 1.837},
     {20, {1.414681, 2.585926}, {1.140225, 1.299763}, {5.441279e-1, 6.371007e-1}, 4.694e-1},
     {50, {7.759092e-1, 1.689435}, {3.823982e-1, 4.332058e-1}, {2.348404e-1, 2.761144e-1}, 1.528e-1},
     {100, {5.943495e-1, 1.436469}, {1.818747e-1, 2.057080e-1}, {1.206160e-1, 1.420284e-1}, 7.220e-2},
     {200, {5.084524e-1, 1.317137}, {8.880286e-2, 1.003651e-1}, {6.114221e-2, 7.205246e-2}, 3.514e-2},
     {500, {4.583718e-1, 1.247673}, {3.503124e-2, 3.957534e-2}, {2.466186e-2, 2.907630e-2}, 1.384e-2},
     {1000, {4.419131e-1, 1.224862}, {1.743573e-2, 1.969465e-2}, {1.236550e-2, 1.458123e-2}, 6.884e-3},
     {2000, {4.337270e-1, 1.213520}, {8.698054e-3, 9.824265e-3}, {}, 0}},
    {0.425570, 1.202220}};

const EulerProblem cubic{"overdetermined-cubic",
                         "(4.2)",
                         "figures 4.3, 4.4",
                         {{0.4779342601937, 0.00109170296731}, {-16.6321081911106, -0.1139737619245}},
                         17.7417387645,
                         {{10, {4.477505e-1, 3.008573e-1}, {4.464083e-1, 2.954126e-1}, {3.358834e-1, 3.578229e-1}, 0},
                          {20, {2.109647e-1, 1.618499e-1}, {2.089418e-1, 1.570725e-1}, {1.812148e-1, 1.734193e-1}, 0},
                          {50, {8.281567e-2, 7.006019e-2}, {8.024222e-2, 6.505171e-2}, {7.570973e-2, 6.765830e-2}, 0},
                          {100, {4.235638e-2, 3.808269e-2}, {3.957306e-2, 3.288036e-2}, {3.839719e-2, 3.351535e-2}, 0},
                          {200, {2.254369e-2, 2.186922e-2}, {1.965021e-2, 1.652686e-2}, {1.933471e-2, 1.667673e-2}, 0},
                          {500, {1.078873e-2, 1.210989e-2}, {7.827456e-3, 6.631283e-3}, {7.766622e-3, 6.650959e-3}, 0},
                          {1000, {6.892462e-3, 8.877493e-3}, {3.908297e-3, 3.319041e-3}, {3.888773e-3, 3.322166e-3}, 0},
                          {2000, {4.948454e-3, 7.277829e-3}, {1.952792e-3, 1.660368e-3}, {}, 0}},
                         {3.007196e-3, 5.703424e-3}};

struct Measured {
  Ends end;
  double multiplier;
};

Measured run_euler(const std::string& problem, int steps, const std::string& variant, bool conjugate,
                   double alpha = 0.5) {
  const RunResult result = end_of_problem(problem, {{"method.name", "euler"},
                                                    {"method.variant", variant},
                                                    {"method.conjugate", conjugate ? "true" : "false"},
                                                    {"method.alpha", fmt::format("{}", alpha)},
                                                    {"run.step", fmt::format("{}", 1.0 / steps)},
                                                    {"run.steps", std::to_string(steps)}});
  double last = std::nan("");
  for (const NamedValues& raw : result.raw)
    if (raw.name == "lambda") last = raw.values.numbers.front();
  return {{result.final.q.numbers, result.final.p.numbers}, last};
}

void add_errors(const std::string& name, const EulerErrors& expected, const EulerErrors& measured, Reproduction& r) {
  const std::string note = "computed independently";
  r.rows.push_back(recomputed_row(name + ": error of y", {}, expected.y, measured.y, 6, note));
  r.rows.push_back(recomputed_row(name + ": error of z", {}, expected.z, measured.z, 6, note));
}

void measure(const EulerProblem& problem, Extent extent, Reproduction& r) {
  r.definition = fmt::format(
      "Problem {}, alpha = 1/2, t = 1, double. Errors in the Euclidean norm. The paper prints pictures and no numbers.",
      problem.number);
  const auto plot = [](const std::string& of) {
    return svg::Plot{
        .description = "errors of " + of + " over the step size",
        .x_label = "h",
        .y_label = "error of " + of,
        .logarithmic = true,
        .x_logarithmic = true,
        .curves = {{.name = "natural"}, {.name = "true", .colour = 1}, {.name = "true conjugate", .colour = 2}}};
  };
  svg::Plot y = plot("y"), z = plot("z");
  EulerErrors true_before{}, conjugate_before{};
  for (const TableRow& row : problem.rows) {
    if (extent == Extent::brief && row.steps > 200) break;
    const Measured natural = run_euler(problem.name, row.steps, "natural", false),
                   truly = run_euler(problem.name, row.steps, "true", false),
                   conjugate = run_euler(problem.name, row.steps, "true", true);
    const EulerErrors errors[] = {distance(natural.end, problem.exact), distance(truly.end, problem.exact),
                                  distance(conjugate.end, problem.exact)};
    add_errors(fmt::format("natural, h = 1/{}", row.steps), row.natural, errors[0], r);
    add_errors(fmt::format("true, h = 1/{}", row.steps), row.true_, errors[1], r);
    if (row.conjugate.y > 0)
      add_errors(fmt::format("true conjugate, h = 1/{}", row.steps), row.conjugate, errors[2], r);
    if (row.multiplier > 0)
      r.rows.push_back(recomputed_row(fmt::format("true, h = 1/{}: error of the last multiplier", row.steps), {},
                                      row.multiplier, std::abs(truly.multiplier - problem.psi), 4,
                                      "computed independently"));
    if (row.steps == 200 || row.steps == 1000) {
      r.rows.push_back(range_row(fmt::format("true: order of y from h = 1/{}", row.steps / 2), {}, 0.95, 1.1,
                                 std::log2(true_before.y / errors[1].y)));
      r.rows.push_back(range_row(fmt::format("true conjugate: order of y from h = 1/{}", row.steps / 2), {}, 0.95, 1.1,
                                 std::log2(conjugate_before.y / errors[2].y)));
    }
    true_before = errors[1], conjugate_before = errors[2];
    for (std::size_t k = 0; k < 3; ++k) {
      y.curves[k].points.push_back({1.0 / row.steps, errors[k].y});
      z.curves[k].points.push_back({1.0 / row.steps, errors[k].z});
    }
  }
  const Ends limit = NaturalLimit(problem.name, 0.5).end();
  add_errors("limit of the natural method", problem.limit, distance(limit, problem.exact), r);
  const EulerErrors coarse = distance(run_euler(problem.name, 200, "natural", false).end, limit),
                    fine = distance(run_euler(problem.name, 400, "natural", false).end, limit);
  r.rows.push_back(range_row("natural: order of y, against its limit", {}, 0.95, 1.1, std::log2(coarse.y / fine.y),
                             "it converges, but to another equation"));
  r.rows.push_back(range_row("natural: order of z, against its limit", {}, 0.95, 1.1, std::log2(coarse.z / fine.z)));
  // The conjugate with alpha and the plain method with 1 - alpha have the same limit.
  const Ends other = NaturalLimit(problem.name, 0.3).end();
  const EulerErrors swapped = distance(run_euler(problem.name, 400, "natural", true, 0.7).end, other),
                    swapped_fine = distance(run_euler(problem.name, 800, "natural", true, 0.7).end, other);
  r.rows.push_back(range_row("natural conjugate, alpha = 0.7: order of y, against the limit for 0.3", {}, 0.95, 1.1,
                             std::log2(swapped.y / swapped_fine.y)));
  r.pictures.push_back(picture("Errors of y", problem.figures, y));
  r.pictures.push_back(picture("Errors of z", problem.figures, z));
}

}  // namespace

std::vector<ReproductionEntry> odae_reproductions() {
  return {{"odae/artificial", "Natural and true Euler methods: an artificial problem",
           [](Extent extent, Reproduction& r) { measure(artificial, extent, r); }},
          {"odae/cubic", "Natural and true Euler methods: a mass on a cubic with friction",
           [](Extent extent, Reproduction& r) { measure(cubic, extent, r); }}};
}

}  // namespace livens
