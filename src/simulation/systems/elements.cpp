#include "simulation/systems.hpp"

namespace livens {

LIVENS_LAGRANGIAN(, ElementSystem<double>)

}  // namespace livens
