// Studies of one run of a model, for any kind of system: the model is given as it is, redundant constraints are left
// out as in a run, and multipliers are compared as the smallest ones of all constraints. Run-time sizes only: a study
// is short.
#pragma once

#include "livens/registry/entry.hpp"
#include "livens/study/studies.hpp"

namespace livens {

RunErrors model_errors(const Model& model, const MethodEntry& method, const Options& options,
                       const formula::Number& step, long long steps, Reference& reference,
                       const std::atomic<bool>* stop = nullptr);
Symplecticity model_symplecticity(const Model& model, const MethodEntry& method, const Options& options,
                                  const std::atomic<bool>* stop = nullptr);
Reversibility model_reversibility(const Model& model, const MethodEntry& method, const Options& options,
                                  const std::atomic<bool>* stop = nullptr);
InvariantsStudy model_invariants(const Model& model, const MethodEntry& method, const Options& options,
                                 const InvariantOptions& wanted);

}  // namespace livens
