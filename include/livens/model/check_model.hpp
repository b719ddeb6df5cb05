// `livens check`: derivatives against jets, structure found, start values; nothing is run.
#pragma once

#include <string>
#include <vector>

#include "livens/model/model.hpp"

namespace livens {

struct CheckReport {
  struct Line {
    std::string what, finding;
    bool ok = true;
  };
  std::vector<Line> lines;
  bool ok = true;  // false: a derivative is wrong, which would be a fault of Livens itself
};

// Throws InputError where the start values are refused.
CheckReport check_model(const Model& model);

}  // namespace livens
