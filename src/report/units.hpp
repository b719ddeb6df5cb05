// What [system.units] and [system.descriptions] say of a name: of itself, or of its family, x of x[3].
#pragma once

#include <map>
#include <string>

#include "livens/model/model.hpp"

namespace livens {

inline std::string word_of(const std::map<std::string, std::string>& words, const std::string& name) {
  for (const std::string& key : {name, name.substr(0, name.find('['))})
    if (const auto found = words.find(key); found != words.end()) return found->second;
  return "";
}
inline std::string unit_of(const Model& model, const std::string& name) {
  return word_of(model.units, name);
}
// Of a velocity; nobody has said that of a momentum.
inline std::string unit_of_rate(const Model& model, const std::string& name) {
  const std::string of = unit_of(model, name), time = unit_of(model, "t");
  return of.empty() || time.empty() ? "" : of + "/" + time;
}

}  // namespace livens
