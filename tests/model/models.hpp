// Small models that the reader's tests read, whole or with one piece exchanged.
#pragma once

#include <string>
#include <string_view>

#include "livens/model/model.hpp"

namespace models {

inline const std::string pendulum = R"toml(format = 1
title = "Planar pendulum"

[system]
kind        = "lagrangian"
coordinates = ["x", "y"]
lagrangian  = "m/2*(x'^2 + y'^2) - m*g*y"
constraints = [
  "(r2 - l^2)/2",
]
forces      = ["-c*x'", "-c*y'"]
[system.parameters]
m = 1.0
l = 1.0
g = 9.81
c = "0.1*m"
[system.let]
r2 = "x^2 + y^2"
[system.invariants]
angular_momentum = "x*p_y - y*p_x"

[initial]
t = 0.5
q = ["l", 0]
v = [0.0, 0.1]

[method]
name = "galerkin"
s = 2
quadrature = "gauss"
damped = false
alpha = 0.25

[run]
step  = 0.1
end   = 10.5
every = 10
precision = "extended"

[solver]
tolerance  = 1e-12
iterations = 20
)toml";

inline const std::string vortices = R"toml([system]
kind = "degenerate"
coordinates = ["x", "y"]
theta = ["-y/2", "x/2"]
hamiltonian = "(x^2 + y^2)/2"
[system.invariants]
off = "p_x + y/2"
[initial]
q = [1.0, 0.0]
[exact]
q = ["cos(t)", "sin(t)"]
)toml";

inline const std::string cubic = R"toml([system]
kind = "odae"
positions = ["y1", "y2"]
velocities = ["z1"]
multipliers = ["psi"]
velocity = ["z1", "-z1 + t"]
force = ["y1*z1 + t"]
reaction = ["-y1*psi^3"]
constraints = ["y1*y2 - 1"]
[system.invariants]
speed = "z1^2"
[initial]
y = [1.0, 1.0]
z = [1.0]
[run]
step = -0.5
steps = 1e6
)toml";

inline std::string with(std::string text, std::string_view piece, std::string_view instead) {
  return text.replace(text.find(piece), piece.size(), instead);
}

// The message of a refusal; empty if the model is read.
inline std::string refusal(const std::string& text, const livens::Overrides& set = {}) {
  try {
    livens::read_model("m.toml", text, set);
  } catch (const livens::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace models
