#include "livens/solve/in_double.hpp"

namespace livens {

LIVENS_SOLVE_IN_DOUBLE(template)

}  // namespace livens
