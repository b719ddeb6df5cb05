#include "formula/characters.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "livens/formula/parser.hpp"
#if LIVENS_QUAD
#include <quadmath.h>
#endif

namespace livens::formula {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

}  // namespace

bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t number_length(std::string_view text) {
  std::size_t n = count_digits(text), found = n;
  if (n < text.size() && text[n] == '.' && !text.substr(n).starts_with("..")) {  // 0..9 is a range
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

namespace {

// Calls take(name, is_called) for every name but functions and pi.
template <class Take>
void for_names(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = name_length(text.substr(at));
    if (length == 0) {
      at += std::max<std::size_t>(1, number_length(text.substr(at)));
      continue;
    }
    if (at + length < text.size() && text[at + length] == '\'') ++length;
    const std::string_view name = text.substr(at, length);
    at += length;
    const std::size_t after = std::min(text.find_first_not_of(" \t\n\r", at), text.size());
    const bool is_called = text.substr(after).starts_with('(');
    if (!is_function(name) && name != "pi") take(name, is_called);
  }
}

}  // namespace

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for_names(text, [&](std::string_view name, bool is_called) {
    if (!is_called) names.emplace_back(name);
  });
  return names;
}

std::vector<std::string> tables_in(std::string_view text) {
  std::vector<std::string> names;
  for_names(text, [&](std::string_view name, bool is_called) {
    if (is_called) names.emplace_back(name);
  });
  return names;
}

std::optional<Number> number_in(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  if (digits.empty() || number_length(digits) != digits.size()) return std::nullopt;
  const Number value = to_number(digits);
  if (!is_finite(value)) return std::nullopt;
  return negative ? -value : value;
}

bool valid_identifier(std::string_view name) {
  return !name.empty() && name_length(name) == name.size();
}

}  // namespace livens::formula
