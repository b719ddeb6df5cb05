#include "livens/formula/program.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <sstream>

namespace livens::formula {

namespace {

// Operations on numbered values: first the leaves (constants, then variables), then one value an operation.
using Value = std::uint32_t;

struct Operation {
  Op op;
  std::array<Value, 3> operand;
  std::uint32_t call = 0;  // of tables
};

// The pair that computes outer(inner(a, b), c), or outer(c, inner(a, b)) if the inner value stands second.
std::optional<Op> pair_of(Op outer, Op inner, bool inner_is_second) {
  if (outer == Op::add) {
    if (inner == Op::mul) return Op::mul_add;
    if (inner == Op::add) return Op::add_add;
    if (inner == Op::sub) return Op::dif_add;
  }
  if (outer == Op::sub && inner == Op::mul) return inner_is_second ? Op::sub_mul : Op::mul_sub;
  if (outer == Op::mul) {
    if (inner == Op::mul) return Op::mul_mul;
    if (inner == Op::add) return Op::add_mul;
    if (inner == Op::sub) return Op::dif_mul;
  }
  return std::nullopt;
}

std::uint32_t handler(Op op) {
  if (is_table(op)) return 2;
  return op < Op::neg ? 1 : 3 + static_cast<std::uint32_t>(op) - static_cast<std::uint32_t>(Op::neg);
}

class Compiler {
 public:
  Compiler(const Graph& graph, std::span<const NodeId> outputs) : graph_(graph), reach_(graph, outputs) {
    program_.tables = graph.tables();
    number_leaves();
    number_operations();
    for (const NodeId f : outputs) {
      program_.outputs.push_back(value_[reach_.position(f)]);
      program_.zero.push_back(graph.is_constant(f, 0));
    }
    program_.operations = operations_.size();
    pair_operations();
    assign_registers();
  }

  Program take() { return std::move(program_); }

 private:
  void number_leaves() {
    value_.resize(reach_.size());
    std::vector<std::pair<Slot, std::size_t>> variables;
    bool needs_one = false;  // x^-n is 1/x^n
    for (std::size_t i = 0; i < reach_.size(); ++i) {
      const NodeId y = reach_.nodes()[i];
      if (graph_.op(y) == Op::constant) value_[i] = constant(graph_.value(y));
      if (graph_.op(y) == Op::variable) variables.emplace_back(graph_.slot(y), i);
      if (graph_.op(y) == Op::power && graph_.exponent(y) < 0) needs_one = true;
    }
    if (needs_one) one_ = constant(1);
    leaves_ = static_cast<Value>(program_.constants.size());
    std::sort(variables.begin(), variables.end());
    for (const auto& [slot, i] : variables) {
      auto& inputs = program_.inputs;
      const bool continues = !inputs.empty() && inputs.back().block == slot.block &&
                             inputs.back().index + inputs.back().count == slot.index;
      if (continues)
        ++inputs.back().count;
      else
        inputs.push_back({slot.block, slot.index, 1, leaves_});
      value_[i] = leaves_++;
    }
  }

  void number_operations() {
    for (std::size_t i = 0; i < reach_.size(); ++i) {
      const NodeId y = reach_.nodes()[i];
      const auto children = graph_.children(y);
      if (children.empty()) continue;
      std::array<Value, 3> operand{};
      for (std::size_t k = 0; k < children.size(); ++k) operand[k] = value_[reach_.position(children[k])];
      if (graph_.op(y) != Op::power) {
        value_[i] = emit(graph_.op(y), operand);
        if (is_table(graph_.op(y))) {
          operations_.back().call = static_cast<std::uint32_t>(program_.calls.size());
          program_.calls.push_back(graph_.table_call(y));
        }
        continue;
      }
      const int n = graph_.exponent(y);
      value_[i] = power(operand[0], n < 0 ? -n : n);
      if (n < 0) value_[i] = emit(Op::div, {one_, value_[i]});
    }
  }

  // As `integer_power` does; x^2 made for x^3 serves x^2 and x^4 as well.
  Value power(Value x, int n) {
    if (n == 1) return x;
    if (const auto found = powers_.find({x, n}); found != powers_.end()) return found->second;
    const bool even = n % 2 == 0;
    const Value first = power(x, even ? n / 2 : n - 1);
    return powers_[{x, n}] = emit(Op::mul, {first, even ? first : x});
  }

  Value constant(const Number& x) {
    program_.constants.push_back(x);
    return static_cast<Value>(program_.constants.size() - 1);
  }

  Value emit(Op op, std::array<Value, 3> operand) {
    operations_.push_back({op, operand});
    return leaves_ + static_cast<Value>(operations_.size() - 1);
  }

