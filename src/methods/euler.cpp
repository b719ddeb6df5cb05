#include "livens/method/euler.hpp"

#include "methods/euler_options.hpp"
#include "methods/steps_of.hpp"

namespace livens {

namespace {

void complete(const Model& model, Options& options) {
  check_euler(model, euler_of(options), euler_of(options));
}

}  // namespace

MethodEntry euler_entry() {
  return {.name = "euler",
          .summary = "symplectic Euler for reactions nonlinear in the multipliers",
          .options = euler_options(),
          .kinds = {SystemKind::lagrangian, SystemKind::odae},
          .order = "1; natural: 1 only where the reaction is affine in the multipliers",
          .symplectic = {},
          .symmetric = false,
          .keeps = "constraints, hidden constraints; Hamiltonian systems: symplectic form, linear momentum maps",
          .complete = complete,
          .traits = traits_of(euler_of),
          .steps = steps_of(euler_of)};
}

}  // namespace livens
