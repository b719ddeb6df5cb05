// What a method may rely on about a Lagrangian system. Declared by C++ systems (and compared with the functions by
// check_derivatives), found from formulas.
#pragma once

#include <optional>
#include <type_traits>

namespace livens {

struct Structure {
  bool constant_mass = false;            // L = v.Mv/2 - V(t,q), M constant
  bool separable = false;                // L = T(t,v) - V(t,q); implied by constant_mass
  bool time_in_lagrangian = false;       // L depends on t
  bool time_in_constraints = false;      // g depends on t
  bool forces = false;                   // there are forces F(t,q,v)
  bool velocity_in_forces = false;       // and they depend on v
  std::optional<int> constraint_degree;  // g is a polynomial of this degree in q
  std::optional<int> potential_degree;   // V likewise, where the mass is constant

  bool conserves_energy() const { return !time_in_lagrangian && !time_in_constraints && !forces; }
};

// It is known when compiling: of systems that are C++ structs.
template <class System>
concept HasKnownStructure = requires {
  std::bool_constant<System::structure().constant_mass>();
};

}  // namespace livens
