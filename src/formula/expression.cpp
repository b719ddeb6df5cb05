#include "livens/formula/expression.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace livens::formula {

namespace {

std::size_t bits(int x) {
  return static_cast<std::size_t>(x);
}

// 1/x is exact for powers of two: x/2^k may then become a product without another rounding.
bool is_power_of_two(const Number& x) {
  using std::abs, std::frexp;
  int exponent = 0;
  const Number mantissa = frexp(x, &exponent);
  return abs(mantissa) == Number(1) / 2 && is_finite(Number(1) / x);
}

// The value of x as an integer exponent that `power` takes.
std::optional<int> small_integer(const Number& x) {
  if (!(x >= -largest_power && x <= largest_power)) return std::nullopt;
  const int n = static_cast<int>(x);
  return Number(n) == x ? std::optional(n) : std::nullopt;
}

}  // namespace

std::string_view function_name(Op op) {
  switch (op) {
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::sinh:
      return "sinh";
    case Op::cosh:
      return "cosh";
    case Op::tanh:
      return "tanh";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::sqrt:
      return "sqrt";
    case Op::abs:
      return "abs";
    case Op::sign:
      return "sign";
    case Op::atan2:
      return "atan2";
    case Op::hypot:
      return "hypot";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    case Op::select:
      return "if";
    default:
      return "";
  }
}

