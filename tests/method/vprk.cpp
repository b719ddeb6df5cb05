// Projected variational Runge-Kutta methods: Kraus (2017), "Projected variational integrators for degenerate Lagrangian
// systems". Digits are those of an independent implementation in 113-bit arithmetic.
#include "livens/method/vprk.hpp"

#include "livens/math/jet.hpp"
#include "method/vprk_orbit.hpp"

namespace {

using namespace livens;
using Family = Vprk::Family;
using Projection = Vprk::Projection;
using Plain = Vec<double, 4>;

const Vec<double, 2> prey{1, 1};
const Plain pair{1, 0.1, 1, -0.1}, apart{0.8, 0.3, -0.4, 0.5};
const std::vector<Projection> projected{Projection::standard, Projection::symmetric, Projection::symplectic,
                                        Projection::midpoint};

// D of the map q0 -> q1 by jets.
template <class Problem>
Table<double> derivative(const Vprk& method, const Plain& q, double h) {
  using J = Jet<double, 1>;
  Table<double> D = zeros<double>(4);
  for (int column = 0; column < 4; ++column) {
    Vec<J, 4> start;
    for (int i = 0; i < 4; ++i) start[i] = i == column ? J::variable(q[i], 0) : J(q[i]);
    Orbit<Problem, J> orbit(method, start, h);
    orbit.go(1);
    for (int i = 0; i < 4; ++i)
      D[static_cast<std::size_t>(i)][static_cast<std::size_t>(column)] = orbit.x.q[i].gradient[0];
  }
  return D;
}

}  // namespace

TEST_CASE("runs_have_the_known_digits") {
  const auto check = []<class Problem>(Orbit<Problem>&& orbit, int steps, const Vec<double, Problem::coordinates>& q,
                                       const Vec<double, Problem::coordinates>& lam) {
    CHECK(distance(orbit.go(steps).x.q, q) < 1e-13);
    CHECK(distance(orbit.lam(), lam) < 1e-13);
  };
  using Prey = Orbit<LotkaVolterra>;
  check(Prey({.stages = 1, .projection = Projection::none}, prey, 0.1), 10, {0.4247843217068848, 1.4198148536186484},
        {});
  check(Prey({.tableau = Family::lobatto_IIIA}, prey, 0.1), 10, {0.4241698871927416, 1.4218903822357916},
        {-0.0127984960084, -0.042291718651});
  check(Prey({.tableau = Family::lobatto_IIIE, .stages = 3, .projection = Projection::standard}, prey, 0.1), 100,
        {0.5305661330741793, 1.1996004990662676}, {0, 0.0148303933298});

  using Two = Orbit<EqualVortices>;
  check(Two({.stages = 2}, pair, 0.1), 100,
        {0.6879495185632648, -0.8290663416689802, 0.6624015517950264, -0.6354564034686969},
        {8.66626352774e-06, -1.0910603469e-05, 8.87855836575e-06, -4.18799417378e-06});
  check(Two({.stages = 6}, pair, 0.1), 10,
        {0.9168283705581218, -0.14752483777708053, 1.0695195107103057, -0.024166911588396154},
        {-7.25642825511e-12, -2.71226153757e-11, -3.82855243835e-12, -3.44942261242e-12});
  check(Two({.tableau = Family::srk3, .stages = 3}, pair, 0.1), 10,
        {0.9168549186928218, -0.14756408909458765, 1.0694968014888873, -0.02413893518724017},
        {0.000544206173276, -0.000430028440996, 0.000183536919244, -9.34233116626e-05});
  check(Two({.tableau = Family::lobatto_IIIA, .stages = 3, .projection = Projection::symplectic}, pair, 0.1), 100,
        {0.6878877499202978, -0.8290739244043521, 0.6624846748832725, -0.6354402183478276},
        {-1.01455610737e-05, -4.85897082089e-05, 0.000120255827197, 5.87932104691e-05});
  check(Two({.tableau = Family::lobatto_IIIB, .stages = 2, .projection = Projection::midpoint}, pair, 0.1), 10,
        {0.9179286822190211, -0.14918399468093924, 1.0685695979040175, -0.023061968292229975},
        {0.000556019209188, -0.000439899093546, 0.00019274258812, -9.58645006195e-05});
  check(Two({.tableau = Family::lobatto_IIID, .stages = 4, .projection = Projection::standard}, pair, 0.1), 10,
        {0.9168283690782024, -0.1475248355861102, 1.069519511975736, -0.02416691317847268},
        {-1.62513034491e-08, 1.52546523865e-08, 9.12726162264e-09, 4.10433335731e-09});
  check(Two({.tableau = Family::radau_IIA, .projection = Projection::none}, pair, 0.1), 10,
        {0.9169051318520385, -0.1475679459083451, 1.0694547862018409, -0.024135372885649167}, {});

  using Tokamak = Orbit<GuidingCentre>;
  check(Tokamak({.stages = 2}, {2.5, 0, 0, 0.3425}, 2.5), 10,
        {1.5489844149983059, 0.6427137840717614, -3.715231580387502, 0.25758125290600226},
        {-4.49287948692e-06, 1.15982436865e-05, -2.5640306753e-07, 8.91156513366e-06});
  check(Tokamak({.stages = 3, .projection = Projection::midpoint}, {2.5, 0, 0, 0.1}, 5), 50,
        {2.494873791522435, 0.08496775343336195, 1.2210406959856526, 0.09914169847054137},
        {-1.73466677485e-08, -9.51450293419e-09, -4.0039587692e-10, -8.88346618716e-08});
  const Vprk symplectic{.tableau = Family::lobatto_IIIB, .stages = 3, .projection = Projection::symplectic};
  check(Tokamak(symplectic, {2.5, 0, 0, 0.5}, 2.5), 10,
        {1.0588545918690873, 0.22934686534358886, -6.57382150451826, 0.3691587612280901},
        {-1.76747644709e-05, 1.33128897048e-06, 6.61260608194e-07, 7.4673783714e-05});
}

