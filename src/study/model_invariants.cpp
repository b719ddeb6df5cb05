#include <fmt/format.h>

#include "livens/simulation/failure.hpp"
#include "study/model_studies.hpp"
#include "study/studied_system.hpp"

namespace livens {

namespace {

// One of [loop] and [surface]: its invariant, and what ended it in words.
template <class System, class Integral>
Invariant model_invariant(const Model& model, const MethodEntry& method, const Options& options, const System& system,
                          const Model::Samples& samples, std::string_view section, const Integral& integral,
                          const InvariantOptions& wanted, std::vector<std::string>& failures) {
  using T = typename System::Scalar;
  MarchSettings<T> settings = march_settings<T>(model);
  settings.stop = wanted.stop;
  const StartState<System> start = model_start(model, system).state;
  const auto at = integral.parameters();
  const auto point = [&](std::size_t k) {
    formula::Evaluator<T> formulas(samples.program);
    const T tau = at[k].back(), sigma = at[k].front();
    std::vector<const T*> blocks(static_cast<std::size_t>(samples.block) + 2, nullptr);
    blocks[blocks.size() - 2] = &tau, blocks.back() = &sigma;
    typename System::Coordinates q(system.coordinates());
    formulas(blocks.data(), q.data());
    return q;
  };
  const auto place = [&](std::size_t k) {
    const std::string tau = fmt::format("tau = {:.6g}", to_double(at[k].back()));
    return at[k].size() == 1 ? tau : fmt::format("sigma = {:.6g}, {}", to_double(at[k].front()), tau);
  };
  InvariantStudy<System, Integral> study(
      system,
      [&](const System& own) {
        return step_of<System>(model, method, options, {own, start, settings.step, settings.solver});
      },
      integral, settings, wanted.threads);
  Invariant result = study.run(point, [&](long long done) {
    if (wanted.watch) wanted.watch(section, done);
  });
  if (!result.failure) return result;
  const SampleFailure& failure = *result.failure;
  if (failure.step == 0)
    throw InputError(model.at(
        fmt::format("{}.q", section),
        fmt::format("at {} {}; move it to where theta and the Hamiltonian determine the velocity", place(failure.point),
                    failure.report.outcome == Outcome::not_finite
                        ? "theta, the Hamiltonian or a derivative of them is not finite"
                        : "the matrix d_i theta_j - d_j theta_i is singular")));
  failures.push_back(fmt::format("{}, {}: {}", section, place(failure.point),
                                 describe_failure(model, failure.report, failure.attempt, failure.step)));
  return result;
}

}  // namespace

InvariantsStudy model_invariants(const Model& model, const MethodEntry& method, const Options& options,
                                 const InvariantOptions& wanted) {
  return in_precision<FormulaDegenerate>(
      model.run.precision, model.system->degenerate(), [&]<class T>(const FormulaDegenerate<T>& system) {
        InvariantsStudy study;
        const auto measure = [&](const Model::Samples& samples, std::string_view section, const auto& integral) {
          return model_invariant(model, method, options, system, samples, section, integral, wanted, study.failures);
        };
        if (model.loop.program) study.first = measure(model.loop, "loop", LoopIntegral<T>(model.loop.points[0]));
        if (model.surface.program)
          study.second =
              measure(model.surface, "surface", SurfaceIntegral<T>(model.surface.points[0], model.surface.points[1]));
        return study;
      });
}

}  // namespace livens
