// Which plots a run has, and their numbers.
//
// If all rows of all curves fit into a page of usual size they are all there. If not, every curve keeps the lowest and
// the highest number of each of so many equal parts of the run as fit, at the times where they stand.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "livens/model/conservation.hpp"
#include "livens/multibody/mechanism.hpp"
#include "report/encode.hpp"
#include "report/multiplier_name.hpp"
#include "report/page_data.hpp"
#include "report/svg.hpp"
#include "report/units.hpp"
#include "report/view_points.hpp"

namespace livens::report {

namespace {

constexpr std::int64_t bytes_of_plots = 300'000;  // before base64
constexpr std::size_t most_plots_of_group = 12, most_curves_of_plot = 8;

struct PlotCurve {
  std::string name, column;
  int component = 0;
  bool from_start = false;  // the difference to its first number
  bool of_step = false;     // of the step that ends in a row: the first row has none
  std::string unit = {}, description = {};
};

struct PlotOfRun {
  std::string title = {};
  bool error = false;  // of which the size matters: a logarithmic axis of the absolute value
  std::vector<PlotCurve> curves = {};
  std::string note = {};
};

struct Group {
  std::string title;
  bool open;
  std::vector<PlotOfRun> plots = {};

  // So many plots and no more; what is left out is told.
  void shorten(std::string_view of_what) {
    if (plots.size() <= most_plots_of_group) return;
    const std::size_t all = plots.size();
    plots.resize(most_plots_of_group);
    plots.back().note = fmt::format("the first {} of {} {}", most_plots_of_group, all, of_what);
  }
};

class Groups {
 public:
  Groups(const Model& model, const RowTable& rows) : model_(model), rows_(rows) {}

  std::vector<Group> all() {
    std::vector<Group> groups{conservation(), accuracy()};
    if (model_.system->mechanism()) {
      groups.push_back(bodies("Positions", "position", "rotation", "angle", true));
      groups.push_back(bodies("Velocities", "velocity", "angular_velocity", "angular_velocity", false));
      groups.push_back(joints());
    } else {
      groups.push_back(coordinates("Coordinates", Role::position, "", "", true));
      groups.push_back(coordinates("Velocities", Role::velocity, "", "'", false));
      groups.push_back(coordinates("Momenta", Role::momentum, "p_", "", false));
      groups.push_back(multipliers());
    }
    groups.push_back(values());
    groups.push_back(rest());
    std::erase_if(groups, [](const Group& group) { return group.plots.empty(); });
    return groups;
  }

 private:
  PlotCurve curve(const std::string& name, const std::string& column, int component, const std::string& named) const {
    return {.name = name,
            .column = column,
            .component = component,
            .unit = unit_of(model_, named),
            .description = word_of(model_.descriptions, named)};
  }

  PlotCurve of_coordinate(Role role, const std::string& name, const std::string& column, int component,
                          const std::string& coordinate) const {
    PlotCurve drawn = curve(name, column, component, coordinate);
    if (role == Role::position) return drawn;
    drawn.unit = role == Role::velocity ? unit_of_rate(model_, coordinate) : "";
    drawn.description = "";
    return drawn;
  }

  Group conservation() const {
    Group group{"Errors", true};
    if (rows_.has(Role::energy)) {
      PlotCurve energy = curve("energy", rows_.column(Role::energy).name, 0, "energy");
      energy.from_start = true;
      if (conserves_energy(model_))
        group.plots.push_back({"Energy error", true, {energy}});
      else
        group.plots.push_back({"Energy, change from the start", false, {energy}});
    }
    if (rows_.has(Role::energy_balance)) {
      PlotCurve balance = curve("energy balance", rows_.column(Role::energy_balance).name, 0, "energy");
      group.plots.push_back({"Energy balance", true, {balance}});
    }
    const bool degenerate = model_.system->kind() == SystemKind::degenerate;
    const bool constrained = degenerate || model_.system->constraints() > 0;
    PlotOfRun constraints{degenerate ? "p = theta(q)" : "Constraints", true};
    if (constrained && rows_.has(Role::constraint))
      constraints.curves.push_back(curve("constraint", rows_.column(Role::constraint).name, 0, ""));
    if (constrained && rows_.has(Role::hidden_constraint))
      constraints.curves.push_back(curve("hidden constraint", rows_.column(Role::hidden_constraint).name, 0, ""));
    if (!constraints.curves.empty()) group.plots.push_back(constraints);
    PlotOfRun invariants{"Invariants", true};
    for (const Column& column : rows_.columns())
      if (column.role == Role::invariant) {
        const std::string name = column.name.substr(column.name.rfind('/') + 1);
        invariants.curves.push_back(curve(name, column.name, 0, name));
        invariants.curves.back().from_start = true;
      }
    if (invariants.curves.size() == 1) invariants.title = "Invariant " + invariants.curves.front().name;
    cut(invariants);
    if (!invariants.curves.empty()) group.plots.push_back(invariants);
    return group;
  }

