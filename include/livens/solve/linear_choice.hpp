// How the equations of a system of elements are solved.
#pragma once

#include "livens/solve/sparse_lu.hpp"

namespace livens {

enum class LinearTarget {
  automatic,  // what is found to cost less: by the fill of the elimination (schur.hpp), by how corrections contract
              // (method/multipliers_alone.hpp)
  schur,      // by the equations of the multipliers alone, where a method has them
  lu,         // all equations of a step by the sparse LU
};

template <class T>
struct LinearChoice {
  LinearTarget target = LinearTarget::automatic;
  SparseLuMaker<T> make_lu = nullptr;  // none: what needs it is refused
};

}  // namespace livens
