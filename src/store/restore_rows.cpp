#include "livens/store/restore_rows.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <span>
#include <vector>

#include "livens/store/files.hpp"
#include "livens/store/trajectory.hpp"

namespace livens {

namespace {

// Rows as they were recorded, in blocks; take returns false to end.
void for_rows(const TrajectoryReader& reader, std::int64_t rows,
              const std::function<void(std::span<const double>)>& take) {
  constexpr std::int64_t block = 1 << 12;
  std::size_t width = 0;
  for (const std::string& name : reader.order()) width += static_cast<std::size_t>(reader.numbers(name));
  std::vector<double> all, numbers;
  for (std::int64_t first = 0; first < rows; first += block) {
    const std::int64_t count = std::min(block, rows - first);
    all.resize(static_cast<std::size_t>(count) * width);
    std::size_t place = 0;
    for (const std::string& name : reader.order()) {
      reader.read(name, first, count, numbers);
      const auto of_column = static_cast<std::size_t>(reader.numbers(name));
      for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(k * of_column), of_column,
                    all.begin() + static_cast<std::ptrdiff_t>(k * width + place));
      place += of_column;
    }
    take(all);
  }
}

bool holds_rows(const TrajectoryReader& reader, const Checkpoint& checkpoint) {
  int width = 0;
  for (const std::string& name : reader.order()) width += reader.numbers(name);
  if (width != checkpoint.row_width || reader.rows() < checkpoint.rows) return false;
  RowCheck check;
  for_rows(reader, checkpoint.rows, [&](std::span<const double> rows) { check.add(rows); });
  return check.value() == checkpoint.rows_check;
}

}  // namespace

bool restore_rows(const std::filesystem::path& directory, const Checkpoint& checkpoint) {
  try {
    const TrajectoryReader reader(directory / "trajectory.h5");
    if (!holds_rows(reader, checkpoint)) return false;
    const std::filesystem::path path = directory / "checkpoint.rows";
    const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC, path);
    bool written = true;
    for_rows(reader, checkpoint.rows, [&](std::span<const double> rows) {
      written = written && write_all(file, rows.data(), rows.size_bytes());
    });
    if (!written || !sync_to_disk(file)) throw StoreError(path, errno, "all rows are kept in trajectory.h5");
    return true;
  } catch (const UnreadableTrajectory&) {
    return false;
  }
}

}  // namespace livens
