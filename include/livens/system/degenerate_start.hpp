// Start values of a degenerate system: theta, H and their derivatives finite, Om(q) regular (otherwise q' is not
// determined), p = theta(q).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "livens/system/degenerate.hpp"
#include "livens/system/start.hpp"

namespace livens {

struct DegenerateStartFault {
  enum class Kind {
    theta_not_finite,
    theta_jacobian_not_finite,
    hamiltonian_not_finite,
    hamiltonian_gradient_not_finite,
    singular,  // theta is degenerate here: Om has no inverse
  };
  Kind kind;
  int index = 0;          // of the component of theta or of the gradient, from 0
  std::vector<int> rows;  // of Om that depend on earlier ones
};

constexpr std::string_view name(DegenerateStartFault::Kind kind) {
  using Kind = DegenerateStartFault::Kind;
  switch (kind) {
    case Kind::theta_not_finite:
      return "theta is not finite";
    case Kind::theta_jacobian_not_finite:
      return "the derivative of theta is not finite";
    case Kind::hamiltonian_not_finite:
      return "the Hamiltonian is not finite";
    case Kind::hamiltonian_gradient_not_finite:
      return "the gradient of the Hamiltonian is not finite";
    case Kind::singular:
      return "d_i theta_j - d_j theta_i is singular";
  }
  return "";
}

template <class System>
class DegenerateStart {
 public:
  using Coordinates = typename System::Coordinates;

  explicit DegenerateStart(const System& system) : q(system.coordinates()), p(q), system_(system) {}

  Coordinates q, p;

  // q is set by the caller; p is found here.
  std::optional<DegenerateStartFault> make_consistent() {
    using Kind = DegenerateStartFault::Kind;
    const int n = system_.coordinates();
    typename System::Square J(n, n), Om(n, n);
    Coordinates Hq(q);
    system_.theta_jacobian(q, p, J);
    system_.hamiltonian_gradient(q, Hq);
    for (int i = 0; i < n; ++i)
      if (!is_finite(p[i])) return DegenerateStartFault{Kind::theta_not_finite, i, {}};
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        if (!is_finite(J(i, k))) return DegenerateStartFault{Kind::theta_jacobian_not_finite, i, {}};
    if (!is_finite(system_.hamiltonian(q))) return DegenerateStartFault{Kind::hamiltonian_not_finite, 0, {}};
    for (int i = 0; i < n; ++i)
      if (!is_finite(Hq[i])) return DegenerateStartFault{Kind::hamiltonian_gradient_not_finite, i, {}};
    symplectic_matrix(J, Om);
    if (auto rows = dependent_rows(Om); !rows.empty()) return DegenerateStartFault{Kind::singular, rows.front(), rows};
    return std::nullopt;
  }

 private:
  const System& system_;
};

}  // namespace livens
