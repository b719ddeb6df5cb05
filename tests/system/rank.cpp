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

TEST_CASE("rows_that_combinations_of_several_imply_leave_a_basis") {
  // Rows of small whole numbers in few directions; dense Gram-Schmidt and sparse elimination leave bases of one rank.
  unsigned seed = 1;
  const auto whole = [&](int most) {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<int>((seed >> 16) % static_cast<unsigned>(2 * most + 1)) - most;
  };
  for (int trial = 0; trial < 20; trial += 4) {
    const int rows = 130 + trial, cols = 150, rank = 90 + trial;
    Mat<double> directions(rank, cols), A(rows, cols);
    for (int i = 0; i < rank; ++i)
      for (int j = 0; j < cols; ++j) directions(i, j) = (j == i ? 5 : 0) + (whole(9) == 9 ? whole(1) : 0);
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < 3; ++k) {
        const int d = i < rank ? i : (whole(1000) + 1000) % rank;
        const double factor = i < rank ? (k == 0 ? 1 : 0) : whole(2);
        for (int j = 0; j < cols; ++j) A(i, j) += factor * directions(d, j);
      }
    const std::vector<int> dense = dependent_rows(A), named = dependent_rows(sparse(A));
    CHECK(dense.size() == named.size());
    Mat<double> kept(rows - static_cast<int>(named.size()), cols);
    for (int i = 0, k = 0; i < rows; ++i)
      if (std::find(named.begin(), named.end(), i) == named.end()) {
        for (int j = 0; j < cols; ++j) kept(k, j) = A(i, j);
        ++k;
      }
    CHECK(dependent_rows(kept).empty());
  }
}

TEST_CASE("masses_tell_the_units_of_columns") {
  // (1, l) and (1, -l) in a direction of mass 1 and one of mass l^2 stand at a right angle, whatever l.
  for (const double l : {1e-9, 1.0, 1e9}) {
    Mat<double> G(2, 2), M(2, 2);
    G(0, 0) = G(1, 0) = 1, G(0, 1) = l, G(1, 1) = -l;
    M(0, 0) = 1, M(1, 1) = l * l;
    CHECK(dependent_rows(G, 0.1, mass_units(M)).empty());
    CHECK(dependent_rows(G, 0.1).empty() == (l == 1));
  }
}
