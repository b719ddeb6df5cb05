#include "simulation/systems.hpp"

namespace livens {

LIVENS_ANY_KIND(, FormulaDegenerate<double>)
LIVENS_ANY_KIND(, FormulaOdae<double>)

}  // namespace livens
