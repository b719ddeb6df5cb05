// What is known of a method beside its mathematics: name, options, what systems it fits, order and properties, and how
// its steps are made. `livens list`, the checks of [method] in model files and docs/methods are made from such entries.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "livens/method/method.hpp"
#include "livens/registry/options.hpp"
#include "livens/run/result.hpp"

namespace livens {

class MethodSteps;  // steps.hpp

struct MethodEntry {
  std::string name, summary;
  std::vector<Option> options = {};
  std::vector<SystemKind> kinds;
  std::function<std::string(const Model&)> misfit = {};  // why the method does not fit this system; empty: it does
  std::string order;                                     // in words, such as "2" or "2s"
  std::optional<bool> symplectic = {}, symmetric = {};   // empty: it depends on the options, or is not known
  std::string keeps;
  // Fills in defaults that depend on other options, and throws InputError where options contradict each other.
  std::function<void(const Model&, Options&)> complete = {};
  std::function<MethodTraits(const Options&)> traits;
  std::shared_ptr<const MethodSteps> steps;
  bool solves_boundary_problems = false;
  // What is worth knowing about a run, in words.
  std::function<std::vector<std::string>(const Model&, const Options&, const RunResult&)> remarks = {};
};

// The method of a model out of a table, and its options. Throws InputError: no such method, it does not fit, an option
// is wrong.
const MethodEntry& choose_method(const std::vector<MethodEntry>& table, const Model& model);
// The method whose steps end at contacts, for systems of this kind.
std::string_view method_for_contacts(const Model& model);
Options read_options(const Model& model, const MethodEntry& method);

}  // namespace livens
