#include "livens/math/split_table.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace livens;

TEST_CASE("the two parts of a coefficient are right to ten binary digits more than one number") {
  const Widest third = Widest(1) / 3;
  SplitTable<double> table(2, 2);
  table.set(1, 0, third);
  CHECK(table(1, 0) == 1.0 / 3);

  Vec<Widest, 1> sum{Widest(0)};
  table.add(1, 0, Vec<Widest, 1>{Widest(1)}, sum);
  CHECK(std::abs(to_double(Widest(1.0 / 3) - third)) > 1e-17);
  CHECK(std::abs(to_double(sum[0] - third)) < 1e-19);  // Widest may have 64 bits
}

TEST_CASE("a row combines vectors with its coefficients") {
  SplitTable<double> table(2, 3);
  for (int j = 0; j < 3; ++j) table.set(1, j, Widest(j + 1) / 8);
  const std::vector<Vec<double, 2>> x{{8, 16}, {-8, 4}};  // fewer than there are coefficients
  Vec<double, 2> y{100, 100};                             // is set, not added to
  table.combine(1, x, y);
  CHECK(y == Vec<double, 2>{-1, 3});
}
