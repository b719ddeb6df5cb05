#include "simulation/systems.hpp"

namespace livens {

LIVENS_LAGRANGIAN(, FormulaLagrangian<long double>)
LIVENS_ANY_KIND(, FormulaDegenerate<long double>)
LIVENS_ANY_KIND(, FormulaOdae<long double>)

}  // namespace livens
