#include "session/summary.hpp"

#include "build_info.hpp"
#include "livens/store/sha256.hpp"

namespace livens {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view outcome_name(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::finished:
      return "finished";
    case RunOutcome::failed:
      return "failed";
    case RunOutcome::interrupted:
      return "interrupted";
  }
  return "";
}

// t is a number, everything else an array.
Json state(const std::vector<Values>& values) {
  Json out = Json::object();
  for (const Values& v : values) {
    if (v.name == "t")
      out[v.name] = v.numbers.front();
    else
      out[v.name] = v.numbers;
  }
  return out;
}

Json state_digits(const std::vector<Values>& values) {
  Json out = Json::object();
  for (const Values& v : values) {
    if (v.name == "t")
      out[v.name] = v.digits.front();
    else
      out[v.name] = v.digits;
  }
  return out;
}

Json audit(const Model& model, const AuditFigures& figures) {
  Json out = Json::object();
  out["energy"] = {{"initial", figures.energy.initial},
                   {"max_error", figures.energy.max_error},
                   {"drift_per_unit_time", figures.energy_drift.slope()}};
  if (!model.lagrangian->structure().conserves_energy())
    out["energy"]["note"] = "the model does not conserve energy: time or forces enter its equations";
  out["constraint"] = {{"max", figures.constraint}};
  out["hidden_constraint"] = {{"max", figures.hidden_constraint}};
  Json invariants = Json::object();
  for (std::size_t k = 0; k < figures.invariants.size(); ++k)
    invariants[model.lagrangian->invariant_names()[k]] = {{"initial", figures.invariants[k].initial},
                                                          {"max_error", figures.invariants[k].max_error}};
  out["invariants"] = invariants;
  return out;
}

}  // namespace

Json summary(const Model& model, const MethodEntry& method, const Options& options, const RunResult& result,
             const std::string& message, const std::string& directory, double seconds) {
  Json s;
  s["livens"] = LIVENS_VERSION;
  s["format"] = 1;
  s["build"] = {{"compiler", LIVENS_COMPILER}, {"flags", LIVENS_FLAGS}, {"commit", LIVENS_COMMIT}};
  s["title"] = model.title;
  s["directory"] = directory;
  s["model_sha256"] = sha256(model.text);
  s["set"] = Json::object();
  for (const auto& [key, value] : model.set) s["set"][key] = value;
  s["method"] = {{"name", method.name}};
  for (const auto& option : options.values())
    std::visit([&](const auto& x) { s["method"][option.first] = x; }, option.second);
  for (const auto& option : result.chosen)
    std::visit([&](const auto& x) { s["method"][option.first] = x; }, option.second);
  s["precision"] = name(model.run.precision);
  s["step"] = static_cast<double>(model.run.step);
  s["steps"] = result.report.steps;
  s["outcome"] = outcome_name(result.report.outcome);
  s["message"] = message;
  s["final"] = state(result.final);
  if (model.run.precision != Precision::double_) s["final_digits"] = state_digits(result.final);
  if (const auto& boundary = result.boundary) {
    s["boundary"] = {{"action", boundary->action.numbers.front()},
                     {"p0", boundary->p0.numbers},
                     {"iterations", boundary->iterations},
                     {"residual", boundary->residual}};
    if (model.run.precision != Precision::double_)
      s["boundary_digits"] = {{"action", boundary->action.digits.front()}, {"p0", boundary->p0.digits}};
  }
  s["raw"] = result.raw.empty() ? Json(nullptr) : state(result.raw);
  s["audit"] = audit(model, result.audit);
  if (model.initial.project) s["projection"] = {{"q", result.move.q}, {"v", result.move.v}, {"p", result.move.p}};
  s["cost"] = {{"newton_iterations", result.report.cost.newton_iterations},
               {"jacobians", result.report.cost.jacobians},
               {"evaluations", result.report.cost.evaluations},
               {"seconds", seconds}};
  return s;
}

}  // namespace livens
