// Orders of convergence of shake, rattle and constrained-euler against the index-1 reference, from below and from
// above.
#include <doctest/doctest.h>

#include <string>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "livens/run/march.hpp"
#include "verify/problems.hpp"
#include "verify/reference.hpp"

using namespace livens;
using namespace livens::test;

namespace {

struct Errors {
  double q = 0, p = 0, lambda = 0, constraint = 0, hidden = 0;
};

template <class Vector>
void largest(double& error, const Vector& a, const Vector& b) {
  for (int i = 0; i < a.size(); ++i) error = std::max(error, std::abs(a[i] - b[i]));
}

template <class Problem, class Method>
Errors errors(const Problem& problem, const Method& method, double h, int steps,
              const std::vector<typename Reference<Problem>::Node>& reference) {
  const auto run = march(problem, method, {.q = reference[0].q, .v = reference[0].v, .step = h, .steps = steps});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  REQUIRE(run.rows.size() == static_cast<std::size_t>(steps) + 1);
  Errors e;
  const std::size_t stride = (reference.size() - 1) / static_cast<std::size_t>(steps);
  for (std::size_t k = 0; k < run.rows.size(); ++k) {
    largest(e.q, run.rows[k].q, reference[k * stride].q);
    largest(e.p, run.rows[k].p, reference[k * stride].p);
    largest(e.lambda, run.rows[k].lambda, reference[k * stride].lambda);
  }
  e.constraint = run.audit.constraint;
  e.hidden = run.audit.hidden_constraint;
  return e;
}

// Step sizes 1/40 ... 1/320 over one unit of time; slopes between the last two.
template <class Problem, class Method>
void check_order(const Problem& problem, const Method& method, double low, double high, double constraint_floor) {
  Lagrangian<Problem> system(problem);
  StartValues<Lagrangian<Problem>> start(system);
  start.q = problem.q0(), start.v = problem.v0();
  REQUIRE(!start.make_consistent(false, {.project = true}));
  const auto reference = Reference<Problem>(problem, start.q, start.v).nodes(1.0 / 320, 320, 8);
  std::vector<Errors> e;
  for (const int steps : {80, 160, 320}) e.push_back(errors(problem, method, 1.0 / steps, steps, reference));
  for (std::size_t k = 1; k < e.size(); ++k) {
    const auto slope = [&](double Errors::*what) { return std::log2(e[k - 1].*what / (e[k].*what)); };
    INFO("errors q " << e[k].q << " p " << e[k].p << " lambda " << e[k].lambda);
    CHECK(slope(&Errors::q) > low);
    CHECK(slope(&Errors::q) < high);
    CHECK(slope(&Errors::p) > low);
    CHECK(slope(&Errors::p) < high);
    CHECK(slope(&Errors::lambda) > low);
    CHECK(slope(&Errors::lambda) < high);
    CHECK(e[k].constraint < constraint_floor);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("shake and rattle converge with order 2 in q, p and lambda", Method, Shake, Rattle) {
  SUBCASE("nonlinear pendulum") {
    check_order(NonlinearPendulum{}, Method{}, 1.9, 2.1, 1e-15);
  }
  SUBCASE("double pendulum in space") {
    check_order(DoublePendulum{}, Method{}, 1.9, 2.1, 1e-15);
  }
  SUBCASE("bead on a non-quadratic surface") {
    check_order(Bead{}, Method{}, 1.9, 2.1, 1e-15);
  }
  SUBCASE("mass that depends on q, term linear in v") {
    check_order(CurvedMass{}, Method{}, 1.9, 2.1, 2e-15);
  }
  SUBCASE("driven pivot and potential") {
    check_order(DrivenPendulum{}, Method{}, 1.9, 2.1, 1e-15);
  }
  SUBCASE("damped") {
    check_order(DampedPendulum{}, Method{}, 1.9, 2.1, 1e-15);
  }
  SUBCASE("all depends on time") {
    check_order(ChangingTimes{}, Method{}, 1.9, 2.1, 1e-15);
  }
  SUBCASE("pushed, on a moving support") {
    check_order(PushedPendulum{}, Method{}, 1.9, 2.1, 1e-15);
  }
  SUBCASE("damped with curved mass") {
    check_order(DampedCurvedMass{}, Method{}, 1.9, 2.1, 2e-15);
  }
}

TEST_CASE("constrained Euler converges with order 1 in q, p and lambda, both forms") {
  for (const bool conjugate : {false, true}) {
    const ConstrainedEuler method{.conjugate = conjugate};
    CAPTURE(conjugate);
    check_order(NonlinearPendulum{}, method, 0.85, 1.15, 1e-15);
    check_order(DoublePendulum{}, method, 0.85, 1.15, 1e-15);
    check_order(Bead{}, method, 0.85, 1.15, 1e-15);
    check_order(DrivenPendulum{}, method, 0.85, 1.15, 1e-15);
    check_order(DampedPendulum{}, method, 0.85, 1.15, 1e-15);
    check_order(PushedPendulum{}, method, 0.85, 1.15, 1e-15);
  }
}
