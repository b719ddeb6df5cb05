#include "simulation/systems.hpp"

namespace livens {

LIVENS_LAGRANGIAN(, FormulaLagrangian<double>)

}  // namespace livens
