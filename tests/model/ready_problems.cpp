// Every ready problem has a fact that is known from elsewhere, and a test of it: here, or in the test that is named.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <sstream>

#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/model/problems.hpp"
#include "livens/registry/entry.hpp"
#include "livens/simulation/simulate.hpp"
#include "model/tokamak.hpp"

using namespace livens;

namespace {

constexpr double pi = std::numbers::pi;
using Motion = std::vector<double>;

RunResult end_of(const std::string& problem, Overrides set = {}) {
  set.emplace_back("run.every", "1000000");
  const Model model = load_model(problem, set);
  const MethodEntry& method = choose_method(model);
  RunResult result = simulate(model, method, read_options(model, method), {});
  REQUIRE(result.report.outcome == RunOutcome::finished);
  return result;
}
// After `time`, in `steps` steps.
RunResult after(double time, int steps, const std::string& problem, Overrides set = {}) {
  std::ostringstream step;
  step.precision(17);
  step << time / steps;
  set.emplace_back("run.step", step.str());
  set.emplace_back("run.steps", std::to_string(steps));
  return end_of(problem, set);
}

double distance_of(const Motion& a, const Motion& b) {
  REQUIRE(a.size() >= b.size());  // where there are fewer known values, of the first ones
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

double complete_elliptic_integral(double k) {  // K(k), by the arithmetic-geometric mean
  double a = 1, b = std::sqrt(1 - k * k);
  for (int n = 0; n < 8; ++n) a = (a + b) / 2, b = std::sqrt(b * (2 * a - b));
  return pi / (2 * a);
}

// The energy is kept, not by construction: its error falls with a power of the step.
void energy_falls(const std::string& problem, double step, double time, double order, const Overrides& set = {}) {
  const int steps = static_cast<int>(std::lround(time / step));
  const double coarse = after(time, steps, problem, set).audit.energy.max_error,
               fine = after(time, 2 * steps, problem, set).audit.energy.max_error;
  CHECK(std::log2(coarse / fine) == doctest::Approx(order).epsilon(0.1));
}

// A chain of masses on rods in space that hangs down, drawn aside along x by `aside` and let go, is there again after
// the period. `rates` is v or p, as the model has it.
void swings(const std::string& problem, const std::string& rates, double period, const Motion& aside,
            const Motion& rods, Overrides set = {}) {
  std::ostringstream q, v;
  q.precision(17);
  double x = 0, z = 0;
  for (std::size_t i = 0; i < aside.size(); ++i) {
    z -= std::sqrt(rods[i] * rods[i] - (aside[i] - x) * (aside[i] - x));
    x = aside[i];
    q << (i ? ", " : "[") << x << ", 0, " << z;
    v << (i ? ", " : "[") << "0, 0, 0";
  }
  for (const auto& [key, value] : Overrides{{"initial.q", q.str() + "]"},
                                            {"initial." + rates, v.str() + "]"},
                                            {"initial.project", "false"},
                                            {"method.name", "galerkin"},
                                            {"method.s", "3"}})
    set.emplace_back(key, value);
  const Motion end = after(period, 100, problem, set).final.q.numbers;
  for (std::size_t i = 0; i < aside.size(); ++i) CHECK(std::abs(end[3 * i] - aside[i]) < 4e-16);
}

// Over about a transit or a bounce of the orbit that starts with u.
void drifts_as_by_another_route(const std::string& problem, double time, double u) {
  const tokamak::Place q = tokamak::drifted({2.5, 0, 0, u}, time);
  const Motion end = after(time, 400, problem, {{"method.stages", "3"}}).final.q.numbers;
  CHECK(distance_of(end, {q[0], q[1], q[2], q[3]}) < 4 * 1.3e-8);
}

// Facts that are checked here.
const std::map<std::string, std::function<void()>> facts{
    {"pendulum",
     [] {
       // amplitude from the energy at 1 rad and rate 0.5; period 4 sqrt(l/g) K(sin(amplitude/2))
       const double k = std::sqrt((1 - std::cos(1.0)) / 2 + 0.25 / (4 * 9.81));
       const double period = 4 / std::sqrt(9.81) * complete_elliptic_integral(k);
       const auto end = after(period, 200, "pendulum", {{"method.name", "galerkin"}, {"method.s", "3"}});
       CHECK(distance_of(end.final.q.numbers, {std::sin(1.0), -std::cos(1.0)}) < 4 * 1e-13);
     }},
    {"spherical-pendulum",
     [] {
       // z'^2 = 2 (E - z)(1 - z^2) - J^2 = 2 (z - z1)(z - z2)(z - z3): up and down in 4 K(k)/sqrt(2 (z3 - z1))
       const double z1 = -0.8, E = 0.405 - 0.8, J = 0.54, sum = E - z1, product = (J * J / 2 - E) / z1;
       const double root = std::sqrt(sum * sum / 4 - product), z2 = sum / 2 - root, z3 = sum / 2 + root;
       const double period =
           4 / std::sqrt(2 * (z3 - z1)) * complete_elliptic_integral(std::sqrt((z2 - z1) / (z3 - z1)));
       const auto end = after(period, 200, "spherical-pendulum", {{"method.name", "galerkin"}, {"method.s", "3"}});
       CHECK(std::abs(end.final.q.numbers[2] + 0.8) < 4 * 2.3e-16);
       CHECK(std::abs((*end.final.v).numbers[2]) < 4 * 1.9e-15);
     }},
    {"lotka-volterra",
     [] {
       const auto end = after(4.65988448, 100, "lotka-volterra", {{"method.stages", "3"}});
       CHECK(distance_of(end.final.q.numbers, {1, 1}) < 4 * 1.3e-9);  // the period has nine digits
     }},
    {"plane-particle",
     [] {
       // (1 + 2 r^2) (x', y') = (-H_y, H_x), by the classical Runge-Kutta method
       std::array<double, 2> q{1, 0.5};
       const auto rate = [](const std::array<double, 2>& x) {
         const double B = 1 + 2 * (x[0] * x[0] + x[1] * x[1]);
         return std::array{-std::cos(x[1]) / B, -std::sin(x[0]) / B};
       };
       const double h = 0.01;
       for (int n = 0; n < 1000; ++n) {
         const auto plus = [&](const auto& d, double f) { return std::array{q[0] + f * d[0], q[1] + f * d[1]}; };
         const auto a = rate(q), b = rate(plus(a, h / 2)), c = rate(plus(b, h / 2)), d = rate(plus(c, h));
         for (std::size_t k = 0; k < 2; ++k) q[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
       }
       const auto end = after(10, 100, "plane-particle", {{"method.stages", "3"}});
       CHECK(distance_of(end.final.q.numbers, {q[0], q[1]}) < 4 * 4.9e-11);
     }},
    {"n-vortices",
     [] {
       const double rate = 0.1 / (2 * pi) * (8 * std::log(5.0) + 16) / 3;
       const auto end = after(10, 20, "n-vortices", {{"method.stages", "3"}, {"system.parameters.out", "0"}});
       for (int i = 1; i <= 5; ++i) {
         const std::size_t x = static_cast<std::size_t>(2 * i - 2);
         const double angle = 2 * pi * i / 5 + 10 * rate;
         CHECK(std::abs(end.final.q.numbers[x] - std::cos(angle)) < 4 * 4.7e-12);
         CHECK(std::abs(end.final.q.numbers[x + 1] - std::sin(angle)) < 4 * 4.5e-12);
       }
     }},
    {"guiding-centre", [] { drifts_as_by_another_route("guiding-centre", 135.73, 0.3425); }},
    {"guiding-centre-barely-trapped",
     [] { drifts_as_by_another_route("guiding-centre-barely-trapped", 277.99, 0.3375); }},
    {"guiding-centre-deeply-passing", [] { drifts_as_by_another_route("guiding-centre-deeply-passing", 57.216, 0.5); }},
    {"guiding-centre-deeply-trapped", [] { drifts_as_by_another_route("guiding-centre-deeply-trapped", 245.03, 0.1); }},
    {"vortices",
     [] {
       // P = g r^2 (1 + r^2)/2 and the angle are conjugate; the reduced equations of P_1 - P_2 and the difference of
       // the angles, by a Runge-Kutta method of order 8
       const Motion q = after(1.3668846889, 100, "vortices", {{"method.stages", "4"}}).final.q.numbers;
       CHECK(std::abs(std::hypot(q[0], q[1]) - std::sqrt(1.01)) < 4 * 3e-10);  // the time has ten digits
       CHECK(std::abs(std::hypot(q[2], q[3]) - std::sqrt(1.01)) < 4 * 3e-10);
       CHECK(std::hypot(q[0] - q[2], q[1] - q[3]) == doctest::Approx(0.2).epsilon(1e-14));
       CHECK(q[0] * q[3] - q[1] * q[2] == doctest::Approx(0.2).epsilon(1e-9));  // at the start -0.2
     }},
    {"chain",
     [] {
       energy_falls("chain", 2e-3, 0.2, 2);
       // four masses: the smallest zero of L_4 is x, and mass i swings with L_(4-i)(x)
       const double x = 0.322547689619392311800361459104, size = 1e-6;
       const std::array<double, 4> at{1 - 3 * x + 3 * x * x / 2 - x * x * x / 6, 1 - 2 * x + x * x / 2, 1 - x, 1};
       swings("chain", "v", 2 * pi / std::sqrt(x * 4 * 9.81), {at[0] * size, at[1] * size, at[2] * size, at[3] * size},
              {0.25, 0.25, 0.25, 0.25}, {{"system.parameters.N", "4"}});
     }},
    {"double-pendulum",
     [] {
       energy_falls("double-pendulum", 0.002, 2, 2);
       const double m1 = 1, m2 = 1.5, l1 = 1, l2 = 0.8, g = 9.81, m = m1 + m2,
                    half = m * (l1 + l2) / (2 * m1 * l1 * l2);
       for (const double sign : {-1.0, 1.0}) {
         const double w2 = g * (half + sign * std::sqrt(half * half - m / (m1 * l1 * l2)));
         // what pulls the second mass: w2 x2 = g (x2 - x1)/l2
         const double x2 = 1e-6, x1 = x2 * (1 - w2 * l2 / g);
         swings("double-pendulum", "p", 2 * pi / std::sqrt(w2), {x1, x2}, {l1, l2});
       }
     }},
    {"modified-pendulum",
     [] {
       energy_falls("modified-pendulum", 0.01, 5, 2);
       const auto end = after(6.515262337427724, 400, "modified-pendulum",
                              {{"method.name", "galerkin"},
                               {"method.s", "4"},
                               {"initial.q", "[0, \"0.625^(1/4)\", 0]"},
                               {"initial.v", "[1, 0, 0]"}});
       CHECK(distance_of(end.final.q.numbers, {0, std::pow(0.625, 0.25), 0}) < 4 * 1e-13);
       CHECK(distance_of((*end.final.v).numbers, {1, 0, 0}) < 4 * 1e-13);
     }},
    {"tethered-satellites",
     [] {
       const auto end = end_of("tethered-satellites");
       const double below = 20 - std::sqrt(3.0) / 2, v0 = std::sqrt(2 * (2 / std::sqrt(400.25) + 1 / below));
       CHECK(std::abs(end.audit.energy.initial) < 1e-15);
       CHECK(end.audit.invariants.at(0).initial == 0);
       CHECK(end.audit.invariants.at(1).initial == doctest::Approx(below * v0).epsilon(1e-15));
       CHECK(end.audit.invariants.at(2).initial == 0);
       for (const auto& part : end.audit.invariants) CHECK(part.max_error < 4 * 1e-13);
       energy_falls("tethered-satellites", 0.2, 200, 2);
     }},
    {"overdetermined-artificial",
     [] {
       const auto end = after(1, 100, "overdetermined-artificial", {{"method.name", "composition"}});
       const double y = std::exp(2.0), z = std::exp(-1.0);
       CHECK(distance_of(end.final.q.numbers, {y, z}) < 2 * 8.7e-4);
     }},
    {"kepler-sphere",
     [] {
       // two orbits of one energy and different angular momentum
       const double E = 0.245 - 1 / std::tan(0.8);
       const double period = 2 * pi * std::abs(std::imag(1.0 / std::sqrt(std::complex(-2 * E, -2.0))));
       for (const std::string aside : {"0", "0.5"}) {
         const auto end = after(period, 400, "kepler-sphere",
                                {{"method.s", "4"},
                                 {"initial.v", "[\"0.7*cos(0.8)*sin(" + aside + ")\", \"0.7*cos(" + aside +
                                                   ")\", \"-0.7*sin(0.8)*sin(" + aside + ")\"]"}});
         CHECK(distance_of(end.final.q.numbers, {std::sin(0.8), 0, std::cos(0.8)}) < 4 * 6.1e-12);
         CHECK(end.audit.invariants.at(1).max_error < 4 * 1.3e-12);
         CHECK(end.audit.invariants.at(2).max_error < 4 * 7.1e-12);
       }
     }},
    {"n-pendulum",
     [] {
       const double period = 2 * pi / std::sqrt(9.81 / 0.2 * 0.263560319718);
       const auto end = after(period, 100, "n-pendulum", {{"system.parameters.size", "1e-6"}});
       const auto still = after(1e-9, 1, "n-pendulum", {{"system.parameters.size", "1e-6"}});
       CHECK(distance_of(end.final.q.numbers, still.final.q.numbers) < 4 * 7e-20);
       CHECK(distance_of((*end.final.v).numbers, Motion(5, 0.0)) < 4 * 1.3e-13);  // at rest again, exactly then
       // half way all of them are on the other side
       auto other = after(period / 2, 50, "n-pendulum", {{"system.parameters.size", "1e-6"}}).final.q.numbers;
       for (double& a : other) a = -a;
       CHECK(distance_of(other, still.final.q.numbers) < 4 * 7.3e-20);
     }},
    {"fekete",
     [] {
       const auto end = end_of("fekete", {{"run.step", "0.5"}});
       const Motion& q = end.final.q.numbers;
       CHECK(end.audit.constraint < 4 * 8.9e-16);
       for (const double multiplier : (*end.final.lambda).numbers) CHECK(std::abs(multiplier - 9.5) < 4 * 3.6e-15);
       for (std::size_t k = 0; k < 3; ++k) {
         double sum = 0;
         for (std::size_t i = k; i < q.size(); i += 3) sum += q[i];
         CHECK(std::abs(sum) < 4 * 1.3e-15);
       }
       // Where the source says that they rest; with a step of 0.1 and galerkin within 1.2e-8.
       CHECK(distance_of(q, {-0.4070263380333202, 0.3463758772791802, 0.8451942450030429, 0.0775293475252155,
                             -0.2628662719972299, 0.9617122871829146}) < 2 * 4.1e-4);
     }},
    {"trefoil",
     [] {
       const double a = 0.7548776662466928;
       const auto end = after(20.64282083805499, 500, "trefoil", {{"method.s", "3"}});
       CHECK(distance_of(end.final.q.numbers, {a, 0, std::sqrt(1 - a * a)}) < 4 * 1.3e-12);
     }},
    {"catenary",
     [] {
       const auto end = end_of("catenary", {{"run.step", "0.02"}, {"run.end", "20.0"}, {"method.name", "rattle"}});
       const Motion& q = end.final.q.numbers;
       // Rods of length l whose slopes are s (2i - 15): all there is to know, s such that they span 1.
       const auto chain = [](double s) {
         Motion nodes{0, 0};
         for (int i = 0; i < 16; ++i) {
           const double slope = s * (2 * i - 15), x = 1.5 / 16 / std::hypot(1, slope), *last = &nodes.end()[-2];
           nodes.insert(nodes.end(), {last[0] + x, last[1] + slope * x});
         }
         return nodes;
       };
       double flat = 0, steep = 10;
       for (int n = 0; n < 100; ++n) {
         const double middle = (flat + steep) / 2;
         (chain(middle)[32] > 1 ? flat : steep) = middle;
       }
       const Motion nodes = chain(flat);
       CHECK(distance_of(q, Motion(nodes.begin() + 2, nodes.end() - 2)) < 4 * 1e-13);
       // 2 a sinh(1/(2a)) = 1.5 has a = 0.3082..., by bisection
       double low = 0.1, high = 1;
       for (int n = 0; n < 60; ++n) {
         const double middle = (low + high) / 2;
         (2 * middle * std::sinh(0.5 / middle) > 1.5 ? low : high) = middle;
       }
       CHECK(q[15] == doctest::Approx(-low * (std::cosh(0.5 / low) - 1)).epsilon(0.01));
     }},
    {"tautochrone",
     [] {
       for (const char* start : {"0.1", "3.0"}) {
         const auto end = after(2 * pi / std::sqrt(9.81), 200, "tautochrone",
                                {{"system.parameters.start", start}, {"method.s", "4"}});
         CHECK(std::abs(end.final.q.numbers[0] - std::stod(start)) < 2 * 1.8e-15);
         CHECK(std::abs((*end.final.v).numbers[0]) < 4 * 7.1e-8);  // at rest again, exactly then
       }
     }},
    {"figure-eight",
     [] {
       const auto end = after(6.32591398 / 3, 100, "figure-eight", {{"method.s", "3"}});
       CHECK(distance_of(end.final.q.numbers, {0, 0, 0.97000436, -0.24308753, -0.97000436, 0.24308753}) < 4 * 1.6e-8);
     }},
    {"hoop-friction",
     [] {
       const double angle = std::log(1 + 0.3 * 4 * 2 / 0.5) / 0.3;
       const auto end = after(2, 400, "hoop-friction");
       CHECK(distance_of(end.final.q.numbers, {0.5 * std::cos(angle), 0.5 * std::sin(angle)}) < 4 * 3.2e-6);
     }},
    {"foucault",
     [] {
       const double k = 500 * 7.292115e-5 * std::sin(48.85 * pi / 180), n = std::sqrt(9.81 / 67 + k * k), t = 100;
       const auto u =
           0.01 * std::exp(std::complex(0.0, -k * t)) * std::complex(std::cos(n * t), k / n * std::sin(n * t));
       const auto end = after(t, 500, "foucault", {{"system.parameters.size", "0.01"}});
       CHECK(distance_of(end.final.q.numbers, {u.real(), u.imag()}) < 4 * 6.4e-8);
     }},
    {"peaucellier",
     [] {
       for (const char* steps : {"100", "237"}) {
         const auto end = end_of("peaucellier", {{"run.steps", steps}});
         Motion centre, rotation;
         for (const auto& [column, numbers] : end.parts) {
           if (column.name == "bodies/far[1]/position") centre = numbers;
           if (column.name == "bodies/far[1]/rotation") rotation = numbers;
         }
         REQUIRE(!rotation.empty());
         CHECK(std::abs(centre[0] + 0.25 * std::cos(rotation[0]) - 1.25) < 4 * 2.3e-16);
       }
     }},
    {"bouncing-ball",
     [] {
       const double t1 = std::sqrt(2 / 9.81), e = 0.6;
       double expected = t1, power = 1;
       const auto end = end_of("bouncing-ball");
       int impacts = 0;
       for (const RunEvent& event : end.events)
         if (event.kind == EventKind::impact) {
           CHECK(std::abs(event.t - expected) < 4 * 1e-14);
           expected += 2 * t1 * (power *= e), ++impacts;
         }
       CHECK(impacts > 30);
       REQUIRE(end.events.back().kind == EventKind::landing);
       CHECK(std::abs(end.events.back().t - t1 * (1 + e) / (1 - e)) < 1e-6);  // where speeds count as 0
       CHECK(distance_of(end.final.q.numbers, {1.5, 0}) < 1e-14);
     }},
    {"tilting-table",
     [] {
       for (const char* mass : {"1.5", "4"}) {
         const auto end = end_of("tilting-table", {{"system.parameters.m", mass}});
         REQUIRE(end.events.front().kind == EventKind::slip);
         // Later by what friction bears above its bound, so that nothing slips in round-off.
         CHECK(std::abs(end.events.front().t - std::atan(0.3) / 0.1) < 2 * 6.2e-12);
       }
     }},
    {"rope-swing",
     [] {
       const auto end = end_of("rope-swing");
       REQUIRE(end.events.size() == 1);
       CHECK(end.events[0].t == doctest::Approx(0.39180111135).epsilon(1e-5).scale(0));
       CHECK(distance_of(end.final.q.numbers, {1.1827504213, -0.1372235155}) < 4 * 1e-3);
     }},
    {"pendulum-boundary",
     [] {
       // Back from where it ends, by the classical Runge-Kutta method: theta'' = -g sin theta.
       const auto end = end_of("pendulum-boundary");
       const Motion& v = (*end.final.v).numbers;
       double angle = -2, rate = v[0] * std::cos(2.0) - v[1] * std::sin(2.0);
       const int steps = 4000;
       const double h = -0.8 / steps;
       for (int n = 0; n < steps; ++n) {
         const auto pull = [&](double a) { return -9.81 * std::sin(a); };
         const double a1 = rate, b1 = pull(angle), a2 = rate + h / 2 * b1, b2 = pull(angle + h / 2 * a1),
                      a3 = rate + h / 2 * b2, b3 = pull(angle + h / 2 * a2), a4 = rate + h * b3,
                      b4 = pull(angle + h * a3);
         angle += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), rate += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
       }
       CHECK(std::abs(angle - 1) < 4 * 1e-10);
     }},
    {"overdetermined-cubic",
     [] {
       const auto end = after(1.5, 400, "overdetermined-cubic", {{"contact.unilateral", "true"}});
       REQUIRE(end.events.size() == 1);
       CHECK(end.events[0].kind == EventKind::release);
       CHECK(end.events[0].t == doctest::Approx(1.0645358710).epsilon(0.002).scale(0));
     }},
    {"water",
     [] {
       const auto end = end_of("water", {{"system.parameters.drag", "3"}, {"run.end", "20"}, {"run.step", "0.002"}});
       const Motion& q = end.final.q.numbers;
       // The least potential of two rigid molecules, minimised over three shifts and three angles from sixty starts.
       CHECK(std::abs(std::hypot(q[9] - q[0], q[10] - q[1], q[11] - q[2]) - 2.747023) < 1e-6);
       CHECK(std::abs((end.audit.energy.initial - end.audit.energy.max_error) / 418.4 + 6.539941) < 1e-6);
     }},
};

// Facts that are checked elsewhere, in tests.
const std::map<std::string, std::string> elsewhere{
    {"body-chain", "multibody/problems.cpp"},
    {"bricard", "multibody/problems.cpp"},
    {"double-four-bar", "multibody/problems.cpp"},
    {"double-four-bar-body", "multibody/problems.cpp"},
    {"gimbals", "multibody/problems.cpp"},
    {"governor", "multibody/problems.cpp"},
    {"rssr", "multibody/problems.cpp"},
    {"slider-crank", "multibody/problems.cpp"},
    {"squeezer", "multibody/problems.cpp"},
    {"symmetric-field", "study/invariants.cpp"},
    {"t-handle", "multibody/problems.cpp"},
    {"top", "multibody/problems.cpp"},
    {"top-body", "multibody/problems.cpp"},
};

}  // namespace

TEST_CASE("ready_problems_do_what_is_known_of_them") {
  for (const auto& fact : facts) {
    CAPTURE(fact.first);
    fact.second();
  }
}

TEST_CASE("every_ready_problem_says_what_to_look_at_and_has_a_fact_that_is_checked") {
  for (const ReadyProblem& problem : ready_problems()) {
    const std::string name(problem.name), text = "\n" + std::string(problem.text);
    CAPTURE(name);
    CHECK(text.find("\n# Look at: ") != std::string::npos);
    CHECK(text.find("\n# Facts: ") != std::string::npos);
    const auto where = elsewhere.find(name);
    CHECK((facts.count(name) == 1) != (where != elsewhere.end()));
    if (where == elsewhere.end()) continue;
    std::ifstream file(LIVENS_SOURCE "/tests/" + where->second);
    const std::string test{std::istreambuf_iterator<char>(file), {}};
    CHECK(test.find('"' + name + '"') != std::string::npos);
  }
  CHECK(ready_problems().size() == facts.size() + elsewhere.size());
}
