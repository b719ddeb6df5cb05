// The mass on a cubic with nonlinear friction that leaves the surface and lands again: scenarios S1 to S4 of contact on
// the true Euler method, references by high-order integration with events; and a rod on a rope, its reference in
// minimal coordinates.
#include <doctest/doctest.h>

#include <cmath>

#include "contact/runs.hpp"

using namespace livens;
using namespace livens::test;

namespace {

std::string cubic(const std::string& start, const std::string& e, double h, int steps) {
  return "[system]\nkind = \"odae\"\npositions = [\"y1\", \"y2\"]\nvelocities = [\"z1\", \"z2\"]\nmultipliers = "
         "[\"psi\"]\n"
         "velocity = [\"z1\", \"z2\"]\nforce = [\"0\", \"-9.81\"]\n"
         "reaction = [\"-3*b*y1^2*psi - F*z1/s\", \"psi - F*z2/s\"]\nconstraints = [\"y2 - b*y1^3\"]\n"
         "[system.parameters]\nb = 0.01\n[system.let]\nF = \"0.1*((1 + 9*b^2*y1^4)*psi^2)^0.425\"\ns = \"hypot(z1, "
         "z2)\"\n"
         "[initial]\n" +
         start + "\n[contact]\nunilateral = true\nrestitution = " + e +
         "\n[method]\nname = \"euler\"\n[run]\nstep = " + std::to_string(h) + "\nsteps = " + std::to_string(steps) +
         "\n";
}

struct Errors {
  double y, z;
  std::vector<RunEvent> events;
};
Errors errors(const std::string& start, const std::string& e, double T, int steps, double y1, double y2, double z1,
              double z2, const Overrides& set = {}) {
  const RunResult run = run_model(cubic(start, e, T / steps, steps), set);
  REQUIRE(run.report.outcome == RunOutcome::finished);
  CHECK(run.audit.constraint < 1e-13);
  const auto& y = run.final.q.numbers;
  const auto& z = run.final.p.numbers;
  return {std::hypot(y[0] - y1, y[1] - y2), std::hypot(z[0] - z1, z[1] - z2), run.events};
}

}  // namespace

TEST_CASE("s1_leaves_the_surface_where_the_consistent_multiplier_vanishes_with_order_1") {
  const auto run = [](int steps, const Overrides& set = {}) {
    return errors("y = [10.0, 10.0]\nz = [-3.6, -10.8]", "0.0", 1.5, steps, -7.81960777, -1.00866228, -16.59331205,
                  -4.44743560, set);
  };
  const Errors coarse = run(50), fine = run(100);
  CHECK(coarse.y == doctest::Approx(0.1698).epsilon(0.01).scale(0));
  CHECK(coarse.z == doctest::Approx(0.1174).epsilon(0.01).scale(0));
  CHECK(fine.y == doctest::Approx(0.0836).epsilon(0.01).scale(0));
  CHECK(fine.z == doctest::Approx(0.0583).epsilon(0.01).scale(0));
  REQUIRE(fine.events.size() == 1);
  CHECK(fine.events[0].kind == EventKind::release);
  // By Psi0, the multiplier of the step, it would be 1.101.
  CHECK(fine.events[0].t == doctest::Approx(1.0645358710).epsilon(0.006).scale(0));
  // The conjugate method, from the other side.
  const Errors other = run(50, {{"method.conjugate", "true"}}), half = run(100, {{"method.conjugate", "true"}});
  CHECK(other.y / half.y == doctest::Approx(2).epsilon(0.05).scale(0));
  REQUIRE(half.events.size() == 1);
  CHECK(half.events[0].t == doctest::Approx(1.0645358710 + 0.00381).epsilon(1e-4).scale(0));
}

TEST_CASE("s2_lands_exactly_slides_and_leaves_again_with_order_1") {
  const auto run = [](int steps) {
    return errors("y = [6.0, 6.0]\nz = [-6.0, 0.0]", "0.0", 1.8, steps, -4.90908209, -1.17966897, -6.22975808,
                  -4.41334870);
  };
  const Errors coarse = run(50), fine = run(100);
  CHECK(coarse.y == doctest::Approx(0.01475).epsilon(0.02).scale(0));
  CHECK(coarse.z == doctest::Approx(0.08734).epsilon(0.02).scale(0));
  CHECK(fine.y == doctest::Approx(0.00751).epsilon(0.02).scale(0));
  CHECK(fine.z == doctest::Approx(0.04349).epsilon(0.02).scale(0));
  REQUIRE(fine.events.size() == 2);
  CHECK(fine.events[0].kind == EventKind::landing);
  CHECK(fine.events[0].t == doctest::Approx(1.106241231965349).epsilon(1e-13).scale(0));
  CHECK(fine.events[1].kind == EventKind::release);
  CHECK(fine.events[1].t == doctest::Approx(1.6882399714).epsilon(0.006).scale(0));
}

