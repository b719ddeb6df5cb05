// Contacts and events as a user meets them: results, check, kill and resume.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"

using namespace program;

TEST_CASE("events_stand_in_the_summary_and_in_the_trajectory") {
  const Place place;
  const Json s = place.summary("bouncing-ball --out ball --quiet");
  REQUIRE(s["events"].size() == 37);
  CHECK(s["events"][0]["kind"] == "impact");
  CHECK(s["events"][0]["constraint"] == 1);
  CHECK(s["events"][2]["kind"] == "record");
  CHECK(s["events"][2]["name"] == "half way");
  CHECK(s["events"][36]["kind"] == "landing");
  CHECK(mentions(s["audit"]["energy"]["note"].get<std::string>(), "contacts take it away"));
  const Trajectory rows(place / "ball/trajectory.h5");
  CHECK(rows.rows() == 301);
  CHECK(rows.shape("events/t") == Shape{37});
  CHECK(rows.shape("events/q") == Shape{37, 2});
  CHECK(rows.numbers("events/t")[2] == doctest::Approx(1).epsilon(1e-14));
  CHECK(rows.numbers("events/constraint")[2] == 0);
  CHECK(rows.numbers("events/q")[4] == doctest::Approx(0.5).epsilon(1e-14));
  CHECK(place.livens("report ball").status == 0);
  CHECK(place.livens("audit ball").status == 0);
  for (const char* problem : {"bouncing-ball", "tilting-table", "rope-swing"})
    CHECK(place.livens(std::string("check ") + problem).status == 0);
  CHECK(place.livens("study order bouncing-ball --step-sizes 0.1,0.05").status == 2);
}

TEST_CASE("a_stopped_run_ends_at_its_event_and_stays_there") {
  const Place place;
  const Json s = place.summary("tilting-table --out table --quiet");
  CHECK(s["outcome"] == "finished");
  CHECK(s["final"]["t"] == s["events"].back()["t"]);
  CHECK(s["final"]["q"][0].get<double>() == doctest::Approx(1).epsilon(1e-14));
  const std::string rows = contents(place / "table/trajectory.h5");
  CHECK(place.livens("resume table --quiet").status == 0);
  CHECK(contents(place / "table/trajectory.h5") == rows);
}

TEST_CASE("a_run_with_contacts_that_is_lengthened_or_interrupted_has_the_bits_of_the_run_left_alone") {
  const Place place;
  const auto same = [&](const std::string& a, const std::string& b) {
    Json one = Json::parse(contents(place / (a + "/summary.json"))),
         two = Json::parse(contents(place / (b + "/summary.json")));
    for (Json* s : {&one, &two}) s->erase("directory"), (*s)["cost"].erase("seconds"), s->erase("set");
    return one == two && Trajectory(place / (a + "/trajectory.h5")).numbers("q") ==
                             Trajectory(place / (b + "/trajectory.h5")).numbers("q");
  };
  // Cut between bounces, while it rolls, while it sticks, while it slides, on the slack and the taut rope.
  const std::vector<std::pair<std::string, std::vector<std::string>>> cuts = {
      {"bouncing-ball", {"0.7", "2.0"}}, {"tilting-table", {"1.0", "3.5"}}, {"rope-swing", {"0.2", "1.5"}}};
  for (const auto& [problem, ends] : cuts) {
    REQUIRE(place.livens("run " + problem + " --out " + problem + " --quiet").status == 0);
    for (const std::string& end : ends) {
      const std::string part = problem + "-" + end;
      REQUIRE(place.livens("run " + problem + " --quiet --set run.end=" + end + " --out " + part).status == 0);
      const std::string whole = problem == "bouncing-ball" ? "3.0" : problem == "tilting-table" ? "6.0" : "3.0";
      REQUIRE(place.livens("resume " + part + " --quiet --end " + whole).status == 0);
      CAPTURE(part);
      CHECK(same(problem, part));
    }
  }
}
