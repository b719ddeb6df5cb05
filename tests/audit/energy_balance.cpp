// E - E_0 = int (F.v + lambda.g_t - L_t) dt, with each of the terms alone and with all of them.
#include "livens/audit/energy_balance.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/galerkin.hpp"
#include "livens/method/ggl.hpp"
#include "livens/method/rattle.hpp"
#include "livens/run/march.hpp"

using namespace livens;

namespace {

// A pendulum in the plane. It is pulled and braked, its support goes up and down, its weight and its mass change.
template <bool acts>
struct Push {};
template <>
struct Push<true> {
  template <class T>
  Vec<T, 2> force(const T& t, const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return {T(2) * cos(t) - T(0.3) * v[0], T(-0.3) * v[1] * (1 + q[0] * q[0])};
  }
};

template <bool force_acts, bool support_moves, bool weight_changes>
struct Pendulum : Push<force_acts> {
  static constexpr int coordinates = 2, constraints = 1;

  template <class T>
  T lagrangian(const T& t, const Vec<T, 2>& q, const Vec<T, 2>& v) const requires weight_changes {
    using std::cos, std::sin;
    return (1 + T(0.3) * sin(T(2) * t)) * (dot(v, v) / 2 - T(9.81) * q[1]) + T(0.4) * cos(t) * q[0] * v[1];
  }
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const requires(!weight_changes) {
    return dot(v, v) / 2 - T(9.81) * q[1] + T(0.4) * q[0] * v[1];
  }
  template <class T>
  Vec<T, 1> constraint(const T& t, const Vec<T, 2>& q) const requires support_moves {
    using std::sin;
    const T y = q[1] - T(0.2) * sin(T(3) * t);
    return {(q[0] * q[0] + y * y - 1) / 2};
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const requires(!support_moves) {
    return {(dot(q, q) - 1) / 2};
  }
};

struct Braked {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  auto lagrangian(const auto& q, const auto& v) const { return dot(v, v) / 2 - 9.81 * q[1]; }
  auto constraint(const auto& q) const { return Vec<std::decay_t<decltype(q[0])>, 1>{(dot(q, q) - 1) / 2}; }
  auto force(const auto& q, const auto& v) const {
    return Vec<std::decay_t<decltype(q[0])>, 2>{-0.3 * v[0], -0.3 * v[1] * (1 + q[0] * q[0])};
  }
};

struct Balance {
  double error, change;
};

template <class Problem, class Method>
Balance balance(const Method& method, double h) {
  const auto run =
      march(Problem{}, method, {.q = {0.6, -0.8}, .v = {0.8, 0.6}, .step = h, .end = 4.0, .start = {.project = true}});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CHECK(run.audit.watched.balance);
  return {run.audit.balance, run.audit.energy.max_error};
}

}  // namespace

TEST_CASE_TEMPLATE("every_term_of_the_power_closes_the_balance_alone_and_with_the_others", Problem,
                   Pendulum<true, false, false>, Pendulum<false, true, false>, Pendulum<false, false, true>,
                   Pendulum<true, true, true>) {
  const Balance coarse = balance<Problem>(Rattle{}, 0.004), fine = balance<Problem>(Rattle{}, 0.002);
  MESSAGE("h = 0.004 and 0.002: " << coarse.error << ", " << fine.error << "; the energy changes by " << fine.change);
  CHECK(fine.change > 1);
  CHECK(fine.error < 1e-4);
  CHECK(std::log2(coarse.error / fine.error) > 1.95);
  CHECK(std::log2(coarse.error / fine.error) < 2.05);
}

TEST_CASE("the_integral_of_the_balance_has_order_6") {
  using All = Pendulum<true, true, true>;
  const Galerkin galerkin{.s = 3, .w = 3};
  const double coarse = balance<All>(galerkin, 0.02).error, fine = balance<All>(galerkin, 0.01).error;
  MESSAGE("h = 0.02 and 0.01: " << coarse << ", " << fine);
  CHECK(fine < 4e-9);
  CHECK(std::log2(coarse / fine) > 5);
}

TEST_CASE_TEMPLATE("the_balance_of_first_order_methods_is_of_first_order", Method, ConstrainedEuler, Ggl) {
  const double coarse = balance<Braked>(Method{}, 0.002).error;
  CHECK(std::log2(coarse / balance<Braked>(Method{}, 0.001).error) == doctest::Approx(1).epsilon(0.1).scale(0));
}

TEST_CASE("methods_for_constant_mass_refuse_other_systems_in_cpp_too") {
  CHECK_THROWS_WITH_AS(
      (balance<Pendulum<true, false, false>>(ConstrainedEuler{}, 0.01)),
      "constrained-euler: it needs L = v.Mv/2 - V(t,q) with a constant mass matrix M; if this is one, say "
      "`static constexpr bool constant_mass = true` in the struct",
      std::invalid_argument);
}

TEST_CASE("where_energy_is_conserved_there_is_no_balance") {
  const auto run = march(Pendulum<false, false, false>{}, Rattle{},
                         {.q = {0.6, -0.8}, .v = {0.8, 0.6}, .step = 0.01, .steps = 10, .start = {.project = true}});
  CHECK_FALSE(run.audit.watched.balance);
}
