#include "livens/formula/parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "formula/characters.hpp"
#include "formula/hints.hpp"
#include "livens/formula/functions.hpp"
#include "livens/formula/nearest.hpp"

namespace livens::formula {

namespace {

struct Function {
  std::string_view name;
  Op op;
  bool any_number = false;  // of arguments, from two
};

constexpr std::array functions{
    Function{"sin", Op::sin},       Function{"cos", Op::cos},   Function{"tan", Op::tan},
    Function{"asin", Op::asin},     Function{"acos", Op::acos}, Function{"atan", Op::atan},
    Function{"atan2", Op::atan2},   Function{"sinh", Op::sinh}, Function{"cosh", Op::cosh},
    Function{"tanh", Op::tanh},     Function{"exp", Op::exp},   Function{"log", Op::log},
    Function{"sqrt", Op::sqrt},     Function{"abs", Op::abs},   Function{"min", Op::min, true},
    Function{"max", Op::max, true}, Function{"pow", Op::pow},   Function{"hypot", Op::hypot},
};

// Functions where a parenthesis follows, names like others where none does; of so many arguments.
struct Called {
  std::string_view name;
  std::size_t arguments;
};
constexpr std::array called{Called{"sign", 1},       Called{"step", 1}, Called{"smoothabs", 2}, Called{"smoothsign", 2},
                            Called{"smoothstep", 2}, Called{"d", 2},    Called{"if", 3}};

const Called* find_called(std::string_view name) {
  const auto found = std::find_if(called.begin(), called.end(), [&](const Called& f) { return f.name == name; });
  return found == called.end() ? nullptr : &*found;
}

const Function* find_function(std::string_view name) {
  const auto found =
      std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

constexpr long long largest_index = 1'000'000'000;

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Resolver& names, const Indices& indices, PartialSums* sums)
      : graph_(graph), text_(text), names_(&names), indices_(indices), sums_(sums ? sums : &own_sums_) {}

  NodeId formula() {
    start("the formula");
    const NodeId f = node(sum());
    if (!at_end()) refuse_leftover();
    return f;
  }

  Range whole_range() {
    const char* const remedy = "; a range is written i = 0..9";
    start("the range", remedy);
    const Range all = range(remedy);
    if (next() == ',') fail(at_, "\",\"", " follows the range; a repeat has one, and another repeat may stand in it");
    if (!at_end()) refuse_leftover();
    return all;
  }

  std::string whole_name() {
    start("the name");
    const std::size_t length = name_length(rest());
    if (length == 0) fail(at_, "expected a name", ", found " + token());
    std::string name(rest().substr(0, length));
    advance(length);
    if (next() == '[') name += indices_in_brackets();
    skip_spaces();
    if (!at_end()) fail(at_, "unexpected " + token(), "; a name with indices is written x[i] or x[i,j]");
    return name;
  }

 private:
  // Counts one level of nesting for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : depth_(parser.names_->nesting) {
      if (depth_ >= deepest_nesting)
        parser.fail(parser.at_, "nested more than " + std::to_string(deepest_nesting) + " levels deep",
                    "; use let names");
      ++depth_;
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    int& depth_;
  };

  // ---- operands -----------------------------------------------------------------------------------------------------

  NodeId node(const Operand& x) {
    if (const NodeId* f = std::get_if<NodeId>(&x)) return *f;
    return graph_.constant(std::get<Number>(x));
  }

  Operand operand_of(NodeId f) const {
    if (graph_.is_constant(f)) return graph_.value(f);
    return f;
  }

  Operand apply(Op op, const Operand& a, const Operand& b = Number(0)) {
    const Number *x = std::get_if<Number>(&a), *y = std::get_if<Number>(&b);
    if (x && y)
      if (const auto value = folded(op, *x, *y)) return *value;
    const NodeId first = node(a);
    return operand_of(arity(op) == 1 ? graph_.call(op, first) : graph_.call(op, first, node(b)));
  }

  // ---- grammar ------------------------------------------------------------------------------------------------------

  void start(const std::string& what, const std::string& remedy = "") {
    skip_spaces();
    if (at_end()) throw FormulaError(1, what + " is empty" + remedy);
  }

  Operand sum() {
    Operand f = product();
    for (;;) {
      if (take('+'))
        f = apply(Op::add, f, product());
      else if (take('-'))
        f = apply(Op::sub, f, product());
      else
        return f;
    }
  }

