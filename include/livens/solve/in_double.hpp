// What the steps of systems of elements spend their time in, in double precision: compiled once, with -O2, in
// src/solve/in_double.cpp. Every source of the library sees these lines (cmake/precompiled.hpp). Without them each
// would have a copy of its own and the linker the choice, which fell on those of sources that are compiled to be
// compiled fast (a solution of the multipliers of a body: 1450 instructions instead of 790).
#pragma once

#include "livens/math/sparse.hpp"
#include "livens/math/vec.hpp"
#include "livens/solve/elimination.hpp"
#include "livens/solve/impulse_units.hpp"
#include "livens/solve/mass.hpp"
#include "livens/solve/multiplier_blocks.hpp"
#include "livens/solve/weighted_product.hpp"

#define LIVENS_SOLVE_IN_DOUBLE(instantiation)                                                               \
  instantiation void multiply(const SparseMat<double>&, const Vec<double>&, Vec<double>&);                  \
  instantiation void multiply_transposed(const SparseMat<double>&, const Vec<double>&, Vec<double>&);       \
  instantiation void subtract_transposed(const SparseMat<double>&, const Vec<double>&, Vec<double>&);       \
  instantiation bool below_rounding(const SparseMat<double>&, const Vec<double>&, const Vec<double>&);      \
  instantiation double max_norm(const Vec<double>&);                                                        \
  instantiation double size_of(const Vec<double>&);                                                         \
  instantiation void choose_impulse_units(const SparseMat<double>&, const SparseMat<double>&, Vec<double>&, \
                                          Vec<double>&);                                                    \
  instantiation class SparseProduct<double>;                                                                \
  instantiation class WeightedProduct<double>;                                                              \
  instantiation class GroupElimination<double>;                                                             \
  instantiation class Elimination<double>;                                                                  \
  instantiation class Mass<SparseMat<double>>;                                                              \
  instantiation class MultiplierBlocks<double>;

namespace livens {
LIVENS_SOLVE_IN_DOUBLE(extern template)
}
