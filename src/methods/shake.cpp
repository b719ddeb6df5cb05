#include "livens/method/shake.hpp"

#include "methods/steps_of.hpp"

namespace livens {

namespace {

Shake method(const Options&) {
  return {};
}

}  // namespace

MethodEntry shake_entry() {
  return {.name = "shake",
          .summary = "SHAKE: two-point Lobatto variational integrator, momentum carried unprojected",
          .kinds = {SystemKind::lagrangian},
          .order = "2",
          .symplectic = true,
          .symmetric = true,
          .keeps = "constraints, linear momentum maps",
          .traits = traits_of(method),
          .steps = steps_of(method)};
}

}  // namespace livens
