// The names of a model and the formulas written with them, all on one graph.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "livens/formula/names.hpp"
#include "model/document.hpp"
#include "model/items.hpp"

namespace livens {

// What formulas of one sort may contain: blocks of variables, and the same as a sentence.
struct Contents {
  std::vector<int> blocks;
  std::string_view words;
  bool differentiated = false;  // the equations of motion take its derivatives: it must not jump
};

class Vocabulary {
 public:
  // `time_block` is the block whose only variable is t. Ranges of repeats may contain the parameters of the system.
  Vocabulary(const Document& document, const Section& system, int time_block);
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  // An array of names, x or x[3], becomes the variables of a block.
  std::vector<std::string> add_variables(const Value& names, int block);
  // Which of the known names an array names, by number; unknown ones and those there twice are refused.
  std::vector<int> chosen(const Value& names, const std::vector<std::string>& known);
  // Numbers from 1 to `most`, given as such or by formulas, each once; counted from 0.
  std::vector<int> chosen_numbers(const Value& numbers, int most);
  // Constants, numbers or formulas, an array being p[0], p[1], ...; then definitions. Both are checked when all names
  // are known.
  void add_parameters(const Section& parameters);
  void add_definitions(const Section& let);
  // x' or p_x; a name that the model uses for something else keeps that meaning, and is ambiguous where both may stand.
  void add_companions(const std::vector<std::string>& coordinates, std::string_view before, std::string_view after,
                      int block);
  void check_definitions(const Contents& contents);
  void add_table(const std::string& name, const Value& where, std::shared_ptr<const formula::Table> table);
  // The variables of a block are the velocities of those of another; the velocity of one variable.
  void add_rates(int block, int rate_block) { names_.add_rates(block, rate_block); }
  void add_rate(formula::Slot variable, formula::NodeId rate) { names_.add_rate(variable, rate); }
  // A name for a formula, unless the model uses it for something else.
  void add_meaning(const std::string& name, formula::NodeId f);
  // The key where a name is given, empty if it is free; and a free one, which formulas read from now on know as the
  // only variable of a block.
  std::string owner_of(const std::string& name) const;
  void add_local(const std::string& name, int block) { add_local(name, formula::Slot{block, 0}); }
  void add_local(const std::string& name, formula::Slot slot) { names_.add_variable(name, slot); }
  void add_local_if_free(const std::string& name, formula::Slot slot);
  bool knows(const std::string& name) const { return names_.contains(name); }
  void refuse_ambiguous_names(const Value& text) const;

  formula::NodeId formula(const Value& text, const Contents& contents);
  std::vector<formula::NodeId> formulas(const Value& texts, const Contents& contents);
  formula::Number constant(const Value& value);
  std::vector<formula::Number> constants(const Value& values);
  formula::NodeId constant_node(const formula::Number& value) { return graph_.constant(value); }

  // The same inside of a table that is repeated, with its indices.
  formula::NodeId formula(const Value& text, const Contents& contents, const formula::Indices& indices);
  formula::Number constant(const Value& value, const formula::Indices& indices);
  // link, or link[3] for link[i+1] where i = 2; letters, digits, _ and -.
  std::string name_of_part(const Value& text, const formula::Indices& indices);
  // visit(indices) once, or for every value of `for = "i = 1..10"`; characters: about how many are read each time.
  template <class Visit>
  void repeat(const std::optional<Value>& range, std::size_t characters, const Visit& visit) {
    formula::Indices indices;
    if (!range) return visit(indices);
    const formula::Range values = range_of(*range, indices, characters);
    indices.push_back({values.index, 0});
    for (long long i = values.first; i <= values.last; ++i) {
      indices.back().value = i;
      visit(std::as_const(indices));
    }
  }

  const formula::Graph& graph() const { return graph_; }
  formula::Graph& graph() { return graph_; }
  formula::Graph take_graph() { return std::move(graph_); }  // when all formulas are read
  int time_block() const { return time_block_; }

  static void check_name(const std::string& name, const Value& where);

 private:
  // What ranges and the indices of declared names may contain: parameters, also before they have their place among the
  // other names.
  struct Bounds {
    formula::Graph graph;
    formula::Names names{graph};
  };

  Bounds& bounds();
  // visit(item, indices) for all items of an array, repeats spelled out.
  template <class Visit>
  void for_each(const Value& array, Visit visit);
  template <class Visit>
  void for_each(const std::vector<Item>& items, formula::Indices& indices, Visit& visit);

  // Refuses indices that have a meaning already and what would take too long.
  formula::Range range_of(const Value& where, const formula::Indices& indices, std::size_t characters);
  std::string name_of(const Item& item, const formula::Indices& indices);
  long long whole_number(const Item& item, const formula::Indices& indices);
  void claim(const std::string& name, const Value& where);
  void check_contents(formula::NodeId f, const Value& where, const formula::Indices& indices, const Contents& contents);
  formula::Number constant(formula::NodeId f, const Value& where, const formula::Indices& indices);
  bool is_array_in_range(const formula::FormulaError& error) const;
  template <class Parse>
  std::invoke_result_t<Parse> explained(const Value& where, const formula::Indices& indices, Parse parse) const;

  const Document* document_;
  Section system_;
  int time_block_;
  formula::Graph graph_;
  formula::Names names_;
  std::unique_ptr<Bounds> bounds_;                // made when first needed
  std::map<std::string, std::string> owners_;     // name, key where it is given
  std::map<std::string, std::string> families_;   // name with indices, without them, and the key
  std::map<std::string, std::string> ambiguous_;  // p_x of the model, and the x that it may be the momentum of
  struct Given {
    std::string name;
    Value value;
    formula::Indices indices;
  };
  std::vector<Given> parameters_, definitions_;
};

}  // namespace livens
