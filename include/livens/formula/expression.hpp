// Formulas as one graph: every sub-formula is a node, equal sub-formulas are the same node (hash-consing).
//
// Nodes are made children first, so a child's id is always smaller than its parent's. Every pass over a formula is
// therefore a loop over ascending (values, degrees, substitution) or descending ids (derivatives), never a recursion:
// a sum of 10^5 terms is a chain 10^5 deep and must not need a stack of that depth.
//
// Derivatives are taken by reverse accumulation (Griewank, Walther: Evaluating Derivatives, 2nd ed., ch. 3.2) on the
// graph itself: with the adjoint w_i = df/dy_i of every node y_i = phi(y_j, ...),
//
//   w_j = sum over the parents i of j of  w_i dphi_i/dy_j ,
//
// so the whole gradient has a size proportional to that of f, and second derivatives are gradients of gradients.
//
// Builders simplify only what is exact or a regrouping of constant factors: 0 and 1 as neutral elements, 0 x -> 0,
// x - x -> 0, signs pulled out of products, c (d x) -> (c d) x, x/2^k -> 2^-k x, constants folded in `Number`. A
// constant operation whose value is not finite, such as log(-1), is kept as it stands, so that `explain` can name it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "livens/formula/operation.hpp"
#include "livens/formula/table.hpp"
#include "livens/math/scalar.hpp"

namespace livens::formula {

using Number = livens::Widest;  // constants keep this precision whatever scalar evaluates them

// A variable is a place: the user of the graph decides what the blocks are, such as time, coordinates, velocities.
struct Slot {
  int block = 0, index = 0;
  friend auto operator<=>(const Slot&, const Slot&) = default;
};

struct NodeId {
  std::uint32_t index = 0;
  friend auto operator<=>(const NodeId&, const NodeId&) = default;
};

// The value of an operation on constants as a graph folds it; none if that is not finite.
std::optional<Number> folded(Op op, const Number& a, const Number& b = 0);

// Where an operation is not smooth, or may be steep.
struct Corner {
  enum class Kind {
    jump,     // where x is 0: sign(x), the condition of select
    sharp,    // where x is 0: |x|; a - b of min and max
    root,     // where x is 0: a root or another broken power of x >= 0, that of a^2 + b^2 of hypot
    sigmoid,  // where x is 0: tanh(x), atan(x)
    blow      // where x is largest: exp(x)
  };
  Kind kind;
  NodeId x;
};

class Graph {
 public:
  NodeId constant(const Number& value);
  NodeId variable(Slot slot);
  // How `text` prints a variable.
  void name(Slot slot, std::string name) { names_[slot] = std::move(name); }

  NodeId add(NodeId a, NodeId b);
  NodeId sub(NodeId a, NodeId b);
  NodeId mul(NodeId a, NodeId b);
  NodeId div(NodeId a, NodeId b);
  NodeId neg(NodeId a);
  NodeId power(NodeId a, int exponent);
  NodeId pow(NodeId a, NodeId b);
  NodeId select(NodeId condition, NodeId a, NodeId b);
  // A derivative of a table, of as many operands as it has variables.
  NodeId table(const TableCall& which, std::span<const NodeId> x);
  // Any operation with operands except `power` and tables, simplified like the above; surplus operands are ignored.
  NodeId call(Op op, NodeId a, NodeId b = {}, NodeId c = {});
  // What f, which has operands, does on another graph or this, with other operands.
  NodeId like(const Graph& graph, NodeId f, const std::array<NodeId, 3>& operands);

  // Its number for `TableCall`; a table that is there already keeps its own.
  std::uint32_t add_table(std::shared_ptr<const Table> table);
  const std::vector<std::shared_ptr<const Table>>& tables() const { return tables_; }

  std::size_t size() const { return nodes_.size(); }
  Op op(NodeId f) const { return nodes_[f.index].op; }
  std::span<const NodeId> children(NodeId f) const;
  Slot slot(NodeId f) const;
  int exponent(NodeId f) const;
  TableCall table_call(NodeId f) const;
  bool is_constant(NodeId f) const { return op(f) == Op::constant; }
  bool is_constant(NodeId f, const Number& value) const { return is_constant(f) && this->value(f) == value; }
  const Number& value(NodeId f) const { return constants_[nodes_[f.index].child[0].index]; }

  // df/dx for every x of `wrt`; abs' = sign, and where the arguments of min or max are equal the first one counts.
  std::vector<NodeId> gradient(NodeId f, std::span<const Slot> wrt);
  NodeId derivative(NodeId f, Slot x);
  // f with some variables replaced, all at once.
  NodeId substitute(NodeId f, const std::map<Slot, NodeId>& replacements);

  // The variables that occur in f, ascending.
  std::vector<Slot> variables(NodeId f) const;
  bool depends_on(NodeId f, int block) const;
  // The first operation below f that jumps, sign or select; none if there is none.
  std::optional<NodeId> jump(NodeId f) const;
  // Of all operations below these formulas.
  std::vector<Corner> corners(std::span<const NodeId> formulas);
  // Total degree in the variables of a block, the other variables being coefficients; none if f is not a polynomial in
  // them. Structural: terms that only cancel after expansion, as in (x+1)^2 - x^2, still count.
  std::optional<int> polynomial_degree(NodeId f, int block) const;

  // f in infix notation, cut with "..." beyond a length.
  std::string text(NodeId f, std::size_t longest = 80) const;

 private:
  // A constant keeps the position of its value, a variable its slot, a power its exponent in place of the operands.
  struct Node {
    Op op = Op::constant;
    std::array<NodeId, 3> child;
    std::uint32_t detail = 0;  // of tables: which one, and which derivative
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct HashOfDouble {
    std::size_t operator()(const Number& x) const { return std::hash<double>{}(static_cast<double>(x)); }
  };

  NodeId intern(const Node& node);
  NodeId make(Op op, NodeId a, NodeId b = {}, NodeId c = {});
  NodeId negation_for_free(NodeId f);
  bool starts_with_constant(NodeId f, Op op) const {
    return this->op(f) == op && is_constant(nodes_[f.index].child[0]);
  }
  bool in_order(NodeId a, NodeId b) const;
  void rehash(std::size_t buckets);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> buckets_;  // open addressing: 1 + index of a node, 0 if empty
  std::vector<Number> constants_;
  std::unordered_map<Number, NodeId, HashOfDouble> constant_nodes_;
  std::map<Slot, std::string> names_;
  std::vector<std::shared_ptr<const Table>> tables_;
};

// The nodes below some roots, roots included, in ascending order; `position` numbers them 0, 1, ... without gaps, in
// constant time. Time and memory are those of the formulas, however large the graph around them is: a large system has
// as many formulas as coordinates.
class Reach {
 public:
  Reach(const Graph& graph, std::span<const NodeId> roots);
  const std::vector<NodeId>& nodes() const { return nodes_; }
  std::size_t size() const { return nodes_.size(); }
  std::size_t position(NodeId f) const { return place_[bucket(f)] - 1; }

 private:
  std::size_t bucket(NodeId f) const;  // where f is, or where it belongs
  void grow();

  std::vector<NodeId> nodes_;
  std::vector<std::uint32_t> place_;  // open addressing: 1 + position in nodes_, 0 if empty
};

}  // namespace livens::formula
