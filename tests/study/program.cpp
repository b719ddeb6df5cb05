// livens study, as a user meets it.
#include "cli/program.hpp"

#include <doctest/doctest.h>

using namespace program;

namespace {

using Names = std::vector<std::string>;

Json figures(const Place& place, const std::string& words, int status = 0) {
  const Reply reply = place.livens("study " + words + " --json");
  INFO(reply.err);
  REQUIRE(reply.status == status);
  CHECK((reply.err == "") == (status == 0));
  return reply.json();
}

std::string refusal(const Place& place, const std::string& words) {
  const Reply reply = place.livens("study " + words);
  CAPTURE(reply.err);
  CHECK(reply.status == 2);
  CHECK(reply.out == "");
  CHECK(reply.err.starts_with("livens: "));
  return reply.err;
}

const std::string short_pendulum = "pendulum --set run.step=0.05 --set run.end=1.0";

}  // namespace

TEST_CASE("study_order_prints_rows_of_errors_and_slopes") {
  const Place place;
  const Json study = figures(place, "order " + short_pendulum + " --step-sizes 0.05,0.025,0.0125");
  CHECK(keys(study) == Names{"study", "method", "reference", "reference_description", "rows"});
  CHECK(study["study"] == "order");
  CHECK(study["method"] == Json{{"name", "rattle"}});
  CHECK(study["reference"] == "fine");
  REQUIRE(study["rows"].size() == 3);
  for (const Json& row : study["rows"]) {
    CHECK(keys(row) == Names{"step", "error", "order"});
    CHECK(keys(row["error"]) == Names{"q", "p", "lambda"});
    CHECK(keys(row["order"]) == Names{"q", "p", "lambda"});
  }
  CHECK(study["rows"][0]["order"]["q"].is_null());
  for (const char* x : {"q", "p", "lambda"}) {
    CHECK(study["rows"][2]["order"][x] > 1.9);
    CHECK(study["rows"][2]["order"][x] < 2.1);
  }
  CHECK(place.empty());

  const Reply table = place.livens("study order " + short_pendulum + " --step-sizes 0.05,0.025,0.0125");
  CHECK(table.status == 0);
  CHECK(table.err == "");
  CHECK(mentions(table.out, "lambda"));
  CHECK(mentions(table.out, "0.0125"));
}

TEST_CASE("study_order_compares_with_a_recorded_run") {
  const Place place;
  place.summary("pendulum --out reference", {"run.step=0.0005", "run.end=1.0"});
  const std::string order = "order " + short_pendulum + " --step-sizes 0.05,0.025";
  const Json by_file = figures(place, order + " --reference reference/trajectory.h5"), fine = figures(place, order);
  CHECK(by_file["reference"] == "reference/trajectory.h5");
  for (const char* x : {"q", "p", "lambda"}) {  // the recorded run has an error of its own, 1/2500 of the other
    const double measured = by_file["rows"][1]["error"][x], wanted = fine["rows"][1]["error"][x];
    CHECK(measured == doctest::Approx(wanted).epsilon(1e-3).scale(0));
  }
  const std::string words =
      refusal(place, "order " + short_pendulum + " --step-sizes 0.0001 --reference reference/trajectory.h5");
  CHECK(mentions(words, "reference/trajectory.h5: has no row at t = 0.0001"));
  CHECK(mentions(refusal(place,
                         "order double-pendulum --set run.end=1.0 --step-sizes 0.1 --reference "
                         "reference/trajectory.h5"),
                 "is of another system"));
}

TEST_CASE("study_order_keeps_its_figures_where_it_is_told") {
  const Place place;
  const std::string order = "order " + short_pendulum + " --step-sizes 0.1,0.05 --out kept";
  const Json study = figures(place, order);
  CHECK(Json::parse(contents(place / "kept/order.json")) == study);
  CHECK(mentions(refusal(place, order), "kept"));
}

