// Brugnano, Gurioli, Iavernaro, Weinmueller (2018), "Line integral solution of Hamiltonian systems with holonomic
// constraints": tables 1-4 and figures 1-3.
//
// The paper does not say how its errors are measured, and does it in three ways; the definitions stated here give back
// its digits. Where they do not, in the last rows of the tables, the printed figures carry the round-off of plain
// double sums: double with compensated sums and extended precision agree with each other there, and `errata` is what
// they say.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "report/sheet.hpp"
#include "reproduce/entries.hpp"
#include "reproduce/hbvm_problems.hpp"
#include "reproduce/hbvm_trajectory.hpp"
#include "reproduce/parallel.hpp"

namespace livens {

namespace {

using namespace hbvm_problems;

// An error and, but in the first row and where it is round-off, the rate at which it falls.
struct Printed {
  double error;
  std::optional<double> rate = {};
};

// Row n of the part s of a table, in the order of the paper's columns.
struct TableRow {
  int s, n;
  Printed e_s, e_lambda;
  double e_H, e_g;
  Printed e_hc;
};

// Row n of the part s as it should be.
struct Erratum {
  int s, n;
  double e_s, e_lambda = 0, e_hc = 0;
};

struct Table {
  std::vector<TableRow> rows;
  std::vector<Erratum> errata;
  bool constant_multiplier = false;  // e_lambda and e_hc are round-off then

  Table up_to(int largest_n) const {
    Table part = *this;
    std::erase_if(part.rows, [&](const TableRow& row) { return row.n > largest_n; });
    return part;
  }
};

struct Errors {
  double e_s = 0, e_lambda = 0, e_hc = 0;
};

Errors printed_errors(const TableRow& row) {
  return {row.e_s.error, row.e_lambda.error, row.e_hc.error};
}

Errors right_errors(const Table& table, const TableRow& row) {
  for (const Erratum& e : table.errata)
    if (e.s == row.s && e.n == row.n) return {e.e_s, e.e_lambda, e.e_hc};
  return printed_errors(row);
}

struct Measured {
  Errors errors;
  HbvmMaxima maxima;  // in double
  long long steps;
};

std::string name_of(const TableRow& row, const char* what) {
  return "s=" + std::to_string(row.s) + " n=" + std::to_string(row.n) + " " + what;
}

ReproductionRow compared_row(std::string name, double printed, double right, double measured, int digits) {
  if (same_digits(printed, right, digits)) return printed_row(std::move(name), printed, measured, digits);
  return recomputed_row(std::move(name), printed, right, measured, digits,
                        "erratum: the last printed digits are round-off");
}

// Errors that are nothing but round-off are bounded: their digits are not expected to come out again.
ReproductionRow round_off_row(std::string name, double printed, double bound, double measured,
                              const std::string& reason = "its digits need not repeat") {
  ReproductionRow row = bound_row(std::move(name), bound, measured, "round-off: " + reason);
  row.printed = printed;
  return row;
}

// What is measured for row i, column by column. The rate is log(e' / e) / log(N / N') with the error e and the number N
// of steps of this row, e' and N' of the row before; it is printed with two decimals.
void add_rows(const Table& table, std::size_t i, const std::vector<Measured>& measured,
              std::vector<ReproductionRow>& rows) {
  const TableRow& row = table.rows[i];
  const HbvmMaxima& maxima = measured[i].maxima;
  const auto rate = [&](double before, double now) {
    const auto steps = [&](std::size_t k) { return static_cast<double>(measured[k].steps); };
    return std::log(before / now) / std::log(steps(i) / steps(i - 1));
  };
  const auto add_error = [&](const char* what, const Printed& printed, double Errors::*error) {
    const double right = right_errors(table, row).*error, now = measured[i].errors.*error;
    rows.push_back(compared_row(name_of(row, what), printed.error, right, now, 5));
    if (!printed.rate) return;
    const TableRow& before = table.rows[i - 1];
    const int digits = *printed.rate < 1 ? 2 : 3;
    rows.push_back(compared_row(name_of(row, what) + " rate", *printed.rate,
                                rate(right_errors(table, before).*error, right),
                                rate(measured[i - 1].errors.*error, now), digits));
    const double said = rate(printed_errors(before).*error, printed.error);
    if (!same_digits(*printed.rate, said, digits))
      rows.back().note = fmt::format("though the printed errors give {:.4f}", said);
  };

  add_error("e_s", row.e_s, &Errors::e_s);
  if (table.constant_multiplier)
    rows.push_back(round_off_row(name_of(row, "e_lambda"), row.e_lambda.error, 1e-12, measured[i].errors.e_lambda));
  else
    add_error("e_lambda", row.e_lambda, &Errors::e_lambda);
  rows.push_back(round_off_row(name_of(row, "e_H"), row.e_H, 1e-15, maxima.energy));
  rows.push_back(round_off_row(name_of(row, "e_g"), row.e_g, maxima.constraint_round_off(measured[i].steps),
                               maxima.constraint, "4 eps |G| |q| sqrt(steps)"));
  if (table.constant_multiplier)
    rows.push_back(round_off_row(name_of(row, "e_hc"), row.e_hc.error, 1e-13, measured[i].errors.e_hc));
  else
    add_error("e_hc", row.e_hc, &Errors::e_hc);
}

// Measures the rows on all cores; `measure(row)` gives what was Measured.
template <class Measure>
void measure_rows(const Table& table, const Measure& measure, Reproduction& r) {
  std::vector<Measured> measured(table.rows.size());
  in_parallel(measured.size(), [&](std::size_t i) {  // the longest runs first
    const std::size_t k = measured.size() - 1 - i;
    measured[k] = measure(table.rows[k]);
  });
  for (std::size_t i = 0; i < measured.size(); ++i) add_rows(table, i, measured, r.rows);
  r.definition +=
      " e_H = max_n |H_n - H_0| and e_g = max_n |g(q_n)|_inf are round-off: bounded, since such digits need not "
      "repeat. "
      "rate = log(e'/e) / log(h'/h) with e', h' of the row above.";
}

// h = 0.1 / 2^n on [0, 10]
template <class T>
T halved_step(int n) {
  return T(1) / T(10) / T(1 << n);
}
long long halved_steps(int n) {
  return 100LL << n;
}

// ---- table 1 -----------------------------------------------------------------------------------------------------

// theta'' = -sin theta, theta(0) = 0, theta'(0) = 1 by the classical Runge-Kutta method in extended precision, at the
// nodes of the finest mesh of the table; four steps between nodes leave 1e-17.
class SwingingAngle {
 public:
  using Real = long double;
  explicit SwingingAngle(int finest) : finest_(finest) {
    constexpr int between = 4;
    const Real dt = halved_step<Real>(finest) / between;
    Real theta = 0, omega = 1;
    for (long long n = 0; n <= halved_steps(finest); ++n) {
      nodes_.push_back({theta, omega});
      for (int k = 0; k < between; ++k) {
        const auto rate = [](Real x) { return -std::sin(x); };
        const Real a1 = rate(theta), v2 = omega + dt / 2 * a1, a2 = rate(theta + dt / 2 * omega);
        const Real v3 = omega + dt / 2 * a2, a3 = rate(theta + dt / 2 * v2), v4 = omega + dt * a3;
        const Real a4 = rate(theta + dt * v3);
        theta += dt / 6 * (omega + 2 * v2 + 2 * v3 + v4);
        omega += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      }
    }
  }
  struct Values {
    Real theta, omega;
  };
  // At node k of the mesh 0.1 / 2^n
  const Values& at(int n, long long k) const { return nodes_[static_cast<std::size_t>(k << (finest_ - n))]; }

