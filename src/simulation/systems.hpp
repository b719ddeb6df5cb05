// The system types that models are run with. What all methods need of them is compiled once, in src/simulation/systems:
// start values, kinetics, the time loop, walks of studies.
#pragma once

#include "livens/run/walk.hpp"
#include "simulation/run_system.hpp"

#define LIVENS_ANY_KIND(prefix, ...)                                                     \
  prefix template class March<__VA_ARGS__>;                                              \
  prefix template class Walk<__VA_ARGS__>;                                               \
  prefix template ModelStart<__VA_ARGS__> model_start(const Model&, const __VA_ARGS__&); \
  prefix template RunResult run_system(const __VA_ARGS__&, const ModelStart<__VA_ARGS__>&, const RunOrder&);

#define LIVENS_LAGRANGIAN(prefix, ...)            \
  prefix template class Kinetics<__VA_ARGS__>;    \
  prefix template class StartValues<__VA_ARGS__>; \
  LIVENS_ANY_KIND(prefix, __VA_ARGS__)

namespace livens {

using Small21 = FormulaLagrangian<double, 2, 1>;
using Small31 = FormulaLagrangian<double, 3, 1>;
using Small62 = FormulaLagrangian<double, 6, 2>;

LIVENS_LAGRANGIAN(extern, FormulaLagrangian<double>)
LIVENS_LAGRANGIAN(extern, Small21)
LIVENS_LAGRANGIAN(extern, Small31)
LIVENS_LAGRANGIAN(extern, Small62)
LIVENS_LAGRANGIAN(extern, ElementSystem<double>)
LIVENS_LAGRANGIAN(extern, FormulaLagrangian<long double>)
LIVENS_ANY_KIND(extern, FormulaDegenerate<double>)
LIVENS_ANY_KIND(extern, FormulaDegenerate<long double>)
LIVENS_ANY_KIND(extern, FormulaOdae<double>)
LIVENS_ANY_KIND(extern, FormulaOdae<long double>)
#if LIVENS_QUAD
LIVENS_LAGRANGIAN(extern, FormulaLagrangian<Widest>)
LIVENS_ANY_KIND(extern, FormulaDegenerate<Widest>)
LIVENS_ANY_KIND(extern, FormulaOdae<Widest>)
#endif

}  // namespace livens
