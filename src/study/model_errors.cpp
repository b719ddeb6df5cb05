#include "study/model_studies.hpp"
#include "study/studied_system.hpp"

namespace livens {

RunErrors model_errors(const Model& given, const MethodEntry& method, const Options& options,
                       const formula::Number& step, long long steps, Reference& reference,
                       const std::atomic<bool>* stop) {
  const IndependentModel independent = without_redundant(given);
  return with_walk(given, independent, method, options, step,
                   [&](const auto& system, const auto& start, auto settings, auto walk) {
                     using System = std::decay_t<decltype(system)>;
                     using T = typename System::Scalar;
                     settings.steps = steps;
                     settings.stop = stop;
                     if constexpr (!DegenerateSystem<System> && !OverdeterminedSystem<System>)
                       if (!independent.left_out.empty()) {
                         LeastNorm<T> all(given, independent.left_out);
                         return run_errors(std::move(walk), start, settings, reference,
                                           [&](const T& t, const Vec<T>& q, const Vec<T>& lambda) {
                                             return all.multipliers(t, q, {lambda.begin(), lambda.end()});
                                           });
                       }
                     return run_errors(std::move(walk), start, settings, reference);
                   });
}

}  // namespace livens
