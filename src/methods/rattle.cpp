#include "livens/method/rattle.hpp"

#include "methods/steps_of.hpp"

namespace livens {

namespace {

Rattle method(const Options&) {
  return {};
}

}  // namespace

MethodEntry rattle_entry() {
  return {.name = "rattle",
          .summary = "RATTLE: two-point Lobatto variational integrator, momentum projected in every step",
          .kinds = {SystemKind::lagrangian},
          .order = "2",
          .symplectic = true,
          .symmetric = true,
          .keeps = "constraints, hidden constraints, linear momentum maps",
          .traits = traits_of(method),
          .steps = steps_of<SmallSizes::yes>(method)};
}

}  // namespace livens