  Operand product() {
    Operand f = signed_power();
    for (;;) {
      refuse_substitute();
      if (take('*'))
        f = apply(Op::mul, f, signed_power());
      else if (take('/'))
        f = apply(Op::div, f, signed_power());
      else
        return f;
    }
  }

  // Serves exponents as well: both are signs before a power.
  Operand signed_power() {
    const Level level(*this);
    if (take('-')) return apply(Op::neg, signed_power());
    if (take('+')) return signed_power();
    const Operand base = operand();
    return take('^') ? apply(Op::pow, base, signed_power()) : base;
  }

  Operand operand() {
    if (const std::size_t length = number_length(rest()); length > 0) return number(length);
    if (const std::size_t length = name_length(rest()); length > 0) return name(length);
    if (next() == '(') {
      const std::size_t opening = at_;
      take('(');
      if (next() == ')') fail(at_, "expected an operand", "; the parentheses are empty");
      const Operand f = sum();
      close(opening);
      return f;
    }
    refuse_character();
    fail(at_, "expected an operand", at_end() ? "; the formula ends too early" : ", found " + token());
  }

  // Apart from `operand`, like some below: their variables would lie on the stack at every level of nesting.
  [[gnu::noinline]] Operand number(std::size_t length) {
    const std::size_t start = at_;
    const std::string_view digits = text_.substr(at_, length);
    const Number value = to_number(digits);
    const bool is_zero = digits.substr(0, digits.find_first_of("eE")).find_first_of("123456789") == digits.npos;
    if (!is_finite(value)) fail(start, quoted(digits) + " is too large for a number");
    if (value == 0 && !is_zero) fail(start, quoted(digits) + " is too small for a number");
    advance(length);
    return value;
  }

  Operand name(std::size_t length) {
    const std::size_t start = at_;
    const std::string_view word = rest().substr(0, length);
    advance(length);
    if (next() == '(') {
      if (word == "sum" || word == "prod") return repetition(word == "sum" ? Op::add : Op::mul);
      if (word == "d") return derivative(start);
      if (const Called* function = find_called(word)) return call(*function, start);
      if (const auto table = names_->table(word)) return table_call(*table, word, start);
    }
    if (const Function* function = find_function(word)) return call(*function, start);
    at_ = start;
    return value_of_name(length);
  }

  [[gnu::noinline]] Operand value_of_name(std::size_t length) {
    const std::size_t start = at_;
    std::string name(rest().substr(0, length));
    at_ += length;
    take_quote(name);
    skip_spaces();
    if (name == "pi") return pi();
    for (const Index& index : indices_)
      if (index.name == name) {
        if (next() == '[')
          fail(start, quoted(name) + " is an index here", "; choose a name for it that nothing else has");
        return Number(index.value);
      }
    if (next() == '[') {
      if (name.back() == '\'')
        fail(at_ - 1, "\"'\" stands before the index", "; write " + name.substr(0, length) + "[...]'");
      name += indices_in_brackets();
      take_quote(name);
      skip_spaces();
    }
    if (next() == '\'')
      fail(at_, "\"'\" follows " + quoted(name), "; only the first derivative of a coordinate has a name");
    auto f = names_->resolve(name);
    if (!f && name.back() == '\'') f = time_derivative(name.substr(0, name.size() - 1), start);
    if (f) {
      if (next() == '(') fail(at_, quoted(name) + " is not a function", "; is a \"*\" missing before \"(\"?");
      return operand_of(*f);
    }
    refuse_name(name, start);
  }

  void take_quote(std::string& name) {
    if (next() != '\'') return;
    name += '\'';
    ++at_;
  }

  // f_t + f_q q' of a definition f; none if it is none.
  [[gnu::noinline]] std::optional<NodeId> time_derivative(const std::string& name, std::size_t start) {
    if (!names_->is_definition(name)) return std::nullopt;
    const NodeId f = *names_->resolve(name);
    count_differentiation(f, start);
    const std::vector<Slot> variables = graph_.variables(f);
    const std::vector<NodeId> partial = graph_.gradient(f, variables);
    NodeId total = graph_.constant(0);
    for (std::size_t k = 0; k < variables.size(); ++k) {
      const auto rate = names_->rate(variables[k]);
      if (!rate) refuse_rate(name, graph_.text(graph_.variable(variables[k])), start);
      total = graph_.add(total, graph_.mul(partial[k], *rate));
    }
    return total;
  }