  Group accuracy() const {
    Group group{"How right it is", true};
    PlotOfRun errors{"Estimated error", true};
    for (const char* of : {"q", "p"})
      if (rows_.has(std::string("accuracy/") + of))
        errors.curves.push_back(curve(fmt::format("error of {}", of), std::string("accuracy/") + of, 0, ""));
    if (!errors.curves.empty()) group.plots.push_back(errors);
    return group;
  }

  static void cut(PlotOfRun& plot) {
    if (plot.curves.size() <= most_curves_of_plot) return;
    plot.note = fmt::format("the first {} of {}", most_curves_of_plot, plot.curves.size());
    plot.curves.resize(most_curves_of_plot);
  }

  // Those of a point together, what is left in threes.
  Group coordinates(const std::string& title, Role role, const std::string& before, const std::string& after,
                    bool open) const {
    Group group{title, open};
    if (!rows_.has(role)) return group;
    const Column& column = rows_.column(role);
    std::vector<std::string> names = model_.recorded_coordinates();
    if (names.size() != static_cast<std::size_t>(column.numbers())) {  // z of odae
      names.clear();
      for (int i = 0; i < column.numbers(); ++i) names.push_back(fmt::format("{}", i + 1));
      return in_threes(group, column, names, model_.system->kind() == SystemKind::odae ? "z" : before, "");
    }
    const ViewPoints found = points_of_names(names);
    std::vector<bool> taken(names.size());
    for (const ViewPoint& point : found.points) {
      PlotOfRun plot;
      for (const int i : point.coordinates)
        if (i >= 0) {
          const std::string& name = names[static_cast<std::size_t>(i)];
          plot.curves.push_back(of_coordinate(role, before + name + after, column.name, i, name));
          plot.title += (plot.title.empty() ? "" : ", ") + plot.curves.back().name;
          taken[static_cast<std::size_t>(i)] = true;
        }
      group.plots.push_back(plot);
    }
    Group others{title, open};
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!taken[i])
        add_to_three(others,
                     of_coordinate(role, before + names[i] + after, column.name, static_cast<int>(i), names[i]));
    // A coordinate that is no point's, as an angle, is worth more than the twelfth point.
    if (group.plots.size() + others.plots.size() > most_plots_of_group && others.plots.size() < 4) {
      const std::size_t all = group.plots.size();
      group.plots.resize(most_plots_of_group - others.plots.size());
      group.plots.back().note = fmt::format("the first {} of {} points", group.plots.size(), all);
    }
    group.plots.insert(group.plots.end(), others.plots.begin(), others.plots.end());
    group.shorten("plots");
    return group;
  }
  static void add_to_three(Group& group, const PlotCurve& added) {
    if (group.plots.empty() || group.plots.back().curves.size() == 3) group.plots.emplace_back();
    PlotOfRun& plot = group.plots.back();
    plot.title += (plot.title.empty() ? "" : ", ") + added.name;
    plot.curves.push_back(added);
  }
  Group in_threes(Group group, const Column& column, const std::vector<std::string>& names, const std::string& before,
                  const std::string& after) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      add_to_three(group, curve(before + names[i] + after, column.name, static_cast<int>(i), names[i]));
    group.shorten("plots");
    return group;
  }

