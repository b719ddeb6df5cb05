// Two processes and one directory; what a killed one leaves behind.
#include <sys/resource.h>

#include <functional>

#include "cli/program.hpp"
#include "cli/progress.hpp"
#include "cli/trajectory.hpp"
#include "livens/store/checkpoint.hpp"

using namespace program;

namespace {

const std::string without_end = "run pendulum --quiet --set run.steps=1000000000000 --set run.every=100000 --out r";

void check_refused(const Place& place, const std::string& command) {
  const Reply reply = place.livens(command);
  CHECK(reply.status == 2);
  CHECK(reply.out == "");
  CHECK(mentions(reply.err, "r: a run is going on in it; wait for its end or stop it"));
}

bool increases(const std::vector<double>& t) {
  return std::adjacent_find(t.begin(), t.end(), std::greater_equal<>()) == t.end();
}

}  // namespace

TEST_CASE("a_run_that_is_going_on_is_neither_resumed_nor_replaced") {
  const Place place;
  Process first = place.start(Place::split(without_end));
  place.wait_for("r");
  check_refused(place, "resume r");
  check_refused(place, "run pendulum --out r --force");
  first.signal(SIGTERM);
  CHECK(first.wait().status == 1);

  Process second = place.start(Place::split("resume r --quiet"), Errors::pipe);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  check_refused(place, "resume r");
  check_refused(place, "run pendulum --out r --force");
  second.signal(SIGTERM);
  CHECK(second.wait().status == 1);
  CHECK(increases(Trajectory(place / "r/trajectory.h5").numbers("t")));
  CHECK(place.livens("run pendulum --quiet --out r --force").status == 0);
}

TEST_CASE("a_run_made_longer_stays_longer_when_it_is_killed_at_once") {
  const Place place;
  REQUIRE(place.livens("run pendulum --quiet --out r --set run.steps=10").status == 0);
  const std::string state = contents(place / "r/checkpoint.state");
  Process longer = place.start(Place::split("resume r --quiet --steps 1000000000"));
  for (int n = 0; n < 1000 && contents(place / "r/checkpoint.state") == state; ++n)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  longer.signal(SIGKILL);
  longer.wait();
  Process again = place.start(Place::split("resume r --quiet"));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  again.signal(SIGTERM);
  const Reply reply = again.wait();
  CHECK(reply.status == 1);
  CHECK(mentions(reply.err, "of 1000000000"));
}

TEST_CASE("resume_takes_away_what_a_killed_process_left_half_written") {
  const Place place;
  REQUIRE(place.livens("run pendulum --quiet --out r --set run.steps=10").status == 0);
  const int files = scratch::entries(place / "r");
  put(place / "r/.trajectory.h5.partial-77", "half");
  put(place / "r/.checkpoint.state.partial-77", "half");
  CHECK(place.livens("resume r --quiet --steps 20").status == 0);
  CHECK(scratch::entries(place / "r") == files);
}

TEST_CASE("a_page_that_was_asked_for_is_written_by_whoever_ends_the_run") {
  const Place place;
  Process run = place.start(Place::split(without_end + " --report"));
  place.wait_for("r");
  run.signal(SIGKILL);
  run.wait();
  Process again = place.start(Place::split("resume r --quiet"));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  again.signal(SIGTERM);
  CHECK(again.wait().status == 1);
  CHECK(place.has("r/report.html"));

  REQUIRE(place.livens("run pendulum --quiet --out s --report --set run.steps=10").status == 0);
  fs::remove(place / "s/report.html");  // as if killed before it
  CHECK(place.livens("resume s --quiet").status == 0);
  CHECK(place.has("s/report.html"));
}

TEST_CASE("a_checkpoint_that_does_not_fit_its_model_is_refused") {
  const Place place;
  REQUIRE(place.livens("run pendulum --quiet --out r --set run.steps=10").status == 0);
  REQUIRE(place.livens("run double-pendulum --quiet --out other --set run.steps=10").status == 0);
  // The model of one, the memory of the other.
  const auto checkpoint = [&](const char* run) { return livens::read_checkpoint(place / run); };
  livens::Checkpoint mixed = checkpoint("r");
  mixed.memory = checkpoint("other").memory;
  livens::write_checkpoint(place / "r", mixed, "r");
  fs::remove(place / "r/summary.json");
  const Reply reply = place.livens("resume r");
  CHECK(reply.status == 2);
  CHECK(mentions(reply.err, "r: its checkpoint does not fit the model in it; start again with livens run --force"));
}

