// The systems of verify/problems.hpp as model files: what is asked of many systems is asked of the library as it is
// released, and costs no compiling.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/study/studies.hpp"

namespace livens::test {

struct StatedSystem {
  std::string name, text;
};

inline const StatedSystem nonlinear_pendulum_text{"nonlinear pendulum", R"toml(
[system]
kind        = "lagrangian"
coordinates = ["x", "y"]
lagrangian  = "1.3/2*(x'^2 + y'^2) - 1.3*9.81*y - 3/2*(x + 0.5)^2 - 5/4*x^4"
constraints = ["(x^2 + y^2 - 1)/2"]
[initial]
q = ["sin(1)", "-cos(1)"]
v = ["0.5*cos(1)", "0.5*sin(1)"]
)toml"};

inline const StatedSystem double_pendulum_text{"double pendulum in space", R"toml(
[system]
kind        = "lagrangian"
coordinates = ["x1", "y1", "z1", "x2", "y2", "z2"]
lagrangian  = "(x1'^2 + y1'^2 + z1'^2)/2 + 0.75*(x2'^2 + y2'^2 + z2'^2) - 9.81*(z1 + 1.5*z2)"
constraints = ["(x1^2 + y1^2 + z1^2 - 1)/2", "((x2 - x1)^2 + (y2 - y1)^2 + (z2 - z1)^2 - 0.64)/2"]
[initial]
q = [0.6, 0.0, -0.8, 0.6, 0.64, -1.28]
v = [0.3, 1.0, -0.2, 0.5, -0.7, 1.1]
)toml"};

inline const StatedSystem bead_text{"bead on a non-quadratic surface", R"toml(
[system]
kind        = "lagrangian"
coordinates = ["x", "y", "z"]
lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - z^4"
constraints = ["x^6 + y^4 + z^2 - 0.625"]
[initial]
q = [0.7, 0.5, "-sqrt(0.625 - 0.7^6 - 0.5^4)"]
v = [0.4, 0.6, 0.3]
)toml"};

inline const std::string curved_mass_system = R"toml(
[system]
kind        = "lagrangian"
coordinates = ["x", "y", "z"]
lagrangian  = "((1 + y^2)*x'^2 + (2 + sin(x))*y'^2 + z'^2)/2 + 0.3*z*x'*y' + 0.7*(x*y' - y^2*x') - 2*cos(x)*z - y^3"
constraints = ["x^2 + y^2 + exp(z) - 2"]
)toml";
inline const std::string curved_mass_start = R"toml(
[initial]
q = [0.6, -0.4, "log(2 - 0.36 - 0.16)"]
v = [0.5, 0.8, -0.2]
)toml";
inline const StatedSystem curved_mass_text{"mass that depends on q, term linear in v",
                                           curved_mass_system + curved_mass_start};
inline const StatedSystem damped_curved_mass_text{
    "damped with curved mass", curved_mass_system +
                                   R"toml(forces = ["-0.4*x' + 0.2*sin(t)", "-0.3*y'^3", "-0.5*(1 + x^2)*z'"])toml" +
                                   curved_mass_start};

inline const std::string driven_pendulum_system = R"toml(
[system]
kind        = "lagrangian"
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 - 9.81*y - 0.8*cos(3*t)*x^2"
constraints = ["((x - 0.3*sin(2.5*t))^2 + y^2 - 1)/2"]
)toml";
inline const std::string driven_pendulum_start = R"toml(
[initial]
q = ["sin(1)", "-cos(1)"]
v = [0.9, 0.1]
)toml";
inline const StatedSystem driven_pendulum_text{"driven pivot and potential",
                                               driven_pendulum_system + driven_pendulum_start};
inline const StatedSystem pushed_pendulum_text{
    "pushed, on a moving support",
    driven_pendulum_system + R"toml(forces = ["2*sin(5*t) - 0.5*x'^3", "3*t*x - 0.2*y'"])toml" + driven_pendulum_start};

inline const StatedSystem damped_pendulum_text{"damped", R"toml(
[system]
kind        = "lagrangian"
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + 2*y'^2)/2 - 9.81*y - x^3"
constraints = ["(x^2 + y^2 - 1)/2"]
forces      = ["-0.5*sqrt(1 + x'^2 + y'^2)*x' + 0.4*y", "-0.5*(1 + x^2)*y'"]
[initial]
q = ["sin(1)", "-cos(1)"]
v = ["0.5*cos(1)", "0.5*sin(1)"]
)toml"};

inline const StatedSystem changing_times_text{"all depends on time", R"toml(
[system]
kind        = "lagrangian"
coordinates = ["x", "y"]
lagrangian  = "(1 + 0.5*sin(2*t))*(x'^2 + (1 + x^2)*y'^2)/2 + cos(3*t)*y^2*x' - 5*(1 + t)*y - x^3"
constraints = ["((x - 0.2*sin(2*t))^2 + 2*y^2 - 1)/2"]
forces      = ["-0.4*x' + sin(4*t)", "-0.3*y'"]
[initial]
q = [0.6, "-sqrt(0.32)"]
v = [0.9, 0.1]
)toml"};

inline const std::string widest_precision = LIVENS_QUAD ? "quad" : "extended";

// One unit of time, from the start projected on the constraints. method: lines of [method].
inline Model stated_model(const StatedSystem& system, const std::string& method,
                          const std::string& precision = "double", const std::string& step = "0.05",
                          const std::string& end = "1") {
  return read_model(system.name + ".toml", system.text + "project = true\n[method]\n" + method + "\n[run]\nstep = " +
                                               step + "\nend = " + end + "\nprecision = \"" + precision + "\"\n");
}

// The slopes of q, p and lambda between neighbouring step sizes are within `margin` of the order.
inline void check_stated_order(const StatedSystem& system, const std::string& method, const std::string& step_sizes,
                               double order, double margin, const std::string& precision = "double") {
  CAPTURE(system.name);
  CAPTURE(method);
  const OrderStudy study = study_order(stated_model(system, method, precision), read_step_sizes(step_sizes));
  REQUIRE(study.failures.empty());
  for (std::size_t k = 1; k < study.rows.size(); ++k) {
    const auto& slope = study.rows[k].order;
    for (const auto& quantity : {slope.q, slope.p, slope.lambda}) {
      REQUIRE(quantity);
      CHECK(std::abs(*quantity - order) < margin);
    }
  }
}

}  // namespace livens::test
