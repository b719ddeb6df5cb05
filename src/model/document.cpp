#include "model/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "livens/formula/nearest.hpp"
#include "model/keys.hpp"

namespace livens {

namespace {

// What the TOML library says, and what to do.
struct Remedy {
  std::string_view words, remedy;
};
constexpr std::array remedies{
    Remedy{"could not determine value type", "texts and formulas stand in double quotes"},
    Remedy{"expected a comment or whitespace", "formulas stand in double quotes, decimals take a point"},
    Remedy{"cannot redefine", "every key and every section may stand there once"},
    Remedy{"end-of-file", "something is not finished or not closed"},
    Remedy{"unescaped control", "close the text on the line where it begins"},
    Remedy{"expected decimal digit", "a decimal point needs digits on both sides"},
    Remedy{"expected ']'", "close the bracket"},
    Remedy{"expected '='", "every line is key = value, a [section] or a # comment, and ends with a line feed"},
    Remedy{"could not be interpreted as a value", "write a number that a double can hold, such as 1e300"},
    Remedy{"not representable in 64 bits", "write a smaller integer"},
    Remedy{"maximum nested value depth", "no key of a model has arrays in arrays"},
    Remedy{"parsing boolean", "write true or false"},
    Remedy{"utf-8", "save the file as UTF-8"},
};

std::string with_remedy(std::string_view description) {
  for (const auto& [words, remedy] : remedies)
    if (description.find(words) != description.npos) return fmt::format("{}; {}", description, remedy);
  return std::string(description);
}

// The most segments of a dotted key or section name outside of texts. The TOML library recurses once a segment and
// overflows the stack at some ten thousand; no model has more than three.
int longest_dotted_key(std::string_view text) {
  int longest = 0, dots = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      dots = 0;
    } else if (c == '"' || c == '\'') {
      const std::string triple(3, c);
      const std::string_view closing = text.substr(at).starts_with(triple) ? triple : text.substr(at, 1);
      at += closing.size();
      while (at < text.size() && !text.substr(at).starts_with(closing) && (closing.size() == 3 || text[at] != '\n'))
        at += c == '"' && text[at] == '\\' ? 2 : 1;
      at += closing.size() - 1;
    } else if (c == '.') {
      longest = std::max(longest, ++dots);
    } else if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) {
      dots = 0;
    }
  }
  return longest + 1;
}

