// galerkin: orders of q, p and lambda on problems that can tell a wrong quadrature, symplecticity, reversibility,
// momentum map, energy, and what other quadratures of the constraints do.
// Source: Wenger, Ober-Bloebaum, Leyendecker (2017), secs. 4-6. Where a figure is compared with a number, it comes from
// an independent implementation with 34 digits.
#include "livens/method/galerkin.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "livens/study/reversibility.hpp"
#include "livens/study/symplecticity.hpp"
#include "verify/models.hpp"
#include "verify/nodes.hpp"

using namespace livens;
using namespace livens::test;

namespace {

using Rule = Galerkin::Rule;

struct Orders {
  double q, p, lambda;
};

// Slopes between N and 2N steps in one unit of time: of q and the final p and lambda `state`, of the raw ones `raw`.
template <class Problem>
void check_orders(const Problem& problem, const Galerkin& method, int steps, double state, const Orders& raw,
                  double margin) {
  const Solution<Problem> solution(problem, 1, 2 * steps);
  const auto errors = [&](int N) { return solution.errors(nodes_of<Widest>(problem, method, Widest(1) / N, N)); };
  const Distances coarse = errors(steps), fine = errors(2 * steps), slope = slopes(coarse, fine);
  CAPTURE(method.s);
  CAPTURE(method.w);
  const auto near = [&](double measured, double expected) { return std::abs(measured - expected) < margin; };
  CHECK(near(slope.q, state));
  CHECK(near(slope.p, state));
  CHECK(near(slope.lambda, state));
  CHECK(near(slope.q, raw.q));
  CHECK(near(slope.raw_p, raw.p));
  CHECK(near(slope.raw_lambda, raw.lambda));
}

// w even: p w+2, lambda w; w odd: p w+1, lambda w+1.
Orders full_orders(int w) {
  return w % 2 == 0 ? Orders{2.0 * w, w + 2.0, 1.0 * w} : Orders{2.0 * w, w + 1.0, w + 1.0};
}

const std::vector<Galerkin> full_order = {{.s = 1},
                                          {.s = 2},
                                          {.s = 2, .w = 1},
                                          {.s = 3},
                                          {.s = 3, .quadrature = Rule::lobatto},
                                          {.s = 3, .w = 2, .quadrature = Rule::lobatto, .order = 4}};

template <class Problem>
void check_full_orders(const Problem& problem, int steps, double margin) {
  for (const Galerkin& method : full_order) {
    const int w = method.multiplier_degree();
    check_orders(problem, method, steps, 2.0 * w, full_orders(w), margin);
  }
}

double form(const Tangent& a, const Tangent& b) {
  const std::size_t n = a.size() / 2;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[n + i] - b[i] * a[n + i];
  return sum;
}

// The change of dq ^ dp from node 1 to node 2, both with raw momenta, under the exact derivative of the run from node 0
// along three tangents of the constrained phase space; beside it the largest dq ^ dp.
template <class Problem>
std::pair<double, double> raw_form_defect(const Problem& problem, const Galerkin& method, double h) {
  using J = Jet<double, 1>;
  constexpr int n = Problem::coordinates;
  const Lagrangian<Problem> system(problem);
  const Lagrangian<Problem, J> jets(problem);
  const auto start = start_of(system);
  typename Lagrangian<Problem>::Multipliers g;
  auto G = system.jacobian();
  system.constraint_jacobian(0, start.q, g, G);
  std::vector<Tangent> rows;
  for (int a = 0; a < g.size(); ++a) {
    Tangent row(2 * n);
    for (int i = 0; i < n; ++i) row[static_cast<std::size_t>(i)] = G(a, i);
    rows.push_back(row);
  }
  std::vector<Tangent> at_1, at_2;
  for (const Tangent& tangent : kernel(rows, 2 * n)) {
    Walk<Lagrangian<Problem, J>> walk(jets, method, {});
    Vec<J, n> q, p, v;
    for (int i = 0; i < n; ++i) {
      q[i] = J(start.q[i]), q[i].gradient[0] = tangent[static_cast<std::size_t>(i)];
      p[i] = J(start.p[i]), p[i].gradient[0] = tangent[static_cast<std::size_t>(n + i)];
      v[i] = J(start.v[i]);
    }
    REQUIRE(succeeded(walk.start(J(0), q, p, v)));
    const auto advance = [&](int k) {
      StepReport report;
      walk.advance(J(k * h), J((k + 1) * h), J(h), report);
      REQUIRE(succeeded(report.outcome));
    };
    const auto image = [&](const Vec<J, n>& position) {
      Tangent x;
      for (const J& qi : position) x.push_back(qi.gradient[0]);
      walk.raw_values([&](const RawValue& what, const auto& values) {
        if (what.per == RawValue::Per::momentum)
          for (const J& pi : values) x.push_back(pi.gradient[0]);
      });
      return x;
    };
    advance(0);
    const Vec<J, n> q1 = walk.q();
    advance(1);
    at_1.push_back(image(q1));
    const Vec<J, n> q2 = walk.q();
    advance(2);
    at_2.push_back(image(q2));
  }
  double defect = 0, scale = 0;
  for (std::size_t a = 0; a < at_1.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      defect = std::max(defect, std::abs(form(at_1[a], at_1[b]) - form(at_2[a], at_2[b])));
      scale = std::max(scale, std::abs(form(at_1[a], at_1[b])));
    }
  return {defect, scale};
}

const std::vector<Galerkin> all_kinds = {{.s = 1},
                                         {.s = 2},
                                         {.s = 3},
                                         {.s = 4},
                                         {.s = 3, .w = 2},
                                         {.s = 4, .w = 2},
                                         {.s = 3, .quadrature = Rule::lobatto, .order = 4}};

// N steps there, N back from the last node; the momentum there is the raw or the final one.
template <class Problem>
Distances there_and_back(const Problem& problem, const Galerkin& method, double h, int steps, bool raw) {
  const Lagrangian<Problem> system(problem);
  const auto run = run_nodes(system, method, start_of(system), {.step = h, .steps = steps});
  REQUIRE(!run.failure);
  StartValues<Lagrangian<Problem>> end(system);
  end.t = run.nodes.back().t;
  end.q = run.nodes.back().q, end.v = run.nodes.back().v, end.p = run.nodes.back().p;
  if (raw)
    for (int i = 0; i < end.p.size(); ++i) end.p[i] = run.nodes.back().raw_p[i];
  const auto back = run_nodes(system, method, end, {.step = -h, .steps = steps});
  REQUIRE(!back.failure);
  auto turned = back.nodes;
  std::reverse(turned.begin(), turned.end());
  auto there = run.nodes;
  // Raw values of the ends: each run starts at one of them, where they are what the start says.
  turned.front().raw_p = there.front().raw_p, turned.front().raw_lambda = there.front().raw_lambda;
  turned.back().raw_p = there.back().raw_p, turned.back().raw_lambda = there.back().raw_lambda;
  return distances(there, turned);
}

// |p - p_0| after one step there and one back, raw momenta.
double raw_mismatch(const Galerkin& method, double h) {
  const Lagrangian<DoublePendulum> system(DoublePendulum{});
  auto start = start_of(system);
  start.p = {0.41084292610471593, 0.12543631637578908, 0.30813219457853695, 0.5,
             0.17456368362421092, 0.44407723728184181};
  REQUIRE(!start.make_consistent(true, {}));
  const auto once = run_nodes(system, method, start, {.step = h, .steps = 1}).nodes;
  StartValues<Lagrangian<DoublePendulum>> end(system);
  end.t = h, end.q = once[1].q, end.v = once[1].v;
  for (int i = 0; i < 6; ++i) end.p[i] = once[1].raw_p[i];
  const auto back = run_nodes(system, method, end, {.step = -h, .steps = 1}).nodes;
  CHECK(distance(back[1].q, start.q) < 1e-14);
  CHECK(distance(back[1].p, start.p) < 1e-13);
  return distance(back[1].raw_p, start.p);
}

struct Extremes {
  double first_half = 0, second_half = 0;
};

template <class Problem>
Extremes energy_errors(const Problem& problem, const Galerkin& method, double h, int steps) {
  const Lagrangian<Problem> system(problem);
  const auto run = nodes_of(problem, method, h, steps);
  const auto energy = [&](const auto& node) {
    double sum = 0;
    for (int i = 0; i < node.v.size(); ++i) sum += node.v[i] * node.p[i];
    return sum - system.lagrangian(node.t, node.q, node.v);
  };
  Extremes e;
  for (std::size_t k = 0; k < run.size(); ++k) {
    double& half = 2 * k < run.size() ? e.first_half : e.second_half;
    half = std::max(half, std::abs(energy(run[k]) - energy(run[0])));
  }
  return e;
}

// Example A over one unit of time.
Distances pendulum_errors(const Galerkin& method, int N) {
  return Solution<NonlinearPendulum>(planar_pendulum, 1, N)
      .errors(nodes_of<Widest>(planar_pendulum, method, Widest(1) / N, N));
}

}  // namespace

