#include "session/summary.hpp"

#include <fmt/format.h>

#include "build_info.hpp"
#include "livens/model/conservation.hpp"
#include "livens/store/json.hpp"
#include "livens/store/sha256.hpp"
#include "livens/store/summary_check.hpp"
#include "session/run_audit.hpp"

namespace livens {

std::string_view outcome_name(RunOutcome outcome) {
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

namespace {

// t is a number, everything else an array; `part` chooses numbers or digits.
template <class Part>
Json state(const RunResult::Final& final, Part Values::*part) {
  Json out = Json::object();
  out["t"] = (final.t.*part).front();
  out["q"] = final.q.*part;
  if (final.v) out["v"] = (*final.v).*part;
  out["p"] = final.p.*part;
  if (final.lambda) out["lambda"] = (*final.lambda).*part;
  return out;
}

// "bodies/crank/position" becomes bodies.crank.position; nine numbers are three rows.
void add_parts(const std::vector<std::pair<Column, std::vector<double>>>& parts, Json& final) {
  for (const auto& [column, numbers] : parts) {
    const std::size_t first = column.name.find('/'), last = column.name.rfind('/');
    if (first == last) {  // values/height
      final[column.name.substr(0, first)][column.name.substr(first + 1)] = numbers.front();
      continue;
    }
    Json& part = final[column.name.substr(0, first)][column.name.substr(first + 1, last - first - 1)]
                      [column.name.substr(last + 1)];
    if (numbers.size() == 9)
      for (std::size_t i = 0; i < 9; i += 3)
        part.push_back(std::vector<double>(numbers.begin() + static_cast<std::ptrdiff_t>(i),
                                           numbers.begin() + static_cast<std::ptrdiff_t>(i + 3)));
    else if (column.width == 0)
      part = numbers.front();
    else
      part = numbers;
  }
}

Json raw_values(const std::vector<NamedValues>& raw) {
  if (raw.empty()) return nullptr;
  Json out = Json::object();
  for (const NamedValues& v : raw) out[v.name] = v.values.numbers;
  return out;
}

// The figures over all steps, those of the recorded rows, and what they mean.
Json figures_of(const AuditLine& line) {
  Json out = Json::object(), rows = Json::object();
  const char* largest = line.initial ? "max_error" : "max";
  if (line.initial) out["initial"] = *line.initial;
  out[largest] = line.all_steps.largest;
  rows[largest] = line.rows.largest;
  if (line.initial) out["max_relative"] = line.relative() ? Json(*line.relative()) : Json(nullptr);
  if (line.all_steps.drift) out["drift_per_unit_time"] = *line.all_steps.drift;
  if (line.rows.drift) rows["drift_per_unit_time"] = *line.rows.drift;
  out["rows"] = rows;
  out["words"] = line.words;
  return out;
}

// What there is to look at is there, with or without words: no motion was found, or there are no constraints.
Json audit(const Model& model, const AuditFigures& figures, const std::vector<AuditLine>& lines) {
  Json out = Json::object(), invariants = Json::object();
  if (figures.watched.energy)
    out["energy"] = {{"initial", figures.energy.initial},
                     {"max_error", figures.energy.max_error},
                     {"drift_per_unit_time", figures.energy.course.slope()}};
  if (figures.watched.balance) out["energy"]["balance"] = figures.balance;
  if (figures.watched.constraint) out["constraint"] = {{"max", figures.constraint}};
  if (figures.watched.hidden_constraint) out["hidden_constraint"] = {{"max", figures.hidden_constraint}};
  for (std::size_t k = 0; k < figures.invariants.size(); ++k)
    invariants[model.system->invariant_names()[k]] = {{"initial", figures.invariants[k].initial},
                                                      {"max_error", figures.invariants[k].max_error}};
  for (const AuditLine& line : lines) switch (line.about) {
      case AuditLine::About::energy:
        out["energy"] = figures_of(line);
        break;
      case AuditLine::About::energy_balance:
        out["energy"]["balance"] = line.all_steps.largest;
        out["energy"]["rows"]["balance"] = line.rows.largest;
        out["energy"]["balance_words"] = line.words;
        break;
      case AuditLine::About::constraint:
        out["constraint"] = figures_of(line);
        break;
      case AuditLine::About::hidden_constraint:
        out["hidden_constraint"] = figures_of(line);
        break;
      case AuditLine::About::invariant:
        invariants[line.name] = figures_of(line);
    }
  if (figures.watched.energy && !conserves_energy(model))
    out["energy"]["note"] = !model.system->conserves_energy()
                                ? "the model need not conserve energy: time or forces enter its equations"
                                : "the model does not conserve energy: contacts take it away";
  out["invariants"] = invariants;
  return out;
}

Json events(const Model& model, const std::vector<RunEvent>& all) {
  Json out = Json::array();
  for (const RunEvent& e : all) {
    Json event = {{"t", e.t}, {"kind", name(e.kind)}};
    const auto index = static_cast<std::size_t>(e.index);
    if (is_of_contact(e.kind)) {
      const Model::Contact::OneSided& contact = model.contact.one_sided[index];
      event["constraint"] = contact.constraint + 1;
      if (!contact.joint.empty()) event["name"] = contact.joint;
    } else {
      event["name"] = model.events[index].name;
    }
    out.push_back(std::move(event));
  }
  return out;
}

Json accuracy(const Accuracy& a, const Model& model) {
  Json out = Json::object();
  if (a.asked) out["asked"] = *a.asked;
  out["q"] = {{"end", a.q.end}, {"max", a.q.max}};
  out["p"] = {{"end", a.p.end}, {"max", a.p.max}};
  out["slope"] = a.slope ? Json(*a.slope) : Json(nullptr);
  out["horizon"] = a.horizon ? Json(*a.horizon) : Json(nullptr);
  out["words"] = accuracy_in_words(a, model);
  return out;
}

}  // namespace

std::string accuracy_in_words(const Accuracy& accuracy, const Model& model) {
  switch (model.system->kind()) {
    case SystemKind::lagrangian:
      return accuracy_in_words(accuracy, "momenta");
    case SystemKind::degenerate:
      return accuracy_in_words(accuracy, "");  // p = theta(q)
    case SystemKind::odae:
      return accuracy_in_words(accuracy, "velocities");
  }
  return "";
}

std::string accuracy_text(const FoundStep& found, const Model& model) {
  Json out = accuracy(found.accuracy, model), pilots = Json::array();
  for (const PilotRow& row : found.pilots) {
    Json pilot = {{"method", row.method},
                  {"steps", row.steps},
                  {"step", row.step},
                  {"error", row.error ? Json(*row.error) : Json(nullptr)},
                  {"evaluations", row.cost.evaluations}};
    if (!row.note.empty()) pilot["note"] = row.note;
    pilots.push_back(pilot);
  }
  out["pilots"] = pilots;
  out["evaluations"] = found.evaluations;
  return to_text(out);
}

std::string accuracy_as_run(const std::string& found, const RunResult& result) {
  if (result.report.outcome == RunOutcome::finished) return found;
  Json out = Json::parse(found);
  for (const char* of : {"q", "p"}) out[of] = {{"end", nullptr}, {"max", nullptr}};
  out["words"] = fmt::format(
      "the run ended early, at t = {:.4g}: how right it is until there is not known (its step was found for an error "
      "of {:.1g} of the whole motion)",
      result.final.t.numbers.front(), out.at("asked").get<double>());
  return to_text(out);
}

std::string summary_text(const Model& model, const MethodEntry& method, const Options& options,
                         const SessionResult& session, double seconds) {
  const RunResult& result = session.run;
  Json s;
  s["livens"] = LIVENS_VERSION;
  s["format"] = 1;
  s["build"] = {{"compiler", LIVENS_COMPILER}, {"flags", LIVENS_FLAGS}, {"commit", LIVENS_COMMIT}};
  s["title"] = model.title;
  s["directory"] = session.directory.empty() ? Json(nullptr) : Json(session.directory.string());
  s["model_sha256"] = sha256(model.text);
  s["set"] = Json::object();
  for (const auto& [key, value] : model.set) s["set"][key] = value;
  if (!model.found.set.empty()) {
    s["found"] = Json::object();
    for (const auto& [key, value] : model.found.set) s["found"][key] = value;
  }
  s["method"] = {{"name", method.name}};
  for (const auto& option : options.values())
    std::visit([&](const auto& x) { s["method"][option.first] = x; }, option.second);
  for (const auto& [name, value] : result.chosen) s["method"][name] = value;
  s["precision"] = name(model.run.precision);
  s["step"] = static_cast<double>(model.run.step);
  s["steps"] = result.report.steps;
  s["outcome"] = outcome_name(result.report.outcome);
  s["message"] = session.message;
  s["final"] = state(result.final, &Values::numbers);
  add_parts(result.parts, s["final"]);
  if (model.run.precision != Precision::double_) s["final_digits"] = state(result.final, &Values::digits);
  if (const auto& boundary = result.boundary) {
    s["boundary"] = {{"action", boundary->action.numbers.front()},
                     {"p0", boundary->p0.numbers},
                     {"iterations", boundary->iterations},
                     {"residual", boundary->residual}};
    if (model.run.precision != Precision::double_)
      s["boundary_digits"] = {{"action", boundary->action.digits.front()}, {"p0", boundary->p0.digits}};
  }
  s["raw"] = raw_values(result.raw);
  if (model.has_contact() || !model.events.empty()) s["events"] = events(model, result.events);
  s["audit"] = audit(model, result.audit, session.audit);
  if (result.accuracy) s["accuracy"] = accuracy(*result.accuracy, model);
  if (!session.accuracy.empty() && !model.found.accuracy.empty())
    s["accuracy"] = Json::parse(accuracy_as_run(model.found.accuracy, result));
  if (model.initial.project) s["projection"] = {{"q", result.move.q}, {"v", result.move.v}, {"p", result.move.p}};
  s["cost"] = {{"newton_iterations", result.report.cost.newton_iterations},
               {"jacobians", result.report.cost.jacobians},
               {"evaluations", result.report.cost.evaluations},
               {"seconds", seconds}};
  s["check"] = summary_check(s);
  return to_text(s) + "\n";
}

}  // namespace livens
