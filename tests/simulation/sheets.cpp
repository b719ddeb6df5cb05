// Where constraints hold on many sheets beside each other, a run stays on its own or ends on it.
#include "simulation/sheets.hpp"

#include <doctest/doctest.h>

using namespace sheets;

namespace {

void check_that_it_stays(const Branched& system, double step, int& refused) {
  for (const std::string& method : all_methods()) {
    if (!takes(method, system)) continue;
    CAPTURE(system.text);
    CAPTURE(method);
    const Run r = run(system, method, step, 40);
    CHECK_FALSE(r.changed);
    CHECK_FALSE(r.needless);
    refused += r.refused();
  }
}

}  // namespace

TEST_CASE("no_method_leaps_between_parabolas_beside_each_other") {
  int refused = 0;
  for (const double gravity : {0.0, 9.81}) {
    check_that_it_stays(parabolas({"sin", 10}, {gravity, 3}), 0.1, refused);
    check_that_it_stays(parabolas({"sin", 7}, {gravity, 3}), 0.1, refused);
    check_that_it_stays(parabolas({"tan", 10}, {gravity, 3}), 0.1, refused);  // the same normals on all
    check_that_it_stays(parabolas({"sin", 10, 1, 1}, {gravity, 3}), 0.1, refused);
  }
  CHECK(refused > 0);
}

TEST_CASE("no_method_leaps_between_shells") {
  int refused = 0;
  check_that_it_stays(shells(5, 1, {9.81, 3}), 0.15, refused);
  check_that_it_stays(shells(5, 1, {9.81, 6}), 0.15, refused);
  check_that_it_stays(shells(9, 2, {9.81, 1}), 0.15, refused);
  CHECK(refused > 0);
}

TEST_CASE("no_method_leaps_between_sheets_of_two_constraints") {
  int refused = 0;
  check_that_it_stays(pairs_of_parabolas(10, 8, {9.81, 3}), 0.1, refused);
  check_that_it_stays(pairs_of_parabolas(8, 10, {0, 4}), 0.1, refused);
  CHECK(refused > 0);
}

TEST_CASE("no_method_of_overdetermined_systems_leaps_between_parabolas") {
  int refused = 0;
  for (const char* method :
       {"name = \"euler\"", "name = \"composition\"", "name = \"spark\"\ns = 1", "name = \"spark\""})
    for (const double speed : {3.0, 6.0}) {
      CAPTURE(method);
      const Run r = run(overdetermined_parabolas(speed), method, 0.2, 40);
      CHECK_FALSE(r.changed);
      CHECK_FALSE(r.needless);
      refused += r.refused();
    }
  CHECK(refused > 0);
}

TEST_CASE("no_step_on_a_sheet_is_refused_where_it_is_short_beside_the_gap") {
  for (const Branched& system : {parabolas({"sin", 10}, {9.81, 3}), parabolas({"sin", 10, 1, 1}, {9.81, 3}),
                                 shells(9, 2, {9.81, 1}), pairs_of_parabolas(10, 8, {9.81, 3})})
    for (const std::string& method : all_methods()) {
      if (!takes(method, system) || method == "name = \"classical-ggl\"") continue;  // which is a negative control
      CAPTURE(system.text);
      CAPTURE(method);
      const Run r = run(system, method, 0.002, 1000);
      CHECK_FALSE(r.changed);
      CHECK_FALSE(r.refused());
      CHECK_FALSE(r.told());
    }
}
