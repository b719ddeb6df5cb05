// --set KEY=VALUE, and the keys that have an option of their own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "livens/model/model.hpp"

namespace livens::cli {

inline Overrides overrides(const std::vector<std::string>& set) {
  Overrides out;
  for (const std::string& item : set) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError("--set " + item + ": expected KEY=VALUE, such as --set run.step=0.01");
    out.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  return out;
}

// Overrides that were given as --step 0.01 instead of --set run.step=0.01: what is wrong with them is said in the words
// of the key, and of the option.
class OptionOverrides {
 public:
  // Throws InputError where --set says something else about the key.
  void add(Overrides& set, const std::string& option, const std::string& key, const std::string& value) {
    for (const auto& [other, ignored] : set)
      if (other == key) throw InputError(option + " and --set " + key + " are both given; leave one out");
    set.emplace_back(key, value);
    named_.emplace_back(option, key);
  }

  template <class Call>
  auto name_in_errors_of(const Call& call) const {
    try {
      return call();
    } catch (const InputError& e) {
      throw InputError(renamed(e.what()));
    }
  }

 private:
  std::string renamed(std::string words) const {
    for (const auto& [option, key] : named_) {
      const std::string as_set = "--set " + key;
      if (words.starts_with(as_set + ":") || words.starts_with(as_set + "="))
        return words.replace(0, as_set.size(), option);
    }
    return words;
  }

  std::vector<std::pair<std::string, std::string>> named_;  // option and key
};

}  // namespace livens::cli
