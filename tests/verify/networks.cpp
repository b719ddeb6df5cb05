// Large systems of elements: sparse steps against dense ones, nets, rings, trees, no allocation, linear cost in memory.
#include "verify/networks.hpp"

#include <doctest/doctest.h>

#include <array>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/energy_momentum.hpp"
#include "livens/method/galerkin.hpp"
#include "livens/method/ggl.hpp"
#include "livens/method/hbvm.hpp"
#include "livens/method/rattle.hpp"
#include "livens/method/shake.hpp"
#include "livens/method/spark.hpp"
#include "livens/run/march.hpp"
#include "verify/allocations.hpp"

namespace {

using namespace livens;
using namespace livens::test;

const LinearChoice<double> by_schur{LinearTarget::schur, make_sparse_lu<double>},
    by_lu{LinearTarget::lu, make_sparse_lu<double>};

template <class System>
struct Trajectory {
  Vec<double> q, p;
  Outcome outcome = Outcome::converged;
};

template <class System, class Method>
Trajectory<System> steps(const System& system, const Method& method, const Vec<double>& q0, double h, int count) {
  State<System> x(system);
  typename System::Coordinates v(system.coordinates());
  for (int i = 0; i < q0.size(); ++i) x.q[i] = q0[i];
  typename Method::template Step<System> step(system, method, {});
  step.start(0, x, v);
  StepReport report;
  Trajectory<System> end;
  for (int n = 0; n < count && succeeded(report.outcome); ++n) step.advance(n * h, (n + 1) * h, h, x, report);
  end.outcome = report.outcome;
  end.q = Vec<double>(q0.size()), end.p = end.q;
  for (int i = 0; i < q0.size(); ++i) end.q[i] = x.q[i], end.p[i] = x.p[i];
  return end;
}

double distance(const Vec<double>& a, const Vec<double>& b) {
  double largest = 0, size = 0;
  for (int i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(a[i]));
  }
  return largest / size;
}

// The same chain, dense and of known size.
template <int N>
struct DenseChain {
  static constexpr int coordinates = 3 * N, constraints = N;
  static constexpr bool constant_mass = true;
  Network network = chain(N);
  template <class T>
  T lagrangian(const Vec<T, 3 * N>& q, const Vec<T, 3 * N>& v) const {
    T sum(0);
    for (int i = 0; i < N; ++i)
      sum += PointMass{1.0 + 0.1 * (i % 7)}.lagrangian(Vec<T, 3>{q[3 * i], q[3 * i + 1], q[3 * i + 2]},
                                                       Vec<T, 3>{v[3 * i], v[3 * i + 1], v[3 * i + 2]});
    return sum;
  }
  template <class T>
  Vec<T, N> constraint(const Vec<T, 3 * N>& q) const {
    Vec<T, N> g;
    for (int i = 0; i < N; ++i) {
      const double l = network.length(network.bars[static_cast<std::size_t>(i)]);
      const Vec<T, 3> here{q[3 * i], q[3 * i + 1], q[3 * i + 2]};
      if (i == 0)
        g[0] = RodToGround{l}.constraint(here)[0];
      else
        g[i] = Rod{l}.constraint(Vec<T, 6>{q[3 * i - 3], q[3 * i - 2], q[3 * i - 1], here[0], here[1], here[2]})[0];
    }
    return g;
  }
};

template <class Method>
void compare_with_dense(const Method& method, double tolerance = 1e-12) {
  const Network network = chain(5);
  const auto q = network.positions();
  const auto dense = steps(Lagrangian<DenseChain<5>>(DenseChain<5>{}), method, q, 1e-3, 100);
  REQUIRE(succeeded(dense.outcome));
  for (const auto& linear : {by_schur, by_lu}) {
    CAPTURE(static_cast<int>(linear.target));
    const auto sparse = steps(network.system(linear), method, q, 1e-3, 100);
    REQUIRE(succeeded(sparse.outcome));
    CHECK(distance(dense.q, sparse.q) < 1e-12);
    CHECK(distance(dense.p, sparse.p) < tolerance);
  }
}

