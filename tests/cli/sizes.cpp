// Large and small numbers that physics brings along: a strong field, masses of atoms.
#include "cli/program.hpp"

using namespace program;

namespace {

// A charge on a sphere: its momentum is mostly that of the field, and what is left of it gives the velocity.
const std::string charge = R"toml(
[system]
kind = "lagrangian"
coordinates = ["x", "y", "z"]
lagrangian = "m/2*(x'^2 + y'^2 + z'^2) - m*9.81*z + B/2*(x*y' - y*x')"
constraints = ["(x^2 + y^2 + z^2 - 1)/2"]
[system.parameters]
m = 1.0
B = 1e4
[initial]
q = [1.0, 0.0, 0.0]
v = [0.0, 0.1, 0.0]
[method]
name = "rattle"
[run]
step = 1e-5
steps = 20000
every = 1000
)toml";

const std::string pendulum = R"toml(
[system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "m/2*(x'^2 + y'^2) - m*9.81*y"
constraints = ["(x^2 + y^2 - l^2)/2"]
[system.parameters]
m = 1.0
l = 1.0
[initial]
q = ["1.001*l*sin(1)", "-l*cos(1)"]
v = ["l*cos(1)", "l*sin(1)"]
project = true
[method]
name = "rattle"
[run]
step = 1e-3
steps = 10
)toml";

}  // namespace

TEST_CASE("a_strong_field_does_not_stop_a_run") {
  const Place place;
  put(place / "m.toml", charge);
  for (const std::string method : {"rattle", "galerkin", "spark"})
    CHECK(place.summary("m.toml --force --out r", {"method.name=" + method})["outcome"] == "finished");
}

TEST_CASE("start_values_are_moved_onto_the_constraints_in_any_units") {
  const Place place;
  put(place / "m.toml", pendulum);
  struct Units {
    std::string mass, length;
  };
  for (const std::string linear : {"dense", "sparse"})
    for (const Units& unit :
         {Units{"1e-26", "1e-10"}, {"1e-26", "1.0"}, {"1e-16", "1.0"}, {"1.0", "1e8"}, {"1e20", "1e8"}}) {
      CAPTURE(linear);
      CAPTURE(unit.mass);
      CAPTURE(unit.length);
      const Json s =
          place.summary("m.toml --force --out r", {"system.parameters.m=" + unit.mass, "solver.linear=" + linear,
                                                   "system.parameters.l=" + unit.length, "run.step=1e-8"});
      const double l = std::stod(unit.length), x = s["final"]["q"][0], y = s["final"]["q"][1];
      CHECK(std::abs(x * x + y * y - l * l) < 1e-14 * l * l);
      CHECK(std::abs(s["projection"]["q"].get<double>() / l - 6.0e-4) < 2e-4);
    }
}

TEST_CASE("symplecticity_is_judged_relative_to_what_units_make_of_the_form") {
  const Place place;
  put(place / "m.toml", pendulum);
  for (const std::string mass : {"1e-26", "1.0", "1e20"}) {
    CAPTURE(mass);
    const Reply reply =
        place.run({"study", "symplecticity", "m.toml", "--json", "--set", "system.parameters.m=" + mass});
    REQUIRE(reply.status == 0);
    const Json study = Json::parse(reply.out);
    CHECK(study["defect"].get<double>() <= 1e-15 * study["scale"].get<double>());
  }
}

// Equations of large steps have several roots. Energy errors of the right ones: those of the motion that starts from
// the exact solution.
TEST_CASE("high_orders_follow_the_motion_at_large_steps") {
  struct Case {
    std::string problem, method, s, step, end;
    double energy_error;
  };
  const Place place;
  for (const Case& c : {Case{"pendulum", "galerkin", "4", "0.4", "10.0", 4e-4},
                        {"pendulum", "galerkin", "8", "0.5", "10.0", 5e-9},
                        {"pendulum", "galerkin", "12", "0.5", "10.0", 1e-12},
                        {"double-pendulum", "galerkin", "8", "0.1", "30.0", 3e-7},
                        {"double-pendulum", "galerkin", "12", "0.2", "30.0", 1e-5},
                        {"double-pendulum", "spark", "8", "0.1", "30.0", 3e-7}}) {
    CAPTURE(c.problem);
    CAPTURE(c.method);
    CAPTURE(c.s);
    const Json s = place.summary(c.problem + " --force --out r", {"method.name=" + c.method, "method.s=" + c.s,
                                                                  "run.step=" + c.step, "run.end=" + c.end});
    CHECK(s["outcome"] == "finished");
    CHECK(s["audit"]["energy"]["max_error"] < c.energy_error);
  }
}

// The second constraint leaves the first slowly; sizes that are known from earlier steps decide when that is too much.
TEST_CASE("a_run_that_watches_constraints_left_out_resumes_to_the_same_end") {
  const Place place;
  put(place / "m.toml", R"toml(
[system]
kind = "lagrangian"
coordinates = ["x", "y", "s", "w"]
lagrangian = "(x'^2 + y'^2 + s'^2 + w'^2)/2 - 9.81*y"
constraints = ["(x^2 + y^2 - 1)/2",
               "(x^2 + y^2 - 1)/2 + 1e-13*s^2 + 1e3*sin(t)^2*(cos(w)^2 + sin(w)^2 - 1)"]
[initial]
q = [1.0, 0.0, 0.0, 0.3]
v = [0.0, 0.0, 300.0, 0.2]
[method]
name = "rattle"
[run]
step = 0.001
end = 40.0
every = 100
[solver]
redundant = "least-norm"
)toml");
  const auto outcome = [&](const std::string& out) {
    const Json s = Json::parse(contents(place / out / "summary.json"));
    return std::pair(s["outcome"].get<std::string>(), s["steps"].get<long long>());
  };
  place.livens("run m.toml --quiet --out whole");
  place.livens("run m.toml --quiet --set run.end=12.566 --out parts");
  place.livens("resume parts --end 40.0");
  CHECK(outcome("whole") == outcome("parts"));
}
