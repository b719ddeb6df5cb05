// Contacts whose motion is known in closed form.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "contact/runs.hpp"

using namespace livens;
using namespace livens::test;

namespace {

constexpr double g = 9.81;

}  // namespace

TEST_CASE("a_ball_bounces_to_rest_at_the_times_of_the_geometric_series") {
  const double e = 0.6, t1 = std::sqrt(2 / g);
  Energies rows;
  const RunResult run = run_model(point("\"y\"", "q = [0.2, 1.0]\nv = [0.5, 0.0]",
                                        "unilateral = true\nrestitution = 0.6", "step = 0.01\nend = 3.0"),
                                  {}, rows.context());
  CHECK(run.report.outcome == RunOutcome::finished);
  const auto impacts = of_kind(run, EventKind::impact);
  REQUIRE(impacts.size() == 35);  // e^35 sqrt(2 g) is the first speed below 1e-7
  double t = t1, worst = 0, speed = e;
  for (const RunEvent& impact : impacts) {
    worst = std::max(worst, std::abs(impact.t - t));
    t += 2 * t1 * speed, speed *= e;
  }
  CHECK(worst < 4 * 3e-15);
  REQUIRE(of_kind(run, EventKind::landing).size() == 1);
  CHECK(of_kind(run, EventKind::landing)[0].t == doctest::Approx(t).epsilon(1e-14).scale(0));
  CHECK(run.events.size() == 36);
  CHECK(run.final.q.numbers[0] == doctest::Approx(1.7).epsilon(1e-14).scale(0));
  CHECK(std::abs(run.final.q.numbers[1]) < 1e-15);
  CHECK(std::abs(run.final.v->numbers[1]) < 1e-15);
  CHECK(run.final.lambda->numbers[0] == doctest::Approx(-1.3 * g).epsilon(1e-12).scale(0));
  CHECK(run.audit.constraint < 4e-15);
  REQUIRE(rows.energy.size() == 301);
  for (std::size_t n = 1; n < rows.energy.size(); ++n) CHECK(rows.energy[n] <= rows.energy[n - 1] + 1e-13);
}

TEST_CASE("a_block_sticks_up_to_the_critical_angle_and_slides_beyond") {
  const auto incline = [](const std::string& c) {
    return run_model(point("\"2*(y*cos(a) - x*sin(a))\"", "q = [\"cos(a)\", \"sin(a)\"]\nv = [0.0, 0.0]",
                           "unilateral = true\nfriction = " + c, "step = 0.02\nend = 0.5"));
  };
  const RunResult holds = incline("\"tan(a)\"");
  CHECK(holds.events.empty());
  CHECK(holds.final.q.numbers[0] == std::cos(0.6));
  const RunResult slides = incline("0.5");
  CHECK(slides.events.empty());
  const double s = g * (std::sin(0.6) - 0.5 * std::cos(0.6)) * 0.125;  // a t^2/2
  CHECK(slides.final.q.numbers[0] == doctest::Approx((1 - s) * std::cos(0.6)).epsilon(4e-15).scale(0));
  CHECK(slides.final.lambda->numbers[0] == doctest::Approx(-1.3 * g * std::cos(0.6) / 2).epsilon(1e-12).scale(0));
  // Up the slope, to rest, and down again: no stick where the load is too large.
  const RunResult turns = run_model(point("\"y*cos(a) - x*sin(a)\"", "q = [0.0, 0.0]\nv = [\"cos(a)\", \"sin(a)\"]",
                                          "unilateral = true\nfriction = 0.5", "step = 0.02\nend = 0.5"));
  CHECK(turns.events.empty());
  const double up = g * (std::sin(0.6) + 0.5 * std::cos(0.6)), down = g * (std::sin(0.6) - 0.5 * std::cos(0.6)),
               rest = 1 / up, top = 1 / (2 * up), after = 0.5 - rest;
  CHECK(run_model(point("\"y*cos(a) - x*sin(a)\"", "q = [0.0, 0.0]\nv = [\"cos(a)\", \"sin(a)\"]",
                        "unilateral = true\nfriction = 0.7", "step = 0.02\nend = 0.5"))
            .events.size() == 1);
  CHECK(turns.final.q.numbers[0] ==
        doctest::Approx((top - down * after * after / 2) * std::cos(0.6)).epsilon(1e-13).scale(1));
}

