// The GGL variational integrator and its companions: Kinon, Betsch, Schneider (2023), "The GGL variational principle
// for constrained mechanical systems". Digits are those of an independent implementation.
#include "livens/method/ggl.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "livens/method/classical_ggl.hpp"
#include "livens/method/constrained_euler.hpp"
#include "livens/method/energy_momentum.hpp"
#include "livens/run/march.hpp"
#include "livens/study/studies.hpp"
#include "method/top.hpp"
#include "verify/models.hpp"
#include "verify/stated_march.hpp"

using namespace livens;
using namespace livens::test;

namespace {

Model top(const std::string& method, double h, long long steps, const Overrides& set = {}) {
  Vec<double, 12> q, v;
  Top{}.start(q, v);
  Overrides all = {{"initial.q", array_text(q)},
                   {"initial.v", array_text(v)},
                   {"method.name", method},
                   {"run.step", fmt::format("{:.17g}", h)},
                   {"run.end", fmt::format("{:.17g}", h * static_cast<double>(steps))}};
  all.insert(all.end(), set.begin(), set.end());
  return load_model("top", all);
}
StatedMarch spin(const std::string& method, double h, long long steps) {
  return march_stated(top(method, h, steps));
}

// A particle on a circle of radius 1.3, free.
StatedMarch turn(double omega_h, int steps) {
  return march_stated(R"toml(
coordinates = ["x", "y"]
lagrangian  = "0.35*(x'^2 + y'^2)"
constraints = ["(x^2 + y^2 - 1.3^2)/2"]
)toml",
                      "ggl", {.q = {1.3, 0}, .v = {0, 1.3 * omega_h}, .step = 1, .steps = steps});
}

double defect(const Model& model) {
  const Symplecticity result = study_symplecticity(model);
  REQUIRE(!result.failure);
  return result.defect / result.scale;
}

// The slope of two step sizes of the positions, and of the momenta, lies within 0.05 of the order.
void check_order(const Model& model, const std::string& step_sizes, double order) {
  const OrderStudy study = study_order(model, read_step_sizes(step_sizes));
  REQUIRE(study.failures.empty());
  CHECK(std::abs(*study.rows.back().order.q - order) < 0.05);
  CHECK(std::abs(*study.rows.back().order.p - order) < 0.05);
}

// The scheme as (41b) of the paper prints it: Hess(gamma, qb) M^-1 p with p of the start of the step, or, as it has to
// be, of its end. Written down once more, for the top, whose constraints are g_k = q.A_k q/2 + b_k.q + c_k: unknowns
// are v, mu, nu = h gamma and p1, the matrix comes from jets.
class WrittenOut {
 public:
  explicit WrittenOut(bool as_printed) : printed_(as_printed) {
    Vec<double, 9> unit;
    for (int k = 0; k < 9; ++k) {
      unit.fill(0);
      unit[k] = 1;
      system_.constraint_hessian(0, Vec<double, 12>(), unit, A_[static_cast<std::size_t>(k)]);
    }
    system_.constraint_jacobian(0, Vec<double, 12>(), c_, b_);
    Vec<double, 12> v;
    Top{}.start(q, v);
    for (int i = 0; i < 12; ++i) p[i] = mass(i) * v[i], z_[i] = v[i], z_[30 + i] = p[i];
  }

  Vec<double, 12> q, p;

  // False: no convergence.
  bool step(double h) {
    for (int a = 12; a < 30; ++a) z_[a] = 0;
    for (int k = 0; k < 50; ++k) {
      using J = Jet<double, 42>;
      Vec<J, 42> unknowns;
      for (int i = 0; i < 42; ++i) unknowns[i] = J::variable(z_[i], i);
      const Vec<J, 42> r = rows(unknowns, h);
      Lu<double> lu(42);
      Vec<double> right(42), change(42);
      for (int i = 0; i < 42; ++i) {
        right[i] = r[i].value;
        for (int j = 0; j < 42; ++j) lu.matrix()(i, j) = r[i].gradient[j];
      }
      if (!lu.factorise()) return false;
      lu.solve(right, change);
      double size = 0;
      for (int i = 0; i < 42; ++i) z_[i] -= change[i], size += i < 12 ? h * std::abs(change[i]) : 0;
      if (size < 1e-15) {
        for (int i = 0; i < 12; ++i) q[i] = q1_[i], p[i] = z_[30 + i];
        return true;
      }
    }
    return false;
  }
  double energy() const {
    double sum = Top{}.m * Top{}.g * q[2];
    for (int i = 0; i < 12; ++i) sum += p[i] * p[i] / (2 * mass(i));
    return sum;
  }
  double L3() const { return Top{}.invariant_values(q, p)[0]; }

