#include "session/selected_rows.hpp"

#include <numeric>

namespace livens {

namespace {

// The chosen ones in every block of `size` numbers.
std::vector<int> repeated(const std::vector<int>& chosen, int size, int numbers) {
  std::vector<int> places;
  for (int begin = 0; begin < numbers; begin += size)
    for (const int i : chosen) places.push_back(begin + i);
  return places;
}

std::vector<int> chosen_of(const Model& model, const Column& column) {
  if (column.per == Per::coordinate && model.record.coordinates)
    return repeated(*model.record.coordinates, model.system->coordinates(), column.width);
  if (column.per == Per::multiplier && model.record.multipliers)
    return repeated(*model.record.multipliers, model.system->constraints(), column.width);
  std::vector<int> all(static_cast<std::size_t>(column.numbers()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

SelectedRows::SelectedRows(const Model& model, const Columns& of_run) {
  for (const std::string& name : model.recorded_coordinates()) names_ += (names_.empty() ? "" : "\n") + name;
  std::size_t first = 0;
  for (const Column& column : of_run) {
    const std::vector<int> chosen = chosen_of(model, column);
    for (const int i : chosen) places_.push_back(first + static_cast<std::size_t>(i));
    first += static_cast<std::size_t>(column.numbers());
    if (chosen.empty()) continue;
    columns_.push_back(column);
    if (column.width > 0) columns_.back().width = static_cast<int>(chosen.size());
  }
}

void SelectedRows::write(std::span<const double> row) {
  row_.clear();
  for (const std::size_t place : places_) row_.push_back(row[place]);
  rows_->write(row_);
}

}  // namespace livens