TEST_CASE("a_table_that_tilts_lets_a_block_slip_at_the_angle_of_friction") {
  const RunResult run = run_model(
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\n"
      "lagrangian = \"m/2*(x'^2 + y'^2) - m*g*(y*cos(w*t) - x*sin(w*t))\"\nconstraints = [\"y\"]\n"
      "[system.parameters]\nm = 1.5\ng = 9.81\nw = 0.1\n[initial]\nq = [0.0, 0.0]\nv = [0.0, 0.0]\n"
      "[contact]\nunilateral = true\nfriction = 0.3\n[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nend = 3.5\n");
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].kind == EventKind::slip);
  CHECK(run.events[0].t == doctest::Approx(std::atan(0.3) / 0.1).epsilon(1e-11).scale(0));
  // x' = int g (sin wt - 0.3 cos wt), down the slope: with s = w (t - t_slip) it is g sqrt(1.09) (1 - cos s)/w .
  const double s = 0.1 * (3.5 - std::atan(0.3) / 0.1), speed = g * std::sqrt(1.09) * (1 - std::cos(s)) / 0.1;
  CHECK(run.final.v->numbers[0] == doctest::Approx(speed).epsilon(4 * 4e-6).scale(0));
}

TEST_CASE("a_ball_leaves_a_dome_where_the_cosine_is_two_thirds") {
  const auto cosine = [](const std::string& steps, const std::string& h) {
    const RunResult run = run_model(point("\"(x^2 + y^2 - 1)/2\"", "q = [0.0, 1.0]\nv = [0.5, 0.0]",
                                          "unilateral = true", "step = " + h + "\nsteps = " + steps));
    REQUIRE(run.events.size() == 1);
    CHECK(run.events[0].kind == EventKind::release);
    CHECK(run.final.lambda->numbers[0] == 0);
    return run.events[0].q[1];
  };
  const double exact = 2.0 / 3 + 0.25 / (3 * g);  // from v0: cos = 2/3 + v0^2/(3 g R)
  const double coarse = cosine("40", "0.02") - exact, fine = cosine("160", "0.005") - exact;
  CHECK(std::abs(fine) < 1e-4);
  CHECK(coarse / fine == doctest::Approx(16).epsilon(0.1));  // order 2
  // Too fast to stay on it at all: open from the start, without an event.
  const RunResult flies = run_model(
      point("\"(x^2 + y^2 - 1)/2\"", "q = [0.0, 1.0]\nv = [4.0, 0.0]", "unilateral = true", "step = 0.02\nsteps = 10"));
  CHECK(flies.events.empty());
  CHECK(flies.final.q.numbers[1] == doctest::Approx(1 - g * 0.02).epsilon(1e-14).scale(0));
}

TEST_CASE("a_mass_on_a_spring_with_friction_loses_the_same_stretch_in_every_half_cycle_and_sticks") {
  // |x| of the turning points falls by 2 c m g/k each: 1, 0.6, 0.2 where the spring is weaker than friction.
  const std::string text =
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\n"
      "lagrangian = \"m/2*(x'^2 + y'^2) - m*9.81*y - k/2*x^2\"\nconstraints = [\"y\"]\n"
      "[system.parameters]\nm = 1.0\nk = 9.81\n[initial]\nq = [1.0, 0.0]\nv = [0.0, 0.0]\n"
      "[contact]\nunilateral = true\nfriction = 0.2\n[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nend = 3.0\n";
  const RunResult run = run_model(text);
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].kind == EventKind::stick);
  CHECK(run.events[0].t == doctest::Approx(2 * 3.14159265358979 / std::sqrt(9.81)).epsilon(1e-4).scale(0));
  CHECK(run.final.q.numbers[0] == doctest::Approx(0.2).epsilon(1e-3).scale(0));
  CHECK(run.final.v->numbers[0] == 0);
}