  // Lets an operation swallow one operand that nobody else uses; the swallowed operation becomes `Op::constant`.
  void pair_operations() {
    std::vector<std::uint32_t> uses(leaves_ + operations_.size(), 0);
    for (const Operation& o : operations_)
      for (std::size_t k = 0; k < count(o); ++k) ++uses[o.operand[k]];
    for (const Value output : program_.outputs) ++uses[output];
    // From the last to the first, so that in a chain the pairs do not overlap.
    for (std::size_t i = operations_.size(); i-- > 0;) {
      Operation& outer = operations_[i];
      if (arity(outer.op) != 2) continue;
      for (const std::size_t k : {std::size_t{1}, std::size_t{0}}) {
        const Value inner_value = outer.operand[k];
        if (inner_value < leaves_ || uses[inner_value] != 1) continue;
        Operation& inner = operations_[inner_value - leaves_];
        const auto pair = pair_of(outer.op, inner.op, k == 1);
        if (!pair) continue;
        outer = {*pair, {inner.operand[0], inner.operand[1], outer.operand[1 - k]}};
        inner.op = Op::constant;
        break;
      }
    }
  }

  void assign_registers() {
    const Value never = std::numeric_limits<Value>::max();
    std::vector<Value> last_use(leaves_ + operations_.size(), 0);
    for (Value i = 0; i < operations_.size(); ++i)
      for (std::size_t k = 0; k < count(operations_[i]); ++k) last_use[operations_[i].operand[k]] = i;
    for (const Value output : program_.outputs) last_use[output] = never;

    std::vector<Program::Register> place(leaves_ + operations_.size());
    for (Value v = 0; v < leaves_; ++v) place[v] = v;
    std::vector<Program::Register> free;
    Program::Register made = leaves_;
    for (Value i = 0; i < operations_.size(); ++i) {
      const Operation& o = operations_[i];
      if (o.op == Op::constant) continue;
      for (std::size_t k = 0; k < count(o); ++k) {
        const Value v = o.operand[k];
        if (v < leaves_ || last_use[v] != i) continue;
        free.push_back(place[v]);
        last_use[v] = never;  // x*x frees x once
      }
      if (free.empty()) free.push_back(made++);
      const Program::Register y = place[leaves_ + i] = free.back();
      free.pop_back();
      program_.code.push_back({is_table(o.op) ? o.call : static_cast<std::uint32_t>(o.op), handler(o.op), y,
                               place[o.operand[0]], place[o.operand[1]], place[o.operand[2]]});
    }
    program_.code.push_back({0, 0, 0, 0, 0, 0});
    for (auto& output : program_.outputs) output = place[output];
    program_.registers = made;
  }

  static std::size_t count(const Operation& o) { return static_cast<std::size_t>(arity(o.op)); }

  const Graph& graph_;
  const Reach reach_;
  Program program_;
  std::vector<Value> value_;  // of the nodes
  std::vector<Operation> operations_;
  std::map<std::pair<Value, int>, Value> powers_;
  Value leaves_ = 0, one_ = 0;
};

}  // namespace

Program compile(const Graph& graph, std::span<const NodeId> outputs) {
  return Compiler(graph, outputs).take();
}

std::string Fault::message() const {
  std::ostringstream out;
  out.precision(6);
  out << formula;
  if (operands.empty()) out << " = " << value;
  for (std::size_t k = 0; k < operands.size(); ++k)
    out << (k == 0 ? " with " : ", ") << operands[k].first << " = " << operands[k].second;
  if (!reason.empty()) out << " is " << reason;
  return out.str();
}

std::optional<Fault> explain(const Graph& graph, std::span<const NodeId> outputs, const double* const* blocks) {
  const Reach reach(graph, outputs);
  std::vector<double> value(reach.size());
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const NodeId y = reach.nodes()[i];
    const auto children = graph.children(y);
    std::array<double, 3> x{};
    bool finite_operands = true;
    for (std::size_t k = 0; k < children.size(); ++k) {
      x[k] = value[reach.position(children[k])];
      finite_operands = finite_operands && is_finite(x[k]);
    }
    switch (graph.op(y)) {
      case Op::constant:
        value[i] = static_cast<double>(graph.value(y));
        break;
      case Op::variable:
        value[i] = blocks[graph.slot(y).block][graph.slot(y).index];
        break;
      case Op::power:
        value[i] = integer_power(x[0], graph.exponent(y));
        break;
      case Op::table1:
      case Op::table2:
      case Op::table3: {
        const TableCall call = graph.table_call(y);
        value[i] = (*graph.tables()[call.table])(call.order, x[0], x[1], x[2]);
        break;
      }
      default:
        value[i] = apply(graph.op(y), x[0], x[1], x[2]);
    }
    if (is_finite(value[i]) || !finite_operands) continue;
    Fault fault{graph.text(y), {}, value[i]};
    if (is_table(graph.op(y))) fault.reason = graph.tables()[graph.table_call(y).table]->outside(x);
    for (std::size_t k = 0; k < children.size(); ++k)
      if (!graph.is_constant(children[k])) fault.operands.emplace_back(graph.text(children[k], 60), x[k]);
    return fault;
  }
  return std::nullopt;
}

}  // namespace livens::formula
