// The text of a formula to a node of a graph.
//
//   sum      = product { ("+" | "-") product }
//   product  = signed { ("*" | "/") signed }
//   signed   = ("+" | "-") signed | power
//   power    = operand [ "^" exponent ] ,   exponent = ("+" | "-") exponent | power
//   operand  = number | "pi" | name [ "[" sum { "," sum } "]" ] [ "'" ] | function "(" sum { "," sum } ")" | "(" sum
//   ")"
//            | ( "sum" | "prod" ) "(" range "," sum ")" ,   range = name "=" sum ".." sum
//            | "d" "(" sum "," name ")" | "if" "(" sum ("<" | "<=" | ">" | ">=") sum "," sum "," sum ")"
//            | table "(" sum { "," sum } ")"
//
// So -x^2 is -(x^2), 2^-1 is allowed, a^b^c is a^(b^c). A quote belongs to the name: x' is the velocity of x, and where
// r is a definition f(t, q) in other names, r' is f_t + f_q q'.
//
// d(f, x) is the derivative of f by the name x, all other variables being fixed. Where x is a definition or a parameter
// it is made a variable for the time that f is read, with all definitions in which x occurs, and replaced by its
// meaning afterwards. Sums and products are loops; what must nest (parentheses, signs, exponents) is refused beyond
// `deepest_nesting`.
//
// sum(i = 0..3, x[i]^2) is x[0]^2 + ... + x[3]^2, added in this order: its text is read once for every i, which is a
// number there. x[i+1] is the name "x[2]" where i = 1. What repeats is bounded by `most_repeated` characters read again
// and `most_nodes` nodes of the graph, so that a short text cannot ask for more than a large file can.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "livens/formula/expression.hpp"

namespace livens::formula {

inline constexpr int deepest_nesting = 1000;
inline constexpr long long most_repeated = 1'000'000'000, most_nodes = 10'000'000;

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

// An index and its present value.
struct Index {
  std::string name;
  long long value = 0;
  friend bool operator==(const Index&, const Index&) = default;
};
using Indices = std::vector<Index>;

// index = first..last, both included; last = first - 1 is a range of nothing.
struct Range {
  std::string index;
  long long first = 0, last = -1;
};

// Constants become nodes of the graph only where they meet something else.
using Operand = std::variant<Number, NodeId>;

// What a sum or product has come to, by the place of its text. sum(j = 0..i, f[j]) for i = 0, 1, 2, ... is continued
// from the last i, as long as the indices that f[j] mentions besides j have not changed: cumulative sums cost no more
// than one sum.
struct PartialSum {
  long long first = 0, last = -1;
  Operand value;
  Indices mentioned;
  std::size_t end = 0;  // of the text that is repeated
};
using PartialSums = std::map<std::size_t, PartialSum>;

// What the names of a formula stand for.
class Resolver {
 public:
  virtual ~Resolver() = default;
  virtual std::optional<NodeId> resolve(std::string_view name) const = 0;
  virtual bool contains(std::string_view name) const = 0;
  virtual std::vector<std::string> known_names() const = 0;  // for suggestions

  // Whether a name is known by a text.
  virtual bool is_definition(std::string_view) const { return false; }
  // The number that a graph has for a table, and the names of all.
  virtual std::optional<std::uint32_t> table(std::string_view) const { return std::nullopt; }
  virtual std::vector<std::string> tables() const { return {}; }
  // The same names, one of them being a variable, which belongs to no one else; null if there can be none.
  virtual const Resolver* varying(std::string_view /*name*/, Slot& /*variable*/) const { return nullptr; }
  // The derivative of a variable by time; none if formulas do not have it.
  virtual std::optional<NodeId> rate(Slot) const { return std::nullopt; }

  // Of all formulas parsed with these names: levels of those that are being parsed, one because of another; characters
  // read again in repetitions.
  mutable int nesting = 0;
  mutable long long repeated = 0;
};

// `indices` are names for numbers; `sums` is kept from one parse of a text to the next, with other indices.
NodeId parse(Graph& graph, std::string_view text, const Resolver& names, const Indices& indices = {},
             PartialSums* sums = nullptr);
// i = 0..N-1
Range parse_range(Graph& graph, std::string_view text, const Resolver& names, const Indices& indices = {});
// A name as it is declared, its indices worked out: x[i+1] is "x[3]" where i = 2.
std::string parse_name(Graph& graph, std::string_view text, const Resolver& names, const Indices& indices = {});

// " (i = 3, j = 4)", or nothing.
std::string in_words(const Indices& indices);

// Whether so many more characters may be read again, counting them.
bool may_repeat(const Graph& graph, const Resolver& names, long long times, std::size_t characters);

// The names (with their quotes, without indices) that a text mentions, whether or not it is a formula; functions and pi
// left out.
std::vector<std::string> names_in(std::string_view text);
// Those before a parenthesis that are no functions: the tables that a formula calls.
std::vector<std::string> tables_in(std::string_view text);

bool is_function(std::string_view name);
// A number with or without a sign, in full precision; none if something else stands there.
std::optional<Number> number_in(std::string_view text);
bool valid_identifier(std::string_view name);

}  // namespace livens::formula