TEST_CASE("s3_leaves_at_once_without_an_event_and_stays_where_it_lands") {
  const auto run = [](int steps) {
    return errors("y = [-1.0, -0.01]\nz = [15.0, 0.45]", "0.0", 0.8, steps, 7.71898912, 4.59918930, 4.93731509,
                  8.82537067);
  };
  const Errors coarse = run(50), fine = run(100);
  CHECK(coarse.y == doctest::Approx(0.00200).epsilon(0.02).scale(0));
  CHECK(coarse.z == doctest::Approx(0.0662).epsilon(0.02).scale(0));
  CHECK(fine.y == doctest::Approx(0.00118).epsilon(0.02).scale(0));
  REQUIRE(fine.events.size() == 1);
  CHECK(fine.events[0].kind == EventKind::landing);
  CHECK(fine.events[0].t == doctest::Approx(0.0546666667).epsilon(1e-8).scale(0));
}

TEST_CASE("s4_bounces_twice_to_round_off") {
  const Errors run =
      errors("y = [0.5, 1.0]\nz = [0.3, 0.0]", "0.5", 1.0, 50, 0.75060389, 0.06556287, 0.16589421, 0.14983365);
  CHECK(run.y < 1e-8);  // of the digits given
  CHECK(run.z < 1e-8);
  REQUIRE(run.events.size() == 2);
  CHECK(run.events[0].kind == EventKind::impact);
  CHECK(run.events[0].t == doctest::Approx(0.4509444370).epsilon(1e-9).scale(0));
  CHECK(run.events[1].t == doctest::Approx(0.9021701870).epsilon(1e-9).scale(0));
}

TEST_CASE("an_impulse_goes_where_its_formulas_point") {
  const std::string start = "y = [0.5, 1.0]\nz = [0.3, 0.0]", model = cubic(start, "0.5", 0.02, 50);
  const RunResult odd = run_model(model), same = run_model(model, {{"contact.impulse", "[[\"-3*b*y1^2\", \"1\"]]"}}),
                  twice = run_model(model, {{"contact.impulse", "[[\"-6*b*y1^2\", \"2\"]]"}});
  REQUIRE(same.events.size() == 2);
  CHECK(same.final.q.numbers == odd.final.q.numbers);
  CHECK(same.final.p.numbers == odd.final.p.numbers);
  CHECK(twice.final.q.numbers[0] == doctest::Approx(odd.final.q.numbers[0]).epsilon(1e-14).scale(0));  // only a unit
  // On a level floor, in the direction (z1 + t, 1) right there: z1 gains (z1 + t) (1 + e) |w|.
  const Overrides floor = {{"system.parameters.b", "0"}, {"contact.impulse", "[[\"z1 + t\", \"1\"]]"}};
  const RunResult leans = run_model(model, floor);
  const double t1 = std::sqrt(2 / 9.81), w = 9.81 * t1;
  REQUIRE(leans.events.size() == 2);
  CHECK(leans.events[0].t == doctest::Approx(t1).epsilon(1e-14).scale(0));
  CHECK(leans.events[0].v[0] == doctest::Approx(0.3 + (0.3 + t1) * 1.5 * w).epsilon(1e-13).scale(0));
  CHECK(leans.events[0].v[1] == doctest::Approx(0.5 * w).epsilon(1e-13).scale(0));
  // A reaction that is even in its multiplier has no direction of its own.
  Overrides even = {{"system.parameters.b", "0"}, {"system.reaction", "[\"0\", \"psi^2\"]"}};
  CHECK(refusal(model, even).find("the reaction is even in the multiplier of constraint 1") != std::string::npos);
  even.emplace_back("contact.impulse", "[[\"0\", \"1\"]]");
  CHECK(run_model(model, even).events[0].v[1] == doctest::Approx(0.5 * w).epsilon(1e-13).scale(0));
  const auto said = [&](const std::string& impulse, const std::string& words) {
    const std::string found = refusal(model, {{"contact.impulse", impulse}});
    CHECK_MESSAGE(found.find(words) != std::string::npos, found);
  };
  said("[]", "contact.impulse: has 0 directions, and 1 constraint is one-sided");
  said("[[\"1\"]]", "has 1 formula, must have 2: one for every velocity");
  said("[[\"1\", \"psi\"]]", "contains \"psi\"; an impulse may contain positions");
  said("[[\"0\", \"-1\"]]", "contact.impulse[1]: it would pull: its impulse changes the rate of constraint 1 by -1");
  said("[[\"0\", \"0\"]]", "contact.impulse[1]: is 0 at the start");
  const std::string pulls = refusal(model, {{"system.reaction", "[\"0\", \"-psi\"]"}});
  CHECK_MESSAGE(pulls.find("system.reaction: the multiplier of constraint 1 would pull") != std::string::npos, pulls);
}

