// Sparse LU of the compiled library: [1 2; 3 4] x = [5; 11] has the solution [1; 2].
#include <cmath>
#include <cstdio>
#include <livens/sparse/sparse_lu.hpp>

int main() {
  const auto pattern =
      std::make_shared<const livens::SparsePattern>(livens::make_pattern(2, 2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  const auto lu = livens::make_sparse_lu<double>(pattern);
  const double A[] = {1, 2, 3, 4}, b[] = {5, 11};
  double x[2];
  if (!lu->factorise(A)) return 1;
  lu->solve(b, x);
  std::printf("sparse LU %.15f %.15f\n", x[0], x[1]);
  return std::abs(x[0] - 1) + std::abs(x[1] - 2) < 1e-14 ? 0 : 1;
}
