// IDA on the stabilised index-2 form (Gear, Gupta, Leimkuhler 1985), y = (q, v, mu, eta):
//
//   F1 = q' - v + G^T eta             F3 = g(q)
//   F2 = v' - f + G^T mu              F4 = G v
//
// with G of the constraints divided by l (chain.hpp). Multipliers stay out of the error test, as IDA's guide advises
// for index 2. The Jacobian dF/dy + c dF/dy' is exact and sparse: at most 54 entries a mass, by rows. KLU orders by
// COLAMD, SUNDIALS' choice; with AMD its pivoting fills the factors.
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <sundials/sundials_context.hpp>

#include "sundials.hpp"
#include "vectors.hpp"

namespace peers {

namespace {

struct Equations {
  explicit Equations(Chain& c) : chain(c), d(3 * c.N), w(3 * c.N) {}
  Chain& chain;
  Vector d, w;
};

// z = (u_i d_i - u_{i+1} d_{i+1}) / l = G^T u, added to z
void add_forces(const Chain& chain, const double* u, const Vector& d, double* z) {
  const std::size_t N = chain.N;
  const double per_length = 1 / chain.l;
  for (std::size_t k = 0; k < 3; ++k) {
    const double* const dk = d.data() + k * N;
    double* const zk = z + k * N;
    for (std::size_t i = 0; i + 1 < N; ++i) zk[i] += per_length * (u[i] * dk[i] - u[i + 1] * dk[i + 1]);
    zk[N - 1] += per_length * u[N - 1] * dk[N - 1];
  }
}

int residual(double, N_Vector y, N_Vector y_rate, N_Vector residual_of_y, void* user) {
  Equations& e = *static_cast<Equations*>(user);
  const std::size_t N = e.chain.N;
  const double *const q = N_VGetArrayPointer(y), *const v = q + 3 * N, *const mu = v + 3 * N, *const eta = mu + N;
  const double* const rate = N_VGetArrayPointer(y_rate);
  double *const F1 = N_VGetArrayPointer(residual_of_y), *const F2 = F1 + 3 * N, *const F3 = F2 + 3 * N,
                *const F4 = F3 + N;
  e.chain.differences(q, e.d.data());
  e.chain.differences(v, e.w.data());
  for (std::size_t i = 0; i < 3 * N; ++i) F1[i] = rate[i] - v[i];
  for (std::size_t i = 0; i < 3 * N; ++i) F2[i] = rate[3 * N + i];
  for (std::size_t i = 2 * N; i < 3 * N; ++i) F2[i] += Chain::gravity;
  add_forces(e.chain, eta, e.d, F1);
  add_forces(e.chain, mu, e.d, F2);
  const double l = e.chain.l, *const d = e.d.data(), *const w = e.w.data();
  for (std::size_t i = 0; i < N; ++i) {
    F3[i] = (d[i] * d[i] + d[N + i] * d[N + i] + d[2 * N + i] * d[2 * N + i] - l * l) / (2 * l);
    F4[i] = (d[i] * w[i] + d[N + i] * w[N + i] + d[2 * N + i] * w[2 * N + i]) / l;
  }
  return 0;
}

int jacobian(double, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix matrix, void* user, N_Vector, N_Vector,
             N_Vector) {
  Equations& e = *static_cast<Equations*>(user);
  const std::size_t N = e.chain.N;
  const double *const q = N_VGetArrayPointer(y), *const v = q + 3 * N, *const mu = v + 3 * N, *const eta = mu + N;
  e.chain.differences(q, e.d.data());
  e.chain.differences(v, e.w.data());
  const double per_length = 1 / e.chain.l;
  sunindextype *const start = SUNSparseMatrix_IndexPointers(matrix), *const column =
                                                                         SUNSparseMatrix_IndexValues(matrix);
  double* const value = SUNSparseMatrix_Data(matrix);
  std::size_t row = 0;
  sunindextype entry = 0;
  const auto add = [&](std::size_t col, double x) {
    column[entry] = static_cast<sunindextype>(col);
    value[entry++] = x;
  };
  const auto next_row = [&] { start[++row] = entry; };
  start[0] = 0;

  for (const double* const u : {eta, mu})  // F1, then F2
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < N; ++i) {
        const bool last = i + 1 == N;
        if (i > 0) add(k * N + i - 1, -per_length * u[i]);
        add(k * N + i, (u == eta ? c : 0) + per_length * (u[i] + (last ? 0 : u[i + 1])));
        if (!last) add(k * N + i + 1, -per_length * u[i + 1]);
        add((3 + k) * N + i, u == eta ? -1 : c);
        const std::size_t multiplier = (u == eta ? 7 : 6) * N + i;
        add(multiplier, per_length * e.d[k * N + i]);
        if (!last) add(multiplier + 1, -per_length * e.d[k * N + i + 1]);
        next_row();
      }
  const auto add_rod = [&](std::size_t block, const Vector& x, std::size_t i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (i > 0) add((block + k) * N + i - 1, -per_length * x[k * N + i]);
      add((block + k) * N + i, per_length * x[k * N + i]);
    }
  };
  for (std::size_t i = 0; i < N; ++i) add_rod(0, e.d, i), next_row();                      // F3
  for (std::size_t i = 0; i < N; ++i) add_rod(0, e.w, i), add_rod(3, e.d, i), next_row();  // F4
  return 0;
}

}  // namespace

