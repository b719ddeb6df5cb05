#include "simulation/systems.hpp"

namespace livens {

#if LIVENS_QUAD
LIVENS_LAGRANGIAN(, FormulaLagrangian<Widest>)
LIVENS_ANY_KIND(, FormulaDegenerate<Widest>)
LIVENS_ANY_KIND(, FormulaOdae<Widest>)
#endif

}  // namespace livens
