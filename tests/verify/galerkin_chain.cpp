// galerkin on chains: dense, sparse and by the equations of the multipliers alone it makes the same steps; with sizes
// known when compiling too.
#include <doctest/doctest.h>

#include <typeindex>

#include "livens/method/galerkin.hpp"
#include "livens/run/archive.hpp"
#include "verify/allocations.hpp"
#include "verify/networks.hpp"
#include "verify/nodes.hpp"

using namespace livens;
using namespace livens::test;

namespace {

const LinearChoice<double> by_multipliers{LinearTarget::schur, make_sparse_lu<double>},
    by_lu{LinearTarget::lu, make_sparse_lu<double>}, by_itself{LinearTarget::automatic, make_sparse_lu<double>};

struct End {
  Vec<double> q, p;
  int iterations = 0;
};

End end_of(const Network& network, const LinearChoice<double>& linear, const Galerkin& method, double h, int steps) {
  using System = ElementSystem<double>;
  const System system = network.system(linear);
  State<System> x(system);
  x.q = network.positions();
  Galerkin::Step<System> step(system, method, {});
  REQUIRE(step.start(0, x, Vec<double>(system.coordinates())));
  StepReport report;
  End end;
  for (int k = 0; k < steps; ++k) {
    step.advance(k * h, (k + 1) * h, h, x, report);
    REQUIRE(succeeded(report.outcome));
    end.iterations += report.iterations;
  }
  end.q = x.q, end.p = x.p;
  return end;
}

double relative_distance(const Vec<double>& a, const Vec<double>& b) {
  return distance(a, b) / max_norm(a);
}

}  // namespace

TEST_CASE("galerkin_by_multipliers_alone_makes_the_steps_of_newton") {
  for (const Galerkin& method : {Galerkin{.s = 1}, Galerkin{.s = 2}, Galerkin{.s = 3, .w = 2}, Galerkin{.s = 4},
                                 Galerkin{.s = 2, .constraint_quadrature = Galerkin::Rule::radau}})
    for (const Network& network : {chain(20), ring(12), tree(15)}) {
      CAPTURE(method.s);
      CAPTURE(method.w);
      const End newton = end_of(network, by_lu, method, 1e-3, 100),
                multipliers = end_of(network, by_multipliers, method, 1e-3, 100);
      CHECK(relative_distance(newton.q, multipliers.q) < 1e-12);
      CHECK(relative_distance(newton.p, multipliers.p) < 1e-12);
    }
}

TEST_CASE("automatic_takes_multipliers_alone_where_they_contract") {
  for (const Network& network : {chain(20), ring(12), tree(15)}) {
    const End multipliers = end_of(network, by_multipliers, Galerkin{}, 1e-3, 50),
              chosen = end_of(network, by_itself, Galerkin{}, 1e-3, 50);
    CHECK(chosen.iterations == multipliers.iterations);
    CHECK(chosen.q == multipliers.q);
    CHECK(chosen.p == multipliers.p);
  }
}

namespace {

// Points on springs so stiff that corrections by multipliers alone grow, (h w)^2/24 = 1.5, w^2 = 4e4; they hardly
// oscillate in their plane, and move uniformly across it, so that guesses are good.
struct Spring {
  static constexpr int coordinates = 3, constraints = 1;
  static constexpr bool constant_mass = true;
  double rest;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - 2e4 * (q[0] - rest) * (q[0] - rest) - q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};

ElementSystem<double> springs(const LinearChoice<double>& linear) {
  ElementSystem<double> system(30, linear);
  for (int i = 0; i < 10; ++i) system.add(Spring{0.05 * i}, {3 * i, 3 * i + 1, 3 * i + 2});
  system.finish();
  return system;
}
struct MovingSprings {
  explicit MovingSprings(const ElementSystem<double>& system) : x(system), v(30), step(system, Galerkin{}, {}) {
    for (int i = 0; i < 10; ++i) {
      const double angle = std::asin(0.05 * i) + 1e-5;
      x.q[3 * i] = std::sin(angle), x.q[3 * i + 1] = -std::cos(angle);
      v[3 * i + 2] = x.p[3 * i + 2] = 1;
    }
    REQUIRE(step.start(0, x, v));
  }
  // Corrections
  int advance(int k) {
    const double h = 0.03;
    step.advance(k * h, (k + 1) * h, h, x, report);
    return report.iterations;
  }
  State<ElementSystem<double>> x;
  Vec<double> v;
  Galerkin::Step<ElementSystem<double>> step;
  StepReport report;
};

}  // namespace

