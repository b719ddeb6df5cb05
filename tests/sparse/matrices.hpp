// Matrices for the tests of sparse LU, from random numbers that are the same everywhere.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "livens/math/lu.hpp"
#include "livens/sparse/sparse_lu.hpp"

namespace livens::tests {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  // Uniform in [-1, 1), by a linear congruential generator (Knuth's MMIX constants).
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }
  int below(int n) { return static_cast<int>((*this)() * 0.5 * n + 0.5 * n); }

 private:
  std::uint64_t state_;
};

template <class T>
struct Matrix {
  std::shared_ptr<const SparsePattern> pattern;
  std::vector<T> values;

  int size() const { return pattern->rows; }
  T& at(int row, int col) { return values[static_cast<std::size_t>(find_entry(*pattern, row, col))]; }
  template <class F>
  void for_entries(F&& f) {
    for (int i = 0; i < size(); ++i)
      for (int k = pattern->begin(i); k < pattern->end(i); ++k)
        f(i, pattern->col(k), values[static_cast<std::size_t>(k)]);
  }
  std::vector<T> times(const std::vector<T>& x) const {
    std::vector<T> y(x.size());
    for (int i = 0; i < size(); ++i)
      for (int k = pattern->begin(i); k < pattern->end(i); ++k)
        y[static_cast<std::size_t>(i)] +=
            values[static_cast<std::size_t>(k)] * x[static_cast<std::size_t>(pattern->col(k))];
    return y;
  }
};

template <class T>
Matrix<T> with_pattern(SparsePattern pattern) {
  auto shared = std::make_shared<const SparsePattern>(std::move(pattern));
  return {shared, std::vector<T>(shared->column.size())};
}

template <class T>
std::vector<T> random_vector(int size, Random& random) {
  std::vector<T> x(static_cast<std::size_t>(size));
  for (T& xi : x) xi = T(random());
  return x;
}

// Not symmetric, about five entries a row, a diagonal that is there but not dominant.
template <class T>
Matrix<T> random_matrix(int n, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<int, int>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i);
    for (int k = 0; k < 4; ++k) entries.emplace_back(i, random.below(n));
  }
  Matrix<T> A = with_pattern<T>(make_pattern(n, n, std::move(entries)));
  for (T& a : A.values) a = T(random());
  return A;
}

// [M G^T; G 0] of a chain of masses on rods in the plane, as a step of SHAKE has it: G^T at one time, G at another.
template <class T>
Matrix<T> chain_matrix(int masses, std::uint64_t seed) {
  Random random(seed);
  const int n = 2 * masses;
  std::vector<std::pair<int, int>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i);
  for (int c = 0; c < masses; ++c)
    for (int i = std::max(0, 2 * c - 2); i < 2 * c + 2; ++i) entries.insert(entries.end(), {{i, n + c}, {n + c, i}});
  Matrix<T> A = with_pattern<T>(make_pattern(n + masses, n + masses, std::move(entries)));
  for (int i = 0; i < n; ++i) A.at(i, i) = T(1.5 + random());
  for (int c = 0; c < masses; ++c) {
    const double rod[2] = {random(), 1.5 + random()};
    for (int i = std::max(0, 2 * c - 2); i < 2 * c + 2; ++i) {
      const double g = i < 2 * c ? -rod[i % 2] : rod[i % 2];
      A.at(n + c, i) = T(g);
      A.at(i, n + c) = T(g + 0.01 * random());
    }
  }
  return A;
}

// The largest |b - A x| of a row relative to |A| |x| + |b| of that row.
template <class T>
double backward_error(const Matrix<T>& A, const std::vector<T>& x, const std::vector<T>& b) {
  using std::abs;
  double largest = 0;
  for (int i = 0; i < A.size(); ++i) {
    T r = b[static_cast<std::size_t>(i)], size = abs(r);
    for (int k = A.pattern->begin(i); k < A.pattern->end(i); ++k) {
      const T term = A.values[static_cast<std::size_t>(k)] * x[static_cast<std::size_t>(A.pattern->col(k))];
      r -= term;
      size += abs(term);
    }
    const double error = to_double(T(abs(r) / size));
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

template <class T>
std::vector<T> solve(SparseLu<T>& lu, const std::vector<T>& b) {
  std::vector<T> x(b.size());
  lu.solve(b.data(), x.data());
  return x;
}

template <class T>
std::vector<T> dense_solution(const Matrix<T>& A, const std::vector<T>& b) {
  Lu<T> lu(A.size());
  for (int i = 0; i < A.size(); ++i)
    for (int k = A.pattern->begin(i); k < A.pattern->end(i); ++k)
      lu.matrix()(i, A.pattern->col(k)) = A.values[static_cast<std::size_t>(k)];
  lu.factorise();
  std::vector<T> x(b.size());
  lu.solve(b.data(), x.data());
  return x;
}

// Relative to the largest component.
template <class T>
double distance(const std::vector<T>& x, const std::vector<T>& y) {
  using std::abs;
  T largest(0), size(0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, T(abs(x[i] - y[i])));
    size = std::max(size, T(abs(y[i])));
  }
  return to_double(T(largest / size));
}

}  // namespace livens::tests
