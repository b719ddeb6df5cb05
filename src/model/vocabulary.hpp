// The names of a model and the formulas written with them, all on one graph.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "livens/formula/names.hpp"
#include "model/document.hpp"

namespace livens {

// What formulas of one sort may contain: blocks of variables, and the same as a sentence.
struct Contents {
  std::vector<int> blocks;
  std::string_view words;
};

class Vocabulary {
 public:
  // `time_block` is the block whose only variable is t.
  Vocabulary(const Document& document, int time_block);
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  // An array of names becomes the variables of a block.
  std::vector<std::string> add_variables(const Value& names, int block);
  // Constants, numbers or formulas; then definitions. Both are checked when all names are known.
  void add_parameters(const Section& parameters);
  void add_definitions(const Section& let);
  // x' or p_x; a name that the model uses for something else keeps that meaning.
  void add_companions(const std::vector<std::string>& coordinates, std::string_view before, std::string_view after,
                      int block);
  void check_definitions(const Contents& contents);

  formula::NodeId formula(const Value& text, const Contents& contents);
  std::vector<formula::NodeId> formulas(const Value& texts, const Contents& contents);
  formula::Number constant(const Value& value);
  std::vector<formula::Number> constants(const Value& values);

  const formula::Graph& graph() const { return graph_; }
  int time_block() const { return time_block_; }

  static void check_name(const std::string& name, const Value& where);

 private:
  void claim(const std::string& name, const Value& where);
  void check_contents(formula::NodeId f, const Value& where, const Contents& contents);
  formula::Number constant(formula::NodeId f, const Value& where);
  template <class Parse>
  formula::NodeId explained(const Value& where, Parse parse) const;

  const Document* document_;
  int time_block_;
  formula::Graph graph_;
  formula::Names names_;
  std::map<std::string, std::string> owners_;  // name, key where it is given
  std::vector<std::pair<std::string, Value>> parameters_, definitions_;
};

}  // namespace livens
