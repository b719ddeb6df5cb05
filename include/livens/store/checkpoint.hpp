// checkpoint.state: all that is needed to go on with a run. checkpoint.rows beside it holds the rows recorded so far.
//
// The file is complete before it has its name, ends with a checksum, and the one before it is kept as
// checkpoint.previous; rows beyond those that a checkpoint counts are dropped on resume, and those it counts must be
// the ones it has the check of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace livens {

struct Checkpoint {
  int layout = 0;            // of the memory (run/archive.hpp)
  std::string program;       // that wrote it: bits are promised for the same program only
  std::string source, text;  // the model: name as given, file
  std::vector<std::pair<std::string, std::string>> overrides;  // --set
  std::vector<std::pair<std::string, std::string>> found;      // for run.accuracy
  std::string accuracy;                                        // what the summary says about it
  long long step = 0, rows = 0;
  int row_width = 0;             // numbers in a row
  std::uint64_t rows_check = 0;  // RowCheck of the rows
  double seconds = 0;            // run so far
  bool report = false;           // a page is wanted at the end
  std::string memory;            // of the run
};

// Throws StoreError, which names the directory `shown_as`.
void write_checkpoint(const std::filesystem::path& directory, const Checkpoint& checkpoint,
                      const std::filesystem::path& shown_as);

// The last one that is whole. Throws std::invalid_argument where there is none, or none of this layout.
Checkpoint read_checkpoint(const std::filesystem::path& directory);

// The last one that is whole and has its rows in checkpoint.rows. Throws std::invalid_argument where there is none.
struct CheckpointWithRows {
  Checkpoint checkpoint;
  std::string damaged = {};  // the file that does not hold the rows of the last one; then it is the one before
};
CheckpointWithRows read_checkpoint_with_rows(const std::filesystem::path& directory);

}  // namespace livens
