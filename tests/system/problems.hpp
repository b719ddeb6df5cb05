// Degenerate and overdetermined systems with known facts, as functors and as formulas.
// Sources: Kraus (2017), sections 5.1-5.3; Consistent extensions of the symplectic Euler method for a class of
// overdetermined DAEs, (4.1), (4.2).
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "livens/formula/names.hpp"
#include "livens/model/degenerate_formulas.hpp"
#include "livens/model/odae_formulas.hpp"
#include "livens/system/degenerate.hpp"
#include "livens/system/odae.hpp"

namespace livens {

struct LotkaVolterra {
  static constexpr int coordinates = 2, invariants = 1;
  double a1 = 1, a2 = 1, b1 = 1, b2 = 2;
  template <class T>
  Vec<T, 2> theta(const Vec<T, 2>& q) const {
    using std::log;
    return {log(q[1]) / q[0] + q[1], q[0]};
  }
  template <class T>
  T hamiltonian(const Vec<T, 2>& q) const {
    using std::log;
    return a1 * q[0] + a2 * q[1] - b1 * log(q[0]) - b2 * log(q[1]);
  }
  template <class T>
  Vec<T, 1> invariant_values(const Vec<T, 2>& q, const Vec<T, 2>& p) const {
    return {q[0] * p[1]};
  }
};

struct Vortices {
  static constexpr int coordinates = 4;
  double g1 = 0.1, g2 = 0.2;
  template <class T>
  Vec<T, 4> theta(const Vec<T, 4>& q) const {
    const T S1 = 1 + q[0] * q[0] + q[1] * q[1], S2 = 1 + q[2] * q[2] + q[3] * q[3];
    return {-g1 / 2 * q[1] * S1, g1 / 2 * q[0] * S1, -g2 / 2 * q[3] * S2, g2 / 2 * q[2] * S2};
  }
  template <class T>
  T hamiltonian(const Vec<T, 4>& q) const {
    using std::log;
    const T S1 = 1 + q[0] * q[0] + q[1] * q[1], S2 = 1 + q[2] * q[2] + q[3] * q[3];
    const T dx = q[0] - q[2], dy = q[1] - q[3];
    return g1 * g2 / (2 * std::numbers::pi) * S1 * S2 * log(dx * dx + dy * dy);
  }
};

struct GuidingCentre {
  static constexpr int coordinates = 4;
  double R0 = 2, B0 = 5, q0 = 2, mu = 0.01;
  template <class T>
  Vec<T, 4> theta(const Vec<T, 4>& q) const {
    using std::log, std::sqrt;
    const T &R = q[0], &Z = q[1], &u = q[3];
    const T r2 = (R - R0) * (R - R0) + Z * Z, S = sqrt(r2 + q0 * q0 * R0 * R0);
    return {B0 * R0 * Z / (2 * R) - u * Z / S, -(B0 * R0 / 2) * log(R / R0) + u * (R - R0) / S,
            -B0 / (2 * q0) * r2 - q0 * R0 * u * R / S, T(0)};
  }
  template <class T>
  T hamiltonian(const Vec<T, 4>& q) const {
    using std::sqrt;
    const T &R = q[0], &Z = q[1], &u = q[3];
    const T r2 = (R - R0) * (R - R0) + Z * Z, S = sqrt(r2 + q0 * q0 * R0 * R0);
    return u * u / 2 + mu * B0 / q0 * S / R;
  }
};

// (4.1): y1 = z1 = e^2t, y2 = z2 = e^-t, psi = e^t
struct ExponentialOdae {
  static constexpr int positions = 2, velocities = 2, multipliers = 1;
  template <class T>
  Vec<T, 2> velocity(const Vec<T, 2>&, const Vec<T, 2>& z) const {
    return {2 * z[0], -z[1]};
  }
  template <class T>
  Vec<T, 2> force(const Vec<T, 2>& y, const Vec<T, 2>& z) const {
    return {2 * y[0] * y[1] * z[0] * z[1] - y[0] * z[0] * z[1], z[0] - y[0] * z[1] * z[1] * z[1]};
  }
  template <class T>
  Vec<T, 2> reaction(const Vec<T, 2>& y, const Vec<T, 2>& z, const Vec<T, 1>& psi) const {
    using std::sqrt;
    return {y[1] * z[0] * psi[0] * psi[0], -sqrt(y[0]) * z[0] * z[1] * z[1] * psi[0]};
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& y) const {
    return {y[0] * y[1] * y[1] - 1};
  }
};

// (4.2): a mass on the cubic y2 = b y1^3 with nonlinear Coulomb friction
struct CubicWithFriction {
  static constexpr int positions = 2, velocities = 2, multipliers = 1;
  double m = 1, b = 0.01, g = 9.81, c_f = 0.1, r_f = 0.85;
  template <class T>
  Vec<T, 2> velocity(const Vec<T, 2>&, const Vec<T, 2>& z) const {
    return z;
  }
  template <class T>
  Vec<T, 2> force(const Vec<T, 2>&, const Vec<T, 2>&) const {
    return {T(0), T(-g)};
  }
  template <class T>
  Vec<T, 2> reaction(const Vec<T, 2>& y, const Vec<T, 2>& z, const Vec<T, 1>& psi) const {
    using std::hypot, std::pow;
    const T slope = 3 * b * y[0] * y[0];
    const T friction = c_f * pow((1 + slope * slope) * psi[0] * psi[0], r_f / 2) / hypot(z[0], z[1]);
    return {(-slope * psi[0] - friction * z[0]) / m, (psi[0] - friction * z[1]) / m};
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& y) const {
    return {y[1] - b * y[0] * y[0] * y[0]};
  }
};

// Formulas with variables named block by block.
struct FormulaWorld {
  formula::Graph graph;
  formula::Names names{graph};