TEST_CASE("a_ball_on_an_inclined_plane_in_space_slides_straight_and_stops_where_it_must") {
  const RunResult run = run_model(
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\", \"z\"]\n"
      "lagrangian = \"m/2*(x'^2 + y'^2 + z'^2) - m*9.81*z\"\nconstraints = [\"z\"]\n[system.parameters]\nm = 2.0\n"
      "[initial]\nq = [0.0, 0.0, 0.0]\nv = [0.6, 0.8, 0.0]\n[contact]\nunilateral = true\nfriction = 0.25\n"
      "[method]\nname = \"rattle\"\n[run]\nstep = 0.03\nsteps = 30\n");
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].kind == EventKind::stick);
  CHECK(run.events[0].t == doctest::Approx(1 / (0.25 * 9.81)).epsilon(1e-13).scale(0));
  CHECK(run.final.q.numbers[0] == doctest::Approx(0.6 / (0.5 * 9.81)).epsilon(1e-13).scale(0));
  CHECK(run.final.q.numbers[1] == doctest::Approx(0.8 / (0.5 * 9.81)).epsilon(1e-13).scale(0));
}

TEST_CASE("loads_across_and_along_turn_a_puck_whose_friction_is_most_of_its_acceleration") {
  const auto puck = [](const std::string& work, const std::string& start, const std::string& run) {
    return run_model(
        "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2 - "
        "9.81*z + " +
        work + "\"\nconstraints = [\"z\"]\n[initial]\nq = [0.0, 0.0, 0.0]\nv = " + start +
        "\n[contact]\nunilateral = true\nfriction = 0.3\n[method]\nname = \"rattle\"\n[run]\n" + run);
  };
  // From rest under a growing load: along the load (t - t_slip)^3/6, across nothing.
  const double slip = 0.3 * 9.81, way = std::pow(4 - slip, 3) / 6;
  for (const char* step : {"0.1", "0.01", "0.002"}) {
    const RunResult run = puck("t*(0.6*x + 0.8*y)", "[0.0, 0.0, 0.0]", std::string("end = 4.0\nstep = ") + step);
    CAPTURE(step);
    REQUIRE(run.events.size() == 1);
    CHECK(run.events[0].t == doctest::Approx(slip).epsilon(1e-11).scale(0));
    const double along = 0.6 * run.final.q.numbers[0] + 0.8 * run.final.q.numbers[1];
    CHECK(along == doctest::Approx(way).epsilon(0.6 * std::atof(step) * std::atof(step) + 1e-9).scale(0));
    CHECK(std::abs(0.8 * run.final.q.numbers[0] - 0.6 * run.final.q.numbers[1]) < 4 * 2.7e-14);
  }
  // A load below friction does not keep it from coming to rest, wherever it came from.
  for (const char* step : {"0.01", "0.005", "0.001"}) {
    const RunResult run = puck("0.1*x", "[1.0, 1.0, 0.0]", std::string("end = 2.0\nstep = ") + step);
    CAPTURE(step);
    REQUIRE(run.events.size() == 1);
    CHECK(run.events[0].kind == EventKind::stick);
    CHECK(run.events[0].t == doctest::Approx(0.492678).epsilon(1e-4).scale(0));
    CHECK(run.final.q.numbers[0] == doctest::Approx(0.249214).epsilon(2e-5).scale(0));
    CHECK(run.final.q.numbers[1] == doctest::Approx(0.243224).epsilon(2e-5).scale(0));
  }
}

TEST_CASE("two_blocks_that_must_both_slip_from_rest_do") {
  const RunResult run = run_model(
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x1\", \"y1\", \"x2\", \"y2\"]\nlagrangian = \"(x1'^2 + y1'^2 "
      "+ x2'^2 + "
      "y2'^2)/2 - 9.81*(y1 + y2) + 5*x2 - 6*x1\"\nconstraints = [\"y1\", \"y2\"]\n[initial]\nq = [0.0, 0.0, 1.0, 0.0]\n"
      "v = [0.0, 0.0, 0.0, 0.0]\n[contact]\nunilateral = true\nfriction = 0.25\npoints = [[\"x1\", \"y1\"], [\"x2\", "
      "\"y2\"]]\n[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nend = 1.0\n");
  const double rub = 0.25 * 9.81;
  CHECK(run.final.q.numbers[0] == doctest::Approx(-(6 - rub) / 2).epsilon(1e-12).scale(0));
  CHECK(run.final.q.numbers[2] == doctest::Approx(1 + (5 - rub) / 2).epsilon(1e-12).scale(0));
}

