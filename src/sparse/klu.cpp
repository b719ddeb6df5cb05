// KLU (T. A. Davis, E. Palamadai Natarajan, Algorithm 907, ACM TOMS 37, 2010) behind Livens' interface.
//
// KLU stores columns, Livens rows: what KLU factorises is A^T, solved by klu_tsolve, and nothing is reordered. KLU then
// looks for the pivot within a row of A. One analysis a pattern. klu_factor chooses pivots, and the scaling with them;
// klu_refactor keeps both. They are chosen anew where the values have outgrown the scaling, where a pivot vanishes,
// and where a solution leaves a poor residual.
//
// klu_refactor and klu_tsolve allocate nothing as long as KLU's own scaling is off (tests/sparse/klu.cpp counts).
#include <klu.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "livens/sparse/sparse_lu.hpp"
#include "sparse/scaled_matrix.hpp"

namespace livens {
namespace {

class Klu final : public SparseLu<double> {
 public:
  explicit Klu(std::shared_ptr<const SparsePattern> pattern) : pattern_(*pattern), matrix_(std::move(pattern)) {
    klu_defaults(&common_);
    common_.tol = 0.1;   // KLU's 0.001 loses digits, 1 loses sparsity
    common_.scale = -1;  // no scaling but ours
    common_.btf = 0;     // its permutation spoils the symmetric pattern: on a net of rods the factors grow by 1.7
    // COLAMD: multipliers have no diagonal, so pivots move, and the order of AMD is made for those that stay. On a net
    // of 14 x 14 rods a step of galerkin costs 0.6 of it, of ggl 0.3; on a chain of 400 bodies AMD fills without bound.
    common_.ordering = 1;
    values_of_pivots_.reserve(matrix_.entries());
    latest_.resize(matrix_.entries());
    if (pattern_.rows > 0)
      symbolic_ = klu_analyze(pattern_.rows, pattern_.start.data(), pattern_.column.data(), &common_);
  }
  ~Klu() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  bool factorise(const double* values) override {
    constexpr double outgrown = 1024;  // times the largest scaled entry of the matrix that pivots were chosen for
    if (pattern_.rows == 0) return true;
    std::copy_n(values, latest_.size(), latest_.data());
    fresh_ = false;
    return (numeric_ && matrix_.take(values) < outgrown && refactor() && pivots_hold()) || choose_pivots_for_latest();
  }

  void solve(const double* b, double* x) override {
    constexpr double poor = 1e-13;  // fresh pivots leave 1e-16 on mechanisms, 1e-14 on most random matrices
    if (pattern_.rows == 0) return;
    solve_scaled(b, x);
    if (!fresh_ && !(matrix_.residual(b, x) < poor)) {
      if (choose_pivots_for_latest())
        solve_scaled(b, x);
      else
        std::fill_n(x, matrix_.rows(), std::numeric_limits<double>::quiet_NaN());
    }
    for (std::size_t j = 0; j < matrix_.rows(); ++j) x[j] *= matrix_.col_factor(j);
  }

  const std::vector<double>& values_of_pivots() const override { return values_of_pivots_; }

  void choose_pivots(std::vector<double> values) override {
    forget_pivots();
    if (values.empty()) return;
    if (values.size() != latest_.size())
      throw std::invalid_argument("sparse LU: " + std::to_string(values.size()) + " values for a pattern of " +
                                  std::to_string(latest_.size()) + " entries");
    latest_ = values;
    choose_pivots_for_latest();
  }

 private:
  bool refactor() {
    return klu_refactor(pattern_.start.data(), pattern_.column.data(), matrix_.values(), symbolic_, numeric_, &common_);
  }

  bool choose_pivots_for_latest() {
    forget_pivots();
    if (!symbolic_ || !matrix_.rescale(latest_.data())) return false;
    numeric_ = klu_factor(pattern_.start.data(), pattern_.column.data(), matrix_.values(), symbolic_, &common_);
    if (!numeric_ || !pivots_hold() || !factors_are_sparse()) {
      forget_pivots();
      return false;
    }
    values_of_pivots_ = latest_;
    return fresh_ = true;
  }

  void forget_pivots() {
    klu_free_numeric(&numeric_, &common_);
    values_of_pivots_.clear();
  }

  bool pivots_hold() const {
    const double smallest = vanishing_pivot<double>(matrix_.rows());
    const double* const pivot = static_cast<const double*>(numeric_->Udiag);
    return std::all_of(pivot, pivot + matrix_.rows(), [=](double u) { return std::abs(u) > smallest; });
  }

  // Pivots of a matrix that has lost its sense, such as that of a step beyond the limit of stability, lie anywhere: its
  // factors fill up, and one of them costs as much as thousands of others.
  bool factors_are_sparse() const {
    constexpr double filled = 32, large = 1e6;  // beside the factors that the pattern makes expect; in entries
    const double entries = static_cast<double>(numeric_->lnz) + numeric_->unz;
    const double expected = std::max(symbolic_->lnz + symbolic_->unz, static_cast<double>(matrix_.entries()));
    return entries < large || entries < filled * expected;
  }

  void solve_scaled(const double* b, double* y) {
    for (std::size_t i = 0; i < matrix_.rows(); ++i) y[i] = matrix_.row_factor(i) * b[i];
    klu_tsolve(symbolic_, numeric_, pattern_.rows, 1, y, &common_);
  }

  SparsePattern pattern_;  // a copy: KLU wants arrays that are not constant
  ScaledMatrix<double> matrix_;
  std::vector<double> latest_, values_of_pivots_;
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  bool fresh_ = false;  // the factors come from klu_factor
};

}  // namespace

template <>
std::unique_ptr<SparseLu<double>> make_sparse_lu(std::shared_ptr<const SparsePattern> pattern) {
  return std::make_unique<Klu>(std::move(pattern));
}

}  // namespace livens
