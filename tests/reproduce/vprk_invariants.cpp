// The short form of the figures on Poincare integral invariants of Kraus (2017).
#include <doctest/doctest.h>

#include "reproduce/entries.hpp"

using namespace livens;

TEST_CASE("invariants_in_the_symmetric_field_are_kept_and_lost_as_is_known" * doctest::test_suite("long")) {
  const Reproduction r = reproduce(vprk_invariants_reproductions().front(), Extent::brief);
  CHECK(r.id == "vprk/invariants");
  for (const ReproductionRow& row : r.rows) CHECK_MESSAGE(row.ok, row.name);
  CHECK(r.ok());
  CHECK(r.rows.size() == 44);      // 3 methods with 5 projections and 2 more forms, of 2 invariants; both at the start
  CHECK(r.pictures.size() == 10);  // figures 23 and 24 by method, 25 to 28
  CHECK(page(r).find("<svg") != std::string::npos);
}