TEST_CASE("a_wheel_of_restitution_one_keeps_its_energy_and_two_sided_constraints_their_rate") {
  // A pendulum that hits a vertical wall below its pivot, without loss: the same arc again and again.
  const RunResult run = run_model(
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 - 9.81*y\"\n"
      "constraints = [\"(x^2 + y^2 - 1)/2\", \"x\"]\n[initial]\nq = [\"sin(0.5)\", \"-cos(0.5)\"]\nv = [0.0, 0.0]\n"
      "[contact]\nunilateral = [2]\nrestitution = 1.0\n[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nsteps = "
      "1000\n");
  CHECK(run.report.outcome == RunOutcome::finished);
  CHECK(of_kind(run, EventKind::impact).size() == 10);
  CHECK(run.events[0].index == 0);
  CHECK(run.audit.constraint < 1e-14);
  CHECK(run.audit.hidden_constraint < 1e-13);
  CHECK(run.audit.energy.max_error < 2e-3);  // of rattle, 4.1e-4 without the wall
}

TEST_CASE("a_ball_bounces_on_a_table_that_rises_as_on_one_at_rest_in_the_frame_of_the_table") {
  const double u = 0.7, e = 0.5, w = std::sqrt(u * u + 2 * g), t1 = (w - u) / g;
  const RunResult run = run_model(point("\"y - 0.7*t\"", "q = [0.2, 1.0]\nv = [0.5, 0.0]",
                                        "unilateral = true\nrestitution = 0.5", "step = 0.03\nsteps = 60"));
  const auto impacts = of_kind(run, EventKind::impact);
  REQUIRE(impacts.size() > 5);
  double t = t1, speed = w * e;
  for (std::size_t k = 0; k < 5; ++k, t += 2 * speed / g, speed *= e) {
    CHECK(impacts[k].t == doctest::Approx(t).epsilon(4e-15).scale(0));
    CHECK(impacts[k].v[1] == doctest::Approx(u + speed).epsilon(1e-13).scale(0));
  }
  REQUIRE(of_kind(run, EventKind::landing).size() == 1);
  CHECK(run.final.v->numbers[1] == doctest::Approx(u).epsilon(1e-13).scale(0));
}

TEST_CASE("friction_grows_with_the_power_of_the_load_that_is_its_exponent") {
  const double load = 1.3 * g, rub = 0.1 * std::pow(load, 1.5), stop = 0.5 * 1.3 / rub;  // of v0 = 0.5
  const RunResult stops =
      run_model(point("\"3*y\"", "q = [0.0, 0.0]\nv = [0.5, 0.0]", "unilateral = true\nfriction = 0.1\nexponent = 1.5",
                      "step = 0.02\nsteps = 20"));
  REQUIRE(stops.events.size() == 1);
  CHECK(stops.events[0].kind == EventKind::stick);
  CHECK(stops.events[0].t == doctest::Approx(stop).epsilon(1e-13).scale(0));
  CHECK(stops.final.q.numbers[0] == doctest::Approx(0.25 * stop).epsilon(1e-13).scale(0));
  // A wall that carries nothing has no friction, whose derivative is infinite there.
  const RunResult wall =
      run_model(point("\"y\", \"1 - x\"", "q = [0.0, 2.0]\nv = [3.0, 0.0]",
                      "unilateral = true\nfriction = 0.1\nexponent = 0.5", "step = 0.05\nsteps = 10"));
  CHECK(wall.report.outcome == RunOutcome::finished);
  CHECK(wall.final.v->numbers[1] == doctest::Approx(-g * 0.5).epsilon(1e-13).scale(0));
  // On a slope it holds while m g sin a <= c (m g cos a)^r.
  const double most = load * std::sin(0.6) / std::pow(load * std::cos(0.6), 0.8);
  for (const double factor : {0.999, 1.001}) {
    const RunResult slope = run_model(point("\"y*cos(a) - x*sin(a)\"", "q = [0.0, 0.0]\nv = [0.0, 0.0]",
                                            "unilateral = true\nexponent = 0.8\nfriction = " + digits(factor * most),
                                            "step = 0.02\nsteps = 5"));
    CHECK((slope.final.v->numbers[0] == 0) == (factor > 1));
    CHECK(slope.final.v->numbers[0] <= 0);  // downhill
  }
}

