// SUNDIALS on the hanging chain. Relative and absolute tolerance are the same number: lengths and velocities are of
// size one. Times are those of the integration, without what is set up before it.
#pragma once

#include "chain.hpp"

namespace peers {

enum class Operations { of_package, ours };  // on vectors: see vectors.cpp

struct Settings {
  double end = 0, tolerance = 0;
  Operations operations = Operations::of_package;
};

// ARKODE, explicit Runge-Kutta of order 8 (Fehlberg 13-7-8), index-1 form.
Run arkode(Chain& chain, const Settings& settings);
// CVODE, Adams, index-1 form, functional iteration. Newton's method with GMRES takes five times as long: the fast waves
// of the chain limit the step by stability, not by convergence of the corrector.
Run cvode(Chain& chain, const Settings& settings);
// IDA on the stabilised index-2 form of Gear, Gupta and Leimkuhler, KLU with the exact sparse Jacobian. BDF of order 3
// and more is unstable for waves that a step just resolves, so order 2 can be the faster choice.
Run ida(Chain& chain, const Settings& settings, int largest_order);

}  // namespace peers
