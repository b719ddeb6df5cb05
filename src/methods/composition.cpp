#include "livens/method/composition.hpp"

#include "methods/euler_options.hpp"
#include "methods/steps_of.hpp"

namespace livens {

namespace {

Composition composition_of(const Options& options) {
  using Scheme = Composition::Scheme;
  const std::string& scheme = options.get<std::string>("scheme");
  return {.scheme = scheme == "yoshida4"       ? Scheme::yoshida4
                    : scheme == "suzuki4"      ? Scheme::suzuki4
                    : scheme == "blanes-moan4" ? Scheme::blanes_moan4
                                               : Scheme::strang,
          .euler = euler_of(options)};
}

void complete(const Model& model, Options& options) {
  const Composition method = composition_of(options);
  check_euler(model, method, method.euler);
}

std::vector<Option> options() {
  std::vector<Option> all = {one_of("scheme", "strang", "parts of the step: order 2 (strang) or 4",
                                    {"strang", "yoshida4", "suzuki4", "blanes-moan4"})};
  for (Option& option : euler_options()) all.push_back(std::move(option));
  return all;
}

}  // namespace

MethodEntry composition_entry() {
  return {.name = "composition",
          .summary = "compositions of euler with its adjoint",
          .options = options(),
          .kinds = {SystemKind::lagrangian, SystemKind::odae},
          .order = "2 (strang), 4",
          .symplectic = {},
          .symmetric = true,
          .keeps = "constraints, hidden constraints; Hamiltonian systems: symplectic form, linear momentum maps",
          .complete = complete,
          .traits = traits_of(composition_of),
          .steps = steps_of(composition_of)};
}

}  // namespace livens