 private:
  int finest_;
  std::vector<Values> nodes_;
};

const Table table_1 = {
    .rows =
        {
            // s, n, {e_s, rate}, {e_lambda, rate}, e_H, e_g, {e_hc, rate}
            {1, 0, {2.5700e-02}, {3.4253e-02}, 5.5511e-17, 9.9920e-16, {2.3487e-03}},
            {1, 1, {6.4260e-03, 2.00}, {1.7386e-02, 0.98}, 1.1102e-16, 6.6613e-16, {5.8639e-04, 2.00}},
            {1, 2, {1.6070e-03, 2.00}, {8.7406e-03, 0.99}, 1.1102e-16, 5.5511e-16, {1.4654e-04, 2.00}},
            {1, 3, {4.0181e-04, 2.00}, {4.3835e-03, 1.00}, 1.1102e-16, 1.9984e-15, {3.6633e-05, 2.00}},
            {1, 4, {1.0045e-04, 2.00}, {2.1948e-03, 1.00}, 1.1102e-16, 1.8874e-15, {9.1580e-06, 2.00}},
            {1, 5, {2.5114e-05, 2.00}, {1.0982e-03, 1.00}, 1.1102e-16, 2.4425e-15, {2.2895e-06, 2.00}},
            {1, 6, {6.2785e-06, 2.00}, {5.4929e-04, 1.00}, 1.1102e-16, 3.4417e-15, {5.7238e-07, 2.00}},
            {1, 7, {1.5696e-06, 2.00}, {2.7470e-04, 1.00}, 1.1102e-16, 6.1062e-15, {1.4311e-07, 2.00}},
            {1, 8, {3.9248e-07, 2.00}, {1.3743e-04, 1.00}, 1.1102e-16, 8.5487e-15, {3.5902e-08, 2.00}},
            {2, 0, {1.6695e-03}, {3.5176e-02}, 1.1102e-16, 8.8818e-16, {2.3539e-03}},
            {2, 1, {4.1412e-04, 2.01}, {1.7585e-02, 1.00}, 1.1102e-16, 8.8818e-16, {5.8670e-04, 2.00}},
            {2, 2, {1.0332e-04, 2.00}, {8.7919e-03, 1.00}, 1.1102e-16, 1.1102e-15, {1.4656e-04, 2.00}},
            {2, 3, {2.5816e-05, 2.00}, {4.3958e-03, 1.00}, 1.1102e-16, 9.9920e-16, {3.6634e-05, 2.00}},
            {2, 4, {6.4533e-06, 2.00}, {2.1979e-03, 1.00}, 1.1102e-16, 1.8874e-15, {9.1581e-06, 2.00}},
            {2, 5, {1.6133e-06, 2.00}, {1.0990e-03, 1.00}, 1.1102e-16, 2.7756e-15, {2.2895e-06, 2.00}},
            {2, 6, {4.0332e-07, 2.00}, {5.4948e-04, 1.00}, 1.1102e-16, 3.6637e-15, {5.7238e-07, 2.00}},
            {2, 7, {1.0086e-07, 2.00}, {2.7477e-04, 1.00}, 1.1102e-16, 5.5511e-15, {1.4314e-07, 2.00}},
            {2, 8, {2.5286e-08, 2.00}, {1.3751e-04, 1.00}, 1.1102e-16, 1.0547e-14, {3.5884e-08, 2.00}},
            {3, 0, {1.6658e-03}, {3.5178e-02}, 1.1102e-16, 1.1102e-15, {2.3539e-03}},
            {3, 1, {4.1386e-04, 2.01}, {1.7585e-02, 1.00}, 1.1102e-16, 8.8818e-16, {5.8670e-04, 2.00}},
            {3, 2, {1.0331e-04, 2.00}, {8.7919e-03, 1.00}, 1.1102e-16, 7.7716e-16, {1.4656e-04, 2.00}},
            {3, 3, {2.5815e-05, 2.00}, {4.3958e-03, 1.00}, 1.1102e-16, 8.8818e-16, {3.6634e-05, 2.00}},
            {3, 4, {6.4532e-06, 2.00}, {2.1979e-03, 1.00}, 1.1102e-16, 1.6653e-15, {9.1581e-06, 2.00}},
            {3, 5, {1.6133e-06, 2.00}, {1.0990e-03, 1.00}, 1.1102e-16, 2.9976e-15, {2.2895e-06, 2.00}},
            {3, 6, {4.0331e-07, 2.00}, {5.4948e-04, 1.00}, 1.1102e-16, 3.4417e-15, {5.7238e-07, 2.00}},
            {3, 7, {1.0086e-07, 2.00}, {2.7477e-04, 1.00}, 1.1102e-16, 5.2180e-15, {1.4314e-07, 2.00}},
            {3, 8, {2.5220e-08, 2.00}, {1.3739e-04, 1.00}, 1.1102e-16, 8.9928e-15, {3.5791e-08, 2.00}},
        },
    .errata =
        {
            // s, n, e_s, e_lambda, e_hc
            {1, 6, 6.2785e-06, 5.4928e-04, 5.7237e-07},
            {1, 7, 1.5696e-06, 2.7469e-04, 1.4309e-07},
            {1, 8, 3.9240e-07, 1.3736e-04, 3.5773e-08},
            {2, 6, 4.0331e-07, 5.4948e-04, 5.7237e-07},
            {2, 7, 1.0083e-07, 2.7474e-04, 1.4309e-07},
            {2, 8, 2.5207e-08, 1.3737e-04, 3.5773e-08},
            {3, 6, 4.0331e-07, 5.4948e-04, 5.7237e-07},
            {3, 7, 1.0083e-07, 2.7474e-04, 1.4309e-07},
            {3, 8, 2.5207e-08, 1.3737e-04, 3.5773e-08},
        },
};

void measure_table_1(Extent extent, Reproduction& r) {
  r.definition =
      "HBVM(s,s), h = 0.1/2^n, t <= 10, double. e_s = max_n |y_n - y(t_n)|_1, y = (q,p); e_lambda = max_n |lambda_n - "
      "lambda(t_n)|, lambda_n of the step from t_n; both against the exact solution. e_hc = max_n 2 |q_n.p_n|.";
  const int largest_n = extent != Extent::brief ? 8 : 3;
  const SwingingAngle exact(largest_n);
  measure_rows(
      table_1.up_to(largest_n),
      [&](const TableRow& row) {
        Errors e;
        const HbvmMaxima maxima = follow_hbvm(
            PlanarPendulum{}, {.k = row.s, .s = row.s}, halved_step<double>(row.n), halved_steps(row.n),
            [&](const auto& x) {
              const auto now = exact.at(row.n, x.n);
              const long double sine = std::sin(now.theta), cosine = std::cos(now.theta);
              const long double distance = std::abs(x.q[0] - sine) + std::abs(x.q[1] + cosine) +
                                           std::abs(x.p[0] - now.omega * cosine) + std::abs(x.p[1] - now.omega * sine);
              e.e_s = std::max(e.e_s, static_cast<double>(distance));
              if (x.n == 0) return;
              const auto before = exact.at(row.n, x.n - 1);
              const long double lambda = (before.omega * before.omega + std::cos(before.theta)) / 2;
              e.e_lambda = std::max(e.e_lambda, static_cast<double>(std::abs(x.lambda[0] - lambda)));
            });
        e.e_hc = maxima.hidden;
        return Measured{e, maxima, halved_steps(row.n)};
      },
      r);
}

// ---- table 2, figures 1 and 2 ------------------------------------------------------------------------------------

// |y_n - y(t_n)|_inf of the conical pendulum, which turns with constant speed.
template <class System>
double conical_error(const HbvmNode<System>& x, int steps_per_period) {
  using T = typename System::Scalar;
  const T angle = 2 * std::numbers::pi_v<T> * static_cast<T>(x.n % steps_per_period) / static_cast<T>(steps_per_period);
  const T c = std::cos(angle), s = std::sin(angle);
  const ConicalPendulum start;
  const Vec<T, 3> q = start.q0<T>(), p = start.p0<T>();
  T error = std::max(std::abs(x.q[2] - q[2]), std::abs(x.p[2]));
  error = std::max({error, std::abs(x.q[0] - q[0] * c), std::abs(x.q[1] - q[0] * s)});
  error = std::max({error, std::abs(x.p[0] + p[1] * s), std::abs(x.p[1] - p[1] * c)});
  return to_double(error);
}

const Table table_2 = {
    .rows =
        {
            // s, n, {e_s, rate}, {e_lambda, rate}, e_H, e_g, {e_hc, rate}
            {1, 10, {1.1543e-00}, {6.5503e-15}, 1.1102e-16, 1.5543e-15, {6.9435e-15}},
            {1, 20, {4.0996e-01, 1.49}, {1.2212e-14}, 1.1102e-16, 6.6613e-16, {7.3344e-15}},
            {1, 30, {1.9021e-01, 1.89}, {7.2831e-14}, 1.1102e-16, 8.8818e-16, {2.6870e-14}},
            {1, 40, {1.0794e-01, 1.97}, {2.3959e-13}, 1.1102e-16, 6.6613e-16, {6.8291e-14}},
            {1, 50, {6.9285e-02, 1.99}, {2.6112e-13}, 1.1102e-16, 4.4409e-16, {5.5241e-14}},
            {1, 60, {4.8178e-02, 1.99}, {1.8818e-13}, 1.1102e-16, 1.2212e-15, {4.0510e-14}},
            {1, 70, {3.5420e-02, 2.00}, {6.1351e-13}, 1.1102e-16, 6.6613e-16, {9.4355e-14}},
            {1, 80, {2.7130e-02, 2.00}, {8.1246e-13}, 1.1102e-16, 5.5511e-16, {1.0761e-13}},
            {1, 90, {2.1441e-02, 2.00}, {7.5329e-13}, 1.1102e-16, 5.5511e-16, {8.8662e-14}},
            {1, 100, {1.7371e-02, 2.00}, {1.4311e-12}, 1.1102e-16, 5.5511e-16, {1.5112e-13}},
            {2, 10, {1.1168e-02}, {6.5503e-15}, 1.1102e-16, 6.6613e-16, {7.7539e-15}},
            {2, 20, {7.1061e-04, 3.97}, {1.8208e-14}, 5.5511e-17, 3.3307e-16, {1.1374e-14}},
            {2, 30, {1.4083e-04, 3.99}, {6.4060e-14}, 1.1102e-16, 3.3307e-16, {2.2125e-14}},
            {2, 40, {4.4610e-05, 4.00}, {2.2171e-13}, 1.1102e-16, 4.4409e-16, {6.2087e-14}},
            {2, 50, {1.8282e-05, 4.00}, {9.2704e-14}, 1.1102e-16, 4.4409e-16, {2.1613e-14}},
            {2, 60, {8.8190e-06, 4.00}, {3.6859e-13}, 1.1102e-16, 4.4409e-16, {6.4763e-14}},
            {2, 70, {4.7611e-06, 4.00}, {8.5076e-13}, 1.1102e-16, 4.4409e-16, {1.3128e-13}},
            {2, 80, {2.7912e-06, 4.00}, {1.2552e-12}, 1.1102e-16, 2.2204e-16, {1.6921e-13}},
            {3, 10, {3.1758e-05}, {6.1062e-15}, 1.1102e-16, 1.5543e-15, {9.8364e-15}},
            {3, 20, {5.0199e-07, 5.98}, {1.7319e-14}, 1.1102e-16, 6.6613e-16, {1.0819e-14}},
            {3, 30, {4.4164e-08, 5.99}, {9.8921e-14}, 1.1102e-16, 2.2204e-16, {3.4922e-14}},
            {3, 40, {7.8663e-09, 6.00}, {2.0650e-13}, 1.1102e-16, 4.4409e-16, {5.4473e-14}},
            {3, 50, {2.0628e-09, 6.00}, {2.3292e-13}, 1.1102e-16, 4.4409e-16, {4.9311e-14}},
            {3, 60, {6.9103e-10, 6.00}, {4.7151e-13}, 1.1102e-16, 4.4409e-16, {8.3119e-14}},
            {4, 10, {4.9944e-08}, {1.1768e-14}, 1.1102e-16, 1.5543e-15, {1.5603e-14}},
            {4, 20, {1.9676e-10, 7.99}, {1.7431e-14}, 1.1102e-16, 6.6613e-16, {1.1910e-14}},
            {4, 30, {7.6630e-12, 8.00}, {5.7399e-14}, 1.1102e-16, 3.3307e-16, {2.1564e-14}},
            {4, 40, {7.3944e-13, 8.13}, {4.1411e-14}, 1.1102e-16, 4.4409e-16, {1.0999e-14}},
        },
    .errata =
        {
            // s, n, e_s
            {3, 40, 7.8662e-09},
            {3, 60, 6.9095e-10},
            {4, 20, 1.9679e-10},
            {4, 30, 7.6908e-12},
            {4, 40, 7.7038e-13},
        },
    .constant_multiplier = true,
};

void measure_table_2(Extent extent, Reproduction& r) {
  r.definition =
      "HBVM(s,s), Newton, h = T/n, 10 periods T. e_s = |y(10 T) - y_0|_inf at the end, y = (q,p), double for s <= 2, "
      "extended for s >= 3. e_lambda = max_n |lambda_n - 2^(-1/2)|, e_hc = max_n |G p|_1: double, round-off as well.";
  measure_rows(
      table_2.up_to(extent != Extent::brief ? 100 : 30),
      [&](const TableRow& row) {
        const Hbvm method{.k = row.s, .s = row.s, .iteration = Hbvm::Iteration::newton};
        const long long steps = 10 * row.n;
        Errors e;
        const double h = ConicalPendulum::period<double>() / row.n;
        const HbvmMaxima maxima = follow_hbvm(ConicalPendulum{}, method, h, steps, [&](const auto& x) {
          if (x.n > 0) e.e_lambda = std::max(e.e_lambda, std::abs(x.lambda[0] - std::numbers::sqrt2 / 2));
          if (x.n == steps) e.e_s = conical_error(x, row.n);
        });
        if (row.s >= 3)
          follow_hbvm(ConicalPendulum{}, method, ConicalPendulum::period<long double>() / row.n, steps,
                      [&](const auto& x) {
                        if (x.n == steps) e.e_s = conical_error(x, row.n);
                      });
        e.e_hc = maxima.hidden;
        return Measured{e, maxima, steps};
      },
      r);
}

// HBVM(2,2) with h = T/100 over 100 periods.
template <class Visit>
HbvmMaxima follow_periods(int periods, const Visit& visit) {
  return follow_hbvm(ConicalPendulum{}, {.k = 2, .s = 2}, ConicalPendulum::period<double>() / 100, 100LL * periods,
                     visit);
}

void measure_fig_1(Extent extent, Reproduction& r) {
  r.definition =
      "HBVM(2,2), h = T/100, 100 periods T, double. |y_n - y(t_n)|_inf against the exact solution, y = (q,p), after "
      "whole "
      "periods; growth: slope of its logarithm over that of the time, from 10 periods on.";
  const int periods = extent != Extent::brief ? 100 : 20;
  svg::Curve curve{.name = "error of (q,p)"};
  std::vector<double> error;
  follow_periods(periods, [&](const auto& x) {
    const double now = conical_error(x, 100);
    if (x.n % 25 == 0) curve.points.push_back({static_cast<double>(x.n) / 100, now});
    if (x.n % 100 == 0) error.push_back(now);
  });
  const double expected[] = {1.1434e-7, 1.1434e-6, 1.1434e-5};
  for (int k = 0, period = 1; period <= periods; ++k, period *= 10)
    r.rows.push_back(recomputed_row("error after " + std::to_string(period) + " periods", {}, expected[k],
                                    error[static_cast<std::size_t>(period)], 4, "the paper draws it"));
  const double growth = std::log(error.back() / error[10]) / std::log(periods / 10.0);
  r.rows.push_back(range_row("growth", std::string("linear"), 0.999, 1.001, growth));
  r.pictures.push_back(picture("Conical pendulum, HBVM(2,2), h = T/100", "the error grows linearly",
                               {.description = "error of the solution against time in periods",
                                .x_label = "periods",
                                .y_label = "error of (q,p)",
                                .curves = {curve}}));
}

void measure_fig_2(Extent extent, Reproduction& r) {
  r.definition =
      "HBVM(2,2), h = T/100, 100 periods T, double. |lambda_n - 2^(-1/2)|, |G p|, |H - H_0|, |g| at every node: all "
      "are "
      "round-off. The hidden constraint is not damped and collects it, the multiplier shows it divided by h.";
  const int periods = extent != Extent::brief ? 100 : 20;
  const long long steps = 100LL * periods;
  const char* const names[] = {"multiplier", "hidden constraint", "energy", "constraint"};
  std::vector<svg::Thinned> series(4, svg::Thinned(steps, 400, svg::Thinned::Keep::highest));
  double multiplier = 0;
  const HbvmMaxima maxima = follow_periods(periods, [&](const auto& x) {
    if (x.n == 0) return;
    const double error = std::abs(x.lambda[0] - std::numbers::sqrt2 / 2), t = static_cast<double>(x.n) / 100;
    multiplier = std::max(multiplier, error);
    const double values[] = {error, x.hidden, std::abs(x.energy_error), x.constraint};
    for (std::size_t k = 0; k < 4; ++k) series[k].add(t, values[k]);
  });
  const double h = ConicalPendulum::period<double>() / 100;
  r.rows.push_back(bound_row("e_lambda", 1e3 * epsilon<double>() / h, multiplier, "1000 eps / h"));
  r.rows.push_back(bound_row("e_hc", 50 * epsilon<double>() * std::sqrt(static_cast<double>(steps)), maxima.hidden,
                             "50 eps sqrt(steps)"));
  r.rows.push_back(bound_row("e_H", 1e-15, maxima.energy));
  r.rows.push_back(
      bound_row("e_g", maxima.constraint_round_off(steps), maxima.constraint, "4 eps |G| |q| sqrt(steps)"));
  svg::Plot plot{
      .description = "errors of multiplier, hidden constraint, energy and constraint against time in periods",
      .x_label = "periods",
      .y_label = "largest error",
      .logarithmic = true};
  for (std::size_t k = 0; k < 4; ++k)
    plot.curves.push_back({.name = names[k], .colour = static_cast<int>(k), .points = series[k].points()});
  r.pictures.push_back(picture("Conical pendulum, HBVM(2,2), h = T/100", "all errors are round-off", plot));
}

// ---- tables 3 and 4 ----------------------------------------------------------------------------------------------

// The run with h = 0.1 / 2^n, seen at t = 0, 0.1, .., 10.
struct Samples {
  std::vector<std::vector<long double>> states;       // (q,p)
  std::vector<std::vector<long double>> multipliers;  // of the steps from these times, but the last
  HbvmMaxima maxima;
};

template <class T, class Problem>
Samples samples(const Problem& problem, const Hbvm& method, int n) {
  Samples s;
  const long long between = 1LL << n;
  s.maxima = follow_hbvm(problem, method, halved_step<T>(n), halved_steps(n), [&](const auto& x) {
    if (x.n % between == 1 % between && x.n > 0) s.multipliers.emplace_back(x.lambda.begin(), x.lambda.end());
    if (x.n % between != 0) return;
    auto& y = s.states.emplace_back(x.q.begin(), x.q.end());
    y.insert(y.end(), x.p.begin(), x.p.end());
  });
  return s;
}

double largest_difference(const std::vector<std::vector<long double>>& a,
                          const std::vector<std::vector<long double>>& b) {
  long double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) largest = std::max(largest, std::abs(a[k][i] - b[k][i]));
  return static_cast<double>(largest);
}

// T: of the errors; energy and constraint are those of double.
template <class T, class Problem>
void measure_halved(const Table& table, const Problem& problem, int k_per_s, int k, Reproduction& r) {
  measure_rows(
      table,
      [&](const TableRow& row) {
        const Hbvm method{.k = k + k_per_s * row.s, .s = row.s};
        const Samples coarse = samples<T>(problem, method, row.n), fine = samples<T>(problem, method, row.n + 1);
        const Errors e = {largest_difference(coarse.states, fine.states),
                          largest_difference(coarse.multipliers, fine.multipliers), coarse.maxima.hidden};
        const HbvmMaxima maxima =
            std::is_same_v<T, double> ? coarse.maxima : samples<double>(problem, method, row.n).maxima;
        return Measured{e, maxima, halved_steps(row.n)};
      },
      r);
}

const Table table_3 = {
    .rows =
        {
            // s, n, {e_s, rate}, {e_lambda, rate}, e_H, e_g, {e_hc, rate}
            {1, 0, {2.0539e-02}, {1.0864e-01}, 1.1102e-16, 1.6431e-14, {1.5279e-02}},
            {1, 1, {4.9675e-03, 2.05}, {6.4279e-02, 0.76}, 2.2204e-16, 7.5495e-15, {3.9290e-03, 1.96}},
            {1, 2, {1.2365e-03, 2.01}, {3.5621e-02, 0.85}, 2.2204e-16, 3.6637e-15, {9.7072e-04, 2.02}},
            {1, 3, {3.0878e-04, 2.00}, {1.8727e-02, 0.93}, 2.2204e-16, 2.1094e-15, {2.4193e-04, 2.00}},
            {1, 4, {7.7173e-05, 2.00}, {9.5965e-03, 0.96}, 2.2204e-16, 8.8818e-16, {6.0436e-05, 2.00}},
            {1, 5, {1.9292e-05, 2.00}, {4.8569e-03, 0.98}, 2.2204e-16, 5.5511e-16, {1.5106e-05, 2.00}},
            {1, 6, {4.8229e-06, 2.00}, {2.4432e-03, 0.99}, 2.2204e-16, 6.6613e-16, {3.7764e-06, 2.00}},
            {1, 7, {1.2057e-06, 2.00}, {1.2251e-03, 1.00}, 2.2204e-16, 6.6613e-16, {9.4417e-07, 2.00}},
            {1, 8, {3.0139e-07, 2.00}, {6.1472e-04, 1.00}, 2.2204e-16, 6.6613e-16, {2.3608e-07, 2.00}},
            {2, 0, {6.0495e-03}, {1.5224e-01}, 1.1102e-16, 5.7732e-15, {1.7516e-02}},
            {2, 1, {1.4027e-03, 2.11}, {7.6627e-02, 0.99}, 2.2204e-16, 3.8858e-15, {4.6710e-03, 1.91}},
            {2, 2, {3.4600e-04, 2.02}, {3.8806e-02, 0.98}, 1.1102e-16, 2.3315e-15, {1.1666e-03, 2.00}},
            {2, 3, {8.6197e-05, 2.01}, {1.9532e-02, 0.99}, 2.2204e-16, 1.6653e-15, {2.9091e-04, 2.00}},
            {2, 4, {2.1530e-05, 2.00}, {9.7988e-03, 1.00}, 2.2204e-16, 5.5511e-16, {7.2716e-05, 2.00}},
            {2, 5, {5.3813e-06, 2.00}, {4.9076e-03, 1.00}, 2.2204e-16, 5.5511e-16, {1.8175e-05, 2.00}},
            {2, 6, {1.3453e-06, 2.00}, {2.4559e-03, 1.00}, 2.2204e-16, 6.6613e-16, {4.5440e-06, 2.00}},
            {2, 7, {3.3632e-07, 2.00}, {1.2285e-03, 1.00}, 2.2204e-16, 6.6613e-16, {1.1360e-06, 2.00}},
            {2, 8, {8.4002e-08, 2.00}, {6.1386e-04, 1.00}, 2.2204e-16, 6.6613e-16, {2.8414e-07, 2.00}},
            {3, 0, {6.0698e-03}, {1.5231e-01}, 2.2204e-16, 4.6629e-15, {1.7532e-02}},
            {3, 1, {1.4040e-03, 2.11}, {7.6632e-02, 0.99}, 1.1102e-16, 3.9968e-15, {4.6715e-03, 1.91}},
            {3, 2, {3.4608e-04, 2.02}, {3.8806e-02, 0.98}, 1.1102e-16, 1.7764e-15, {1.1666e-03, 2.00}},
            {3, 3, {8.6202e-05, 2.01}, {1.9532e-02, 0.99}, 2.2204e-16, 1.3323e-15, {2.9091e-04, 2.00}},
            {3, 4, {2.1530e-05, 2.00}, {9.7988e-03, 1.00}, 2.2204e-16, 5.5511e-16, {7.2716e-05, 2.00}},
            {3, 5, {5.3814e-06, 2.00}, {4.9076e-03, 1.00}, 2.2204e-16, 6.6613e-16, {1.8175e-05, 2.00}},
            {3, 6, {1.3453e-06, 2.00}, {2.4560e-03, 1.00}, 2.2204e-16, 6.6613e-16, {4.5439e-06, 2.00}},
            {3, 7, {3.3623e-07, 2.00}, {1.2283e-03, 1.00}, 2.2204e-16, 6.6613e-16, {1.1361e-06, 2.00}},
            {3, 8, {8.4116e-08, 2.00}, {6.1452e-04, 1.00}, 2.2204e-16, 6.6613e-16, {2.8410e-07, 2.00}},
        },
    .errata =
        {
            // s, n, e_s, e_lambda, e_hc
            {1, 7, 1.2057e-06, 1.2253e-03, 9.4410e-07},
            {1, 8, 3.0143e-07, 6.1356e-04, 2.3602e-07},
            {2, 7, 3.3631e-07, 1.2284e-03, 1.1360e-06},
            {2, 8, 8.4077e-08, 6.1435e-04, 2.8399e-07},
            {3, 6, 1.3453e-06, 2.4559e-03, 4.5440e-06},
            {3, 7, 3.3631e-07, 1.2284e-03, 1.1360e-06},
            {3, 8, 8.4077e-08, 6.1435e-04, 2.8399e-07},
        },
};

void measure_table_3(Extent extent, Reproduction& r) {
  r.definition =
      "HBVM(3s,s), h = 0.1/2^n, t <= 10, double. e_s, e_lambda: the largest difference of a run with h and one with "
      "h/2 at t = 0, 0.1, .., 10, of (q,p) and of the multipliers of the steps from these times; the true errors are "
      "about 4/3 and 2 times as large. e_hc = max_n |G p| over all nodes.";
  measure_halved<double>(table_3.up_to(extent != Extent::brief ? 8 : 2), ModifiedPendulum{}, 3, 0, r);
}

const Table table_4 = {
    .rows =
        {
            // s, n, {e_s, rate}, {e_lambda, rate}, e_H, e_g, {e_hc, rate}
            {1, 0, {9.2893e-04}, {2.1218e-06}, 5.5511e-17, 1.2212e-14, {9.6503e-07}},
            {1, 1, {2.3234e-04, 2.00}, {1.0689e-06, 0.99}, 5.5511e-17, 1.2212e-14, {2.4108e-07, 2.00}},
            {1, 2, {5.8093e-05, 2.00}, {5.3623e-07, 1.00}, 6.9389e-17, 1.5765e-14, {6.0272e-08, 2.00}},
            {1, 3, {1.4524e-05, 2.00}, {2.6834e-07, 1.00}, 6.9389e-17, 1.5099e-14, {1.5090e-08, 2.00}},
            {2, 0, {1.8586e-07}, {2.1635e-06}, 6.2450e-17, 1.1990e-14, {1.3053e-06}},
            {2, 1, {3.9859e-08, 2.22}, {1.0812e-06, 1.00}, 4.8572e-17, 1.4877e-14, {3.2584e-07, 2.00}},
            {2, 2, {9.5501e-09, 2.06}, {5.4039e-07, 1.00}, 6.9389e-17, 1.4433e-14, {8.1466e-08, 2.00}},
            {2, 3, {2.3636e-09, 2.01}, {2.7052e-07, 1.00}, 6.9389e-17, 1.4655e-14, {2.0374e-08, 2.00}},
            {3, 0, {1.5089e-07}, {2.1635e-06}, 5.5511e-17, 1.3767e-14, {1.3053e-06}},
            {3, 1, {3.7674e-08, 2.00}, {1.0813e-06, 1.00}, 6.2450e-17, 1.4211e-14, {3.2585e-07, 2.00}},
            {3, 2, {9.4170e-09, 2.00}, {5.4061e-07, 1.00}, 6.9389e-17, 1.3323e-14, {8.1471e-08, 2.00}},
            {3, 3, {2.3630e-09, 2.00}, {2.7140e-07, 1.00}, 6.9389e-17, 1.5099e-14, {2.0381e-08, 2.00}},
        },
    .errata =
        {
            // s, n, e_s, e_lambda, e_hc
            {1, 2, 5.8093e-05, 5.3626e-07, 6.0275e-08},
            {1, 3, 1.4524e-05, 2.6857e-07, 1.5068e-08},
            {2, 2, 9.5518e-09, 5.4048e-07, 8.1464e-08},
            {2, 3, 2.3621e-09, 2.7020e-07, 2.0364e-08},
            {3, 1, 3.7673e-08, 1.0812e-06, 3.2585e-07},
            {3, 2, 9.4151e-09, 5.4048e-07, 8.1464e-08},
            {3, 3, 2.3536e-09, 2.7020e-07, 2.0364e-08},
        },
};

void measure_table_4(Extent extent, Reproduction& r) {
  r.definition =
      "HBVM(6,s), h = 0.1/2^n, t <= 10, extended; e_H, e_g: double. e_s, e_lambda: the largest difference of a run "
      "with h and one with h/2 at t = 0, 0.1, .., 10, of (q,p) and of the multipliers of the steps from these times. "
      "e_hc = max_n |G p|_1, the sum over the three tethers, over all nodes.";
  measure_halved<long double>(table_4.up_to(extent != Extent::brief ? 3 : 1), Satellites{}, 0, 6, r);
}

// ---- figure 3 ----------------------------------------------------------------------------------------------------

void measure_fig_3(Extent extent, Reproduction& r) {
  r.definition =
      "HBVM(6,2), h = 0.1, 10^4 steps, double: |G p|_1, |H - H_0|, |g|_inf at every node. Then 10^6 steps: |H - H_0| "
      "only.";
  const long long steps = 10'000, long_run = extent != Extent::brief ? 1'000'000 : 20'000;
  const Hbvm method{.k = 6, .s = 2};
  const char* const names[] = {"hidden constraint", "energy", "constraint"};
  std::vector<svg::Thinned> series(3, svg::Thinned(steps, 400, svg::Thinned::Keep::highest));
  HbvmMaxima maxima, long_maxima;
  in_parallel(2, [&](std::size_t which) {
    if (which == 0)
      long_maxima = follow_hbvm(Satellites{}, method, 0.1, long_run, [](const auto&) {});
    else
      maxima = follow_hbvm(Satellites{}, method, 0.1, steps, [&](const auto& x) {
        const double values[] = {x.hidden, std::abs(x.energy_error), x.constraint};
        for (std::size_t k = 0; x.n > 0 && k < 3; ++k) series[k].add(0.1 * static_cast<double>(x.n), values[k]);
      });
  });
  r.rows.push_back(recomputed_row("e_hc", {}, 1.0901e-5, maxima.hidden, 5, "the paper draws it"));
  r.rows.push_back(bound_row("e_H", 1e-15, maxima.energy));
  r.rows.push_back(
      bound_row("e_g", maxima.constraint_round_off(steps), maxima.constraint, "4 eps |G| |q| sqrt(steps)"));
  r.rows.push_back(bound_row("e_H, " + std::to_string(long_run) + " steps", 1e-13, long_maxima.energy));
  svg::Plot plot{.description = "errors of hidden constraint, energy and constraint against time",
                 .x_label = "t",
                 .y_label = "largest error",
                 .logarithmic = true};
  for (std::size_t k = 0; k < 3; ++k)
    plot.curves.push_back({.name = names[k], .colour = static_cast<int>(k), .points = series[k].points()});
  r.pictures.push_back(picture("Tethered satellites, HBVM(6,2), h = 0.1", "energy and constraints at round-off", plot));
}

}  // namespace

std::vector<ReproductionEntry> hbvm_reproductions() {
  return {{"hbvm/table-1", "Planar pendulum: errors of HBVM(s,s)", measure_table_1},
          {"hbvm/table-2", "Conical pendulum: errors of HBVM(s,s) after ten periods", measure_table_2},
          {"hbvm/table-3", "Modified pendulum: errors of HBVM(3s,s)", measure_table_3},
          {"hbvm/table-4", "Tethered satellites: errors of HBVM(6,s)", measure_table_4},
          {"hbvm/fig-1", "Conical pendulum: the error grows linearly over 100 periods", measure_fig_1},
          {"hbvm/fig-2", "Conical pendulum: multiplier and constraints over 100 periods", measure_fig_2},
          {"hbvm/fig-3", "Tethered satellites: what is conserved in 10^4 steps", measure_fig_3}};
}

}  // namespace livens
