#include "livens/formula/expression.hpp"

#include <algorithm>
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

std::vector<Corner> Graph::corners(std::span<const NodeId> formulas) {
  std::vector<Corner> all;
  const Reach reach(*this, formulas);
  for (const NodeId y : reach.nodes()) {
    const std::array<NodeId, 3> x = nodes_[y.index].child;
    switch (op(y)) {
      case Op::sign:
      case Op::select:
        all.push_back({Corner::Kind::jump, x[0]});
        break;
      case Op::abs:
        all.push_back({Corner::Kind::sharp, x[0]});
        break;
      case Op::min:
      case Op::max:
        all.push_back({Corner::Kind::sharp, sub(x[0], x[1])});
        break;
      case Op::sqrt:
      case Op::pow:
        all.push_back({Corner::Kind::root, x[0]});
        break;
      case Op::hypot: {
        const NodeId a = mul(x[0], x[0]), b = mul(x[1], x[1]);
        all.push_back({Corner::Kind::root, add(a, b)});
        break;
      }
      case Op::tanh:
      case Op::atan:
        all.push_back({Corner::Kind::sigmoid, x[0]});
        break;
      case Op::exp:
        all.push_back({Corner::Kind::blow, x[0]});
        break;
      default:
        break;
    }
  }
  return all;
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

}  // namespace livens::formula
