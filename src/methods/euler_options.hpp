// The options of `euler`, which `composition` has as well.
#pragma once

#include <string>
#include <vector>

#include "livens/method/euler.hpp"
#include "livens/registry/options.hpp"

namespace livens {

inline Euler euler_of(const Options& options) {
  const std::string& variant = options.get<std::string>("variant");
  return {.variant = variant == "hamiltonian" ? Euler::Variant::hamiltonian
                     : variant == "natural"   ? Euler::Variant::natural
                                              : Euler::Variant::true_,
          .conjugate = options.get<bool>("conjugate"),
          .alpha = options.get<double>("alpha")};
}

inline std::vector<Option> euler_options() {
  return {one_of("variant", "true", "how the reaction is shared between the two multipliers of a step",
                 {"true", "natural", "hamiltonian"}),
          {.name = "conjugate",
           .standard = false,
           .standard_words = {},
           .help = "force and velocity at the end of the step",
           .smallest = {},
           .largest = {},
           .choices = {}},
          {.name = "alpha",
           .standard = 0.5,
           .standard_words = {},
           .help = "share of the first multiplier; of no consequence where the reaction is affine in it",
           .smallest = {},
           .largest = {},
           .choices = {}}};
}

// Throws where options contradict each other or the system: `method` is Euler or Composition.
template <class Method>
void check_euler(const Model& model, const Method& method, const Euler& euler) {
  if (const std::string reason = method.inadmissible(); !reason.empty())
    throw InputError(model.at(reason.starts_with("alpha") ? "method.alpha" : "method.variant", reason));
  if (model.system->kind() == SystemKind::odae)
    if (const std::string reason = euler.misfit(model.system->odae()->structure()); !reason.empty())
      throw InputError(model.at("method.variant", reason + "; write \"true\""));
}

}  // namespace livens