std::optional<Number> folded(Op op, const Number& a, const Number& b) {
  using std::sqrt;
  Number y;
  if (op != Op::pow)
    y = apply(op, a, b, Number(0));
  else if (const auto n = small_integer(b))
    y = integer_power(a, *n);
  else
    y = b == Number(1) / 2 ? sqrt(a) : apply(op, a, b, Number(0));
  if (!is_finite(y)) return std::nullopt;
  return y == 0 ? Number(0) : y;
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

std::span<const NodeId> Graph::children(NodeId f) const {
  const Node& node = nodes_[f.index];
  return {node.child.data(), bits(arity(node.op))};
}

Slot Graph::slot(NodeId f) const {
  const Node& node = nodes_[f.index];
  return {static_cast<int>(node.child[0].index), static_cast<int>(node.child[1].index)};
}

int Graph::exponent(NodeId f) const {
  return static_cast<int>(nodes_[f.index].child[1].index);
}

namespace {
constexpr std::uint32_t order_bits = 4;
}

TableCall Graph::table_call(NodeId f) const {
  std::uint32_t detail = nodes_[f.index].detail;
  TableCall which;
  for (std::uint8_t& order : which.order) {
    order = static_cast<std::uint8_t>(detail & ((1u << order_bits) - 1));
    detail >>= order_bits;
  }
  which.table = detail;
  return which;
}

std::uint32_t Graph::add_table(std::shared_ptr<const Table> table) {
  const auto found = std::find(tables_.begin(), tables_.end(), table);
  const auto number = static_cast<std::uint32_t>(found - tables_.begin());
  if (found == tables_.end()) tables_.push_back(std::move(table));
  return number;
}

void Graph::rehash(std::size_t buckets) {
  buckets_.assign(buckets, 0);
  const std::vector<Node> nodes = std::move(nodes_);
  nodes_.clear();
  nodes_.reserve(nodes.size() * 2);
  for (const Node& node : nodes) intern(node);
}

NodeId Graph::intern(const Node& node) {
  if (2 * nodes_.size() >= buckets_.size()) rehash(std::max<std::size_t>(64, 2 * buckets_.size()));
  std::uint64_t hash = static_cast<std::uint64_t>(node.op);
  for (const NodeId child : node.child) hash = (hash ^ child.index) * 0x9e3779b97f4a7c15u;  // Fibonacci hashing
  if (node.detail != 0) hash = (hash ^ node.detail) * 0x9e3779b97f4a7c15u;
  const std::size_t mask = buckets_.size() - 1;
  for (std::size_t k = static_cast<std::size_t>(hash >> 32) & mask;; k = (k + 1) & mask) {
    if (buckets_[k] == 0) {
      nodes_.push_back(node);
      buckets_[k] = static_cast<std::uint32_t>(nodes_.size());
    } else if (nodes_[buckets_[k] - 1] != node) {
      continue;
    }
    return {buckets_[k] - 1};
  }
}

NodeId Graph::constant(const Number& value) {
  if (!is_finite(value)) throw std::invalid_argument("a constant of a formula must be finite");
  const Number unsigned_zero = value == 0 ? Number(0) : value;
  const auto [place, is_new] = constant_nodes_.try_emplace(unsigned_zero);
  if (is_new) {
    place->second = intern({Op::constant, {NodeId{static_cast<std::uint32_t>(constants_.size())}}});
    constants_.push_back(unsigned_zero);
  }
  return place->second;
}

NodeId Graph::variable(Slot slot) {
  if (slot.block < 0 || slot.index < 0)
    throw std::invalid_argument("block and index of a variable must not be negative");
  return intern(
      {Op::variable, {NodeId{static_cast<std::uint32_t>(slot.block)}, NodeId{static_cast<std::uint32_t>(slot.index)}}});
}

// The node op(a, b, c), folded if its operands are constant and its value is finite.
NodeId Graph::make(Op op, NodeId a, NodeId b, NodeId c) {
  const Node node{op, {a, b, c}};
  const auto operands = std::span(node.child).first(bits(arity(op)));
  if (std::all_of(operands.begin(), operands.end(), [this](NodeId f) { return is_constant(f); })) {
    std::array<Number, 3> x{};
    for (std::size_t i = 0; i < operands.size(); ++i) x[i] = value(operands[i]);
    const Number y = apply(op, x[0], x[1], x[2]);
    if (is_finite(y)) return constant(y);
  }
  return intern(node);
}

// ---- builders -------------------------------------------------------------------------------------------------------

// g with f = -g where writing g instead of f costs no operation: f = -x, a negative constant, (-c) x, (-c)/x.
// f itself if there is none.
NodeId Graph::negation_for_free(NodeId f) {
  const Node node = nodes_[f.index];
  if (node.op == Op::neg) return node.child[0];
  if (node.op == Op::constant && value(f) < 0) return constant(-value(f));
  if ((starts_with_constant(f, Op::mul) || starts_with_constant(f, Op::div)) && value(node.child[0]) < 0)
    return call(node.op, constant(-value(node.child[0])), node.child[1]);
  return f;
}

// The order of the operands of sums and products: variables last, else as made. x + y + z then reads as it was written.
bool Graph::in_order(NodeId a, NodeId b) const {
  const bool leaf_a = op(a) == Op::variable, leaf_b = op(b) == Op::variable;
  return leaf_a == leaf_b ? a < b : leaf_b;
}

NodeId Graph::add(NodeId a, NodeId b) {
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(a)) return make(Op::add, a, b);
  if (is_constant(b, 0)) return a;
  if (a == b) return mul(constant(2), a);
  if (const NodeId minus_b = negation_for_free(b); minus_b != b) return sub(a, minus_b);
  if (const NodeId minus_a = negation_for_free(a); minus_a != a) return sub(b, minus_a);
  if (!is_constant(b) && !in_order(a, b)) std::swap(a, b);
  return make(Op::add, a, b);
}

NodeId Graph::sub(NodeId a, NodeId b) {
  if (a == b) return constant(0);
  if (is_constant(b, 0)) return a;
  if (is_constant(a, 0)) return neg(b);
  if (is_constant(a) && is_constant(b)) return make(Op::sub, a, b);
  if (const NodeId minus_b = negation_for_free(b); minus_b != b) return add(a, minus_b);
  if (op(a) == Op::neg) return neg(add(children(a)[0], b));
  return make(Op::sub, a, b);
}

NodeId Graph::neg(NodeId a) {
  const Node node = nodes_[a.index];
  if (node.op == Op::neg) return node.child[0];
  if (node.op == Op::sub) return sub(node.child[1], node.child[0]);
  if (starts_with_constant(a, Op::mul) || starts_with_constant(a, Op::div))
    return call(node.op, constant(-value(node.child[0])), node.child[1]);
  return make(Op::neg, a);
}

