#include "report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "report/mechanism_figure.hpp"
#include "report/multiplier_name.hpp"
#include "report/phase_portrait.hpp"
#include "report/sheet.hpp"

namespace livens::report {

namespace {

using svg::Curve, svg::Plot, svg::Point, svg::Thinned;

constexpr std::int64_t parts_of_curve = 150, parts_of_error = 150;
constexpr std::size_t points_of_path = 700;
constexpr std::size_t most_plots = 6;

std::vector<Point> over_time(const RecordedRun& run, const std::string& column, int component) {
  Thinned curve(run.rows.rows(), parts_of_curve, Thinned::Keep::both);
  visit_rows(run.rows, column, component, [&](double t, double x) { curve.add(t, x); });
  return curve.points();
}

std::vector<Point> error_over_time(const RecordedRun& run, const std::string& column, double initial) {
  Thinned curve(run.rows.rows(), parts_of_curve, Thinned::Keep::both);
  visit_rows(run.rows, column, 0, [&](double t, double x) { curve.add(t, x - initial); });
  return curve.points();
}

std::vector<Point> size_of_error_over_time(const RecordedRun& run, const std::string& column, double initial) {
  Thinned curve(run.rows.rows(), parts_of_error, Thinned::Keep::highest);
  visit_rows(run.rows, column, 0, [&](double t, double x) { curve.add(t, std::abs(x - initial)); });
  return curve.points();
}

double time_of(const RecordedRun& run, std::int64_t row) {
  std::vector<double> t;
  run.rows.read(run.rows.column(Role::time).name, row, 1, t);
  return t.front();
}

// First and last recorded time.
std::vector<double> time_span(const RecordedRun& run) {
  return {time_of(run, 0), time_of(run, run.rows.rows() - 1)};
}

// ---- paths ----------------------------------------------------------------------------------------------------------

struct Abscissa {
  std::string column;
  int component;
};

struct Path {
  std::string name;
  Abscissa x, y;
};

double width(const RecordedRun& run, const Abscissa& a) {
  const std::vector<Point> points = over_time(run, a.column, a.component);
  const auto [low, high] =
      std::minmax_element(points.begin(), points.end(), [](const Point& p, const Point& q) { return p.y < q.y; });
  return low == points.end() ? 0 : high->y - low->y;
}

// How far a path has to move in each direction before a point is worth drawing.
Point resolution(const RecordedRun& run, const std::vector<Path>& paths, bool equal_scales) {
  constexpr double points_across_the_page = 400;
  Point widest{0, 0};
  for (const Path& path : paths) {
    widest.x = std::max(widest.x, width(run, path.x));
    widest.y = std::max(widest.y, width(run, path.y));
  }
  if (equal_scales) widest.x = widest.y = std::max(widest.x, widest.y);
  // A direction in which nothing moves has no say.
  const auto apart = [](double w) { return w > 0 ? w / points_across_the_page : 1; };
  return {apart(widest.x), apart(widest.y)};
}

// The numbers of one abscissa in a block of rows.
struct Block {
  std::vector<double> numbers;
  std::size_t width, component;

