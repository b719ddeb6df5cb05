// Which rows of a matrix depend on others.
#include "livens/system/rank.hpp"

#include <doctest/doctest.h>

using namespace livens;

namespace {

SparseMat<double> sparse(const Mat<double>& A) {
  std::vector<std::pair<int, int>> entries;
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) entries.emplace_back(i, j);
  SparsePattern pattern = make_pattern(A.rows(), A.cols(), std::move(entries));
  find_groups(pattern);
  SparseMat<double> S(std::make_shared<const SparsePattern>(std::move(pattern)));
  for (int k = 0; k < S.pattern().entries(); ++k) S.value(k) = A.data()[k];
  return S;
}

}  // namespace

TEST_CASE("a row depends on others where less of it than the tolerance is outside of their span") {
  for (const double outside : {1e-2, 1e-5, 1e-11}) {
    CAPTURE(outside);
    Mat<double> A(3, 3);
    A(0, 0) = 1e-3, A(1, 1) = 5e6;
    A(2, 0) = 0.6, A(2, 1) = 0.8, A(2, 2) = outside;
    const std::vector<int> none, last{2};
    CHECK(dependent_rows(A) == (outside < 1e-9 ? last : none));
    CHECK(dependent_rows(sparse(A)) == (outside < 1e-9 ? last : none));
    CHECK(dependent_rows(A, 1e-3) == (outside < 1e-3 ? last : none));
    CHECK(dependent_rows(sparse(A), 1e-3) == (outside < 1e-3 ? last : none));
  }
}