TEST_CASE("galerkin_has_its_orders_in_a_nonlinear_potential") {
  check_full_orders(NonlinearPendulum{.m = 1}, 20, 0.3);
}

TEST_CASE("galerkin_has_order_8_in_a_nonlinear_potential_seen_beyond_double") {
  if (!LIVENS_QUAD) return;
  check_orders(NonlinearPendulum{.m = 1}, {.s = 4}, 20, 8, full_orders(4), 0.3);
  check_orders(NonlinearPendulum{.m = 1}, {.s = 4, .w = 3}, 20, 6, full_orders(3), 0.3);
}

TEST_CASE("galerkin_has_its_orders_with_a_mass_that_depends_on_q_and_a_term_linear_in_v") {
  check_full_orders(CurvedMass{}, 20, 0.3);
}

TEST_CASE("galerkin_has_its_orders_with_everything_that_a_system_may_have") {
  for (const StatedSystem& system : {bead_text, driven_pendulum_text, damped_pendulum_text, changing_times_text})
    for (const Galerkin& method : full_order) {
      const bool lobatto = method.quadrature == Rule::lobatto;
      const int s = method.s, w = method.multiplier_degree();
      check_stated_order(system,
                         fmt::format("name = \"galerkin\"\ns = {}\nw = {}\nquadrature = \"{}\"\norder = {}", s, w,
                                     lobatto ? "lobatto" : "gauss", method.quadrature_order()),
                         "1/40,1/80", 2 * w, 0.3, widest_precision);
    }
}

