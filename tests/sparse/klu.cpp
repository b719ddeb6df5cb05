// The order of pivots that KLU keeps: when it is kept, when it is chosen anew, how it is restored, and what it costs.
#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>

#include "livens/run/archive.hpp"
#include "sparse/matrices.hpp"

using namespace livens;
using namespace livens::tests;

// KLU allocates with malloc, which operator new does not see: malloc itself is counted. Sanitizers bring their own.
#if defined(__SANITIZE_ADDRESS__)
#define LIVENS_COUNTS_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIVENS_COUNTS_MALLOC 0
#endif
#endif
#if !defined(LIVENS_COUNTS_MALLOC) && defined(__GLIBC__)
#define LIVENS_COUNTS_MALLOC 1
namespace {
long allocations = 0;
}
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) noexcept {
  ++allocations;
  return __libc_realloc(block, size);
}
}
#endif

namespace {

// As in a run: the values drift a little from one factorisation to the next.
Matrix<double> drifted(Matrix<double> A, std::uint64_t seed) {
  Random random(seed);
  for (double& a : A.values) a *= 1 + 0.05 * random();
  return A;
}

// A chain whose masses were light and become heavy, and the other way round: its pivots must move.
Matrix<double> with_masses(Matrix<double> A, double even, double odd) {
  A.for_entries([&](int i, int j, double& a) {
    if (i == j) a *= i % 2 == 0 ? even : odd;
  });
  return A;
}

}  // namespace

TEST_CASE("pivots_are_kept_while_values_drift") {
  const Matrix<double> A = chain_matrix<double>(100, 1);
  Random random(2);
  const std::vector<double> b = random_vector<double>(A.size(), random);
  const auto lu = make_sparse_lu<double>(A.pattern);
  CHECK(lu->values_of_pivots().empty());
  REQUIRE(lu->factorise(A.values.data()));
  for (std::uint64_t step = 0; step < 20; ++step) {
    const Matrix<double> B = drifted(A, step);
    REQUIRE(lu->factorise(B.values.data()));
    CHECK(backward_error(B, solve(*lu, b), b) < 4 * 1e-15);
    CHECK(lu->values_of_pivots() == A.values);
  }
}

TEST_CASE("pivots_are_chosen_anew_where_kept_ones_lose_digits") {
  const Matrix<double> A = chain_matrix<double>(100, 1);
  const Matrix<double> light = with_masses(A, 1e-9, 1), heavy = with_masses(A, 1, 1e-9);
  Random random(2);
  const std::vector<double> b = random_vector<double>(A.size(), random);
  const auto lu = make_sparse_lu<double>(A.pattern);
  REQUIRE(lu->factorise(light.values.data()));
  REQUIRE(lu->factorise(heavy.values.data()));
  const std::vector<double> x = solve(*lu, b);
  CHECK(lu->values_of_pivots() == heavy.values);
  CHECK(backward_error(heavy, x, b) < 4 * 1e-15);

  const auto fresh = make_sparse_lu<double>(A.pattern);
  REQUIRE(fresh->factorise(heavy.values.data()));
  CHECK(solve(*fresh, b) == x);
}

TEST_CASE("pivots_are_chosen_anew_where_a_kept_one_vanishes") {
  Matrix<double> A = with_pattern<double>(make_pattern(2, 2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  A.values = {2, 1, 1, 2};
  const auto lu = make_sparse_lu<double>(A.pattern);
  REQUIRE(lu->factorise(A.values.data()));
  A.values = {0, 1, 1, 0};
  REQUIRE(lu->factorise(A.values.data()));
  CHECK(solve(*lu, {3, 5}) == std::vector<double>{5, 3});
  A.values = {0, 0, 1, 1};
  CHECK_FALSE(lu->factorise(A.values.data()));
  CHECK(lu->values_of_pivots().empty());
}

TEST_CASE("a_matrix_that_becomes_singular_is_found_with_kept_pivots") {
  Matrix<double> A = with_pattern<double>(make_pattern(2, 2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  A.values = {2, 1, 1, 2};
  const auto lu = make_sparse_lu<double>(A.pattern);
  REQUIRE(lu->factorise(A.values.data()));
  for (const double size : {1.0, 1e20, 1e-20}) {
    A.values = {0.1 * size, 0.7 * size, 0.3 * size, 2.1 * size};  // the last pivot is round-off, not zero
    CHECK_FALSE(lu->factorise(A.values.data()));
    lu->choose_pivots({2, 1, 1, 2});
  }
}

TEST_CASE("restored_pivots_give_the_same_bits") {
  const Matrix<double> A = random_matrix<double>(150, 5);
  const Matrix<double> now = drifted(A, 17);
  Random random(2);
  const std::vector<double> b = random_vector<double>(A.size(), random);
  const auto lu = make_sparse_lu<double>(A.pattern);
  REQUIRE(lu->factorise(A.values.data()));
  REQUIRE(lu->factorise(drifted(A, 16).values.data()));
  ArchiveWriter writer;
  writer(*lu);
  const std::string bytes = writer.take();
  REQUIRE(lu->factorise(now.values.data()));
  const std::vector<double> x = solve(*lu, b);

  const auto resumed = make_sparse_lu<double>(A.pattern);
  ArchiveReader reader(bytes);
  reader(*resumed);
  CHECK(resumed->values_of_pivots() == A.values);
  REQUIRE(resumed->factorise(now.values.data()));
  CHECK(solve(*resumed, b) == x);

  const auto without = make_sparse_lu<double>(A.pattern);
  REQUIRE(without->factorise(now.values.data()));
  CHECK(solve(*without, b) != x);  // so that the archive is needed
}

TEST_CASE("no_pivots_can_be_restored_too") {
  const Matrix<double> A = chain_matrix<double>(5, 5);
  const auto lu = make_sparse_lu<double>(A.pattern);
  REQUIRE(lu->factorise(A.values.data()));
  lu->choose_pivots({});
  CHECK(lu->values_of_pivots().empty());
  CHECK(lu->factorise(A.values.data()));
  CHECK_THROWS_AS(lu->choose_pivots({1, 2, 3}), std::invalid_argument);
}

#if LIVENS_COUNTS_MALLOC
TEST_CASE("kept_pivots_allocate_nothing") {
  const Matrix<double> A = chain_matrix<double>(200, 1), B = drifted(A, 3);
  Random random(2);
  const std::vector<double> b = random_vector<double>(A.size(), random);
  std::vector<double> x(b.size());
  const auto lu = make_sparse_lu<double>(A.pattern);
  REQUIRE(lu->factorise(A.values.data()));

  long before = allocations;
  bool regular = true;
  for (int step = 0; step < 100; ++step) {
    regular = regular && lu->factorise(step % 2 == 0 ? B.values.data() : A.values.data());
    lu->solve(b.data(), x.data());
  }
  CHECK(allocations == before);
  CHECK(regular);

  before = allocations;
  lu->choose_pivots({});
  lu->factorise(A.values.data());
  CHECK(allocations > before);  // so that the counter counts
}
#endif
