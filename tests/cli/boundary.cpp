// Boundary value problems as a user meets them: [final] in a model, what is found, stored and said, what is refused.
#include <doctest/doctest.h>

#include <cmath>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"
#include "livens/store/trajectory.hpp"

using namespace program;

namespace {

double distance(const Json& a, const Json& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(a[i].get<double>() - b[i].get<double>()));
  return largest;
}

// The model with [final] taken out and this momentum put in.
std::string with_momentum(std::string text, const Json& p) {
  const std::size_t at = text.find("[final]"), end = text.find("[method]");
  REQUIRE(at != text.npos);
  return text.replace(at, end - at, "\n").insert(text.find("q = "), "p = " + p.dump() + "\n");
}

}  // namespace

TEST_CASE("a_boundary_run_reports_its_action_and_its_momentum_from_which_the_initial_value_run_is_the_same") {
  const Place place;
  const Json boundary = place.summary("pendulum-boundary --out b");
  CHECK(boundary["outcome"] == "finished");
  CHECK(boundary["steps"] == 40);
  CHECK(keys(boundary["boundary"]) == std::vector<std::string>{"action", "p0", "iterations", "residual"});
  CHECK(boundary["boundary"]["iterations"] > 1);
  CHECK(boundary["boundary"]["iterations"] == boundary["cost"]["newton_iterations"]);
  CHECK(boundary["boundary"]["residual"] < 1e-10);
  CHECK(keys(boundary["raw"]) == std::vector<std::string>{"p"});
  CHECK(mentions(boundary["message"].get<std::string>(), "iterations, action "));
  CHECK(distance(boundary["final"]["q"], Json{-std::sin(2.0), -std::cos(2.0)}) < 1e-15);
  CHECK(boundary["audit"]["constraint"]["max"] < 1e-14);
  CHECK(boundary["audit"]["energy"]["max_error"] < 1e-7);

  put(place / "from-p0.toml", with_momentum(problem("pendulum-boundary"), boundary["boundary"]["p0"]));
  const Json initial = place.summary("from-p0.toml --out i");
  for (const char* key : {"q", "v", "p"}) CHECK(distance(boundary["final"][key], initial["final"][key]) < 1e-12);
  CHECK(distance(boundary["final"]["lambda"], initial["final"]["lambda"]) < 1e-11);
  CHECK_FALSE(initial.contains("boundary"));

  const Trajectory solved(place / "b/trajectory.h5"), run(place / "i/trajectory.h5");
  REQUIRE(solved.rows() == 41);
  const auto a = solved.numbers("q"), b = run.numbers("q");
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  CHECK(largest < 1e-12);
  const livens::TrajectoryReader columns(place / "b/trajectory.h5");
  CHECK(columns.has("raw_p"));
  CHECK_FALSE(columns.has("raw_lambda"));
}

TEST_CASE("a_boundary_run_has_all_digits_in_wider_precisions_and_goes_back_in_time") {
  const Place place;
  const Json narrow = place.summary("pendulum-boundary"),
             wide = place.summary("pendulum-boundary", {"run.precision=extended"});
  CHECK(distance(narrow["boundary"]["p0"], wide["boundary"]["p0"]) < 1e-12);
  CHECK(keys(wide["boundary_digits"]) == std::vector<std::string>{"action", "p0"});
  CHECK(wide["boundary_digits"]["action"].get<std::string>().size() > 18);

  const Json back =
      place.summary("pendulum-boundary", {"run.step=-0.02", "run.end=0.0", "initial.t=0.8",
                                          "initial.q=[\"-sin(2)\", \"-cos(2)\"]", "final.q=[\"sin(1)\", \"-cos(1)\"]"});
  CHECK(distance(back["final"]["p"], narrow["boundary"]["p0"]) < 1e-12);
  CHECK(std::abs(back["boundary"]["action"].get<double>() + narrow["boundary"]["action"].get<double>()) < 1e-12);
}

