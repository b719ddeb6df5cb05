#include "livens/store/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace livens {

namespace {

using Json = nlohmann::ordered_json;

std::string number(double x) {
  if (!std::isfinite(x)) return "null";
  std::string digits = fmt::format("{:.17g}", x);
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

std::string scalar(const Json& value) {
  if (value.is_number_float()) return number(value.get<double>());
  // A path may be any bytes: a summary with a replaced letter is better than none.
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool stands_on_one_line(const Json& array) {
  return std::all_of(array.begin(), array.end(), [](const Json& x) { return x.is_number() || x.is_null(); });
}

void print(const Json& value, int indent, int level, std::string& text) {
  if (!value.is_structured()) {
    text += scalar(value);
    return;
  }
  const bool one_line = value.empty() || (value.is_array() && stands_on_one_line(value));
  const auto new_line = [&](int at) { text += '\n' + std::string(static_cast<std::size_t>(indent * at), ' '); };
  text += value.is_array() ? '[' : '{';
  bool first = true;
  for (const auto& [key, item] : value.items()) {
    if (!first) text += one_line ? ", " : ",";
    first = false;
    if (!one_line) new_line(level + 1);
    if (value.is_object()) text += scalar(key) + ": ";
    print(item, indent, level + 1, text);
  }
  if (!one_line) new_line(level);
  text += value.is_array() ? ']' : '}';
}

}  // namespace

std::string to_text(const Json& value, int indent) {
  std::string text;
  print(value, indent, 0, text);
  return text;
}

}  // namespace livens
