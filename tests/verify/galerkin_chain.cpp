// galerkin on chains: dense, sparse and by the equations of the multipliers alone it makes the same steps; with sizes
// known when compiling too.
#include <doctest/doctest.h>

#include "livens/method/galerkin.hpp"
#include "verify/allocations.hpp"
#include "verify/networks.hpp"
#include "verify/nodes.hpp"

using namespace livens;
using namespace livens::test;

namespace {

const LinearChoice<double> by_multipliers{true, make_sparse_lu<double>}, by_lu{false, make_sparse_lu<double>};

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
  const auto check = [&]<int S, class Problem>(const FixedGalerkin<S>& fixed, const Problem& problem) {
    const Distances d = distances(nodes_of(problem, fixed, 0.02, 50), nodes_of(problem, Galerkin{.s = S}, 0.02, 50));
    CAPTURE(S);
    CHECK(d.q < 4 * 2.2e-16);
    CHECK(d.p < 4 * 1.8e-15);
  };
  const auto all = [&]<class Problem>(const Problem& problem) {
    check(FixedGalerkin<1>(), problem);
    check(FixedGalerkin<2>(), problem);
    check(FixedGalerkin<3>(), problem);
    check(FixedGalerkin<4>(), problem);
  };
  all(NonlinearPendulum{});
  all(DampedCurvedMass{});
}
