// HBVM(k,s): what is refused, how many quadrature points are taken, rest and turning points.
#include "livens/method/hbvm.hpp"

#include <doctest/doctest.h>

#include <array>

#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/run/march.hpp"
#include "livens/simulation/simulate.hpp"
#include "reproduce/hbvm_problems.hpp"
#include "verify/problems.hpp"

namespace {

using namespace livens;
using namespace livens::test;
using namespace livens::hbvm_problems;

std::string refusal(const std::string& system, const std::string& options) {
  const std::string text = "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\n" + system +
                           "\n[initial]\nq = [1.0, 0.0]\nv = [0.0, 0.0]\n[method]\nname = \"hbvm\"\n" + options +
                           "\n[run]\nstep = 0.01\nsteps = 10\n";
  try {
    const Model model = read_model("test", text);
    read_options(model, choose_method(model));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string pendulum = "lagrangian = \"(x'^2 + y'^2)/2 - y\"\nconstraints = [\"x^2 + y^2 - 1\"]";

RunResult run(const std::string& problem, const Overrides& changes) {
  const Model model = load_model(problem, changes);
  const MethodEntry& method = choose_method(model);
  return simulate(model, method, read_options(model, method), RunContext{});
}

// A problem's own start, in C++.
template <class Problem>
State<Lagrangian<Problem>> after_one_step(const Problem& problem, const Hbvm& method, const Vec<double, 2>& q,
                                          const Vec<double, 2>& p, StepReport& report) {
  using System = Lagrangian<Problem>;
  const System system(problem);
  State<System> x(system);
  x.q = q, x.p = p;
  typename Hbvm::Step<System> step(system, method, {});
  step.start(0, x, p);
  step.advance(0, 0, 0.1, x, report);
  return x;
}

}  // namespace

TEST_CASE("models that do not conserve energy, or whose mass is not constant, are refused with the reason") {
  CHECK(refusal(pendulum, "") == "");
  CHECK(mentions(refusal("lagrangian = \"(x'^2 + y'^2)/2 - y*cos(t)\"", ""), "depends on time"));
  CHECK(mentions(refusal("lagrangian = \"(x'^2 + y'^2)/2 - y\"\nconstraints = [\"x^2 + (y - t)^2 - 1\"]", ""),
                 "depends on time"));
  CHECK(mentions(refusal(pendulum + "\nforces = [\"-x'\", \"-y'\"]", ""), "forces"));
  CHECK(mentions(refusal("lagrangian = \"(1 + y^2)*(x'^2 + y'^2)/2 - y\"", ""), "constant mass matrix"));
}

namespace {

struct Indefinite {
  static constexpr int coordinates = 2, constraints = 0;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return v[0] * v[1] - (q[0] * q[0] + q[1] * q[1]) / 2;
  }
};

}  // namespace

TEST_CASE("a mass matrix that is not positive definite is refused") {
  const std::string words = "its mass matrix is not positive definite";
  CHECK(mentions(refusal("lagrangian = \"(x'^2 - y'^2)/2 - y\"", ""), words));
  CHECK(mentions(refusal("lagrangian = \"x'*y' - y\"", ""), words));
  CHECK(mentions(refusal("lagrangian = \"(x'^2 + 4*x'*y' + y'^2)/2 - y\"", ""), words));
  CHECK(refusal("lagrangian = \"(x'^2 + x'*y' + y'^2)/2 - y\"", "") == "");
  StepReport report;
  CHECK_THROWS_AS(after_one_step(Indefinite{}, {.k = 2}, {1, 0}, {0, 0}, report), std::invalid_argument);
}

TEST_CASE("inadmissible k, s, r are refused with the condition that they break") {
  CHECK(mentions(refusal(pendulum, "s = 2\nr = 3"), "1 <= r <= s = 2"));
  CHECK(mentions(refusal(pendulum, "s = 3\nk = 2"), "k >= s = 3"));
  CHECK(mentions(refusal(pendulum, "k = 0"), "method.k"));
  CHECK(mentions(refusal(pendulum, "iteration = \"gauss\""), "fixed-point"));
}

TEST_CASE("C++ systems are refused for the same reasons") {
  const auto refused = [](const auto& problem, const Hbvm& method) {
    using System = Lagrangian<std::decay_t<decltype(problem)>>;
    const System system(problem);
    CHECK_THROWS_AS((typename Hbvm::Step<System>(system, method, {})), std::invalid_argument);
  };
  refused(CurvedMass{}, {.k = 4});
  refused(DrivenPendulum{}, {.k = 4});
  refused(DampedPendulum{}, {.k = 4});
  refused(PlanarPendulum{}, {.k = 1, .s = 2});
  refused(PlanarPendulum{}, {.k = 4, .s = 2, .r = 3});
  refused(PlanarPendulum{}, {.k = 1001, .s = 2});
}

TEST_CASE("a step of polynomials needs no k") {
  const Lagrangian<PlanarPendulum> system(PlanarPendulum{});
  CHECK_NOTHROW((Hbvm::Step<Lagrangian<PlanarPendulum>>(system, Hbvm{.s = 2}, {})));
  CHECK(most_points(2) == 40);
  CHECK(exact_points(2, {.constraint_degree = 2, .potential_degree = 200}) == 200);
}

TEST_CASE("polynomials: k = ceil(s deg / 2) is taken") {
  const auto k = [](const auto& problem, int s) {
    using Problem = std::decay_t<decltype(problem)>;
    const Lagrangian<Problem> system(problem);
    const auto q = problem.template q0<double>(), p = problem.template p0<double>();
    return Hbvm{.s = s}.prepared(system, q, p, p, 0.1, {}).k;
  };
  for (const int s : {1, 2, 3, 4}) {
    CHECK(k(PlanarPendulum{}, s) == s);        // degree 2
    CHECK(k(ModifiedPendulum{}, s) == 3 * s);  // degree 6
  }
  CHECK(k(Satellites{}, 2) == 4);  // the smallest whose first step keeps energy and constraints, and one more
}

TEST_CASE("runs tell the k that was taken, and what it did not conserve") {
  const RunResult found =
      run("tethered-satellites", {{"method.name", "hbvm"}, {"run.step", "0.1"}, {"run.steps", "100"}});
  REQUIRE(found.chosen.size() == 1);
  CHECK(found.chosen[0].first == "k");
  CHECK(found.chosen[0].second >= 3);
  CHECK(found.message == "");
  CHECK(found.audit.energy.max_error < 4 * 2.8e-16);
}

TEST_CASE("where terms cancel, k is what larger ones cannot better") {
  const auto found = [](const std::string& shift) {
    const RunResult result =
        run("pendulum", {{"method.name", "hbvm"},
                         {"run.step", "0.1"},
                         {"run.steps", "50"},
                         {"system.lagrangian", "\"(x'^2+y'^2)/2 - 9.81*y - 50*(cos(x - " + shift + ") - 1)^2\""},
                         {"system.constraints", "[\"((x - " + shift + ")^4 + y^4 - 1)/2\"]"},
                         {"initial.q", "[\"" + shift + " + 0.6\", -0.9]"},
                         {"initial.project", "true"}});
    CHECK(result.audit.energy.max_error < 1e-9);
    return result.chosen.at(0).second;
  };
  const long long near = found("0"), far = found("1000");
  CHECK(near >= 5);
  CHECK(far >= near - 3);  // it was s = 2
}

TEST_CASE("what a given k or tolerance does not conserve is told") {
  const RunResult too_few = run("tethered-satellites",
                                {{"method.name", "hbvm"}, {"method.k", "2"}, {"run.step", "0.5"}, {"run.steps", "20"}});
  CHECK(too_few.message.find("with k = 2 the energy changed by") != std::string::npos);
  CHECK(too_few.message.find("a larger k conserves it") != std::string::npos);
  const RunResult loose = run(
      "pendulum", {{"method.name", "hbvm"}, {"solver.tolerance", "1e-3"}, {"run.step", "0.1"}, {"run.steps", "20"}});
  CHECK(loose.message.find("solver.tolerance leaves it") != std::string::npos);
}

TEST_CASE("steps that took any solution are counted, those that found none are not") {
  const auto newton = [](const std::string& step) {
    return run("modified-pendulum", {{"method.name", "hbvm"},
                                     {"method.iteration", "newton"},
                                     {"method.s", "1"},
                                     {"method.k", "3"},
                                     {"run.step", step},
                                     {"run.steps", "20"}});
  };
  const RunResult doubtful = newton("1.5"), failed = newton("2.5");
  CHECK(doubtful.report.cost.doubtful == 3);
  CHECK(doubtful.message.find("in 3 of 20 steps no solution that continues") != std::string::npos);
  REQUIRE(failed.report.failure);
  CHECK(failed.report.cost.doubtful == 0);
  CHECK(failed.message.find("another one was taken") == std::string::npos);
}

TEST_CASE("a state is its numbers plus their remainders") {
  using System = Lagrangian<PlanarPendulum>;
  const System system{PlanarPendulum{}};
  const auto one_step = [&](Hbvm::Iteration iteration, double remainder) {
    State<System> x(system);
    x.q = {0.6 - remainder, -0.8}, x.p = {0.4 - remainder, 0.3 + remainder};
    x.q_remainder[0] = remainder, x.p_remainder = {remainder, -remainder};
    Hbvm::Step<System> step(system, {.k = 2, .iteration = iteration}, {});
    step.start(0, x, x.p);
    StepReport report;
    step.advance(0, 0.1, 0.1, x, report);
    REQUIRE(succeeded(report.outcome));
    return std::array{x.q[0] + x.q_remainder[0], x.q[1] + x.q_remainder[1], x.p[0] + x.p_remainder[0],
                      x.p[1] + x.p_remainder[1]};
  };
  for (const auto iteration : {Hbvm::Iteration::fixed_point, Hbvm::Iteration::newton}) {
    const auto whole = one_step(iteration, 0), parts = one_step(iteration, 1e-3);
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(whole[i] - parts[i]) < 1e-15);
  }
}

