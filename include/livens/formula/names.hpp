// The names of a model: variables, constants, and definitions that are formulas themselves.
//
// Definitions may use each other in any order. Each is parsed once, when a formula first needs it, after the
// definitions that it mentions: the order is found by a search with its own stack (not by parsing within parsing), so
// that a chain of definitions may be as long as it likes and a cycle is found and listed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "livens/formula/parser.hpp"

namespace livens::formula {

class Names : public Resolver {
 public:
  // The graph must outlive the names.
  explicit Names(Graph& graph) : graph_(&graph) {}

  // Names must be new (see `contains`). A velocity is a variable whose name ends with a quote: "x'".
  void add_variable(const std::string& name, Slot slot);
  void add_constant(const std::string& name, const Number& value);
  // `where` begins the messages about this definition, such as "system.let.r2".
  void add_definition(const std::string& name, std::string text, std::string where);

  bool contains(std::string_view name) const { return entries_.find(name) != entries_.end(); }
  NodeId parse(std::string_view text) const { return formula::parse(*graph_, text, *this); }

  std::optional<NodeId> resolve(std::string_view name) const override;
  std::vector<std::string> known_names() const override;

  // t, pi and the functions: a model may not use them for something else.
  static bool reserved(std::string_view name);

 private:
  struct Entry {
    std::optional<NodeId> node;  // none: a definition not yet parsed
    std::string text, where;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  void add(const std::string& name, Entry entry);
  void define(Entries::iterator wanted) const;

  Graph* graph_;
  mutable Entries entries_;  // definitions are parsed on first use
};

}  // namespace livens::formula
