// livens run: where the results go and who is told what.
#include <doctest/doctest.h>

#include "cli/program.hpp"

using namespace program;

TEST_CASE("a_ready_problem_and_a_file_of_the_same_text_give_the_same_run") {
  const Place place;
  put(place / "swing.toml", problem("pendulum"));
  Json ready = place.summary("pendulum"), file = place.summary("swing.toml"), path = place.summary("./swing.toml");
  CHECK(ready["directory"] == "runs/pendulum-1");
  CHECK(file["directory"] == "runs/swing-1");
  CHECK(path["directory"] == "runs/swing-2");
  for (const char* key : {"final", "raw", "audit", "model_sha256", "steps", "title"}) {
    CHECK(file[key] == ready[key]);
    CHECK(path[key] == ready[key]);
  }
}

TEST_CASE("json_prints_the_very_summary_that_is_in_the_directory") {
  const Place place;
  const Reply reply = place.livens("run pendulum --json --out here");
  CHECK(reply.status == 0);
  CHECK(reply.out == contents(place / "here/summary.json"));
  CHECK(reply.json()["directory"] == "here");
  CHECK(scratch::entries(place / "here") == 5);
  CHECK(place.has("here/trajectory.h5"));
}

TEST_CASE("without_json_standard_output_is_empty_and_the_directory_is_told_on_standard_error") {
  const Place place;
  const Reply reply = place.livens("run pendulum");
  CHECK(reply.status == 0);
  CHECK(reply.out == "");
  CHECK(mentions(reply.err, "runs/pendulum-1"));
  CHECK(mentions(reply.err, "Planar pendulum: 10000 steps of 0.01"));
}

TEST_CASE("quiet_says_nothing_at_all_when_all_is_well") {
  const Place place;
  const Reply reply = place.livens("run pendulum --quiet");
  CHECK(reply.status == 0);
  CHECK(reply.out == "");
  CHECK(reply.err == "");
}

TEST_CASE("without_out_the_first_free_number_is_taken") {
  const Place place;
  fs::create_directories(place / "runs/pendulum-2");
  CHECK(place.summary("pendulum")["directory"] == "runs/pendulum-1");
  CHECK(place.summary("pendulum")["directory"] == "runs/pendulum-3");
  CHECK(fs::is_empty(place / "runs/pendulum-2"));
}

TEST_CASE("a_run_is_overwritten_only_with_force") {
  const Place place;
  place.summary("pendulum --out a/b");
  const std::string first = contents(place / "a/b/summary.json");

  const Reply refused = place.livens("run spherical-pendulum --json --out a/b");
  CHECK(refused.status == 2);
  CHECK(refused.out == "");
  CHECK(mentions(refused.err, "a/b: holds a finished run; choose another --out or give --force"));
  CHECK(contents(place / "a/b/summary.json") == first);

  const Json second = place.summary("spherical-pendulum --out a/b --force");
  CHECK(second["title"] == "Spherical pendulum");
  CHECK(Json::parse(contents(place / "a/b/summary.json")) == second);
  CHECK(scratch::entries(place / "a") == 1);
}

TEST_CASE("a_directory_with_other_files_is_left_alone_even_with_force") {
  const Place place;
  fs::create_directory(place / "thesis");
  put(place / "thesis/chapter-1.tex", "precious");
  const Reply reply = place.livens("run pendulum --out thesis --force");
  CHECK(reply.status == 2);
  CHECK(mentions(reply.err, "chapter-1.tex"));
  CHECK(contents(place / "thesis/chapter-1.tex") == "precious");
  CHECK(scratch::entries(place / "thesis") == 1);
}

TEST_CASE("in_a_pipe_there_is_no_progress_line") {
  const Place place;
  Process run =
      place.start({"run", "pendulum", "--out", "r", "--set", "run.steps=100000000", "--set", "run.every=1000000"});
  place.wait_for("r");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // a terminal would have seen two lines by now
  run.signal(SIGINT);
  const Reply reply = run.wait();
  CHECK(reply.status == 1);
  CHECK_FALSE(mentions(reply.err, "\033"));
  CHECK_FALSE(mentions(reply.err, "\r"));
  CHECK_FALSE(mentions(reply.err, "steps/s"));
}

TEST_CASE("on_a_terminal_a_line_tells_rate_time_left_energy_and_constraint") {
  const Place place;
  Process run = place.start({"run", "pendulum", "--json", "--set", "run.steps=100000000", "--set", "run.every=1000000"},
                            Errors::terminal);
  run.hear("constraint ");
  run.signal(SIGINT);
  const Reply reply = run.wait();
  CHECK(reply.status == 1);
  CHECK(reply.json()["outcome"] == "interrupted");
  const std::string line = reply.err.substr(0, reply.err.find('\n'));
  CHECK(line.starts_with("\r\033[K"));
  for (const char* part : {" %", "t = ", "steps/s", " left", "energy error ", "constraint "})
    CHECK(mentions(line, part));
  CHECK(mentions(reply.err, "\r\033[K\r\n"));  // the line is taken away before the report
}

TEST_CASE("quiet_has_no_progress_line_on_a_terminal") {
  const Place place;
  Process run = place.start(
      {"run", "pendulum", "--quiet", "--out", "r", "--set", "run.steps=100000000", "--set", "run.every=1000000"},
      Errors::terminal);
  place.wait_for("r");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  run.signal(SIGTERM);
  const Reply reply = run.wait();
  CHECK(reply.status == 1);
  CHECK(mentions(reply.err, " interrupted after step"));
  CHECK_FALSE(mentions(reply.err, "steps/s"));
}
