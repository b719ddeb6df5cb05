#include "livens/store/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace livens {

template <>
bool Json::get() const {
  if (const auto* x = std::get_if<bool>(&value_)) return *x;
  throw JsonError(fmt::format("type must be boolean, but is {}", type()));
}
template <>
long long Json::get() const {
  if (const auto* x = std::get_if<long long>(&value_)) return *x;
  if (const auto* x = std::get_if<double>(&value_)) return static_cast<long long>(*x);
  throw JsonError(fmt::format("type must be number, but is {}", type()));
}
template <>
double Json::get() const {
  if (const auto* x = std::get_if<long long>(&value_)) return static_cast<double>(*x);
  if (const auto* x = std::get_if<double>(&value_)) return *x;
  throw JsonError(fmt::format("type must be number, but is {}", type()));
}
template <>
std::string Json::get() const {
  if (const auto* x = std::get_if<std::string>(&value_)) return *x;
  throw JsonError(fmt::format("type must be string, but is {}", type()));
}

namespace {

Json converted(const nlohmann::ordered_json& from) {
  if (from.is_boolean()) return from.get<bool>();
  if (from.is_number_integer()) return from.get<long long>();
  if (from.is_number()) return from.get<double>();
  if (from.is_string()) return from.get<std::string>();
  if (from.is_array()) {
    Json array = Json::array();
    for (const auto& x : from) array.push_back(converted(x));
    return array;
  }
  if (from.is_object()) {
    Json object = Json::object();
    for (const auto& [key, x] : from.items()) object[key] = converted(x);
    return object;
  }
  return nullptr;
}

std::string number(double x) {
  if (!std::isfinite(x)) return "null";
  std::string digits = fmt::format("{:.17g}", x);
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

// A path may be any bytes: a summary with a replaced letter is better than none.
std::string quoted(const std::string& text) {
  using Library = nlohmann::json;
  return Library(text).dump(-1, ' ', false, Library::error_handler_t::replace);
}

std::string scalar(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_string()) return quoted(value.get<std::string>());
  if (value == Json(true)) return "true";
  if (value == Json(false)) return "false";
  return value.is_whole() ? fmt::format("{}", value.get<long long>()) : number(value.get<double>());
}

bool stands_on_one_line(const Json& array) {
  return std::all_of(array.begin(), array.end(), [](const Json& x) { return x.is_number() || x.is_null(); });
}

void print(const Json& value, int indent, int level, std::string& text) {
  if (!value.is_object() && !value.is_array()) {
    text += scalar(value);
    return;
  }
  const bool one_line = value.empty() || (value.is_array() && stands_on_one_line(value));
  const auto new_line = [&](int at) { text += '\n' + std::string(static_cast<std::size_t>(indent * at), ' '); };
  bool first = true;
  const auto separate = [&] {
    if (!first) text += one_line ? ", " : ",";
    first = false;
    if (!one_line) new_line(level + 1);
  };
  text += value.is_array() ? '[' : '{';
  if (value.is_array())
    for (const Json& item : value) separate(), print(item, indent, level + 1, text);
  else
    for (const auto& [key, item] : value.items())
      separate(), text += quoted(key) + ": ", print(item, indent, level + 1, text);
  if (!one_line) new_line(level);
  text += value.is_array() ? ']' : '}';
}

}  // namespace

Json::Json(std::initializer_list<Json> list) {
  const bool pairs = std::all_of(list.begin(), list.end(), [](const Json& x) {
    return x.is_array() && x.size() == 2 && x.elements().front().is_string();
  });
  if (!pairs) {
    value_ = Array(list);
    return;
  }
  Members members;
  for (const Json& x : list) members.emplace_back(x[std::size_t{0}].get<std::string>(), x[std::size_t{1}]);
  value_ = std::move(members);
}

Json Json::parse(const std::string& text) {
  try {
    return converted(nlohmann::ordered_json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    const std::string what = error.what();  // "[json.exception...] the words"
    throw JsonError(what.substr(what.find("] ") + 2));
  }
}

std::string_view Json::type() const {
  constexpr std::string_view names[] = {"null", "boolean", "number", "number", "string", "array", "object"};
  return names[value_.index()];
}

const Json* Json::find(std::string_view key) const {
  if (const auto* members = std::get_if<Members>(&value_))
    for (const auto& [name, x] : *members)
      if (name == key) return &x;
  return nullptr;
}

const Json& Json::at(std::string_view key) const& {
  if (const Json* x = find(key)) return *x;
  throw JsonError(is_object() ? fmt::format("key '{}' not found", key)
                              : fmt::format("key '{}' looked for in a value of type {}", key, type()));
}

Json& Json::operator[](std::string_view key) & {
  if (is_null()) value_ = Members();
  if (const Json* x = find(key)) return const_cast<Json&>(*x);
  auto* members = std::get_if<Members>(&value_);
  if (!members) throw JsonError(fmt::format("key '{}' set in a value of type {}", key, type()));
  return members->emplace_back(key, nullptr).second;
}

const Json::Members& Json::items() const& {
  if (const auto* members = std::get_if<Members>(&value_)) return *members;
  throw JsonError(fmt::format("type must be object, but is {}", type()));
}

const Json::Array& Json::elements() const& {
  if (const auto* array = std::get_if<Array>(&value_)) return *array;
  throw JsonError(fmt::format("type must be array, but is {}", type()));
}

void Json::push_back(Json x) {
  if (is_null()) value_ = Array();
  elements();
  std::get<Array>(value_).push_back(std::move(x));
}

std::size_t Json::size() const {
  return is_object() ? items().size() : elements().size();
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) {
    if (a.is_whole() && b.is_whole()) return a.get<long long>() == b.get<long long>();
    return a.get<double>() == b.get<double>();
  }
  return a.value_ == b.value_;
}

std::string to_text(const Json& value, int indent) {
  std::string text;
  print(value, indent, 0, text);
  return text;
}

}  // namespace livens
