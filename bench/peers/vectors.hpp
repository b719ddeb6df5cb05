#pragma once

#include <sundials/sundials_nvector.h>

#include <cstddef>

#include "sundials.hpp"

namespace peers {

// A serial vector of SUNDIALS, with the operations of the package or with ours; clones inherit them.
N_Vector new_vector(std::size_t size, Operations operations, SUNContext context);

}  // namespace peers
