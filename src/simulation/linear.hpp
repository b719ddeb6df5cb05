// The one rule that decides how the linear equations of a run are solved.
#pragma once

#include "livens/method/method.hpp"
#include "livens/model/model.hpp"

namespace livens {

enum class Linear { dense, sparse, schur, automatic };

// Of a Lagrangian model. Throws InputError where solver.linear cannot be had.
Linear choose_linear(const Model& model, const MethodTraits& method);

}  // namespace livens
