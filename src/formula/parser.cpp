#include "livens/formula/parser.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "livens/formula/nearest.hpp"
#if LIVENS_QUAD
#include <quadmath.h>
#endif

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

const Function* find_function(std::string_view name) {
  const auto found =
      std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

// What people paste into formulas, and what to write instead.
struct Substitute {
  std::string_view symbol, instead;
};
constexpr std::array substitutes{
    Substitute{"**", "^"},      Substitute{"\u00d7", "*"},  // multiplication sign
    Substitute{"\u00b7", "*"},                              // middle dot
    Substitute{"\u22c5", "*"},                              // dot operator
    Substitute{"\u2212", "-"},                              // minus sign
    Substitute{"\u2013", "-"},                              // en dash
    Substitute{"\u00b2", "^2"},                             // superscript two
    Substitute{"\u00b3", "^3"},                             // superscript three
    Substitute{"\u2019", "'"},                              // right quotation mark
    Substitute{"\u2032", "'"},                              // prime
    Substitute{"\u03c0", "pi"}, Substitute{"[", "("},      Substitute{"]", ")"},
    Substitute{"{", "("},       Substitute{"}", ")"},
};

// Locale-free, unlike the character classes of the C library.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

// The length of the number at the start of a text: 12, 1., .5, 1e-3; 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t n = count_digits(text), found = n;
  if (n < text.size() && text[n] == '.') {
    const std::size_t decimals = count_digits(text.substr(n + 1));
    found += decimals;
    n += 1 + decimals;
  }
  if (found == 0) return 0;
  if (n < text.size() && (text[n] == 'e' || text[n] == 'E')) {
    const std::size_t signs = n + 1 < text.size() && (text[n + 1] == '+' || text[n + 1] == '-') ? 1 : 0;
    const std::size_t exponent = count_digits(text.substr(std::min(n + 1 + signs, text.size())));
    if (exponent > 0) n += 1 + signs + exponent;
  }
  return n;
}

std::size_t name_length(std::string_view text) {
  if (text.empty() || !starts_name(text[0])) return 0;
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), continues_name) - text.begin());
}

