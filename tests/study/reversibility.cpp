// N steps there and N steps back.
#include "livens/study/reversibility.hpp"

#include <doctest/doctest.h>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "study/spherical_pendulum.hpp"
#include "verify/problems.hpp"

using namespace livens;
using namespace livens::test;

namespace {

template <class Problem, class Method>
Reversibility study(const Problem& problem, const Method& method, double h, long long steps) {
  const Lagrangian<Problem> system(problem);
  StartValues<Lagrangian<Problem>> start(system);
  start.q = problem.q0(), start.v = problem.v0();
  REQUIRE(!start.make_consistent(false, {.project = true}));
  const MarchSettings<double> settings{.step = h, .steps = steps};
  return reversibility(system, method, start, settings);
}

template <class Problem, class Method>
void check_back(const Problem& problem, const Method& method, double measured_q, double measured_p) {
  const Reversibility there_and_back = study(problem, method, 0.05, 100);
  REQUIRE(!there_and_back.failure);
  CHECK(there_and_back.steps == 200);
  CHECK(there_and_back.q < 8 * measured_q);  // round-off differs from build to build
  CHECK(there_and_back.p < 8 * measured_p);
}

}  // namespace

TEST_CASE("rattle_and_shake_come_back_to_the_start_to_round_off") {
  check_back(SphericalPendulum{}, Rattle{}, 1.1e-16, 1.1e-16);
  check_back(SphericalPendulum{}, Shake{}, 1.1e-16, 2.2e-16);
  check_back(Bead{}, Rattle{}, 2.2e-16, 7.2e-16);
  check_back(Bead{}, Shake{}, 2.2e-16, 4.4e-16);
  check_back(DoublePendulum{}, Rattle{}, 2.1e-15, 1.8e-14);
  check_back(DrivenPendulum{}, Rattle{}, 1.1e-16, 4.2e-16);
  check_back(DampedPendulum{}, Rattle{}, 3.1e-15, 6.1e-15);  // time goes back, damping drives
}

TEST_CASE("constrained_euler_is_not_symmetric_and_does_not_come_back") {
  const Reversibility there_and_back = study(SphericalPendulum{}, ConstrainedEuler{}, 0.05, 100);
  REQUIRE(!there_and_back.failure);
  CHECK(there_and_back.q == doctest::Approx(0.0379).epsilon(0.01).scale(0));
}

TEST_CASE("a_step_without_solution_ends_the_way") {
  const Reversibility stuck = study(DoublePendulum{}, Rattle{}, 0.5, 100);
  REQUIRE(stuck.failure);
  CHECK(stuck.steps < 100);
}
