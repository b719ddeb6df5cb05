// Pendulum of mass and length one, gravity 9.81, from angle 1 with angular velocity 0.5. Its exact motion is
//
//   theta(t) = 2 asin(k sn(w t + u0, k)) ,   w^2 = 9.81 ,   k^2 = sin^2(1/2) + (1/(4 w))^2 ,   sn(u0, k) = sin(1/2)/k .
//
// ARKODE solves y' = (v, a), a = -(0, 9.81) - lambda q, lambda = (v.v - 9.81 y) / q.q, the index-1 form.
#include "pendulum.hpp"

#include <arkode/arkode_erkstep.h>

#include <algorithm>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <sundials/sundials_context.hpp>

#include "chain.hpp"
#include "livens/method/galerkin.hpp"
#include "livens/system/lagrangian.hpp"
#include "vectors.hpp"

namespace peers {

namespace {

constexpr double gravity = 9.81, end_time = 100, wanted_error = 1e-9;
const double q0[] = {std::sin(1.0), -std::cos(1.0)}, v0[] = {0.5 * std::cos(1.0), 0.5 * std::sin(1.0)};

struct End {
  double x = 0, y = 0, vx = 0, vy = 0, seconds = 0;
  long steps = 0, evaluations = 0;
  bool succeeded = false;
};

struct Pendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const livens::Vec<T, 2>& q, const livens::Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - gravity * q[1];
  }
  template <class T>
  livens::Vec<T, 1> constraint(const livens::Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};

using System = livens::Lagrangian<Pendulum>;

template <class Step>
End galerkin(const livens::Galerkin& method, double step) {
  const System system{Pendulum{}};
  livens::State<System> x(system);
  x.q = {q0[0], q0[1]};
  x.p = {v0[0], v0[1]};
  Step solver(system, method, {});
  End end;
  end.steps = std::lround(end_time / step);
  const double h = end_time / static_cast<double>(end.steps);
  livens::StepReport report;

  const double begin = process_seconds();
  end.succeeded = solver.start(0, x, {v0[0], v0[1]});
  for (long n = 0; end.succeeded && n < end.steps; ++n) {
    const double t = static_cast<double>(n) * h;
    solver.advance(t, t + h, h, x, report);
    end.succeeded = livens::succeeded(report.outcome);
    end.evaluations += report.evaluations;
  }
  end.seconds = process_seconds() - begin;
  // The momentum without the multiplier of its node, made consistent.
  const double outward = x.q[0] * x.p[0] + x.q[1] * x.p[1];
  end.x = x.q[0], end.y = x.q[1];
  end.vx = x.p[0] - outward * x.q[0], end.vy = x.p[1] - outward * x.q[1];
  return end;
}

int derivative(double, N_Vector y, N_Vector f, void*) {
  const double* const q = N_VGetArrayPointer(y);
  double* const d = N_VGetArrayPointer(f);
  const double lambda = (q[2] * q[2] + q[3] * q[3] - gravity * q[1]) / (q[0] * q[0] + q[1] * q[1]);
  d[0] = q[2], d[1] = q[3];
  d[2] = -lambda * q[0], d[3] = -gravity - lambda * q[1];
  return 0;
}

End arkode_of_order_8(double tolerance) {
  sundials::Context context;
  N_Vector y = new_vector(4, Operations::ours, context);
  double* const state = N_VGetArrayPointer(y);
  state[0] = q0[0], state[1] = q0[1], state[2] = v0[0], state[3] = v0[1];
  void* solver = ERKStepCreate(derivative, 0, y, context);
  ERKStepSetErrFile(solver, nullptr);
  ERKStepSetOrder(solver, 8);
  ERKStepSStolerances(solver, tolerance, tolerance);
  ERKStepSetMaxNumSteps(solver, 10'000'000);
  ERKStepSetStopTime(solver, end_time);
  End end;
  double t = 0;
  const double begin = process_seconds();
  end.succeeded = ERKStepEvolve(solver, end_time, y, &t, ARK_NORMAL) >= 0;
  end.seconds = process_seconds() - begin;
  ERKStepGetNumSteps(solver, &end.steps);
  ERKStepGetNumRhsEvals(solver, &end.evaluations);
  end.x = state[0], end.y = state[1], end.vx = state[2], end.vy = state[3];
  ERKStepFree(&solver);
  N_VDestroy(y);
  return end;
}

double error_at_end(const End& end) {
  const long double w = std::sqrt(9.81L);
  const long double k = std::hypot(std::sin(0.5L), 1 / (4 * w));
  const long double u0 = boost::math::ellint_1(k, std::asin(std::sin(0.5L) / k));
  const long double theta = 2 * std::asin(k * boost::math::jacobi_sn(k, w * end_time + u0));
  return static_cast<double>(std::hypot(end.x - std::sin(theta), end.y + std::cos(theta)));
}

double energy(const End& e) {
  return (e.vx * e.vx + e.vy * e.vy) / 2 + gravity * e.y;
}

}  // namespace

void compare_on_pendulum() {
  struct Row {
    std::string name;
    double first, factor;  // settings to try: first, and then at most `factor` times the last one
    int order;             // of the error in the setting
    std::function<End(double)> solve;
  };
  std::vector<Row> rows{{"ARKODE, order 8", 0x1p-20, 0.7, 1, arkode_of_order_8}};
  for (int s = 1; s <= 8; ++s) {
    const livens::Galerkin method{.s = s};
    rows.push_back(
        {"Livens, s = w = " + std::to_string(s), s == 1 ? 0.01 : 0.4, 1 / 1.05, 2 * s, [method](double step) {
           return method.with_step<System>(
               [&]<class Step>(std::type_identity<Step>) { return galerkin<Step>(method, step); });
         }});
  }
  const double start_energy = energy({q0[0], q0[1], v0[0], v0[1]});
  std::printf("\nThe planar pendulum until T = %g, end error %g\n\n", end_time, wanted_error);
  std::printf("%-20s %9s %8s %9s %9s %7s %9s %9s %9s\n", "", "step,", "", "evalu-", "", "times", "position", "energy",
              "constr.");
  std::printf("%-20s %9s %8s %9s %9s %7s %9s %9s %9s\n", "", "tolerance", "steps", "ations", "seconds", "ARKODE",
              "error", "error", "error");
  double peer = 0;
  for (const Row& row : rows) {
    double setting = row.first;
    End end = row.solve(setting);
    while (!(end.succeeded && error_at_end(end) <= wanted_error) && setting > 1e-15) {
      // The expected setting, and something more: the search ends from above.
      const double expected = 1.2 * std::pow(wanted_error / error_at_end(end), 1.0 / row.order);
      setting *= end.succeeded ? std::clamp(expected, 0.5, row.factor) : row.factor;
      end = row.solve(setting);
    }
    double seconds = end.seconds;
    for (int k = 0; k < 3; ++k) seconds = std::min(seconds, row.solve(setting).seconds);
    if (peer == 0) peer = seconds;
    std::printf("%-20s %9.2e %8ld %9ld %9.5f %7.2f %9.1e %9.1e %9.1e\n", row.name.c_str(), setting, end.steps,
                end.evaluations, seconds, seconds / peer, error_at_end(end), std::abs(energy(end) - start_energy),
                std::abs(end.x * end.x + end.y * end.y - 1) / 2);
    std::fflush(stdout);
  }
}

}  // namespace peers