  // The largest of all 42 equations at a step from (q, p) to p1 with these multipliers.
  double residual(const Vec<double, 12>& p1, const Vec<double, 9>& lambda, const Vec<double, 9>& gamma, double h) {
    Vec<double, 42> z;
    Vec<double, 12> kick = p;
    kick[2] -= h * Top{}.m * Top{}.g;
    add_reaction(q, lambda.data(), -h, kick);
    for (int i = 0; i < 12; ++i) z[i] = kick[i] / mass(i), z[30 + i] = p1[i];
    for (int k = 0; k < 9; ++k) z[12 + k] = h * lambda[k], z[21 + k] = h * gamma[k];
    const Vec<double, 42> r = rows(z, h);
    double largest = 0;
    for (int i = 0; i < 42; ++i) largest = std::max(largest, std::abs(r[i]));
    return largest;
  }

  // dq.dp' - dp.dq' of two directions after the step, less that before, relative to its terms; by central differences.
  double defect(double h) const {
    Vec<double, 9> g;
    Mat<double, 9, 12> G;
    system_.constraint_jacobian(0, q, g, G);
    std::array<std::array<Vec<double, 12>, 2>, 2> before, after;
    for (std::size_t k = 0; k < 2; ++k) {
      auto& [dq, dp] = before[k];
      // rotations about two axes, which keep the constraints; any dp
      for (int i = 0; i < 12; i += 3) {
        dq[i] = (k == 0 ? 0 : 0.3) * q[i + 2] - q[i + 1];
        dq[i + 1] = q[i] - (k == 0 ? 0.7 : 0) * q[i + 2];
        dq[i + 2] = (k == 0 ? 0.7 : 0) * q[i + 1] - (k == 0 ? 0 : 0.3) * q[i];
      }
      for (int i = 0; i < 12; ++i) dp[i] = 0.01 * std::sin(1.0 + 3 * i + 5.0 * static_cast<double>(k));
      constexpr double e = 1e-5;
      WrittenOut ahead = *this, back = *this;
      for (int i = 0; i < 12; ++i) {
        ahead.q[i] += e * dq[i], ahead.p[i] += e * dp[i];
        back.q[i] -= e * dq[i], back.p[i] -= e * dp[i];
      }
      REQUIRE(ahead.step(h));
      REQUIRE(back.step(h));
      for (int i = 0; i < 12; ++i) {
        after[k][0][i] = (ahead.q[i] - back.q[i]) / (2 * e);
        after[k][1][i] = (ahead.p[i] - back.p[i]) / (2 * e);
      }
    }
    const auto area = [](const auto& d) { return dot(d[0][0], d[1][1]) - dot(d[0][1], d[1][0]); };
    return (area(after) - area(before)) / (std::abs(area(before)) + std::abs(dot(after[0][0], after[1][1])));
  }

 private:
  static double mass(int i) { return i < 3 ? Top{}.m : Top{}.E; }

  // y += factor G(x)^T a
  template <class S, class X>
  void add_reaction(const X& x, const S* a, double factor, Vec<S, 12>& y) const {
    for (int k = 0; k < 9; ++k)
      for (int i = 0; i < 12; ++i) {
        S G(b_(k, i));
        for (int j = 0; j < 12; ++j) G += A_[static_cast<std::size_t>(k)](i, j) * x[j];
        y[i] += factor * G * a[k];
      }
  }

