// Constraints of a model that others imply.
//
// Which rows of G depend on others is found at initial.q, or, with initial.project, where the constraints hold near it.
// A row may do so at this one point only, as in a linkage stretched flat; then its constraint says something that the
// others do not. To tell, q is moved a little and put back on the constraints that are kept, as the point of them
// nearest to q + delta: a constraint that follows from them has not changed there, any other has at order delta^2.
// Constraints with t must agree a little later, too: motions of two drives may do so at the start only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "livens/model/model.hpp"

namespace livens {

// The constraints that others imply, ascending from 0. Empty unless solver.redundant is "least-norm". Throws InputError
// where one only seems to follow from the others at the start, or contradicts them a little later.
std::vector<int> redundant_constraints(const Model& model);

// The model without them.
struct IndependentModel {
  Model model;
  std::vector<int> left_out;
};
IndependentModel without_redundant(const Model& given);

// Of constraints that depend on the others at this q: one that does not follow from them nearby.
std::optional<int> not_implied(const Model& model, const std::vector<int>& dependent, const std::vector<double>& q);

}  // namespace livens