  explicit FormulaWorld(const std::map<int, std::vector<std::string>>& blocks) {
    for (const auto& [block, variables] : blocks)
      for (int i = 0; const auto& name : variables) names.add_variable(name, {block, i++});
  }
  std::vector<formula::NodeId> operator()(const std::vector<std::string>& texts) const {
    std::vector<formula::NodeId> nodes;
    for (const auto& text : texts) nodes.push_back(names.parse(text));
    return nodes;
  }
};

inline std::shared_ptr<const DegenerateFormulas> degenerate_formulas(const std::vector<std::string>& coordinates,
                                                                     const std::vector<std::string>& theta,
                                                                     const std::string& hamiltonian,
                                                                     const std::vector<std::string>& invariants = {}) {
  std::vector<std::string> momenta;
  for (const auto& name : coordinates) momenta.push_back("p_" + name);
  const FormulaWorld world({{DegenerateFormulas::q, coordinates}, {DegenerateFormulas::p, momenta}});
  const DegenerateFormulas::Formulas formulas{world(theta), world({hamiltonian})[0], world(invariants), invariants};
  return std::make_shared<DegenerateFormulas>(world.graph, static_cast<int>(coordinates.size()), formulas);
}

inline std::shared_ptr<const DegenerateFormulas> guiding_centre_formulas() {
  const std::string r2 = "((R-2)^2+Z^2)", S = "sqrt(((R-2)^2+Z^2)+16)";
  return degenerate_formulas({"R", "Z", "phi", "u"},
                             {"5*Z/R - u*Z/" + S, "-5*log(R/2) + u*(R-2)/" + S, "-1.25*" + r2 + " - 4*u*R/" + S, "0"},
                             "u^2/2 + 0.025*" + S + "/R");
}

struct OdaeTexts {
  std::vector<std::string> velocity, force, reaction, constraints;
};

inline std::shared_ptr<const OdaeFormulas> odae_formulas(const OdaeTexts& texts) {
  const FormulaWorld world({{OdaeFormulas::time, {"t"}},
                            {OdaeFormulas::y, {"y1", "y2"}},
                            {OdaeFormulas::z, {"z1", "z2"}},
                            {OdaeFormulas::psi, {"psi"}}});
  const OdaeFormulas::Formulas formulas{
      world(texts.velocity), world(texts.force), world(texts.reaction), world(texts.constraints), {}, {}};
  return std::make_shared<OdaeFormulas>(world.graph, 2, 2, 1, formulas);
}

inline std::shared_ptr<const OdaeFormulas> exponential_odae_formulas() {
  return odae_formulas({{"2*z1", "-z2"},
                        {"2*y1*y2*z1*z2 - y1*z1*z2", "z1 - y1*z2^3"},
                        {"y2*z1*psi^2", "-sqrt(y1)*z1*z2^2*psi"},
                        {"y1*y2^2 - 1"}});
}

inline std::shared_ptr<const OdaeFormulas> cubic_with_friction_formulas() {
  const std::string friction = "0.1*((1+9*0.01^2*y1^4)*psi^2)^0.425/hypot(z1,z2)";
  return odae_formulas(
      {{"z1", "z2"}, {"0", "-9.81"}, {"-0.03*y1^2*psi - z1*" + friction, "psi - z2*" + friction}, {"y2 - 0.01*y1^3"}});
}

}  // namespace livens