TEST_CASE("study_symplecticity_and_reversibility_print_their_figures") {
  const Place place;
  for (const char* method : {"rattle", "shake", "constrained-euler"}) {
    const std::string model = std::string(" modified-pendulum --set run.steps=50 --set method.name=") + method;
    const Json form = figures(place, "symplecticity" + model);
    CHECK(keys(form) == Names{"study", "defect", "scale"});
    CHECK(form["study"] == "symplecticity");
    CHECK(form["defect"] < 4 * 2.2e-16);
    CHECK(form["scale"] > 0.5);

    const Json way = figures(place, "reversibility" + model);
    CHECK(keys(way) == Names{"study", "distance"});
    CHECK(keys(way["distance"]) == Names{"q", "p"});
    CHECK((way["distance"]["q"] < 1e-14) == (std::string(method) != "constrained-euler"));
  }
  CHECK(figures(place, "symplecticity double-pendulum")["defect"] < 4 * 2.2e-16);
  CHECK(mentions(place.livens("study symplecticity pendulum").out, "defect"));
  CHECK(mentions(place.livens("study reversibility pendulum --set run.steps=10").out, "10 steps of 0.01 and back"));
  CHECK(place.empty());
}

TEST_CASE("a_study_that_cannot_be_done_ends_with_1_and_says_why") {
  const Place place;
  const Json order = figures(place, "order pendulum --set run.end=5.0 --step-sizes 5.0,0.05", 1);
  CHECK(order["rows"][0]["error"]["q"].is_null());
  CHECK(order["rows"][1]["error"]["q"].is_number());
  CHECK(figures(place, "symplecticity pendulum --set run.step=5.0 --set run.steps=1", 1)["defect"].is_null());
  CHECK(figures(place, "reversibility pendulum --set run.step=5.0 --set run.steps=1", 1)["distance"]["q"].is_null());
}

TEST_CASE("advice_and_studies_of_given_steps_need_an_end_and_no_step") {
  const Place place;
  std::string text = problem("pendulum");
  const std::size_t run = text.find("[run]");
  REQUIRE(run != text.npos);
  put(place / "m.toml", text.substr(0, run) + "[run]\nend = 0.5\n");
  const Json order = figures(place, "order m.toml --step-sizes 0.1,0.05");
  CHECK(order["rows"].size() == 2);
  CHECK(order["rows"] == figures(place, "order pendulum --set run.end=0.5 --step-sizes 0.1,0.05")["rows"]);
  CHECK(figures(place, "efficiency m.toml --methods rattle,shake --step-sizes 0.1")["rows"].size() == 2);
  const Reply advice = place.livens("advise m.toml --set run.end=0.1 --set method.name=auto --json");
  CHECK(advice.status == 0);
  CHECK(Json::parse(advice.out)["rows"].size() > 2);

  for (const char* words : {"symplecticity m.toml", "reversibility m.toml", "efficiency m.toml --methods rattle"})
    CHECK(mentions(refusal(place, words), "m.toml: run.step: missing"));
  for (const char* words : {"run m.toml", "check m.toml", "run m.toml --set method.name=auto"}) {
    const Reply reply = place.livens(words);
    CHECK(reply.status == 2);
    CHECK(mentions(reply.err, "run.step: missing; write step = 0.01"));
  }
  CHECK_FALSE(place.has("runs"));
}

TEST_CASE("what_cannot_be_studied_is_refused_in_words") {
  const Place place;
  CHECK(mentions(refusal(place, "symplecticity overdetermined-cubic"), "has no two-form"));
  CHECK(mentions(refusal(place, "reversibility overdetermined-cubic --set method.name=rattle"), "method.name"));
  CHECK(mentions(refusal(place, "order pendulum"), "--step-sizes"));
  CHECK(mentions(refusal(place, "invariants pendulum"), "the study is made for kind \"degenerate\""));
  CHECK(mentions(refusal(place, "invariants vortices --set method.name=vprk"), "add [loop] with q = [...]"));
  CHECK(mentions(refusal(place, "order pendulum --step-sizes 0.03"), "does not divide"));
  CHECK(place.empty());
}

