// Motion does not know units: masses of 1e-26 kg on rods of 1e-10 m move like those of 1 kg on rods of 1 m, whichever
// way the linear systems are solved. Impulses are corrected in units of their own (method/stages.hpp); without them the
// matrices of these systems count as singular.
#include <doctest/doctest.h>

#include <cmath>

#include "verify/stated_march.hpp"

namespace {

using namespace livens;
using namespace livens::test;

struct Units {
  double mass, length;
};

struct Stated {
  std::string system;        // mass and length are its units
  std::vector<double> q, v;  // for units of 1
};

const Stated pendulum{R"toml(
coordinates = ["x", "y"]
lagrangian  = "mass/2*(x'^2 + y'^2) - mass*length*9.81*y"
constraints = ["(x^2 + y^2 - length^2)/2"]
parameters  = { mass = 1, length = 1 }
)toml",
                      {0.8, 0.6},
                      {0.3, -0.4}};

// Two different atoms on a rod, held near the origin by a spring that hardens.
const Stated bound_atoms{R"toml(
coordinates = [{ for = "i = 1..2", each = ["x[i]", "y[i]", "z[i]"] }]
lagrangian  = """mass/2*(x[1]'^2 + y[1]'^2 + z[1]'^2) + 8*mass*(x[2]'^2 + y[2]'^2 + z[2]'^2)
  - mass*length^2*sum(i = 1..2, (x[i]/length)^2/2 + (x[i]/length)^4/4 + (y[i]/length)^2/2 + (y[i]/length)^4/4
                                + (z[i]/length)^2/2 + (z[i]/length)^4/4)"""
constraints = ["((x[2] - x[1])^2 + (y[2] - y[1])^2 + (z[2] - z[1])^2 - length^2)/2"]
parameters  = { mass = 1, length = 1 }
)toml",
                         {0.1, 0.0, 0.2, 0.7, 0.8, 0.2},
                         {0.8, -0.6, 1.0, 0.0, 0.0, 0.0}};

// q and p after 100 steps, in units of the problem.
std::vector<double> end_of(const Stated& stated, const std::string& method, const std::string& linear, Units unit) {
  StatedStart start{.q = stated.q, .v = stated.v, .step = 0.02, .steps = 100};
  for (double& x : start.q) x *= unit.length;
  for (double& x : start.v) x *= unit.length;
  const auto run = march_stated(stated.system, method, start,
                                {{"system.parameters.mass", fmt::format("{:.17g}", unit.mass)},
                                 {"system.parameters.length", fmt::format("{:.17g}", unit.length)},
                                 {"solver.linear", linear}});
  REQUIRE(run.report.outcome == RunOutcome::finished);
  std::vector<double> end;
  for (const double x : run.rows.back().q) end.push_back(x / unit.length);
  for (const double x : run.rows.back().p) end.push_back(x / (unit.mass * unit.length));
  return end;
}

void moves_alike_in_all_units(const Stated& stated) {
  for (const std::string method :
       {"galerkin\"\ns = 1", "galerkin\"\ns = 3", "spark\"\ns = 2", "hbvm\"\nk = 4",
        "hbvm\"\nk = 4\niteration = \"newton\"", "hbvm\"\nk = 6\ns = 3\nr = 3\niteration = \"newton\""}) {
    const std::string lines = "name = \"" + method;
    CAPTURE(lines);
    const auto expected = end_of(stated, lines, "dense", {1, 1});
    for (const Units unit : {Units{1, 1}, Units{1e-26, 1e-10}, Units{1e20, 1}, Units{1e20, 1e8}, Units{1e-26, 1}})
      for (const std::string linear : {"dense", "sparse", "schur"}) {
        if (linear == "schur" && lines.find("newton") != std::string::npos)
          continue;  // no equations of multipliers alone
        CAPTURE(unit.mass);
        CAPTURE(unit.length);
        CAPTURE(linear);
        const auto end = end_of(stated, lines, linear, unit);
        REQUIRE(end.size() == expected.size());
        for (std::size_t i = 0; i < end.size(); ++i) CHECK(std::abs(end[i] - expected[i]) < 1e-12);
      }
  }
}

}  // namespace

TEST_CASE("a pendulum moves alike in all units") {
  moves_alike_in_all_units(pendulum);
}

TEST_CASE("a molecule of two atoms moves alike in all units") {
  moves_alike_in_all_units(bound_atoms);
}
