// summary.json: the run in one page, for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "livens/model/model.hpp"
#include "livens/registry/registry.hpp"

namespace livens {

nlohmann::ordered_json summary(const Model& model, const MethodEntry& method, const Options& options,
                               const RunResult& result, const std::string& message, const std::string& directory,
                               double seconds);

}  // namespace livens
