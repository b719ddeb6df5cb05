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

// Points on springs so stiff that corrections by multipliers alone contract by (h w)^2/24 = 1.5, w^2 = 4e4.
struct Spring {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  double rest;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2 - 2e4 * (q[0] - rest) * (q[0] - rest) - q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};

ElementSystem<double> springs(const LinearChoice<double>& linear) {
  ElementSystem<double> system(20, linear);
  for (int i = 0; i < 10; ++i) system.add(Spring{0.05 * i}, {2 * i, 2 * i + 1});
  system.finish();
  return system;
}
State<ElementSystem<double>> start_of_springs(const ElementSystem<double>& system) {
  State<ElementSystem<double>> x(system);
  for (int i = 0; i < 10; ++i) x.q[2 * i] = std::sin(0.052 * i), x.q[2 * i + 1] = -std::cos(0.052 * i);
  return x;
}

}  // namespace

TEST_CASE("automatic_leaves_multipliers_alone_inside_a_step_where_they_do_not_contract") {
  using System = ElementSystem<double>;
  const double h = 0.03;
  const auto run = [&](const LinearChoice<double>& linear, int steps) {
    const System system = springs(linear);
    State<System> x = start_of_springs(system);
    Galerkin::Step<System> step(system, Galerkin{}, {});
    REQUIRE(step.start(0, x, Vec<double>(20)));
    StepReport report;
    End end;
    for (int k = 0; k < steps && succeeded(report.outcome); ++k) {
      step.advance(k * h, (k + 1) * h, h, x, report);
      end.iterations += report.iterations;
    }
    end.q = x.q, end.p = x.p;
    return std::pair(end, report.outcome);
  };
  CHECK_FALSE(succeeded(run(by_multipliers, 50).second));
  const auto [newton, by_newton] = run(by_lu, 50);
  const auto [chosen, by_choice] = run(by_itself, 50);
  REQUIRE(succeeded(by_newton));
  REQUIRE(succeeded(by_choice));
  CHECK(relative_distance(newton.q, chosen.q) < 1e-12);
  CHECK(relative_distance(newton.p, chosen.p) < 1e-12);
  // Three vain attempts in 50 steps, at steps 1, 10, 27, of a few corrections each.
  CHECK(chosen.iterations > newton.iterations);
  CHECK(chosen.iterations < newton.iterations + 3 * 6);
}

TEST_CASE("what_automatic_has_found_out_is_part_of_the_memory_of_a_run") {
  using System = ElementSystem<double>;
  const double h = 0.03;
  const System system = springs(by_itself);
  const auto advance = [&](Galerkin::Step<System>& step, State<System>& x, int from, int to) {
    StepReport report;
    for (int k = from; k < to; ++k) step.advance(k * h, (k + 1) * h, h, x, report);
    REQUIRE(succeeded(report.outcome));
    return report.iterations;
  };
  for (const int stop : {1, 5, 9, 10, 20}) {  // before, within and after pauses
    State<System> x = start_of_springs(system);
    Galerkin::Step<System> step(system, Galerkin{}, {});
    REQUIRE(step.start(0, x, Vec<double>(20)));
    advance(step, x, 0, stop);
    ArchiveWriter writer;
    writer(x, step);
    const std::string bytes = writer.take();

    State<System> y = start_of_springs(system);
    Galerkin::Step<System> resumed(system, Galerkin{}, {});
    REQUIRE(resumed.start(0, y, Vec<double>(20)));
    ArchiveReader reader(bytes);
    reader(y, resumed);
    resumed.resume(stop * h, y);
    CAPTURE(stop);
    for (int k = stop; k < 40; ++k) CHECK(advance(step, x, k, k + 1) == advance(resumed, y, k, k + 1));
    CHECK(x.q == y.q);
    CHECK(x.p == y.p);
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
