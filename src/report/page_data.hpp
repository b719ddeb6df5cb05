// What the script of a run's page shows: motion, plots, events.
#pragma once

#include "livens/model/model.hpp"
#include "livens/store/json.hpp"
#include "livens/store/row_table.hpp"

namespace livens::report {

// summary: of the finished run; null while it goes on.
Json page_data(const Model& model, const RowTable& rows, const Json& summary);

// Groups of plots with their curves, thinned so that they fit.
Json plots(const Model& model, const RowTable& rows);

}  // namespace livens::report
