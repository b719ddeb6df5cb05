// One entry a method; src/registry/registry.cpp lists them.
#pragma once

#include "livens/registry/registry.hpp"

namespace livens {

MethodEntry shake_entry();
MethodEntry rattle_entry();
MethodEntry constrained_euler_entry();
MethodEntry galerkin_entry();
MethodEntry spark_entry();
MethodEntry hbvm_entry();

// Why a method for L = v.Mv/2 - V(t,q) does not fit; empty if it does.
std::string needs_constant_mass(const Model& model);

}  // namespace livens