TEST_CASE("study_invariants_prints_the_forms_that_loop_surface_and_projection_give") {
  const Place place;
  const std::string model = "invariants symmetric-field --set run.steps=5 --set surface.points=20 --set loop.points=20";
  const Json study = figures(place, model);
  CHECK(keys(study) == Names{"study", "t", "first", "second", "largest_change", "resolved_until", "failure"});
  CHECK(study["resolved_until"] == Json{{"first", 50}, {"second", 50}});
  CHECK(study["failure"].is_null());
  CHECK(study["study"] == "invariants");
  CHECK(study["t"] == Json{0, 10, 20, 30, 40, 50});
  CHECK(keys(study["first"]) == Names{"noncanonical"});
  CHECK(study["first"]["noncanonical"].size() == 6);
  CHECK(study["first"]["noncanonical"][0] == doctest::Approx(0.52700216763968786).epsilon(1e-15).scale(0));
  const std::string by = model + " --set method.projection=";
  CHECK(keys(figures(place, by + "none")["second"]) == Names{"noncanonical", "canonical"});
  CHECK(keys(figures(place, by + "symplectic")["first"]) == Names{"noncanonical", "corrected"});
  CHECK(keys(figures(place, by + "symplectic")["largest_change"]["second"]) == Names{"noncanonical", "corrected"});
  const Json one = figures(place,
                           "invariants vortices --set method.name=vprk --set run.steps=2 "
                           "--set loop.q=[\"0.1*cos(2*pi*tau)\",\"0.1*sin(2*pi*tau)\",\"1\",\"1\"]");
  CHECK(keys(one) == Names{"study", "t", "first", "largest_change", "resolved_until", "failure"});
  CHECK(place.empty());

  const Reply table = place.livens("study " + by + "symplectic --out kept");
  CHECK(table.status == 0);
  CHECK(mentions(table.out, "corrected"));
  CHECK(mentions(table.out, "Up to t = 50 the first invariant changed by at most"));
  CHECK(keys(Json::parse(contents(place / "kept/invariants.json"))) == keys(study));
  const std::string page = contents(place / "kept/invariants.html");
  for (const char* part : {"First invariant", "Second invariant", "<svg", "20 points of a loop", "corrected"})
    CHECK_MESSAGE(mentions(page, part), part);
  CHECK(mentions(refusal(place, model + " --out kept"), "kept"));
}

TEST_CASE("a_study_of_invariants_with_too_few_points_says_from_where_on") {
  const Place place;
  const std::string model = "invariants symmetric-field --set run.steps=5 --set loop.points=20 --set surface.points=";
  const Json few = figures(place, model + "3");
  CHECK(few["resolved_until"]["first"] == 50);
  CHECK(few["resolved_until"]["second"].is_null());
  CHECK(few["largest_change"]["second"]["noncanonical"].is_null());
  CHECK(few["second"]["noncanonical"].size() == 6);
  const Reply table = place.livens("study " + model + "3 --out few");
  const std::string words = "Not resolved from t = 0 on with 3 x 3 points of a surface: take more points.";
  CHECK(table.status == 0);
  CHECK_MESSAGE(mentions(table.out, words), table.out);
  CHECK(mentions(contents(place / "few/invariants.html"), "<span class=\"wrong\">" + words));
}

