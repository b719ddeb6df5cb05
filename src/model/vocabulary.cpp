#include "model/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/formula/program.hpp"

namespace livens {

using formula::NodeId;
using formula::Number;

Vocabulary::Vocabulary(const Document& document, int time_block)
    : document_(&document), time_block_(time_block), names_(graph_) {
  names_.add_variable("t", {time_block, 0});
}

void Vocabulary::check_name(const std::string& name, const Value& where) {
  if (!formula::valid_identifier(name))
    where.refuse(fmt::format("\"{}\" is not a name; names are letters, digits and _, beginning with no digit", name));
  if (formula::Names::reserved(name))
    where.refuse(fmt::format("\"{}\" is reserved for formulas; choose another name", name));
}

void Vocabulary::claim(const std::string& name, const Value& where) {
  check_name(name, where);
  const auto [owner, is_new] = owners_.try_emplace(name, where.key());
  if (!is_new)
    where.refuse(fmt::format("the name \"{}\" is already given at {}; choose another one", name, owner->second));
}

std::vector<std::string> Vocabulary::add_variables(const Value& names, int block) {
  std::vector<std::string> added;
  for (const Value& item : names.items()) {
    const std::string name = item.text();
    claim(name, item);
    names_.add_variable(name, {block, static_cast<int>(added.size())});
    added.push_back(name);
  }
  return added;
}

void Vocabulary::add_parameters(const Section& parameters) {
  for (const auto& [name, value] : parameters.entries()) {
    claim(name, value);
    if (value.is_text())
      names_.add_definition(name, value.text(), value.key());
    else
      names_.add_constant(name, value.number());
    parameters_.emplace_back(name, value);
  }
}

void Vocabulary::add_definitions(const Section& let) {
  for (const auto& [name, value] : let.entries()) {
    claim(name, value);
    names_.add_definition(name, value.text(), value.key());
    definitions_.emplace_back(name, value);
  }
}

void Vocabulary::add_companions(const std::vector<std::string>& coordinates, std::string_view before,
                                std::string_view after, int block) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::string name = fmt::format("{}{}{}", before, coordinates[i], after);
    if (!names_.contains(name)) names_.add_variable(name, {block, static_cast<int>(i)});
  }
}

void Vocabulary::check_definitions(const Contents& contents) {
  const auto resolved = [&](const auto& definition) {
    return explained(definition.second, [&] { return *names_.resolve(definition.first); });
  };
  for (const auto& parameter : parameters_) constant(resolved(parameter), parameter.second);
  for (const auto& definition : definitions_) check_contents(resolved(definition), definition.second, contents);
}

NodeId Vocabulary::formula(const Value& text, const Contents& contents) {
  const std::string written = text.text();
  const NodeId f = explained(text, [&] { return names_.parse(written); });
  check_contents(f, text, contents);
  return f;
}

std::vector<NodeId> Vocabulary::formulas(const Value& texts, const Contents& contents) {
  std::vector<NodeId> all;
  for (const Value& text : texts.items()) all.push_back(formula(text, contents));
  return all;
}

Number Vocabulary::constant(const Value& value) {
  if (!value.is_text()) return value.number();
  const std::string written = value.text();
  return constant(explained(value, [&] { return names_.parse(written); }), value);
}

std::vector<Number> Vocabulary::constants(const Value& values) {
  std::vector<Number> all;
  for (const Value& value : values.items()) all.push_back(constant(value));
  return all;
}

Number Vocabulary::constant(NodeId f, const Value& where) {
  if (const std::vector<formula::Slot> variables = graph_.variables(f); !variables.empty())
    where.refuse(fmt::format("contains \"{}\"; a number is a constant formula of parameters and pi",
                             graph_.text(graph_.variable(variables.front()))));
  if (!graph_.is_constant(f)) {
    const auto fault = formula::explain(graph_, std::span(&f, 1), nullptr);
    where.refuse(fmt::format("{} is not finite; write a constant formula with a finite value",
                             fault ? fault->formula : graph_.text(f)));
  }
  const Number value = graph_.value(f);
  if (!is_finite(to_double(value))) where.refuse("is too large for a double; write a smaller number");
  return value;
}

void Vocabulary::check_contents(NodeId f, const Value& where, const Contents& contents) {
  for (const formula::Slot slot : graph_.variables(f)) {
    if (std::find(contents.blocks.begin(), contents.blocks.end(), slot.block) != contents.blocks.end()) continue;
    where.refuse(fmt::format("contains \"{}\"; {}", graph_.text(graph_.variable(slot)), contents.words));
  }
}

// What is wrong with a formula, said of the key where it is written: that of a definition if the fault lies there.
template <class Parse>
NodeId Vocabulary::explained(const Value& where, Parse parse) const {
  try {
    return parse();
  } catch (const formula::FormulaError& error) {
    if (error.where.empty()) where.refuse(error.what());
    document_->refuse(error.where, std::string_view(error.what()).substr(error.where.size() + 2));
  }
}

}  // namespace livens
