#include "livens/store/record_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>

namespace livens {

namespace {

constexpr std::int64_t number_bytes = sizeof(double);
constexpr std::int64_t buffer_bytes = 64 * 1024;

std::int64_t checked_width(const Columns& columns) {
  const int width = row_width(columns);
  if (width < 1) throw std::invalid_argument("a record needs at least one column");
  return width;
}

// Numbers in as many whole rows as fit into `bytes`, at least one row.
std::size_t block_numbers(std::int64_t bytes, std::int64_t width) {
  return static_cast<std::size_t>(std::max<std::int64_t>(1, bytes / (width * number_bytes)) * width);
}

}  // namespace

RecordFile::RecordFile(const std::filesystem::path& path, Columns columns, std::int64_t rows,
                       std::filesystem::path shown_as, RowCheck check)
    : path_(std::move(shown_as)),
      columns_(std::move(columns)),
      width_(checked_width(columns_)),
      rows_in_file_(rows),
      rows_synced_(rows),
      check_(check),
      file_(path, O_RDWR | O_CREAT | O_APPEND, path_) {
  buffer_.reserve(block_numbers(buffer_bytes, width_));
  const std::int64_t size = size_of_file(file_), wanted = rows * width_ * number_bytes;
  if (size < wanted) {
    const std::string found =
        fmt::format("has {} rows, not the {} to go on from", size / (width_ * number_bytes), rows);
    throw StoreError(path_, found);
  }
  if (size > wanted && ::ftruncate(file_, wanted) != 0) throw StoreError(path_, errno);
}

RecordFile::~RecordFile() {
  if (failure_ == 0) write_all(file_, buffer_.data(), buffer_.size() * sizeof(double));
}

void RecordFile::write(std::span<const double> row) {
  if (static_cast<std::int64_t>(row.size()) != width_)
    throw std::invalid_argument(fmt::format("{}: a row of {} numbers, not {}", path_.string(), row.size(), width_));
  if (failure_ != 0 || buffer_.size() == block_numbers(buffer_bytes, width_)) flush();
  buffer_.insert(buffer_.end(), row.begin(), row.end());
}

void RecordFile::flush() {
  if (failure_ != 0) throw StoreError(path_, failure_, what_is_kept());
  refuse_unless_untouched();
  if (!write_all(file_, buffer_.data(), buffer_.size() * sizeof(double))) fail(errno);
  check_.add(buffer_);
  rows_in_file_ = rows();
  buffer_.clear();
}

void RecordFile::sync() {
  flush();
  if (!sync_to_disk(file_)) fail(errno);
  refuse_unless_untouched();
  rows_synced_ = rows_in_file_;
}

void RecordFile::clear() {
  buffer_.clear();
  if (::ftruncate(file_, 0) != 0) throw StoreError(path_, errno);
  rows_in_file_ = rows_synced_ = 0;
  check_ = {};
}

// Rows appended after a file that has become shorter would be taken for others.
void RecordFile::refuse_unless_untouched() {
  const std::int64_t size = size_of_file(file_), written = rows_in_file_ * width_ * number_bytes;
  if (size == written) return;
  buffer_.clear();
  throw StoreError(
      path_, fmt::format("has {} bytes, not the {} that were written; another program has changed it", size, written));
}

void RecordFile::fail(int system_error) {
  failure_ = system_error;
  buffer_.clear();
  rows_in_file_ = size_of_file(file_) / (width_ * number_bytes);
  // Readers pass over a partial row anyway; this only tidies, and a full disk can always shorten a file.
  [[maybe_unused]] const int ignored = ::ftruncate(file_, rows_in_file_ * width_ * number_bytes);
  throw StoreError(path_, failure_, what_is_kept());
}

std::string RecordFile::what_is_kept() const {
  if (rows_synced_ == 0) return "no row is kept";
  std::int64_t place = (rows_synced_ - 1) * width_;
  for (const Column& column : columns_) {
    double t = 0;
    if (column.role == Role::time && read_all_at(file_, &t, sizeof t, place * number_bytes))
      return fmt::format("the rows up to t = {:.10g} are kept", t);
    place += column.numbers();
  }
  return fmt::format("the first {} rows are kept", rows_synced_);
}

RecordReader::RecordReader(std::filesystem::path path, const Columns& columns, std::int64_t block_bytes)
    : path_(std::move(path)),
      width_(checked_width(columns)),
      file_(path_, O_RDONLY),
      rows_(size_of_file(file_) / (width_ * number_bytes)),
      block_(block_numbers(block_bytes, width_)) {}

std::span<const double> RecordReader::next() {
  const std::int64_t count = std::min(static_cast<std::int64_t>(block_.size()), (rows_ - rows_read_) * width_);
  const auto size = static_cast<std::size_t>(count);
  if (!read_all_at(file_, block_.data(), size * sizeof(double), rows_read_ * width_ * number_bytes))
    throw StoreError(path_, errno);
  rows_read_ += count / width_;
  check_.add(std::span(block_).first(size));
  return std::span(block_).first(size);
}

}  // namespace livens