  Block(const RecordedRun& run, const Abscissa& a, std::int64_t first, std::int64_t count)
      : width(static_cast<std::size_t>(run.rows.numbers(a.column))), component(static_cast<std::size_t>(a.component)) {
    run.rows.read(a.column, first, count, numbers);
  }
  double operator[](std::size_t row) const { return numbers[row * width + component]; }
};

// A long run would blacken the page and, thinned evenly, show corners that the motion does not have. So the paths are
// followed back from the last row, as far as their points reach.
Figure path_figure(const RecordedRun& run, const std::vector<Path>& paths, const std::string& x_label,
                   const std::string& y_label, bool equal_scales) {
  constexpr std::int64_t block = 1 << 12;
  const Point apart = resolution(run, paths, equal_scales);
  std::vector<std::vector<Point>> points(paths.size());
  std::int64_t begin = run.rows.rows();
  bool full = false;
  while (begin > 0 && !full) {
    const std::int64_t count = std::min(block, begin), first = begin - count;
    std::vector<Block> xs, ys;
    for (const Path& path : paths)
      xs.emplace_back(run, path.x, first, count), ys.emplace_back(run, path.y, first, count);
    while (begin > first && !full) {
      --begin;
      const auto row = static_cast<std::size_t>(begin - first);
      for (std::size_t k = 0; k < paths.size(); ++k) {
        const Point p{xs[k][row], ys[k][row]};
        const Point last = points[k].empty() ? Point{INFINITY, INFINITY} : points[k].back();
        if (std::hypot((p.x - last.x) / apart.x, (p.y - last.y) / apart.y) >= 1) points[k].push_back(p);
        full = full || points[k].size() == points_of_path;
      }
    }
  }

  Figure figure;
  figure.title = fmt::format("{} and {}", x_label, y_label);
  if (begin > 0)
    figure.note =
        fmt::format("from t = {:.4g} to the end at t = {:.4g}", time_of(run, begin), time_of(run, run.rows.rows() - 1));
  figure.plot = {.description = fmt::format("path in the plane of {} and {}", x_label, y_label),
                 .x_label = x_label,
                 .y_label = y_label,
                 .equal_scales = equal_scales};
  for (std::size_t k = 0; k < paths.size(); ++k) {
    std::reverse(points[k].begin(), points[k].end());
    figure.plot.curves.push_back({.name = paths[k].name,
                                  .colour = static_cast<int>(k) % svg::colours,
                                  .points = std::move(points[k]),
                                  .ends_with_dot = true});
  }
  return figure;
}

std::vector<Figure> paths_of_bodies(const RecordedRun& run, const std::vector<Body>& all) {
  const std::size_t shown = std::min<std::size_t>(all.size(), svg::colours);
  const bool in_space = all.front().coordinates.size() == 3;
  constexpr std::string_view letters = "xyz";
  const std::string& position = run.rows.column(Role::position).name;
  std::vector<Figure> figures;
  for (const auto& [across, up] : std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {0, 2}, {1, 2}}) {
    if (up == 2 && !in_space) continue;
    std::vector<Path> paths;
    for (std::size_t k = 0; k < shown; ++k)
      paths.push_back({all.size() == 1 ? "" : "body " + all[k].name,
                       {position, all[k].coordinates[across]},
                       {position, all[k].coordinates[up]}});
    figures.push_back(path_figure(run, paths, std::string(1, letters[across]), std::string(1, letters[up]), true));
    if (shown < all.size()) {
      std::string& note = figures.back().note;
      note = with_note(note, fmt::format("the first {} of {} bodies", shown, all.size()));
    }
  }
  return figures;
}

Figure phase_portrait(const RecordedRun& run, const std::string& position, const std::vector<std::string>& names) {
  Figure figure = path_figure(run, {{"motion", {position, 0}, {position, 1}}}, names[0], names[1], false);
  figure.title = "Phase portrait";
  std::vector<Curve>& curves = figure.plot.curves;
  curves.insert(curves.begin(), level_curve(run.model, curves.front().points));
  return figure;
}

Figure time_figure(const RecordedRun& run, const std::string& column, const std::vector<int>& components,
                   const std::vector<std::string>& names) {
  Figure figure;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const std::string& name = names[static_cast<std::size_t>(components[k])];
    figure.title += (k == 0 ? "" : ", ") + name;
    figure.plot.curves.push_back(
        {.name = name, .colour = static_cast<int>(k) % svg::colours, .points = over_time(run, column, components[k])});
  }
  figure.plot.description = figure.title + " over time";
  figure.plot.x_label = "t";
  figure.plot.x_includes = time_span(run);
  figure.plot.y_label = components.size() == 1 ? figure.title : "";
  return figure;
}

// In groups of three where nothing better is known.
std::vector<std::vector<int>> threes(int count) {
  std::vector<std::vector<int>> groups;
  for (int i = 0; i < count; ++i) {
    if (i % 3 == 0) groups.emplace_back();
    groups.back().push_back(i);
  }
  return groups;
}

std::vector<std::string> names_of(const RecordedRun& run) {
  std::vector<std::string> names = run.model.recorded_coordinates();
  for (int i = static_cast<int>(names.size()); i < run.rows.column(Role::position).numbers(); ++i)
    names.push_back(fmt::format("q{}", i + 1));
  return names;
}

