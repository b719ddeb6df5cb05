// A model with one-sided constraints is run.
#pragma once

#include "livens/model/model.hpp"
#include "livens/registry/entry.hpp"
#include "livens/run/result.hpp"

namespace livens {

// Throws InputError, also where the method or the system does not allow contacts.
RunResult run_contacts(const Model& model, const MethodEntry& method, const Options& options,
                       const RunContext& context);

}  // namespace livens