TEST_CASE("a_study_of_invariants_that_fails_at_a_point_keeps_the_rows_before_and_says_where") {
  const Place place;
  const std::string model =
      "invariants lotka-volterra --set method.name=vprk --set method.stages=1 --set run.step=1.5 "
      "--set run.end=300.0 --set loop.q=[\"1.6+1.5*cos(2*pi*tau)\",\"2.1+2*sin(2*pi*tau)\"]";
  const Json study = figures(place, model, 1);
  const std::size_t rows = study["t"].size();
  CHECK(rows >= 1);
  CHECK(rows < 201);
  CHECK(study["first"]["noncanonical"].size() == rows);
  CHECK(mentions(study["failure"], "loop, tau = "));
  const std::string words = place.livens("study " + model).err;
  CHECK_MESSAGE(mentions(words, "loop, tau = "), words);
  CHECK_MESSAGE(mentions(words, "step " + std::to_string(rows) + " from t = "), words);
  // what goes on for longer has its times, and the other one null
  const Json both =
      figures(place, model + " --set surface.q=[\"1+0.01*sigma\",\"2+0.01*tau\"] --set surface.points=8", 1);
  CHECK(both["t"].size() > rows);
  CHECK(both["second"]["noncanonical"].size() == both["t"].size());
  CHECK(both["first"]["noncanonical"].size() == both["t"].size());
  CHECK(both["first"]["noncanonical"][rows - 1].is_number());
  CHECK(both["first"]["noncanonical"][rows].is_null());
  // and where nothing can be started it is the loop that is wrong
  const std::string off = "invariants lotka-volterra --set method.name=vprk --set loop.q=[\"cos(2*pi*tau)\",\"2\"]";
  CHECK(mentions(refusal(place, off),
                 "loop.q: at tau = 0.255 theta, the Hamiltonian or a derivative of them is not finite"));
}

TEST_CASE("the_list_of_studies_names_them") {
  const Place place;
  Names names;
  for (const Json& row : Json::parse(place.livens("list studies --json").out)) {
    CHECK(keys(row) == Names{"name", "summary"});
    names.push_back(row["name"]);
  }
  CHECK(names == Names{"order", "efficiency", "symplecticity", "reversibility", "invariants"});
  CHECK(mentions(place.livens("list studies").out, "symplecticity"));
}

TEST_CASE("a_failed_study_tells_time_residuals_and_formula_as_a_run_does") {
  const Place place;
  const std::string until = " pendulum --set run.end=1.0 --set system.forces=[\"0\",\"sqrt(0.5-t)\"]";
  const std::string where = "at t = 0.55 in system.forces: sqrt(0.5 - t) with 0.5 - t = -0.05";
  const std::string order = place.livens("study order" + until + " --step-sizes 0.05").err;
  for (const char* part : {"step size 0.05: step 11 from t = 0.5 could not be solved", "(residuals ", where.c_str()})
    CHECK_MESSAGE(mentions(order, part), order);
  const std::string way = place.livens("study reversibility" + until + " --set run.step=0.05").err;
  for (const char* part : {"step 11 from t = 0.5 could not be solved", "(residuals ", where.c_str()})
    CHECK_MESSAGE(mentions(way, part), way);
  const std::string form = place.livens("study symplecticity" + until + " --set run.step=1.0").err;
  CHECK_MESSAGE(mentions(form, "step 1 from t = 0 could not be solved"), form);
}

TEST_CASE("the_directory_of_a_run_is_a_reference_too") {
  const Place place;
  place.summary("pendulum --out reference", {"run.step=0.005", "run.end=1.0"});
  const std::string order = "order " + short_pendulum + " --step-sizes 0.05 --reference reference";
  CHECK(figures(place, order)["rows"] == figures(place, order + "/trajectory.h5")["rows"]);
  fs::remove(place / "reference/trajectory.h5");
  CHECK(mentions(refusal(place, order), "--reference reference: is a directory without a trajectory.h5"));
}