Run ida(Chain& chain, const Settings& settings, int largest_order) {
  sundials::Context context;
  const std::size_t N = chain.N, n = 3 * N;
  Run run;
  Equations equations(chain);
  const State s = chain.start();
  N_Vector y = new_vector(8 * N, settings.operations, context), y_rate = N_VClone(y), differential = N_VClone(y),
           absolute = N_VClone(y);
  N_VConst(0, y), N_VConst(0, y_rate), N_VConst(0, differential);
  double *const yd = N_VGetArrayPointer(y), *const rate = N_VGetArrayPointer(y_rate);
  std::copy(s.v.begin(), s.v.end(), std::copy(s.q.begin(), s.q.end(), yd));
  std::copy(s.v.begin(), s.v.end(), rate);
  chain.accelerations(s.q.data(), s.v.data(), rate + n);
  chain.differences(s.q.data(), equations.d.data());
  chain.differences(s.v.data(), equations.w.data());
  chain.multipliers(equations.d.data(), equations.w.data(), yd + 2 * n);
  std::fill_n(N_VGetArrayPointer(differential), 2 * n, 1.0);
  // Multipliers are solved for with the rest; what they are worth must not decide when Newton's method ends.
  constexpr double multiplier_slack = 1e6;
  N_VConst(settings.tolerance * multiplier_slack, absolute);
  std::fill_n(N_VGetArrayPointer(absolute), 2 * n, settings.tolerance);

  void* solver = IDACreate(context);
  IDASetErrFile(solver, nullptr);
  IDAInit(solver, residual, 0, y, y_rate);
  IDASetUserData(solver, &equations);
  IDASVtolerances(solver, settings.tolerance, absolute);
  IDASetMaxOrd(solver, largest_order);
  IDASetId(solver, differential);
  IDASetSuppressAlg(solver, SUNTRUE);
  IDASetMaxNumSteps(solver, 40'000);
  IDASetStopTime(solver, settings.end);
  const auto size = static_cast<sunindextype>(8 * N);
  SUNMatrix matrix = SUNSparseMatrix(size, size, static_cast<sunindextype>(54 * N), CSR_MAT, context);
  SUNLinearSolver klu = SUNLinSol_KLU(y, matrix, context);
  IDASetLinearSolver(solver, klu, matrix);
  IDASetJacFn(solver, jacobian);

  const double begin = process_seconds();
  double t = 0;
  run.succeeded = IDASolve(solver, settings.end, &t, y, y_rate, IDA_NORMAL) >= 0;
  run.seconds = process_seconds() - begin;

  IDAGetNumSteps(solver, &run.steps);
  IDAGetNumResEvals(solver, &run.evaluations);
  run.end = {Vector(yd, yd + n), Vector(yd + n, yd + 2 * n)};
  IDAFree(&solver);
  SUNLinSolFree(klu);
  SUNMatDestroy(matrix);
  for (N_Vector x : {y, y_rate, differential, absolute}) N_VDestroy(x);
  return run;
}

}  // namespace peers
