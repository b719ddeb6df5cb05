// Orders of the solution of the projected variational Runge-Kutta methods (vprk.hpp), as measured on two point vortices
// in binary128: Kraus (2017), tables 2 and 3, with the cells that are wrong there corrected (docs/methods/vprk.md).
#pragma once

#include <algorithm>

#include "livens/math/runge_kutta.hpp"

namespace livens {

enum class VprkProjection { none, standard, symmetric, symplectic, midpoint };

// 0: not known.
inline int vprk_order(PairFamily family, int s, VprkProjection projection) {
  const int full = 2 * s - 2, even = s - s % 2;
  const auto of = [&](int unprojected, int projected, int by_midpoint) {
    if (projection == VprkProjection::none) return unprojected;
    return projection == VprkProjection::midpoint ? by_midpoint : projected;
  };
  switch (family) {
    case PairFamily::gauss:
      return of(even + 2 * (s % 2), 2 * s, even + 2);
    case PairFamily::srk3:
      return of(2, projection == VprkProjection::standard ? 3 : 4, 2);
    case PairFamily::lobatto_IIID:
      return of(s > 4 ? 0 : std::min(full, 4), full, s > 3 ? 0 : full);
    case PairFamily::lobatto_IIIE:
      return of(2, projection == VprkProjection::standard && s > 2 ? full - 1 : full, s > 2 ? 0 : full);
    case PairFamily::lobatto_IIIA:
    case PairFamily::lobatto_IIIB:
      return of(even, full, s > 4 ? 0 : std::min(full, 4));
    case PairFamily::radau_IIA:
      return 2 * s - 1;
    case PairFamily::lobatto_IIIC:
      break;
  }
  return 0;
}

}  // namespace livens
