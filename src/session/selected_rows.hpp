// Passes on what [record] of the model asks for of the rows of a run: of all columns that hold a number for every
// coordinate, those of the chosen ones; likewise for multipliers, also where several blocks of them are in a row.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/run/table.hpp"

namespace livens {

class SelectedRows : public RowSink {
 public:
  SelectedRows(const Model& model, const Columns& of_run);
  const Columns& columns() const { return columns_; }
  void write_to(RowSink* rows) { rows_ = rows; }
  void write(std::span<const double> row) override;

  // The coordinates in the order of the columns, one a line.
  const std::string& names() const { return names_; }

 private:
  Columns columns_;
  std::string names_;
  std::vector<std::size_t> places_;  // in a row of the run, of the numbers that are passed on
  std::vector<double> row_;
  RowSink* rows_ = nullptr;
};

}  // namespace livens
