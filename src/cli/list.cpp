// livens list, livens show, livens --version
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.hpp"
#include "livens/formula/nearest.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/model/problems.hpp"
#include "livens/store/json.hpp"
#include "livens/store/version.hpp"
#include "livens/study/studies.hpp"

namespace livens::cli {

namespace {

Json json_of(const OptionValue& value) {
  return std::visit([](const auto& x) { return Json(x); }, value);
}

Json standard(const Option& option) {
  return option.standard_words.empty() ? json_of(option.standard) : Json(option.standard_words);
}

int list_problems(bool json) {
  Json rows = Json::array();
  for (const ReadyProblem& p : ready_problems()) {
    const Model model = read_model(std::string(p.name), std::string(p.text));
    rows.push_back({{"name", p.name},
                    {"title", model.title},
                    {"kind", model.system->written_kind()},
                    {"method", model.method.name}});
    if (!json) fmt::print("{:<31} {:<12} {}\n", p.name, model.system->written_kind(), model.title);
  }
  if (json) fmt::print("{}\n", to_text(rows));
  return 0;
}

int list_methods(bool json) {
  Json rows = Json::array();
  for (const MethodEntry& m : methods()) {
    Json options = Json::array(), kinds = Json::array();
    for (const Option& o : m.options) {
      Json row = {{"name", o.name}, {"default", standard(o)}, {"help", o.help}};
      if (!o.choices.empty()) row["choices"] = o.choices;
      options.push_back(row);
    }
    for (const SystemKind kind : m.kinds) kinds.push_back(name(kind));
    rows.push_back({{"name", m.name},
                    {"summary", m.summary},
                    {"kinds", kinds},
                    {"order", m.order},
                    {"symplectic", m.symplectic ? Json(*m.symplectic) : Json(nullptr)},
                    {"symmetric", m.symmetric ? Json(*m.symmetric) : Json(nullptr)},
                    {"keeps", m.keeps},
                    {"options", options}});
    if (json) continue;
    fmt::print("{:<18} {}\n", m.name, m.summary);
    const auto property = [](const std::optional<bool>& has, const std::string& name) {
      return has ? (*has ? name : "not " + name) : name + " for some options";
    };
    fmt::print("{:<18} order {}, {}, {}\n", "", m.order, property(m.symplectic, "symplectic"),
               property(m.symmetric, "symmetric"));
    fmt::print("{:<18} keeps: {}\n", "", m.keeps);
    for (const Option& o : m.options) {
      fmt::print("{:<18} {} = {}: {}\n", "", o.name, o.standard_words.empty() ? to_text(standard(o)) : o.standard_words,
                 o.help);
      if (!o.choices.empty()) fmt::print("{:<20} one of {}\n", "", fmt::join(o.choices, ", "));
    }
  }
  if (json) fmt::print("{}\n", to_text(rows));
  return 0;
}

int list_studies(bool json) {
  Json rows = Json::array();
  for (const StudyEntry& s : studies()) {
    rows.push_back({{"name", s.name}, {"summary", s.summary}});
    if (!json) fmt::print("{:<18} {}\n", s.name, s.summary);
  }
  if (json) fmt::print("{}\n", to_text(rows));
  return 0;
}

}  // namespace

int list(const std::string& what, bool json) {
  if (what == "problems") return list_problems(json);
  if (what == "methods") return list_methods(json);
  if (what == "studies") return list_studies(json);
  throw InputError(fmt::format("list {}: there are three lists: problems, methods, studies", what));
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
