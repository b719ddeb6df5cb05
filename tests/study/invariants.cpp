// Poincare integral invariants: Kraus (2017), section 5.6. Figures are those of an independent implementation.
#include "livens/study/invariants.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "livens/method/vprk.hpp"
#include "livens/study/studies.hpp"
#include "system/problems.hpp"

namespace {

using namespace livens;
using Projection = Vprk::Projection;

constexpr double two_pi = 2 * std::numbers::pi;

struct EqualVortices : Vortices {
  EqualVortices() { g2 = 0.1; }
};

// The ready problem, a few steps of it.
Model symmetric_field(const std::string& projection, int stages, int steps, int every = 1) {
  return load_model("symmetric-field", {{"method.projection", projection},
                                        {"method.stages", std::to_string(stages)},
                                        {"run.steps", std::to_string(steps)},
                                        {"run.every", std::to_string(every)}});
}

// A loop and a surface of two vortices, and a loop of guiding centres, where symmetric projection does not keep the
// noncanonical forms.
Vec<double, 4> vortices_on_loop(double, double tau) {
  const double c = 0.05 * std::cos(two_pi * tau), s = 0.05 * std::sin(two_pi * tau);
  return {0.8 + c, 0.3 + s, -0.4 + s, 0.5 - c / 2};
}
Vec<double, 4> vortices_on_surface(double sigma, double tau) {
  return {0.8 + 0.05 * sigma, 0.3 + 0.05 * tau, -0.4 + 0.05 * tau, 0.5 - 0.05 * sigma * tau};
}
Vec<double, 4> guiding_centres_on_loop(double, double tau) {
  const double c = 0.05 * std::cos(two_pi * tau), s = 0.05 * std::sin(two_pi * tau);
  return {2.5 + c, s, s, 0.34 + 0.1 * c};
}

Vec<double, 4> guiding_centres_on_surface(double sigma, double tau) {
  return {2.5 + 0.05 * sigma, 0.05 * tau, 0.05 * sigma * tau, 0.34};
}

template <class Problem, class Integral, class At>
Invariant carried(const Vprk& method, const Integral& integral, const At& at, double h, long long steps,
                  std::size_t threads = 2) {
  using System = Degenerate<Problem>;
  InvariantStudy<System, Integral> study(
      System(Problem{}), [&](const System& own) { return make_step(own, method, method, {}); }, integral,
      {.step = h, .steps = steps}, threads);
  const auto parameters = integral.parameters();
  return study.run([&](std::size_t k) { return at(parameters[k].front(), parameters[k].back()); });
}

}  // namespace

TEST_CASE("invariants_of_the_symmetric_field_begin_with_their_known_values") {
  const InvariantsStudy study = study_invariants(symmetric_field("symmetric", 2, 1));
  CHECK(study.first->noncanonical.value.front() == doctest::Approx(0.52700216763968786).epsilon(2e-15).scale(0));
  CHECK(study.second->noncanonical.value.front() == doctest::Approx(0.01 * (1 + 0.01 / 6)).epsilon(1e-14).scale(0));
  CHECK(study.first->t == std::vector<double>{0, 10});
  CHECK(study.failures.empty());
  // where p = theta(q) all forms are one, sign and orientation included
  const InvariantsStudy none = study_invariants(symmetric_field("none", 2, 1)),
                        symplectic = study_invariants(symmetric_field("symplectic", 2, 1));
  CHECK(none.first->canonical->value.front() == doctest::Approx(0.52700216763968786).epsilon(2e-15).scale(0));
  CHECK(none.second->canonical->value.front() == doctest::Approx(0.01 * (1 + 0.01 / 6)).epsilon(1e-14).scale(0));
  CHECK(symplectic.second->corrected->value.front() == doctest::Approx(0.01 * (1 + 0.01 / 6)).epsilon(1e-14).scale(0));
}