  std::vector<Operand> arguments_in_parentheses() {
    const std::size_t opening = at_;
    take('(');
    std::vector<Operand> arguments;
    if (next() != ')') {
      do arguments.push_back(sum());
      while (take(','));
    }
    close(opening);
    return arguments;
  }

  [[gnu::noinline]] Operand call(const Called& function, std::size_t start) {
    const Level level(*this);
    if (function.name == "if") return choice(start);
    const std::vector<Operand> x = arguments_in_parentheses();
    if (x.size() != function.arguments)
      fail(start,
           quoted(function.name) + " takes " + std::to_string(function.arguments) +
               (function.arguments == 1 ? " argument, " : " arguments, ") + std::to_string(x.size()) + " given",
           function.arguments == 2 ? "; the second is the width over which it is smooth" : "");
    if (function.name == "sign") return apply(Op::sign, x[0]);
    if (function.name == "step") return operand_of(graph_.select(node(x[0]), graph_.constant(1), graph_.constant(0)));
    if (const Number* width = std::get_if<Number>(&x[1]); width && !(*width > 0))
      fail(start, "the width of " + quoted(function.name) + " is " + graph_.text(graph_.constant(*width)),
           "; write a positive number");
    if (function.name == "smoothabs")
      return apply(Op::sqrt, apply(Op::add, apply(Op::pow, x[0], Number(2)), apply(Op::pow, x[1], Number(2))));
    const Operand smooth = apply(Op::tanh, apply(Op::div, x[0], x[1]));
    return function.name == "smoothsign" ? smooth : apply(Op::div, apply(Op::add, Number(1), smooth), Number(2));
  }

  // if(a < b, f, g)
  Operand choice(std::size_t start) {
    const char* const remedy = "; write if(x > y, a, b) with <, <=, > or >=";
    const std::size_t opening = at_;
    take('(');
    const NodeId a = node(sum());
    const char sign = next();
    if (sign != '<' && sign != '>') fail(at_, "\"if\" needs a comparison", remedy);
    advance(1);
    const bool or_equal = take('=');
    const NodeId b = node(sum());
    // a >= b: a - b >= 0;  a > b: not b - a >= 0
    const bool first_minus_second = (sign == '>') == or_equal;
    if (!take(',')) fail(at_, "expected \",\"", remedy);
    const NodeId f = node(sum());
    if (!take(',')) fail(start, "\"if\" takes 3 arguments", remedy);
    const NodeId g = node(sum());
    close(opening);
    const NodeId difference = first_minus_second ? graph_.sub(a, b) : graph_.sub(b, a);
    return operand_of(or_equal ? graph_.select(difference, f, g) : graph_.select(difference, g, f));
  }

  [[gnu::noinline]] Operand table_call(std::uint32_t table, std::string_view name, std::size_t start) {
    const Level level(*this);
    const std::vector<Operand> given = arguments_in_parentheses();
    const std::size_t variables = graph_.tables()[table]->variables();
    if (given.size() != variables)
      fail(start, "table " + quoted(name) + " has " + std::to_string(variables) +
                      (variables == 1 ? " variable, " : " variables, ") + std::to_string(given.size()) + " given");
    std::vector<NodeId> x;
    for (const Operand& argument : given) x.push_back(node(argument));
    return operand_of(graph_.table({table, {}}, x));
  }

