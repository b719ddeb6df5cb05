// Round-off of the energy over some 10^4 steps; bench/round_off.cpp for more steps, and how it grows.
#include <doctest/doctest.h>

#include <cmath>
#include <type_traits>

#include "livens/method/galerkin.hpp"
#include "livens/method/hbvm.hpp"
#include "livens/method/spark.hpp"
#include "livens/model/model.hpp"
#include "livens/system/lagrangian.hpp"

using namespace livens;

namespace {

struct Pendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 1;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - 9.81 * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};
// A constraint that is not there for long double.
struct NarrowPendulum : Pendulum {
  template <class T>
  requires(!std::is_same_v<T, long double>) Vec<T, 1> constraint(const Vec<T, 2>& q)
  const { return Pendulum::constraint(q); }
};

template <class System>
long double energy(const State<System>& x, bool projected) {
  using Long = long double;
  Long q[2], p[2];
  for (int i = 0; i < 2; ++i) q[i] = Long(x.q[i]) + x.q_remainder[i], p[i] = Long(x.p[i]) + x.p_remainder[i];
  const Long along = projected ? (q[0] * p[0] + q[1] * p[1]) / (q[0] * q[0] + q[1] * q[1]) : 0;
  p[0] -= along * q[0], p[1] -= along * q[1];
  return (p[0] * p[0] + p[1] * p[1]) / 2 + Long(9.81) * q[1];
}

// Rms over 8 starts of the change of the energy in 20000 steps, h = 0.1, between means over 500 steps, in which the
// oscillation of the method is lost.
template <class System, class Method>
double change_of_energy(const System& system, const Method& method, bool projected) {
  const int starts = 8, steps = 20'000, window = 500;
  const double h = 0.1;
  long double squares = 0;
  for (int start = 0; start < starts; ++start) {
    State<System> x(system);
    const double angle = 0.65 + 0.1 * start, rate = 0.5;
    x.q = {std::sin(angle), -std::cos(angle)}, x.p = {-rate * x.q[1], rate * x.q[0]};
    typename Method::template Step<System> step(system, method, {});
    REQUIRE(step.start(0, x, x.p));
    StepReport report;
    long double change = 0;
    for (int n = 1; n <= steps; ++n) {
      step.advance((n - 1) * h, n * h, h, x, report);
      if (!succeeded(report.outcome)) FAIL("step ", n);
      if (n <= window) change -= energy(x, projected) / window;
      if (n > steps - window) change += energy(x, projected) / window;
    }
    squares += change * change / starts;
  }
  return std::sqrt(static_cast<double>(squares));
}

}  // namespace

// Beside it what it is where nothing is done in the wider scalar.
TEST_CASE("round-off of the energy over 20000 steps is that of sums in the wider scalar") {
  if constexpr (std::is_same_v<Wider<double>, double>) return;
  const Lagrangian<Pendulum> pendulum(Pendulum{});
  const Hbvm sweeps{.k = 5, .s = 5}, newton{.k = 5, .s = 5, .iteration = Hbvm::Iteration::newton};
  CHECK(change_of_energy(pendulum, Galerkin{.s = 5}, true) < 3 * 5.3e-15);  // 6.3e-14
  CHECK(change_of_energy(pendulum, Spark{.s = 5}, true) < 3 * 5.3e-15);     // 3.1e-14
  CHECK(change_of_energy(pendulum, sweeps, false) < 10 * 1.6e-17);          // 3.8e-14
  CHECK(change_of_energy(pendulum, newton, false) < 10 * 1.6e-17);          // 2.6e-14
}

TEST_CASE("a constraint that has no wider scalar is taken as it is") {
  CHECK(change_of_energy(Lagrangian<NarrowPendulum>(NarrowPendulum{}), Galerkin{.s = 5}, true) < 3 * 8.2e-15);
}

TEST_CASE("formulas of a model file are taken in the wider scalar, too") {
  const Model model = read_model("m.toml", R"toml(
system.kind = "lagrangian"
system.coordinates = ["x", "y"]
system.lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
system.constraints = ["(x^2 + y^2 - 1)/2"]
initial.q = [1.0, 0.0]
initial.v = [0.0, 0.0]
)toml");
  CHECK(change_of_energy(model.system->dense<double>(), Galerkin{.s = 5}, true) < 3 * 5.3e-15);
}