std::string inside(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

std::string element(std::string_view path, std::size_t k) {
  return fmt::format("{}[{}]", path, k + 1);
}

// What --set put there has a source path or no position at all, and no line of the file.
void note_lines(const toml::node& node, const std::string& path, std::map<std::string, int, std::less<>>& lines) {
  const toml::source_region& source = node.source();
  if (!path.empty() && !source.path && source.begin.line > 0) lines[path] = static_cast<int>(source.begin.line);
  if (const toml::table* table = node.as_table())
    for (const auto& [key, value] : *table) note_lines(value, inside(path, key.str()), lines);
  if (const toml::array* array = node.as_array())
    for (std::size_t k = 0; k < array->size(); ++k) note_lines((*array)[k], element(path, k), lines);
}

[[noreturn]] void refuse_set(const std::string& key, const std::string& value, std::string_view message) {
  throw InputError(fmt::format("--set {}={}: {}", key, value, message));
}

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::vector<std::string> segments(const std::string& key, const std::string& value) {
  if (key.find('[') != key.npos)
    refuse_set(key, value, "what is inside an array cannot be set; set the whole array, --set initial.q=[1.0,0.0]");
  std::vector<std::string> parts(1);
  for (const char c : key) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (const std::string& part : parts)
    if (part.empty() || !std::all_of(part.begin(), part.end(), is_key_character))
      refuse_set(key, value,
                 fmt::format("\"{}\" is not a key; write --set KEY=VALUE, such as --set run.step=0.01", key));
  if (parts.size() > 8) refuse_set(key, value, "no key has so many parts; write --set KEY=VALUE with a known key");
  return parts;
}

std::string_view type(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a section";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

std::string in_quotes(std::string_view text) {
  const std::size_t longest = 60;
  return text.size() <= longest ? fmt::format("\"{}\"", text) : fmt::format("\"{}...\"", text.substr(0, longest));
}

// The type and, where it is short, the value: `a string ("x")`.
std::string described(const toml::node& node) {
  if (const auto* text = node.as_string()) return fmt::format("a string ({})", in_quotes(text->get()));
  if (const auto* whole = node.as_integer()) return fmt::format("an integer ({})", whole->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("a number ({})", real->get());
  if (const auto* flag = node.as_boolean()) return fmt::format("a boolean ({})", flag->get());
  return std::string(type(node));
}

std::string list(std::span<const std::string> names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Document::Document(Model& model) : model_(model) {
  parse();
  override_keys();
  note_lines(table_, "", model_.lines);
}

void Document::parse() {
  if (longest_dotted_key(model_.text) > 16)
    throw InputError(model_.source + ": a key has more than 16 parts with dots between; no key of a model has");
  try {
    table_ = toml::parse(std::string_view(model_.text));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw InputError(fmt::format("{}:{}:{}: {}", model_.source, at.line, at.column, with_remedy(error.description())));
  }
  sources_.emplace("", SourceText(model_.text));
}

// A method has options of its own, and a run has one length: what the file says about them goes first, so that
// overrides work in any order.
void Document::override_keys() {
  toml::table* const method = table_["method"].as_table();
  toml::table* const run = table_["run"].as_table();
  for (const auto& [key, value] : model_.set) {
    if (method != nullptr && key == "method.name") method->clear();
    if (run != nullptr && key == "run.end") run->erase("steps");
    if (run != nullptr && key == "run.steps") run->erase("end");
    if (run != nullptr && key == "run.step") run->erase("accuracy");
    if (run != nullptr && key == "run.accuracy") run->erase("step");
  }
  for (const auto& [key, value] : model_.set) put(key, value);
  for (const auto& [key, value] : model_.found.set) {
    if (key == "method.name") table_["method"].as_table()->clear();
    if (key == "run.step") table_["run"].as_table()->erase("accuracy");
  }
  for (const auto& [key, value] : model_.found.set) put(key, value);
}

void Document::put(const std::string& key, const std::string& value) {
  const std::vector<std::string> parts = segments(key, value);
  toml::table* parent = &table_;
  std::string path;
  for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
    path = inside(path, parts[k]);
    toml::node* next = parent->get(parts[k]);
    if (next == nullptr) next = &parent->insert_or_assign(parts[k], toml::table{}).first->second;
    if (!next->is_table())
      refuse_set(key, value,
                 fmt::format("{} is {}, nothing inside it can be set; set {} as a whole", path, type(*next), path));
    parent = next->as_table();
  }

  const auto is_of_names = [](const std::string& table) {
    return table == "system.parameters" || table == "system.let";
  };
  if (is_of_names(path) && !parent->contains(parts.back())) new_names_.push_back({key, key, value});
  std::set<std::string> known;  // where a whole table of names is replaced
  if (const toml::table* old = is_of_names(key) ? parent->get_as<toml::table>(parts.back()) : nullptr)
    for (const auto& [name, node] : *old) known.emplace(name.str());

  // In braces a value is one value: no comment and no second key may follow it.
  const std::string text = "set = { value = " + value + " }";
  if (longest_dotted_key(text) <= 16) {
    try {
      toml::table parsed = toml::parse(std::string_view(text), std::string_view(key));
      toml::table* only = parsed.size() == 1 ? parsed["set"].as_table() : nullptr;
      if (only != nullptr && only->size() == 1) {
        only->begin()->second.visit([&](auto& node) { parent->insert_or_assign(parts.back(), std::move(node)); });
        sources_.insert_or_assign(key, SourceText(text));
        if (const toml::table* now = is_of_names(key) ? parent->get_as<toml::table>(parts.back()) : nullptr)
          for (const auto& [name, node] : *now)
            if (!known.contains(std::string(name.str()))) new_names_.push_back({inside(key, name.str()), key, value});
        return;
      }
    } catch (const toml::parse_error&) {
    }
  }
  parent->insert_or_assign(parts.back(), value);
}

// It would be set without effect.
void Document::refuse_useless_overrides(const std::vector<std::string>& unused) const {
  for (const auto& [path, key, value] : new_names_) {
    if (std::find(unused.begin(), unused.end(), path) == unused.end()) continue;
    const std::size_t dot = path.rfind('.');
    const std::string name = path.substr(dot + 1);
    std::vector<std::string> names;
    if (const toml::table* known = table_.at_path(path.substr(0, dot)).as_table())
      for (const auto& [other, node] : *known)
        if (other.str() != name) names.emplace_back(other.str());
    const std::string near = formula::suggestion(name, names);
    refuse_set(
        key, value,
        fmt::format("the model has no {} \"{}\"{}", path.starts_with("system.let") ? "definition" : "parameter", name,
                    !near.empty()   ? near
                    : names.empty() ? "; it has none"
                                    : "; it has " + list(names)));
  }
}

Section Document::top() const {
  return Section(*this, table_, "");
}

formula::Number Document::number(const toml::value<double>& value) const {
  const toml::source_region& source = value.source();
  const auto found = sources_.find(source.path ? *source.path : std::string());
  if (found == sources_.end()) return formula::Number(value.get());
  return found->second.number(source.begin.line, source.begin.column, value.get());
}

void Document::refuse(std::string_view key, std::string_view message, std::string_view about) const {
  const bool named = message.find(about) != message.npos;
  throw InputError(model_.at(key, named ? std::string(message) : fmt::format("{}: {}", about, message)));
}

void Document::refuse_missing(std::string_view key, std::string_view about) const {
  refuse(key, fmt::format("missing; write {}", example(key)), about);
}

// ---- values --------------------------------------------------------------------------------------------------------

void Value::refuse_type(std::string_view needed) const {
  const std::string_view how = example(key_);
  refuse(fmt::format("is {}, must be {}{}{}", described(*node_), needed, how.empty() ? "" : "; write ", how));
}

std::string Value::written() const {
  if (const auto* word = node_->as_string()) return word->get();
  if (const auto* whole = node_->as_integer()) return fmt::format("{}", whole->get());
  if (const auto* real = node_->as_floating_point()) return fmt::format("{}", real->get());
  return fmt::format("{}", flag());
}

std::string Value::text() const {
  if (!node_->is_string()) refuse_type("a string");
  return node_->as_string()->get();
}

std::string Value::choice(std::span<const std::string> names) const {
  const std::string word = text();
  if (std::find(names.begin(), names.end(), word) == names.end()) {
    const std::string near = formula::suggestion(word, names);
    refuse(in_quotes(word) + " is unknown" + (near.empty() ? "; write one of " + list(names) : near));
  }
  return word;
}

bool Value::flag() const {
  if (!node_->is_boolean()) refuse_type("a boolean, true or false");
  return node_->as_boolean()->get();
}

formula::Number Value::number() const {
  if (const auto* whole = node_->as_integer()) return formula::Number(whole->get());
  const auto* real = node_->as_floating_point();
  if (real == nullptr) refuse_type("a number");
  if (!std::isfinite(real->get())) refuse(fmt::format("is {}; write a finite number", real->get()));
  return document_->number(*real);
}

long long Value::integer(long long least, long long most) const {
  const auto* real = node_->as_floating_point();
  const bool whole = real != nullptr && std::abs(real->get()) <= 9e18 && real->get() == std::floor(real->get());
  if (!node_->is_integer() && !whole) refuse_type("an integer");
  const long long value = whole ? static_cast<long long>(real->get()) : node_->as_integer()->get();
  if (value < least || value > most) refuse(fmt::format("is {}; write an integer from {} to {}", value, least, most));
  return value;
}

OptionValue Value::option() const {
  if (node_->is_boolean()) return flag();
  if (node_->is_integer()) return static_cast<long long>(node_->as_integer()->get());
  if (node_->is_string()) return text();
  if (!node_->is_floating_point())
    refuse(fmt::format("is {}; an option is a boolean, a number or a string", type(*node_)));
  return to_double(number());
}

std::vector<Value> Value::items() const {
  const toml::array* array = node_->as_array();
  if (array == nullptr) refuse_type("an array");
  std::vector<Value> values;
  values.reserve(array->size());
  for (std::size_t k = 0; k < array->size(); ++k)
    values.emplace_back(*document_, (*array)[k], element(key_, k), about_);
  return values;
}

Section Value::section() const {
  if (!node_->is_table()) refuse_type("a section");
  return Section(*document_, *node_->as_table(), key_, about_);
}

// ---- sections ------------------------------------------------------------------------------------------------------

std::string Section::path_of(std::string_view key) const {
  return inside(path_, key);
}

std::optional<Value> Section::find(std::string_view key) const {
  const toml::node* node = table_->get(key);
  if (node == nullptr) return std::nullopt;
  return Value(*document_, *node, path_of(key), about_);
}

Value Section::get(std::string_view key) const {
  const auto value = find(key);
  if (!value) document_->refuse_missing(path_of(key), about_);
  return *value;
}

std::vector<std::pair<std::string, Value>> Section::entries() const {
  std::vector<std::pair<std::string, Value>> all;
  for (const auto& [key, node] : *table_)
    all.emplace_back(key.str(), Value(*document_, node, path_of(key.str()), about_));
  return all;
}

void Section::refuse_unknown_keys(std::string_view kind) const {
  const std::vector<std::string> known = known_keys(path_, kind);
  for (const auto& [key, value] : entries()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string near = formula::suggestion(key, known),
                      remedy = near.empty() ? "; the keys here are " + list(known) : near;
    for (const std::string_view other : {"lagrangian", "degenerate", "odae", "multibody"}) {
      const std::vector<std::string> of_other = known_keys(path_, other);
      if (std::find(of_other.begin(), of_other.end(), key) != of_other.end())
        value.refuse(fmt::format("belongs to kind \"{}\", not to \"{}\"{}", other, kind, remedy));
    }
    value.refuse("unknown key" + remedy);
  }
}

}  // namespace livens
