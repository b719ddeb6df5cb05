// Rows of bodies and joints, eliminated in groups: which groups are found, and that they solve what LU solves.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "livens/math/lu.hpp"
#include "livens/solve/elimination.hpp"
#include "livens/solve/sparse_product.hpp"

using namespace livens;

namespace {

// A chain of bodies with three directors each: 6 internal rows d_i.d_j a body, then 3 rows a joint, which hold the
// position and the directors from `first_director` on.
std::shared_ptr<const SparsePattern> chain(int bodies, int first_director) {
  auto p = std::make_shared<SparsePattern>();
  p->cols = 12 * bodies;
  p->start.push_back(0);
  const auto end_row = [&] { p->start.push_back(p->entries()), ++p->rows; };
  for (int b = 0; b < bodies; ++b)
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        for (int c = 0; c < 3; ++c) p->column.push_back(12 * b + 3 + 3 * i + c);
        for (int c = 0; c < 3 && j > i; ++c) p->column.push_back(12 * b + 3 + 3 * j + c);
        end_row();
      }
  for (int joint = 0; joint < bodies; ++joint)
    for (int c = 0; c < 3; ++c) {
      for (int b = joint; b >= std::max(0, joint - 1); --b) {
        p->column.push_back(12 * b + c);
        for (int i = first_director; i < 3; ++i) p->column.push_back(12 * b + 3 + 3 * i + c);
      }
      end_row();
    }
  find_groups(*p);
  return p;
}

SparseMat<double> numbers(std::shared_ptr<const SparsePattern> pattern, const SparseMat<double>* near, unsigned seed) {
  SparseMat<double> A(std::move(pattern));
  std::mt19937 random(seed);
  for (int k = 0; k < A.pattern().entries(); ++k)
    A.value(k) = near ? near->value(k) + 0.01 * std::uniform_real_distribution(-1.0, 1.0)(random)
                      : std::uniform_real_distribution(0.5, 1.5)(random);
  return A;
}

// The elimination row by row in the order of the rows: parents and numbers of later rows.
EliminationGroups groups_of(const SparsePattern& p) {
  std::vector<std::set<int>> later(static_cast<std::size_t>(p.rows));
  std::vector<int> order, parent, count;
  for (int i = 0; i < p.rows; ++i) {
    auto& own = later[static_cast<std::size_t>(i)];
    for (int k = p.begin(i); k < p.end(i); ++k)
      if (p.col(k) > i) own.insert(p.col(k));
    order.push_back(i), parent.push_back(own.empty() ? -1 : *own.begin()),
        count.push_back(static_cast<int>(own.size()));
    if (!own.empty()) later[static_cast<std::size_t>(*own.begin())].insert(std::next(own.begin()), own.end());
  }
  return EliminationGroups::find(p, order, parent, count);
}

Lu<double> dense(const SparsePattern& p, const double* values) {
  Lu<double> lu(p.rows);
  lu.matrix().fill(0);
  for (int i = 0; i < p.rows; ++i)
    for (int k = p.begin(i); k < p.end(i); ++k) lu.matrix()(i, p.col(k)) = values[k];
  REQUIRE(lu.factorise());
  return lu;
}

}  // namespace

TEST_CASE("internal_rows_of_bodies_are_eliminated_body_by_body") {
  const int bodies = 8;
  for (const int first_director : {0, 2}) {
    CAPTURE(first_director);
    const SparseProduct<double> product(*chain(bodies, first_director), *chain(bodies, first_director));
    const EliminationGroups found = groups_of(*product.pattern());
    for (const EliminationGroups::Group& group : found.groups) {
      std::set<int> of_bodies;
      for (int i = group.first; i < group.first + group.width; ++i)
        if (const int row = found.order[static_cast<std::size_t>(i)]; row < 6 * bodies) of_bodies.insert(row / 6);
      CHECK(of_bodies.size() <= 1);
    }
    // Where joints see all directors one group a body and one a joint, else two a body; the last ones are joined.
    CHECK(found.groups.size() <= static_cast<std::size_t>(first_director == 0 ? 2 * bodies : 3 * bodies));
  }
}

TEST_CASE("groups_of_rows_solve_what_LU_solves") {
  for (const int first_director : {0, 1, 2})
    for (const int bodies : {1, 2, 7}) {
      const auto pattern = chain(bodies, first_director);
      const SparseMat<double> A = numbers(pattern, nullptr, 1), B = numbers(pattern, &A, 2);
      const SparseProduct<double> product(*pattern, *pattern);
      const SparsePattern& p = *product.pattern();
      Vec<double> values(p.entries()), r(p.rows), x(p.rows), expected(p.rows);
      product(A.values(), B.values(), values.data());
      Lu<double> lu = dense(p, values.data());
      for (int i = 0; i < r.size(); ++i) r[i] = 1 + i % 7;
      lu.solve(r, expected);
      const auto agrees = [&] {
        for (int i = 0; i < r.size(); ++i) CHECK(x[i] == doctest::Approx(expected[i]).epsilon(1e-7));
      };
      GroupElimination<double> groups(groups_of(p));
      for (int turn = 0; turn < 2; ++turn) {  // nothing is left of the first factorisation
        REQUIRE(groups.factorise(values.data(), 1e-14));
        groups.solve(r, x);
        agrees();
      }
      for (const EliminateRows rows : {EliminateRows::any, EliminateRows::one_by_one}) {
        Elimination<double> elimination(product.pattern(), rows);
        std::copy(values.begin(), values.end(), elimination.values());
        REQUIRE(elimination.factorise());
        elimination.solve(r, x);
        agrees();
      }
    }
}

TEST_CASE("a_row_without_pivot_is_named_among_groups") {
  const auto pattern = chain(4, 0);
  SparseMat<double> A = numbers(pattern, nullptr, 3);
  const int row = 6 * 2 + 3;  // an internal row of the third body
  for (int k = pattern->begin(row); k < pattern->end(row); ++k) A.value(k) = 0;
  const SparseProduct<double> product(*pattern, *pattern);
  Elimination<double> elimination(product.pattern());
  product(A.values(), A.values(), elimination.values());
  CHECK_FALSE(elimination.factorise());
  CHECK(elimination.singular_row() == row);
}
