// What holds for every scalar: KLU (double) and Eigen (wider ones) solve the same systems and refuse the same matrices.
#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include "sparse/matrices.hpp"

using namespace livens;
using namespace livens::tests;

#if LIVENS_QUAD
#define LIVENS_SCALARS double, long double, Quad
#else
#define LIVENS_SCALARS double, long double
#endif

namespace {

template <class T>
bool is_regular(const Matrix<T>& A) {
  return make_sparse_lu<T>(A.pattern)->factorise(A.values.data());
}

// Errors in units of the scalar's round-off.
template <class T>
struct Accuracy {
  double backward = 0, from_dense = 0;
  explicit Accuracy(const Matrix<T>& A) {
    Random random(99);
    const std::vector<T> b = random_vector<T>(A.size(), random);
    const auto lu = make_sparse_lu<T>(A.pattern);
    REQUIRE(lu->factorise(A.values.data()));
    const std::vector<T> x = solve(*lu, b);
    backward = backward_error(A, x, b) / to_double(epsilon<T>());
    from_dense = distance(x, dense_solution(A, b)) / to_double(epsilon<T>());
  }
};

// Row `to` becomes a multiple of row `from`, with its pattern.
template <class T>
Matrix<T> with_proportional_rows(const Matrix<T>& A, int from, int to, double factor) {
  std::vector<std::pair<int, int>> entries;
  for (int i = 0; i < A.size(); ++i)
    for (int k = A.pattern->begin(i == to ? from : i); k < A.pattern->end(i == to ? from : i); ++k)
      entries.emplace_back(i, A.pattern->col(k));
  Matrix<T> B = with_pattern<T>(make_pattern(A.size(), A.size(), std::move(entries)));
  B.for_entries([&](int i, int j, T& b) {
    const T a = A.values[static_cast<std::size_t>(find_entry(*A.pattern, i == to ? from : i, j))];
    b = i == to ? T(factor) * a : a;
  });
  return B;
}

}  // namespace

TEST_CASE_TEMPLATE("a_matrix_without_symmetry_is_solved", T, LIVENS_SCALARS) {
  const Accuracy<T> accuracy(random_matrix<T>(200, 7));
  CHECK(accuracy.backward < 4 * 158);   // measured 158 (double), 23, 19
  CHECK(accuracy.from_dense < 4 * 62);  // 62, 23, 18
}

TEST_CASE_TEMPLATE("a_chain_with_a_zero_diagonal_block_is_solved", T, LIVENS_SCALARS) {
  const Accuracy<T> accuracy(chain_matrix<T>(100, 3));
  CHECK(accuracy.backward < 4 * 5.7);    // measured 5.7 (double), 3.7, 2.9
  CHECK(accuracy.from_dense < 4 * 2.7);  // 1.4, 1.6, 2.7
}

TEST_CASE_TEMPLATE("rows_and_columns_of_other_units_give_the_same_solution", T, LIVENS_SCALARS) {
  Matrix<T> A = chain_matrix<T>(50, 5);
  Random random(8);
  std::vector<T> b = random_vector<T>(A.size(), random);
  const auto plain = make_sparse_lu<T>(A.pattern);
  REQUIRE(plain->factorise(A.values.data()));
  const std::vector<T> x = solve(*plain, b);

  const T row_unit = std::ldexp(1.0, -87), col_unit = std::ldexp(1.0, 60);  // 2^-87 = 6.5e-27
  const auto tiny_row = [](int i) { return i % 3 == 0; };
  const auto large_col = [](int j) { return j % 5 == 0; };
  A.for_entries([&](int i, int j, T& a) { a *= (tiny_row(i) ? row_unit : T(1)) * (large_col(j) ? col_unit : T(1)); });
  for (int i = 0; i < A.size(); ++i)
    if (tiny_row(i)) b[static_cast<std::size_t>(i)] *= row_unit;
  const auto scaled = make_sparse_lu<T>(A.pattern);
  REQUIRE(scaled->factorise(A.values.data()));
  std::vector<T> y = solve(*scaled, b);
  for (int j = 0; j < A.size(); ++j)
    if (large_col(j)) y[static_cast<std::size_t>(j)] *= col_unit;
  CHECK(distance(y, x) < 4 * 10 * to_double(epsilon<T>()));
}

