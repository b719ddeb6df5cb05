#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

#include "livens/system/degenerate_start.hpp"
#include "system/problems.hpp"

using namespace livens;

namespace {

template <class A, class B>
double distance(const A& a, const B& b) {
  double largest = 0;
  for (int i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

template <class Problem>
Vec<double, Problem::coordinates> field(const Problem& problem, const Vec<double, Problem::coordinates>& q) {
  const Degenerate<Problem> system(problem);
  Vec<double, Problem::coordinates> v;
  CHECK(DegenerateField(system).velocity(q, v) == Outcome::converged);
  return v;
}

}  // namespace

TEST_CASE("lotka_volterra_moves_as_published") {
  const LotkaVolterra lv{1.5, 0.7, 1.2, 2.1};
  const Vec<double, 2> q{1.3, 0.8};
  const auto v = field(lv, q);
  CHECK(std::abs(v[0] - q[0] * (lv.a2 * q[1] - lv.b2)) < 4.5e-16);
  CHECK(std::abs(v[1] - q[1] * (lv.b1 - lv.a1 * q[0])) < 4.5e-16);  // measured 0: a unit in the last place

  const Degenerate<LotkaVolterra> system(lv);
  Vec<double, 2> theta;
  Mat<double, 2, 2> J, Om;
  system.theta_jacobian(q, theta, J);
  symplectic_matrix(J, Om);
  CHECK(std::abs(Om(0, 1) + 1 / (q[0] * q[1])) < 2.3e-16);
  CHECK(Om(1, 0) == -Om(0, 1));
}

TEST_CASE("vortices_have_the_published_two_form") {
  const Vortices problem;
  const Degenerate<Vortices> system(problem);
  const Vec<double, 4> q{1.0, 0.1, 1.2, -0.3};
  Vec<double, 4> theta;
  Mat<double, 4, 4> J, Om;
  system.theta_jacobian(q, theta, J);
  symplectic_matrix(J, Om);
  CHECK(std::abs(Om(0, 1) - problem.g1 * (1 + 2 * q[0] * q[0] + 2 * q[1] * q[1])) < 4 * 5.6e-17);
  CHECK(std::abs(Om(2, 3) - problem.g2 * (1 + 2 * q[2] * q[2] + 2 * q[3] * q[3])) < 4 * 5.6e-17);
  CHECK(Om(0, 2) == 0.0);
}

TEST_CASE("motion_keeps_the_energy_and_the_momentum_of_a_symmetry") {
  const Vec<double, 4> q{2.5, 0.2, 0.3, 0.3425};
  const auto v = field(GuidingCentre{}, q);
  const Degenerate<GuidingCentre> system{GuidingCentre{}};
  Vec<double, 4> theta, Hq;
  Mat<double, 4, 4> J;
  system.theta_jacobian(q, theta, J);
  system.hamiltonian_gradient(q, Hq);
  double energy_rate = 0, momentum_rate = 0;  // theta_3 is the momentum of the rotation about the axis
  for (int k = 0; k < 4; ++k) energy_rate += Hq[k] * v[k], momentum_rate += J(2, k) * v[k];
  CHECK(std::abs(energy_rate) < 4 * 4.9e-19);
  CHECK(std::abs(momentum_rate) < 4 * 5.7e-18);
  CHECK(std::abs(v[2]) > 0.1);
}

TEST_CASE("derivative_of_the_force_is_curvature_minus_hessian") {
  const Degenerate<GuidingCentre> system{GuidingCentre{}};
  const Vec<double, 4> q{2.3, -0.4, 0.1, 0.3}, v{0.3, -0.2, 0.15, 0.05};
  const auto force = [&](const Vec<double, 4>& at) {  // L_q = J^T v - grad H
    Vec<double, 4> theta, f, Hq;
    Mat<double, 4, 4> J;
    system.theta_jacobian(at, theta, J);
    system.hamiltonian_gradient(at, Hq);
    multiply_transposed(J, v, f);
    for (int i = 0; i < 4; ++i) f[i] -= Hq[i];
    return f;
  };
  Mat<double, 4, 4> C, Hqq;
  system.theta_curvature(q, v, C);
  system.hamiltonian_hessian(q, Hqq);
  const double h = 1e-5;
  double worst = 0;
  for (int j = 0; j < 4; ++j) {
    Vec<double, 4> right = q, left = q;
    right[j] += h, left[j] -= h;
    const auto f1 = force(right), f0 = force(left);
    for (int i = 0; i < 4; ++i) worst = std::max(worst, std::abs((f1[i] - f0[i]) / (2 * h) - C(i, j) + Hqq(i, j)));
  }
  CHECK(worst < 4 * 1.1e-11);  // error of the central difference
}

TEST_CASE("formulas_and_functor_are_the_same_degenerate_system") {
  const Degenerate<GuidingCentre> functor{GuidingCentre{}};
  const FormulaDegenerate<double> formulas(guiding_centre_formulas());
  const Vec<double, 4> q{2.3, -0.4, 0.1, 0.3}, w{0.3, -0.2, 0.15, 0.7};
  const Vec<double> qd{2.3, -0.4, 0.1, 0.3}, wd{0.3, -0.2, 0.15, 0.7};
  Vec<double, 4> a;
  Mat<double, 4, 4> A;
  Vec<double> b(4);
  Mat<double> B(4, 4);
  const auto worst = [&] {
    double largest = distance(a, b);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) largest = std::max(largest, std::abs(A(i, j) - B(i, j)));
    return largest;
  };
  functor.theta_jacobian(q, a, A), formulas.theta_jacobian(qd, b, B);
  CHECK(worst() < 4 * 1.2e-16);
  functor.theta(q, a), formulas.theta(qd, b);
  functor.theta_curvature(q, w, A), formulas.theta_curvature(qd, wd, B);
  CHECK(worst() < 4 * 1.2e-16);
  functor.hamiltonian_gradient(q, a), formulas.hamiltonian_gradient(qd, b);
  functor.hamiltonian_hessian(q, A), formulas.hamiltonian_hessian(qd, B);
  CHECK(worst() < 4 * 3.5e-18);
  CHECK(std::abs(functor.hamiltonian(q) - formulas.hamiltonian(qd)) < 5.6e-17);
  DegenerateField(functor).velocity(q, a), DegenerateField(formulas).velocity(qd, b);
  CHECK(distance(a, b) < 4 * 7e-18);
}

TEST_CASE("invariants_are_functions_of_position_and_momentum") {
  const FormulaDegenerate<double> formulas(
      degenerate_formulas({"a", "b"}, {"log(b)/a + b", "a"}, "a + b - log(a) - 2*log(b)", {"a*p_b"}));
  const Degenerate<LotkaVolterra> functor{LotkaVolterra{}};
  double from_formula = 0, from_functor = 0;
  formulas.invariant_values({2.0, 3.0}, {5.0, 7.0}, &from_formula);
  functor.invariant_values({2.0, 3.0}, {5.0, 7.0}, &from_functor);
  CHECK(from_formula == 14);
  CHECK(from_functor == 14);
}

TEST_CASE("formulas_of_a_degenerate_system_contain_coordinates_only") {
  CHECK_THROWS_AS(degenerate_formulas({"a", "b"}, {"b", "p_a"}, "a"), std::invalid_argument);
  CHECK_THROWS_AS(degenerate_formulas({"a", "b"}, {"b", "a"}, "p_b"), std::invalid_argument);
  CHECK_THROWS_AS(degenerate_formulas({"a", "b"}, {"b"}, "a"), std::invalid_argument);
}

TEST_CASE("degenerate_start_takes_the_momentum_from_theta") {
  const Degenerate<LotkaVolterra> system{LotkaVolterra{}};
  DegenerateStart start(system);
  start.q = {2.0, 1.0};
  CHECK(!start.make_consistent());
  CHECK(start.p[0] == 1.0);
  CHECK(start.p[1] == 2.0);
}

TEST_CASE("degenerate_start_names_what_is_wrong") {
  using Kind = DegenerateStartFault::Kind;
  const auto fault = [](const std::vector<std::string>& names, const std::vector<std::string>& theta,
                        const std::string& H, std::initializer_list<double> q) {
    const FormulaDegenerate<double> system(degenerate_formulas(names, theta, H));
    DegenerateStart start(system);
    start.q = q;
    const auto found = start.make_consistent();
    REQUIRE(found.has_value());
    return *found;
  };
  CHECK(fault({"a", "b"}, {"b", "log(a)"}, "a", {-1, 1}).kind == Kind::theta_not_finite);
  CHECK(fault({"a", "b"}, {"b", "log(a)"}, "a", {-1, 1}).index == 1);
  CHECK(fault({"a", "b"}, {"b", "sqrt(a)"}, "a", {0, 1}).kind == Kind::theta_jacobian_not_finite);
  CHECK(fault({"a", "b"}, {"b", "-a"}, "log(a)", {-1, 1}).kind == Kind::hamiltonian_not_finite);
  CHECK(fault({"a", "b"}, {"b", "-a"}, "sqrt(a)", {0, 1}).kind == Kind::hamiltonian_gradient_not_finite);
  CHECK(fault({"a", "b"}, {"a", "b"}, "a*b", {1, 1}).kind == Kind::singular);                   // theta is a gradient
  CHECK(fault({"a", "b", "c"}, {"b*c", "a^2", "a*b"}, "a", {1, 2, 3}).kind == Kind::singular);  // odd dimension
  CHECK(fault({"a", "b"}, {"a^2*b", "0"}, "a", {0, 1}).kind == Kind::singular);                 // only here
}

TEST_CASE("a_singular_two_form_has_no_vector_field") {
  const FormulaDegenerate<double> system(degenerate_formulas({"a", "b"}, {"a^2*b", "0"}, "a*b"));
  Vec<double> v(2);
  CHECK(DegenerateField(system).velocity({0.0, 1.0}, v) == Outcome::singular_jacobian);
  CHECK(DegenerateField(system).velocity({2.0, 1.0}, v) == Outcome::converged);
}
