#include "simulation/contact/system.hpp"

#include <fmt/format.h>

#include "livens/model/redundant.hpp"
#include "simulation/contact/lagrangian.hpp"
#include "simulation/contact/odae.hpp"

namespace livens {

namespace {

// Throws InputError where the method is not made for contacts on this kind of system.
void check_contact_method(const Model& model, const MethodEntry& method, const Options& options) {
  const bool odae = model.system->kind() == SystemKind::odae;
  const std::string_view fits = method_for_contacts(model);
  if (method.name != fits)
    throw InputError(
        model.at("method.name", fmt::format("\"{}\" has no steps that end at contacts; one-sided constraints of kind "
                                            "\"{}\" are made for \"{}\"",
                                            method.name, model.system->written_kind(), fits)));
  if (odae && options.get<std::string>("variant") != "true")
    throw InputError(
        model.at("method.variant", fmt::format("is \"{}\"; contacts need consistent multipliers, write \"true\"",
                                               options.get<std::string>("variant"))));
  if (model.run.given && model.run.step < 0)
    throw InputError(model.at("run.step", "is negative; contacts lose energy and do not go back in time"));
}

// Throws InputError where the model or its method does not allow contacts.
template <class T>
std::unique_ptr<ModelContacts<T>> contact_system(const Model& model, const MethodEntry& method, const Options& options,
                                                 const SolverSettings<T>& solver) {
  check_contact_method(model, method, options);
  if (model.system->kind() == SystemKind::odae)
    return std::make_unique<OdaeContacts<T>>(model, method, options, solver);
  std::vector<int> two_sided;
  for (int a = 0; a < model.system->constraints(); ++a)
    if (std::none_of(model.contact.one_sided.begin(), model.contact.one_sided.end(),
                     [&](const Model::Contact::OneSided& c) { return c.constraint == a; }))
      two_sided.push_back(a);
  const Model without = with_rows(model, two_sided);
  if (const std::vector<int> redundant = redundant_constraints(without); !redundant.empty())
    throw InputError(
        model.at(without.system->constraint_key(redundant.front()),
                 fmt::format("{} {} what others say, and models with contacts need independent "
                             "constraints; leave out what is said twice",
                             without.system->constraint_list(redundant), redundant.size() == 1 ? "says" : "say")));
  if constexpr (std::is_same_v<T, double>) {
    const Linear linear = choose_linear(model, method.traits(options));
    if (linear != Linear::dense)
      return std::make_unique<LagrangianContacts<ElementSystem<double>>>(
          model, method, options, solver, [linear](const Model& m) {
            return sparse_system(m, m.system->constraints() == 0 ? Linear::sparse : linear);
          });
  }
  return std::make_unique<LagrangianContacts<FormulaLagrangian<T>>>(
      model, method, options, solver, [](const Model& m) { return m.system->template dense<T>(); });
}

}  // namespace

RunResult run_contacts(const Model& model, const MethodEntry& method, const Options& options,
                       const RunContext& context) {
  if (model.run.precision != Precision::double_)
    throw InputError(model.at(
        "run.precision", fmt::format("\"{}\" is not made for contacts; write \"double\"", name(model.run.precision))));
  const auto system = contact_system<double>(model, method, options, march_settings<double>(model).solver);
  const ModelStart<ContactSystem<double>> start = system->start(model);
  const IndependentModel independent{model, {}};
  return run_system<ContactSystem<double>>(*system, start, {model, independent, method, options, context});
}

}  // namespace livens