NodeId Graph::mul(NodeId a, NodeId b) {
  if (is_constant(b)) std::swap(a, b);
  if (is_constant(a)) {
    if (is_constant(b)) return make(Op::mul, a, b);
    if (is_constant(a, 0)) return a;
    if (is_constant(a, 1)) return b;
    if (is_constant(a, -1)) return neg(b);
    if (starts_with_constant(b, Op::mul) || starts_with_constant(b, Op::div)) {
      const Node inner = nodes_[b.index];
      const NodeId factor = make(Op::mul, a, inner.child[0]);
      if (is_constant(factor)) return call(inner.op, factor, inner.child[1]);
    }
    if (op(b) == Op::neg) {
      const NodeId positive = children(b)[0];  // a copy: making the constant may move the nodes
      return mul(constant(-value(a)), positive);
    }
    return make(Op::mul, a, b);
  }
  if (op(a) == Op::neg) return neg(mul(children(a)[0], b));
  if (op(b) == Op::neg) return neg(mul(a, children(b)[0]));
  if (a == b) return power(a, 2);
  if (starts_with_constant(a, Op::mul)) std::swap(a, b);
  if (starts_with_constant(b, Op::mul)) {
    const Node inner = nodes_[b.index];
    return mul(inner.child[0], mul(a, inner.child[1]));
  }
  if (!in_order(a, b)) std::swap(a, b);
  return make(Op::mul, a, b);
}

NodeId Graph::div(NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) return make(Op::div, a, b);
  if (is_constant(a, 0)) return a;
  if (is_constant(b, 1)) return a;
  if (is_constant(b) && value(b) != 0) {
    if (is_power_of_two(value(b))) return mul(constant(1 / value(b)), a);
    if (value(b) < 0) return neg(div(a, constant(-value(b))));
    if (starts_with_constant(a, Op::mul)) {
      const Node inner = nodes_[a.index];
      const NodeId factor = make(Op::div, inner.child[0], b);
      if (is_constant(factor)) return mul(factor, inner.child[1]);
    }
  }
  if (is_constant(a) && starts_with_constant(b, Op::mul)) {
    const Node inner = nodes_[b.index];
    const NodeId factor = make(Op::div, a, inner.child[0]);
    if (is_constant(factor)) return div(factor, inner.child[1]);
  }
  if (op(a) == Op::neg) return neg(div(children(a)[0], b));
  if (op(b) == Op::neg) return neg(div(a, children(b)[0]));
  return make(Op::div, a, b);
}

NodeId Graph::power(NodeId a, int exponent) {
  if (exponent < -largest_power || exponent > largest_power) return make(Op::pow, a, constant(exponent));
  if (exponent == 0) return constant(1);
  if (exponent == 1) return a;
  if (is_constant(a)) {
    const Number y = integer_power(value(a), exponent);
    if (is_finite(y)) return constant(y);
  }
  const NodeId inner = op(a) == Op::neg || op(a) == Op::abs ? children(a)[0] : a;
  if (exponent % 2 == 0 && inner != a) return power(inner, exponent);
  if (op(a) == Op::neg) return neg(power(inner, exponent));
  return intern({Op::power, {a, NodeId{static_cast<std::uint32_t>(exponent)}}});
}

NodeId Graph::pow(NodeId a, NodeId b) {
  if (is_constant(b)) {
    if (const auto n = small_integer(value(b))) return power(a, *n);
    if (value(b) == Number(1) / 2) return make(Op::sqrt, a);
  }
  return make(Op::pow, a, b);
}

NodeId Graph::select(NodeId condition, NodeId a, NodeId b) {
  if (a == b) return a;
  if (is_constant(condition)) return value(condition) >= 0 ? a : b;
  return make(Op::select, condition, a, b);
}

NodeId Graph::table(const TableCall& which, std::span<const NodeId> x) {
  const Table& function = *tables_[which.table];
  if (x.size() != function.variables())
    throw std::invalid_argument("a table takes as many operands as it has variables");
  Node node{static_cast<Op>(static_cast<std::uint32_t>(Op::table1) + x.size() - 1), {}, which.table};
  for (std::size_t k = which.order.size(); k-- > 0;) {
    if (which.order[k] > Table::degree) return constant(0);
    node.detail = node.detail << order_bits | which.order[k];
  }
  std::copy(x.begin(), x.end(), node.child.begin());
  if (std::all_of(x.begin(), x.end(), [this](NodeId f) { return is_constant(f); })) {
    std::array<Number, 3> at{};
    for (std::size_t k = 0; k < x.size(); ++k) at[k] = value(x[k]);
    const Number y = function(which.order, at[0], at[1], at[2]);
    if (is_finite(y)) return constant(y);
  }
  return intern(node);
}

