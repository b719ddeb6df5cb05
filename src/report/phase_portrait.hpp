// The plane of a degenerate system with two coordinates is its phase plane, and its motion follows a level curve of H.
#pragma once

#include <vector>

#include "livens/model/model.hpp"
#include "report/svg.hpp"

namespace livens::report {

bool has_phase_plane(const Model& model);

// The curve H(q) = H(q0) through q0, as far as the box around `motion` with its margins reaches. Points are in the
// order of the recorded coordinates.
svg::Curve level_curve(const Model& model, const std::vector<svg::Point>& motion);

}  // namespace livens::report
