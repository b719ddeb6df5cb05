#include "livens/method/classical_ggl.hpp"

#include "methods/steps_of.hpp"

namespace livens {

namespace {

ClassicalGgl method(const Options&) {
  return {};
}

std::string misfit(const Model& model) {
  if (std::string reason = needs_constant_mass(model); !reason.empty()) return reason;
  return model.system->structure().time_in_constraints ? "its constraints must not contain t" : "";
}

}  // namespace

MethodEntry classical_ggl_entry() {
  return {.name = "classical-ggl",
          .summary = "symplectic Euler with the classical GGL stabilisation: a negative control",
          .kinds = {SystemKind::lagrangian},
          .misfit = misfit,
          .order = "1",
          .symplectic = false,
          .symmetric = false,
          .keeps = "constraints, hidden constraints",
          .traits = traits_of(method),
          .steps = steps_of(method)};
}

}  // namespace livens
