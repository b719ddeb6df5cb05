// All nodes of a run in memory, in any scalar: consistent momentum and accurate multiplier, and beside them what the
// scheme itself produced (raw). A scheme that knows the raw values of a node only in the step that starts there makes
// one extra step for those of the last node.
#pragma once

#include <optional>
#include <vector>

#include "livens/run/time_loop.hpp"
#include "livens/run/walk.hpp"
#include "livens/system/lagrangian.hpp"
#include "livens/system/start.hpp"

namespace livens {

template <class System>
struct Node {
  typename System::Scalar t;
  typename System::Coordinates q, v, p;
  typename System::Multipliers lambda;
  Vec<typename System::Scalar> raw_p, raw_lambda;  // empty where the scheme has none
};

template <class System>
struct NodeRun {
  std::vector<Node<System>> nodes;    // 0 .. N, or up to the step that could not be solved
  std::optional<StepReport> failure;  // of that step; of the extra step as well
  Cost cost;                          // of the steps done
};

template <class System, class Method>
NodeRun<System> run_nodes(const System& system, const Method& method, const StartValues<System>& start,
                          const MarchSettings<typename System::Scalar>& settings) {
  using T = typename System::Scalar;
  Walk<System> walk(system, method, settings.solver);
  const bool raw_at_start = method.traits().raw == RawValues::start_of_step;
  const auto time = [&](long long n) { return T(start.t + static_cast<T>(n) * settings.step); };
  NodeRun<System> run;

  const auto take_raw = [&](Node<System>& node) {
    walk.raw_values([&](const RawValue& what, const auto& x) {
      Vec<T>& raw = what.per == RawValue::Per::momentum ? node.raw_p : node.raw_lambda;
      raw = Vec<T>(static_cast<int>(x.size()));
      std::copy(x.begin(), x.end(), raw.begin());
    });
  };
  const auto take_node = [&](const T& t) {
    const Outcome outcome = walk.look_final(t);
    if (succeeded(outcome))
      run.nodes.push_back(
          {t, walk.q(), walk.kind().final_velocity(), walk.final_momentum(), walk.multipliers(), {}, {}});
    return outcome;
  };

  StepReport report;
  report.outcome = walk.start(start.t, start.q, start.p, start.v);
  if (succeeded(report.outcome)) report.outcome = take_node(start.t);
  const long long last = settings.steps + (raw_at_start ? 1 : 0);
  for (long long n = 0; n < last && succeeded(report.outcome); ++n) {
    walk.advance(time(n), time(n + 1), settings.step, report);
    if (!succeeded(report.outcome)) break;
    if (raw_at_start) take_raw(run.nodes.back());
    if (n == settings.steps) break;
    run.cost.add(report);
    report.outcome = take_node(time(n + 1));
    if (!raw_at_start && succeeded(report.outcome)) take_raw(run.nodes.back());
  }
  if (!succeeded(report.outcome)) run.failure = report;
  return run;
}

}  // namespace livens
