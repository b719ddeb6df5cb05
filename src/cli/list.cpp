// livens list, livens show, livens --version
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "livens/formula/nearest.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/model/problems.hpp"
#include "livens/session/lists.hpp"
#include "livens/store/json.hpp"
#include "livens/store/version.hpp"
#include "livens/study/studies.hpp"

namespace livens::cli {

namespace {

int print_json(const Json& rows) {
  fmt::print("{}\n", to_text(rows));
  return 0;
}

std::string standard(const Option& option) {
  return option.standard_words.empty() ? to_text(std::visit([](const auto& x) { return Json(x); }, option.standard))
                                       : option.standard_words;
}

std::string joined(const Json& words) {
  std::string text;
  for (const Json& word : words) text += (text.empty() ? "" : ", ") + word.get<std::string>();
  return text;
}

int list_problems(bool json) {
  const Json rows = list_of_problems();
  if (json) return print_json(rows);
  const auto text = [](const Json& row, const char* key) { return row.at(key).get<std::string>(); };
  for (const Json& row : rows)
    fmt::print("{:<31} {:<12} {}\n", text(row, "name"), text(row, "kind"), text(row, "title"));
  return 0;
}

int list_methods(bool json) {
  if (json) return print_json(list_of_methods());
  for (const MethodEntry& m : methods()) {
    fmt::print("{:<18} {}\n", m.name, m.summary);
    const auto property = [](const std::optional<bool>& has, const std::string& name) {
      return has ? (*has ? name : "not " + name) : name + " for some options";
    };
    fmt::print("{:<18} order {}, {}, {}\n", "", m.order, property(m.symplectic, "symplectic"),
               property(m.symmetric, "symmetric"));
    fmt::print("{:<18} keeps: {}\n", "", m.keeps);
    for (const Option& o : m.options) {
      fmt::print("{:<18} {} = {}: {}\n", "", o.name, standard(o), o.help);
      if (!o.choices.empty()) fmt::print("{:<20} one of {}\n", "", fmt::join(o.choices, ", "));
    }
  }
  return 0;
}

int list_studies(bool json) {
  if (json) return print_json(list_of_studies());
  for (const StudyEntry& s : studies()) fmt::print("{:<18} {}\n", s.name, s.summary);
  return 0;
}

int list_functions(bool json) {
  const Json rows = list_of_functions();
  if (json) return print_json(rows);
  for (const Json& row : rows)
    fmt::print("{:<22} {}{}\n", row.at("written").get<std::string>(), row.at("summary").get<std::string>(),
               row.at("jumps").get<bool>() ? "; jumps: not where formulas are differentiated" : "");
  return 0;
}

int list_keys(bool json) {
  const Json rows = list_of_keys();
  if (json) return print_json(rows);
  for (const Json& row : rows) {
    const std::string of = row.contains("method") ? row["method"].get<std::string>()
                                                  : (row["kinds"].size() == 4 ? "" : joined(row["kinds"]));
    fmt::print("{:<27} {}{}\n{:<27} {}\n", row["key"].get<std::string>(), row["example"].get<std::string>(),
               of.empty() ? "" : "  (" + of + ")", "", row["meaning"].get<std::string>());
  }
  return 0;
}

}  // namespace

int list(const std::string& what, bool json) {
  if (what == "problems") return list_problems(json);
  if (what == "methods") return list_methods(json);
  if (what == "studies") return list_studies(json);
  if (what == "functions") return list_functions(json);
  if (what == "keys") return list_keys(json);
  throw InputError(fmt::format("list {}: there are five lists: problems, methods, studies, functions, keys", what));
}

int show(const std::string& name) {
  std::vector<std::string> names;
  for (const ReadyProblem& p : ready_problems()) {
    if (p.name == name) {
      fmt::print("{}", p.text);
      return 0;
    }
    names.emplace_back(p.name);
  }
  throw InputError(fmt::format("show {}: there is no such ready problem{}; livens list problems names them", name,
                               formula::suggestion(name, names)));
}

std::string version() {
  return fmt::format("livens {}", library_version());
}

}  // namespace livens::cli
