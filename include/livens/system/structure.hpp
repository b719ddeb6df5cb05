// What a method may rely on about a Lagrangian system. Declared by C++ systems (and compared with the functions by
// check_derivatives), found from formulas.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

namespace livens {

struct Structure {
  bool constant_mass = false;            // L = v.Mv/2 - V(t,q), M constant
  bool constant_hessian = false;         // L_vv is constant, L may also have a term linear in v
  bool separable = false;                // L = T(t,v) - V(t,q); implied by constant_mass
  bool time_in_lagrangian = false;       // L depends on t
  bool time_in_constraints = false;      // g depends on t
  bool forces = false;                   // there are forces F(t,q,v)
  bool velocity_in_forces = false;       // and they depend on v
  std::optional<int> constraint_degree;  // g is a polynomial of this degree in q
  std::optional<int> potential_degree;   // V likewise, where the mass is constant

  bool conserves_energy() const { return !time_in_lagrangian && !time_in_constraints && !forces; }
};

// Why a method for L = v.Mv/2 - V(t,q) does not fit, and one that also wants g(q) without t; empty if it does.
inline std::string needs_constant_mass(const Structure& structure) {
  if (structure.constant_mass) return "";
  if (structure.constant_hessian)
    return "it needs L = v.Mv/2 - V(t,q), and this L has a term linear in v beside them; its L_vv is a constant mass "
           "matrix";
  return "it needs L = v.Mv/2 - V(t,q) with a constant mass matrix M";
}
inline std::string needs_constant_mass_and_still_constraints(const Structure& structure) {
  if (structure.constant_mass && structure.time_in_constraints) return "its constraints must not contain t";
  return needs_constant_mass(structure);
}

// It is known when compiling: of systems that are C++ structs.
template <class System>
concept HasKnownStructure = requires {
  std::bool_constant<System::structure().constant_mass>();
};

}  // namespace livens