NodeId Graph::like(const Graph& graph, NodeId f, const std::array<NodeId, 3>& operands) {
  const Op op = graph.op(f);
  if (op == Op::power) return power(operands[0], graph.exponent(f));
  if (!is_table(op)) return call(op, operands[0], operands[1], operands[2]);
  TableCall which = graph.table_call(f);
  if (this != &graph) which.table = add_table(graph.tables_[which.table]);
  return table(which, std::span(operands).first(bits(arity(op))));
}

NodeId Graph::call(Op op, NodeId a, NodeId b, NodeId c) {
  switch (op) {
    case Op::add:
      return add(a, b);
    case Op::sub:
      return sub(a, b);
    case Op::mul:
      return mul(a, b);
    case Op::div:
      return div(a, b);
    case Op::neg:
      return neg(a);
    case Op::pow:
      return pow(a, b);
    case Op::select:
      return select(a, b, c);
    case Op::abs:
      return this->op(a) == Op::neg ? call(Op::abs, children(a)[0]) : make(op, a);
    case Op::min:
    case Op::max:
      return a == b ? a : make(op, a, b);
    default:
      break;
  }
  if (arity(op) == 0 || op == Op::power || is_table(op) || op >= Op::mul_add)
    throw std::invalid_argument("not an operation with operands");
  return arity(op) == 1 ? make(op, a) : make(op, a, b);
}

// ---- passes ---------------------------------------------------------------------------------------------------------

Reach::Reach(const Graph& graph, std::span<const NodeId> roots) {
  grow();
  std::vector<NodeId> open(roots.begin(), roots.end());
  while (!open.empty()) {
    const NodeId f = open.back();
    open.pop_back();
    std::uint32_t& place = place_[bucket(f)];
    if (place != 0) continue;
    nodes_.push_back(f);
    place = static_cast<std::uint32_t>(nodes_.size());
    for (const NodeId child : graph.children(f)) open.push_back(child);
    if (2 * nodes_.size() > place_.size()) grow();
  }
  // Buckets are found by comparing with nodes_: the order must stand before the positions are entered again.
  std::vector<NodeId> ascending = nodes_;
  std::sort(ascending.begin(), ascending.end());
  std::vector<std::uint32_t> rank(nodes_.size() + 1, 0);
  for (std::size_t i = 0; i < ascending.size(); ++i)
    rank[place_[bucket(ascending[i])]] = static_cast<std::uint32_t>(i + 1);
  for (std::uint32_t& place : place_) place = rank[place];
  nodes_ = std::move(ascending);
}

std::size_t Reach::bucket(NodeId f) const {
  const std::size_t mask = place_.size() - 1;
  const std::uint64_t hash = f.index * std::uint64_t{0x9e3779b97f4a7c15u};  // Fibonacci hashing
  std::size_t k = static_cast<std::size_t>(hash >> 32) & mask;
  while (place_[k] != 0 && nodes_[place_[k] - 1] != f) k = (k + 1) & mask;
  return k;
}

void Reach::grow() {
  place_.assign(std::max<std::size_t>(64, 4 * place_.size()), 0);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) place_[bucket(nodes_[i])] = i + 1;
}

