// How a method makes its steps on the systems of models: run-time sizes, elements, three precisions, and jets for
// studies; and, where that pays, a few sizes known when compiling that are met every day (pendulum; point on a surface;
// two such in space).
#pragma once

#include <functional>
#include <memory>
#include <tuple>

#include "livens/math/jet.hpp"
#include "livens/model/system_description.hpp"
#include "livens/registry/options.hpp"
#include "livens/run/step_of.hpp"
#include "livens/system/elements.hpp"

namespace livens {

template <class System>
struct StepRequest {
  const System& system;
  const StartState<System>& start;
  typename System::Scalar h;
  SolverSettings<RealOf<typename System::Scalar>> solver;
};

template <class System>
using StepMaker = std::function<std::unique_ptr<StepOf<System>>(const Options&, const StepRequest<System>&)>;

template <class... Systems>
class StepMakers {
 public:
  template <class System>
  StepMaker<System>& of() {
    return std::get<StepMaker<System>>(makers_);
  }
  template <class System>
  const StepMaker<System>& of() const {
    return std::get<StepMaker<System>>(makers_);
  }
  template <class System>
  bool has() const {
    return static_cast<bool>(of<System>());
  }

 private:
  std::tuple<StepMaker<Systems>...> makers_;
};

#if LIVENS_QUAD
#define LIVENS_QUAD_SYSTEMS , FormulaLagrangian<Widest>, FormulaDegenerate<Widest>, FormulaOdae<Widest>
#else
#define LIVENS_QUAD_SYSTEMS
#endif
class MethodSteps
    : public StepMakers<FormulaLagrangian<double>, FormulaLagrangian<double, 2, 1>, FormulaLagrangian<double, 3, 1>,
                        FormulaLagrangian<double, 6, 2>, ElementSystem<double>, FormulaLagrangian<long double>,
                        FormulaLagrangian<Jet<double, 1>>, FormulaDegenerate<double>, FormulaDegenerate<long double>,
                        FormulaDegenerate<Jet<double, 1>>, FormulaOdae<double>,
                        FormulaOdae<long double> LIVENS_QUAD_SYSTEMS> {};
#undef LIVENS_QUAD_SYSTEMS

}  // namespace livens