TEST_CASE("a_stop_keeps_a_point_on_the_side_to_which_its_axis_turned_left_points") {
  const auto model = [](const std::string& bodies, const std::string& first, const std::string& axis) {
    return "[system]\nkind = \"multibody\"\nplane = true\n" + bodies +
           "[[joint]]\nname = \"stop\"\ntype = \"slider\"\nunilateral = true\nrestitution = 0.6\nbodies = [\"" + first +
           "\", \"stone\"]\nframes = [{ point = [0.0, 0.0], axis = [" + axis +
           ", 0.0] }, { point = [0.0, 0.0] }]\n[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nsteps = 100\n";
  };
  const std::string stone = "[[body]]\nname = \"stone\"\nmass = 1.0\nshape = { type = \"point\" }\n",
                    falls = "gravity = [0.0, -9.81]\n" + stone + "position = [0.3, 1.0]\nvelocity = [0.5, 0.0]\n";
  const RunResult run = run_model(model(falls, "ground", "1.0"));
  const double t1 = std::sqrt(2 / g);
  REQUIRE(run.events.size() == 2);
  for (const RunEvent& e : run.events) CHECK(e.kind == EventKind::impact);
  CHECK(run.events[0].t == doctest::Approx(t1).epsilon(4e-15).scale(0));
  CHECK(run.events[1].t == doctest::Approx(2.2 * t1).epsilon(4e-15).scale(0));
  CHECK(run.events[0].v[1] == doctest::Approx(0.6 * g * t1).epsilon(1e-14).scale(0));
  CHECK(refusal(model(falls, "ground", "-1.0")).find("joint 'stop' is passed by 1.0e+00 at the start") !=
        std::string::npos);
  // A plate of mass 2 and inertia 0.5 is hit at 0.3 from its centre: a mass of 1/(1/2 + 0.3^2/0.5) there. It turns.
  const std::string plate = "[[body]]\nname = \"plate\"\nmass = 2.0\ninertia = 0.5\n" + stone +
                            "position = [0.3, 0.5]\nvelocity = [0.0, -2.0]\n";
  const RunResult hit = run_model(model(plate, "plate", "1.0"), {{"run.steps", "40"}});
  REQUIRE(hit.events.size() == 1);
  CHECK(hit.events[0].t == doctest::Approx(0.25).epsilon(1e-13).scale(0));
  const double P = 1.6 * 2 / (1 + 0.5 + 0.09 / 0.5);
  CHECK(hit.events[0].v[1] == doctest::Approx(-P / 2).epsilon(1e-13).scale(0));          // of the plate
  CHECK(hit.events[0].v[3] == doctest::Approx(-0.3 * P / 0.5).epsilon(1e-13).scale(0));  // d1_y' = omega
  CHECK(hit.events[0].v[7] == doctest::Approx(-2 + P).epsilon(1e-13).scale(0));
}

