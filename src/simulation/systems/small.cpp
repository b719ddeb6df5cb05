#include "simulation/systems.hpp"

namespace livens {

LIVENS_LAGRANGIAN(, Small21)
LIVENS_LAGRANGIAN(, Small31)
LIVENS_LAGRANGIAN(, Small62)

}  // namespace livens
