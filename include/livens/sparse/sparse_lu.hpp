// Sparse LU by libraries: KLU for double, Eigen's SparseLU for wider scalars.
//
// The pattern is square, its columns ascend in every row. Rows and columns are scaled by powers of two, so that no
// digit is lost and units decide neither pivots nor what is called singular. KLU keeps its order of pivots from one
// factorisation to the next and allocates only when it chooses a new one; Eigen chooses every time, and allocates.
#pragma once

#include <memory>

#include "livens/math/scalar.hpp"
#include "livens/solve/sparse_lu.hpp"

namespace livens {

template <class T>
std::unique_ptr<SparseLu<T>> make_sparse_lu(std::shared_ptr<const SparsePattern> pattern);

template <>
std::unique_ptr<SparseLu<double>> make_sparse_lu(std::shared_ptr<const SparsePattern> pattern);
template <>
std::unique_ptr<SparseLu<long double>> make_sparse_lu(std::shared_ptr<const SparsePattern> pattern);
#if LIVENS_QUAD
template <>
std::unique_ptr<SparseLu<Quad>> make_sparse_lu(std::shared_ptr<const SparsePattern> pattern);
#endif

}  // namespace livens