  void add_vector(Group& group, const std::string& title, const std::string& column, const std::string& letter,
                  const std::string& named) const {
    if (!rows_.has(column)) return;
    const int numbers = rows_.numbers(column);
    PlotOfRun plot{title};
    constexpr std::string_view axes_of = "xyz";
    for (int i = 0; i < numbers; ++i)
      plot.curves.push_back(
          curve(numbers == 1 ? letter : fmt::format("{}_{}", letter, axes_of[static_cast<std::size_t>(i)]), column, i,
                named));
    group.plots.push_back(plot);
  }

  Group bodies(const std::string& title, const std::string& place, const std::string& turn,
               const std::string& turn_named, bool open) const {
    Group group{title, open};
    for (const multibody::Body& body : model_.system->mechanism()->bodies()) {
      const std::string path = "bodies/" + body.name + "/";
      add_vector(group, fmt::format("{}: {}", body.name, place), path + place, place == "position" ? "r" : "v", place);
      const bool matrix = rows_.has(path + turn) && rows_.numbers(path + turn) == 9;
      std::string words = turn;
      std::replace(words.begin(), words.end(), '_', ' ');
      if (!matrix)
        add_vector(group, fmt::format("{}: {}", body.name, words), path + turn, turn == "rotation" ? "angle" : "w",
                   turn_named);
    }
    group.shorten("plots");
    return group;
  }

  Group joints() const {
    Group group{"Joint reactions", false};
    for (const multibody::Joint& joint : model_.system->mechanism()->joints()) {
      const std::string path = "joints/" + joint.name + "/";
      add_vector(group, joint.name + ": force", path + "force", "F", "force");
      add_vector(group, joint.name + ": torque", path + "torque", "M", "torque");
    }
    group.shorten("plots");
    return group;
  }

  Group multipliers() const {
    Group group{"Multipliers", false};
    if (rows_.has(Role::multiplier)) {
      int first = 0;  // number in its plot
      const Column& column = rows_.column(Role::multiplier);
      for (int a = 0; a < column.numbers(); ++a) {
        const int number = multiplier_number(model_, a);
        if (group.plots.empty() || group.plots.back().curves.size() == 4) {
          group.plots.emplace_back();
          first = number;
        }
        PlotOfRun& plot = group.plots.back();
        plot.curves.push_back(curve(multiplier_name(model_, a), column.name, a, ""));
        plot.title = fmt::format("lambda {}", first) + (number == first ? "" : fmt::format(" to {}", number));
      }
      group.shorten("plots");
    }
    if (model_.system->kind() == SystemKind::degenerate && rows_.has(Role::raw, "lambda")) {
      const Column& column = rows_.column(Role::raw, "lambda");
      PlotOfRun plot{"Multiplier of the projection", true};
      const std::vector<std::string> names = model_.recorded_coordinates();
      for (int i = 0; i < column.numbers(); ++i)
        plot.curves.push_back(curve(static_cast<std::size_t>(i) < names.size()
                                        ? "of " + names[static_cast<std::size_t>(i)]
                                        : fmt::format("{}", i + 1),
                                    column.name, i, ""));
      cut(plot);
      group.plots.push_back(plot);
    }
    return group;
  }

  Group values() const {
    Group group{"Values", true};
    for (const std::string& name : model_.record.values)
      if (rows_.has("values/" + name)) group.plots.push_back({name, false, {curve(name, "values/" + name, 0, name)}});
    group.shorten("values");
    return group;
  }

  Group rest() const {
    Group group{"Iterations, work and reactions", false};
    if (rows_.has("iterations")) {
      PlotCurve iterations = curve("iterations", "iterations", 0, "");
      iterations.of_step = true;
      group.plots.push_back({"Iterations of the step that ends there", false, {iterations}});
    }
    if (rows_.has("work")) group.plots.push_back({"Work of the forces", false, {curve("work", "work", 0, "energy")}});
    if (rows_.has("reaction")) {
      Group reactions{"", false};
      const std::vector<std::string> names = model_.recorded_coordinates();
      for (std::size_t i = 0; i < names.size() && i < static_cast<std::size_t>(rows_.numbers("reaction")); ++i)
        add_to_three(reactions, curve("reaction on " + names[i], "reaction", static_cast<int>(i), ""));
      group.plots.insert(group.plots.end(), reactions.plots.begin(), reactions.plots.end());
      group.shorten("plots");
    }
    return group;
  }

