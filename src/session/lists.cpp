#include "livens/session/lists.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "livens/formula/functions.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/model/problems.hpp"
#include "livens/study/studies.hpp"
#include "model/keys.hpp"

namespace livens {

namespace {

Json standard_of(const Option& option) {
  return option.standard_words.empty() ? std::visit([](const auto& x) { return Json(x); }, option.standard)
                                       : Json(option.standard_words);
}

Json if_known(const std::optional<bool>& x) {
  return x ? Json(*x) : Json(nullptr);
}

}  // namespace

Json list_of_problems() {
  Json rows = Json::array();
  for (const ReadyProblem& p : ready_problems()) {
    const Model model = read_model(std::string(p.name), std::string(p.text));
    rows.push_back({{"name", p.name},
                    {"title", model.title},
                    {"kind", model.system->written_kind()},
                    {"method", model.method.name}});
  }
  return rows;
}

Json list_of_methods() {
  Json rows = Json::array();
  for (const MethodEntry& m : methods()) {
    Json options = Json::array(), kinds = Json::array();
    for (const Option& o : m.options) {
      Json row = {{"name", o.name}, {"default", standard_of(o)}, {"help", o.help}};
      if (!o.choices.empty()) row["choices"] = o.choices;
      options.push_back(row);
    }
    for (const SystemKind kind : m.kinds) kinds.push_back(name(kind));
    rows.push_back({{"name", m.name},
                    {"summary", m.summary},
                    {"kinds", kinds},
                    {"order", m.order},
                    {"symplectic", if_known(m.symplectic)},
                    {"symmetric", if_known(m.symmetric)},
                    {"keeps", m.keeps},
                    {"options", options}});
  }
  return rows;
}

Json list_of_keys() {
  Json rows = Json::array();
  for (const ModelKey& key : model_keys()) {
    Json kinds = Json::array();
    std::istringstream words{std::string(key.kinds)};
    for (std::string kind; words >> kind;) kinds.push_back(kind);
    rows.push_back({{"key", key.path}, {"example", key.example}, {"meaning", key.meaning}, {"kinds", kinds}});
  }
  for (const MethodEntry& m : methods())
    for (const Option& o : m.options)
      rows.push_back(
          {{"key", "method." + std::string(o.name)},
           {"example", std::string(o.name) + " = " + to_text(standard_of(o))},
           {"meaning", o.help + (o.choices.empty() ? "" : fmt::format("; one of {}", fmt::join(o.choices, ", ")))},
           {"kinds", Json::array()},
           {"method", m.name}});
  return rows;
}

Json list_of_studies() {
  Json rows = Json::array();
  for (const StudyEntry& s : studies()) rows.push_back({{"name", s.name}, {"summary", s.summary}});
  return rows;
}

Json list_of_functions() {
  Json rows = Json::array();
  for (const formula::FunctionWords& f : formula::functions_in_words())
    rows.push_back({{"name", f.name},
                    {"written", f.written},
                    {"summary", f.meaning},
                    {"reserved", f.reserved},
                    {"jumps", f.jumps}});
  return rows;
}

}  // namespace livens
