// trajectory.h5: made from the record of a run, and read again.
//
// Each column becomes a dataset of its name ("audit/energy": dataset energy in group audit) with N rows: shape (N) for
// width 0, (N, width) otherwise. /columns lists them in the order of the record. Texts (/model, /names) are scalar
// strings, and lists (/coordinate_names) arrays of them, not attributes, which end at 64 KiB. The attributes of every
// dataset are `description`, in words, and `check`, the RowCheck of its numbers or texts in hexadecimal digits; the
// file itself has that of its other attributes.
// No time stamps are stored: the same record gives the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "livens/run/table.hpp"
#include "livens/store/error.hpp"
#include "livens/store/row_check.hpp"
#include "livens/store/row_table.hpp"

namespace livens {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Moments between the rows, as datasets of the group events: t, kind, constraint (0: none), name, and q, v right after.
struct EventTable {
  std::vector<double> t, constraint, q, v;
  std::vector<std::string> kind, name;
  int width = 0;  // of q and v; v may be empty
};

// What stands beside rows and texts.
struct TrajectoryNotes {
  std::vector<std::pair<std::string, std::vector<std::string>>> lists = {};  // datasets
  std::vector<std::pair<std::string, double>> numbers = {};                  // attributes
  const EventTable* events = nullptr;                                        // where there may be some
};

// A file that cannot be read as a trajectory; a StoreError as all others.
class UnreadableTrajectory : public StoreError {
  using StoreError::StoreError;
};

// Memory stays bounded by two blocks of rows and the texts. The file is complete before it has its name. Throws
// StoreError, also where the record is not the one of this check; it and what stood at `out` are then untouched.
void write_trajectory(const std::filesystem::path& record, const Columns& columns, const NamedTexts& texts,
                      const NamedTexts& attributes, const std::filesystem::path& out,
                      const std::optional<RowCheck>& check = {}, const TrajectoryNotes& notes = {});

// The file is read where it is asked for, so that a record of 10^8 rows needs no more memory than one block of them.
// Everything throws StoreError: no such file, not HDF5, cut off, not laid out as above.
class TrajectoryReader : public RowTable {
 public:
  explicit TrajectoryReader(const std::filesystem::path& path);
  ~TrajectoryReader() override;
  TrajectoryReader(TrajectoryReader&&) noexcept;

  const Columns& columns() const override { return columns_; }
  std::int64_t rows() const override { return rows_; }
  const std::string& model_text() const { return model_text_; }
  const std::vector<std::string>& order() const { return order_; }  // of the columns in a record; empty: not told

  // Compares all numbers and texts with the checks that were written with them; the message names the dataset that
  // differs.
  void verify() const;

  void read(const std::string& column, std::int64_t first, std::int64_t count,
            std::vector<double>& numbers) const override;

 private:
  struct File;
  [[noreturn]] void refuse(const std::string& column) const override;
  void open();

  std::filesystem::path path_;
  std::unique_ptr<File> file_;
  Columns columns_;
  std::int64_t rows_ = 0;
  std::string model_text_;
  std::vector<std::string> order_;
};

}  // namespace livens