  // d(f, x)
  [[gnu::noinline]] Operand derivative(std::size_t start) {
    const Level level(*this);
    const std::size_t opening = at_;
    take('(');
    const std::size_t body = at_, comma = end_of_argument(body);
    if (comma == text_.size() || text_[comma] != ',')
      fail(start, "\"d\" takes a formula and the name by which it is differentiated", "; write d(x^2*y, x)");
    at_ = comma;
    take(',');
    const std::size_t named = at_;
    const std::string x = name_to_differentiate_by();
    const std::size_t end = at_;
    const auto meaning = names_->resolve(x);
    if (!meaning && x.back() == '\'' && names_->is_definition(std::string_view(x).substr(0, x.size() - 1)))
      fail(named, quoted(x) + " is the velocity of a definition", "; differentiate by the velocities of coordinates");
    if (!meaning) refuse_name(x, named);

    at_ = body;
    const auto first_argument = [&] {
      skip_spaces();
      if (at_ == comma) fail(at_, "expected an operand", "; write d(x^2*y, x)");
      const NodeId f = node(sum());
      if (at_ != comma) refuse_leftover();
      return f;
    };
    NodeId result;
    if (graph_.op(*meaning) == Op::variable && !names_->is_definition(x)) {
      const NodeId f = first_argument();
      count_differentiation(f, start);
      result = graph_.derivative(f, graph_.slot(*meaning));
    } else {
      Slot variable;
      const Resolver* const varying = names_->varying(x, variable);
      if (varying == nullptr) fail(named, quoted(x) + " cannot be varied here", "; differentiate by a variable");
      varying->nesting = names_->nesting;
      varying->repeated = names_->repeated;
      PartialSums sums;
      const Resolver* const outer = std::exchange(names_, varying);
      PartialSums* const outer_sums = std::exchange(sums_, &sums);
      const NodeId f = first_argument();
      sums_ = outer_sums;
      names_ = outer;
      names_->repeated = varying->repeated;
      count_differentiation(f, start);
      result = graph_.substitute(graph_.derivative(f, variable), {{variable, *meaning}});
    }
    at_ = end;
    close(opening);
    return operand_of(result);
  }

  // Derivatives of derivatives grow by a factor each time: they are counted like what is read again.
  void count_differentiation(NodeId f, std::size_t start) const {
    constexpr std::size_t cost = 32, growth = 8;
    const std::size_t size = Reach(graph_, std::array{f}).size();
    if (!may_repeat(graph_, *names_, 1, cost * size) ||
        static_cast<long long>(growth * size + graph_.size()) > most_nodes)
      fail(start, "too much is differentiated",
           "; differentiate less often, or a shorter formula: a model may have " + std::to_string(most_nodes) +
               " operations");
  }

  std::string name_to_differentiate_by() {
    const char* const remedy =
        "; d(f, x) takes a coordinate, velocity, parameter or definition, or t: name an expression in system.let";
    const std::size_t start = at_, length = name_length(rest());
    if (length == 0) fail(at_, "the second argument of \"d\" is not a name", remedy);
    std::string name(rest().substr(0, length));
    at_ += length;
    if (name == "pi" || std::any_of(indices_.begin(), indices_.end(), [&](const Index& i) { return i.name == name; }))
      fail(start, quoted(name) + " is a number that never varies", remedy);
    if (next() == '[') name += indices_in_brackets();
    take_quote(name);
    skip_spaces();
    if (next() != ')') fail(start, "the second argument of \"d\" is not a name alone", remedy);
    return name;
  }

  [[gnu::noinline]] Operand call(const Function& function, std::size_t start) {
    if (next() != '(') fail(start, quoted(function.name) + " is a function", "; write its argument in parentheses");
    const std::vector<Operand> arguments = arguments_in_parentheses();
    const std::size_t given = arguments.size(), wanted = static_cast<std::size_t>(arity(function.op));
    if (given < wanted || (given > wanted && !function.any_number)) refuse_arguments(function, given, start);
    Operand f = wanted == 1 ? apply(function.op, arguments[0]) : apply(function.op, arguments[0], arguments[1]);
    for (std::size_t k = 2; k < given; ++k) f = apply(function.op, f, arguments[k]);
    return f;
  }

  // ---- repetitions --------------------------------------------------------------------------------------------------

  [[gnu::noinline]] Operand repetition(Op op) {
    const Level level(*this);
    const std::size_t opening = at_;
    take('(');
    const Range all = range("; a range is written i = 0..9, and stands first in sum(i = 0..9, x[i])");
    if (!take(',')) fail(at_, "expected \",\"", "; write sum(i = 0..9, x[i]) or prod(i = 0..9, x[i])");

    const std::size_t body = at_;
    PartialSum& partial = (*sums_)[body];
    if (partial.end == 0) {
      partial.end = end_of_argument(body);
      partial.mentioned = mentioned_indices(text_.substr(body, partial.end - body));
    }
    const bool continues = update(partial.mentioned) && partial.first == all.first && partial.first <= partial.last &&
                           partial.last <= all.last;
    if (!continues) {
      partial.first = all.first;
      partial.last = all.first - 1;
      partial.value = Number(op == Op::add ? 0 : 1);
    }
    if (!may_repeat(graph_, *names_, all.last - partial.last, partial.end - body))
      fail(opening, "too much is repeated",
           "; write a smaller range: a model may read " + std::to_string(most_repeated) +
               " characters again, and have " + std::to_string(most_nodes) + " operations");
    Operand total = partial.value;
    at_ = partial.end;
    indices_.push_back({all.index, 0});
    for (long long k = partial.last + 1; k <= all.last; ++k) {
      indices_.back().value = k;
      at_ = body;
      total = apply(op, total, sum());
    }
    indices_.pop_back();
    close(opening);
    partial.last = all.last;
    partial.value = total;
    return total;
  }

