// The equations of vprk, written down once more; the factor R; and orders. All in the widest scalar.
#include "method/vprk_orbit.hpp"

namespace {

using namespace livens;
using Family = Vprk::Family;
using Projection = Vprk::Projection;
using Square = Mat<Widest, 4, 4>;

Point combined(const Point& a, const Widest& factor, const Point& b) {
  Point sum = a;
  for (int c = 0; c < 4; ++c) sum[c] += factor * b[c];
  return sum;
}
Point along(const Point& at, const Point& lam) {  // J(at)^T lam
  Point theta, product;
  Square J;
  vortices.theta_jacobian(at, theta, J);
  multiply_transposed(J, lam, product);
  return product;
}
Point theta_of(const Point& q) {
  Point theta;
  vortices.theta(q, theta);
  return theta;
}

// How far a step from x0, with lam0 of the step before, is from the equations (1) to (4) at the top of vprk.hpp: of the
// stages, of their null vector, and of the end.
struct Residuals {
  double stages = 0, null = 0, end = 0;
};
Residuals residuals(const Vprk& method, Wide& orbit, const Point& q0, const Point& p0, const Point& lam0) {
  const RungeKuttaPair pair = pair_of(method.tableau, method.stages);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const Widest h(orbit.h), R(pair.R);
  const int s = method.stages;
  const std::vector<Point> V = orbit.unknowns();
  const Point &lam = orbit.lam(), &q1 = orbit.x.q, zero{};
  const bool none = method.projection == Projection::none, standard = method.projection == Projection::standard;
  const Point& before = method.projection == Projection::symplectic ? lam0 : method.is_coupled() ? lam : zero;

  const Point qb = combined(q0, h, before);
  Point qe = qb;  // qb'
  for (int i = 0; i < s; ++i) qe = combined(qe, h * pair.position.b[at(i)], V[at(i)]);
  const Point middle = combined(combined(Point{}, Widest(0.5), qb), Widest(0.5), qe);
  const bool midpoint = method.projection == Projection::midpoint;
  const Point pb = none ? p0 : combined(theta_of(q0), h, along(midpoint ? middle : q0, before));

  std::vector<Point> Q(at(s), qb), f(at(s));
  for (int i = 0; i < s; ++i) {
    for (int j = 0; j < s; ++j) Q[at(i)] = combined(Q[at(i)], h * pair.position.a(i, j), V[at(j)]);
    Point gradient;
    vortices.hamiltonian_gradient(Q[at(i)], gradient);
    f[at(i)] = combined(along(Q[at(i)], V[at(i)]), Widest(-1), gradient);
  }
  Residuals found;
  Point pe = pb, null{};
  for (int i = 0; i < s; ++i) {
    Point P = pb;
    for (int j = 0; j < s; ++j) P = combined(P, h * pair.momentum.a(i, j), f[at(j)]);
    if (method.has_null_vector()) {
      P = combined(P, -pair.null_vector[at(i)], V[at(s)]);
      null = combined(null, pair.position.b[at(i)] * pair.null_vector[at(i)], V[at(i)]);
    }
    found.stages = std::max(found.stages, distance(theta_of(Q[at(i)]), P));
    pe = combined(pe, h * pair.position.b[at(i)], f[at(i)]);
  }
  found.null = distance(null, zero);
  const Widest k = none ? Widest(0) : standard ? h : Widest(h * R);
  found.end = distance(q1, combined(qe, k, lam));
  const Point p1 = none ? orbit.momentum() : theta_of(q1);
  found.end = std::max(found.end, distance(p1, combined(pe, k, along(midpoint ? middle : q1, lam))));
  return found;
}

// ---- orders ---------------------------------------------------------------------------------------------------------

Point classical_runge_kutta(Point q, const Widest& time, int steps) {
  DegenerateField<Wide::System> field(vortices);
  const Widest h = time / steps;
  const auto velocity = [&](const Point& at) {
    Point v;
    field.velocity(at, v);
    return v;
  };
  for (int n = 0; n < steps; ++n) {
    const Point a = velocity(q), b = velocity(combined(q, h / 2, a)), c = velocity(combined(q, h / 2, b)),
                d = velocity(combined(q, h, c));
    for (int i = 0; i < 4; ++i) q[i] += h / 6 * (a[i] + 2 * (b[i] + c[i]) + d[i]);
  }
  return q;
}

// q(1), right to 3e-18: extrapolated.
Point solution() {
  const Point rough = classical_runge_kutta(side_by_side, 1, 1000), fine = classical_runge_kutta(side_by_side, 1, 2000);
  return combined(combined(Point{}, Widest(16) / 15, fine), Widest(-1) / 15, rough);
}

// Both slopes of the errors at time 1 with so many steps, twice and four times as many.
void check_order(const Vprk& method, int steps, const Point& exact) {
  const auto error = [&](int n) { return distance(Wide(method, side_by_side, 1.0 / n).go(n).x.q, exact); };
  const double a = error(steps), b = error(2 * steps), c = error(4 * steps);
  CHECK(std::abs(std::log2(a / b) - method.order()) < 0.26);
  CHECK(std::abs(std::log2(b / c) - method.order()) < 0.12);
}

}  // namespace

