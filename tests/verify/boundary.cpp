// Order of boundary value problems with galerkin: the momenta found at the two ends against the exact motion.
#include <doctest/doctest.h>

#include "livens/method/galerkin_boundary.hpp"
#include "verify/nodes.hpp"

using namespace livens;
using namespace livens::test;

namespace {

// Errors of the projected p_0 and p_N and of q at the nodes, from the exact q_0 to the exact q(end).
template <class Problem>
Distances errors(const Problem& problem, const Solution<Problem>& exact, int nodes, double end, const Galerkin& method,
                 int steps) {
  using System = Lagrangian<Problem>;
  const System system(problem);
  const auto copy = [](const std::vector<Widest>& x) {
    Vec<double, Problem::coordinates> y;
    for (int i = 0; i < y.size(); ++i) y[i] = to_double(x[static_cast<std::size_t>(i)]);
    return y;
  };
  const auto at = [&](int k) -> const SolutionNode& { return exact.node(static_cast<std::size_t>(k * nodes / steps)); };
  GalerkinBoundary<System> boundary(system, method, 0, end / steps, steps);
  REQUIRE(!boundary.guess(copy(at(0).q), copy(at(steps).q)));
  REQUIRE(succeeded(boundary.solve().outcome));
  Kinetics<System> kinetics(system);
  Distances d;
  for (int k = 0; k <= steps; ++k) {
    const double t = k * end / steps;
    Vec<double, Problem::coordinates> p = boundary.momentum(k), v;
    REQUIRE(kinetics.start(t, boundary.position(k), v));
    REQUIRE(succeeded(kinetics.project(t, boundary.position(k), p, v)));
    d.q = std::max(d.q, distance(boundary.position(k), copy(at(k).q)));
    if (k == 0 || k == steps) d.p = std::max(d.p, distance(p, copy(at(k).p)));
  }
  return d;
}

template <class Problem>
void check_orders(const Problem& problem) {
  constexpr int nodes = 40;
  const double end = 0.6;
  const Solution<Problem> exact(problem, end, nodes);
  struct Case {
    Galerkin method;
    int coarse;
    double order;
  };
  for (const Case& c :
       {Case{{.s = 1}, 20, 2}, Case{{.s = 2}, 10, 4}, Case{{.s = 3}, 5, 6}, Case{{.s = 3, .w = 2}, 10, 4}}) {
    const Distances coarse = errors(problem, exact, nodes, end, c.method, c.coarse);
    const Distances fine = errors(problem, exact, nodes, end, c.method, 2 * c.coarse);
    const Distances order = slopes(coarse, fine);
    CAPTURE(c.method.s);
    CAPTURE(fine.p);
    CHECK(order.q > c.order - 0.3);
    CHECK(order.q < c.order + 0.5);
    CHECK(order.p > c.order - 0.3);
    CHECK(order.p < c.order + 0.5);
  }
}

}  // namespace

TEST_CASE("boundary value problems find the momenta of their ends with order 2w") {
  check_orders(NonlinearPendulum{});
  check_orders(CurvedMass{});
  check_orders(ChangingTimes{});
}
