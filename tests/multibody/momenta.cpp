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

TEST_CASE("momenta_that_ground_leaves_are_named_and_kept") {
  using Names = std::vector<std::string>;
  const std::string space = R"toml([system]
kind = "multibody"
[[body]]
name = "b"
mass = 1.5
inertia = [0.1, 0.12, 0.15]
position = [0.3, 0.2, 0.1]
velocity = [0.7, -0.4, 0.5]
angular_velocity = [1.0, -2.0, 1.5]
)toml",
                    plane = R"toml([system]
kind = "multibody"
plane = true
[[body]]
name = "b"
mass = 1.5
inertia = 0.1
position = [0.3, 0.2]
velocity = [0.7, -0.4]
angular_velocity = 1.5
)toml",
                    end = R"toml([initial]
project = true
[method]
name = "galerkin"
s = 3
[run]
step = 0.01
steps = 30
)toml";
  const auto joint = [](const std::string& type, const std::string& rest) {
    return "[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"b\"]\ntype = \"" + type + "\"\n" + rest + "\n";
  };
  const auto on_ground = [](const std::string& what, const std::string& place) {
    return "[[" + what + "]]\nbodies = [\"ground\", \"b\"]\npoints = [" + place + ", [0.1, 0.2, 0]]\n" +
           (what == "spring" ? "stiffness = 20.0\nlength = 0.2\n" : "damping = 2.0\n");
  };
  const std::string through_origin = "at = [0, 0, 0.4]\naxis = [0, 0, 1]",
                    beside = "at = [0.2, 0, 0.4]\naxis = [0, 0, 1]", across = "at = [0, 0, 0.4]\naxis = [1, 0, 0]",
                    slanting = "at = [0, 0, 0.4]\naxis = [0, 1, 1]",
                    coil = "[[spring]]\njoint = \"j\"\nstiffness = 2.0\n";
  const std::string x = "linear_momentum_x", y = "linear_momentum_y", z = "linear_momentum_z",
                    ax = "angular_momentum_x", ay = "angular_momentum_y", az = "angular_momentum_z";
  const std::vector<std::pair<std::string, Names>> cases{
      {space, {x, y, z, ax, ay, az}},
      {space + joint("planar", beside), {x, y, az}},
      {space + joint("planar", across), {y, z, ax}},
      {space + joint("planar", slanting), {x}},
      {space + joint("cylindrical", through_origin), {z, az}},
      {space + joint("cylindrical", beside), {z}},
      {space + joint("cylindrical", slanting), {}},
      {space + joint("prismatic", through_origin), {z}},
      {space + joint("revolute", through_origin), {az}},
      {space + joint("revolute", beside), {}},
      {space + joint("revolute", across), {}},
      {space + joint("revolute", through_origin) + coil, {}},
      {space + joint("universal", "at = [0, 0, 0.4]\naxes = [[0, 0, 1], [1, 0, 0]]"), {az}},
      {space + joint("universal", "at = [0, 0, 0.4]\naxes = [[1, 0, 0], [0, 0, 1]]"), {}},
      {space + joint("spherical", "at = [0, 0, 0]"), {ax, ay, az}},
      {space + joint("spherical", "at = [0, 0.4, 0]"), {ay}},
      {space + joint("distance", "points = [[0, 0, 0.4], [0.1, 0.2, 0]]"), {az}},
      {space + joint("fixed", ""), {}},
      {space + on_ground("spring", "[0, 0, 0]"), {ax, ay, az}},
      {space + on_ground("spring", "[0.5, 0, 0]"), {ax}},
      {space + on_ground("damper", "[0.5, 0, 0]"), {ax}},
      {space + on_ground("damper", "[0, 0, 0]") + "isotropic = true\n", {}},
      {plane, {x, y, az}},
      {plane + joint("prismatic", "at = [0, 0.1]\naxis = [1, 0]"), {x}},
      {plane + joint("slider", "at = [0, 0.1]\naxis = [0, 1]"), {y}},
      {plane + joint("revolute", "at = [0, 0]"), {az}},
      {plane + joint("revolute", "at = [0.1, 0]"), {}}};
  for (const auto& [bodies, expected] : cases) {
    const std::string text = bodies + end;
    CAPTURE(text);
    const livens::Model model = livens::read_model("m.toml", text);
    CHECK(model.system->invariant_names() == expected);
    CHECK(lost(run(model), expected.size()) < 1e-13);
  }
}
