// The options of methods: what they are, and as a model asks for them.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "livens/model/model.hpp"

namespace livens {

struct Option {
  std::string name;
  OptionValue standard;        // default value; its type is the option's type
  std::string standard_words;  // of a default that depends on other options, such as "2s"; empty: as it stands
  std::string help;
  std::optional<long long> smallest, largest;  // of whole numbers
  std::vector<std::string> choices;            // of strings
};

// The options of a method as asked for in a model, checked and completed with the defaults, in the table's order.
class Options {
 public:
  void set(std::string name, OptionValue value) { values_.emplace_back(std::move(name), std::move(value)); }
  void replace(std::string_view name, OptionValue value) {
    for (auto& [key, old] : values_)
      if (key == name) old = std::move(value);
  }
  template <class T>
  const T& get(std::string_view name) const {
    for (const auto& [key, value] : values_)
      if (key == name) return std::get<T>(value);
    throw std::logic_error("no such option");
  }
  const std::vector<std::pair<std::string, OptionValue>>& values() const { return values_; }

 private:
  std::vector<std::pair<std::string, OptionValue>> values_;
};

// A whole number, and a word out of several.
Option whole_number(std::string name, long long standard, std::string standard_words, std::string help,
                    long long largest, long long smallest = 1);
Option one_of(std::string name, std::string standard, std::string help, std::vector<std::string> choices);

}  // namespace livens
