// spark: its coefficients, known numbers of an independent implementation, the hidden constraint, its multipliers.
// Source: Jay (2007); planar pendulum m = l = 1, gravity 9.81, from rest at the horizontal.
#include "livens/method/spark.hpp"

#include <doctest/doctest.h>

#include "livens/study/reversibility.hpp"
#include "livens/study/symplecticity.hpp"
#include "verify/models.hpp"
#include "verify/nodes.hpp"

using namespace livens;
using namespace livens::test;

namespace {

struct HorizontalPendulum : PlanarPendulum {
  Vec<double, 2> q0() const { return {1, 0}; }
  Vec<double, 2> v0() const { return {0, 0}; }
};

void near(double measured, double expected, double tolerance) {
  CHECK(std::abs(measured - expected) < tolerance);
}

}  // namespace

TEST_CASE("coefficients_of_spark_are_the_known_ones") {
  const auto table = [](int s) { return Spark{.s = s}.table(); };
  const auto one = table(1), two = table(2), three = table(3);
  const auto near_table = [](const Widest& measured, double expected) { near(to_double(measured), expected, 1e-15); };
  near_table(one.B(0, 0), 0.5);
  near_table(two.reach(1, 0), .4665063509461097);
  near_table(two.reach(1, 1), .0334936490538903);
  const double at2[2][2] = {{1. / 6, .0446581987385205}, {1. / 6, .6220084679281462}};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) near_table(two.B(i, j), at2[i][j]);
  const double abar3[2][3] = {{.2555657338874706, .0234606242222409, -.0026331558596905},
                              {.2804109336374683, .4209838202222035, .0222120438903072}};
  const double at3[3][3] = {{1. / 12, .0333180658354607, -.0039497337895358},
                            {1. / 12, .3946723314583158, .0219943352083509},
                            {1. / 12, .4206164004562024, .3833486008312059}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3 && i < 2; ++j) near_table(three.reach(i + 1, j), abar3[i][j]);
    for (int j = 0; j < 3; ++j) near_table(three.B(i, j), at3[i][j]);
  }
}

TEST_CASE("spark_gives_the_known_end_values_of_the_planar_pendulum") {
  const double expected[3][4] = {{-0.99068847698, -0.136148233843, -0.222026987836, 1.61558892259},
                                 {-0.986308181765, -0.164912614994, -0.29661848619, 1.77401370903},
                                 {-0.986291821022, -0.165010435383, -0.29690439465, 1.7746415576}};
  for (int s = 1; s <= 3; ++s) {
    const auto end = nodes_of(HorizontalPendulum{}, Spark{.s = s}, 0.1, 10).back();
    CAPTURE(s);
    for (int i = 0; i < 2; ++i) {
      near(end.q[i], expected[s - 1][i], 1e-11);  // all digits that are known
      near(end.p[i], expected[s - 1][2 + i], 1e-11);
    }
  }
}

TEST_CASE("spark_has_the_known_errors_and_its_end_multiplier_only_order_s") {
  struct Row {
    double q, p;
  };
  const Row expected[3][3] = {{{2.920e-2, 1.758e-1}, {7.317e-3, 4.307e-2}, {1.830e-3, 1.072e-2}},
                              {{9.960e-5, 6.922e-4}, {6.219e-6, 4.317e-5}, {3.887e-7, 2.697e-6}},
                              {{4.235e-7, 2.366e-6}, {6.670e-9, 3.722e-8}, {1.044e-10, 5.826e-10}}};
  const double end_multiplier[3] = {1.87, 9.6e-2, 6.9e-3};
  const Solution<HorizontalPendulum> solution(HorizontalPendulum{}, 1, 40);
  const SolutionNode& exact = solution.node(40);
  const auto distance_to = [](const auto& x, const std::vector<Widest>& y) {
    double squares = 0;
    for (int i = 0; i < x.size(); ++i) squares += std::pow(to_double(Widest(x[i]) - y[static_cast<std::size_t>(i)]), 2);
    return std::sqrt(squares);
  };
  for (int s = 1; s <= 3; ++s)
    for (int k = 0; k < 3; ++k) {
      const int N = 10 << k;
      const auto end = nodes_of<long double>(HorizontalPendulum{}, Spark{.s = s}, 1.0L / N, N).back();
      CAPTURE(s);
      CAPTURE(N);
      CHECK(agree(distance_to(end.q, exact.q), expected[s - 1][k].q, 1e-3));
      CHECK(agree(distance_to(end.p, exact.p), expected[s - 1][k].p, 1e-3));
      REQUIRE(end.raw_lambda.size() == s + 1);
      const double multiplier = std::abs(to_double(end.raw_lambda[s] - end.lambda[0]));
      if (k == 0) CHECK(agree(multiplier, end_multiplier[s - 1], 0.01));
    }
}

TEST_CASE("end_multiplier_of_a_spark_step_is_not_the_first_of_the_next") {
  const auto run = nodes_of(HorizontalPendulum{}, Spark{.s = 2}, 0.1, 10);
  CHECK(std::abs(run[9].raw_lambda[2] - run[10].raw_lambda[0]) > 1e-2);
}

TEST_CASE("spark_has_order_2s_with_everything_that_a_system_may_have") {
  for (const StatedSystem& system : {nonlinear_pendulum_text, curved_mass_text, bead_text, driven_pendulum_text,
                                     damped_pendulum_text, changing_times_text})
    for (int s = 1; s <= 3; ++s)
      check_stated_order(system, "name = \"spark\"\ns = " + std::to_string(s), "1/20,1/40", 2 * s, 0.1,
                         widest_precision);
}

TEST_CASE("spark_is_symplectic_symmetric_and_holds_both_constraints") {
  const auto check = [&]<class Problem>(const Problem& problem) {
    const Lagrangian<Problem> system(problem);
    const Lagrangian<Problem, Jet<double, 1>> jets(problem);
    const auto start = start_of(system);
    for (int s = 1; s <= 4; ++s) {
      CAPTURE(s);
      const Symplecticity form = symplecticity(jets, Spark{.s = s}, phase_point(start), 0.05, {});
      REQUIRE(!form.failure);
      CHECK(form.defect < 4 * 2.2e-16);
      CHECK(form.scale > 0.8);
      const Reversibility back = reversibility(system, Spark{.s = s}, start, {.step = 0.02, .steps = 25});
      REQUIRE(!back.failure);
      CHECK(back.q < 4 * 1.2e-15);
      CHECK(back.p < 4 * 1.6e-15);
      March<Lagrangian<Problem>> run(system, Spark{.s = s}, {.step = 0.02, .steps = 100});
      REQUIRE(run.run(start, nullptr, nullptr).outcome == RunOutcome::finished);
      CHECK(run.audit().constraint < 4 * 4.8e-14);  // s = 1, one step of 100; else 8.9e-16
      CHECK(run.audit().hidden_constraint < 4 * 7.3e-16);
    }
  };
  check(DoublePendulum{});
  check(CurvedMass{});
}

TEST_CASE("spark_without_a_stage_is_refused") {
  CHECK_THROWS_WITH_AS(nodes_of(HorizontalPendulum{}, Spark{.s = 0}, 0.1, 1), "spark: s = 0; s >= 1 stages are needed",
                       std::invalid_argument);
}
