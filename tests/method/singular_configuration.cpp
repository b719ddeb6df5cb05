// A parallelogram linkage turns at constant speed until both cranks and the coupler lie on one line: there the three
// constraints lose rank. The step that lands there is refused by dense matrices, Schur complement and sparse LU alike.
//
// Free of forces, a step of RATTLE on the unit circle turns by asin(h v), v being the speed: the start is so many of
// these before the line.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "livens/run/march.hpp"
#include "livens/sparse/sparse_lu.hpp"
#include "livens/system/elements.hpp"

using namespace livens;

namespace {

constexpr double coupler = 2, h = 0.01;

struct Point {
  static constexpr int coordinates = 2;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 2>&, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
};
struct Crank {
  static constexpr int coordinates = 2, constraints = 1;
  double x0;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {((q[0] - x0) * (q[0] - x0) + q[1] * q[1] - 1.0) / 2};
  }
};
struct Coupler {
  static constexpr int coordinates = 4, constraints = 1;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 4>& q) const {
    const T x = q[2] - q[0], y = q[3] - q[1];
    return {(x * x + y * y - coupler * coupler) / 2};
  }
};
struct Linkage {
  static constexpr int coordinates = 4, constraints = 3;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 4>&, const Vec<T, 4>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / 2;
  }
  template <class T>
  Vec<T, 3> constraint(const Vec<T, 4>& q) const {
    return {Crank{0}.constraint(Vec<T, 2>{q[0], q[1]})[0], Crank{coupler}.constraint(Vec<T, 2>{q[2], q[3]})[0],
            Coupler{}.constraint(q)[0]};
  }
};

ElementSystem<double> in_parts(bool schur) {
  ElementSystem<double> s(4, {schur ? LinearTarget::schur : LinearTarget::lu, make_sparse_lu<double>});
  s.add(Point{}, {0, 1});
  s.add(Point{}, {2, 3});
  s.add(Crank{0}, {0, 1});
  s.add(Crank{coupler}, {2, 3});
  s.add(Coupler{}, {0, 1, 2, 3});
  s.finish();
  return s;
}

// The run of eight steps that would be on the line after `before` of them.
template <class Method, class System>
RunReport turn(const System& system, const Method& method, double before) {
  const double angle = -before * std::asin(h);
  StartValues<System> start(system);
  for (const int i : {0, 2}) {
    start.q[i] = std::cos(angle) + (i == 2 ? coupler : 0), start.q[i + 1] = std::sin(angle);
    start.v[i] = -std::sin(angle), start.v[i + 1] = std::cos(angle);
  }
  REQUIRE_FALSE(start.make_consistent(false, {}));
  March<System, Method> run(system, method, {.t0 = 0, .step = h, .steps = 8});
  return run.run(start, nullptr, nullptr);
}

template <class Method>
std::vector<RunReport> turn_all(const Method& method, double before) {
  return {turn(Lagrangian<Linkage>(Linkage{}), method, before), turn(in_parts(true), method, before),
          turn(in_parts(false), method, before)};
}

template <class Method>
void check(const Method& method) {
  for (const RunReport& report : turn_all(method, 5)) {
    REQUIRE(report.failure);
    CHECK(report.failure->outcome == Outcome::singular_jacobian);
    CHECK(report.steps == 4);
  }
  for (const RunReport& report : turn_all(method, 5.01)) {  // passes beside it
    CHECK_FALSE(report.failure);
    CHECK(report.steps == 8);
  }
}

}  // namespace

TEST_CASE("rattle_stops_where_constraints_lose_rank_however_its_equations_are_solved") {
  check(Rattle{});
}
TEST_CASE("shake_stops_where_constraints_lose_rank_however_its_equations_are_solved") {
  check(Shake{});
}
TEST_CASE("constrained_euler_stops_where_constraints_lose_rank_however_its_equations_are_solved") {
  check(ConstrainedEuler{});
  check(ConstrainedEuler{.conjugate = true});
}
