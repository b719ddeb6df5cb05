// Blocks that are declared by adding them: the same matrix as from blocks declared by hand, dense in a band and sparse.
#include "livens/solve/recorded_blocks.hpp"

#include <doctest/doctest.h>

#include "livens/solve/band_matrix.hpp"
#include "livens/solve/block_matrix.hpp"
#include "verify/networks.hpp"

using namespace livens;
using namespace livens::test;

namespace {

struct Nothing {};

}  // namespace

TEST_CASE("a band matrix is put together twice with other numbers") {
  RecordedBlocks<BandMatrix<double>, double> matrix(Nothing{}, 3);
  Mat<double, 2, 2> A;
  Mat<double, 1, 2> G;
  const Vec<double, 1> unit{4};
  G(0, 0) = 1, G(0, 1) = 2;
  for (const double scale : {1.0, 3.0}) {
    A(0, 0) = 2 * scale, A(0, 1) = 1, A(1, 0) = 0.5, A(1, 1) = 5;
    REQUIRE(matrix.factorise([&] {
      matrix.add({0, 0}, 1, A);
      matrix.add_transposed({0, 0}, 2, A);  // the same place as before, another block
      matrix.add_transposed({0, 2}, -1, unit, G);
      matrix.add({2, 0}, 1, G);
    }));
    // [ 6 scale  2  -4 ; 2.5  15  -8 ; 1  2  0 ] x = b
    const Vec<double> x{1, -2, 0.5};
    Vec<double> b{6 * scale * x[0] + 2 * x[1] - 4 * x[2], 2.5 * x[0] + 15 * x[1] - 8 * x[2], x[0] + 2 * x[1]}, y(3);
    matrix.solve(b, y);
    for (int i = 0; i < 3; ++i) CHECK(std::abs(y[i] - x[i]) < 4 * 4.4e-16);
  }
}

TEST_CASE("a sparse matrix needs one list of places for all blocks of a pattern") {
  const Network network = chain(4);
  LinearChoice<double> choice;
  choice.make_lu = make_sparse_lu<double>;
  const auto system = network.system(choice);
  const int n = system.coordinates(), m = system.constraints();
  Vec<double> q = network.positions(), v(n), g(m), unit(m);
  auto M = system.square();
  auto G = system.jacobian();
  system.mass(0, q, v, M);
  system.constraint_jacobian(0, q, g, G);
  for (double& u : unit) u = 0.5;

  BlockMatrix<ElementSystem<double>, Dynamic> declared(system, n + m);
  const auto square = declared.block(0, 0, M), reaction = declared.transposed_block(0, n, G),
             constraint = declared.block(n, 0, G);
  declared.finish();
  declared.clear();
  declared.add(square, 3, M);
  declared.add_transposed(reaction, 1, unit, G);
  declared.add(constraint, 1, G);
  REQUIRE(declared.factorise());

  RecordedBlocks<BlockMatrix<ElementSystem<double>, Dynamic>, double> recorded(system, n + m);
  for (int again = 0; again < 2; ++again)
    REQUIRE(recorded.factorise([&] {
      recorded.add({0, 0}, 1, M);
      recorded.add({0, 0}, 2, M);
      recorded.add_transposed({0, n}, 1, unit, G);
      recorded.add({n, 0}, 1, G);
    }));
  Vec<double> b(n + m), x(b), y(b);
  for (int i = 0; i < b.size(); ++i) b[i] = 1 + 0.1 * i;
  declared.solve(b, x);
  recorded.solve(b, y);
  for (int i = 0; i < x.size(); ++i) CHECK(x[i] == y[i]);
}
