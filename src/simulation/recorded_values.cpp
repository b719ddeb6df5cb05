#include "simulation/recorded_values.hpp"

#include <algorithm>
#include <limits>

namespace livens {

RecordedValues::RecordedValues(const Model& model)
    : blocks_(model.record.value_blocks),
      formulas_(model.record.value_program),
      needed_(static_cast<std::size_t>(blocks_.count)),
      pointers_(needed_.size()) {
  for (const std::string& name : model.record.values) columns_.push_back({"values/" + name, 0, Role::companion});
  for (const formula::Program::Input& input : formulas_.program().inputs) {
    std::size_t& needed = needed_[static_cast<std::size_t>(input.block)];
    needed = std::max(needed, static_cast<std::size_t>(input.index + input.count));
  }
  const std::size_t most = needed_.empty() ? 0 : *std::max_element(needed_.begin(), needed_.end());
  nothing_.assign(most, std::numeric_limits<double>::quiet_NaN());
}

void RecordedValues::append(double t, std::span<const double> q, std::span<const double> v, std::span<const double> p,
                            std::span<const double> lambda, std::vector<double>& to) {
  const auto put = [&](int block, std::span<const double> numbers) {
    if (block < 0) return;
    const auto at = static_cast<std::size_t>(block);
    pointers_[at] = numbers.size() < needed_[at] ? nothing_.data() : numbers.data();
  };
  put(blocks_.time, {&t, 1}), put(blocks_.q, q), put(blocks_.v, v), put(blocks_.p, p), put(blocks_.lambda, lambda);
  to.resize(to.size() + columns_.size());
  formulas_(pointers_.data(), to.data() + (to.size() - columns_.size()));
}

Columns ValuesOfModel::complete(const Columns& columns) {
  if (given_.record.values.empty()) return columns;
  values_.emplace(given_);
  of_run_ = columns;
  Columns all = columns;
  all.insert(all.end(), values_->columns().begin(), values_->columns().end());
  return all;
}

RowSink* ValuesOfModel::complete(RowSink* rows) {
  if (!rows || !values_) return rows;
  rows_ = rows;
  return this;
}

void ValuesOfModel::write(std::span<const double> row) {
  row_.assign(row.begin(), row.end());
  values_->append(row[0], part_of(row, of_run_, Role::position), part_of(row, of_run_, Role::velocity),
                  part_of(row, of_run_, Role::momentum), part_of(row, of_run_, Role::multiplier), row_);
  rows_->write(row_);
}

void ValuesOfModel::finish(RunResult& result) const {
  if (given_.record.values.empty()) return;
  RecordedValues values(given_);
  std::vector<double> numbers;
  const auto of = [](const auto& part) {
    return part ? std::span<const double>(part->numbers) : std::span<const double>();
  };
  values.append(result.final.t.numbers.front(), result.final.q.numbers, of(result.final.v), result.final.p.numbers,
                of(result.final.lambda), numbers);
  for (std::size_t k = 0; k < numbers.size(); ++k) result.parts.push_back({values.columns()[k], {numbers[k]}});
}

}  // namespace livens
