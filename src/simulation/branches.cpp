#include "simulation/branches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "livens/model/element_lagrangian.hpp"

namespace livens {

namespace {

constexpr double nowhere = std::numeric_limits<double>::infinity(), least_stride = 1.0 / (1 << 24);

Vec<double> in_double(const std::vector<formula::Number>& numbers) {
  Vec<double> x(static_cast<int>(numbers.size()));
  for (int i = 0; i < x.size(); ++i) x[i] = static_cast<double>(numbers[static_cast<std::size_t>(i)]);
  return x;
}

WatchedConstraints of_lagrangian(const SystemDescription& description, const Model& model) {
  const auto system = std::make_shared<const ElementSystem<double>>(description.elements<double>());
  const Vec<double> q = in_double(model.initial.q), v(q.size());
  auto mass = system->square();
  system->mass(static_cast<double>(model.initial.t), q, v, mass);
  Vec<double> inertia(q.size());
  for (int i = 0; i < q.size(); ++i)
    for_row(mass, i, [&](int j, double x) {
      if (i == j) inertia[i] = std::abs(x);
    });
  WatchedConstraints watched{system->jacobian().shared_pattern(),
                             [system](double t, const Vec<double>& x, Vec<double>& g, SparseMat<double>& G) {
                               system->constraint_jacobian(t, x, g, G);
                             },
                             {},
                             std::move(inertia)};
  if (system->structure().time_in_constraints)
    watched.rate = [system](double t, const Vec<double>& x, Vec<double>& gt) { system->constraint_rate(t, x, gt); };
  return watched;
}

WatchedConstraints of_overdetermined(const SystemDescription& description) {
  const auto system = std::make_shared<const FormulaOdae<double>>(description.odae());
  const int m = description.constraints(), n = description.coordinates();
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < m; ++a)
    for (int i = 0; i < n; ++i) pairs.emplace_back(a, i);
  auto pattern = std::make_shared<SparsePattern>(make_pattern(m, n, std::move(pairs)));
  find_groups(*pattern);
  const auto full = std::make_shared<Mat<double>>(m, n);
  Vec<double> inertia(n);
  inertia.fill(1);
  return {std::move(pattern),
          [system, full](double, const Vec<double>& y, Vec<double>& g, SparseMat<double>& G) {
            system->constraint_jacobian(y, g, *full);
            std::copy_n(full->data(), g.size() * y.size(), G.values());
          },
          {},
          std::move(inertia)};
}

}  // namespace

WatchedConstraints watched_constraints(const Model& model) {
  std::shared_ptr<const SystemDescription> system = model.system;
  if (model.has_contact()) {
    std::vector<int> one_sided;
    for (const Model::Contact::OneSided& c : model.contact.one_sided) one_sided.push_back(c.constraint);
    std::sort(one_sided.begin(), one_sided.end());
    system = system->without_constraints(one_sided);
  }
  if (system->kind() == SystemKind::degenerate || system->constraints() == 0) return {};
  return system->kind() == SystemKind::lagrangian ? of_lagrangian(*system, model) : of_overdetermined(*system);
}

Branches::Branches(WatchedConstraints constraints)
    : constraints_(std::move(constraints)),
      weight_(constraints_.inertia.size()),
      product_(*constraints_.jacobian, *constraints_.jacobian),
      elimination_(product_.pattern(), EliminateRows::one_by_one),
      mismatch_(constraints_.jacobian->rows),
      impulse_(mismatch_),
      step_(weight_),
      last_(point()),
      next_(last_) {
  for (int i = 0; i < weight_.size(); ++i) {
    double& inertia = constraints_.inertia[i];
    if (!(inertia > 0) || !std::isfinite(inertia)) inertia = 1;  // without mass at the start: any metric will do
    weight_[i] = 1 / std::sqrt(inertia);
  }
}

Branches::Point Branches::point() const {
  const Vec<double> q(weight_.size()), g(constraints_.jacobian->rows);
  return {{0, q, q}, SparseMat<double>(constraints_.jacobian), g, g, g, false};
}

