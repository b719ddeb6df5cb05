// A hook looks at every step and may end the run within one.
#include "livens/run/hook.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "livens/method/galerkin.hpp"
#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "livens/run/march.hpp"

using namespace livens;

namespace {

// A free fall in x, y.
struct Fall {
  static constexpr int coordinates = 2, constraints = 0;
  auto lagrangian(const auto& q, const auto& v) const { return (v[0] * v[0] + v[1] * v[1]) / 2 - q[1]; }
};
using System = Lagrangian<Fall>;

// Ends the run where the ball has fallen below a height, at the root of the parabola; counts steps.
struct Floor : StepHook<System> {
  int steps = 0;
  double height = -INFINITY, end = 0;
  void begin(const double&, const State<System>&, const Vec<double, 2>&) override {}
  Verdict after_step(const double& t0, const double&, const State<System>& before, std::string_view memory,
                     const State<System>& x, StepReport&) override {
    CHECK(!memory.empty());
    ++steps;
    if (x.q[1] > height) return Verdict::nothing;
    end = t0 + before.p[1] + std::sqrt(before.p[1] * before.p[1] + 2 * (before.q[1] - height));
    return Verdict::stop;
  }
  double stopped_at() const override { return end; }
  void save(ArchiveWriter& a) override { a(steps); }
  void restore(ArchiveReader& a) override { a(steps); }
};

struct Rows : RowSink {
  std::vector<std::vector<double>> rows;
  void write(std::span<const double> row) override { rows.emplace_back(row.begin(), row.end()); }
};

struct Checkpoints : CheckpointSink {
  std::vector<std::string> memories;
  void save(long long, const std::string& memory) override { memories.push_back(memory); }
};

StartState<System> start_of(const System& system) {
  StartState<System> start(system);
  start.q = {0, 0.5}, start.p = {1, 0}, start.hint = {1, 0};
  return start;
}

}  // namespace

TEST_CASE_TEMPLATE("a_run_that_a_hook_ends_is_finished_there_by_a_shorter_step", Method, Rattle, Shake, Galerkin) {
  const System system(Fall{});
  Floor floor;
  floor.height = 0.1;
  Rows rows;
  March<System> run(system, Method{}, {.t0 = 0, .step = 0.01, .steps = 1000, .every = 30}, &floor);
  const RunReport report = run.run(start_of(system), &rows, nullptr);
  CHECK(report.outcome == RunOutcome::finished);
  CHECK(report.steps == 90);  // y = (1 - t^2)/2 < 0.1 for t > 0.894
  CHECK(floor.steps == 90);
  CHECK(run.final_state().t == floor.end);
  CHECK(floor.end == doctest::Approx(std::sqrt(0.8)).epsilon(1e-14).scale(0));
  REQUIRE(rows.rows.size() == 4);
  CHECK(rows.rows.back().front() == floor.end);
  CHECK(run.final_state().q[1] == doctest::Approx(0.1).epsilon(1e-14).scale(0));
  CHECK(run.final_state().q[0] == doctest::Approx(floor.end).epsilon(1e-14).scale(0));
}

TEST_CASE("runs_with_a_hook_go_on_from_their_checkpoints_to_the_bit") {
  const System system(Fall{});
  Floor floor, again;
  floor.height = again.height = -8;
  Checkpoints checkpoints;
  MarchSettings<double> settings{.t0 = 0, .step = 0.01, .steps = 1000};
  settings.checkpoints = &checkpoints, settings.checkpoint_every = 101;
  March<System> whole(system, Galerkin{}, settings, &floor);
  whole.run(start_of(system), nullptr, nullptr);
  settings.checkpoints = nullptr;
  settings.resume_from = checkpoints.memories[3];
  March<System> rest(system, Galerkin{}, settings, &again);
  rest.run(start_of(system), nullptr, nullptr);
  CHECK(again.steps == floor.steps);
  CHECK(rest.final_state().t == whole.final_state().t);
  CHECK(rest.final_state().q[1] == whole.final_state().q[1]);
  CHECK(rest.final_state().p[1] == whole.final_state().p[1]);
}
