// What the motion of a model conserves, before any method has a say.
#pragma once

#include "livens/model/model.hpp"

namespace livens {

// Whether its motion keeps an energy: that of the system, which contacts may take away.
inline bool conserves_energy(const Model& model) {
  if (model.contact.friction.value_or(0) > 0) return false;
  for (const Model::Contact::OneSided& contact : model.contact.one_sided)
    if (contact.restitution < 1) return false;
  return model.system->conserves_energy();
}

}  // namespace livens
