#include "livens/store/summary_check.hpp"

#include <algorithm>

#include "livens/store/sha256.hpp"

namespace livens {

namespace {

// Keys in the order of their letters, all numbers as the double that they are.
Json canonical(const Json& value) {
  if (value.is_number()) return value.get<double>() + 0.0;  // -0.0 is 0.0
  if (value.is_array()) {
    Json array = Json::array();
    for (const Json& x : value) array.push_back(canonical(x));
    return array;
  }
  if (!value.is_object()) return value;
  Json::Members members = value.items();
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Json object = Json::object();
  for (const auto& [key, x] : members) object[key] = canonical(x);
  return object;
}

Json without(const Json& object, std::initializer_list<std::string_view> keys) {
  Json rest = Json::object();
  for (const auto& [key, x] : object.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) rest[key] = x;
  return rest;
}

}  // namespace

std::string summary_check(const Json& summary) {
  Json results = without(summary, {"check", "directory"});
  if (results.contains("cost") && results.at("cost").is_object())
    results["cost"] = without(summary.at("cost"), {"seconds"});
  return sha256(to_text(canonical(results)));
}

void verify_summary(const Json& summary) {
  if (!summary.is_object() || !summary.contains("check")) return;
  if (summary.at("check") != Json(summary_check(summary)))
    throw JsonError("its values are not those that were written, the check sum in key 'check' is of others");
}

}  // namespace livens
