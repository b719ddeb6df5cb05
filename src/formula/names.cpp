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
  add(name, {graph_->variable(slot), nullptr, {}});
  graph_->name(slot, name);
}

void Names::add_constant(const std::string& name, const Number& value) {
  add(name, {graph_->constant(value), nullptr, {}});
}

void Names::add_definition(const std::string& name, std::string text, std::string where) {
  add_definition(name, std::make_shared<Wording>(Wording{std::move(text), std::move(where), {}}), {});
}

void Names::add_definition(const std::string& name, std::shared_ptr<Wording> wording, Indices indices) {
  add(name, {std::nullopt, std::move(wording), std::move(indices)});
}

namespace {
constexpr int varying_block = 1 << 20;  // of no one else
}

void Names::add_table(const std::string& name, std::shared_ptr<const Table> table) {
  tables_.emplace(name, graph_->add_table(std::move(table)));
}

bool Names::is_definition(std::string_view name) const {
  const auto found = entries_.find(name);
  return found != entries_.end() && found->second.wording != nullptr;
}

std::optional<std::uint32_t> Names::table(std::string_view name) const {
  const auto found = tables_.find(name);
  return found == tables_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> Names::tables() const {
  std::vector<std::string> names;
  for (const auto& table : tables_) names.push_back(table.first);
  return names;
}

const Resolver* Names::varying(std::string_view name, Slot& variable) const {
  const auto varied = entries_.find(name);
  if (varied == entries_.end()) return nullptr;
  variable = {varying_block, depth_};
  if (const auto kept = varying_.find(name); kept != varying_.end() && kept->second.of_so_many == entries_.size())
    return kept->second.names.get();
  const NodeId meaning = *resolve(name);  // may itself need other names to vary
  const std::size_t most_kept = 8, cost_of_name = 32;
  repeated += static_cast<long long>(cost_of_name * entries_.size());
  if (varying_.size() >= most_kept) varying_.clear();
  Varying& kept = varying_[std::string(name)];
  kept.of_so_many = entries_.size();
  kept.names = std::make_unique<Names>(*graph_);
  Names& names = *kept.names;
  names.entries_ = entries_;
  for (auto& [key, entry] : names.entries_)
    if (entry.wording) {  // to be parsed again, with sums of its own
      entry.node.reset();
      entry.is_open = false;
      entry.wording = std::make_shared<Wording>(Wording{entry.wording->text, entry.wording->where, {}});
    }
  names.entries_.find(name)->second = {graph_->variable(variable), nullptr, {}};
  names.tables_ = tables_;
  names.rate_blocks_ = rate_blocks_;
  names.rates_ = rates_;
  if (graph_->variables(meaning).empty()) names.rates_.insert_or_assign(variable, graph_->constant(0));
  names.depth_ = depth_ + 1;
  graph_->name(variable, std::string(name));
  return &names;
}

std::optional<NodeId> Names::rate(Slot variable) const {
  if (const auto found = rates_.find(variable); found != rates_.end()) return found->second;
  const auto block = rate_blocks_.find(variable.block);
  if (block == rate_blocks_.end()) return std::nullopt;
  return graph_->variable({block->second, variable.index});
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
  std::vector<Open> path{{wanted, names_in(wanted->second.wording->text)}};
  while (!path.empty()) {
    Open& open = path.back();
    if (open.needs.empty()) {
      parse_definition(*open.entry);
      path.pop_back();
      continue;
    }
    auto needed = entries_.find(open.needs.back());
    if (needed == entries_.end() && open.needs.back().ends_with('\''))  // the velocity of a definition
      needed = entries_.find(open.needs.back().substr(0, open.needs.back().size() - 1));
    open.needs.pop_back();
    if (needed == entries_.end() || needed->second.node) continue;
    const auto same = [&](const Open& other) { return other.entry == needed; };
    if (const auto first = std::find_if(path.begin(), path.end(), same); first != path.end()) {
      std::string cycle;
      const auto last_shown = first + std::min<std::ptrdiff_t>(path.end() - first, 20);
      for (auto step = first; step != last_shown; ++step) cycle += "\"" + step->entry->first + "\" -> ";
      if (last_shown != path.end()) cycle += "... -> ";
      throw FormulaError(1, "let " + cycle + "\"" + needed->first + "\" is a cycle; no definition may need itself",
                         needed->second.wording->where);
    }
    path.push_back({needed, names_in(needed->second.wording->text)});
  }
}

void Names::parse_definition(Entries::value_type& entry) const {
  const std::string& name = entry.first;
  Entry& definition = entry.second;
  const std::string& where = definition.wording->where;
  if (definition.is_open) throw FormulaError(1, "\"" + name + "\" needs itself; no definition may need itself", where);
  const int levels = 20;  // of the parser; a definition within another takes the stack of so many
  if (nesting + levels > deepest_nesting)
    throw FormulaError(1, "\"" + name + "\" is needed at the end of a long row of definitions; give them in that order",
                       where);
  definition.is_open = true;
  nesting += levels;
  const auto close = [&] {
    definition.is_open = false;
    nesting -= levels;
  };
  try {
    definition.node = parse(*definition.wording, definition.indices);
  } catch (const FormulaError& error) {
    close();
    if (!error.where.empty()) throw;
    throw FormulaError(error.column, error.what() + in_words(definition.indices), where);
  }
  close();
}

std::vector<std::string> Names::known_names() const {
  std::vector<std::string> names;
  names.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace livens::formula
