// The worked example of CONTRIBUTING: runs of models by it. Its entry, as it would stand in src/methods, is
// lobatto_pair_entry.cpp; what is made for the methods in that folder (cmake/livens-methods.cmake) stands here.
#define LIVENS_WIDE_STEPS
#include "method/lobatto_pair.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "livens/methods/methods.hpp"
#include "livens/simulation/simulate.hpp"
#include "methods/steps_of.hpp"
#include "study/model_studies.hpp"

template void livens::add_wide_steps(MakeMethod<LobattoPair>, MethodSteps&);

namespace livens {

MethodEntry lobatto_pair_entry();

namespace {

RunResult run(const Model& model, const MethodEntry& entry) {
  return simulate(model, entry, read_options(model, entry), {});
}

}  // namespace

TEST_CASE("a_new_method_runs_models_in_every_precision_and_is_rattle_for_two_stages") {
  const MethodEntry entry = lobatto_pair_entry();
  const Overrides set = {{"method.name", "lobatto-pair"}, {"method.s", "2"}, {"run.step", "0.01"}, {"run.end", "1.0"}};
  const Model model = load_model("double-pendulum", set);
  Model by_rattle = model;
  by_rattle.method = {"rattle", {}};
  const RunResult ours = run(model, entry), rattle = run(by_rattle, choose_method(by_rattle));
  REQUIRE(ours.report.outcome == RunOutcome::finished);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(std::abs(ours.final.q.numbers[i] - rattle.final.q.numbers[i]) < 1e-13);
    CHECK(std::abs(ours.final.p.numbers[i] - rattle.final.p.numbers[i]) < 1e-12);
  }
  for (const char* precision : {"extended", "quad"}) {
    if (std::string(precision) == "quad" && !LIVENS_QUAD) continue;
    Overrides wide = set;
    wide.emplace_back("run.precision", precision);
    const RunResult r = run(load_model("double-pendulum", wide), entry);
    CHECK(std::abs(r.final.q.numbers[5] - ours.final.q.numbers[5]) < 1e-12);
  }
}

TEST_CASE("a_new_method_can_be_studied") {
  const MethodEntry entry = lobatto_pair_entry();
  const Model model =
      load_model("pendulum", {{"method.name", "lobatto-pair"}, {"run.step", "0.05"}, {"run.steps", "10"}});
  const Options options = read_options(model, entry);
  CHECK(model_symplecticity(model, entry, options).defect < 1e-14);
  CHECK(model_reversibility(model, entry, options).q < 1e-13);
}

}  // namespace livens