TEST_CASE("a_boundary_run_of_a_chain_is_the_same_with_dense_and_sparse_equations") {
  const Place place;
  const std::string chain = R"toml([system]
kind        = "lagrangian"
coordinates = [{ for = "i = 1..N", each = ["x[i]", "y[i]"] }]
lagrangian  = "sum(i = 1..N, (x[i]'^2 + y[i]'^2)/2 - 9.81*y[i])"
constraints = ["(x[1]^2 + y[1]^2 - 1)/2", { for = "i = 2..N", each = ["((x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - 1)/2"] }]
[system.parameters]
N = 6
[initial]
q = [{ for = "i = 1..N", each = ["0.6*i", "-0.8*i"] }]
[final]
q = [{ for = "i = 1..N", each = ["0.6*i", "-0.8*i"] }]
[method]
name = "galerkin"
[run]
step  = 0.02
steps = 8
)toml";
  put(place / "chain.toml", chain);
  const Json dense = place.summary("chain.toml", {"solver.linear=dense"}),
             sparse = place.summary("chain.toml", {"solver.linear=sparse"});
  CHECK(dense["outcome"] == "finished");
  CHECK(distance(dense["boundary"]["p0"], sparse["boundary"]["p0"]) < 1e-9);
  CHECK(distance(dense["final"]["p"], sparse["final"]["p"]) < 1e-9);
}

TEST_CASE("project_moves_both_ends_and_every_and_record_are_obeyed") {
  const Place place;
  const Json s =
      place.summary("pendulum-boundary --out b", {"initial.project=true", "initial.q=[0.9, -0.5]",
                                                  "final.q=[-1.0, 0.5]", "run.every=15", "record.reactions=true"});
  CHECK(mentions(s["message"].get<std::string>(), "boundary values moved onto the constraints: q by "));
  const double x = s["final"]["q"][0], y = s["final"]["q"][1];
  CHECK(std::abs(x * x + y * y - 1) < 1e-14);
  const Trajectory rows(place / "b/trajectory.h5");
  CHECK(rows.numbers("t") == std::vector<double>{0, 15 * 0.02, 30 * 0.02, 40 * 0.02});
  CHECK(rows.shape("reaction") == Shape{4, 2});
}

TEST_CASE("a_boundary_problem_that_is_not_solved_ends_with_1_and_leaves_no_data") {
  const Place place;
  const Json s = place.summary("pendulum-boundary --out b", {"solver.iterations=2"}, 1);
  CHECK(s["outcome"] == "failed");
  CHECK(s["steps"] == 0);
  const std::string message = s["message"];
  for (const char* words : {"could not be solved", "stalled", "initial.v", "solver.iterations"})
    CHECK(mentions(message, words));
  CHECK_FALSE(s.contains("boundary"));
  CHECK(s["final"]["t"] == 0.0);
  CHECK(s["final"]["p"] == Json{nullptr, nullptr});
  CHECK(Trajectory(place / "b/trajectory.h5").rows() == 1);
  const Reply audit = place.livens("audit b");
  CHECK(audit.status == 0);
  CHECK(audit.out == "b: no motion was found, there is nothing to audit\n");

  const Reply again = place.livens("resume b --json");  // starts over
  CHECK(again.status == 1);
  CHECK(again.json()["final"] == s["final"]);
  CHECK(Trajectory(place / "b/trajectory.h5").rows() == 1);
}

TEST_CASE("a_finished_boundary_run_is_not_run_again_and_cannot_be_made_longer") {
  const Place place;
  place.summary("pendulum-boundary --out b");
  const std::string summary = contents(place / "b/summary.json");
  const Reply same = place.livens("resume b --json");
  CHECK(same.status == 0);
  CHECK(same.out == summary);
  const Reply longer = place.livens("resume b --end 1.6");
  CHECK(longer.status == 2);
  CHECK(mentions(longer.err, "another problem"));
  CHECK(contents(place / "b/summary.json") == summary);
  CHECK(place.livens("resume b").status == 0);

  fs::remove(place / "b/summary.json");  // as if it had been killed before it was written
  CHECK(place.livens("resume b --quiet").status == 0);
  Json first = Json::parse(summary), second = Json::parse(contents(place / "b/summary.json"));
  first["cost"].erase("seconds"), second["cost"].erase("seconds");
  CHECK(first == second);
}

