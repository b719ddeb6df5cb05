// galerkin on chains: dense, sparse and by the equations of the multipliers alone it makes the same steps; with sizes
// known when compiling too.
#include <doctest/doctest.h>

#include <typeindex>

#include "livens/method/galerkin.hpp"
#include "verify/allocations.hpp"
#include "verify/networks.hpp"
#include "verify/nodes.hpp"

using namespace livens;
using namespace livens::test;

namespace {

const LinearChoice<double> by_multipliers{LinearTarget::schur, make_sparse_lu<double>},
    by_lu{LinearTarget::lu, make_sparse_lu<double>};

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
