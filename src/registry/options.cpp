#include <fmt/format.h>

#include <algorithm>

#include "livens/formula/nearest.hpp"
#include "livens/registry/entry.hpp"
#include "livens/registry/misfit.hpp"

namespace livens {

namespace {

std::string misfit(const MethodEntry& method, const Model& model) {
  if (model.is_boundary_problem() && !method.solves_boundary_problems)
    return "it does not solve boundary value problems, and there is [final]";
  for (const SystemKind kind : method.kinds)
    if (kind == model.system->kind()) return method.misfit ? method.misfit(model) : "";
  return fmt::format("it is not for systems of kind \"{}\"", model.system->written_kind());
}

std::string fitting(const std::vector<MethodEntry>& table, const Model& model) {
  std::string list;
  for (const MethodEntry& m : table)
    if (misfit(m, model).empty() && (!model.has_contact() || m.name == method_for_contacts(model)))
      list += (list.empty() ? "" : ", ") + m.name;
  return list.empty() ? fmt::format("this version has no method for kind \"{}\" yet", model.system->written_kind())
                      : "methods that fit: " + list;
}

std::string_view type_name(const OptionValue& value) {
  constexpr std::string_view names[] = {"true or false", "a whole number", "a number", "a string"};
  return names[value.index()];
}

std::string text(const OptionValue& value) {
  struct {
    std::string operator()(bool x) const { return x ? "true" : "false"; }
    std::string operator()(long long x) const { return fmt::format("{}", x); }
    std::string operator()(double x) const { return fmt::format("{}", x); }
    std::string operator()(const std::string& x) const { return fmt::format("\"{}\"", x); }
  } print;
  return std::visit(print, value);
}

OptionValue checked(const Model& model, const Option& option, const OptionValue& given) {
  const std::string key = "method." + option.name;
  OptionValue value = given;
  if (std::holds_alternative<double>(option.standard) && std::holds_alternative<long long>(given))
    value = static_cast<double>(std::get<long long>(given));
  // --set method.variant=true: the word, which without quotes is read as a truth value
  if (const bool* truth = std::get_if<bool>(&given); truth && !option.choices.empty())
    value = std::string(*truth ? "true" : "false");
  if (value.index() != option.standard.index())
    throw InputError(model.at(
        key, fmt::format("{} is {}; it must be {}", text(given), type_name(given), type_name(option.standard))));
  if (const auto* whole = std::get_if<long long>(&value)) {
    if ((option.smallest && *whole < *option.smallest) || (option.largest && *whole > *option.largest))
      throw InputError(
          model.at(key, fmt::format("{} is out of range; it must be at least {}{}", *whole, option.smallest.value_or(0),
                                    option.largest ? fmt::format(" and at most {}", *option.largest) : "")));
  }
  if (const auto* word = std::get_if<std::string>(&value); word && !option.choices.empty()) {
    for (const std::string& choice : option.choices)
      if (choice == *word) return value;
    throw InputError(model.at(key, fmt::format("\"{}\" is not one of {}{}", *word, fmt::join(option.choices, ", "),
                                               formula::suggestion(*word, option.choices))));
  }
  return value;
}

}  // namespace

std::string_view method_for_contacts(const Model& model) {
  return model.system->kind() == SystemKind::odae ? "euler" : "rattle";
}

const MethodEntry& choose_method(const std::vector<MethodEntry>& table, const Model& model) {
  if (model.method.name.empty())
    throw InputError(model.at("method.name", fmt::format("no method is given; add a section [method] with a name; {}",
                                                         fitting(table, model))));
  if (model.method.name == "auto" && model.run.accuracy)
    throw InputError(model.at("method.name", "\"auto\" is for livens run, which finds the step too; name a method"));
  if (model.method.name == "auto" && model.has_contact())
    throw InputError(model.at(
        "method.name",
        "\"auto\" chooses among methods for constraints that hold on both sides; name one; " + fitting(table, model)));
  if (model.method.name == "auto")
    throw InputError(
        model.at("method.name", "\"auto\" chooses a method for run.accuracy, and there is " +
                                    std::string(model.run.steps > 0 ? "a step; write accuracy = 1e-8 instead of it"
                                                                    : "none; write accuracy = 1e-8") +
                                    ", or name a method; " + fitting(table, model)));
  std::vector<std::string> names;
  for (const MethodEntry& m : table) {
    names.push_back(m.name);
    if (m.name != model.method.name) continue;
    if (const std::string reason = misfit(m, model); !reason.empty())
      throw MisfitError(model.at("method.name", fmt::format("\"{}\" does not fit this system: {}; {}", m.name, reason,
                                                            fitting(table, model))),
                        reason);
    return m;
  }
  throw InputError(
      model.at("method.name", fmt::format("there is no method \"{}\" in this version{}; {}", model.method.name,
                                          formula::suggestion(model.method.name, names), fitting(table, model))));
}

Option whole_number(std::string name, long long standard, std::string standard_words, std::string help,
                    long long largest, long long smallest) {
  return {.name = std::move(name),
          .standard = standard,
          .standard_words = std::move(standard_words),
          .help = std::move(help),
          .smallest = smallest,
          .largest = largest,
          .choices = {}};
}

Option one_of(std::string name, std::string standard, std::string help, std::vector<std::string> choices) {
  return {.name = std::move(name),
          .standard = std::move(standard),
          .standard_words = {},
          .help = std::move(help),
          .smallest = {},
          .largest = {},
          .choices = std::move(choices)};
}

Options read_options(const Model& model, const MethodEntry& method) {
  std::vector<std::string> known;
  for (const Option& o : method.options) known.push_back(o.name);
  std::vector<std::string> keys = known;
  keys.push_back("name");
  for (const auto& [key, value] : model.method.options) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InputError(
          model.at("method." + key,
                   fmt::format("\"{}\" has no such option{}; {}", method.name, formula::suggestion(key, keys),
                               known.empty() ? "it has none" : fmt::format("it has {}", fmt::join(known, ", ")))));
  }
  Options options;
  for (const Option& o : method.options) {
    const auto given = model.method.options.find(o.name);
    options.set(o.name, given == model.method.options.end() ? o.standard : checked(model, o, given->second));
  }
  if (method.complete) method.complete(model, options);
  return options;
}

}  // namespace livens