TEST_CASE("a_gap_that_closes_and_opens_within_one_step_is_found") {
  // Thrown up, it would be back after one step.
  const double v0 = std::sqrt(2 * g * 1.01), hit = (v0 - std::sqrt(v0 * v0 - 2 * g)) / g;
  const RunResult up =
      run_model(point("\"1 - y\"", "q = [0.0, 0.0]\nv = [0.0, " + digits(v0) + "]",
                      "unilateral = true\nrestitution = 1.0", "steps = 1\nstep = " + digits(2 * v0 / g)));
  REQUIRE(up.events.size() == 1);
  CHECK(up.events[0].t == doctest::Approx(hit).epsilon(1e-13).scale(0));
  // A floor that opens at the start, meets a point at rest at t = 0.6, and opens at the end.
  const RunResult lift = run_model(point("\"y + 8*(t + 0.1)*(t - 0.6)*(t - 0.8)\"", "q = [0.0, 0.0]\nv = [0.0, 0.0]",
                                         "unilateral = true", "steps = 1\nstep = 1.0"),
                                   {{"system.parameters.g", "0"}});
  REQUIRE(!lift.events.empty());
  CHECK(lift.events[0].t == doctest::Approx(0.6).epsilon(1e-13).scale(0));
  CHECK(lift.events[0].kind == EventKind::impact);  // the floor is slowing down, and leaves it
}

TEST_CASE("approach_speeds_below_the_threshold_do_not_bounce") {
  // sqrt(2 g) 0.6^4 = 0.574 is the last speed above it.
  const RunResult run =
      run_model(point("\"y\"", "q = [0.0, 1.0]\nv = [0.0, 0.0]",
                      "unilateral = true\nrestitution = 0.6\nthreshold = 0.5", "step = 0.05\nend = 3.0"));
  CHECK(of_kind(run, EventKind::impact).size() == 5);
  CHECK(of_kind(run, EventKind::landing).size() == 1);
  CHECK(run.events.size() == 6);
}

TEST_CASE("a_closed_contact_gets_the_impulse_that_it_needs_when_another_one_is_hit") {
  // Along the floor into a wall that leans over: the wall presses the bead down, and the floor holds it.
  const std::string model = point("\"y\", \"(1 - x)*cos(a) - y*sin(a)\"", "q = [0.0, 0.0]\nv = [2.0, 0.0]",
                                  "unilateral = true\nrestitution = [0.0, 0.5]", "step = 0.1\nsteps = 10");
  const RunResult run = run_model(model);
  REQUIRE(run.events.size() == 1);
  CHECK(run.events[0].kind == EventKind::impact);
  CHECK(run.events[0].v[0] == doctest::Approx(-1).epsilon(1e-14).scale(0));
  CHECK(std::abs(run.events[0].v[1]) < 1e-15);
  CHECK(run.final.q.numbers[0] == doctest::Approx(0.5).epsilon(1e-13).scale(0));
}

TEST_CASE("a_contact_that_was_opened_in_vain_is_closed_again") {
  // With both closed both pull, and the floor more, its constraint being small: opened first, it is what holds.
  const RunResult run = run_model(point("\"0.01*y\", \"0.6*x - 0.8*y\"", "q = [0.0, 0.0]\nv = [0.0, 0.0]",
                                        "unilateral = true", "step = 0.1\nsteps = 5"),
                                  {{"system.forces", "[\"m*g\", \"0\"]"}});
  CHECK(run.events.empty());
  CHECK(run.final.q.numbers[0] == doctest::Approx(g * 0.125).epsilon(1e-13).scale(0));
  CHECK(run.final.q.numbers[1] == 0);
  CHECK(run.final.lambda->numbers[0] == doctest::Approx(-130 * g).epsilon(1e-12).scale(0));
  CHECK(run.final.lambda->numbers[1] == 0);
}

TEST_CASE("a_bead_inside_a_ring_slows_down_all_the_way_round") {
  // Without gravity v' = -c v^2/R, so that the angle after t is log(1 + c v0 t/R)/c: 2.2 turns.
  const RunResult run = run_model(point("\"(1 - x^2 - y^2)/2\"", "q = [1.0, 0.0]\nv = [0.0, 10.0]",
                                        "unilateral = true\nfriction = 0.1", "step = 0.005\nsteps = 600"),
                                  {{"system.parameters.g", "0"}});
  CHECK(run.events.empty());
  const double angle = std::log(1 + 0.1 * 10 * 3) / 0.1;
  CHECK(std::hypot(run.final.v->numbers[0], run.final.v->numbers[1]) == doctest::Approx(2.5).epsilon(1e-3).scale(0));
  CHECK(run.final.q.numbers[0] == doctest::Approx(std::cos(angle)).epsilon(0.01).scale(1));
  CHECK(run.final.q.numbers[1] == doctest::Approx(std::sin(angle)).epsilon(0.01).scale(1));
}

