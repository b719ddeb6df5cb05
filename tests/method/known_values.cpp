// End values from an independent high-precision implementation, and closed forms.
#include <doctest/doctest.h>

#include <numbers>

#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "livens/run/march.hpp"
#include "verify/models.hpp"
#include "verify/problems.hpp"
#include "verify/stated_march.hpp"

using namespace livens;
using namespace livens::test;

namespace {

struct PlanarPendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  double m = 1, g = 9.81;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1]) - m * g * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};

// The same without the declaration: the general path must give the same numbers.
struct UndeclaredPendulum : PlanarPendulum {
  static constexpr bool constant_mass = false;
};

// A free particle on a circle of radius 1.5; one mass, one spring, no constraint at all.
const std::string on_circle = R"toml(
coordinates = ["x", "y"]
lagrangian  = "0.35*(x'^2 + y'^2)"
constraints = ["(x^2 + y^2 - 1.5^2)/2"]
)toml",
                  oscillator = R"toml(
coordinates = ["x"]
lagrangian  = "(x'^2 - x^2)/2"
)toml";

const double s1 = std::sin(1.0), c1 = std::cos(1.0);

}  // namespace

TEST_CASE_TEMPLATE("shake and rattle give the known end values of the planar pendulum", Problem, PlanarPendulum,
                   UndeclaredPendulum) {
  const MarchOptions<2> options{.q = {s1, -c1}, .v = {0.5 * c1, 0.5 * s1}, .step = 0.05, .end = 1.0};
  const auto check = [](const auto& run) {
    REQUIRE(run.report.outcome == RunOutcome::finished);
    const auto& end = run.rows.back();
    CHECK(end.t == 1.0);
    CHECK(std::abs(end.q[0] + 0.8108743825636378) < 1e-13);  // measured 1e-15
    CHECK(std::abs(end.q[1] + 0.5852202454649355) < 1e-13);
    CHECK(std::abs(end.p[0] + 0.6215164737460317) < 1e-13);
    CHECK(std::abs(end.p[1] - 0.8611660153717959) < 1e-13);
    CHECK(std::abs(end.lambda[0] - 6.868900241180055) < 1e-12);
  };
  check(march(Problem{}, Rattle{}, options));
  check(march(Problem{}, Shake{}, options));
}

TEST_CASE("shake's nodal momentum and multiplier are those of the Galerkin integrator with s = w = 1") {
  const auto run = march_stated(R"toml(
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 - 9.81*y"
constraints = ["(x^2 + y^2 - 1)/2"]
)toml",
                                "shake", {.q = {s1, -c1}, .v = {0.5 * c1, 0.5 * s1}, .step = 0.05, .steps = 20});
  const auto& end = run.rows.back();
  CHECK(std::abs(end.raw_p[0] + 0.630091870758492) < 1e-12);
  CHECK(std::abs(end.raw_p[1] - 0.8549770222891375) < 1e-12);
  CHECK(std::abs(end.raw_lambda[0] - 6.9094133711340895) < 1e-11);
}

TEST_CASE("constrained Euler turns a free particle on a circle by asin(h omega) a step, both forms") {
  const double h = 0.24, omega = 2;
  for (const bool conjugate : {false, true}) {
    const auto run = march_stated(on_circle, fmt::format("name = \"constrained-euler\"\nconjugate = {}", conjugate),
                                  {.q = {1.5, 0}, .v = {0, 1.5 * omega}, .step = h, .steps = 7});
    REQUIRE(run.report.outcome == RunOutcome::finished);
    const double angle = 7 * std::asin(h * omega);
    CHECK(std::abs(run.rows.back().q[0] - 1.5 * std::cos(angle)) < 1e-14);  // measured 1e-15
    CHECK(std::abs(run.rows.back().q[1] - 1.5 * std::sin(angle)) < 1e-14);
    CHECK(run.audit.energy.max_error < (conjugate ? 1e-13 : 1.0));
  }
}

TEST_CASE("constrained Euler has no solution for h omega > 1 and says so") {
  const auto run = march_stated(on_circle, "constrained-euler", {.q = {1.5, 0}, .v = {0, 3}, .step = 0.51, .steps = 7});
  CHECK(run.report.outcome == RunOutcome::failed);
  CHECK(run.report.steps == 0);
  REQUIRE(run.report.failure);
  CHECK(!succeeded(run.report.failure->outcome));
  CHECK(run.rows.size() == 1);
}

