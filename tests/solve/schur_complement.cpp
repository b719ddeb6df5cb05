// The Schur complement A M^-1 B^T from lists, and its elimination, against dense matrices.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "livens/math/lu.hpp"
#include "livens/solve/elimination.hpp"
#include "livens/solve/sparse_product.hpp"

using namespace livens;

namespace {

using Rows = std::vector<std::vector<int>>;  // points in every row

SparseMat<double> random_matrix(const Rows& rows, int points, int width, unsigned seed) {
  auto p = std::make_shared<SparsePattern>();
  p->rows = static_cast<int>(rows.size()), p->cols = width * points;
  p->start.push_back(0);
  for (const auto& row : rows) {
    for (const int point : row)
      for (int c = 0; c < width; ++c) p->column.push_back(width * point + c);
    p->start.push_back(p->entries());
  }
  find_groups(*p);
  SparseMat<double> A(p);
  std::mt19937 random(seed);
  for (int k = 0; k < p->entries(); ++k) A.value(k) = std::uniform_real_distribution(0.5, 1.5)(random);
  return A;
}

Mat<double> dense(const SparseMat<double>& A) {
  Mat<double> full(A.rows(), A.cols());
  full.fill(0);
  for (int i = 0; i < A.rows(); ++i) for_row(A, i, [&](int j, double x) { full(i, j) = x; });
  return full;
}

// The differences between the product from lists and A diag(w) B^T written out, in all: not a number if one is.
double difference(const SparsePattern& p, const Vec<double>& values, const SparseMat<double>& A, const double* w,
                  const SparseMat<double>& B) {
  const Mat<double> a = dense(A), b = dense(B);
  Mat<double> left(A.rows(), A.rows());
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k < A.rows(); ++k) {
      left(i, k) = 0;
      for (int j = 0; j < A.cols(); ++j) left(i, k) += a(i, j) * w[j] * b(k, j);
    }
  for (int i = 0; i < p.rows; ++i)
    for (int k = p.begin(i); k < p.end(i); ++k) left(i, p.col(k)) -= values[k];
  double sum = 0;
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k < A.rows(); ++k) sum += std::abs(left(i, k));
  return sum;
}

const Rows chain = {{0}, {0, 1}, {1, 2}, {2, 3}, {3, 4}};
const Rows two_chains_and_a_point = {{0}, {0, 1}, {2}, {2, 3}, {4}};
const Rows net = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}, {4, 0, 1}, {}};

}  // namespace

TEST_CASE("products_from_lists_are_the_products_of_the_matrices") {
  for (const Rows& rows : {chain, two_chains_and_a_point, net})
    for (const int width : {1, 2, 3}) {
      const SparseMat<double> A = random_matrix(rows, 5, width, 1), B = random_matrix(rows, 5, width, 2);
      Vec<double> w(5 * width), ones(5 * width);
      for (int j = 0; j < w.size(); ++j) w[j] = 1 + j / width, ones[j] = 1;
      const SparseProduct<double> plain(A.pattern(), B.pattern());
      const SparseProduct<double> weighted(A.pattern(), B.pattern(), w.data());
      const SparsePattern& p = *plain.pattern();
      Vec<double> values(p.entries());
      values.fill(NAN);
      plain(A.values(), B.values(), values.data());
      CHECK(difference(p, values, A, ones.data(), B) < 4 * 4.0e-15);
      weighted(A.values(), B.values(), values.data());
      CHECK(difference(p, values, A, w.data(), B) < 4 * 1.8e-14);
      values.fill(NAN);
      weighted.symmetric(A.values(), values.data());
      CHECK(difference(p, values, A, w.data(), A) < 4 * 1.8e-14);
    }
}

