// Runs of vprk for its tests: step by step, with what a step remembers in hand.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "livens/method/vprk.hpp"
#include "system/problems.hpp"

namespace livens {

struct EqualVortices : Vortices {
  EqualVortices() { g2 = 0.1; }
};

template <class T>
using Table = std::vector<std::vector<T>>;

template <class T>
Table<T> zeros(int n) {
  return Table<T>(static_cast<std::size_t>(n), std::vector<T>(static_cast<std::size_t>(n), T(0)));
}

template <class T, int N>
double distance(const Vec<T, N>& a, const Vec<T, N>& b) {
  double largest = 0;
  for (int i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(to_double(T(a[i] - b[i]))));
  return largest;
}

template <class Problem, class T = double, class Step = Vprk::Step<Degenerate<Problem, T>>>
struct Orbit {
  using System = Degenerate<Problem, T>;
  using Coordinates = typename System::Coordinates;

  Orbit(const Vprk& method, const Coordinates& q, double size) : h(size), x(system), step(system, method, {}) {
    x.q = q;
    system.theta(q, x.p);
    start();
  }
  // From x, as it is.
  void start() {
    Coordinates v;
    DegenerateField<System>(system).velocity(x.q, v);
    REQUIRE(step.start(T(0), x, v));
  }
  Orbit& go(int steps) {
    for (int n = 0; n < steps; ++n) {
      step.advance(T(0), T(h), T(h), x, report);
      REQUIRE(succeeded(report.outcome));
    }
    return *this;
  }

  Coordinates momentum() const {
    Coordinates p;
    for (int i = 0; i < p.size(); ++i) p[i] = x.p[i] + x.p_remainder[i];
    return p;
  }
  Coordinates theta() const {
    Coordinates out;
    system.theta(x.q, out);
    return out;
  }
  double off() const { return distance(momentum(), theta()); }
  double energy() const { return to_double(system.hamiltonian(x.q)); }

  // What the step remembers is what it archives: V and mu of the stages, and lam.
  Coordinates& lam() {
    Coordinates* found = nullptr;
    const auto take = [&](auto&, Coordinates& lambda, auto&...) { found = &lambda; };
    step.archive(take);
    return *found;
  }
  std::vector<Coordinates> unknowns() {
    std::vector<Coordinates> U;
    const auto take_U = [&](const auto& last_U, auto&...) { U.assign(last_U.begin(), last_U.end()); };
    const auto take = [&](auto& stages, auto&...) { stages.archive(take_U); };
    step.archive(take);
    return U;
  }

  System system{Problem{}};
  double h;
  State<System> x;
  Step step;
  StepReport report;
};

// ---- the vortices in the widest scalar ------------------------------------------------------------------------------

using Wide = Orbit<EqualVortices, Widest>;
using Point = Wide::Coordinates;

inline const Point crooked{Widest(0.8), Widest(0.3), Widest(-0.4), Widest(0.5)};
inline const Point side_by_side{Widest(1), Widest(1) / 10, Widest(1), Widest(-1) / 10};
inline const Degenerate<EqualVortices, Widest> vortices(EqualVortices{});
inline const double round_off = to_double(epsilon<Widest>());

inline const std::vector<Vprk::Projection> all_projections{Vprk::Projection::none, Vprk::Projection::standard,
                                                           Vprk::Projection::symmetric, Vprk::Projection::symplectic,
                                                           Vprk::Projection::midpoint};
inline const std::vector<PairFamily> symmetric_pairs{PairFamily::gauss,        PairFamily::lobatto_IIIA,
                                                     PairFamily::lobatto_IIIB, PairFamily::lobatto_IIID,
                                                     PairFamily::lobatto_IIIE, PairFamily::srk3};

// f(method) for all there are of these.
template <class F>
void for_methods(const std::vector<PairFamily>& tableaux, const std::vector<int>& stages,
                 const std::vector<Vprk::Projection>& projections, const F& f) {
  for (const PairFamily tableau : tableaux)
    for (const int s : stages)
      for (const Vprk::Projection projection : projections) {
        const Vprk method{.tableau = tableau, .stages = s, .projection = projection};
        if (!method.inadmissible().empty()) continue;
        CAPTURE(static_cast<int>(tableau));
        CAPTURE(s);
        CAPTURE(static_cast<int>(projection));
        f(method);
      }
}

}  // namespace livens
