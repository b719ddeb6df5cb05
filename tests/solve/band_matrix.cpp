// Band LU against dense LU, on matrices whose diagonal blocks are singular.
#include "livens/solve/band_matrix.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "livens/math/lu.hpp"

using namespace livens;

namespace {

// Repeatable numbers between -1 and 1.
class Numbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11) / 4503599627370496.0 - 1;
  }

 private:
  unsigned long long state_ = 1;
};

struct NoSystem {};

// Difference of the two solutions of a matrix of blocks 3 x 3, zero on the diagonal, coupled with their neighbours.
double difference_to_dense(int blocks, double unit) {
  const int size = 3 * blocks;
  Numbers numbers;
  BandMatrix<double> band(NoSystem{}, size);
  Lu<double> dense(size);
  Mat<double> block(3, 3);
  std::vector<BandMatrix<double>::Block> places;
  const auto for_blocks = [&](const auto& visit) {
    for (int i = 0; i < blocks; ++i)
      for (int j = std::max(0, i - 1); j <= std::min(blocks - 1, i + 1); ++j)
        if (i != j) visit(i, j);
  };
  for_blocks([&](int i, int j) { places.push_back(band.block(3 * i, 3 * j, block)); });
  band.finish();
  band.clear();
  dense.matrix().fill(0);
  std::size_t place = 0;
  for_blocks([&](int i, int j) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        block(r, c) = (i % 2 ? unit : 1) * numbers.next();
        dense.matrix()(3 * i + r, 3 * j + c) = block(r, c);
      }
    band.add(places[place++], 1.0, block);
  });
  Vec<double> b(size), x(size), y(size);
  for (int i = 0; i < size; ++i) b[i] = (i / 3 % 2 ? unit : 1) * numbers.next();
  REQUIRE(band.factorise());
  REQUIRE(dense.factorise());
  band.solve(b, x);
  dense.solve(b, y);
  double largest = 0, size_of_solution = max_norm(y);
  for (int i = 0; i < size; ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest / size_of_solution;
}

}  // namespace

TEST_CASE("band LU solves matrices with singular diagonal blocks, in any units of rows") {
  CHECK(difference_to_dense(2, 1) < 1e-13);
  CHECK(difference_to_dense(20, 1) < 1e-11);  // measured 4e-14
  CHECK(difference_to_dense(20, 1e-26) < 1e-11);
}

TEST_CASE("band LU finds singular matrices and matrices that are not finite") {
  BandMatrix<double> band(NoSystem{}, 4);
  Mat<double> block(2, 2);
  const auto first = band.block(0, 0, block), second = band.block(2, 2, block);
  band.finish();
  block(0, 0) = 1, block(0, 1) = 2, block(1, 0) = 3, block(1, 1) = 5;
  band.clear();
  band.add(first, 1.0, block), band.add(second, 1.0, block);
  CHECK(band.factorise());
  block(1, 1) = 6;  // rank 1
  band.clear();
  band.add(first, 1.0, block), band.add(second, 1.0, block);
  CHECK(!band.factorise());
  block(1, 1) = std::nan("");
  band.clear();
  band.add(first, 1.0, block), band.add(second, 1.0, block);
  CHECK(!band.factorise());
}

TEST_CASE("a band matrix without rows is solved") {
  BandMatrix<double> empty(NoSystem{}, 0);
  empty.finish();
  empty.clear();
  CHECK(empty.factorise());
  Vec<double> b(0), x(0);
  empty.solve(b, x);
  CHECK(x.size() == 0);
}
