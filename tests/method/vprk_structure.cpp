// What vprk promises: Kraus (2017), "Projected variational integrators for degenerate Lagrangian systems", sections 3
// and 4, each claim with the figures of an independent implementation in 113-bit arithmetic. Here, too, all is computed
// in the widest scalar, derivatives of steps by differences.
#include "method/vprk_orbit.hpp"

namespace {

using namespace livens;
using Family = Vprk::Family;
using Projection = Vprk::Projection;
using Square = Mat<Widest, 4, 4>;
using Numbers = std::vector<Widest>;
using Form = Table<Widest>;

const double differences = LIVENS_QUAD ? 3e-24 : 3e-12;  // left of a defect that is none: measured 1.2e-24, IIIC

// D of map: z -> z', with an error of e^4.
template <class Map>
Form derivative(const Map& map, const Numbers& z) {
  const Widest e(LIVENS_QUAD ? 3e-8 : 3e-5);
  Form D = zeros<Widest>(static_cast<int>(z.size()));
  for (std::size_t column = 0; column < z.size(); ++column) {
    const auto moved = [&](int by) {
      Numbers x = z;
      x[column] += by * e;
      return map(x);
    };
    const auto a = moved(-2), b = moved(-1), c = moved(1), d = moved(2);
    for (std::size_t i = 0; i < z.size(); ++i) D[i][column] = (a[i] - d[i] + 8 * (c[i] - b[i])) / (12 * e);
  }
  return D;
}

// max |D^T after D - before|
double defect(const Form& D, const Form& before, const Form& after) {
  const std::size_t n = D.size();
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Widest sum = -before[i][j];
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t l = 0; l < n; ++l) sum += D[k][i] * after[k][l] * D[l][j];
      largest = std::max(largest, std::abs(to_double(sum)));
    }
  return largest;
}

Point point_of(const Numbers& z, int from = 0) {
  Point p;
  for (int i = 0; i < 4; ++i) p[i] = z[static_cast<std::size_t>(from + i)];
  return p;
}
Numbers numbers_of(const Point& a) {
  return {a.begin(), a.end()};
}
Numbers numbers_of(const Point& a, const Point& b) {
  Numbers z = numbers_of(a);
  z.insert(z.end(), b.begin(), b.end());
  return z;
}

// Om(q); or [[Om, sign h^2 T], [-sign h^2 T, -h^2 Om]] of (q, lam), T = sum_k lam_k D2 theta_k
Form form_at(const Numbers& z, double h = 0, int sign = 0) {
  const int n = static_cast<int>(z.size());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  Point theta;
  Square J, Om, T;
  vortices.theta_jacobian(point_of(z), theta, J);
  symplectic_matrix(J, Om);
  if (n == 8) vortices.theta_curvature(point_of(z), point_of(z, 4), T);
  Form form = zeros<Widest>(n);
  const Widest hh = Widest(h) * Widest(h);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      form[at(i)][at(j)] = Om(i, j);
      if (n == 4) continue;
      form[at(i)][at(4 + j)] = sign * hh * T(i, j);
      form[at(4 + i)][at(j)] = -sign * hh * T(i, j);
      form[at(4 + i)][at(4 + j)] = -hh * Om(i, j);
    }
  return form;
}

double two_form_defect(const Vprk& method, double h) {
  const auto map = [&](const Numbers& z) { return numbers_of(Wide(method, point_of(z), h).go(1).x.q); };
  const Numbers start = numbers_of(crooked);
  return defect(derivative(map, start), form_at(start), form_at(map(start)));
}

double extended_defect(const Vprk& method, double h, const Point& lam, int sign) {
  const auto map = [&](const Numbers& z) {
    Wide orbit(method, point_of(z), h);
    orbit.lam() = point_of(z, 4);
    orbit.go(1);
    return numbers_of(orbit.x.q, orbit.lam());
  };
  const Numbers start = numbers_of(crooked, lam);
  return defect(derivative(map, start), form_at(start, h, sign), form_at(map(start), h, sign));
}

}  // namespace

TEST_CASE("every_unprojected_pair_is_canonically_symplectic_on_and_off_the_constraint") {
  Form canonical = zeros<Widest>(8);
  for (std::size_t i = 0; i < 4; ++i) canonical[i][4 + i] = 1, canonical[4 + i][i] = -1;
  const auto canonical_defect = [&](const Vprk& method, const Widest& off) {
    const auto map = [&](const Numbers& z) {
      Wide orbit(method, point_of(z), 0.3);
      orbit.x.p = point_of(z, 4);
      orbit.start();
      orbit.go(1);
      return numbers_of(orbit.x.q, orbit.momentum());
    };
    Point p;
    vortices.theta(crooked, p);
    for (int i = 0; i < 4; ++i) p[i] += (i - 1) * off;
    return defect(derivative(map, numbers_of(crooked, p)), canonical, canonical);
  };
  std::vector<Family> symplectic = symmetric_pairs;
  symplectic.push_back(Family::lobatto_IIIC);
  for_methods(symplectic, {1, 2, 3}, {Projection::none}, [&](const Vprk& method) {
    CHECK(canonical_defect(method, Widest(0)) < differences);
    CHECK(canonical_defect(method, Widest(1e-3)) < differences);
  });
  CHECK(canonical_defect({.tableau = Family::radau_IIA, .projection = Projection::none}, Widest(0)) > 1e-6);
}

