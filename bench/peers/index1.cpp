// ARKODE and CVODE on y = (q, v), y' = (v, a(q, v)).
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <sundials/sundials_context.hpp>

#include "sundials.hpp"
#include "vectors.hpp"

namespace peers {

namespace {

constexpr long max_steps = 100'000;

int derivative(double, N_Vector y, N_Vector derivative_of_y, void* user) {
  Chain& chain = *static_cast<Chain*>(user);
  const double* const q = N_VGetArrayPointer(y);
  double* const f = N_VGetArrayPointer(derivative_of_y);
  const std::size_t n = 3 * chain.N;
  std::copy_n(q + n, n, f);
  chain.accelerations(q, q + n, f + n);
  return 0;
}

N_Vector start_vector(const Chain& chain, Operations operations, SUNContext context) {
  const State s = chain.start();
  N_Vector y = new_vector(6 * chain.N, operations, context);
  std::copy(s.v.begin(), s.v.end(), std::copy(s.q.begin(), s.q.end(), N_VGetArrayPointer(y)));
  return y;
}

State state_of(const Chain& chain, N_Vector y) {
  const double* const q = N_VGetArrayPointer(y);
  const std::size_t n = 3 * chain.N;
  return {Vector(q, q + n), Vector(q + n, q + 2 * n)};
}

}  // namespace

Run arkode(Chain& chain, const Settings& settings) {
  sundials::Context context;
  Run run;
  N_Vector y = start_vector(chain, settings.operations, context);
  void* solver = ERKStepCreate(derivative, 0, y, context);
  ERKStepSetErrFile(solver, nullptr);
  ERKStepSetUserData(solver, &chain);
  ERKStepSetOrder(solver, 8);
  ERKStepSStolerances(solver, settings.tolerance, settings.tolerance);
  ERKStepSetMaxNumSteps(solver, max_steps);
  ERKStepSetStopTime(solver, settings.end);

  const double begin = process_seconds();
  double t = 0;
  run.succeeded = ERKStepEvolve(solver, settings.end, y, &t, ARK_NORMAL) >= 0;
  run.seconds = process_seconds() - begin;

  ERKStepGetNumSteps(solver, &run.steps);
  ERKStepGetNumRhsEvals(solver, &run.evaluations);
  run.end = state_of(chain, y);
  ERKStepFree(&solver);
  N_VDestroy(y);
  return run;
}

Run cvode(Chain& chain, const Settings& settings) {
  sundials::Context context;
  Run run;
  N_Vector y = start_vector(chain, settings.operations, context);
  void* solver = CVodeCreate(CV_ADAMS, context);
  CVodeSetErrFile(solver, nullptr);
  CVodeInit(solver, derivative, 0, y);
  CVodeSetUserData(solver, &chain);
  CVodeSStolerances(solver, settings.tolerance, settings.tolerance);
  CVodeSetMaxNumSteps(solver, max_steps);
  CVodeSetStopTime(solver, settings.end);
  SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
  CVodeSetNonlinearSolver(solver, iteration);

  const double begin = process_seconds();
  double t = 0;
  run.succeeded = CVode(solver, settings.end, y, &t, CV_NORMAL) >= 0;
  run.seconds = process_seconds() - begin;

  CVodeGetNumSteps(solver, &run.steps);
  CVodeGetNumRhsEvals(solver, &run.evaluations);
  run.end = state_of(chain, y);
  CVodeFree(&solver);
  SUNNonlinSolFree(iteration);
  N_VDestroy(y);
  return run;
}

}  // namespace peers