  template <class S>
  Vec<S, 42> rows(const Vec<S, 42>& z, double h) {
    const S *v = z.data(), *mu = v + 12, *nu = mu + 9, *p1 = nu + 9;
    Vec<S, 12> qb, q1, kick, turn, turn1;
    for (int i = 0; i < 12; ++i) q1[i] = qb[i] = q[i] + h * v[i], kick[i] = S(p[i]);
    kick[2] -= h * Top{}.m * Top{}.g;
    add_reaction(q, mu, -1, kick);
    for (int k = 0; k < 9; ++k)
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) {
          const double A = A_[static_cast<std::size_t>(k)](i, j) / mass(j);
          turn[i] += nu[k] * A * (printed_ ? S(p[j]) : p1[j]), turn1[i] += nu[k] * A * p1[j];
        }
    Vec<S, 12> shift;
    add_reaction(qb, nu, 1, shift);
    for (int i = 0; i < 12; ++i) q1[i] += shift[i] / mass(i), q1_[i] = value_of(q1[i]);
    Vec<S, 42> r;
    const Vec<S, 9> g = Top{}.constraint(q1);
    for (int i = 0; i < 12; ++i) {
      r[i] = p1[i] - kick[i] + turn[i];
      r[12 + i] = mass(i) * v[i] - p1[i] - turn1[i];
    }
    for (int k = 0; k < 9; ++k) {
      r[24 + k] = g[k] / h;
      for (int i = 0; i < 12; ++i) {
        S G(b_(k, i));
        for (int j = 0; j < 12; ++j) G += A_[static_cast<std::size_t>(k)](i, j) * qb[j];
        r[33 + k] += G * p1[i] / mass(i);
      }
    }
    return r;
  }

  const Lagrangian<Top> system_{Top{}};
  const bool printed_;
  std::array<Mat<double, 12, 12>, 9> A_;
  Mat<double, 9, 12> b_;
  Vec<double, 9> c_;
  Vec<double, 12> q1_;
  Vec<double, 42> z_;
};

}  // namespace

TEST_CASE("the_top_has_the_known_digits") {
  const auto run = spin("ggl", 0.002, 1000);
  REQUIRE(run.report.outcome == RunOutcome::finished);
  const Vec<double, 3> first{0.001313110776611602, -0.06494612480784702, 0.03748701925376174},
      last{0.06086921486974858, -0.02096496375363092, 0.03847608316798008};
  for (int k = 0; k < 3; ++k) {
    CHECK(std::abs(run.rows[1].q[k] - first[k]) < 4e-17);
    CHECK(std::abs(run.rows[1000].q[k] - last[k]) < 4e-14);
  }
  CHECK(run.audit.invariants[0].max_error < 2e-15);  // L3
  CHECK(run.audit.constraint < 1e-15);
  CHECK(run.audit.energy.max_error == doctest::Approx(5.669248 - 5.669055).epsilon(0.01).scale(0));
  CHECK(run.audit.hidden_constraint == doctest::Approx(0.374).epsilon(0.003).scale(0));
  CHECK(run.report.cost.newton_iterations <= 10000);
  CHECK(run.report.cost.jacobians < 1100);
}

TEST_CASE("a_particle_turns_on_a_circle_by_the_closed_form") {
  for (const double omega_h : {0.01, 0.2, 0.45, 0.4999}) {
    const auto run = turn(omega_h, 3);
    REQUIRE(run.report.outcome == RunOutcome::finished);
    const double D = std::asin(2 * omega_h) / 2;
    for (int n = 0; n <= 3; ++n)
      CHECK(
          std::abs(std::atan2(run.rows[static_cast<std::size_t>(n)].q[1], run.rows[static_cast<std::size_t>(n)].q[0]) -
                   n * D) < 1e-13 / std::sqrt(0.5 - omega_h));
    CHECK(run.audit.energy.max_error < 1e-14);
  }
  for (const double omega_h : {0.5001, 0.6, 2.0}) CHECK(turn(omega_h, 3).report.outcome == RunOutcome::failed);
}

TEST_CASE("steps_of_ggl_keep_the_two_form_and_those_of_its_classical_namesake_do_not") {
  CHECK(defect(top("ggl", 0.002, 1)) < 1e-14);
  CHECK(defect(top("classical-ggl", 0.002, 1)) > 1e-3);
  // Non-quadratic constraints: third derivatives
  const auto bead = [](const std::string& method) { return stated_model(bead_text, method, "double", "0.1"); };
  CHECK(defect(bead(R"(name = "ggl")")) < 1e-15);
  CHECK(defect(bead(R"(name = "classical-ggl")")) > 1e-6);
}

