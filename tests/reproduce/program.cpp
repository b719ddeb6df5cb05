// livens reproduce as a user meets it.
#include "cli/program.hpp"

#include <doctest/doctest.h>

#include "livens/reproduce/reproduce.hpp"

using namespace program;

TEST_CASE("reproduce_without_an_id_lists_all_of_them") {
  const Place place;
  const Reply text = place.livens("reproduce"), json = place.livens("reproduce --json");
  CHECK(text.status == 0);
  REQUIRE(json.json().size() == livens::reproductions().size());
  for (const Json& row : json.json()) CHECK(mentions(text.out, row["id"].get<std::string>() + " "));
}

TEST_CASE("an_unknown_id_is_refused_with_the_nearest_one") {
  const Place place;
  const Reply reply = place.livens("reproduce hbvm/tabel-1 --out there");
  CHECK(reply.status == 2);
  CHECK(reply.out == "");
  CHECK(mentions(reply.err, "did you mean \"hbvm/table-1\"?"));
  CHECK(place.empty());
}

TEST_CASE("reproduce_takes_full_and_refuses_other_flags") {
  const Place place;
  const Reply whole = place.livens("reproduce hbvm/fig-1 --json"),
              full = place.livens("reproduce hbvm/fig-1 --json --full");
  CHECK(full.status == 0);
  CHECK(full.json() == whole.json());  // it has no longer runs
  const Reply other = place.livens("reproduce hbvm/fig-1 --fuller");
  CHECK(other.status == 2);
  CHECK(other.out == "");
  CHECK(mentions(other.err, "--fuller"));
}

TEST_CASE("a_reproduction_prints_its_rows_and_writes_them_with_a_page") {
  const Place place;
  const Reply reply = place.livens("reproduce hbvm/fig-1 --json --out there");
  CHECK(reply.status == 0);
  const Json r = reply.json();
  CHECK(r["id"] == "hbvm/fig-1");
  CHECK(r["ok"] == true);
  for (const Json& row : r["rows"]) {
    for (const char* key : {"name", "printed", "expected", "measured", "ok"}) CHECK(row.contains(key));
  }
  CHECK(r["rows"][0]["printed"].is_null());
  CHECK(Json::parse(contents(place / "there/hbvm/fig-1.json")) == r);
  CHECK(mentions(contents(place / "there/hbvm/fig-1.html"), "<svg"));
  CHECK(mentions(place.livens("reproduce hbvm/fig-1").out, "growth"));
}
