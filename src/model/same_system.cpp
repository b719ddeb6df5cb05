#include "livens/model/same_system.hpp"

#include <algorithm>
#include <map>

#include "model/document.hpp"

namespace livens {

namespace {

using Written = std::map<std::string, std::string>;  // by key

void collect(const Value& value, Written& written) {
  if (value.is_section()) {
    for (const auto& entry : value.section().entries()) collect(entry.second, written);
  } else if (value.is_array()) {
    for (const Value& item : value.items()) collect(item, written);
  } else {
    written[value.key()] = value.written();
  }
}

Written motion_of(const std::string& source, const std::string& text, const Overrides& set) {
  Model model;
  model.source = source, model.text = text, model.set = set;
  const Document document(model);
  const Section top = document.top();
  Written written = {{"initial.project", "false"}, {"initial.t", "0"}};
  for (const char* section : {"system", "initial", "final", "table", "table_data"})
    if (const auto value = top.find(section)) collect(*value, written);
  std::erase_if(written, [](const auto& entry) {
    const auto below = [&](const char* section) { return entry.first.starts_with(section); };
    return entry.first == "initial.tolerance" || below("system.invariants.") || below("system.units.") ||
           below("system.descriptions.");
  });
  return written;
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return text;
}

}  // namespace

std::optional<ModelDifference> first_difference(const Model& model, const std::string& text, const Overrides& set) {
  const Written here = motion_of(model.source, model.text, model.set), there = motion_of("the other model", text, set);
  Written all = here;
  all.insert(there.begin(), there.end());
  const auto value = [](const Written& written, const std::string& key) {
    const auto found = written.find(key);
    return found == written.end() ? std::string() : found->second;
  };
  for (const auto& entry : all) {
    const std::string a = value(here, entry.first), b = value(there, entry.first);
    if (without_spaces(a) != without_spaces(b)) return ModelDifference{entry.first, a, b};
  }
  return std::nullopt;
}

}  // namespace livens
