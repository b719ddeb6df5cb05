// A run killed at any moment and resumed ends bit-identical to the run left alone.
#include <random>

#include "cli/program.hpp"
#include "livens/store/checkpoint.hpp"
#include "livens/store/restore_rows.hpp"

using namespace program;

namespace {

// The summary without what may differ: the time it took and where it lies.
Json comparable(const fs::path& directory) {
  Json s = Json::parse(contents(directory / "summary.json"));
  s["cost"].erase("seconds");
  s.erase("directory");
  return s;
}

bool same_results(const fs::path& a, const fs::path& b) {
  return contents(a / "trajectory.h5") == contents(b / "trajectory.h5") && comparable(a) == comparable(b);
}

}  // namespace

TEST_CASE("thirty_runs_killed_three_times_each_end_with_the_bits_of_the_run_left_alone" * doctest::test_suite("long")) {
  std::mt19937 random(20260101);
  std::uniform_int_distribution<int> milliseconds(1, 60);
  const Place place;
  int identical = 0, killed_while_running = 0;
  for (int i = 0; i < 30; ++i) {
    const std::string method = std::vector<std::string>{"rattle", "shake", "constrained-euler"}[std::size_t(i) % 3];
    const std::string problem =
        std::vector<std::string>{"pendulum", "double-pendulum", "tethered-satellites"}[std::size_t(i / 3) % 3];
    const int steps = i / 3 % 3 == 0 ? 300000 : 40000;
    const std::string job = "run " + problem + " --quiet --set method.name=" + method +
                            " --set run.steps=" + std::to_string(steps) +
                            " --set run.every=" + std::to_string(7 * i + 1) + " --out ";
    const std::string alone = "alone" + std::to_string(i), killed = "killed" + std::to_string(i);
    REQUIRE(place.livens(job + alone).status == 0);
    for (int k = 0; k < 3; ++k) {
      Process running = place.start(Place::split((place.has(killed) ? "resume --quiet " : job) + killed));
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(random)));
      running.signal(SIGKILL);
      killed_while_running += running.wait().status == 128 + SIGKILL;
    }
    const Reply last = place.livens((place.has(killed) ? "resume --quiet " : job) + killed);
    CHECK(last.status == 0);
    const bool same = same_results(place / alone, place / killed);
    identical += same;
    if (!same) MESSAGE(job << comparable(place / alone) << " but " << comparable(place / killed));
    fs::remove_all(place / alone), fs::remove_all(place / killed);
  }
  MESSAGE(identical << " of 30 identical, " << killed_while_running << " of 90 kills met a running program");
  CHECK(identical == 30);
  CHECK(killed_while_running > 30);
}