TEST_CASE("steps_with_sizes_known_when_compiling_are_those_without") {
  for_methods({Family::gauss}, {1, 2, 3, 4}, all_projections, [](const Vprk& method) {
    const Plain known = method.with_step<Degenerate<EqualVortices>>([&]<class Step>(std::type_identity<Step>) -> Plain {
      return Orbit<EqualVortices, double, Step>(method, pair, 0.1).go(5).x.q;
    });
    CHECK(distance(known, Orbit<EqualVortices>(method, pair, 0.1).go(5).x.q) < 4e-15);
  });
}

TEST_CASE("on_lotka_volterra_all_projections_are_the_same_where_theta_2_is_kept") {
  // theta_2 = q_1 is linear: with a = abar, and with IIIB-IIIA, p_2 = q_1 stays, and lam has no first component.
  const auto end = [](Vprk method, Projection projection) {
    method.projection = projection;
    Orbit<LotkaVolterra> orbit(method, prey, 0.1);
    orbit.go(200);
    if (projection != Projection::none && method.tableau != Family::lobatto_IIIA)
      CHECK(std::abs(orbit.lam()[0]) < 1e-13);  // 2e-14
    return orbit.x.q;
  };
  for_methods(symmetric_pairs, {1, 2, 3, 4}, {Projection::standard}, [&](const Vprk& method) {
    if (method.tableau == Family::lobatto_IIIA) return;
    const auto standard = end(method, Projection::standard);
    for (const Projection other : projected) CHECK(distance(standard, end(method, other)) < 1e-13);  // 4e-14
    CHECK(distance(standard, end(method, Projection::none)) > 5e-8);
  });
  const Vprk IIIA{.tableau = Family::lobatto_IIIA, .stages = 3};
  CHECK(distance(end(IIIA, Projection::standard), end(IIIA, Projection::symmetric)) > 1e-7);
}

TEST_CASE("the_toroidal_momentum_of_the_guiding_centre_is_kept") {
  // Largest change of p_3 and of theta_3(q) in 100 steps.
  const auto changes = [](const Vprk& method) {
    Orbit<GuidingCentre> orbit(method, {2.5, 0, 0, 0.3425}, 2.5);
    const double start = orbit.x.p[2];
    std::pair<double, double> largest;
    for (int n = 0; n < 100; ++n) {
      orbit.go(1);
      largest.first = std::max(largest.first, std::abs(orbit.momentum()[2] - start));
      largest.second = std::max(largest.second, std::abs(orbit.theta()[2] - start));
    }
    return largest;
  };
  for_methods(symmetric_pairs, {1, 2, 3}, all_projections, [&](const Vprk& method) {
    const auto [p, theta] = changes(method);
    const bool none = method.projection == Projection::none;
    CHECK(p < (none ? 1e-300 : 2e-13));  // nothing; 6e-14, IIIE 3 symplectic
    // The last stage of IIIA is the end.
    CHECK((theta > 5e-6) == (none && method.tableau != Family::lobatto_IIIA));
  });
}

