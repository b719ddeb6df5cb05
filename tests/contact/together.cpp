// Contacts that are closed together: grooves, legs, surfaces that are one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "contact/runs.hpp"

using namespace livens;
using namespace livens::test;

namespace {

constexpr double g = 9.81;

}  // namespace

TEST_CASE("a_bead_in_a_groove_lands_on_one_wall_and_leaves_the_other") {
  const std::string walls = "\"y*cos(a) - x*sin(a)\", \"y*cos(k) + x*sin(k)\"";
  const RunResult run = run_model(
      point(walls, "q = [\"cos(a)\", \"sin(a)\"]\nv = [0.0, 0.0]", "unilateral = true", "step = 0.02\nsteps = 40"));
  REQUIRE(run.events.size() >= 2);
  CHECK(run.events[0].kind == EventKind::landing);
  CHECK(run.events[0].index == 1);
  CHECK(run.events[1].kind == EventKind::release);
  CHECK(run.events[1].index == 0);
  CHECK(run.events[0].t == doctest::Approx(std::sqrt(2 / (g * std::sin(0.6)))).epsilon(1e-13).scale(0));
  CHECK(run.events[1].t == run.events[0].t);
  // Into the bottom from above: both walls at the same time; without restitution the bead stays, with it several laws
  // hold.
  const auto drop = [&](const std::string& e) {
    return run_model(point(walls, "q = [0.0, 0.5]\nv = [0.0, 0.0]", "unilateral = true\nrestitution = " + e,
                           "step = 0.02\nsteps = 40"));
  };
  const RunResult plastic = drop("0.0");
  CHECK(of_kind(plastic, EventKind::landing).size() == 2);
  CHECK(plastic.events.size() == 2);
  CHECK(std::abs(plastic.final.q.numbers[0]) + std::abs(plastic.final.q.numbers[1]) < 1e-14);
  const RunResult elastic = drop("0.5");
  REQUIRE(elastic.report.failure);
  CHECK(elastic.report.failure->outcome == Outcome::several_impacts);
}

TEST_CASE("a_bead_that_rubs_in_a_groove_rests_where_both_walls_hold_it") {
  const std::string model = point("\"y*cos(a) - x*sin(a)\", \"y*cos(a) + x*sin(a)\"", "q = [0.0, 0.5]\nv = [0.0, 0.0]",
                                  "unilateral = true\nfriction = 0.3", "step = 0.05\nsteps = 20");
  const RunResult shallow = run_model(model, {{"system.parameters.a", "0.2"}});
  CHECK(shallow.report.outcome == RunOutcome::finished);
  CHECK(std::hypot(shallow.final.q.numbers[0], shallow.final.q.numbers[1]) < 1e-14);
  CHECK(shallow.final.v->numbers == std::vector<double>{0, 0});
  for (const char* start : {"[0.0, 0.5]", "[0.0, 0.0]"}) {
    const RunResult steep = run_model(model, {{"initial.q", start}});  // tan 0.6 is more than 0.3
    CHECK(steep.report.outcome == RunOutcome::finished);
    CHECK(std::hypot(steep.final.q.numbers[0], steep.final.q.numbers[1]) < 1e-14);
    for (const double lambda : steep.final.lambda->numbers)  // as without friction
      CHECK(lambda == doctest::Approx(-1.3 * g / (2 * std::cos(0.6))).epsilon(1e-12).scale(0));
  }
  // To and fro between the walls, to rest.
  const RunResult swings =
      run_model(model, {{"initial.q", "[0.3, 1.0]"}, {"run.steps", "80"}, {"contact.friction", "0.05"}});
  CHECK(swings.report.outcome == RunOutcome::finished);
  CHECK(std::hypot(swings.final.q.numbers[0], swings.final.q.numbers[1]) < 1e-14);
  CHECK(of_kind(swings, EventKind::stick).size() == 2);
}

