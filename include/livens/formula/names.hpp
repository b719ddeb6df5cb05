// The names of a model: variables, constants, and definitions that are formulas themselves.
//
// Definitions may use each other in any order. Each is parsed once, when a formula first needs it, after the
// definitions that it mentions: the order is found by a search with its own stack (not by parsing within parsing), so
// that a chain of definitions may be as long as it likes and a cycle is found and listed. Names with indices, such as
// m[3], are not seen by that search, and are parsed within the parsing of what needs them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "livens/formula/parser.hpp"

namespace livens::formula {

// The text of one definition or, with indices, of many.
struct Wording {
  std::string text, where;  // `where` begins the messages about it, such as "system.let.r2"
  PartialSums sums;
};

class Names : public Resolver {
 public:
  // The graph must outlive the names.
  explicit Names(Graph& graph) : graph_(&graph) {}

  // Names must be new (see `contains`). A velocity is a variable whose name ends with a quote: "x'".
  void add_variable(const std::string& name, Slot slot);
  void add_constant(const std::string& name, const Number& value);
  void add_definition(const std::string& name, std::string text, std::string where);
  void add_definition(const std::string& name, std::shared_ptr<Wording> wording, Indices indices);

  void add_table(const std::string& name, std::shared_ptr<const Table> table);
  // A name for a node; the variables of a block are the rates of those of another; the rate of one variable.
  void add_meaning(const std::string& name, NodeId node) { add(name, {node, nullptr, {}}); }
  void add_rates(int block, int rate_block) { rate_blocks_[block] = rate_block; }
  void add_rate(Slot variable, NodeId rate) { rates_.insert_or_assign(variable, rate); }

  NodeId parse(std::string_view text) const { return formula::parse(*graph_, text, *this); }
  NodeId parse(Wording& wording, const Indices& indices) const {
    return formula::parse(*graph_, wording.text, *this, indices, &wording.sums);
  }

  bool contains(std::string_view name) const override { return entries_.find(name) != entries_.end(); }
  std::optional<NodeId> resolve(std::string_view name) const override;
  std::vector<std::string> known_names() const override;
  bool is_definition(std::string_view name) const override;
  std::optional<std::uint32_t> table(std::string_view name) const override;
  std::vector<std::string> tables() const override;
  const Resolver* varying(std::string_view name, Slot& variable) const override;
  std::optional<NodeId> rate(Slot variable) const override;

  // t, pi and the functions: a model may not use them for something else.
  static bool reserved(std::string_view name);

 private:
  struct Entry {
    std::optional<NodeId> node;  // none: a definition not yet parsed
    std::shared_ptr<Wording> wording;
    Indices indices;
    bool is_open = false;  // being parsed
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };
  using Entries = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

  void add(const std::string& name, Entry entry);
  void define(Entries::iterator wanted) const;
  void parse_definition(Entries::value_type& entry) const;

  Graph* graph_;
  mutable Entries entries_;  // definitions are parsed on first use
  std::map<std::string, std::uint32_t, std::less<>> tables_;
  std::map<int, int> rate_blocks_;
  std::map<Slot, NodeId> rates_;
  // Where one name is a variable, by that name; made when first needed, and again when names have come.
  struct Varying {
    std::unique_ptr<Names> names;
    std::size_t of_so_many = 0;
  };
  mutable std::map<std::string, Varying, std::less<>> varying_;
  int depth_ = 0;  // the number of names that are variables here
};

}  // namespace livens::formula
