#include "livens/method/constrained_euler.hpp"

#include "methods/entries.hpp"
#include "methods/lagrangian_run.hpp"

namespace livens {

MethodEntry constrained_euler_entry() {
  return {.name = "constrained-euler",
          .summary = "constrained symplectic Euler, index 3 (CSE-B), or its conjugate",
          .options = {{.name = "conjugate",
                       .standard = false,
                       .help = "the conjugate method: forces at the end of the step, momentum projected",
                       .smallest = {},
                       .largest = {},
                       .choices = {}}},
          .kinds = {SystemKind::lagrangian},
          .misfit = needs_constant_mass,
          .order = "1",
          .symplectic = true,
          .symmetric = false,
          .keeps = "constraints, linear momentum maps; conjugate: hidden constraints",
          .run = [](const Model& model, const Options& options, const RunContext& context) {
            return run_lagrangian(model, ConstrainedEuler{.conjugate = options.get<bool>("conjugate")}, context);
          }};
}

}  // namespace livens
