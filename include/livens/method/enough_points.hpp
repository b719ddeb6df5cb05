// How many quadrature points k a line-integral method needs to conserve the energy H and the constraints g. A search by
// trial steps, which knows no equation of the method: a struct with k, s and a step.
//
// Polynomial V and g: k = ceil(s deg / 2) is exact, and taken up to a bound: x^200 does not need 200 points for
// round-off. Else the smallest k whose first step changes H and g by no more
// than round-off, and one more. Where cancellation makes the round-off of H or g larger than that of their sizes, it is
// what larger k cannot better: changes within four times the largest one of the last eight k.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "livens/method/method.hpp"
#include "livens/solve/newton.hpp"
#include "livens/solve/outcome.hpp"
#include "livens/system/kinetics.hpp"
#include "livens/system/structure.hpp"

namespace livens {

// The largest k that is tried.
constexpr int most_points(int s) {
  return std::max(40, s + 20);
}
// The exact number, where V and g are polynomials; 0: not known.
inline int exact_points(int s, const Structure& structure) {
  if (!structure.potential_degree || !structure.constraint_degree) return 0;
  const long long degree = std::max(*structure.potential_degree, *structure.constraint_degree);
  return static_cast<int>(std::min<long long>(std::max<long long>(s, (s * degree + 1) / 2), 1'000'000'000));
}

// The method with k chosen, for the first step h of a run from (q, p), v being the velocity.
template <class Method, class System>
Method with_enough_points(Method method, const System& system, const typename System::Coordinates& q,
                          const typename System::Coordinates& p, const typename System::Coordinates& v,
                          const typename System::Scalar& h,
                          const SolverSettings<RealOf<typename System::Scalar>>& settings) {
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using std::abs;
  const int s = method.s;
  const int most = most_points(s), exact = exact_points(s, system.structure());
  if (exact != 0 && exact <= most) {
    method.k = exact;
    return method;
  }
  typename System::Coordinates v1(v);
  Kinetics<System> kinetics(system);
  kinetics.start(T(0), q, v);
  typename System::Multipliers g0(system.constraints()), g1(g0), size(g0);
  const T kinetic = dot(p, v) / 2, H0 = dot(p, v) - system.lagrangian(T(0), q, v);
  system.constraint(T(0), q, g0);
  system.constraint_size(T(0), q, size);
  const auto conserved = [&] {  // changes of H and g relative to epsilon times their sizes; the larger one
    State<System> x(system);
    x.q = q, x.p = p;
    typename Method::template Step<System> step(system, method, settings);
    step.start(T(0), x, v);
    StepReport report;
    step.advance(T(0), h, h, x, report);
    if (!succeeded(report.outcome)) return std::numeric_limits<Real>::infinity();
    kinetics.velocity(T(0), x.q, x.p, v1);
    const T H1 = dot(x.p, v1) - system.lagrangian(T(0), x.q, v1);
    const Real scale = abs(value_of(kinetic)) + abs(value_of(kinetic - H0)) + abs(value_of(H0));
    Real change = scale > Real(0) ? Real(abs(value_of(H1 - H0)) / scale) : Real(0);
    system.constraint(T(0), x.q, g1);
    for (int a = 0; a < g1.size(); ++a)
      if (g1[a] != g0[a]) change = std::max(change, Real(abs(value_of(g1[a] - g0[a])) / abs(value_of(size[a]))));
    return change / epsilon<T>();
  };
  std::vector<Real> changes;
  for (method.k = s; method.k < most; ++method.k) {
    changes.push_back(conserved());
    if (changes.back() <= 4) {
      ++method.k;
      return method;
    }
  }
  const Real floor = 4 * *std::max_element(changes.end() - 8, changes.end());
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const Real& x) { return x <= floor; });
  method.k = is_finite(floor) ? s + static_cast<int>(found - changes.begin()) + 2
                              : s;  // if the first step cannot be solved at all, it says so
  return method;
}

}  // namespace livens
