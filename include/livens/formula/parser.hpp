// The text of a formula to a node of a graph.
//
//   sum      = product { ("+" | "-") product }
//   product  = signed { ("*" | "/") signed }
//   signed   = ("+" | "-") signed | power
//   power    = operand [ "^" exponent ] ,   exponent = ("+" | "-") exponent | power
//   operand  = number | "pi" | name [ "'" ] | function "(" sum { "," sum } ")" | "(" sum ")"
//
// So -x^2 is -(x^2), 2^-1 is allowed, a^b^c is a^(b^c). A quote belongs to the name: x' is the velocity of x.
// Sums and products are loops; what must nest (parentheses, signs, exponents) is refused beyond `deepest_nesting`.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "livens/formula/expression.hpp"

namespace livens::formula {

inline constexpr int deepest_nesting = 1000;

// What is wrong with a formula. The message names the token, its column and the remedy; `column` counts from 1.
// `where` is empty unless the fault lies in a definition that the formula uses (names.hpp): the column is then one of
// the definition's text, and the message begins with `where`.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(int column_of_fault, const std::string& message, std::string place = "")
      : std::runtime_error(place.empty() ? message : place + ": " + message),
        column(column_of_fault),
        where(std::move(place)) {}
  int column;
  std::string where;
};

// What the names of a formula stand for.
class Resolver {
 public:
  virtual ~Resolver() = default;
  virtual std::optional<NodeId> resolve(std::string_view name) const = 0;
  virtual std::vector<std::string> known_names() const = 0;  // for suggestions
};

NodeId parse(Graph& graph, std::string_view text, const Resolver& names);

// The names (with their quotes) that a text mentions, whether or not it is a formula; functions and pi left out.
std::vector<std::string> names_in(std::string_view text);

bool is_function(std::string_view name);
bool valid_identifier(std::string_view name);

}  // namespace livens::formula