Role role_about(AuditLine::About about) {
  switch (about) {
    case AuditLine::About::energy:
      return Role::energy;
    case AuditLine::About::energy_balance:
      return Role::energy_balance;
    case AuditLine::About::constraint:
      return Role::constraint;
    case AuditLine::About::hidden_constraint:
      return Role::hidden_constraint;
    case AuditLine::About::invariant:
      break;
  }
  return Role::invariant;
}

const std::string& column_of(const RecordedRun& run, const AuditLine& line) {
  return run.rows.column(role_about(line.about), line.name).name;
}

Figure error_figure(const RecordedRun& run, const std::string& title, const std::string& y_label, bool logarithmic) {
  return {.title = title,
          .plot = {.description = title,
                   .x_label = "t",
                   .y_label = y_label,
                   .logarithmic = logarithmic,
                   .x_includes = time_span(run)}};
}

void add_size(const RecordedRun& run, const AuditLine& line, Figure& figure) {
  figure.plot.curves.push_back(
      {.name = line.name,
       .colour = static_cast<int>(figure.plot.curves.size()) % svg::colours,
       .points = size_of_error_over_time(run, column_of(run, line), line.initial.value_or(0))});
}

// The multiplier that moves the steps of a degenerate system onto p = theta(q). That of the symplectic projection may
// grow, and then the run will fail.
std::optional<Figure> projection_figure(const RecordedRun& run) {
  if (run.model.system->kind() != SystemKind::degenerate || !run.rows.has(Role::raw, "lambda")) return std::nullopt;
  const Column& column = run.rows.column(Role::raw, "lambda");
  Figure figure = error_figure(run, "Multiplier of the projection", "|lambda|", true);
  const int shown = std::min(column.numbers(), svg::colours);
  for (int i = 0; i < shown; ++i) {
    Thinned curve(run.rows.rows(), parts_of_error, Thinned::Keep::highest);
    visit_rows(run.rows, column.name, i, [&](double t, double x) { curve.add(t, std::abs(x)); });
    figure.plot.curves.push_back(
        {.name = "of " + names_of(run)[static_cast<std::size_t>(i)], .colour = i, .points = curve.points()});
  }
  if (shown < column.numbers()) figure.note = fmt::format("the first {} of {}", shown, column.numbers());
  return figure;
}

}  // namespace

std::vector<Body> bodies(const std::vector<std::string>& coordinates) {
  constexpr std::string_view letters = "xyz";
  std::vector<Body> found;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::size_t letter = letters.find(coordinates[i].front());
    if (letter == letters.npos) return {};
    const std::string suffix = coordinates[i].substr(1);
    auto body = std::find_if(found.begin(), found.end(), [&](const Body& b) { return b.name == suffix; });
    if (body == found.end()) body = found.insert(found.end(), {suffix, {}});
    if (body->coordinates.size() != letter) return {};
    body->coordinates.push_back(static_cast<int>(i));
  }
  for (const Body& body : found)
    if (body.coordinates.size() < 2 || body.coordinates.size() != found.front().coordinates.size()) return {};
  for (Body& body : found)
    if (body.name.starts_with('_')) body.name.erase(0, 1);
  return found;
}

std::vector<Figure> projections(const RecordedRun& run) {
  const std::vector<std::string> names = names_of(run);
  const std::string& position = run.rows.column(Role::position).name;
  if (std::vector<Figure> mechanism = mechanism_figure(run); !mechanism.empty()) return mechanism;
  if (has_phase_plane(run.model)) return {phase_portrait(run, position, names)};
  if (const std::vector<Body> all = bodies(names); !all.empty()) return paths_of_bodies(run, all);
  const auto pair = [&](std::size_t i, std::size_t j) {
    return path_figure(run, {{"", {position, static_cast<int>(i)}, {position, static_cast<int>(j)}}}, names[i],
                       names[j], false);
  };
  if (names.size() == 1) {
    if (!run.rows.has(Role::momentum)) return {};
    const std::string& momentum = run.rows.column(Role::momentum).name;
    return {path_figure(run, {{"", {position, 0}, {momentum, 0}}}, names[0], "p_" + names[0], false)};
  }
  if (names.size() == 3) return {pair(0, 1), pair(0, 2), pair(1, 2)};
  std::vector<Figure> figures;
  for (std::size_t i = 0; i + 1 < names.size() && figures.size() < most_plots; i += 2)
    figures.push_back(pair(i, i + 1));
  return figures;
}

