// Sparse LU with pivoting as an interface: the core knows no library for it. `Livens::models` offers KLU for double and
// Eigen's SparseLU for wider scalars (sparse/sparse_lu.hpp); a system of elements is given the one to use.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "livens/math/sparse.hpp"

namespace livens {

template <class T>
class SparseLu {
 public:
  virtual ~SparseLu() = default;

  // Values in the order of the pattern. False if the matrix is singular to working precision or not finite.
  virtual bool factorise(const T* values) = 0;
  // x = A^-1 b; different arrays.
  virtual void solve(const T* b, T* x) = 0;

  // The order of pivots is kept from one factorisation to the next, so the digits of a run depend on the matrix that it
  // was chosen for: those values, to be stored with a checkpoint (empty: none chosen yet).
  virtual const std::vector<T>& values_of_pivots() const = 0;
  // Chooses the order of pivots from such values again.
  virtual void choose_pivots(std::vector<T> values) = 0;

  template <class Archive>
  void archive(Archive& a) {
    std::vector<T> values = values_of_pivots();
    a(values);
    if constexpr (Archive::reads) choose_pivots(std::move(values));
  }
};

template <class T>
using SparseLuMaker = std::unique_ptr<SparseLu<T>> (*)(std::shared_ptr<const SparsePattern>);

template <class T>
SparseLuMaker<T> require_lu(SparseLuMaker<T> maker) {
  if (!maker)
    throw std::invalid_argument(
        "these equations need a sparse LU: give the system of elements one, such as "
        "make_sparse_lu<double> of Livens::models");
  return maker;
}

}  // namespace livens
