// The time loop: rows, the end of a run, failure and interruption.
#include "livens/run/march.hpp"

#include <doctest/doctest.h>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "livens/method/vprk.hpp"
#include "livens/study/order.hpp"
#include "system/problems.hpp"
#include "verify/problems.hpp"

using namespace livens;
using namespace livens::test;

namespace {

struct Rows : RowSink {
  std::vector<std::vector<double>> rows;
  void write(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
};

template <class Method>
struct Marched {
  using System = Lagrangian<NonlinearPendulum>;
  System system{NonlinearPendulum{}};
  StartValues<System> start{system};
  Rows rows;
  RunReport report;
  std::optional<March<System>> run;

  explicit Marched(MarchSettings<double> settings, Method method = {}, bool sink = true) {
    const NonlinearPendulum problem;
    start.q = problem.q0(), start.v = problem.v0();
    REQUIRE(!start.make_consistent(false, {}));
    run.emplace(system, method, settings);
    report = run->run(start, sink ? &rows : nullptr, nullptr);
  }
};

}  // namespace

TEST_CASE("the first, every n-th and the last state are recorded at t0 + n h") {
  const Marched<Rattle> m({.t0 = 0.3, .step = 0.1, .steps = 10, .every = 4});
  REQUIRE(m.rows.rows.size() == 4);
  const double times[] = {0.3, 0.3 + 4 * 0.1, 0.3 + 8 * 0.1, 0.3 + 10 * 0.1};
  for (std::size_t k = 0; k < 4; ++k) CHECK(m.rows.rows[k][0] == times[k]);
  CHECK(m.run->final_state().t == times[3]);
}

TEST_CASE_TEMPLATE("rows do not depend on how often they are taken", Method, Rattle, Shake, ConstrainedEuler) {
  const Marched<Method> often({.t0 = 0, .step = 0.05, .steps = 12, .every = 1}),
      seldom({.t0 = 0, .step = 0.05, .steps = 12, .every = 5});
  REQUIRE(often.rows.rows.size() == 13);
  REQUIRE(seldom.rows.rows.size() == 4);
  const std::size_t taken[] = {0, 5, 10, 12};
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t i = 0; i < seldom.rows.rows[k].size(); ++i) {
      const double a = seldom.rows.rows[k][i], b = often.rows.rows[taken[k]][i];
      CHECK(((a == b) || (std::isnan(a) && std::isnan(b))));
    }
}

TEST_CASE_TEMPLATE("the last row is the final state, with its raw values", Method, Rattle, Shake, ConstrainedEuler) {
  const Marched<Method> m({.t0 = 0, .step = 0.05, .steps = 7}), silent({.t0 = 0, .step = 0.05, .steps = 7}, {}, false);
  const auto& row = m.rows.rows.back();
  const auto& f = m.run->final_state();
  const std::vector<double> expected = {f.t,
                                        f.q[0],
                                        f.q[1],
                                        (*f.v)[0],
                                        (*f.v)[1],
                                        f.p[0],
                                        f.p[1],
                                        (*f.lambda)[0],
                                        f.raw[0].values[0],
                                        f.raw[0].values[1],
                                        f.raw[1].values[0]};
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(row[i] == expected[i]);
  const auto& g = silent.run->final_state();
  CHECK(f.p == g.p);
  CHECK(f.lambda == g.lambda);
  CHECK(f.raw == g.raw);
}

TEST_CASE("shake's raw values of a node come from the step that starts there") {
  const Marched<Shake> m({.t0 = 0, .step = 0.05, .steps = 6}), shorter({.t0 = 0, .step = 0.05, .steps = 4});
  const auto& f = shorter.run->final_state();
  const auto& row = m.rows.rows[4];
  CHECK(row[8] == f.raw[0].values[0]);
  CHECK(row[9] == f.raw[0].values[1]);
  CHECK(row[10] == f.raw[1].values[0]);
  CHECK(m.rows.rows[0][8] == m.start.p[0]);  // at the first node the momentum is given
}

TEST_CASE("final values are consistent whatever the scheme carries") {
  const Marched<ConstrainedEuler> m({.t0 = 0, .step = 0.05, .steps = 9});
  const auto& f = m.run->final_state();
  CHECK(std::abs(f.q[0] * (*f.v)[0] + f.q[1] * (*f.v)[1]) < 4e-15);
  CHECK(std::abs(f.raw[0].values[0] * f.q[0] + f.raw[0].values[1] * f.q[1]) > 1e-3);
  CHECK(m.run->audit().hidden_constraint > 1e-3);  // the audit looks at the carried momentum
}

TEST_CASE("a step that cannot be solved ends the run and keeps what was computed") {
  const Marched<Rattle> m({.t0 = 0, .step = 0.9, .steps = 50});
  CHECK(m.report.outcome == RunOutcome::failed);
  REQUIRE(m.report.failure);
  CHECK(!succeeded(m.report.failure->outcome));
  CHECK(m.report.steps < 50);
  CHECK(m.rows.rows.size() == static_cast<std::size_t>(m.report.steps) + 1);
  CHECK(m.run->final_state().t == m.rows.rows.back()[0]);
  for (const double x : m.rows.rows.back()) CHECK((std::isfinite(x) || m.report.steps == 0));
}

