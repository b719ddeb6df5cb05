// What the choices of the projected variational Runge-Kutta methods (vprk.hpp) amount to: which fit together, and the
// order of the solution.
//
// Orders: Kraus (2017), tables 2 and 3, with the cells that are wrong there corrected; IIIC as measured on two point
// vortices. Measured up to s = 6 (Gauss) and 4 (Lobatto), and for more stages where the pattern is plain; `livens
// reproduce vprk/table-2` measures them again.
#pragma once

#include <algorithm>
#include <string>

#include "livens/math/runge_kutta.hpp"

namespace livens {

enum class VprkProjection { none, standard, symmetric, symplectic, midpoint };

// Why they do not fit; empty: they do. sign: in place of R; 0: R.
inline std::string vprk_inadmissible(PairFamily family, int s, VprkProjection projection, int sign) {
  if (family == PairFamily::radau_IIA && projection != VprkProjection::none)
    return "radau-IIA ends on the constraint: its projection is \"none\"";
  if (sign < -1 || sign > 1) return "sign = " + std::to_string(sign) + ": it is 1 or -1, or 0 for that of R";
  return inadmissible_stages(family, s);
}

// 0: none, or not known.
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
      return of(s > 4 ? 0 : std::min(full, 4), full, s > 4 ? 0 : full);
    case PairFamily::lobatto_IIIE:
      return of(2, projection == VprkProjection::standard && s > 2 ? full - 1 : full, s > 4 ? 0 : even);
    case PairFamily::lobatto_IIIA:
    case PairFamily::lobatto_IIIB:
      return of(even, full, s > 4 ? 0 : std::min(full, 4));
    case PairFamily::radau_IIA:
      return 2 * s - 1;
    case PairFamily::lobatto_IIIC:  // none, symplectic: what is off the constraint grows
      return projection == VprkProjection::symplectic ? 0 : of(0, full, s > 4 ? 0 : std::min(full, 4));
  }
  return 0;
}

}  // namespace livens
