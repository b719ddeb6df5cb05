#include "simulation/systems.hpp"

namespace livens {

LIVENS_LAGRANGIAN(, ElementSystem<double>)

template class BlockMatrix<ElementSystem<double>, Dynamic, SparseMat<double>>;

}  // namespace livens
