// One list a paper; src/reproduce/reproduce.cpp joins them.
#pragma once

#include <vector>

#include "livens/reproduce/reproduce.hpp"

namespace livens {

std::vector<ReproductionEntry> galerkin_reproductions();
std::vector<ReproductionEntry> hbvm_reproductions();
std::vector<ReproductionEntry> vprk_invariants_reproductions();

}  // namespace livens