namespace {

// An invariant that is defined only while y > -0.7: the audit, not the step, meets its end.
struct HalfSeen : NonlinearPendulum {
  static constexpr int invariants = 1;
  template <class T>
  Vec<T, 1> invariant_values(const Vec<T, 2>& q, const Vec<T, 2>&) const {
    using std::sqrt;
    return {sqrt(q[1] + 0.7)};
  }
};

}  // namespace

TEST_CASE_TEMPLATE("a state that the audit cannot judge is taken back whole", Method, Rattle, Shake, ConstrainedEuler) {
  using System = Lagrangian<HalfSeen>;
  const System system(HalfSeen{});
  StartValues<System> start(system);
  start.q = HalfSeen{}.q0(), start.v = HalfSeen{}.v0();
  REQUIRE(!start.make_consistent(false, {}));
  Rows rows;
  March<System> run(system, Method{}, {.t0 = 0, .step = 0.02, .steps = 100});
  const RunReport report = run.run(start, &rows, nullptr);
  REQUIRE(report.outcome == RunOutcome::failed);
  REQUIRE(report.steps > 2);
  const auto& f = run.final_state();
  const auto& row = rows.rows.back();
  CHECK(row[0] == f.t);
  CHECK(f.q[1] > -0.7);
  CHECK(std::abs(f.q[0] * (*f.v)[0] + f.q[1] * (*f.v)[1]) < 4e-15);
  for (int i = 0; i < 2; ++i) {
    CHECK(row[static_cast<std::size_t>(1 + i)] == f.q[i]);
    CHECK(row[static_cast<std::size_t>(5 + i)] == f.p[i]);
  }
  CHECK(row[7] == (*f.lambda)[0]);
  CHECK(f.raw.empty());
}

TEST_CASE("a run asked to stop ends after the current step") {
  std::atomic<bool> stop = true;
  MarchSettings<double> settings{.t0 = 0, .step = 0.05, .steps = 9};
  settings.stop = &stop;
  const Marched<Rattle> m(settings);
  CHECK(m.report.outcome == RunOutcome::interrupted);
  CHECK(m.report.steps == 0);
  CHECK(m.rows.rows.size() == 1);
}

TEST_CASE("march refuses a mesh or start values that do not fit") {
  const NonlinearPendulum problem;
  MarchOptions<2> options{.q = problem.q0(), .v = problem.v0(), .step = 0.3, .end = 1.0};
  CHECK_THROWS_WITH_AS(march(problem, Rattle{}, options), doctest::Contains("whole number of steps"),
                       std::invalid_argument);
  options.step = 0.25;
  options.q[0] += 0.01;
  CHECK_THROWS_WITH_AS(march(problem, Rattle{}, options), doctest::Contains("a constraint is not 0"),
                       std::invalid_argument);
  options.start.project = true;
  CHECK(march(problem, Rattle{}, options).report.outcome == RunOutcome::finished);
}

TEST_CASE("march and studies that do not say how long to run are refused, and vectors of another size") {
  const NonlinearPendulum problem;
  MarchOptions<2> options{.q = problem.q0(), .v = problem.v0(), .step = 0.25};
  const auto refused = [&](const char* words) {
    CHECK_THROWS_WITH_AS(march(problem, Rattle{}, options), doctest::Contains(words), std::invalid_argument);
  };
  refused("neither end nor steps is given");
  CHECK_THROWS_WITH_AS(study_order(LotkaVolterra{}, Vprk{}, {.q = {1, 1}}, {0.1}), doctest::Contains("give end"),
                       std::invalid_argument);
  options.end = 1.0, options.steps = 4;
  refused("both end and steps are given");
  options.steps = 0, options.step = 0;
  refused("give a step size");
  CHECK_THROWS_WITH_AS((options.q = {1.0, 0.0, 0.0}), "3 numbers for a vector of 2: give 2", std::invalid_argument);
  CHECK_THROWS_WITH_AS((options.v = {1.0}), "1 number for a vector of 2: give 2", std::invalid_argument);
}

TEST_CASE("march runs degenerate systems") {
  const auto run = march(LotkaVolterra{}, Vprk{.stages = 1}, {.q = {1, 1}, .step = 0.1, .end = 1.0, .every = 5});
  CHECK(run.report.outcome == RunOutcome::finished);
  REQUIRE(run.rows.size() == 3);
  CHECK(run.rows.back().t == 1.0);
  CHECK(std::abs(run.rows.back().q[0] - 0.4247843217068848) < 1e-14);
  CHECK(std::abs(run.rows.back().q[1] - 1.4187936412273279) < 1e-14);
  CHECK(run.rows.back().p[1] == run.rows.back().q[0]);  // theta_2 = q_1
  CHECK(run.audit.energy.initial == 2);
  CHECK(run.warning == "");
  CHECK_THROWS_WITH_AS(march(LotkaVolterra{}, Vprk{}, {.q = {1, 0}, .step = 0.1, .steps = 1}),
                       doctest::Contains("start values: theta is not finite"), std::invalid_argument);

  const auto rows = study_order(LotkaVolterra{}, Vprk{}, {.q = {1, 1}, .end = 2.0}, {0.1, 0.05});
  CHECK(*rows[1].order.q > 3.9);
  CHECK(*rows[1].order.q < 4.1);
}
