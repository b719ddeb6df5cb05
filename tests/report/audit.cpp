// livens audit.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"

using namespace program;

namespace {

std::string refusal(const Place& place, const std::string& command) {
  const Reply reply = place.livens(command);
  CAPTURE(reply.err);
  CHECK(reply.status == 2);
  CHECK(reply.out == "");
  return reply.err;
}

// The run r with one of its files spoilt.
template <class Spoil>
std::string refusal_after(const Spoil& spoil) {
  const Place place;
  place.summary("pendulum --out r", {"run.steps=20"});
  spoil(place);
  const std::string said = refusal(place, "audit r");
  CHECK(refusal(place, "report r") == said);
  CHECK(!place.has("r/report.html"));
  return said;
}

}  // namespace

TEST_CASE("the_audit_of_a_recorded_run_is_told_in_words") {
  const Place place;
  place.summary("spherical-pendulum --out r");
  const Reply reply = place.livens("audit r");
  CHECK(reply.status == 0);
  CHECK(reply.err == "");
  for (const char* part : {"energy ", "oscillates within ", ", no drift (initial -0.395, relative ", "constraint ",
                           "satisfied to round-off", "angular_momentum ", "conserved to round-off"})
    CHECK_MESSAGE(mentions(reply.out, part), reply.out);
}

TEST_CASE("constraints_are_judged_by_the_size_of_their_terms_in_any_units") {
  const Place place;
  for (const std::string length : {"1e-10", "1", "1e7"}) {
    CAPTURE(length);
    const auto words = [&](const std::string& name, const std::string& tolerance) {
      place.summary("pendulum --out " + name + length,
                    {"system.parameters.l=" + length, "system.parameters.g=9.81*l", "run.steps=200",
                     "initial.q=[\"l*sin(1)\", \"-l*cos(1)\"]", "initial.v=[\"l*cos(1)/2\", \"l*sin(1)/2\"]",
                     "solver.tolerance=" + tolerance});
      const Json audit = place.livens("audit --json " + name + length).json()["audit"];
      return std::pair{audit["constraint"]["words"].get<std::string>(),
                       audit["hidden_constraint"]["words"].get<std::string>()};
    };
    const auto [constraint, hidden_constraint] = words("to-round-off", "round-off");
    CHECK(mentions(constraint, "satisfied to round-off"));
    CHECK(mentions(hidden_constraint, "satisfied to round-off"));
    CHECK(mentions(words("poorly", "1e-3").first, "violated by at most"));
  }
}

TEST_CASE("the_end_of_a_run_says_the_words_of_its_audit") {
  const Place place;
  const Reply run = place.livens("run spherical-pendulum --out r --set run.steps=500");
  const std::string lines = place.livens("audit r").out;
  CHECK(mentions(run.err, lines.substr(lines.find('\n') + 1)));
}

TEST_CASE("figures_of_all_steps_stand_beside_those_of_the_rows") {
  const Place place;
  const Json s = place.summary("spherical-pendulum --out r", {"run.steps=1000", "run.every=7"});
  const Json a = place.livens("audit r --json").json();
  CHECK(keys(a) == std::vector<std::string>{"directory", "audit", "words"});
  CHECK(a["directory"] == "r");
  const Json &audit = a["audit"], &energy = audit["energy"];
  CHECK(keys(audit) == std::vector<std::string>{"energy", "constraint", "hidden_constraint", "invariants"});
  for (const char* key : {"initial", "max_error", "drift_per_unit_time"})
    CHECK(energy[key] == s["audit"]["energy"][key]);
  CHECK(audit["constraint"]["max"] == s["audit"]["constraint"]["max"]);
  CHECK(audit["invariants"]["angular_momentum"]["max_error"] ==
        s["audit"]["invariants"]["angular_momentum"]["max_error"]);

  const Trajectory h5(place / "r/trajectory.h5");
  double largest = 0;
  for (const double e : h5.numbers("audit/energy"))
    largest = std::max(largest, std::abs(e - energy["initial"].get<double>()));
  CHECK(energy["rows"]["max_error"] == largest);
  CHECK(largest <= energy["max_error"].get<double>());
  double constraint = 0;
  for (const double g : h5.numbers("audit/constraint")) constraint = std::max(constraint, g);
  CHECK(audit["constraint"]["rows"]["max"] == constraint);
  CHECK(a["words"].size() == 4);
  CHECK(a["words"][0] == "energy: " + energy["words"].get<std::string>());
}

