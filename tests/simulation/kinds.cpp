// Systems that are not Lagrangian run like those that are: a toy method of each kind, known to nobody but this test.
#define LIVENS_WIDE_STEPS
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/run/recorded_roles.hpp"
#include "livens/simulation/failure.hpp"
#include "livens/simulation/simulate.hpp"
#include "livens/store/json.hpp"
#include "methods/steps_of.hpp"
#include "session/summary.hpp"
#include "simulation/toy_euler.hpp"
#include "simulation/toy_midpoint.hpp"

using namespace livens;
using namespace livens::test;

namespace {

template <class Method>
MethodEntry entry_of(std::string name, SystemKind kind) {
  const MakeMethod<Method> make = [](const Options&) { return Method{}; };
  return {.name = std::move(name),
          .summary = "",
          .kinds = {kind},
          .order = "",
          .symplectic = {},
          .keeps = "",
          .traits = traits_of(make),
          .steps = steps_of(make)};
}

const char* const lotka_volterra = R"toml(
[system]
kind = "degenerate"
coordinates = ["x", "y"]
theta = ["log(y)/x", "0"]
hamiltonian = "x + y - 2*log(x) - log(y)"
[system.invariants]
H = "x + y - 2*log(x) - log(y)"
[initial]
q = [2.0, 1.5]
[run]
step = 0.05
end = 5.0
)toml";

const char* const pendulum = R"toml(
[system]
kind = "odae"
positions = ["y1", "y2"]
velocities = ["z1", "z2"]
multipliers = ["psi"]
velocity = ["z1", "z2"]
force = ["0", "-9.81"]
reaction = ["-y1*psi", "-y2*psi"]
constraints = ["(y1^2 + y2^2 - 1)/2"]
[system.invariants]
E = "(z1^2 + z2^2)/2 + 9.81*y2"
[initial]
y = [1.0, 0.0]
z = [0.0, 0.5]
[run]
step = 0.001
end = 0.5
)toml";

Model read(const char* text, const Overrides& set = {}) {
  return read_model("toy.toml", text, set);
}

struct Rows : RowSink {
  Columns columns;
  std::vector<std::vector<double>> rows;
  void write(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
};

struct Run {
  Rows rows;
  RunResult result;
  Run(const Model& model, const MethodEntry& entry, RunContext context = {}) {
    context.open_rows = [this](const Columns& columns) {
      rows.columns = columns;
      return &rows;
    };
    result = simulate(model, entry, read_options(model, entry), context);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Column& c : rows.columns) all.push_back(c.name);
    return all;
  }
};

struct Checkpoints : CheckpointSink {
  std::vector<std::string> memories;
  void save(long long, const std::string& memory) override { memories.push_back(memory); }
};

const MethodEntry midpoint = entry_of<ToyMidpoint>("toy-midpoint", SystemKind::degenerate);
const MethodEntry euler = entry_of<ToyEuler>("toy-euler", SystemKind::odae);

}  // namespace

TEST_CASE("a_degenerate_system_has_positions_momenta_and_the_energy_H") {
  const Run run(read(lotka_volterra), midpoint);
  REQUIRE(run.result.report.outcome == RunOutcome::finished);
  CHECK(run.names() == std::vector<std::string>{"t", "q", "p", "raw_p", "audit/energy", "audit/constraint",
                                                "audit/invariants/H", "iterations"});
  CHECK(run.rows.rows.size() == 101);
  const RunResult::Final& f = run.result.final;
  CHECK_FALSE(f.v);
  CHECK_FALSE(f.lambda);
  CHECK(f.p.numbers[0] == std::log(f.q.numbers[1]) / f.q.numbers[0]);
  CHECK(f.p.numbers[1] == 0);
  CHECK(run.result.audit.constraint == 0);
  CHECK(run.result.audit.energy.max_error == run.result.audit.invariants[0].max_error);
}

TEST_CASE("the_toy_midpoint_has_order_2_and_the_toy_euler_order_1") {
  // From the differences of runs with h, h/2 and h/4.
  const auto slope = [](const char* text, const MethodEntry& entry, std::array<const char*, 3> steps) {
    std::array<std::vector<double>, 3> q;
    for (std::size_t k = 0; k < 3; ++k) q[k] = Run(read(text, {{"run.step", steps[k]}}), entry).result.final.q.numbers;
    const auto distance = [](const auto& a, const auto& b) { return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]); };
    return std::log2(distance(q[0], q[1]) / distance(q[1], q[2]));
  };
  const double midpoint_order = slope(lotka_volterra, midpoint, {"0.02", "0.01", "0.005"});
  CHECK(midpoint_order > 1.95);
  CHECK(midpoint_order < 2.05);
  const double euler_order = slope(pendulum, euler, {"0.001", "0.0005", "0.00025"});
  CHECK(euler_order > 0.95);
  CHECK(euler_order < 1.05);
}