std::vector<NodeId> Graph::gradient(NodeId f, std::span<const Slot> wrt) {
  const Reach reach(*this, std::array{f});
  const NodeId zero = constant(0), one = constant(1);

  // Only nodes that depend on some x get an adjoint.
  std::vector<Slot> wanted(wrt.begin(), wrt.end());
  std::sort(wanted.begin(), wanted.end());
  std::vector<bool> active(reach.size());
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const NodeId y = reach.nodes()[i];
    if (op(y) == Op::variable) active[i] = std::binary_search(wanted.begin(), wanted.end(), slot(y));
    for (const NodeId child : children(y)) active[i] = active[i] || active[reach.position(child)];
  }

  std::vector<NodeId> adjoint(reach.size(), zero);
  adjoint.back() = one;  // f has the largest id of all
  std::map<Slot, NodeId> partial;
  for (std::size_t i = reach.size(); i-- > 0;) {
    const NodeId y = reach.nodes()[i], w = adjoint[i];
    if (!active[i] || w == zero) continue;
    if (op(y) == Op::variable) {
      partial[slot(y)] = w;
      continue;
    }
    const auto [a, b, c] = nodes_[y.index].child;
    const auto is_active = [&](NodeId child) { return active[reach.position(child)]; };
    const auto increase = [&](NodeId child, NodeId by) {
      NodeId& sum = adjoint[reach.position(child)];
      sum = add(sum, by);
    };
    const auto decrease = [&](NodeId child, NodeId by) { increase(child, neg(by)); };
    const auto number = [&](const Number& x) { return constant(x); };
    const auto square = [&](NodeId x) { return power(x, 2); };

    switch (op(y)) {
      case Op::add:
        if (is_active(a)) increase(a, w);
        if (is_active(b)) increase(b, w);
        break;
      case Op::sub:
        if (is_active(a)) increase(a, w);
        if (is_active(b)) decrease(b, w);
        break;
      case Op::mul:
        if (is_active(a)) increase(a, mul(w, b));
        if (is_active(b)) increase(b, mul(w, a));
        break;
      case Op::div:
        if (is_active(a)) increase(a, div(w, b));
        if (is_active(b)) decrease(b, div(mul(w, y), b));
        break;
      case Op::neg:
        decrease(a, w);
        break;
      case Op::power:
        increase(a, mul(w, mul(number(exponent(y)), power(a, exponent(y) - 1))));
        break;
      case Op::pow:
        if (is_active(a)) increase(a, mul(w, mul(b, pow(a, sub(b, one)))));
        if (is_active(b)) increase(b, mul(w, mul(y, call(Op::log, a))));
        break;
      case Op::sin:
        increase(a, mul(w, call(Op::cos, a)));
        break;
      case Op::cos:
        decrease(a, mul(w, call(Op::sin, a)));
        break;
      case Op::tan:
        increase(a, mul(w, add(one, square(y))));
        break;
      case Op::asin:
        increase(a, div(w, call(Op::sqrt, sub(one, square(a)))));
        break;
      case Op::acos:
        decrease(a, div(w, call(Op::sqrt, sub(one, square(a)))));
        break;
      case Op::atan:
        increase(a, div(w, add(one, square(a))));
        break;
      case Op::sinh:
        increase(a, mul(w, call(Op::cosh, a)));
        break;
      case Op::cosh:
        increase(a, mul(w, call(Op::sinh, a)));
        break;
      case Op::tanh:
        increase(a, mul(w, sub(one, square(y))));
        break;
      case Op::exp:
        increase(a, mul(w, y));
        break;
      case Op::log:
        increase(a, div(w, a));
        break;
      case Op::sqrt:
        increase(a, div(mul(number(Number(1) / 2), w), y));
        break;
      case Op::abs:
        increase(a, mul(w, call(Op::sign, a)));
        break;
      case Op::atan2: {  // a = y, b = x:  d atan2 = (x dy - y dx)/(x^2 + y^2)
        const NodeId radius2 = add(square(a), square(b));
        if (is_active(a)) increase(a, div(mul(w, b), radius2));
        if (is_active(b)) decrease(b, div(mul(w, a), radius2));
        break;
      }
      case Op::hypot:
        if (is_active(a)) increase(a, div(mul(w, a), y));
        if (is_active(b)) increase(b, div(mul(w, b), y));
        break;
      case Op::min:
      case Op::max: {
        const NodeId first_counts = op(y) == Op::min ? sub(b, a) : sub(a, b);
        if (is_active(a)) increase(a, select(first_counts, w, zero));
        if (is_active(b)) increase(b, select(first_counts, zero, w));
        break;
      }
      case Op::select:
        if (is_active(b)) increase(b, select(a, w, zero));
        if (is_active(c)) increase(c, select(a, zero, w));
        break;
      case Op::table1:
      case Op::table2:
      case Op::table3: {
        const std::array<NodeId, 3> x{a, b, c};
        const auto variables = bits(arity(op(y)));
        for (std::size_t k = 0; k < variables; ++k) {
          if (!is_active(x[k])) continue;
          TableCall higher = table_call(y);
          ++higher.order[k];
          increase(x[k], mul(w, table(higher, std::span(x).first(variables))));
        }
        break;
      }
      default:
        break;  // sign is constant where it has a derivative
    }
  }

  std::vector<NodeId> result;
  result.reserve(wrt.size());
  for (const Slot x : wrt) {
    const auto found = partial.find(x);
    result.push_back(found == partial.end() ? zero : found->second);
  }
  return result;
}

