// The state of a system of any kind, as methods carry it and runs start from it.
//
//   kind            q             p                hint: what a step is started with beside the state
//   Lagrangian      q             L_v              the velocity v
//   degenerate      q             theta(q) or off  the velocity v
//   overdetermined  y             z                the multipliers psi
#pragma once

#include <type_traits>

#include "livens/math/vec.hpp"

namespace livens {

template <class System>
concept DegenerateSystem = requires {
  &System::hamiltonian;
};

template <class System>
concept OverdeterminedSystem = requires {
  &System::reaction;
};

namespace detail {

template <class System>
struct Parts {
  using Momenta = typename System::Coordinates;
  using Hint = typename System::Coordinates;
  static int momenta(const System& system) { return system.coordinates(); }
  static int hint(const System& system) { return system.coordinates(); }
};
template <OverdeterminedSystem System>
struct Parts<System> {
  using Momenta = typename System::Velocities;
  using Hint = typename System::Multipliers;
  static int momenta(const System& system) { return system.velocities(); }
  static int hint(const System& system) { return system.multipliers(); }
};

}  // namespace detail

template <class System>
using MomentaOf = typename detail::Parts<System>::Momenta;
template <class System>
using HintOf = typename detail::Parts<System>::Hint;

// Position and carried momentum with the remainders of their compensated sums: without those the energy error of a
// 10^8-step run grows linearly instead of like a random walk.
template <class System>
struct State {
  using Coordinates = typename System::Coordinates;
  explicit State(const System& system)
      : q(system.coordinates()), p(detail::Parts<System>::momenta(system)), q_remainder(q), p_remainder(p) {}
  Coordinates q;
  MomentaOf<System> p;
  Coordinates q_remainder;
  MomentaOf<System> p_remainder;

  void forget_remainders() {
    q_remainder.fill(typename System::Scalar(0));
    p_remainder.fill(typename System::Scalar(0));
  }

  template <class Archive>
  void archive(Archive& a) {
    a(q, p, q_remainder, p_remainder);
  }
};

// How far projection moved the start values: largest absolute change.
struct StartMove {
  double q = 0, v = 0, p = 0;
};

// Where a run starts: consistent, by the start values of its kind.
template <class System>
struct StartState {
  explicit StartState(const System& system)
      : t(0),
        q(system.coordinates()),
        p(detail::Parts<System>::momenta(system)),
        hint(detail::Parts<System>::hint(system)) {}
  // From the start values of a Lagrangian system (start.hpp).
  template <class StartValues>
  requires requires(const StartValues& s) { s.v; }
  StartState(const StartValues& s) : t(s.t), q(s.q), p(s.p), hint(s.v) {}

  typename System::Scalar t;
  typename System::Coordinates q;
  MomentaOf<System> p;
  HintOf<System> hint;
};

}  // namespace livens
