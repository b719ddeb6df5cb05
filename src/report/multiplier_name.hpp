// What a multiplier is called: by its number, and in a mechanism by the body or joint that it belongs to.
#pragma once

#include <fmt/format.h>

#include <string>

#include "livens/model/model.hpp"
#include "livens/multibody/mechanism.hpp"

namespace livens {

// Of the one at place `a` of those recorded, from 1.
inline int multiplier_number(const Model& model, int a) {
  const auto& chosen = model.record.multipliers;
  return (chosen ? (*chosen)[static_cast<std::size_t>(a)] : a) + 1;
}
inline std::string multiplier_name(const Model& model, int a) {
  const int number = multiplier_number(model, a);
  const auto& mechanism = model.system->mechanism();
  if (!mechanism || number > mechanism->constraints()) return fmt::format("lambda {}", number);
  return fmt::format("lambda {}, {}", number, mechanism->owner_of_row(number - 1));
}

}  // namespace livens
