// The step that an accuracy needs: true errors, cost of the search, what cannot be reached.
#include "livens/study/step_search.hpp"

#include <doctest/doctest.h>

#include "livens/methods/methods.hpp"
#include "livens/simulation/simulate.hpp"
#include "livens/study/studies.hpp"

using namespace livens;

namespace {

struct Job {
  const char *problem, *method, *end;
  double size;  // largest |q| of the run
};

Overrides overrides_of(const Job& job, double accuracy) {
  return {{"method.name", job.method}, {"run.end", job.end}, {"run.accuracy", std::to_string(accuracy)}};
}

// The error of the found step against the reference, relative to what was asked for.
struct Trial {
  double error, said, cost;
};
Trial tried(const Job& job, const Overrides& more, double accuracy) {
  Overrides set = overrides_of(job, accuracy);
  set.back().second = "1e" + std::to_string(static_cast<int>(std::lround(std::log10(accuracy))));
  set.insert(set.end(), more.begin(), more.end());
  const Model model = load_model(job.problem, set);
  const auto found = find_step(model);
  REQUIRE(found);
  const Model settled = read_model(model.source, model.text, model.set, {found->set, ""});
  const OrderStudy study = study_order(settled, {settled.run.step});
  const MethodEntry& method = choose_method(settled);
  const RunResult run = simulate(settled, method, read_options(settled, method), {});
  return {*study.rows.front().error.q / job.size / accuracy, found->accuracy.q.max / accuracy,
          static_cast<double>(found->evaluations) / static_cast<double>(run.report.cost.evaluations)};
}

}  // namespace

TEST_CASE("found_steps_reach_what_was_asked_for_and_little_more") {
  struct Case {
    Job job;
    Overrides options;
    std::vector<double> accuracies;
  };
  const std::vector<Case> cases{
      {{"pendulum", "rattle", "5", 1}, {}, {1e-4, 1e-6}},
      {{"pendulum", "galerkin", "20", 1}, {{"method.s", "2"}}, {1e-4, 1e-7, 1e-10}},
      {{"pendulum", "galerkin", "20", 1}, {{"method.s", "5"}}, {1e-6, 1e-10}},
      {{"double-pendulum", "galerkin", "2", 2}, {{"method.s", "3"}}, {1e-5, 1e-9}},
      {{"lotka-volterra", "vprk", "20", 0}, {}, {1e-4, 1e-8}},
      {{"overdetermined-cubic", "spark", "1", 0}, {}, {1e-6, 1e-9}},
  };
  for (const Case& c : cases)
    for (const double accuracy : c.accuracies) {
      Job job = c.job;
      CAPTURE(job.problem);
      CAPTURE(job.method);
      CAPTURE(accuracy);
      const bool known = job.size > 0;
      if (!known) job.size = 1;
      const Trial trial = tried(job, c.options, accuracy);
      if (known) {
        CHECK(trial.error == doctest::Approx(trial.said).epsilon(0.4));
        CHECK(trial.error <= 1);
      }
      CHECK(trial.error >= 0.02);
      CHECK(trial.said <= 1);
      CHECK(trial.cost <= 3.5);
    }
}

// It starts at rest and has the period 2: steps of any number of half periods have a root that stays at the start.
TEST_CASE("pilots_that_agree_on_staying_where_they_are_have_found_nothing") {
  for (const char* stages : {"2", "4"}) {
    const auto found = find_step(
        load_model("tautochrone",
                   {{"method.name", "galerkin"}, {"method.s", stages}, {"run.end", "20"}, {"run.accuracy", "1e-3"}}));
    REQUIRE(found);
    CHECK(found->steps > 60);
  }
}

TEST_CASE("auto_chooses_a_method_that_is_cheaper_than_rattle") {
  const Model model =
      load_model("double-pendulum", {{"method.name", "auto"}, {"run.end", "2"}, {"run.accuracy", "1e-8"}});
  const auto found = find_step(model);
  REQUIRE(found);
  const Model settled = read_model(model.source, model.text, model.set, {found->set, ""});
  CHECK(settled.method.name == "galerkin");
  CHECK(*study_order(settled, {settled.run.step}).rows.front().error.q < 2 * 1e-8);
  CHECK(settled.run.steps == found->steps);
  CHECK(to_double(settled.initial.t + formula::Number(settled.run.steps) * settled.run.step) == 2);
}

TEST_CASE("what_cannot_be_reached_is_refused_in_words") {
  const auto words = [](const Overrides& set) {
    try {
      find_step(load_model("pendulum", set));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("found");
  };
  CHECK(words({{"run.accuracy", "1e-16"}}) ==
        "--set run.accuracy: 1e-16 is within the round-off of double precision, 2.2e-16; write precision = \"quad\"");
  CHECK(words({{"run.accuracy", "1e-14"}, {"method.name", "galerkin"}, {"method.s", "5"}, {"run.end", "2000"}})
            .starts_with(
                "--set run.accuracy: 1e-14 cannot be reached in double precision: round-off leaves an error of"));
  CHECK(words({{"run.accuracy", "1e-14"}, {"run.end", "100"}}).find("steps; give a larger accuracy") !=
        std::string::npos);
}

TEST_CASE("advice_recommends_a_row_that_reaches_the_accuracy") {
  const auto advice = advise(load_model("lotka-volterra", {{"run.end", "10"}}));
  REQUIRE(advice);
  CHECK(advice->rows.size() > 10);
  const PilotRow& best = advice->rows[advice->recommended];
  CHECK(*best.error <= advice->accuracy);
  for (const PilotRow& row : advice->rows)
    if (*row.error <= advice->accuracy) CHECK(row.work >= best.work);
}
