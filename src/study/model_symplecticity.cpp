#include "study/model_studies.hpp"
#include "study/studied_system.hpp"

namespace livens {

Symplecticity model_symplecticity(const Model& given, const MethodEntry& method, const Options& options) {
  using Jets = FormulaLagrangian<Jet<double, 1>>;
  const IndependentModel independent = without_redundant(given);
  const auto system = independent.model.system->dense<double>();
  const auto start = checked_start(given, independent, system);
  const MarchSettings<double> settings = march_settings<double>(given);
  const Jets jets = independent.model.system->dense<Jet<double, 1>>();
  StartState<Jets> jets_start(jets);
  jets_start.t = start.t;
  for (int i = 0; i < start.q.size(); ++i)
    jets_start.q[i] = start.q[i], jets_start.p[i] = start.p[i], jets_start.hint[i] = start.hint[i];
  auto step = step_of<Jets>(given, method, options, {jets, jets_start, settings.step, settings.solver});
  return SymplecticityStudy<Jets>(jets, Walk<Jets>(jets, std::move(step)))
      .study(phase_point(start), to_double(settings.step));
}

}  // namespace livens
