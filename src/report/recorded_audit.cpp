// The audit of a recorded run, as its summary tells it.
#include <algorithm>
#include <limits>

#include "report/recorded_run.hpp"

namespace livens::report {

namespace {

// A number that was not finite is null in the summary.
double number(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

AuditLine line_of(AuditLine::About about, std::string name, const Json& figures) {
  const bool conserved = figures.contains("initial");
  const char* largest = conserved ? "max_error" : "max";
  const Json& rows = figures.at("rows");
  AuditLine line{.about = about,
                 .name = std::move(name),
                 .initial = {},
                 .all_steps = {number(figures.at(largest)), {}},
                 .rows = {number(rows.at(largest)), {}},
                 .size = {},
                 .words = figures.at("words").get<std::string>()};
  if (conserved) line.initial = number(figures.at("initial"));
  if (figures.contains("max_relative") && !figures.at("max_relative").is_null() && line.all_steps.largest > 0)
    line.size = line.all_steps.largest / number(figures.at("max_relative"));
  if (figures.contains("drift_per_unit_time")) line.all_steps.drift = number(figures.at("drift_per_unit_time"));
  if (rows.contains("drift_per_unit_time")) line.rows.drift = number(rows.at("drift_per_unit_time"));
  return line;
}

}  // namespace

std::vector<AuditLine> audit(const RecordedRun& run) {
  using About = AuditLine::About;
  const Json& audit = run.summary.at("audit");
  std::vector<AuditLine> lines;
  const auto add = [&](About about, const std::string& name, const Json& figures) {
    if (figures.contains("words")) lines.push_back(line_of(about, name, figures));  // else there was nothing to tell
  };
  if (audit.contains("energy")) add(About::energy, "energy", audit.at("energy"));
  if (audit.contains("energy") && audit.at("energy").contains("balance_words")) {
    const Json& energy = audit.at("energy");
    lines.push_back({.about = About::energy_balance,
                     .name = "energy balance",
                     .initial = {},
                     .all_steps = {number(energy.at("balance")), {}},
                     .rows = {number(energy.at("rows").at("balance")), {}},
                     .size = {},
                     .words = energy.at("balance_words").get<std::string>()});
  }
  if (audit.contains("constraint")) add(About::constraint, "constraint", audit.at("constraint"));
  if (audit.contains("hidden_constraint"))
    add(About::hidden_constraint, "hidden constraint", audit.at("hidden_constraint"));
  for (const auto& [name, figures] : audit.at("invariants").items()) add(About::invariant, name, figures);
  if (lines.empty() && run.summary.at("steps").get<long long>() > 0)
    throw InputError((run.directory / "summary.json").string() +
                     ": has no words about what the run conserved, it was written by an earlier Livens; run the model "
                     "again with --force");
  return lines;
}

}  // namespace livens::report

namespace livens {

std::vector<AuditLine> audit_run(const std::filesystem::path& directory) {
  return report::readable(directory, [](const report::RecordedRun& run) { return report::audit(run); });
}

}  // namespace livens