TEST_CASE("the_classical_stabilisation_gains_energy_until_it_fails") {
  const auto run = spin("classical-ggl", 0.002, 100);
  CHECK(run.report.outcome == RunOutcome::failed);
  CHECK(run.report.steps <= 14);
  CHECK(run.audit.energy.max_error > 90);
  CHECK(run.audit.hidden_constraint < 1e-11);
}

TEST_CASE("a_normal_part_of_the_start_momentum_changes_lambda_alone") {
  const Lagrangian<Top> system(Top{});
  StartValues<Lagrangian<Top>> start(system);
  Top{}.start(start.q, start.v);
  REQUIRE(!start.make_consistent(false, {}));
  Walk<Lagrangian<Top>> plain(system, Ggl{}, {}), shifted(system, Ggl{}, {});
  Vec<double, 12> p = start.p, reaction;
  Vec<double, 9> g, x;
  Mat<double, 9, 12> G;
  system.constraint_jacobian(0, start.q, g, G);
  for (int a = 0; a < 9; ++a) x[a] = 1e-3 * (a + 1);
  multiply_transposed(G, x, reaction);
  for (int i = 0; i < 12; ++i) p[i] += reaction[i];
  StepReport report;
  plain.start(0, start.q, start.p, start.v), shifted.start(0, start.q, p, start.v);
  plain.advance(0, 0.002, 0.002, report), shifted.advance(0, 0.002, 0.002, report);
  for (int i = 0; i < 12; ++i) {
    CHECK(std::abs(plain.q()[i] - shifted.q()[i]) < 1e-15);
    CHECK(std::abs(plain.state().p[i] - shifted.state().p[i]) < 1e-15);
  }
}

TEST_CASE("ggl_converges_with_order_1_and_energy_momentum_with_order_2_on_a_curved_surface") {
  check_order(stated_model(bead_text, R"(name = "ggl")"), "1/400,1/800,1/1600", 1);
  check_order(stated_model(bead_text, R"(name = "energy-momentum")"), "1/100,1/200,1/400", 2);
}

TEST_CASE("damping_enters_ggl_with_order_1") {
  check_order(stated_model(damped_pendulum_text, R"(name = "ggl")"), "1/400,1/800,1/1600", 1);
  check_order(stated_model(damped_pendulum_text, R"(name = "energy-momentum")"), "1/100,1/200,1/400", 2);
}

TEST_CASE("energy_momentum_keeps_energy_and_stabilised_also_the_hidden_constraints") {
  for (const bool stabilised : {false, true}) {
    const auto run =
        march_stated(top("energy-momentum", 0.002, 1000, {{"method.stabilised", stabilised ? "true" : "false"}}));
    REQUIRE(run.report.outcome == RunOutcome::finished);
    CHECK(run.audit.energy.max_error < 4e-12);
    CHECK(run.audit.invariants[0].max_error < 1e-14);
    CHECK((run.audit.hidden_constraint < 1e-11) == stabilised);
  }
  const auto bead = march_stated(stated_model(bead_text, R"(name = "energy-momentum")", "double", "0.05", "50"));
  REQUIRE(bead.report.outcome == RunOutcome::finished);
  CHECK(bead.audit.energy.max_error < 1e-12);
  CHECK(EnergyMomentum{.stabilised = true}.misfit({}) != "");
}

TEST_CASE("energy_momentum_keeps_energy_far_from_the_origin") {
  const auto run = march_stated(R"toml(
coordinates = ["x", "y", "z"]
lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - z^4"
constraints = ["x^6 + (y - 1e5)^4 + z^2 - 0.625"]
)toml",
                                "energy-momentum",
                                {.q = {0.7, 1e5 + 0.5, -std::sqrt(0.625 - std::pow(0.7, 6) - std::pow(0.5, 4))},
                                 .v = {0.4, 0.6, 0.3},
                                 .step = 0.05,
                                 .steps = 1000,
                                 .project = true});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CHECK(run.audit.energy.max_error < 1e-9);  // the position is rounded to 1.5e-11
}

TEST_CASE("a_system_at_rest_stays_at_rest") {
  // dq = 0: discrete gradients are gradients
  const Model model = stated_model(nonlinear_pendulum_text, R"(name = "energy-momentum")", "double", "1e-9", "1e-8");
  const auto run = march_stated(read_model(model.source, model.text, {{"initial.v", "[0, 0]"}}));
  CHECK(run.report.outcome == RunOutcome::finished);
  CHECK(std::abs(run.rows.back().q[0] - run.rows.front().q[0]) < 1e-15);
}

