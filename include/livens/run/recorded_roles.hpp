// The roles of columns that are read from a file, which holds names and numbers only. Whoever reads results asks for a
// role; this is the one place that knows which name stands for it. That kinds and time loop write these names is
// tested (tests/simulation/kinds.cpp).
#pragma once

#include <string>
#include <string_view>

#include "livens/run/table.hpp"

namespace livens {

struct NamedRole {
  std::string_view name;
  Role role;
  bool begins = false;  // the names of such columns, more than one, begin with it
};

inline constexpr NamedRole recorded_roles[] = {{"t", Role::time},
                                               {"q", Role::position},
                                               {"v", Role::velocity},
                                               {"p", Role::momentum},
                                               {"lambda", Role::multiplier},
                                               {"raw_", Role::raw, true},
                                               {"audit/energy", Role::energy},
                                               {"audit/energy_balance", Role::energy_balance},
                                               {"audit/constraint", Role::constraint},
                                               {"audit/hidden_constraint", Role::hidden_constraint},
                                               {"audit/invariants/", Role::invariant, true}};

inline Role role_of(std::string_view column) {
  for (const NamedRole& r : recorded_roles)
    if (r.begins ? column.starts_with(r.name) : column == r.name) return r.role;
  return Role::companion;
}

// The name of the column of a role; of which one, where there are more. A companion has a name of its own only.
inline std::string recorded_name(Role role, std::string_view which = "") {
  for (const NamedRole& r : recorded_roles)
    if (r.role == role) return std::string(r.name) + std::string(r.begins ? which : "");
  return std::string(which);
}

}  // namespace livens
