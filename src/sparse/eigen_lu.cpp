// Eigen's SparseLU (after SuperLU: X. S. Li, J. W. Demmel) for scalars wider than double, behind Livens' interface.
//
// Eigen stores columns, Livens rows: what is factorised is A^T. Pivots are chosen in every factorisation, so there is
// none to remember between them.
#include <Eigen/SparseLU>
#include <algorithm>
#include <limits>

#include "livens/sparse/sparse_lu.hpp"
#include "sparse/scaled_matrix.hpp"

namespace livens {
namespace {

template <class T>
class EigenLu final : public SparseLu<T> {
 public:
  explicit EigenLu(std::shared_ptr<const SparsePattern> pattern) : matrix_(std::move(pattern)), right_(size()) {
    if (size() > 0) lu_.analyzePattern(transposed());
  }

  bool factorise(const T* values) override {
    if (size() == 0) return true;
    if (!matrix_.rescale(values)) return false;
    lu_.factorize(transposed());
    return lu_.info() == Eigen::Success && lu_.smallest_pivot() > vanishing_pivot<T>(matrix_.rows());
  }

  void solve(const T* b, T* x) override {
    for (int i = 0; i < size(); ++i) right_[i] = matrix_.row_factor(static_cast<std::size_t>(i)) * b[i];
    Eigen::Map<Vector> y(x, size());
    if (size() > 0) y = lu_.transpose().solve(right_);
    for (int j = 0; j < size(); ++j) x[j] *= matrix_.col_factor(static_cast<std::size_t>(j));
  }

  const std::vector<T>& values_of_pivots() const override { return none_; }
  void choose_pivots(std::vector<T>) override {}

 private:
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  using Matrix = Eigen::SparseMatrix<T, Eigen::ColMajor, int>;

  struct Lu : Eigen::SparseLU<Matrix> {
    T smallest_pivot() const {
      using std::abs;
      T smallest = std::numeric_limits<T>::infinity();
      for (int j = 0; j < this->cols(); ++j)
        for (typename Eigen::SparseLU<Matrix>::SCMatrix::InnerIterator entry(this->m_Lstore, j); entry; ++entry)
          if (entry.index() == j) smallest = std::min(smallest, T(abs(entry.value())));
      return smallest;
    }
  };

  int size() const { return matrix_.pattern().rows; }
  Eigen::Map<const Matrix> transposed() {
    const SparsePattern& p = matrix_.pattern();
    return {p.rows, p.rows, p.entries(), p.start.data(), p.column.data(), matrix_.values()};
  }

  ScaledMatrix<T> matrix_;
  Vector right_;
  Lu lu_;
  std::vector<T> none_;
};

}  // namespace

template <>
std::unique_ptr<SparseLu<long double>> make_sparse_lu(std::shared_ptr<const SparsePattern> pattern) {
  return std::make_unique<EigenLu<long double>>(std::move(pattern));
}

#if LIVENS_QUAD
template <>
std::unique_ptr<SparseLu<Quad>> make_sparse_lu(std::shared_ptr<const SparsePattern> pattern) {
  return std::make_unique<EigenLu<Quad>>(std::move(pattern));
}
#endif

}  // namespace livens