TEST_CASE("galerkin_loses_order_where_s_exceeds_w_by_more_than_1_or_lobatto_has_too_few_nodes") {
  const NonlinearPendulum problem{.m = 1};
  check_orders(problem, {.s = 4, .w = 2}, 20, 2, {2, 2, 0}, 0.3);
  check_orders(problem, {.s = 5, .w = 3}, 20, 4, {4, 2, 2}, 0.3);
  check_orders(problem, {.s = 2, .quadrature = Rule::lobatto, .order = 2}, 20, 2, {2, 2, 0}, 0.3);
  check_orders(problem, {.s = 3, .quadrature = Rule::lobatto, .order = 4}, 20, 4, {4, 2, 2}, 0.3);
}

TEST_CASE("galerkin_has_its_orders_backward_in_time") {
  const Galerkin method{.s = 2};
  const auto error = [&](int N) {
    return Solution<CurvedMass>(CurvedMass{}, -1, N).errors(nodes_of(CurvedMass{}, method, -1.0 / N, N));
  };
  const Distances fine = error(80), slope = slopes(error(40), fine);
  CHECK(agree(fine.q, 3.8e-10, 0.1));  // ahead in time 1.8e-10
  CHECK(std::abs(slope.q - 4) < 0.1);
  CHECK(std::abs(slope.raw_lambda - 2) < 0.1);
}

TEST_CASE("galerkin_is_symplectic_with_projected_and_with_raw_momenta") {
  const auto check = [&]<class Problem>(const Problem& problem) {
    const Lagrangian<Problem> system(problem);
    const Lagrangian<Problem, Jet<double, 1>> jets(problem);
    for (const Galerkin& method : all_kinds) {
      CAPTURE(method.s);
      CAPTURE(method.w);
      const Symplecticity projected = symplecticity(jets, method, phase_point(start_of(system)), 0.05, {});
      REQUIRE(!projected.failure);
      const auto raw = raw_form_defect(problem, method, 0.05);
      CHECK(projected.defect < 4 * 2.2e-16);
      CHECK(projected.scale > 0.8);
      CHECK(raw.first < 4 * 2.2e-16);
      CHECK(raw.second > 0.8);
    }
  };
  check(DoublePendulum{});
  check(CurvedMass{});
}

