// --set KEY=VALUE
#pragma once

#include <string>
#include <vector>

#include "livens/model/model.hpp"

namespace livens::cli {

inline Overrides overrides(const std::vector<std::string>& set) {
  Overrides out;
  for (const std::string& item : set) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError("--set " + item + ": expected KEY=VALUE, such as --set run.step=0.01");
    out.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  return out;
}

}  // namespace livens::cli
