#include "livens/model/element_lagrangian.hpp"

namespace livens {

// Compiled once, and with loops over lanes unrolled (CMakeLists.txt).
template class FormulaElements<double>;

}  // namespace livens
