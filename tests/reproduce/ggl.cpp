// Short forms of the figures of Kinon, Betsch, Schneider (2023).
#include <doctest/doctest.h>

#include "reproduce/entries.hpp"

using namespace livens;

namespace {

Reproduction checked(const ReproductionEntry& entry) {
  const Reproduction r = reproduce(entry, Extent::brief);
  for (const ReproductionRow& row : r.rows) CHECK_MESSAGE(row.ok, r.id << ": " << row.name << ": " << row.note);
  CHECK(r.ok());
  CHECK(page(r).find("<svg") != std::string::npos);
  return r;
}

}  // namespace

TEST_CASE("the_top_by_ggl_is_as_computed_independently") {
  const Reproduction r = checked(ggl_top_reproductions().front());
  CHECK(r.id == "ggl/top");
  CHECK(r.pictures.size() == 8);  // figures 3 to 10
  CHECK(r.rows.size() == 33);
}

TEST_CASE("the_four_bar_linkage_by_ggl_is_as_the_reduced_equation_says_with_consistent_and_with_published_data") {
  const Reproduction r = checked(ggl_four_bar_reproductions()[0]);
  CHECK(r.id == "ggl/four-bar");
  CHECK(r.pictures.size() == 11);  // figures 12 to 21, and the error of the angle
}

TEST_CASE("the_damped_four_bar_linkage_by_ggl_passes_all_singular_positions") {
  const Reproduction r = checked(ggl_four_bar_reproductions()[1]);
  CHECK(r.id == "ggl/four-bar-damped");
  CHECK(r.pictures.size() == 3);
}
