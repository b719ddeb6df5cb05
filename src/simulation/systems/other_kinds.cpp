#include "simulation/systems.hpp"

namespace livens {

LIVENS_OTHER_KIND(, FormulaDegenerate<double>)
LIVENS_OTHER_KIND(, FormulaOdae<double>)

}  // namespace livens
