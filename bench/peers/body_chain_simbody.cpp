// C++17: the headers of Simbody 3.7 compare integers in ways that C++20 finds ambiguous.
#include <Simbody.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "body_chain.hpp"

namespace body_chain {

namespace {

Vector vector(const SimTK::Vec3& x) {
  return {x[0], x[1], x[2]};
}

template <class Integrator>
Run run(const Chain& chain, const Setting& setting) {
  using namespace SimTK;
  constexpr double l = Chain::l;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity(forces, matter, Vec3(0, 0, -Chain::gravity));
  const auto& I = Chain::inertia;
  const SimTK::Body::Rigid box(MassProperties(Chain::mass, Vec3(0), Inertia(I[0], I[1], I[2])));
  std::vector<MobilizedBody> links;
  for (int i = 0; i < chain.N; ++i) {
    MobilizedBody& parent = i == 0 ? static_cast<MobilizedBody&>(matter.updGround()) : links.back();
    const Vec3 at(i == 0 ? 0 : l / 2, 0, 0);
    links.push_back(MobilizedBody::Ball(parent, Transform(at), box, Transform(Vec3(-l / 2, 0, 0))));
  }
  SimTK::State start = system.realizeTopology();
  links[0].setUFromVector(start, SimTK::Vector(Vec3(0, 0, chain.turn)));

  const auto bodies = [&](const SimTK::State& state) {
    system.realize(state, Stage::Velocity);
    Bodies all;
    for (const MobilizedBody& link : links) {
      body_chain::Body body;
      body.position = vector(link.getBodyOriginLocation(state));
      body.velocity = vector(link.getBodyOriginVelocity(state));
      body.angular_velocity = vector(link.getBodyAngularVelocity(state));
      const Rotation& R = link.getBodyRotation(state);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) body.rotation[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = R[r][c];
      all.push_back(body);
    }
    return all;
  };

  Integrator integrator(system);
  if (setting.step > 0)
    integrator.setFixedStepSize(setting.step);
  else
    integrator.setAccuracy(setting.accuracy);
  integrator.setAllowInterpolation(false);  // the end state is then that of a step
  Run run;
  try {
    integrator.initialize(start);
    for (int k = 1; k <= setting.samples; ++k) {
      const double until = setting.end * k / setting.samples, begin = process_seconds();
      while (integrator.getTime() < until) integrator.stepTo(until);
      run.seconds += process_seconds() - begin;
      run.bodies = bodies(integrator.getState());
      const double error = (chain.energy(run.bodies) - chain.start_energy()) / chain.energy_scale();
      run.largest_energy_error = std::max(run.largest_energy_error, std::abs(error));
    }
  } catch (const std::exception&) {  // several lines, which say that numbers are none
    run.failure = "failed at t = " + std::to_string(integrator.getTime());
  }
  run.steps = integrator.getNumStepsTaken();
  return run;
}

}  // namespace

std::vector<Method> simbody_methods() {
  const auto method = [](const char* name, auto integrate) { return Method{"Simbody", name, 0, 1e-1, integrate}; };
  return {method("SemiExplicitEuler2", run<SimTK::SemiExplicitEuler2Integrator>),
          method("Verlet", run<SimTK::VerletIntegrator>),
          method("RungeKuttaMerson", run<SimTK::RungeKuttaMersonIntegrator>)};
}

std::string simbody_version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace body_chain
