#include "livens/store/checkpoint.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>

#include "livens/run/archive.hpp"
#include "livens/store/atomic_file.hpp"
#include "livens/store/error.hpp"
#include "livens/store/record_file.hpp"
#include "livens/store/restore_rows.hpp"
#include "livens/store/sha256.hpp"

namespace livens {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "livens checkpoint 4\n";
constexpr std::size_t checksum_length = 64;

template <class Archive>
void archive(Archive& a, Checkpoint& c) {
  a(c.layout, c.program, c.source, c.text, c.overrides, c.found, c.accuracy, c.step, c.rows, c.row_width, c.rows_check,
    c.seconds, c.report, c.memory);
}

std::optional<Checkpoint> read_whole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open() && errno == EACCES) throw std::invalid_argument(StoreError(path, EACCES).what());
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.size() < magic.size() + checksum_length || !bytes.starts_with(magic)) return std::nullopt;
  const std::string_view content(bytes.data(), bytes.size() - checksum_length);
  if (sha256(content) != bytes.substr(content.size())) return std::nullopt;
  Checkpoint checkpoint;
  ArchiveReader reader(content.substr(magic.size()));
  try {
    archive(reader, checkpoint);
  } catch (const ArchiveError&) {
    return std::nullopt;
  }
  return checkpoint;
}

bool has_its_rows(const fs::path& directory, const Checkpoint& checkpoint) {
  if (checkpoint.rows == 0) return true;
  RecordReader reader(directory / "checkpoint.rows", {{"row", checkpoint.row_width}});
  RowCheck check;
  for (long long left = checkpoint.rows * checkpoint.row_width; left > 0;) {
    const std::span<const double> block = reader.next();
    if (block.empty()) return false;
    const auto size = std::min<long long>(left, std::ssize(block));
    check.add(block.first(static_cast<std::size_t>(size)));
    left -= size;
  }
  return check.value() == checkpoint.rows_check;
}

constexpr std::array names = {"checkpoint.state", "checkpoint.previous"};

}  // namespace

void write_checkpoint(const fs::path& directory, const Checkpoint& checkpoint, const fs::path& shown_as) {
  ArchiveWriter writer;
  Checkpoint copy = checkpoint;
  archive(writer, copy);
  std::string bytes = std::string(magic) + writer.take();
  bytes += sha256(bytes);

  const fs::path now = directory / "checkpoint.state", previous = directory / "checkpoint.previous";
  std::error_code none_before;  // the first one has no predecessor
  fs::remove(previous, none_before);
  fs::create_hard_link(now, previous, none_before);
  write_file_atomically(now, bytes, shown_as / "checkpoint.state");
}

Checkpoint read_checkpoint(const fs::path& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::none) throw std::invalid_argument(StoreError(directory, error.value()).what());
  if (status.type() != fs::file_type::directory)
    throw std::invalid_argument(directory.string() +
                                ": there is no such directory of results; give the one that livens run named");
  for (const char* name : names)
    if (auto checkpoint = read_whole(directory / name)) {
      if (checkpoint->layout == memory_layout) return std::move(*checkpoint);
      throw std::invalid_argument(directory.string() + ": its checkpoint was written by livens " + checkpoint->program +
                                  ", which keeps other things in it; resume with that program");
    }
  throw std::invalid_argument(directory.string() +
                              ": holds no checkpoint that can be read; start again with livens run");
}

CheckpointWithRows read_checkpoint_with_rows(const fs::path& directory) try {
  Checkpoint last = read_checkpoint(directory);
  if (has_its_rows(directory, last) || restore_rows(directory, last)) return {std::move(last)};
  std::error_code ignored;
  const bool finished = fs::file_size(directory / "checkpoint.rows", ignored) == 0;
  const std::string damaged = finished ? "trajectory.h5" : "checkpoint.rows";
  auto previous = read_whole(directory / names.back());
  if (previous && previous->layout == memory_layout &&
      (has_its_rows(directory, *previous) || restore_rows(directory, *previous)))
    return {std::move(*previous), damaged};
  throw std::invalid_argument(
      (directory / damaged).string() +
      ": is damaged, it does not hold the rows that were written; start again with livens run --force");
} catch (const StoreError& e) {
  throw std::invalid_argument(e.what());
}

}  // namespace livens
