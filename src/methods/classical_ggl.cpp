#include "livens/method/classical_ggl.hpp"

#include "methods/steps_of.hpp"

namespace livens {

namespace {

ClassicalGgl method(const Options&) {
  return {};
}

}  // namespace

MethodEntry classical_ggl_entry() {
  return {.name = "classical-ggl",
          .summary = "symplectic Euler with the classical GGL stabilisation: a negative control",
          .kinds = {SystemKind::lagrangian},
          .misfit = misfit_of<ClassicalGgl>,
          .order = "1",
          .symplectic = false,
          .symmetric = false,
          .keeps = "constraints, hidden constraints",
          .traits = traits_of(method),
          .steps = steps_of(method)};
}

}  // namespace livens
