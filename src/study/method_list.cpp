// "rattle, galerkin(s=2, w=2)"
//
//   list = method { "," method } ,   method = name [ "(" [ key "=" value { "," key "=" value } ] ")" ]
//
// Spaces around names, keys and values do not count. Whether there is such a method with such keys is the registry's
// to say.
#include <fmt/format.h>

#include <algorithm>

#include "livens/study/studies.hpp"

namespace livens {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The parts between commas that stand outside of parentheses.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth <= 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

// Why a text is no method; who asked for it says what to write instead.
[[noreturn]] void refuse(const std::string& part, const std::string& why) {
  throw InputError(fmt::format("\"{}\": {}", part, why));
}

MethodChoice method_of(const std::string& part) {
  if (part.empty()) refuse(part, "the name of a method is missing");
  const std::size_t open = part.find('(');
  if (part.find(')') < open) refuse(part, "a parenthesis is closed that was not opened");
  const std::string name = trimmed(part.substr(0, open));
  if (name.empty()) refuse(part, "the name of a method is missing before the parenthesis");
  MethodChoice choice{.text = part, .set = {{"method.name", name}}};
  if (open == std::string::npos) return choice;
  const std::size_t close = part.find(')', open);
  if (close == std::string::npos) refuse(part, "the parenthesis is not closed");
  if (close + 1 != part.size()) refuse(part, "nothing may follow the parenthesis but a comma");
  const std::string inside = part.substr(open + 1, close - open - 1);
  if (trimmed(inside).empty()) return choice;  // rattle()
  for (const std::string& pair : parts_of(inside)) {
    const std::size_t equals = pair.find('=');
    const std::string key = trimmed(pair.substr(0, equals));
    const std::string value = equals == std::string::npos ? "" : trimmed(pair.substr(equals + 1));
    if (key.empty() || value.empty()) refuse(part, fmt::format("\"{}\" is not key=value", pair));
    const std::string full = "method." + key;
    if (std::any_of(choice.set.begin(), choice.set.end(), [&](const auto& set) { return set.first == full; }))
      refuse(part, fmt::format("{} is given twice", key));
    choice.set.emplace_back(full, value);
  }
  return choice;
}

}  // namespace

std::vector<MethodChoice> read_methods(const std::string& text) try {
  std::vector<MethodChoice> choices;
  for (const std::string& part : parts_of(text)) {
    choices.push_back(method_of(part));
    for (std::size_t i = 0; i + 1 < choices.size(); ++i)
      if (choices[i].set == choices.back().set) refuse(part, "the method is given twice");
  }
  return choices;
} catch (const InputError& e) {
  throw InputError(fmt::format("--methods: {}; write a list such as \"rattle, galerkin(s=2, w=2)\"", e.what()));
}

MethodChoice read_method(const std::string& option, const std::string& text) try {
  const std::vector<std::string> parts = parts_of(text);
  if (parts.size() > 1) refuse(text, "a run has one method, not several");
  return method_of(parts.front());
} catch (const InputError& e) {
  throw InputError(fmt::format("{}: {}; write a method such as \"galerkin(s=2, w=2)\"", option, e.what()));
}

}  // namespace livens