TEST_CASE("with_all_rows_recorded_the_drift_of_the_rows_is_that_of_the_steps") {
  const Place place;
  place.summary("spherical-pendulum --out r", {"run.steps=1000"});
  const Json audit = place.livens("audit r --json").json();
  const Json& energy = audit["audit"]["energy"];
  const double all = energy["drift_per_unit_time"], rows = energy["rows"]["drift_per_unit_time"];
  CHECK(std::abs(all - rows) < 1e-15);
  CHECK(all != 0.0);
}

TEST_CASE("a_violated_hidden_constraint_is_called_so") {
  const Place place;
  place.summary("pendulum --out r", {"method.name=constrained-euler"});
  CHECK(mentions(place.livens("audit r").out, "violated by at most 0.046"));
}

TEST_CASE("errors_below_the_digits_of_the_rows_are_not_given_a_course") {
  const Place place;
  const Reply run = place.livens("run spherical-pendulum --out r --set run.precision=extended --set run.steps=200");
  if (run.status == 2) return;  // no such precision in this build
  CHECK(mentions(place.livens("audit r").out, "angular_momentum"));
  CHECK(mentions(place.livens("audit r").out, "conserved to round-off"));
}

TEST_CASE("what_is_not_a_run_is_refused_with_the_remedy") {
  const Place place;
  CHECK(mentions(refusal(place, "audit nowhere"), "nowhere: there is no such directory; livens run MODEL --out DIR"));
  put(place / "file", "");
  CHECK(mentions(refusal(place, "audit file"), "file: is not a directory; give the directory of a run"));
  fs::create_directory(place / "empty");
  CHECK(mentions(refusal(place, "report empty"), "empty: there is no run in it"));
  CHECK(mentions(refusal(place, "audit"), "DIR is required"));
  CHECK(mentions(refusal(place, "report"), "DIR is required"));
}

TEST_CASE("an_unfinished_run_is_told_how_to_go_on") {
  const Place place;
  fs::create_directory(place / "r");
  put(place / "r/checkpoint.rows", "");
  CHECK(mentions(refusal(place, "audit r"), "r: the run in it is not finished; livens resume r"));
}

TEST_CASE("missing_and_damaged_files_are_named") {
  CHECK(mentions(refusal_after([](const Place& p) { fs::remove(p / "r/trajectory.h5"); }),
                 "r/trajectory.h5: is missing; run the model again with --force"));
  CHECK(mentions(refusal_after([](const Place& p) { put(p / "r/summary.json", "{ \"livens\": "); }),
                 "r/summary.json: is damaged"));
  CHECK(mentions(refusal_after([](const Place& p) { put(p / "r/summary.json", "{}"); }), "r/summary.json: is damaged"));
  CHECK(mentions(refusal_after([](const Place& p) { put(p / "r/summary.json", "{}"); }),
                 "remove it, and livens resume r writes it again"));
  CHECK(mentions(refusal_after([](const Place& p) {
                   for (const char* file : {"state", "previous", "rows"})
                     fs::remove(p / (std::string("r/checkpoint.") + file));
                   fs::remove(p / "r/trajectory.h5");
                 }),
                 "is missing; run the model again with --force"));
  CHECK(mentions(refusal_after([](const Place& p) { put(p / "r/trajectory.h5", "no HDF5"); }),
                 "r/trajectory.h5: HDF5: "));
  CHECK(mentions(refusal_after([](const Place& p) { fs::resize_file(p / "r/trajectory.h5", 3000); }),
                 "r/trajectory.h5: HDF5: "));
}

namespace {

// Replaces the first text that stands there.
void change(const fs::path& file, const std::string& from, const std::string& to) {
  std::string text = contents(file);
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  put(file, text.replace(at, from.size(), to));
}

}  // namespace

