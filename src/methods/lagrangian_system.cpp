#include "methods/lagrangian_system.hpp"

#include <fmt/format.h>

namespace livens {

namespace {

// Unknowns up to which dense matrices cost less than sparse ones (bench/chain: the lines cross near 12 masses).
constexpr int small = 48;
// The same where a method with several stages can correct multipliers alone: with two stages the lines cross near 3
// masses of a chain, with four near 2. A top of 12 directors and 9 constraints takes 214 thousand instructions a step
// with two stages if dense, 147 by KLU, 86 by multipliers alone.
constexpr int small_by_stages = 12;

}  // namespace

bool is_large(const Model& model) {
  return model.lagrangian->coordinates() + model.lagrangian->constraints() > small;
}

Linear choose_linear(const Model& model, const MethodTraits& method) {
  const std::string& wanted = model.solver.linear;
  const Structure& structure = model.lagrangian->structure();
  const bool separates = structure.constant_mass && !structure.velocity_in_forces;
  const bool by_stages = method.multipliers_alone && separates;
  const bool multipliers_alone = (method.explicit_position && separates) || by_stages;
  const bool in_double = model.run.precision == Precision::double_;
  const int unknowns = model.lagrangian->coordinates() + model.lagrangian->constraints();
  const bool large = by_stages ? unknowns > small_by_stages : is_large(model);
  if (wanted == "dense" || (wanted == "auto" && (!large || !in_double))) return Linear::dense;
  if (!in_double)
    throw InputError(model.at("solver.linear", fmt::format("\"{}\" is made for run.precision = \"double\", not \"{}\"; "
                                                           "leave it out or write \"dense\"",
                                                           wanted, name(model.run.precision))));
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

bool mass_has_blocks(const Model& model, const ElementSystem<double>& system) {
  Mass<SparseMat<double>> mass(system);
  Vec<double> q(system.coordinates()), v(q);
  for (int i = 0; i < q.size(); ++i) q[i] = static_cast<double>(model.initial.q[static_cast<std::size_t>(i)]);
  system.mass(static_cast<double>(model.initial.t), q, v, mass.matrix());
  if (!mass.factorise() || mass.has_blocks()) return true;  // a singular one is refused with the start values
  if (model.solver.linear == "schur")
    throw InputError(model.at(
        "solver.linear", fmt::format("\"schur\" needs a mass matrix in blocks of at most {} coordinates, and this one "
                                     "couples more; write \"sparse\"",
                                     Mass<SparseMat<double>>::largest_block)));
  return false;
}

}  // namespace livens
