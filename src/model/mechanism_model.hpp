// A mechanism as the system of a model: its start pose, assembled where that is asked for, its formulas, its start
// values.
#pragma once

#include "livens/model/model.hpp"
#include "livens/multibody/mechanism.hpp"

namespace livens {

// graph: with the formulas of motions and forces; local_block: that of their variables. Throws InputError.
void describe_mechanism(Model& model, multibody::Mechanism mechanism, formula::Graph graph, int local_block);

}  // namespace livens
