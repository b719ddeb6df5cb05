// Whether two model files are about the same motion: the same system from the same start, whatever its method and run.
#pragma once

#include <optional>
#include <string>

#include "livens/model/model.hpp"

namespace livens {

struct ModelDifference {
  std::string key;          // "system.parameters.g"
  std::string here, there;  // as written; empty where the key is missing
};

// The first key that differs, of those that the motion depends on; `text` and `set` are the other model. Throws
// InputError if that one cannot be read.
std::optional<ModelDifference> first_difference(const Model& model, const std::string& text, const Overrides& set);

}  // namespace livens