TEST_CASE("changed_numbers_and_words_of_a_summary_are_noticed") {
  struct Change {
    std::string from, to;
  };
  for (const Change& edit : std::vector<Change>{{"\"max_error\": ", "\"max_error\": 1"},
                                                {"the run is too short to tell drift from oscillation", "no drift"},
                                                {"\"steps\": 20", "\"steps\": 21"},
                                                {"\"check\": \"", "\"check\": \"0"}}) {
    CAPTURE(edit.from);
    CHECK(
        mentions(refusal_after([&](const Place& p) { change(p / "r/summary.json", edit.from, edit.to); }),
                 "r/summary.json: is damaged (its values are not those that were written, the check sum in key 'check' "
                 "is of others); remove it, and livens resume r writes it again"));
  }
}

TEST_CASE("a_changed_summary_is_written_again_by_resume_and_is_no_reference") {
  const Place place;
  const Json before = place.summary("pendulum --out r", {"run.steps=20"});
  change(place / "r/summary.json", "\"max_error\": ", "\"max_error\": 1");
  const Reply order = place.livens(
      "study order pendulum --set run.steps=20 --step-sizes 0.02,0.01 --reference "
      "r/trajectory.h5");
  CHECK(order.status == 2);
  CHECK(mentions(order.err, "r/summary.json is damaged (its values are not those that were written"));
  const Reply resumed = place.livens("resume r");
  CHECK(resumed.status == 0);
  CHECK(mentions(resumed.err, "r/summary.json: is damaged (its values are not those that were written"));
  CHECK(mentions(resumed.err, "it is written again"));
  CHECK(place.livens("audit r").status == 0);
  CHECK(Json::parse(contents(place / "r/summary.json"))["check"] == before["check"]);
}

TEST_CASE("a_summary_of_another_layout_or_without_a_check_sum_is_read") {
  const Place place;
  const Json summary = place.summary("pendulum --out r", {"run.steps=20"});
  put(place / "r/summary.json", summary.dump());  // all on one line
  CHECK(place.livens("audit r").status == 0);
  // As builds before it wrote them.
  Json older = summary;
  older.erase("check");
  put(place / "r/summary.json", older.dump(2));
  CHECK(place.livens("audit r").status == 0);
  // The same run has the same one, wherever it lies and however long it took.
  CHECK(place.summary("pendulum --out elsewhere", {"run.steps=20"})["check"] == summary["check"]);
}

TEST_CASE("files_of_two_runs_are_not_taken_for_one") {
  CHECK(mentions(refusal_after([](const Place& p) {
                   p.summary("pendulum --out other", {"run.steps=30"});
                   fs::copy_file(p / "other/summary.json", p / "r/summary.json", fs::copy_options::overwrite_existing);
                 }),
                 "r: summary.json and trajectory.h5 are not of the same run"));
}

TEST_CASE("a_run_shorter_than_the_motion_takes_to_come_back_is_not_said_to_drift") {
  const Place place;
  // The energy error of rattle follows the motion: a quarter of a swing looks like a drift.
  for (const char* end : {"run.end=0.3", "run.end=0.5", "run.end=1.0"}) {
    const Json s = place.summary("pendulum --force --out r", {end});
    const std::string words = place.livens("audit r --json").json()["audit"]["energy"]["words"];
    CHECK_MESSAGE((mentions(words, "the run is too short to tell") || mentions(words, "oscillates")), end << words);
  }
  place.summary("pendulum --force --out r", {"run.end=0.3"});
  CHECK(mentions(place.livens("audit r").out, "the run is too short to tell drift from oscillation"));
}

TEST_CASE("an_invariant_with_the_name_of_another_line_is_told_from_it") {
  const Place place;
  place.summary("pendulum --out r", {"run.steps=20", "system.invariants.energy=x*p_y - y*p_x"});
  const Reply audit = place.livens("audit r"), json = place.livens("audit r --json");
  CHECK(mentions(audit.out, "\n  energy  "));
  CHECK(mentions(audit.out, "\n  invariant energy  "));
  CHECK(json.json()["audit"]["invariants"]["energy"]["initial"] == doctest::Approx(0.5));
  CHECK(place.livens("report r").status == 0);
  CHECK(mentions(contents(place / "r/report.html"), "<td>invariant energy</td>"));
}
