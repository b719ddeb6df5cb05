// [contact] and [[event]]: which constraints are one-sided and how they meet; what a run looks out for.
#pragma once

#include <string>
#include <vector>

#include "model/vocabulary.hpp"

namespace livens {

// Of constraints that the model numbers, and its coordinates. `velocities`: of an odae system, whose impulses may be
// given.
void read_contact(const Section& contact, Vocabulary& words, int constraints,
                  const std::vector<std::string>& coordinates, std::string_view kind, int velocities,
                  const Contents& impulse, Model& model);

// Of a mechanism, whose joints say which of them are one-sided (model.contact has them).
void read_mechanism_contact(const Section& contact, Vocabulary& words, Model& model);

// blocks: where the formulas find the numbers of a state.
void read_events(const Section& top, Vocabulary& words, const Contents& contents, const Model::EventBlocks& blocks,
                 std::string_view kind, Model& model);

// crank_x, link_x[3], crank_d1y and their rates crank_x', link_x[3]': what formulas call the coordinates of a
// mechanism, which results call crank.x, link[3].x; names that the model uses for something else, or that hold a -, are
// left out.
void add_mechanism_names(const std::vector<std::string>& coordinates, int q_block, int v_block, Vocabulary& words);

}  // namespace livens
