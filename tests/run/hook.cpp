// A hook may change the state after a step or end the run, and the method starts again from there.
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

// Turns the ball round where it is below the floor, exactly at the end of a step; counts.
struct Floor : StepHook<System> {
  int bounces = 0;
  std::optional<double> end;
  double stop_below = -INFINITY;
  Verdict after_step(const double&, const double& t1, const State<System>&, State<System>& x) override {
    if (x.q[1] < stop_below) {
      end = t1;
      return Verdict::stop;
    }
    if (x.q[1] > 0 || x.p[1] > 0) return Verdict::nothing;
    x.p[1] = -x.p[1];
    x.p_remainder[1] = 0;
    ++bounces;
    return Verdict::changed;
  }
  double stopped_at() const override { return *end; }
  void save(ArchiveWriter& a) override { a(bounces); }
  void restore(ArchiveReader& a) override { a(bounces); }
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

TEST_CASE_TEMPLATE("a_ball_bounces_at_the_nodes_and_keeps_its_energy", Method, Rattle, Shake, Galerkin) {
  const System system(Fall{});
  Floor floor;
  March<System> run(system, Method{}, {.t0 = 0, .step = 0.01, .steps = 1000}, &floor);
  const RunReport report = run.run(start_of(system), nullptr, nullptr);
  CHECK(report.outcome == RunOutcome::finished);
  CHECK(floor.bounces == 5);  // every 2 units of time, from t = 1 on
  CHECK(run.audit().energy.max_error < 1e-13);
  CHECK(run.final_state().q[0] == doctest::Approx(10).epsilon(1e-14).scale(0));
}

TEST_CASE("a_run_that_a_hook_ends_is_finished_there_and_says_when") {
  const System system(Fall{});
  Floor floor;
  floor.stop_below = 0.1;
  Rows rows;
  March<System> run(system, Shake{}, {.t0 = 0, .step = 0.01, .steps = 1000, .every = 30}, &floor);
  const RunReport report = run.run(start_of(system), &rows, nullptr);
  CHECK(report.outcome == RunOutcome::finished);
  CHECK(report.steps == 90);  // y = (1 - t^2)/2 < 0.1 for t > 0.894
  CHECK(run.final_state().t == *floor.end);
  REQUIRE(rows.rows.size() == 4);
  CHECK(rows.rows.back().front() == *floor.end);
  CHECK(run.final_state().q[1] < 0.1);
}

TEST_CASE("runs_with_a_hook_go_on_from_their_checkpoints_to_the_bit") {
  const System system(Fall{});
  Floor floor, again;
  Checkpoints checkpoints;
  MarchSettings<double> settings{.t0 = 0, .step = 0.01, .steps = 1000};
  settings.checkpoints = &checkpoints, settings.checkpoint_every = 101;
  March<System> whole(system, Galerkin{}, settings, &floor);
  whole.run(start_of(system), nullptr, nullptr);
  settings.checkpoints = nullptr;
  settings.resume_from = checkpoints.memories[4];
  March<System> rest(system, Galerkin{}, settings, &again);
  rest.run(start_of(system), nullptr, nullptr);
  CHECK(again.bounces == floor.bounces);
  CHECK(rest.final_state().q[1] == whole.final_state().q[1]);
  CHECK(rest.final_state().p[1] == whole.final_state().p[1]);
}
