#include "livens/method/energy_momentum.hpp"

#include "methods/steps_of.hpp"

namespace livens {

namespace {

EnergyMomentum method(const Options& options) {
  return {.stabilised = options.get<bool>("stabilised")};
}

void complete(const Model& model, Options& options) {
  if (const std::string reason = method(options).misfit(model.system->structure()); !reason.empty())
    throw InputError(model.at("method.stabilised", reason + "; leave it out"));
}

}  // namespace

MethodEntry energy_momentum_entry() {
  return {.name = "energy-momentum",
          .summary = "energy-momentum scheme with Gonzalez' discrete gradients, plain or stabilised",
          .options = {{.name = "stabilised",
                       .standard = false,
                       .standard_words = {},
                       .help = "constraints also on velocity level (EM-GGL); for quadratic constraints",
                       .smallest = {},
                       .largest = {},
                       .choices = {}}},
          .kinds = {SystemKind::lagrangian},
          .misfit = misfit_of<EnergyMomentum>,
          .order = "2",
          .symplectic = false,
          .symmetric = true,
          .keeps =
              "energy, constraints, linear momentum maps (quadratic constraints and potential); stabilised: hidden "
              "constraints",
          .complete = complete,
          .traits = traits_of(method),
          .steps = steps_of(method)};
}

}  // namespace livens
