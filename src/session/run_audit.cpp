#include "session/run_audit.hpp"

#include <cmath>
#include <limits>

#include "livens/audit/words.hpp"
#include "livens/math/magnitude.hpp"
#include "livens/model/conservation.hpp"
#include "livens/system/elements.hpp"

namespace livens {

namespace {

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

// The largest terms of the constraints g and of their rates G v + g_t.
struct ConstraintSizes {
  double value = 0, rate = 0;
};

class Auditor {
 public:
  Auditor(const Model& model, const RunResult& result, const RowAudit& rows)
      : model_(model), result_(result), rows_(rows), sizes_(result.sizes), epsilon_(epsilon_of(model.run.precision)) {
    const RunResult::Final& f = result.final;
    const std::vector<double> none;
    sizes_.take_size(finite(f.q.numbers), f.v ? finite(f.v->numbers) : none, finite(f.p.numbers));
  }

  std::vector<AuditLine> lines() {
    using About = AuditLine::About;
    const AuditFigures& audit = result_.audit;
    if (audit.watched.energy) energy();
    if (audit.watched.balance) balance();
    if (model_.system->constraints() > 0 || model_.system->kind() == SystemKind::degenerate) {
      const ConstraintSizes size = constraint_sizes();
      if (audit.watched.constraint)
        constraint(About::constraint, "constraint", audit.constraint, rows_.constraint(), size.value);
      if (audit.watched.hidden_constraint)
        constraint(About::hidden_constraint, "hidden constraint", audit.hidden_constraint, rows_.hidden_constraint(),
                   size.rate);
    }
    if (!audit.invariants.empty()) find_invariant_sizes();
    for (std::size_t k = 0; k < audit.invariants.size(); ++k) invariant(k);
    return std::move(lines_);
  }

 private:
  static std::vector<double> finite(std::vector<double> x) {
    for (double& xi : x)
      if (!std::isfinite(xi)) xi = 0;
    return x;
  }

  // At the start, at the end and at some states between.
  ConstraintSizes constraint_sizes() const {
    switch (model_.system->kind()) {
      case SystemKind::lagrangian:
        return lagrangian_sizes();
      case SystemKind::degenerate:
        return {sizes_.p, 0};  // of p - theta(q)
      case SystemKind::odae:
        return odae_sizes();
    }
    return {};
  }

  template <class Look>
  void for_samples(const Look& look) const {
    std::vector<double> start;
    for (const auto& x : model_.initial.q) start.push_back(static_cast<double>(x));
    look(static_cast<double>(model_.initial.t), start);
    look(result_.final.t.numbers.front(), result_.final.q.numbers);
    for (const RunSizes::Sample& sample : sizes_.samples()) look(sample.t, sample.q);
  }

  ConstraintSizes lagrangian_sizes() const {
    const ElementSystem<double> system = model_.system->elements<double>();
    SparseMat<double> G = system.jacobian(), M = system.square();
    Vec<double> position(system.coordinates()), at_rest(position), Lq(position), Lv(position), g(system.constraints());
    at_rest.fill(0);
    ConstraintSizes found;
    for_samples([&](double t, const std::vector<double>& q) {
      std::copy(q.begin(), q.end(), position.begin());
      system.constraint_size(t, position, g);
      found.value = std::max(found.value, max_norm(g));
      // Where nothing moves a velocity is the sum of what forces and reactions give it in a step.
      double given = 0;
      system.gradient(t, position, at_rest, Lq, Lv);
      system.mass(t, position, at_rest, M);
      for (int i = 0; i < Lq.size(); ++i)
        for_row(M, i, [&](int j, double mass) {
          if (i == j && mass > 0 && std::isfinite(Lq[i])) given = std::max(given, std::abs(Lq[i]) / mass);
        });
      double v_size = std::max(sizes_.v, std::abs(to_double(model_.run.step)) * given);
      // What does not reach the last digit of a position in the whole run does not move, either.
      const double duration = std::abs(result_.final.t.numbers.front() - to_double(model_.initial.t));
      if (duration > 0 && v_size * duration < epsilon_ * sizes_.q) v_size = sizes_.q / duration;
      system.constraint_jacobian(t, position, g, G);
      Vec<double> terms(g);
      system.constraint_rate(t, position, terms);
      for (int a = 0; a < terms.size(); ++a) {
        terms[a] = std::abs(terms[a]);
        for_row(G, a, [&](int, double x) { terms[a] += std::abs(x) * v_size; });
      }
      found.rate = std::max(found.rate, max_norm(terms));
    });
    return found;
  }

  ConstraintSizes odae_sizes() const {
    const FormulaOdae<double> system(model_.system->odae());
    Mat<double> G(system.multipliers(), system.positions());
    Vec<double> y(system.positions()), g(system.multipliers());
    ConstraintSizes found;
    for_samples([&](double, const std::vector<double>& q) {
      std::copy(q.begin(), q.end(), y.begin());
      system.constraint_size(y, g);
      found.value = std::max(found.value, max_norm(g));
      system.constraint_jacobian(y, g, G);
      for (int a = 0; a < g.size(); ++a) {
        double terms = 0;
        for (int j = 0; j < y.size(); ++j) terms += std::abs(G(a, j)) * sizes_.v;
        found.rate = std::max(found.rate, terms);
      }
    });
    return found;
  }