TEST_CASE_TEMPLATE("a_row_of_size_1e-26_beside_1_is_no_singularity", T, LIVENS_SCALARS) {
  Matrix<T> A = chain_matrix<T>(50, 6);
  A.for_entries([](int i, int, T& a) { a *= i == 120 ? T(1e-26) : T(1); });
  CHECK(Accuracy<T>(A).from_dense < 4 * 1.6);  // measured 1.4 (double), 0.8, 1.6
}

TEST_CASE_TEMPLATE("singular_matrices_are_refused", T, LIVENS_SCALARS) {
  const Matrix<T> A = random_matrix<T>(60, 2);
  REQUIRE(is_regular(A));
  SUBCASE("two equal rows") {
    CHECK_FALSE(is_regular(with_proportional_rows(A, 10, 40, 1)));
  }
  SUBCASE("two proportional rows") {
    CHECK_FALSE(is_regular(with_proportional_rows(A, 10, 40, 3.7)));
  }
  SUBCASE("a row of zeros") {
    Matrix<T> B = A;
    B.for_entries([](int i, int, T& a) { a = i == 31 ? T(0) : a; });
    CHECK_FALSE(is_regular(B));
  }
  SUBCASE("a row without entries") {
    Matrix<T> B = with_pattern<T>(make_pattern(3, 3, {{0, 0}, {0, 1}, {0, 2}, {2, 0}, {2, 1}, {2, 2}}));
    B.values = {T(1), T(2), T(3), T(4), T(5), T(7)};
    CHECK_FALSE(is_regular(B));
  }
  SUBCASE("structurally: three rows share two columns") {
    Matrix<T> B = with_pattern<T>(make_pattern(4, 4, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {3, 2}, {3, 3}}));
    B.values = {T(1), T(2), T(3), T(4), T(5), T(7), T(1), T(2)};
    CHECK_FALSE(is_regular(B));
  }
  SUBCASE("no entries at all") {
    CHECK_FALSE(is_regular(with_pattern<T>(make_pattern(2, 2, {}))));
  }
}

TEST_CASE_TEMPLATE("what_is_not_finite_is_refused_and_forgotten", T, LIVENS_SCALARS) {
  const Matrix<T> A = chain_matrix<T>(20, 1);
  Random random(4);
  const std::vector<T> b = random_vector<T>(A.size(), random);
  const auto lu = make_sparse_lu<T>(A.pattern);
  REQUIRE(lu->factorise(A.values.data()));
  const std::vector<T> x = solve(*lu, b);
  for (const T& bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    Matrix<T> B = A;
    B.values[17] = bad;
    CHECK_FALSE(lu->factorise(B.values.data()));
    REQUIRE(lu->factorise(A.values.data()));
    CHECK(solve(*lu, b) == x);
  }
}

TEST_CASE_TEMPLATE("the_empty_matrix_is_regular", T, LIVENS_SCALARS) {
  const auto lu = make_sparse_lu<T>(std::make_shared<const SparsePattern>(make_pattern(0, 0, {})));
  CHECK(lu->factorise(nullptr));
  lu->solve(nullptr, nullptr);
}

TEST_CASE_TEMPLATE("patterns_that_do_not_fit_are_refused", T, LIVENS_SCALARS) {
  const auto make = [](const SparsePattern& p) { make_sparse_lu<T>(std::make_shared<const SparsePattern>(p)); };
  SparsePattern pattern = make_pattern(2, 2, {{0, 0}, {0, 1}, {1, 1}});
  CHECK_NOTHROW(make(pattern));
  pattern.column = {1, 0, 1};
  CHECK_THROWS_AS(make(pattern), std::invalid_argument);
  pattern.column = {1, 1, 1};
  CHECK_THROWS_AS(make(pattern), std::invalid_argument);
  CHECK_THROWS_AS(make(make_pattern(2, 3, {{0, 0}, {1, 1}})), std::invalid_argument);
}