TEST_CASE("a_bead_that_slides_along_a_groove_is_stopped_by_both_walls_and_slips_where_both_cannot_hold_it") {
  // Each wall carries g/(2 cos a), whatever moves along them: both decelerate by c g/cos a.
  const auto groove = [](const std::string& v, const std::string& pull) {
    return run_model(
        "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\", \"z\"]\n"
        "lagrangian = \"m/2*(x'^2 + y'^2 + z'^2) - m*9.81*y + " +
        pull +
        "\"\n"
        "constraints = [\"y*cos(a) - x*sin(a)\", \"2*y*cos(a) + 2*x*sin(a)\"]\n[system.parameters]\nm = 1.3\na = 0.6\n"
        "[initial]\nq = [0.0, 0.0, 0.0]\nv = [0.0, 0.0, " +
        v +
        "]\n[contact]\nunilateral = true\nfriction = 0.2\n"
        "[method]\nname = \"rattle\"\n[run]\nstep = 0.03\nsteps = 30\n");
  };
  const double a = 0.2 * g / std::cos(0.6);
  const RunResult stops = groove("1.0", "0");
  REQUIRE(of_kind(stops, EventKind::stick).size() == 2);
  CHECK(stops.events[0].t == doctest::Approx(1 / a).epsilon(1e-12).scale(0));
  CHECK(stops.final.q.numbers[2] == doctest::Approx(1 / (2 * a)).epsilon(1e-12).scale(0));
  CHECK(stops.final.lambda->numbers[0] == doctest::Approx(-1.3 * g / (2 * std::cos(0.6))).epsilon(1e-12).scale(0));
  CHECK(stops.final.lambda->numbers[1] == doctest::Approx(-1.3 * g / (4 * std::cos(0.6))).epsilon(1e-12).scale(0));
  // A pull m b t along it: both slip when b t is the friction of both, and then z'' = b t - a.
  const RunResult slips = groove("0.0", "m*4*t*z");
  REQUIRE(of_kind(slips, EventKind::slip).size() == 2);
  CHECK(slips.events.size() == 2);
  CHECK(slips.events[0].t == doctest::Approx(a / 4).epsilon(1e-11).scale(0));  // the margin of holding is 2e-12
  const double s = 0.9 - a / 4;
  CHECK(slips.final.q.numbers[2] == doctest::Approx(4 * s * s * s / 6).epsilon(2e-2).scale(0));
}

TEST_CASE("two_surfaces_that_are_one_in_round_off_bounce_as_one") {
  const auto drop = [](const std::string& constraints) {
    return run_model(point(constraints, "q = [-0.5, 0.2]\nv = [1.0, 0.0]", "unilateral = true\nrestitution = 0.5",
                           "step = 0.01\nsteps = 100"));
  };
  const RunResult one = drop("\"y\""), two = drop("\"y\", \"y + 1e-14*x\"");  // they meet where it bounces
  CHECK(two.report.outcome == RunOutcome::finished);
  for (const int i : {0, 1}) {
    const auto k = static_cast<std::size_t>(i);
    CHECK(two.final.q.numbers[k] == doctest::Approx(one.final.q.numbers[k]).epsilon(1e-12).scale(1));
    CHECK(two.final.v->numbers[k] == doctest::Approx(one.final.v->numbers[k]).epsilon(1e-12).scale(1));
  }
}

TEST_CASE("a_table_lands_on_four_legs_as_on_those_that_are_needed") {
  const auto table = [](const std::string& q, const std::string& load) {
    return run_model(
        "[system]\nkind = \"lagrangian\"\ncoordinates = [\"z\", \"a\", \"b\"]\n"
        "lagrangian = \"z'^2/2 + a'^2/6 + b'^2/6 - 9.81*z" +
        load +
        "\"\n"
        "constraints = [\"z + a + b\", \"z + a - b\", \"z - a + b\", \"z - a - b\"]\n[initial]\nq = " +
        q +
        "\n"
        "v = [0.0, 0.0, 0.0]\n[contact]\nunilateral = true\n[method]\nname = \"rattle\"\n[run]\nstep = 0.02\n"
        "steps = 60\n");
  };
  const auto carried = [](const RunResult& run) {
    double sum = 0;
    for (const double lambda : run.final.lambda->numbers) sum += lambda;
    return sum;
  };
  const RunResult flat = table("[1.0, 0.0, 0.0]", "");
  CHECK(flat.report.outcome == RunOutcome::finished);
  REQUIRE(flat.events.size() == 4);
  for (const RunEvent& e : flat.events) {
    CHECK(e.kind == EventKind::landing);
    CHECK(e.t == doctest::Approx(std::sqrt(2 / g)).epsilon(1e-13).scale(0));
  }
  CHECK(carried(flat) == doctest::Approx(-g).epsilon(1e-12).scale(0));
  CHECK(flat.audit.constraint < 1e-14);
  const RunResult tilted = table("[1.0, 0.1, 0.05]", "");
  CHECK(tilted.report.outcome == RunOutcome::finished);
  CHECK(carried(tilted) == doctest::Approx(-g).epsilon(1e-12).scale(0));
  CHECK(tilted.audit.constraint < 1e-13);
  // A moment about one axis: it tips over two legs where that is all of the weight, 12 t = g, and then a'' = -9 (t -
  // g/12).
  const RunResult tips = table("[0.0, 0.0, 0.0]", " - 12*t*a");
  REQUIRE(!tips.events.empty());
  CHECK(tips.events[0].kind == EventKind::release);
  CHECK(tips.events[0].t == doctest::Approx(g / 12).epsilon(1e-12).scale(0));
  CHECK(tips.audit.constraint < 1e-14);
  CHECK(tips.final.q.numbers[0] == doctest::Approx(-tips.final.q.numbers[1]).epsilon(1e-13).scale(1));
  CHECK(tips.final.q.numbers[1] == doctest::Approx(-1.5 * std::pow(1.2 - g / 12, 3)).epsilon(0.01).scale(0));
}

