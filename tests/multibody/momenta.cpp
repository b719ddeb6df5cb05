// Momenta of free bodies on a spring that has a length: the potential is not quadratic.
#include "multibody/mechanism_runs.hpp"

using namespace mechanism;

namespace {

double lost(const livens::RunResult& result, std::size_t momenta) {
  double largest = 0;
  REQUIRE(result.audit.invariants.size() == momenta);
  for (const auto& invariant : result.audit.invariants) largest = std::max(largest, invariant.max_error);
  return largest;
}

double lost_momentum(const char* method, const char* step) {
  const std::string text = R"toml([system]
kind = "multibody"
[[body]]
name = "one"
mass = 1.0
shape = { type = "sphere", radius = 0.1 }
velocity = [1, 0, 0.3]
[[body]]
name = "two"
mass = 2.0
shape = { type = "sphere", radius = 0.1 }
position = [1, 0, 0]
velocity = [0.2, 1, 0]
[[spring]]
bodies = ["one", "two"]
stiffness = 50.0
length = 0.7
[method]
name = "rattle"
[run]
step = 0.01
end = 2.0
)toml";
  return lost(run_text(text, {{"method.name", method}, {"run.step", step}}), 6);
}

}  // namespace

TEST_CASE("free_bodies_on_a_spring_keep_all_six_momenta") {
  for (const char* const method :
       {"rattle", "shake", "galerkin", "spark", "ggl", "constrained-euler", "euler", "composition"}) {
    CAPTURE(std::string(method));
    CHECK(lost_momentum(method, "0.01") < 6e-14);
  }
}

TEST_CASE("dampers_off_the_centres_keep_momenta") {
  // along their line all six; what brakes across the line, too, turns the bodies
  const std::string text = R"toml([system]
kind = "multibody"
[[body]]
name = "one"
mass = 1.0
inertia = [0.1, 0.12, 0.15]
velocity = [1, 0, 0.3]
angular_velocity = [0.5, -1, 2]
[[body]]
name = "two"
mass = 2.0
shape = { type = "plate", size = [0.3, 0.5] }
position = [1, 0, 0]
velocity = [0.2, 1, 0]
[[damper]]
bodies = ["one", "two"]
points = [[0.1, 0.2, -0.1], [-0.1, 0.2, 0]]
damping = 3.0
[method]
name = "galerkin"
[run]
step = 0.01
end = 1.0
)toml";
  CHECK(lost(run_text(text), 6) < 1e-13);
  CHECK(lost(run_text(replaced(text, "damping = 3.0", "damping = 3.0\nisotropic = true")), 3) < 1e-13);
}

TEST_CASE("energy_momentum_loses_momenta_of_the_second_order_where_the_potential_is_not_quadratic") {
  // The discrete gradient of the whole potential is corrected along q1 - q0, which is no invariant of translations.
  const double coarse = lost_momentum("energy-momentum", "0.01"), fine = lost_momentum("energy-momentum", "0.005");
  CHECK(fine > 1e-5);
  CHECK(std::log2(coarse / fine) == doctest::Approx(2).epsilon(0.03).scale(0));
}
