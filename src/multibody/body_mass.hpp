// The mass of a body as it is stated: by value, or by shape and density.
//
//   E = int rho X X^T dV = tr(J)/2 - J  is the mass of its directors; a body has those along which E is not 0, and in
//   the plane E1 = E2 = J/2 (Kinon, Betsch & Schneider 2023, section 4).
#pragma once

#include "livens/multibody/mechanism.hpp"

namespace livens::multibody {

struct BodyMass {
  Number mass;
  Matrix euler;
  std::vector<int> directors;
};

// Throws StatementError.
BodyMass mass_of(const BodyStatement& given, bool plane);

}  // namespace livens::multibody
