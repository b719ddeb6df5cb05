// Contacts and events as a user meets them: results, check, kill and resume.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"
#include "cli/trials.hpp"
#include "livens/store/checkpoint.hpp"

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
  for (const char* problem : {"bouncing-ball", "tilting-table", "rope-swing"}) {
    const Reply check = place.livens(std::string("check ") + problem);
    CHECK(check.status == 0);
    CHECK(mentions(check.out, "conserved but for what contacts take away") ==
          (std::string(problem) != "tilting-table"));
  }
  CHECK(mentions(place.livens("check rope-swing").out,
                 "3 by counting rows, 3 by rank; less while one-sided joints are closed"));
  for (const char* study :
       {"order bouncing-ball --step-sizes 0.1,0.05", "symplecticity bouncing-ball", "reversibility bouncing-ball"}) {
    const Reply reply = place.livens(std::string("study ") + study);
    CHECK(reply.status == 2);
    CHECK(mentions(reply.err, "contact.unilateral: studies are made for constraints that hold on both sides"));
  }
  CHECK(mentions(place.livens("advise bouncing-ball").err, "steps are found for constraints that hold on both sides"));
}

TEST_CASE("a_stopped_run_ends_at_its_event_and_stays_there") {
  const Place place;
  const Json s = place.summary("tilting-table --out table --quiet");
  CHECK(s["outcome"] == "finished");
  CHECK(s["final"]["t"] == s["events"].back()["t"]);
  CHECK(s["final"]["q"][0].get<double>() == doctest::Approx(1).epsilon(1e-14));
  const std::string rows = contents(place / "table/trajectory.h5");
  const Reply again = place.livens("resume table");
  CHECK(again.status == 0);
  CHECK(mentions(again.err, "it stopped at t = "));
  CHECK(
      mentions(again.err, "at the event \"edge\", and so does a run that is made longer; action = \"record\" goes on"));
  CHECK(contents(place / "table/trajectory.h5") == rows);
  // At an impact, by a jump of the velocity; taken up before it.
  put(place / "wall.toml",
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 - 9.81*y\"\n"
      "constraints = [\"y\", \"1.5 - x\"]\n[initial]\nq = [0.0, 1.0]\nv = [1.0, 0.0]\n[contact]\nunilateral = true\n"
      "restitution = 0.7\n[[event]]\nname = \"apex\"\nwhen = \"y'\"\naction = \"record\"\n[[event]]\nname = \"wall\"\n"
      "when = \"x'\"\naction = \"stop\"\n[method]\nname = \"rattle\"\n[run]\nstep = 0.02\nsteps = 100\n");
  for (const int early : {40, 74}) {
    const Place trial;
    put(trial / "wall.toml", contents(place / "wall.toml"));
    check_resumed(trial, "wall.toml", early, 100);
    CHECK(Json::parse(contents(trial / "short/summary.json"))["final"]["t"] == 1.5);
  }
}

TEST_CASE("runs_killed_while_contacts_hold_rub_or_bounce_end_with_the_bits_of_the_run_left_alone") {
  // Taken up right before and after the first impact, in the last bounces of thousands and at rest; held and rubbing;
  // on the slack and the taut rope; and killed there.
  const std::vector<std::pair<std::string, std::vector<int>>> cuts = {
      {"bouncing-ball", {45, 46, 180, 200}}, {"tilting-table", {291, 350}}, {"rope-swing", {78, 300}}};
  for (const auto& [problem, steps] : cuts)
    for (const int early : steps) {
      const std::string name = problem;
      CAPTURE(name);
      CAPTURE(early);
      const Place place;
      check_resumed(place, problem, early, 1000);
    }
  // A spring with a foot that moves draws a block, which holds and slips 83 times in 200 s.
  const Place place;
  put(place / "draw.toml",
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\n"
      "lagrangian = \"(x'^2 + y'^2)/2 - 9.81*y - k/2*(x - sin(1.3*t))^2\"\nconstraints = [\"y\"]\n"
      "[system.parameters]\nk = 9.81\n[initial]\nq = [0.0, 0.0]\nv = [0.0, 0.0]\n"
      "[contact]\nunilateral = true\nfriction = 0.3\n[method]\nname = \"rattle\"\n"
      "[run]\nstep = 0.01\nsteps = 50000\nevery = 50\n");
  REQUIRE(place.livens("run draw.toml --quiet --out alone").status == 0);
  Process running = place.start(Place::split("run draw.toml --quiet --out killed"));
  place.wait_for("killed/checkpoint.previous");
  while (livens::read_checkpoint(place / "killed").step == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  running.signal(SIGKILL);
  const int status = running.wait().status;  // a machine that is busy elsewhere may kill too late
  CHECK((status == 128 + SIGKILL || status == 0));
  for (const int milliseconds : {5, 30, 60}) {
    Process again = place.start(Place::split("resume killed --quiet"));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    again.signal(SIGKILL);
    again.wait();
  }
  REQUIRE(place.livens("resume killed --quiet").status == 0);
  CHECK(rows_and_end(place, "alone") == rows_and_end(place, "killed"));
  CHECK(Trajectory(place / "killed/trajectory.h5").shape("events/t")[0] > 400);
}