TEST_CASE("galerkin_returns_to_its_start_with_raw_values_of_all_inner_nodes") {
  for (const Galerkin& method : all_kinds)
    for (const bool raw : {false, true}) {
      const Distances d = there_and_back(DoublePendulum{}, method, 0.02, 25, raw);
      CAPTURE(method.s);
      CHECK(d.q < 4 * 4.9e-15);
      CHECK(d.p < 4 * 2.4e-14);
      CHECK(d.raw_p < 4 * 8.5e-14);
      CHECK(d.raw_lambda < 4 * 4.8e-10);  // eps/h^2
    }
}

TEST_CASE("raw_momentum_of_the_first_node_does_not_return_by_the_figures_of_theory") {
  const double first[] = {1.2e-2, 2.96e-3, 7.4e-4}, second[] = {1.2e-4, 7.4e-6, 4.6e-7};
  for (int k = 0; k < 3; ++k) {
    const double h = 0.1 / (1 << k);
    CHECK(agree(raw_mismatch({.s = 1}, h), first[k], 0.04));
    CHECK(agree(raw_mismatch({.s = 2}, h), second[k], 0.04));
  }
}

TEST_CASE("galerkin_keeps_vertical_angular_momentum") {
  for (const Galerkin& method : all_kinds) {
    const auto run = nodes_of(DoublePendulum{}, method, 0.02, 200);
    double projected = 0, raw = 0;
    const auto momentum = [](const auto& q, const auto& p) {
      return q[0] * p[1] - q[1] * p[0] + q[3] * p[4] - q[4] * p[3];
    };
    for (const auto& node : run) {
      projected = std::max(projected, std::abs(momentum(node.q, node.p) - momentum(run[0].q, run[0].p)));
      raw = std::max(raw, std::abs(momentum(node.q, node.raw_p) - momentum(run[0].q, run[0].p)));
    }
    CAPTURE(method.s);
    CHECK(projected < 4 * 4.3e-15);
    CHECK(raw < 4 * 4.3e-15);
  }
}

TEST_CASE("energy_oscillates_within_the_known_bounds_and_does_not_drift") {
  const Extremes coarse = energy_errors(planar_pendulum, {.s = 5, .w = 4}, 0.1, 200);
  const Extremes fine =
      energy_errors(planar_pendulum, {.s = 5, .w = 3, .quadrature = Rule::lobatto, .order = 8}, 0.01, 2000);
  for (const double e : {coarse.first_half, coarse.second_half}) CHECK(agree(e, 1.0e-9, 0.05));
  for (const double e : {fine.first_half, fine.second_half}) CHECK(agree(e, 2.9e-9, 0.05));
}

TEST_CASE("gauss_quadrature_of_the_constraints_loses_order_and_drifts") {
  const auto method = [](int s) { return Galerkin{.s = s, .constraint_quadrature = Rule::gauss}; };
  struct Expected {
    double q, p;
  };
  const Expected orders[] = {{2, 0}, {2, 0}, {4, 2}};
  for (int s = 1; s <= 3; ++s) {
    const Distances coarse = pendulum_errors(method(s), 40), fine = pendulum_errors(method(s), 80);
    const Distances slope = slopes(coarse, fine);
    CAPTURE(s);
    CHECK(std::abs(slope.q - orders[s - 1].q) < 0.15);
    CHECK(std::abs(slope.raw_p - orders[s - 1].p) < 0.15);
    if (s == 2) CHECK(agree(fine.raw_p, 3.3, 0.02));
  }
  const auto run = nodes_of(planar_pendulum, method(2), 0.05, 40);
  const auto drift = [&](std::size_t k) { return std::abs(planar_pendulum.constraint(run[k].q)[0]); };
  CHECK(agree(drift(10), 1e-3, 0.05));
  CHECK(agree(drift(40), 1.7e-2, 0.05));
}