TEST_CASE("a_puck_that_friction_turns_keeps_order_2_and_its_speed_across") {
  const auto puck = [](const std::string& v, const std::string& step, const std::string& steps) {
    return run_model(
        "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\", \"z\"]\n"
        "lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - 9.81*z + 4*x\"\nconstraints = [\"z\"]\n"
        "[initial]\nq = [0.0, 0.0, 0.0]\nv = " +
        v + "\n[contact]\nunilateral = true\nfriction = 0.2\n[method]\nname = \"rattle\"\n[run]\nstep = " + step +
        "\nsteps = " + steps + "\n");
  };
  const auto x = [&](const char* step, const char* steps) {
    return puck("[-0.5, 1.0, 0.0]", step, steps).final.q.numbers[0];
  };
  const double coarse = x("0.04", "10"), middle = x("0.02", "20"), fine = x("0.01", "40");
  CHECK((coarse - middle) / (middle - fine) == doctest::Approx(4).epsilon(0.15));
  // Back and aside within one step: it does not rest where it only turns.
  const RunResult turns = puck("[-0.1, 0.05, 0.0]", "0.05", "1");
  CHECK(turns.events.empty());
  CHECK(turns.final.v->numbers[1] > 0.001);
  CHECK(turns.final.v->numbers[0] > 0.05);
}

TEST_CASE("a_ball_that_rubs_in_a_round_bowl_comes_to_rest_where_the_slope_holds_it") {
  const RunResult run = run_model(
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\", \"z\"]\n"
      "lagrangian = \"x'^2 + y'^2 + z'^2 - 2*9.81*z\"\nconstraints = [\"z - 0.3*(x^2 + y^2)\", \"2 - z\"]\n"
      "[initial]\nq = [0.5, 0.1, 1.0]\nv = [0.5, 1.0, 0.2]\n[contact]\nunilateral = true\nrestitution = 0.4\n"
      "friction = 0.2\n[method]\nname = \"rattle\"\n[run]\nstep = 0.02\nsteps = 200\n");
  CHECK(run.report.outcome == RunOutcome::finished);
  REQUIRE(of_kind(run, EventKind::stick).size() == 1);
  CHECK(of_kind(run, EventKind::slip).empty());
  CHECK(run.final.v->numbers == std::vector<double>{0, 0, 0});
  CHECK(0.6 * std::hypot(run.final.q.numbers[0], run.final.q.numbers[1]) < 0.2);  // the slope
  CHECK(run.audit.constraint < 1e-14);
}

TEST_CASE("the_audit_of_a_contact_is_how_far_it_is_passed_and_how_fast") {
  const auto audit = [](const std::string& start) {
    return run_model(point("\"y - 1\"", start + "\ntolerance = 1e-3", "unilateral = true", "step = 0.1\nsteps = 1"))
        .audit;
  };
  CHECK(audit("q = [0.0, 0.9996]\nv = [1.0, 0.0]").constraint == doctest::Approx(4e-4).epsilon(1e-10).scale(0));
  CHECK(audit("q = [0.0, 1.0004]\nv = [1.0, 0.0]").constraint < 1e-15);
  CHECK(audit("q = [0.0, 1.0]\nv = [1.0, -4e-4]").hidden_constraint == doctest::Approx(4e-4).epsilon(1e-10).scale(0));
  CHECK(audit("q = [0.0, 1.0]\nv = [1.0, 4e-4]").hidden_constraint < 1e-15);
}

