// A model file as sections and typed values. Everything that is asked of a value and not found there is refused with
// the file, the line, the key, what was found, and how to write it.
#pragma once

#include <toml++/toml.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "livens/model/model.hpp"
#include "model/source_text.hpp"

namespace livens {

class Section;

// A text as TOML writes it.
std::string in_toml_quotes(std::string_view text);

class Document {
 public:
  // Parses the text of the model, puts its overrides in place and notes the lines of all keys in the model.
  // The model must outlive the document.
  explicit Document(Model& model);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  Section top() const;
  formula::Number number(const toml::value<double>& value) const;
  // `about`: the name of the part that it is about, put before a message that does not name it.
  [[noreturn]] void refuse(std::string_view key, std::string_view message, std::string_view about = "") const;
  [[noreturn]] void refuse_missing(std::string_view key, std::string_view about) const;

  std::string text() const;                 // the model with its overrides, as a file
  std::vector<std::string> unused() const;  // keys of parameters, definitions, tables no formula needs
  void refuse_useless_overrides(const std::vector<std::string>& unused) const;  // new names among those

 private:
  void parse();
  void override_keys();
  void put(const std::string& key, const std::string& value);

  Model& model_;
  toml::table table_;
  struct NewName {
    std::string path, key, value;  // the override that it stands in
  };
  std::vector<NewName> new_names_;                          // overrides of what the file does not have
  std::map<std::string, SourceText, std::less<>> sources_;  // "" for the file, else a key of --set
};

class Value {
 public:
  Value(const Document& document, const toml::node& node, std::string key, std::string about = "")
      : document_(&document), node_(&node), key_(std::move(key)), about_(std::move(about)) {}

  const std::string& key() const { return key_; }
  [[noreturn]] void refuse(std::string_view message) const { document_->refuse(key_, message, about_); }

  bool is_text() const { return node_->is_string(); }
  bool is_array() const { return node_->is_array(); }
  bool is_section() const { return node_->is_table(); }
  std::string written() const;  // of a single value: a text, a number, true
  std::string text() const;
  std::string choice(std::span<const std::string> names) const;
  bool flag() const;
  formula::Number number() const;                            // finite
  long long integer(long long least, long long most) const;  // a float counts if it is whole
  OptionValue option() const;
  std::vector<Value> items() const;
  Section section() const;

 private:
  [[noreturn]] void refuse_type(std::string_view needed) const;

  const Document* document_;
  const toml::node* node_;
  std::string key_, about_;
};

class Section {
 public:
  Section(const Document& document, const toml::table& table, std::string path, std::string about = "")
      : document_(&document), table_(&table), path_(std::move(path)), about_(std::move(about)) {}
  // The same, of which every message says what it is about, such as "body 'crank'".
  Section named(std::string about) const { return Section(*document_, *table_, path_, std::move(about)); }

  std::optional<Value> find(std::string_view key) const;
  Value get(std::string_view key) const;                       // refuses its absence
  std::vector<std::pair<std::string, Value>> entries() const;  // in the order of the alphabet
  void refuse_unknown_keys(std::string_view kind) const;       // as the file names it
  [[noreturn]] void refuse(std::string_view message) const { document_->refuse(path_, message, about_); }
  // At a key inside of it, which may be missing.
  [[noreturn]] void refuse(std::string_view key, std::string_view message) const {
    document_->refuse(key.empty() ? path_ : path_of(key), message, about_);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_of(std::string_view key) const;

  const Document* document_;
  const toml::table* table_;
  std::string path_, about_;
};

}  // namespace livens
