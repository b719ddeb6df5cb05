// trajectory.h5 from the record of a run.
//
// Each column becomes a dataset of its name ("audit/energy": dataset energy in group audit) with N rows: shape (N) for
// width 0, (N, width) otherwise. /model is a scalar string, not an attribute, because HDF5 attributes end at 64 KiB.
// No time stamps are stored: the same record gives the same bytes.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "livens/run/table.hpp"
#include "livens/store/error.hpp"

namespace livens {

// Memory stays bounded by two blocks of rows and the model text. The file is complete before it has its name. Throws
// StoreError; the record and what stood at `out` are then untouched.
void write_trajectory(const std::filesystem::path& record, const Columns& columns, const std::string& model_text,
                      const std::vector<std::pair<std::string, std::string>>& attributes,
                      const std::filesystem::path& out);

}  // namespace livens
