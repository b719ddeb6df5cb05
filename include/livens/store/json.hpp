// JSON as Livens reads and prints it: a value of its own, so that only src/store/json.cpp compiles a JSON library.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace livens {

// Not JSON, a key that is not there, or a value of another type.
class JsonError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Json {
 public:
  using Array = std::vector<Json>;
  using Members = std::vector<std::pair<std::string, Json>>;  // in the order of their making

  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(bool x) : value_(x) {}
  template <std::integral I>
  requires(!std::same_as<I, bool>) Json(I x) : value_(static_cast<long long>(x)) {}
  Json(double x) : value_(x) {}
  Json(const char* x) : value_(std::string(x)) {}
  Json(std::string x) : value_(std::move(x)) {}
  Json(std::string_view x) : value_(std::string(x)) {}
  template <class T>
  Json(const std::vector<T>& x) : value_(Array(x.begin(), x.end())) {}
  // Pairs that begin with a string are an object, all other lists an array.
  Json(std::initializer_list<Json> list);

  static Json object() { return Json(Value(Members())); }
  static Json array() { return Json(Value(Array())); }
  static Json parse(const std::string& text);

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_object() const { return std::holds_alternative<Members>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_number() const { return std::holds_alternative<long long>(value_) || std::holds_alternative<double>(value_); }

  bool is_whole() const { return std::holds_alternative<long long>(value_); }

  template <class T>
  T get() const;  // bool, long long, double, std::string

  // ---- objects
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  const Json& at(std::string_view key) const&;
  Json at(std::string_view key) && = delete;  // what it points into would be gone
  const Json& operator[](std::string_view key) const& { return at(key); }
  Json& operator[](std::string_view key) &;  // added if it is not there; null becomes an object
  const Members& items() const&;
  Members items() && = delete;

  // ---- arrays
  void push_back(Json x);
  const Json& operator[](std::size_t k) const& { return elements().at(k); }
  const Array& elements() const&;
  Array elements() && = delete;
  Array::const_iterator begin() const { return elements().begin(); }
  Array::const_iterator end() const { return elements().end(); }

  std::size_t size() const;  // of objects and arrays
  bool empty() const { return size() == 0; }

  // Numbers are equal if their values are.
  friend bool operator==(const Json& a, const Json& b);

 private:
  using Value = std::variant<std::monostate, bool, long long, double, std::string, Array, Members>;
  explicit Json(Value value) : value_(std::move(value)) {}
  const Json* find(std::string_view key) const;
  std::string_view type() const;

  Value value_;
};

template <>
bool Json::get() const;
template <>
long long Json::get() const;
template <>
double Json::get() const;
template <>
std::string Json::get() const;

// Numbers that are floating-point in the value have 17 significant digits, which give back the same double, and always
// look like one (100.0); not-finite ones are null. Arrays of numbers stand on one line, everything else on lines of its
// own, `indent` blanks per level. Bytes that are not UTF-8 become U+FFFD.
std::string to_text(const Json& value, int indent = 2);

}  // namespace livens