TEST_CASE("automatic_leaves_multipliers_alone_inside_a_step_where_they_do_not_contract") {
  const auto forced = springs(by_multipliers), newton = springs(by_lu), chosen = springs(by_itself);
  MovingSprings a(forced), b(newton), c(chosen);
  a.advance(0);
  CHECK_FALSE(succeeded(a.report.outcome));
  std::vector<int> vain;
  for (int k = 0; k < 50; ++k) {
    const int needed = b.advance(k), spent = c.advance(k);
    REQUIRE(succeeded(b.report.outcome));
    REQUIRE(succeeded(c.report.outcome));
    if (spent > needed + 1) vain.push_back(k);  // one correction more may be one of round-off
  }
  CHECK(vain == std::vector<int>{0, 9, 26});  // pauses of 8, 16 and 32 steps
  CHECK(relative_distance(b.x.q, c.x.q) < 1e-14);
  CHECK(relative_distance(b.x.p, c.x.p) < 4 * 1.3e-13);
}

TEST_CASE("what_automatic_has_found_out_is_part_of_the_memory_of_a_run") {
  const auto system = springs(by_itself);
  for (const int stop : {1, 5, 9, 10, 20}) {  // within pauses and at their ends
    MovingSprings run(system), resumed(system);
    for (int k = 0; k < stop; ++k) run.advance(k);
    ArchiveWriter writer;
    writer(run.x, run.step);
    const std::string bytes = writer.take();
    ArchiveReader reader(bytes);
    reader(resumed.x, resumed.step);
    resumed.step.resume(stop * 0.03, resumed.x);
    CAPTURE(stop);
    for (int k = stop; k < 40; ++k) CHECK(run.advance(k) == resumed.advance(k));
    CHECK(run.x.q == resumed.x.q);
    CHECK(run.x.p == resumed.x.p);
  }
}

TEST_CASE("galerkin_by_multipliers_alone_allocates_nothing_in_a_step") {
  using System = ElementSystem<double>;
  const Network network = chain(20);
  const System system = network.system(by_multipliers);
  State<System> x(system);
  x.q = network.positions();
  Galerkin::Step<System> step(system, Galerkin{}, {});
  REQUIRE(step.start(0, x, Vec<double>(system.coordinates())));
  StepReport report;
  const double h = 1e-4;
  step.advance(0, h, h, x, report);  // plans the elimination
  const long long before = allocations;
  for (int k = 1; k <= 100; ++k) step.advance(k * h, (k + 1) * h, h, x, report);
  CHECK(allocations == before);
  CHECK(succeeded(report.outcome));
}

TEST_CASE("a_degree_known_when_compiling_changes_nothing_but_the_cost") {
  const auto check = [&]<class Problem>(const Problem& problem, int s) {
    using System = Lagrangian<Problem>;
    const System system(problem);
    const Galerkin method{.s = s};
    const auto end_with = [&]<class Step>(std::type_identity<Step>) {
      const auto start = start_of(system);
      State<System> x(system);
      x.q = start.q, x.p = start.p;
      Step step(system, method, {});
      REQUIRE(step.start(0, x, start.v));
      StepReport report;
      for (int k = 0; k < 50; ++k) step.advance(k * 0.02, (k + 1) * 0.02, 0.02, x, report);
      REQUIRE(succeeded(report.outcome));
      return x;
    };
    const auto any = end_with(std::type_identity<Galerkin::Step<System>>{});
    const auto fixed = method.with_step<System>(end_with);
    CAPTURE(s);
    CHECK(distance(any.q, fixed.q) < 4 * 2.2e-16);
    CHECK(distance(any.p, fixed.p) < 4 * 1.8e-15);
  };
  for (int s = 1; s <= 4; ++s) {
    check(NonlinearPendulum{}, s);
    check(DampedCurvedMass{}, s);
  }
}

TEST_CASE("galerkin_has_a_known_degree_for_known_sizes_and_standard_options_alone") {
  using Known = Lagrangian<NonlinearPendulum>;
  using Large = ElementSystem<double>;
  const auto name = [](auto type) { return std::type_index(typeid(type)); };
  CHECK(Galerkin{.s = 3}.with_step<Known>(name) == name(std::type_identity<Galerkin::Step<Known, 3>>{}));
  CHECK(Galerkin{.s = 5}.with_step<Known>(name) == name(std::type_identity<Galerkin::Step<Known>>{}));
  CHECK(Galerkin{.s = 3, .w = 2}.with_step<Known>(name) == name(std::type_identity<Galerkin::Step<Known>>{}));
  CHECK(Galerkin{.s = 2}.with_step<Large>(name) == name(std::type_identity<Galerkin::Step<Large>>{}));
  CHECK_THROWS_WITH_AS((Galerkin::Step<Known, 2>(Known(NonlinearPendulum{}), Galerkin{.s = 3}, {})),
                       doctest::Contains("standard options"), std::invalid_argument);
}
