#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "livens/report/export.hpp"
#include "report/exported_rows.hpp"
#include "report/recorded_run.hpp"
#include "report/units.hpp"

namespace livens::report {

namespace {

constexpr std::int64_t exported_at_once = 4096;

// What every number of a row is called, and its unit where the model tells it.
class Headings {
 public:
  explicit Headings(const RecordedRun& run) : model_(run.model) {}

  std::vector<std::string> of(const Column& column) const {
    switch (column.role) {
      case Role::time:
        return {heading("t", unit("t"))};
      case Role::position:
        return of_coordinates(column, "", "", [&](const std::string& name) { return unit(name); });
      case Role::velocity:
        return of_coordinates(column, "", "'", [&](const std::string& name) { return unit_of_rate(model_, name); });
      case Role::momentum:
        return of_coordinates(column, "p_", "", {});
      case Role::raw:
        return column.name == recorded_name(Role::raw, "p") ? of_coordinates(column, column.name + "_", "", {})
                                                            : numbered(column, "");
      case Role::multiplier:
        return of_multipliers(column);
      case Role::energy:
      case Role::energy_balance:
        return {heading(column.name, unit("energy"))};
      case Role::invariant:
        return {heading(column.name, unit(column.name.substr(column.name.rfind('/') + 1)))};
      default:
        return of_other(column);
    }
  }

 private:
  std::string unit(const std::string& name) const { return unit_of(model_, name); }
  // In quotes where a comma or a quote would end the field.
  static std::string heading(const std::string& name, const std::string& unit) {
    const std::string words = unit.empty() ? name : fmt::format("{} ({})", name, unit);
    if (words.find_first_of(",\"\n") == words.npos) return words;
    std::string quoted = "\"";
    for (const char c : words) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
  }

  std::vector<std::string> of_coordinates(const Column& column, const std::string& before, const std::string& after,
                                          const std::function<std::string(const std::string&)>& with_unit) const {
    const std::vector<std::string> names = model_.recorded_coordinates();
    if (names.size() != static_cast<std::size_t>(column.numbers())) return numbered(column, "");  // z of odae
    std::vector<std::string> out;
    for (const std::string& name : names)
      out.push_back(heading(before + name + after, with_unit ? with_unit(name) : ""));
    return out;
  }
  std::vector<std::string> of_multipliers(const Column& column) const {
    const auto& chosen = model_.record.multipliers;
    std::vector<std::string> out;
    for (int a = 0; a < column.numbers(); ++a)
      out.push_back(fmt::format("{}_{}", column.name, (chosen ? (*chosen)[static_cast<std::size_t>(a)] : a) + 1));
    return out;
  }
  // bodies/crank/position: its last part is the name of its unit.
  std::vector<std::string> of_other(const Column& column) const {
    const std::string last = column.name.substr(column.name.rfind('/') + 1);
    const std::string of = unit(last == "rotation" && column.numbers() == 1 ? "angle" : last);
    const bool vector = column.name.starts_with("bodies/") || column.name.starts_with("joints/");
    if (!vector || column.numbers() > 3) return numbered(column, of);
    if (column.numbers() == 1) return {heading(column.name, of)};
    std::vector<std::string> out;
    for (int k = 0; k < column.numbers(); ++k) out.push_back(heading(fmt::format("{}_{}", column.name, "xyz"[k]), of));
    return out;
  }
  static std::vector<std::string> numbered(const Column& column, const std::string& unit) {
    if (column.width == 0) return {heading(column.name, unit)};
    std::vector<std::string> out;
    for (int k = 0; k < column.numbers(); ++k) out.push_back(heading(fmt::format("{}_{}", column.name, k + 1), unit));
    return out;
  }

  const Model& model_;
};

// As they were recorded, the time first; a file holds them by name.
Columns in_order(const RecordedRun& run) {
  Columns columns = run.rows.columns();
  const std::vector<std::string> order = run.file ? run.file->order() : std::vector<std::string>{};
  const auto place = [&](const Column& c) { return std::find(order.begin(), order.end(), c.name) - order.begin(); };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](const Column& a, const Column& b) { return place(a) < place(b); });
  std::stable_partition(columns.begin(), columns.end(), [](const Column& c) { return c.role == Role::time; });
  return columns;
}

void write_table(const RecordedRun& run, std::int64_t every, const std::function<void(std::string_view)>& write) {
  const Columns columns = in_order(run);
  const Headings headings(run);
  std::vector<std::string> names;
  for (const Column& column : columns)
    for (const std::string& name : headings.of(column)) names.push_back(name);
  write(fmt::format("{}\n", fmt::join(names, ",")));

  const std::vector<std::int64_t> exported = exported_rows(run.rows.rows(), every);
  std::vector<std::vector<double>> numbers(columns.size());
  for (std::int64_t first = 0; first < run.rows.rows(); first += exported_at_once) {
    const std::int64_t count = std::min(exported_at_once, run.rows.rows() - first);
    const auto begin = std::lower_bound(exported.begin(), exported.end(), first);
    const auto end = std::lower_bound(begin, exported.end(), first + count);
    if (begin == end) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) run.rows.read(columns[c].name, first, count, numbers[c]);
    std::string text;
    for (auto row = begin; row != end; ++row) {
      const char* comma = "";
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto width = static_cast<std::size_t>(columns[c].numbers());
        for (std::size_t k = 0; k < width; ++k) {
          const double x = numbers[c][static_cast<std::size_t>(*row - first) * width + k];
          text += comma;
          if (std::isfinite(x)) fmt::format_to(std::back_inserter(text), "{}", x);
          comma = ",";
        }
      }
      text += "\n";
    }
    write(text);
  }
}

}  // namespace

}  // namespace livens::report

namespace livens {

void export_csv(const std::filesystem::path& directory, std::int64_t every,
                const std::function<void(std::string_view)>& write) {
  // What cannot be written is not an error of the run that is read.
  const report::RecordedRun run =
      report::readable(directory, [](report::RecordedRun&& read) { return std::move(read); });
  report::write_table(run, every, write);
}

}  // namespace livens
