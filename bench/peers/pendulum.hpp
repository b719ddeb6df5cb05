// The planar pendulum over a long time: Galerkin variational integrators beside ARKODE.
#pragma once

namespace peers {

// Prints, for s = 1 .. 8 and for ARKODE of order 8, the time to an end error of 1e-9 at T = 100, each at the loosest
// setting that reaches it.
void compare_on_pendulum();

}  // namespace peers
