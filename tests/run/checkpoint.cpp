// A run that goes on from any of its checkpoints ends with the same bits.
#include <doctest/doctest.h>

#include <cstring>
#include <map>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "livens/run/march.hpp"
#include "verify/problems.hpp"

using namespace livens;
using namespace livens::test;

namespace {

struct Rows : RowSink {
  std::vector<std::vector<double>> rows;
  void write(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
};

struct Saved : CheckpointSink {
  const Rows* rows = nullptr;
  std::map<long long, std::pair<std::string, std::size_t>> at;  // memory, rows written before
  void save(long long step, const std::string& memory) override { at[step] = {memory, rows->rows.size()}; }
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

template <class Method, class Problem>
void check_resume_recording(const Method& method, const Problem& problem, long long every) {
  using System = Lagrangian<Problem>;
  const System system(problem);
  StartValues<System> start(system);
  start.q = problem.q0(), start.v = problem.v0();
  REQUIRE(!start.make_consistent(false, {.project = true}));

  const auto run = [&](long long steps, Rows& rows, Saved* saved, std::string_view memory) {
    MarchSettings<double> settings{.t0 = 0, .step = 0.02, .steps = steps, .every = every};
    settings.checkpoints = saved;
    settings.checkpoint_every = 7;
    settings.resume_from = memory;
    if (saved) saved->rows = &rows;
    March<System> march(system, method, settings);
    const RunReport report = march.run(start, &rows, nullptr);
    REQUIRE(report.outcome == RunOutcome::finished);
    return std::tuple(march.final_state().q, march.final_state().p, march.final_state().raw,
                      march.audit().energy.max_error, march.audit().energy.course.slope(),
                      report.cost.newton_iterations);
  };

  Rows whole;
  Saved saved;
  const auto expected = run(50, whole, &saved, {});
  CHECK(saved.at.size() == 9);  // 0, 7, ..., 49, and the last state
  for (const auto& checkpoint : saved.at) {
    const long long step = checkpoint.first;
    const auto& memory = checkpoint.second;
    CAPTURE(step);
    Rows rest;
    rest.rows.assign(whole.rows.begin(), whole.rows.begin() + static_cast<std::ptrdiff_t>(memory.second));
    CHECK(run(50, rest, nullptr, memory.first) == expected);
    REQUIRE(rest.rows.size() == whole.rows.size());
    for (std::size_t k = 0; k < rest.rows.size(); ++k) CHECK(same_bits(rest.rows[k], whole.rows[k]));
  }

  // A finished run made longer is the longer run.
  Rows shorter, longer;
  Saved end;
  run(40, shorter, &end, {});
  const auto& [memory, rows] = end.at.at(40);
  longer.rows.assign(shorter.rows.begin(), shorter.rows.begin() + static_cast<std::ptrdiff_t>(rows));
  CHECK(run(50, longer, nullptr, memory) == expected);
  REQUIRE(longer.rows.size() == whole.rows.size());
  for (std::size_t k = 0; k < longer.rows.size(); ++k) CHECK(same_bits(longer.rows[k], whole.rows[k]));
}

// The last state falls on a recorded step (every = 5) or not (every = 3).
template <class Method, class Problem>
void check_resume(const Method& method, const Problem& problem) {
  check_resume_recording(method, problem, 3);
  check_resume_recording(method, problem, 5);
}

}  // namespace

TEST_CASE_TEMPLATE("a resumed run has the bits of the run left alone", Method, Rattle, Shake) {
  check_resume(Method{}, NonlinearPendulum{});
  check_resume(Method{}, DoublePendulum{});
  check_resume(Method{}, CurvedMass{});
  check_resume(Method{}, DrivenPendulum{});
  check_resume(Method{}, DampedCurvedMass{});
}

TEST_CASE("a resumed run of constrained Euler has the bits of the run left alone") {
  for (const bool conjugate : {false, true}) {
    check_resume(ConstrainedEuler{.conjugate = conjugate}, Bead{});
    check_resume(ConstrainedEuler{.conjugate = conjugate}, DampedPendulum{});
  }
}

TEST_CASE("a damaged memory is refused") {
  using System = Lagrangian<NonlinearPendulum>;
  const System system(NonlinearPendulum{});
  StartValues<System> start(system);
  start.q = NonlinearPendulum{}.q0(), start.v = NonlinearPendulum{}.v0();
  REQUIRE(!start.make_consistent(false, {}));
  MarchSettings<double> settings{.t0 = 0, .step = 0.02, .steps = 5};
  settings.resume_from = "too short";
  March<System> march(system, Rattle{}, settings);
  CHECK_THROWS_WITH(march.run(start, nullptr, nullptr), "the checkpoint is damaged");
}

TEST_CASE("a run that fails again after resume has cost what it cost at once") {
  using System = Lagrangian<NonlinearPendulum>;
  const System system(NonlinearPendulum{});
  StartValues<System> start(system);
  start.q = NonlinearPendulum{}.q0(), start.v = NonlinearPendulum{}.v0();
  REQUIRE(!start.make_consistent(false, {}));
  const auto run = [&](CheckpointSink* sink, std::string_view memory) {
    MarchSettings<double> settings{.t0 = 0, .step = 0.5, .steps = 100};  // too large for the rod
    settings.checkpoints = sink;
    settings.resume_from = memory;
    March<System> march(system, Rattle{}, settings);
    return march.run(start, nullptr, nullptr);
  };
  const Rows none;
  Saved saved;
  saved.rows = &none;
  const RunReport at_once = run(&saved, {});
  REQUIRE(at_once.outcome == RunOutcome::failed);
  const RunReport resumed = run(nullptr, saved.at.at(at_once.steps).first);
  CHECK(resumed.outcome == RunOutcome::failed);
  CHECK(resumed.steps == at_once.steps);
  CHECK(resumed.cost.newton_iterations == at_once.cost.newton_iterations);
  CHECK(resumed.cost.jacobians == at_once.cost.jacobians);
  CHECK(resumed.cost.evaluations == at_once.cost.evaluations);
}
