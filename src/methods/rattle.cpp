#include "livens/method/rattle.hpp"

#include "methods/entries.hpp"
#include "methods/lagrangian_run.hpp"
#include "methods/lagrangian_study.hpp"

namespace livens {

MethodEntry rattle_entry() {
  return {.name = "rattle",
          .summary = "RATTLE: two-point Lobatto variational integrator, momentum projected in every step",
          .options = {},
          .kinds = {SystemKind::lagrangian},
          .misfit = nullptr,
          .order = "2",
          .symplectic = true,
          .symmetric = true,
          .keeps = "constraints, hidden constraints, linear momentum maps",
          .studies = lagrangian_studies([](const Options&) { return Rattle{}; }),
          .complete = nullptr,
          .run = [](const Model& model, const Options&, const RunContext& context) {
            return run_lagrangian(model, Rattle{}, context);
          }};
}

}  // namespace livens
