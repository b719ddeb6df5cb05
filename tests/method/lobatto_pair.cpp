// The worked example of a method, Lobatto IIIA-IIIB with constraints (lobatto_pair.hpp): its order, what it keeps, and
// the methods that it is.
#include "method/lobatto_pair.hpp"

#include <doctest/doctest.h>

#include "livens/method/galerkin.hpp"
#include "livens/method/rattle.hpp"
#include "livens/study/reversibility.hpp"
#include "livens/study/symplecticity.hpp"
#include "verify/nodes.hpp"

using namespace livens;
using namespace livens::test;

TEST_CASE("lobatto_pair_has_order_2s_minus_2_with_everything_that_a_system_may_have") {
  const auto check = [&]<class Problem>(const Problem& problem) {
    const Solution<Problem> solution(problem, 1, 80);
    for (int s = 2; s <= 4; ++s) {
      const auto error = [&](int N) {
        auto run = nodes_of<Widest>(problem, LobattoPair{.s = s}, Widest(1) / N, N);
        for (auto& node : run) node.raw_lambda = {};
        return solution.errors(run);
      };
      const Distances coarse = error(20), middle = error(40), fine = error(80);
      for (const Distances& slope : {slopes(coarse, middle), slopes(middle, fine)}) {
        CAPTURE(s);
        CHECK(std::abs(slope.q - (2 * s - 2)) < 0.1);
        CHECK(std::abs(slope.p - (2 * s - 2)) < 0.1);
      }
    }
  };
  check(CurvedMass{});
  check(ChangingTimes{});
}

TEST_CASE("lobatto_pair_is_symplectic_symmetric_and_holds_both_constraints") {
  const auto check = [&]<class Problem>(const Problem& problem) {
    const Lagrangian<Problem> system(problem);
    const Lagrangian<Problem, Jet<double, 1>> jets(problem);
    const auto start = start_of(system);
    for (int s = 2; s <= 4; ++s) {
      CAPTURE(s);
      const LobattoPair method{.s = s};
      const Symplecticity form = symplecticity(jets, method, phase_point(start), 0.05, {});
      REQUIRE(!form.failure);
      CHECK(form.defect < 4 * 2.2e-16);
      CHECK(form.scale > 0.8);
      const Reversibility back = reversibility(system, method, start, {.step = 0.02, .steps = 25});
      REQUIRE(!back.failure);
      CHECK(back.q < 4 * 4.4e-16);
      CHECK(back.p < 4 * 1.3e-15);
      for (const auto& node : nodes_of(problem, method, 0.02, 100)) {
        Vec<double, Problem::constraints> g, Gv;
        Mat<double, Problem::constraints, Problem::coordinates> G;
        system.constraint_jacobian(0, node.q, g, G);
        multiply(G, node.v, Gv);
        CHECK(max_norm(g) < 2 * 8.9e-16);
        CHECK(max_norm(Gv) < 4 * 9.4e-16);
      }
    }
  };
  check(DoublePendulum{});
  check(CurvedMass{});
}

TEST_CASE("lobatto_pair_with_two_stages_is_rattle_and_with_more_galerkin_with_w_one_less") {
  const auto check = [&]<class Problem>(const Problem& problem) {
    for (int s = 2; s <= 4; ++s) {
      const auto run = nodes_of(problem, LobattoPair{.s = s}, 0.05, 20);
      const Galerkin same{.s = s, .w = s - 1, .quadrature = Galerkin::Rule::lobatto, .order = 2 * s - 2};
      const auto other = nodes_of(problem, same, 0.05, 20);
      double q = 0, p = 0;
      for (std::size_t k = 0; k < run.size(); ++k)
        q = std::max(q, distance(run[k].q, other[k].q)), p = std::max(p, distance(run[k].p, other[k].p));
      CAPTURE(s);
      CHECK(q < 4 * 4.4e-16);
      CHECK(p < 4 * 1.8e-15);
    }
    const auto run = nodes_of(problem, LobattoPair{.s = 2}, 0.05, 20), rattle = nodes_of(problem, Rattle{}, 0.05, 20);
    for (std::size_t k = 0; k < run.size(); ++k) CHECK(distance(run[k].q, rattle[k].q) < 4 * 6.7e-16);
  };
  check(DoublePendulum{});
}