TEST_CASE("lobatto_IIIC_where_a_component_of_theta_vanishes_is_singular") {
  for (const Projection decoupled : {Projection::none, Projection::standard, Projection::symplectic}) {
    Orbit<GuidingCentre> orbit({.tableau = Family::lobatto_IIIC, .projection = decoupled}, {2.5, 0, 0, 0.3425}, 2.5);
    orbit.step.advance(0, 2.5, 2.5, orbit.x, orbit.report);
    CHECK(orbit.report.outcome == Outcome::singular_jacobian);
  }
}

TEST_CASE("an_unprojected_step_ends_off_the_constraint") {  // projected ones: vprk_equations.cpp
  CHECK(Orbit<EqualVortices>({.projection = Projection::none}, apart, 0.2).go(3).off() > 4e-9);
}

TEST_CASE("radau_IIA_ends_on_the_constraint_and_loses_energy_where_gauss_does_not") {
  for (const int s : {2, 3}) {
    Orbit<EqualVortices> radau({.tableau = Family::radau_IIA, .stages = s, .projection = Projection::none}, pair, 0.1);
    Orbit<EqualVortices> gauss({.stages = s}, pair, 0.1);
    const double start = radau.energy();
    double last = start;
    for (int n = 0; n < 200; ++n) {
      CHECK(radau.go(1).off() < 1e-15);
      CHECK(radau.energy() < last);
      last = radau.energy();
    }
    CHECK(start - last == doctest::Approx(s == 2 ? 8.9e-5 : 4.9e-8).epsilon(0.02).scale(0));
    CHECK(std::abs(gauss.go(200).energy() - start) < 1e-2 * (start - last));
  }
}

TEST_CASE("with_the_wrong_sign_the_multiplier_of_the_midpoint_projection_drops_out") {
  Orbit<EqualVortices> orbit({.stages = 1, .projection = Projection::midpoint, .sign = 1}, apart, 0.1);
  orbit.step.advance(0, 0.1, 0.1, orbit.x, orbit.report);
  CHECK(orbit.report.outcome == Outcome::singular_jacobian);
}

TEST_CASE("what_is_no_method_is_refused_in_words") {
  CHECK(Vprk{.tableau = Family::srk3}.inadmissible() == "stages = 2: srk3 has 3 stages");
  CHECK(Vprk{.tableau = Family::lobatto_IIIA, .stages = 1}.inadmissible() == "stages = 1: this tableau has at least 2");
  CHECK(Vprk{.tableau = Family::radau_IIA}.inadmissible().starts_with("radau-IIA ends on the constraint"));
  CHECK(Vprk{.sign = 5}.inadmissible() == "sign = 5: it is 1 or -1, or 0 for that of R");
  CHECK(Vprk{}.inadmissible().empty());
  const Degenerate<EqualVortices> system(EqualVortices{});
  CHECK_THROWS_WITH_AS(Vprk::Step<Degenerate<EqualVortices>>(system, Vprk{.stages = -3}, {}),
                       "vprk: stages = -3: this tableau has at least 1", std::invalid_argument);
}

TEST_CASE("the_matrix_of_a_step_holds_all_second_derivatives") {
  // Jets find the derivative of a step with the matrix of its last correction; differences of steps do not know it. The
  // step is large: what theta'' adds to the matrix of a projection is lam, and lam is small otherwise. R: -1, 1, -1, 1
  constexpr double h = 3, e = 1e-5;
  for_methods({Family::gauss, Family::lobatto_IIIA}, {1, 2, 3}, all_projections, [&](const Vprk& method) {
    const Table<double> D = derivative<EqualVortices>(method, apart, h);
    for (int column = 0; column < 4; ++column) {
      Plain left = apart, right = apart;
      left[column] -= e, right[column] += e;
      const auto a = Orbit<EqualVortices>(method, left, h).go(1).x.q,
                 b = Orbit<EqualVortices>(method, right, h).go(1).x.q;
      for (int i = 0; i < 4; ++i)
        CHECK(std::abs(D[static_cast<std::size_t>(i)][static_cast<std::size_t>(column)] - (b[i] - a[i]) / (2 * e)) <
              1e-8);
    }
  });
}
