// summary.json: the run in one page, for programs.
#pragma once

#include <string>

#include "livens/registry/entry.hpp"
#include "livens/session/session.hpp"

namespace livens {

std::string summary_text(const Model& model, const MethodEntry& method, const Options& options,
                         const SessionResult& session, double seconds);

}  // namespace livens
