// The start pose of a mechanism: drives that start where the pose is, and poses that are assembled, with
// initial.project = true.
#pragma once

#include <memory>

#include "livens/model/model.hpp"
#include "livens/multibody/mechanism.hpp"

namespace livens {

// assembling: without the joints whose length is still to be found. graph: with the formulas of motions and forces;
// local_block: that of their variables.
std::shared_ptr<const LagrangianFormulas> lagrangian_of(const multibody::Mechanism& mechanism, formula::Graph graph,
                                                        int local_block, bool assembling);

// Motions and their rates are finite at the start; and 0, of revolute joints, unless the pose is assembled: the rows of
// the equations do not tell pi from 0. Throws InputError.
void check_drives(const Model& model, const multibody::Mechanism& mechanism, const formula::Graph& graph);

// Moves the mechanism to the nearest pose in the mass norm that all joints fit; model.initial.shift says by how much.
// Throws InputError, with words about the joint that stays open.
void assemble(Model& model, multibody::Mechanism& mechanism, const formula::Graph& graph, int local_block);

}  // namespace livens