TEST_CASE("steps_solve_the_equations_as_they_are_written") {
  std::vector<Family> all = symmetric_pairs;
  all.insert(all.end(), {Family::lobatto_IIIC, Family::radau_IIA});
  for_methods(all, {1, 2, 3, 4}, all_projections, [](const Vprk& method) {
    Wide orbit(method, crooked, 1);
    for (int n = 0; n < 3; ++n) {
      const Point q0 = orbit.x.q, p0 = orbit.momentum(), lam0 = orbit.lam();
      orbit.go(1);
      const Residuals found = residuals(method, orbit, q0, p0, lam0);
      CHECK(found.stages < round_off);  // 0.25 of it, theta being 0.1
      CHECK(found.null < round_off);
      CHECK(found.end < 4 * round_off);
      CHECK((method.projection == Projection::none) == (distance(orbit.lam(), Point{}) == 0));
    }
  });
}

TEST_CASE("a_base_step_multiplies_the_distance_from_the_constraint_by_R") {
  const Point off{Widest(3e-6), Widest(-2e-6), Widest(1e-6), Widest(2e-6)};
  for_methods(symmetric_pairs, {1, 2, 3, 4}, {Projection::none}, [&](const Vprk& method) {
    Wide orbit(method, crooked, 1e-3);
    for (int i = 0; i < 4; ++i) orbit.x.p[i] += off[i];
    orbit.start();
    orbit.go(1);
    const Point p = orbit.momentum(), theta = orbit.theta();
    for (int i = 0; i < 4; ++i)  // but for O(h): 1.3e-4
      CHECK(std::abs(to_double((p[i] - theta[i]) / off[i]) - method.R()) < 3e-4);
  });
}

TEST_CASE("methods_have_their_orders" * doctest::test_suite("long")) {
  const Point exact = solution();
  const auto shows_late = [](const Vprk& method) {  // until then it looks like the order of the base step
    const bool none = method.projection == Projection::none, standard = method.projection == Projection::standard;
    return (method.tableau == Family::srk3 && (none || standard || method.projection == Projection::midpoint)) ||
           (method.tableau == Family::lobatto_IIIE && method.stages == 3 &&
            (standard || method.projection == Projection::midpoint)) ||
           (method.tableau == Family::lobatto_IIIB && method.stages == 3 && none);
  };
  for_methods(symmetric_pairs, {1, 2, 3}, all_projections, [&](const Vprk& method) {
    if (!shows_late(method) && method.order() > 0) check_order(method, 8, exact);
  });
  for_methods({Family::lobatto_IIIC}, {2, 3}, {Projection::symmetric, Projection::midpoint},
              [&](const Vprk& method) { check_order(method, 8, exact); });
  check_order({.tableau = Family::srk3, .stages = 3, .projection = Projection::none}, 32, exact);
  check_order({.tableau = Family::lobatto_IIIB, .stages = 3, .projection = Projection::none}, 32, exact);
  check_order({.tableau = Family::lobatto_IIIE, .stages = 4, .projection = Projection::standard}, 32, exact);
  for (const int s : {2, 3})
    check_order({.tableau = Family::radau_IIA, .stages = s, .projection = Projection::none}, 8, exact);
}
