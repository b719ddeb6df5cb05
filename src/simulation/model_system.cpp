#include "simulation/model_system.hpp"

#include <fmt/format.h>

namespace livens {

bool mass_has_blocks(const Model& model, const ElementSystem<double>& system) {
  Mass<SparseMat<double>> mass(system);
  Vec<double> q(system.coordinates()), v(q);
  for (int i = 0; i < q.size(); ++i) q[i] = static_cast<double>(model.initial.q[static_cast<std::size_t>(i)]);
  system.mass(static_cast<double>(model.initial.t), q, v, mass.matrix());
  return !mass.factorise() || mass.has_blocks();  // a singular one is refused with the start values
}

Linear choose_linear(const Model& model, const MethodTraits& method) {
  const std::string& wanted = model.solver.linear;
  const Structure& structure = model.system->structure();
  const bool separates = structure.constant_mass && !structure.velocity_in_forces;
  const bool by_stages = method.multipliers_alone && separates;
  const bool multipliers_alone = (method.explicit_position && separates) || by_stages;
  const bool in_double = model.run.precision == Precision::double_;
  const bool large = by_stages ? model.system->is_large_for_stages() : model.system->is_large();
  if (wanted == "dense" || (wanted == "auto" && (!large || !in_double || method.dense_only))) return Linear::dense;
  if (method.dense_only)
    throw InputError(model.at("solver.linear", fmt::format("method {} has no sparse steps; leave it out or write "
                                                           "\"dense\"",
                                                           method.name)));
  if (!in_double)
    throw InputError(model.at("solver.linear", fmt::format("\"{}\" is made for run.precision = \"double\", not \"{}\"; "
                                                           "leave it out or write \"dense\"",
                                                           wanted, name(model.run.precision))));
  if (wanted == "schur" && model.is_boundary_problem())
    throw InputError(model.at("solver.linear",
                              "\"schur\" is not made for boundary value problems ([final]); leave it out or write "
                              "\"dense\" or \"sparse\""));
  if (wanted == "schur" && model.system->constraints() == 0)
    throw InputError(model.at("solver.linear",
                              "\"schur\" solves for multipliers, and there are no constraints; leave it out or write "
                              "\"dense\" or \"sparse\""));
  if (wanted == "schur" && !multipliers_alone)
    throw InputError(model.at("solver.linear",
                              fmt::format("\"schur\" needs equations of the multipliers alone: {}; write \"sparse\"",
                                          !(method.explicit_position || method.multipliers_alone)
                                              ? fmt::format("method {} has others", method.name)
                                          : !structure.constant_mass ? "L = v.Mv/2 - V(t,q) with a constant mass matrix"
                                                                     : "forces without velocities")));
  if (wanted == "schur") return Linear::schur;
  return wanted == "auto" && multipliers_alone ? Linear::automatic : Linear::sparse;
}

ElementSystem<double> sparse_system(const Model& model, Linear linear) {
  const auto target = [&] {
    switch (linear) {
      case Linear::schur:
        return LinearTarget::schur;
      case Linear::automatic:
        return LinearTarget::automatic;
      case Linear::dense:
      case Linear::sparse:
        break;
    }
    return LinearTarget::lu;
  }();
  ElementSystem<double> system = model.system->elements<double>({target, make_sparse_lu<double>});
  if (linear == Linear::sparse || mass_has_blocks(model, system)) return system;
  if (linear == Linear::schur)
    throw InputError(model.at(
        "solver.linear", fmt::format("\"schur\" needs a mass matrix in blocks of at most {} coordinates, and this one "
                                     "couples more; write \"sparse\"",
                                     Mass<SparseMat<double>>::largest_block)));
  system.set_linear({LinearTarget::lu, make_sparse_lu<double>});
  return system;
}

}  // namespace livens