TEST_CASE("a_summary_of_any_contents_does_not_stop_resume") {
  const Place place;
  for (const char* text : {"{\"outcome\":3,\"steps\":\"a\"}", "[1]", "{\"outcome\":\"finished\",\"steps\":10}", ""}) {
    REQUIRE(place.livens("run pendulum --quiet --force --out r --set run.steps=10").status == 0);
    const std::string whole = contents(place / "r/summary.json"), trajectory = contents(place / "r/trajectory.h5");
    put(place / "r/summary.json", text);
    CHECK(place.livens("resume r --quiet").status == 0);
    CHECK(Json::parse(contents(place / "r/summary.json"))["final"] == Json::parse(whole)["final"]);
    CHECK(contents(place / "r/trajectory.h5") == trajectory);
    put(place / "r/trajectory.h5", "no HDF5");  // which alone has the rows
    const Reply lost = place.livens("resume r --quiet");
    CHECK(lost.status == 2);
    CHECK(mentions(lost.err, "r/trajectory.h5: is damaged, it does not hold the rows"));
  }
}

TEST_CASE("a_run_without_its_rows_is_refused_and_none_are_made") {
  const Place place;
  REQUIRE(place.livens("run pendulum --quiet --out r --set run.steps=10").status == 0);
  fs::remove(place / "r/checkpoint.rows");
  CHECK(place.livens("resume r --quiet").status == 0);  // finished
  const Reply reply = place.livens("resume r --steps 20");
  CHECK(reply.status == 2);
  CHECK(mentions(reply.err, "r: checkpoint.rows is missing, and without its rows the run cannot go on"));
  CHECK(!place.has("r/checkpoint.rows"));
}

TEST_CASE("a_file_larger_than_allowed_ends_with_3_as_a_full_disk_does") {
  const Place place;
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{200 * 1024, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  Process run = place.start(Place::split("run pendulum --out r --set run.steps=30000"));
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  const Reply reply = run.wait();
  CHECK(reply.status == 3);
  CHECK(mentions(reply.err, "r/checkpoint.rows: file too large; the rows up to t = "));
  CHECK(place.livens("resume r --quiet").status == 0);
}

TEST_CASE("costly_formulas_have_checkpoints_as_often_as_cheap_ones") {
  // A thousand sines a step: counted by coordinates alone, the second checkpoint would come after a minute.
  std::string potential = "m/2*(x'^2+y'^2)-m*g*y";
  for (int k = 1; k <= 1000; ++k) potential += "+1e-9*sin(" + std::to_string(k) + "*x)";
  const Place place;
  Process run = place.start({"run", "pendulum", "--quiet", "--out", "r", "--set", "system.lagrangian=" + potential,
                             "--set", "run.steps=1000000000", "--set", "run.every=1000"});
  place.wait_for("r/checkpoint.previous");
  run.signal(SIGTERM);
  CHECK(run.wait().status == 1);
  const double seconds = Json::parse(contents(place / "r/summary.json"))["cost"]["seconds"];
  CHECK(seconds < 20);  // measured 0.4 s, 4 s without optimisation
}

TEST_CASE("resume_names_its_own_options_in_errors") {
  const Place place;
  REQUIRE(place.livens("run pendulum --quiet --out r --set run.steps=10").status == 0);
  CHECK(place.livens("resume r --end abc").err.starts_with("livens: --end: is a string (\"abc\")"));
  CHECK(place.livens("resume r --steps 1.5").err.starts_with("livens: --steps: is a number (1.5)"));
  CHECK(place.livens("resume r --end 1e-9").err.starts_with("livens: --end: end = 1e-09 is"));
}

TEST_CASE("the_rate_of_a_resumed_run_counts_from_where_it_was_resumed") {
  livens::cli::StepsSeen fresh, resumed;
  CHECK(fresh(1) == 1);
  CHECK(fresh(500) == 500);
  CHECK(resumed(3'000'001) == 1);
  CHECK(resumed(3'000'500) == 500);
}

TEST_CASE("results_killed_between_two_files_are_told_how_to_be_mended") {
  const Place place;
  REQUIRE(place.livens("run pendulum --quiet --out r --set run.steps=10").status == 0);
  const std::string shorter = contents(place / "r/summary.json");
  REQUIRE(place.livens("resume r --quiet --steps 20").status == 0);
  put(place / "r/summary.json", shorter);
  const Reply audit = place.livens("audit r");
  CHECK(audit.status == 2);
  CHECK(mentions(audit.err, "are not of the same run; livens resume r writes it again"));
  CHECK(place.livens("resume r --quiet").status == 0);
  CHECK(place.livens("audit r").status == 0);
  CHECK(Json::parse(contents(place / "r/summary.json"))["steps"] == 20);
}

TEST_CASE("a_result_path_through_a_missing_directory_works_as_a_whole") {
  const Place place;
  const Json s = place.summary("pendulum --out zz/../yy/", {"run.steps=10"});
  CHECK(place.has("yy/summary.json"));
  CHECK(place.livens("audit " + s["directory"].get<std::string>()).status == 0);
}