TEST_CASE("the_scheme_as_it_is_printed_loses_what_ours_keeps") {
  WrittenOut right(false), printed(true);
  const double energy = right.energy(), L3 = right.L3();
  const auto ours = spin("ggl", 0.002, 150);
  for (int n = 0; n < 150; ++n) REQUIRE(right.step(0.002));
  for (int i = 0; i < 12; ++i) CHECK(std::abs(right.q[i] - ours.rows[150].q[i]) < 1e-12);
  CHECK(std::abs(right.energy() - energy) < 2e-4);
  CHECK(std::abs(right.L3() - L3) < 1e-14);
  for (int n = 0; n < 150; ++n) REQUIRE(printed.step(0.002));
  CHECK(printed.energy() == doctest::Approx(3.94).epsilon(0.002).scale(0));
  CHECK(std::abs(printed.L3() - L3) == doctest::Approx(7e-3).epsilon(0.1).scale(0));
}

TEST_CASE("a_step_satisfies_all_equations_of_the_scheme_and_keeps_the_two_form_and_the_printed_one_does_not") {
  const Lagrangian<Top> system(Top{});
  StartValues<Lagrangian<Top>> start(system);
  Top{}.start(start.q, start.v);
  REQUIRE(!start.make_consistent(false, {}));
  Walk<Lagrangian<Top>> walk(system, Ggl{}, {});
  walk.start(0, start.q, start.p, start.v);
  WrittenOut written(false);
  StepReport report;
  for (int n = 0; n < 20; ++n) {
    written.q = walk.state().q, written.p = walk.state().p;
    walk.advance(0, 0.002, 0.002, report);
    Vec<double, 9> lambda, gamma;
    walk.raw_values([&](const RawValue& what, std::span<const double> x) {
      if (what.name == "lambda") std::copy(x.begin(), x.end(), lambda.begin());
      if (what.name == "gamma") std::copy(x.begin(), x.end(), gamma.begin());
    });
    CHECK(written.residual(walk.state().p, lambda, gamma, 0.002) < 2e-13);  // g/h and G W p1: 141 a second
  }
  CHECK(std::abs(WrittenOut(false).defect(0.002)) < 1e-7);
  CHECK(std::abs(WrittenOut(true).defect(0.002)) > 0.1);
}

TEST_CASE("near_the_largest_step_the_small_root_is_found_or_none") {
  for (int k = 1; k <= 40; ++k) {
    const double omega_h = 0.5 * (1 - std::pow(0.7, k));
    const auto run = turn(omega_h, 2);
    CAPTURE(omega_h);
    if (run.report.outcome != RunOutcome::finished) continue;
    const double D = std::asin(2 * omega_h) / 2;
    CHECK(std::abs(std::atan2(run.rows[1].q[1], run.rows[1].q[0]) - D) < 1e-12 / std::sqrt(0.5 - omega_h));
  }
}

TEST_CASE("turning_points_of_damped_motions_are_no_other_roots_in_any_units") {
  // A pendulum with friction of the air; x in units of its own, `scale` times as large.
  for (const double scale : {1.0, 1000.0})
    for (const double damping : {0.1, 0.5, 2.0})
      for (const double speed : {0.5, 1.0, 2.0, 3.0}) {
        CAPTURE(damping);
        CAPTURE(speed);
        const auto run = march_stated(fmt::format(R"toml(
coordinates = ["x", "y"]
lagrangian  = "((x'/scale)^2 + y'^2)/2 - 9.81*y"
constraints = ["((x/scale)^2 + y^2 - 1)/2"]
forces      = ["-damping*x'/scale^2", "-damping*y'"]
parameters  = {{ scale = {}, damping = {} }}
)toml",
                                                  scale, damping),
                                      "ggl", {.q = {0, -1}, .v = {speed * scale, 0}, .step = 0.02, .steps = 1000});
        CHECK(run.report.outcome == RunOutcome::finished);
      }
}

// At rest where all coordinates are 0.
struct Bowl {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int constraint_degree = 2;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return dot(v, v) / 2 - 9.81 * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {q[1] - q[0] * q[0]};
  }
};

