// RATTLE steps of the hanging chain (problems/chain.toml), h = 0.3/N at most 1e-3, four ways. Counted by bench/run.
//
//   hand      written out for chains: the lower bound
//   elements  C++ elements, Schur complement on the multipliers
//   lu        C++ elements, KLU on the saddle
//   formulas  the model file, Schur complement
//   memory    kilobytes at most, as `elements`
//   flags     what it is compiled with
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "hanging_chain.hpp"
#include "livens/method/rattle.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "livens/model/model.hpp"
#include "livens/sparse/sparse_lu.hpp"

using namespace livens;
using namespace hanging_chain;

namespace {

// One Newton correction a step from the extrapolated multipliers, rods at round-off; momentum projected.
double hand_written(int N, long steps) {
  struct Three {
    double x, y, z;
  };
  const auto dot3 = [](const Three& a, const Three& b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
  const Start start(N);
  const double h = step_size(N), l = 1.0 / N;
  const auto n = static_cast<std::size_t>(N);
  std::vector<Three> q(n), v(n), u(n), d0(n), d1(n);
  std::vector<double> mu(n), before(n), r(n), lower(n), inverse(n), upper(n);
  for (std::size_t i = 0; i < n; ++i) {
    const int k = 3 * static_cast<int>(i);
    q[i] = {start.q[k], start.q[k + 1], start.q[k + 2]};
    v[i] = {start.v[k], start.v[k + 1], start.v[k + 2]};
  }
  const auto rods = [&](std::vector<Three>& d) {
    d[0] = q[0];
    for (std::size_t i = 1; i < n; ++i) d[i] = {q[i].x - q[i - 1].x, q[i].y - q[i - 1].y, q[i].z - q[i - 1].z};
  };
  // (A B^T) with the chain's G = rods a and b; masses cancel
  const auto solve = [&](const std::vector<Three>& a, const std::vector<Three>& b, std::vector<double>& x) {
    double inv = 0, right = 0, y = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = i > 0 ? -dot3(a[i], b[i - 1]) * inv : 0;
      inv = 1 / ((i > 0 ? 2 : 1) * dot3(a[i], b[i]) - factor * right);
      right = i + 1 < n ? -dot3(a[i], b[i + 1]) : 0;
      y = r[i] - factor * y;
      x[i] = y, upper[i] = right, inverse[i] = inv;
    }
    double after = 0;
    for (std::size_t i = n; i-- > 0;) x[i] = after = (x[i] - upper[i] * after) * inverse[i];
  };
  // w -= G^T x
  const auto apply = [&](const std::vector<Three>& d, const std::vector<double>& x, std::vector<Three>& w) {
    for (std::size_t i = 0; i < n; ++i) {
      const double next = i + 1 < n ? x[i + 1] : 0;
      const Three e = i + 1 < n ? d[i + 1] : Three{0, 0, 0};
      w[i].x -= d[i].x * x[i] - e.x * next;
      w[i].y -= d[i].y * x[i] - e.y * next;
      w[i].z -= d[i].z * x[i] - e.z * next;
    }
  };
  std::vector<double> guess(n), nu(n);
  rods(d0);
  for (long k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < n; ++i) guess[i] = 2 * mu[i] - before[i];
    before = mu;
    u = v;
    for (auto& w : u) w.z -= h / 2 * gravity;
    apply(d0, guess, u);
    mu = guess;
    std::vector<Three>& q1 = q;
    for (int iteration = 0; iteration < (k < 3 ? 6 : 1); ++iteration) {
      for (std::size_t i = 0; i < n; ++i) {
        const double f = iteration == 0 ? h : 0;
        q1[i] = {q1[i].x + f * u[i].x, q1[i].y + f * u[i].y, q1[i].z + f * u[i].z};
      }
      rods(d1);
      for (std::size_t i = 0; i < n; ++i) r[i] = (dot3(d1[i], d1[i]) - l * l) / (2 * h);
      solve(d1, d0, nu);
      for (std::size_t i = 0; i < n; ++i)
        mu[i] += nu[i], q1[i] = {q1[i].x - h * u[i].x, q1[i].y - h * u[i].y, q1[i].z - h * u[i].z};
      apply(d0, nu, u);
      for (std::size_t i = 0; i < n; ++i) q1[i] = {q1[i].x + h * u[i].x, q1[i].y + h * u[i].y, q1[i].z + h * u[i].z};
    }
    rods(d1);
    v = u;
    for (auto& w : v) w.z -= h / 2 * gravity;
    for (std::size_t i = 0; i < n; ++i) {
      const Three w = i > 0 ? Three{v[i].x - v[i - 1].x, v[i].y - v[i - 1].y, v[i].z - v[i - 1].z} : v[i];
      r[i] = dot3(d1[i], w);
    }
    solve(d1, d1, nu);
    apply(d1, nu, v);
    std::swap(d0, d1);
  }
  return q[n - 1].x;
}

double march(const ElementSystem<double>& system, int N, long steps) {
  const Start start(N);
  const double h = step_size(N);
  State<ElementSystem<double>> x(system);
  x.q = start.q;
  for (int i = 0; i < 3 * N; ++i) x.p[i] = start.v[i] / N;
  Rattle::Step<ElementSystem<double>> step(system, Rattle{}, {});
  step.start(0, x, start.v);
  StepReport report;
  for (long n = 0; n < steps; ++n) {
    const auto t = static_cast<double>(n) * h;
    step.advance(t, t + h, h, x, report);
    if (!succeeded(report.outcome)) std::exit(1);
  }
  return x.q[3 * N - 3];
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const std::string way = arguments[1];
  const int N = std::atoi(arguments[2]);
  const long steps = std::atol(arguments[3]);
  double end = 0;
  if (way == "hand") end = hand_written(N, steps);
  if (way == "elements") end = march(elements(N, {LinearTarget::schur, make_sparse_lu<double>}), N, steps);
  if (way == "lu") end = march(elements(N, {LinearTarget::lu, make_sparse_lu<double>}), N, steps);
  if (way == "formulas") {
    const Model model = load_model("chain", {{"system.parameters.N", std::to_string(N)}});
    end = march(element_lagrangian<double>(model.lagrangian, {LinearTarget::schur, make_sparse_lu<double>}), N, steps);
  }
  if (way == "memory") {
    march(elements(N, {LinearTarget::schur, make_sparse_lu<double>}), N, steps);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%ld\n", usage.ru_maxrss);
    return 0;
  }
  if (way == "flags") {
    std::printf("%s\n", LIVENS_BENCH_FLAGS);
    return 0;
  }
  std::printf("%.15g\n", end);
  return 0;
}
