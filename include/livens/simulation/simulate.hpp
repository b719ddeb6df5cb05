// Runs a model, in memory: what comes out is a struct, rows go to whoever takes them.
#pragma once

#include "livens/model/model.hpp"
#include "livens/registry/entry.hpp"
#include "livens/run/result.hpp"

namespace livens {

// Throws InputError where the model cannot be run; nothing was run then.
RunResult simulate(const Model& model, const MethodEntry& method, const Options& options, const RunContext& context);

// Throws the InputError that simulate would throw, and runs nothing.
void check_run(const Model& model, const MethodEntry& method, const Options& options);

// Throws InputError where the model has no step, nor an accuracy to find one for.
void require_step(const Model& model);

}  // namespace livens