std::vector<Figure> coordinates_over_time(const RecordedRun& run) {
  const std::vector<std::string> names = names_of(run);
  std::vector<std::vector<int>> groups;
  for (const Body& body : bodies(names)) groups.push_back(body.coordinates);
  if (groups.empty()) groups = threes(static_cast<int>(names.size()));

  std::vector<Figure> figures;
  for (std::size_t k = 0; k < std::min(groups.size(), most_plots); ++k)
    figures.push_back(time_figure(run, run.rows.column(Role::position).name, groups[k], names));
  if (groups.size() > most_plots) {
    const auto shown = static_cast<std::size_t>(groups[most_plots - 1].back()) + 1;
    figures.back().note = fmt::format("the first {} of {} coordinates", shown, names.size());
  }
  if (run.rows.has(Role::multiplier)) {
    const Column& column = run.rows.column(Role::multiplier);
    std::vector<std::string> multipliers;
    std::vector<int> components;
    for (int a = 0; a < column.numbers(); ++a) multipliers.push_back(multiplier_name(run.model, a));
    for (int a = 0; a < std::min(column.numbers(), svg::colours); ++a) components.push_back(a);
    figures.push_back(time_figure(run, column.name, components, multipliers));
    figures.back().title = components.size() == 1 ? "Multiplier" : "Multipliers";
    if (components.size() < multipliers.size())
      figures.back().note = fmt::format("the first {} of {}", components.size(), multipliers.size());
  }
  if (const auto raw = projection_figure(run)) figures.push_back(*raw);
  std::size_t shown = 0;
  for (const std::string& name : run.model.record.values)
    if (const std::string column = "values/" + name; run.rows.has(column) && shown++ < most_plots)
      figures.push_back(time_figure(run, column, {0}, {name}));
  if (shown > most_plots) figures.back().note = fmt::format("the first {} of {} values", most_plots, shown);
  return figures;
}

std::vector<Figure> errors(const RecordedRun& run, const std::vector<AuditLine>& audit) {
  using About = AuditLine::About;
  Figure energy = error_figure(run, "Energy error", "energy \u2212 initial energy", false);
  Figure energy_size = error_figure(run, "Size of the energy error", "|energy \u2212 initial energy|", true);
  Figure balance = error_figure(run, "Energy balance", "energy \u2212 initial energy \u2212 supplied", false);
  const bool degenerate = run.model.system->kind() == SystemKind::degenerate;
  Figure constraints = error_figure(run, degenerate ? "Constraint p = theta(q)" : "Constraints",
                                    degenerate ? "largest |p \u2212 theta(q)|" : "largest |g|, |G v + g_t|", true);
  Figure invariants = error_figure(run, "Invariants", "|value \u2212 initial value|", true);
  for (const AuditLine& line : audit) {
    if (line.about == About::energy) {
      energy.plot.curves.push_back(
          {.name = "energy", .points = error_over_time(run, column_of(run, line), *line.initial)});
      add_size(run, line, energy_size);
    } else if (line.about == About::energy_balance) {
      balance.plot.curves.push_back(
          {.name = "energy balance", .points = error_over_time(run, column_of(run, line), 0)});
    } else if (!degenerate || line.about == About::invariant || line.all_steps.largest > 0) {
      add_size(run, line, line.about == About::invariant ? invariants : constraints);
    }
  }
  // One curve has no key to name it.
  if (invariants.plot.curves.size() == 1) invariants.title = "Invariant " + invariants.plot.curves.front().name;
  std::vector<Figure> figures;
  for (Figure* figure : {&energy, &energy_size, &balance, &constraints, &invariants})
    if (!figure->plot.curves.empty()) figures.push_back(std::move(*figure));
  return figures;
}

}  // namespace livens::report
