// livens study efficiency: several methods, several step sizes, error against effort.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "livens/study/studies.hpp"

using namespace program;
using livens::InputError;
using livens::Overrides;
using livens::read_methods;

namespace {

using Names = std::vector<std::string>;

std::string list_refusal(const std::string& text) {
  try {
    read_methods(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

const std::string short_pendulum = "study efficiency pendulum --set run.end=1.0 --step-sizes 0.1,0.05 --methods ";

}  // namespace

TEST_CASE("a_list_of_methods_is_read_with_the_keys_of_each") {
  const auto methods = read_methods(" rattle( ),galerkin( s = 2,quadrature=lobatto ) , spark(s=3)");
  REQUIRE(methods.size() == 3);
  CHECK(methods[0].set == Overrides{{"method.name", "rattle"}});
  CHECK(methods[1].set == Overrides{{"method.name", "galerkin"}, {"method.s", "2"}, {"method.quadrature", "lobatto"}});
  CHECK(methods[1].text == "galerkin( s = 2,quadrature=lobatto )");
  CHECK(methods[2].set == Overrides{{"method.name", "spark"}, {"method.s", "3"}});
}

TEST_CASE("a_list_of_methods_that_cannot_be_read_is_refused_in_words") {
  CHECK(mentions(list_refusal(""), "--methods: \"\": the name of a method is missing"));
  CHECK(mentions(list_refusal("rattle,,shake"), "the name of a method is missing"));
  CHECK(mentions(list_refusal("rattle,"), "the name of a method is missing"));
  CHECK(mentions(list_refusal("(s=2)"), "the name of a method is missing before the parenthesis"));
  CHECK(mentions(list_refusal("galerkin(s=2"), "the parenthesis is not closed"));
  CHECK(mentions(list_refusal("galerkin)s=2("), "a parenthesis is closed that was not opened"));
  CHECK(mentions(list_refusal("galerkin(s=2)w"), "nothing may follow the parenthesis but a comma"));
  CHECK(mentions(list_refusal("galerkin(s)"), "\"s\" is not key=value"));
  CHECK(mentions(list_refusal("galerkin(s=)"), "\"s=\" is not key=value"));
  CHECK(mentions(list_refusal("galerkin(,)"), "\"\" is not key=value"));
  CHECK(mentions(list_refusal("galerkin(s=2,s=3)"), "s is given twice"));
  CHECK(mentions(list_refusal("rattle,spark,rattle"), "\"rattle\": the method is given twice"));
  for (const char* text : {"", "galerkin(s", "rattle,rattle"})
    CHECK(mentions(list_refusal(text), "write a list such as \"rattle, galerkin(s=2, w=2)\""));
}

TEST_CASE("study_efficiency_tells_errors_and_effort_of_every_method_and_step_size") {
  const Place place;
  const Reply reply = place.livens(short_pendulum + "rattle,galerkin(s=2,w=2) --json --out kept");
  INFO(reply.err);
  REQUIRE(reply.status == 0);
  const Json study = reply.json();
  CHECK(keys(study) == Names{"study", "reference", "reference_description", "rows"});
  CHECK(study["study"] == "efficiency");
  CHECK(study["reference"] == "fine");
  REQUIRE(study["rows"].size() == 4);
  for (const Json& row : study["rows"]) {
    CHECK(keys(row) == Names{"method", "step", "error", "cost"});
    CHECK(keys(row["error"]) == Names{"q", "p", "lambda"});
    CHECK(keys(row["cost"]) == Names{"newton_iterations", "jacobians", "evaluations", "seconds"});
    CHECK(row["cost"]["seconds"] > 0);
    CHECK(row["cost"]["evaluations"] >= 10);
  }
  const Json rattle = study["rows"][1], galerkin = study["rows"][3];
  CHECK(rattle["method"]["name"] == "rattle");
  CHECK(galerkin["method"]["name"] == "galerkin");
  CHECK(galerkin["method"]["order"] == 4);
  CHECK(rattle["step"] == 0.05);
  CHECK(galerkin["error"]["q"] < 1e-2 * rattle["error"]["q"].get<double>());
  CHECK(contents(place / "kept/efficiency.json") == reply.out);
  const std::string page = contents(place / "kept/efficiency.html");
  CHECK(mentions(page, "<svg"));
  CHECK(mentions(page, "galerkin(s=2,w=2)"));

  const Reply order = place.livens("study order pendulum --set run.end=1.0 --step-sizes 0.1,0.05 --json");
  CHECK(order.json()["rows"][1]["error"] == rattle["error"]);
}

TEST_CASE("study_efficiency_prints_a_table_for_people") {
  const Place place;
  const Reply table = place.livens(short_pendulum + "rattle,spark(s=1)");
  CHECK(table.status == 0);
  CHECK(table.err == "");
  for (const char* words : {"method", "q error", "lambda", "seconds", "evaluations", "spark(s=1)"})
    CHECK(mentions(table.out, words));
  CHECK(place.empty());
}

TEST_CASE("study_efficiency_refuses_what_it_cannot_study_and_runs_nothing") {
  const Place place;
  const auto refusal = [&](const std::string& words) {
    const Reply reply = place.livens(words + " --out kept");
    CHECK(reply.status == 2);
    CHECK(reply.out == "");
    CHECK(place.empty());
    return reply.err;
  };
  CHECK(mentions(refusal("study efficiency pendulum --step-sizes 0.1"), "--methods"));
  CHECK(mentions(refusal(short_pendulum + "ratle"), "--methods: \"ratle\": method.name: there is no method \"ratle\""));
  CHECK(mentions(refusal(short_pendulum + "galerkin(z=2)"), "method.z"));
  CHECK(mentions(refusal(short_pendulum + "galerkin(s=1,w=2)"),
                 "--methods: \"galerkin(s=1,w=2)\": method.w: w = 2 > s = 1"));
  CHECK(mentions(refusal("study efficiency pendulum --set run.end=1.0 --step-sizes 0.3 --methods rattle"),
                 "does not divide"));
}

TEST_CASE("a_run_of_study_efficiency_that_fails_leaves_the_others_their_figures") {
  const Place place;
  const Reply reply =
      place.livens("study efficiency pendulum --set run.end=5.0 --step-sizes 5.0,0.05 --methods rattle --json");
  CHECK(reply.status == 1);
  CHECK(mentions(reply.err, "rattle, step size 5"));
  const Json rows = reply.json()["rows"];
  CHECK(rows[0]["error"]["q"].is_null());
  CHECK(rows[0]["cost"]["seconds"].is_null());
  CHECK(rows[1]["error"]["q"].is_number());
  CHECK(rows[1]["cost"]["seconds"].is_number());
}
