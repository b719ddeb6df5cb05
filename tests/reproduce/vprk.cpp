// Short forms of the tables and figures of Kraus (2017).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "livens/reproduce/reproduce.hpp"
#include "reproduce/vprk_long_runs.hpp"
#include "reproduce/vprk_problems.hpp"

using namespace livens;

namespace {

Reproduction checked_vprk(const std::string& id) {
  for (const ReproductionEntry& entry : reproductions()) {
    if (entry.id != "vprk/" + id) continue;
    const Reproduction r = reproduce(entry, Extent::brief);
    for (const ReproductionRow& row : r.rows) CHECK_MESSAGE(row.ok, r.id << ": " << row.name << ": " << row.note);
    CHECK(r.ok());
    CHECK(r.definition.size() > 50);
    CHECK(page(r).find("<svg") != std::string::npos);
    return r;
  }
  FAIL("there is no vprk/" << id);
  return {};
}

const ReproductionRow& row_of(const Reproduction& r, const std::string& name) {
  const auto at = std::find_if(r.rows.begin(), r.rows.end(), [&](const auto& row) { return row.name == name; });
  REQUIRE_MESSAGE(at != r.rows.end(), "no row " << name);
  return *at;
}

double number(const ReproducedFigure& figure) {
  return std::get<double>(figure);
}

}  // namespace

TEST_CASE("vprk_has_the_printed_orders_of_solution_and_energy" * doctest::test_suite("long")) {
  const Reproduction r = checked_vprk("table-2");
  CHECK(r.rows.size() == (4 * 5 + 2) * 2 + 1);
  CHECK(number(row_of(r, "Lobatto IIIB 3, none: solution").printed) == 2);
  CHECK(number(row_of(r, "Lobatto IIIB 3, symmetric: energy").printed) == 4);
  CHECK(number(row_of(r, "Gauss 2, midpoint: solution").printed) == 4);
}

TEST_CASE("vprk_has_the_printed_orders_of_the_angular_momentum" * doctest::test_suite("long")) {
  const Reproduction r = checked_vprk("table-3");
  CHECK(r.rows.size() == 4 * 5 + 2);
  CHECK(number(row_of(r, "Gauss 2, standard: angular momentum").printed) == 5);
  CHECK(number(row_of(r, "Gauss 2, symplectic: angular momentum").printed) == 6);
}

TEST_CASE("lotka_volterra_is_stable_drifts_or_fails_as_the_paper_shows") {
  const Reproduction r = checked_vprk("lotka-volterra");
  // A run that fails is a result: the steps it did.
  CHECK(number(row_of(r, "Lobatto IIIA 4, none, h = 0.1, 1000 steps: fails after step").measured) < 1000);
  CHECK(r.pictures.size() == 3);
}

TEST_CASE("projections_of_two_vortices_differ_in_the_angular_momentum") {
  checked_vprk("vortices");
}

TEST_CASE("guiding_centres_have_the_ranges_periods_and_errors_of_the_paper") {
  checked_vprk("guiding-centre");
}

TEST_CASE("the_symplectic_projection_fails_by_a_growing_multiplier") {
  checked_vprk("symplectic-failure");
}

TEST_CASE("energy_of_gauss_methods_does_not_drift_beyond_round_off") {
  checked_vprk("energy-drift");
}

TEST_CASE("a_run_that_fails_is_neither_bounded_nor_does_it_drift") {
  using Problem = vprk_problems::LotkaVolterra;
  const Vprk failing_method{.tableau = Vprk::Family::lobatto_IIIA, .projection = Vprk::Projection::none};
  const VprkCourse course = course_of(Problem{}, failing_method, 0.1, 1000);
  REQUIRE(course.done < 100);
  CHECK(std::isnan(course.energy.growth()));
  CHECK(std::isnan(course.momentum.of_whole_run()));
  Reproduction r;
  const double seen = course.energy.all;
  bounded_energy(seen, 2)("run", course, r);
  drifting_energy(seen, 2, true)("run", course, r);
  not_growing_energy()("run", course, r);
  r.rows.push_back(growth_row("run", 1e6, course.momentum, ""));
  r.rows.push_back(radau_row("run", course));
  CHECK(r.rows.size() == 7);
  for (const ReproductionRow& row : r.rows) CHECK_MESSAGE(!row.ok, row.name);

  // The same rows of a run that ends.
  const VprkCourse kept = course_of(Problem{}, {.stages = 1}, 0.1, 1000);
  Reproduction good;
  bounded_energy(kept.energy.all, 2)("run", kept, good);
  CHECK(good.rows.size() == 2);
  CHECK(good.ok());
}