TEST_CASE("a_reference_of_another_model_is_refused_with_the_first_difference") {
  const Place place;
  const std::string order = "order " + short_pendulum + " --step-sizes 0.05 --reference reference";
  const auto recorded_with = [&](const std::string& set) {
    place.summary("pendulum --force --out reference", {"run.step=0.005", "run.end=1.0", set});
  };
  for (const auto& [set, words] : std::vector<std::pair<std::string, std::string>>{
           {"system.parameters.g=9.8", "system.parameters.g is 9.8 there, 9.81 here"},
           {"initial.v=[\"cos(1)\", \"sin(1)\"]", "initial.v[1] is cos(1) there, cos(1)/2 here"},
           {"system.forces=[\"-x'\", \"0\"]", "system.forces[1] is -x' there, missing here"}}) {
    recorded_with(set);
    const std::string refused = refusal(place, order);
    CHECK(mentions(refused, "--reference reference/trajectory.h5: is a run of another model: "));
    CHECK(mentions(refused, words));
  }
  for (const std::string same : {"method.name=shake", "run.precision=extended", "system.parameters.g=9.810",
                                 "system.lagrangian=m/2*(x'^2+y'^2)-m*g*y", "initial.project=false"}) {
    recorded_with(same);
    CHECK(place.livens("study " + order).status == 0);
  }
}

TEST_CASE("degenerate_systems_are_studied_as_the_others") {
  const Place place;
  const Json order = figures(place, "order vortices --set run.end=2.0 --step-sizes 0.2,0.1,0.05");
  CHECK(order["reference_description"] ==
        "equations of motion, extrapolated midpoint rule to round-off, in extended precision");
  for (const char* x : {"q", "p"}) {
    CHECK(order["rows"][2]["order"][x] > 3.8);
    CHECK(order["rows"][2]["order"][x] < 4.2);
  }
  CHECK_FALSE(order["rows"][2]["error"].contains("lambda"));
  // one step of 0.4 from (0.8, 0.3, -0.4, 0.5) with Gauss 1, known from an independent implementation
  const std::string crooked =
      "symplecticity vortices --set method.stages=1 --set run.step=0.4 --set run.steps=1 "
      "--set initial.q=[0.8,0.3,-0.4,0.5] --set method.projection=";
  CHECK(figures(place, crooked + "none")["defect"] < 4e-15);
  for (const auto& [projection, defect] :
       {std::pair("standard", 7.9e-10), std::pair("symmetric", 1.7e-12), std::pair("midpoint", 3.9e-8)})
    CHECK(figures(place, crooked + projection)["defect"].get<double>() ==
          doctest::Approx(defect).epsilon(0.05).scale(0));
  CHECK(figures(place, "reversibility vortices --set run.end=2.0")["distance"]["q"] < 1e-13);
  CHECK(figures(place, "reversibility vortices --set run.end=2.0 --set method.projection=standard")["distance"]["q"] >
        1e-11);
}

TEST_CASE("degenerate_systems_have_exact_solutions_too") {
  const Place place;
  put(place / "turn.toml", R"toml([system]
kind = "degenerate"
coordinates = ["x", "y"]
theta = ["-y/2", "x/2"]
hamiltonian = "(x^2 + y^2)/2"
[initial]
q = [1.0, 0.0]
[exact]
q = ["cos(t)", "sin(t)"]
[method]
name = "vprk"
stages = 3
[run]
step = 0.1
end = 2.0
)toml");
  const std::string widest = LIVENS_QUAD ? "quad" : "extended";
  const std::string study = "order turn.toml --set run.precision=" + widest + " --step-sizes 0.2,0.1 --reference ";
  const Json exact = figures(place, study + "exact"), fine = figures(place, study + "fine");
  CHECK(exact["rows"][1]["order"]["q"] > 5.9);
  CHECK(exact["rows"][1]["order"]["q"] < 6.1);
  for (const char* x : {"q", "p"})
    CHECK(exact["rows"][1]["error"][x].get<double>() ==
          doctest::Approx(fine["rows"][1]["error"][x].get<double>()).epsilon(LIVENS_QUAD ? 1e-9 : 1e-5).scale(0));
}
