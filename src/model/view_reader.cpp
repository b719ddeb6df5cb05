#include "model/view_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/formula/nearest.hpp"

namespace livens {

namespace {

constexpr int points_of_curve = 400;

}  // namespace

template <class Visit>
void ViewReader::for_each(const Value& array, const Visit& visit) {
  for (const Item& item : items_of(array)) {
    if (!item.range) {
      visit(item.value, formula::Indices{});
      continue;
    }
    words_.repeat(item.range, 1000 * item.each.size(), [&](const formula::Indices& indices) {
      for (const Item& inner : item.each) {
        if (inner.range) inner.value.refuse("a repeat inside of a repeat is not read here; write one repeat");
        visit(inner.value, indices);
      }
    });
  }
}

ViewReader::Nodes ViewReader::read_place(const Value& place, const formula::Indices& indices, const Contents& contents,
                                         int& dimension) {
  Nodes formulas;
  for (const Value& component : place.items())
    formulas.push_back(component.is_text() ? words_.formula(component, contents, indices)
                                           : words_.constant_node(component.number()));
  const auto count = static_cast<int>(formulas.size());
  if (count != 2 && count != 3)
    place.refuse(fmt::format("has {} component{}; write [\"x\", \"y\"] in the plane or [\"x\", \"y\", \"z\"] in space",
                             count, count == 1 ? "" : "s"));
  if (dimension != 0 && dimension != count)
    place.refuse(fmt::format("has {} components, those before have {}; give all as many", count, dimension));
  dimension = count;
  return formulas;
}

void ViewReader::read_points(const Value& points, Model::View& out) {
  Nodes all;
  for_each(points, [&](const Value& place, const formula::Indices& indices) {
    const Nodes formulas = read_place(place, indices, motion_, out.dimension);
    all.insert(all.end(), formulas.begin(), formulas.end());
  });
  if (all.empty()) points.refuse("is empty; write at least one point, or leave it out");
  out.points = std::make_shared<const formula::Program>(formula::compile(words_.graph(), all));
}

void ViewReader::read_rods(const Value& rods, int points, Model::View& out) {
  out.rods.emplace();
  for_each(rods, [&](const Value& rod, const formula::Indices& indices) {
    std::array<int, 2> ends{};
    const std::vector<Value> both = rod.items();
    if (both.size() != 2) rod.refuse("write the numbers of two points, such as [1, 2]; 0 is the origin");
    for (std::size_t k = 0; k < 2; ++k) {
      const double number = to_double(words_.constant(both[k], indices));
      if (number != std::floor(number) || number < 0 || number > points)
        both[k].refuse(fmt::format("is {}; write the number of a point, 1 to {}, or 0 for the origin{}", number, points,
                                   formula::in_words(indices)));
      ends[k] = static_cast<int>(number);
    }
    if (ends[0] == ends[1]) rod.refuse("connects a point with itself; write the numbers of two points");
    out.rods->push_back(ends);
  });
}

void ViewReader::read_background(const Value& curves, Model::View& out) {
  if (const std::string owner = words_.owner_of("tau"); !owner.empty())
    curves.refuse("\"tau\" is its parameter on [0, 1], and the name is already given at " + owner +
                  "; choose another one there");
  if (!words_.knows("tau")) words_.add_local("tau", tau_);
  const Contents contents{{tau_}, "a background may contain tau and parameters only"};
  for_each(curves, [&](const Value& curve, const formula::Indices& indices) {
    const Nodes formulas = read_place(curve, indices, contents, out.dimension);
    formula::Evaluator<double> evaluate(
        std::make_shared<const formula::Program>(formula::compile(words_.graph(), formulas)));
    std::vector<const double*> blocks(static_cast<std::size_t>(tau_) + 1, nullptr);
    Model::View::Curve& points = out.background.emplace_back();
    for (int k = 0; k <= points_of_curve; ++k) {
      const double tau = static_cast<double>(k) / points_of_curve;
      blocks[static_cast<std::size_t>(tau_)] = &tau;
      std::array<double, 3> point{0, 0, 0};
      evaluate(blocks.data(), point.data());
      if (!std::all_of(point.begin(), point.end(), [](double x) { return std::isfinite(x); }))
        curve.refuse(
            fmt::format("is not finite at tau = {:.6g}; write formulas that are finite on all of [0, 1]", tau));
      points.push_back(point);
    }
  });
}

double ViewReader::read_positive(const Value& value, const char* of_what) {
  const double number = to_double(words_.constant(value));
  if (!(number > 0)) value.refuse(fmt::format("is {}; write {}, a positive number", number, of_what));
  return number;
}

void ViewReader::read(const Section& view, Model::View& out) {
  if (const auto points = view.find("points")) read_points(*points, out);
  const int points = out.points ? static_cast<int>(out.points->outputs.size()) / out.dimension : 0;
  if (const auto rods = view.find("rods")) {
    if (points == 0) rods->refuse("connects points that are not given; write points = [[\"x\", \"y\"], ...] too");
    read_rods(*rods, points, out);
  }
  if (const auto background = view.find("background")) read_background(*background, out);
  if (const auto trail = view.find("trail")) {
    const double time = to_double(words_.constant(*trail));
    if (!(time >= 0)) trail->refuse(fmt::format("is {}; write for how long a trail stays, or 0 for none", time));
    out.trail = time;
  }
  if (const auto radius = view.find("radius")) out.radius = read_positive(*radius, "the radius of points");
}

void read_words(const Section& system, const std::string& kind, const std::vector<std::string>& coordinates,
                const std::vector<std::string>& named, Model& model) {
  std::vector<std::string> known{"t", "energy"};
  if (kind == "multibody") {
    for (const char* quantity : {"position", "velocity", "angle", "angular_velocity", "force", "torque"})
      known.emplace_back(quantity);
  } else {
    for (const std::string& name : coordinates) {
      known.push_back(name);
      if (const std::size_t bracket = name.find('['); bracket != name.npos) known.push_back(name.substr(0, bracket));
    }
  }
  known.insert(known.end(), named.begin(), named.end());
  const auto read = [&](const char* key, std::map<std::string, std::string>& out) {
    const auto given = system.find(key);
    if (!given) return;
    for (const auto& [name, text] : given->section().entries()) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        text.refuse(fmt::format(
            "\"{}\" is nothing that this model has{}; known are coordinates, invariants, values, t and energy", name,
            formula::suggestion(name, known)));
      out[name] = text.text();
    }
  };
  read("units", model.units), read("descriptions", model.descriptions);
}

}  // namespace livens