  Range range(const char* remedy) {
    const std::size_t start = at_, length = name_length(rest());
    if (length == 0) fail(at_, "expected an index", remedy);
    Range all;
    all.index = rest().substr(0, length);
    advance(length);
    if (!take('=')) fail(at_, "expected \"=\"", remedy);
    const auto is_index = [&](const Index& index) { return index.name == all.index; };
    if (all.index == "t" || all.index == "pi" || is_function(all.index) || names_->contains(all.index) ||
        std::any_of(indices_.begin(), indices_.end(), is_index))
      fail(start, quoted(all.index) + " has a meaning already", "; choose another name for the index");
    all.first = whole_number();
    if (!rest().starts_with("..")) fail(at_, "expected \"..\"", remedy);
    advance(2);
    if (next() == '.') fail(at_, "a third \".\"", remedy);
    all.last = whole_number();
    if (all.last < all.first - 1)
      fail(start, "the range " + std::to_string(all.first) + ".." + std::to_string(all.last) + " runs backwards",
           "; write the smaller number first");
    return all;
  }

  // [1,2] as it belongs to a name.
  std::string indices_in_brackets() {
    const Level level(*this);
    const std::size_t opening = at_;
    take('[');
    ++brackets_;
    if (next() == ']')
      fail(at_, "an index is missing", "; write a whole number or a formula of parameters and indices");
    std::string written = "[" + std::to_string(whole_number());
    while (take(',')) written += "," + std::to_string(whole_number());
    if (at_end()) fail(opening, "\"[\"", " is never closed");
    if (next() != ']') refuse_leftover();
    --brackets_;
    ++at_;  // a quote may follow, a space may not stand between
    return written + "]";
  }

  long long whole_number() {
    using std::abs, std::floor;
    const std::size_t start = at_;
    const Operand value = sum();
    const Number* const number = std::get_if<Number>(&value);
    if (number == nullptr) refuse_index(std::get<NodeId>(value), start);
    if (floor(*number) != *number)
      fail(start, "an index is " + graph_.text(graph_.constant(*number)), "; write a whole number");
    if (abs(*number) > Number(largest_index))
      fail(start, "an index is " + graph_.text(graph_.constant(*number)),
           "; write a number from -" + std::to_string(largest_index) + " to " + std::to_string(largest_index));
    return static_cast<long long>(*number);
  }

  // Where an argument ends: at the comma or parenthesis that closes it.
  std::size_t end_of_argument(std::size_t at) const {
    int open = 0;
    for (; at < text_.size(); ++at) {
      const char c = text_[at];
      if (open == 0 && (c == ',' || c == ')')) return at;
      if (c == '(' || c == '[') ++open;
      if (c == ')' || c == ']') --open;
    }
    return at;
  }

  Indices mentioned_indices(std::string_view text) const {
    if (indices_.empty()) return {};
    const std::vector<std::string> names = names_in(text);
    Indices mentioned;
    for (const Index& index : indices_)
      if (std::find(names.begin(), names.end(), index.name) != names.end()) mentioned.push_back(index);
    return mentioned;
  }

  // Brings indices to their present values; false if one had another value.
  bool update(Indices& mentioned) const {
    bool same = true;
    for (Index& index : mentioned) {
      const auto now =
          std::find_if(indices_.begin(), indices_.end(), [&](const Index& i) { return i.name == index.name; });
      same = same && *now == index;
      index = *now;
    }
    return same;
  }

  void close(std::size_t opening) {
    if (take(')')) return;
    if (at_end()) fail(opening, "\"(\"", " is never closed");
    refuse_leftover();
  }