TEST_CASE("a pendulum at rest stays at rest") {
  for (const auto iteration : {Hbvm::Iteration::fixed_point, Hbvm::Iteration::newton}) {
    StepReport report;
    const auto x = after_one_step(PlanarPendulum{}, {.k = 2, .iteration = iteration}, {0, -1}, {0, 0}, report);
    REQUIRE(succeeded(report.outcome));
    CHECK(report.iterations < 5);
    CHECK(std::abs(x.q[0]) + std::abs(x.q[1] + 1) < 2.3e-16);
    CHECK(std::abs(x.p[0]) + std::abs(x.p[1]) < 2.3e-16);
  }
}

TEST_CASE(
    "at a turning point, where the velocity vanishes in the middle of the step, the iteration ends at round-off") {
  // theta'' = -sin theta from 0.9 with the rate that is gone after half a step of 0.1
  const double rate = 0.05 * std::sin(0.9);
  for (const auto iteration : {Hbvm::Iteration::fixed_point, Hbvm::Iteration::newton}) {
    StepReport report;
    const auto x = after_one_step(PlanarPendulum{}, {.k = 2, .iteration = iteration}, {std::sin(0.9), -std::cos(0.9)},
                                  {rate * std::cos(0.9), rate * std::sin(0.9)}, report);
    REQUIRE(succeeded(report.outcome));
    CHECK(report.iterations < 15);
    CHECK(std::abs(dot(x.q, x.q) - 1) < 2.3e-16);
    CHECK(std::abs(x.q[0] - std::sin(0.9)) < 1e-4);
  }
}