TEST_CASE("a_ball_bounces_in_grooves_of_several_angles_as_its_parabolas_say") {
  for (const double k : {0.1, 0.577, 1.7}) {
    const double e = 0.8;
    const RunResult run = run_model(point("\"y - k*x\", \"y + k*x\"", "q = [0.03, 1.0]\nv = [0.0, 0.0]",
                                          "unilateral = true\nrestitution = 0.8", "step = 0.05\nsteps = 20"),
                                    {{"system.parameters.k", digits(k)}});
    double x = 0.03, y = 1, u = 0, v = 0, t = 0;
    int last = -1;
    REQUIRE(!run.events.empty());
    for (const RunEvent& event : run.events) {
      double first = 1e9;
      int hit = 0;
      for (const int wall : {0, 1}) {
        const double slope = wall == 0 ? -k : k, gap = wall == last ? 0 : y + slope * x, rate = v + slope * u;
        const double s = (rate + std::sqrt(std::max(0.0, rate * rate + 2 * g * gap))) / g;
        if (s > 1e-9 && s < first) first = s, hit = wall;
      }
      t += first, x += first * u, y += first * (v - g * first / 2), v -= g * first;
      CHECK(event.kind == EventKind::impact);
      CHECK(event.index == hit);
      CHECK(event.t == doctest::Approx(t).epsilon(1e-10).scale(0));
      const double slope = hit == 0 ? -k : k, rate = (v + slope * u) / (1 + k * k);
      u -= (1 + e) * rate * slope, v -= (1 + e) * rate;
      last = hit;
    }
  }
}

TEST_CASE("a_body_that_rocks_on_two_edges_comes_to_rest_on_both") {
  // Edges at (-0.3, -0.5) and (0.5, -0.5) from its centre of mass; without restitution it rocks, with it the edges also
  // bounce.
  const auto rock = [](const std::string& e, const std::string& floor) {
    return run_model(
        "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\", \"a\"]\n"
        "lagrangian = \"x'^2/2 + y'^2/2 + a'^2/8 - 9.81*y\"\n"
        "constraints = [\"y - 0.3*sin(a) - 0.5*cos(a) - f\", \"y + 0.5*sin(a) - 0.5*cos(a) - f\"]\n"
        "[system.parameters]\nf = " +
        floor +
        "\n[initial]\nq = [0.0, \"0.7 + f\", 0.1]\nv = [0.5, 0.0, 0.0]\n[contact]\nunilateral = true\n"
        "restitution = " +
        e + "\n[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nsteps = 400\n");
  };
  for (const char* floor : {"0.0", "-0.5", "20.0"})
    for (const char* e : {"0.0", "0.2", "0.6", "0.7"}) {
      const RunResult run = rock(e, floor);
      CHECK(run.report.outcome == RunOutcome::finished);
      CHECK(run.events.size() < 400);
      CHECK(std::abs(run.final.q.numbers[2]) < 1e-13);
      CHECK(std::abs(run.final.q.numbers[1] - 0.5 - std::stod(floor)) < 1e-14);
      CHECK(run.final.lambda->numbers[0] == doctest::Approx(-9.81 * 0.5 / 0.8).epsilon(1e-12).scale(0));
      CHECK(run.final.lambda->numbers[1] == doctest::Approx(-9.81 * 0.3 / 0.8).epsilon(1e-12).scale(0));
      for (const int edge : {0, 1}) {  // what is told last of an edge is that it stays
        const auto last =
            std::find_if(run.events.rbegin(), run.events.rend(), [&](const RunEvent& x) { return x.index == edge; });
        REQUIRE(last != run.events.rend());
        CHECK(last->kind == EventKind::landing);
      }
    }
}