NodeId Graph::derivative(NodeId f, Slot x) {
  return gradient(f, std::array{x}).front();
}

NodeId Graph::substitute(NodeId f, const std::map<Slot, NodeId>& replacements) {
  const Reach reach(*this, std::array{f});
  std::vector<NodeId> image = reach.nodes();
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const NodeId y = reach.nodes()[i];
    if (op(y) == Op::variable) {
      if (const auto found = replacements.find(slot(y)); found != replacements.end()) image[i] = found->second;
      continue;
    }
    std::array<NodeId, 3> operands{};
    bool changed = false;
    for (std::size_t k = 0; k < children(y).size(); ++k) {
      operands[k] = image[reach.position(children(y)[k])];
      changed = changed || operands[k] != children(y)[k];
    }
    if (!changed) continue;
    image[i] = like(*this, y, operands);
  }
  return image.back();
}

std::vector<Slot> Graph::variables(NodeId f) const {
  std::vector<Slot> result;
  const Reach reach(*this, std::array{f});
  for (const NodeId y : reach.nodes())
    if (op(y) == Op::variable) result.push_back(slot(y));
  std::sort(result.begin(), result.end());
  return result;
}

bool Graph::depends_on(NodeId f, int block) const {
  const std::vector<Slot> used = variables(f);
  return std::any_of(used.begin(), used.end(), [block](Slot x) { return x.block == block; });
}

std::optional<NodeId> Graph::jump(NodeId f) const {
  const Reach reach(*this, std::array{f});
  for (const NodeId y : reach.nodes())
    if (op(y) == Op::sign || op(y) == Op::select) return y;
  return std::nullopt;
}

std::optional<int> Graph::polynomial_degree(NodeId f, int block) const {
  const Reach reach(*this, std::array{f});
  constexpr int none = -1, highest = 1'000'000;  // beyond it a degree says no more than "none" does
  std::vector<int> degree(reach.size(), 0);
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const NodeId y = reach.nodes()[i];
    if (op(y) == Op::variable) degree[i] = slot(y).block == block ? 1 : 0;
    int lowest = 0, largest = 0, first = 0, last = 0;
    for (const NodeId child : children(y)) {
      last = degree[reach.position(child)];
      if (child == children(y).front()) first = last;
      lowest = std::min(lowest, last);
      largest = std::max(largest, last);
    }
    if (lowest == none) {
      degree[i] = none;
    } else if (largest > 0) {
      const auto times = [&](const Number& n) {
        return n >= 0 && n * first <= highest ? static_cast<int>(n) * first : none;
      };
      switch (op(y)) {
        case Op::add:
        case Op::sub:
        case Op::neg:
          degree[i] = largest;
          break;
        case Op::mul:
          degree[i] = first + last <= highest ? first + last : none;
          break;
        case Op::div:
          degree[i] = last == 0 ? first : none;
          break;
        case Op::power:
          degree[i] = times(exponent(y));
          break;
        case Op::pow: {
          using std::floor;
          const NodeId b = children(y)[1];
          degree[i] = is_constant(b) && floor(value(b)) == value(b) ? times(value(b)) : none;
          break;
        }
        default:
          degree[i] = none;
      }
    }
  }
  return degree.back() == none ? std::nullopt : std::optional(degree.back());
}