TEST_CASE("projections_change_the_invariants_of_the_symmetric_field_as_much_as_is_known") {
  // 100 steps; after 1000 the standard projection has gone ten times as far
  const auto change = [](const std::string& projection, int stages) {
    return study_invariants(symmetric_field(projection, stages, 100, 100));
  };
  const auto first = [](const InvariantsStudy& study) { return study.first->noncanonical.largest_change(); };
  const auto none = change("none", 1), fine = change("none", 2), standard = change("standard", 1),
             symplectic = change("symplectic", 1);
  CHECK(first(none) == doctest::Approx(7.1e-4).epsilon(0.01).scale(0));
  CHECK(first(fine) == doctest::Approx(5.4e-7).epsilon(0.02).scale(0));
  CHECK(first(standard) == doctest::Approx(2.64e-5).epsilon(0.01).scale(0));
  CHECK(first(symplectic) == doctest::Approx(1.9e-7).epsilon(0.01).scale(0));
  CHECK(first(change("symmetric", 1)) < 4e-13);
  CHECK(first(change("midpoint", 1)) < 4e-13);
  CHECK(none.first->canonical->largest_change() < 4e-13);
  CHECK(none.second->canonical->largest_change() < 4e-14);
  CHECK(symplectic.first->corrected->largest_change() < 4e-13);
  CHECK(symplectic.second->corrected->largest_change() < 4e-14);
  CHECK_FALSE(none.first->corrected);
  CHECK_FALSE(symplectic.first->canonical);
}

TEST_CASE("what_the_symplectic_projection_leaves_unsolved_does_not_add_up") {
  // A drift, quadratic in time, where the end projection is solved to round-off only and not below.
  const Model model = load_model("symmetric-field", {{"method.projection", "symplectic"},
                                                     {"method.stages", "1"},
                                                     {"run.steps", "500"},
                                                     {"run.every", "100"},
                                                     {"surface.points", "3"}});
  CHECK(study_invariants(model).first->corrected->largest_change() < 4e-12);  // 3e-11 without margin()
}

TEST_CASE("symmetric_projection_is_not_symplectic_and_symplectic_projection_keeps_its_corrected_form") {
  const auto with = [](Projection projection) { return Vprk{.stages = 1, .projection = projection}; };
  const auto check = [&](const auto& run, double lost, double kept) {
    CHECK(run(Projection::none).noncanonical.largest_change() > 10 * lost);
    CHECK(run(Projection::none).canonical->largest_change() < kept);
    CHECK(run(Projection::symmetric).noncanonical.largest_change() > lost);
    CHECK(run(Projection::midpoint).noncanonical.largest_change() > lost);
    CHECK(run(Projection::symplectic).noncanonical.largest_change() > lost);
    CHECK(run(Projection::symplectic).corrected->largest_change() < kept);
  };
  SUBCASE("vortices, loop") {
    const LoopIntegral<double> loop(64);
    check([&](Projection p) { return carried<EqualVortices>(with(p), loop, vortices_on_loop, 2, 8); }, 1e-7, 1e-14);
  }
  SUBCASE("vortices, surface") {
    const SurfaceIntegral<double> surface(14, 14);
    check([&](Projection p) { return carried<EqualVortices>(with(p), surface, vortices_on_surface, 2, 8); }, 1e-7,
          2e-14);
  }
  SUBCASE("guiding centre in a tokamak") {
    const LoopIntegral<double> loop(96);
    check([&](Projection p) { return carried<GuidingCentre>(with(p), loop, guiding_centres_on_loop, 5, 10); }, 1e-5,
          2e-14);
  }
}

TEST_CASE("figures_of_too_few_points_are_told_as_not_resolved") {
  // A tokamak draws loop and surface out; the corrected form, which is kept, shows the error of the integrals.
  const Vprk method{.stages = 1, .projection = Projection::symplectic};
  const auto check = [&](const auto& integral, const auto& at, long long steps, std::size_t resolved) {
    const Invariant study = carried<GuidingCentre>(method, integral, at, 5, steps);
    CHECK(study.t.size() == static_cast<std::size_t>(steps) + 1);
    CHECK(study.resolved() == resolved);
    CHECK(study.corrected->resolved == resolved);
    CHECK(study.corrected->largest_change() < 1e-12);
    return std::abs(study.corrected->change.back());
  };
  SUBCASE("surface") {
    CHECK(check(SurfaceIntegral<double>(12, 12), guiding_centres_on_surface, 20, 14) > 0.05);
    CHECK(check(SurfaceIntegral<double>(24, 24), guiding_centres_on_surface, 20, 17) > 1e-6);
    CHECK(check(SurfaceIntegral<double>(48, 48), guiding_centres_on_surface, 18, 19) < 1e-12);
    // one parameter with too few is enough
    CHECK(check(SurfaceIntegral<double>(12, 48), guiding_centres_on_surface, 20, 14) > 1e-6);
  }
  SUBCASE("loop") {
    CHECK(check(LoopIntegral<double>(24), guiding_centres_on_loop, 20, 15) > 0.01);
    CHECK(check(LoopIntegral<double>(96), guiding_centres_on_loop, 30, 20) > 1);
    CHECK(check(LoopIntegral<double>(97), guiding_centres_on_loop, 30, 20) > 1);
    CHECK(check(LoopIntegral<double>(384), guiding_centres_on_loop, 20, 21) < 1e-12);
  }
}

