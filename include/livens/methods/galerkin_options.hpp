// The Galerkin method that options ask for.
#pragma once

#include "livens/method/galerkin.hpp"
#include "livens/registry/options.hpp"

namespace livens {

Galerkin galerkin_of(const Options& options);

}  // namespace livens
