// The short form of every table and figure of the paper on HBVM(k,s), and the rows themselves.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "livens/reproduce/reproduce.hpp"

using namespace livens;

namespace {

const ReproductionEntry& entry(const std::string& id) {
  for (const ReproductionEntry& e : reproductions())
    if (e.id == id) return e;
  FAIL("no reproduction " << id);
  return reproductions().front();
}

}  // namespace

TEST_CASE("every table and figure on HBVM holds in its short form") {
  for (const char* id :
       {"hbvm/table-1", "hbvm/table-2", "hbvm/table-3", "hbvm/table-4", "hbvm/fig-1", "hbvm/fig-2", "hbvm/fig-3"}) {
    CAPTURE(id);
    const Reproduction r = reproduce(entry(id), Extent::brief);
    CHECK(r.id == id);
    CHECK(!r.definition.empty());
    CHECK(r.ok());
    for (const ReproductionRow& row : r.rows) {
      CAPTURE(row.name);
      CHECK(row.ok);
    }
    const std::string text = page(r);
    CHECK(text.find(r.title) != std::string::npos);
    CHECK((text.find("<svg") != std::string::npos) == !r.pictures.empty());
  }
}

TEST_CASE("ids are unique") {
  std::set<std::string> ids;
  for (const ReproductionEntry& e : reproductions()) CHECK(ids.insert(e.id).second);
}

TEST_CASE("digits agree when both numbers round to the same") {
  CHECK(same_digits(2.5700e-2, 2.57004e-2, 5));
  CHECK(same_digits(2.5700e-2, 2.57005e-2, 5));  // a tie
  CHECK(!same_digits(2.5700e-2, 2.57006e-2, 5));
  CHECK(same_digits(9.9999e-3, 9.99994e-3, 5));
  CHECK(!same_digits(1.0, -1.0, 1));
}

TEST_CASE("rows say what is printed, expected and measured") {
  const ReproductionRow wrong = printed_row("e", 1.2345, 1.2346);
  CHECK(!wrong.ok);
  CHECK(std::get<double>(wrong.expected) == 1.2345);
  const ReproductionRow erratum = recomputed_row("e", 1.2345, 1.2346, 1.23462, 5, "erratum");
  CHECK(erratum.ok);
  CHECK(std::get<double>(erratum.printed) == 1.2345);
  CHECK(std::holds_alternative<std::monostate>(bound_row("e", 1, 0.5).printed));
  CHECK(!bound_row("e", 1, 1.5).ok);
  CHECK(!bound_row("e", 1, std::nan("")).ok);
  CHECK(range_row("order", {}, 1.9, 2.1, 2.0).ok);
  CHECK(!range_row("order", {}, 1.9, 2.1, 2.2).ok);
  CHECK(!Reproduction{.id = "x", .title = "y"}.ok());  // nothing was measured
}
