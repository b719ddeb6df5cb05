#include "livens/method/constrained_euler.hpp"

#include "methods/steps_of.hpp"

namespace livens {

namespace {

ConstrainedEuler method(const Options& options) {
  return {.conjugate = options.get<bool>("conjugate")};
}

}  // namespace

MethodEntry constrained_euler_entry() {
  return {.name = "constrained-euler",
          .summary = "constrained symplectic Euler, index 3 (CSE-B), or its conjugate",
          .options = {{.name = "conjugate",
                       .standard = false,
                       .standard_words = {},
                       .help = "the conjugate method: forces at the end of the step, momentum projected",
                       .smallest = {},
                       .largest = {},
                       .choices = {}}},
          .kinds = {SystemKind::lagrangian},
          .misfit = misfit_of<ConstrainedEuler>,
          .order = "1",
          .symplectic = true,
          .symmetric = false,
          .keeps = "constraints, linear momentum maps; conjugate: hidden constraints",
          .traits = traits_of(method),
          .steps = steps_of(method)};
}

}  // namespace livens