void Branches::evaluate(Point& x) {
  constraints_.evaluate(x.at.t, x.at.q, x.g, x.normals);
  const int* column = constraints_.jacobian->column.data();
  double* const N = x.normals.values();
  for (int k = 0, entries = constraints_.jacobian->entries(); k < entries; ++k) N[k] *= weight_[column[k]];
  product_.symmetric(N, elimination_.values());
  x.regular = elimination_.factorise();
}

// (1) for x = y
void Branches::look(Point& x) {
  evaluate(x);
  if (constraints_.rate) constraints_.rate(x.at.t, x.at.q, x.rate);
  const Vec<double>& inverse = elimination_.inverse_pivots();
  for (int k = 0; x.regular && k < inverse.size(); ++k) {
    x.regular = inverse[k] > 0 && std::isfinite(inverse[k]);
    x.length[k] = 1 / std::sqrt(inverse[k]);
  }
}

// (2)
Branches::Change Branches::change(const Point& x, const Point& y) {
  product_(y.normals.values(), x.normals.values(), elimination_.values());
  if (!elimination_.factorise()) return {nowhere, nowhere, nowhere};
  const Vec<double>& inverse = elimination_.inverse_pivots();
  Change most;
  for (int k = 0; k < inverse.size(); ++k) {
    const auto [shorter, longer] = std::minmax(x.length[k], y.length[k]);
    most.length = std::max(most.length, (longer - shorter) / shorter);
    most.turn_squared = std::max(most.turn_squared, 2 * std::abs(1 - 1 / (inverse[k] * shorter * longer)));
  }
  if (most.is_small()) most.across = across(x, y);
  return most;
}

// (3), of neighbours by their normals, whose product is factorised.
double Branches::across(const Point& x, const Point& y) {
  double way_squared = 0;
  for (int i = 0; i < step_.size(); ++i) {
    step_[i] = (y.at.q[i] - x.at.q[i]) / weight_[i];
    way_squared += step_[i] * step_[i];
  }
  const SparsePattern& rows = *constraints_.jacobian;
  const double *const from = x.normals.values(), *const to = y.normals.values();
  const double h = y.at.t - x.at.t;
  for (int a = 0; a < rows.rows; ++a) {
    double twice = 0;
    for (int k = rows.begin(a); k < rows.end(a); ++k) twice += (from[k] + to[k]) * step_[rows.col(k)];
    if (constraints_.rate) twice += h * (x.rate[a] + y.rate[a]);
    mismatch_[a] = twice / 2 - (y.g[a] - x.g[a]);
  }
  elimination_.solve(mismatch_, impulse_);
  double squared = 0;
  for (int a = 0; a < rows.rows; ++a) squared += mismatch_[a] * impulse_[a];
  const double length = std::sqrt(std::abs(squared));
  return length <= unknown_part(y.at) ? 0 : length / std::sqrt(way_squared);
}

// Where constraints lose rank, positions are known to the root of round-off.
double Branches::unknown_part(const Place& x) const {
  return 1e-7 * size(x);
}

double Branches::size(const Place& x) const {
  double sum = 0;
  for (int i = 0; i < weight_.size(); ++i) sum += constraints_.inertia[i] * x.q[i] * x.q[i];
  return std::sqrt(sum);
}

// Takes from the way from x to y what leads across branches at x.
void Branches::lead_along(const Point& x, Place& y) {
  product_.symmetric(x.normals.values(), elimination_.values());
  if (!elimination_.factorise()) return;
  for (int i = 0; i < step_.size(); ++i) step_[i] = (y.q[i] - x.at.q[i]) / weight_[i];
  multiply(x.normals, step_, mismatch_);
  elimination_.solve(mismatch_, impulse_);
  multiply_transposed(x.normals, impulse_, step_);
  for (int i = 0; i < step_.size(); ++i) y.q[i] -= weight_[i] * step_[i];
}

// q <- q - W G^T (G W G^T)^-1 g, repeated.
bool Branches::project(Point& x, double furthest) {
  const double scale = size(x.at) + furthest;
  double before = furthest;
  for (int k = 0; k < 60; ++k) {
    evaluate(x);
    if (!x.regular) return false;
    elimination_.solve(x.g, impulse_);
    multiply_transposed(x.normals, impulse_, step_);
    double moved = 0;
    for (int i = 0; i < step_.size(); ++i) {
      x.at.q[i] -= weight_[i] * step_[i];
      moved += step_[i] * step_[i];
    }
    moved = std::sqrt(moved);
    if (!(moved <= furthest)) return false;
    if (moved <= 1e-13 * scale || (k > 3 && moved >= before && moved <= 1e-9 * scale)) {
      look(x);
      return x.regular;
    }
    before = moved;
  }
  return false;
}

