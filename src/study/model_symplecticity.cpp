#include "study/model_studies.hpp"
#include "study/studied_system.hpp"

namespace livens {

namespace {

// One step of the system over jets, from the consistent start of the system over double.
template <class System, class Jets>
Symplecticity study_step(const Model& given, const IndependentModel& independent, const MethodEntry& method,
                         const Options& options, const System& system, const Jets& jets,
                         const std::atomic<bool>* stop) {
  const auto start = checked_start(given, independent, system);
  const MarchSettings<double> settings = march_settings<double>(given);
  StartState<Jets> jets_start(jets);
  jets_start.t = start.t;
  for (int i = 0; i < start.q.size(); ++i)
    jets_start.q[i] = start.q[i], jets_start.p[i] = start.p[i], jets_start.hint[i] = start.hint[i];
  auto step = step_of<Jets>(given, method, options, {jets, jets_start, settings.step, settings.solver});
  return SymplecticityStudy<Jets>(jets, Walk<Jets>(jets, std::move(step)))
      .study(phase_point(start), to_double(settings.step), stop);
}

}  // namespace

Symplecticity model_symplecticity(const Model& given, const MethodEntry& method, const Options& options,
                                  const std::atomic<bool>* stop) {
  using J = Jet<double, 1>;
  const IndependentModel independent = without_redundant(given);
  const SystemDescription& s = *independent.model.system;
  if (s.kind() == SystemKind::degenerate)
    return study_step(given, independent, method, options, FormulaDegenerate<double>(s.degenerate()),
                      FormulaDegenerate<J>(s.degenerate()), stop);
  return study_step(given, independent, method, options, s.dense<double>(), s.dense<J>(), stop);
}

}  // namespace livens
