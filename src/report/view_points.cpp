#include "report/view_points.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace livens::report {

namespace {

constexpr std::string_view axes = "xyz";

// Names end in digits, _a or [i, j], so that "x1" and "x_cart" are names of points and "xi" or "zeta" are not.
bool is_suffix(const std::string& text) {
  return text.empty() || text.front() == '_' || text.front() == '[' ||
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; }) ||
         (text.size() == 1 && std::isupper(static_cast<unsigned char>(text.front())));
}

std::string shown_name(const std::string& suffix) {
  if (suffix.starts_with('_')) return suffix.substr(1);
  if (suffix.starts_with('[')) return suffix.substr(1, suffix.size() - 2);
  return suffix;
}

double length(const Place& x) {
  return std::hypot(x[0], x[1], x[2]);
}
Place difference(const Place& a, const Place& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double dot(const Place& a, const Place& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
bool are_close(const Place& a, const Place& b, double size) {
  return length(difference(a, b)) <= 1e-9 * size;
}
// k where a = k b, none if they are not parallel.
std::optional<double> factor_of(const Place& a, const Place& b) {
  const double square = dot(b, b);
  if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
  const double k = dot(a, b) / square;
  if (k == 0 || !are_close(a, {k * b[0], k * b[1], k * b[2]}, std::max(length(a), std::abs(k) * length(b))))
    return std::nullopt;
  return k;
}

// What a constraint says about points: its gradient in two configurations.
class RodFinder {
 public:
  RodFinder(const Model& model, ViewPoints& found)
      : found_(found), graph_(model.system->lagrangian()->graph()), point_of_(model.initial.q.size(), -1) {
    for (std::size_t i = 0; i < model.initial.q.size(); ++i) {
      const double x = to_double(model.initial.q[i]);
      q_[0].push_back(x), q_[1].push_back(x + 0.3 + 0.1 * std::sin(1.0 + static_cast<double>(i)));
    }
    for (std::size_t p = 0; p < found.points.size(); ++p)
      for (const int i : found.points[p].coordinates)
        if (i >= 0) point_of_[static_cast<std::size_t>(i)] = static_cast<int>(p);
  }

  void look_at(formula::NodeId constraint) {
    std::vector<int> points;
    std::vector<formula::Slot> slots = graph_.variables(constraint);
    for (const formula::Slot slot : slots) {
      if (slot.block != LagrangianFormulas::q) return;  // t
      const int point = point_of_[static_cast<std::size_t>(slot.index)];
      if (point < 0) return;
      if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
    }
    if (points.empty() || points.size() > 2) return;
    differentiate(constraint, slots);
    if (points.size() == 2)
      look_at_two(points[0], points[1]);
    else
      look_at_one(points[0]);
  }

 private:
  void differentiate(formula::NodeId constraint, const std::vector<formula::Slot>& slots) {
    const auto program =
        std::make_shared<const formula::Program>(formula::compile(graph_, graph_.gradient(constraint, slots)));
    formula::Evaluator<double> evaluate(program);
    std::vector<double> out(slots.size());
    for (std::size_t c = 0; c < 2; ++c) {
      const double* const blocks[LagrangianFormulas::blocks] = {nullptr, q_[c].data(), nullptr,
                                                                nullptr, nullptr,      nullptr};
      evaluate(blocks, out.data());
      gradient_[c].clear();
      for (std::size_t k = 0; k < slots.size(); ++k) gradient_[c][slots[k].index] = out[k];
    }
  }
  Place place(int point, std::size_t configuration) const {
    Place x{0, 0, 0};
    for (std::size_t k = 0; k < 3; ++k)
      if (const int i = coordinates(point)[k]; i >= 0) x[k] = q_[configuration][static_cast<std::size_t>(i)];
    return x;
  }
  Place gradient(int point, std::size_t configuration) const {
    Place x{0, 0, 0};
    for (std::size_t k = 0; k < 3; ++k)
      if (const auto at = gradient_[configuration].find(coordinates(point)[k]); at != gradient_[configuration].end())
        x[k] = at->second;
    return x;
  }
  const std::array<int, 3>& coordinates(int point) const {
    return found_.points[static_cast<std::size_t>(point)].coordinates;
  }

  void look_at_two(int i, int j) {
    for (std::size_t c = 0; c < 2; ++c) {
      const Place r = difference(place(i, c), place(j, c));
      Place Gi = gradient(i, c), Gj = gradient(j, c);
      // A cart on its line has no say across it.
      const auto known = [&](int point, Place G, const Place& other) {
        for (std::size_t k = 0; k < 3; ++k)
          if (coordinates(point)[k] < 0) G[k] = -other[k];
        return G;
      };
      Gi = known(i, Gi, Gj), Gj = known(j, Gj, Gi);
      const auto ki = factor_of(Gi, r), kj = factor_of(Gj, r);
      if (!ki || !kj || std::abs(*ki + *kj) > 1e-9 * std::abs(*ki)) return;
    }
    found_.rods.push_back({i, j});
  }

  void look_at_one(int i) {
    const Place step = difference(place(i, 1), place(i, 0));
    const auto k = factor_of(difference(gradient(i, 1), gradient(i, 0)), step);
    Place centre{0, 0, 0};
    if (k) {
      const Place x = place(i, 0), G = gradient(i, 0);
      for (std::size_t c = 0; c < 3; ++c) centre[c] = x[c] - G[c] / *k;
    } else if (!factor_of(gradient(i, 0), place(i, 0)) || !factor_of(gradient(i, 1), place(i, 1))) {
      return;
    }
    for (double& x : centre)
      if (std::abs(x) < 1e-12 * length(place(i, 0))) x = 0;
    auto at = std::find_if(found_.places.begin(), found_.places.end(), [&](const Place& known) {
      return are_close(known, centre, std::max(length(place(i, 0)), length(centre)));
    });
    if (at == found_.places.end()) at = found_.places.insert(at, centre);
    found_.rods.push_back({-1 - static_cast<int>(at - found_.places.begin()), i});
  }

  ViewPoints& found_;
  formula::Graph graph_;
  std::vector<int> point_of_;
  std::array<std::vector<double>, 2> q_;
  std::array<std::map<int, double>, 2> gradient_;
};

// Forces of the potential that are the same wherever the points are, and of one direction: weights.
std::optional<Place> gravity_of(const Model& model, const ViewPoints& found) {
  const FormulaLagrangian<double> system = model.system->dense<double>();
  const int n = system.coordinates();
  Vec<double> q(n), here(n), there(n);
  const double t = to_double(model.initial.t);
  for (int i = 0; i < n; ++i) q[i] = to_double(model.initial.q[static_cast<std::size_t>(i)]);
  system.potential_gradient(t, q, here);
  for (int i = 0; i < n; ++i) q[i] += 0.3 + 0.1 * std::sin(1.0 + i);
  system.potential_gradient(t, q, there);
  Place sum{0, 0, 0};
  for (const ViewPoint& point : found.points) {
    Place weight{0, 0, 0};
    for (std::size_t k = 0; k < 3; ++k) {
      const int i = point.coordinates[k];
      if (i < 0) continue;
      if (!(std::abs(here[i] - there[i]) <= 1e-12 * std::abs(here[i]))) return std::nullopt;
      weight[k] = -here[i];
    }
    if (length(weight) == 0) continue;
    if (length(sum) > 0 && !(factor_of(weight, sum).value_or(-1) > 0)) return std::nullopt;
    for (std::size_t k = 0; k < 3; ++k) sum[k] += weight[k];
  }
  const double size = length(sum);
  if (!(size > 0)) return std::nullopt;
  return Place{sum[0] / size, sum[1] / size, sum[2] / size};
}

}  // namespace

ViewPoints points_of_names(const std::vector<std::string>& coordinates) {
  std::vector<std::string> suffixes;
  ViewPoints found;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::size_t letter = axes.find(coordinates[i].front());
    const std::string suffix = coordinates[i].substr(1);
    if (letter == axes.npos || !is_suffix(suffix)) continue;
    auto at = std::find(suffixes.rbegin(), suffixes.rend(), suffix);  // most often the last one
    std::size_t number = static_cast<std::size_t>(suffixes.rend() - at) - 1;
    if (at == suffixes.rend()) {
      number = suffixes.size();
      suffixes.push_back(suffix);
      found.points.push_back({shown_name(suffix), {-1, -1, -1}});
    }
    found.points[number].coordinates[letter] = static_cast<int>(i);
  }
  const auto has = [](const ViewPoint& p, std::size_t letter) { return p.coordinates[letter] >= 0; };
  for (const ViewPoint& p : found.points) {
    const int count = has(p, 0) + has(p, 1) + has(p, 2);
    if (count == 3) found.dimension = 3;
    if (count == 2) found.dimension = std::max(found.dimension, has(p, 2) ? 3 : 2);
  }
  // In the plane and in space alike, one coordinate alone is a point only if it is x.
  std::erase_if(found.points, [&](const ViewPoint& p) { return !has(p, 0) && !has(p, 1); });
  std::erase_if(found.points, [&](const ViewPoint& p) { return !has(p, 0) && !has(p, 2); });
  if (found.dimension == 0) found.points.clear();
  return found;
}

ViewPoints points_of(const Model& model) {
  ViewPoints found = points_of_names(model.system->coordinate_names());
  if (found.dimension == 0 || model.system->kind() != SystemKind::lagrangian) return found;
  RodFinder rods(model, found);
  for (const formula::NodeId constraint : model.system->lagrangian()->formulas().constraints) rods.look_at(constraint);
  found.gravity = gravity_of(model, found);
  return found;
}

}  // namespace livens::report
