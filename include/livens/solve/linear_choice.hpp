// How the equations of a system of elements are solved.
#pragma once

#include "livens/solve/sparse_lu.hpp"

namespace livens {

// automatic: shake, rattle and their like as schur (measured in schur.hpp); methods with stages as schur in steps where
// its corrections contract, else as lu (method/multipliers_alone.hpp).
enum class LinearTarget {
  automatic,
  schur,  // by the equations of the multipliers alone, where a method has them
  lu,     // all equations of a step by the sparse LU
};

template <class T>
struct LinearChoice {
  LinearTarget target = LinearTarget::automatic;
  SparseLuMaker<T> make_lu = nullptr;  // none: what needs it is refused
};

}  // namespace livens
