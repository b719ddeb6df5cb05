// The energy of a Lagrangian system where forces act or time enters,
//
//   E - E_0 = int P dt ,   E = v.L_v - L ,   P = F.v + lambda.g_t - L_t ,
//
// since dE/dt = v.(d/dt L_v - L_q) - L_t = v.(F - G^T lambda) - L_t  and  G v = -g_t. F, g_t and L_t are those of the
// nodes, lambda that of the constraint differentiated twice there (kinetics.hpp).
#pragma once

#include <limits>

#include "livens/math/path_integral.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

template <class System>
class EnergyBalance {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  explicit EnergyBalance(const System& system)
      : system_(system),
        structure_(system.structure()),
        supplied_(system.coordinates()),
        force_(system.coordinates()),
        lambda_(system.constraints()),
        rate_(lambda_) {}

  bool is_needed() const { return !structure_.conserves_energy(); }
  void start(const T& t, const T& step, const Coordinates& q, const Coordinates& v, Kinetics<System>& kinetics) {
    supplied_.start(t, step, q, v, power(kinetics));
  }
  void add(const T& t, const Coordinates& q, const Coordinates& v, Kinetics<System>& kinetics) {
    supplied_.add(t, q, v, power(kinetics));
  }

  // int P dt; not a number from where the power is none.
  const T& supplied() const { return supplied_.value(); }

  template <class Archive>
  void archive(Archive& a) {
    a(supplied_);
  }

 private:
  auto power(Kinetics<System>& kinetics) {
    return [this, &kinetics](const T& t, const Coordinates& q, const Coordinates& v) {
      T P(0);
      if (structure_.forces) {
        system_.force(t, q, v, force_);
        P += dot(force_, v);
      }
      if (structure_.time_in_constraints) {
        if (!succeeded(kinetics.multiplier(t, q, v, lambda_))) return T(std::numeric_limits<double>::quiet_NaN());
        system_.constraint_rate(t, q, rate_);
        P += dot(lambda_, rate_);
      }
      if (structure_.time_in_lagrangian) P -= system_.lagrangian_rate(t, q, v);
      return P;
    };
  }

  const System& system_;
  Structure structure_;
  PathIntegral<T, System::n> supplied_;
  Coordinates force_;
  Multipliers lambda_, rate_;
};

}  // namespace livens
