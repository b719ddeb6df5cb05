// One list a file; src/reproduce/reproduce.cpp joins them.
#pragma once

#include <vector>

#include "livens/reproduce/reproduce.hpp"

namespace livens {

std::vector<ReproductionEntry> galerkin_reproductions();
std::vector<ReproductionEntry> hbvm_reproductions();
std::vector<ReproductionEntry> vprk_invariants_reproductions();
std::vector<ReproductionEntry> vprk_table_reproductions();
std::vector<ReproductionEntry> vprk_run_reproductions();
std::vector<ReproductionEntry> vprk_guiding_centre_reproductions();
std::vector<ReproductionEntry> vprk_drift_reproductions();
std::vector<ReproductionEntry> ggl_top_reproductions();
std::vector<ReproductionEntry> ggl_four_bar_reproductions();
std::vector<ReproductionEntry> odae_reproductions();

// Figures 21 and 22 of Kraus (2017).
void draw_loop_and_surface(Reproduction& r);

}  // namespace livens
