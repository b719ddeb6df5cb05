// The chain of rigid bodies that all programs integrate: N boxes l x l/4 x l/4 of density 1000, connected by ball
// joints, the first one to the origin. It starts stretched along x and falls; `turn` is its angular velocity about the
// vertical at the start, without which the motion stays in a plane.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace body_chain {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  // by rows

struct Body {
  Vector position, velocity, angular_velocity;  // of the centre of mass; in the axes of space
  Matrix rotation;
};
using Bodies = std::vector<Body>;

struct Chain {
  int N;
  double turn;
  static constexpr double l = 0.1, density = 1000, gravity = 9.81;
  static constexpr double mass = density * l * (l / 4) * (l / 4);
  static constexpr Vector inertia = {mass / 12 * (l * l / 8), mass / 12 * (17 * l * l / 16),
                                     mass / 12 * (17 * l * l / 16)};
  double energy(const Bodies& bodies) const;  // 0 at the start where turn = 0
  double start_energy() const;
  // What is set free until the chain hangs: the unit of energy errors.
  double energy_scale() const { return N * mass * gravity * N * l / 2; }
};

struct Setting {
  double end;
  double step = 0, accuracy = 0;  // one of them: a fixed step, or the accuracy that a program controls its steps by
  int samples = 1;                // how often on the way the energy is looked at
  double longest = 15;            // seconds after which a run is stopped
};

struct Run {
  std::string failure = {};  // empty: it reached its end
  bool too_long = false;     // that was why
  Bodies bodies = {};        // at the end
  long long steps = 0;
  double seconds = 0;               // processor time of the steps, without making the model
  double largest_energy_error = 0;  // of the samples, in units of the scale
};

struct Method {
  std::string program, name;
  double first_step = 0, first_accuracy = 0;  // one of them: coarsest setting of the sequence
  std::function<Run(const Chain&, const Setting&)> run;
};

std::vector<Method> livens_methods();
// Defined where the build found the program.
std::vector<Method> simbody_methods();
std::vector<Method> mujoco_methods();
std::string simbody_version();
std::string mujoco_version();

// Livens with s = 4.
Run reference(const Chain& chain, const Setting& setting);

double process_seconds();

}  // namespace body_chain