TEST_CASE("without constraints shake and rattle are Stoermer-Verlet") {
  const double h = 0.1;
  double q = 1, v = 0;
  for (int k = 0; k < 10; ++k) {
    const double half = v - h / 2 * q;
    q += h * half;
    v = half - h / 2 * q;
  }
  const auto end = [&](const char* method) {
    return march_stated(oscillator, method, {.q = {1}, .v = {0}, .step = h, .steps = 10}).rows.back();
  };
  CHECK(std::abs(end("rattle").q[0] - q) < 1e-15);
  CHECK(std::abs(end("rattle").p[0] - v) < 1e-15);
  CHECK(std::abs(end("shake").q[0] - q) < 1e-15);
}

TEST_CASE("shake and rattle have the same positions") {
  for (const StatedSystem& system : {double_pendulum_text, curved_mass_text, driven_pendulum_text}) {
    CAPTURE(system.name);
    const auto shake = march_stated(stated_model(system, R"(name = "shake")", "double", "0.02")),
               rattle = march_stated(stated_model(system, R"(name = "rattle")", "double", "0.02"));
    REQUIRE(shake.rows.size() == 51);
    double difference = 0;
    for (std::size_t k = 0; k < shake.rows.size(); ++k)
      for (int i = 0; i < shake.rows[k].q.size(); ++i)
        difference = std::max(difference, std::abs(shake.rows[k].q[i] - rattle.rows[k].q[i]));
    // Forces that depend on v make no difference to this; measured 2e-14.
    CHECK(difference < 1e-13);
  }
}

TEST_CASE("a step back undoes a step") {
  for (const StatedSystem& system :
       {nonlinear_pendulum_text, double_pendulum_text, bead_text, curved_mass_text, driven_pendulum_text}) {
    const Reversibility home = study_reversibility(stated_model(system, R"(name = "rattle")"));
    CAPTURE(system.name);
    REQUIRE(!home.failure);
    CHECK(home.q < 1e-12);
    CHECK(home.p < 1e-11);
  }
}

TEST_CASE("rattle keeps the angular momentum and both constraint levels of the double pendulum") {
  const StatedSystem system{
      "rods", "[system.invariants]\nL3 = \"x1*p_y1 - y1*p_x1 + x2*p_y2 - y2*p_x2\"" + double_pendulum_text.text};
  const auto run = march_stated(stated_model(system, R"(name = "rattle")", "double", "0.01", "100"));
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CHECK(run.audit.invariants[0].max_error < 4 * 8e-15);
  CHECK(run.audit.constraint < 1e-14);
  CHECK(run.audit.hidden_constraint < 1e-13);
  CHECK(run.audit.energy.max_error < 0.5);
}

