// Vectors and matrices for any scalar, of a size known when compiling or when running (`Dynamic`).
//
// Fixed sizes live in the object. Run-time sizes own one block of memory, taken when they are made: assignment between
// equal sizes copies and never allocates, so that a workspace made once keeps a step free of allocations.
// Matrices are stored by rows.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "livens/math/scalar.hpp"

namespace livens {

inline constexpr int Dynamic = -1;

// Sum and product of sizes; Dynamic if one of them is.
constexpr int size_sum(int a, int b) {
  return a == Dynamic || b == Dynamic ? Dynamic : a + b;
}
constexpr int size_product(int a, int b) {
  return a == Dynamic || b == Dynamic ? Dynamic : a * b;
}

namespace detail {

// Of start values, and of what a function returns in braces: with NDEBUG too, and in words.
[[noreturn]] inline void refuse_size(int given, int size) {
  throw std::invalid_argument(std::to_string(given) + (given == 1 ? " number" : " numbers") + " for a vector of " +
                              std::to_string(size) + ": give " + std::to_string(size));
}

}  // namespace detail

// A size that is a number when compiling, unless it is Dynamic.
template <int N>
struct Known {
  constexpr explicit Known(int size) {
    if (size != N) detail::refuse_size(size, N);
  }
  constexpr operator int() const { return N; }
};
template <>
struct Known<Dynamic> {
  constexpr explicit Known(int size) : value(size) {}
  constexpr operator int() const { return value; }
  int value;
};

namespace detail {

template <class T, int N>
struct Storage {
  std::array<T, static_cast<std::size_t>(N)> x{};
  Storage() = default;
  explicit Storage(int size) {
    if (size != N) refuse_size(size, N);
  }
  static constexpr int size() { return N; }
  T* data() { return x.data(); }
  const T* data() const { return x.data(); }
};

template <class T>
struct Storage<T, Dynamic> {
  Storage() = default;
  explicit Storage(int size) : x_(new T[static_cast<std::size_t>(size)]()), size_(size) {}
  Storage(const Storage& other) : Storage(other.size_) { *this = other; }
  Storage(Storage&& other) noexcept : x_(std::move(other.x_)), size_(std::exchange(other.size_, 0)) {}
  Storage& operator=(const Storage& other) {
    if (size_ != other.size_) *this = Storage(other.size_);
    for (int i = 0; i < size_; ++i) x_[static_cast<std::size_t>(i)] = other.x_[static_cast<std::size_t>(i)];
    return *this;
  }
  Storage& operator=(Storage&& other) noexcept {
    x_ = std::move(other.x_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  int size() const { return size_; }
  T* data() { return x_.get(); }
  const T* data() const { return x_.get(); }

 private:
  std::unique_ptr<T[]> x_;
  int size_ = 0;
};

}  // namespace detail

template <class T, int N = Dynamic>
class Vec {
 public:
  using Scalar = T;
  static constexpr int static_size = N;

  Vec() = default;
  explicit Vec(int size) : s_(size) {}
  Vec(std::initializer_list<T> values) : s_(static_cast<int>(values.size())) {
    int i = 0;
    for (const T& v : values) (*this)[i++] = v;
  }
  // Jets in braces for numbers: words.
  template <class... A>
  requires(std::is_arithmetic_v<T> && (MoreThanReal<A> || ...)) explicit(sizeof...(A) == 1) Vec(const A&...) {
    detail::refuse_number<false>();
  }

  constexpr int size() const { return s_.size(); }
  T* data() { return s_.data(); }
  const T* data() const { return s_.data(); }
  T& operator[](int i) { return s_.data()[i]; }
  const T& operator[](int i) const { return s_.data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }

