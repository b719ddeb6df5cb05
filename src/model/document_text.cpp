// What is asked of a document as a whole: its text with all overrides in it, and the names that nothing needs.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "livens/formula/names.hpp"
#include "model/document.hpp"

namespace livens {

std::string in_toml_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

namespace {

std::string key_in_toml(std::string_view key) {
  const bool bare = !key.empty() && key.find_first_not_of(
                                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                        "0123456789_-") == key.npos;
  return bare ? std::string(key) : in_toml_quotes(key);
}

// As few digits as say the same number in the widest precision.
std::string in_digits(const formula::Number& number, double rounded) {
  std::string digits = fmt::format("{}", rounded);
  if (digits.find_first_of(".en") == digits.npos) digits += ".0";
  const auto says_the_same = [&](const std::string& text) {
    formula::Graph graph;
    const formula::NodeId node = formula::Names(graph).parse(text);
    return graph.is_constant(node) && graph.value(node) == number;
  };
  if (number == formula::Number(rounded) || says_the_same(digits)) return digits;
#if LIVENS_QUAD
  return number.str(36, std::ios_base::scientific);
#else
  return fmt::format("{:.21Le}", number);
#endif
}

class Writer {
 public:
  explicit Writer(const Document& document) : document_(document) {}

  void section(const toml::table& table, const std::string& path) {
    for (const auto& [key, node] : table)
      if (!is_section(node)) text += fmt::format("{} = {}\n", key_in_toml(key.str()), value(node));
    for (const auto& [key, node] : table) {
      const std::string inside = path + (path.empty() ? "" : ".") + key_in_toml(key.str());
      if (const toml::table* inner = node.as_table()) {
        if (!inner->is_inline()) text += fmt::format("\n[{}]\n", inside), section(*inner, inside);
      } else if (is_section(node)) {
        for (const toml::node& element : *node.as_array())
          text += fmt::format("\n[[{}]]\n", inside), section(*element.as_table(), inside);
      }
    }
  }

  std::string text;

 private:
  static bool is_section(const toml::node& node) {
    if (const toml::table* table = node.as_table()) return !table->is_inline();
    const toml::array* array = node.as_array();
    if (array == nullptr || array->empty()) return false;
    for (const toml::node& element : *array)
      if (!element.is_table() || element.as_table()->is_inline()) return false;
    return true;
  }
  std::string value(const toml::node& node) const {
    if (const auto* word = node.as_string()) return in_toml_quotes(word->get());
    if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    if (const auto* real = node.as_floating_point())
      return std::isfinite(real->get()) ? in_digits(document_.number(*real), real->get())
                                        : fmt::format("{}", real->get());
    std::string out;
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) out += (out.empty() ? "" : ", ") + value(element);
      return "[" + out + "]";
    }
    if (const toml::table* table = node.as_table()) {
      for (const auto& [key, inner] : *table)
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", key_in_toml(key.str()), value(inner));
      return "{ " + out + " }";
    }
    return "\"\"";  // dates: no model has any
  }

  const Document& document_;
};

void for_texts(const toml::node& node, const std::function<void(const std::string&)>& take) {
  if (const auto* word = node.as_string()) take(word->get());
  if (const toml::table* table = node.as_table())
    for (const auto& [key, inner] : *table) for_texts(inner, take);
  if (const toml::array* array = node.as_array())
    for (const toml::node& inner : *array) for_texts(inner, take);
}

}  // namespace

std::string Document::text() const {
  Writer writer(*this);
  writer.section(table_, "");
  return writer.text;
}

std::vector<std::string> Document::unused() const {
  std::map<std::string, std::pair<std::string, const toml::node*>, std::less<>> given;  // name: its key and value
  const toml::table* const system = table_["system"].as_table();
  for (const char* const section : {"parameters", "let"})
    if (const toml::table* table = (*system)[section].as_table())
      for (const auto& [key, node] : *table)
        given.try_emplace(std::string(key.str()), fmt::format("system.{}.{}", section, key.str()), &node);
  if (const toml::table* tables = table_["table"].as_table())
    for (const auto& [key, node] : *tables)
      given.try_emplace(std::string(key.str()), fmt::format("table.{}", key.str()), nullptr);  // its file needs no name

  std::set<std::string, std::less<>> needed;
  std::vector<std::string> open;
  const auto need = [&](const std::string& text) {
    for (std::string& name : formula::names_in(text)) {
      if (name.ends_with('\'') && !given.contains(name)) name.pop_back();  // the velocity of a definition
      if (given.contains(name) && needed.insert(name).second) open.push_back(name);
    }
    for (std::string& name : formula::tables_in(text))
      if (given.contains(name)) needed.insert(std::move(name));
  };
  for (const auto& [key, node] : table_) {
    if (key.str() == "title" || key.str() == "method" || key.str() == "table" || key.str() == "table_data") continue;
    if (key.str() != "system") {
      for_texts(node, need);
      continue;
    }
    for (const auto& [inner, value] : *system)
      if (inner.str() != "parameters" && inner.str() != "let" && inner.str() != "kind") for_texts(value, need);
  }
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    for_texts(*given.find(name)->second.second, need);
  }
  std::vector<std::string> keys;
  for (const auto& [name, where] : given)
    if (!needed.contains(name)) keys.push_back(where.first);
  return keys;
}

}  // namespace livens