TEST_CASE("the equations of the schemes hold for the raw values they report, forces and times in their places") {
  using Row = StatedMarch::Row;
  const PushedPendulum problem;
  const double h = 0.03;
  // -V_q at the ends of a step, forces at the velocity u
  const auto force = [&](const Row& at, const Vec<double, 2>& u) {
    const Vec<double, 2> F = problem.force(at.t, Vec<double, 2>{at.q[0], at.q[1]}, u);
    return Vec<double, 2>{-1.6 * std::cos(3.0 * at.t) * at.q[0] + F[0], -9.81 + F[1]};
  };
  const auto gradient = [&](const Row& at) {
    return Vec<double, 2>{at.q[0] - problem.a * std::sin(problem.w * at.t), at.q[1]};
  };
  const auto check = [&](const std::string& method, const auto& residual) {
    const auto run = march_stated(stated_model(pushed_pendulum_text, method, "double", "0.03", "0.6"));
    REQUIRE(run.rows.size() == 21);
    for (std::size_t n = 0; n < 20; ++n) {
      const Row &a = run.rows[n], &b = run.rows[n + 1];
      const Vec<double, 2> u{(b.q[0] - a.q[0]) / h, (b.q[1] - a.q[1]) / h};
      for (int i = 0; i < 2; ++i) CHECK(std::abs(residual(n, a, b, u, i)) < 2e-13);
    }
  };
  SUBCASE("rattle: p0 + h/2 f0 - (h/2) G0^T lambda = M u") {
    check(R"(name = "rattle")", [&](std::size_t, const Row& a, const Row& b, const Vec<double, 2>& u, int i) {
      return a.p[i] + h / 2 * force(a, u)[i] - h / 2 * gradient(a)[i] * b.raw_lambda[0] - u[i];
    });
  }
  SUBCASE("shake: p0 + h/2 f0 - (h/2) G0^T lambda0 = M u with the nodal values of the start") {
    check(R"(name = "shake")", [&](std::size_t, const Row& a, const Row&, const Vec<double, 2>& u, int i) {
      // The nodal momentum holds half of the nodal multiplier, the step the other half; at the first node all is p0.
      return a.raw_p[i] + h / 2 * force(a, u)[i] - h / 2 * gradient(a)[i] * a.raw_lambda[0] - u[i];
    });
  }
  SUBCASE("constrained Euler: p1 = p0 + h f0 - h G0^T lambda = M u") {
    check(R"(name = "constrained-euler")",
          [&](std::size_t n, const Row& a, const Row& b, const Vec<double, 2>& u, int i) {
            const double p0 = n == 0 ? a.p[i] : a.raw_p[i];
            return std::abs(p0 + h * force(a, u)[i] - h * gradient(a)[i] * b.raw_lambda[0] - u[i]) +
                   std::abs(b.raw_p[i] - u[i]);
          });
  }
  SUBCASE("conjugate: M u = p0 - h G0^T lambda, then the force at the end and a projection along G1") {
    check("name = \"constrained-euler\"\nconjugate = true",
          [&](std::size_t, const Row& a, const Row& b, const Vec<double, 2>& u, int i) {
            const auto G1 = gradient(b);
            const double d0 = b.p[0] - u[0] - h * force(b, u)[0], d1 = b.p[1] - u[1] - h * force(b, u)[1];
            return std::abs(a.p[i] - h * gradient(a)[i] * b.raw_lambda[0] - u[i]) + std::abs(d0 * G1[1] - d1 * G1[0]);
          });
  }
}

TEST_CASE("one large coordinate does not loosen the others") {
  const auto run =
      march_stated(R"toml(
coordinates = ["x", "y", "z"]
lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - 9.81*y"
constraints = ["(x^2 + y^2 - 1)/2"]
)toml",
                   "rattle", {.q = {s1, -c1, 1e12}, .v = {0.5 * c1, 0.5 * s1, 0}, .step = 0.02, .steps = 1000});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CHECK(run.audit.constraint < 4 * 2.3e-16);
}

TEST_CASE("units do not make a matrix singular") {
  for (const char* method : {"rattle", "constrained-euler"}) {
    // SI units: 2e-26 kg on a bond of 1e-10 m, with drag
    const auto run = march_stated(R"toml(
coordinates = ["x", "y"]
lagrangian  = "1e-26*(x'^2 + y'^2)"
constraints = ["(x^2 + y^2 - 1e-20)/2"]
forces      = ["-1e-15*x'", "-1e-15*y'"]
)toml",
                                  method, {.q = {1e-10, 0}, .v = {0, 500}, .step = 1e-15, .steps = 100});
    CAPTURE(method);
    REQUIRE(run.report.outcome == RunOutcome::finished);
    CHECK(std::abs(std::hypot(run.rows.back().q[0], run.rows.back().q[1]) / 1e-10 - 1) < 1e-14);
  }
}

TEST_CASE("a constraint in other units leaves the motion as it is") {
  // The second rod in units of 1e18: only its multiplier may notice.
  std::string odd = double_pendulum_text.text;
  const std::string rod = "((x2 - x1)^2";
  odd.replace(odd.find(rod), rod.size(), "1e-18*" + rod);
  const auto end = [](const std::string& text) {
    const auto run = march_stated(stated_model({"rods", text}, R"(name = "rattle")", "double", "0.01", "0.5"));
    REQUIRE(run.report.outcome == RunOutcome::finished);
    return run.rows.back();
  };
  const auto a = end(double_pendulum_text.text), b = end(odd);
  for (int i = 0; i < 6; ++i) CHECK(std::abs(a.q[i] - b.q[i]) < 1e-12);
  CHECK(1e-18 * b.lambda[1] == doctest::Approx(a.lambda[1]));
}
