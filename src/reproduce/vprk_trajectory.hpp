// Trajectories of projected variational Runge-Kutta methods, node by node, until they end or fail.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "livens/method/vprk.hpp"

namespace livens {

template <class T, int N>
struct VprkNode {
  long long n;
  const Vec<T, N>&q, &lam;              // lam of the step that ends here
  double energy_error, momentum_error;  // of H and of the momentum map, relative to the start
  double off;                           // max |p - theta(q)|
  bool warns;                           // the method, of what it sees coming
};

// For the problems of vprk_problems.hpp. The number of steps done: `steps`, or that after which none could be solved.
template <class T, class Problem>
long long follow_vprk(const Problem& problem, const Vprk& method, const T& h, long long steps,
                      const std::function<void(const VprkNode<T, Problem::coordinates>&)>& visit) {
  constexpr int N = Problem::coordinates;
  using System = Degenerate<Problem, T>;
  const System system(problem);
  State<System> x(system);
  x.q = problem.template q0<T>();
  system.theta(x.q, x.p);
  Vec<T, N> v, lam, theta;
  DegenerateField<System>(system).velocity(x.q, v);
  const auto momentum = [&] {
    if constexpr (requires { problem.momentum(x.q); })
      return problem.momentum(x.q);
    else
      return T(1);
  };
  const T H = system.hamiltonian(x.q), P = momentum();
  typename Vprk::Step<System> step(system, method, {});
  step.start(T(0), x, v);
  for (long long n = 0;; ++n) {
    system.theta(x.q, theta);
    double off = 0;
    for (int i = 0; i < N; ++i) off = std::max(off, std::abs(to_double(T((x.p[i] - theta[i]) + x.p_remainder[i]))));
    visit({n, x.q, lam, to_double(T((system.hamiltonian(x.q) - H) / H)), to_double(T((momentum() - P) / P)), off,
           !step.warning().empty()});
    if (n == steps) return n;
    StepReport report;
    step.advance(T(0), T(0), h, x, report);
    if (!succeeded(report.outcome)) return n;
    step.raw_values(x, [&](const RawValue& what, const Vec<T, N>& values) {
      if (what.per == RawValue::Per::coordinate) lam = values;
    });
  }
}

// ---- in words -----------------------------------------------------------------------------------------------------

inline constexpr Vprk::Projection all_projections[] = {Vprk::Projection::none, Vprk::Projection::standard,
                                                       Vprk::Projection::symmetric, Vprk::Projection::symplectic,
                                                       Vprk::Projection::midpoint};

inline std::string name_of(Vprk::Family family) {
  using F = Vprk::Family;
  return family == F::gauss          ? "Gauss"
         : family == F::srk3         ? "SRK"
         : family == F::radau_IIA    ? "Radau IIA"
         : family == F::lobatto_IIIA ? "Lobatto IIIA"
         : family == F::lobatto_IIIB ? "Lobatto IIIB"
         : family == F::lobatto_IIIC ? "Lobatto IIIC"
         : family == F::lobatto_IIID ? "Lobatto IIID"
                                     : "Lobatto IIIE";
}
inline std::string name_of(Vprk::Projection projection) {
  constexpr std::array names = {"none", "standard", "symmetric", "symplectic", "midpoint"};
  return names[static_cast<std::size_t>(projection)];
}
inline std::string name_of(const Vprk& method) {
  return fmt::format("{} {}, {}", name_of(method.tableau), method.stages, name_of(method.projection));
}

}  // namespace livens
