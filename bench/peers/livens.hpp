// RATTLE of Livens on the hanging chain, by C++ elements and the Schur complement.
#pragma once

#include "chain.hpp"

namespace peers {

// Time is that of the steps, without what is set up before them.
Run livens_rattle(const Chain& chain, double end, double step);

}  // namespace peers
