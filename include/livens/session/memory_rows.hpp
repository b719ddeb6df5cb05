// What a run records, kept in memory: every column one block of numbers, row after row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "livens/session/session.hpp"
#include "livens/store/row_table.hpp"

namespace livens {

class MemoryRows : public RowWatcher, public RowTable {
 public:
  explicit MemoryRows(std::int64_t expected = 0) : expected_(expected) {}
  // Those of another table: a recorded run.
  explicit MemoryRows(const RowTable& table) {
    columns_ = table.columns();
    rows_ = table.rows();
    numbers_.resize(columns_.size());
    for (std::size_t k = 0; k < columns_.size(); ++k) table.read(columns_[k].name, 0, rows_, numbers_[k]);
  }

  void begin(const Columns& columns) override {
    columns_ = columns;
    numbers_.resize(columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k)
      numbers_[k].reserve(static_cast<std::size_t>(expected_) * static_cast<std::size_t>(columns[k].numbers()));
  }
  void write(std::span<const double> row) override {
    std::size_t first = 0;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const auto numbers = static_cast<std::size_t>(columns_[k].numbers());
      const auto part = row.subspan(first, numbers);
      numbers_[k].insert(numbers_[k].end(), part.begin(), part.end());
      first += numbers;
    }
    ++rows_;
  }

  const Columns& columns() const override { return columns_; }
  std::int64_t rows() const override { return rows_; }
  void read(const std::string& column, std::int64_t first, std::int64_t count,
            std::vector<double>& numbers) const override {
    const Column* found = find(column);
    if (found == nullptr) refuse(column);
    const std::vector<double>& all = of(static_cast<std::size_t>(found - columns_.data()));
    numbers.assign(all.begin() + first * found->numbers(), all.begin() + (first + count) * found->numbers());
  }
  // Of the k-th column.
  const std::vector<double>& of(std::size_t k) const { return numbers_[k]; }

 private:
  [[noreturn]] void refuse(const std::string& column) const override {
    throw StoreError(column, "is no column of the rows in memory");
  }

  std::int64_t expected_ = 0, rows_ = 0;
  Columns columns_;
  std::vector<std::vector<double>> numbers_;
};

// Throws InputError where the rows of a run of the model would take more memory than there is.
void check_memory(const Model& model, const Columns& columns);

// About as many rows as a run of the model makes, as far as room for them is worth having before they come.
inline std::int64_t rows_expected(const Model& model) {
  return std::min<std::int64_t>(model.run.steps / model.run.every + 2, 1 << 20);
}

}  // namespace livens
