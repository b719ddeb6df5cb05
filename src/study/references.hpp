// What `--reference` may name. A reference serves one run; each run gets its own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "livens/model/model.hpp"
#include "livens/study/reference.hpp"

namespace livens {

struct ReferenceChoice {
  std::string description;
  double round_off;  // of its numbers
  std::function<std::unique_ptr<Reference>()> make;
};

// All throw InputError.
ReferenceChoice fine_reference(const Model& model);
ReferenceChoice exact_reference(const Model& model);
ReferenceChoice file_reference(const Model& model, const std::string& path);

}  // namespace livens