// ---- text -----------------------------------------------------------------------------------------------------------

namespace {

enum Binding { sum = 1, product, sign, exponentiation, atom };

std::string digits(const Number& x) {
  const double nearest = static_cast<double>(x);
  if (is_finite(nearest) && (nearest != 0 || x == 0)) {
    std::array<char, 32> buffer;
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), nearest).ptr};
  }
  std::ostringstream out;
  out << x;
  return out.str();
}

}  // namespace

std::string Graph::text(NodeId f, std::size_t longest) const {
  // What is still to be written, the next piece last: words, or formulas that must bind at least so strongly.
  struct Piece {
    std::string word;
    NodeId formula;
    int binding = 0;  // 0: a word
  };
  std::vector<Piece> rest{{"", f, sum}};
  std::string out;
  const auto push = [&rest](std::vector<Piece> pieces) {
    rest.insert(rest.end(), std::make_move_iterator(pieces.rbegin()), std::make_move_iterator(pieces.rend()));
  };
  const auto infix = [&](int own, int demanded, Piece a, std::string_view sign_text, Piece b) {
    std::vector<Piece> pieces{std::move(a), {std::string(sign_text), {}, 0}, std::move(b)};
    if (own < demanded) {
      pieces.insert(pieces.begin(), {"(", {}, 0});
      pieces.push_back({")", {}, 0});
    }
    push(std::move(pieces));
  };
  while (!rest.empty() && out.size() <= longest) {
    const Piece piece = std::move(rest.back());
    rest.pop_back();
    if (piece.binding == 0) {
      out += piece.word;
      continue;
    }
    const NodeId y = piece.formula;
    const auto [a, b, c] = nodes_[y.index].child;
    const Piece nothing{"", {}, 0};
    switch (op(y)) {
      case Op::constant: {
        const std::string number = digits(value(y));
        out += value(y) < 0 && piece.binding > sum ? "(" + number + ")" : number;
        break;
      }
      case Op::variable: {
        const auto found = names_.find(slot(y));
        out += found != names_.end() ? found->second
                                     : "x[" + std::to_string(slot(y).block) + "," + std::to_string(slot(y).index) + "]";
        break;
      }
      case Op::add:
        infix(sum, piece.binding, {"", a, sum}, " + ", {"", b, product});
        break;
      case Op::sub:
        infix(sum, piece.binding, {"", a, sum}, " - ", {"", b, product});
        break;
      case Op::mul:
        // A leading sign may stand before a product as before a number: -2*x.
        infix(product, piece.binding, {"", a, is_constant(a) && piece.binding <= sum ? sum : product}, "*",
              {"", b, sign});
        break;
      case Op::div:
        infix(product, piece.binding, {"", a, is_constant(a) && piece.binding <= sum ? sum : product}, "/",
              {"", b, sign});
        break;
      case Op::neg:
        infix(sum, piece.binding, nothing, "-", {"", a, product});
        break;
      case Op::power:
        infix(exponentiation, piece.binding, {"", a, atom}, "^", {std::to_string(exponent(y)), {}, 0});
        break;
      case Op::pow:
        infix(exponentiation, piece.binding, {"", a, atom}, "^", {"", b, atom});
        break;
      default: {
        std::string before(function_name(op(y)));
        if (is_table(op(y))) {
          const TableCall which = table_call(y);
          before = tables_[which.table]->name();
          for (std::size_t k = 0; k < which.order.size(); ++k)
            for (int n = 0; n < which.order[k]; ++n) before = "d" + std::to_string(k + 1) + " " + before;
        }
        std::vector<Piece> pieces{{before + "(", {}, 0}};
        for (const NodeId child : children(y)) {
          if (pieces.size() > 1)
            pieces.push_back({pieces.size() == 2 && op(y) == Op::select ? " >= 0, " : ", ", {}, 0});
          pieces.push_back({"", child, sum});
        }
        pieces.push_back({")", {}, 0});
        push(std::move(pieces));
      }
    }
  }
  if (out.size() > longest) out = out.substr(0, longest < 3 ? 0 : longest - 3) + "...";
  return out;
}

}  // namespace livens::formula
