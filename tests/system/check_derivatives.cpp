#include "livens/system/check_derivatives.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "livens/model/check_formulas.hpp"
#include "system/problems.hpp"

using namespace livens;

namespace {

double largest_difference(const DerivativeReport& report) {
  double largest = 0;
  for (const auto& finding : report.findings) largest = std::max(largest, finding.difference);
  return largest;
}

// The names of what is wrong, one after another.
std::string faults(const DerivativeReport& report) {
  std::string names;
  for (const auto& finding : report.findings)
    if (!finding.ok) names += (names.empty() ? "" : ", ") + finding.what;
  return names;
}

// A spherical pendulum with hand-written derivatives; `sign` = -1 makes them wrong.
template <int sign_of_jacobian, int sign_of_gradient>
struct HandWritten {
  static constexpr int coordinates = 3, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2, potential_degree = 1;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return dot(v, v) - 9.81 * q[2];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {(dot(q, q) - 1) / 2};
  }
  template <class T>
  Mat<T, 1, 3> constraint_jacobian(const Vec<T, 3>& q) const {
    Mat<T, 1, 3> G;
    G(0, 0) = q[0], G(0, 1) = sign_of_jacobian * q[1], G(0, 2) = q[2];
    return G;
  }
  template <class T>
  Vec<T, 3> potential_gradient(const Vec<T, 3>&) const {
    return {T(0), T(0), T(sign_of_gradient * 9.81)};
  }
};

// What is declared here is wrong in every respect.
struct FalseClaims {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true, separable = true;
  static constexpr int constraint_degree = 2, potential_degree = 2;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return (1 + q[0] * q[0]) * v[0] * v[0] + v[1] * v[1] - q[0] * q[0] * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {q[0] * q[1] * q[1] - 1};
  }
};

// A magnetic term: the mass matrix is constant, but L is not v.Mv/2 - V.
struct LinearInVelocity {
  static constexpr int coordinates = 2, constraints = 0;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return dot(v, v) / 2 + q[0] * v[1];
  }
};

struct FalselyLinear : ExponentialOdae {
  static constexpr bool linear_reaction = true;
};

std::shared_ptr<const LagrangianFormulas> lagrangian_formulas() {
  using F = LagrangianFormulas;
  const FormulaWorld world({{F::time, {"t"}}, {F::q, {"x", "y"}}, {F::v, {"x'", "y'"}}});
  F::Formulas formulas;
  formulas.lagrangian = world({"x'^2/2*(1+y^2) + y'^2 + cos(t)*x*y' + x'*y'*exp(x) - sin(x*y)"})[0];
  formulas.constraints = world({"x^2*y - cos(t)"});
  formulas.forces = world({"-0.1*x'*hypot(x',y')", "-t*y'^3"});
  return std::make_shared<F>(world.graph, 2, formulas);
}

}  // namespace

TEST_CASE("right_derivatives_of_functors_are_confirmed") {
  const auto pendulum = check_derivatives(Lagrangian<HandWritten<1, 1>>({}), 0, {0.6, 0.0, -0.8}, {0.0, 0.9, 0.0});
  CHECK(faults(pendulum) == "");
  CHECK(largest_difference(pendulum) < 4 * 3.5e-17);
  const auto centre = check_derivatives(Degenerate<GuidingCentre>({}), {2.5, 0.0, 0.0, 0.3425});
  CHECK(faults(centre) == "");
  CHECK(largest_difference(centre) < 4 * 3e-16);
  const auto cubic = check_derivatives(Odae<CubicWithFriction>({}), 0, {10, 10}, {-3.6, -10.8}, {1.7586});
  CHECK(faults(cubic) == "");
  CHECK(largest_difference(cubic) < 4 * 3e-16);
}

TEST_CASE("a_wrong_sign_in_a_hand_written_derivative_is_found") {
  // y = 0 at the start, where the wrong entry of the Jacobian vanishes.
  const auto jacobian = check_derivatives(Lagrangian<HandWritten<-1, 1>>({}), 0, {0.6, 0.0, -0.8}, {0.0, 0.9, 0.0});
  CHECK(!jacobian.ok());
  CHECK(faults(jacobian) == "dg/dq");
  const auto gradient = check_derivatives(Lagrangian<HandWritten<1, -1>>({}), 0, {0.6, 0.0, -0.8}, {0.0, 0.9, 0.0});
  CHECK(faults(gradient) == "dV/dq");
}

TEST_CASE("false_structure_is_found") {
  const auto report = check_derivatives(Lagrangian<FalseClaims>({}), 0, {1, 1}, {0.5, -1});
  CHECK(faults(report) == "constant mass matrix, separable, degree of the potential, degree of the constraints");
  const auto magnetic = check_derivatives(Lagrangian<LinearInVelocity>({}), 0, {1, 1}, {0.5, -1});
  CHECK(faults(magnetic) == "constant mass matrix, separable");
  CHECK(faults(check_derivatives(Odae<FalselyLinear>({}), 0, {1, 1}, {1, 1}, {1})) == "linear reaction");
}

TEST_CASE("compiled_derivatives_of_formulas_agree_with_jets") {
  const auto lagrangian = check_derivatives(lagrangian_formulas(), 0.3, {0.8, 1.1}, {0.4, -0.7});
  CHECK(faults(lagrangian) == "");
  CHECK(lagrangian.findings.size() == 17);
  CHECK(largest_difference(lagrangian) < 4 * 3.3e-16);
  const auto degenerate = check_derivatives(guiding_centre_formulas(), {2.5, 0.0, 0.0, 0.3425});
  CHECK(faults(degenerate) == "");
  CHECK(degenerate.findings.size() == 5);
  CHECK(largest_difference(degenerate) < 4 * 3e-16);
  for (const auto& formulas : {exponential_odae_formulas(), cubic_with_friction_formulas()}) {
    const auto odae = check_derivatives(formulas, 0, {1, 1}, {1, 1}, {1});
    CHECK(faults(odae) == "");
    CHECK(odae.findings.size() == 13);
    CHECK(largest_difference(odae) < 4 * 2.3e-16);
  }
}

TEST_CASE("a_wrong_compiled_derivative_is_found") {
  // The check does not know where a system's derivatives come from: one that forgets the curvature of theta.
  struct Forgetful : Degenerate<LotkaVolterra> {
    using Degenerate<LotkaVolterra>::Degenerate;
    void theta_curvature(const Coordinates&, const Coordinates&, Square& C) const { C.fill(0); }
  };
  const auto over = []<class S>(const S&) {
    if constexpr (std::is_same_v<S, double>)
      return Forgetful(LotkaVolterra{});
    else
      return Degenerate<LotkaVolterra, S>(LotkaVolterra{});
  };
  CHECK(faults(checking::check_degenerate(over, Vec<double, 2>{1, 1})) == "d2theta/dq2");
}

TEST_CASE("points_outside_the_domain_of_a_formula_are_left_out") {
  // sqrt(a - b) near a = b: the state itself is inside, some neighbours are not.
  const auto report =
      check_derivatives(degenerate_formulas({"a", "b"}, {"b", "sqrt(a - b)"}, "log(a - b)"), {1.0, 0.99});
  CHECK(faults(report) == "");
}
