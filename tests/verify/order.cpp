// Orders of convergence of shake, rattle and constrained-euler against the index-1 reference, from below and from
// above, and their constraints.
#include <doctest/doctest.h>

#include "livens/methods/methods.hpp"
#include "livens/simulation/simulate.hpp"
#include "verify/models.hpp"

using namespace livens;
using namespace livens::test;

namespace {

void check_constraints(const StatedSystem& system, const std::string& lines, double floor) {
  const Model model = stated_model(system, lines, "double", "0.003125");
  const MethodEntry& method = choose_method(model);
  const RunResult run = simulate(model, method, read_options(model, method), {});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CAPTURE(system.name);
  CHECK(run.audit.constraint < floor);
}

const std::vector<StatedSystem> systems = {nonlinear_pendulum_text, double_pendulum_text, bead_text,
                                           curved_mass_text,        driven_pendulum_text, damped_pendulum_text,
                                           changing_times_text,     pushed_pendulum_text, damped_curved_mass_text};

}  // namespace

TEST_CASE("shake and rattle converge with order 2 in q, p and lambda") {
  for (const char* method : {R"(name = "shake")", R"(name = "rattle")"})
    for (const StatedSystem& system : systems) {
      check_stated_order(system, method, "1/80,1/160,1/320", 2, 0.1);
      check_constraints(system, method, 2e-15);
    }
}

TEST_CASE("constrained Euler converges with order 1 in q, p and lambda, both forms") {
  for (const std::string conjugate : {"false", "true"})
    for (const StatedSystem& system : {nonlinear_pendulum_text, double_pendulum_text, bead_text, driven_pendulum_text,
                                       damped_pendulum_text, pushed_pendulum_text}) {
      const std::string method = "name = \"constrained-euler\"\nconjugate = " + conjugate;
      check_stated_order(system, method, "1/80,1/160,1/320", 1, 0.15);
      check_constraints(system, method, 1e-15);
    }
}