TEST_CASE("gauss_with_fewer_nodes_than_s_blows_up_within_a_unit_of_time") {
  const Lagrangian<NonlinearPendulum> system(planar_pendulum);
  const Galerkin method{.s = 2, .w = 1, .constraint_quadrature = Rule::gauss};
  const auto run = run_nodes(system, method, start_of(system), {.step = 0.05, .steps = 10});
  CHECK(std::abs(run.nodes.back().q[0]) > 1e3);
}

TEST_CASE("radau_quadrature_of_the_constraints_holds_them_but_is_not_reversible") {
  const auto method = [](int z) { return Galerkin{.s = z, .constraint_quadrature = Rule::radau}; };
  struct Expected {
    double q, raw_p, p;
  };
  const Expected orders[] = {{2, 1, 2}, {3, 2, 3}, {5, 3, 5}};
  const auto check = [&](const Galerkin& m, const Expected& expected) {
    CAPTURE(m.s);
    CAPTURE(m.w);
    const Distances slope = slopes(pendulum_errors(m, 40), pendulum_errors(m, 80));
    CHECK(std::abs(slope.q - expected.q) < 0.1);
    CHECK(std::abs(slope.raw_p - expected.raw_p) < 0.1);
    CHECK(std::abs(slope.p - expected.p) < 0.1);
  };
  for (int z = 1; z <= 3; ++z) check(method(z), orders[z - 1]);
  check({.s = 3, .w = 2, .constraint_quadrature = Rule::radau}, {2, 1, 2});

  const auto run = nodes_of(planar_pendulum, method(2), 0.05, 20);
  for (const auto& node : run) CHECK(std::abs(planar_pendulum.constraint(node.q)[0]) < 4 * 2.2e-16);
  const Lagrangian<NonlinearPendulum> system(planar_pendulum);
  const Reversibility back = reversibility(system, method(2), start_of(system), {.step = 0.05, .steps = 5});
  REQUIRE(!back.failure);
  CHECK(agree(back.q, 4.2e-5, 0.02));
  const Lagrangian<NonlinearPendulum, Jet<double, 1>> jets(planar_pendulum);
  CHECK(symplecticity(jets, method(2), phase_point(start_of(system)), 0.05, {}).defect < 4 * 2.2e-16);
  const Extremes energy = energy_errors(planar_pendulum, method(2), 0.05, 2000);
  CHECK(agree(energy.first_half, 3.8e-4, 0.05));
  CHECK(agree(energy.second_half, energy.first_half, 1e-3));
}

TEST_CASE("radau_and_gauss_quadrature_of_the_constraints_have_their_declared_order_in_a_nonlinear_potential") {
  const NonlinearPendulum problem{.m = 1};
  const Solution<NonlinearPendulum> solution(problem, 1, 80);
  const auto check = [&](const Galerkin& method) {
    const auto error = [&](int N) { return solution.errors(nodes_of<Widest>(problem, method, Widest(1) / N, N)); };
    const Distances slope = slopes(error(40), error(80));
    CAPTURE(method.s);
    CAPTURE(method.w);
    CHECK(std::abs(slope.q - method.traits().order) < 0.15);
    CHECK(std::abs(slope.p - method.traits().order) < 0.15);
  };
  for (int s = 1; s <= 4; ++s) {
    check({.s = s, .constraint_quadrature = Rule::gauss});
    for (int w = std::max(1, s - 1); w <= s; ++w)
      if (LIVENS_QUAD || w < 4) check({.s = s, .w = w, .constraint_quadrature = Rule::radau});
  }
}

TEST_CASE("radau_with_one_node_is_the_motion_of_shake") {
  const auto radau = nodes_of(
      NonlinearPendulum{},
      Galerkin{.s = 1, .quadrature = Rule::lobatto, .order = 2, .constraint_quadrature = Rule::radau}, 0.02, 50);
  const auto shake = nodes_of(NonlinearPendulum{}, Galerkin{.s = 1, .quadrature = Rule::lobatto, .order = 2}, 0.02, 50);
  for (std::size_t k = 0; k < radau.size(); ++k) CHECK(distance(radau[k].q, shake[k].q) < 4 * 4.4e-16);
}
