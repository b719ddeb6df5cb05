// livens audit, livens report
#include "cli/audit.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "livens/store/json.hpp"

namespace livens::cli {

namespace {

// The keys of summary.json, and beside each figure over all steps the one of the recorded rows.
Json json_of(const AuditLine& line) {
  const bool constraint = !line.initial;
  const char* largest = constraint ? "max" : "max_error";
  Json out = Json::object(), rows = Json::object();
  if (line.initial) out["initial"] = *line.initial;
  out[largest] = line.all_steps.largest;
  rows[largest] = line.rows.largest;
  if (line.relative()) out["max_relative"] = *line.relative();
  if (line.all_steps.drift) out["drift_per_unit_time"] = *line.all_steps.drift;
  if (line.rows.drift) rows["drift_per_unit_time"] = *line.rows.drift;
  out["rows"] = rows;
  out["words"] = line.words;
  return out;
}

std::string sentence(const AuditLine& line) {
  return line.label() + ": " + line.words;
}

}  // namespace

std::string table_of(const std::vector<AuditLine>& lines) {
  std::string table;
  for (const AuditLine& line : lines)
    table += fmt::format("  {:<20} {:>8.1e}   {}{}\n", line.label(), line.all_steps.largest, line.words,
                         line.initial
                             ? fmt::format(" (initial {:.6g}{})", *line.initial,
                                           line.relative() ? fmt::format(", relative {:.1e}", *line.relative()) : "")
                             : "");
  return table;
}

int audit(const std::string& directory, bool json) {
  const std::vector<AuditLine> lines = audit_run(directory);
  if (!json) {
    fmt::print("{}: {}\n{}", printable(directory),
               lines.empty() ? "no motion was found, there is nothing to audit"
                             : "largest error over all steps, and what it means",
               table_of(lines));
    return 0;
  }
  Json figures = Json::object(), invariants = Json::object(), words = Json::array();
  for (const AuditLine& line : lines) {
    words.push_back(sentence(line));
    switch (line.about) {
      case AuditLine::About::energy:
        figures["energy"] = json_of(line);
        break;
      case AuditLine::About::energy_balance:
        figures["energy"]["balance"] = line.all_steps.largest;
        figures["energy"]["rows"]["balance"] = line.rows.largest;
        figures["energy"]["balance_words"] = line.words;
        break;
      case AuditLine::About::constraint:
        figures["constraint"] = json_of(line);
        break;
      case AuditLine::About::hidden_constraint:
        figures["hidden_constraint"] = json_of(line);
        break;
      case AuditLine::About::invariant:
        invariants[line.name] = json_of(line);
    }
  }
  figures["invariants"] = invariants;
  fmt::print("{}\n", to_text(Json{{"directory", directory}, {"audit", figures}, {"words", words}}));
  return 0;
}

int report(const std::string& directory) {
  write_report(directory);
  say("wrote {}\n", (std::filesystem::path(directory) / "report.html").string());
  return 0;
}

}  // namespace livens::cli
