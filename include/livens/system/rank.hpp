// Which constraints say what others say already: rows of G that are linear combinations of the rest.
//
// A row counts as dependent where less than `tolerance` of its length is outside the span of the others. By default
// that is sqrt(epsilon)/16, 1e-9 in double: closer rows lose all digits of a multiplier.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "livens/solve/elimination.hpp"
#include "livens/solve/sparse_product.hpp"

namespace livens {

template <class T>
RealOf<T> dependence_tolerance() {
  using std::sqrt;
  return sqrt(epsilon<T>()) / 16;
}

// Gram-Schmidt, twice, on rows of length one: of several rows that depend on each other the last ones are named.
template <class T, int R, int C>
std::vector<int> dependent_rows(const Mat<T, R, C>& G, const RealOf<T>& tolerance = dependence_tolerance<T>()) {
  using std::sqrt;
  std::vector<std::vector<RealOf<T>>> basis;
  std::vector<int> dependent;
  for (int a = 0; a < G.rows(); ++a) {
    std::vector<RealOf<T>> row(static_cast<std::size_t>(G.cols()));
    const auto dot_with = [&](const std::vector<RealOf<T>>& b) {
      RealOf<T> sum(0);
      for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * b[j];
      return sum;
    };
    const auto normalise = [&] {
      const RealOf<T> length = sqrt(dot_with(row));
      if (length > RealOf<T>(0))
        for (auto& x : row) x /= length;
      return length;
    };
    for (int j = 0; j < G.cols(); ++j) row[static_cast<std::size_t>(j)] = value_of(G(a, j));
    normalise();
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& b : basis) {
        const RealOf<T> along = dot_with(b);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] -= along * b[j];
      }
    if (normalise() > tolerance)
      basis.push_back(row);
    else
      dependent.push_back(a);
  }
  return dependent;
}

// Rows of length one, g_a; where elimination of the matrix g_a . g_b meets a small pivot, the row is a candidate. Its
// combination of the rows kept, sum_i k_i g_i, then shows how much of it is left; of the rows in that combination and
// itself the last one is named.
template <class T>
std::vector<int> dependent_rows(const SparseMat<T>& G, const RealOf<T>& tolerance = dependence_tolerance<T>()) {
  using std::abs;
  using std::sqrt;
  using Real = RealOf<T>;
  SparseMat<Real> unit(G.shared_pattern());
  std::vector<int> dependent;
  for (int a = 0; a < G.rows(); ++a) {
    Real square(0);
    for_row(G, a, [&](int, const T& x) { square += value_of(x) * value_of(x); });
    const Real factor = square > Real(0) ? Real(1) / sqrt(square) : Real(0);
    for (int k = G.pattern().begin(a); k < G.pattern().end(a); ++k) unit.value(k) = factor * value_of(G.value(k));
  }
  const SparseProduct<Real> product(G.pattern(), G.pattern());
  Elimination<Real> elimination(product.pattern());
  product(unit.values(), unit.values(), elimination.values());

  // A pivot is the square of what is left of its row; normal equations lose half of the digits.
  const Real smallest_pivot = std::max(Real(sqrt(epsilon<T>())), Real(tolerance * tolerance));
  const Real most_left = std::max(tolerance, Real(16 * dependence_tolerance<T>()));
  Vec<Real> right(G.rows()), combination(G.rows()), row(G.cols()), image(G.cols());
  for (const int candidate : elimination.factorise_dropping(smallest_pivot)) {
    row.fill(Real(0));
    for_row(unit, candidate, [&](int j, const Real& x) { row[j] = x; });
    multiply(unit, row, right);
    elimination.solve(right, combination);
    multiply_transposed(unit, combination, image);
    Real left(0);
    for (int j = 0; j < row.size(); ++j) left += (row[j] - image[j]) * (row[j] - image[j]);
    if (sqrt(left) > most_left) continue;
    int last = candidate;
    for (int a = candidate + 1; a < G.rows(); ++a)
      if (abs(combination[a]) > sqrt(dependence_tolerance<T>()) &&
          std::find(dependent.begin(), dependent.end(), a) == dependent.end())
        last = a;
    dependent.push_back(last);
  }
  std::sort(dependent.begin(), dependent.end());
  return dependent;
}

}  // namespace livens
