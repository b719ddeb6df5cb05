#include "livens/formula/names.hpp"

#include <algorithm>
#include <stdexcept>

namespace livens::formula {

bool Names::reserved(std::string_view name) {
  return name == "t" || name == "pi" || is_function(name);
}

void Names::add(const std::string& name, Entry entry) {
  if (!entries_.try_emplace(name, std::move(entry)).second)
    throw std::invalid_argument("the name \"" + name + "\" is given twice");
}

void Names::add_variable(const std::string& name, Slot slot) {
  add(name, {graph_->variable(slot), "", ""});
  graph_->name(slot, name);
}

void Names::add_constant(const std::string& name, const Number& value) {
  add(name, {graph_->constant(value), "", ""});
}

void Names::add_definition(const std::string& name, std::string text, std::string where) {
  add(name, {std::nullopt, std::move(text), std::move(where)});
}

std::optional<NodeId> Names::resolve(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  if (!found->second.node) define(found);
  return found->second.node;
}

// Parses a definition after those it needs: depth-first search, with what a definition still waits for kept beside it.
void Names::define(Entries::iterator wanted) const {
  struct Open {
    Entries::iterator entry;
    std::vector<std::string> needs;
  };
  std::vector<Open> path{{wanted, names_in(wanted->second.text)}};
  while (!path.empty()) {
    Open& open = path.back();
    Entry& definition = open.entry->second;
    if (open.needs.empty()) {
      try {
        definition.node = parse(definition.text);
      } catch (const FormulaError& error) {
        throw FormulaError(error.column, error.what(), definition.where);
      }
      path.pop_back();
      continue;
    }
    const auto needed = entries_.find(open.needs.back());
    open.needs.pop_back();
    if (needed == entries_.end() || needed->second.node) continue;
    const auto same = [&](const Open& other) { return other.entry == needed; };
    if (const auto first = std::find_if(path.begin(), path.end(), same); first != path.end()) {
      std::string cycle;
      const auto last_shown = first + std::min<std::ptrdiff_t>(path.end() - first, 20);
      for (auto step = first; step != last_shown; ++step) cycle += "\"" + step->entry->first + "\" -> ";
      if (last_shown != path.end()) cycle += "... -> ";
      throw FormulaError(1, "let " + cycle + "\"" + needed->first + "\" is a cycle; no definition may need itself",
                         needed->second.where);
    }
    path.push_back({needed, names_in(needed->second.text)});
  }
}

std::vector<std::string> Names::known_names() const {
  std::vector<std::string> names;
  names.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

}  // namespace livens::formula