TEST_CASE("a_transposed_product_is_that_of_the_transposed_matrix") {
  for (const Rows& rows : {chain, two_chains_and_a_point, net})
    for (const int width : {1, 2, 3}) {
      const SparseMat<double> A = random_matrix(rows, 5, width, 3);
      const Mat<double> full = dense(A);
      Vec<double> x(A.rows()), y(A.cols()), expected(A.cols()), z(A.cols());
      for (int i = 0; i < x.size(); ++i) x[i] = 1 - 0.3 * i;
      for (int j = 0; j < z.size(); ++j) z[j] = 0.1 * j;
      multiply_transposed(full, x, expected);
      multiply_transposed(A, x, y);
      subtract_transposed(A, x, z);
      for (int j = 0; j < y.size(); ++j) {
        CHECK(y[j] == doctest::Approx(expected[j]).epsilon(1e-15));
        CHECK(z[j] == doctest::Approx(0.1 * j - expected[j]).epsilon(1e-14));
      }
      Vec<double> image(A.rows()), dense_image(A.rows());
      multiply(A, y, image);
      multiply(full, y, dense_image);
      for (int i = 0; i < x.size(); ++i) CHECK(image[i] == doctest::Approx(dense_image[i]).epsilon(1e-14));
    }
}

TEST_CASE("rounding_of_a_product_is_judged_row_by_row") {
  for (const int width : {1, 2, 3}) {
    const SparseMat<double> A = random_matrix(chain, 5, width, 4);
    const Mat<double> full = dense(A);
    Vec<double> x(A.cols()), y(A.rows());
    for (int j = 0; j < x.size(); ++j) x[j] = j % 2 == 0 ? 1 : -1;
    for (int i = 0; i < A.rows(); ++i) {
      double terms = 0;
      for (int j = 0; j < A.cols(); ++j) terms += std::abs(full(i, j));
      y.fill(0);
      y[i] = 0.99 * epsilon<double>() * terms;
      CHECK(below_rounding(A, x, y));
      CHECK(below_rounding(full, x, y));
      y[i] = -1.01 * epsilon<double>() * terms;
      CHECK_FALSE(below_rounding(A, x, y));
      CHECK_FALSE(below_rounding(full, x, y));
      y[i] = NAN;
      CHECK_FALSE(below_rounding(A, x, y));
    }
  }
}

TEST_CASE("elimination_solves_what_LU_solves") {
  for (const Rows& rows : {chain, two_chains_and_a_point, Rows(net.begin(), net.end() - 1)}) {
    const SparseMat<double> A = random_matrix(rows, 5, 3, 5), B = random_matrix(rows, 5, 3, 6);
    const SparseProduct<double> product(A.pattern(), B.pattern());
    Elimination<double> elimination(product.pattern());
    product(A.values(), B.values(), elimination.values());
    Lu<double> lu(A.rows());
    multiply_by_transposed(dense(A), dense(B), lu.matrix());
    REQUIRE(elimination.factorise());
    REQUIRE(lu.factorise());
    Vec<double> r(A.rows()), x(A.rows()), expected(A.rows());
    for (int i = 0; i < r.size(); ++i) r[i] = 1 + i;
    elimination.solve(r, x);
    lu.solve(r, expected);
    for (int i = 0; i < r.size(); ++i) CHECK(x[i] == doctest::Approx(expected[i]).epsilon(1e-12));
  }
}

TEST_CASE("elimination_names_a_row_that_depends_on_others") {
  for (const Rows& rows : {Rows{{0}, {0, 1}, {0, 1}, {1, 2}}, Rows{{0, 1}, {1, 2}, {1, 2}, {2, 0}}}) {
    SparseMat<double> A = random_matrix(rows, 3, 3, 7);
    for (int k = 0; k < 6; ++k) A.value(A.pattern().begin(2) + k) = 2 * A.value(A.pattern().begin(1) + k);
    const SparseProduct<double> product(A.pattern(), A.pattern());
    Elimination<double> elimination(product.pattern(), EliminateRows::one_by_one);
    product(A.values(), A.values(), elimination.values());
    CHECK_FALSE(elimination.factorise());
    const std::vector<int> dropped = elimination.factorise_dropping(1e-8);
    REQUIRE(dropped.size() == 1);
    CHECK((dropped[0] == 1 || dropped[0] == 2));
  }
}
