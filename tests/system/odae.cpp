#include <doctest/doctest.h>

#include <cmath>

#include "livens/system/hidden_equation.hpp"
#include "system/problems.hpp"

using namespace livens;

namespace {

// A driven particle whose velocity depends on everything.
struct TimeDependent {
  static constexpr int positions = 2, velocities = 2, multipliers = 1, invariants = 1;
  static constexpr bool linear_reaction = true;
  template <class T>
  Vec<T, 2> velocity(const T& t, const Vec<T, 2>& y, const Vec<T, 2>& z) const {
    using std::sin;
    return {z[0] * z[0] * z[1] + sin(t) * y[1], z[1] + t * y[0] * z[0]};
  }
  template <class T>
  Vec<T, 2> force(const T& t, const Vec<T, 2>& y, const Vec<T, 2>& z) const {
    return {-y[0] + t, y[0] * z[1]};
  }
  template <class T>
  Vec<T, 2> reaction(const Vec<T, 2>& y, const Vec<T, 2>&, const Vec<T, 1>& psi) const {
    return {-2 * y[0] * psi[0], -2 * y[1] * psi[0]};
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& y) const {
    return {y[0] * y[0] + y[1] * y[1] - 25};
  }
  template <class T>
  Vec<T, 1> invariant_values(const Vec<T, 2>& y, const Vec<T, 2>& z) const {
    return {y[0] * z[1] - y[1] * z[0]};
  }
};

std::shared_ptr<const OdaeFormulas> time_dependent_formulas() {
  return odae_formulas({{"z1^2*z2 + sin(t)*y2", "z2 + t*y1*z1"},
                        {"-y1 + t", "y1*z2"},
                        {"-2*y1*psi", "-2*y2*psi"},
                        {"y1^2 + y2^2 - 25"}});
}

template <class A, class B>
double difference(const A& a, const B& b) {
  double largest = 0;
  if constexpr (requires { a.rows(); }) {
    for (int i = 0; i < a.rows(); ++i)
      for (int j = 0; j < a.cols(); ++j) largest = std::max(largest, std::abs(a(i, j) - b(i, j)));
  } else {
    for (int i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

// Everything that an Odae offers at one state.
template <class System>
struct Everything {
  typename System::Positions v, vt;
  typename System::Velocities f, r;
  typename System::Multipliers g, curvature, size;
  typename System::MatYY vy, Hg;
  typename System::MatYZ vz;
  typename System::MatZY fy, ry;
  typename System::MatZZ fz, rz, Hv;
  typename System::MatZM rpsi;
  typename System::Jacobian G;

  Everything(const System& s, double t, const typename System::Positions& y, const typename System::Velocities& z,
             const typename System::Multipliers& psi)
      : v(2),
        vt(2),
        f(2),
        r(2),
        g(1),
        curvature(1),
        size(1),
        vy(2, 2),
        Hg(2, 2),
        vz(2, 2),
        fy(2, 2),
        ry(2, 2),
        fz(2, 2),
        rz(2, 2),
        Hv(2, 2),
        rpsi(2, 1),
        G(1, 2) {
    s.velocity(t, y, z, v);
    s.velocity_jacobian(t, y, z, vy, vz);
    s.velocity_rate(t, y, z, vt);
    s.velocity_hessian(t, y, z, {0.5, -2.0}, Hv);
    s.force(t, y, z, f);
    s.force_jacobian(t, y, z, fy, fz);
    s.reaction(t, y, z, psi, r);
    s.reaction_jacobian(t, y, z, psi, ry, rz, rpsi);
    s.constraint_jacobian(y, g, G);
    s.constraint_curvature(y, v, curvature);
    s.constraint_hessian(y, {3.0}, Hg);
    s.constraint_size(y, size);
  }

  template <class Other>
  double distance(const Other& o) const {
    double largest = 0;
    const auto take = [&](double d) { largest = std::max(largest, d); };
    take(difference(v, o.v)), take(difference(vt, o.vt)), take(difference(f, o.f)), take(difference(r, o.r));
    take(difference(g, o.g)), take(difference(curvature, o.curvature)), take(difference(size, o.size));
    take(difference(vy, o.vy)), take(difference(vz, o.vz)), take(difference(Hv, o.Hv)), take(difference(Hg, o.Hg));
    take(difference(fy, o.fy)), take(difference(fz, o.fz)), take(difference(ry, o.ry)), take(difference(rz, o.rz));
    take(difference(rpsi, o.rpsi)), take(difference(G, o.G));
    return largest;
  }
};

template <class Problem>
double formulas_against_functor(std::shared_ptr<const OdaeFormulas> formulas, double t, const Vec<double, 2>& y,
                                const Vec<double, 2>& z, double psi) {
  const Odae<Problem> functor{Problem{}};
  const FormulaOdae<double> system(std::move(formulas));
  const Everything a(functor, t, y, z, {psi});
  const Everything b(system, t, {y[0], y[1]}, {z[0], z[1]}, {psi});
  return a.distance(b);
}

}  // namespace

TEST_CASE("formulas_and_functor_are_the_same_overdetermined_system") {
  CHECK(formulas_against_functor<ExponentialOdae>(exponential_odae_formulas(), 0, {1.2, 0.9}, {1.1, 0.7}, 1.3) <
        4 * 2.3e-16);
  CHECK(formulas_against_functor<CubicWithFriction>(cubic_with_friction_formulas(), 0, {10, 10}, {-3.6, -10.8},
                                                    1.7586) < 4 * 1.8e-15);  // terms of size 10
  CHECK(formulas_against_functor<TimeDependent>(time_dependent_formulas(), 0.3, {3, 4}, {0.5, -0.2}, 1.5) < 8.9e-16);
}

TEST_CASE("derivatives_of_a_time_dependent_velocity") {
  const double t = 0.3, y1 = 3, y2 = 4, z1 = 0.5, z2 = -0.2;
  const Odae<TimeDependent> system{TimeDependent{}};
  const Everything a(system, t, {y1, y2}, {z1, z2}, {1.5});
  CHECK(a.vt[0] == doctest::Approx(std::cos(t) * y2).epsilon(1e-15).scale(0));
  CHECK(a.vt[1] == doctest::Approx(y1 * z1).epsilon(1e-15).scale(0));
  CHECK(a.vy(0, 1) == doctest::Approx(std::sin(t)).epsilon(1e-15).scale(0));
  CHECK(a.vz(0, 1) == doctest::Approx(z1 * z1).epsilon(1e-15).scale(0));
  CHECK(a.Hv(0, 0) == doctest::Approx(0.5 * 2 * z2).epsilon(1e-15).scale(0));
  CHECK(a.Hv(0, 1) == doctest::Approx(0.5 * 2 * z1).epsilon(1e-15).scale(0));
  CHECK(a.rpsi(1, 0) == -2 * y2);
  CHECK(a.ry(0, 0) == -3.0);
  CHECK(a.curvature[0] == doctest::Approx(2 * (a.v[0] * a.v[0] + a.v[1] * a.v[1])).epsilon(1e-15).scale(0));
  CHECK(a.Hg(0, 0) == 6.0);
  CHECK(a.Hg(0, 1) == 0.0);
  CHECK(a.g[0] == 0.0);
  CHECK(a.size[0] == 50.0);
  double angular_momentum = 0;
  system.invariant_values(t, {y1, y2}, {z1, z2}, &angular_momentum);
  CHECK(angular_momentum == y1 * z2 - y2 * z1);
}

TEST_CASE("structure_is_declared_by_functors_and_found_in_formulas") {
  CHECK(Odae<TimeDependent>::structure().time);
  CHECK(Odae<TimeDependent>::structure().linear_reaction);
  CHECK(!Odae<ExponentialOdae>::structure().time);
  CHECK(!Odae<ExponentialOdae>::structure().linear_reaction);
  CHECK(time_dependent_formulas()->structure().time);
  CHECK(time_dependent_formulas()->structure().linear_reaction);
  CHECK(!exponential_odae_formulas()->structure().time);
  CHECK(!exponential_odae_formulas()->structure().linear_reaction);
  // affine in psi, but a reaction without multiplier; linear, but dependent on z
  CHECK(!odae_formulas({{"z1", "z2"}, {"0", "0"}, {"1 + psi", "0"}, {"y1"}})->structure().linear_reaction);
  CHECK(!odae_formulas({{"z1", "z2"}, {"0", "0"}, {"z1*psi", "0"}, {"y1"}})->structure().linear_reaction);
}

TEST_CASE("formulas_of_an_overdetermined_system_contain_what_they_may") {
  const std::vector<std::string> z = {"z1", "z2"}, zero = {"0", "0"}, r = {"psi", "0"};
  CHECK_NOTHROW(odae_formulas({z, zero, r, {"y1"}}));
  CHECK_THROWS_AS(odae_formulas({{"psi", "z2"}, zero, r, {"y1"}}), std::invalid_argument);
  CHECK_THROWS_AS(odae_formulas({z, {"psi", "0"}, r, {"y1"}}), std::invalid_argument);
  CHECK_THROWS_AS(odae_formulas({z, zero, r, {"y1 - t"}}), std::invalid_argument);
  CHECK_THROWS_AS(odae_formulas({z, zero, r, {"z1"}}), std::invalid_argument);
  CHECK_THROWS_AS(odae_formulas({z, zero, r, {"y1", "y2"}}), std::invalid_argument);
}

TEST_CASE("multiplier_of_the_exponential_solution") {
  const Odae<ExponentialOdae> system{ExponentialOdae{}};
  HiddenEquation hidden(system);
  for (const double t : {0.0, 0.5, 1.0}) {
    const Vec<double, 2> state{std::exp(2 * t), std::exp(-t)};
    Vec<double, 1> psi{1.0};
    CHECK(succeeded(hidden.solve(t, state, state, psi)));
    CHECK(std::abs(psi[0] - std::exp(t)) < 4 * 6.7e-16);
  }
  Vec<double, 1> other_root{-3.0};  // the guess decides: the quadratic has a second, spurious root
  CHECK(succeeded(hidden.solve(0.0, {1, 1}, {1, 1}, other_root)));
  CHECK(std::abs(other_root[0] + 2) < 4.5e-16);
}

TEST_CASE("solvability_matrix_of_the_exponential_solution") {
  const Odae<ExponentialOdae> system{ExponentialOdae{}};
  HiddenEquation hidden(system);
  Mat<double, 1, 1> S, size;
  hidden.solvability(0.0, {1, 1}, {1, 1}, {1}, S, size);
  CHECK(S(0, 0) == 6.0);
  const double e = std::exp(1.0);
  hidden.solvability(1.0, {e * e, 1 / e}, {e * e, 1 / e}, {e}, S, size);
  CHECK(S(0, 0) == doctest::Approx(18.778).epsilon(1e-5).scale(0));
}

TEST_CASE("friction_does_not_enter_the_multiplier_of_the_cubic") {
  CubicWithFriction problem;
  const Vec<double, 2> y{10, 10}, z{-3.6, -10.8};
  for (const double c_f : {0.0, 0.1, 5.0}) {
    problem.c_f = c_f;
    const Odae<CubicWithFriction> system(problem);
    Vec<double, 1> psi{1.0};
    CHECK(succeeded(HiddenEquation(system).solve(0.0, y, z, psi)));
    const double expected = (problem.g + 6 * problem.b * y[0] * z[0] * z[0]) / (1 + 9 * problem.b * problem.b * 1e4);
    CHECK(std::abs(psi[0] - expected) < 4 * 2.3e-16);
    CHECK(psi[0] == doctest::Approx(1.7586).epsilon(1e-6).scale(0));
  }
}

TEST_CASE("time_enters_the_hidden_equation") {
  // The multiplier must keep d2/dt2 g = 0 along the motion, here formed by differences of d/dt g.
  const Odae<TimeDependent> system{TimeDependent{}};
  const double t = 0.3;
  const Vec<double, 2> y{3, 4}, z{0.5, -0.2};
  Vec<double, 1> psi{1.0};
  CHECK(succeeded(HiddenEquation(system).solve(t, y, z, psi)));
  Vec<double, 2> v, f, r;
  system.velocity(t, y, z, v), system.force(t, y, z, f), system.reaction(t, y, z, psi, r);
  const auto rate = [&](double h) {
    Vec<double, 2> y1, z1, v1;
    for (int i = 0; i < 2; ++i) y1[i] = y[i] + h * v[i], z1[i] = z[i] + h * (f[i] + r[i]);
    system.velocity(t + h, y1, z1, v1);
    return 2 * y1[0] * v1[0] + 2 * y1[1] * v1[1];
  };
  CHECK(std::abs(rate(1e-5) - rate(-1e-5)) / 2e-5 < 2 * 1.9e-8);  // error of the central difference
}

TEST_CASE("a_vanishing_multiplier_is_found") {
  // Free motion on a line: nothing has to be held.
  const FormulaOdae<double> system(odae_formulas({{"z1", "z2"}, {"0", "-1"}, {"psi", "0"}, {"y1"}}));
  Vec<double> psi{1.0};
  CHECK(succeeded(HiddenEquation(system).solve(0.0, {0.0, 1.0}, {0.0, 2.0}, psi)));
  CHECK(psi[0] == 0.0);
  // Terms that cancel only to round-off.
  const FormulaOdae<double> balanced(
      odae_formulas({{"z1", "z2"}, {"0.1*y2 + 0.2*y2 - 0.3*y2", "0"}, {"psi + psi^2", "0"}, {"y1"}}));
  psi[0] = 0.5;
  CHECK(succeeded(HiddenEquation(balanced).solve(0.0, {0.0, 1.0}, {0.0, 2.0}, psi)));
  CHECK(std::abs(psi[0]) < 4 * 5.6e-17);
}
