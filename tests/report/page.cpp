// report.html, as the program writes it.
#include <doctest/doctest.h>

#include <filesystem>

#include "cli/program.hpp"
#include "report/figures.hpp"
#include "report/markup.hpp"
#include "report/sheet.hpp"

using namespace program;

namespace {

struct Report {
  Place place;
  std::string whole, page;  // page: without scripts and style

  explicit Report(const std::string& words, const Arguments& set = {}, int status = 0) {
    place.summary(words + " --report --out r", set, status);
    whole = contents(place / "r/report.html");
    page = markup::without_scripts(whole);
    CHECK(markup::complaint(page) == "");
    for (const char* outside : {"http:", "https:", " src=", "href=", "url(", "@import"})
      CHECK(!mentions(page, outside));
    CHECK(mentions(page, "content=\"default-src 'none'; script-src 'sha256-"));
    for (const char* broken : {"nan", "inf,", ">inf<"}) CHECK(!mentions(page, broken));
  }
  int figures() const { return markup::count(page, "<figure>"); }
};

}  // namespace

TEST_CASE("a_page_tells_what_was_conserved_and_how_to_repeat_it") {
  const Report r("double-pendulum", {"run.end=2", "method.name=rattle"});
  for (const char* part :
       {"<title>Double pendulum in space</title>", "after 2000 steps of 0.001 with rattle",
        "<td>energy</td><td>oscillates within ", "<td>constraint</td><td>satisfied to round-off, within ",
        "<td>angular_momentum</td><td>conserved to round-off, within ", "start values moved onto the constraints",
        "livens run model.toml --set run.end=2 --set method.name=rattle</pre>", "Energy error", "Constraints",
        "<b>Invariant angular_momentum</b>", "x and y", "x and z", "y and z", "x1, y1, z1", "x2, y2, z2", "Multipliers",
        "body 2"})
    CHECK_MESSAGE(mentions(r.page, part), part);
  CHECK(r.figures() == 10);
  CHECK(mentions(r.page, "m1/2*(x1'^2 + y1'^2 + z1'^2)"));
  CHECK(mentions(r.whole, "prefers-color-scheme:dark"));
  CHECK(mentions(r.page, "width=device-width"));
}

TEST_CASE("pages_of_runs_and_of_studies_have_one_style") {
  const auto style = [](const std::string& page) {
    const std::size_t begin = page.find("<style>"), end = page.find("</style>");
    REQUIRE(begin < end);
    return page.substr(begin, end - begin);
  };
  CHECK(style(Report("pendulum", {"run.steps=20"}).whole) == style(livens::sheet("a study", "<p>text</p>")));
}

TEST_CASE("one_coordinate_has_a_phase_portrait_and_no_constraints") {
  const Place place;
  put(place / "one.toml", R"(
title = "Mass & <spring>"
system.kind = "lagrangian"
system.coordinates = ["x"]
system.lagrangian = "x'^2/2 - x^2/2"
initial = { q = [1.0], v = [0.0] }
method.name = "rattle"
run = { step = 0.1, end = 50.0 })");
  CHECK(place.livens("run one.toml --out r --report").status == 0);
  const std::string page = markup::without_scripts(contents(place / "r/report.html"));
  CHECK(markup::complaint(page) == "");
  CHECK(mentions(page, "<h1>Mass &amp; &lt;spring&gt;</h1>"));
  CHECK(mentions(page, "x and p_x"));
  CHECK(!mentions(page, "<b>Constraints</b>"));
  CHECK(markup::count(page, "<figure>") == 4);
}

TEST_CASE("a_failed_run_has_a_page_that_says_why") {
  const Report later("pendulum", {"run.step=0.4", "run.steps=200"}, 1);
  CHECK(mentions(later.page, "<span class=\"outcome failed\">Failed</span> after 1 step of 0.4"));
  CHECK(mentions(later.page, "step 2 from t = 0.4 could not be solved"));
  const Report at_once("pendulum", {"run.step=5", "run.steps=10"}, 1);
  CHECK(mentions(at_once.page, "<td>energy</td><td>no step was done</td>"));
  CHECK(mentions(at_once.page, "<td>constraint</td><td>no step was done</td>"));
}

TEST_CASE("an_override_is_quoted_for_the_shell") {
  const Report r("pendulum", {"system.forces=[\"-x'/10\", \"0\"]", "run.steps=50"});
  CHECK(mentions(r.page, "--set 'system.forces=[&quot;-x'\\''/10&quot;, &quot;0&quot;]' --set run.steps=50"));
  CHECK(mentions(r.page, "the model need not conserve energy: changes by at most "));
  CHECK(mentions(r.page, "Energy balance: within "));
  CHECK(mentions(r.page, "<b>Energy balance</b>"));
}

TEST_CASE("a_long_path_is_shown_from_where_it_can_be_drawn") {
  const Report r("pendulum");
  CHECK(mentions(r.page, "to the end at t = 100"));
  CHECK(fs::file_size(r.place / "r/report.html") < 1'500'000);
}

TEST_CASE("livens_report_writes_the_same_page_again") {
  const Report r("spherical-pendulum", {"run.steps=300"});
  fs::remove(r.place / "r/report.html");
  const Reply reply = r.place.livens("report r");
  CHECK(reply.status == 0);
  CHECK(reply.out == "");
  CHECK(reply.err == "wrote r/report.html\n");
  CHECK(contents(r.place / "r/report.html") == r.whole);
}

TEST_CASE("a_run_with_a_page_can_be_replaced_as_a_whole") {
  const Report r("pendulum", {"run.steps=20"});
  r.place.summary("pendulum --out r --force", {"run.steps=20"});
  CHECK(!r.place.has("r/report.html"));
}

TEST_CASE("a_page_that_cannot_be_written_is_status_3") {
  const Place place;
  place.summary("pendulum --out r", {"run.steps=20"});
  fs::create_directories(place / "r/report.html/in-the-way");
  const Reply reply = place.livens("report r");
  CHECK(reply.status == 3);
  CHECK(mentions(reply.err, "r/report.html: is a directory"));
}

TEST_CASE("coordinates_with_a_common_suffix_are_a_body") {
  using livens::report::bodies;
  const auto two = bodies({"x1", "y1", "z1", "x2", "y2", "z2"});
  REQUIRE(two.size() == 2);
  CHECK(two[1].name == "2");
  CHECK(two[1].coordinates == std::vector{3, 4, 5});
  const auto sorted = bodies({"x_a", "x_b", "y_a", "y_b"});
  REQUIRE(sorted.size() == 2);
  CHECK(sorted[0].name == "a");
  CHECK(sorted[0].coordinates == std::vector{0, 2});
  CHECK(bodies({"x", "y"}).size() == 1);
  CHECK(bodies({"x"}).empty());
  CHECK(bodies({"theta", "phi"}).empty());
  CHECK(bodies({"x1", "y1", "phi1"}).empty());
  CHECK(bodies({"x1", "y1", "z1", "x2", "y2"}).empty());
}

TEST_CASE("what_is_not_measured_is_not_given_a_figure_and_one_row_is_one_row") {
  const Report r("pendulum", {"run.step=5", "run.steps=1"}, 1);
  CHECK(mentions(r.page, "<dd>1 row in trajectory.h5</dd>"));
  CHECK(mentions(r.page, "title=\"Initial\">\u2013</td>"));
  CHECK(!mentions(r.page, "title=\"Initial\">0</td>"));
}
