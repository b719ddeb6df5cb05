// Projected variational Runge-Kutta methods: Kraus (2017), "Projected variational integrators for degenerate Lagrangian
// systems". Digits are those of an independent implementation in 113-bit arithmetic.
#include "livens/method/vprk.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "livens/math/jet.hpp"
#include "livens/run/step_of.hpp"
#include "system/problems.hpp"

namespace {

using namespace livens;
using Family = Vprk::Family;
using Projection = Vprk::Projection;

struct EqualVortices : Vortices {
  EqualVortices() { g2 = 0.1; }
};

// A run of a method, step by step, with what it remembers.
template <class Problem, class T = double>
struct Orbit {
  using System = Degenerate<Problem, T>;
  using Coordinates = typename System::Coordinates;

  Orbit(const Vprk& method, const Coordinates& q, double step)
      : h(step), x(system), v(q), stepper(make_step(system, method, method, {})) {
    start(q);
  }
  void start(const Coordinates& q) {
    x = State<System>(system);
    x.q = q;
    system.theta(q, x.p);
    DegenerateField<System>(system).velocity(q, v);
    REQUIRE(stepper->start(T(0), x, v));
  }
  Orbit& go(int steps) {
    for (int n = 0; n < steps; ++n) {
      stepper->advance(T(0), T(h), T(h), x, report);
      REQUIRE(succeeded(report.outcome));
    }
    return *this;
  }
  // max |p - theta(q)|
  double off() const {
    Coordinates theta(x.q);
    system.theta(x.q, theta);
    double largest = 0;
    for (int i = 0; i < theta.size(); ++i)
      largest = std::max(largest, std::abs(to_double(value_of(T(x.p[i] + x.p_remainder[i] - theta[i])))));
    return largest;
  }

