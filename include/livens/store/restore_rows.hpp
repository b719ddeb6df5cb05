// The rows of a finished run are stored once, in trajectory.h5; what is to go on after them takes them from there.
#pragma once

#include <filesystem>

#include "livens/store/checkpoint.hpp"

namespace livens {

// Writes checkpoint.rows from trajectory.h5, into the file that is there, on which a lock may be held. False if the
// trajectory does not hold the rows that the checkpoint has the check of; nothing is written then. Throws StoreError.
bool restore_rows(const std::filesystem::path& directory, const Checkpoint& checkpoint);

}  // namespace livens
