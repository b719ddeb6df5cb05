// Runs of mechanisms in memory, and what they say about bodies and joints.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/registry/entry.hpp"
#include "livens/simulation/simulate.hpp"

namespace mechanism {

using livens::Overrides;
using Numbers = std::vector<double>;

inline livens::RunResult run(const livens::Model& model) {
  const livens::MethodEntry& method = livens::choose_method(model);
  return livens::simulate(model, method, livens::read_options(model, method), {});
}
inline livens::RunResult run_text(const std::string& text, const Overrides& set = {}) {
  const livens::RunResult result = run(livens::read_model("m.toml", text, set));
  REQUIRE(result.report.outcome == livens::RunOutcome::finished);
  return result;
}
inline livens::RunResult run_problem(const std::string& name, const Overrides& set = {}) {
  const livens::RunResult result = run(livens::load_model(name, set));
  REQUIRE(result.report.outcome == livens::RunOutcome::finished);
  return result;
}

// part(result, "bodies/crank/position")
inline const Numbers& part(const livens::RunResult& result, const std::string& name) {
  for (const auto& [column, numbers] : result.parts)
    if (column.name == name) return numbers;
  FAIL("no " << name);
  return result.parts.front().second;
}

inline std::string replaced(std::string text, const std::string& old, const std::string& by) {
  return text.replace(text.find(old), old.size(), by);
}

inline double distance(const Numbers& a, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace mechanism