TEST_CASE("check_shows_a_boundary_problem") {
  const Place place;
  const Reply reply = place.livens("check pendulum-boundary");
  CHECK(reply.status == 0);
  CHECK(mentions(reply.out, "q at t = 0 and at t = 0.8, consistent"));
  CHECK(mentions(reply.out, "straight, no velocity is given"));
  CHECK(mentions(reply.out, "galerkin fits"));
}

TEST_CASE("wrong_boundary_problems_are_refused_in_words") {
  struct Wrong {
    Arguments set;
    std::vector<std::string> words;
  };
  const std::vector<Wrong> all{
      {{"final.q=[0.0, -0.5]"}, {"--set final.q: constraint 1 is ", "not 0 at the end", "initial.project = true"}},
      {{"initial.q=[0.0, -0.5]"}, {"--set initial.q: constraint 1 is ", "not 0; correct q"}},
      {{"final.q=[1.0]"}, {"--set final.q: has 1 number, the system has 2 coordinates"}},
      {{"final.q=[\"x\", 0.0]"}, {"final.q"}},
      {{"final.v=[0.0, 0.0]"}, {"--set final.v: unknown key"}},
      {{"final.q=[\"-sin(1)\", \"cos(1)\"]"},
       {"final.q: the straight line from initial.q to final.q could not be moved onto the constraints at t = 0.4",
        "give an initial.v"}},
      {{"method.name=rattle"}, {"does not fit", "boundary value problems", "methods that fit: galerkin"}},
      {{"method.constraint_quadrature=radau", "method.s=2"},
       {"--set method.constraint_quadrature: boundary value problems ([final]) need \"lobatto\""}},
      {{"run.step=1e-8"}, {"run.step: a boundary value problem is solved for all 80000000 steps at once", "GB"}},
      {{"solver.redundant=least-norm", "system.constraints=[\"x^2 + y^2 - l^2\", \"2*x^2 + 2*y^2 - 2*l^2\"]"},
       {"solver.redundant", "is not made for boundary value problems"}},
  };
  for (const Wrong& wrong : all) {
    const Place place;
    const Reply reply = place.run(Place::joined({"run", "pendulum-boundary", "--json", "--out", "b"}, wrong.set));
    CAPTURE(reply.err);
    CHECK(reply.status == 2);
    CHECK(reply.out == "");
    CHECK(place.empty());
    for (const std::string& words : wrong.words) {
      CAPTURE(words);
      CHECK(mentions(reply.err, words));
    }
  }
  const Place place;
  const Reply study = place.livens("study order pendulum-boundary --step-sizes 0.1,0.05");
  CHECK(study.status == 2);
  CHECK(mentions(study.err, "studies are about initial value problems"));
}

TEST_CASE("a_velocity_or_momentum_is_only_a_guess_that_chooses_among_motions") {
  const Place place;
  const Json plain = place.summary("pendulum-boundary");
  for (const char* guess : {"initial.v=[-2.0, 0.0]", "initial.p=[-2.0, 0.0]"})  // not along the circle
    CHECK(distance(place.summary("pendulum-boundary", {guess})["boundary"]["p0"], plain["boundary"]["p0"]) < 1e-12);
  const Json over = place.summary("pendulum-boundary", {"initial.v=[3.0, 6.0]"});
  CHECK(over["boundary"]["p0"][0] > 0.5);
  CHECK(plain["boundary"]["p0"][0] < -0.5);
}
