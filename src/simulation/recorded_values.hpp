// [record.values]: formulas of the state that rows hold, as columns values/<name>. They are computed from the numbers
// of a row, so that they have no memory; where a row does not have what they need they are not-a-number.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "livens/formula/program.hpp"
#include "livens/model/model.hpp"
#include "livens/run/result.hpp"
#include "livens/run/table.hpp"

namespace livens {

class RecordedValues {
 public:
  explicit RecordedValues(const Model& model);

  const Columns& columns() const { return columns_; }
  // Appends the numbers of the columns.
  void append(double t, std::span<const double> q, std::span<const double> v, std::span<const double> p,
              std::span<const double> lambda, std::vector<double>& to);

 private:
  Columns columns_;
  Model::EventBlocks blocks_;
  formula::Evaluator<double> formulas_;
  std::vector<std::size_t> needed_;  // numbers of every block
  std::vector<double> nothing_;
  std::vector<const double*> pointers_;
};

// Adds them to the rows of a run, and to its end.
class ValuesOfModel : private RowSink {
 public:
  explicit ValuesOfModel(const Model& given) : given_(given) {}
  Columns complete(const Columns& columns);
  RowSink* complete(RowSink* rows);
  void finish(RunResult& result) const;

 private:
  void write(std::span<const double> row) override;

  const Model& given_;
  std::optional<RecordedValues> values_;
  Columns of_run_;
  RowSink* rows_ = nullptr;
  std::vector<double> row_;
};

}  // namespace livens