TEST_CASE("an_overdetermined_system_has_multipliers_of_the_hidden_equation_and_no_energy") {
  const Run run(read(pendulum), euler);
  REQUIRE(run.result.report.outcome == RunOutcome::finished);
  CHECK(run.names() == std::vector<std::string>{"t", "q", "v", "p", "lambda", "raw_psi0", "audit/constraint",
                                                "audit/hidden_constraint", "audit/invariants/E", "iterations"});
  CHECK_FALSE(run.result.audit.watched.energy);
  const RunResult::Final& f = run.result.final;
  CHECK(f.v->numbers == f.p.numbers);
  const auto &y = f.q.numbers, &z = f.p.numbers;  // psi |y|^2 = |z|^2 - 9.81 y2
  CHECK(
      f.lambda->numbers[0] ==
      doctest::Approx((z[0] * z[0] + z[1] * z[1] - 9.81 * y[1]) / (y[0] * y[0] + y[1] * y[1])).epsilon(1e-14).scale(0));
}

TEST_CASE("the_names_of_columns_tell_their_roles_to_who_reads_results") {
  const Model lagrangian = load_model("pendulum", {{"record.reactions", "true"}});
  const MethodEntry& rattle = choose_method(lagrangian);
  for (const auto& [model, entry] :
       {std::pair(read(lotka_volterra), &midpoint), std::pair(read(pendulum), &euler), std::pair(lagrangian, &rattle)})
    for (const Column& c : Run(model, *entry).rows.columns) {
      CAPTURE(c.name);
      CHECK(role_of(c.name) == c.role);
    }
}

TEST_CASE("summaries_have_what_a_kind_has") {
  const auto summary_of = [](const Model& model, const MethodEntry& entry) {
    SessionResult session;
    session.run = Run(model, entry).result;
    return nlohmann::json::parse(summary_text(model, entry, read_options(model, entry), session, 0));
  };
  const auto degenerate = summary_of(read(lotka_volterra), midpoint);
  CHECK(degenerate["final"].contains("p"));
  CHECK_FALSE(degenerate["final"].contains("v"));
  CHECK_FALSE(degenerate["final"].contains("lambda"));
  CHECK(degenerate["audit"].contains("energy"));
  CHECK_FALSE(degenerate["audit"].contains("hidden_constraint"));
  const auto overdetermined = summary_of(read(pendulum), euler);
  CHECK(overdetermined["final"].contains("lambda"));
  CHECK(overdetermined["raw"].contains("psi0"));
  CHECK_FALSE(overdetermined["audit"].contains("energy"));
  CHECK(overdetermined["audit"].contains("hidden_constraint"));
}

TEST_CASE("runs_of_every_kind_go_on_from_their_checkpoints_to_the_bit") {
  for (const auto& [model, entry] : {std::pair(read(lotka_volterra), &midpoint), std::pair(read(pendulum), &euler)}) {
    Checkpoints checkpoints;
    RunContext context;
    context.checkpoints = &checkpoints;
    context.checkpoint_every = 7;
    const Run whole(model, *entry, context);
    REQUIRE(checkpoints.memories.size() > 3);
    context = {};
    context.resume_from = checkpoints.memories[2];
    const Run rest(model, *entry, context);
    CHECK(rest.result.final.q.numbers == whole.result.final.q.numbers);
    CHECK(rest.result.final.p.numbers == whole.result.final.p.numbers);
    CHECK(rest.rows.rows.back() == whole.rows.rows.back());
    CHECK(rest.result.audit.constraint == whole.result.audit.constraint);
  }
}

TEST_CASE("every_kind_runs_in_every_precision") {
  const double plain = Run(read(lotka_volterra), midpoint).result.final.q.numbers[0];
  for (const char* precision : {"extended", "quad"}) {
    if (std::string(precision) == "quad" && !LIVENS_QUAD) continue;
    const RunResult r = Run(read(lotka_volterra, {{"run.precision", precision}}), midpoint).result;
    CHECK(std::abs(r.final.q.numbers[0] - plain) < 1e-13);
    CHECK(r.final.q.digits[0].size() > 18);
    CHECK(Run(read(pendulum, {{"run.precision", precision}}), euler).result.report.outcome == RunOutcome::finished);
  }
}

TEST_CASE("a_step_that_leaves_the_domain_names_the_formula_of_its_kind") {
  const Model model = read(lotka_volterra, {{"run.step", "5.0"}});
  const RunResult r = Run(model, midpoint).result;
  REQUIRE(r.report.outcome == RunOutcome::failed);
  const std::string words = describe_failure(model, *r.report.failure, r.report.attempt, 1);
  CAPTURE(words);
  CHECK(words.starts_with("step 1 from t = 0 could not be solved: "));
  CHECK(words.find("; at t = 5 in system.theta: ") != words.npos);
  CHECK(words.find("log(y) with y = -") != words.npos);
  CHECK(words.find("residual") == words.npos);  // the toy keeps no history of them
}
