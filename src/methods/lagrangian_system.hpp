// The system that a Lagrangian model, its precision and its solver ask for.
#pragma once

#include "livens/method/method.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "livens/model/lagrangian_start.hpp"
#include "livens/sparse/sparse_lu.hpp"

namespace livens {

enum class Linear { dense, sparse, schur, automatic };

// Whether dense matrices cost more than sparse ones.
bool is_large(const Model& model);

// Throws InputError where solver.linear cannot be had.
Linear choose_linear(const Model& model, const MethodTraits& method);

// Whether blocks of the mass matrix are small enough for a Schur complement at the start values. Throws InputError if
// solver.linear insists on it and they are not.
bool mass_has_blocks(const Model& model, const ElementSystem<double>& system);

// Calls f(system). Run-time sizes only.
template <class F>
auto with_system(const Model& model, const MethodTraits& method, const F& f) {
  const Linear linear = choose_linear(model, method);
  if (linear != Linear::dense) {
    const LinearTarget target = linear == Linear::sparse  ? LinearTarget::lu
                                : linear == Linear::schur ? LinearTarget::schur
                                                          : LinearTarget::automatic;
    ElementSystem<double> system = element_lagrangian<double>(model.lagrangian, {target, make_sparse_lu<double>});
    if (linear != Linear::sparse && !mass_has_blocks(model, system))
      system.set_linear({LinearTarget::lu, make_sparse_lu<double>});
    return f(system);
  }
  switch (model.run.precision) {
    case Precision::double_:
      return f(FormulaLagrangian<double>(model.lagrangian));
    case Precision::extended:
      return f(FormulaLagrangian<long double>(model.lagrangian));
    case Precision::quad:
      break;
  }
  return f(FormulaLagrangian<Widest>(model.lagrangian));
}

}  // namespace livens
