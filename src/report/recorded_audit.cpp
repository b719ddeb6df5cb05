// The audit of a recorded run: figures over all steps from the summary, the course of the errors from the rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "livens/audit/words.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "report/recorded_run.hpp"

namespace livens::report {

namespace {

// The size of the terms that energy, invariants and constraints are made of: their round-off is relative to it. An
// energy may be zero, an angular momentum too, and still be made of large terms.
struct Sizes {
  double q = 0, v = 0, work = 0;  // largest |q|, |v|, sum |v_i p_i|
  double moment = 0;              // sum |q_i p_i|: momentum maps are bilinear in q and p
};

Sizes sizes_of(const RecordedRun& run) {
  constexpr std::int64_t samples = 500;
  const TrajectoryReader& rows = run.rows;
  Sizes sizes;
  std::vector<double> q, v, p;
  const auto take = [&] {
    double work = 0, moment = 0;
    for (std::size_t i = 0; i < std::min({q.size(), v.size(), p.size()}); ++i) {
      sizes.q = std::max(sizes.q, std::abs(q[i]));
      sizes.v = std::max(sizes.v, std::abs(v[i]));
      work += std::abs(v[i] * p[i]);
      moment += std::abs(q[i] * p[i]);
    }
    sizes.work = std::max(sizes.work, work);
    sizes.moment = std::max(sizes.moment, moment);
  };
  const std::int64_t stride = std::max<std::int64_t>(1, rows.rows() / samples);
  for (std::int64_t row = 0; row < rows.rows(); row += stride) {
    rows.read("q", row, 1, q);
    v.assign(q.size(), 0), p.assign(q.size(), 0);
    if (rows.has("v")) rows.read("v", row, 1, v);
    if (rows.has("p")) rows.read("p", row, 1, p);
    take();
  }
  // Rows may hold chosen coordinates only; the last state is known in full.
  const Json& last = run.summary.at("final");
  const auto numbers = [&](const char* key, std::vector<double>& x) {
    x.assign(q.size(), 0);
    if (!last.contains(key)) return;
    x.clear();
    for (const Json& number : last.at(key)) x.push_back(number.is_null() ? 0 : number.get<double>());
  };
  numbers("q", q), numbers("v", v), numbers("p", p);
  take();
  return sizes;
}

// The largest terms of the constraints g and of their rates G v + g_t.
struct ConstraintSizes {
  double value = 0, rate = 0;
};

// At the start, at the end and, where rows hold all coordinates, at some of them.
ConstraintSizes constraint_sizes(const RecordedRun& run, const Sizes& sizes) {
  if (run.model.kind != SystemKind::lagrangian) {
    const double q = std::max(1.0, sizes.q);
    return {q * q, q * std::max(1.0, sizes.v)};
  }
  const ElementSystem<double> system = element_lagrangian<double>(run.model.lagrangian, {});
  SparseMat<double> G = system.jacobian();
  Vec<double> position(system.coordinates()), g(system.constraints());
  ConstraintSizes found;
  const auto look = [&](double t, const auto& q) {
    std::transform(q.begin(), q.end(), position.begin(), [](const auto& x) { return static_cast<double>(x); });
    system.constraint_size(t, position, g);
    found.value = std::max(found.value, max_norm(g));
    system.constraint_jacobian(t, position, g, G);
    Vec<double> terms(g);
    system.constraint_rate(t, position, terms);
    for (int a = 0; a < terms.size(); ++a) {
      terms[a] = std::abs(terms[a]);
      for_row(G, a, [&](int, double x) { terms[a] += std::abs(x) * sizes.v; });
    }
    found.rate = std::max(found.rate, max_norm(terms));
  };
  look(static_cast<double>(run.model.initial.t), run.model.initial.q);
  const Json& last = run.summary.at("final");
  look(last.at("t").get<double>(), last.at("q"));
  if (run.rows.numbers("q") != system.coordinates()) return found;
  std::vector<double> t, q;
  const std::int64_t stride = std::max<std::int64_t>(1, run.rows.rows() / 50);
  for (std::int64_t row = 0; row < run.rows.rows(); row += stride) {
    run.rows.read("t", row, 1, t);
    run.rows.read("q", row, 1, q);
    look(t.front(), q);
  }
  return found;
}

// The most changes of sign of a velocity over the rows.
double turns_of(const TrajectoryReader& rows) {
  if (!rows.has("v")) return INFINITY;
  const auto width = static_cast<std::size_t>(rows.numbers("v"));
  const auto block = std::max<std::int64_t>(1, (1 << 20) / static_cast<std::int64_t>(width));
  std::vector<double> v, sign(width, 0.0), turns(width, 0.0);
  for (std::int64_t first = 0; first < rows.rows(); first += block) {
    rows.read("v", first, std::min(block, rows.rows() - first), v);
    for (std::size_t k = 0; k < v.size(); ++k) {
      double& before = sign[k % width];
      if (v[k] * before < 0) turns[k % width] += 1;
      if (v[k] != 0) before = std::copysign(1.0, v[k]);
    }
  }
  return *std::max_element(turns.begin(), turns.end());
}

double epsilon_of(Precision precision) {
  switch (precision) {
    case Precision::double_:
      return std::numeric_limits<double>::epsilon();
    case Precision::extended:
      return std::numeric_limits<long double>::epsilon();
    case Precision::quad:
      return 0x1p-112;
  }
  return 0;
}

// A number that was not finite is null in the summary.
double number(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

class Auditor {
 public:
  explicit Auditor(const RecordedRun& run)
      : run_(run),
        sizes_(sizes_of(run)),
        turns_(turns_of(run.rows)),
        epsilon_(epsilon_of(run.model.run.precision)),
        steps_(run.summary.at("steps").get<double>()) {}

  std::vector<AuditLine> lines() {
    if (run_.model.is_boundary_problem() && steps_ == 0) return {};  // no motion was found
    const Json& audit = run_.summary.at("audit");
    if (audit.contains("energy")) energy(audit["energy"]);
    if (run_.model.kind != SystemKind::lagrangian || run_.model.lagrangian->constraints() > 0) {
      const ConstraintSizes size = constraint_sizes(run_, sizes_);
      constraint(AuditLine::About::constraint, "constraint", size.value);
      constraint(AuditLine::About::hidden_constraint, "hidden_constraint", size.rate);
    }
    for (const auto& [name, figures] : audit.at("invariants").items()) invariant(name, figures);
    return std::move(lines_);
  }

 private:
  Course recorded_course(const std::string& column, double initial) const {
    return course_of([&](const auto& visit) {
      visit_rows(run_.rows, column, 0, [&](double t, double x) { visit(t, x - initial); });
    });
  }

  // The course of the rows with the largest error of all steps. Rows are double: errors of a more precise run that are
  // below their resolution have left no course in them.
  Course whole_course(Course course, double largest, double size) const {
    const double initial_size = std::max(size, std::numeric_limits<double>::min());
    if (largest < 8 * std::numeric_limits<double>::epsilon() * initial_size) course.rows = 0;
    course.largest = largest;
    course.rounding = rounding_of(epsilon_, size, steps_);
    course.turns = turns_;
    return course;
  }

  void energy(const Json& figures) {
    const double initial = number(figures.at("initial")), largest = number(figures.at("max_error"));
    const Course rows = recorded_course("audit/energy", initial);
    const Course course = whole_course(rows, largest, std::max(std::abs(initial), sizes_.work));
    lines_.push_back({.about = AuditLine::About::energy,
                      .name = "energy",
                      .initial = initial,
                      .all_steps = {largest, number(figures.at("drift_per_unit_time"))},
                      .rows = {rows.largest, rows.slope},
                      .words = energy_in_words(course, !figures.contains("note"))});
  }

  void invariant(const std::string& name, const Json& figures) {
    const double initial = number(figures.at("initial")), largest = number(figures.at("max_error"));
    const Course rows = recorded_course("audit/invariants/" + name, initial);
    const Course course = whole_course(rows, largest, std::max(std::abs(initial), sizes_.moment));
    lines_.push_back({.about = AuditLine::About::invariant,
                      .name = name,
                      .initial = initial,
                      .all_steps = {largest, {}},
                      .rows = {rows.largest, rows.slope},
                      .words = audit_in_words(course)});
  }

  void constraint(AuditLine::About about, const std::string& key, double size) {
    if (!run_.summary.at("audit").contains(key)) return;
    const double largest = number(run_.summary["audit"][key].at("max"));
    double in_rows = 0;
    visit_rows(run_.rows, "audit/" + key, 0, [&](double, double x) { in_rows = std::max(in_rows, x); });
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', ' ');
    lines_.push_back({.about = about,
                      .name = name,
                      .initial = {},
                      .all_steps = {largest, {}},
                      .rows = {in_rows, {}},
                      .words = constraint_in_words(largest, rounding_of(epsilon_, size, 1))});
  }

  const RecordedRun& run_;
  Sizes sizes_;
  double turns_, epsilon_, steps_;
  std::vector<AuditLine> lines_;
};

}  // namespace

std::vector<AuditLine> audit(const RecordedRun& run) {
  return Auditor(run).lines();
}

}  // namespace livens::report

namespace livens {

std::vector<AuditLine> audit_run(const std::filesystem::path& directory) {
  return report::readable(directory, [](const report::RecordedRun& run) { return report::audit(run); });
}

}  // namespace livens