TEST_CASE_TEMPLATE("a_mass_at_rest_at_the_origin_stays_there", Method, Ggl, ClassicalGgl, EnergyMomentum) {
  const auto run = march(Bowl{}, Method{}, {.q = {0, 0}, .v = {0, 0}, .step = 0.01, .steps = 100});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CHECK(std::abs(run.rows.back().q[0]) + std::abs(run.rows.back().q[1]) < 1e-15);
}

// V = constant + x^4/4 and a force, both with time.
const std::string quartic = R"toml(
coordinates = ["x"]
lagrangian  = "x'^2/2 - constant - (1 + sin(3*t)/2)*x^4/4"
forces      = ["sin(2*t) + cos(x) - x'/4"]
parameters  = { constant = 0 }
)toml";

TEST_CASE("time_is_that_of_the_start_in_ggl_and_of_the_middle_in_energy_momentum") {
  check_order(
      stated_system(quartic, "energy-momentum", {.q = {0.8}, .v = {0.5}, .t0 = 0.3, .step = 0.01, .steps = 100}),
      "1/100,1/200", 2);
  // p1 = p0 - h V_q(t0,q0) + h F(t0,q0,v) , v = p1
  const double q = 0.8, h = 0.1, t = 0.3;
  const auto one = march_stated(quartic, "ggl", {.q = {q}, .v = {0.5}, .t0 = t, .step = h, .steps = 1});
  const double known = 0.5 - h * (1 + std::sin(3 * t) / 2) * q * q * q + h * (std::sin(2 * t) + std::cos(q));
  CHECK(std::abs(one.rows[1].p[0] - known / (1 + h / 4)) < 1e-15);
}

TEST_CASE("a_constant_in_the_potential_does_not_stop_energy_momentum") {
  for (const std::string constant : {"0", "1e4", "1e6", "1e8"}) {
    CAPTURE(constant);
    const auto run = march_stated(quartic, "energy-momentum", {.q = {0.8}, .v = {0.5}, .step = 0.01, .steps = 2000},
                                  {{"system.parameters.constant", constant}});
    CHECK(run.report.outcome == RunOutcome::finished);
  }
}

TEST_CASE("round_off_in_lambda_is_that_of_index_2") {
  // second differences of lambda_1, relative
  const auto jitter = [](const auto& method, double h) {
    const Lagrangian<Top> system(Top{});
    StartValues<Lagrangian<Top>> start(system);
    Top{}.start(start.q, start.v);
    REQUIRE(!start.make_consistent(false, {}));
    Walk<Lagrangian<Top>> walk(system, method, {});
    walk.start(0, start.q, start.p, start.v);
    StepReport report;
    std::vector<double> lambda;
    for (int n = 0; n < 50; ++n) {
      walk.advance(n * h, (n + 1) * h, h, report);
      walk.raw_values([&](const RawValue& what, std::span<const double> x) {
        if (what.name == "lambda") lambda.push_back(x[0]);
      });
    }
    double largest = 0;
    for (std::size_t n = 2; n < lambda.size(); ++n)
      largest = std::max(largest, std::abs((lambda[n] - 2 * lambda[n - 1] + lambda[n - 2]) / lambda[n]));
    return largest;
  };
  CHECK(jitter(Ggl{}, 1e-7) < 1e-7);
  CHECK(jitter(ConstrainedEuler{}, 1e-7) > 1e-5);
}

TEST_CASE("constraints_that_are_linear_hold_on_velocity_level") {
  const Lagrangian<Top> system(Top{});
  StartValues<Lagrangian<Top>> start(system);
  Top{}.start(start.q, start.v);
  REQUIRE(!start.make_consistent(false, {}));
  const auto largest = [&](const auto& method) {
    Walk<Lagrangian<Top>> walk(system, method, {});
    walk.start(0, start.q, start.p, start.v);
    StepReport report;
    double velocity = 0;
    for (int n = 0; n < 20; ++n) {
      walk.advance(0.002 * n, 0.002 * (n + 1), 0.002, report);
      const auto& p = walk.state().p;  // as it is carried
      for (int k = 0; k < 3; ++k)
        velocity = std::max(velocity, std::abs(p[k] / Top{}.m - Top{}.l * p[9 + k] / Top{}.E));
    }
    return velocity;
  };
  CHECK(largest(Ggl{}) < 1e-12);
  CHECK(largest(ConstrainedEuler{}) < 1e-12);
}
