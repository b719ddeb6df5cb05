// A mechanism at several instants of its motion: bodies as their shapes, joints as dots.
#pragma once

#include <vector>

#include "report/figures.hpp"

namespace livens::report {

// Empty for models of formulas, and where bodies were not recorded.
std::vector<Figure> mechanism_figure(const RecordedRun& run);

}  // namespace livens::report
