// Whether a symmetric matrix is positive definite: by elimination, all pivots being positive.
#pragma once

#include <map>
#include <vector>

#include "livens/math/sparse.hpp"

namespace livens {

// Dense or sparse; for use once, before a run.
template <class Matrix>
bool is_positive_definite(const Matrix& A) {
  using Real = RealOf<typename Matrix::Scalar>;
  std::vector<std::map<int, Real>> rows(static_cast<std::size_t>(A.rows()));  // of what is left, from the diagonal on
  for (int i = 0; i < A.rows(); ++i)
    for_row(A, i, [&](int j, const auto& x) {
      if (j >= i && value_of(x) != Real(0)) rows[static_cast<std::size_t>(i)][j] = value_of(x);
    });
  for (int i = 0; i < A.rows(); ++i) {
    const auto& row = rows[static_cast<std::size_t>(i)];
    if (row.empty() || row.begin()->first != i || !(row.begin()->second > Real(0))) return false;
    const Real pivot = row.begin()->second;
    for (auto left = std::next(row.begin()); left != row.end(); ++left) {
      auto& below = rows[static_cast<std::size_t>(left->first)];
      for (auto right = left; right != row.end(); ++right) below[right->first] -= left->second / pivot * right->second;
    }
  }
  return true;
}

}  // namespace livens
