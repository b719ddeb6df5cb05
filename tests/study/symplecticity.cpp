// dq ^ dp under the exact derivative of one step: kept where the theory says so, and seen where it is not.
#include "livens/study/symplecticity.hpp"

#include <doctest/doctest.h>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "livens/system/lagrangian.hpp"
#include "livens/system/start.hpp"
#include "study/explicit_euler.hpp"
#include "study/spherical_pendulum.hpp"
#include "verify/problems.hpp"

using namespace livens;
using namespace livens::test;

namespace {

template <class Problem, class Method>
Symplecticity study(const Problem& problem, const Method& method, double h) {
  const Lagrangian<Problem> system(problem);
  StartValues<Lagrangian<Problem>> start(system);
  start.q = problem.q0(), start.v = problem.v0();
  REQUIRE(!start.make_consistent(false, {.project = true}));
  const Lagrangian<Problem, Jet<double, 1>> jets(problem);
  const Symplecticity result = symplecticity(jets, method, phase_point(start), h);
  REQUIRE(!result.failure);
  CHECK(result.scale > 0.5);  // the form is not zero on these vectors
  CHECK(result.scale < 4);
  return result;
}

template <class Method>
void check_symplectic(const Method& method) {
  for (const double h : {0.4, 0.1}) {
    CAPTURE(h);
    CHECK(study(SphericalPendulum{}, method, h).defect < 4 * 2.2e-16);
    CHECK(study(Bead{}, method, h).defect < 4 * 2.2e-16);
  }
}

}  // namespace

TEST_CASE("rattle_shake_and_constrained_euler_keep_the_two_form_to_round_off") {
  check_symplectic(Rattle{});
  check_symplectic(Shake{});
  check_symplectic(ConstrainedEuler{});
  check_symplectic(ConstrainedEuler{.conjugate = true});
}

TEST_CASE("a_curved_mass_and_a_driven_pivot_change_nothing") {
  CHECK(study(CurvedMass{}, Shake{}, 0.05).defect < 4 * 1.1e-16);
  CHECK(study(DrivenPendulum{}, Rattle{}, 0.05).defect < 4 * 1.1e-16);
}

TEST_CASE("explicit_euler_with_projection_is_found_out") {
  // Of order (h |v|)^2, whatever the weight.
  CHECK(study(SphericalPendulum{}, ExplicitEuler{}, 0.4).defect == doctest::Approx(0.111).epsilon(0.01).scale(0));
  CHECK(study(SphericalPendulum{}, ExplicitEuler{}, 0.1).defect == doctest::Approx(0.00799).epsilon(0.01).scale(0));
  CHECK(study(Bead{}, ExplicitEuler{}, 0.4).defect == doctest::Approx(0.215).epsilon(0.01).scale(0));
}

TEST_CASE("damping_contracts_the_two_form_at_first_order_in_h") {
  const double coarse = study(DampedPendulum{}, Rattle{}, 0.05).defect;
  const double fine = study(DampedPendulum{}, Rattle{}, 0.025).defect;
  CHECK(coarse == doctest::Approx(0.0190).epsilon(0.01).scale(0));
  CHECK(coarse / fine > 1.9);
  CHECK(coarse / fine < 2.1);
}

TEST_CASE("the_kernel_is_orthonormal_and_orthogonal_to_the_rows") {
  const std::vector<Tangent> rows = {{1, 2, -1, 0.5}, {1, 2, -1, 0.6}};
  const std::vector<Tangent> basis = kernel(rows, 4);
  REQUIRE(basis.size() == 2);
  const auto dot_product = [](const Tangent& a, const Tangent& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  for (const Tangent& b : basis) {
    for (const Tangent& row : rows) CHECK(std::abs(dot_product(row, b)) < 1e-14);
    CHECK(dot_product(b, b) == doctest::Approx(1).epsilon(1e-15).scale(0));
  }
  CHECK(std::abs(dot_product(basis[0], basis[1])) < 1e-15);
}

TEST_CASE("a_step_without_solution_is_reported") {
  const Lagrangian<SphericalPendulum, Jet<double, 1>> jets(SphericalPendulum{});
  const PhasePoint start{.t = 0, .q = {1, 0, 0}, .p = {0, 20, 0}, .v = {0, 20, 0}};
  CHECK(symplecticity(jets, Rattle{}, start, 1.0).failure);  // q1 is out of reach of a multiplier at q0
}