// Correctly rounded by the C library. The decimal point is moved into the exponent first, because that library looks
// for the point of the current locale.
Number to_number(std::string_view text) {
  const std::size_t mantissa = std::min(text.find_first_of("eE"), text.size());
  std::string digits(text.substr(0, mantissa));
  long decimals = 0;
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    decimals = static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  const long written =
      mantissa < text.size() ? std::strtol(std::string(text.substr(mantissa + 1)).c_str(), nullptr, 10) : 0;
  const long far_out = 1'000'000'000;  // keeps the sum below from overflowing
  digits += "e" + std::to_string(std::clamp(written, -far_out, far_out) - decimals);
#if LIVENS_QUAD
  return Number(strtoflt128(digits.c_str(), nullptr));
#else
  return std::strtold(digits.c_str(), nullptr);
#endif
}

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Resolver& names) : graph_(graph), text_(text), names_(names) {}

  NodeId formula() {
    skip_spaces();
    if (at_end()) throw FormulaError(1, "the formula is empty");
    const NodeId f = sum();
    if (!at_end()) refuse_leftover();
    return f;
  }

 private:
  // Counts one level of nesting for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ > deepest_nesting)
        parser.fail(parser.at_, "nested more than " + std::to_string(deepest_nesting) + " levels deep",
                    "; use let names");
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    int& depth_;
  };

  NodeId sum() {
    NodeId f = product();
    for (;;) {
      if (take('+'))
        f = graph_.add(f, product());
      else if (take('-'))
        f = graph_.sub(f, product());
      else
        return f;
    }
  }

  NodeId product() {
    NodeId f = signed_power();
    for (;;) {
      refuse_substitute();
      if (take('*'))
        f = graph_.mul(f, signed_power());
      else if (take('/'))
        f = graph_.div(f, signed_power());
      else
        return f;
    }
  }

  // Serves exponents as well: both are signs before a power.
  NodeId signed_power() {
    const Level level(*this);
    if (take('-')) return graph_.neg(signed_power());
    if (take('+')) return signed_power();
    const NodeId base = operand();
    return take('^') ? graph_.pow(base, signed_power()) : base;
  }

  NodeId operand() {
    if (const std::size_t length = number_length(rest()); length > 0) return number(length);
    if (const std::size_t length = name_length(rest()); length > 0) return name(length);
    if (next() == '(') {
      const std::size_t opening = at_;
      take('(');
      if (next() == ')') fail(at_, "expected an operand", "; the parentheses are empty");
      const NodeId f = sum();
      close(opening);
      return f;
    }
    refuse_character();
    fail(at_, "expected an operand", at_end() ? "; the formula ends too early" : ", found " + token());
  }

  NodeId number(std::size_t length) {
    const std::size_t start = at_;
    const std::string_view digits = text_.substr(at_, length);
    const Number value = to_number(digits);
    const bool is_zero = digits.substr(0, digits.find_first_of("eE")).find_first_of("123456789") == digits.npos;
    if (!is_finite(value)) fail(start, quoted(digits) + " is too large for a number");
    if (value == 0 && !is_zero) fail(start, quoted(digits) + " is too small for a number");
    advance(length);
    return graph_.constant(value);
  }

  NodeId name(std::size_t length) {
    const std::size_t start = at_;
    std::string_view name = text_.substr(at_, length);
    if (at_ + length < text_.size() && text_[at_ + length] == '\'') name = text_.substr(at_, length + 1);
    advance(name.size());
    if (next() == '\'')
      fail(at_, "\"'\" follows " + quoted(name), "; only the first derivative of a coordinate has a name");
    if (const Function* function = find_function(name)) return call(*function, start);
    if (name == "pi") return graph_.constant(pi());
    if (const auto f = names_.resolve(name)) {
      if (next() == '(') fail(at_, quoted(name) + " is not a function", "; is a \"*\" missing before \"(\"?");
      return *f;
    }
    refuse_name(name, start);
  }

  NodeId call(const Function& function, std::size_t start) {
    const std::size_t opening = at_;
    if (!take('(')) fail(start, quoted(function.name) + " is a function", "; write its argument in parentheses");
    std::vector<NodeId> arguments;
    if (next() != ')') {
      do arguments.push_back(sum());
      while (take(','));
    }
    close(opening);
    const std::size_t given = arguments.size(), wanted = static_cast<std::size_t>(arity(function.op));
    if (given < wanted || (given > wanted && !function.any_number))
      fail(start, quoted(function.name) + " takes " + std::to_string(wanted) + (function.any_number ? " or more" : "") +
                      (wanted == 1 ? " argument, " : " arguments, ") + std::to_string(given) + " given");
    NodeId f =
        wanted == 1 ? graph_.call(function.op, arguments[0]) : graph_.call(function.op, arguments[0], arguments[1]);
    for (std::size_t k = 2; k < given; ++k) f = graph_.call(function.op, f, arguments[k]);
    return f;
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

  [[noreturn]] void refuse_name(std::string_view name, std::size_t start) const {
    std::vector<std::string> candidates = names_.known_names();
    candidates.emplace_back("pi");
    if (next() == '(') {
      std::vector<std::string> function_names;
      for (const Function& f : functions) function_names.emplace_back(f.name);
      fail(start, "unknown function " + quoted(name), suggestion(name, function_names));
    }
    if (name.back() == '\'') {
      const std::string_view bare = name.substr(0, name.size() - 1);
      if (std::find(candidates.begin(), candidates.end(), bare) != candidates.end())
        fail(start, "unknown name " + quoted(name), "; " + quoted(bare) + " has no velocity here");
    }
    fail(start, "unknown name " + quoted(name), suggestion(name, candidates));
  }

  void refuse_substitute() const {
    for (const auto& [symbol, instead] : substitutes)
      if (rest().starts_with(symbol)) fail(at_, quoted(symbol) + " is not used", "; write " + quoted(instead));
  }

  // Characters that no formula contains.
  void refuse_character() const {
    refuse_substitute();
    if (at_end()) return;
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
  const Resolver& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

NodeId parse(Graph& graph, std::string_view text, const Resolver& names) {
  return Parser(graph, text, names).formula();
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = name_length(text.substr(at));
    if (length == 0) {
      at += std::max<std::size_t>(1, number_length(text.substr(at)));
      continue;
    }
    if (at + length < text.size() && text[at + length] == '\'') ++length;
    const std::string_view name = text.substr(at, length);
    if (!is_function(name) && name != "pi") names.emplace_back(name);
    at += length;
  }
  return names;
}

bool is_function(std::string_view name) {
  return find_function(name) != nullptr;
}

bool valid_identifier(std::string_view name) {
  return !name.empty() && name_length(name) == name.size();
}

}  // namespace livens::formula