TEST_CASE("impacts_of_overdetermined_systems_leave_two_sided_constraints_alone") {
  // A pendulum that hits a wall below its pivot; its speed there is that of the height it lost.
  const RunResult run = run_model(
      "[system]\nkind = \"odae\"\npositions = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\n"
      "multipliers = [\"a\", \"b\"]\nvelocity = [\"u\", \"v\"]\nforce = [\"0\", \"-9.81\"]\n"
      "reaction = [\"-a*x + b\", \"-a*y\"]\nconstraints = [\"(x^2 + y^2 - 1)/2\", \"x + 0.3\"]\n"
      "[initial]\ny = [\"sin(0.5)\", \"-cos(0.5)\"]\nz = [0.0, 0.0]\n[contact]\nunilateral = [2]\nrestitution = "
      "0.5\n[method]\nname = \"euler\"\n[run]\nstep = 0.002\nsteps = 500\n");
  REQUIRE(!run.events.empty());
  const RunEvent& hit = run.events[0];
  CHECK(hit.kind == EventKind::impact);
  CHECK(std::abs(hit.q[0] + 0.3) < 1e-14);
  CHECK(std::abs(hit.q[0] * hit.v[0] + hit.q[1] * hit.v[1]) < 1e-14);
  const double speed = std::sqrt(2 * 9.81 * (-hit.q[1] - std::cos(0.5)));
  CHECK(std::hypot(hit.v[0], hit.v[1]) == doctest::Approx(speed / 2).epsilon(0.02).scale(0));
  CHECK(run.audit.constraint < 1e-13);
  CHECK(run.audit.hidden_constraint < 1e-13);
}

TEST_CASE("a_contact_that_leaves_by_less_than_the_error_of_a_step_does_not_flicker") {
  // From the Euler method's step that begins with a release the surface is passed, by the cube of its length as the
  // release opens it.
  const RunResult run = run_model(cubic("y = [-0.9304476274185103, \"b*(-0.9304476274185103)^3\"]\n"
                                        "z = [1.4756529440692885, \"3*b*0.9304476274185103^2*1.4756529440692885\"]\n"
                                        "t = 92.84",
                                        "0.5", 0.01, 20),
                                  {{"system.force", "[\"3*sin(t) - 0.1*z1\", \"-9.81 + 14*sin(1.7*t)\"]"},
                                   {"system.reaction", "[\"-3*b*y1^2*psi\", \"psi\"]"}});
  CHECK(run.report.outcome == RunOutcome::finished);
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].kind == EventKind::release);
  CHECK(run.events[0].t == doctest::Approx(92.845).epsilon(1e-3).scale(0));
  CHECK(run.audit.constraint < 1e-13);
}

TEST_CASE("a_mass_that_slides_into_a_corner_rests_there") {
  const RunResult run = run_model(
      "[system]\nkind = \"odae\"\npositions = [\"x\", \"y\"]\nvelocities = [\"u\", \"v\"]\n"
      "multipliers = [\"a\", \"b\", \"c\"]\nvelocity = [\"u\", \"v\"]\nforce = [\"-1\", \"-9.81\"]\n"
      "reaction = [\"b - c\", \"a\"]\nconstraints = [\"y\", \"1 + x\", \"1 - x\"]\n"
      "[initial]\ny = [0.0, 0.0]\nz = [-2.0, 0.0]\n[contact]\nunilateral = true\n"
      "[method]\nname = \"euler\"\n[run]\nstep = 0.05\nsteps = 20\n");
  CHECK(run.report.outcome == RunOutcome::finished);
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].t == doctest::Approx(std::sqrt(6.0) - 2).epsilon(1e-13).scale(0));  // 2 t + t^2/2 = 1
  CHECK(run.final.q.numbers[0] == doctest::Approx(-1).epsilon(1e-14).scale(0));
  CHECK(run.final.lambda->numbers[1] == doctest::Approx(1).epsilon(1e-12).scale(0));
}

TEST_CASE("a_rod_on_a_rope_jerks_and_swings_as_in_minimal_coordinates") {
  const std::string text =
      "[system]\nkind = \"multibody\"\nplane = true\ngravity = [0.0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 2.0\n"
      "shape = { type = \"rod\", length = 1.0 }\nposition = [1.1, 0.0]\nvelocity = [0.5, 1.0]\nangular_velocity = 1.0\n"
      "[[joint]]\nname = \"rope\"\ntype = \"distance\"\nbodies = [\"ground\", \"rod\"]\n"
      "points = [[0.0, 0.0], [-0.5, 0.0]]\nlength = 1.0\nunilateral = true\n[method]\nname = \"rattle\"\n"
      "[run]\nstep = 0.01\nend = 3.0\n";
  const auto off = [](const RunResult& run) {
    return std::hypot(run.final.q.numbers[0] - 1.1827504213, run.final.q.numbers[1] + 0.1372235155);
  };
  const RunResult coarse = run_model(text), fine = run_model(text, {{"run.step", "0.005"}});
  REQUIRE(fine.events.size() == 1);
  CHECK(fine.events[0].kind == EventKind::landing);
  // The rod turns before the jerk, so that the time is that of the method.
  CHECK(fine.events[0].t == doctest::Approx(0.39180111135).epsilon(1e-5).scale(0));
  CHECK(off(coarse) / off(fine) == doctest::Approx(4).epsilon(0.15));
  CHECK(off(fine) < 2e-2);
  CHECK(fine.audit.constraint < 1e-13);
}
