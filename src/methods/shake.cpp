#include "livens/method/shake.hpp"

#include "methods/entries.hpp"
#include "methods/lagrangian_run.hpp"
#include "methods/lagrangian_study.hpp"

namespace livens {

MethodEntry shake_entry() {
  return {.name = "shake",
          .summary = "SHAKE: two-point Lobatto variational integrator, momentum carried unprojected",
          .options = {},
          .kinds = {SystemKind::lagrangian},
          .misfit = nullptr,
          .order = "2",
          .symplectic = true,
          .symmetric = true,
          .keeps = "constraints, linear momentum maps",
          .studies = lagrangian_studies([](const Options&) { return Shake{}; }),
          .complete = nullptr,
          .run = [](const Model& model, const Options&, const RunContext& context) {
            return run_lagrangian(model, Shake{}, context);
          }};
}

}  // namespace livens