  // The largest terms that the formulas of the invariants are made of.
  void find_invariant_sizes() {
    using S = Magnitude<double>;
    invariant_sizes_.assign(result_.audit.invariants.size(), 0);
    const SystemDescription& system = *model_.system;
    const auto look = [&](double t, const std::vector<double>& q, const std::vector<double>& v,
                          const std::vector<double>& p) {
      const std::vector<S> qs(q.begin(), q.end()), vs(v.begin(), v.end()), ps(p.begin(), p.end());
      const S ts(t);
      std::vector<S> out(invariant_sizes_.size());
      switch (system.kind()) {
        case SystemKind::lagrangian: {
          const S* const blocks[LagrangianFormulas::blocks] = {&ts, qs.data(), vs.data(), ps.data(), nullptr, nullptr};
          formula::Evaluator<S>(system.lagrangian()->program(LagrangianFormulas::invariants))(blocks, out.data());
          break;
        }
        case SystemKind::degenerate: {
          const S* const blocks[DegenerateFormulas::blocks] = {qs.data(), ps.data(), nullptr};
          formula::Evaluator<S>(system.degenerate()->program(DegenerateFormulas::invariants))(blocks, out.data());
          break;
        }
        case SystemKind::odae: {
          const S* const blocks[OdaeFormulas::blocks] = {&ts, qs.data(), ps.data(), nullptr, nullptr};
          formula::Evaluator<S>(system.odae()->program(OdaeFormulas::invariants))(blocks, out.data());
          break;
        }
      }
      for (std::size_t k = 0; k < out.size(); ++k)
        if (std::isfinite(out[k].size)) invariant_sizes_[k] = std::max(invariant_sizes_[k], out[k].size);
    };
    const RunResult::Final& f = result_.final;
    const std::vector<double> none;
    const std::vector<double>& v = f.v ? f.v->numbers : none;
    look(f.t.numbers.front(), f.q.numbers, v, f.p.numbers);
    for (const RunSizes::Sample& sample : sizes_.samples()) look(sample.t, sample.q, sample.v, sample.p);
  }

  // No velocity of the run moves a position by its last bit in a step: what is found then is round-off, of no size.
  bool at_rest() const {
    return model_.system->kind() == SystemKind::lagrangian &&
           sizes_.v * std::abs(to_double(model_.run.step)) <= epsilon_ * sizes_.q;
  }
  std::optional<double> unless_at_rest(double size) const {
    return at_rest() ? std::nullopt : std::optional<double>(size);
  }

  // size: of the terms.
  Course whole_course(const Conserved& figures, double size) const {
    Course course = course_of(figures.course);
    course.largest = figures.max_error;
    course.rounding = rounding_of(epsilon_, size, static_cast<double>(result_.report.steps));
    if (at_rest()) course.rounding = std::max(course.rounding, course.largest), course.early = 0;
    course.size = size;
    course.turns = sizes_.turns();
    return course;
  }

  void energy() {
    const Conserved& figures = result_.audit.energy;
    const double size = std::max(std::abs(figures.initial), sizes_.work);
    lines_.push_back({.about = AuditLine::About::energy,
                      .name = "energy",
                      .initial = figures.initial,
                      .all_steps = {figures.max_error, figures.course.slope()},
                      .rows = {rows_.energy().largest, rows_.energy().line.slope()},
                      .size = unless_at_rest(size),
                      .words = energy_in_words(whole_course(figures, size), conserves_energy(model_))});
  }

  void balance() {
    const AuditFigures& audit = result_.audit;
    lines_.push_back({.about = AuditLine::About::energy_balance,
                      .name = "energy balance",
                      .initial = {},
                      .all_steps = {audit.balance, {}},
                      .rows = {rows_.balance(), {}},
                      .size = {},
                      .words = balance_in_words(audit.balance, result_.report.steps)});
  }

  void invariant(std::size_t k) {
    const Conserved& figures = result_.audit.invariants[k];
    const double size = std::max(std::abs(figures.initial), invariant_sizes_[k]);
    lines_.push_back({.about = AuditLine::About::invariant,
                      .name = model_.system->invariant_names()[k],
                      .initial = figures.initial,
                      .all_steps = {figures.max_error, {}},
                      .rows = {rows_.invariants()[k].largest, rows_.invariants()[k].line.slope()},
                      .size = unless_at_rest(size),
                      .words = audit_in_words(whole_course(figures, size))});
  }

  void constraint(AuditLine::About about, const char* name, double largest, double in_rows, double size) {
    // A projected step makes q and takes theta(q) for p.
    const bool made = model_.system->kind() == SystemKind::degenerate && largest == 0 && result_.report.steps > 0;
    lines_.push_back(
        {.about = about,
         .name = name,
         .initial = {},
         .all_steps = {largest, {}},
         .rows = {in_rows, {}},
         .size = {},
         .words = made ? "p is theta(q), by construction"
                       : constraint_in_words(largest, rounding_of(epsilon_, size, 1), result_.report.steps)});
  }

  const Model& model_;
  const RunResult& result_;
  const RowAudit& rows_;
  RunSizes sizes_;
  double epsilon_;
  std::vector<double> invariant_sizes_;
  std::vector<AuditLine> lines_;
};

}  // namespace

std::vector<AuditLine> audit_in_lines(const Model& model, const RunResult& result, const RowAudit& rows) {
  if (model.is_boundary_problem() && result.report.steps == 0) return {};  // no motion was found
  return Auditor(model, result, rows).lines();
}

}  // namespace livens