TEST_CASE("coordinates_that_do_not_vary_along_a_loop_or_surface_are_resolved") {
  // round-off is all that stands in their modes, upper and lower
  const auto loop = [](double, double tau) {
    return Vec<double, 4>{0.8 + 0.05 * std::cos(two_pi * tau), 0.3 + 0.05 * std::sin(two_pi * tau), -0.4, 0.5};
  };
  const auto surface = [](double sigma, double tau) {
    return Vec<double, 4>{0.8 + 0.05 * sigma, 0.3 + 0.05 * tau, -0.4, 0.5};
  };
  const Vprk method{.stages = 2, .projection = Projection::symplectic};
  CHECK(carried<EqualVortices>(method, LoopIntegral<double>(64), loop, 0.1, 50).resolved() == 51);
  CHECK(carried<EqualVortices>(method, SurfaceIntegral<double>(16, 24), surface, 0.1, 50).resolved() == 51);
}

TEST_CASE("a_canonical_form_is_there_where_a_momentum_is_carried_that_is_not_theta") {
  for (const Vprk& method : {Vprk{.projection = Projection::none}, Vprk{.projection = Projection::symmetric},
                             Vprk{.tableau = Vprk::Family::radau_IIA, .projection = Projection::none}}) {
    const Invariant study = carried<EqualVortices>(method, LoopIntegral<double>(24), vortices_on_loop, 0.5, 1);
    CHECK(study.canonical.has_value() == !method.traits().carries_final_momentum);
  }
}

TEST_CASE("the_corrected_two_form_is_the_one_written_out_with_a_plus") {
  // Om(q_s, q_t) - h^2 Om(lam_s, lam_t) + h^2 (q_s.T lam_t - q_t.T lam_s), T = sum_k lam_k D2 theta_k
  using System = Degenerate<EqualVortices>;
  const double h = 2;
  const long long steps = 3;
  const Vprk method{.stages = 1, .projection = Projection::symplectic};
  const SurfaceIntegral<double> integral(14, 12);
  const Invariant study = carried<EqualVortices>(method, integral, vortices_on_surface, h, steps);

  const System system(EqualVortices{});
  std::vector<Vec<double, 4>> q, lam;
  for (const auto& at : integral.parameters()) {
    Walk<System> walk(system, method, {});
    Vec<double, 4> p;
    const Vec<double, 4> start = vortices_on_surface(at.front(), at.back());
    system.theta(start, p);
    REQUIRE(succeeded(walk.start(0, start, p, p)));
    StepReport report;
    for (long long n = 0; n < steps; ++n) walk.advance(0, h, h, report);
    q.push_back(walk.q());
    walk.raw_values([&](const RawValue& what, const auto& values) {
      if (what.name == "lambda") lam.push_back({values[0], values[1], values[2], values[3]});
    });
  }
  const ChebyshevRule<double> sigma(14), tau(12);
  const auto slope = [&](const std::vector<Vec<double, 4>>& x, std::size_t a, std::size_t b, bool by_sigma) {
    Vec<double, 4> sum{0, 0, 0, 0};
    const ChebyshevRule<double>& rule = by_sigma ? sigma : tau;
    for (std::size_t j = 0; j < rule.nodes().size(); ++j)
      for (int c = 0; c < 4; ++c)
        sum[c] += rule.derivative()(static_cast<int>(by_sigma ? a : b), static_cast<int>(j)) *
                  x[by_sigma ? j * 12 + b : a * 12 + j][c];
    return sum;
  };
  double plus = 0, minus = 0;
  for (std::size_t a = 0; a < 14; ++a)
    for (std::size_t b = 0; b < 12; ++b) {
      Vec<double, 4> theta;
      Mat<double, 4, 4> J, Om, T;
      const std::size_t k = a * 12 + b;
      system.theta_jacobian(q[k], theta, J);
      symplectic_matrix(J, Om);
      system.theta_curvature(q[k], lam[k], T);
      const auto qs = slope(q, a, b, true), qt = slope(q, a, b, false), ls = slope(lam, a, b, true),
                 lt = slope(lam, a, b, false);
      double even = 0, mixed = 0;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          even += Om(i, j) * (qs[i] * qt[j] - h * h * ls[i] * lt[j]);
          mixed += h * h * T(i, j) * (qs[i] * lt[j] - qt[i] * ls[j]);
        }
      const double weight = sigma.weights()[a] * tau.weights()[b];
      plus += weight * (even + mixed), minus += weight * (even - mixed);
    }
  const double start = study.corrected->value.front();
  CHECK(std::abs(plus - study.corrected->value.back()) < 1e-12 * std::abs(start));
  CHECK(std::abs(minus - start) > 1e-7 * std::abs(start));
}

