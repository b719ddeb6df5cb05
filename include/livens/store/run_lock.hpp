// One process at a time writes into the directory of a run: it holds a lock on checkpoint.rows, which the system
// releases with the process, however that ends.
#pragma once

#include <filesystem>
#include <optional>

#include "livens/store/files.hpp"

namespace livens {

class RunLock {
 public:
  // Where there are no rows yet, or the file system knows no locks, there is nothing to hold. Throws
  // std::invalid_argument where another process holds the lock.
  explicit RunLock(const std::filesystem::path& directory);

 private:
  std::optional<Descriptor> rows_;
};

}  // namespace livens
