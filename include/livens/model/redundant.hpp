// Constraints of a model that others imply.
#pragma once

#include <string>
#include <vector>

#include "livens/model/model.hpp"

namespace livens {

// The constraints that others imply at initial.q, ascending from 0. Empty unless solver.redundant is "least-norm".
std::vector<int> redundant_constraints(const Model& model);

// "constraints 2 and 7" for messages, counted from 1.
std::string constraint_list(const std::vector<int>& rows);

}  // namespace livens
