// Formulas as they are written, with as few parentheses as their meaning needs.
#include <algorithm>
#include <charconv>
#include <sstream>

#include "livens/formula/expression.hpp"

namespace livens::formula {

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
      case Op::select:
        if (is_constant(b) && value(b) == 1 && is_constant(c) && value(c) == 0) {
          push({{"step(", {}, 0}, {"", a, sum}, {")", {}, 0}});
          break;
        }
        [[fallthrough]];
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
