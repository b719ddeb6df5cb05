// The one table of methods.
#pragma once

#include "livens/registry/entry.hpp"
#include "livens/registry/misfit.hpp"

namespace livens {

const std::vector<MethodEntry>& methods();
const MethodEntry& choose_method(const Model& model);  // of that table

}  // namespace livens