  // ---- refusals: `fail` puts " at column n" between what is wrong and the remedy ------------------------------------

  [[noreturn]] void fail(std::size_t at, const std::string& wrong, const std::string& remedy = "") const {
    const int column = static_cast<int>(at) + 1;
    throw FormulaError(column, wrong + " at column " + std::to_string(column) + remedy);
  }

  [[noreturn, gnu::noinline]] void refuse_arguments(const Function& function, std::size_t given,
                                                    std::size_t start) const {
    const int wanted = arity(function.op);
    fail(start, quoted(function.name) + " takes " + std::to_string(wanted) + (function.any_number ? " or more" : "") +
                    (wanted == 1 ? " argument, " : " arguments, ") + std::to_string(given) + " given");
  }

  [[noreturn, gnu::noinline]] void refuse_rate(const std::string& name, const std::string& variable,
                                               std::size_t start) const {
    const std::string wrong = quoted(name + "'") + " is the time derivative of " + quoted(name) + ", which contains " +
                              quoted(variable) + ",";
    if (variable.back() == '\'')
      fail(start, wrong,
           ": it would contain an acceleration, which the equations of motion determine and formulas do not have; take "
           "the velocity of a definition of coordinates and t");
    fail(start, wrong,
         ": formulas of this system have no velocity of that; take the velocity of a definition of t, and of "
         "coordinates that have one");
  }

  [[noreturn, gnu::noinline]] void refuse_index(NodeId f, std::size_t start) const {
    if (graph_.variables(f).empty()) fail(start, "an index is " + graph_.text(f) + ", which is not finite,");
    fail(start, "an index is not a number", "; it may contain parameters and other indices only");
  }

