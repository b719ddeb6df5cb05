// Symplectic Euler methods for overdetermined systems, with r nonlinear in the multipliers, and for Lagrangian ones in
// Hamiltonian form: euler_map.hpp has the equations.
// Order 1.  Keeps: g = 0 and G v + g_t = 0; for Hamiltonian systems the symplectic form and linear momentum maps.
// The natural methods, where r is not affine in psi, do not converge to the solution but to that of another equation:
// their multipliers P0 and P1 share the reaction between them, which only an affine r allows.
#pragma once

#include <string>

#include "livens/method/euler_map.hpp"

namespace livens {

struct Euler {
  static constexpr Kinds kinds{.overdetermined = true};
  static constexpr bool dense_only = true;
  using Variant = EulerScheme::Variant;

  Variant variant = Variant::true_;
  bool conjugate = false;
  double alpha = 0.5;

  EulerScheme scheme() const { return {.variant = variant, .late = conjugate, .alpha = alpha}; }

  // Why the options contradict each other; empty: they do not.
  std::string inadmissible() const {
    if (variant != Variant::hamiltonian && alpha == 0) return "alpha = 0: it divides the reaction, and must not be 0";
    if (variant == Variant::natural && alpha == 1) return "alpha = 1: the natural methods need 1 - alpha, too";
    return "";
  }
  std::string misfit(const OdaeStructure& structure) const {
    return variant != Variant::hamiltonian || structure.linear_reaction
               ? ""
               : "\"hamiltonian\" needs a reaction that is linear in the multipliers and does not contain the "
                 "velocities";
  }

  MethodTraits traits() const {
    return {.name = "euler",
            .order = 1,
            .symplectic = {},
            .symmetric = false,
            .carries_final_momentum = true,
            .audit_uses_final = true,
            .raw = RawValues::end_of_step,
            .any_momentum_starts = false,
            .dense_only = dense_only};
  }
  template <class System>
  class Step;
};

inline constexpr RawValue raw_first_multiplier{"psi0", RawValue::Per::multiplier};

template <class System>
class Euler::Step {
 public:
  using T = typename System::Scalar;

  Step(const System& system, const Euler& method, const SolverSettings<RealOf<T>>& settings)
      : map_(system, method.scheme(), settings) {}

  bool start(const T& t, const State<System>& x, const HintOf<System>& hint) { return map_.start(t, x, hint); }
  Outcome why_not_started() const { return map_.why_not_started(); }
  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    map_.advance(t0, t1, h, x, report);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(map_);
  }
  void resume(const T&, const State<System>&) {}
  const typename System::Coordinates& attempted_position() const { return map_.attempted_position(); }
  template <class Take>
  void raw_values(const State<System>&, const Take& take) const {
    take(raw_first_multiplier, map_.first());
    take(raw_multipliers, map_.last());
  }

 private:
  EulerMap<System> map_;
};

}  // namespace livens
