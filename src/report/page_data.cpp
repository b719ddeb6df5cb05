#include "report/page_data.hpp"

#include <fmt/format.h>

#include "report/motion.hpp"
#include "report/units.hpp"

namespace livens::report {

namespace {

double time_of_row(const RowTable& rows, std::int64_t row) {
  std::vector<double> t;
  rows.read(rows.column(Role::time).name, row, 1, t);
  return t.front();
}

// {t, kind, name}: a contact by its number, an event of the model by its name.
Json events_of(const Json& summary) {
  Json events = Json::array();
  if (!summary.is_object() || !summary.contains("events")) return events;
  for (const Json& event : summary.at("events")) {
    std::string name;
    if (event.contains("name")) name = event.at("name").get<std::string>();
    if (event.contains("constraint")) {
      const Json& which = event.at("constraint");
      name = which.is_string() ? which.get<std::string>() : fmt::format("constraint {}", which.get<long long>());
    }
    events.push_back({{"t", event.at("t")}, {"kind", event.at("kind")}, {"name", name}});
  }
  return events;
}

std::string why_no_view(const Model& model) {
  return model.record.coordinates
             ? "The motion is not drawn: record.coordinates leaves out what it is drawn from."
             : "The motion is not drawn: its points are not finite numbers of usual size at all times.";
}

}  // namespace

Json page_data(const Model& model, const RowTable& rows, const Json& summary) {
  const bool failed = summary.is_object() && summary.at("outcome") == "failed";
  const Json view = motion(model, rows, failed);
  return {{"name", model.name},
          {"title", model.title.empty() ? model.name : model.title},
          {"time_unit", unit_of(model, "t")},
          {"span", Json::Array{time_of_row(rows, 0), time_of_row(rows, rows.rows() - 1)}},
          {"rows", static_cast<long long>(rows.rows())},
          {"view", view},
          {"no_view", view.is_null() ? why_no_view(model) : ""},
          {"events", events_of(summary)},
          {"plots", plots(model, rows)}};
}

}  // namespace livens::report