TEST_CASE("a_walk_that_starts_again_has_forgotten_its_multiplier") {
  using System = Degenerate<EqualVortices>;
  const System system(EqualVortices{});
  const Vec<double, 4> start = vortices_on_loop(0, 0);
  Vec<double, 4> p;
  system.theta(start, p);
  Walk<System> walk(system, Vprk{.stages = 1, .projection = Projection::symplectic}, {});
  StepReport report;
  const auto go = [&](int steps) {
    REQUIRE(succeeded(walk.start(0, start, p, p)));
    for (int n = 0; n < steps; ++n) walk.advance(0, 2, 2, report);
    return walk.q();
  };
  const Vec<double, 4> once = go(3);
  CHECK(go(3) == once);
}

TEST_CASE("the_number_of_threads_does_not_change_a_bit") {
  const auto values = [](std::size_t threads) {
    const Vprk method{.stages = 2, .projection = Projection::symplectic};
    const Invariant study =
        carried<EqualVortices>(method, SurfaceIntegral<double>(5, 6), vortices_on_surface, 0.5, 20, threads);
    return std::pair(study.noncanonical.value, study.corrected->value);
  };
  const auto one = values(1);
  CHECK(values(2) == one);
  CHECK(values(7) == one);
  // formulas, which have registers of their own
  const Model model = symmetric_field("symplectic", 2, 20);
  CHECK(study_invariants(model, {.threads = 1}).first->corrected->value ==
        study_invariants(model, {.threads = 3}).first->corrected->value);
}

TEST_CASE("records_stand_at_every_nth_step_and_at_the_last") {
  const InvariantsStudy study = study_invariants(symmetric_field("symmetric", 1, 10, 4));
  CHECK(study.first->t == std::vector<double>{0, 40, 80, 100});
  CHECK(study.second->noncanonical.value.size() == 4);
}

TEST_CASE("a_step_that_fails_at_one_point_ends_the_study_before_it") {
  // Lotka-Volterra with steps too large for the outer points of the loop
  const auto at = [](double, double tau) {
    return Vec<double, 2>{1.6 + 1.5 * std::cos(two_pi * tau), 2.1 + 2 * std::sin(two_pi * tau)};
  };
  for (const std::size_t threads : {std::size_t{1}, std::size_t{3}}) {
    const Invariant study = carried<LotkaVolterra>(Vprk{.stages = 1}, LoopIntegral<double>(40), at, 1.5, 200, threads);
    REQUIRE(study.failure);
    CHECK(study.failure->step > 0);
    CHECK(study.t.size() == static_cast<std::size_t>(study.failure->step));  // the start and the steps before
    CHECK(study.noncanonical.value.size() == study.t.size());
    const Invariant again = carried<LotkaVolterra>(Vprk{.stages = 1}, LoopIntegral<double>(40), at, 1.5, 200, 2);
    CHECK(again.failure->point == study.failure->point);
    CHECK(again.noncanonical.value == study.noncanonical.value);
  }
}

TEST_CASE("an_invariant_that_is_zero_changes_relative_to_its_terms") {
  const auto there_and_back = [](double, double tau) {  // encloses nothing
    return Vec<double, 4>{0.8 + 0.2 * std::cos(two_pi * tau), 0.3, -0.4, 0.5};
  };
  const Invariant study = carried<EqualVortices>(Vprk{.stages = 2}, LoopIntegral<double>(48), there_and_back, 0.1, 5);
  CHECK(std::abs(study.noncanonical.value.front()) < 1e-17);
  CHECK(study.noncanonical.unit > 1e-4);
  CHECK(study.noncanonical.largest_change() < 1e-13);
}

#if LIVENS_QUAD
TEST_CASE("quad_precision_keeps_the_canonical_form_to_its_own_round_off") {
  Model model = load_model("symmetric-field", {{"method.projection", "none"},
                                               {"run.steps", "3"},
                                               {"run.precision", "quad"},
                                               {"loop.points", "60"},
                                               {"surface.points", "24"}});
  const InvariantsStudy study = study_invariants(model);
  CHECK(study.first->canonical->largest_change() < 1e-29);
  CHECK(study.first->canonical->largest_change() > 0);
}
#endif
