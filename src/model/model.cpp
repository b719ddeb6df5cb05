#include "livens/model/model.hpp"

#include <fmt/format.h>

#include "model/table_reader.hpp"

namespace livens {

namespace {

// Whether a key is another one or stands inside of it: initial.q[2] stands in initial.q and in initial.
bool stands_in(std::string_view key, std::string_view outer) {
  return key.starts_with(outer) && (key.size() == outer.size() || key[outer.size()] == '.' || key[outer.size()] == '[');
}

}  // namespace

std::string_view name(Precision precision) {
  switch (precision) {
    case Precision::double_:
      return "double";
    case Precision::extended:
      return "extended";
    case Precision::quad:
      return "quad";
  }
  __builtin_unreachable();
}

std::string Model::at(std::string_view key, std::string_view message) const {
  const auto from_set = [&](std::string_view set_key) {
    return set_key == key ? fmt::format("--set {}: {}", key, message)
                          : fmt::format("--set {}: {}: {}", set_key, key, message);
  };
  for (auto override = set.rbegin(); override != set.rend(); ++override)
    if (stands_in(key, override->first)) return from_set(override->first);
  if (const auto line = lines.find(key); line != lines.end())
    return fmt::format("{}:{}: {}: {}", source, line->second, key, message);
  // What is missing in a table of several, such as joint[2].axis: the line of the table.
  const std::size_t dot = key.rfind('.');
  if (dot != key.npos && key.find(']') < dot)
    if (const auto line = lines.find(key.substr(0, dot)); line != lines.end())
      return fmt::format("{}:{}: {}: {}", source, line->second, key, message);
  // A section that only --set made.
  for (const auto& [set_key, value] : set)
    if (stands_in(set_key, key)) return from_set(set_key);
  return fmt::format("{}: {}: {}", source, key, message);
}

std::string_view Model::written_text() const {
  return std::string_view(text).substr(0, text.find(tables_begin));
}

std::vector<std::string> Model::recorded_coordinates() const {
  if (!record.coordinates) return system->coordinate_names();
  std::vector<std::string> names;
  for (const int i : *record.coordinates) names.push_back(system->coordinate_names()[static_cast<std::size_t>(i)]);
  return names;
}

}  // namespace livens
