#include "livens/method/ggl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/steps_of.hpp"

namespace livens {

namespace {

Ggl method(const Options&) {
  return {};
}

// The rate at which constraints make a motion turn, omega^2 being the spectral radius of
// M^-1 sum_k a_k D2g_k with a = (G M^-1 G^T)^-1 [v.D2g v]: on a circle the angular velocity, for a body nearly. It is
// found by the power method on the square of that matrix, in the norm of M, in which it is symmetric: eigenvalues may
// come with both signs. 0 where it cannot be had, or the system is too large for dense matrices.
double turning_rate(const Model& model, const Place& at) {
  constexpr int largest = 400;
  if (model.system->coordinates() > largest) return 0;
  const FormulaLagrangian<double> system = model.system->dense<double>();
  const int n = system.coordinates();
  Kinetics<FormulaLagrangian<double>> kinetics(system);
  Schur<Mat<double>> schur(system);
  Vec<double> q(n), v(n), p(n), x(n), y(n), g(system.constraints()), a(g);
  std::copy(at.q.begin(), at.q.end(), q.begin());
  std::copy(at.p.begin(), at.p.end(), p.begin());
  Mat<double> G = system.jacobian(), H = system.square();
  if (!kinetics.start(at.t, q, v) || !succeeded(kinetics.project(at.t, q, p, v))) return 0;
  system.constraint_jacobian(at.t, q, g, G);
  system.constraint_curvature(at.t, q, v, g);
  if (!schur.factorise(G, kinetics.mass(), G)) return 0;
  schur.solve(g, a);
  system.constraint_hessian(at.t, q, a, H);
  for (int i = 0; i < n; ++i) x[i] = 1 + std::sin(i + 1.0);  // orthogonal to no eigenvector that has no reason to be
  const auto normalised = [&] {
    multiply(kinetics.mass().matrix(), x, y);
    const double size = std::sqrt(std::abs(dot(x, y)));
    for (double& xi : x) xi /= size > 0 ? size : 1;
    return size;
  };
  double fourth = 0;
  for (int k = 0; k < 200; ++k) {
    if (!(normalised() > 0)) return 0;
    for (int twice = 0; twice < 2; ++twice) {
      multiply(H, x, y);
      kinetics.mass().solve(y, x);
    }
    multiply(kinetics.mass().matrix(), x, y);
    fourth = std::sqrt(std::abs(dot(x, y)));
  }
  return std::sqrt(std::sqrt(fourth));
}

std::vector<std::string> remarks(const Model& model, const Options&, const RunResult& result) {
  if (!result.report.failure || result.report.attempt.from.q.empty()) return {};
  const StepReport& failure = *result.report.failure;
  const bool was_converging =
      failure.outcome == Outcome::stalled && failure.contraction > 0 && failure.contraction < 0.5;
  if (was_converging) return {};  // it had too few iterations
  const double step = std::abs(static_cast<double>(model.run.step)),
               omega = turning_rate(model, result.report.attempt.from);
  if (step * omega > 0.5)
    return {
        fmt::format("h |omega| = {:.3g} > 1/2, omega = {:.4g} being the rate at which the constraints turn the "
                    "motion: there ggl has no solution as a rule, and on a circle never; take a step below {:.3g}",
                    step * omega, omega, 0.5 / omega)};
  if (step * omega > 0.4)
    return {
        fmt::format("h |omega| = {:.3g} is near 1/2, beyond which ggl has no solution (omega = {:.4g}, the rate at "
                    "which the constraints turn the motion); take a smaller step",
                    step * omega, omega)};
  return {};
}

}  // namespace

MethodEntry ggl_entry() {
  return {.name = "ggl",
          .summary = "GGL variational integrator: constraints also on velocity level, in the action",
          .kinds = {SystemKind::lagrangian},
          .misfit = misfit_of<Ggl>,
          .order = "1",
          .symplectic = true,
          .symmetric = false,
          .keeps = "constraints, linear momentum maps",
          .traits = traits_of(method),
          .steps = steps_of(method),
          .remarks = remarks};
}

}  // namespace livens
