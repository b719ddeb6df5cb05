// What moves on a page: the mechanism or the points at frames of the run, as 16-bit numbers.
//
// As many rows as fit become frames, evenly. Where a point would jump over more than a small part of the picture from
// one frame to the next, frames are taken closer, and only a part of the run is shown: its begin, or the end of one
// that failed. The page tells so.
#pragma once

#include "livens/model/model.hpp"
#include "livens/store/json.hpp"
#include "livens/store/row_table.hpp"

namespace livens::report {

// null: nothing can be drawn, because coordinates were not recorded.
Json motion(const Model& model, const RowTable& rows, bool failed);

}  // namespace livens::report
