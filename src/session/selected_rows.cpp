#include "session/selected_rows.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace livens {

namespace {

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_of_coordinates(std::string_view name) {
  return is_one_of(name, std::array<std::string_view, 5>{"q", "v", "p", "raw_p", "reaction"});
}

bool is_of_multipliers(std::string_view name) {
  return is_one_of(name, std::array<std::string_view, 2>{"lambda", "raw_lambda"});
}

// The chosen ones in every block of `size` numbers.
std::vector<int> repeated(const std::vector<int>& chosen, int size, int numbers) {
  std::vector<int> places;
  for (int begin = 0; begin < numbers; begin += size)
    for (const int i : chosen) places.push_back(begin + i);
  return places;
}

std::vector<int> chosen_of(const Model& model, const Column& column) {
  if (is_of_coordinates(column.name) && model.record.coordinates)
    return repeated(*model.record.coordinates, static_cast<int>(model.coordinates.size()), column.width);
  if (is_of_multipliers(column.name) && model.record.multipliers)
    return repeated(*model.record.multipliers, model.lagrangian->constraints(), column.width);
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
    if (!chosen.empty()) columns_.push_back({column.name, column.width == 0 ? 0 : static_cast<int>(chosen.size())});
  }
}

void SelectedRows::write(std::span<const double> row) {
  row_.clear();
  for (const std::size_t place : places_) row_.push_back(row[place]);
  rows_->write(row_);
}

}  // namespace livens
