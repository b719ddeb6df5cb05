#include "reproduce/model_motion.hpp"

#include <stdexcept>

#include "livens/methods/methods.hpp"
#include "livens/registry/entry.hpp"
#include "livens/run/table.hpp"
#include "livens/simulation/simulate.hpp"
#include "livens/system/elements.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

namespace {

class Nodes : public RowSink {
 public:
  Nodes(const Model& model, std::vector<MotionNode>& nodes)
      : system_(model.system->elements<double>()),
        kinetics_(system_),
        q_(system_.coordinates()),
        p_(q_),
        v_(q_),
        g_(system_.constraints()),
        rate_(g_),
        nodes_(nodes) {}

  void use(const Columns& columns) { columns_ = columns; }

  void write(std::span<const double> row) override {
    take(row, "q", q_), take(row, "raw_p", p_);
    if (std::isnan(p_[0])) take(row, "p", p_);  // a scheme that has done no step carries the momentum of the start
    const double t = part_of(row, columns_, Role::time).front();
    if (nodes_.empty()) {
      take(row, "v", v_);
      kinetics_.start(t, q_, v_);
    }
    kinetics_.velocity(t, q_, p_, v_);
    system_.constraint_along(t, q_, v_, g_, rate_);
    nodes_.push_back({.t = t,
                      .q = listed(q_),
                      .p = listed(p_),
                      .v = listed(v_),
                      .kinetic = dot(v_, p_) / 2,
                      .energy = dot(v_, p_) - system_.lagrangian(t, q_, v_),
                      .constraint = listed(g_),
                      .rate = listed(rate_)});
  }

 private:
  void take(std::span<const double> row, std::string_view name, Vec<double>& to) const {
    std::size_t first = 0;
    for (const Column& c : columns_) {
      const auto numbers = static_cast<std::size_t>(c.numbers());
      if (c.name == name) std::copy_n(row.begin() + static_cast<std::ptrdiff_t>(first), numbers, to.begin());
      first += numbers;
    }
  }
  static std::vector<double> listed(const Vec<double>& x) { return {x.begin(), x.end()}; }

  ElementSystem<double> system_;
  Kinetics<ElementSystem<double>> kinetics_;
  Vec<double> q_, p_, v_, g_, rate_;
  std::vector<MotionNode>& nodes_;
  Columns columns_;
};

}  // namespace

Motion follow_problem(const std::string& problem, Overrides set) {
  set.emplace_back("run.every", "1");
  const Model model = load_model(problem, set);
  const MethodEntry& method = choose_method(methods(), model);
  Motion motion;
  Nodes nodes(model, motion.nodes);
  RunContext context;
  context.open_rows = [&](const Columns& columns) {
    nodes.use(columns);
    return &nodes;
  };
  motion.result = simulate(model, method, read_options(model, method), context);
  return motion;
}

RunResult end_of_problem(const std::string& problem, const Overrides& set) {
  const Model model = load_model(problem, set);
  const MethodEntry& method = choose_method(methods(), model);
  RunResult result = simulate(model, method, read_options(model, method), {});
  if (result.report.outcome != RunOutcome::finished) throw std::runtime_error(problem + ": " + result.message);
  return result;
}

double given_energy(const std::string& problem, const Overrides& set) {
  const Model model = load_model(problem, set);
  const ElementSystem<double> system = model.system->elements<double>();
  Vec<double> q(system.coordinates()), v(q), Lq(q), Lv(q);
  for (std::size_t i = 0; i < model.initial.q.size(); ++i) {
    q[static_cast<int>(i)] = static_cast<double>(model.initial.q[i]);
    v[static_cast<int>(i)] = static_cast<double>(model.initial.v[i]);
  }
  const auto t = static_cast<double>(model.initial.t);
  system.gradient(t, q, v, Lq, Lv);
  return dot(v, Lv) - system.lagrangian(t, q, v);
}

}  // namespace livens
