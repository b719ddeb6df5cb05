// The record of a run while it runs: rows of doubles, one after another, nothing else in the file.
//
// Row k is the row_width(columns) * 8 bytes from k * row_width(columns) * 8 on, in the byte order of the machine. The
// file is only ever appended to, so a run killed at any moment leaves whole rows and at most one partial row behind
// them. HDF5 1.10 appended in place does not survive that (3 of 40 files were unreadable after kill -9), which is why
// trajectory.h5 is made from this file at the end. Whether it still holds what was written is found by its size and by
// a check that whoever wrote it keeps elsewhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "livens/run/table.hpp"
#include "livens/store/error.hpp"
#include "livens/store/files.hpp"
#include "livens/store/row_check.hpp"

namespace livens {

class RecordFile : public RowSink {
 public:
  // Goes on after the first `rows` rows of the file and drops what is behind them; with 0 the file starts anew.
  // Messages name it `shown_as`; `check` is that of the rows it goes on after.
  RecordFile(const std::filesystem::path& path, Columns columns, std::int64_t rows, std::filesystem::path shown_as,
             RowCheck check = {});
  explicit RecordFile(const std::filesystem::path& path, Columns columns, std::int64_t rows = 0)
      : RecordFile(path, std::move(columns), rows, path) {}
  // Writes what is buffered, as far as it can. Whoever wants to know calls flush or sync before.
  ~RecordFile() override;

  // All three throw StoreError. After a failure the file ends with its last whole row and takes no more: every later
  // call throws the same words again.
  void write(std::span<const double> row) override;
  void flush();  // to the system: survives the end of this process
  void sync();   // to the disk: survives the end of the machine, and is what messages call kept

  // Takes all rows out of the file, once they stand elsewhere. The file stays, for the lock on it.
  void clear();

  // Rows taken so far, in the file or in the buffer.
  std::int64_t rows() const { return rows_in_file_ + static_cast<std::int64_t>(buffer_.size()) / width_; }
  // Of all rows that were flushed.
  RowCheck check() const { return check_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  void refuse_unless_untouched();
  [[noreturn]] void fail(int system_error);
  std::string what_is_kept() const;

  std::filesystem::path path_;
  Columns columns_;
  std::int64_t width_;
  std::int64_t rows_in_file_, rows_synced_;
  RowCheck check_;
  std::vector<double> buffer_;  // whole rows
  Descriptor file_;
  int failure_ = 0;  // errno of the first failure
};

// Reads a record from its first row on, in blocks of whole rows; a partial last row counts as absent.
class RecordReader {
 public:
  RecordReader(std::filesystem::path path, const Columns& columns, std::int64_t block_bytes = 1 << 20);

  std::int64_t rows() const { return rows_; }
  // The next rows, valid until the next call; empty at the end.
  std::span<const double> next();
  // Of the rows read so far.
  RowCheck check() const { return check_; }

 private:
  std::filesystem::path path_;
  std::int64_t width_;
  Descriptor file_;
  std::int64_t rows_;
  std::int64_t rows_read_ = 0;
  std::vector<double> block_;
  RowCheck check_;
};

}  // namespace livens