// rattle from rest: |g_a| against the rounding of the positions times the length of the rod
void hangs_together(const Network& network, const LinearChoice<double>& linear, double h, int count) {
  const auto system = network.system(linear);
  const auto end = steps(system, Rattle{}, network.positions(), h, count);
  REQUIRE(succeeded(end.outcome));
  Vec<double> g(system.constraints());
  system.constraint(0, end.q, g);
  double largest = 0;
  for (const double x : end.q) largest = std::max(largest, std::abs(x));
  for (int a = 0; a < g.size(); ++a) {
    const double length = network.length(network.bars[static_cast<std::size_t>(a)]);
    CHECK(std::abs(g[a]) <= 4 * epsilon<double>() * largest * length);
  }
  CHECK(distance(end.q, network.positions()) > 1e-6);  // it moved
}

template <class Method>
void allocates_nothing(const Method& method, const LinearChoice<double>& linear) {
  const Network network = chain(20);
  const auto system = network.system(linear);
  using System = ElementSystem<double>;
  State<System> x(system);
  x.q = network.positions();
  typename Method::template Step<System> step(system, method, {});
  step.start(0, x, Vec<double>(system.coordinates()));
  StepReport report;
  const double h = 1e-4;
  step.advance(0, h, h, x, report);  // plans the elimination
  const long long before = allocations;
  for (int n = 1; n <= 1000; ++n) step.advance(n * h, (n + 1) * h, h, x, report);
  CHECK(allocations == before);
  CHECK(succeeded(report.outcome));
}

}  // namespace

TEST_CASE("sparse steps are dense steps: 100 steps of a chain agree to 1e-12") {
  SUBCASE("rattle") {
    compare_with_dense(Rattle{});
  }
  SUBCASE("shake") {
    compare_with_dense(Shake{});
  }
  SUBCASE("constrained-euler") {
    compare_with_dense(ConstrainedEuler{});
  }
  SUBCASE("constrained-euler, conjugate") {
    compare_with_dense(ConstrainedEuler{.conjugate = true});
  }
  SUBCASE("galerkin") {
    compare_with_dense(Galerkin{.s = 2});
  }
  SUBCASE("ggl") {
    compare_with_dense(Ggl{});
  }
  SUBCASE("energy-momentum") {
    compare_with_dense(EnergyMomentum{}, 4e-12);  // the normal part of p, of index 3, collects eps/h
  }
  SUBCASE("energy-momentum, stabilised") {
    compare_with_dense(EnergyMomentum{.stabilised = true});
  }
  SUBCASE("spark") {
    compare_with_dense(Spark{.s = 2});
  }
}

TEST_CASE("hbvm on a chain: dense, sparse by fixed point and by Newton agree, energy and rods at round-off") {
  const Network network = chain(5);
  const auto q = network.positions();
  const auto dense = steps(Lagrangian<DenseChain<5>>(DenseChain<5>{}), Hbvm{.k = 2}, q, 1e-3, 100);
  const auto sweeps = steps(network.system(by_schur), Hbvm{.k = 2}, q, 1e-3, 100);
  const auto newton = steps(network.system(by_schur), Hbvm{.k = 2, .iteration = Hbvm::Iteration::newton}, q, 1e-3, 100);
  REQUIRE(succeeded(dense.outcome));
  REQUIRE(succeeded(sweeps.outcome));
  REQUIRE(succeeded(newton.outcome));
  CHECK(distance(dense.q, sweeps.q) < 1e-12);
  CHECK(distance(dense.q, newton.q) < 1e-12);
}