  // arm[2].x, as results name coordinates of bodies, is arm_x[2]; empty: none is meant.
  std::string coordinate_meant(std::string_view name, const std::vector<std::string>& candidates) const {
    if (next() != '.') return "";
    std::string_view part = rest().substr(1);
    part = part.substr(0, std::min(part.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789'"), part.size()));
    const std::size_t bracket = std::min(name.find('['), name.size());
    const std::string meant = std::string(name.substr(0, bracket)) + "_" +
                              std::string(part.substr(0, part.find('\''))) + std::string(name.substr(bracket));
    if (std::find(candidates.begin(), candidates.end(), meant) == candidates.end()) return "";
    return quoted(meant + (part.ends_with('\'') ? "'" : ""));
  }

  [[noreturn, gnu::noinline]] void refuse_name(std::string_view name, std::size_t start) const {
    std::vector<std::string> candidates = names_->known_names();
    candidates.emplace_back("pi");
    const std::string_view family = name.substr(0, std::min(name.find_first_of("['"), name.size()));
    if (const std::string extent = extent_of(family, candidates); !extent.empty())
      fail(start, "there is no " + quoted(name), "; " + extent);
    if (family.size() < name.size() && name[family.size()] == '[' && names_->contains(family))
      fail(start, quoted(family) + " has no indices", "; leave them out");
    if (names_->table(name)) fail(start, quoted(name) + " is a table", "; write its arguments in parentheses");
    if (name == "sum" || name == "prod")
      fail(start, quoted(name) + " is a function", "; write sum(i = 0..9, x[i]) or prod(i = 0..9, x[i])");
    if (next() == '(') {
      std::vector<std::string> function_names = names_->tables();
      for (const FunctionWords& f : functions_in_words()) function_names.emplace_back(f.name);
      std::string remedy = suggestion(name, function_names);
      if (remedy.empty()) {
        for (const std::string& function : function_names)
          remedy += (remedy.empty() ? "; there are " : ", ") + function;
      }
      fail(start, "unknown function " + quoted(name), remedy);
    }
    if (name.back() == '\'') {
      const std::string_view bare = name.substr(0, name.size() - 1);
      if (std::find(candidates.begin(), candidates.end(), bare) != candidates.end())
        fail(start, "unknown name " + quoted(name), "; " + quoted(bare) + " has no velocity here");
    }
    if (const std::string velocity = velocity_meant(family, candidates); !velocity.empty())
      fail(start, "unknown name " + quoted(name), "; a velocity is written with a quote: " + velocity);
    if (const std::string coordinate = coordinate_meant(name, candidates); !coordinate.empty())
      fail(start, "unknown name " + quoted(name), "; in formulas it is " + coordinate);
    std::string remedy = suggestion(name, candidates);
    if (remedy.empty() && brackets_ > 0)
      remedy =
          "; an index is known inside of its sum(i = 0..9, x[i]) or { for = \"i = 0..9\", each = [\"x[i]\"] } only";
    fail(start, "unknown name " + quoted(name), remedy);
  }

  void refuse_substitute() const {
    const Substitute* const found = find_substitute(rest());
    if (found != nullptr && !(brackets_ > 0 && found->symbol == "]"))
      fail(at_, quoted(found->symbol) + " is not used", "; write " + quoted(found->instead));
  }

  // Characters that no formula contains.
  void refuse_character() const {
    refuse_substitute();
    if (at_end()) return;
    if (next() == '<' || next() == '>')
      fail(at_, token() + " is not used", "; comparisons stand in if(x > y, a, b) only");
    if (next() == '=') fail(at_, "\"=\" is not used", "; a formula is one expression, write a = b as a - b");
    if (next() == '\'') fail(at_, "stray \"'\"", "; it may only follow the name of a coordinate");
    const bool ascii = static_cast<unsigned char>(next()) < 128;
    if (!ascii) fail(at_, token() + " is not an ASCII character", "; formulas use ASCII characters only");
    if (std::string_view("+-*/^(),.").find(next()) == std::string_view::npos && !continues_name(next()))
      fail(at_, "unexpected character " + token());
  }

  // After a complete expression: what stands here can not continue it.
  [[noreturn]] void refuse_leftover() const {
    refuse_character();
    if (next() == ')') fail(at_, "\")\"", " closes nothing; is a \"(\" missing?");
    if (next() == ',') fail(at_, "\",\"", " stands outside of the arguments of a function; decimals take a point");
    fail(at_, "expected an operator", "; is a \"*\" missing before " + token() + "?");
  }

  // ---- characters ---------------------------------------------------------------------------------------------------

  std::string_view rest() const { return text_.substr(at_); }
  bool at_end() const { return at_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }

  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  void advance(std::size_t n) {
    at_ += n;
    skip_spaces();
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    advance(1);
    return true;
  }

  // The number, name or (multi-byte) character that stands next.
  std::string token() const {
    std::size_t length = std::max({number_length(rest()), name_length(rest()), std::size_t{1}});
    const auto continues_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; };
    if (static_cast<unsigned char>(next()) >= 128)
      while (at_ + length < text_.size() && continues_character(text_[at_ + length])) ++length;
    return quoted(rest().substr(0, length));
  }
  static std::string quoted(std::string_view word) {
    constexpr std::size_t longest = 60;
    return "\"" + std::string(word.substr(0, longest)) + (word.size() > longest ? "...\"" : "\"");
  }

  static Number pi() {
    using std::acos;
    return acos(Number(-1));
  }

  Graph& graph_;
  std::string_view text_;
  const Resolver* names_;
  Indices indices_;
  PartialSums own_sums_;
  PartialSums* sums_;
  std::size_t at_ = 0;
  int brackets_ = 0;
};

}  // namespace

NodeId parse(Graph& graph, std::string_view text, const Resolver& names, const Indices& indices, PartialSums* sums) {
  return Parser(graph, text, names, indices, sums).formula();
}

Range parse_range(Graph& graph, std::string_view text, const Resolver& names, const Indices& indices) {
  return Parser(graph, text, names, indices, nullptr).whole_range();
}

std::string parse_name(Graph& graph, std::string_view text, const Resolver& names, const Indices& indices) {
  return Parser(graph, text, names, indices, nullptr).whole_name();
}

std::string in_words(const Indices& indices) {
  std::string text;
  for (const Index& index : indices)
    text += (text.empty() ? " (" : ", ") + index.name + " = " + std::to_string(index.value);
  return text.empty() ? text : text + ")";
}

bool may_repeat(const Graph& graph, const Resolver& names, long long times, std::size_t characters) {
  // Every time costs something, however short the text is. The product is one of numbers below 1e10 and 1e8.
  names.repeated += times * (static_cast<long long>(characters) + 16);
  return names.repeated <= most_repeated && static_cast<long long>(graph.size()) <= most_nodes;
}

bool is_function(std::string_view name) {
  return find_function(name) != nullptr;
}

}  // namespace livens::formula
