// Runs galerkin on a model with [final]: a boundary value problem.
#pragma once

#include "livens/method/galerkin.hpp"
#include "livens/registry/registry.hpp"

namespace livens {

// Throws InputError where the options do not fit a boundary value problem.
void check_boundary_options(const Model& model, const Galerkin& method);

RunResult run_galerkin_boundary(const Model& model, const Galerkin& method, const RunContext& context);

}  // namespace livens
