#include "study/model_studies.hpp"
#include "study/studied_system.hpp"

namespace livens {

Reversibility model_reversibility(const Model& given, const MethodEntry& method, const Options& options) {
  const IndependentModel independent = without_redundant(given);
  return with_walk(given, independent, method, options, given.run.step,
                   [&](const auto&, const auto& start, const auto& settings, auto walk) {
                     return reversibility(std::move(walk), start, settings);
                   });
}

}  // namespace livens