TEST_CASE("a ring, a tree and a net of 900 points hang together") {
  hangs_together(chain(40), by_schur, 1e-3, 50);
  hangs_together(ring(40), by_schur, 1e-3, 50);
  hangs_together(tree(127), by_schur, 1e-3, 50);
  hangs_together(net(30), by_schur, 1e-3, 20);
  hangs_together(net(30), by_lu, 1e-3, 5);
}

TEST_CASE("a step allocates nothing, dense or sparse") {
  allocates_nothing(Rattle{}, by_schur);
  allocates_nothing(Rattle{}, by_lu);
  allocates_nothing(Shake{}, by_schur);
  allocates_nothing(ConstrainedEuler{}, by_schur);
  allocates_nothing(Galerkin{.s = 2}, by_lu);
  allocates_nothing(Hbvm{.k = 2}, by_schur);
  allocates_nothing(Ggl{}, by_schur);
  allocates_nothing(Ggl{}, by_lu);
  allocates_nothing(EnergyMomentum{.stabilised = true}, by_lu);
}

namespace {

struct HeavyRing {
  static constexpr int coordinates = 12, constraints = 4;
  template <class T>
  T lagrangian(const T& t, const Vec<T, 12>& q, const Vec<T, 12>& v) const {
    T sum(0);
    for (int i = 0; i < 12; i += 3)
      sum += HeavyAbove{1.0}.lagrangian(t, Vec<T, 3>{q[i], q[i + 1], q[i + 2]}, Vec<T, 3>{v[i], v[i + 1], v[i + 2]});
    return sum;
  }
  template <class T>
  Vec<T, 12> force(const Vec<T, 12>& q, const Vec<T, 12>& v) const {
    Vec<T, 12> all;
    for (int i = 0; i < 12; i += 3) {
      const auto f = HeavyAbove{1.0}.force(Vec<T, 3>{q[i], q[i + 1], q[i + 2]}, Vec<T, 3>{v[i], v[i + 1], v[i + 2]});
      for (int c = 0; c < 3; ++c) all[i + c] = f[c];
    }
    return all;
  }
  template <class T>
  Vec<T, 4> constraint(const Vec<T, 12>& q) const {
    Vec<T, 4> g;
    for (int a = 0; a < 4; ++a) {
      const int i = 3 * a, j = 3 * ((a + 1) % 4);
      g[a] = Rod{0.5}.constraint(Vec<T, 6>{q[i], q[i + 1], q[i + 2], q[j], q[j + 1], q[j + 2]})[0];
    }
    return g;
  }
};

template <class Method>
void compare_heavy_ring(const Method& method) {
  ElementSystem<double> sparse(12, by_lu);
  for (int i = 0; i < 12; i += 3) sparse.add(HeavyAbove{1.0}, {i, i + 1, i + 2});
  for (int a = 0; a < 4; ++a) {
    const int i = 3 * a, j = 3 * ((a + 1) % 4);
    sparse.add(Rod{0.5}, {i, i + 1, i + 2, j, j + 1, j + 2});
  }
  sparse.finish();
  const Vec<double> q{0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.5, 0.3, 0.4, 0.0, 0.3, 0.4};
  const auto a = steps(Lagrangian<HeavyRing>(HeavyRing{}), method, q, 1e-3, 50);
  const auto b = steps(sparse, method, q, 1e-3, 50);
  REQUIRE(succeeded(a.outcome));
  REQUIRE(succeeded(b.outcome));
  CHECK(distance(a.q, b.q) < 1e-12);
  CHECK(distance(a.p, b.p) < 1e-11);
}

}  // namespace

TEST_CASE("sparse steps are dense steps with M(q), time, terms linear in v and damping") {
  SUBCASE("rattle") {
    compare_heavy_ring(Rattle{});
  }
  SUBCASE("shake") {
    compare_heavy_ring(Shake{});
  }
  SUBCASE("galerkin") {
    compare_heavy_ring(Galerkin{.s = 2});
  }
  SUBCASE("spark") {
    compare_heavy_ring(Spark{.s = 2});
  }
}
