// Which constraints say what others say already: rows of G that are linear combinations of the rest.
//
// A row counts as dependent where less than `tolerance` of its length is outside the span of the others. By default
// that is sqrt(epsilon)/16, 1e-9 in double: closer rows lose all digits of a multiplier. Lengths are taken in units of
// the columns in which entries are of one size: in G of a mechanism the numbers one, for positions, stand beside arms
// of any length, for directions.
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

// Units of columns, as powers of two; empty: ones.
using ColumnUnits = std::vector<int>;

// Those of M^-1/2, by the largest entries of its rows.
template <class Square>
ColumnUnits mass_units(const Square& M) {
  using std::abs;
  ColumnUnits units;
  for (int i = 0; i < M.rows(); ++i) {
    double largest = 0;
    for_row(M, i, [&](int, const auto& x) { largest = std::max(largest, std::abs(to_double(value_of(x)))); });
    units.push_back(largest > 0 && is_finite(largest) ? -std::ilogb(largest) / 2 : 0);
  }
  return units;
}

namespace detail {

template <class Real>
Real in_units(const Real& x, const ColumnUnits& units, int column) {
  using std::ldexp;
  return units.empty() ? x : Real(ldexp(x, units[static_cast<std::size_t>(column)]));
}

// Of the rows of N, combinations of rows that vanish, which rows are to go: row reduction from the last column.
template <class Real>
std::vector<int> last_of_combinations(std::vector<std::vector<Real>> N, std::size_t columns) {
  using std::abs;
  std::vector<int> named;
  for (std::size_t col = columns; col-- > 0 && !N.empty();) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < N.size(); ++i)
      if (abs(N[i][col]) > abs(N[best][col])) best = i;
    Real largest(0);
    for (const Real& x : N[best]) largest = std::max(largest, Real(abs(x)));
    if (!(abs(N[best][col]) > Real(1e-4) * largest)) continue;
    named.push_back(static_cast<int>(col));
    const std::vector<Real> pivot = N[best];
    N.erase(N.begin() + static_cast<std::ptrdiff_t>(best));
    for (std::vector<Real>& row : N) {
      const Real factor = row[col] / pivot[col];
      for (std::size_t j = 0; j < columns; ++j) row[j] -= factor * pivot[j];
      row[col] = Real(0);
    }
  }
  std::sort(named.begin(), named.end());
  return named;
}

// Gram-Schmidt, twice, on rows of length one: of several rows that depend on each other the last ones are named.
template <class Matrix, class Real>
std::vector<int> dependent_by_turns(const Matrix& G, const Real& tolerance, const ColumnUnits& units) {
  using std::sqrt;
  std::vector<std::vector<Real>> basis;
  std::vector<int> dependent;
  for (int a = 0; a < G.rows(); ++a) {
    std::vector<Real> row(static_cast<std::size_t>(G.cols()));
    const auto dot_with = [&](const std::vector<Real>& b) {
      Real sum(0);
      for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * b[j];
      return sum;
    };
    const auto normalise = [&] {
      const Real length = sqrt(dot_with(row));
      if (length > Real(0))
        for (auto& x : row) x /= length;
      return length;
    };
    for_row(G, a,
            [&](int j, const auto& x) { row[static_cast<std::size_t>(j)] = in_units(Real(value_of(x)), units, j); });
    normalise();
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& b : basis) {
        const Real along = dot_with(b);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] -= along * b[j];
      }
    if (normalise() > tolerance)
      basis.push_back(row);
    else
      dependent.push_back(a);
  }
  return dependent;
}

}  // namespace detail

template <class T, int R, int C>
std::vector<int> dependent_rows(const Mat<T, R, C>& G, const RealOf<T>& tolerance = dependence_tolerance<T>(),
                                const ColumnUnits& units = {}) {
  return detail::dependent_by_turns(G, tolerance, units);
}

// Large: rows of length one, g_a; where elimination of the matrix g_a . g_b meets a small pivot, the row is a
// candidate. Its combination of the rows kept, sum_i k_i g_i, then shows how much of it is left. Of the rows in such
// combinations the last ones are named. A candidate of which something is left was missing when others were judged: all
// rows are then taken by turns, unless there are too many.
template <class T>
std::vector<int> dependent_rows(const SparseMat<T>& G, const RealOf<T>& tolerance = dependence_tolerance<T>(),
                                const ColumnUnits& units = {}) {
  using std::sqrt;
  using Real = RealOf<T>;
  constexpr int few = 120, many = 1500;
  if (G.rows() <= few) return detail::dependent_by_turns(G, tolerance, units);
  SparseMat<Real> unit(G.shared_pattern());
  for (int a = 0; a < G.rows(); ++a) {
    Real square(0);
    for (int k = G.pattern().begin(a); k < G.pattern().end(a); ++k) {
      unit.value(k) = detail::in_units(Real(value_of(G.value(k))), units, G.pattern().col(k));
      square += unit.value(k) * unit.value(k);
    }
    const Real factor = square > Real(0) ? Real(1) / sqrt(square) : Real(0);
    for (int k = G.pattern().begin(a); k < G.pattern().end(a); ++k) unit.value(k) *= factor;
  }
  const SparseProduct<Real> product(G.pattern(), G.pattern());
  Elimination<Real> elimination(product.pattern(), EliminateRows::one_by_one);
  product(unit.values(), unit.values(), elimination.values());

  // A pivot is the square of what is left of its row; normal equations lose half of the digits.
  const Real smallest_pivot = std::max(Real(sqrt(epsilon<T>())), Real(tolerance * tolerance));
  const Real most_left = std::max(tolerance, Real(16 * dependence_tolerance<T>()));
  Vec<Real> right(G.rows()), combination(G.rows()), row(G.cols()), image(G.cols());
  std::vector<std::vector<Real>> combinations;
  for (const int candidate : elimination.factorise_dropping(smallest_pivot)) {
    row.fill(Real(0));
    for_row(unit, candidate, [&](int j, const Real& x) { row[j] = x; });
    multiply(unit, row, right);
    elimination.solve(right, combination);
    multiply_transposed(unit, combination, image);
    Real left(0);
    for (int j = 0; j < row.size(); ++j) left += (row[j] - image[j]) * (row[j] - image[j]);
    if (sqrt(left) > most_left) {
      if (G.rows() <= many) return detail::dependent_by_turns(G, tolerance, units);
      continue;
    }
    combination[candidate] -= Real(1);
    combinations.emplace_back(combination.begin(), combination.end());
  }
  return detail::last_of_combinations(std::move(combinations), static_cast<std::size_t>(G.rows()));
}

}  // namespace livens