  const Model& model_;
  const RowTable& rows_;
};

// The numbers of all curves, a column at a time.
class CurveData {
 public:
  CurveData(const RowTable& rows, const std::vector<Group>& groups) : rows_(rows) {
    for (const Group& group : groups)
      for (const PlotOfRun& plot : group.plots)
        for (const PlotCurve& curve : plot.curves) columns_[curve.column][curve.component];
    std::int64_t curves = 0;
    for (const auto& entry : columns_) curves += static_cast<std::int64_t>(entry.second.size());
    curves = std::max<std::int64_t>(curves, 1);
    all_rows_ = rows.rows() * (4 * curves + 8) <= bytes_of_plots;
    parts_ = std::clamp<std::int64_t>(bytes_of_plots / curves / 16, 60, 1000);
  }

  bool all_rows() const { return all_rows_; }
  std::int64_t parts() const { return parts_; }

  void read() {
    constexpr std::int64_t block = 1 << 15;
    std::vector<double> numbers, t;
    for (auto& [name, components] : columns_) {
      const auto width = static_cast<std::size_t>(rows_.numbers(name));
      std::vector<svg::Thinned> thinned(components.size(),
                                        svg::Thinned(rows_.rows(), parts_, svg::Thinned::Keep::both));
      for (std::int64_t first = 0; first < rows_.rows(); first += block) {
        const std::int64_t count = std::min(block, rows_.rows() - first);
        rows_.read(name, first, count, numbers);
        if (!all_rows_) rows_.read(rows_.column(Role::time).name, first, count, t);
        std::size_t c = 0;
        for (auto& [component, points] : components) {
          const auto at = static_cast<std::size_t>(component);
          if (first == 0) points.start = numbers[at];
          for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
            if (all_rows_)
              points.values.push_back(numbers[k * width + at]);
            else
              thinned[c].add(t[k], numbers[k * width + at]);
          ++c;
        }
      }
      if (all_rows_) continue;
      std::size_t c = 0;
      for (auto& [component, points] : components)
        for (const svg::Point& p : thinned[c++].points()) points.times.push_back(p.x), points.values.push_back(p.y);
    }
  }

  // The values as differences to the first, if asked for; times from t0 on.
  void put(const PlotCurve& curve, double t0, Json& out) const {
    const Numbers& numbers = columns_.at(curve.column).at(curve.component);
    std::vector<double> values = numbers.values, times = numbers.times;
    if (curve.from_start)
      for (double& x : values) x -= numbers.start;
    if (curve.of_step && !values.empty()) values.front() = std::nan("");
    for (double& t : times) t -= t0;
    out["v"] = floats(values);
    if (!all_rows_) out["t"] = floats(times);
  }

 private:
  struct Numbers {
    double start = 0;
    std::vector<double> values, times;
  };
  const RowTable& rows_;
  std::map<std::string, std::map<int, Numbers>> columns_;
  bool all_rows_ = true;
  std::int64_t parts_ = 0;
};

}  // namespace

Json plots(const Model& model, const RowTable& rows) {
  const std::vector<Group> groups = Groups(model, rows).all();
  CurveData data(rows, groups);
  data.read();
  std::vector<double> t;
  rows.read(rows.column(Role::time).name, 0, data.all_rows() ? rows.rows() : 1, t);
  Json out = Json::array();
  for (const Group& group : groups) {
    Json shown = Json::array();
    for (const PlotOfRun& plot : group.plots) {
      Json curves = Json::array();
      for (const PlotCurve& curve : plot.curves) {
        Json one = {{"name", curve.name}};
        if (!curve.unit.empty()) one["unit"] = curve.unit;
        if (!curve.description.empty()) one["about"] = curve.description;
        data.put(curve, t.front(), one);
        curves.push_back(one);
      }
      shown.push_back({{"title", plot.title}, {"error", plot.error}, {"note", plot.note}, {"curves", curves}});
    }
    out.push_back({{"title", group.title}, {"open", group.open}, {"plots", shown}});
  }
  Json all = {{"t0", t.front()}, {"groups", out}};
  if (data.all_rows())
    all["t"] = doubles(t);
  else
    all["parts"] = data.parts();
  return all;
}

}  // namespace livens::report
