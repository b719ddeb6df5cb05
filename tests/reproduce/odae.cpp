// Short forms of the tables on Euler methods for overdetermined systems.
#include <doctest/doctest.h>

#include "reproduce/entries.hpp"

using namespace livens;

TEST_CASE("natural_and_true_euler_methods_have_the_errors_computed_independently") {
  for (const ReproductionEntry& entry : odae_reproductions()) {
    const Reproduction r = reproduce(entry, Extent::brief);
    for (const ReproductionRow& row : r.rows) CHECK_MESSAGE(row.ok, r.id << ": " << row.name << ": " << row.note);
    CHECK(r.ok());
    CHECK(r.rows.size() >= 36);
    CHECK(r.pictures.size() == 2);
  }
}