TEST_CASE("the_two_form_of_q_is_kept_to_the_orders_of_the_projections") {
  struct Row {
    Family family;
    int s;
    double h, defect[4];
    int order[4];
  };
  const Projection columns[] = {Projection::none, Projection::standard, Projection::symmetric, Projection::midpoint};
  for (const Row& row : {Row{Family::gauss, 1, 0.4, {1.3e-5, 7.9e-10, 1.7e-12, 3.9e-8}, {2, 4, 5, 3}},
                         Row{Family::srk3, 3, 0.4, {1.3e-5, 7.9e-10, 1.7e-12, 3.9e-8}, {2, 4, 5, 3}},
                         Row{Family::gauss, 2, 0.4, {5.2e-8, 3.7e-14, 1.5e-16, 2.0e-12}, {3, 6, 7, 5}},
                         Row{Family::gauss, 3, 0.8, {4.3e-9, 3.7e-16, 2e-18, 4.2e-11}, {4, 8, 9, 5}},
                         Row{Family::lobatto_IIIA, 3, 0.8, {1.1e-6, 8.9e-12, 4.0e-14, 1.9e-10}, {3, 6, 7, 5}}})
    for (int column = 0; column < 4; ++column) {
      CAPTURE(static_cast<int>(row.family));
      CAPTURE(row.s);
      CAPTURE(column);
      const Vprk method{.tableau = row.family, .stages = row.s, .projection = columns[column]};
      const double first = two_form_defect(method, row.h), second = two_form_defect(method, row.h / 2);
      if (!LIVENS_QUAD && second < 1e-12) continue;
      CHECK(first == doctest::Approx(row.defect[column]).epsilon(0.09).scale(0));
      CHECK(std::log2(first / second) == doctest::Approx(row.order[column]).epsilon(0.02).scale(0));
    }
}

TEST_CASE("the_symplectic_projection_keeps_a_two_form_of_q_and_lam_with_the_sign_that_is_not_printed") {
  const Point lam{Widest(0.01), Widest(-0.02), Widest(0.015), Widest(0.005)};
  for_methods(symmetric_pairs, {1, 2, 3}, {Projection::symplectic}, [&](const Vprk& method) {
    CHECK(extended_defect(method, 0.2, lam, 1) < differences);
    CHECK(extended_defect(method, 0.2, lam, -1) > 1e-6);
  });
  const Vprk gauss{.stages = 1, .projection = Projection::symplectic};
  Wide orbit(gauss, crooked, 0.2);
  const Point reached = orbit.go(5).lam();
  CHECK(extended_defect(gauss, 0.2, reached, 1) < differences);
  CHECK(extended_defect(gauss, 0.2, reached, -1) == doctest::Approx(5.0e-7).epsilon(0.1).scale(0));
}

TEST_CASE("symmetric_and_midpoint_projections_go_back_to_where_they_came_from") {
  const auto there_and_back = [](const Vprk& method) {
    const Point end = Wide(method, side_by_side, 0.1).go(1).x.q;
    return distance(Wide(method, end, -0.1).go(1).x.q, side_by_side);
  };
  for_methods(symmetric_pairs, {1, 2, 3}, {Projection::symmetric, Projection::midpoint},
              [&](const Vprk& method) { CHECK(there_and_back(method) < 4 * round_off); });
  for (const Projection one_sided : {Projection::standard, Projection::symplectic}) {
    CHECK(there_and_back({.stages = 1, .projection = one_sided}) == doctest::Approx(8.2e-8).epsilon(0.02).scale(0));
    CHECK(there_and_back({.stages = 2, .projection = one_sided}) == doctest::Approx(1.2e-10).epsilon(0.02).scale(0));
  }
  for (const Projection any :
       {Projection::standard, Projection::symmetric, Projection::symplectic, Projection::midpoint})
    CHECK(there_and_back({.tableau = Family::lobatto_IIIC, .stages = 3, .projection = any}) > 8e-9);
  CHECK(there_and_back({.tableau = Family::lobatto_IIIC, .stages = 3}) ==
        doctest::Approx(2.3e-8).epsilon(0.02).scale(0));
}

TEST_CASE("the_symplectic_projection_with_R_minus_one_is_the_unprojected_run_projected_at_its_end") {
  const double h = 0.2;
  for_methods({Family::gauss, Family::lobatto_IIIB}, {1, 2, 3}, {Projection::symplectic}, [&](const Vprk& symplectic) {
    Vprk none = symplectic;
    none.projection = Projection::none;
    Wide projected(symplectic, crooked, h), free(none, crooked, h);
    projected.go(40), free.go(40);
    EndProjection<Wide::System> end(free.system);
    StepReport report;
    end.solve(Widest(h), free.x.q, free.momentum(), {}, report);
    REQUIRE(succeeded(report.outcome));
    Point ended = free.x.q;
    for (int i = 0; i < 4; ++i) ended[i] += Widest(h) * end.lam[i];
    CHECK((distance(projected.x.q, ended) < 60 * round_off) == (symplectic.R() == -1));
  });
}

TEST_CASE("lobatto_IIIB_IIIA_with_two_stages_is_the_midpoint_rule") {
  const Vprk gauss{.stages = 1, .projection = Projection::none};
  const Vprk lobatto{.tableau = Family::lobatto_IIIB, .projection = Projection::none};
  CHECK(distance(Wide(gauss, side_by_side, 0.1).go(20).x.q, Wide(lobatto, side_by_side, 0.1).go(20).x.q) <
        20 * round_off);
}
