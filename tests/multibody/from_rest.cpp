// Mechanisms that start from rest: momenta are as small as the step, and the round-off of positions is much beside
// them; multipliers that two parts of a step share may be 0 in one of them.
#include "multibody/mechanism_runs.hpp"

using namespace mechanism;

namespace {

const std::string stack = R"toml([system]
kind = "multibody"
gravity = [0, 1, -9.81]
[[body]]
name = "slab"
mass = 5.0
inertia = [0.1, 0.12, 0.09]
position = [0.5, 0.5, 0.5]
rotation = { axis = [1, 2, 3], angle = 1.0 }
[[body]]
name = "tube"
mass = 1.5
inertia = [0.05, 0.06, 0.03]
position = [0.9, 0.8, 0.6]
[[body]]
name = "bob"
mass = 2.0
shape = { type = "sphere", radius = 0.07 }
position = [1.2, 1.0, 0.1]
[[joint]]
name = "table"
type = "planar"
bodies = ["slab", "ground"]
at = [0.4, 0.3, 0.1]
axis = [0.2, -0.1, 1]
[[joint]]
name = "sleeve"
type = "cylindrical"
bodies = ["tube", "slab"]
at = [0.7, 0.6, 0.5]
axis = [1, -1, 0.5]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["tube", "bob"]
at = [1.1, 0.9, 0.4]
axis = [0, 1, 1]
[[spring]]
bodies = ["ground", "bob"]
points = [[1, 1, 2], [0, 0, 0.07]]
stiffness = 40.0
[method]
name = "galerkin"
s = 3
[run]
step = 1e-3
steps = 20
)toml";

// A loop whose crank alone is driven: directors that stay across its plane are 0 to round-off.
const std::string driven = R"toml([system]
kind = "multibody"
gravity = [0, 0, -9.81]
[[body]]
name = "crank"
mass = 2.0
shape = { type = "cylinder", radius = 0.02, length = 0.2 }
rotation = { axis = [0, 1, 0], angle = "pi/2" }
position = [0.1, 0, 0]
[[body]]
name = "rocker"
mass = 0.8
shape = { type = "box", size = [0.02, 0.03, 0.5] }
position = [0.2, 0.6, 0.25]
[[body]]
name = "coupler"
mass = 0.3
inertia = [0.02, 0.03, 0.011]
position = [0.2, 0.3, 0.25]
rotation = { axis = [1, 0, 0], angle = "-atan2(0.6, 0.5)" }
[[joint]]
name = "shaft"
type = "revolute"
bodies = ["crank", "ground"]
at = [0, 0, 0]
axis = [0, 0, -2]
motion = "3*t^2 + 0.3*t^3"
[[joint]]
name = "first"
type = "universal"
bodies = ["crank", "coupler"]
at = [0.2, 0, 0]
axes = [[0, 0, 1], [1, 0, 0]]
[[joint]]
name = "second"
type = "spherical"
bodies = ["coupler", "rocker"]
at = [0.2, 0.6, 0.5]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["rocker", "ground"]
at = [0.2, 0.6, 0]
axis = [1, 0, 0]
[method]
name = "galerkin"
s = 3
[run]
step = 1e-3
steps = 20
)toml";

}  // namespace

TEST_CASE("euler_and_its_compositions_start_mechanisms_from_rest_with_small_steps") {
  struct Way {
    Overrides options;
    int order;
  };
  const std::vector<Way> ways{
      {{{"method.name", "euler"}}, 1},
      {{{"method.name", "euler"}, {"method.conjugate", "true"}}, 1},
      {{{"method.name", "euler"}, {"method.variant", "natural"}}, 1},
      {{{"method.name", "euler"}, {"method.variant", "natural"}, {"method.conjugate", "true"}}, 1},
      {{{"method.name", "euler"}, {"method.variant", "hamiltonian"}}, 1},
      {{{"method.name", "composition"}}, 2},
      {{{"method.name", "composition"}, {"method.scheme", "suzuki4"}}, 4},
      {{{"method.name", "composition"}, {"method.scheme", "blanes-moan4"}}, 4},
  };
  for (const std::string* model : {&stack, &driven})
    for (const char* step : {"1e-3", "1e-4", "1e-5"}) {
      const Overrides set{{"run.step", step}};
      const auto exact = run_text(*model, set);
      for (const Way& way : ways) {
        Overrides all = set;
        all.insert(all.end(), way.options.begin(), way.options.end());
        CAPTURE(std::string(step));
        CAPTURE(way.options.front().second);
        CAPTURE(way.options.back().second);
        const auto result = run_text(*model, all);
        const double h = std::stod(step), t = 20 * h;
        // The motion has gone some 10 t^2; below that the round-off of positions, 20 steps long.
        CHECK(distance(result.final.q.numbers, exact.final.q.numbers) <
              (way.order == 1 ? 20 * t * h : 10 * t * h * h) + 1e-13);
        CHECK(result.audit.constraint < 1e-14);
      }
    }
}