TEST_CASE("a_run_killed_after_a_checkpoint_goes_on_from_it") {
  std::string potential = "m/2*(x'^2+y'^2)-m*g*y";  // costly, so that a checkpoint comes after some ten thousand steps
  for (int k = 1; k <= 1000; ++k) potential += "+1e-9*sin(" + std::to_string(k) + "*x)";
  const Place place;
  const auto job = [&](const char* out) {
    return Place::joined({"run", "pendulum", "--quiet", "--out", out},
                         {"system.lagrangian=" + potential, "run.steps=14000", "run.every=100"});
  };
  REQUIRE(place.run(job("alone")).status == 0);
  Process running = place.start(job("killed"));
  place.wait_for("killed/checkpoint.previous");  // there from just before the checkpoint after the start is
  while (livens::read_checkpoint(place / "killed").step == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  running.signal(SIGKILL);
  CHECK(running.wait().status == 128 + SIGKILL);
  CHECK(livens::read_checkpoint(place / "killed").step > 5000);
  CHECK(place.livens("resume killed --quiet").status == 0);
  CHECK(same_results(place / "alone", place / "killed"));
}

TEST_CASE("a_finished_run_made_longer_is_the_longer_run") {
  const Place place;
  for (const std::string method : {"rattle", "shake", "constrained-euler"}) {
    const std::string job = "run spherical-pendulum --quiet --force --set run.every=7 --set method.name=" + method;
    REQUIRE(place.livens(job + " --set run.end=3.0 --out long").status == 0);
    REQUIRE(place.livens(job + " --set run.end=1.0 --out short").status == 0);
    REQUIRE(place.livens("resume short --quiet --end 3.0").status == 0);
    CHECK(same_results(place / "long", place / "short"));
    REQUIRE(place.livens("resume short --quiet --steps 400").status == 0);
    CHECK(Json::parse(contents(place / "short/summary.json"))["steps"] == 400);
  }
}

TEST_CASE("longer_runs_by_sparse_matrices_keep_their_pivots") {
  const Place place;
  for (const std::string method : {"ggl", "energy-momentum"})
    for (const std::string eta : {"0", "0.5"}) {
      CAPTURE(method + " " + eta);
      const std::string job =
          "run double-four-bar --quiet --force --set run.every=7 --set system.parameters.eta=" + eta +
          " --set method.name=" + method + " --set run.steps=";
      REQUIRE(place.livens(job + "400 --out long").status == 0);
      REQUIRE(place.livens(job + "137 --out short").status == 0);
      REQUIRE(place.livens("resume short --quiet --steps 400").status == 0);
      CHECK(contents(place / "long/trajectory.h5") == contents(place / "short/trajectory.h5"));
    }
}

TEST_CASE("resuming_a_finished_run_changes_nothing") {
  const Place place;
  REQUIRE(place.livens("run pendulum --quiet --set run.end=1.0 --out r").status == 0);
  const std::string summary = contents(place / "r/summary.json"), state = contents(place / "r/checkpoint.state");
  const Reply reply = place.livens("resume r --json");
  CHECK(reply.status == 0);
  CHECK(reply.out == summary);
  CHECK(contents(place / "r/summary.json") == summary);
  CHECK(contents(place / "r/checkpoint.state") == state);
}

TEST_CASE("an_interrupted_run_goes_on_to_the_same_end") {
  const Place place;
  const std::string job = "run pendulum --quiet --set run.steps=3000000 --set run.every=1000 --out ";
  REQUIRE(place.livens(job + "alone").status == 0);
  Process running = place.start(Place::split(job + "stopped"));
  place.wait_for("stopped");
  running.signal(SIGTERM);
  CHECK(running.wait().status == 1);
  CHECK(place.livens("resume stopped --quiet").status == 0);
  CHECK(same_results(place / "alone", place / "stopped"));
}

TEST_CASE("a_damaged_checkpoint_falls_back_to_the_one_before") {
  const Place place;
  const std::string job = "run pendulum --quiet --set run.steps=1000 --set run.every=10 --out ";
  REQUIRE(place.livens(job + "alone").status == 0);
  REQUIRE(place.livens(job + "hurt").status == 0);
  std::string state = contents(place / "hurt/checkpoint.state");
  state[state.size() / 2] ^= 1;
  put(place / "hurt/checkpoint.state", state);
  CHECK(place.livens("resume hurt --quiet").status == 0);
  CHECK(same_results(place / "alone", place / "hurt"));
}

TEST_CASE("a_full_disk_ends_with_3_harms_nothing_and_can_be_resumed") {
  scratch::SmallDisk disk;
  if (!disk.mounted()) return;
  const Place place;
  const std::string job = "run pendulum --quiet --set run.steps=60000 --out ", small = (disk / "r").string();
  REQUIRE(place.livens(job + "alone").status == 0);
  const Reply full = place.livens(job + small);  // 6 MB of rows on a disk of 1 MiB
  CHECK(full.status == 3);
  CHECK(full.out.empty());
  CHECK(mentions(full.err, "space"));
  // The same directory on a larger disk goes on from its checkpoint.
  fs::copy(disk / "r", place / "moved", fs::copy_options::recursive);
  CHECK(place.livens("resume moved --quiet").status == 0);
  CHECK(same_results(place / "alone", place / "moved"));
}

TEST_CASE("rows_that_are_not_those_that_were_written_are_found_by_resume") {
  const Place place;
  REQUIRE(place.livens("run pendulum --quiet --set run.steps=1000 --out whole").status == 0);
  REQUIRE(place.livens("run pendulum --quiet --set run.steps=1100 --out longer").status == 0);
  REQUIRE(livens::restore_rows(place / "whole", livens::read_checkpoint(place / "whole")));  // as before its end
  const std::string rows = contents(place / "whole/checkpoint.rows");
  const auto hurt = [&](const std::string& damaged) {
    fs::remove_all(place / "hurt");
    fs::copy(place / "whole", place / "hurt", fs::copy_options::recursive);
    put(place / "hurt/checkpoint.rows", damaged);
    fs::remove(place / "hurt/trajectory.h5");
    return place.livens("resume hurt --steps 1100");
  };
  std::string flipped = rows;
  flipped[1000] ^= 1;
  // The first checkpoint has one row, the last all of them: where that row is whole the run starts from it again.
  for (const std::string& damaged : {flipped, rows.substr(0, rows.size() / 2)}) {
    const Reply reply = hurt(damaged);
    CHECK(reply.status == 0);
    CHECK(mentions(reply.err, "note: checkpoint.rows is damaged"));
    CHECK(same_results(place / "longer", place / "hurt"));
  }
  std::string beginning = rows;
  beginning[3] ^= 1;
  const Reply reply = hurt(beginning);
  CHECK(reply.status == 2);
  CHECK(mentions(reply.err, "hurt/checkpoint.rows: is damaged, it does not hold the rows that were written"));
}

TEST_CASE("rows_that_are_changed_while_the_run_goes_on_end_it_with_3") {
  const Place place;
  for (const bool shorter : {true, false}) {
    const std::string out = shorter ? "shorter" : "other";
    Process run =
        place.start(Place::split("run pendulum --quiet --set run.steps=20000000 --set run.every=100 --out " + out));
    place.wait_for(out + "/checkpoint.previous");
    if (shorter) {
      fs::resize_file(place / (out + "/checkpoint.rows"), 800);
    } else {
      std::fstream rows(place / (out + "/checkpoint.rows"), std::ios::in | std::ios::out | std::ios::binary);
      rows.seekp(3) << '!';
      rows.close();
      run.signal(SIGTERM);
    }
    const Reply reply = run.wait();
    CHECK(reply.status == 3);
    CHECK(mentions(reply.err, shorter ? "that were written; another program has changed it"
                                      : "does not hold the rows that were written"));
    CHECK(!place.has(out + "/trajectory.h5"));
  }
}