TEST_CASE("legs_take_over_from_one_another_where_a_load_moves") {
  const auto table = [](const std::string& load) {
    return run_model(
        "[system]\nkind = \"lagrangian\"\ncoordinates = [\"z\", \"a\", \"b\"]\n"
        "lagrangian = \"z'^2/2 + a'^2/6 + b'^2/6 - 9.81*z + " +
        load +
        "*(sin(2*t)*a + cos(2*t)*b)\"\n"
        "constraints = [\"z + a + b\", \"z + a - b\", \"z - a + b\", \"z - a - b\"]\n[initial]\nq = [0.0, 0.0, 0.0]\n"
        "v = [0.0, 0.0, 0.0]\n[contact]\nunilateral = true\n[method]\nname = \"rattle\"\n[run]\nstep = 0.02\n"
        "steps = 200\n");
  };
  // It stands while both moments are less than its weight.
  for (const char* load : {"4.0", "6.9", "9.8"}) {
    const RunResult stands = table(load);
    CHECK(stands.report.outcome == RunOutcome::finished);
    CHECK(stands.events.empty());
    double sum = 0;
    for (const double lambda : stands.final.lambda->numbers) {
      CHECK(lambda <= 0);
      sum += lambda;
    }
    CHECK(sum == doctest::Approx(-9.81).epsilon(1e-12).scale(0));
    for (const double q : stands.final.q.numbers) CHECK(std::abs(q) < 1e-15);
  }
  CHECK_FALSE(of_kind(table("10.2"), EventKind::landing).empty());
}

TEST_CASE("a_beam_lands_on_many_supports") {
  const RunResult run = run_model(
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"y\", \"a\"]\nlagrangian = \"y'^2 + a'^2/5 - 2*9.81*y\"\n"
      "constraints = [{ for = \"i = 0..12\", each = [\"y + (i/6 - 1)*sin(a)\"] }]\n[initial]\nq = [1.0, 0.05]\n"
      "v = [0.0, 0.0]\n[contact]\nunilateral = true\n[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nsteps = 100\n");
  CHECK(run.report.outcome == RunOutcome::finished);
  CHECK(run.events.size() == 13);
  double sum = 0;
  for (const double lambda : run.final.lambda->numbers) sum += lambda;
  CHECK(sum == doctest::Approx(-2 * 9.81).epsilon(1e-12).scale(0));
}

TEST_CASE("a_bead_that_would_turn_beside_a_wall_does_not_pass_it") {
  // It rubs along one wall of a groove into the other, which it would leave again within the step.
  const RunResult run =
      run_model(point("\"y - 0.95*x\", \"y + 0.7*x\"", "q = [-1e-10, 0.7e-10]\nv = [3.2e-5, -2.24e-5]",
                      "unilateral = true\nfriction = 0.8", "step = 0.01\nsteps = 4"));
  CHECK(run.report.outcome == RunOutcome::finished);
  CHECK(run.final.q.numbers[1] - 0.95 * run.final.q.numbers[0] > -1e-14);
}

TEST_CASE("a_puck_that_turns_slowly_on_a_slope_goes_on") {
  // It runs up a trough that is hardly steeper there than friction holds, aslant, and comes back straight.
  const RunResult run = run_model(
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"z\", \"y\"]\n"
      "lagrangian = \"(x'^2 + z'^2 + y'^2)/2 - 9.81*y\"\nconstraints = [\"y + 0.3*cos(2*x)\"]\n[initial]\n"
      "q = [-0.0851, 0.0, \"-0.3*cos(0.1702)\"]\nv = [-0.005, -0.0002, \"0.005*0.6*sin(0.1702)\"]\n[contact]\n"
      "unilateral = true\nfriction = 0.1\n[method]\nname = \"rattle\"\n[run]\nstep = 0.008\nsteps = 50\n");
  CHECK(run.report.outcome == RunOutcome::finished);
  CHECK(run.final.q.numbers[0] == doctest::Approx(-0.084029).epsilon(2e-4).scale(0));
  CHECK(std::abs(run.final.v->numbers[1]) < 1e-12);
}
