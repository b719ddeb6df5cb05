// The short form of every table and figure of the paper on HBVM(k,s), and the rows themselves.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <utility>

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
    CHECK((text.find("<figure") != std::string::npos) == !r.pictures.empty());
  }
}

TEST_CASE("tables on HBVM have every column of the paper, errors and rates, beside what is printed") {
  // Five errors a row, and their rates but in the first row of each s; e_lambda and e_hc of table 2 have none.
  const std::pair<const char*, std::size_t> tables[] = {{"hbvm/table-1", 3 * (5 + 3 * (5 + 3))},
                                                        {"hbvm/table-2", 4 * (5 + 2 * (5 + 1))},
                                                        {"hbvm/table-3", 3 * (5 + 2 * (5 + 3))},
                                                        {"hbvm/table-4", 3 * (5 + 1 * (5 + 3))}};
  for (const auto& table : tables) {
    CAPTURE(table.first);
    const Reproduction r = reproduce(entry(table.first), Extent::brief);
    CHECK(r.rows.size() == table.second);
    for (const ReproductionRow& row : r.rows) {
      CAPTURE(row.name);
      CHECK(std::holds_alternative<double>(row.printed));
      CHECK(std::holds_alternative<double>(row.measured));
    }
  }
}

TEST_CASE("the whole table of the conical pendulum has the rates of order 2s, the last one against what is printed") {
  const Reproduction r = reproduce(entry("hbvm/table-2"), Extent::whole);
  CHECK(r.rows.size() == 28 * 5 + 24);
  CHECK(r.ok());
  const auto row = [&](const std::string& name) {
    for (const ReproductionRow& one : r.rows)
      if (one.name == name) return one;
    FAIL("no row " << name);
    return ReproductionRow{};
  };
  CHECK(std::get<double>(row("s=1 n=20 e_s rate").printed) == 1.49);
  CHECK(std::get<double>(row("s=1 n=20 e_s rate").measured) == doctest::Approx(1.4934).epsilon(1e-4).scale(0));
  CHECK(std::get<double>(row("s=1 n=30 e_H").printed) == 1.1102e-16);
  CHECK(std::get<std::string>(row("s=1 n=30 e_H").expected) == "<= 1e-15");
  const ReproductionRow erratum = row("s=4 n=40 e_s rate");
  CHECK(std::get<double>(erratum.printed) == 8.13);
  CHECK(std::get<double>(erratum.measured) == doctest::Approx(8.00).epsilon(1e-3).scale(0));
  CHECK(erratum.note.find("erratum") == 0);
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
