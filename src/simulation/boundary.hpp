// A model with [final]: a boundary value problem, solved by galerkin.
#pragma once

#include "livens/model/model.hpp"
#include "livens/registry/options.hpp"
#include "livens/run/result.hpp"

namespace livens {

// options: of galerkin. Throws InputError.
RunResult solve_boundary(const Model& model, const Options& options, const RunContext& context);

}  // namespace livens
