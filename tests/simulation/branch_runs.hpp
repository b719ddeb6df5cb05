// Runs of systems whose branches have numbers, every row of which is looked at.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "livens/methods/methods.hpp"
#include "livens/simulation/simulate.hpp"

namespace branch_runs {

using namespace livens;

struct Branched {
  std::string text;
  std::function<std::vector<int>(double t, std::span<const double> q)> branch;
  bool moves = false;  // constraints depend on time
  // Whether a step between two states of the same branch is not too long to be followed.
  std::function<bool(std::span<const double> from, std::span<const double> to)> is_short =
      [](std::span<const double>, std::span<const double>) { return true; };
};

// Methods that are made for Lagrangian systems with constraints, as lines of [method].
inline const std::vector<std::string>& all_methods() {
  static const std::vector<std::string> methods = {
      "name = \"rattle\"",
      "name = \"shake\"",
      "name = \"galerkin\"\ns = 1",
      "name = \"galerkin\"",
      "name = \"galerkin\"\ns = 3\nw = 2",
      "name = \"galerkin\"\ns = 4",
      "name = \"spark\"",
      "name = \"hbvm\"",
      "name = \"hbvm\"\niteration = \"newton\"",
      "name = \"hbvm\"\ns = 3\nr = 2\niteration = \"newton\"",
      "name = \"ggl\"",
      "name = \"classical-ggl\"",
      "name = \"energy-momentum\"",
      "name = \"energy-momentum\"\nstabilised = true",
      "name = \"constrained-euler\"",
      "name = \"constrained-euler\"\nconjugate = true",
  };
  return methods;
}

struct Run {
  bool changed = false;   // its branch, in a row
  bool needless = false;  // the watch of branches has refused a short step on the same branch
  RunResult result;
  bool refused() const { return result.report.outcome == RunOutcome::failed; }
  bool told() const {
    return result.message.find("singular configuration") != std::string::npos ||
           result.message.find("not known whether the motion") != std::string::npos;
  }
};

inline Run run(const Branched& system, const std::string& method, double step, long long steps) {
  struct Rows : RowSink {
    const Branched& system;
    const Columns& columns;
    Run& run;
    std::vector<int> first, last;
    Rows(const Branched& s, const Columns& c, Run& r) : system(s), columns(c), run(r) {}
    void write(std::span<const double> row) override {
      last = system.branch(row[0], part_of(row, columns, Role::position));
      if (first.empty()) first = last;
      if (last != first) run.changed = true;
    }
  };
  const Model model = read_model(
      "branches", fmt::format("{}[method]\n{}\n[run]\nstep = {:.17g}\nsteps = {}\n", system.text, method, step, steps));
  const MethodEntry& entry = choose_method(methods(), model);
  Run run;
  std::optional<Rows> rows;
  Columns columns;
  RunContext context;
  context.open_rows = [&](const Columns& c) -> RowSink* {
    columns = c;
    return &rows.emplace(system, columns, run);
  };
  run.result = simulate(model, entry, read_options(model, entry), context);
  if (const auto& failure = run.result.report.failure) {
    const auto &from = run.result.report.attempt.from, &to = run.result.report.attempt.to;
    run.needless = failure->outcome == Outcome::other_root && failure->part == StepPart::audit &&
                   system.branch(to.t, to.q) == rows->last && system.is_short(from.q, to.q);
  }
  return run;
}

}  // namespace branch_runs