Branches::Way Branches::way(const Point& x, const Point& y) {
  Way first = Way::unknown;
  for (const Line line : {Line{1}, Line{0}, Line{0.5}, Line{1, true}}) {
    const Way found = walk(x, y, line);
    if (found == Way::continued || found == Way::singular) return found;
    if (found == Way::apart) first = found;
  }
  return first == Way::apart && ends_singular(x, y) ? Way::singular : first;
}

// From x along g = 0 as near to y as it leads: to where constraints lose rank?
bool Branches::ends_singular(const Point& x, const Point& y) {
  constexpr double vanishing = 1e-5;  // lengths are proportional to the distance from there
  const double whole = distance(x.at, y.at);
  last_ = x;
  double share = 1.0 / 16, rest = whole, rate = 0;
  for (int tries = 0; tries < 500; ++tries) {
    next_.at.t = last_.at.t + share * (y.at.t - last_.at.t);
    for (int i = 0; i < weight_.size(); ++i) next_.at.q[i] = last_.at.q[i] + share * (y.at.q[i] - last_.at.q[i]);
    const bool found = project(next_, whole);
    const double length = distance(last_.at, next_.at), new_rest = distance(next_.at, y.at);
    const Change changed = found ? change(last_, next_) : Change{nowhere, nowhere, nowhere};
    if (!changed.is_small() || !(rate * length < 0.5) || !(new_rest < rest)) {
      share /= 2;
      if (share < least_stride) return false;
      continue;
    }
    for (int k = 0; k < x.length.size(); ++k)
      if (next_.length[k] < vanishing * x.length[k]) return true;
    if (length > 0) rate = std::max(changed.length / length, rate / 2);
    rest = new_rest, share = std::min(2 * share, 0.5);
    std::swap(last_, next_);
  }
  return false;
}

// Whether so long a leap is none: a small part of the step, though more than the smallest stride makes.
bool Branches::is_point(double leap, double whole, const Point& x) const {
  return leap <= whole / (1 << 12) + unknown_part(x.at);
}

Branches::Way Branches::walk(const Point& x, const Point& y, const Line& line) {
  const double whole = distance(x.at, y.at), h = y.at.t - x.at.t;
  if (!(whole > 0) || !std::isfinite(whole)) return Way::unknown;
  last_ = x;
  double done = 0, stride = 1.0 / 16, leap = nowhere, rate = 0;
  for (int tries = 0; tries < 500; ++tries) {
    const bool at_end = done + stride >= 1;
    const double s = at_end ? 1 : done + stride;
    bool found = true;
    if (at_end) {
      next_ = y;
    } else {
      const double r = 1 - s, a = line.bulge * h * s * r * r, b = line.bulge * h * s * s * r,
                   slow = line.bulge * s * r * (r - s);
      next_.at.t = x.at.t + s * h;
      for (int i = 0; i < weight_.size(); ++i) {
        const double chord = y.at.q[i] - x.at.q[i], bend = a * x.at.v[i] - b * y.at.v[i] - slow * chord;
        next_.at.q[i] = x.at.q[i] + s * chord + (std::isfinite(bend) ? bend : 0);
      }
      if (line.along) lead_along(last_, next_.at);
      found = project(next_, whole);
    }
    if (found) {
      const double length = distance(last_.at, next_.at);
      const Change changed = change(last_, next_);
      if (changed.is_small() && rate * length < 0.5) {
        if (at_end) return Way::continued;
        done = s, stride = 2 * stride;
        if (length > 0) rate = std::max(changed.length / length, rate / 2);
        std::swap(last_, next_);
        continue;
      }
      leap = length;
    }
    stride = (s - done) / 2;
    if (stride > least_stride) continue;
    if (leap == nowhere) return Way::unknown;
    return is_point(leap, whole, x) ? Way::singular : Way::apart;
  }
  return Way::unknown;
}

}  // namespace livens