TEST_CASE("points_say_which_coordinates_rub") {
  // Two blocks on a floor, the second one heavier and on a spring of its own; each slides to rest by itself.
  const std::string model =
      "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x1\", \"y1\", \"x2\", \"y2\"]\n"
      "lagrangian = \"(x1'^2 + y1'^2)/2 + 3/2*(x2'^2 + y2'^2) - 9.81*(y1 + 3*y2)\"\nconstraints = [\"y2\", \"y1\"]\n"
      "[initial]\nq = [0.0, 0.0, 5.0, 0.0]\nv = [1.0, 0.0, -2.0, 0.0]\n[contact]\nunilateral = true\nfriction = "
      "0.25\n"
      "[method]\nname = \"rattle\"\n[run]\nstep = 0.05\nsteps = 20\n";
  const Overrides points = {{"contact.points", "[[\"x2\", \"y2\"], [\"x1\", \"y1\"]]"}};
  const RunResult run = run_model(model, points);
  REQUIRE(run.events.size() == 2);
  for (const RunEvent& e : run.events) CHECK(e.kind == EventKind::stick);
  CHECK(run.events[0].index == 1);
  CHECK(run.events[0].t == doctest::Approx(1 / (0.25 * g)).epsilon(1e-13).scale(0));
  CHECK(run.events[1].t == doctest::Approx(2 / (0.25 * g)).epsilon(1e-13).scale(0));
  CHECK(run.final.q.numbers[0] == doctest::Approx(1 / (0.5 * g)).epsilon(1e-13).scale(0));
  CHECK(run.final.q.numbers[2] == doctest::Approx(5 - 4 / (0.5 * g)).epsilon(1e-13).scale(0));
  const auto said = [&](const Overrides& set, const std::string& words) {
    const std::string found = refusal(model, set);
    CHECK_MESSAGE(found.find(words) != std::string::npos, found);
  };
  said({},
       "constraint 1 contains 1 coordinate, and which ones are those of the point that rubs is not known; write "
       "contact.points");
  said({{"contact.points", "[[\"x2\", \"y2\"]]"}}, "has 1 point, and 2 constraints are one-sided");
  said({{"contact.points", "[[\"x2\", \"y2\"], [\"y1\"]]"}}, "has less than two coordinates");
  said({{"contact.points", "[[\"x2\", \"y3\"], [\"x1\", \"y1\"]]"}}, "y3");
  said({{"contact.points", "[[\"x1\", \"y1\"], [\"x1\", \"y1\"]]"}}, "constraint 1 contains y2 too");
  said({{"contact.points", "[[\"x2\", \"y2\", \"x1\"], [\"x1\", \"y1\"]]"}}, "is not m times the unit matrix");
}

TEST_CASE("a_block_slides_off_the_rounded_edge_of_a_table_where_it_leaves_it") {
  // y + k max(0, x - 1)^2: v^2 is more than g/(2 k), so that it leaves where the rounding begins.
  for (const char* step : {"0.05", "0.01"}) {
    const RunResult run = run_model(point("\"y + 5*max(0, x - 1)^2\"", "q = [0.0, 0.0]\nv = [3.0, 0.0]",
                                          "unilateral = true", "end = 0.8\nstep = " + std::string(step)));
    REQUIRE(run.events.size() == 1);
    CHECK(run.events[0].kind == EventKind::release);
    CHECK(run.events[0].t == doctest::Approx(1.0 / 3).epsilon(1e-13).scale(0));
    const double s = 0.8 - 1.0 / 3;
    CHECK(run.final.q.numbers[0] == doctest::Approx(2.4).epsilon(1e-12).scale(0));
    CHECK(run.final.q.numbers[1] == doctest::Approx(-g * s * s / 2).epsilon(1e-12).scale(0));
  }
  const RunResult rubs = run_model(point("\"y + 5*max(0, x - 1)^2\"", "q = [0.0, 0.0]\nv = [3.0, 0.0]",
                                         "unilateral = true\nfriction = 0.2", "end = 0.8\nstep = 0.02"));
  REQUIRE(rubs.events.size() == 1);
  const double a = 0.2 * g, t = (3 - std::sqrt(9 - 2 * a)) / a;
  CHECK(rubs.events[0].t == doctest::Approx(t).epsilon(1e-13).scale(0));
  CHECK(rubs.final.q.numbers[0] == doctest::Approx(1 + (3 - a * t) * (0.8 - t)).epsilon(1e-12).scale(0));
}