  void fill(const T& value) {
    for (T& x : *this) x = value;
  }
  friend bool operator==(const Vec& a, const Vec& b) {
    if (a.size() != b.size()) return false;
    for (int i = 0; i < a.size(); ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

 private:
  detail::Storage<T, N> s_;
};

template <class T, int R = Dynamic, int C = Dynamic>
class Mat {
 public:
  using Scalar = T;
  static constexpr int static_rows = R, static_cols = C;

  Mat() = default;
  Mat(int rows, int cols) : s_(rows * cols), rows_(rows), cols_(cols) {}

  constexpr int rows() const { return R == Dynamic ? rows_ : R; }
  constexpr int cols() const { return C == Dynamic ? cols_ : C; }
  T* data() { return s_.data(); }
  const T* data() const { return s_.data(); }
  T& operator()(int i, int j) { return s_.data()[i * cols() + j]; }
  const T& operator()(int i, int j) const { return s_.data()[i * cols() + j]; }
  T* row(int i) { return s_.data() + i * cols(); }
  const T* row(int i) const { return s_.data() + i * cols(); }

  void fill(const T& value) {
    const int size = s_.size();
    for (int k = 0; k < size; ++k) s_.data()[k] = value;
  }

 private:
  detail::Storage<T, size_product(R, C)> s_;
  int rows_ = R == Dynamic ? 0 : R, cols_ = C == Dynamic ? 0 : C;
};

// sum_i a_i b_i
template <class T, int N>
T dot(const Vec<T, N>& a, const Vec<T, N>& b) {
  T sum(0);
  for (int i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// y = A x
template <class T, int R, int C>
void multiply(const Mat<T, R, C>& A, const Vec<T, C>& x, Vec<T, R>& y) {
  for (int i = 0; i < A.rows(); ++i) {
    T sum(0);
    for (int j = 0; j < A.cols(); ++j) sum += A(i, j) * x[j];
    y[i] = sum;
  }
}

// y = A^T x
template <class T, int R, int C>
void multiply_transposed(const Mat<T, R, C>& A, const Vec<T, R>& x, Vec<T, C>& y) {
  if (A.rows() == 0) y.fill(T(0));
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) y[j] = i == 0 ? A(i, j) * x[i] : y[j] + A(i, j) * x[i];
}

// C += A B; zeros of A, of which constraints have many, cost nothing.
template <class T, int R, int S, int C>
void add_product(const Mat<T, R, S>& A, const Mat<T, S, C>& B, Mat<T, R, C>& AB) {
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k < A.cols(); ++k) {
      const T a = A(i, k);
      if (vanishes(a)) continue;
      for (int j = 0; j < B.cols(); ++j) AB(i, j) += a * B(k, j);
    }
}

// A += factor B from a row and a column on
template <class T, int N, int R, int C>
void add_block(Mat<T, N, N>& A, int row, int col, const T& factor, const Mat<T, R, C>& B) {
  for (int i = 0; i < B.rows(); ++i)
    for (int j = 0; j < B.cols(); ++j) A(row + i, col + j) += factor * B(i, j);
}

// C = A B^T
template <class T, int R, int S, int C>
void multiply_by_transposed(const Mat<T, R, C>& A, const Mat<T, S, C>& B, Mat<T, R, S>& AB) {
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k < B.rows(); ++k) {
      T sum(0);
      for (int j = 0; j < A.cols(); ++j) sum += A(i, j) * B(k, j);
      AB(i, k) = sum;
    }
}

// sum |A_ij| |x_j|: what A x is summed from
template <class T, int R, int C>
RealOf<T> size_of_product(const Mat<T, R, C>& A, const Vec<T, C>& x) {
  RealOf<T> sum(0);
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) sum += abs_of(A(i, j)) * abs_of(x[j]);
  return sum;
}

// sum_i |x_i|: the size by which iterations are judged. A value that is not finite makes the sum not finite, which a
// maximum would have to test for.
template <class T, int N>
RealOf<T> size_of(const Vec<T, N>& x) {
  using std::abs;
  RealOf<T> sum(0);
  for (const T& xi : x) sum += abs(value_of(xi));
  return sum;
}

// The largest absolute value, of finite numbers.
template <class T, int N>
RealOf<T> max_norm(const Vec<T, N>& x) {
  using std::abs;
  RealOf<T> largest(0);
  for (const T& xi : x) {
    const RealOf<T> a = abs(value_of(xi));
    if (!(a <= largest)) largest = a;
  }
  return largest;
}

}  // namespace livens
