// Derivatives of formulas, by reverse accumulation on their graph (expression.hpp).
#include <algorithm>

#include "livens/formula/expression.hpp"

namespace livens::formula {

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
        const auto variables = children(y).size();
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

}  // namespace livens::formula