  System system{Problem{}};
  double h;
  State<System> x;
  Coordinates v;
  std::unique_ptr<StepOf<System>> stepper;
  StepReport report;
};

const Vec<double, 2> prey{1, 1};
const Vec<double, 4> pair{1, 0.1, 1, -0.1}, crooked{0.8, 0.3, -0.4, 0.5};

template <int N>
double distance(const Vec<double, N>& a, const Vec<double, N>& b) {
  double largest = 0;
  for (int i = 0; i < N; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// D of the map q0 -> q1, or with canonical (q0,p0) -> (q1,p1), by jets.
template <class Problem, int N = Problem::coordinates>
std::vector<std::vector<double>> derivative(const Vprk& method, const Vec<double, N>& q, double h, bool canonical,
                                            Vec<double, N>* end = nullptr) {
  using J = Jet<double, 1>;
  using System = Degenerate<Problem, J>;
  const System system(Problem{});
  const int size = canonical ? 2 * N : N;
  std::vector<std::vector<double>> D(static_cast<std::size_t>(size),
                                     std::vector<double>(static_cast<std::size_t>(size)));
  for (int column = 0; column < size; ++column) {
    State<System> x(system);
    for (int i = 0; i < N; ++i) x.q[i] = i == column ? J::variable(q[i], 0) : J(q[i]);
    system.theta(x.q, x.p);
    if (canonical)
      for (int i = 0; i < N; ++i) x.p[i] = i + N == column ? J::variable(x.p[i].value, 0) : J(x.p[i].value);
    Vec<J, N> v;
    DegenerateField<System>(system).velocity(x.q, v);
    typename Vprk::Step<System> step(system, method, {});
    REQUIRE(step.start(J(0.0), x, v));
    StepReport report;
    step.advance(J(0.0), J(h), J(h), x, report);
    REQUIRE(succeeded(report.outcome));
    for (int i = 0; i < N; ++i) {
      D[static_cast<std::size_t>(i)][static_cast<std::size_t>(column)] = x.q[i].gradient[0];
      if (canonical)
        D[static_cast<std::size_t>(N + i)][static_cast<std::size_t>(column)] =
            x.p[i].gradient[0] + x.p_remainder[i].gradient[0];
      if (end) (*end)[i] = x.q[i].value;
    }
  }
  return D;
}

using Form = std::vector<std::vector<double>>;

double defect(const Form& D, const Form& before, const Form& after) {
  const std::size_t n = D.size();
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = -before[i][j];
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t l = 0; l < n; ++l) sum += D[k][i] * after[k][l] * D[l][j];
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

Form canonical_form(int n) {
  Form J(static_cast<std::size_t>(2 * n), std::vector<double>(static_cast<std::size_t>(2 * n)));
  for (int i = 0; i < n; ++i)
    J[static_cast<std::size_t>(i)][static_cast<std::size_t>(n + i)] = 1, J[static_cast<std::size_t>(n + i)]
                                                                          [static_cast<std::size_t>(i)] = -1;
  return J;
}

Form form_at(const Vec<double, 4>& q) {
  const Degenerate<EqualVortices> system(EqualVortices{});
  Vec<double, 4> theta;
  Mat<double, 4, 4> J, Om;
  system.theta_jacobian(q, theta, J);
  symplectic_matrix(J, Om);
  Form form(4, std::vector<double>(4));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) form[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = Om(i, j);
  return form;
}

double noncanonical_defect(const Vprk& method, double h) {
  Vec<double, 4> end;
  const Form D = derivative<EqualVortices>(method, crooked, h, false, &end);
  return defect(D, form_at(crooked), form_at(end));
}

}  // namespace

TEST_CASE("ten_steps_have_the_known_digits") {
  const auto vortices = [](const Vprk& method) { return Orbit<EqualVortices>(method, pair, 0.1).go(10).x.q; };
  CHECK(distance(vortices({.stages = 2}),
                 {0.9168302301572996, -0.147527560888755, 1.0695179228243003, -0.024164967423308}) < 2e-14);
  CHECK(distance(vortices({.tableau = Family::srk3, .stages = 3}),
                 {0.9168549186928217, -0.147564089094587, 1.0694968014888871, -0.024138935187240}) < 2e-14);
  const auto prey_of = [](const Vprk& method) { return Orbit<LotkaVolterra>(method, prey, 0.1).go(10).x.q; };
  CHECK(distance(prey_of({.stages = 1, .projection = Projection::none}), {0.4247843217068848, 1.4198148536186484}) <
        4e-15);
  for (const Projection any :
       {Projection::standard, Projection::symmetric, Projection::symplectic, Projection::midpoint})
    CHECK(distance(prey_of({.stages = 1, .projection = any}), {0.4247843217068848, 1.4187936412273279}) < 4e-15);
  CHECK(distance(prey_of({.tableau = Family::lobatto_IIIA}), {0.4241698871927416, 1.4218903822357915}) < 4e-15);
}

TEST_CASE("steps_with_sizes_known_when_compiling_are_those_without") {
  for (const Projection any : {Projection::none, Projection::standard, Projection::symmetric, Projection::midpoint})
    for (int s = 1; s <= 4; ++s) {
      const Vprk method{.stages = s, .projection = any};
      Orbit<EqualVortices> plain(method, pair, 0.1), known(method, pair, 0.1);
      known.stepper = make_fast_step(known.system, method, method, {});
      known.start(pair);
      CHECK(distance(plain.go(5).x.q, known.go(5).x.q) < 4e-15);
    }
}

TEST_CASE("lobatto_IIIB_IIIA_with_two_stages_is_the_midpoint_rule") {
  const Vprk gauss{.stages = 1, .projection = Projection::none};
  const Vprk lobatto{.tableau = Family::lobatto_IIIB, .projection = Projection::none};
  CHECK(distance(Orbit<EqualVortices>(gauss, pair, 0.1).go(20).x.q,
                 Orbit<EqualVortices>(lobatto, pair, 0.1).go(20).x.q) < 1e-13);
}

TEST_CASE("every_unprojected_pair_is_canonically_symplectic_on_and_off_the_constraint") {
  for (const Family family : {Family::gauss, Family::lobatto_IIIA, Family::lobatto_IIIB, Family::lobatto_IIIC,
                              Family::lobatto_IIID, Family::lobatto_IIIE, Family::srk3})
    for (const int s : {2, 3, 4}) {
      if (family == Family::srk3 && s != 3) continue;
      CAPTURE(static_cast<int>(family));
      CAPTURE(s);
      const Vprk method{.tableau = family, .stages = s, .projection = Projection::none};
      const Form D = derivative<EqualVortices>(method, crooked, 0.3, true);
      CHECK(defect(D, canonical_form(4), canonical_form(4)) < 1e-12);
    }
  const Vprk radau{.tableau = Family::radau_IIA, .projection = Projection::none};
  CHECK(defect(derivative<EqualVortices>(radau, crooked, 0.3, true), canonical_form(4), canonical_form(4)) > 1e-6);
}

TEST_CASE("the_two_form_of_q_is_kept_to_the_orders_of_the_projections") {
  struct Known {
    Family family;
    int s;
    Projection projection;
    double defect, order;
  };
  for (const Known& known :
       {Known{Family::gauss, 1, Projection::none, 1.3e-5, 2}, Known{Family::gauss, 1, Projection::standard, 7.9e-10, 4},
        Known{Family::gauss, 1, Projection::midpoint, 3.9e-8, 3}, Known{Family::srk3, 3, Projection::none, 1.3e-5, 2},
        Known{Family::gauss, 2, Projection::none, 5.2e-8, 3}}) {
    CAPTURE(static_cast<int>(known.projection));
    const Vprk method{.tableau = known.family, .stages = known.s, .projection = known.projection};
    const double first = noncanonical_defect(method, 0.4), second = noncanonical_defect(method, 0.2);
    CHECK(first > 0.8 * known.defect);
    CHECK(first < 1.25 * known.defect);
    CHECK(std::log2(first / second) == doctest::Approx(known.order).epsilon(0.12));
  }
  CHECK(noncanonical_defect({.stages = 1}, 0.4) < 4e-12);  // symmetric: 1.7e-12
}

TEST_CASE("symmetric_and_midpoint_projections_go_back_to_where_they_came_from") {
  const auto there_and_back = [](const Vprk& method) {
    Orbit<EqualVortices> orbit(method, crooked, 0.1);
    const auto end = orbit.go(1).x.q;
    Orbit<EqualVortices> back(method, end, -0.1);
    return distance(back.go(1).x.q, crooked);
  };
  for (const Family family : {Family::gauss, Family::lobatto_IIIA, Family::lobatto_IIIB, Family::lobatto_IIID,
                              Family::lobatto_IIIE, Family::srk3})
    for (const Projection projection : {Projection::symmetric, Projection::midpoint}) {
      CAPTURE(static_cast<int>(family));
      CHECK(there_and_back({.tableau = family, .stages = 3, .projection = projection}) < 1e-14);
    }
  CHECK(there_and_back({.stages = 1, .projection = Projection::standard}) > 4e-12);
  CHECK(there_and_back({.tableau = Family::lobatto_IIIC, .projection = Projection::symmetric}) > 1e-10);
}

TEST_CASE("the_symplectic_projection_is_the_unprojected_run_projected_at_its_end") {
  // R = -1: Gauss 3
  const Vprk symplectic{.stages = 3, .projection = Projection::symplectic};
  const Vprk none{.stages = 3, .projection = Projection::none};
  Orbit<EqualVortices> projected(symplectic, crooked, 0.2), free(none, crooked, 0.2);
  projected.go(40), free.go(40);
  EndProjection<Degenerate<EqualVortices>> end(free.system);
  StepReport report;
  end.solve(0.2, free.x.q, free.x.p, {}, report);
  REQUIRE(succeeded(report.outcome));
  for (int i = 0; i < 4; ++i) CHECK(std::abs(projected.x.q[i] - (free.x.q[i] + 0.2 * end.lam[i])) < 1e-13);
}

TEST_CASE("a_projected_step_ends_on_the_constraint_and_an_unprojected_one_does_not") {
  for (const Projection any :
       {Projection::standard, Projection::symmetric, Projection::symplectic, Projection::midpoint})
    CHECK(Orbit<EqualVortices>({.projection = any}, crooked, 0.2).go(3).off() < 1e-15);
  CHECK(Orbit<EqualVortices>({.projection = Projection::none}, crooked, 0.2).go(3).off() > 4e-9);
  // Radau IIA ends with its last stage
  CHECK(Orbit<EqualVortices>({.tableau = Family::radau_IIA, .projection = Projection::none}, crooked, 0.2).go(3).off() <
        1e-15);
}

TEST_CASE("with_the_wrong_sign_the_multiplier_of_the_midpoint_projection_drops_out") {
  Orbit<EqualVortices> orbit({.stages = 1, .projection = Projection::midpoint, .sign = 1}, crooked, 0.1);
  orbit.stepper->advance(0, 0.1, 0.1, orbit.x, orbit.report);
  CHECK(orbit.report.outcome == Outcome::singular_jacobian);
}

TEST_CASE("what_is_no_method_is_refused_in_words") {
  CHECK(Vprk{.tableau = Family::srk3}.inadmissible() == "stages = 2: srk3 has 3 stages");
  CHECK(Vprk{.tableau = Family::lobatto_IIIA, .stages = 1}.inadmissible() == "stages = 1: this tableau has at least 2");
  CHECK(Vprk{.tableau = Family::radau_IIA}.inadmissible().starts_with("radau-IIA ends on the constraint"));
  CHECK(Vprk{}.inadmissible().empty());
}

TEST_CASE("the_matrix_of_a_step_holds_all_second_derivatives") {
  // Jets find the derivative of a step with the matrix of its last correction; differences of steps do not know it. The
  // step is large: what theta'' adds to the matrix of a projection is lam, and lam is small otherwise.
  constexpr double h = 3, e = 1e-5;
  for (const Projection projection :
       {Projection::none, Projection::standard, Projection::symmetric, Projection::symplectic, Projection::midpoint}) {
    CAPTURE(static_cast<int>(projection));
    const Vprk method{.stages = 1, .projection = projection};
    const Form D = derivative<EqualVortices>(method, crooked, h, false);
    for (int column = 0; column < 4; ++column) {
      Vec<double, 4> left = crooked, right = crooked;
      left[column] -= e, right[column] += e;
      const auto a = Orbit<EqualVortices>(method, left, h).go(1).x.q,
                 b = Orbit<EqualVortices>(method, right, h).go(1).x.q;
      for (int i = 0; i < 4; ++i)
        CHECK(std::abs(D[static_cast<std::size_t>(i)][static_cast<std::size_t>(column)] - (b[i] - a[i]) / (2 * e)) <
              1e-8);
    }
  }
}
