#include "study/model_studies.hpp"
#include "study/studied_system.hpp"

namespace livens {

Reversibility model_reversibility(const Model& given, const MethodEntry& method, const Options& options,
                                  const std::atomic<bool>* stop) {
  const IndependentModel independent = without_redundant(given);
  return with_walk(given, independent, method, options, given.run.step,
                   [&](const auto&, const auto& start, auto settings, auto walk) {
                     settings.stop = stop;
                     return reversibility(std::move(walk), start, settings);
                   });
}

}  // namespace livens
