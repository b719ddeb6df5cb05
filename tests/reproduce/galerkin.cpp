// Short forms of the tables and figures of Wenger, Ober-Bloebaum, Leyendecker (2017).
#include <doctest/doctest.h>

#include <set>

#include "reproduce/entries.hpp"

using namespace livens;

namespace {

Reproduction brief(const std::string& id) {
  for (const ReproductionEntry& entry : galerkin_reproductions())
    if (entry.id == "galerkin/" + id) return reproduce(entry, Extent::brief);
  FAIL("there is no galerkin/" << id);
  return {};
}

Reproduction checked(const std::string& id) {
  const Reproduction r = brief(id);
  for (const ReproductionRow& row : r.rows) CHECK_MESSAGE(row.ok, r.id << ": " << row.name << ": " << row.note);
  CHECK(r.ok());
  CHECK(r.definition.size() > 50);
  return r;
}

}  // namespace

TEST_CASE("galerkin_has_the_printed_orders_in_cells_of_both_tables") {
  const Reproduction gauss = checked("table-1"), lobatto = checked("table-2");
  CHECK(gauss.rows.size() == 15);  // w <= s <= 5, oL = 2s
  CHECK(lobatto.rows.size() == 29);
  std::set<std::string> words;
  for (const Reproduction& r : {gauss, lobatto})
    for (const ReproductionRow& row : r.rows) words.insert(std::get<std::string>(row.measured));
  for (const char* orders : {"2 2 2", "2 2 d", "4 4 2", "4 2 2", "6 4 4", "6 4 2", "8 6 4", "8 4 4", "10 6 6"})
    CHECK_MESSAGE(words.count(orders) == 1, orders);
}

TEST_CASE("figures_of_galerkin_show_energy_angular_momentum_and_run_time") {
  CHECK(checked("fig-2").pictures.size() == 2);
  CHECK(checked("fig-3").pictures.size() == 1);
  CHECK(brief("fig-4").rows.size() == 2);  // their figures are times, which a busy machine may spoil
  CHECK(brief("fig-5").rows.size() == 4);
}
