// Debian compiles SUNDIALS' vectors for any x86-64 without vectorising: on the chain they take 90 % of ARKODE's time.
// Here are the operations that count, compiled like everything else in this comparison.
#include "vectors.hpp"

#include <nvector/nvector_serial.h>

#include <cmath>
#include <cstring>

namespace peers {

namespace {

// In blocks: the sum stays in the first cache while the vectors pass, and z may be one of them.
int linear_combination(int count, double* c, N_Vector* x, N_Vector z) {
  constexpr sunindextype block = 256;
  const sunindextype n = NV_LENGTH_S(z);
  double sum[block];
  for (sunindextype first = 0; first < n; first += block) {
    const sunindextype size = n - first < block ? n - first : block;
    const double* const x0 = NV_DATA_S(x[0]) + first;
    for (sunindextype i = 0; i < size; ++i) sum[i] = c[0] * x0[i];
    for (int k = 1; k < count; ++k) {
      if (c[k] == 0) continue;
      const double* const xk = NV_DATA_S(x[k]) + first;
      const double ck = c[k];
      for (sunindextype i = 0; i < size; ++i) sum[i] += ck * xk[i];
    }
    std::memcpy(NV_DATA_S(z) + first, sum, static_cast<std::size_t>(size) * sizeof(double));
  }
  return 0;
}

void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  const sunindextype n = NV_LENGTH_S(x);
  const double *const xd = NV_DATA_S(x), *const yd = NV_DATA_S(y);
  double* const zd = NV_DATA_S(z);
  for (sunindextype i = 0; i < n; ++i) zd[i] = a * xd[i] + b * yd[i];
}

void scale(double a, N_Vector x, N_Vector z) {
  const sunindextype n = NV_LENGTH_S(x);
  const double* const xd = NV_DATA_S(x);
  double* const zd = NV_DATA_S(z);
  for (sunindextype i = 0; i < n; ++i) zd[i] = a * xd[i];
}

// z_k = a_k x + y_k; z_k may be y_k.
int scale_add_multi(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
  for (int k = 0; k < count; ++k) linear_sum(a[k], x, 1, y[k], z[k]);
  return 0;
}

double weighted_norm(N_Vector x, N_Vector weights) {
  const sunindextype n = NV_LENGTH_S(x);
  const double *const xd = NV_DATA_S(x), *const w = NV_DATA_S(weights);
  double sums[4] = {0, 0, 0, 0};
  sunindextype i = 0;
  for (; i + 4 <= n; i += 4)
    for (sunindextype k = 0; k < 4; ++k) sums[k] += xd[i + k] * w[i + k] * (xd[i + k] * w[i + k]);
  for (; i < n; ++i) sums[0] += xd[i] * w[i] * (xd[i] * w[i]);
  return std::sqrt((sums[0] + sums[1] + sums[2] + sums[3]) / static_cast<double>(n));
}

}  // namespace

N_Vector new_vector(std::size_t size, Operations operations, SUNContext context) {
  N_Vector v = N_VNew_Serial(static_cast<sunindextype>(size), context);
  N_VEnableFusedOps_Serial(v, SUNTRUE);
  if (operations == Operations::of_package) return v;
  v->ops->nvlinearsum = linear_sum;
  v->ops->nvscale = scale;
  v->ops->nvlinearcombination = linear_combination;
  v->ops->nvscaleaddmulti = scale_add_multi;
  v->ops->nvwrmsnorm = weighted_norm;
  return v;
}

}  // namespace peers
