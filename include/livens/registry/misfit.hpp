// A method that is not for the system of a model, and why in words.
#pragma once

#include <string>
#include <utility>

#include "livens/model/model.hpp"

namespace livens {

class MisfitError : public InputError {
 public:
  MisfitError(const std::string& message, std::string why) : InputError(message), reason(std::move(why)) {}
  const std::string reason;
};

}  // namespace livens
